"""Signals: a command that writes is stopped at any moment and run again, and nothing is lost or left over."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

from grader.exam.folders import BUILD_PLAN_FILE, LOCK_FILE
from tests.grading.classroom import student
from tests.grading.test_faults import exported, prepared
from tests.made_by_0_1.frozen import unpacked

PART = 10
"""So many signals a seed stands for."""

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)

EARLY_SECONDS = 0.5
"""Half of the signals come this early, while the program is still being loaded."""

MAX_END_SECONDS = 3.5
"""A program ends 2 seconds after Ctrl-C at the latest, and a moment later where others use the machine."""

BLUEPRINT = """
title = "Quiz"
secret = "kept in a safe"
scan = true
[[question]]
kind = "pruned-paths"
[[question]]
kind = "node-values"
"""

EXAM, SCANS = "exam", "scans"

COMMANDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "build": (
        "",
        ("exam", "build", "b.toml", "--roster", "class.csv", "-o", "out", "--lms", "none", "-j", "2"),
    ),
    "preview": ("", ("exam", "build", "b.toml", "-o", "out", "--preview")),
    "generate": ("", ("generate", "best-move", "--seed", "x", "-n", "3", "-o", "ex.jsonl")),
    "draw": ("", ("draw", "bank:aima-fig-5-2", "-o", "tree.pdf")),
    "grade": (EXAM, ("grade", EXAM, f"{EXAM}/r.csv", "--jobs", "2")),
    "grade nothing": (f"{EXAM} graded", ("grade", EXAM, f"{EXAM}/r.csv", "--jobs", "2")),
    "override": (
        f"{EXAM} graded",
        ("gradebook", "override", EXAM, student(3).identifier, "1", "1", "--reason", "x"),
    ),
    "regrade": (f"{EXAM} graded", ("gradebook", "regrade", EXAM, "--apply")),
    "feedback": (f"{EXAM} graded", ("gradebook", "feedback", EXAM, "--release", "--jobs", "2")),
    "export": (f"{EXAM} graded", ("gradebook", "export", EXAM, "-o", "points.xlsx", "--format", "xlsx")),
    "overrides": (f"{EXAM} graded", ("gradebook", "overrides", EXAM, "-o", "marks.csv")),
    "report": (f"{EXAM} graded", ("report", EXAM)),
    "scan": (SCANS, ("scan", EXAM, "page-0.jpg", "page-1.jpg", "page-5.jpg", "--jobs", "2")),
    "annotate": (f"{SCANS} read", ("scan", EXAM, "--annotate", "--jobs", "2")),
}
"""What is run, and the folder in which it runs."""


EXPECTED_SCORES = ("exam", "fairness", "out")
"""What finishes an exam whose papers are built."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A run that nothing disturbs: its code, its seconds, its files, and those that are always the same."""

    code: int
    seconds: float
    names: frozenset[str]
    same: dict[str, bytes]
    marks: dict[str, bytes]


def wrong_signals(seed: str, count: int = PART) -> Iterator[str]:
    """What was lost, left over or said wrongly, after so many signals."""
    random = Random(seed)
    for number in range(count):
        name = random.choice(list(COMMANDS))
        sent = SIGNALS[number % 3]
        whole = undisturbed(name)
        late = EARLY_SECONDS if number % 2 else whole.seconds
        after = random.uniform(0, late)
        with TemporaryDirectory() as place:
            desk = Path(place) / "desk"
            shutil.copytree(desk_of(COMMANDS[name][0]), desk)
            moment = f"signal {number}, {sent.name} to {name!r} at {after:.3f} s"
            yield from (f"{moment}: {fault}" for fault in stopped(desk, name, sent, after))
            is_finished = name == "build" and is_built(desk)
            code, _, _ = run(desk, EXPECTED_SCORES if is_finished else COMMANDS[name][1])
            if code != whole.code:
                yield f"{moment}: running again ends with {code}, not with {whole.code}"
            elif (names := names_in(desk)) != whole.names:
                yield f"{moment}: other files are there: {sorted(names ^ whole.names)}"
            elif other := [each for each, data in whole.same.items() if (desk / each).read_bytes() != data]:
                yield f"{moment}: other bytes are in {other}"
            elif marks_in(desk) != whole.marks:
                yield f"{moment}: the marks are others"


def is_built(desk: Path) -> bool:
    """Whether an exam is built: then it is not built again, and only its expected scores may be missing."""
    return (desk / "out" / LOCK_FILE).exists() and not (desk / "out" / BUILD_PLAN_FILE).exists()


