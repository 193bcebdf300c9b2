"""The document view: a text with its cuts, its evidence, its lengths and its sliders, drawn in the browser.

The view's code travels once, by `view_code`, and a text once, by `document_store`; every later update is offsets
only, by `document_view`.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

if TYPE_CHECKING:
    import numpy as np

_HERE = Path(__file__).parent
_STORE_FILES = ("offsets", "store")
_VIEW_FILES = (
    "offsets",
    "frame",
    "segments",
    "paint",
    "gutter",
    "hover",
    "navigate",
    "overview",
    "controls",
    "numbers",
    "histogram",
    "questions",
    "ranked",
    "marks",
    "search",
    "keyboard",
    "main",
    "table",
    "compare",
)
_STYLES = ("view", "ranked", "table", "compare")


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _module(names: Sequence[str]) -> str:
    return "\n".join(_read(f"{name}.js") for name in names)


def _kept_view() -> str:
    """The view's code and style, to be kept in the page: Streamlit sends a component's own with every update."""
    return f"""
(() => {{
{_module(_VIEW_FILES)}
const sheet = new CSSStyleSheet();
sheet.replaceSync({json.dumps("".join(_read(f"{name}.css") for name in _STYLES))});
window.__chunklabView = {{ sheet, view: showView, table: showTable, compare: showCompare }};
}})();
export default function () {{}}
"""


_CODE = st.components.v2.component("chunklab.view_code", js=_kept_view())
_STORE = st.components.v2.component("chunklab.document_store", js=_module(_STORE_FILES))


def _kept(name: str) -> Any:
    """A component whose code is in the page already: only a stub goes with its updates."""
    stub = f'const SHOW = "{name}";\n{_read("stub.js")}'
    return st.components.v2.component(f"chunklab.document_{name}", html=_read(f"{name}.html"), js=stub)


_VIEW = _kept("view")
_TABLE = _kept("table")
_COMPARE = _kept("compare")


def view_code() -> None:
    """Send the views' own code to the browser; the first thing on a page, as it is needed first and knows no document."""
    _CODE(key="view_code")


def document_store(
    digest: str, text: str, headings: Sequence[tuple[int, int, str, int]] = (), key: str = "document_store"
) -> None:
    """Send a document's text to the browser, where views find it.

    Call it outside the fragment that holds the view: an unchanged text is then not sent again. Each
    heading is its start (code points), level, title, and the index of the heading above it or -1.
    The browser keeps the last four documents.
    """
    if len(digest) != 64:
        raise ValueError(f"digest: must be 64 hexadecimal digits, got {len(digest)} characters.")
    listed = json.dumps([list(heading) for heading in headings], default=_plain).encode()
    # A lone surrogate has no UTF-8 form; "?" in its place keeps every offset true.
    data = digest.encode("ascii") + struct.pack("<I", len(listed)) + listed + text.encode("utf-8", "replace")
    _STORE(data=data, key=key)


def document_view(
    head: Mapping[str, Any],
    arrays: Mapping[str, np.ndarray],
    key: str = "view",
    on_commit: Callable[[], None] | None = None,
    on_pick: Callable[[], None] | None = None,
) -> Any:
    """Draw one state of the view and return what the reader did: `drag`, `commit`, `pick`.

    `arrays` go as int32, positions in half-open code points: `spans` (2n: starts strictly rise, ends
    never fall), `reasons`, `tokens`, `paths` (n each; index into the document's headings or -1), `unread` (n: from where an
    embedder reads no more of a chunk, or -1),
    `evidence` (2m), `verdicts` (m: 0 missed, 1 split, 2 whole, 3 marked only) and `ranked` (4r: a rank of at most 62,
    the place returned at it, the chunk found in that place or -1). All but `spans` may be missing.

    `head` keys: doc (digest; the only one needed), name, prose, seq, sliders, numbers, histogram,
    questions, questions_title, reason_names, notices, focus or focus_at (chunk or code point), focus_seq, empty. With
    cards, cards_title, cards_empty, asked and answer it shows what was retrieved instead of all chunks;
    with marks, [{id, text, start, end}], it takes selections.

    `drag` is state, {seq, values}, while a slider is moved: answer with the same `seq` in the head.
    `commit`, {seq, values}, is a trigger on release; answer with its `seq` too, and ignore a `drag`
    with a lower one. `pick` is a trigger, {"question": id}, {"chunk": index}, {"rank": rank} or
    {"selection": [start, end]}. All three come from the browser and are to be checked.
    """
    return _VIEW(
        data=_packed(head, arrays, key),
        key=key,
        on_drag_change=_nothing,
        on_commit_change=on_commit or _nothing,
        on_pick_change=on_pick or _nothing,
    )


def question_table(head: Mapping[str, Any], key: str, on_pick: Callable[[], None] | None = None) -> Any:
    """Draw questions as rows that filter and can be taken: `pick`, {"question": id}, is a trigger.

    `head` keys: rows, [{id, text, verdict, rank, reason, why, kind, …}], columns as [field, title], reasons (what
    each is called), current (an id), empty (what is said without rows).
    """
    return _TABLE(data={**head, "key": key}, key=key, on_pick_change=on_pick or _nothing)


def compare_view(head: Mapping[str, Any], arrays: Mapping[str, np.ndarray], key: str) -> Any:
    """Draw one document's cuts by two to four recipes side by side, with their changes marked.

    `head` keys: doc (digest), recipes as [{name, facts}], focus_at (code point) and focus_seq. `arrays`
    as in `document_view`: `spans0` … `spans3` (2n each), `marks0` … `marks3` (3m: place, 0 kept 1 moved 2 added 3
    gone, and where a moved cut was), `verdicts0` … `verdicts3` (m each) on the one `evidence` (2m).
    """
    return _COMPARE(data=_packed(head, arrays, key), key=key)


def _packed(head: Mapping[str, Any], arrays: Mapping[str, np.ndarray], key: str) -> bytes:
    import numpy as np

    listed = [(name, np.ascontiguousarray(values, "<i4").ravel()) for name, values in arrays.items()]
    full = {**head, "key": key, "arrays": [[name, len(values)] for name, values in listed]}
    text = json.dumps(full, default=_plain, allow_nan=False).encode() + b"\0"
    return text + b"\0" * (-len(text) % 4) + b"".join(values.tobytes() for _, values in listed)


def _plain(value: Any) -> Any:
    """numpy's numbers and arrays as JSON's."""
    import numpy as np

    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be sent to the document view.")


def _nothing() -> None:
    """Streamlit reports a component's value only when it has a callback."""
