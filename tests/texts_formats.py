"""Texts in each format, ordinary and awkward, and pieces from which hypothesis makes more."""

from __future__ import annotations

from hypothesis import strategies as st

SAMPLES = {
    "text/html": (
        "<h1>Guide</h1><p>Start <b>here</b>.</p><ul><li>a<ul><li>b</ul><li><p>c</p><p>d</p></ul><h2>Table</h2>"
        "<table><caption>Cap</caption><tr><th>k</th><th>v</th></tr><tr><td></td><td><p>x</p><p>y</p></td></tr></table>"
        "<pre>\n  one\n\n    two</pre><blockquote>q <a href='http://e.org'>a link</a></blockquote>tail"
    ),
    "text/x-rst": (
        "=====\nTitle\n=====\n\nIntro::\n\n  literal\n\n  more\n\nSub\n---\n\n.. note:: Mind\n\n   - a\n   - b\n\n"
        ".. code-block:: python\n\n   x = 1\n\n+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n\n"
        "== ==\nA  B\n== ==\n1  2\n3  4\n== ==\n\nterm\n  definition\n\nSecond\n------\n\nEnd.\n"
    ),
    "text/plain": (
        "1. Scope\n\nText of it.\n\n1.1 Terms\n\nMore text.\n\n1. a list\n\n2. of things\n\n2. Model\n\nText.\n\n"
        "Appendix A. Thanks\n\nText.\n"
    ),
    "application/json": '{"a": {"b": [1, [2, "x, y"]]}, "c/d~": null, "e": [], "t": "A sentence. And one more."}',
    "application/x-ndjson": '{"a": 1}\n\n{"b": [1, 2]}\n"x"\n',
    "application/xml": (
        '<?xml version="1.0"?><cat><book id="1>2"><t>One é</t><d>Long <b>bold text</b> and more. Then on.</d></book>'
        "<book/><!-- c --><![CDATA[ <x> ]]></cat>"
    ),
    "text/csv": 'id,name,note\n1,Ann,"two\nlines"\n2,Bob,"a ""b"", c"\n\n3,Cy,5" pipe\n',
    "text/tab-separated-values": "a\tb\n\t2\n3\t\n",
    "application/x-ipynb+json": (
        '{"cells": [{"cell_type": "markdown", "source": ["# Top\\n", "text [l](u)"]},'
        '{"cell_type": "code", "source": "x = 1\\n\\ny = 2", "outputs": [{}]}], "metadata": {}, "nbformat": 4}'
    ),
}  # fmt: skip

_PIECES = {
    "text/html": ["<h1>", "</h1>", "<p>", "<b>", "</b>", "<pre>", "</pre>", "<table>", "<tr>", "<td>", "</table>", "<li>",
                  "<ul>", "</ul>", "<a>", "</a>", "<br>", "<script>", "</script>", "<title>", "&amp;", "&#1;", "&nbsp;", "<!--",
                  "<h2>", "</h2>", "<div>", "</div>", "<template>", "<svg>", "<textarea>"],
    "text/x-rst": ["=====", "----", "Title\n=====\n", "::\n\n", "  ", "    x\n", "- ", "1. ", ".. note::", ".. code::", ".. x\n", "== ==\n",
                   "+--+\n", "| a|\n", "+==+\n", ">>> ", ":f: "],
    "text/plain": ["1. ", "1.1 ", "2 ", "Title\n\n", "Section 4. ", "§ 7", "Article IV", "A.1 ", "Appendix B", "....3\n", "\n\n"],
    "application/json": ["{", "}", "[", "]", ",", ":", '"', '"a"', "1", "-", "0", "1e5", "true", "null", "NaN", "\\", "\\u00e9"],
    "application/xml": ["<a>", "</a>", "<b/>", "<b x='>'>", "</b>", "&amp;", "&x;", "<!--", "-->", "<![CDATA[", "]]>", "<?xml version='1.0'?>",
                        "<!DOCTYPE a [<!ENTITY x 'y'>]>", "<", ">"],
    "text/csv": [",", ";", "\t", "|", '"', '""', "a", '"x\ny"', '",'],
    "application/x-ipynb+json": ['{"cells": [', '{"cell_type": "markdown", "source": "# H"}', '{"source": ["a", 1]}', ",", "]}", "[", "{"],
}  # fmt: skip
_PIECES["application/x-ndjson"] = _PIECES["application/json"]
_PIECES["text/tab-separated-values"] = _PIECES["text/csv"]
_COMMON = [
    "\n",
    "\r\n",
    "\r",
    " ",
    "word",
    "é",
    "e\u0301",
    "👩‍👧",
    "\u00a0",
    "\x0c",
    "\u2028",
    "\ud800",
    "日。",
    "\n\n",
]


def texts_of(media_type: str) -> st.SearchStrategy[str]:
    """Texts made of the pieces that a format is made of, and of any characters."""
    pieces = st.sampled_from(_PIECES[media_type] + _COMMON) | st.text(max_size=3)
    whole = st.sampled_from([SAMPLES[media_type]])
    cut = st.tuples(whole, st.integers(0, 400), st.integers(0, 400)).map(
        lambda given: given[0][: given[1]] + given[0][given[2] :]
    )
    return st.lists(pieces, max_size=40).map("".join) | cut
