"""Cases about exported files: their names, and cells that a spreadsheet must not run."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tests.case_input import material
from tests.case_model import Case, Later, NotBuilt, NotRun, Result
from tests.case_run import cut, timed


def exported(case: Case) -> Result:
    """The export of documents whose one chunk each is a text of the case, or of a document of the case's name."""
    try:
        from chunklab import export
    except ImportError:
        raise NotBuilt("export of files") from None
    given = material(case)
    name = given.get("file", "some.txt") if isinstance(given, dict) else case.params.get("file", "some.txt")
    ending = str(case.params.get("export", "csv")).lower()
    if ending not in ("csv", "json"):
        raise NotBuilt(f"export of {ending}")
    result = Result(case, {"notices": []}, settings=dict(case.params))
    texts = _texts(given)

    def work() -> None:
        chunks = [whole(text, name) for text in texts]
        lines = [export.to_csv(each).partition("\r\n") for each in chunks]
        result.facts["csv"] = lines[0][0] + "\r\n" + "".join(rest for _, _, rest in lines)
        result.facts["exported_texts"] = texts
        result.facts["export_name"] = export.export_name(chunks[0].document.id, ending)
        result.facts["files_outside"] = Later(lambda: outside(result.get("export_name"), result.get("csv")))

    result.seconds, result.error = timed(work)
    return result


def whole(text: str, name: str) -> Any:
    """The chunks of a text that is one chunk."""
    from chunklab.intake import from_text

    chunks = cut(from_text(text, id=name), "fixed(size=100000,overlap=0)")
    if [each.text for each in chunks] != [text]:
        raise NotRun(f"{text[:40]!r} is not one chunk")
    return chunks


def outside(name: str, content: str) -> list[str]:
    """Where the export would be written, if that is not in the folder it is meant for."""
    with tempfile.TemporaryDirectory() as folder:
        inside = Path(folder, "exports")
        inside.mkdir()
        target = inside / name
        target.write_text(content, encoding="utf-8")
        found = [str(each) for each in Path(folder).rglob("*") if each.is_file() and each.parent != inside]
        return found if target.resolve().parent == inside.resolve() else [str(target.resolve()), *found]


def _texts(given: Any) -> list[str]:
    if isinstance(given, list) and given and all(isinstance(each, str) for each in given):
        return given
    if isinstance(given, str):
        return [given]
    return ["some text"]
