"""What a student's answer to one part implies for another part of the same question, right or wrong."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from grader.answers.form import Item
from grader.answers.numeral import Numeral
from grader.base.numbers import Number, exact
from grader.exercise import Exercise
from grader.marking import Mark, State
from grader.rules import Rules
from grader.solvers.backing import backed_up
from grader.solvers.expectiminimax import expectiminimax
from grader.tree import Tree


@dataclass(frozen=True, slots=True)
class Following:
    """One step from an answer to another: `implied` gives what a consistent student answers to `target`.

    It gets (tree, rules, answer) and returns None where the answer implies nothing.
    """

    source: str
    target: str
    implied: Callable[[Tree, Rules, Any], Any]


def _own_values(tree: Tree, table: Sequence[tuple[int, Numeral]]) -> list[Number]:
    """The student's value of every node, and where there is none what follows from those below."""
    values = list(expectiminimax(tree))
    said = {node: numeral.value for node, numeral in table}
    for node in range(len(tree) - 1, -1, -1):
        if node in said:
            values[node] = said[node]
        elif tree.children[node]:
            values[node] = backed_up(tree, node, [values[child] for child in tree.children[node]])
    return values


def _best(tree: Tree, node: int, values: Sequence[Number]) -> tuple[int, ...]:
    """The children a player who believes these values goes to."""
    children = tree.children[node]
    best = backed_up(tree, node, [values[child] for child in children])
    return tuple(child for child in children if values[child] == best)


def _move(tree: Tree, _rules: Rules, table: Sequence[tuple[int, Numeral]]) -> frozenset[int] | None:
    if not table:
        return None
    values = _own_values(tree, table)
    return frozenset(tree.children[0].index(child) for child in _best(tree, 0, values))


def _root(tree: Tree, _rules: Rules, table: Sequence[tuple[int, Numeral]]) -> Numeral | None:
    return Numeral(_own_values(tree, table)[0]) if table else None


def _path(tree: Tree, _rules: Rules, table: Sequence[tuple[int, Numeral]]) -> frozenset[int] | None:
    if not table or tree.has_chance:
        return None
    values = _own_values(tree, table)
    level, paths = [0], set[int]()
    while level:
        node = level.pop()
        if tree.children[node]:
            level.extend(_best(tree, node, values))
        else:
            paths.add(tree.paths[node])
    return frozenset(paths)


def _count(tree: Tree, _rules: Rules, pruned: frozenset[int]) -> Numeral:
    return Numeral(len(tree.leaves) - len(pruned))


def _branches(tree: Tree, _rules: Rules, pruned: frozenset[int]) -> frozenset[int]:
    return frozenset(tree.covering(pruned))


def _leaves_below(tree: Tree, _rules: Rules, crossed: frozenset[int]) -> frozenset[int]:
    return frozenset(tree.paths[leaf] for node in crossed for leaf in tree.leaves_below(node))


def _order(tree: Tree, rules: Rules, pruned: frozenset[int]) -> tuple[int, ...]:
    """The leaves that are left, in the order of the search."""
    left = [path for path in range(1, len(tree.leaves) + 1) if path not in pruned]
    return tuple(left if rules.order == "left-to-right" else reversed(left))


def _count_below(tree: Tree, rules: Rules, crossed: frozenset[int]) -> Numeral:
    return _count(tree, rules, _leaves_below(tree, rules, crossed))


def _count_order(_tree: Tree, _rules: Rules, order: tuple[int, ...]) -> Numeral:
    return Numeral(len(order))


def _rest(tree: Tree, _rules: Rules, order: tuple[int, ...]) -> frozenset[int]:
    return frozenset(range(1, len(tree.leaves) + 1)) - frozenset(order)


FOLLOWING = (
    *(
        Following(source, target, implied)
        for source in ("node-values", "expected-values")
        for target, implied in (("best-move", _move), ("root-value", _root), ("best-path", _path))
    ),
    Following("pruned-paths", "visited-count", _count),
    Following("pruned-paths", "pruned-branches", _branches),
    Following("pruned-paths", "visiting-order", _order),
    Following("pruned-branches", "pruned-paths", _leaves_below),
    Following("pruned-branches", "visited-count", _count_below),
    Following("visiting-order", "visited-count", _count_order),
    Following("visiting-order", "pruned-paths", _rest),
)
"""Every step from part to part; one line to add another."""


def follow(exercise: Exercise, mark: Mark, answer: Any, earlier: Sequence[tuple[Exercise, Any]]) -> Mark:
    """The mark of an answer, or the better one it earns by following from the student's own earlier answers.

    `earlier` holds the exercises of the parts before, all about the same tree, with the answers to them;
    an answer is None where there is none.
    It earns what it would earn if the answer that an earlier reply implies were the key.
    """
    if mark.state is not State.GRADED or mark.points is None or mark.points >= mark.maximum:
        return mark
    public, form = exercise.public, exercise.kind.form
    for other, before in earlier:
        step = _STEPS.get((other.public.kind, public.kind))
        if step is None or before is None or other.public.tree != public.tree:
            continue
        implied = step.implied(public.tree, public.rules, before)
        if implied is None or implied == exercise.answer(exercise.key):
            continue
        credit = form.credit(answer, implied, public.tree, public.terms, None)
        points = exact(Fraction(mark.maximum) * credit.share)
        if points > mark.points:
            strict = mark.points - mark.follow_through
            mark = replace(
                mark,
                points=points,
                items=_merged(mark.items, credit.items),
                follow_through=exact(points - strict),
            )
    return mark


def _merged(strict: Sequence[Item], followed: Sequence[Item]) -> tuple[Item, ...]:
    """The items against the key, where a wrong one follows if it is right against what was implied."""
    right = {(item.node, item.said) for item in followed if item.verdict == "right"}
    return tuple(
        item._replace(verdict="follows")
        if item.verdict in ("wrong", "extra") and (item.node, item.said) in right
        else item
        for item in strict
    )


_STEPS: Mapping[tuple[str, str], Following] = {(step.source, step.target): step for step in FOLLOWING}
