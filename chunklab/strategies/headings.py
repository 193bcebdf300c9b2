"""One section a chunk, in any format whose outline has headings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from chunklab.boundaries import PRESETS, Later, Level, separator_levels
from chunklab.chains import Chains
from chunklab.depths import Depths
from chunklab.lazy import cuts_by_search
from chunklab.measure import Chars
from chunklab.outline import inline_spans, parts_of
from chunklab.outline.parts import Parts, pairs
from chunklab.packing import END, Packer
from chunklab.params import check_overlap, overlap_of, param
from chunklab.scan import edges, scan
from chunklab.sections import Sections, sections
from chunklab.strategies.base import Strategy, overlap_param, size_param, tokenizer_param, unit_param
from chunklab.types import Cuts, Document


@dataclass(frozen=True)
class Headings(Strategy):
    """Each heading with the text under it; a section over `max_size` is cut at its paragraphs.

    `level` is the deepest heading that begins a chunk. `mode` flat gives every heading its own text;
    subtree keeps a heading with all that is below it where that fits `max_size`. A heading without text
    is put with what follows it (attach) or left alone (keep). Text before the first heading is kept.
    Table rows, list items, code and links are cut only where one alone is over the size, and a table
    that is cut between rows carries its header row as context. A text without headings is cut as
    `recursive` does, with a notice.
    """

    label = "Sections by heading"
    assumes = "Headings say where topics begin."
    fails = "Without headings, or with bold lines in their place, there is no section to find."
    reads_as: ClassVar[str | None] = None

    max_size: int = size_param(1200, "Longest section that stays whole, overlap included.")
    overlap: int | str = overlap_param()
    unit: str = unit_param()
    tokenizer: str = tokenizer_param()
    level: int = param(6, low=1, high=6, step=1, help="The deepest heading level that begins a chunk.")
    mode: str = param(
        "flat", choices=("flat", "subtree"), help="A heading's own text, or all that is below it."
    )
    header_only: str = param(
        "attach", choices=("attach", "keep"), help="What to do with a heading without text.", detail=True
    )
    bold_headings: bool = param(False, help="Read a line that is all bold or all capitals as a heading.")

    def check(self) -> None:
        check_overlap(self, "max_size")

    def split(self, document: Document) -> Cuts:
        parts = parts_of(document, self.reads_as)
        found = sections(document, parts, self.level, self.bold_headings)
        units, headed = bool(len(parts.atoms)), bool(found.levels.any())
        notices = () if self.bold_headings else parts.notices
        if not headed and document.text.strip():
            how = (
                "between its rows, items and code blocks, else as recursive does"
                if units
                else "as recursive does"
            )
            notices = (f"No headings were found: the text is cut {how}.", *notices)
        overlap = overlap_of(self.overlap, self.max_size)
        plain = not units and not headed
        if plain and self.unit == "chars":
            cuts = cuts_by_search(document, self.max_size, overlap, _PLAIN, "end")
            if cuts is not None:
                return replace(cuts, notices=notices)
        measure = self.measure(document)
        lows, highs = _regions(found, self, measure)
        depths, levels = None, ()
        if plain:
            levels = separator_levels(document, "plain", "end", False)
        elif any(measure.excess(*each, self.max_size) for each in zip(lows, highs, strict=True)):
            depths, levels = _levels(document, parts, self.header_only == "attach", self.reads_as)
        packer = Packer(document, measure, self.max_size, overlap, levels)
        if packer.plain and not plain:
            spans, reasons = _chained(packer, depths, np.array(lows), np.array(highs))
        else:
            for low, high in zip(lows, highs, strict=True):
                packer.pack(low, high, "heading" if high < len(document.text) else END)
            spans, reasons = packer.packed()
        return replace(
            packer.cuts(_contexts(document, parts.tables, spans), notices), spans=spans, reasons=reasons
        )


_PLAIN = PRESETS["plain"][:-1]


def _regions(found: Sections, recipe: Headings, measure: Chars) -> tuple[list[int], list[int]]:
    """Starts and ends of what is put into chunks by itself."""
    levels, attach = found.levels, recipe.header_only == "attach"
    onward = np.append(found.bare[:-1] & (levels[1:] > levels[:-1]) & (levels[:-1] > 0) & attach, False)
    if recipe.mode == "flat":
        begins = np.append(True, ~onward[:-1])
        return found.starts[begins].tolist(), found.ends[~onward].tolist()
    starts, ends, lows, highs = found.starts.tolist(), found.ends.tolist(), [], []
    at = 0
    while at < len(starts):
        step, below = at + 1, found.after_subtree[at]
        if levels[at] and below > step and not measure.excess(starts[at], ends[below - 1], recipe.max_size):
            step = below
        while onward[step - 1]:
            step += 1
        lows.append(starts[at])
        highs.append(ends[step - 1])
        at = step
    return lows, highs


def _chained(
    packer: Packer, depths: Depths | None, lows: np.ndarray, highs: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Spans and reasons in characters: first all regions at once, then those that take searches."""
    known, size, overlap = packer.known, packer.size, packer.overlap
    last = "heading" if len(lows) > 1 else END
    seen = known.visible_ends(highs) > lows
    lows, highs = lows[seen], highs[seen]
    if not len(lows):
        return packer.packed()
    levels = depths.strongest(packer.levels, lows, size - overlap) if depths else ([], [])
    outside, inside = ([(each, packer.reason(each.name)) for each in found] for found in levels)
    units = depths.units if depths else lows[:0]
    chains = Chains(known, lows, highs, outside, inside, units, size, overlap, packer.reason(last))
    spans, reasons, undecided = chains.walk()
    if known.joins(edges(spans)).any():
        spans, reasons, undecided = spans[:0], reasons[:0], np.ones(len(lows), dtype=bool)
    if not overlap or any(isinstance(each, Later) for each in packer.levels if each is not packer.words):
        packer.chains = chains
    for low, high in zip(lows[undecided].tolist(), highs[undecided].tolist(), strict=True):
        packer.pack(low, high, last)
    searched, why = packer.packed()
    order = np.argsort(np.append(spans[:, 0], searched[:, 0]), kind="stable")
    spans, reasons = np.concatenate((spans, searched))[order], np.append(reasons, why)[order]
    if highs[-1] == len(known.text) and reasons[-1] == packer.reason(last):
        reasons[-1] = packer.reason(END)
    return spans.astype(np.int32), reasons


