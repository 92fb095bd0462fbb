"""Processes that work for another one: they leave Ctrl-C to that one, and do not outlive it."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def work_for_parent() -> None:
    """Make this process one that works for the one which started it; to be called once, before all else."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


class Processes(ProcessPoolExecutor):
    """So many processes, started afresh and not forked: a fork would wait for threads that it does not have.

    `first` is what each of them does before all else; it calls `work_for_parent`.
    Raises `RuntimeError` where this process can start no threads.
    """

    def __init__(self, jobs: int, first: Callable[[], None] = work_for_parent) -> None:
        _try_threads(2)  # the executor has so many, and for want of one would wait for ever
        super().__init__(jobs, mp_context=get_context("spawn"), initializer=first)

    def submit(self, function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs) -> Future[R]:
        """Hand work to a process, which may be started for it."""
        with _deaf():
            return super().submit(function, *arguments, **named)


def _try_threads(count: int) -> None:
    """Start so many threads, and end them. Raises `RuntimeError` where that cannot be done."""
    finished = threading.Event()
    try:
        for _ in range(count):
            threading.Thread(target=finished.wait, daemon=True).start()
    finally:
        finished.set()


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started meanwhile do not hear Ctrl-C even before they can say so; Unix only."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
