"""Iterative deepening: search to depth 1, 2, 3 and so on, visiting first what looked best before."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from grader.base.numbers import Bound, Number, normalize_number
from grader.solvers.depth_limit import nodes_within_depth, static_evaluation, truncate_at_depth
from grader.solvers.move_ordering import orders_by_score, reorder_children
from grader.solvers.search_choice import search
from grader.solvers.solvable import number_at, require_no_chance
from grader.trees.rules import Rules
from grader.trees.tree import Attributes, Tree

Scores: TypeAlias = Literal["own", "backed-up"]
"""Children are sorted by their own evaluation, or by the value that the search has backed up to them."""

Evaluations: TypeAlias = Literal["given", "average"]
"""An inner node is evaluated as the tree says (`eval=`, features), or by the mean of all leaves below it."""


@dataclass(frozen=True, slots=True)
class Iteration:
    """One search; nodes are those of the tree as it was given.

    - `depth`: how many plies it searched.
    - `orders`: aligned with the nodes, the children of each from left to right as they then stood.
    - `frontier`: the leaves of this search, from left to right as they then stood: leaves of the tree
      and nodes at the depth limit.
    - `visited`: the nodes it entered, in order.
    - `pruned`: the frontier it never visited, from left to right as it then stood.
    - `values`: what it returned for each node it entered; None elsewhere.
    - `scores`: by which children are sorted for the next search; None for the root and
      nodes that were never scored.
    - `move`: the root's child that stands when time runs out after this search: the first visited
      among those that returned the root's value; -1 where the root is a leaf.
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
    """The plain mean of all payoffs below every node, whoever moves; at a leaf its payoff.

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

    A node at the depth limit is worth its evaluation, a leaf above it its payoff. A node that was visited
    gets a score, its own evaluation (at a leaf its payoff) or the value that was backed up to it; one that
    was pruned keeps the score it had. The depth of the rules is not looked at.
    Raises `Unsolvable` for chance nodes and several players, `LimitError` where an evaluation is missing,
    `UnknownPayoff` where a search comes to an unknown leaf.
    """
    require_no_chance(tree)
    evaluated = _averaged(tree) if evaluations == "average" else tree
    deepest = max(tree.depths) if depth is None else depth
    orders = tree.children
    known: list[Bound | None] = [None] * len(tree)
    found: list[Iteration] = []
    for plies in range(1, deepest + 1):
        orders = orders_by_score(tree, rules.order, orders, known)
        stood = reorder_children(evaluated, dict(enumerate(orders)))
        cut = truncate_at_depth(stood.tree, plies)
        nodes = [stood.nodes[node] for node in nodes_within_depth(stood.tree, plies)]
        done = search(cut, replace(rules, depth=None))
        entered = [nodes[node] for node in _entered(done.visited, cut, rules)]
        values: list[Bound | None] = [None] * len(tree)
        for place, node in enumerate(nodes):
            values[node] = done.returned[place]
        for node in entered[1:]:
            known[node] = values[node] if scores == "backed-up" else _own(evaluated, node)
        frontier = tuple(nodes[leaf] for leaf in cut.leaves)
        root = cut.visiting(0, rules.order)
        chosen = [child for child in root if done.returned[child] == done.returned[0]]
        found.append(
            Iteration(
                depth=plies,
                orders=orders,
                frontier=frontier,
                visited=tuple(entered),
                pruned=tuple(node for node in frontier if values[node] is None),
                values=tuple(values),
                scores=tuple(known),
                move=nodes[chosen[0]] if chosen else -1,
            )
        )
    return tuple(found)


def _own(tree: Tree, node: int) -> Number:
    return number_at(tree, node) if tree.players[node] is None else static_evaluation(tree, node)


def _entered(visited: tuple[bool, ...], tree: Tree, rules: Rules) -> list[int]:
    """The visited nodes in the order in which the search entered them."""
    entered, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if visited[node]:
            entered.append(node)
            waiting += reversed(tree.visiting(node, rules.order))
    return entered


def _averaged(tree: Tree) -> Tree:
    """The tree in which every inner node is evaluated by the mean of the leaves below it."""
    means = leaf_means(tree)
    return replace(
        tree,
        attributes=tuple(
            attributes if player is None else replace(attributes or Attributes(), evaluation=mean)
            for player, attributes, mean in zip(tree.players, tree.attributes, means, strict=True)
        ),
    )
