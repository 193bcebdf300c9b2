"""Named recipes to start from: the settings that well-known texts on chunking use."""

from __future__ import annotations

PRESETS = {
    "recursive, the usual default": "recursive()",
    "notebook: windows of 200, overlap 40": "fixed(size=200,overlap=40)",
    "notebook: paragraph, sentence, hard cut": "recursive(size=200,overlap=0,separators=notebook)",
    "lesson: windows of 500, overlap 50": "fixed(size=500,overlap=50)",
    "lesson: sentences up to 500": "sentence()",
    "blog: windows of 1000, overlap 150": "fixed(size=1000,overlap=150)",
    "one sentence a chunk": "sentence(n=1)",
    "Markdown sections with their headings": "markdown() | headings()",
}
"""Name -> recipe text; every name says what it sets."""