def _levels(
    document: Document, parts: Parts, attach: bool, media: str | None
) -> tuple[Depths, tuple[Level | Later, ...]]:
    """Blank lines, lines, sentences and words outside atomic units first, then the same inside them.

    A heading and the beginning of what follows it are one unit where headings are to be attached, and so
    are a table's header and delimiter rows. Asked for again, they are all found at once.
    """
    key = ("heading levels", media, attach)
    again = document.known(key)
    depths = again or document.fact(key, lambda: _depths(document, parts, attach, media))
    return depths, depths.known if again else depths.levels()


def _depths(document: Document, parts: Parts, attach: bool, media: str | None) -> Depths:
    atoms = [parts.atoms, parts.tables[:, :2], parts.links]
    if attach:
        heads = np.concatenate((parts.headings, parts.pseudo))
        after = scan(document).next_visible_at(heads[:, 1])
        atoms.append(np.stack((heads[:, 0], after + 1), axis=1)[after < len(document.text)])

    def links() -> np.ndarray:
        every = inline_spans(document, media) if parts.around else ()
        return pairs((each.start, each.end) for each in every)

    return Depths(document, np.concatenate(atoms), links, parts.around, parts.near)


def _contexts(document: Document, tables: np.ndarray, spans: np.ndarray) -> tuple[str, ...]:
    """For each chunk that begins inside a table's body, the table's header and delimiter rows."""
    if not len(tables) or not len(spans):
        return ()
    first = scan(document).next_visible_at(spans[:, 0])
    which = np.searchsorted(tables[:, 0], first, "right") - 1
    inside = (which >= 0) & (tables[which, 1] <= first) & (first < tables[which, 2])
    if not inside.any():
        return ()
    return tuple(
        document.text[slice(*tables[at, :2].tolist())] if here else ""
        for at, here in zip(which.tolist(), inside.tolist(), strict=True)
    )
