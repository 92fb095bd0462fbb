"""Run a student's program in a process of its own, end it at its limits, and collect its reports."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import grader
from grader.programs.run_reports import Run, collect_run, read_reports

MAX_SECONDS = 10
"""The seconds after which a program is ended, of processor time and by the clock."""

MAX_REPORT_BYTES = 1 << 23
"""The most bytes of reports that are read from one program."""

_START = """
import sys
sys.path.insert(0, sys.argv[1])
from grader.programs.child import main
del sys.path[0]
main(0)
"""

_TOKEN = "GAMETREE_PROGRAM"
"""The environment variable that marks a program and every process that it starts."""


def run_program(
    name: str,
    source: str,
    interface: str,
    trees: Sequence[Mapping[str, Any]],
    *,
    function: str | None = None,
    helpers: Mapping[str, str] | None = None,
    seconds: int = MAX_SECONDS,
) -> Run:
    """Run a program on trees, one after the other.

    - `name`, `source`: its file; `helpers`: the texts of the other files in its folder, by name.
    - `interface`: the name of an interface, or the path of a teacher's own, which ends in `.py`.
    - `function`: the function to call; None looks for it as the interface says.
    - `seconds`: the limit for all trees together, of processor time and by the clock.
    """
    with tempfile.TemporaryDirectory(prefix="gametree-", ignore_cleanup_errors=True) as folder:
        place = Path(os.path.realpath(folder))
        for other, text in (helpers or {}).items():
            (place / Path(other).name).write_text(text, encoding="utf-8", errors="replace")
        file = place / name
        file.write_text(source, encoding="utf-8", errors="replace")
        job = {
            "file": str(file),
            "source": source,
            "interface": os.path.abspath(interface) if interface.endswith(".py") else interface,
            "function": function,
            "trees": list(trees),
            "seconds": seconds,
        }
        reports, ending = _run_process(json.dumps(job).encode(), place, seconds)
        return collect_run(read_reports(reports), ending, seconds)


def _run_process(job: bytes, folder: Path, seconds: int) -> tuple[bytes, str]:
    """Return the reports of a process, and how it ended: `exit`, `time`, `flood` or `crash`."""
    token = uuid4().hex
    environment = {
        "PATH": os.defpath,
        "TMPDIR": str(folder),
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        _TOKEN: token,
    }
    environment |= {key: os.environ[key] for key in ("SYSTEMROOT",) if key in os.environ}
    root = str(Path(grader.__file__).parent.parent)
    process = subprocess.Popen(
        [sys.executable, "-s", "-P", "-B", "-c", _START, root],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    is_late = threading.Event()

    def end() -> None:
        is_late.set()
        _kill_all(process, token)

    clock = threading.Timer(seconds, end)
    clock.start()
    reports = bytearray()
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with suppress(OSError):
            process.stdin.write(job)
            process.stdin.close()
        while chunk := os.read(process.stdout.fileno(), 1 << 16):
            reports += chunk
            if len(reports) > MAX_REPORT_BYTES:
                return bytes(reports), "flood"
    finally:
        clock.cancel()
        _kill_all(process, token)
        process.stdout.close()
        process.wait()
    if is_late.is_set() or process.returncode == -getattr(signal, "SIGXCPU", 0) != 0:
        return bytes(reports), "time"
    return bytes(reports), "exit" if process.returncode == 0 else "crash"


def _kill_all(process: subprocess.Popen[bytes], token: str) -> None:
    """End a process and every process that it has started, also those that left its group."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    mark = f"{_TOKEN}={token}".encode()
    for entry in Path("/proc").glob("[0-9]*") if sys.platform == "linux" else ():
        with suppress(OSError):
            if mark in (entry / "environ").read_bytes():
                os.kill(int(entry.name), signal.SIGKILL)
