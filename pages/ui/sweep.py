"""The Sweep view: a grid and a metric, the heatmap with its curves, and the setting that was chosen there."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from chunklab.corpus import Corpus
from chunklab.errors import ChunklabError
from chunklab.grid import Grid
from chunklab.metrics import BUDGETED, METRICS
from chunklab.recipe import parse_recipe
from pages.ui import sweep_figure, sweep_grid, sweep_panels, sweep_setting, sweep_work
from pages.ui.state import View, change, to_params
from pages.ui.sweep_asked import BUDGET, asked_by, budget_of, cheap, with_default
from pages.ui.sweep_heat import heat_view
from pages.ui.sweep_job import Job
from pages.ui.sweep_scene import Said, heat
from pages.ui.sweep_work import Work

EVERY = 0.6
"""Seconds between two drawings of a sweep at work."""
WIDE = 9
"""More sizes take the whole width."""
_STYLE = """<style>
:is(.st-key-sweep_said > :first-child, .st-key-sweep_setting > :nth-child(2)) [data-testid=stText] { font-weight: 600 }
:is(.st-key-sweep_fields, .st-key-sweep_cost_fields) [data-testid=stHorizontalBlock] { display: grid; grid-template-columns: repeat(auto-fit, minmax(165px, 1fr)) }
:is(.st-key-sweep_fields, .st-key-sweep_cost_fields) [data-testid=stColumn] { min-width: 0; width: auto !important }
.st-key-sweep_body > [data-testid=stLayoutWrapper] > [data-testid=stHorizontalBlock] { flex-wrap: wrap }
.st-key-sweep_body > [data-testid=stLayoutWrapper] > [data-testid=stHorizontalBlock] > [data-testid=stColumn] { min-width: min(100%, 380px) }
.st-key-sweep_asked [data-testid=stButtonGroup] [role=radio] { min-height: 2.5rem }
</style>"""
NAMES = {
    "recall": "recall", "whole": "whole answers", "all_evidence": "all evidence (multi-hop)", "precision": "precision",
    "iou": "IoU", "ndcg": "ndcg", "mrr": "mrr", "hit_rate": "hit rate", "document_hit_rate": "document hit rate",
}  # fmt: skip


def draw(view: View, corpus: Corpus) -> None:
    """Everything of the page beside the sidebar."""
    if not any(each.evidence for each in corpus.questions):
        st.subheader("Nothing to measure yet")
        st.write(
            "A sweep measures every setting by questions whose answers are marked, and here is none. "
            "Mark a few, or choose a sample on the left."
        )
        st.page_link("pages/4_Label.py", label="Mark answers", icon=":material/edit:")
        return
    st.html(_STYLE)
    editor = sweep_grid.editor(view)
    with st.container(key="sweep_fields"):
        editor.draw_fields()
    job, fault = None, ""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sweep_asked"):
        _metric(view)
        if editor.grid:
            work = Work(view, asked_by(view, corpus), editor.grid, _controls(view, editor.grid))
            try:
                job, fault = sweep_work.at_work(work)
            except ChunklabError as error:
                fault = str(error)
        editor.draw_text()
        if editor.grid:
            _button(work, job)
    editor.draw_notices()
    if not editor.grid:
        return
    if fault:
        st.error("The sweep broke off. What was measured is kept.")
        st.text(fault)
    st.fragment(_results, run_every=EVERY if job else None)(work, job)


def _metric(view: View) -> None:
    name, _, at = view.metric.partition("@")
    st.session_state["sweep_measure"] = name
    st.selectbox(
        "metric", list(NAMES), key="sweep_measure", format_func=NAMES.get, on_change=_take_metric, help=METRICS[name],
        width=190,
    )  # fmt: skip
    if name not in BUDGETED:
        return
    st.session_state["sweep_at"] = "budget" if at else "k"
    st.segmented_control(
        "at", ["k", "budget"], key="sweep_at", required=True, on_change=_take_metric,
        format_func={"k": f"k = {view.k}", "budget": "a token budget"}.get,
        help="At a budget of returned tokens large chunks do not win by size; k is set in the sidebar.",
    )  # fmt: skip
    if at:
        st.session_state["sweep_budget"] = budget_of(view.metric)
        st.number_input(
            "budget, tokens", 10, 999_999, step=100, key="sweep_budget", on_change=_take_metric, width=130
        )


def _take_metric() -> None:
    name, at = st.session_state["sweep_measure"], st.session_state.get("sweep_at", "k")
    budget = st.session_state.get("sweep_budget") or BUDGET
    change(metric=f"{name}@{budget}tokens" if at == "budget" and name in BUDGETED else name)


def _controls(view: View, grid: Grid) -> bool:
    return st.checkbox(
        "chance and ceiling", value=cheap(view, with_default(grid)), key="sweep_controls", persist_state="session",
        help="What a random ranking of the same chunks reaches, the most that any ranking of them could, and "
        "each document as one chunk: measured once, for the sizes of the best curve.",
    )  # fmt: skip


def _button(work: Work, job: Job | None) -> None:
    missing = work.missing
    left = len([each for each in missing if each in work.grid.recipes]) or len(missing)
    if job is not None:
        st.button("Cancel", key="sweep_cancel", on_click=sweep_work.cancel, args=(work.key,))
    elif missing:
        many = f"{left} settings" if left != 1 else "1 setting"
        label = f"Run {many}" if left > len(work.grid) // 2 else f"Go on with {many}"
        st.button(label, key="sweep_start", type="primary", on_click=sweep_work.run, args=(work.key,))


def _results(work: Work, job: Job | None) -> None:
    if recipe := st.session_state.pop("sweep_opened", ""):
        st.switch_page("app.py", query_params=to_params(replace(work.view, recipe=parse_recipe(recipe))))
    if job is not None:
        if not job.running:
            st.rerun()
        job.seen()
    work = work.still()
    filling = job is not None and bool(work.missing)
    said = None if filling else work.said()
    with st.container(gap="xxsmall", key="sweep_said"):
        if filling:
            st.progress(job.share)
            st.text(job.line)
        elif work.missing and work.measured:
            st.text(f"{len(work.measured)} of {len(work.grid)} settings are measured.")
        elif work.missing:
            st.text(
                "Nothing is measured yet: press Run. The cells fill as results come, and can be opened at any time."
            )
        for sentence in said.sentences() if said else ():
            st.text(sentence)
    if not work.measured and not work.missing:
        return
    chosen = _chosen(work, said)
    head = heat(work.grid, work.results, work.metric, said, chosen)
    head["link"] = urlencode(
        {name: value for name, value in to_params(work.view).items() if name != "recipe"}
    )
    above, body = st.container(), st.container(key="sweep_body")
    left, right = body.columns([1.22, 1], gap="medium")
    with above if any(len(panel["sizes"]) > WIDE for panel in head["panels"]) else left:
        heat_view(head, "sweep_heat", partial(_open, work))
    with left:
        if said:
            sweep_setting.chosen(work, said, chosen)
    with right:
        if work.measured:
            sweep_figure.draw(work, said)
    if said:
        sweep_panels.draw(work, said)


def _chosen(work: Work, said: Said | None) -> str:
    """The setting that was chosen last, at first the best."""
    recipe = st.session_state.get("sweep_chosen", "")
    if recipe in {each.recipe for each in work.measured}:
        return recipe
    return said.standing.best.recipe if said else ""


def _open(work: Work) -> None:
    recipe = st.session_state["sweep_heat"].get("pick")
    if recipe in map(str, work.grid.recipes):
        st.session_state["sweep_chosen"] = st.session_state["sweep_opened"] = recipe
