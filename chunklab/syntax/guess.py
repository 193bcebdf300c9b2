"""Which programming language a text is in, by lines that few other texts have."""

from __future__ import annotations

import re
from functools import cache

_LOOKED_AT = 20_000
_LEAST_SHARE = 0.1
_SIGNS = {
    "python": r"(?:async )?def \w+\(|class \w+(?:\([^)\n]*\))?:|from [\w.]+ import |import [\w.]+(?: as \w+)?$|@\w+(?:\(|$)"
    r"|(?:if|for|while|with|elif) .*:$",
    "javascript": r"(?:export )?(?:default )?(?:async )?function\b|(?:export )?(?:const|let|var) .*[=;]|import ?[{*'\"]|import .*from ?['\"]"
    r"|(?:export )?class \w+.*\{$|module\.exports|!function|\(function|['\"]use strict",
    "typescript": r"(?:export )?(?:declare )?(?:interface|enum|namespace|type) \w+.*[={]|(?:public|private|readonly) \w+[?!]?: "
    r"|(?:export )?(?:const|let) \w+: \w|(?:export )?(?:async )?function \w*\(\w+\??: \w|(?:export )?abstract class ",
    "java": r"(?:public|private|protected) .*[{;]$|import (?:static )?[\w.]+(?:\.\*)?;|package [\w.]+;|@Override",
    "go": r"package \w+$|func (?:\(\w+ \*?\w+(?:\[\w+\])?\) )?\w+\(|import \($|type \w+ (?:struct|interface)|\w+(?:, \w+)* := ",
    "rust": r"(?:pub(?:\(\w+\))? )?(?:async )?(?:fn|struct|enum|trait|mod) \w+|impl\b.*\{$|use [\w:]+.*;|#!?\[|let (?:mut )?\w+.*;"
    r"|(?:pub )?unsafe ",
    "c": r"#(?:include|define|ifn?def|pragma)\b|(?:static |const |unsigned )*(?:int|void|char|struct \w+|size_t) \*?\w+\(.*|typedef ",
    "cpp": r"(?:template ?<|namespace \w*|using [\w:]+|class \w+.*\{?$|(?:public|private|protected):)|.*\bstd::|.*\w+::~?\w+\(",
}  # fmt: skip
_PASSED_OVER = re.compile(r"\s*(?://|/?\*|# |#$|$)")
_ALSO = {"cpp": "c", "typescript": "javascript"}


def guess_language(text: str) -> str | None:
    """The key of the language that most lines of the beginning show, None where hardly any does.

    A dialect counts the lines of the language that it extends only if it has some of its own; a text with
    fenced code in it is Markdown.
    """
    lines = [line[:200] for line in text[:_LOOKED_AT].splitlines() if not _PASSED_OVER.match(line)]
    if any(line.startswith("```") for line in lines):
        return None
    hits = {key: sum(bool(signs.match(line)) for line in lines) for key, signs in _patterns().items()}
    for dialect, base in _ALSO.items():
        hits[dialect] += hits[base] if hits[dialect] else 0
    best = max(hits, key=lambda key: hits[key])
    least = max(_LEAST_SHARE * len(lines), 1 if len(lines) < 6 else 2)
    return best if hits[best] >= least else None


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {key: re.compile(rf"[ \t]{{0,40}}(?:{signs})") for key, signs in _SIGNS.items()}
