"""Processes that tests start and end."""

from __future__ import annotations

import signal


def hears_ctrl_c() -> None:
    """For `preexec_fn`: undoes what a shell does to a job in its background, which would ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
