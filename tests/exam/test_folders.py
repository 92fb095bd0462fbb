"""The folder of an exam: what other users of the machine may read."""

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from grader.exam.folders import GRADES_FOLDER, INSTRUCTOR_FOLDER, make_private_folder
from grader.publishing.exam_folder import exclusive_build
from grader.scanning.journal import Journal


def scan(folder: Path) -> None:
    """Make the folders that a scan makes."""
    Journal.of(folder, cast(Any, SimpleNamespace(exam="0" * 16)))


def build(folder: Path) -> None:
    """Make the folders that a build makes."""
    with exclusive_build(folder):
        pass


def grade(folder: Path) -> None:
    """Make the folders that grading makes."""
    make_private_folder(folder, GRADES_FOLDER)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no modes")
@pytest.mark.parametrize("first", [scan, build, grade])
def test_private_folders_are_private_whichever_command_comes_first(
    tmp_path: Path, first: Callable[[Path], None]
) -> None:
    """Whatever command is the first, no folder in an exam but those for students is readable by others."""
    exam = tmp_path / "courses" / "midterm"
    first(exam)
    for command in (scan, build, grade):
        command(exam)
    private = [path for path in exam.rglob("*") if path.is_dir()]
    assert {exam / GRADES_FOLDER, exam / GRADES_FOLDER / "scans", exam / INSTRUCTOR_FOLDER} <= {*private}
    assert [path for path in private if path.stat().st_mode & 0o077] == []
    assert exam.stat().st_mode & 0o055 == 0o055 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
