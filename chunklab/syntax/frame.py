"""What the walk remembers of a node while it goes through its children."""

from __future__ import annotations


class Frame:
    """The children of one node while they are walked.

    `body`: they are statements or members; `scope`: and parts of the outline; `quiet`: they are parts of a
    definition's head, `core` the definition in it that is already known; `holds`: its body has members;
    `named` counts the children that a cut may stand after. `head` is the start of what a first child stays
    with, -1 at the top; `led`: a cut may stand before the comments or attributes from `lead` on.
    """

    __slots__ = ("after_comma", "body", "core", "depth", "error", "head", "holds", "last", "lead", "lead_end", "led",
                 "level", "named", "quiet", "scope")  # fmt: skip

    def __init__(self, depth: int, level: int, *, core: tuple = (), body: bool = False, scope: bool = False,
                 quiet: bool = False, holds: bool = False, error: bool = False, named: int = 0, head: int = -1):  # fmt: skip
        self.depth, self.level, self.core, self.body, self.scope = depth, level, core, body, scope
        self.quiet, self.holds, self.error, self.named = quiet, holds, error, named
        self.after_comma, self.last, self.lead, self.lead_end = False, -1, -1, -1
        self.head, self.led = head, False
