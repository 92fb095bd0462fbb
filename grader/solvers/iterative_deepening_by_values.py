"""Iterative deepening from exact values, without a search: a second algorithm, also with mistakes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from grader.base.numbers import INFINITY, Bound, Number
from grader.solvers.depth_limit import static_evaluation
from grader.solvers.iterative_deepening import Evaluations, Scores, leaf_means
from grader.solvers.solvable import number_at, require_max_and_min
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree


@dataclass(frozen=True, slots=True)
class SortingHabits:
    """The way to sort children between two iterations; the defaults are correct.

    - `scores`: the sort key, the own evaluation or the value backed up to the child.
    - `visits_first`: the best child for the moving player, the child with the largest score also at MIN, or
      the worst child.
    - `scores_pruned`: a pruned node gets a score too.
    - `sorts_children`: children are sorted at all.
    """

    scores: Scores = "own"
    visits_first: Literal["best", "largest", "worst"] = "best"
    scores_pruned: bool = False
    sorts_children: bool = True


@dataclass(frozen=True, slots=True)
class IterationByValues:
    """One iteration; node numbers are those of the original tree.

    - `orders`: the children of every node in visiting order.
    - `frontier`: the leaves and the nodes at the depth limit, visited or not.
    - `windows`: alpha and beta of every visited node, and the closed window of every pruned branch.
    - `scores`: the sort keys of the children; None for nodes without one.
    - `values`: the exact value of every node for a search to this depth; None below the limit.
    - `visited`: whether each node was visited.
    - `move`: the first child of the root with the root's value; -1 if the root is a leaf.
    """

    depth: int
    orders: tuple[tuple[int, ...], ...]
    frontier: tuple[int, ...]
    windows: dict[int, tuple[Bound, Bound]]
    scores: tuple[Bound | None, ...]
    values: tuple[Number | None, ...]
    visited: tuple[bool, ...]
    move: int


def iterations_by_values(
    tree: Tree, rules: Rules, habits: SortingHabits, evaluations: Evaluations, depth: int
) -> tuple[IterationByValues, ...]:
    """Return the searches to depth 1, 2, ... with these sorting habits.

    A node is visited exactly if its window from exact values is open (`grader.solvers.sweep`). Raises what
    `grader.solvers.iterative_deepening.iterative_deepening` raises.
    """
    orders = list(tree.children) if rules.order == "left-to-right" else [row[::-1] for row in tree.children]
    scores: list[Bound | None] = [None] * len(tree)
    iterations = []
    own_values, plans = _depth_plans(tree, evaluations, depth)
    for plies, (frontier, values) in enumerate(plans, 1):
        for node in tree.internal if habits.sorts_children else ():
            if tree.depths[node] < plies - 1:  # deeper children have no score yet
                orders[node] = _sorted(tree, node, orders[node], scores, habits)
        windows, visited = _windows(tree, rules, orders, values)
        move = next((child for child in orders[0] if values[child] == values[0]), -1)
        iterations.append(
            IterationByValues(
                plies, tuple(orders), frontier, windows, tuple(scores), values, tuple(visited), move
            )
        )
        new_scores: Sequence[Bound | None] = own_values
        if habits.scores == "backed-up":
            new_scores = _returned(tree, rules, orders, values, windows, visited)
        for node in range(1, len(tree)):
            if visited[node] or (habits.scores_pruned and values[node] is not None):
                scores[node] = new_scores[node]
    return tuple(iterations)


DepthPlan: TypeAlias = tuple[tuple[int, ...], tuple[Number | None, ...]]
"""The frontier of a search to a depth, and the exact value of each node; None below the limit."""


@lru_cache(maxsize=4)
def _depth_plans(
    tree: Tree, evaluations: Evaluations, depth: int
) -> tuple[tuple[Number | None, ...], tuple[DepthPlan, ...]]:
    """Return the evaluations of the nodes and the plans for depth 1, 2, ...; all habits share them."""
    require_max_and_min(tree)
    means = leaf_means(tree) if evaluations == "average" else None
    own_values = tuple(
        _own_value(tree, node, means) if 0 < tree.depths[node] <= depth else None for node in range(len(tree))
    )
    plans = []
    for plies in range(1, depth + 1):
        values: list[Number | None] = [None] * len(tree)
        frontier = []
        for node in reversed(range(len(tree))):
            if tree.depths[node] > plies:
                continue
            if tree.depths[node] == plies or tree.players[node] is None:
                frontier.append(node)
                values[node] = own_values[node]
                continue
            below = [value for child in tree.children[node] if (value := values[child]) is not None]
            values[node] = max(below) if tree.players[node] is Player.MAX else min(below)
        plans.append((tuple(reversed(frontier)), tuple(values)))
    return own_values, tuple(plans)


def _own_value(tree: Tree, node: int, means: tuple[Number, ...] | None) -> Number:
    """Return the payoff of a leaf, or the evaluation of an inner node: the given one, or its mean."""
    if tree.players[node] is None:
        return number_at(tree, node)
    return static_evaluation(tree, node) if means is None else means[node]


def _sorted(
    tree: Tree, node: int, order: tuple[int, ...], scores: list[Bound | None], habits: SortingHabits
) -> tuple[int, ...]:
    """Return the children in the order of the next iteration; those without a score stay last."""
    is_ascending = tree.players[node] is not Player.MAX and habits.visits_first != "largest"
    is_descending = is_ascending == (habits.visits_first == "worst")

    def sort_key(child: int) -> tuple[bool, Bound]:
        score = scores[child]
        return score is None, 0 if score is None else -score if is_descending else score

    return tuple(sorted(order, key=sort_key))


def _windows(
    tree: Tree, rules: Rules, orders: list[tuple[int, ...]], values: tuple[Number | None, ...]
) -> tuple[dict[int, tuple[Bound, Bound]], list[bool]]:
    """Return the windows, and whether each node is visited."""
    windows: dict[int, tuple[Bound, Bound]] = {}
    visited = [False] * len(tree)
    players, keep = tree.players, rules.ties == "keep"
    waiting: list[tuple[int, Bound, Bound]] = [(0, -INFINITY, INFINITY)]
    while waiting:
        node, alpha, beta = waiting.pop()
        windows[node] = (alpha, beta)
        if not (alpha < beta or (keep and alpha == beta)):
            continue
        visited[node] = True
        maximizes = players[node] is Player.MAX
        for child in orders[node]:
            worth = values[child]
            if worth is None:
                break
            waiting.append((child, alpha, beta))
            if maximizes:
                alpha = max(alpha, worth)
            else:
                beta = min(beta, worth)
    return windows, visited


def _returned(
    tree: Tree,
    rules: Rules,
    orders: list[tuple[int, ...]],
    values: tuple[Number | None, ...],
    windows: dict[int, tuple[Bound, Bound]],
    visited: list[bool],
) -> list[Bound | None]:
    """Return the returned value of every visited node, and the exact value of any other."""
    returned: list[Bound | None] = list(values)
    for node in reversed(range(len(tree))):
        below = [value for child in orders[node] if visited[child] and (value := returned[child]) is not None]
        if visited[node] and below:
            maximizes = tree.players[node] is Player.MAX
            best = max(below) if maximizes else min(below)
            if rules.returns == "hard":
                alpha, beta = windows[node]
                best = min(best, beta) if maximizes else max(best, alpha)
            returned[node] = best
    return returned
