"""The app in a real browser: a server of its own, and a page that is read and moved as a person would.

Every page keeps what went wrong in it (console errors and warnings, page errors, requests to other
hosts) in `troubles`; the `open_page` fixture fails a test whose pages have any.
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from tests.case_app import ROOT
from tests.case_browser import _healthy, browser
from tests.case_model import NotRun

VIEW = "[data-testid=chunklab-view]"
HOME = ("localhost", "127.0.0.1", "::1")
PATIENCE = 40.0


def until(
    met: Callable[[], Any], what: str, patience: float = PATIENCE, pause: Callable[[], Any] | None = None
):
    """The first true value of `met`, asked again and again; fails with `what` when there is none in time."""
    end = time.monotonic() + patience
    while True:
        value = met()
        if value:
            return value
        if time.monotonic() > end:
            pytest.fail(f"waited {patience:g} s in vain for: {what}")
        (pause or (lambda: time.sleep(0.05)))()


@contextlib.contextmanager
def running_app() -> Iterator[str]:
    """The address of a fresh server process that is stopped at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = {
        "server.headless": "true", "server.port": port, "server.address": "127.0.0.1",
        "server.fileWatcherType": "none",
    }  # fmt: skip
    running = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", *(f"--{name}={settings[name]}" for name in settings)],
        cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        until(lambda: _healthy(address) or running.poll() is not None, "the server to start", 90)
        assert running.poll() is None, f"the server stopped with exit status {running.returncode}"
        yield address
    finally:
        running.terminate()
        try:
            running.wait(10)
        except subprocess.TimeoutExpired:
            running.kill()