def stopped(desk: Path, name: str, sent: signal.Signals, after: float) -> Iterator[str]:
    """Stop a command after so many seconds, and yield what is wrong with its end."""
    program = started(desk, COMMANDS[name][1])
    sleep(after)
    yield from wrong_ends(program, sent)


def wrong_ends(program: subprocess.Popen[str], sent: signal.Signals) -> Iterator[str]:
    """Stop a program, and yield what is wrong with how it ends."""
    is_heard = watches(program.pid)
    sent_at = perf_counter()
    if sent is signal.SIGINT:  # the terminal sends it to all of them
        with suppress(ProcessLookupError):
            os.killpg(program.pid, sent)
    else:
        program.send_signal(sent)
    try:
        said = program.communicate(timeout=30)[1]
    except subprocess.TimeoutExpired:
        os.killpg(program.pid, signal.SIGKILL)
        program.communicate()
        yield "it hangs"
        return
    waited = perf_counter() - sent_at
    is_stopped = program.returncode in (130, -signal.SIGINT)
    if sent is signal.SIGINT and is_stopped and is_heard:
        if said.count("Stopped.") != 1:
            yield f"it says {said[-300:]!r}"
        if "Traceback" in said or "leaked" in said:
            yield f"a traceback: {said[-300:]!r}"
    if sent is signal.SIGINT and is_stopped and waited > MAX_END_SECONDS:
        yield f"it ends after {waited:.1f} s"
    for _ in range(100):
        try:
            os.killpg(program.pid, 0)
        except ProcessLookupError:
            return
        sleep(0.1)
    os.killpg(program.pid, signal.SIGKILL)
    yield "its processes live on"


def watches(process: int) -> bool:
    """Whether a program watches for Ctrl-C, with a second thread; before that Python has its own words."""
    with suppress(OSError):
        return len(os.listdir(f"/proc/{process}/task")) > 1
    return False


def started(desk: Path, command: tuple[str, ...]) -> subprocess.Popen[str]:
    """A command that was started as by a shell, in a group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "grader", *command],
        cwd=desk,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


def run(desk: Path, command: tuple[str, ...]) -> tuple[int, float, str]:
    """Run a command to its end: its exit code, its seconds, and what it says."""
    at = perf_counter()
    program = started(desk, command)
    said = program.communicate(timeout=120)[1]
    return program.returncode, perf_counter() - at, said


def names_in(desk: Path) -> frozenset[str]:
    """Every file of a desk but the logs of SQLite."""
    paths = (path.relative_to(desk).as_posix() for path in desk.rglob("*") if path.is_file())
    return frozenset(path for path in paths if not path.endswith(("-wal", "-shm")))


def marks_in(desk: Path) -> dict[str, bytes]:
    """Every export of the gradebook of a desk, if it has one."""
    book = desk / EXAM / "grades" / "gradebook.db"
    return exported(desk / EXAM) if book.exists() and book.stat().st_size else {}


@cache
def home() -> Path:
    """A folder that is gone when the program ends."""
    _kept.append(TemporaryDirectory())
    return Path(_kept[-1].name)


_kept: list[TemporaryDirectory[str]] = []


@cache
def desk_of(name: str) -> Path:
    """The folder in which a command runs, before it has run."""
    desk = home() / (name or "empty")
    if name.endswith((" graded", " read")):
        shutil.copytree(desk_of(name.partition(" ")[0]), desk)
        run(desk, COMMANDS["grade" if name.endswith(" graded") else "scan"][1])
    elif name == EXAM:
        prepared(desk / EXAM)
    elif name == SCANS:
        unpacked("scanned", desk)
        shutil.rmtree(desk / EXAM / "grades")
    else:
        desk.mkdir()
        (desk / "b.toml").write_text(BLUEPRINT, encoding="utf-8")
        (desk / "class.csv").write_text("id,name\n1,Ada\n2,Bea\n3,Cy\n", encoding="utf-8")
    return desk


@cache
def undisturbed(name: str) -> Whole:
    """Two runs of a command that nothing disturbs."""
    desks = [home() / f"{name} {number}" for number in (1, 2)]
    for desk in desks:
        shutil.copytree(desk_of(COMMANDS[name][0]), desk)
        code, seconds, said = run(desk, COMMANDS[name][1])
        assert "Traceback" not in said, said
    first, second = desks
    names = names_in(first)
    same = {
        each: data
        for each in sorted(names)
        if not each.endswith((".db", ".jsonl"))
        and (data := (first / each).read_bytes()) == (second / each).read_bytes()
    }
    return Whole(code, seconds, names, same, marks_in(first))
