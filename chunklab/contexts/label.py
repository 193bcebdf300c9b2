"""A fixed text, then the chunk."""

from __future__ import annotations

from dataclasses import dataclass

from chunklab.contexts.base import Context, before_own
from chunklab.errors import ParamError
from chunklab.params import param
from chunklab.types import Cuts, Document

LONGEST = 500


@dataclass(frozen=True)
class Label(Context):
    """The same text before every chunk of a document: its name, or one of your own."""

    label = "A label, then the chunk"
    assumes = "The name of a document, or of where it comes from, helps to find what is in it."
    fails = "A name that is in no question only makes all chunks of a document more alike."

    text: str = param("", help="The text; empty for the document's own name.")

    def check(self) -> None:
        if len(self.text) > LONGEST:
            raise ParamError(self.key(), "text", f"at most {LONGEST} characters", self.text, "Shorten it.")

    def contexts(self, document: Document, cuts: Cuts) -> tuple[str, ...]:
        text = self.text or document.id
        if text and not text[-1].isspace():
            text += "\n"
        return before_own([text] * len(cuts.spans), cuts)
