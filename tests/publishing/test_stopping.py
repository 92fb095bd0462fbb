"""The laws of builds that are stopped from outside: nothing is lost, nothing goes on unseen."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from grader.exam.folders import BUILD_FOLDER, BUILD_LOCK_FILE, BUILD_PLAN_FILE, LOCK_FILE
from grader.exam.roster import Roster
from grader.publishing.exam_build import build_exam
from grader.publishing.exam_folder import BuildError, write_journal
from grader.publishing.paper_growing import variant_lines
from grader.publishing.verification import verify_exam
from grader.tables.student_directory import Student
from tests.publishing.conftest import ALL, Site
from tests.publishing.test_building import contents, small

ROOT = Path(__file__).parents[2]

BUILD = """
import sys
from pathlib import Path
from grader.publishing.exam_build import build_exam
from tests.publishing.conftest import ALL, STUDENTS, example

def stop(stage, done, _total):
    if (stage, done) == ("growing questions", 1):
        print("here", flush=True)
        sys.stdin.read()

blueprint, roster = example(STUDENTS)
build_exam(blueprint, roster, Path(sys.argv[1]), formats=ALL, exports=(), jobs=2, progress=stop)
"""
"""Builds the exam of the site, and stands still when its workers are at work."""


ADA = Roster((Student("7", "Ada"),))


class Killed(BaseException):
    """The end of a process."""


def finished(site: Site, folder: Path) -> dict[str, bytes]:
    """What is in a folder after the exam of the site was built there."""
    build_exam(site.blueprint, site.roster, folder, formats=ALL, exports=())
    return contents(folder)


def test_a_killed_worker_is_an_error(site: Site, tmp_path: Path) -> None:
    """A build whose worker is killed says so, and goes on where it was when it is run again."""

    def kill(stage: str, done: int, _total: int) -> None:
        if (stage, done) == ("growing questions", 1):
            for worker in active_children():
                worker.kill()

    with pytest.raises(BuildError, match="stopped from outside"):
        build_exam(site.blueprint, site.roster, tmp_path, formats=ALL, exports=(), jobs=2, progress=kill)
    assert finished(site, tmp_path) == contents(site.folder)


@pytest.mark.skipif(os.name != "posix", reason="processes are killed by a signal")
def test_workers_do_not_outlive_their_build(site: Site, tmp_path: Path) -> None:
    """When a build is killed its workers end, and the next build in the folder makes the right bytes."""
    command = [sys.executable, "-c", BUILD, str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, start_new_session=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == b"here\n"
        process.kill()
        # Its workers have the same standard output, which ends with the last of them.
        process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert finished(site, tmp_path) == contents(site.folder)


def test_builds_do_not_meet(site: Site, tmp_path: Path) -> None:
    """While a build is at work no other one begins in its folder, whatever it is to build."""
    refused = 0

    def disturb(_stage: str, done: int, _total: int) -> None:
        nonlocal refused
        if done == 0:
            for formats, force in ((ALL, False), (("text",), False), (("text",), True)):
                with pytest.raises(BuildError, match="another build is running"):
                    build_exam(
                        site.blueprint, site.roster, tmp_path, formats=formats, exports=(), force=force
                    )
                refused += 1

    build_exam(site.blueprint, site.roster, tmp_path, formats=ALL, exports=(), progress=disturb)
    assert refused == 3 * len(("growing", "setting", "printing", "sealing"))
    assert contents(tmp_path) == contents(site.folder)
    assert not (tmp_path / BUILD_FOLDER).exists()


def test_rubbish_is_no_exam(tmp_path: Path) -> None:
    """What a build leaves that was killed before it began is in nobody's way."""
    (tmp_path / BUILD_FOLDER).mkdir(parents=True)
    (tmp_path / BUILD_LOCK_FILE).touch()
    build_exam(small(), ADA, tmp_path, formats=("text",), exports=())
    assert verify_exam(tmp_path).findings == ()
    assert not (tmp_path / BUILD_FOLDER).exists()


@pytest.mark.parametrize(
    "damage",
    [
        bytes.upper,
        lambda data: bytes(len(data)),
        lambda data: data[: len(data) // 2],
        lambda data: b"{}\n" * data.count(b"\n"),
        lambda _: b"[" * 100_000,
    ],
)
def test_a_damaged_journal_is_made_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    """Whatever a crash of the system leaves in a journal, the build goes on and makes the same bytes."""

    def stop(stage: str, _done: int, _total: int) -> None:
        if stage == "sealing":
            raise Killed

    with pytest.raises(Killed):
        build_exam(small(), ADA, tmp_path / "stopped", formats=("text",), exports=(), progress=stop)
    journal = [path for path in (tmp_path / "stopped" / BUILD_FOLDER).iterdir() if "-" in path.name]
    for path in journal:
        path.write_bytes(damage(path.read_bytes()))
    assert {path.name for path in journal} >= {"question-1", "shard-0"}
    for folder in ("stopped", "whole"):
        build_exam(small(), ADA, tmp_path / folder, formats=("text",), exports=())
    assert contents(tmp_path / "stopped") == contents(tmp_path / "whole")


@pytest.mark.parametrize("codes", [("A",), ("A", "B", "C")])
def test_a_journal_of_another_length_is_never_read(tmp_path: Path, codes: tuple[str, ...]) -> None:
    """Where the journal has more or fewer questions than there are papers, no exam comes of it."""
    write_journal(tmp_path, f"{BUILD_FOLDER}/question-1", [b"{}\n", b"{}\n"])
    assert len(list(variant_lines(tmp_path, ("A", "B"), 1))) == 2
    with pytest.raises(ValueError, match="zip"):
        list(variant_lines(tmp_path, codes, 1))


def dying(remove: Callable[..., None], calls: Iterator[int], last: int) -> Callable[..., None]:
    """A function that removes or moves things, but from some call on nothing is done any more."""

    def call(*arguments: Any, **named: Any) -> None:
        if next(calls) >= last:
            raise Killed
        remove(*arguments, **named)

    return call


def test_killed_while_it_removes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed at any removal or move, a build that replaces an exam can be gone on with; no old file stays."""
    old, wanted = tmp_path / "old", tmp_path / "wanted"
    build_exam(small(), ADA, old, formats=("text",), exports=())
    build_exam(small(), ADA, wanted, formats=("html",), exports=())
    ends = set[tuple[bool, bool]]()
    for number in count():
        folder = tmp_path / str(number)
        shutil.copytree(old, folder)
        with monkeypatch.context() as patched:
            calls = count()
            for name in ("unlink", "rmdir", "replace"):
                patched.setattr(os, name, dying(getattr(os, name), calls, number))
            try:
                build_exam(small(), ADA, folder, formats=("html",), exports=(), force=True)
            except Killed:
                ends.add(((folder / BUILD_PLAN_FILE).exists(), (folder / LOCK_FILE).exists()))
            else:
                break
        if (folder / BUILD_PLAN_FILE).exists():
            build_exam(small(), ADA, folder, formats=("html",), exports=())
        elif contents(folder) != contents(wanted):
            build_exam(small(), ADA, folder, formats=("html",), exports=(), force=True)
        assert contents(folder) == contents(wanted)
        assert verify_exam(folder).findings == ()
    assert ends == {(False, True), (True, True), (True, False)}
