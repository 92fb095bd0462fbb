"""Makes items one step ahead of their use, in a separate thread."""

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def prefetch(steps: Generator[T, None, None]) -> Generator[T, None, None]:
    """Yield the same items, each made in one other thread while the one before it is used.

    This saves time if one side releases the interpreter, as SQLite does while it works.
    An exception of a step is raised in its turn. The thread ends when this generator ends or is closed.
    If no thread can be started, each item is made on demand.
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
