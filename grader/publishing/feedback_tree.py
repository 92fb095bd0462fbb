"""The tree of a question with what a student wrote in it: values and crosses, right and wrong."""

from collections.abc import Sequence
from dataclasses import replace

from grader.answers.form import Item, Verdict
from grader.base.numbers import NumeralError, read_number
from grader.base.phrases import Language
from grader.exercise import Exercise
from grader.marking import Mark
from grader.pictures.view import ClaimMark, CrossMark, Shown, View
from grader.solvers.values import values
from grader.tree import Claim, Tree


def answers_in_tree(
    parts: Sequence[tuple[Exercise, Mark | None]], language: Language, released: bool
) -> View:
    """The tree with what the student claims and crosses out; after release with what is right instead."""
    tree = parts[0][0].public.tree
    claims: list[Claim | None] = [None] * len(tree)
    claim_marks: list[ClaimMark | None] = [None] * len(tree)
    shown: list[Shown | None] = [None] * len(tree)
    marks: list[CrossMark | None] = [None] * len(tree)
    for exercise, mark in parts:
        if mark is None:
            continue
        match exercise.kind.form.shown:
            case "values":
                _claim(tree, mark.items, claims, claim_marks, shown, released)
            case "crosses":
                _cross(tree, mark.items, marks, released)
    return replace(
        View.question(tree, language),
        values=tuple(shown),
        claims=tuple(claims),
        claim_marks=tuple(claim_marks),
        cross_marks=tuple(marks),
        pruned=tuple(mark is not None and mark != "missing" for mark in marks),
    )


def _claim(
    tree: Tree,
    items: Sequence[Item],
    claims: list[Claim | None],
    claim_marks: list[ClaimMark | None],
    shown: list[Shown | None],
    released: bool,
) -> None:
    exact = values(tree)
    for item in items:
        if item.node is None or not item.said:
            continue
        try:
            value = read_number(item.said.rpartition("=")[2])
        except NumeralError:
            continue  # a value the picture cannot show is in the list beside it
        claims[item.node] = Claim("=", value)
        claim_marks[item.node] = item.verdict if item.verdict in ("right", "follows") else "wrong"
        shown[item.node] = exact[item.node] if released else None


def _cross(tree: Tree, items: Sequence[Item], marks: list[CrossMark | None], released: bool) -> None:
    sides: tuple[tuple[CrossMark, Verdict], ...] = (
        ("right", "right"),
        ("extra", "extra"),
        ("missing", "missing"),
    )
    for mark, verdict in sides:
        if mark == "missing" and not released:
            continue
        nodes = {item.node for item in items if item.verdict == verdict and item.node is not None}
        leaves = frozenset(tree.paths[node] for node in nodes if tree.paths[node])
        inner = {node for node in nodes if not tree.paths[node]}
        for node in inner.union(tree.covering(leaves)):
            marks[node] = mark
