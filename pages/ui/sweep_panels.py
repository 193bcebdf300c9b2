"""Below the heatmap of a sweep: cost against benefit, all settings as rows and files, and advice on sizes."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from chunklab.metrics import METRICS
from chunklab.standing import front
from chunklab.sweep.costs import COSTS, SPENT
from chunklab.sweep.result import Swept
from chunklab.views.figures_pareto import Point, pareto
from pages.ui.sweep_pace import seconds_per_character
from pages.ui.sweep_rows import as_csv, as_json, rows
from pages.ui.sweep_scene import Said
from pages.ui.sweep_setting import WINDOW
from pages.ui.sweep_work import Work

ADVICE = (
    "To begin with, 100 to 200 tokens suit single facts as in an FAQ, 300 to 500 most prose, 800 and more summaries: "
    "smaller chunks split answers, larger ones dilute them and fill the reader's window, and none may exceed what the "
    "embedding model reads. Where answers are cut, first split along the document's structure, then return a parent, "
    "and add 10 to 20 % overlap last; measure it here, on documents of your own, rather than trust these numbers."
)

EMBEDDED = (
    "All characters that the embedder reads, contexts included, at its pace on this machine, which is measured on a "
    "few texts."
)


def draw(work: Work, said: Said) -> None:
    """One panel at a time, and what is said of sizes in general."""
    shown = {"Cost against benefit": _costs, "All settings": _table}
    panel = st.segmented_control(
        "Show", list(shown), key="sweep_panel", default=next(iter(shown)), required=True,
        label_visibility="collapsed", persist_state="session",
    )  # fmt: skip
    shown[panel](work, said)
    st.caption(ADVICE)


def _costs(work: Work, said: Said) -> None:
    k = work.view.k
    costs = {
        "returned_tokens": f"tokens that {k} results bring (k × size)",
        "chunks": "chunks", "characters": "characters kept", "tokens": "tokens kept",
        "duplication": "share of the text kept twice", "index_bytes": "bytes of all vectors",
        "embedded": "seconds to embed, estimated",
        "duplicates": f"share of {k} results that overlap another",
    }  # fmt: skip
    first, second, _ = st.container(key="sweep_cost_fields").columns([2, 1, 1.5])
    name = first.selectbox(
        "cost", list(costs), format_func=costs.get, key="sweep_cost", persist_state="session",
        help=(COSTS | SPENT | {"embedded": EMBEDDED})[st.session_state.get("sweep_cost", "returned_tokens")],
    )  # fmt: skip
    window = None
    if name == "returned_tokens":
        window = second.number_input(
            "reader's window, tokens", 16, 2_000_000, WINDOW, 512, key="window", persist_state="session",
            help="How many tokens the model that answers takes in at once.",
        )  # fmt: skip
    cost, unit = f"{name}@{k}" if name in SPENT else name, 1.0
    if name == "embedded":
        unit = seconds_per_character(work.view.embedder)
    settings = list(work.measured)
    if said.default is not None and said.default.recipe not in {each.recipe for each in settings}:
        settings.append(said.default)
    points = [
        Point(
            each.name,
            each.recipe,
            each.axes["strategy"],
            each.mean(cost) * unit,
            each.mean(work.metric),
            _mark(each, work, said),
        )
        for each in settings
    ]
    best = front(work.measured, work.metric, cost)
    line = [(each.mean(cost) * unit, each.mean(work.metric)) for each in best]
    most = max(each.cost for each in points)
    figure = pareto(points, line, work.metric, costs[name], window if window and window < 3 * most else None)
    names = ", ".join(each.name for each in best)
    st.plotly_chart(
        figure, key="sweep_pareto", config={"displayModeBar": False}, on_select=partial(_pick, "sweep_pareto", work),
        selection_mode="points", alt=f"{work.metric} over {costs[name]}. Nothing is cheaper and better than {names}.",
    )  # fmt: skip
    with st.container(gap="xxsmall"):
        if len(work.measured) > 1:
            st.text(f"Nothing is cheaper and better than: {names}.")
        if window and window >= 3 * most:
            st.text(
                f"The window of {window:,} tokens lies beyond the right edge: at most {most / window:.0%} of it is used."
            )


def _mark(each: Swept, work: Work, said: Said) -> str:
    return said.mark(each.recipe) if each.recipe in map(str, work.grid.recipes) else "default"


def _table(work: Work, said: Said) -> None:
    found = rows(work, said)
    k = work.view.k
    st.dataframe(
        pd.DataFrame(found), hide_index=True, key="sweep_table", selection_mode="single-row",
        on_select=partial(_pick, "sweep_table", work, [row["recipe"] for row in found]),
        column_config={
            "setting": st.column_config.TextColumn(pinned=True),
            **{
                name: st.column_config.NumberColumn(format="%.3f", help=METRICS.get(name.partition("@")[0]))
                for name in _shares(found[0], k)
            },
            "seconds": st.column_config.NumberColumn(
                format="%.3f", help="What it took here to cut, embed and rank; what several settings share is left out."
            ),
            "kept twice": st.column_config.NumberColumn(format="percent"),
            "vectors, KB": st.column_config.NumberColumn(format="%.0f"),
            f"tokens of {k}": st.column_config.NumberColumn(format="%.0f", help="Tokens that k results bring, on average."),
        },
    )  # fmt: skip
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Rows as CSV", partial(as_csv, work.measured), "sweep.csv", "text/csv", on_click="ignore"
        )
        st.download_button(
            "All scores as JSON",
            partial(as_json, work, work.measured),
            "sweep.json",
            "application/json",
            on_click="ignore",
        )
    st.caption(
        "Select a row to look at its setting above. Best first; what is tied is not distinguishable from the best."
    )


def _shares(row: dict[str, object], k: int) -> list[str]:
    """The columns from 0 to 1, and the seconds."""
    whole = {"chunks", "kept twice", "characters", "tokens", "vectors, KB", f"tokens of {k}"}
    return [name for name, value in row.items() if not isinstance(value, str) and name not in whole]


def _pick(key: str, work: Work, recipes: list[str] | None = None) -> None:
    taken = st.session_state[key]["selection"]
    chosen = (
        [recipes[at] for at in taken["rows"]]
        if recipes
        else [each["customdata"][1] for each in taken["points"]]
    )
    st.session_state["sweep_chosen"] = chosen[0] if chosen else st.session_state.get("sweep_chosen", "")
