"""Documents of a given size for the benchmarks: the same on every machine, made here, nothing downloaded."""

from __future__ import annotations

import random
import sysconfig
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

_COMMON = [
    "the",
    "of",
    "and",
    "to",
    "in",
    "a",
    "is",
    "that",
    "it",
    "was",
    "for",
    "on",
    "as",
    "with",
    "his",
    "he",
    "be",
    "at",
    "by",
    "had",
    "not",
    "are",
    "but",
    "from",
    "or",
    "have",
    "an",
    "they",
    "which",
    "one",
    "you",
    "were",
    "her",
    "all",
    "she",
    "there",
    "would",
    "their",
    "we",
    "him",
    "been",
    "has",
    "when",
    "who",
    "will",
    "more",
    "no",
    "if",
    "out",
    "so",
    "said",
]
_ONSETS = [
    "b",
    "bl",
    "br",
    "c",
    "ch",
    "cl",
    "cr",
    "d",
    "dr",
    "f",
    "fl",
    "fr",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "pr",
    "r",
    "s",
    "sh",
    "sl",
    "st",
    "str",
    "t",
    "th",
    "tr",
    "v",
    "w",
]
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "ee", "ie", "oa", "oo", "ou"]
_CODAS = ["", "", "", "ck", "d", "ft", "l", "ll", "m", "n", "nd", "ng", "nt", "r", "rd", "s", "st", "t"]
_RARE = ("naïve", "café", "co-operate", "Mr. Vale", "Dr. Oke", "e.g. this", "3.5", "1,200", "No. 7", "9 a.m.")
_HAN = "一不人大有是在我他这中上们来到时国说地也子就道出而要下看天好年起小去前里后作心学生家水光山路夜风雨声"


def prose(size: int, seed: int = 1) -> str:
    """English-like paragraphs of sentences, blank lines between; `size` bytes of UTF-8."""
    return _filled(size, (each + "\n\n" for each in _paragraphs(random.Random(seed))))


def markdown(size: int, seed: int = 2) -> str:
    """A technical book: front matter, headings of three levels, lists, tables, fenced code, links."""
    return _filled(size, _book(random.Random(seed)))


def python(size: int, seed: int = 0) -> str:
    """Modules of the standard library one after another, in the order of their names."""
    return _filled(size, _library())


def chinese(size: int, seed: int = 3) -> str:
    """Paragraphs of Chinese-like sentences without blanks; `size` bytes, a third as many characters."""
    return _filled(size, _han(random.Random(seed)))


def one_line(size: int, seed: int = 4) -> str:
    """One line of random letters without any blank."""
    return "".join(random.Random(seed).choices("abcdefghijklmnopqrstuvwxyz", k=size))


TEXTS: dict[str, Callable[[int], str]] = {
    "prose": prose,
    "Markdown": markdown,
    "Python": python,
    "Chinese": chinese,
    "one line": one_line,
}


