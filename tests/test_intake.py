"""Bytes to documents: encodings, control characters, and files that are no text."""

from __future__ import annotations

import pytest

from chunklab.errors import IntakeError
from chunklab.intake import MAX_BYTES, file_name, from_text, read_bytes


@pytest.mark.parametrize(
    ("data", "text", "notice"),
    [
        (b"plain\r\ntext\r", "plain\r\ntext\r", ""),
        ("é 日本 🧮".encode(), "é 日本 🧮", ""),
        (b"\xef\xbb\xbf# A\n", "# A\n", "byte order mark"),
        ("Grüße 日".encode("utf-16"), "Grüße 日", "UTF-16"),
        ("Grüße an alle".encode("utf-16-le"), "Grüße an alle", "utf-16-le"),
        ("Grüße an alle".encode("utf-16-be"), "Grüße an alle", "utf-16-be"),
        ("Hi 🧮".encode("utf-32"), "Hi 🧮", "UTF-32"),
        ("It’s “fine” – 5 € off".encode("cp1252"), "It’s “fine” – 5 € off", "Windows-1252"),
        ("Größe, Ærø, Åse\n".encode("cp1252"), "Größe, Ærø, Åse\n", "decoded as Windows-1252"),
        (
            ("Съешь же ещё этих мягких французских булок. " * 20).encode("cp1251"),
            None,
            "decoded as Windows-1251",
        ),
        (b"alpha\0beta\n\0\0gamma", "alphabeta\ngamma", "3 control characters"),
        (b"page\x0cbreak\ttab", "page\x0cbreak\ttab", ""),
        (b"", "", "empty"),
        (b" \n ", " \n ", "blank"),
    ],
)
def test_what_is_read_and_what_is_told(data: bytes, text: str | None, notice: str) -> None:
    document = read_bytes("file.txt", data)
    if text is None:
        assert "этих мягких" in document.text
    else:
        assert document.text == text
    assert any(notice in each for each in document.notices) if notice else not document.notices


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(range(64)),
        b"PK\x03\x04....",
        bytes(range(256)) * 40,
        b"\0" * 5000,
    ],
)
def test_binary_files_are_refused_in_words(data: bytes) -> None:
    with pytest.raises(IntakeError, match=r"'photo\.txt': is not text; choose a text file, such as \.txt"):
        read_bytes("photo.txt", data)


def test_a_file_too_large_is_refused_before_it_is_read() -> None:
    with pytest.raises(IntakeError, match="too large"):
        read_bytes("big.txt", bytes(MAX_BYTES + 1))


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("../../etc/pass.wd.txt", "pass.wd.txt"),
        ("C:\\x\\y.md", "y.md"),
        ("a\nb.txt", "ab.txt"),
        ("", "document.txt"),
    ],
)
def test_names_lose_folders_and_control_characters(name: str, clean: str) -> None:
    assert file_name(name) == clean


def test_markdown_is_known_by_any_case_of_its_ending() -> None:
    assert read_bytes("README.MD", b"# A").media_type == "text/markdown"
    assert read_bytes("notes", b"# A").media_type == "text/plain"


def test_lone_surrogates_are_replaced_in_place() -> None:
    document = from_text("a\ud800b")
    assert document.text == "a\ufffdb" and "surrogates" in document.notices[0]
