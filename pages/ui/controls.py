"""Param -> widget: the sidebar is drawn from what each component declares."""

from __future__ import annotations

from typing import Any

import streamlit as st

from chunklab.boundaries import PRESETS
from chunklab.discovery import components
from chunklab.errors import ChunklabError
from chunklab.meaning import cost
from chunklab.params import Component, Param, literal
from chunklab.presets import PRESETS as NAMED
from chunklab.recipe import Recipe, parse_recipe
from chunklab.types import Document
from pages.ui.state import View, change, switched

_TITLES = {"strategies": "Split", "contexts": "Embed as", "returns": "Return as"}
_FIELDS = {"strategies": "split", "contexts": "embed_as", "returns": "return_as"}


def recipe_controls(view: View) -> None:
    """The three lists of a recipe with the parameters of what is chosen in each."""
    if problem := st.session_state.pop("control_problem", ""):
        st.error("Not changed.")
        st.text(problem)
    _presets(str(view.recipe))
    for family, field in _FIELDS.items():
        _family(family, field, view.recipe)


def cost_note(view: View, document: Document) -> None:
    """Before it runs: how many texts a strategy that cuts by meaning will have embedded, and by what."""
    if texts := cost(document, view.recipe.split):
        st.caption(
            f"{texts:,} texts of this document are embedded with {view.recipe.split.embedder} to cut it."
        )


def _presets(recipe: str) -> None:
    names = {text: name for name, text in reversed(NAMED.items())}
    st.session_state["preset"] = names.get(recipe)
    st.selectbox(
        "Start from", list(NAMED), index=None, key="preset", placeholder="your own settings", on_change=_take_named,
        help="Settings that well-known texts use.",
    )  # fmt: skip


def _take_named() -> None:
    if name := st.session_state["preset"]:
        change(recipe=parse_recipe(NAMED[name]))


def _family(family: str, field: str, recipe: Recipe) -> None:
    known = components(family)
    chosen: Component = getattr(recipe, field)
    if len(known) > 1:
        key = f"choose {family}"
        st.session_state[key] = chosen.key()
        st.selectbox(
            _TITLES[family], list(known), format_func=lambda name: known[name].label, key=key,
            on_change=_choose, args=(family, field), help=f"{chosen.assumes} {chosen.fails}",
        )  # fmt: skip
    shown = {
        name: spec
        for name, (_, spec) in chosen.params().items()
        if name != "tokenizer" or getattr(chosen, "unit", "") == "tokens"
    }
    for name, spec in shown.items():
        if not spec.detail:
            _widget(field, chosen, name, spec)
    details = [name for name, spec in shown.items() if spec.detail or spec.kind == "separators"]
    if details:
        with st.expander("More settings", expanded=isinstance(chosen.changed().get("separators"), tuple)):
            for name in details:
                if shown[name].kind == "separators":
                    _separator_list(field, chosen, name)
                else:
                    _widget(field, chosen, name, shown[name])


def _choose(family: str, field: str) -> None:
    key = st.session_state[f"choose {family}"]
    recipe: Recipe = st.session_state["view"].recipe
    old = getattr(recipe, field)
    new = switched(old, key) if family == "strategies" else components(family)[key]()
    change(recipe=_replaced(recipe, field, new))


def _replaced(recipe: Recipe, field: str, new: Component) -> Recipe:
    parts = {each: getattr(recipe, each) for each in _FIELDS.values()}
    return Recipe(**{**parts, field: new})


def _widget(field: str, owner: Component, name: str, spec: Param) -> None:
    value = getattr(owner, name)
    key = f"{field} {owner.key()} {name}"
    common: dict[str, Any] = {
        "label": (spec.label or name.replace("_", " ")) + (f", {owner.unit}" if spec.slider and hasattr(owner, "unit") else ""), "key": key, "help": spec.help,
        "on_change": _take, "args": (field, name, key, spec.kind),
    }  # fmt: skip
    if spec.kind == "separators":
        _separators(value, common)
        return
    st.session_state[key] = literal(value) if spec.kind == "overlap" else value
    if spec.choices:
        st.selectbox(options=list(spec.choices), **common)
    elif spec.kind == "bool":
        st.checkbox(**common)
    elif spec.kind in ("int", "float"):
        number = float if spec.kind == "float" else int
        st.number_input(
            min_value=number(spec.low),
            max_value=number(spec.high),
            step=number(spec.step or 1),
            **common,
        )
    else:
        st.text_input(**common)


def _separators(value: str | tuple[str, ...], common: dict[str, Any]) -> None:
    """The choice of a preset; the list itself is in the details."""
    key = f"{common['key']} preset"
    st.session_state[key] = value if isinstance(value, str) else _OWN_LIST
    st.selectbox(
        "separators", [*PRESETS, _OWN_LIST], key=key, help=common["help"],
        on_change=_take_preset, args=(*common["args"][:2], key, _listed(value)),
    )  # fmt: skip


def _separator_list(field: str, owner: Component, name: str) -> None:
    """The separators one by one, in their order, to change and add to."""
    key = f"{field} {owner.key()} {name} list"
    listed = _listed(getattr(owner, name))
    known = {_escaped(each) for each in (*_offered(), *listed)}
    st.session_state[key] = [_escaped(each) for each in listed]
    st.multiselect(
        "separators, strongest first", sorted(known), key=key, accept_new_options=True,
        on_change=_take, args=(field, name, key, "separators"),
        help=r"Type your own; \n is a line end, \n\n a blank line, (cut anywhere) single characters.",
    )  # fmt: skip


def _offered() -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for listed in PRESETS.values() for each in listed))


def _listed(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return PRESETS[value] if isinstance(value, str) else value


_OWN_LIST = "own list"
_ANYWHERE = "(cut anywhere)"


def _escaped(separator: str) -> str:
    """How a separator is shown; what is shown is looked up again, never parsed, unless a person typed it."""
    if not separator:
        return _ANYWHERE
    if separator == " ":
        return "(blank)"
    escaped = separator if separator.isprintable() else separator.encode("unicode_escape").decode("ascii")
    return escaped.replace(" ", "␣") if escaped != escaped.strip() else escaped


def _typed(shown: str) -> str:
    for written, meant in _WRITTEN:
        shown = shown.replace(written, meant)
    return shown


_WRITTEN = (("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r"), ("\\f", "\f"), ("␣", " "))


def _take_preset(field: str, name: str, key: str, listed: tuple[str, ...]) -> None:
    chosen = st.session_state[key]
    _set(field, name, chosen if chosen in PRESETS else listed)


def _take(field: str, name: str, key: str, kind: str) -> None:
    value = st.session_state[key]
    if value is None:
        return
    if kind == "separators":
        split = st.session_state["view"].recipe.split
        known = {_escaped(each): each for each in (*_offered(), *_listed(getattr(split, name)))}
        value = tuple(
            known.get(each, each if getattr(split, "regex", False) else _typed(each)) for each in value
        )
    elif kind == "overlap":
        text = value.strip().replace(" ", "")
        value = int(text) if text.isdecimal() and text.isascii() else text
    _set(field, name, value)


def _set(field: str, name: str, value: Any) -> None:
    recipe: Recipe = st.session_state["view"].recipe
    try:
        change(recipe=_replaced(recipe, field, getattr(recipe, field).with_(**{name: value})))
    except ChunklabError as error:
        st.session_state["control_problem"] = str(error)
