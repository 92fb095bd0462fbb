"""How far a long command has come: a bar on stderr, only where someone watches."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TypeVar

import typer

T = TypeVar("T")

WIDTH = 18
"""How wide labels are, so that bars below each other begin in one column."""


@contextmanager
def watching(label: str, count: int) -> Iterator[Callable[[int], None]]:
    """Gives a function that hears how many more of `count` are done; the bar on stderr follows.

    Nothing is shown of a single thing, or when stderr is no terminal.
    """
    if count < 2 or not sys.stderr.isatty():
        yield lambda _more: None
        return
    with typer.progressbar(length=count, label=f"{label:<{WIDTH}}", file=sys.stderr) as bar:
        yield bar.update


@contextmanager
def counting(label: str, things: str) -> Iterator[Callable[[int], None]]:
    """Gives a function that hears how many things are done so far, where nobody knows of how many."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return

    def show(done: int) -> None:
        sys.stderr.write(f"\r{label:<{WIDTH}}  {done:,} {things}")
        sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write("\n")


@contextmanager
def watching_stages() -> Iterator[Callable[[str, int, int], None]]:
    """Gives a function that hears how many of how many are done in which stage; every stage has a bar."""
    with ExitStack() as bars:
        stage, before = "", 0
        tell: Callable[[int], None]

        def show(now: str, done: int, count: int) -> None:
            nonlocal stage, before, tell
            if now != stage:
                bars.close()
                stage, before, tell = now, 0, bars.enter_context(watching(now, count))
            tell(done - before)
            before = done

        yield show


def watched(things: Iterable[T], count: int, label: str) -> Iterator[T]:
    """The things one by one, `count` of them, with a bar on stderr."""
    with watching(label, count) as tell:
        for thing in things:
            yield thing
            tell(1)
