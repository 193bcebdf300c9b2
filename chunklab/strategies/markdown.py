"""One section of a Markdown text a chunk."""

from __future__ import annotations

from dataclasses import dataclass

from chunklab.strategies.headings import Headings


@dataclass(frozen=True)
class Markdown(Headings):
    """Each Markdown heading with the text under it; a section over `max_size` is cut at its paragraphs.

    The same as `headings`, reading any text as Markdown, whatever its media type.
    """

    label = "Markdown sections"
    serves = ("text/markdown",)
    reads_as = "text/markdown"
