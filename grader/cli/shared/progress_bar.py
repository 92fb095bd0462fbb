"""Show the progress of a long command: a bar if stderr is a terminal, else a line now and then."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread
from time import monotonic
from typing import TypeVar

import typer

from grader.base.progress import OnCount, OnProgress

T = TypeVar("T")

LABEL_COLUMNS = 18
"""The width of labels, so that bars below each other are aligned."""

MAX_SILENT_SECONDS = 8.0
"""Without a terminal a line is written after every pause of this length, even if nothing new is done."""


@contextmanager
def count_bar(label: str, count: int) -> Iterator[OnProgress]:
    """Yield a function to call with the number of further items that are done, of `count`.

    A terminal shows a bar, but none for a single item.
    """
    if sys.stderr.isatty():
        if count < 2:
            yield lambda _more: None
            return
        with typer.progressbar(length=count, label=f"{label:<{LABEL_COLUMNS}}", file=sys.stderr) as bar:
            yield bar.update
        return
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more

    with _logging(lambda: f"{label}: {done:,} of {count:,}"):
        yield advance


@contextmanager
def open_ended_bar(label: str, noun: str) -> Iterator[OnCount]:
    """Yield a function to call with the number of items done so far, when the total is unknown."""
    if sys.stderr.isatty():

        def update(done: int) -> None:
            sys.stderr.write(f"\r{label:<{LABEL_COLUMNS}}  {done:,} {noun}")
            sys.stderr.flush()

        try:
            yield update
        finally:
            sys.stderr.write("\n")
        return
    latest = 0

    def remember(done: int) -> None:
        nonlocal latest
        latest = done

    with _logging(lambda: f"{label}: {latest:,} {noun} so far"):
        yield remember


@contextmanager
def _logging(format_line: Callable[[], str]) -> Iterator[None]:
    """Write a line with the time taken after every pause, from a thread; nothing if no thread can start."""
    start, finished = monotonic(), Event()

    def write_lines() -> None:
        while not finished.wait(MAX_SILENT_SECONDS):
            sys.stderr.write(f"{format_line()}, {monotonic() - start:.0f} s\n")
            sys.stderr.flush()

    thread = Thread(target=write_lines, daemon=True)
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
    """Yield a function to call with a stage, how many items of it are done and how many there are."""
    with ExitStack() as bars:
        stage, previous = "", 0
        advance: OnProgress

        def update(new_stage: str, done: int, count: int) -> None:
            """Show progress: `done` counts from the start of the stage, and a new stage replaces the bar."""
            nonlocal stage, previous, advance
            if new_stage != stage:
                bars.close()
                stage, previous, advance = new_stage, 0, bars.enter_context(count_bar(new_stage, count))
            advance(done - previous)
            previous = done

        yield update


def iterate_with_bar(items: Iterable[T], count: int, label: str) -> Iterator[T]:
    """Yield `count` items one by one, with a bar on stderr."""
    with count_bar(label, count) as advance:
        for item in items:
            yield item
            advance(1)
