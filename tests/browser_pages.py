"""The other pages in a real browser, as `browser` has the first one."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from tests.browser import VIEW, Inspect

TABLE = "[data-testid=chunklab-table]"
PROBED = "_stcore"
"""Streamlit's own browser code looks for its server below the address of a page before it looks above."""


class Page(Inspect):
    """One of the pages that lie beside the first: opened by its own address."""

    name = ""

    def __init__(self, context: Any, address: str, **query: str):
        super().__init__(context, address, **query)
        self.table = self.page.locator(TABLE)

    def go(self, **query: str) -> None:
        """Opens the page by a deep link and waits until it is drawn."""
        self.page.goto(f"{self.address}/{self.name}?{urlencode(query)}")
        self._wait(f"{VIEW}[data-chunks], [data-testid=stHeading]")
        self.rest()

    def turn(self, name: str) -> None:
        """Goes to another page by the sidebar."""
        self.sidebar.get_by_role("link", name=name, exact=True).click()
        self.page.wait_for_url(
            lambda url: url.split("?")[0].endswith("/" if name == "Inspect" else f"/{name}")
        )
        self._wait(f"{VIEW}[data-chunks], [data-testid=stHeading]")
        self.rest()

    def upload(self, name: str, data: bytes) -> None:
        """Hands a file to the sidebar's uploader; does not wait for what comes of it."""
        if not self.sidebar.locator("input[type=file]").count():
            self.source("Upload")
        self.sidebar.locator("input[type=file]").first.set_input_files(
            {"name": name, "mimeType": "text/plain", "buffer": data}
        )

    def _console(self, message: Any) -> None:
        if PROBED not in message.location.get("url", ""):
            super()._console(message)

    @property
    def rows(self) -> list[dict[str, str]]:
        """The rows of the table of questions: what each cell says, by its column."""
        return self.table.locator("tbody tr").evaluate_all(
            "all => all.map(r => Object.fromEntries([...r.cells].map(c => [c.className, c.textContent])))"
        )

    def take_row(self, question: str) -> None:
        """Clicks the row of a question."""
        self.table.locator(f'tbody tr[data-question="{question}"]').click()
        self.until(
            lambda: self.table.locator(f'tr.taken[data-question="{question}"]').count(),
            f"{question} to be taken",
        )
        self.rest()


class Retrieve(Page):
    """The Retrieve page of one session."""

    name = "Retrieve"

    @property
    def ranks(self) -> list[int]:
        """The ranks of the cards."""
        return self.view.locator(".card").evaluate_all("all => all.map(c => Number(c.dataset.rank))")

    def card(self, rank: int) -> Any:
        """The card of a rank."""
        return self.view.locator(f'.card[data-rank="{rank}"]')

    def card_text(self, rank: int) -> str:
        """What a card shows of the text."""
        return self.card(rank).locator(".text").evaluate("t => t.textContent")

    @property
    def answer(self) -> str:
        """The line that says what became of the question."""
        return self.view.locator(".answer").inner_text()

    def painted_as(self, names: str) -> list[tuple[int, int]]:
        """The stretches of the text, near the window, that are painted with all of these classes."""
        found = self.view.locator(".block").evaluate_all(
            """(all, names) => { const found = []; let from = 0;
            for (const block of all) {
              if (!block.spans) { from += [...block.textContent].length; continue; }
              for (const span of block.spans) {
                const to = from + [...span.textContent].length;
                if (names.every(name => span.classList.contains(name))) {
                  if (found.length && found.at(-1)[1] === from) found.at(-1)[1] = to;
                  else found.push([from, to]);
                }
                from = to;
              }
            }
            return found; }""",
            names.split(),
        )
        return [tuple(pair) for pair in found]

    def ask(self, text: str) -> None:
        """Types a question and takes it over with Enter."""
        box = self.page.get_by_role("combobox", name="Question: type")
        box.click()
        box.fill(text)
        self.page.keyboard.press("Enter")
        self.until(lambda: box.input_value() == text, "the question to be taken")
        self.rest()


class Label(Page):
    """The Label page of one session."""

    name = "Label"

    @property
    def painted_marks(self) -> list[str]:
        """The texts painted as marked answers."""
        return self.view.locator(".block .evidence.marked").all_text_contents()

    def select(self, text: str) -> None:
        """Selects the first place of a text in the painted document with the mouse."""
        ends = """([view, text]) => {
          for (const block of view.querySelectorAll('.block')) {
            const at = block.textContent.indexOf(text);
            if (at < 0) continue;
            const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT), range = document.createRange();
            let from = 0;
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
              const to = from + node.length;
              if (at >= from && at < to) range.setStart(node, at - from);
              if (at + text.length > from && at + text.length <= to) range.setEnd(node, at + text.length - from);
              from = to;
            }
            range.startContainer.parentElement.scrollIntoView({ block: "center" });
            const boxes = range.getClientRects(), first = boxes[0], last = boxes[boxes.length - 1];
            return [first.left, first.top + first.height / 2, last.right, last.top + last.height / 2];
          } }"""
        view = self.view.element_handle()
        self.page.evaluate(ends, [view, text])
        self.page.wait_for_timeout(250)
        x, y, to_x, to_y = self.page.evaluate(ends, [view, text])
        mouse = self.page.mouse
        mouse.move(x + 1, y)
        mouse.down()
        mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=3)
        mouse.move(to_x - 1, to_y, steps=3)
        mouse.up()
