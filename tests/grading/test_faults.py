"""Faults while a class is graded: killed, disk full, read-only, input and output errors; nothing is lost."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.grading.exam_keys import read_exam_keys
from grader.grading.gradebook_exports import GRADEBOOK_FORMATS, Rounding
from grader.grading.gradebook_store import Gradebook
from grader.grading.results import results
from tests.grading.classroom import build, student
from tests.grading.test_grading import replies, write_replies

STUDENTS = 20
COMMAND = [sys.executable, "-m", "grader", "grade"]

pytestmark = pytest.mark.slow


def prepared(folder: Path) -> Path:
    """An exam of twenty students with their replies in a file."""
    folder.mkdir(parents=True, exist_ok=True)
    build(folder, [student(number) for number in range(STUDENTS)])
    write_replies(folder / "r.csv", replies(STUDENTS))
    return folder


def graded(folder: Path, *before: str) -> int:
    """The exit code of grading the exam in a process of its own."""
    command = [*before, *COMMAND, str(folder), str(folder / "r.csv"), "--executor", "here"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


def exported(folder: Path) -> dict[str, bytes]:
    """Every export of an exam's gradebook."""
    exam_keys = read_exam_keys(folder)
    with Gradebook.open(folder / "grades" / "gradebook.db") as book:
        return {
            each.name: each.write(exam_keys, results(book, exam_keys), Rounding())
            for each in GRADEBOOK_FORMATS
        }


def acknowledged(folder: Path) -> set[tuple[str, int, str | None]]:
    """Every mark that is in the gradebook."""
    path = folder / "grades" / "gradebook.db"
    if not path.exists() or not path.stat().st_size:
        return set()
    with Gradebook.open(path) as book:
        return {
            (entry.student, entry.identity, entry.content)
            for number in range(STUDENTS)
            for entry in book.history(student(number).identifier)
        }


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The exports of a run that nothing disturbs."""
    folder = prepared(tmp_path_factory.mktemp("undisturbed"))
    assert graded(folder) == 0
    return exported(folder)


def killed(folder: Path, event: int) -> tuple[int, int]:
    """Grade, killed at the event of this number; the exit code, and for 0 how many events there were."""
    arguments = [str(event), "grade", str(folder), str(folder / "r.csv"), "--executor", "here"]
    command = [sys.executable, "-m", "tests.grading.killed", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, int(done.stderr.splitlines()[-1]) if not event else 0


KILLS = 24


def test_killed_at_any_moment(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    """Killed at any moment, no mark is lost, and running again gives the same bytes as without."""
    whole = prepared(tmp_path / "whole")
    code, events = killed(whole, 0)
    assert code == 0
    everything = len(acknowledged(whole))
    assert events > 2 * KILLS
    found = []
    for step in range(KILLS):
        folder = prepared(tmp_path / str(step))
        assert killed(folder, 1 + step * (events - 1) // (KILLS - 1))[0] == -signal.SIGKILL
        before = acknowledged(folder)
        found.append(len(before))
        assert graded(folder) == 0
        assert before <= acknowledged(folder)
        assert exported(folder) == undisturbed
    halves = {marks for marks in found if 0 < marks < everything}
    assert len(halves) >= 2, f"no kill came in the middle: {found} of {everything}"


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few hundred kilobytes."""
    place = tmp_path / "tiny"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=800k", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_full_disk(tiny: Path, undisturbed: dict[str, bytes]) -> None:
    """On a full disk grading says so and loses nothing; with room again it gives the same bytes."""
    folder = prepared(tiny)
    for spare in (0, 40_000, 80_000, 120_000, 160_000):
        filler = tiny / "filler"
        room = shutil.disk_usage(tiny).free - spare
        if room > 0:
            filler.write_bytes(bytes(room))
        before = acknowledged(folder) if (folder / "grades" / "gradebook.db").exists() and spare else set()
        code = graded(folder)
        assert code in (0, 2)
        filler.unlink(missing_ok=True)
        assert before <= acknowledged(folder)
    assert graded(folder) == 0
    assert exported(folder) == undisturbed


def test_input_and_output_errors(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    """Whichever write or flush fails, grading says so and loses nothing, and running again mends it."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    trial = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=False)
    if trial.returncode:
        pytest.skip("processes cannot be traced here")
    cases = [
        ("pwrite64", "ENOSPC"),
        ("fdatasync", "EIO"),
        ("pwrite64", "EIO"),
        ("fsync", "EIO"),
        ("rename", "EIO"),
    ]
    failed = 0
    for call, error in cases:
        for number in (1, 3, 9, 27):
            folder = prepared(tmp_path / f"{call}-{error}-{number}")
            fault = f"inject={call}:error={error}:when={number}"
            code = graded(folder, "strace", "-f", "-o", os.devnull, "-e", f"trace={call}", "-e", fault)
            assert code in (0, 2)
            failed += code == 2
            before = acknowledged(folder)
            assert graded(folder) == 0
            assert before <= acknowledged(folder)
            assert exported(folder) == undisturbed
    assert failed >= 5


def test_read_only(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    """In a folder that cannot be written grading refuses, and what is there stays readable."""
    folder = prepared(tmp_path / "exam")
    assert graded(folder) == 0
    bound = subprocess.run(["mount", "--bind", str(folder), str(folder)], capture_output=True, check=False)
    if bound.returncode:
        pytest.skip("nothing can be mounted here")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", str(folder)], check=True)
        (tmp_path / "late.csv").write_text("id,1\n00001,3\n")
        command = [*COMMAND, str(folder), str(tmp_path / "late.csv"), "--executor", "here"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
    finally:
        subprocess.run(["umount", str(folder)], check=True)
    assert exported(folder) == undisturbed
