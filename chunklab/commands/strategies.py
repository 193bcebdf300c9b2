"""`chunklab strategies`: every component with its parameters, ranges and defaults."""

from __future__ import annotations

import argparse
from typing import Any


def add(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser("strategies", help="list every component with its parameters")
    parser.set_defaults(run=run, show=show)


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Family -> its components as plain values."""
    from chunklab.discovery import FAMILIES, components

    return {family: [_described(kind) for kind in components(family).values()] for family in FAMILIES}


def _described(kind: type) -> dict[str, Any]:
    params = []
    for name, (default, spec) in kind.params().items():
        each = {"name": name, "kind": spec.kind, "default": default, "help": spec.help}
        if spec.low is not None:
            each |= {"low": spec.low, "high": spec.high}
        if spec.choices:
            each["choices"] = list(spec.choices)
        params.append(each)
    facts = {"label": kind.label, "assumes": kind.assumes, "fails": kind.fails}
    return {"name": kind.key(), **facts, "params": params}


def show(result: dict[str, Any]) -> str:
    """A paragraph for each component, a line for each of its parameters."""
    from chunklab.params import literal

    lines = []
    for family, known in result.items():
        lines.append(f"{family}")
        for each in known:
            lines += ["", f"  {each['name']}: {each['label']}. {each['assumes']} {each['fails']}".rstrip()]
            lines += [
                f"    {param['name']} = {literal(param['default'])}  {_range(param)}"
                for param in each["params"]
            ]
        lines.append("")
    return "\n".join(lines).rstrip()


def _range(param: dict[str, Any]) -> str:
    if "choices" in param:
        return f"({' | '.join(param['choices'])}) {param['help']}"
    if "low" in param:
        return f"({param['low']:g} to {param['high']:g}) {param['help']}"
    return param["help"]
