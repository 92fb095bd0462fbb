"""Replies that crash, hang or raise when they are marked, for workers in processes of their own."""

import os
import signal
import time
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

from grader.exercises.marking import Mark, Marker
from grader.grading import executors
from grader.grading.shards import Outcome, Shard, mark_shard

_marked = Marker.mark_with_answer

_ONCE: dict[str, Path] = {}
"""Replies that kill whoever marks them while the file beside them is not there."""


def _poisoned(self: Marker, text: str) -> tuple[Mark, Any]:
    match text:
        case "CRASH":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "RAISE":
            raise ZeroDivisionError("poison")
        case "HANG":
            executors.MAX_UNIT_SECONDS = 0.5  # nobody waits a minute for a test
            executors.start_watchdog()
            time.sleep(1000)
        case "MEMORY":
            bytearray(1 << 36)
    for fatal, sign in _ONCE.items():
        if text == fatal and not sign.exists():
            sign.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return _marked(self, text)


def mark_poisoned(shard: Shard, once: dict[str, Path]) -> list[tuple[Outcome, ...]]:
    """Mark a shard in a process where some replies are poison."""
    _ONCE.update(once)
    Marker.mark_with_answer = _poisoned  # type: ignore[method-assign]  # that is the poison
    return mark_shard(shard)


class Poisoned(Executor):
    """An executor in whose workers some replies are poison; `once` has those that kill one worker only."""

    def __init__(self, inner: Executor, once: dict[str, Path] | None = None) -> None:
        self._pool = inner
        self._once = once or {}

    def submit(self, _function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        """Hand the shard to a poisoned worker."""
        return self._pool.submit(mark_poisoned, *arguments, self._once, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop the workers."""
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)
