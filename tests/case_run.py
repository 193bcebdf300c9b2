"""Runs one case on chunklab's core and gives what its checks look at, once per setting under test."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

from tests.case_facts import document_facts, notices_of
from tests.case_input import material
from tests.case_late import late_of
from tests.case_meaning import give
from tests.case_model import Case, Later, NotBuilt, NotRun, Result
from tests.case_names import suffix
from tests.case_recipes import recipe_of

SWEPT = (
    "size", "percentile", "overlap", "max_size", "window", "distance_threshold", "similarity_threshold", "threshold",
    "deviations", "factor", "buffer", "min_size",
)  # fmt: skip
_OTHER_FORMATS = (
    ".pdf", ".docx", ".doc", ".odt", ".rtf", ".pptx", ".xlsx", ".epub", ".html", ".htm", ".xml", ".json", ".csv",
    ".tsv", ".ipynb", ".zip",
)  # fmt: skip


def runs_of(case: Case) -> list[Result]:
    """One result per value of the setting that is a list, and per strategy where there are several.

    Raises NotBuilt when nothing the case needs exists. Where some of several strategies do not exist, the
    results say so in `missing`.
    """
    from tests.case_kinds import special_runs

    results = special_runs(case)
    if results is None:
        results = chunk_runs(case, material(case))
        if case.more_inputs:
            further = [chunk_runs(case, material(case, each)) for each in case.more_inputs]
            for each in results:
                each.facts["further"] = further
    for each in results:
        each.siblings = results
    return results


def chunk_runs(case: Case, given: Any) -> list[Result]:
    """One result per strategy and value for the input `given`."""
    names = case.params.get("strategies") or [case.params.get("strategy", "recursive")]
    results, missing = [], []
    for name in names:
        for value, settings in variants({**case.params, "strategy": name}):
            try:
                results.append(one_run(case, given, settings, value))
            except NotBuilt as error:
                missing.append(str(error))
    if not results:
        raise NotBuilt(", ".join(dict.fromkeys(missing)))
    for each in results:
        each.missing = ", ".join(dict.fromkeys(missing))
    return results


def variants(params: dict[str, Any]) -> list[tuple[Any, dict[str, Any]]]:
    """(value under test, settings) for each value of a setting that is a list; once when none is."""
    swept = [name for name in SWEPT if isinstance(params.get(name), list)]
    if not swept:
        return [(params.get("size", params.get("max_size")), params)]
    choices = itertools.product(*(params[name] for name in swept))
    return [(values[0], {**params, **dict(zip(swept, values, strict=True))}) for values in choices]


def one_run(case: Case, given: Any, settings: dict[str, Any], value: Any = None) -> Result:
    """Reads the input, cuts it and times both; what was raised is kept in the result."""
    import chunklab.chunking
    import chunklab.intake  # noqa: F401  (here, because imports are not part of the time)

    result = Result(case, settings=settings, value=value)
    texts = given if isinstance(given, list) else [given]
    made: list[tuple[Any, Any]] = []
    late: list[Any] = []

    def work() -> None:
        recipe = recipe_of(settings)
        for at, each in enumerate(texts):
            document = document_of(each, settings, at)
            made.append((document, None))
            chunks = cut(document, recipe, settings.get("embeddings"))
            made[-1] = (document, chunks)
            late.append(late_of(chunks, settings))

    result.seconds, result.error = timed(work)
    result.facts["notices"] = notices_of(made, result, settings)
    if any(late):
        result.facts["vectors"] = [row for each in late for row in each.means]
        result.facts["scaled_vectors"] = [row for each in late for row in each.scaled]
        result.facts["tokens_per_chunk"] = [number for each in late for number in each.tokens]
        result.facts["notices"] += [note for each in late for note in each.notices]
    if made:
        result.facts |= document_facts(made, result)
    result.facts["given_text"] = given
    result.facts["seconds_at"] = lambda times: _seconds_at(given, times, settings)
    result.facts["with_changes"] = lambda changes: one_run(case, given, {**settings, **changes})
    result.facts["peak_memory_mb"] = Later(lambda: _peak_memory(case))
    return result


def timed(work: Callable[[], Any]) -> tuple[float, Exception | None]:
    """(seconds, what was raised or None). Other processes are not charged to the work: where the
    wall clock shows more than this process computed, the latter counts."""
    wall, busy = time.perf_counter(), time.process_time()
    error = None
    try:
        work()
    except (NotBuilt, NotRun):
        raise
    except Exception as raised:
        error = raised
    return min(time.perf_counter() - wall, max(time.process_time() - busy, 1e-6)), error


def cut(document: Any, recipe: Any, embeddings: Any = None) -> Any:
    """The document's chunks, by the vectors that a case gives its sentences where it does."""
    from chunklab.chunking import chunk

    if embeddings is not None:
        give(document, recipe.split, embeddings)
    return chunk(document, recipe)


def document_of(given: Any, settings: dict[str, Any], at: int = 0) -> Any:
    """A new document from a text or from the bytes of a file, of the type that the settings suggest."""
    from chunklab import intake

    name = settings.get("file") or f"case{at or ''}.{suffix(settings)}"
    ending = "." + name.lower().rpartition(".")[2]
    if ending in _OTHER_FORMATS and ending not in intake.MEDIA_TYPES:
        raise NotBuilt(f"files of type {ending}")
    if isinstance(given, bytes):
        return intake.read_bytes(name, given)
    if not isinstance(given, str):
        raise NotRun(f"input of type {type(given).__name__}")
    media_type = intake.MEDIA_TYPES.get(ending, "text/plain")
    if media_type in intake.EXTRACTED and not any("\ud800" <= each <= "\udfff" for each in given):
        return intake.read_bytes(name, given.encode())
    return intake.from_text(given, id=name, media_type=media_type)


def _seconds_at(given: Any, times: float, settings: dict[str, Any]) -> float:
    if not isinstance(given, str):
        raise NotRun("only a text can be repeated")
    whole, part = divmod(times, 1)
    text = given * int(whole) + given[: int(len(given) * part)]
    recipe = recipe_of(settings)
    document = document_of(text, settings)
    seconds, error = timed(lambda: late_of(cut(document, recipe, settings.get("embeddings")), settings))
    if error is not None:
        raise error
    return seconds


def _peak_memory(case: Case) -> float:
    from tests.case_memory import peak_of

    return peak_of(case)
