"""Iterative deepening: search to depth 1, 2, 3, ..., the best children of the previous search first."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from grader.base.numbers import Bound, Number, normalize_number
from grader.solvers.depth_limit import nodes_within_depth, static_evaluation, truncate_at_depth
from grader.solvers.move_ordering import orders_by_score, reorder_children
from grader.solvers.search_choice import search
from grader.solvers.solvable import number_at, require_max_and_min
from grader.trees.annotations import Attributes
from grader.trees.rules import Rules
from grader.trees.tree import Tree

Scores: TypeAlias = Literal["own", "backed-up"]
"""The sort key of children: their own evaluation, or the value that the search has backed up to them."""

Evaluations: TypeAlias = Literal["given", "average"]
"""The evaluation of an inner node: from the tree (`eval=`, features), or the mean of all leaves below it."""


@dataclass(frozen=True, slots=True)
class Iteration:
    """One search; node numbers are those of the original tree, "left to right" is the order of this search.

    - `depth`: the depth of the search in plies.
    - `orders`: aligned with the nodes, the children of each from left to right.
    - `frontier`: the leaves of this search from left to right: leaves of the tree and nodes at the limit.
    - `visited`: the nodes it entered, in order.
    - `pruned`: the unvisited frontier, from left to right.
    - `values`: the value returned by each visited node; None elsewhere.
    - `scores`: the sort keys of children for the next search; None for the root and for nodes without one.
    - `move`: the move that is played if time runs out after this search: the first visited child of the
      root that returned the root's value; -1 if the root is a leaf.
    """

    depth: int
    orders: tuple[tuple[int, ...], ...]
    frontier: tuple[int, ...]
    visited: tuple[int, ...]
    pruned: tuple[int, ...]
    values: tuple[Bound | None, ...]
    scores: tuple[Bound | None, ...]
    move: int


def leaf_means(tree: Tree) -> tuple[Number, ...]:
    """Return the plain mean of all payoffs below every node; at a leaf its payoff.

    The score of the example in the UC Irvine lecture CS 171 (2020) on alpha-beta pruning.
    """
    sums: list[Number] = [0] * len(tree)
    counts = [0] * len(tree)
    for node in reversed(range(len(tree))):
        if tree.players[node] is None:
            sums[node], counts[node] = number_at(tree, node), 1
        if node:
            parent = tree.parents[node]
            sums[parent] += sums[node]
            counts[parent] += counts[node]
    return tuple(normalize_number(Fraction(total) / count) for total, count in zip(sums, counts, strict=True))


def iterative_deepening(
    tree: Tree,
    rules: Rules,
    *,
    scores: Scores = "own",
    evaluations: Evaluations = "given",
    depth: int | None = None,
) -> tuple[Iteration, ...]:
    """Search to depth 1, 2, ... up to `depth` or the depth of the tree, sorting children before each search.

    A node at the depth limit is worth its evaluation, a leaf above it its payoff. A visited node gets a
    score: its own evaluation (at a leaf its payoff) or the value backed up to it. A pruned node keeps its
    previous score. The depth of the rules is ignored.
    Raises `Unsolvable` for chance nodes and several players, `LimitError` for a missing evaluation,
    `UnknownPayoff` if a search reaches an unknown leaf.
    """
    require_max_and_min(tree)
    evaluated = _averaged(tree) if evaluations == "average" else tree
    orders = tree.children
    sort_keys: list[Bound | None] = [None] * len(tree)
    iterations: list[Iteration] = []
    for plies in range(1, (max(tree.depths) if depth is None else depth) + 1):
        orders = orders_by_score(tree, rules.order, orders, sort_keys)
        reordered = reorder_children(evaluated, dict(enumerate(orders)))
        limited = truncate_at_depth(reordered.tree, plies)
        # `nodes` maps the nodes of the limited tree to those of the original tree.
        nodes = [reordered.nodes[node] for node in nodes_within_depth(reordered.tree, plies)]
        result = search(limited, replace(rules, depth=None))
        visited = [nodes[node] for node in _entered(result.visited, limited, rules)]
        values: list[Bound | None] = [None] * len(tree)
        for node, value in zip(nodes, result.returned, strict=True):
            values[node] = value
        for node in visited[1:]:
            sort_keys[node] = values[node] if scores == "backed-up" else _own(evaluated, node)
        frontier = tuple(nodes[leaf] for leaf in limited.leaves)
        root_children = limited.visiting(0, rules.order)
        best = [child for child in root_children if result.returned[child] == result.returned[0]]
        iterations.append(
            Iteration(
                depth=plies,
                orders=orders,
                frontier=frontier,
                visited=tuple(visited),
                pruned=tuple(node for node in frontier if values[node] is None),
                values=tuple(values),
                scores=tuple(sort_keys),
                move=nodes[best[0]] if best else -1,
            )
        )
    return tuple(iterations)


def _own(tree: Tree, node: int) -> Number:
    return number_at(tree, node) if tree.players[node] is None else static_evaluation(tree, node)


def _entered(visited: tuple[bool, ...], tree: Tree, rules: Rules) -> list[int]:
    """Return the visited nodes in the order in which the search entered them."""
    entered, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if visited[node]:
            entered.append(node)
            waiting += reversed(tree.visiting(node, rules.order))
    return entered


def _averaged(tree: Tree) -> Tree:
    """Return the tree with the mean of the leaves below every inner node as its evaluation."""
    attributes = list(tree.attributes)
    means = leaf_means(tree)
    for node in tree.internal:
        attributes[node] = replace(attributes[node] or Attributes(), evaluation=means[node])
    return replace(tree, attributes=tuple(attributes))
