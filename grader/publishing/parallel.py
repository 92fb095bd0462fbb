"""Work done side by side by processes, with the results in order and the memory bounded."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import islice
from typing import Protocol, TypeAlias, TypeVar

from grader.base.processes import WorkerProcesses

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S", bound=Sized)


OnStageProgress: TypeAlias = Callable[[str, int, int], None]
"""Told of every step: what is being done, how much of it is done, out of how much."""


class ParallelMap(Protocol):
    """Does a function on many arguments and gives the results in their order."""

    def __call__(self, work: Callable[[T], R], arguments: Iterable[T]) -> Iterator[R]:
        """The results, one by one, in the order of the arguments."""


def report_stage(progress: OnStageProgress, stage: str, total: int, made: Iterable[S]) -> Iterator[S]:
    """Batches of a whole of so many, as they come; progress is told of each when it has been dealt with."""
    done = 0
    progress(stage, done, total)
    for batch in made:
        yield batch
        done += len(batch)
        progress(stage, done, total)


def batches(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """The items in their order, so many at a time; the last are what is left."""
    rest = iter(items)
    while batch := tuple(islice(rest, size)):
        yield batch


def in_turn(work: Callable[[T], R], arguments: Iterable[T]) -> Iterator[R]:
    """Do it in this process, one after the other."""
    return map(work, arguments)


@contextmanager
def worker_pool(jobs: int) -> Iterator[ParallelMap]:
    """Processes that work side by side; with one job, this process alone.

    When one is ended from outside, asking for results raises `concurrent.futures.BrokenExecutor`.
    """
    if jobs <= 1:
        yield in_turn
        return
    pool = WorkerProcesses(jobs)
    try:

        def run(work: Callable[[T], R], arguments: Iterable[T]) -> Iterator[R]:
            waiting: deque[Future[R]] = deque()
            for argument in arguments:
                waiting.append(pool.submit(work, argument))
                # Two for each process keep all of them busy; more would only fill the memory.
                if len(waiting) > 2 * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

        yield run
    finally:
        pool.shutdown(cancel_futures=True)
