"""The laws of class lists that change: a paper is its student's, whoever else is in the class."""

import csv
import io
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random

from grader.exam.assignment import student_owner
from grader.exam.blueprint import Blueprint
from grader.exam.blueprint_file import read_blueprint
from grader.exam.composition import compose_for
from grader.exam.folders import PUBLISH_FOLDER
from grader.exam.manifest import write_question, write_variant
from grader.exam.roster import Roster, read_roster
from grader.publishing.exam_build import build_exam, deal_own_papers
from tests.publishing.papers import printed

QUIZ = """
title = "Quiz"
secret = "kept in a safe"
{more}
[[question]]
kind = "root-value"
[[question]]
kind = "search-budget.leaves"
"""

HEADINGS = {
    "id": ("id", "ID number", "Matrikelnummer"),
    "name": ("name", "Full name", "Vollständiger Name"),
    "email": ("email", "E-mail", "Adresse de courriel"),
}

Rows = list[dict[str, str]]

ORDERS: tuple[Callable[[dict[str, str]], str], ...] = (
    lambda row: row["name"],
    lambda row: row["id"][::-1],
    lambda row: sha256(row["id"].encode()).hexdigest(),
)
"""How class lists are sorted."""


def quiz(more: str = "") -> Blueprint:
    """A blueprint that takes little time."""
    plan = read_blueprint(QUIZ.format(more=more), Path())
    assert isinstance(plan, Blueprint), plan
    return plan


def rows_of(numbers: range) -> Rows:
    """So many students, some of whose numbers begin with zeros."""
    return [
        {"id": f"{number:04}", "name": f"Student {number}", "email": f"{number}@x.y"} for number in numbers
    ]


def roster_of(rows: Rows, headings: tuple[str, ...] = ("id", "name", "email")) -> Roster:
    """The class list with these rows, under these names of its columns."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(headings)
    writer.writerows(row.values() for row in rows)
    roster = read_roster(file.getvalue().encode())
    assert isinstance(roster, Roster), roster
    return roster


def changed(rows: Rows, random: Random) -> tuple[Rows, tuple[str, ...]]:
    """A class list after students came or left, in another order, under other names of columns."""
    kept = random.sample(rows, random.randint(1, len(rows)))
    new = rows_of(range(100, 100 + random.randint(0, 2)))
    columns = tuple(random.choice(names) for names in HEADINGS.values())
    return sorted([*new, *kept], key=random.choice(ORDERS)), columns


def papers_of(
    plan: Blueprint, roster: Roster, only: set[str] | None = None
) -> dict[str, tuple[str, str, str]]:
    """Identifier -> code, file and the line in the record, by which papers and keys are set."""
    seats = deal_own_papers(plan.secret, roster.students, spares=plan.spares).seats
    seats = tuple(seat for seat in seats if only is None or seat.student.identifier in only)
    return {
        seat.student.identifier: (
            seat.code,
            seat.file,
            write_variant(
                seat.code,
                (
                    write_question(compose_for(each, number, plan.secret, student_owner(seat.student)))
                    for number, each in enumerate(plan.questions)
                ),
            ),
        )
        for seat in seats
    }


def test_a_changed_class_list_changes_no_other_paper() -> None:
    """Whoever comes or goes, however the list is sorted and named: code, file and questions stay."""
    plan, rows, random = quiz(), rows_of(range(6)), Random(45)
    papers = papers_of(plan, roster_of(rows))
    assert len({line for _, _, line in papers.values()}) == len(rows)
    for _ in range(200):
        others, headings = changed(rows, random)
        looked_at = {random.choice(others)["id"], random.choice(others)["id"]} & papers.keys()
        after = papers_of(plan, roster_of(others, headings), looked_at)
        assert after == {name: papers[name] for name in looked_at}


def test_papers_of_a_changed_class_list_have_the_same_bytes(tmp_path: Path) -> None:
    """What is printed of a student is the same to the byte; only the file for the printer differs."""
    rows = rows_of(range(3))
    lists = (rows, [*rows_of(range(7, 8)), *rows[::-1]], rows[1:])
    for number, each in enumerate(lists):
        folder = tmp_path / str(number)
        build_exam(quiz("spare = 1"), roster_of(each), folder, formats=("text",), exports=())
    first, second, third = (
        {
            path.name: path.read_bytes()
            for part in (PUBLISH_FOLDER, "instructor/keys")
            for path in (tmp_path / str(number) / part).rglob("*")
            if path.is_file()
        }
        for number in range(3)
    )
    assert len(first) == 8
    assert first.items() <= second.items()
    assert third.items() <= first.items()


def test_spare_papers_are_printed_last_and_without_a_name(tmp_path: Path) -> None:
    """A spare paper has a cover with lines for the name, and no student's name anywhere."""
    build_exam(
        quiz("spare = 2"), roster_of(rows_of(range(1))), tmp_path / "exam", formats=("pdf",), exports=()
    )
    pages = printed(tmp_path / "exam" / "publish" / "print.pdf")
    covers = [page for page in pages if "Spare paper" in page]
    assert len(covers) == 2
    assert "Student 0" in pages[0]
    assert not any("Student 0" in page for page in pages[pages.index(covers[0]) :])
