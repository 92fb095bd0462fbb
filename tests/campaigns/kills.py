"""Kills: grading is killed at any moment and run again, and no mark that was there is gone or another."""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

from grader.cli import main
from tests.grading.killed import Events
from tests.grading.test_faults import acknowledged, exported, prepared

PART = 20
"""So many kills a seed stands for."""


def wrong_kills(seed: str, count: int = PART) -> Iterator[str]:
    """What was lost or other than without a kill, after so many kills.

    Half of them come at an event: the start of an SQL statement, or the move of a file. The others come at
    any time, from outside.
    """
    random = Random(seed)
    home, events, seconds = undisturbed()
    whole = exported(home / "whole")
    for number in range(count):
        folder = home / "killed"
        shutil.rmtree(folder, ignore_errors=True)
        while True:
            shutil.copytree(home / "fresh", folder)
            if number % 2:
                moment = f"event {(at := random.randint(1, events))}"
                code = graded(folder, Events(at).watch)
            else:
                moment = f"{(after := random.uniform(0, seconds)):.3f} s"
                code = graded(folder, after=after)
            if code == -signal.SIGKILL:
                break
            shutil.rmtree(folder)  # it had ended before
        before = acknowledged(folder)
        again = graded(folder)
        if again != 0:
            yield f"kill {number} at {moment}: running again ends with {again}"
        elif not before <= acknowledged(folder):
            yield f"kill {number} at {moment}: {len(before - acknowledged(folder))} marks are gone"
        elif exported(folder) != whole:
            yield f"kill {number} at {moment}: the exports are others"


@cache
def undisturbed() -> tuple[Path, int, float]:
    """A folder with a fresh exam and one that was graded whole; its events, and how many seconds it took."""
    _kept.append(TemporaryDirectory())
    home = Path(_kept[-1].name)
    prepared(home / "fresh")
    shutil.copytree(home / "fresh", home / "whole")
    assert graded(home / "whole") == 0
    shutil.copytree(home / "fresh", home / "counted")
    started, told = perf_counter(), home / "events"
    events = Events(0)
    assert graded(home / "counted", events.watch, lambda: told.write_text(str(events.count))) == 0
    return home, int(told.read_text()), perf_counter() - started


_kept: list[TemporaryDirectory[str]] = []
"""Folders that are gone when the program ends."""


def graded(
    folder: Path,
    before: Callable[[], object] = lambda: None,
    at_end: Callable[[], object] = lambda: None,
    after: float | None = None,
) -> int:
    """The exit code of grading an exam in a process of its own, killed after so many seconds, if any.

    The process is forked: all that it needs is loaded already.
    """
    child = os.fork()
    if child == 0:
        code = 70
        try:
            quiet = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(quiet, stream)
            sys.argv = ["gametree", "grade", str(folder), str(folder / "r.csv"), "--executor", "here"]
            before()
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
            at_end()
        finally:
            os._exit(code)
    if after is not None:
        sleep(after)
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
