"""Work that is one step ahead of whoever uses it, in a thread of its own."""

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def prefetch(steps: Generator[T, None, None]) -> Generator[T, None, None]:
    """The same items, each made while the one before it is used; all of them are made in one other thread.

    That saves time where one of both lets the other run, as SQLite does while it works.
    What a step raises is raised in its turn. The thread is gone when this ends or is closed.
    Where no thread can be started, each is made when it is asked for.
    """
    with ThreadPoolExecutor(1) as thread:
        try:
            coming = thread.submit(next, steps, None)
        except RuntimeError:
            yield from steps
            return
        try:
            while (item := coming.result()) is not None:
                coming = thread.submit(next, steps, None)
                yield item
        finally:
            thread.submit(steps.close).result()
