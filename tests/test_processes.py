"""Processes that work for another one leave Ctrl-C to it, from their first moment on."""

import signal
import sys

import pytest

from grader.base.processes import Processes


def nothing() -> None:
    """What a process does first that has not yet come to turn its ears off."""


def heard() -> bool:
    """Whether this process would hear Ctrl-C."""
    return signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no masks of signals")
def test_processes_are_deaf_from_the_start() -> None:
    """A process that is only just starting does not hear Ctrl-C; the one that starts it still does."""
    with Processes(1, nothing) as pool:
        assert pool.submit(heard).result() is False
    assert heard()
