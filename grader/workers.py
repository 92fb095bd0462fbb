"""A process that works for another one: it leaves Ctrl-C to that one, and does not outlive it."""

import os
import signal
import threading
from multiprocessing import parent_process
from multiprocessing.connection import wait


def work_for_parent() -> None:
    """Make this process one that works for the one which started it; to be called once, before all else."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
