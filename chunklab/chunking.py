"""Runs a recipe on a document and holds it to the span contract."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from chunklab.characters import is_blank
from chunklab.errors import ContractError
from chunklab.outline import outline_of
from chunklab.params import overlap_of
from chunklab.recipe import Recipe, parse_recipe
from chunklab.scan import edges, scan
from chunklab.sections import headings_above
from chunklab.tokens.counting import count_spans
from chunklab.types import Chunk, Cuts, Document, Span


class Chunks(Sequence[Chunk]):
    """The chunks of one document as arrays; indexing makes a Chunk.

    `spans` and `returned` are (n, 2) int32, half-open code points, in document order; `reasons` (n,)
    indexes `reason_names`; `contexts` has n texts or none; `notices` are sentences for the reader.
    """

    def __init__(self, document: Document, recipe: Recipe, cuts: Cuts):
        self.document, self.recipe = document, recipe
        self.spans, self.reasons, self.reason_names = cuts.spans, cuts.reasons, cuts.reason_names
        self.contexts = recipe.embed_as.contexts(document, cuts)
        self.returned = recipe.return_as.spans(document, cuts)
        self.notices = cuts.notices

    def __len__(self) -> int:
        return len(self.spans)

    def __getitem__(self, index: int) -> Chunk:
        if not -len(self) <= index < len(self):
            raise IndexError(f"chunk {index} of {len(self)}")
        index %= len(self)
        return Chunk(
            id=chunk_id(self.document, self.recipe, *self.spans[index].tolist()),
            document=self.document,
            span=Span(*self.spans[index].tolist()),
            index=index,
            context=self.contexts[index] if self.contexts else "",
            returned=Span(*self.returned[index].tolist()),
            headings=self.heading_paths[index],
            cut=self.reason_names[self.reasons[index]],
        )

    @cached_property
    def texts(self) -> list[str]:
        """Each chunk's own text, sliced from the document."""
        text = self.document.text
        return [text[start:end] for start, end in self.spans.tolist()]

    @cached_property
    def heading_of(self) -> np.ndarray:
        """(n,) int32: the outline's heading above each chunk's first line of body text, -1 if none."""
        return headings_above(self.document, self.spans)

    @cached_property
    def heading_paths(self) -> list[tuple[str, ...]]:
        """For each chunk the titles above its first line of body text, outermost first."""
        paths = outline_of(self.document).paths
        return [paths[at] if at >= 0 else () for at in self.heading_of.tolist()]

    def token_counts(self, tokenizer: str = "cl100k") -> np.ndarray:
        """(n,) int32 tokens of each chunk's own text, counted exactly."""
        return count_spans(self.document.text, self.spans, tokenizer)

    @cached_property
    def lengths(self) -> np.ndarray:
        """(n,) lengths in the unit of the recipe's size."""
        return self.recipe.split.measure(self.document).lengths(self.spans)

    @cached_property
    def overlaps(self) -> np.ndarray:
        """(n - 1,) characters that each chunk shares with the next: max(0, end - next start)."""
        return np.maximum(0, self.spans[:-1, 1] - self.spans[1:, 0])


def chunk(document: Document, recipe: Recipe | str) -> Chunks:
    """The document's chunks by a recipe or its text.

    Raises RecipeError or ParamError for a recipe that cannot be read, and ContractError when a strategy
    breaks the span contract.
    """
    recipe = parse_recipe(recipe) if isinstance(recipe, str) else recipe
    cuts = recipe.split.split(document)
    enforce(document, recipe, cuts)
    return Chunks(document, recipe, cuts)


def chunk_id(document: Document, recipe: Recipe, start: int, end: int) -> str:
    """16 hexadecimal digits that name a span of a text as one recipe cut it, the same everywhere."""
    key = f"{document.digest} {start} {end} {recipe}"
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def size_of(recipe: Recipe) -> int:
    """The recipe's size limit in its unit, whatever the field is called; 0 where there is none."""
    return getattr(recipe.split, "size", None) or getattr(recipe.split, "max_size", 0)


def asked_overlap(recipe: Recipe) -> int:
    """The overlap asked for, in the unit of the size."""
    return overlap_of(getattr(recipe.split, "overlap", 0), size_of(recipe))


def enforce(document: Document, recipe: Recipe, cuts: Cuts) -> None:
    """Raises ContractError, naming the rule and the place, unless the cuts keep the span contract."""
    spans, text, known = cuts.spans, document.text, scan(document)

    def require(holds: bool | np.ndarray, rule: str) -> None:
        if not np.all(holds):
            at = "" if np.ndim(holds) == 0 else f" at chunk {int(np.argmin(holds))}"
            raise ContractError(
                f"{recipe.split}: broke the span contract{at}: {rule}. This is a fault in chunklab."
            )

    require(spans.ndim == 2 and spans.shape[1] == 2 and len(spans) == len(cuts.reasons), "one reason a span")
    if not len(spans):
        require(not text.strip(), "every visible character is in a chunk")
        return
    starts, ends = np.ascontiguousarray(spans.T)
    require(starts[0] >= 0, "spans begin inside the document")
    require(ends[-1] <= len(text), "spans end inside the document")
    require(starts < ends, "no chunk is blank")
    require(starts[1:] > starts[:-1], "starts strictly rise")
    require(ends[1:] > ends[:-1], "no chunk ends before or where the one before does")
    blank = np.flatnonzero(is_blank(known.units[starts]))
    require(known.visible_ends(ends[blank]) > starts[blank], "no chunk is blank")
    gaps = np.append(0, ends) < np.append(starts, len(text))
    if gaps.any():
        low, high = np.append(0, ends)[gaps], np.append(starts, len(text))[gaps]
        require(known.visible_ends(high) <= low, "every visible character is in a chunk")
    require(known.never_joins or ~known.joins(edges(spans)), "no grapheme cluster is cut")
    size = size_of(recipe)
    if size:
        over = recipe.split.measure(document).lengths(spans) > size
        if over.any():
            require(~over | _single_cluster(document, spans), f"no chunk is over the size of {size}")


def _single_cluster(document: Document, spans: np.ndarray) -> np.ndarray:
    known = scan(document)
    first = known.next_visible[spans[:, 0]]
    last = known.visible_end[spans[:, 1]]
    return np.array([known.snap_up(int(low) + 1) >= high for low, high in zip(first, last, strict=True)])
