"""How long an exam takes to build, with one process and with two, and how much memory a large class takes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.benchmark

STUDENTS = 300
LIMIT = 60.0
"""Seconds for 300 students on two cores."""

SCALING = 1.7
GROWTH = 1.3

_BUILD = """
import json, os, resource, sys, threading, time
from pathlib import Path
from grader.exam.blueprint_file import read_blueprint
from grader.exam.roster import Roster, Student
from grader.publishing.building import build
from grader.shipped import shipped


def resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def family():
    mine = os.getpid()
    with open(f"/proc/{mine}/task/{mine}/children") as file:
        return [mine, *map(int, file.read().split())]


def watch(peak, done):
    while not done.wait(0.05):
        total = 0
        for pid in family():
            try:
                total += resident(pid)
            except (OSError, IndexError):
                pass
        peak[0] = max(peak[0], total)


if __name__ == "__main__":
    jobs, students, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    examples = shipped("problems") / "exams"
    plan = read_blueprint((examples / "midterm.toml").read_text(encoding="utf-8"), examples)
    roster = Roster(tuple(Student(f"S{n:05d}", f"Student {n}") for n in range(students)), "plain")
    peak, done = [0], threading.Event()
    watcher = threading.Thread(target=watch, args=(peak, done))
    watcher.start()
    start = time.perf_counter()
    build(plan, roster, folder, jobs=jobs, exports=())
    seconds = time.perf_counter() - start
    done.set()
    watcher.join()
    print(json.dumps({"seconds": seconds, "megabytes": peak[0] / 2**20}))
"""


def built(jobs: int, students: int, folder: Path) -> dict[str, Any]:
    """Seconds and peak memory of all processes together, for a class of this size."""
    script = folder / "build.py"
    script.write_text(_BUILD, encoding="utf-8")
    command = [sys.executable, str(script), str(jobs), str(students), str(folder / f"{jobs}-{students}")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(ran.stdout)
    print(f"\n{students} students, {jobs} jobs: {answer['seconds']:.1f} s, {answer['megabytes']:.0f} MB")
    return answer


def test_a_class_of_300(tmp_path: Path) -> None:
    """300 students, three questions, PDF, HTML and keys take a minute at most; two jobs are 1.7x as fast."""
    one, two = built(1, STUDENTS, tmp_path), built(2, STUDENTS, tmp_path)
    print(f"two jobs are {one['seconds'] / two['seconds']:.2f}x as fast as one")
    assert two["seconds"] <= LIMIT
    assert one["seconds"] >= SCALING * two["seconds"]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_memory_is_flat(tmp_path: Path) -> None:
    """A class of 1,000 takes at most 1.3 times the memory of a class of 100."""
    small, large = built(2, 100, tmp_path), built(2, 1000, tmp_path)
    print(f"ten times the students take {large['megabytes'] / small['megabytes']:.2f}x the memory")
    assert large["megabytes"] <= GROWTH * small["megabytes"]
