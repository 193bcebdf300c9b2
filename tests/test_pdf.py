"""PDF: the text in reading order, pages kept, words and ligatures mended, and files without text told."""

from __future__ import annotations

import io

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from chunklab.chunking import chunk
from chunklab.errors import IntakeError
from chunklab.export import rows
from chunklab.intake import read_bytes
from chunklab.intake.pdf import plain
from tests.test_contract import check_contract

SENTENCE = "The keeper wrote the weather into the log before the lamp was lit on every evening"


def pdf(*pages: list[tuple[float, float, str]], **settings) -> bytes:
    """A PDF with each page's texts at their places, in the order given."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, **settings)
    for page in pages:
        for x, y, text in page:
            canvas.drawString(x, y, text)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def column(x: float, name: str, lines: int = 4, top: float = 700) -> list[tuple[float, float, str]]:
    return [(x, top - 16 * at, f"{name}{at + 1} stands here") for at in range(lines)]


def test_pages_are_kept_and_each_chunk_knows_its_own() -> None:
    data = pdf(*[[(50, 700, f"Page {n} says {SENTENCE}.")] for n in range(1, 51)])
    document = read_bytes("book.PDF", data)
    assert document.media_type == "application/pdf"
    assert document.text.count("\f") == 49 and document.text.startswith("Page 1 says")
    chunks = chunk(document, "recursive(size=130,overlap=0)")
    told = rows(chunks)
    assert len(told) == 50 and [each["pages"] for each in told] == [[n, n] for n in range(1, 51)]
    across = rows(chunk(document, "fixed(size=150)"))
    assert any(first < last for first, last in (each["pages"] for each in across))


def test_a_page_of_two_columns_is_read_column_by_column() -> None:
    left, right = column(50, "L"), column(320, "R")
    drawn = [each for pair in zip(left, right, strict=True) for each in pair]
    title = [(50, 760, "A title that runs over both of the columns of this page, from left to right")]
    text = read_bytes("two.pdf", pdf([*title, *drawn])).text
    order = [text.index(f"{name}{n} ") for name in "LR" for n in range(1, 5)]
    assert order == sorted(order) and text.startswith("A title")


def test_lines_of_a_paragraph_are_joined_and_paragraphs_kept() -> None:
    lines = [(50, 700 - 14 * at, SENTENCE) for at in range(3)] + [(50, 620, "Another paragraph begins.")]
    text = read_bytes("one.pdf", pdf(lines)).text
    assert text == f"{SENTENCE} {SENTENCE} {SENTENCE}\n\nAnother paragraph begins."


def test_cells_of_a_row_are_kept_apart() -> None:
    cells = [(50, 700, "Plan"), (200, 700, "Price"), (50, 680, "Basic"), (200, 680, "12")]
    assert read_bytes("table.pdf", pdf(cells)).text == "Plan\tPrice\nBasic\t12"


def test_ligatures_become_letters_and_hyphenated_words_one() -> None:
    raw = "The of\ufb01ce was e\ufb00ective and the investi-\ngation \ufb02oated on.\nA well-\nKnown name, 3-\n4."
    assert (
        plain(raw)
        == "The office was effective and the investigation floated on.\nA well-\nKnown name, 3-\n4."
    )


def test_a_file_by_another_name_is_known_by_its_content() -> None:
    assert read_bytes("photo.txt", pdf([(50, 700, "Hello there.")])).text == "Hello there."


def test_files_that_cannot_be_used_are_told() -> None:
    with pytest.raises(IntakeError, match=r"no text on its 2 pages.*OCR"):
        read_bytes("scan.pdf", pdf([], []))
    with pytest.raises(IntakeError, match="damaged"):
        read_bytes("torn.pdf", pdf([(50, 700, "x")])[:60])
    with pytest.raises(IntakeError, match="damaged"):
        read_bytes("fake.pdf", b"hello")
    with pytest.raises(IntakeError, match="password"):
        read_bytes("locked.pdf", pdf([(50, 700, "x")], encrypt="secret"))
    some = read_bytes("some.pdf", pdf([(50, 700, "Words.")], []))
    assert some.notices == ("1 of 2 pages have no text: they may be pictures.",)


@pytest.mark.parametrize(
    "recipe", ["recursive(size=60)", "fixed(size=40,overlap=10)", "sentence(size=80)", "markdown()"]
)
def test_chunks_of_it_keep_the_contract(recipe: str) -> None:
    document = read_bytes("a.pdf", pdf(column(50, "L") + column(320, "R"), [(50, 700, SENTENCE)]))
    check_contract(document.text, recipe)
    assert len(chunk(document, recipe))
