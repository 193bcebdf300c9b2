"""A recipe, where to cut, what the vector sees, what the reader gets, and its text form.

    recursive(size=256,unit=tokens) | headings() | parent(size=2000)

The last two parts may be left out, defaults are not printed, and reading the text gives an equal
recipe back. The text is read with Python's own parser and never evaluated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from chunklab.discovery import component, keys
from chunklab.errors import ParamError, RecipeError, shown
from chunklab.params import Component

MAX_LENGTH = 2000
PARTS = ("strategies", "contexts", "returns")
_PERCENT = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?<![\w.])\d+(?:\.\d+)?%""")
_WORDS = {"true": True, "false": False}


@dataclass(frozen=True)
class Recipe:
    """Three components in the order a chunk lives through them; `str` gives the canonical text."""

    split: Component
    embed_as: Component
    return_as: Component

    def __str__(self) -> str:
        return joined([str(self.split), str(self.embed_as), str(self.return_as)])


def parse_recipe(text: str) -> Recipe:
    """The recipe written in `text`; raises RecipeError or ParamError, each in one line."""
    if not isinstance(text, str):
        raise RecipeError(f"recipe: must be text, got {type(text).__name__}.")
    if len(text) > MAX_LENGTH:
        raise RecipeError(f"recipe: must have at most {MAX_LENGTH} characters, got {len(text)}.")
    return _recipe(text)


@lru_cache(256)
def _recipe(text: str) -> Recipe:
    parts = [build(family, *_read(node, text)) for family, node in zip(PARTS, stages(text), strict=False)]
    parts += [build(family, "itself", {}) for family in PARTS[len(parts) :]]
    return Recipe(*parts)


def parse_component(family: str, text: str) -> Component:
    """One component of a family from its text form, such as `hashing(dims=512)`."""
    if len(text) > MAX_LENGTH:
        raise RecipeError(f"{family}: must have at most {MAX_LENGTH} characters, got {len(text)}.")
    found = _parts(text)
    if len(found) != 1:
        raise RecipeError(f"{family}: must be one component, got {len(found)} parts.")
    return build(family, *_read(found[0], text))


def build(family: str, key: str, values: Mapping[str, Any]) -> Component:
    """The component `key` of a family with these parameters; unknown names are told with the known ones."""
    return check_known(family, key, values)(**values)


def check_known(family: str, key: str, names: Iterable[str]) -> type[Component]:
    """The class of a component that has all of these parameters; raises RecipeError or ParamError."""
    known = keys(family)
    if key not in known:
        near = get_close_matches(key, known, 1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise RecipeError(
            f"recipe: unknown name {shown(key)} among the {family}; there are {', '.join(known)}.{hint}"
        )
    kind = component(family, key)
    allowed = [each.name for each in fields(kind)]
    for name in names:
        if name not in allowed:
            raise ParamError(key, name, f"one of its parameters ({', '.join(allowed) or 'none'})", name)
    return kind


def joined(parts: Sequence[str]) -> str:
    """The text of a recipe from those of its three parts; what comes last and does nothing is left out."""
    kept = list(parts)
    while len(kept) > 1 and kept[-1] == "itself()":
        kept.pop()
    return " | ".join(kept)


def stages(text: str) -> list[ast.expr]:
    """The one to three parts between bars as they were parsed; raises RecipeError."""
    found = _parts(text)
    if len(found) > len(PARTS):
        raise RecipeError(f"recipe: must have at most 3 parts between bars, got {len(found)}.")
    return found


def named(node: ast.expr, text: str) -> tuple[str, dict[str, ast.expr]]:
    """The name and the parameters of one part as they were parsed; raises RecipeError."""
    if isinstance(node, ast.Name):
        return node.id, {}
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise RecipeError(f"recipe: each part must look like name(parameter=value), got {shown(text)}.")
    if node.args or any(each.arg is None for each in node.keywords):
        raise RecipeError(
            f"recipe: parameters must be named, such as {node.func.id}(size=400), got {shown(text)}."
        )
    names = [each.arg for each in node.keywords]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise RecipeError(f"recipe: {node.func.id} has the parameter {twice} twice.")
    return node.func.id, {each.arg: each.value for each in node.keywords}


def _parts(text: str) -> list[ast.expr]:
    if not text.strip():
        raise RecipeError("recipe: must not be empty; write one such as recursive(size=400).")
    if not text.isprintable():
        raise RecipeError(f"recipe: must be one line of printable text, got {shown(text)}.")
    quoted = _PERCENT.sub(lambda found: found[0] if found[0][0] in "'\"" else f"'{found[0]}'", text)
    try:
        node = ast.parse(quoted.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise RecipeError(
            f"recipe: cannot be read, got {shown(text)}; write one such as recursive(size=400,overlap=50)."
        ) from None
    calls: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        calls.insert(0, node.right)
        node = node.left
    return [node, *calls]


def _read(node: ast.expr, text: str) -> tuple[str, dict[str, Any]]:
    key, values = named(node, text)
    return key, {name: value_of(each, name) for name, each in values.items()}


def value_of(node: ast.expr, name: str) -> Any:
    """The value of a parameter as it was parsed; raises RecipeError for anything but literals."""
    if isinstance(node, ast.Name):
        return _WORDS.get(node.id, node.id)
    if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float, str)):
        return node.value
    if (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
    ):
        value = node.operand.value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return -value
    if isinstance(node, (ast.List, ast.Tuple)):
        return tuple(value_of(each, name) for each in node.elts)
    raise RecipeError(f"recipe: {name} must be a number, a word, a quoted text or a list of these.")