def questions(text: str, document_id: str, count: int = 40, seed: int = 5) -> list[dict]:
    """Questions whose evidence is a sentence of the text, spread evenly, in the shape of questions.jsonl."""
    random_ = random.Random(seed)
    found = []
    for at in range(count):
        start = text.find(". ", (at * len(text)) // count) + 2
        end = text.find(".", start) + 1
        quote = text[start:end].strip()
        start = text.index(quote, start)
        words = [each.strip('.,“”"`*|#') for each in quote.split()]
        asked = " ".join(random_.sample(words, min(6, len(words))))
        evidence = [{"document": document_id, "start": start, "end": start + len(quote), "quote": quote}]
        found.append({"id": f"q{at + 1}", "kind": "fact", "text": f"{asked}?", "evidence": evidence})
    return found


def _filled(size: int, pieces: Iterator[str]) -> str:
    parts, total = [], 0
    for piece in pieces:
        parts.append(piece)
        total += len(piece.encode())
        if total >= size:
            break
    return "".join(parts).encode()[:size].decode("utf-8", "ignore")


def _vocabulary(random_: random.Random) -> tuple[list[str], list[float]]:
    """5,000 words and Zipf's cumulative weights, the common ones first."""
    words = dict.fromkeys(_COMMON)
    while len(words) < 5000:
        syllables = random_.choices((1, 2, 3), (3, 5, 2))[0]
        pick = random_.choice
        words[
            "".join(
                pick(_ONSETS) + pick(_VOWELS) + (pick(_CODAS) if last else "") for last in range(syllables)
            )
        ] = None
    listed = list(words)
    return listed, list(accumulate(1 / rank for rank in range(3, len(listed) + 3)))


def _sentences(random_: random.Random) -> Iterator[str]:
    words, weights = _vocabulary(random_)
    while True:
        chosen = random_.choices(words, cum_weights=weights, k=random_.randint(4, 32))
        if random_.random() < 0.12:
            chosen.insert(len(chosen) // 2, random_.choice(_RARE))
        if len(chosen) > 14:
            chosen[len(chosen) // 2] += random_.choice((",", ",", ";", " –"))
        said = " ".join(chosen)
        said = said[0].upper() + said[1:] + random_.choices(".?!", (20, 1, 1))[0]
        yield f"“{said}”" if random_.random() < 0.06 else said


def _paragraphs(random_: random.Random) -> Iterator[str]:
    sentences = _sentences(random_)
    while True:
        yield " ".join(next(sentences) for _ in range(random_.randint(1, 9)))


def _book(random_: random.Random) -> Iterator[str]:
    paragraphs, sentences = _paragraphs(random_), _sentences(random_)

    def title() -> str:
        return " ".join(next(sentences).strip("“”.?!").split()[: random_.randint(2, 5)])

    yield f"---\ntitle: {title()}\n---\n\n"
    while True:
        yield f"# {title()}\n\n{next(paragraphs)}\n\n"
        for _ in range(random_.randint(2, 5)):
            yield f"## {title()}\n\n{next(paragraphs)}\n\n"
            for _ in range(random_.randint(0, 4)):
                yield f"### {title()}\n\n"
                for _ in range(random_.randint(1, 4)):
                    yield random_.choice(_BLOCKS)(random_, paragraphs, title) + "\n\n"


def _paragraph_block(random_: random.Random, paragraphs: Iterator[str], title: Callable[[], str]) -> str:
    return next(paragraphs)


def _link_block(random_: random.Random, paragraphs: Iterator[str], title: Callable[[], str]) -> str:
    return (
        f"{next(paragraphs)} See [{title()}](https://example.org/{random_.randint(1, 999)}) and `{title()}`."
    )


def _list_block(random_: random.Random, paragraphs: Iterator[str], title: Callable[[], str]) -> str:
    return "\n".join(f"- **{title()}**: {title()} {title()}" for _ in range(random_.randint(3, 8)))


def _table_block(random_: random.Random, paragraphs: Iterator[str], title: Callable[[], str]) -> str:
    rows = (f"| {title()} | {random_.randint(1, 9999)} | {title()} |" for _ in range(random_.randint(3, 20)))
    return "\n".join(["| name | value | meaning |", "|---|---:|---|", *rows])


def _fence_block(random_: random.Random, paragraphs: Iterator[str], title: Callable[[], str]) -> str:
    name = title().split()[0].lower()
    lines = (f'    print("{title()}", {random_.randint(0, 99)})' for _ in range(random_.randint(2, 12)))
    return "\n".join([f"```python\n# {title()}", f"def {name}(value):", *lines, "```"])


_BLOCKS = (_paragraph_block, _paragraph_block, _link_block, _list_block, _table_block, _fence_block)


def _library() -> Iterator[str]:
    modules = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    while True:
        for path in modules:
            yield path.read_text(encoding="utf-8", errors="replace") + "\n"


def _han(random_: random.Random) -> Iterator[str]:
    while True:
        sentences = []
        for _ in range(random_.randint(2, 9)):
            clauses = ("".join(random_.choices(_HAN, k=random_.randint(4, 14))) for _ in range(2))
            sentences.append("，".join(clauses) + random_.choices("。！？", (12, 1, 1))[0])
        yield "".join(sentences) + "\n\n"
