"""Settings that all tests share."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
if "PYTEST_XDIST_WORKER" not in os.environ:
    # A vector cache of the tests' own; workers inherit it.
    os.environ["CHUNKLAB_CACHE"] = tempfile.mkdtemp(prefix="chunklab-tests-")
    atexit.register(shutil.rmtree, os.environ["CHUNKLAB_CACHE"], ignore_errors=True)

settings.register_profile(
    "chunklab", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.load_profile("chunklab")


@pytest.fixture(autouse=True)
def own_main() -> Iterator[None]:
    """Takes back what Streamlit's AppTest leaves as `__main__`: spawned processes would run it."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
