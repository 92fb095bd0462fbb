"""The exams that the tests open: the shipped example, and papers of every kind."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.base.shipped import shipped_folder
from grader.exam.blueprint import Blueprint
from grader.exam.blueprint_file import read_blueprint
from grader.exam.roster import Roster, read_roster
from grader.publishing.exam_build import build_exam
from grader.publishing.paper_formats import PAPER_FORMATS

EXAMPLES = shipped_folder("problems") / "exams"
ALL = tuple(known.name for known in PAPER_FORMATS)
STUDENTS = 3
"""How many students the built exam has."""


@dataclass(frozen=True, slots=True)
class Site:
    """A built exam and what it was built from."""

    folder: Path
    blueprint: Blueprint
    roster: Roster


def example(students: int) -> tuple[Blueprint, Roster]:
    """The shipped example for the first students of the shipped class."""
    blueprint = read_blueprint((EXAMPLES / "midterm.toml").read_text(encoding="utf-8"), EXAMPLES)
    roster = read_roster((EXAMPLES / "class.csv").read_bytes())
    assert isinstance(blueprint, Blueprint)
    assert isinstance(roster, Roster)
    return blueprint, Roster(roster.students[:students])


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The shipped example for a few students, in every format; not to be changed."""
    blueprint, roster = example(STUDENTS)
    folder = tmp_path_factory.mktemp("site") / "midterm"
    build_exam(blueprint, roster, folder, formats=ALL, exports=())
    return Site(folder, blueprint, roster)
