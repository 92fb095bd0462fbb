"""Iterative deepening from exact values, without a search: a second way to it, and as people get it wrong."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from grader.base.numbers import INFINITY, Bound, Number
from grader.solvers.depth_limit import static_evaluation
from grader.solvers.iterative_deepening import Evaluations, Scores, leaf_means
from grader.solvers.solvable import number_at, require_no_chance
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree


@dataclass(frozen=True, slots=True)
class SortingHabits:
    """How somebody sorts children between two iterations; the defaults are right.

    - `scores`: by their own evaluation, or by the value backed up to them.
    - `visits_first`: who is visited first: the best child for who moves, the one with the largest score at
      MIN too, or the worst child.
    - `scores_pruned`: a node gets a score although it was pruned.
    - `sorts_children`: whether children are sorted at all.
    """

    scores: Scores = "own"
    visits_first: Literal["best", "largest", "worst"] = "best"
    scores_pruned: bool = False
    sorts_children: bool = True


@dataclass(frozen=True, slots=True)
class IterationByValues:
    """One iteration; nodes are those of the tree as it was given.

    - `orders`: the children of every node, in the order in which they are visited.
    - `frontier`: what the iteration evaluates, visited or not: leaves, and nodes at the depth limit.
    - `windows`: alpha and beta with which a node was entered, or, of a cut branch, with which it was left.
    - `scores`: what the children were sorted by; None for nodes that had none.
    - `values`: the exact value of every node for a search to this depth; None below the limit.
    - `visited`: whether a node was visited.
    - `move`: the first child of the root with the root's value; -1 where the root is a leaf.
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
    """The searches to depth 1, 2, ... of somebody with these habits.

    A node is visited exactly when its window from exact values is open (`grader.solvers.sweep`). Raises what
    `grader.solvers.iterative_deepening.iterative_deepening` raises.
    """
    orders = list(tree.children) if rules.order == "left-to-right" else [row[::-1] for row in tree.children]
    scores: list[Bound | None] = [None] * len(tree)
    found = []
    worths, searches = _worked_out(tree, evaluations, depth)
    for plies, (frontier, values) in enumerate(searches, 1):
        for node in tree.internal if habits.sorts_children else ():
            if tree.depths[node] < plies - 1:  # of other nodes no child has a score yet
                orders[node] = _sorted(tree, node, orders[node], scores, habits)
        windows, visited = _descent(tree, rules, orders, values)
        move = next((child for child in orders[0] if values[child] == values[0]), -1)
        found.append(
            IterationByValues(
                plies, tuple(orders), frontier, windows, tuple(scores), values, tuple(visited), move
            )
        )
        backed_up = habits.scores == "backed-up"
        told = _returned(tree, rules, orders, values, windows, visited) if backed_up else worths
        for node in range(1, len(tree)):
            if visited[node] or (habits.scores_pruned and values[node] is not None):
                scores[node] = told[node]
    return tuple(found)


DepthPlan: TypeAlias = tuple[tuple[int, ...], tuple[Number | None, ...]]
"""What a search to a depth evaluates, and what each node is worth to it; None below the limit."""


@lru_cache(maxsize=4)
def _worked_out(
    tree: Tree, evaluations: Evaluations, depth: int
) -> tuple[tuple[Number | None, ...], tuple[DepthPlan, ...]]:
    """What nodes are worth by themselves, and the searches to depth 1, 2, ...: what no habit changes."""
    require_no_chance(tree)
    means = leaf_means(tree) if evaluations == "average" else None
    worths = tuple(
        _worth(tree, node, means) if 0 < tree.depths[node] <= depth else None for node in range(len(tree))
    )
    levels = []
    for plies in range(1, depth + 1):
        values: list[Number | None] = [None] * len(tree)
        frontier = []
        for node in reversed(range(len(tree))):
            if tree.depths[node] > plies:
                continue
            if tree.depths[node] == plies or tree.players[node] is None:
                frontier.append(node)
                values[node] = worths[node]
                continue
            below = [value for child in tree.children[node] if (value := values[child]) is not None]
            values[node] = max(below) if tree.players[node] is Player.MAX else min(below)
        levels.append((tuple(reversed(frontier)), tuple(values)))
    return worths, tuple(levels)


def _worth(tree: Tree, node: int, means: tuple[Number, ...] | None) -> Number:
    if tree.players[node] is None:
        return number_at(tree, node)
    return static_evaluation(tree, node) if means is None else means[node]


def _sorted(
    tree: Tree, node: int, order: tuple[int, ...], scores: list[Bound | None], habits: SortingHabits
) -> tuple[int, ...]:
    upwards = tree.players[node] is not Player.MAX and habits.visits_first != "largest"
    downwards = upwards == (habits.visits_first == "worst")

    def place(child: int) -> tuple[bool, Bound]:
        score = scores[child]
        return score is None, 0 if score is None else -score if downwards else score

    return tuple(sorted(order, key=place))


def _descent(
    tree: Tree, rules: Rules, orders: list[tuple[int, ...]], values: tuple[Number | None, ...]
) -> tuple[dict[int, tuple[Bound, Bound]], list[bool]]:
    """The windows, and who is visited."""
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
    """What every visited node returns, and the exact value of any other."""
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
