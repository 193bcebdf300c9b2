"""Drives the app's own script with Streamlit's AppTest, and reads what it sends to the document view."""

from __future__ import annotations

import contextlib
import json
import re
import struct
from pathlib import Path
from typing import Any

from tests.case_model import NotBuilt, NotRun

ROOT = Path(__file__).parent.parent
_DIGEST = re.compile(rb"[0-9a-f]{64}")
_CHOICES = ("radio", "segmented_control", "pills", "selectbox")
_SLOWEST = 60


class App:
    """One session of the app. Every action runs the script as a browser's click would."""

    def __init__(self, query: dict[str, Any] | None = None):
        if not (ROOT / "app.py").exists():
            raise NotBuilt("the app")
        from streamlit.testing.v1 import AppTest

        self.test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=_SLOWEST)
        for name, value in (query or {}).items():
            self.test.query_params[name] = value
        self.test.run()

    def upload(self, name: str, data: bytes) -> None:
        """Hands a file to the uploader, in place of any other."""
        self._source("upload", lambda: self.test.file_uploader)
        self.test.file_uploader[0].set_value((name, data, "text/plain")).run()

    def paste(self, text: str) -> None:
        """Types a text into the box for pasted text."""
        for button in self.test.button:
            if "another" in button.label.lower():
                button.click().run()
        self._source("paste", lambda: self.test.text_area)
        self.test.text_area[0].set_value(text).run()
        for button in self.test.button:
            if re.search(r"use|cut|load|take", button.label, re.I):
                button.click().run()
                break

    def set(self, name: str, value: Any) -> None:
        """Gives a control a value; NotRun when the page has no such control."""
        if name == "strategy":
            self._choose(self._strategy_box(), str(value))
            return
        control = self._list_box(name) if isinstance(value, list) else self._control(name)
        if control is None:
            raise NotRun(f"the page has no control for {name}")
        if isinstance(value, list):
            control.set_value(value).run()
        elif hasattr(control, "options"):
            self._choose(control, str(value))
        else:
            control.set_value(value if control.type != "text_input" else str(value)).run()

    def again(self) -> None:
        """Runs the script once more without any change."""
        self.test.run()

    @property
    def query(self) -> dict[str, str]:
        """The parameters of the page's address."""
        values = dict(self.test.query_params)
        return {name: value[-1] if isinstance(value, list) else str(value) for name, value in values.items()}

    @property
    def text(self) -> str:
        """The text that the document view was given."""
        return self._document()[1]

    @property
    def spans(self) -> list[list[int]]:
        """The cuts that the document view was given."""
        flat = self._frame()[1].get("spans", ())
        return [list(flat[at : at + 2]) for at in range(0, len(flat), 2)]

    @property
    def name(self) -> str:
        """The document's name on the page."""
        return self._frame()[0].get("name", "")

    @property
    def sliders(self) -> dict[str, Any]:
        """The values of the view's own sliders."""
        return {each["name"]: each["value"] for each in self._frame()[0].get("sliders", ())}

    def form(self) -> dict[str, Any]:
        """The values that the controls show, by parameter."""
        from chunklab.discovery import components

        names = {name for kind in components("strategies").values() for name in kind.params()}
        shown = {name: _read(control) for name in names if (control := self._control(name)) is not None}
        box = self._list_box("separators")
        if box is not None and " " in str(shown.get("separators", "own list")):  # no preset but such words
            shown["separators"] = tuple("" if "anywhere" in each else each for each in box.value)
        return {**self.sliders, **shown}

    def used(self) -> dict[str, Any]:
        """The strategy and all of its parameters that the page's address names."""
        from chunklab.recipe import parse_recipe

        split = parse_recipe(self.query["recipe"]).split if "recipe" in self.query else None
        if split is None:
            raise NotRun("the page's address has no recipe")
        return {"strategy": split.key(), **{name: getattr(split, name) for name in split.params()}}

    def messages(self) -> list[str]:
        """Everything the page says in words beside the document."""
        kinds = ("error", "warning", "info", "success", "caption", "markdown", "toast", "text", "code")
        said = [str(each.value) for kind in kinds for each in getattr(self.test, kind)]
        return said + [str(each) for each in self._frame(needed=False)[0].get("notices", ())]

    def tracebacks(self) -> list[str]:
        """Stack traces on the page, one line each."""
        return [str(each.value) for each in self.test.exception]

    def _source(self, word: str, found: Any) -> None:
        if found():
            return
        for kind in _CHOICES:
            for control in getattr(self.test, kind):
                if any(word in str(option).lower() for option in control.options):
                    self._choose(control, word)
                    if found():
                        return
        raise NotRun(f"the page has no place to {word}")

    def _strategy_box(self) -> Any:
        for kind in _CHOICES:
            for control in getattr(self.test, kind):
                labels = " ".join(map(str, control.options)).lower()
                if "recursive" in labels and "paragraph" in labels:
                    return control
        raise NotRun("the page has no choice of a strategy")

    def _choose(self, control: Any, word: str) -> None:
        options = [str(option).lower() for option in control.options]
        tests = (str.__eq__, str.startswith, str.__contains__)
        found = (i for test in tests for i, option in enumerate(options) if test(option, word.lower()))
        at = next(found, None)
        if at is None:
            raise NotRun(f"there is no {word} among {options}")
        if hasattr(control, "select_index"):
            control.select_index(at).run()
        else:
            control.set_value(_raw(control, word, control.options[at])).run()

    def _control(self, name: str) -> Any:
        exact = re.compile(rf"(^|[^a-z_]){re.escape(name)}$", re.I)
        for kind in (
            "number_input",
            "slider",
            "selectbox",
            "text_input",
            "checkbox",
            "toggle",
            "radio",
            "segmented_control",
        ):
            for control in getattr(self.test, kind):
                if exact.search(str(control.key or "")) or str(control.label).lower() in (
                    name,
                    name.replace("_", " "),
                ):
                    return control
        return None

    def _list_box(self, name: str) -> Any:
        boxes = (each for each in self.test.multiselect if name in f"{each.key} {each.label}".lower())
        return next(boxes, None)

    def _payloads(self) -> list[bytes]:
        return [bytes(each.proto.bytes) for each in self.test.get("bidi_component") if each.proto.bytes]

    def _document(self) -> tuple[str, str]:
        for data in self._payloads():
            if _DIGEST.match(data[:64]) and len(data) >= 68:
                start = 68 + struct.unpack("<I", data[64:68])[0]
                return data[:64].decode(), data[start:].decode("utf-8", "surrogatepass")
        raise NotRun("the page shows no document")

    def _frame(self, needed: bool = True) -> tuple[dict[str, Any], dict[str, list[int]]]:
        for data in self._payloads():
            end = data.find(b"\0")
            if data[:1] == b"{" and end > 0:
                head, at, arrays = json.loads(data[:end]), (end + 4) & ~3, {}
                for name, length in head.get("arrays", ()):
                    arrays[name] = list(struct.unpack_from(f"<{length}i", data, at))
                    at += 4 * length
                return head, arrays
        if needed:
            raise NotRun("the page shows no cuts")
        return {}, {}


def _read(control: Any) -> Any:
    """What a control shows; a number typed into a box for text is a number."""
    value = control.value
    return int(value) if control.type == "text_input" and str(value).isdecimal() else value


def _raw(control: Any, word: str, label: str) -> Any:
    """The value behind a label: the one among the likely ones that the control shows as this label."""
    for value in (word, label, label.lower()):
        with contextlib.suppress(Exception):
            if str(control.format_func(value)) == label:
                return value
    raise NotRun(f"the value behind {label!r} is unknown")
