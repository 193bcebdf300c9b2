"""The app in a real browser: what a person's page really shows of a document."""

from __future__ import annotations

import atexit
import contextlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from functools import cache
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.case_app import ROOT
from tests.case_model import NotBuilt, NotRun

_VIEW = "[data-testid=chunklab-view]"
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
_WAIT = 60_000
_OPEN: list[Any] = []
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


class View:
    """The page of one document: its text as shown, what it asked for, what ran in it."""

    def __init__(self, page: Any, foreign: list[str], dialogs: list[str]):
        self.page, self.foreign, self.dialogs = page, foreign, dialogs

    @property
    def text(self) -> str:
        """The document as the page shows it."""
        return self.page.locator(f"{_VIEW} .block").evaluate_all(
            "all => all.map(b => b.textContent).join('')"
        )

    @property
    def white_space(self) -> str:
        """How the blocks treat blanks, as CSS says it."""
        return self.page.locator(f"{_VIEW} .block").first.evaluate("b => getComputedStyle(b).whiteSpace")

    @property
    def overlap_texts(self) -> list[str]:
        """The stretches marked as shared by chunks, neighbouring stretches joined."""
        return self.page.locator(f"{_VIEW} .block").evaluate_all(
            """all => { const out = []; let open = false;
            for (const block of all) for (const span of block.children) {
              const over = span.classList.contains('over');
              if (over && open) out[out.length - 1] += span.textContent;
              else if (over) out.push(span.textContent);
              open = over; }
            return out; }"""
        )

    @property
    def links(self) -> list[str]:
        """Where the links of the page lead."""
        return self.page.locator("a[href]").evaluate_all("all => all.map(a => a.href)")

    def count(self, selector: str) -> int:
        """How many such elements the document's text has become."""
        return self.page.locator(f"{_VIEW} .block").locator(selector).count()

    def count_on_page(self, selector: str) -> int:
        """How many such elements the whole page has."""
        return self.page.locator(selector).count()

    def marks_blanks(self) -> bool:
        """Whether blanks, tabs and line ends get signs of their own once marks are switched on."""
        before = self.text
        switch = self.page.locator(f"{_VIEW} [data-act=marks]")
        if not switch.count():
            return False
        switch.first.click()
        marks = self.page.locator(f"{_VIEW} .block .mark")
        with contextlib.suppress(Exception):
            marks.first.wait_for(state="attached", timeout=5000)
        signs = marks.evaluate_all("all => all.map(m => getComputedStyle(m, '::before').content)")
        kinds = marks.evaluate_all("all => all.map(m => m.textContent)")
        wanted = {each for each in " \t\n" if each in before}
        return (
            bool(signs)
            and all(sign not in ("none", "normal", '""') for sign in signs)
            and wanted <= set(kinds)
        )

    def alive(self) -> bool:
        """Whether the page still shows its numbers and the server still answers."""
        return bool(self.page.locator("[data-number] .value").count()) and _healthy(server())


def show(name: str, data: bytes, query: dict[str, str] | None = None) -> View:
    """Opens the app in a new browser context, uploads a file and waits until its document is drawn."""
    context = browser().new_context(viewport={"width": 1280, "height": 900})
    _OPEN.append(context)
    foreign: list[str] = []
    dialogs: list[str] = []
    own = urlsplit(server()).netloc

    def watch(request: Any) -> None:
        address = urlsplit(request.url)
        if address.scheme in ("http", "https", "ws", "wss") and address.netloc != own:
            foreign.append(request.url)

    context.on("request", watch)
    page = context.new_page()
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.goto(f"{server()}/?{urlencode(query or {})}", timeout=_WAIT)
    page.locator(_VIEW).first.wait_for(timeout=_WAIT)
    _open_uploader(page)
    page.locator("input[type=file]").first.set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": data}
    )
    page.locator(f"{_VIEW} .title", has_text=name).first.wait_for(timeout=_WAIT)
    page.locator(f"{_VIEW}:not([data-waiting])").first.wait_for(timeout=_WAIT)
    page.wait_for_timeout(500)
    return View(page, foreign, dialogs)


def _open_uploader(page: Any) -> None:
    if page.locator("input[type=file]").count():
        return
    choice = page.locator("[data-testid=stSidebar]").get_by_text("Upload", exact=True).first
    try:
        choice.click(timeout=_WAIT)
    except Exception:
        raise NotRun("the page has no place to upload") from None
    page.locator("input[type=file]").first.wait_for(state="attached", timeout=_WAIT)


def close_pages() -> None:
    """Ends the pages of earlier cases, if there are any."""
    while _OPEN:
        _OPEN.pop().close()


@cache
def server() -> str:
    """The address of the app's server, started once and stopped at exit."""
    if not (ROOT / "app.py").exists():
        raise NotBuilt("the app")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    running = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true",
         f"--server.port={port}", "--server.address=127.0.0.1",
         "--browser.gatherUsageStats=false", "--server.fileWatcherType=none"],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    atexit.register(running.terminate)
    address = f"http://127.0.0.1:{port}"
    for _ in range(300):
        if _healthy(address):
            return address
        if running.poll() is not None:
            break
        time.sleep(0.2)
    raise NotRun("the app's server does not start")


def _healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:
            return answer.status == 200
    except OSError:
        return False


@cache
def browser() -> Any:
    """A headless browser, started once; NotRun where there is none."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise NotRun("playwright is not installed") from None
    program = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if program is None:
        raise NotRun("no browser is installed")
    driver = sync_playwright().start()
    started = driver.chromium.launch(executable_path=program, args=_FLAGS)
    atexit.register(lambda: (started.close(), driver.stop()))
    return started
