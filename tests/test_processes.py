"""Processes that work for another one leave Ctrl-C to it from their first moment on, and end with it."""

import signal
import sys
from collections.abc import Callable
from multiprocessing import active_children
from multiprocessing.connection import Connection
from pathlib import Path
from time import sleep

import pytest

from grader.base.processes import Processes


def nothing(_: Connection) -> None:
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


def slow(begun: Path) -> None:
    """Work that takes longer than anybody who is stopped should wait; it tells when it begins and ends."""
    begun.touch()
    sleep(20)
    begun.with_suffix(".done").touch()


def large(begun: Path) -> bytes:
    """Work with a result that does not fit into a pipe; it tells when it begins."""
    begun.touch()
    return bytes(2**26)


@pytest.mark.parametrize(("work", "later"), [(slow, 0), (large, 0.05), (large, 0.1)])
def test_processes_end_at_once(work: Callable[[Path], object], later: float, tmp_path: Path) -> None:
    """Work that nobody wants any more is not finished, begun or not, and half a result is not waited for."""
    pool = Processes(1)
    for number in range(3):
        pool.submit(work, tmp_path / str(number))
    while not (tmp_path / "0").exists():
        sleep(0.001)
    sleep(later)
    pool.shutdown(cancel_futures=True)
    assert active_children() == []
    assert not list(tmp_path.glob("*.done"))
