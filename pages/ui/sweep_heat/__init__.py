"""The heatmap of a sweep as a table of links: every cell can be read, reached by key and opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from time import time
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent
_HEAT = st.components.v2.component(
    "chunklab.sweep_heat",
    html='<div class="heat" role="group" data-testid="chunklab-heat"></div>',
    css=(_HERE / "heat.css").read_text("utf-8"),
    js=(_HERE / "heat.js").read_text("utf-8"),
)


def heat_view(head: Mapping[str, Any], key: str, on_pick: Callable[[], None]) -> Any:
    """Draws one state of the heatmap; `pick`, a recipe, is a trigger. It comes from the browser and is to be checked.

    `head` keys: metric, chosen (a recipe), link (the address of Inspect, without its recipe), questions (how many, None
    while it fills) and panels as [{name, sizes, rows: [{name, cells}]}]. A cell is None or {recipe, name, text,
    says, shade from 0 to 1, mark: best, tied, below or ""}. A panel without sizes is a list.
    """
    return _HEAT(data={**head, "at": time()}, key=key, on_pick_change=on_pick)
