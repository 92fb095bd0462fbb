"""A simulated class of five hundred, from its CSV to its marks, against a plain script."""

import csv
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grader.grading.class_marking import mark_pending, mark_units
from grader.grading.exam_keys import ExamKeys
from grader.grading.executors import executor_named
from grader.grading.gradebook_exports import Rounding, json_export
from grader.grading.gradebook_store import Gradebook
from grader.grading.intake import Intake, append_tables
from grader.grading.records import Entry
from grader.grading.results import results, state_counts
from grader.grading.row_policy import RowPolicy
from grader.grading.student_units import group_units
from grader.tables.columns import match_columns
from grader.tables.dates import read_time
from grader.tables.readers import read_submissions
from tests.grading.classroom import build, exercise, marks_by_hand, student, truth

STUDENTS = 500
HOSTILE = (
    "=cmd|' /C calc'!A0",
    "<script>alert(1)</script>",
    "'; DROP TABLE marks; --",
    "{{ 7*7 }}",
    "\x1b[2J\x1b]0;pwned\x07",
    "../../etc/passwd",
    "9" * 5000,
    "(" * 30_000,
    "x" * 70_000,
    "1e1000000000",
    "\u202e321",
)
KINDS = {"1": "root-value", "2a": "node-values", "2b": "best-move", "3": "pruned-paths"}
FULL = {"1": 2, "2a": 4, "2b": 1, "3": 3}


@dataclass
class Person:
    """What a simulated student does, and what the plain script says that this is worth."""

    code: str
    rows: list[list[str]] = field(default_factory=list)
    states: dict[str, str] = field(default_factory=dict)
    points: dict[str, Fraction | None] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)


def numbers(text: str) -> list[int]:
    """Every whole number in a text."""
    return [int(number) for number in re.findall(r"-?\d+", text)]


def worth(code: str, replies: dict[str, str]) -> dict[str, Fraction | None]:
    """The points of well-formed replies by the plain script."""
    return marks_by_hand(
        code,
        numbers(replies["1"])[0] if replies["1"] else None,
        numbers(replies["2a"]) if replies["2a"] else None,
        replies["2b"],
        numbers(replies["3"]) if replies["3"] else None,
    )


def right(code: str) -> dict[str, str]:
    """The replies of a student who knows it all."""
    known = truth(code)
    return {
        "1": str(known.root),
        "2a": " ".join(f"{name}={value}" for name, value in zip("ABCD", known.table, strict=True)),
        "2b": known.best,
        "3": " ".join(map(str, sorted(known.pruned))) or "none",
    }


