"""The grid of a sweep as text, and the few fields that write it."""

from __future__ import annotations

import re
from dataclasses import dataclass

import streamlit as st

from chunklab.discovery import components
from chunklab.errors import ChunklabError
from chunklab.grid import OVERLAPS, SIZES, Grid, parse_grid
from chunklab.params import literal
from pages.ui.state import MAX_GRID, View, change

_SIZED = ("size", "max_size")


@dataclass(frozen=True)
class Fields:
    """What the fields hold: strategies over sizes and overlaps, and others as they are, beside them."""

    swept: tuple[str, ...]
    sizes: tuple[str, ...]
    overlaps: tuple[str, ...]
    beside: tuple[str, ...] = ()

    def text(self) -> str:
        """The grid that they write, a line for each strategy."""
        lines = []
        for key in self.swept:
            params = components("strategies")[key].params()
            lists = {next(name for name in _SIZED if name in params): self.sizes}
            lists |= {"overlap": self.overlaps} if "overlap" in params else {}
            inside = [f"{name}=[{','.join(values)}]" for name, values in lists.items() if values]
            lines.append(f"{key}({','.join(inside)})")
        return "\n".join([*lines, *(f"{key}()" for key in self.beside)])

    def writes(self, grid: Grid) -> bool:
        """Whether their text means this grid."""
        try:
            return set(parse_grid(self.text()).recipes) == set(grid.recipes)
        except ChunklabError:
            return False


DEFAULT = Fields(
    ("recursive",), tuple(map(str, SIZES)), tuple(map(literal, OVERLAPS)), ("sentence", "markdown")
)


def grid_text(view: View) -> str:
    """The text of the view's grid."""
    return view.grid or DEFAULT.text()


def read(grid: Grid) -> Fields | None:
    """The fields that write this very grid, None when no fields do."""
    by_strategy: dict[str, list[dict]] = {}
    for each in grid.axes:
        by_strategy.setdefault(each["strategy"], []).append(each)
    swept = tuple(key for key, settings in by_strategy.items() if len(settings) > 1)
    over = [each for key in swept for each in by_strategy[key]]
    sizes = dict.fromkeys(str(each["size"]) for each in over if "size" in each)
    overlaps = dict.fromkeys(literal(each["overlap"]) for each in over if "overlap" in each)
    beside = tuple(key for key in by_strategy if key not in swept)
    fields = Fields(swept, tuple(sizes), tuple(overlaps), beside)
    return fields if fields.writes(grid) else None


@dataclass(frozen=True)
class Editor:
    """A view's grid: its text, what that means or why it means nothing, and the fields that would write it."""

    text: str
    grid: Grid | None
    problem: str
    fields: Fields | None

    @property
    def _many(self) -> str:
        return f"{len(self.grid):,} settings" if len(self.grid) != 1 else "1 setting"

    def draw_fields(self) -> None:
        """The fields; they keep what was typed last when the text is beyond them."""
        _fields(self.fields or st.session_state.get("sweep_fields", DEFAULT))

    def draw_text(self) -> None:
        """The text, folded away while the fields say as much."""
        if self.fields:
            with st.popover(f"{self._many} as text", width="content"):
                _text(self.text)

    def draw_notices(self) -> None:
        """What is left out of the grid or wrong with it, and its text when it says more than the fields."""
        if not self.fields:
            _text(self.text)
        if self.problem:
            st.error("This grid cannot be used.")
            st.text(self.problem)
        elif not self.fields:
            st.caption(f"{self._many}. The fields above say less; a change there writes the text anew.")
        for notice in self.grid.notices() if self.grid else ():
            st.text(notice)
        if len(self.text) > MAX_GRID:
            st.caption(f"A grid of more than {MAX_GRID:,} characters is not put into the link.")


def editor(view: View) -> Editor:
    """The view's grid, to be drawn."""
    text = grid_text(view)
    try:
        grid = parse_grid(text)
    except ChunklabError as error:
        return Editor(text, None, str(error), None)
    typed: Fields | None = st.session_state.get("sweep_fields")
    return Editor(text, grid, "", typed if typed and typed.writes(grid) else read(grid))


def _text(text: str) -> None:
    st.session_state["sweep_text"] = text
    st.text_area(
        "One grid a line: the recipe language, with lists of values", key="sweep_text", on_change=_take_text,
        height=110, max_chars=10 * MAX_GRID,
        help="recursive(size=[100,200],overlap=[0,20%]) stands for four settings, 100..800:100 for eight "
        "sizes; [itself(),headings()] after a bar takes each in turn.",
    )  # fmt: skip


def _fields(shown: Fields) -> None:
    known = components("strategies")
    first, second, third, fourth = st.columns([1.15, 1.5, 0.7, 1.35])
    st.session_state["sweep_swept"], st.session_state["sweep_beside"] = list(shown.swept), list(shown.beside)
    st.session_state["sweep_sizes"] = ", ".join(shown.sizes)
    st.session_state["sweep_overlaps"] = ", ".join(shown.overlaps)
    sized = [key for key, kind in known.items() if any(name in kind.params() for name in _SIZED)]
    first.multiselect(
        "strategies", sized, key="sweep_swept", on_change=_take_fields, placeholder="Choose",
        help="Each is tried at every size and overlap.",
    )  # fmt: skip
    second.text_input(
        "sizes", key="sweep_sizes", on_change=_take_fields, max_chars=500,
        help="In each strategy's own unit, characters unless the text below says otherwise; 100..800:100 "
        "stands for eight sizes.",
    )  # fmt: skip
    third.text_input(
        "overlaps", key="sweep_overlaps", on_change=_take_fields, max_chars=200,
        help="In the same unit, or as a share of the size.",
    )  # fmt: skip
    fourth.multiselect(
        "beside them, as they are", list(known), key="sweep_beside", on_change=_take_fields, placeholder="Choose",
        help="Each at its own defaults, as one line across all sizes.",
    )  # fmt: skip


def _take_text() -> None:
    _set(st.session_state["sweep_text"])


def _take_fields() -> None:
    swept, beside = (tuple(st.session_state[f"sweep_{key}"]) for key in ("swept", "beside"))
    sizes, overlaps = (_listed(st.session_state[f"sweep_{key}"]) for key in ("sizes", "overlaps"))
    fields = Fields(swept, sizes, overlaps, tuple(key for key in beside if key not in swept))
    st.session_state["sweep_fields"] = fields
    _set(fields.text())


def _set(text: str) -> None:
    text = "\n".join(line.strip() for line in text.splitlines() if line.strip())
    change(grid="" if text == DEFAULT.text() else text)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(filter(None, re.split(r"[,\s]+", re.sub(r"\s+%", "%", text))))
