"""Verdicts as JSON, and the points that a program earns."""

from fractions import Fraction
from typing import Any

from grader.base.numbers import Number
from grader.programs.sentences import sentence_of
from grader.programs.verdict import Verdict
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