def simulated(random: Random, number: int, code: str) -> Person:
    """One student of a kind that depends on the number, so that every kind is there often."""
    who, person, replies = student(number).identifier, Person(code), right(code)
    at = "2026-01-31 10:00:00" if number % 3 else "2026-01-31 09:00:00"
    what = (
        "right",
        "partly",
        "belief",
        "blank",
        "malformed",
        "hostile",
        "ambiguous",
        "missing",
        "same",
        "later",
    )[number % 10]
    if what == "partly":
        replies["1"] = str(random.randint(-3, 15))
        own = [random.choice((value, value, random.randint(0, 14))) for value in truth(code).table]
        replies["2a"] = ", ".join(f"{name} = {value}" for name, value in zip("ABCD", own, strict=True))
        replies["2b"] = random.choice("BCD")
        replies["3"] = " ".join(map(str, random.sample(range(1, 10), random.randint(1, 5))))
    elif what == "belief":
        for part, kind in KINDS.items():
            beliefs = exercise(kind, code, FULL[part]).beliefs
            if beliefs:
                name = random.choice(sorted(beliefs))
                replies[part], person.notes[part] = beliefs[name], name
    elif what == "blank":
        for part in random.sample(sorted(replies), random.randint(1, 4)):
            replies[part] = random.choice(("", "  ", "\n"))
    person.points = worth(code, {part: reply.strip() for part, reply in replies.items()})
    person.states = {part: "BLANK" if points is None else "GRADED" for part, points in person.points.items()}
    spoilt = {"malformed": "what is this ?!", "hostile": HOSTILE[number // 10 % len(HOSTILE)]}.get(what)
    if spoilt is not None:
        for part in random.sample(sorted(replies), 2):
            replies[part], person.states[part], person.points[part] = spoilt, "UNPARSEABLE", None
    row = [who, at, *replies.values()]
    if what == "missing":
        person.states = dict.fromkeys(replies, "MISSING")
        person.points = dict.fromkeys(replies)
        return person
    person.rows.append(row)
    if what == "same":
        person.rows.append([who, at, *replies.values()])
    elif what == "later":
        person.rows.insert(random.randint(0, 1), [who, "2026-01-31 08:00:00", "99", "A=1", "B", "1 2 3 4 5"])
    elif what == "ambiguous":
        other = dict(replies) | {"1": "77", "3": "1 2"}
        person.rows.append([who, at, *other.values()])
        person.states |= {"1": "AMBIGUOUS", "3": "AMBIGUOUS"}
        person.points |= {"1": None, "3": None}
    return person


@dataclass
class Class:
    """A simulated class after grading."""

    people: dict[str, Person]
    exported: dict[str, Any]
    intake: Intake
    exam_keys: ExamKeys
    book: Path


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """The class, taken in from a CSV file and graded by two processes."""
    folder, random = tmp_path_factory.mktemp("class"), Random(5)
    everybody = [student(number) for number in range(STUDENTS)]
    exam_keys = build(folder, everybody)
    people = {
        each.identifier: simulated(random, number, exam_keys.variant_of(each.identifier))
        for number, each in enumerate(everybody)
    }
    # One blank row has lost its zeros in a spreadsheet, and can be nobody else's.
    people["00007"].rows = [["7", "2026-01-31 10:00:00", "", "", "", ""]]
    people["00007"].states = dict.fromkeys(KINDS, "BLANK")
    rows = [row for person in people.values() for row in person.rows]
    rows += [["99999", "2026-01-31 10:00:00", "1", "A=1", "B", "1"]]
    random.shuffle(rows)
    path = folder / "responses.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["Student ID", "Timestamp", "1", "2a", "2b", "3"], *rows])
    with Gradebook.open(folder / "grades" / "gradebook.db", create=True) as book:
        sheet = read_submissions(path, exam_keys.parts)
        policy = RowPolicy(due=read_time("2026-01-31 09:30"))
        intake = append_tables(
            book, exam_keys, [(sheet, match_columns(sheet, exam_keys.parts))], policy=policy
        )
        mark_pending(book, exam_keys, executor_named("processes", 2), jobs=2)
        exported = json.loads(json_export(exam_keys, results(book, exam_keys), Rounding()))
    return Class(people, exported, intake, exam_keys, folder / "grades" / "gradebook.db")


def cells(graded: Class) -> list[tuple[Person, str, dict[str, Any]]]:
    """Every cell of the exported gradebook with the person it belongs to."""
    return [
        (graded.people[each["id"]], cell["question"], cell)
        for each in graded.exported["students"]
        for cell in each["questions"]
    ]


def test_everybody_has_the_mark_of_the_plain_script(graded: Class) -> None:
    """Every student's state and points in every part are those that the plain script computes."""
    found = cells(graded)
    assert len(found) == STUDENTS * 4
    for person, part, cell in found:
        assert cell["state"] == person.states[part], (person, part, cell)
        expected = person.points[part]
        if person.states[part] == "BLANK":
            expected = Fraction(0)
        assert (None if cell["points"] is None else Fraction(cell["points"])) == expected, (
            person,
            part,
            cell,
        )


def test_units_of_students_get_the_same_marks(graded: Class) -> None:
    """Replies matched by SQLite have the marks that the same replies have as units of their students."""
    made: list[Entry] = []
    with Gradebook.open(graded.book) as book:
        submissions = [
            each for name in sorted(book.students()) for each in book.submissions_of(name).values()
        ]
        units = group_units(submissions, graded.exam_keys)
        start = executor_named("here", 1)
        mark_units(units, len(submissions), graded.exam_keys, start, made.extend, jobs=1)
        stored = {
            (name, part): each for name in book.students() for part, each in book.entries_of(name).items()
        }
    assert {(each.student, each.question): (each.submission, each.outcome) for each in made} == {
        place: (each.submission, each.outcome) for place, each in stored.items()
    }


def test_every_belief_is_named(graded: Class) -> None:
    """Every student who believes something wrong gets exactly that note, among those it equals."""
    named = 0
    for person, part, cell in cells(graded):
        if part in person.notes:
            assert person.notes[part] in cell["notes"]
            named += 1
    assert named > STUDENTS // 5


def test_rows_are_conserved(graded: Class) -> None:
    """Every row in has one fate, and students times parts are the states together."""
    counts = dict(graded.intake.counts)
    rows = counts.pop("rows")
    assert rows == sum(counts.values()) == sum(len(person.rows) for person in graded.people.values()) + 1
    assert (counts["unknown"], counts["alike"]) == (1, 0)
    assert counts["same"] == counts["older"] == STUDENTS // 10
    assert counts["contested"] == 2 * STUDENTS // 10
    with Gradebook.open(graded.book) as book:
        now = state_counts(results(book, graded.exam_keys), graded.exam_keys)
    expected = Counter(state for person in graded.people.values() for state in person.states.values())
    assert {state: count for state, count in now.states.items() if count} == dict(expected)
    assert sum(now.states.values()) == STUDENTS * 4
    assert now.without_points == STUDENTS // 10 - 1
    assert now.waiting == now.stale == 0


def test_late_rows_are_flagged(graded: Class) -> None:
    """A row after the time it was due is graded and flagged, an earlier one is neither."""
    for person, _, cell in cells(graded):
        assert cell["late"] == any(row[1].endswith("10:00:00") for row in person.rows)
    contested = sum(
        "AMBIGUOUS" in person.states.values() and len(person.rows) == 2 for person in graded.people.values()
    )
    late = [person for person in graded.people.values() if any("10:00" in row[1] for row in person.rows)]
    assert STUDENTS // 3 < graded.intake.flagged_count < len(late) < STUDENTS - contested
