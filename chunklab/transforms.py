"""Corpora made harder on purpose: code between the paragraphs, other documents, misspelt and shorter questions.

Every transform is seeded and gives the same corpus in every process. Evidence moves with its text, so
that a question asks for the same words before and after.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from chunklab.boundaries import blank_line_level
from chunklab.corpus import Corpus, join_corpora
from chunklab.errors import ParamError
from chunklab.types import Document, Evidence, Question, Span

PROSE = ("text/plain", "text/markdown")
_NOUNS = ("batch", "cursor", "ledger", "quota", "record", "shard", "signal", "ticket", "window", "worker")
_VERBS = ("advance", "collect", "drain", "merge", "open", "prune", "rotate", "seal", "sort", "verify")


def inject_code(corpus: Corpus, fraction: float = 0.3, seed: int = 0) -> Corpus:
    """The corpus with fenced Python between its paragraphs until that fraction of each text is code.

    Only plain text and Markdown are changed, and become Markdown; no block goes into a piece of
    evidence. A text without a blank line gets its code at the end. ParamError unless 0 <= fraction < 1.
    """
    _share("inject_code", "fraction", fraction)

    def change(document: Document, taken: Sequence[Span]) -> tuple[Document, list[tuple[int, int]]]:
        if document.media_type not in PROSE or not fraction:
            return document, []
        draw = random.Random(f"{seed} {document.id}")
        cuts = [*blank_line_level(document).cuts.tolist(), len(document.text)]
        free = [at for at in cuts if not any(each.start < at < each.end for each in taken)]
        blocks: list[str] = []
        while sum(map(len, blocks)) < fraction * (len(document.text) + sum(map(len, blocks))):
            blocks.append(_block(draw))
        return _inserted(document, sorted(zip(draw.choices(free, k=len(blocks)), blocks, strict=True)))

    return _changed(corpus, change)


def with_distractors(corpus: Corpus, others: Sequence[Corpus]) -> Corpus:
    """The corpus with the documents of others beside its own, which answer none of its questions."""
    apart = [
        Corpus(
            other.name,
            tuple(replace(each, id=f"{other.name}/{each.id}") for each in other.documents),
            notices=other.notices,
        )
        for other in others
        if other.name != corpus.name
    ]
    return join_corpora(corpus.name, (corpus, *apart))


def misspelt(corpus: Corpus, fraction: float = 0.3, seed: int = 0) -> Corpus:
    """The corpus with two neighbouring letters swapped in that fraction of each question's longer words."""
    _share("misspelt", "fraction", fraction)

    def change(words: list[str], draw: random.Random) -> list[str]:
        long = [at for at, word in enumerate(words) if len(word) > 3]
        for at in draw.sample(long, round(fraction * len(long))):
            word, place = words[at], draw.randrange(1, len(words[at]) - 2)
            words[at] = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        return words

    return _asked(corpus, change, seed)


def shortened(corpus: Corpus, fraction: float = 0.5, seed: int = 0) -> Corpus:
    """The corpus with that fraction of each question's words left out; one always stays."""
    _share("shortened", "fraction", fraction)

    def change(words: list[str], draw: random.Random) -> list[str]:
        kept = max(1, round((1 - fraction) * len(words)))
        return [words[at] for at in sorted(draw.sample(range(len(words)), kept))]

    return _asked(corpus, change, seed)


def _share(owner: str, name: str, value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
        raise ParamError(
            owner, name, "a number from 0 up to, not including, 1", value, "Use 0.3, for example."
        )


def _asked(corpus: Corpus, change: Callable[[list[str], random.Random], list[str]], seed: int) -> Corpus:
    questions = []
    for each in corpus.questions:
        words = change(each.text.split(), random.Random(f"{seed} {each.id}")) if each.text.split() else []
        questions.append(replace(each, text=" ".join(words) or each.text))
    return replace(corpus, questions=tuple(questions))


def _changed(
    corpus: Corpus, change: Callable[[Document, Sequence[Span]], tuple[Document, list[tuple[int, int]]]]
) -> Corpus:
    taken: dict[str, list[Span]] = {each.id: [] for each in corpus.documents}
    for question in corpus.questions:
        for part in question.evidence:
            for place in part.places:
                taken[place.document_id].append(place.span)
    made = {each.id: change(each, taken[each.id]) for each in corpus.documents}
    moved = {id: added for id, (_, added) in made.items()}
    questions = tuple(_with_evidence(each, moved) for each in corpus.questions)
    return replace(corpus, documents=tuple(document for document, _ in made.values()), questions=questions)


def _with_evidence(question: Question, moved: dict[str, list[tuple[int, int]]]) -> Question:
    def shift(place: Evidence) -> Evidence:
        by = sum(length for at, length in moved[place.document_id] if at <= place.span.start)
        span = Span(place.span.start + by, place.span.end + by)
        return Evidence(place.document_id, span, tuple(map(shift, place.alternatives)))

    return replace(question, evidence=tuple(map(shift, question.evidence)))


def _inserted(
    document: Document, additions: Sequence[tuple[int, str]]
) -> tuple[Document, list[tuple[int, int]]]:
    """The document with texts put in at offsets of the old one, and (offset, length) of each."""
    pieces, last, added = [], 0, []
    for at, block in additions:
        lead = "\n\n" if at == len(document.text) and not document.text.endswith("\n\n") else ""
        pieces += [document.text[last:at], lead, block]
        added.append((at, len(lead) + len(block)))
        last = at
    text = "".join([*pieces, document.text[last:]])
    return Document(document.id, text, "text/markdown", document.notices), added


def _block(draw: random.Random) -> str:
    noun, other = draw.sample(_NOUNS, 2)
    verb, limit = draw.choice(_VERBS), draw.randrange(2, 90)
    lines = [
        f"def {verb}_{noun}({other}s, limit={limit}):",
        "    kept = []",
        f"    for {other} in {other}s:",
        f"        if {other}.{noun} > limit:",
        f"            kept.append({other}.{noun} % {draw.randrange(3, 17)})",
        f"    return sorted(kept)[:{draw.randrange(2, 30)}]",
    ]
    return "```python\n" + "\n".join(lines) + "\n```\n\n"
