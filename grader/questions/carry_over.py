"""What an answer says that later parts may take over: the student's own values, or pruned leaves."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from grader.answers.numeral import Numeral
from grader.base.numbers import Number
from grader.questions.case import Case
from grader.solvers.backup import back_up
from grader.solvers.expectiminimax import expectiminimax
from grader.trees.tree import Tree

if TYPE_CHECKING:
    from grader.answers.table import Table

VALUES = "values"
"""The values of all nodes, as a sequence of numbers."""

PRUNED_LEAVES = "pruned"
"""The numbers of the pruned leaves, as a set."""

Carries: TypeAlias = Mapping[str, Callable[[Case, Any], Any]]
"""Quantity -> (case, answer) -> its value in the answer; None if the answer does not determine it."""

Takes: TypeAlias = Mapping[str, Callable[[Case, Any], Any]]
"""Quantity -> (case, its value) -> the answer that follows from it; None if none does."""

# What an answer carries


def own_values(case: Case, table: "Table") -> Sequence[Number] | None:
    """Return the student's value of every node, or None for an empty table.

    A node without an entry has the value implied from below.
    """
    tree = case.tree
    if not table:
        return None
    values = list(expectiminimax(tree))
    entries = {node: numeral.value for node, numeral in table}
    for node in range(len(tree) - 1, -1, -1):
        if node in entries:
            values[node] = entries[node]
        elif tree.children[node]:
            values[node] = back_up(tree, node, [values[child] for child in tree.children[node]])
    return values


def unchanged_leaves(case: Case, leaves: frozenset[int]) -> frozenset[int]:
    """The pruned leaves, which are the answer itself."""
    return leaves


def leaves_of_branches(case: Case, crossed: frozenset[int]) -> frozenset[int]:
    """The leaves below crossed branches."""
    return frozenset(case.tree.paths[leaf] for node in crossed for leaf in case.tree.leaves_below(node))


def leaves_missing_in_order(case: Case, order: tuple[int, ...]) -> frozenset[int]:
    """The leaves that an order leaves out."""
    return frozenset(range(1, len(case.tree.leaves) + 1)) - frozenset(order)


# What follows from it


def best_children_by(tree: Tree, node: int, values: Sequence[Number]) -> tuple[int, ...]:
    """The children a player who believes these values goes to."""
    children = tree.children[node]
    best = back_up(tree, node, [values[child] for child in children])
    return tuple(child for child in children if values[child] == best)


def move_from_values(case: Case, values: Sequence[Number]) -> frozenset[int]:
    """The moves at the root that these values make best."""
    return frozenset(case.tree.children[0].index(child) for child in best_children_by(case.tree, 0, values))


def root_value_from_values(case: Case, values: Sequence[Number]) -> Numeral:
    """The value of the game by these values."""
    return Numeral(values[0])


def paths_from_values(case: Case, values: Sequence[Number]) -> frozenset[int] | None:
    """The leaves at which the game may end by these values; None with chance nodes."""
    tree = case.tree
    if tree.has_chance:
        return None
    level, paths = [0], set[int]()
    while level:
        node = level.pop()
        if tree.children[node]:
            level.extend(best_children_by(tree, node, values))
        else:
            paths.add(tree.paths[node])
    return frozenset(paths)


def branches_from_leaves(case: Case, pruned: frozenset[int]) -> frozenset[int]:
    """The topmost branches below which all leaves are pruned."""
    return frozenset(case.tree.covering(pruned))


def count_from_leaves(case: Case, pruned: frozenset[int]) -> Numeral:
    """Count the leaves that are visited when these are pruned."""
    return Numeral(len(case.tree.leaves) - len(pruned))


def order_from_leaves(case: Case, pruned: frozenset[int]) -> tuple[int, ...]:
    """The leaves that are visited when these are pruned, in the order of the search."""
    left = [path for path in range(1, len(case.tree.leaves) + 1) if path not in pruned]
    return tuple(left if case.rules.order == "left-to-right" else reversed(left))
