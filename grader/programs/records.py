"""Verdicts as JSON, and the points that a program earns."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from grader.base.numbers import Number
from grader.programs.sentences import sentence_of
from grader.programs.verdict import PARTS, Verdict
from grader.trees.notation.writing import write_tree


def verdict_record(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as a JSON record."""
    tree = None if verdict.counterexample is None else verdict.counterexample.whole
    return {
        "file": verdict.name,
        "interface": verdict.interface,
        "function": verdict.run.choice or None,
        "verdict": verdict.ruling,
        "ties": verdict.followed_ties,
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
    return (
        None
        if verdict.ruling == "unfinished"
        else sum((each for _, each, _ in rubric(verdict, full)), Fraction())
    )


def rubric(verdict: Verdict, full: Number) -> Iterator[tuple[str, Fraction, Fraction]]:
    """Yield each line of the rubric with its points and its full mark; a program without a verdict has 0."""
    shares = {part: share for part in PARTS if (share := verdict.share(part)) is not None}
    if verdict.ruling == "unfinished":
        shares = dict.fromkeys(shares or PARTS, Fraction(0))
    weights = dict(zip(PARTS, verdict.weights, strict=True))
    whole = sum(weights[part] for part in shares) or 1
    for part, share in shares.items():
        if not weights[part]:
            continue
        maximum = Fraction(full) * weights[part] / whole
        yield part, maximum if verdict.ruling == "right" else maximum * share, maximum
