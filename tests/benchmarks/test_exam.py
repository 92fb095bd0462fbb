"""How long an exam takes to build, with one process and with two, and how much memory a large class takes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep
from typing import Any

import pytest

pytestmark = pytest.mark.benchmark

STUDENTS = 300
LIMIT = 60.0
"""Seconds for 300 students on two cores."""

SCALING = 1.7
GROWTH = 1.3

FEW, MANY = 500, 5_000
KILLED = 0.3
"""The share of the papers that are there when the build of many is killed."""

_BUILD = """
import json, os, resource, sys, threading, time
from pathlib import Path
from grader.exam.blueprint_file import read_blueprint
from grader.exam.roster import Roster
from grader.tables.whose_row import Student
from grader.publishing.building import build
from grader.base.shipped import shipped


def resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def family():
    mine = os.getpid()
    with open(f"/proc/{mine}/task/{mine}/children") as file:
        return [mine, *map(int, file.read().split())]


stage = "starting"


def watch(peaks, done):
    while not done.wait(0.05):
        now, total = stage, 0
        for pid in family():
            try:
                total += resident(pid)
            except (OSError, IndexError):
                pass
        peaks[now] = max(peaks.get(now, 0), total)


def enter(now, _done, _total):
    global stage
    stage = now


if __name__ == "__main__":
    jobs, students, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    exports = None if sys.argv[4] == "exports" else ()
    examples = shipped("problems") / "exams"
    plan = read_blueprint((examples / "midterm.toml").read_text(encoding="utf-8"), examples)
    roster = Roster(tuple(Student(f"S{n:05d}", f"Student {n}") for n in range(students)))
    peaks, done = {}, threading.Event()
    watcher = threading.Thread(target=watch, args=(peaks, done), daemon=True)
    watcher.start()
    start = time.perf_counter()
    build(plan, roster, folder, jobs=jobs, exports=exports, progress=enter)
    seconds = time.perf_counter() - start
    done.set()
    watcher.join()
    print(json.dumps({"seconds": seconds, "megabytes": {name: peak / 2**20 for name, peak in peaks.items()}}))
"""


def command(jobs: int, students: int, place: Path, exports: str = "") -> list[str]:
    """What builds the exam of a class of this size in a folder."""
    script = place.parent / "build.py"
    script.write_text(_BUILD, encoding="utf-8")
    return [sys.executable, str(script), str(jobs), str(students), str(place), exports]


def built(jobs: int, students: int, place: Path, exports: str = "") -> dict[str, Any]:
    """Seconds, and by stage the peak memory of all processes together, for a class of this size."""
    ran = subprocess.run(command(jobs, students, place, exports), capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(ran.stdout)
    print(f"\n{students} students, {jobs} jobs, {exports or 'no exports'}: {answer['seconds']:.1f} s")
    for stage, megabytes in answer["megabytes"].items():
        print(f"{megabytes:5.0f} MB  {stage}")
    return answer


def kill_a_build(students: int, place: Path) -> None:
    """Begin to build, and kill all of its processes when a share of the papers is there."""
    process = subprocess.Popen(command(2, students, place), stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        while len(list((place / "publish" / "papers").glob("*.html"))) < KILLED * students:
            assert process.poll() is None
            sleep(0.1)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert not (place / "instructor" / "exam.lock").exists()


def test_a_class_of_300(tmp_path: Path) -> None:
    """300 students, three questions, PDF, HTML and keys take a minute at most; two jobs are 1.7x as fast."""
    one, two = (built(jobs, STUDENTS, tmp_path / f"{jobs}") for jobs in (1, 2))
    print(f"two jobs are {one['seconds'] / two['seconds']:.2f}x as fast as one")
    assert two["seconds"] <= LIMIT
    assert one["seconds"] >= SCALING * two["seconds"]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_memory_is_flat(tmp_path: Path) -> None:
    """A class of 1,000 takes at most 1.3 times the memory of a class of 100, with all exports and without."""
    small, large = (
        built(2, students, tmp_path / f"{students}", "exports")["megabytes"] for students in (100, 1000)
    )
    for name, stages in (("without", small.keys() - {"exporting"}), ("with", small.keys())):
        few, many = (max(peaks.get(stage, 0) for stage in stages) for peaks in (small, large))
        print(f"{name} exports: {few:.0f} MB for 100, {many:.0f} MB for 1,000, {many / few:.2f}x")
        assert many <= GROWTH * few


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_many_students_and_a_kill(tmp_path: Path) -> None:
    """5,000 students take at most 1.3 times the memory of 500; a build that was killed ends alike.

    It takes half an hour on two cores: the exam is built twice.
    """
    few, many = (built(2, students, tmp_path / f"{students}") for students in (FEW, MANY))
    kill_a_build(MANY, tmp_path / "killed")
    again = built(2, MANY, tmp_path / "killed")
    peak, *peaks = (max(each["megabytes"].values()) for each in (few, many, again))
    print(f"{peak:.0f} MB for {FEW}, in one go and after a kill {peaks} for {MANY}")
    assert max(peaks) <= GROWTH * peak
    whole, ended = (
        (tmp_path / name / "instructor" / "exam.lock").read_bytes() for name in (f"{MANY}", "killed")
    )
    assert whole == ended, "the lock has the hash of every file"
