"""Which settings still have to be measured, when that may begin, and what the session knows already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from chunklab.grid import Grid
from chunklab.recipe import Recipe, parse_recipe
from chunklab.sweep.result import Swept
from pages.ui.state import DEFAULT_RECIPE, View
from pages.ui.sweep_asked import Asked, cheap, controls_by, metric_of, with_default
from pages.ui.sweep_job import Job
from pages.ui.sweep_scene import WHOLE, Said, say

KEPT = 12
"""A session keeps the results of so many different askings."""


@dataclass(frozen=True)
class Work:
    """The sweep that a page asks for, with or without what it is held against."""

    view: View
    asked: Asked
    grid: Grid
    controls: bool
    known: Mapping[str, Swept] | None = None

    def still(self) -> Work:
        """The same with what is known at this moment: a job may add to it while it is drawn."""
        return replace(self, known=self.results)

    @property
    def key(self) -> tuple[object, ...]:
        """Names it."""
        return (*self.asked.key, *map(str, self.grid.recipes))

    @property
    def metric(self) -> str:
        """The scores that are looked at."""
        return metric_of(self.view)

    @property
    def results(self) -> Mapping[str, Swept]:
        """What is known by now, recipe -> Swept."""
        return dict(results_of(self.asked)) if self.known is None else self.known

    @property
    def missing(self) -> list[Recipe]:
        """What is still to be measured."""
        known = self.results
        return [each for each in with_default(self.grid) if str(each) not in known]

    @property
    def measured(self) -> list[Swept]:
        """The grid's settings that are done and have no problem, in the grid's order."""
        known = self.results
        found = (known.get(str(each)) for each in self.grid.recipes)
        return [each for each in found if each is not None and not each.problem]

    def said(self) -> Said | None:
        """What may be said of what is measured."""
        default = self.results.get(DEFAULT_RECIPE)
        return say(self.asked.key, self.metric, self.measured, default)

    def held(self) -> dict[str, Swept]:
        """The controls as far as they are known."""
        return dict(results_of(controls_by(self.view, self.asked))) if self.controls else {}

    def may_begin(self) -> bool:
        """Whether it was asked for, or is cheap and was not cancelled."""
        if st.session_state.get("sweep_stopped") == self.key:
            return False
        return st.session_state.get("sweep_run") == self.key or cheap(self.view, with_default(self.grid))

    def next(self) -> tuple[object, Asked, list[Recipe]] | None:
        """What is to be done now, under a name of its own: the settings first, then the controls."""
        if missing := self.missing:
            return (self.key, self.asked, missing) if self.may_begin() else None
        if not self.controls or st.session_state.get("sweep_stopped") == self.key:
            return None
        said, asked = self.said(), controls_by(self.view, self.asked)
        if said is None:
            return None
        known = results_of(asked)
        wanted = [WHOLE, *(each.recipe for each in said.curve)]
        left = [parse_recipe(each) for each in wanted if each not in known]
        return ((asked.key, *wanted), asked, left) if left else None


def results_of(asked: Asked) -> dict[str, Swept]:
    """The session's results of an asking, recipe -> Swept."""
    kept: dict[Any, dict[str, Swept]] = st.session_state.setdefault("swept", {})
    found = kept[asked.key] = kept.pop(asked.key, {})
    while len(kept) > KEPT:
        del kept[next(iter(kept))]
    return found


def at_work(work: Work) -> tuple[Job | None, str]:
    """The job that is doing this work, begun now if need be, and why it broke off, if it did."""
    job: Job | None = st.session_state.get("sweep_job")
    wanted = work.next()
    same = job is not None and wanted is not None and job.key == wanted[0]
    if job is not None and job.running:
        if same:
            return job, ""
        job.end()
    if wanted is None or (same and job.fault):
        return None, job.fault if same else ""
    key, asked, recipes = wanted
    job = st.session_state["sweep_job"] = Job(key, asked.sweep(recipes), results_of(asked))
    return job, ""


def run(key: tuple[object, ...]) -> None:
    """Has a sweep begin, or go on."""
    st.session_state["sweep_run"] = key
    st.session_state["sweep_stopped"] = st.session_state["sweep_job"] = None


def cancel(key: tuple[object, ...]) -> None:
    """Ends a sweep; what is done is kept."""
    if job := st.session_state.get("sweep_job"):
        job.end()
    st.session_state["sweep_run"] = None
    st.session_state["sweep_stopped"] = key
