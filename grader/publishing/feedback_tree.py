"""The tree of a question with a student's values and crosses, marked as right or wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.answers.form import Item
from grader.base.numbers import Number, NumeralError, read_number
from grader.base.phrases import Language
from grader.exercises.exercise import Exercise
from grader.exercises.marking import Mark
from grader.pictures.view import ClaimMark, CrossMark, View
from grader.trees.tree import Claim, Tree


def answers_in_tree(
    parts: Sequence[tuple[Exercise, Mark | None]], language: Language, released: bool
) -> View:
    """Return the tree with the student's values and crosses; after release with the correct ones too."""
    tree = parts[0][0].public.tree
    claims: dict[int, Claim] = {}
    claim_marks: dict[int, ClaimMark] = {}
    rights: dict[int, Number] = {}
    marks: dict[int, CrossMark] = {}
    for exercise, mark in parts:
        items, drawn_verdicts = () if mark is None else mark.items, exercise.kind.form.drawn_verdicts
        if drawn_verdicts == "values":
            for node, value, right, claim_mark in _claimed(items):
                claims[node], claim_marks[node] = Claim("=", value), claim_mark
                if released and right is not None:
                    rights[node] = right
        elif drawn_verdicts == "crosses":
            marks |= _crossed(tree, items, released)
    nodes = range(len(tree))
    return replace(
        View.question(tree, language),
        values=tuple(map(rights.get, nodes)),
        claims=tuple(map(claims.get, nodes)),
        claim_marks=tuple(map(claim_marks.get, nodes)),
        cross_marks=tuple(map(marks.get, nodes)),
        pruned=tuple(marks.get(node, "missing") != "missing" for node in nodes),
    )


def _claimed(items: Sequence[Item]) -> Iterator[tuple[int, Number, Number | None, ClaimMark]]:
    """Yield each node with a value: the student's, the one of the key if known, and its mark."""
    for item in items:
        if item.node is None or not item.reply:
            continue
        try:
            value = read_number(item.reply.rpartition("=")[2])
        except NumeralError:
            continue  # a value that the picture cannot show is in the list of entries
        right = read_number(item.right.rpartition("=")[2]) if item.right else None
        yield item.node, value, right, item.verdict if item.verdict in ("right", "follows") else "wrong"


def _crossed(tree: Tree, items: Sequence[Item], released: bool) -> dict[int, CrossMark]:
    """Return the nodes whose branches are crossed out, or should be, with their marks."""
    marks: dict[int, CrossMark] = {}
    sides: tuple[CrossMark, ...] = ("right", "extra", "missing")
    for mark in sides[: None if released else -1]:
        nodes = {item.node for item in items if item.verdict == mark and item.node is not None}
        leaves = frozenset(tree.paths[node] for node in nodes if tree.paths[node])
        inner = {node for node in nodes if not tree.paths[node]}
        marks |= dict.fromkeys(inner.union(tree.covering(leaves)), mark)
    return marks
