"""One section of a Markdown text a chunk."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from chunklab.boundaries import Level, blank_line_level, line_level, sentence_level, word_level
from chunklab.outline import outline_of
from chunklab.outline.markdown import link_spans
from chunklab.packing import END, Packer
from chunklab.params import check_overlap, overlap_of, param
from chunklab.scan import scan
from chunklab.sections import Section, sections
from chunklab.strategies.base import Strategy, overlap_param, size_param, tokenizer_param, unit_param
from chunklab.types import PSEUDO, Cuts, Document, Span

_ATOMS = ("row", "item", "code", "html")


@dataclass(frozen=True)
class Markdown(Strategy):
    """Each heading with the text under it; a section over `max_size` is cut at its paragraphs.

    `level` is the deepest heading that begins a chunk. `mode` flat gives every heading its own text;
    subtree keeps a heading with all that is below it where that fits `max_size`. A heading without text
    is put with what follows it (attach) or left alone (keep). Text before the first heading is kept.
    Table rows, list items, code and links are cut only where one alone is over the size, and a table
    that is cut between rows carries its header row as context.
    """

    label = "Markdown sections"
    assumes = "Headings say where topics begin."
    fails = "Without headings, or with bold lines in their place, the whole text is one section."
    serves = ("text/markdown",)

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
        outline = outline_of(document, "text/markdown")
        measure = self.measure(document)
        parts = sections(document, outline, self.level, self.bold_headings)
        regions = _regions(parts, self, lambda low, high: not measure.excess(low, high, self.max_size))
        large = [each for each in regions if measure.excess(*each, self.max_size)]
        levels = _levels(document, outline.nodes, large, self.header_only == "attach") if large else ()
        overlap = overlap_of(self.overlap, self.max_size)
        packer = Packer(document, measure, self.max_size, overlap, levels, hard=bool(levels))
        for low, high in regions:
            packer.pack(low, high, "heading" if high < len(document.text) else END)
        notices = () if self.bold_headings else outline.notices
        if not outline.headings and document.text.strip():
            notices = ("No headings were found: the text is one section, cut by size alone.", *notices)
        return packer.cuts(_contexts(document, outline.nodes, packer.spans), notices)


def _regions(parts: list[Section], recipe: Markdown, fits) -> list[tuple[int, int]]:
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
            while (
                step < len(parts) and parts[step - 1].bare and parts[step].level > parts[step - 1].level > 0
            ):
                high, step = parts[step].end, step + 1
        regions.append((low, high))
        at = step
    return regions


def _levels(document: Document, nodes, regions: list[tuple[int, int]], attach: bool) -> tuple[Level, ...]:
    """Blank lines, lines, sentences and words outside atomic units first, then the same inside them.

    A heading and the beginning of what follows it are one unit where headings are to be attached, and so
    are a table's header and delimiter rows.
    """
    atoms = [node.span for node in nodes if node.kind in _ATOMS]
    atoms += [head for _, head in _tables(document, nodes)]
    if attach:
        after = scan(document).next_visible
        ends = [(node.span, int(after[node.span.end])) for node in nodes if node.kind in ("heading", PSEUDO)]
        atoms += [Span(span.start, end + 1) for span, end in ends if end < len(document.text)]
    for low, high in regions:
        atoms += link_spans(document, low, high)
    starts = np.sort(np.array([each.start for each in atoms], dtype=np.int64))
    ends = np.sort(np.array([each.end for each in atoms], dtype=np.int64))
    plain = (blank_line_level(document), line_level(document), sentence_level(document), word_level(document))
    depths = [
        np.searchsorted(starts, each.cuts) - np.searchsorted(ends, each.cuts, "right") for each in plain
    ]
    deepest = max((int(each.max()) for each in depths if len(each)), default=0)
    return tuple(
        each.only(depth == wanted)
        for wanted in range(deepest + 1)
        for each, depth in zip(plain, depths, strict=True)
        if (depth == wanted).any()
    )


def _contexts(document: Document, nodes, spans: list[tuple[int, int]]) -> tuple[str, ...]:
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


def _tables(document: Document, nodes) -> list[tuple[Span, Span]]:
    """Each table, and its header and delimiter rows with the line end."""
    lines = scan(document).line_starts
    found = []
    for node, row in pairwise(nodes):
        if node.kind == "table" and row.kind == "row":
            body = int(np.searchsorted(lines, row.span.end)) + 1
            found.append(
                (node.span, Span(node.span.start, int(lines[body]) if body < len(lines) else node.span.end))
            )
    return found
