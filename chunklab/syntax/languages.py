"""The programming languages that are read, each by a tree-sitter grammar from a wheel of its own."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar


@dataclass(frozen=True)
class Language:
    """`key` is its name in recipes, `module` and `loader` say where its grammar is, `media` its types, the
    first one preferred, `endings` the names of its files.
    """

    key: str
    label: str
    module: str
    media: tuple[str, ...]
    endings: tuple[str, ...]
    loader: str = "language"


LANGUAGES: dict[str, Language] = {
    each.key: each
    for each in (
        Language("python", "Python", "tree_sitter_python", ("text/x-python",), (".py", ".pyi")),
        Language(
            "javascript", "JavaScript", "tree_sitter_javascript",
            ("text/x-javascript", "text/javascript", "application/javascript"), (".js", ".mjs", ".cjs", ".jsx"),
        ),
        Language(
            "typescript", "TypeScript", "tree_sitter_typescript", ("text/x-typescript",), (".ts", ".mts", ".cts"),
            "language_typescript",
        ),
        Language("tsx", "TSX", "tree_sitter_typescript", ("text/x-tsx",), (".tsx",), "language_tsx"),
        Language("java", "Java", "tree_sitter_java", ("text/x-java",), (".java",)),
        Language("go", "Go", "tree_sitter_go", ("text/x-go",), (".go",)),
        Language("rust", "Rust", "tree_sitter_rust", ("text/x-rust",), (".rs",)),
        Language("c", "C", "tree_sitter_c", ("text/x-c",), (".c", ".h")),
        Language("cpp", "C++", "tree_sitter_cpp", ("text/x-c++",), (".cc", ".cpp", ".cxx", ".hpp", ".hh")),
    )
}  # fmt: skip
BY_MEDIA = {media: each.key for each in LANGUAGES.values() for media in each.media}
"""Media type -> key of its language."""
BY_ENDING = {ending: each.media[0] for each in LANGUAGES.values() for ending in each.endings}
"""Ending of a file's name -> media type."""


@cache
def grammar(key: str) -> Grammar:
    """The language's grammar, loaded on first use; raises ImportError where its wheel is missing."""
    from tree_sitter import Language as Grammar

    language = LANGUAGES[key]
    return Grammar(getattr(importlib.import_module(language.module), language.loader)())
