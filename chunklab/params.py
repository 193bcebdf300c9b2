"""Parameters, declared once on the field of the component that uses them.

Sliders, command-line help, the README's table, sweep grids, validation and the tests' invalid
values all read the same `Param`.
"""

from __future__ import annotations

import dataclasses
import keyword
import math
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from chunklab.errors import ParamError

UNITS = ("chars", "words", "tokens")
TOKENIZERS = ("cl100k", "o200k", "minilm")


@dataclass(frozen=True, slots=True)
class Param:
    """What a parameter may be. `low` and `high` are both allowed; `slider` is the part of that range
    that is worth a slider, `step` its step. A `detail` is shown on demand, and `label` says more
    than the name where the name is short.
    """

    kind: str
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple[str, ...] = ()
    help: str = ""
    slider: tuple[int, int] | None = None
    detail: bool = False
    label: str = ""

    def must(self) -> str:
        """The rule in words, as it stands in error messages."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.kind == "bool":
            return "true or false"
        if self.kind == "overlap":
            return f"a whole number from {self.low:g} to {self.high:g}, or a share such as 10%"
        if self.kind in ("int", "float"):
            number = "a whole number" if self.kind == "int" else "a number"
            return f"{number} from {self.low:g} to {self.high:g}"
        if self.kind == "separators":
            return "a preset's name or a list of separators, strongest first"
        return "a text"

    def remedy(self, value: Any) -> str:
        """What to do about a refused value."""
        if self.choices:
            return f"Choose {self.choices[0]}, for example."
        number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if self.low is not None and number and not self.low <= value <= self.high:
            return f"Use {min(max(value, self.low), self.high):g}."
        return ""

    def allows(self, value: Any) -> bool:
        """True when the value alone is right; rules between fields are the component's `check`."""
        if self.choices:
            return isinstance(value, str) and value in self.choices
        if self.kind == "bool":
            return isinstance(value, bool)
        if self.kind == "overlap" and isinstance(value, str):
            share = as_share(value)
            return share is not None and 0 <= share < 1
        if self.kind in ("int", "overlap"):
            return isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high
        if self.kind == "float":
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            return number and math.isfinite(value) and self.low <= value <= self.high
        if self.kind == "separators":
            return _are_separators(value)
        return isinstance(value, str)


def param(default: Any, kind: str | None = None, **spec: Any) -> Any:
    """A dataclass field that carries its `Param`; the kind follows from the default if not given."""
    if kind is None:
        kind = "choice" if spec.get("choices") else type(default).__name__
    return field(default=default, metadata={"param": Param(kind=kind, **spec)})


def as_share(value: str) -> float | None:
    """0.2 for "20%"; None when the text is not a percentage."""
    if not value.endswith("%"):
        return None
    try:
        share = float(value[:-1]) / 100
    except ValueError:
        return None
    return share if math.isfinite(share) else None


def overlap_of(value: int | str, size: int) -> int:
    """The overlap as a count in the unit of the size: a share is rounded down."""
    return int(as_share(value) * size + 1e-9) if isinstance(value, str) else value


def _are_separators(value: Any) -> bool:
    if isinstance(value, str):
        return True
    if not isinstance(value, tuple) or not 1 <= len(value) <= 40:
        return False
    return all(isinstance(item, str) and len(item) <= 200 for item in value)


@dataclass(frozen=True)
class Component:
    """Base of everything a recipe names: a frozen dataclass whose fields are its parameters.

    `family` is the folder it lives in, `label` its name for people, `assumes` what it takes for
    granted and `fails` when that goes wrong. Its text form, `str(component)`, is its identity:
    defaults are left out.
    """

    family: ClassVar[str] = ""
    label: ClassVar[str] = ""
    assumes: ClassVar[str] = ""
    fails: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, list):
                value = tuple(value)
                object.__setattr__(self, each.name, value)
            spec: Param = each.metadata["param"]
            if spec.kind == "float" and isinstance(value, int) and not isinstance(value, bool):
                value = float(value)
                object.__setattr__(self, each.name, value)
            if not spec.allows(value):
                raise ParamError(self.key(), each.name, spec.must(), value, spec.remedy(value))
        self.check()

    def check(self) -> None:
        """Rules between fields; raises ParamError."""

    @classmethod
    def key(cls) -> str:
        """The name in recipes: the name of the module the class is written in."""
        return cls.__module__.rpartition(".")[2]

    @classmethod
    def params(cls) -> dict[str, tuple[Any, Param]]:
        """Name -> (default, Param), in the order of the fields."""
        return {each.name: (each.default, each.metadata["param"]) for each in fields(cls)}

    def changed(self) -> dict[str, Any]:
        """The parameters that differ from their defaults."""
        return {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if getattr(self, each.name) != each.default
        }

    def with_(self, **changes: Any) -> Any:
        """A copy with some parameters changed, validated anew."""
        return dataclasses.replace(self, **changes)

    def __str__(self) -> str:
        inside = ",".join(f"{name}={literal(value)}" for name, value in self.changed().items())
        return f"{self.key()}({inside})"


def check_overlap(component: Any, size_name: str = "size") -> None:
    """Raises ParamError unless the overlap is below the size."""
    size = getattr(component, size_name)
    overlap = overlap_of(component.overlap, size)
    if overlap >= size:
        raise ParamError(
            component.key(),
            "overlap",
            f"below the {size_name} of {size}",
            component.overlap,
            f"Use at most {size - 1}, or a larger {size_name}.",
        )


def literal(value: Any) -> str:
    """A value as it stands in a recipe; reading it back gives an equal value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        word = value.isascii() and value.isidentifier() and not keyword.iskeyword(value)
        share = value[:-1].isdecimal() and as_share(value) is not None
        return value if share or (word and value not in ("true", "false")) else _quoted(value)
    if isinstance(value, tuple):
        return "[" + ",".join(_quoted(item) for item in value) + "]"
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    return repr(value)


def _quoted(text: str) -> str:
    return repr(text) if text.isprintable() else ascii(text)
