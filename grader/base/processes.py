"""Processes that work for another one: they leave Ctrl-C to that one, and do not outlive it."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def work_for_parent(wanted: Connection) -> None:
    """Make this process one that works for the one which started it; to be called once, before all else.

    It ends in the middle of its work when the other end of `wanted` is closed, or gone with who held it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(wanted,), daemon=True).start()


def _end_with(wanted: Connection) -> None:
    wait([wanted])
    _AT_WORK.acquire(timeout=SECONDS)
    os._exit(1)


SECONDS = 2.0
"""How long a process that is to end may still hand back a result: half of one would be awaited for ever."""

_AT_WORK = threading.Semaphore(0)
"""One while this process is at its work, none while it waits for more or hands back what came of it."""


def _work(function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs) -> R:
    _AT_WORK.release()
    try:
        return function(*arguments, **named)
    finally:
        _AT_WORK.acquire()


class Processes(ProcessPoolExecutor):
    """So many processes, started afresh and not forked: a fork would wait for threads that it does not have.

    `first` is what each of them does before all else; it calls `work_for_parent`.
    Raises `RuntimeError` where this process can start no threads.
    """

    def __init__(self, jobs: int, first: Callable[[Connection], None] = work_for_parent) -> None:
        _try_threads(2)  # the executor has so many, and for want of one would wait for ever
        context = get_context("spawn")
        wanted, self._wanting = context.Pipe(duplex=False)
        super().__init__(jobs, mp_context=context, initializer=first, initargs=(wanted,))

    def submit(self, function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs) -> Future[R]:
        """Hand work to a process, which may be started for it."""
        with _deaf():
            return super().submit(_work, function, *arguments, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Give the processes back; with `cancel_futures` they end at once, in the middle of their work."""
        if cancel_futures:
            self._wanting.close()
        super().shutdown(wait, cancel_futures=cancel_futures)


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
