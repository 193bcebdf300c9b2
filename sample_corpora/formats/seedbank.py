"""A small seed bank: batches of seed, germination tests, and what to sow first."""

from dataclasses import dataclass, field
from datetime import date


class BatchError(Exception):
    """Raised when a batch cannot be used."""


@dataclass
class Batch:
    """Seed of one species, collected on one day."""

    species: str
    collected: date
    grams: float
    tests: list = field(default_factory=list)

    def add_test(self, sown: int, sprouted: int) -> float:
        """Records a germination test and returns its rate."""
        if sown < 50:
            raise BatchError("a test needs at least fifty seeds")
        rate = sprouted / sown
        self.tests.append(rate)
        return rate

    @property
    def vigour(self) -> float:
        """The mean rate of the last three tests; 0 for an untested batch."""
        recent = self.tests[-3:]
        return sum(recent) / len(recent) if recent else 0.0


# Orchids lose their vigour within a year, most grasses keep it for ten.
SHELF_LIFE = {"orchid": 1, "grass": 10, "legume": 25}


def age_in_years(batch: Batch, today: date) -> float:
    """How old a batch is, in years of 365.25 days."""
    return (today - batch.collected).days / 365.25


def sow_first(batches: list, today: date, kind: str) -> list:
    """The batches in the order in which they should be sown: the weakest and the oldest first."""
    limit = SHELF_LIFE.get(kind, 5)

    def urgency(batch: Batch) -> float:
        return age_in_years(batch, today) / limit - batch.vigour

    usable = [batch for batch in batches if batch.grams > 0]
    return sorted(usable, key=urgency, reverse=True)
