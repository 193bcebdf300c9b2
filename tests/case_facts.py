"""What the checks may ask about documents and their chunks, taken from chunklab's own results."""

from __future__ import annotations

from typing import Any

from tests.case_meaning import numbers_of
from tests.case_model import Failed, Later, NotBuilt, NotRun, Piece, Result

_OVERSIZE = ("longer than the size", "larger than the size", "over the size", "oversize", "exceed")


def document_facts(made: list[tuple[Any, Any]], result: Result) -> dict[str, Any]:
    """Facts about (document, chunks) pairs; without chunks there are fewer facts."""
    first, chunks = made[0]
    facts: dict[str, Any] = {
        "text": first.text,
        "media_type": first.media_type,
        "headings": Later(lambda: headings_of(first)),
        "front_matter": Later(lambda: front_matter_of(first)),
        "gold": Later(lambda: gold_of(first.text, result.settings)),
        "sentence_spans": Later(lambda: sentence_spans(first)),
        "documentation": Later(documentation),
    }
    if any(each is None for _, each in made) or result.error is not None:
        return facts
    facts["documents"] = Later(lambda: [(document.text, pieces_of(each)) for document, each in made])
    facts["pieces"] = Later(lambda: [piece for _, pieces in result.get("documents") for piece in pieces])
    facts["windows"] = Later(lambda: [each.returned for each in result.get("pieces")])
    facts["returned_texts"] = Later(
        lambda: [first.text[slice(*each.returned)] for each in result.get("pieces")]
    )
    facts["reported_overlaps"] = Later(lambda: reported_overlaps(chunks))
    facts["oversize"] = Later(lambda: oversize(chunks))
    facts["returned_top"] = Later(lambda: returned_top(chunks))
    facts["numbers"] = Later(lambda: numbers_of(made))
    facts["sentences"] = Later(lambda: [text for _, text in sentence_spans(first)])
    if "sentence" in str(result.settings.get("strategy")):
        facts["sentences"] = Later(lambda: [each.text for each in result.get("pieces")])
    return facts


def pieces_of(chunks: Any) -> list[Piece]:
    """The chunks of one document; offsets come from its arrays, texts from its records."""
    contexts, paths = chunks.contexts or [""] * len(chunks), chunks.heading_paths
    spans, returned = chunks.spans.tolist(), chunks.returned.tolist()
    return [
        Piece(*spans[at], chunk.text, chunk.index, contexts[at], tuple(paths[at]), tuple(returned[at]))
        for at, chunk in enumerate(chunks)
    ]


def notices_of(made: list[tuple[Any, Any]], result: Result, settings: dict[str, Any]) -> list[str]:
    """What a person is told: notices of document and chunks, of a model's limit, and a refusal's message."""
    found = [
        note for document, chunks in made for note in (*document.notices, *(chunks.notices if chunks else ()))
    ]
    bound = settings.get("embedding_model_limit")
    if bound is not None and result.error is None:
        found += [note for _, chunks in made for note in limit_notices(chunks, bound)]
    if isinstance(result.error, ValueError):
        found.append(str(result.error))
    return found


def limit_notices(chunks: Any, bound: int) -> list[str]:
    """What chunklab says about chunks longer than an embedding model takes."""
    try:
        from chunklab.limits import limit_notice
    except ImportError:
        raise NotBuilt("a notice about an embedding model's limit") from None
    note = limit_notice(chunks.token_counts(getattr(chunks.recipe.split, "tokenizer", "cl100k")), bound)
    return [note] if note else []


def headings_of(document: Any) -> list[list[Any]]:
    """[level, title, offset of the heading's line] of each heading."""
    from chunklab.outline import outline_of

    return [[node.level, node.title, node.span.start] for node in outline_of(document).headings]


def front_matter_of(document: Any) -> tuple[int, int] | None:
    """The span of the front matter, if there is one."""
    from chunklab.outline import outline_of

    nodes = outline_of(document).nodes
    return next(((node.span.start, node.span.end) for node in nodes if node.kind == "front_matter"), None)


def sentence_spans(document: Any) -> list[tuple[int, str]]:
    """(start, text) of every sentence of the document."""
    from chunklab.chunking import chunk

    return [(each.span.start, each.text) for each in chunk(document, "sentence(n=1,size=100000)")]


def gold_of(text: str, settings: dict[str, Any]) -> dict[str, list[tuple[int, int]]]:
    """Where each gold text of a case stands: gold text -> places."""
    from chunklab.anchor import find_quote

    wanted = settings.get("gold_texts", settings.get("gold_text"))
    if wanted is None:
        raise NotRun("no gold text in this case")
    whole = "word" in str(settings.get("match", ""))
    quotes = wanted if isinstance(wanted, list) else [wanted]
    return {quote: [(span.start, span.end) for span in find_quote(text, quote, whole)] for quote in quotes}


def reported_overlaps(chunks: Any) -> list[int]:
    """What chunklab shows for each pair of neighbours; Failed where its report says something else."""
    from chunklab.report import report

    shown, told = [int(each) for each in chunks.overlaps], report(chunks)
    mean = sum(shown) / len(shown) if shown else 0.0
    if abs(told["overlap_mean"] - mean) > 1e-9 or told["overlap_zero"] != shown.count(0):
        raise Failed(
            f"the report says mean {told['overlap_mean']}, zero {told['overlap_zero']}; pairs are {shown}"
        )
    return shown


def oversize(chunks: Any) -> dict[str, Any]:
    """Which chunks are longer than the size, and which of them chunklab marks."""
    split = chunks.recipe.split
    size = getattr(split, "max_size", None) or getattr(split, "size", None)
    if size is None:
        raise NotRun("this strategy has no size")
    lengths = split.measure(chunks.document).lengths(chunks.spans)
    long = [int(each) > size for each in lengths]
    told = any(word in note.lower() for note in chunks.notices for word in _OVERSIZE)
    return {"long": long, "marked": {at for at, each in enumerate(long) if each and told}}


def returned_top(chunks: Any, k: int = 10) -> list[tuple[int, int]]:
    """The spans a reader gets for the k best chunks of a query made of the document's own words."""
    from chunklab.discovery import components
    from chunklab.returned import rank_returned

    embedder, retriever = components("embedders")["hashing"](), components("retrievers")["dense"]()
    row = rank_returned(retriever, embedder, [chunks.document.text], [chunks], k).indices[0]
    return [tuple(each) for each in chunks.returned[row].tolist()]


def documentation() -> str:
    """All that is written for readers: the README, and what every component says of itself."""
    from pathlib import Path

    from chunklab.discovery import FAMILIES, components

    readme = Path(__file__).parent.parent / "README.md"
    words = [readme.read_text(encoding="utf-8")] if readme.exists() else []
    for kind in (kind for family in FAMILIES for kind in components(family).values()):
        words += [kind.__doc__ or "", kind.assumes, kind.fails]
        words += [spec.help for _, spec in kind.params().values()]
    return " ".join(" ".join(words).split())
