"""The outline of source code, read with tree-sitter."""

from __future__ import annotations

from chunklab.syntax.languages import BY_MEDIA, LANGUAGES
from chunklab.syntax.tree import tree_of
from chunklab.types import Document, Outline

MEDIA_TYPES = tuple(BY_MEDIA)


def read(document: Document) -> Outline:
    """Definitions, the statements beside them, strings and comments, in the language of the media type."""
    return read_as(document, BY_MEDIA[document.media_type])


def read_as(document: Document, language: str) -> Outline:
    """The outline in a language, whatever the media type.

    A definition's title is its name, its level how deep it lies in others, from 1; decorators, attributes
    and the comments directly above it are part of it. What cannot be parsed is told in a notice.
    """
    tree = tree_of(document, language)
    problem = tree.problem
    if tree.errors:
        more = "" if tree.errors == 1 else f" and at {tree.errors - 1} more place{'s'[: tree.errors > 2]}"
        problem = f"cannot be parsed at line {tree.error_line}{more}"
    label = LANGUAGES[language].label
    where = " there" if tree.errors else ""
    notice = f"{label}: the text {problem}; it is cut at blank lines and lines{where}."
    return Outline(tree.nodes, (notice,) if problem else ())
