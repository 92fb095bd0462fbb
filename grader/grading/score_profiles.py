"""Scores by quarters of the class, of every student, and how many crossed out each branch of a tree."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from grader.answers.form import Item
from grader.grading.exam_keys import ExamKeys
from grader.grading.marked_answers import MarkedAnswer
from grader.trees.tree import Tree

QUARTERS = 4

MIN_QUARTER_STUDENTS = 3
"""The fewest students of a quarter: a mean of fewer says little."""


@dataclass(frozen=True, slots=True)
class StudentScores:
    """The shares of the points of one student, by part; None for a part without a score."""

    student: str
    total: Fraction
    shares: tuple[Fraction | None, ...]


@dataclass(frozen=True, slots=True)
class CrossedTree:
    """A tree that everybody had, and how many students crossed out each branch.

    `counts` has for every node the students whose answer prunes the whole subtree below it; `key` is whether
    the correct answer does.
    """

    part: str
    tree: Tree
    students: int
    counts: tuple[int, ...]
    key: tuple[bool, ...]


def sorted_scores(
    parts: Sequence[str], shares: Mapping[str, Mapping[str, Fraction]], totals: Mapping[str, Fraction]
) -> tuple[StudentScores, ...]:
    """Return the scores of all students with a total, the best first; equal totals by identifier."""
    rows = [
        StudentScores(student, total, tuple(shares[part].get(student) for part in parts))
        for student, total in totals.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.total, row.student)))


def quarter_means(scores: Sequence[StudentScores]) -> tuple[tuple[Fraction | None, ...], ...]:
    """Return for every part the mean share of each quarter of the class, the lowest totals first.

    Empty if a quarter has fewer than `MIN_QUARTER_STUDENTS` students.
    """
    if len(scores) < QUARTERS * MIN_QUARTER_STUDENTS:
        return ()
    ascending, count = scores[::-1], len(scores)
    bounds = [count * quarter // QUARTERS for quarter in range(QUARTERS + 1)]
    groups = [ascending[low:high] for low, high in pairwise(bounds)]
    columns = range(len(scores[0].shares))
    return tuple(tuple(_mean(row.shares[column] for row in group) for group in groups) for column in columns)


def _mean(shares: Iterable[Fraction | None]) -> Fraction | None:
    known = [share for share in shares if share is not None]
    return sum(known, Fraction(0)) / len(known) if known else None


def crossed_trees(
    exam_keys: ExamKeys, answers: Mapping[str, Sequence[MarkedAnswer]]
) -> tuple[CrossedTree, ...]:
    """Count the crosses at every branch, for the parts whose tree and key are the same in all variants.

    `answers` are those to each part.
    """
    keys_by_part: dict[str, set[str]] = {part.name: set() for part in exam_keys.parts}
    for code in exam_keys.variants:
        for key in exam_keys.part_keys(code):
            keys_by_part[key.part].add(key.key)
    found = []
    for part, given in answers.items():
        is_shared = given and len(keys_by_part[part]) == 1
        exercise = exam_keys.exercise(given[0].variant, part) if is_shared else None
        if exercise is None or exercise.kind.form.drawn_verdicts != "crosses":
            continue
        tree, form, key = exercise.public.tree, exercise.kind.form, exercise.answer(exercise.key)
        key_items = form.credit(key, key, tree, exercise.public.terms).items
        pruned = _crossed_nodes(tree, key_items)
        counts = Counter(node for answer in given for node in _crossed_nodes(tree, answer.mark.items))
        nodes = range(len(tree))
        found.append(
            CrossedTree(
                part,
                tree,
                len(given),
                tuple(counts[node] for node in nodes),
                tuple(node in pruned for node in nodes),
            )
        )
    return tuple(found)


def _crossed_nodes(tree: Tree, items: Iterable[Item]) -> set[int]:
    """Return the nodes below which everything is crossed out, given the items of an answer."""
    nodes = {item.node for item in items if item.reply and item.node is not None}
    for node in range(len(tree)):
        if node in nodes:
            nodes.update(tree.children[node])
    for node in reversed(range(len(tree))):
        if tree.children[node] and nodes.issuperset(tree.children[node]):
            nodes.add(node)
    return nodes
