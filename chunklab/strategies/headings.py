"""One section a chunk, in any format whose outline has headings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from chunklab.boundaries import Level, separator_levels
from chunklab.outline import inline_spans, outline_of
from chunklab.packing import END, Packer
from chunklab.params import check_overlap, overlap_of, param
from chunklab.scan import scan
from chunklab.sections import Section, sections
from chunklab.strategies.base import Strategy, overlap_param, size_param, tokenizer_param, unit_param
from chunklab.structure import outside_first, text_levels
from chunklab.types import PSEUDO, Cuts, Document, Node, Span

ATOMS = ("row", "item", "code", "html", "definition", "directive")


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
        outline = outline_of(document, self.reads_as)
        measure = self.measure(document)
        parts = sections(document, outline, self.level, self.bold_headings)
        regions = _regions(parts, self, lambda low, high: not measure.excess(low, high, self.max_size))
        notices = () if self.bold_headings else outline.notices
        units = any(node.kind in ATOMS for node in outline.nodes)
        if not any(part.level for part in parts) and document.text.strip():
            how = (
                "between its rows, items and code blocks, else as recursive does"
                if units
                else "as recursive does"
            )
            notices = (f"No headings were found: the text is cut {how}.", *notices)
        if not units and not any(part.level for part in parts):
            levels = separator_levels(document, "plain", "end", False)
        elif any(measure.excess(*each, self.max_size) for each in regions):
            attach, nodes, media = self.header_only == "attach", outline.nodes, self.reads_as
            levels = document.fact(
                ("heading levels", media, attach), lambda: _levels(document, nodes, attach, media)
            )
        else:
            levels = ()
        overlap = overlap_of(self.overlap, self.max_size)
        packer = Packer(document, measure, self.max_size, overlap, levels)
        for low, high in regions:
            packer.pack(low, high, "heading" if high < len(document.text) else END)
        return packer.cuts(_contexts(document, outline.nodes, packer.spans), notices)


def _regions(
    parts: list[Section], recipe: Headings, fits: Callable[[int, int], bool]
) -> list[tuple[int, int]]:
    regions: list[tuple[int, int]] = []
    at = 0
    while at < len(parts):
        part = parts[at]
        low, high, step = part.start, part.end, at + 1
        if recipe.mode == "subtree" and part.level:
            below = part.subtree_end
            if below > step and fits(low, parts[below - 1].end):
                high, step = parts[below - 1].end, below
        if recipe.header_only == "attach":
            while step < len(parts) and _bare_above(parts[step - 1], parts[step]):
                high, step = parts[step].end, step + 1
        regions.append((low, high))
        at = step
    return regions


def _bare_above(part: Section, following: Section) -> bool:
    return part.bare and following.level > part.level > 0


def _levels(
    document: Document, nodes: tuple[Node, ...], attach: bool, media: str | None
) -> tuple[Level, ...]:
    """Blank lines, lines, sentences and words outside atomic units first, then the same inside them.

    A heading and the beginning of what follows it are one unit where headings are to be attached, and so
    are a table's header and delimiter rows.
    """
    atoms = [node.span for node in nodes if node.kind in ATOMS]
    atoms += [head for _, head in _tables(document, nodes)]
    if attach:
        after = scan(document).next_visible
        ends = [(node.span, int(after[node.span.end])) for node in nodes if node.kind in ("heading", PSEUDO)]
        atoms += [Span(span.start, end + 1) for span, end in ends if end < len(document.text)]
    return outside_first(text_levels(document), atoms + inline_spans(document, media))


def _contexts(document: Document, nodes: tuple[Node, ...], spans: list[tuple[int, int]]) -> tuple[str, ...]:
    """For each chunk that begins inside a table's body, the table's header and delimiter rows."""
    tables = _tables(document, nodes)
    if not tables or not spans:
        return ()
    first = scan(document).next_visible[[low for low, _ in spans]]
    which = np.searchsorted([table.start for table, _ in tables], first, "right") - 1
    contexts = tuple(
        document.text[tables[at][1].start : tables[at][1].end]
        if at >= 0 and tables[at][1].end <= start < tables[at][0].end
        else ""
        for at, start in zip(which.tolist(), first.tolist(), strict=True)
    )
    return contexts if any(contexts) else ()


def _tables(document: Document, nodes: tuple[Node, ...]) -> list[tuple[Span, Span]]:
    """Each table that begins with a row, and what comes before its second row: the header and its rule."""
    lines = scan(document).line_starts
    found: list[tuple[Span, Span]] = []
    table, header = None, None
    for node, after in pairwise((*nodes, None)):
        if node.kind == "table" and after is not None and after.kind == "row":
            table, header = node, after
        elif node.kind == "row" and table is not None and node is not header:
            if header.span.end <= node.span.start < table.span.end:
                at = int(np.searchsorted(lines, node.span.start, "right")) - 1
                end = max(int(lines[at]), header.span.end)
                found.append((table.span, Span(table.span.start, end)))
            table = None
    return found
