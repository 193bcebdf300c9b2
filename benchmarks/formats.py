"""The prose of `texts` as JSON, CSV and XML of about a given number of bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from xml.sax.saxutils import escape

from texts import prose

Item = Callable[[int, str], str]


def json_items(size: int) -> str:
    """One array of objects, each with a paragraph, a list and an object of its own."""

    def item(number: int, text: str) -> str:
        made = {
            "id": number,
            "tags": text.split()[:3],
            "text": text,
            "source": {"page": number, "begins": text[:40]},
        }
        return json.dumps(made, indent=1, ensure_ascii=False)

    return f"[{_items(size, item, ',')}]\n"


def csv_rows(size: int) -> str:
    """A header and rows whose last field is a paragraph in quotes."""
    return "id,name,text\n" + _items(size, lambda number, text: f'{number},{text.split()[0]},"{text}"', "\n")


def xml_elements(size: int) -> str:
    """Sections with a title and a paragraph, in one element."""

    def item(number: int, text: str) -> str:
        return f'<section id="{number}"><title>{escape(text[:20])}</title><p>{escape(text)}</p></section>'

    return f"<book>\n{_items(size, item, chr(10))}\n</book>\n"


def _items(size: int, item: Item, between: str) -> str:
    made, length = [], 0
    for number, paragraph in enumerate(prose(size).split("\n\n")):
        if not paragraph.strip() or length > size:
            continue
        made.append(item(number, paragraph.strip()))
        length += len(made[-1].encode()) + len(between)
    return between.join(made)
