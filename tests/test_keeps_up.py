"""What follows a slider while it is dragged: sums, and what a model has encoded before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chunklab.chunking import chunk
from chunklab.corpus import Corpus
from chunklab.embedders.hashing import Hashing
from chunklab.embedders.minilm import Minilm
from chunklab.embedders.static import Static
from chunklab.one_thread import LARGE, product
from chunklab.recipe import parse_recipe
from chunklab.retrievers.approximate import Approximate
from chunklab.retrievers.bm25 import Bm25
from chunklab.retrievers.dense import Dense
from chunklab.types import Document, Evidence, Question, Span
from pages.ui.inspect import make_scene
from pages.ui.state import View

ROOT = Path(__file__).resolve().parents[1]
TEXT = "The harbour keeps two tide gauges. One stands at the pier, the other was lost in spring. " * 4


def test_a_model_keeps_up_where_all_texts_are_encoded():
    chunks = [chunk(Document("d", f"Kept apart. {TEXT}"), "fixed(size=90)")]
    assert not Dense().keeps_up(Minilm()) and not Dense().keeps_up(Minilm(), chunks)
    Minilm().similarities(["Which gauge was lost?"], chunks[0])
    assert Dense().keeps_up(Minilm(), chunks) and not Dense().keeps_up(Minilm())
    other = chunk(chunks[0].document, "fixed(size=70)")
    assert not Dense().keeps_up(Minilm(), [*chunks, other])
    assert not Approximate().keeps_up(Minilm(), chunks) and Bm25().keeps_up(Minilm(), [other])
    assert Dense().keeps_up(Hashing(), [other]) and Dense().keeps_up(Static(), ())


def test_late_keeps_up_at_any_size_once_the_document_is_read():
    document = Document("d", f"Read as a whole. {TEXT}")
    first, second = (chunk(document, f"fixed(size={size}) | late()") for size in (90, 70))
    assert not Dense().keeps_up(Minilm(), [first])
    Minilm().similarities(["Which gauge was lost?"], first)
    assert Dense().keeps_up(Minilm(), [first]) and Dense().keeps_up(Minilm(), [second])
    assert not Dense().keeps_up(Minilm(), [chunk(document, "fixed(size=70) | late(window=16)")])


def test_recall_follows_the_slider_with_late():
    document = Document("d", f"Seen on the page. {TEXT}")
    place = Evidence("d", Span(document.text.index("One"), document.text.index("spring")))
    corpus = Corpus("c", (document,), (Question("q", "Which gauge was lost?", (place,)),))
    views = [
        View(parse_recipe(f"fixed(size={size}) | late()"), embedder="minilm()") for size in (100, 60, 140)
    ]
    assert make_scene(views[0], corpus, document, live=True).evaluation is None
    make_scene(views[0], corpus, document)
    for view in views[1:]:
        scene = make_scene(view, corpus, document, live=True)
        assert scene.evaluation is not None and scene.evaluation.recipe == str(view.recipe)


def test_a_loaded_model_is_left_out_of_the_collections_after_each_run():
    code = (
        "import gc; from streamlit.testing.v1 import AppTest\n"
        "page = AppTest.from_file('app.py', default_timeout=120); page.query_params['sample'] = 'mixed'\n"
        "page.run(); page.query_params['embedder'] = 'minilm()'; page.run(); assert not page.exception\n"
        "import sys; assert 'torch' in sys.modules; print(len(gc.get_objects()))"
    )
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    # The model and what it imports are some 400,000.
    assert int(out.stdout.splitlines()[-1]) < 150_000


@given(st.integers(0, 40), st.integers(0, 700), st.integers(1, 90), st.integers(0, 99))
def test_products_in_one_thread_are_the_products(queries, rows, width, seed):
    random = np.random.default_rng(seed)
    left, right = (random.integers(-9, 9, (count, width)).astype(float) for count in (queries, rows))
    assert np.array_equal(product(left, right), left @ right.T)


def test_large_products_are_left_to_all_threads():
    left, right = np.ones((1 << 9, 1 << 8)), np.ones((LARGE >> 17, 1 << 8))
    assert np.array_equal(product(left, right), np.full((len(left), len(right)), 256.0))
