"""Verdicts as JSON, and the points of a class as a table for `gametree gradebook override`."""

import csv
import io
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from grader.base.numbers import Number
from grader.base.phrases import ENGLISH, Language
from grader.programs.sentences import sentence_of
from grader.programs.submissions import student_of
from grader.programs.verdict import Verdict
from grader.tables.formulas import guard_formula
from grader.trees.notation.writing import write_tree

PARTS = ("value", "move", "visits")
"""The lines of the rubric; each is worth the same among those that a program has."""


def verdict_record(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as a JSON record."""
    tree = None if verdict.counterexample is None else verdict.counterexample.whole
    return {
        "file": verdict.name,
        "interface": verdict.interface,
        "function": verdict.run.choice or None,
        "verdict": verdict.ruling,
        "ties": verdict.ties,
        "returns": verdict.run.returns,
        "mistakes": list(verdict.mistakes),
        "differs": verdict.differs(),
        "tree": None if tree is None else write_tree(tree),
        "leaves": None if tree is None else len(tree.leaves),
        "sentence": sentence_of(verdict),
        "notes": list(verdict.notes),
    }


def program_points(verdict: Verdict, full: Number) -> Fraction | None:
    """Return the points by the share of trees on which each line is right; None without a verdict."""
    if verdict.ruling == "unfinished":
        return None
    if verdict.ruling == "right":
        return Fraction(full)
    shares = [share for part in PARTS if (share := verdict.share(part)) is not None]
    return Fraction(full) * sum(shares) / len(shares)


def points_table(
    verdicts: Iterable[Verdict], question: str, full: Number, language: Language = ENGLISH
) -> str:
    """Return a table in CSV with the columns student, question, points and reason.

    A program without a verdict has no row: its points are for a person to decide.
    """
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("student", "question", "points", "reason"))
    for verdict in verdicts:
        points = program_points(verdict, full)
        if points is not None:
            reason = sentence_of(verdict, language)
            cells = (student_of(verdict.name), question, language.points(points), reason)
            rows.writerow(map(guard_formula, cells))
    return text.getvalue()
