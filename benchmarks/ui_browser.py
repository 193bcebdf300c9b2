"""Streamlit servers and pages with a slider, dragged in Chromium by code inside the page."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, ElementHandle, Page

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
STEPS_JS = (HERE / "ui_steps.js").read_text(encoding="utf-8")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def chromium(program: str) -> str:
    """The path of a Chromium; exit status 2, in the program's name, when there is none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        print(f"{program}: needs Chromium, found none. Install it, for example by apt.", file=sys.stderr)
        raise SystemExit(2)
    return found


@dataclass
class Place:
    """A page with a slider: its browser page, its root element and which slider is dragged."""

    page: Page
    root: ElementHandle
    selector: str

    def call(self, function: str, *values: Any) -> Any:
        """Runs a function of ui_steps.js on the root."""
        code = f"(root, values) => {{ {STEPS_JS}; return {function}(root, ...values); }}"
        return self.root.evaluate(code, [self.selector, *values])

    def drag(self, values: list[int], gap: int) -> list[dict[str, float]]:
        """Drags through the values with this page in front."""
        self.page.bring_to_front()
        return self.call("drag", values, gap)


@contextmanager
def server(script: Path, **environment: str) -> Iterator[tuple[str, int]]:
    """A Streamlit server on a free port: its address and its process id; stopped at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = {
        "server.headless": "true", "server.port": port, "server.address": "127.0.0.1",
        "browser.gatherUsageStats": "false", "server.fileWatcherType": "none",
    }  # fmt: skip
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    # Byte code is kept, as everywhere but where somebody forbids it: the pages would be compiled at every start.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as log:
        running = subprocess.Popen(
            [*command, *(f"--{name}={value}" for name, value in options.items())],
            cwd=ROOT, env={**inherited, **environment}, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(address, running)
            yield address, running.pid
        finally:
            running.terminate()
            try:
                running.wait(10)
            except subprocess.TimeoutExpired:
                running.kill()


def _wait_for(address: str, running: subprocess.Popen, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and running.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("A Streamlit server did not start.")


def open_view(page: Page, address: str, test_id: str, selector: str, seconds: int = 90) -> Place:
    """The page once its view is drawn and at rest."""
    page.goto(address, timeout=90_000)
    view = page.locator(f"[data-testid={test_id}][data-painted-seq]:not([data-waiting])")
    view.wait_for(timeout=seconds * 1000)
    page.wait_for_timeout(1500)
    return Place(page, view.element_handle(), selector)


def cpu_seconds(pid: int) -> float | None:
    """CPU time that a process has taken, where the system tells (Linux)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / TICKS


def kilobytes_per_step(place: Place, values: list[int]) -> float:
    """KB that the server sends for one step."""
    received: list[int] = []
    session: CDPSession = place.page.context.new_cdp_session(place.page)
    session.send("Network.enable")
    session.on("Network.webSocketFrameReceived", lambda event: received.append(_size(event["response"])))
    place.drag(values, 150)
    place.page.wait_for_timeout(300)
    session.detach()
    return sum(received) / len(values) / 1000


def _size(frame: dict[str, Any]) -> int:
    return len(frame["payloadData"]) * 3 // 4 if frame["opcode"] == 2 else len(frame["payloadData"])
