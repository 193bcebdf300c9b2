"""Cases that are not one text to be cut: metrics, gold texts, several documents, files to make, the app."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from tests.case_facts import gold_of
from tests.case_input import material
from tests.case_metrics import is_metrics, metrics_run
from tests.case_model import Case, Later, NotBuilt, Result
from tests.case_run import chunk_runs, one_run


def special_runs(case: Case) -> list[Result] | None:
    """The results of a case of a special kind, or None for an ordinary one."""
    if case.input_kind == "steps" or {"view", "action", "export"} & set(case.params):
        from tests.case_app_runs import app_runs

        return app_runs(case)
    if case.input_kind == "desc":
        return [made_file(case)]
    if case.input_kind == "bytes_hex":
        return with_page(case)
    given = case.input
    if case.input_kind == "json":
        if is_metrics(given):
            return [metrics_run(case, given, dict(case.params))]
        if isinstance(given, dict) and "text" in given:
            return text_runs(case, given)
        if "allowed" in case.params:
            return [accepting(case)]
    return None


def with_page(case: Case) -> list[Result]:
    """Runs over a file's bytes, with what the app's page shows after the file is uploaded."""
    results = chunk_runs(case, material(case))
    for each in results:
        each.facts["page_tracebacks"] = Later(lambda: _page_tracebacks(case))
    return results


def _page_tracebacks(case: Case) -> list[str]:
    from tests.case_app import App

    app = App()
    app.upload(case.params.get("file", "case.txt"), material(case))
    return app.tracebacks()


def text_runs(case: Case, given: dict[str, Any]) -> list[Result]:
    """A text with gold texts; where the case names a strategy, the text is cut as well."""
    settings = {**case.params, **{name: given[name] for name in given if name.startswith("gold")}}
    results = chunk_runs(case, given["text"])
    for each in results:
        each.settings |= settings
        each.facts["gold"] = Later(lambda: gold_of(given["text"], settings))
        each.facts["counted_without_gold"] = Later(lambda: _counted(gold_of(given["text"], settings)))
    return results


def _counted(gold: dict[str, list]) -> list[str]:
    """The gold texts without a place that chunklab's mean counts although they cannot be scored."""
    from chunklab.metrics import mean_scores, question_scores

    scores = {
        quote: question_scores([("document", *place) for place in places], [("document", 0, 1)], [1])
        for quote, places in gold.items()
    }
    left_out = mean_scores(scores).left_out
    return [quote for quote, places in gold.items() if not places and quote not in left_out]


def accepting(case: Case) -> Result:
    """Which file names are taken when some endings are allowed."""
    from chunklab.intake import MEDIA_TYPES

    allowed = [f".{str(each).lower().lstrip('.')}" for each in case.params["allowed"]]
    lacking = [each for each in allowed if each not in MEDIA_TYPES]
    if lacking:
        raise NotBuilt(f"files of type {', '.join(lacking)}")

    def takes(name: str) -> bool:
        from chunklab.intake import read_bytes

        ending = f".{name.lower().rpartition('.')[2]}"
        lower = read_bytes(f"a{ending}", b"some text")
        return ending in allowed and read_bytes(name, b"some text").media_type == lower.media_type

    return Result(case, {"accepts": takes, "notices": []}, settings=dict(case.params))


def made_file(case: Case) -> Result:
    """A file made after its description, then read and cut; NotBuilt where its format is not read."""
    from chunklab import intake

    words = str(case.input).lower()
    ending = "." + words.partition(":")[0].split()[0].strip()
    if ending not in intake.MEDIA_TYPES:
        raise NotBuilt(f"files of type {ending}")
    if "mb of 'a'" in words or "200 mb" in words:
        data = _inflating_docx()
    elif ending == ".docx":
        data = _docx(["Before", [["A1", "B1"], ["A2", "B2"]], "After"])
    else:
        raise NotBuilt(f"making a {ending} file after a description")
    settings = {**case.params, "file": f"case{ending}"}
    return one_run(case, data, settings)


def _docx(body: list[Any]) -> bytes:
    """A minimal word-processor file of paragraphs (texts) and tables (rows of cells)."""
    paragraph = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>".format
    parts = [
        paragraph(each)
        if isinstance(each, str)
        else "<w:tbl>"
        + "".join(
            f"<w:tr>{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in row)}</w:tr>" for row in each
        )
        + "</w:tbl>"
        for each in body
    ]
    return _zipped("".join(parts).encode())


def _inflating_docx() -> bytes:
    return _zipped(b"<w:p><w:r><w:t>" + b"A" * 200_000_000 + b"</w:t></w:r></w:p>")


def _zipped(body: bytes) -> bytes:
    names = "http://schemas.openxmlformats.org/"
    kinds = (
        f'<Types xmlns="{names}package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'wordprocessingml.document.main+xml"/></Types>'
    )
    relations = (
        f'<Relationships xmlns="{names}package/2006/relationships">'
        '<Relationship Id="r1" Target="word/document.xml" '
        f'Type="{names}officeDocument/2006/relationships/officeDocument"/></Relationships>'
    )
    head = f'<w:document xmlns:w="{names}wordprocessingml/2006/main"><w:body>'.encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", kinds)
        archive.writestr("_rels/.rels", relations)
        archive.writestr("word/document.xml", head + body + b"</w:body></w:document>")
    return out.getvalue()
