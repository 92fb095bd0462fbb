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

MIN_WORKER_SECONDS = 2.0
"""Work for one more process: starting it takes half a second, which is lost on less than four times that."""


def usable_cores() -> int:
    """Return how many cores this process may use, which is fewer than the machine has in many containers."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def worker_count(jobs: int | None, seconds: float) -> int:
    """Return how many processes to use for work that takes one of them about so many seconds.

    A number that somebody asked for is kept. Otherwise it is the number of usable cores, or fewer where
    the work does not outweigh starting them.
    """
    if jobs is not None:
        return jobs
    return max(1, min(usable_cores(), int(seconds / MIN_WORKER_SECONDS)))


def work_for_parent() -> None:
    """Make this process one that works for the one which started it; to be called once, before all else."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


class WorkerProcesses(ProcessPoolExecutor):
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
