"""Run records: what was measured on which corpus and with what, every question's values included, as JSON.

{"schema": 1, "chunklab": "0.1.0", "versions": {"numpy": …}, "made": "2026-01-31T12:00:00Z",
 "corpus": {"name", "digest", "documents": {id: digest}, "questions": [{"id", "kind", "text"}]},
 "settings": {"recipes": […], "embedder", "fingerprint", "retriever", "seed", …},
 "results": [what `evaluate --json --per-question` prints, one for each recipe that is done]}
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from chunklab import __version__
from chunklab.errors import ChunklabError, shown

if TYPE_CHECKING:
    from chunklab.corpus import Corpus

SCHEMA = 1
LIBRARIES = (
    "numpy", "scipy", "torch", "transformers", "sentence-transformers", "tokenizers", "tiktoken", "bm25s", "faiss-cpu",
    "tree-sitter", "markdown-it-py", "lxml", "sentencex", "regex",
)  # fmt: skip
"""What decides cuts, vectors, rankings and counts."""
DIGITS = 16


def run_record(corpus: Corpus, settings: dict[str, Any], results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A record of results that were measured just now, each with its `per_question` rows.

    The corpus's questions are those that were scored, in the order of the rows.
    """
    return {
        "schema": SCHEMA,
        "chunklab": __version__,
        "versions": {"python": platform.python_version(), **versions()},
        "made": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "corpus": {
            "name": corpus.name,
            "digest": corpus.digest,
            "documents": {each.id: each.digest[:DIGITS] for each in corpus.documents},
            "questions": [
                {"id": each.id, "kind": each.kind, "text": each.text} for each in corpus.questions if each.evidence
            ],
        },
        "settings": settings,
        "results": list(results),
    }  # fmt: skip


def versions() -> dict[str, str]:
    """Library -> version, of those that are installed here."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def save_run(run: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Writes the record as one step: whatever happens, the file holds the old record or the new one.

    Raises ChunklabError where it cannot be written.
    """
    target, beside = writable(path)
    try:
        with beside.open("w", encoding="utf-8", errors="surrogatepass") as file:
            json.dump(run, file, ensure_ascii=False, allow_nan=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except OSError as error:
        _unwritable(path, error)
    finally:
        beside.unlink(missing_ok=True)


def writable(path: str | os.PathLike[str]) -> tuple[Path, Path]:
    """Where a record goes, and the file beside it that is written first; ChunklabError unless both can be."""
    try:
        target = Path(path).resolve()
        if target.exists() and not target.is_file():
            raise OSError(None, "it is not a file")
        beside = target.with_name(f".{target.name}.{os.getpid()}")
        beside.open("wb").close()
        beside.unlink()
    except (OSError, ValueError, RuntimeError) as error:
        _unwritable(path, error)
    return target, beside


def load_run(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The record in a file; with `#2` behind the path it holds the second of its results alone.

    Raises ChunklabError for anything but a record.
    """
    name, number = _numbered(os.fspath(path))
    try:
        run = json.loads(Path(name).read_bytes().decode("utf-8", "surrogatepass"), parse_constant=float)
    except (ValueError, RecursionError) as error:
        _no_record(name, "it is not JSON", error)
    except OSError as error:
        raise ChunklabError(
            f"{shown(name)}: cannot be read ({error.strerror}). Give the path of a run record."
        ) from None
    fault = _fault(run)
    if fault:
        _no_record(name, fault)
    if number is None:
        return run
    if not 1 <= number <= len(run["results"]):
        raise ChunklabError(
            f"{shown(name)}: has {len(run['results'])} results, got #{number}. Choose one of these."
        )
    result = run["results"][number - 1]
    return run | {"results": [result], "settings": run["settings"] | {"recipes": [result["recipe"]]}}


def _numbered(path: str) -> tuple[str, int | None]:
    name, mark, number = path.rpartition("#")
    return (name, int(number)) if mark and number.isdecimal() and not os.path.exists(path) else (path, None)


def _fault(run: Any) -> str:
    """Why this is no record that can be compared; empty for one that can."""
    if not isinstance(run, dict) or not isinstance(run.get("schema"), int):
        return "it has no schema"
    if run["schema"] != SCHEMA:
        return f"its schema is {run['schema']}, and this chunklab reads {SCHEMA}"
    try:
        corpus, results = run["corpus"], run["results"]
        texts = [corpus["name"], corpus["digest"], run["chunklab"], *(each["recipe"] for each in results)]
        texts += [each[name] for each in corpus["questions"] for name in ("id", "kind", "text")]
        tables = [corpus["documents"], run["versions"], run["settings"]]
        rows = [row for each in results for row in each["per_question"]]
        ranks = [row["rank"] for row in rows if row["rank"] is not None]
        lists = [run["settings"].get("recipes", [])]
        kinds = (str, texts), (dict, tables), (int, ranks), (list, lists)
        if not all(isinstance(each, kind) for kind, members in kinds for each in members):
            return "a part is not of its kind"
        if not all(
            0 <= row[name] <= 1
            for each in results
            for row in each["per_question"]
            for name in each["metrics"]
        ):
            return "a value is not from 0 to 1"
    except (KeyError, TypeError, AttributeError) as error:
        return f"a part is missing or not of its kind ({error})"
    ids = [each["id"] for each in corpus["questions"]]
    if any([row["id"] for row in each["per_question"]] != ids for each in results):
        return "its results are not of its questions"
    return "" if results else "it has no results"


def _no_record(name: str, why: str, error: Exception | None = None) -> NoReturn:
    raise ChunklabError(f"{shown(name)}: is no run record, {why}. Make one with evaluate --out.") from error


def _unwritable(path: str | os.PathLike[str], error: Exception) -> NoReturn:
    reason = getattr(error, "strerror", None) or error
    raise ChunklabError(
        f"{shown(os.fspath(path))}: the run cannot be written ({reason}). Choose a file in a folder that can."
    ) from None
