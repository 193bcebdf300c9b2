"""Every error a person can cause, as one tree.

    ChunklabError (ValueError)
    ├── ParamError      a parameter has a value that is not allowed
    ├── RecipeError     the text of a recipe cannot be read
    ├── IntakeError     bytes cannot be read as a document
    ├── CorpusError     a corpus folder or its questions cannot be used
    └── ContractError   a strategy broke the span contract: a fault in chunklab, please report it

Each message says who complains, what was got, what is allowed and what to do, in one line.
"""


class ChunklabError(ValueError):
    """What all errors below share; catching it catches every mistake in the input."""


class ParamError(ChunklabError):
    """A parameter's value is not allowed: "owner: name must be …, got …. remedy"."""

    def __init__(self, owner: str, name: str, must: str, got: object, remedy: str = ""):
        self.owner, self.name, self.must, self.got, self.remedy = owner, name, must, got, remedy
        message = f"{owner}: {name} must be {must}, got {shown(got)}."
        super().__init__(f"{message} {remedy}".rstrip())


class RecipeError(ChunklabError):
    """The text of a recipe cannot be read or names something that does not exist."""


class IntakeError(ChunklabError):
    """Bytes cannot be read as a document."""


class CorpusError(ChunklabError):
    """A corpus folder or its questions cannot be used."""


class ContractError(ChunklabError):
    """A strategy returned spans that break the span contract."""


def shown(value: object, limit: int = 80) -> str:
    """The value as one short printable line, safe to put into any message."""
    text = repr(value)
    text = text if text.isprintable() else ascii(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
