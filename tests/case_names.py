"""Names in plain words: of strategies, programming languages, and the files a text would come from."""

from __future__ import annotations

from typing import Any

from tests.case_model import NotBuilt

_LANGUAGES = {
    "py": "python", "js": "javascript", "node": "javascript", "jsx": "javascript", "ts": "typescript", "c++": "cpp",
    "golang": "go", "rs": "rust",
}  # fmt: skip
# Languages that a parser could be found for; any other name is chunklab's to refuse.
_WITHOUT_PARSER = {
    "ruby", "php", "kotlin", "swift", "scala", "lua", "csharp", "c#", "haskell", "perl", "r", "julia", "elixir", "bash",
    "shell", "sql", "html", "css", "dart", "cobol", "solidity", "proto", "latex", "powershell", "objective-c", "zig",
}  # fmt: skip
_KEYS = {
    "markdown": ["markdown", "headings"], "html": ["html", "headings"], "heading": ["headings"],
    "rst": ["rst", "headings"], "notebook": ["notebook", "headings"], "ipynb": ["notebook", "headings"],
    "json": ["json"], "jsonl": ["json"], "ndjson": ["json"], "xml": ["xml"],
    "csv": ["rows"], "tsv": ["rows"], "row": ["rows"], "code": ["code"], "ast": ["code"],
    "paragraphs": ["paragraph"], "sentences": ["sentence"], "characters": ["fixed"], "chars": ["fixed"],
    "words": ["fixed"], "tokens": ["fixed"], "token": ["fixed"],
}  # fmt: skip
_ENDINGS = {
    "markdown": "md", "headings": "md", "html": "html", "json": "json", "jsonl": "jsonl", "ndjson": "jsonl", "xml": "xml",
    "csv": "csv", "rows": "csv", "row": "csv", "tsv": "tsv", "rst": "rst", "notebook": "ipynb", "ipynb": "ipynb",
}  # fmt: skip
_METHODS = {
    "percentile": "percentile", "threshold": "threshold", "distance": "threshold", "similarity": "threshold",
    "deviation": "deviation", "std": "deviation", "interquartile": "interquartile", "iqr": "interquartile",
    "gradient": "gradient",
}  # fmt: skip
_BY_MEANING = {"centroid": "centroid", "cluster": "cluster", "clustering": "cluster", "adaptive": "adaptive"}
_SAY_NOTHING = {
    "semantic",
    "standard",
    "breakpoint",
    "running",
    "chunker",
    "splitter",
    "chunking",
    "split",
    "cut",
}


def words_of(name: Any) -> str:
    """A name in lower case with blanks between its words."""
    return str(name).lower().replace("_", " ").replace("-", " ").strip()


def strategy_key(name: str) -> str:
    """The key of the strategy that a name in plain words means; NotBuilt when there is none."""
    from chunklab.discovery import components

    known = components("strategies")
    for wanted in _candidates(words_of(name)):
        if wanted in known:
            return wanted
    raise NotBuilt(f"strategy {name}")


def _candidates(name: str) -> list[str]:
    first = (name.split() or [""])[0]
    if first == "semantic":
        said = set(name.split()) - _SAY_NOTHING
        other = {_BY_MEANING.get(word) for word in said} - {None}
        if other:
            return sorted(other) if len(said) == 1 else []
        return ["semantic"] if said <= _METHODS.keys() else []
    if first == "fixed" and "sentence" in name:
        return ["sentence"]
    return [name.replace(" ", "_"), *_KEYS.get(first, []), first]


def method_in(name: str) -> str | None:
    """What a semantic strategy's cut-off is made from, where its name says so."""
    return next((_METHODS[word] for word in words_of(name).split() if word in _METHODS), None)


def language_key(name: str) -> str:
    """chunklab's name of a programming language; NotBuilt where it is known to have no parser here."""
    key = _LANGUAGES.get(name.lower(), name.lower())
    if key in _WITHOUT_PARSER:
        raise NotBuilt(f"code in {name}")
    return key


def heading_level(name: Any) -> int:
    """2 for "h2", "##", "## ", 2, or a pair that begins with one of these."""
    first = str(name[0] if isinstance(name, (list, tuple)) and name else name).strip().lower()
    if first.strip("#") == "" and first:
        return len(first)
    if first.removeprefix("h").isdecimal():
        return int(first.removeprefix("h"))
    raise NotBuilt(f"a heading {name}")


def suffix(settings: dict[str, Any]) -> str:
    """The ending of the file that a case's text would come from."""
    parts = [
        settings[part] for part in ("base", "child", "parent") if isinstance(settings.get(part), (dict, str))
    ]
    if parts:
        endings = [suffix(each if isinstance(each, dict) else {"strategy": each}) for each in parts]
        return next((each for each in endings if each != "txt"), "txt")
    first = (words_of(settings.get("strategy", "")).split() or [""])[0]
    if first in ("code", "ast"):
        from chunklab.syntax.languages import LANGUAGES

        language = LANGUAGES.get(language_key(str(settings.get("language", ""))))
        return language.endings[0].lstrip(".") if language else "txt"
    by_headings = words_of(settings.get("embed_as", settings.get("context", ""))).startswith("heading")
    return _ENDINGS.get(first, "md" if by_headings else "txt")
