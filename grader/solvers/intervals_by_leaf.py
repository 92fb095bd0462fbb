"""The possible values of nodes after each leaf that a search visits."""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from grader.base.numbers import INFINITY, Bound, Number, normalize_number
from grader.solvers.search_choice import search
from grader.solvers.solvable import number_at
from grader.solvers.trace import Enter
from grader.solvers.value_intervals import Interval, intervals
from grader.trees.rules import Rules
from grader.trees.tree import Payoff, Player, Tree


@dataclass(frozen=True, slots=True)
class IntervalsAfterLeaf:
    """The interval of every node when `leaf` and the leaves visited before it are known.

    `intervals` is aligned with the nodes; `leaf` is None before the first leaf.
    """

    leaf: int | None
    intervals: tuple[Interval, ...]


def intervals_by_leaf(tree: Tree, rules: Rules) -> tuple[IntervalsAfterLeaf, ...]:
    """Return the intervals of all nodes before the first leaf and after each leaf that the search visits.

    Unvisited leaves, including pruned ones, may have any payoff within the bounds of the rules, if there
    are any. Russell and Norvig, Artificial Intelligence: A Modern Approach, fig. 5.5.
    Raises what `grader.solvers.search_choice.search` raises.
    """
    payoffs: list[Payoff] = ["unseen"] * len(tree.leaves)

    def after(leaf: int | None) -> IntervalsAfterLeaf:
        return IntervalsAfterLeaf(leaf, intervals(tree.with_payoffs(tuple(payoffs)), rules.bounds))

    snapshots = [after(None)]
    for event in search(tree, rules).trace:
        if isinstance(event, Enter) and tree.players[event.node] is None:
            payoffs[tree.paths[event.node] - 1] = tree.payoffs[event.node] or 0
            snapshots.append(after(event.node))
    return tuple(snapshots)


def interval_by_folding(
    tree: Tree, node: int, visited: Collection[int], bounds: tuple[Number, Number] | None
) -> Interval:
    """Return the interval of a node when these leaves are known, computed from the leaves below it.

    Values grow with every payoff, so each end has all unvisited leaves at one extreme.
    """
    low, high = bounds or (-INFINITY, INFINITY)

    def end(subtree: int, unknown: Bound) -> Bound:
        """Return one end of a subtree's interval, with every unvisited leaf worth `unknown`.

        An infinite `unknown` below a branch of probability 0 does not make the mean infinite.
        """
        player, children = tree.players[subtree], tree.children[subtree]
        if player is None:
            return number_at(tree, subtree) if subtree in visited else unknown
        below = [end(child, unknown) for child in children]
        if player is Player.CHANCE:
            total = Fraction(0)
            for child, value in zip(children, below, strict=True):
                share = tree.probabilities[child] or 0
                if share == 0:
                    continue
                if isinstance(value, float):
                    return value
                total += share * value
            return normalize_number(total)
        return max(below) if player is Player.MAX else min(below)

    return end(node, low), end(node, high)
