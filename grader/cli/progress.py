"""How far a long command has come: a bar on stderr, only where someone watches."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import typer

T = TypeVar("T")


def _unwatched(done: int) -> None:
    del done  # nobody watches


@contextmanager
def watching(count: int, label: str) -> Iterator[Callable[[int], None]]:
    """Gives a function that is told how many of `count` are done; the bar on stderr follows.

    Nothing is shown when stderr is no terminal.
    """
    if count < 2 or not sys.stderr.isatty():
        yield _unwatched
        return
    with typer.progressbar(length=count, label=label, file=sys.stderr) as bar:
        yield lambda done: bar.update(done - bar.pos)


def watched(things: Iterable[T], count: int, label: str) -> Iterator[T]:
    """The things one by one, `count` of them, with a bar on stderr."""
    with watching(count, label) as tell:
        for done, thing in enumerate(things, 1):
            yield thing
            tell(done)
