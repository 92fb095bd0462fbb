"""Ctrl-C: one sentence, no traceback, and an end within two seconds, whatever the program is doing."""

import os
import signal
import subprocess
import sys
from functools import partial
from time import perf_counter

import pytest

from grader.base.interrupts import GRACE_SECONDS

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is a signal")

PREPARED = """
import hashlib, os, sys, threading, time
from multiprocessing import util
from grader import __main__ as program, cli
from grader.base.processes import WorkerProcesses

def ready():
    print("ready", flush=True)

class Deaf:
    def __del__(self):
        ready()
        time.sleep(60)

class Last:
    def __del__(self, write=os.write, sleep=time.sleep):
        write(1, b"ready\\n")
        sleep(0.5)

class Part:
    def __set_name__(self, *_):
        ready()
        time.sleep(60)

def start_slowly(*command, spawn=util.spawnv_passfds):
    process = spawn(*command)
    ready()
    time.sleep(0.5)
    return process

def app(**_):
    {work}

cli.app = app
if __name__ == "__main__":
    program.main()
"""
"""A program that does this work in place of a command."""

AT_WORK = {
    "in Python": "ready(); time.sleep(60)",
    "in a destructor, where Python drops it": "Deaf(); time.sleep(60)",
    "in a library that does not come back": "ready(); hashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)",
    "where exit waits for a thread": "threading.Thread(target=time.sleep, args=(60,)).start(); ready()",
    "while workers start": "\n".join(
        (
            "with WorkerProcesses(2) as pool:",
            "        pool.submit(time.sleep, 60)",
            "        ready()",
            "        time.sleep(60)",
        )
    ),
    "where Python makes another error of it": "type('Whole', (), {'part': Part()})",
    "while a worker is half started": "\n".join(
        (
            "pool = WorkerProcesses(1)",
            "    util.spawnv_passfds = start_slowly",
            "    with pool:",
            "        pool.submit(time.sleep, 60).result()",
        )
    ),
    "while workers work": "\n".join(
        (
            "with WorkerProcesses(1) as pool:",
            "        pool.submit(time.sleep, 0).result()",
            "        work = pool.submit(time.sleep, 60)",
            "        ready()",
            "        work.result()",
        )
    ),
}


def start(*command: str) -> subprocess.Popen[str]:
    """Start a program as a shell does, with a group of its own and hearing Ctrl-C."""
    return subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


@pytest.mark.parametrize("work", AT_WORK.values(), ids=AT_WORK)
@pytest.mark.parametrize("presses", [1, 3])
def test_an_interrupt_ends_whatever_runs(work: str, presses: int, tmp_path: os.PathLike[str]) -> None:
    """However often Ctrl-C is pressed and whatever runs, the program says that it stopped, and ends soon."""
    script = os.path.join(tmp_path, "program.py")
    with open(script, "w") as file:
        file.write(PREPARED.replace("{work}", work))
    with start(script) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        started = perf_counter()
        for _ in range(presses):
            os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=30)[1]
    assert said == "Stopped.\n"
    assert process.returncode in (130, -signal.SIGINT)  # a shell says 130 of both
    assert perf_counter() - started < GRACE_SECONDS + 5  # where other programs use the machine as well


def test_nothing_waits_for_workers_at_the_end(tmp_path: os.PathLike[str]) -> None:
    """A program that is done ends at once, also where a worker process is only just starting."""
    script = os.path.join(tmp_path, "program.py")
    with open(script, "w") as file:
        file.write(PREPARED.replace("{work}", "WorkerProcesses(2).submit(time.sleep, 60); ready()"))
    with start(script) as process:
        assert process.communicate(timeout=30) == ("ready\n", "")
    assert process.returncode == 0


def test_ctrl_c_comes_too_late_for_a_program_that_is_done(tmp_path: os.PathLike[str]) -> None:
    """While Python clears away a program whose work is done, Ctrl-C does not change its exit code."""
    script = os.path.join(tmp_path, "program.py")
    with open(script, "w") as file:
        file.write(PREPARED.replace("{work}", "sys.last = Last()"))
    with start(script) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        os.killpg(process.pid, signal.SIGINT)
        assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 0
