"""One pass over a syntax tree in document order, by a cursor and a stack. All offsets are bytes."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from chunklab.syntax.definitions import FUNCTIONS, definition_in
from chunklab.syntax.frame import Frame
from chunklab.syntax.inline import Inline
from chunklab.syntax.languages import grammar
from chunklab.syntax.roles import (
    BODY,
    CASE,
    COMMA,
    COMMENT,
    LEAD,
    LINKAGE,
    MAYBE,
    OPEN,
    OTHER,
    PLAIN,
    SEMICOLON,
    STRING,
    TOKEN,
    roles,
)

if TYPE_CHECKING:
    from tree_sitter import Node, TreeCursor

KINDS = ("definition", "statement", "comment", "part")
DEEPEST = 30
"""A definition that lies in so many others is a statement like any other."""


class Walk:
    """What a pass over `data` finds. `opens[i]` is 1 where only blanks stand before byte i on its line.

    `nodes` are [start, end, kind, level, title] of definitions and of the statements beside them; `members`
    the starts of the definitions that are outermost or members, not inside a function;
    `breaks` has parallel starts, depths and indices of KINDS; `firsts` the same for definitions and members
    that are the first in what holds them, then where that begins and where they end; `strings` starts, ends
    and whether it is a comment, disjoint, comments directly under one another as one; `errors` the starts of
    what could not be parsed.
    """

    def __init__(self, data: bytes, opens: bytes, language: str):
        from tree_sitter import Parser

        self.data, self.opens, self.roles = data, opens, roles(language)
        self.nodes: list[list] = []
        self.members = array("i")
        self.breaks = (array("i"), array("i"), array("b"))
        self.firsts = (array("i"), array("i"), array("b"), array("i"), array("i"))
        self.strings = (array("i"), array("i"), array("b"))
        self.errors: list[int] = []
        tree = Parser(grammar(language)).parse(data)
        self._walk(tree.walk())

    def _walk(self, cursor: TreeCursor) -> None:
        known, limit, root = self.roles, len(self.roles), cursor.node
        broken = root.has_error
        self.inline = Inline(self.data, known, broken, self.breaks, self.strings)
        stack = [Frame(0, 0, body=True, scope=True, error=root.is_error)]
        self.errors += [root.start_byte] if root.is_error else []
        moved = cursor.goto_first_child()
        while moved:
            node, frame, below = cursor.node, stack[-1], None
            number = node.kind_id
            role = known[number] if number < limit else OTHER
            if broken and (number >= limit or node.is_missing or (role == STRING and node.has_error)):
                self.errors.append(node.start_byte)
            if role in (OTHER, PLAIN) and not node.child_count:
                self._leaf(frame, node)
            elif role == COMMA:
                frame.after_comma = True
            elif role == SEMICOLON:
                self._close(frame, node.start_byte, node.end_byte)
            elif role in (COMMENT, LEAD):
                self._lead(frame, node.start_byte, node.end_byte, role == COMMENT)
            elif role != TOKEN:
                below = self._enter(frame, node, role, number >= limit)
            if below is not None and cursor.goto_first_child():
                stack.append(below)
                continue
            while not cursor.goto_next_sibling():
                stack.pop()
                if not stack or not cursor.goto_parent():
                    return

    def _leaf(self, frame: Frame, node: Node) -> None:
        """A named node without children, such as an identifier: most nodes are."""
        if (
            frame.named > 0 and (frame.body or frame.after_comma or self.opens[node.start_byte])
        ) or frame.scope:
            self._enter(frame, node, OTHER, False)
        else:
            frame.named, frame.after_comma, frame.last, frame.lead_end = frame.named + 1, False, -1, -1

    def _enter(self, frame: Frame, node: Node, role: int, error: bool) -> Frame | None:
        """Notes what a named node means; returns the frame for its children, None to pass them over."""
        start, end = node.start_byte, node.end_byte
        depth, level = frame.depth, frame.level
        begin = frame.lead if frame.lead_end >= 0 and self._near(frame.lead_end, start) else start
        frame.lead_end = -1
        if role == BODY and not frame.error:
            before = frame.named if frame.body else 0
            frame.named += 1
            scope = frame.scope or (frame.quiet and frame.holds)
            below = Frame(depth, level, body=True, scope=scope, named=before, head=frame.head)
            if begin < start and not self.data.startswith(b"{", start):
                # Python has a body begin below its first comments.
                below.lead, below.lead_end, below.led = begin, start, frame.led
            return below
        core = frame.core and frame.core == (start, end, node.kind_id)
        found = None
        if role == MAYBE and not frame.core and level < DEEPEST:
            found = definition_in(node)
        broken = self._break(frame, begin, node, found is not None)
        head = begin if found or broken or frame.head < 0 else frame.head
        frame.named, frame.after_comma, frame.last = frame.named + 1, False, -1
        if role == STRING:
            _append(self.strings, start, end, 0)
        if found:
            inner, name = found
            frame.last = len(self.nodes)
            if frame.scope:
                self.members.append(begin)
            self.nodes.append([begin, end, "definition", level + 1, name or inner.type.partition("_")[0]])
            own = (inner.start_byte, inner.end_byte, inner.kind_id)
            itself = own == (start, end, node.kind_id)
            holds = inner.type not in FUNCTIONS
            return Frame(depth + 1, level + 1, core=() if itself else own, quiet=True, holds=holds, head=head)
        if core:
            return Frame(depth, level, quiet=True, holds=frame.holds, head=head)
        if role == OPEN:
            labels = 0 if self.data.startswith(b"#else", start) else -1
            return Frame(depth, level, body=True, scope=frame.scope, named=labels, head=head)
        if role == LINKAGE:
            return Frame(depth, level, quiet=True, holds=frame.scope, head=head)
        if error:
            return Frame(depth, level, body=frame.body, scope=frame.scope, error=True, head=head)
        if frame.scope and not frame.error and frame.named > 0:
            frame.last = len(self.nodes)
            self.nodes.append([begin, end, "statement", 0, ""])
        if role == STRING:
            return None
        if role != CASE and not frame.core and not frame.error and self.inline.note(node, role, depth + 1):
            return None
        if role == CASE:
            labels = 0 if self.data.startswith(b"default", start) else -1
            return Frame(depth + 1, level, body=True, named=labels, error=frame.error, head=head)
        return Frame(
            depth + 1, level, core=frame.core, quiet=bool(frame.core), holds=frame.holds, error=frame.error,
            head=head,
        )  # fmt: skip

    def _break(self, frame: Frame, begin: int, node: Node, defines: bool) -> bool:
        """A cut may stand before a node that is not its parent's first; one with a lead has it before that.

        Returns whether one may; what is the first of its parent is noted apart.
        """
        if frame.quiet:
            return False
        start, end = node.start_byte, node.end_byte
        led = begin < start
        if led and frame.led:
            starts, _, kinds = self.breaks
            if defines and starts and starts[-1] == begin:
                kinds[-1] = 0
            return True
        stands = frame.body or frame.after_comma or self.opens[begin]
        if not led and frame.named > 0:
            if not stands or (frame.error and not defines):
                return False
            _append(self.breaks, start, frame.depth, 0 if defines else 1 if frame.body else 3)
            return True
        first = (led or not frame.named) and stands and 0 <= frame.head < begin and not frame.error
        if first and (defines or frame.scope):
            end += self.data.startswith(b";", end)
            _append(self.firsts, begin, frame.depth, 0 if defines else 1, frame.head, end)
        return False

    def _lead(self, frame: Frame, start: int, end: int, comment: bool) -> None:
        """A comment or an attribute: a node directly under it will begin where it does."""
        end = start + len(self.data[start:end].rstrip())
        before = frame.lead_end
        near = before >= 0 and self._near(before, start)
        if near:
            frame.lead_end = end
        elif self.opens[start] or not comment:
            frame.lead, frame.lead_end = start, end
            frame.led = frame.named > 0 and not frame.quiet and not frame.error
            if frame.led:
                _append(self.breaks, start, frame.depth, 2)
        if comment:
            _, ends, comments = self.strings
            if near and comments and comments[-1] and ends[-1] == before:
                ends[-1] = end
            else:
                _append(self.strings, start, end, 1)
        frame.named += 1

    def _close(self, frame: Frame, start: int, end: int) -> None:
        """A semicolon directly after a statement that does not have its own belongs to it."""
        if frame.body and frame.last >= 0 and self.nodes[frame.last][1] == start:
            self.nodes[frame.last][1] = end

    def _near(self, end: int, start: int) -> bool:
        """True when no blank line lies between two offsets."""
        gap = self.data[end:start]
        return gap.count(b"\n") + gap.count(b"\r") - gap.count(b"\r\n") <= 1


def _append(columns: tuple[array, ...], *row: int) -> None:
    for column, value in zip(columns, row, strict=True):
        column.append(value)
