"""The input of a case as a text, bytes or data; Python expressions are evaluated from a white list."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from tests.case_model import Case, NotRun

_NODES = (
    ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Store, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
    ast.Div, ast.FloorDiv, ast.Mod, ast.UnaryOp, ast.USub, ast.Call, ast.Attribute, ast.GeneratorExp, ast.ListComp,
    ast.comprehension, ast.JoinedStr, ast.FormattedValue, ast.List, ast.Tuple, ast.Subscript, ast.Slice,
    ast.IfExp, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.BoolOp, ast.And, ast.Or,
)  # fmt: skip
_CALLS = {"str": str, "range": range, "chr": chr}
_METHODS = (
    "join",
    "replace",
    "upper",
    "lower",
    "strip",
    "rstrip",
    "lstrip",
    "zfill",
    "rjust",
    "ljust",
    "center",
)
_LARGEST = 50_000_000


def material(case: Case, value: Any = None) -> Any:
    """The case's input, or another `value` of the same kind, ready for use."""
    given = case.input if value is None else value
    if case.input_kind == "py":
        return evaluate(given)
    if case.input_kind == "bytes_hex":
        return bytes.fromhex(given)
    if case.input_kind in ("text", "json", "steps", "desc"):
        return given
    raise NotRun(f"input kind {case.input_kind} is unknown")


def evaluate(expression: str, names: Mapping[str, Any] | None = None) -> Any:
    """The value of an expression made of literals, arithmetic, comprehensions, str, range, chr and `names`."""
    tree = ast.parse(expression.strip(), mode="eval")
    known = {**_CALLS, **(names or {})}
    bound = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            raise ValueError(f"not allowed in a case's expression: {type(node).__name__}")
        if isinstance(node, ast.Attribute) and node.attr not in _METHODS:
            raise ValueError(f"not allowed in a case's expression: .{node.attr}")
        if isinstance(node, ast.Name) and node.id not in bound and node.id not in known:
            raise ValueError(f"not allowed in a case's expression: {node.id}")
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value > _LARGEST:
            raise ValueError("a number in a case's expression is too large")
    return eval(compile(tree, "<case>", "eval"), {"__builtins__": {}, **known})
