"""Worker processes: they leave Ctrl-C to their parent, and do not outlive it."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, ParamSpec, TypeVar

from grader.base.interrupts import delayed_interrupts, end_children

P = ParamSpec("P")
R = TypeVar("R")

MIN_WORKER_SECONDS = 2.0
"""The least work for one more process: starting it takes half a second."""


def usable_cores() -> int:
    """Return the number of cores this process may use; in a container often fewer than the machine has."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def worker_count(jobs: int | None, seconds: float) -> int:
    """Return how many processes to use for work that takes one process about `seconds`.

    This is `jobs` if given, else the number of usable cores, or fewer if the work does not outweigh
    starting them.
    """
    if jobs is not None:
        return jobs
    return max(1, min(usable_cores(), int(seconds / MIN_WORKER_SECONDS)))


def work_for_parent() -> None:
    """Ignore Ctrl-C and end with the parent process; to be called once, before anything else."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


class WorkerProcesses(ProcessPoolExecutor):
    """A pool of `jobs` spawned processes: a forked one would wait for threads that it does not have.

    Each process calls `first` at its start, which calls `work_for_parent`. As a context it waits for the
    processes at the end, but after Ctrl-C it ends them.
    Raises `RuntimeError` if this process cannot start threads.
    """

    def __init__(self, jobs: int, first: Callable[[], None] = work_for_parent) -> None:
        _require_threads(2)  # the executor needs two, and would wait forever for a missing one
        with _starting_processes():
            super().__init__(jobs, mp_context=get_context("spawn"), initializer=first)

    def __exit__(self, error: type[BaseException] | None, *rest: object) -> None:
        if error is not None and issubclass(error, KeyboardInterrupt):
            self.end()
            return
        try:
            self.shutdown(cancel_futures=True)
        except KeyboardInterrupt:
            self.end()
            raise

    def end(self) -> None:
        """End the processes at once, even in the middle of work.

        This waits for the thread that manages them: if Python exits while it closes its pipes, Python may
        write to a closed one.
        """
        with delayed_interrupts():
            end_children()
            self.shutdown(cancel_futures=True)

    def submit(self, function: Callable[P, R], /, *arguments: P.args, **keywords: P.kwargs) -> Future[R]:
        """Give work to a process, which may be started for it."""
        with _starting_processes():
            return super().submit(function, *arguments, **keywords)


class HelperProcess:
    """A process that answers messages one by one with `answer`, and is ended if an answer takes too long.

    It starts with the first message, and again after it was ended. `answer` is a function of a module.
    """

    def __init__(self, answer: Callable[[Any], Any], seconds: float) -> None:
        self._answer, self._seconds = answer, seconds
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    def ask(self, message: Any) -> Any:
        """Return the answer to a message.

        Raises `TimeoutError` after `seconds`, and `EOFError` if the process crashes; the next message
        starts a new one.
        """
        if self._process is None or self._connection is None or not self._process.is_alive():
            self._start()
        assert self._connection is not None
        try:
            self._connection.send(message)
            if not self._connection.poll(self._seconds):
                raise TimeoutError
            return self._connection.recv()
        except ConnectionError:
            raise EOFError from None
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """End the process."""
        if self._process is not None and self._connection is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
        self._process = self._connection = None

    def _start(self) -> None:
        """Start a new process, after ending the one before, if there is one."""
        self.end()
        context = get_context("spawn")
        with _starting_processes():
            ours, theirs = context.Pipe()
            process = context.Process(target=_answer_all, args=(self._answer, theirs), daemon=True)
            process.start()
            theirs.close()
            self._process, self._connection = process, ours


def _answer_all(answer: Callable[[Any], Any], connection: Connection) -> None:
    """Answer the messages of the parent process until it closes the connection."""
    work_for_parent()
    while True:
        try:
            message = connection.recv()
        except EOFError:
            return
        connection.send(answer(message))


def _require_threads(count: int) -> None:
    """Start `count` threads and end them. Raises `RuntimeError` if that fails."""
    finished = threading.Event()
    try:
        for _ in range(count):
            threading.Thread(target=finished.wait, daemon=True).start()
    finally:
        finished.set()


@contextmanager
def _starting_processes() -> Iterator[None]:
    """Let Ctrl-C wait while processes are started: a child whose parent stops halfway prints a traceback.

    On Unix the children start with Ctrl-C blocked, until they ignore it themselves.
    """
    with delayed_interrupts():
        if sys.platform == "win32":
            yield
            return
        from multiprocessing import resource_tracker  # a browser lacks it, and starts no processes

        resource_tracker.ensure_running()  # starting it would unblock Ctrl-C
        previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)
