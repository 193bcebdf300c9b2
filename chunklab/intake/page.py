"""A text that is written piece by piece as a page is read, with the nodes that are open meanwhile."""

from __future__ import annotations

from chunklab.outline.base import MAX_NODES, left_out
from chunklab.types import PSEUDO, Node, Span

# What a character reference can bring in and a document must not hold.
_CONTROLS = dict.fromkeys([*range(9), 11, *range(14, 32), *range(127, 133), *range(134, 160)])
_BLANK = " \t\n\r\f"
_LONGEST_GAP = 40
_LONGEST_PSEUDO = 120


class Page:
    """Lines, cells and paragraphs as they come; offsets are code points of the text written so far.

    Line ends, tabs and blanks are held back until something visible follows, so that no line ends in them.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._at = 0
        self._visible = self._plain = (
            0  # ends of the last visible character, and of the last that is not bold
        )
        self._lines, self._tabs, self._gap = 0, 0, ""
        self._held: list[str] = []
        self._rows: list[
            list[int]
        ] = []  # for each open row: has it text, has it a cell, most line ends before it
        self._nodes: list[list] = []  # in order of opening: start, end, kind, level; -1 until known
        self._open: dict[str, list[int]] = {}
        self._waiting: list[int] = []
        self._headings: list[int] = []
        self._found = 0

    def write(self, text: str, bold: bool = False) -> None:
        """Text in which runs of blanks are already one blank each."""
        text = text.translate(_CONTROLS)
        visible = text.strip(_BLANK)
        if not visible.strip():
            self._widen(text)
            return
        if text[0] in _BLANK:
            self._widen(" ")
        self._flush()
        self._add(visible)
        if not bold:
            self._plain = self._visible
        self._gap = " " if text[-1] in _BLANK else ""

    def write_kept(self, text: str) -> None:
        """Text that is kept as it is; blank lines before its first and after its last line are dropped."""
        self._held.append(text.translate(_CONTROLS))
        if not self._held[-1].strip():
            return
        text = "".join(self._held)
        if self._lines or not self._at:
            lead = len(text) - len(text.lstrip())
            text = text[max(text.rfind("\n", 0, lead), text.rfind("\f", 0, lead)) + 1 :]
        visible = text.rstrip()
        self._flush()
        self._add(visible)
        self._plain = self._visible
        self._held = [text[len(visible) :]]

    def line_end(self) -> None:
        """A line end that was written as such: two in a row are a blank line."""
        self._lines, self._gap = min(self._lines + 1, 2), ""

    def end_line(self, least: int) -> None:
        """At least so many line ends come before what follows; a heading that has text ends here."""
        self._lines, self._gap = max(self._lines, least), ""
        self._held.clear()
        while self._headings and self._nodes[self._headings[-1]][0] >= 0:
            self._nodes[self._headings.pop()][1] = self._visible

    def open_table(self) -> None:
        self._tabs = 0

    def open_row(self) -> None:
        self._rows.append([0, 0, max(self._lines, 1)])

    def open_cell(self) -> None:
        """A tab comes before the cell, empty or not, unless it is the first of its row."""
        if not self._rows:
            self.end_line(1)
        elif self._rows[-1][1]:
            self._tabs += 1
            self._gap = ""
        else:
            self._rows[-1][1] = 1

    def close_row(self) -> None:
        """Rows are not parted by blank lines, whatever is in their cells."""
        self._tabs = 0
        self._lines = min(self._lines, 1)
        if self._rows:
            self._rows.pop()

    def open_node(self, tag: str, kind: str, level: int = 0) -> None:
        """A node of this kind begins with the next visible character; "" is for none.

        PSEUDO is for a paragraph that may be a pseudo-heading.
        """
        self._found += bool(kind)
        if not kind or (self._found > MAX_NODES and kind != "heading"):
            self._open.setdefault(tag, []).append(-1)
            return
        at = len(self._nodes)
        self._open.setdefault(tag, []).append(at)
        self._nodes.append([-1, -1, kind, level])
        self._waiting.append(at)
        if kind == "heading":
            self._headings.append(at)

    def close_node(self, tag: str) -> None:
        """The node that the last such tag opened ends with the last visible character."""
        at = self._open[tag].pop()
        if at < 0:
            return
        node = self._nodes[at]
        if self._headings and self._headings[-1] == at:
            self._headings.pop()
        if node[0] < 0:
            if self._waiting and self._waiting[-1] == at:
                self._waiting.pop()
            if at == len(self._nodes) - 1:
                self._nodes.pop()
            return
        node[1] = self._visible if node[1] < 0 else node[1]
        if node[2] == PSEUDO and node[0] < self._plain:
            node[2] = "paragraph"

    def text(self) -> str:
        """All that was written."""
        return "".join(self._pieces)

    def nodes(self) -> tuple[tuple[Node, ...], tuple[str, ...]]:
        """The nodes, nested, and a notice when there were too many."""
        text, found, ends = self.text(), [], []
        for start, end, kind, level in self._nodes:
            while ends and ends[-1] <= start:
                ends.pop()
            # A heading that ended early cuts short what began in it.
            end = min(end, ends[-1]) if ends else end
            if start < 0 or end <= start:
                continue
            ends.append(end)
            title = " ".join(text[start:end].split()) if kind in ("heading", PSEUDO) else ""
            if kind == PSEUDO and (len(title) > _LONGEST_PSEUDO or "\n" in text[start:end]):
                kind, title = "paragraph", ""
            found.append(Node(Span(start, end), kind, level, title))
        return tuple(found), left_out(self._found, "elements")

    def _widen(self, text: str) -> None:
        before = self._gap.rstrip(_BLANK) if text[:1] in _BLANK else self._gap
        self._gap = (before + text)[:_LONGEST_GAP]

    def _flush(self) -> None:
        row = self._rows[-1] if self._rows else None
        if row and not row[0]:
            self._lines = min(self._lines, row[2])
        if self._at:
            if self._tabs:
                before = "\t" * self._tabs if row and row[0] else "\n" * self._lines + "\t" * self._tabs
            else:
                before = "\n" * self._lines or self._gap
            self._pieces.append(before)
            self._at += len(before)
        self._lines, self._tabs, self._gap = 0, 0, ""
        for node in self._waiting:
            self._nodes[node][0] = self._at
        self._waiting.clear()
        for each in reversed(self._rows):
            if each[0]:
                break
            each[0] = 1

    def _add(self, text: str) -> None:
        self._pieces.append(text)
        self._at += len(text)
        self._visible = self._at - len(text) + len(text.rstrip())
