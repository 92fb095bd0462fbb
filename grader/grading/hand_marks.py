"""Marks that were set by hand, as a table that `gradebook override --table` takes."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from grader.base.numbers import write_number
from grader.grading.gradebook_file import SCHEMA, SQLITE_FAILURES, translate_failure
from grader.grading.results import Result
from grader.tables.formulas import csv_bytes, guard_formula


class HandMark(NamedTuple):
    """A mark that a person set: the exact points, and why."""

    student: str
    question: str
    points: str
    reason: str


def hand_marks(results: Iterable[Result]) -> list[HandMark]:
    """Return the marks set by hand that stand, of a gradebook of this version."""
    return [
        HandMark(result.student.identifier, entry.question, write_number(entry.points), entry.reason)
        for result in results
        for standing in result.standings
        if (entry := standing.entry) is not None and entry.maker == "override" and entry.points is not None
    ]


_EARLIER_MARKS_SQL = """
SELECT student, question, points, reason FROM marks
WHERE maker = 'override' AND id IN (SELECT max(id) FROM marks GROUP BY student, question)
ORDER BY student, question
"""
"""Schemas 1 to 3 have the points in the table of marks."""


def earlier_hand_marks(path: Path) -> list[HandMark] | None:
    """Return the marks set by hand that stand in a gradebook of an earlier schema; None for any other file.

    Raises `grader.grading.gradebook_file.GradebookError` or `OSError` if it cannot be read.
    """
    if not path.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            (schema,) = connection.execute("PRAGMA user_version").fetchone()
            if not 0 < schema < SCHEMA:
                return None
            return [HandMark(*map(str, row)) for row in connection.execute(_EARLIER_MARKS_SQL)]
    except SQLITE_FAILURES as error:
        raise translate_failure(path, error, "read") from None


def hand_marks_table(marks: Iterable[HandMark]) -> bytes:
    """Write the table."""
    rows = (map(guard_formula, mark) for mark in marks)
    return csv_bytes([("student", "question", "points", "reason"), *rows])
