"""A gradebook of version 0.1.0, with readings, marks by hand and a regrade."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import gametree
from tests.made_by_0_1 import frozen
from tests.made_by_0_1.frozen import HERE, changes, results_kept, results_now, text_of, unpacked

WORDED = {"message", "rounding"}
"""The fields that hold sentences of the program, which may be worded anew."""

STUDENTS = sorted(path.stem.removeprefix("history-") for path in (HERE / "gradebook/said").glob("history-*"))


def lost(kept: Any, now: Any, place: str = "") -> list[str]:
    """The places where something is not as it was; fields that were added are none."""
    if isinstance(kept, dict) and isinstance(now, dict):
        return [
            each
            for name, value in kept.items()
            if name not in WORDED
            for each in lost(value, now.get(name), f"{place}.{name}")
        ]
    if isinstance(kept, list) and isinstance(now, list) and len(kept) == len(now):
        return [
            each
            for number, pair in enumerate(zip(kept, now, strict=True))
            for each in lost(*pair, f"{place}[{number}]")
        ]
    return [] if kept == now else [f"{place}: was {kept!r}, is {now!r}"]


@pytest.fixture(scope="module")
def exam(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The exam with its gradebook."""
    return unpacked("gradebook", tmp_path_factory.mktemp("gradebook")) / "exam"


def hold(kept: str, now: str) -> None:
    """What was said before is said now, in JSON at least field by field."""
    moved = lost(json.loads(kept), json.loads(now))
    assert not moved, "the gradebook of version 0.1.0 is shown otherwise:\n" + "\n".join(moved)


def test_the_same_is_shown(exam: Path) -> None:
    """`gradebook show` gives the states, points, notes and makers that version 0.1.0 gave."""
    hold(text_of("gradebook/said/show.json"), gametree("gradebook", "show", str(exam), "--json").out)


@pytest.mark.parametrize("student", STUDENTS)
def test_the_same_history_is_told(exam: Path, student: str) -> None:
    """`gradebook history` gives every reply and every mark with its reason, as version 0.1.0 did."""
    now = gametree("gradebook", "history", str(exam), student, "--json").out
    hold(text_of(f"gradebook/said/history-{student}.json"), now)


@pytest.mark.parametrize("name", ["csv", "moodle", "canvas"])
def test_the_same_table_is_exported(exam: Path, name: str) -> None:
    """Tables for other programs are those that version 0.1.0 exported, to the letter."""
    options = ("--format", name, "--leave-empty", "-o", "-")
    now = gametree("gradebook", "export", str(exam), *options).out
    assert now.splitlines() == text_of(f"gradebook/said/export-{name}.csv").splitlines()


@pytest.mark.parametrize("name", ["gradescope", "json"])
def test_the_same_record_is_exported(exam: Path, name: str) -> None:
    """Records for other programs have at least what version 0.1.0 exported."""
    options = ("--format", name, "--leave-empty", "-o", "-")
    now = gametree("gradebook", "export", str(exam), *options).out
    hold(text_of(f"gradebook/said/export-{name}.json"), now)


def test_a_regrade_moves_nobody(exam: Path) -> None:
    """Marked anew by the blueprint that was applied, everybody keeps the points of version 0.1.0."""
    ran = gametree("gradebook", "regrade", str(exam), "--executor", "here", "--json")
    said = json.loads(ran.out)
    moved = {f"gradebook/{move['student']}/{move['question']}" for move in said["moves"]}
    assert not moved - changes().keys(), said["moves"]
    assert said["overridden"] == 3


def test_a_changed_blueprint_is_applied_as_before(exam: Path, tmp_path: Path) -> None:
    """Graded anew and regraded, the class has the points that version 0.1.0 gave where nobody decided."""
    desk = unpacked("gradebook", tmp_path)
    new, here = desk / "exam", ("--executor", "here")
    for path in (new / "grades").iterdir():
        path.unlink()
    gametree("grade", str(new), str(desk / "replies.csv"), *here)
    gametree("grade", str(new), str(desk / "late.csv"), "--duplicates", "last", *here)
    frozen.hold(results_kept("gradebook"), results_now("gradebook", new))
    changed = ("--blueprint", str(desk / "changed.toml"), "--apply", "--never-lower", *here)
    assert gametree("gradebook", "regrade", str(new), *changed).code in (0, 1)
    kept, now = (points(gametree("gradebook", "show", str(folder), "--json").out) for folder in (exam, new))
    decided = {place for place, (_, _, maker) in kept.items() if maker == "override"}
    decided |= {(student, "3") for student, _ in kept}  # some of these were read by hand
    decided |= {place for place in kept if f"gradebook/{place[0]}/{place[1]}" in changes()}
    moved = {place: (kept[place], now[place]) for place in kept if kept[place] != now[place]}
    assert not moved.keys() - decided, moved


def points(shown: str) -> dict[tuple[str, str], tuple[str, str, str]]:
    """The points, the full mark and the maker of every mark."""
    return {
        (student["id"], each["question"]): (each["points"], each["maximum"], each["maker"])
        for student in json.loads(shown)["students"]
        for each in student["questions"]
    }
