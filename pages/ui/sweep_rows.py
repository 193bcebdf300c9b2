"""The rows of a sweep: for the table on the page, for spreadsheets and for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from chunklab.export import cell
from chunklab.sweep.result import Swept
from pages.ui.sweep_scene import Said
from pages.ui.sweep_setting import by_merit
from pages.ui.sweep_work import Work

MEASURES = ("recall", "whole", "all_evidence", "precision", "iou", "ndcg")


def rows(work: Work, said: Said) -> list[dict[str, Any]]:
    """One row a setting, best first: what it reaches with its interval, and what it costs."""
    found = []
    for each in by_merit(work):
        low, high = said.intervals[each.recipe] or (None, None)
        k = work.view.k
        others = {f"{name}@{k}": each.mean(f"{name}@{k}") for name in MEASURES} | {"mrr": each.mean("mrr")}
        found.append(
            {
                "setting": each.name,
                "standing": said.mark(each.recipe),
                work.metric: each.mean(work.metric),
                "low": low,
                "high": high,
                **{name: value for name, value in others.items() if name != work.metric},
                "chunks": each.costs["chunks"],
                "kept twice": each.costs["duplication"],
                "characters": each.costs["characters"],
                "tokens": each.costs["tokens"],
                "vectors, KB": each.costs["index_bytes"] / 1000,
                f"tokens of {k}": each.mean(f"returned_tokens@{k}"),
                "seconds": each.seconds,
                "recipe": each.recipe,
            }
        )
    return found


def as_csv(results: Sequence[Swept]) -> str:
    """A line for each setting with every mean and cost, in the grid's order; no cell is ever a formula."""
    out, found = io.StringIO(), [each.row() for each in results]
    writer = csv.DictWriter(
        out, list(dict.fromkeys(name for row in found for name in row)), lineterminator="\n"
    )
    writer.writeheader()
    for row in found:
        writer.writerow(
            {name: cell(value) if isinstance(value, str) else value for name, value in row.items()}
        )
    return out.getvalue()


def as_json(work: Work, results: Sequence[Swept]) -> str:
    """What was measured with what, a flat row for each setting, and every question's scores."""
    made = work.asked.sweep(work.grid.recipes)
    head = made.to_json() | {"corpus": work.asked.corpus.name, "metric": work.metric, "done": len(results)}
    head |= {"notices": list(work.grid.notices()), "question_ids": list(made.question_ids)}
    filled = head | {
        "rows": [each.row() for each in results],
        "results": [each.to_json() for each in results],
    }
    return json.dumps(filled, ensure_ascii=False, indent=1)
