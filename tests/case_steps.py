"""The steps of a case, in plain words, as a list of actions; a step nobody knows is NotRun."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import Any

from tests.case_model import NotRun

SOME_TEXT = (
    "# One\n\nFirst words of a text. They go on.\n\n## Two\n\n" + "Second words follow here, and more. " * 40
)
_NAME = r"(?P<name>'[^']+'|\"[^\"]+\"|[\w.-]+\.\w+)"
_CONTENT = r"(?:\s*\(\s*(?:with\s+)?(?:the\s+)?(?:text\s+)?(?P<text>'[^']*'|\"[^\"]*\")\s*\))?"
_UPLOAD = re.compile(
    rf"(?:upload|load|replace(?:\s+it)?\s+(?:by|with)|add)\s+(?:a\s+file\s+)?{_NAME}{_CONTENT}", re.I
)
_MOVE = re.compile(r"(?:move|drag)\s+the\s+(?P<name>\w+)\s+slider(?:\s+to\s+(?P<value>\d+))?", re.I)
_AGAIN = re.compile(r"(?:read|look|run)\s+(?:it\s+)?again|re-?run", re.I)
_COPY = re.compile(r"(?:copy|make|share)\s+(?:the\s+|a\s+)?(?:share\s+)?(?:link|url)", re.I)
_NEW = re.compile(
    r"open\s+(?:it\s+|the\s+link\s+)?in\s+a\s+(?:new|fresh|second)\s+\w+|reload(?:\s+the\s+page)?", re.I
)
_LINK_WITH = re.compile(r"open\s+(?:a|the)\s+(?:share\s+)?(?:link|url)\s+with\s+(?P<rest>.+)", re.I)
_PASTE = re.compile(r"(?:paste|type|text)\s+(?P<what>'[^']*'|\"[^\"]*\"|[A-Z]\w*)", re.I)
_SET_TO = re.compile(r"(?:set|change|switch|choose)\s+(?:the\s+)?(?P<name>\w+)\s+to\s+(?P<value>\S.*)", re.I)
_SETTING = re.compile(r"(?P<name>\w+)\s*=\s*(?P<value>'[^']*'|\"[^\"]*\"|\[[^\]]*\]|[^\s,;]+)")
_PARTS = re.compile(r"""(?:'[^']*'|"[^"]*"|\([^)]*\)|[^;])+""")


@dataclass(frozen=True)
class Step:
    """One action: upload, paste, set, move, again, copy, open copied or open with."""

    verb: str
    name: str = ""
    text: str = ""
    settings: dict[str, Any] = field(default_factory=dict)


def steps_of(words: str, params: dict[str, Any]) -> list[Step]:
    """The steps in order; texts named by a capital, such as T, come from the case's settings."""
    found: list[Step] = []
    for part in _PARTS.findall(re.sub(r"^\s*steps\s*:", "", words)):
        clause = re.sub(r"^(?:and\s+)?(?:then\s+)?", "", part.strip(), flags=re.I)
        if clause:
            found += _clause(clause, params)
    if not found:
        raise NotRun("no steps")
    return found


def _clause(clause: str, params: dict[str, Any]) -> list[Step]:
    for pattern, make in (
        (_UPLOAD, lambda m: [Step("upload", unquoted(m["name"]), _content(m["text"]))]),
        (
            _MOVE,
            lambda m: [Step("move", m["name"], settings={m["name"]: int(m["value"])} if m["value"] else {})],
        ),
        (_AGAIN, lambda m: [Step("again")]),
        (_COPY, lambda m: [Step("copy")]),
        (_NEW, lambda m: [Step("open copied")]),
        (_LINK_WITH, lambda m: [Step("open with", settings=settings_in(m["rest"]))]),
        (_PASTE, lambda m: [Step("paste", text=_named(m["what"], params))]),
        (_SET_TO, lambda m: [Step("set", settings={m["name"].lower(): value_of(m["value"])})]),
    ):
        match = pattern.fullmatch(clause)
        if match:
            return make(match)
    head, _, rest = clause.partition(",")
    if rest and not _SETTING.search(head):
        return [*_clause(head.strip(), params), *_clause(rest.strip(), params)]
    settings = settings_in(clause)
    if settings:
        return [Step("set", settings=settings)]
    raise NotRun(f"step {clause!r} is unknown")


def settings_in(words: str) -> dict[str, Any]:
    """name=value pairs, and a strategy's name where one word stands before them; NotRun for other words."""
    settings = {match["name"].lower(): value_of(match["value"]) for match in _SETTING.finditer(words)}
    rest = [
        word
        for word in re.split(r"[\s,]+", _SETTING.sub(" ", words))
        if word and word.lower() not in ("and", "with")
    ]
    if len(rest) == 1 and settings and "strategy" not in settings:
        settings = {"strategy": rest[0], **settings}
    elif rest:
        raise NotRun(f"step {words!r} is unknown")
    return settings


def value_of(words: str) -> Any:
    """A number, a list or a text."""
    try:
        return ast.literal_eval(words.strip())
    except (ValueError, SyntaxError):
        return words.strip()


def unquoted(words: str) -> str:
    """The text without the quotation marks around it."""
    return words[1:-1] if words[:1] in "'\"" and words[-1:] == words[:1] and len(words) > 1 else words


def _content(quoted: str | None) -> str:
    return SOME_TEXT if quoted is None else unquoted(quoted)


def _named(what: str, params: dict[str, Any]) -> str:
    if what[:1] in "'\"":
        return unquoted(what)
    if isinstance(params.get(what), str):
        return params[what]
    raise NotRun(f"no text {what} in this case")
