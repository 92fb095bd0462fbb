"""Processes that work for another one: how many there are, and that they leave Ctrl-C to it."""

import os
import signal
import sys
import threading
import time

import pytest

from grader.base.interrupts import delayed_interrupts
from grader.base.processes import (
    MIN_WORKER_SECONDS,
    HelperProcess,
    WorkerProcesses,
    usable_cores,
    worker_count,
)
from grader.publishing.parallel import worker_pool


def nothing() -> None:
    """What a process does first that has not yet come to turn its ears off."""


def heard() -> bool:
    """Whether this process would hear Ctrl-C."""
    return signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no masks of signals")
def test_processes_are_deaf_from_the_start() -> None:
    """A process that is only just starting does not hear Ctrl-C; the one that starts it still does."""
    with WorkerProcesses(1, nothing) as pool:
        assert pool.submit(heard).result() is False
    assert heard()


@pytest.mark.skipif(sys.platform == "win32", reason="a process of Windows cannot send itself Ctrl-C")
def test_a_step_is_not_left_half_done() -> None:
    """Ctrl-C waits for the end of a step, also where another thread takes the signal, and is not lost."""
    ended, steps = threading.Event(), list[str]()
    threading.Thread(target=ended.wait, daemon=True).start()

    def interrupted() -> None:
        with delayed_interrupts():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            steps.append("done")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    ended.set()
    assert steps == ["done"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_pool_that_is_ended_leaves_no_thread() -> None:
    """Python's exit finds no thread of an ended pool that is still closing its pipes."""
    before = set(threading.enumerate())
    pool = WorkerProcesses(2)
    for _ in range(3):
        pool.submit(time.sleep, 60)
    pool.end()
    assert set(threading.enumerate()) <= before


def test_every_usable_core_works_where_the_work_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work takes as many processes as there are usable cores, fewer where there is little, or as asked."""
    name = "process_cpu_count" if sys.version_info >= (3, 13) else "cpu_count"
    monkeypatch.setattr(os, name, lambda: 3)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {0, 5, 7}, raising=False)
    assert usable_cores() == 3
    asked = {
        seconds: worker_count(None, seconds * MIN_WORKER_SECONDS) for seconds in (0, 1, 1.9, 2, 3, 4, 99)
    }
    assert asked == {0: 1, 1: 1, 1.9: 1, 2: 2, 3: 3, 4: 3, 99: 3}
    assert [worker_count(7, seconds) for seconds in (0, 1_000)] == [7, 7]


def answer(message: object) -> object:
    """The answer of a helper: it sleeps, dies, or says the message."""
    if message == "sleep":
        time.sleep(60)
    if message == "die":
        os._exit(3)
    return message


def test_a_helper_has_a_limit_and_starts_again() -> None:
    """A helper that takes too long or crashes is ended, and the next message is answered all the same."""
    helper = HelperProcess(answer, 3.0)
    try:
        for fatal, error in (("sleep", TimeoutError), ("die", EOFError)):
            assert helper.ask(("a", 1)) == ("a", 1)
            with pytest.raises(error):
                helper.ask(fatal)
        assert helper.ask(2) == 2
    finally:
        helper.end()


def waited(seconds: float) -> float:
    """Take this long."""
    time.sleep(seconds)
    return seconds


def test_results_come_in_the_order_of_their_arguments() -> None:
    """However long each piece of work takes, what processes make is in the same order as with one process."""
    arguments = [0.3, 0, 0.1, 0, 0, 0, 0.1]
    with worker_pool(2) as run:
        assert [*run(waited, arguments)] == arguments