class Inspect:
    """The Inspect page of one session, as a person sees and moves it."""

    def __init__(self, context: Any, address: str, **query: str):
        self.address = address
        self.page = context.new_page()
        self.troubles: list[str] = []
        self.page.set_default_timeout(PATIENCE * 1000)
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.troubles.append(f"page error: {error}"))
        self.page.on("dialog", self._dialog)
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.on("websocket", lambda socket: self._asked(socket.url))
        self.view = self.page.locator(VIEW)
        self.box = self.view.locator(".box")
        self.sidebar = self.page.get_by_test_id("stSidebar")
        self.go(**query)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"console {message.type}: {message.text}")

    def _dialog(self, dialog: Any) -> None:
        self.troubles.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _asked(self, url: str) -> None:
        host = urlsplit(url)
        if host.scheme not in ("data", "blob", "about") and host.hostname not in HOME:
            self.troubles.append(f"request to another host: {url}")

    # Coming to rest

    def go(self, **query: str) -> None:
        """Opens the app by an address and waits until it is drawn."""
        self.page.goto(f"{self.address}/?{urlencode(query)}")
        self.rest()

    def until(self, met: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
        """As `until`, letting the page go on meanwhile."""
        return until(met, what, patience, lambda: self.page.wait_for_timeout(40))

    def rest(self) -> None:
        """Waits until the script has run and what it sent is painted."""
        self.page.locator(
            "[data-testid=stApp][data-test-script-state=notRunning]:not([data-test-connection-state=CONNECTING])"
        ).wait_for()
        self._wait(f"{VIEW}:not([data-waiting])[data-chunks], [data-testid=stHeading]")

    def _wait(self, selector: str) -> None:
        """Waits for an element, or fails at once when the page shows an exception."""
        crash = self.page.get_by_test_id("stException")
        self.page.locator(selector).or_(crash).first.wait_for()
        assert not crash.count(), f"the page shows an exception: {crash.first.inner_text()}"

    def check(self) -> None:
        """Fails when the page shows a stack trace, or anything went wrong in it."""
        assert not self.page.get_by_test_id("stException").count(), "the page shows an exception"
        assert "Traceback" not in self.page.locator("body").inner_text(), "the page shows a stack trace"
        assert not self.troubles

    # Reading

    @property
    def text(self) -> str:
        """The document as the page holds it."""
        return "".join(self.view.locator(".block").evaluate_all("all => all.map(b => b.textContent)"))

    @property
    def chunks(self) -> int:
        """The number of chunks painted."""
        return int(self.view.get_attribute("data-chunks"))

    @property
    def painted(self) -> list[tuple[int, int]]:
        """The chunks as painted, half-open code points; only of what is near the window."""
        flat = self.view.locator(".block").evaluate_all(
            """all => { const found = new Map(); let from = 0;
            for (const block of all) {
              for (const span of block.children) {
                const to = from + [...span.textContent].length;
                const [low, high] = [block.segments[span.segment + 2], block.segments[span.segment + 3]];
                for (let i = low; i <= high; i++) found.set(i, [(found.get(i) ?? [from])[0], to]);
                from = to;
              }
            }
            return [...found].sort((a, b) => a[0] - b[0]).map(pair => pair[1]); }"""
        )
        return [tuple(pair) for pair in flat]

    @property
    def gutter(self) -> list[str]:
        """The numbers painted in the gutter."""
        return self.view.locator(".number").evaluate_all("all => all.map(n => n.dataset.n)")

    def number(self, name: str) -> str:
        """One value of the strip of numbers."""
        return self.view.locator(f"[data-number={name}] .value").inner_text()

    @property
    def numbers(self) -> dict[str, str]:
        """All values of the strip of numbers."""
        cells = self.view.locator("[data-number]")
        return dict(
            cells.evaluate_all(
                "all => all.map(c => [c.dataset.number, c.querySelector('.value').textContent])"
            )
        )

    @property
    def bars(self) -> str:
        """The outline of the histogram's bars."""
        return self.view.locator("svg.histogram .bars").get_attribute("d") or ""

    @property
    def query(self) -> dict[str, str]:
        """The parameters in the address bar."""
        return dict(parse_qsl(urlsplit(self.page.url).query, keep_blank_values=True))

    @property
    def notices(self) -> list[str]:
        """What the page says of the document, a line each."""
        return self.view.locator(".notices li").all_inner_texts()

    @property
    def said(self) -> str:
        """Everything in words in the main part and the sidebar, without the document."""
        shown = self.page.locator(
            "[data-testid=stAlert], [data-testid=stText], [data-testid=stCaptionContainer]"
        )
        return "\n".join([*shown.all_inner_texts(), *self.notices])

    def field(self, label: str) -> Any:
        """The sidebar's control with this label; its unit may follow behind a comma."""
        return self.sidebar.get_by_label(re.compile(rf"^{re.escape(label)}(,|$)")).first

    # Moving

    def choose(self, label: str, option: str) -> None:
        """Takes an option of a select box in the sidebar."""
        self.take(lambda: self.field(label), option)
        self.until(lambda: self.field(label).input_value() == option, f"{label} to be {option}")
        self.rest()

    def take(self, box: Callable[[], Any], option: str) -> None:
        """Unfolds a select box and clicks one of its options; does not wait for what comes of it."""
        from playwright.sync_api import Error

        wanted = self.page.get_by_role("option", name=option, exact=True)

        def unfolded() -> bool:
            """A run of the script may fold the list again, and a click may only end what was typed before."""
            box().click()
            with contextlib.suppress(Error):
                wanted.click(timeout=4000)
                return True
            self.page.keyboard.press("Escape")
            return False

        self.until(unfolded, f"{option} among the options")

    def source(self, label: str) -> None:
        """Takes the sample, a pasted text or an upload as the document."""
        self.sidebar.get_by_test_id("stButtonGroup").get_by_text(label, exact=True).click()
        self.rest()

    def upload(self, name: str, data: bytes) -> None:
        """Hands a file to the uploader; does not wait for what comes of it."""
        if not self.page.locator("input[type=file]").count():
            self.source("Upload")
        self.page.locator("input[type=file]").first.set_input_files(
            {"name": name, "mimeType": "text/plain", "buffer": data}
        )

    def opened(self, name: str) -> None:
        """Waits until the document of this name is drawn."""
        self._wait(f"{VIEW} .title[title={json.dumps(name)}]")
        self.rest()

    def point_at(self, text: str) -> None:
        """Moves the pointer onto the first place of a text in the painted document."""
        x, y = self.view.locator(".block span", has_text=text).first.evaluate(
            """(span, text) => {
              const walker = document.createTreeWalker(span, NodeFilter.SHOW_TEXT);
              for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                const at = node.data.indexOf(text);
                if (at < 0) continue;
                const range = document.createRange();
                range.setStart(node, at);
                range.setEnd(node, at + text.length);
                span.scrollIntoView({ block: "nearest" });
                const box = range.getClientRects()[0];
                return [box.left + box.width / 2, box.top + box.height / 2];
              } }""",
            text,
        )
        self.page.mouse.move(x - 2, y)
        self.page.mouse.move(x, y)

    def type_into(self, label: str, value: str) -> None:
        """Fills a field of the sidebar and takes it over with Enter."""
        self.field(label).fill(value)
        self.field(label).press("Enter")

    def slider(self, name: str) -> Any:
        """The view's own slider of a parameter."""
        return self.view.locator(f"input[data-slider={name}]")

    def grip(self, name: str) -> tuple[float, float, Callable[[float], float]]:
        """The middle of a slider's thumb on the screen, and the x at which the thumb stands for a value."""
        slider = self.slider(name)
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        low, high, value = slider.evaluate("s => [Number(s.min), Number(s.max), s.valueAsNumber]")
        half = box["height"] / 2

        def x(wanted: float) -> float:
            return box["x"] + half + (box["width"] - 2 * half) * (wanted - low) / (high - low)

        return x(value), box["y"] + box["height"] / 2, x

    def download(self, label: str) -> tuple[str, bytes]:
        """The name and the bytes of what a download button gives."""
        with self.page.expect_download() as waiting:
            self.page.get_by_role("button", name=label).click()
        return waiting.value.suggested_filename, waiting.value.path().read_bytes()


@pytest.fixture(scope="session")
def chromium() -> Any:
    """The browser; tests that need it are skipped where there is none."""
    try:
        return browser()
    except NotRun as missing:
        pytest.skip(f"{missing}: apt-get install chromium")


@pytest.fixture(scope="module")
def address(chromium: Any) -> Iterator[str]:
    """The address of a server that the tests of one module share."""
    with running_app() as started:
        yield started


@pytest.fixture(scope="module")
def context(chromium: Any) -> Iterator[Any]:
    """Browser storage shared by the pages of one module, so that the app's own files load once."""
    opened = chromium.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    yield opened
    opened.close()


@pytest.fixture
def open_page(address: str, context: Any) -> Iterator[Callable[..., Inspect]]:
    """Opens pages, `open_page(recipe="fixed()", k="3")`; at the end each must be free of troubles."""
    pages: list[Inspect] = []

    def opener(at: str = address, within: Any = context, **query: str) -> Inspect:
        pages.append(Inspect(within, at, **query))
        return pages[-1]

    yield opener
    try:
        for each in pages:
            each.check()
    finally:
        for each in pages:
            each.page.close()
            if each.page.context is not context:
                each.page.context.close()
