"""Awkward texts that every strategy must take."""

from __future__ import annotations

from hypothesis import strategies as st

AWKWARD = {
    "empty": "",
    "blank": " \n\t\r\n\u00a0 ",
    "one character": "x",
    "prose": "Dr. Vale paid 3.50 at 9 a.m. on Monday. Prof. Oke left early!\n\nMrs. Lind stayed. She read. "
    * 6,
    "crlf": "Para one. It goes on.\r\n\r\nPara two.\r\nNext line.\r\n\r\n\r\nPara three.\r\n",
    "lone cr": "# A\rtext one\r\r## B\rtext two. More text here.\r",
    "tabs": "a\tb\tc\n\tindented\n\t\tdeeper\n",
    "one line": "word " * 300,
    "no blanks": "x" * 700,
    "blank sea": "a" + "\n" * 900 + "b" + " " * 500 + "c",
    "emoji": "Family 👩‍👩‍👧‍👦 and flags 🇯🇵🇰🇷 and e\u0301n\u0303 " * 20,
    "cluster": "a" + "\u0301" * 90 + " b",
    "rtl": "هل وصل القطار؟ نعم، وصل. שלום עולם! " * 12,
    "cjk": "雨が止んだ。空は青い！本当に？はい。" * 15,
    "thai": "ภาษาไทยไม่มีช่องว่างระหว่างคำ" * 10,
    "hindi": "वह घर गया। बारिश हुई॥ " * 12,
    "markdown": (
        "---\ntitle: x\n---\nlead\n\n# One\n\n## Bare\n\n### Deep\n\ntext `code` [link](http://e.org/a_(b)#c) more.\n\n"
        "| id | name |\n|---|---|\n" + "".join(f"| {i} | item number {i} |\n" for i in range(12)) + "\n"
        "```py\n# not a heading\n\nx = 1\n```\n\n- a\n    - b\n        - c\n\n**Bold**\n\nSetext\n======\n\n> # quoted\n\ntail\n"
    ),
    "latex and html": "Cost $x$ and <b>bold</b> & <script>alert(1)</script>\n\n$$\\int$$ " * 9,
    "controls kept": "page one\x0cpage two\x0cpage\u2028three\u0085four " * 9,
    "special tokens": "before <|endoftext|> after <|fim_prefix|> " * 12,
    "quotes": "“k k. " * 120,
    "digits": "1234567890" * 60,
    "punctuation": "...!?!? --- *** ,,, " * 30,
}

PIECES = st.sampled_from(
    [*" \n\t.,;#|`*-", "\r\n", "\r", "\n\n", "word", "Wort", "é", "e\u0301", "日", "。", "👩‍👧", "🇯🇵", "\u200d", "\u00a0",
     "# ", "```\n", "| a | b |\n", "[x](y)", "Mr. ", "3.5", "\ufeff", "ن", "\u0e33", "- ", "“", "\x0c", "<b>", "$x$"]
)  # fmt: skip
GENERATED = st.lists(PIECES, max_size=60).map("".join)
