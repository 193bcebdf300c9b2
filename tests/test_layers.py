"""Imports point one way only, and nothing heavy is loaded before it is used."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted((ROOT / "chunklab").rglob("*.py"))

# Each layer may import itself and what stands before it.
LAYERS = [
    {"errors", "progress"},
    {"types", "params", "one_thread"},
    {"discovery", "characters", "offsets", "scan", "tokens"},
    {
        "anchor",
        "limits",
        "edits",
        "measure",
        "neural",
        "database",
        "kept",
        "pairs",
        "vector_cache",
        "vector_check",
        "weights",
        "patterns",
        "recipe",
        "presets",
        "quotation",
        "sentences",
        "syntax",
    },
    {"batching", "embedders", "likeness", "outline"},
    {"boundaries", "intake", "sections"},
    {
        "packing",
        "filling",
        "plain",
        "tables",
        "searches",
        "lazy",
        "structure",
        "chains",
        "depths",
        "advise",
        "contexts",
        "strategies.base",
    },
    {"chunking", "nesting", "parts", "grouping", "embedded"},
    {"vectors"},
    {"meaning"},
    {"strategies", "returns"},
    {
        "intervals",
        "joined",
        "coverage",
        "chroma",
        "metrics",
        "retrievers",
        "returned",
        "resampling",
        "stats",
        "held",
        "reasons",
        "agreement",
        "prompt",
        "questions",
        "corpus",
        "axes",
        "grid",
    },
    {"line", "document_level", "scoring", "segmentation"},
    {
        "experiment",
        "report",
        "chance",
        "ceiling",
        "controls",
        "views",
        "export",
        "lint",
        "diff",
        "runs",
        "comparable",
        "compare",
        "checks",
        "why",
        "sweep",
        "standing",
        "transforms",
    },
    {"exercises"},
    {"eval_recall", "labels", "commands", "cli", "__main__"},
]
LEVEL = {name: at for at, names in enumerate(LAYERS) for name in names}
# A type that is only named in a signature is no dependency.
TYPE_ONLY = "TYPE_CHECKING"


def _imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == TYPE_ONLY:
            node.body = []
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module)
            names |= {f"{node.module}.{each.name}" for each in node.names if node.module == "chunklab"}
    return names


def _layer(path: Path) -> str:
    return _named(path.relative_to(ROOT / "chunklab").with_suffix("").parts)


def _named(parts: tuple[str, ...]) -> str:
    """The base of a family of components stands before what the family is built on."""
    return ".".join(parts[:2]) if ".".join(parts[:2]) in LEVEL else parts[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_point_left(path: Path) -> None:
    own = _layer(path)
    if own == "__init__":
        assert not {name for name in _imports(path) if name.startswith("chunklab")}, "names are loaded on use"
        return
    for name in _imports(path):
        assert name.partition(".")[0] not in ("streamlit", "pages")
        if name.startswith("plotly"):
            assert path.parent.name == "views" and path.name.startswith("figures")
        if name.startswith("chunklab.") and name != "chunklab.__version__":
            other = _named(tuple(name.split(".")[1:]))
            assert other == own or LEVEL[other] <= LEVEL[own], f"{own} imports {other}"


def test_every_module_has_a_layer_and_one_idea() -> None:
    assert {_layer(path) for path in MODULES} - {"__init__"} == set(LEVEL)
    long = {
        path.name: count for path in MODULES if (count := len(path.read_text("utf-8").splitlines())) > 220
    }
    assert not long


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import chunklab.cli", {"streamlit", "torch", "plotly", "transformers", "sentence_transformers", "pandas", "tiktoken"}),
        ("import pages.ui.inspect, pages.ui.below", {"torch", "transformers", "sentence_transformers"}),
    ],
)  # fmt: skip
def test_a_fresh_process_loads_nothing_heavy(code: str, absent: set[str]) -> None:
    report = f"{code}; import sys, json; print(json.dumps(sorted(m.partition('.')[0] for m in sys.modules)))"
    out = subprocess.run([sys.executable, "-c", report], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not absent & set(json.loads(out.stdout.splitlines()[-1]))


def test_chunking_the_same_in_every_process() -> None:
    code = (
        "from chunklab.chunking import chunk; from chunklab.types import Document; from pathlib import Path;"
        "text = Path('sample_corpora/mixed/mixed.md').read_text('utf-8');"
        "print(chunk(Document('m', text, 'text/markdown'), 'recursive(size=120,overlap=30)').spans.tolist())"
    )
    outs = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
        ).stdout
        for seed in ("0", "1", "77")
    }  # fmt: skip
    assert len(outs) == 1 and outs.pop().startswith("[[0,")


def test_every_public_name_can_be_had() -> None:
    import chunklab

    for name in chunklab.__all__:
        assert getattr(chunklab, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        chunklab.nope  # noqa: B018


def test_a_public_name_stays_what_it_is_when_a_module_of_that_name_is_imported() -> None:
    code = (
        "import chunklab.report, chunklab.diff, chunklab.sweep.costs; from chunklab import report, diff, sweep, stats;"
        "from chunklab.report import coverage; import chunklab;"
        "print(type(chunklab.report).__name__, type(report).__name__, type(diff).__name__, type(sweep).__name__,"
        " type(stats).__name__, chunklab.report is report)"
    )
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["function", "function", "function", "function", "module", "True"]
