"""How far a long command has come: a bar on stderr where someone watches, else a line now and then."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread
from time import monotonic
from typing import TypeVar

import typer

T = TypeVar("T")

LABEL_COLUMNS = 18
"""How wide labels are, so that bars below each other begin in one column."""

MAX_SILENT_SECONDS = 8.0
"""After so many seconds without a word there is one more, also where nothing new is done."""


@contextmanager
def count_bar(label: str, count: int) -> Iterator[Callable[[int], None]]:
    """Gives a function that hears how many more of `count` are done; what stderr shows follows.

    A bar where stderr is a terminal, and nothing of a single thing; elsewhere a line now and then.
    """
    if sys.stderr.isatty():
        if count < 2:
            yield lambda _more: None
            return
        with typer.progressbar(length=count, label=f"{label:<{LABEL_COLUMNS}}", file=sys.stderr) as bar:
            yield bar.update
        return
    done = 0

    def tell(more: int) -> None:
        nonlocal done
        done += more

    with _now_and_then(lambda: f"{label}: {done:,} of {count:,}"):
        yield tell


@contextmanager
def open_ended_bar(label: str, things: str) -> Iterator[Callable[[int], None]]:
    """Gives a function that hears how many things are done so far, where nobody knows of how many."""
    if sys.stderr.isatty():

        def show(done: int) -> None:
            sys.stderr.write(f"\r{label:<{LABEL_COLUMNS}}  {done:,} {things}")
            sys.stderr.flush()

        try:
            yield show
        finally:
            sys.stderr.write("\n")
        return
    count = 0

    def tell(done: int) -> None:
        nonlocal count
        count = done

    with _now_and_then(lambda: f"{label}: {count:,} {things} so far"):
        yield tell


@contextmanager
def _now_and_then(line: Callable[[], str]) -> Iterator[None]:
    """Writes a line and how long it has taken whenever a pause is over, none where all is done sooner.

    Nor where no thread can be started for it.
    """
    start, finished = monotonic(), Event()

    def tell() -> None:
        while not finished.wait(MAX_SILENT_SECONDS):
            sys.stderr.write(f"{line()}, {monotonic() - start:.0f} s\n")
            sys.stderr.flush()

    thread = Thread(target=tell, daemon=True)
    with suppress(RuntimeError):
        thread.start()
    try:
        yield
    finally:
        finished.set()
        if thread.ident is not None:
            thread.join()


@contextmanager
def stage_bars() -> Iterator[Callable[[str, int, int], None]]:
    """Gives a function that hears how many of how many are done in which stage; every stage has a bar."""
    with ExitStack() as bars:
        stage, before = "", 0
        tell: Callable[[int], None]

        def show(now: str, done: int, count: int) -> None:
            nonlocal stage, before, tell
            if now != stage:
                bars.close()
                stage, before, tell = now, 0, bars.enter_context(count_bar(now, count))
            tell(done - before)
            before = done

        yield show


def iterate_with_bar(things: Iterable[T], count: int, label: str) -> Iterator[T]:
    """The things one by one, `count` of them, with a bar on stderr."""
    with count_bar(label, count) as tell:
        for thing in things:
            yield thing
            tell(1)
