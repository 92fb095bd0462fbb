"""Parallel work in processes, with results in order and bounded memory."""

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
"""Called after every step with the stage, the items done, and the total."""


class ParallelMap(Protocol):
    """A map over many arguments that keeps their order."""

    def __call__(self, work: Callable[[T], R], arguments: Iterable[T]) -> Iterator[R]:
        """Yield the results in the order of the arguments."""


def report_stage(progress: OnStageProgress, stage: str, total: int, results: Iterable[S]) -> Iterator[S]:
    """Yield the batches of a stage with `total` items; report each batch after it was processed."""
    done = 0
    progress(stage, done, total)
    for batch in results:
        yield batch
        done += len(batch)
        progress(stage, done, total)


def batches(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """Yield the items in batches of this size; the last batch may be smaller."""
    rest = iter(items)
    while batch := tuple(islice(rest, size)):
        yield batch


def in_turn(work: Callable[[T], R], arguments: Iterable[T]) -> Iterator[R]:
    """Do the work in this process."""
    return map(work, arguments)


@contextmanager
def worker_pool(jobs: int) -> Iterator[ParallelMap]:
    """Start worker processes; with one job, work in this process.

    If one is killed from outside, the results raise `concurrent.futures.BrokenExecutor`.
    """
    if jobs <= 1:
        yield in_turn
        return
    with WorkerProcesses(jobs) as pool:

        def run(work: Callable[[T], R], arguments: Iterable[T]) -> Iterator[R]:
            """Yield the results in the order of the arguments, taking only a few arguments ahead."""
            waiting: deque[Future[R]] = deque()
            for argument in arguments:
                waiting.append(pool.submit(work, argument))
                # Two for each process keep all of them busy; more would only fill the memory.
                if len(waiting) > 2 * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

        yield run
