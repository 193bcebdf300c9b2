"""Which of the numbered lines of a text are its headings: those whose numbers rise as an outline does."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

MEDIA_TYPES: tuple[str, ...] = ()
_FIRST = ((1,), (0,), (1, 0), (1, 1))
_OPEN_RUNS = 8


@dataclass(frozen=True, slots=True)
class Numbered:
    """A line that may be a heading: its span, title, style ("" for bare numbers) and number.

    A weak one is numbered but no title; it is followed up all the same, for the numbers around it.
    """

    start: int
    end: int
    title: str
    style: str
    number: tuple[int, ...]
    body: bool = False
    indent: int = 0
    weak: bool = False


def outline_run(candidates: list[Numbered]) -> list[Numbered]:
    """The candidates whose numbers rise as an outline does, in order."""
    labelled = [each for each in candidates if each.style]
    bare = [each for each in candidates if not each.style]
    edge = min((each.indent for each in bare), default=0)
    bare = [each for each in bare if each.indent == edge]
    runs: list[_Run] = []
    going_on: list[_Run] = []
    for each, later in zip_longest(bare, bare[1:]):
        fits = [run for run in going_on if _follows(each.number, run.last)]
        if fits:
            # Where a list counts as far as the chapters: its item, if the number comes again or no text follows.
            item = not each.body or (later is not None and later.number == each.number)
            run = next((run for run in reversed(fits) if item or run.has_text), fits[-1])
            run.add(each)
            del going_on[next(at for at, other in enumerate(going_on) if other is run) + 1 :]
        elif each.number in _FIRST:
            runs.append(_Run())
            runs[-1].add(each)
            going_on = [*going_on[1 - _OPEN_RUNS :], runs[-1]]
    best = max(runs, key=lambda run: (run.titles, len(run.all)), default=_Run())
    kept = [] if best.flat and not best.has_text else [each for each in best.all if not each.weak]
    return sorted([*kept, *_rising(labelled)], key=lambda each: each.start)


class _Run:
    """Candidates whose numbers follow each other, and how many are titles with text of their own below them."""

    def __init__(self) -> None:
        self.all: list[Numbered] = []
        self.titles, self.flat, self.last = 0, True, ()

    def add(self, each: Numbered) -> None:
        self.all.append(each)
        self.last = each.number
        self.titles += each.body and not each.weak
        self.flat &= len(each.number) == 1

    @property
    def has_text(self) -> bool:
        return self.titles * 2 > len(self.all)


def _follows(number: tuple[int, ...], before: tuple[int, ...]) -> bool:
    if number[:-1] == before and number[-1] in (0, 1):
        return True
    depth = len(number)
    return depth <= len(before) and number[:-1] == before[: depth - 1] and number[-1] == before[depth - 1] + 1


def _rising(labelled: list[Numbered]) -> list[Numbered]:
    """Labels whose numbers rise; they may start again below a heading of another label."""
    last: dict[str, tuple[int, ...]] = {}
    kept: list[Numbered] = []
    for each in labelled:
        before = last.get(each.style)
        if before is not None and each.number <= before and kept[-1].style == each.style:
            continue
        last[each.style] = each.number
        kept.append(each)
    return kept
