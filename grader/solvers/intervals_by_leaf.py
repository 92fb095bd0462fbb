"""Which values nodes can still have after each leaf that a search has seen."""

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
    """Between which values every node lies once `leaf` and the leaves visited before it are known.

    `intervals` is aligned with the nodes; `leaf` is None before the first leaf.
    """

    leaf: int | None
    intervals: tuple[Interval, ...]


def intervals_by_leaf(tree: Tree, rules: Rules) -> tuple[IntervalsAfterLeaf, ...]:
    """The range of every node before the first leaf, and again after each leaf that the search visits.

    Leaves not seen, among them those that are pruned, may still be anything, within the bounds of the
    rules where there are any. Russell and Norvig, Artificial Intelligence: A Modern Approach, fig. 5.5.
    Raises what `grader.solvers.search_choice.search` raises.
    """
    payoffs: list[Payoff] = ["unseen"] * len(tree.leaves)
    seen = [IntervalsAfterLeaf(None, intervals(tree.with_payoffs(tuple(payoffs)), rules.bounds))]
    for event in search(tree, rules).trace:
        if not isinstance(event, Enter) or tree.players[event.node] is not None:
            continue
        path = tree.paths[event.node]
        payoffs[path - 1] = tree.payoffs[event.node] or 0
        seen.append(
            IntervalsAfterLeaf(event.node, intervals(tree.with_payoffs(tuple(payoffs)), rules.bounds))
        )
    return tuple(seen)


def interval_by_folding(
    tree: Tree, node: int, seen: Collection[int], bounds: tuple[Number, Number] | None
) -> Interval:
    """The range of a node once these leaves are known, folded up from its own leaves.

    A value grows with every payoff, so both ends come of all unseen leaves at one extreme.
    """
    low, high = bounds or (-INFINITY, INFINITY)

    def end(at: int, unseen: Bound) -> Bound:
        player = tree.players[at]
        if player is None:
            return number_at(tree, at) if at in seen else unseen
        below = [end(child, unseen) for child in tree.children[at]]
        if player is Player.CHANCE:
            weighed = [
                (tree.probabilities[child] or 0, value)
                for child, value in zip(tree.children[at], below, strict=True)
            ]
            open_ends = [value for share, value in weighed if share and abs(value) == INFINITY]
            if open_ends:
                return open_ends[0]
            finite = [(share, value) for share, value in weighed if not isinstance(value, float)]
            return normalize_number(sum((Fraction(share) * value for share, value in finite), Fraction(0)))
        return max(below) if player is Player.MAX else min(below)

    return end(node, low), end(node, high)
