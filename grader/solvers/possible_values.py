"""Which values nodes can still have after each leaf that a search has seen."""

from dataclasses import dataclass
from itertools import groupby

from grader.rules import Rules
from grader.solvers.searching import search
from grader.solvers.trace import Enter
from grader.solvers.unknowns import Interval, intervals
from grader.tree import Payoff, Tree


@dataclass(frozen=True, slots=True)
class Seen:
    """Between which values every node lies once `leaf` and the leaves visited before it are known.

    `intervals` is aligned with the nodes; `leaf` is None before the first leaf.
    """

    leaf: int | None
    intervals: tuple[Interval, ...]


def possible_values(tree: Tree, rules: Rules) -> tuple[Seen, ...]:
    """The range of every node before the first leaf, and again after each leaf that the search visits.

    Leaves not seen, among them those that are pruned, may still be anything, within the bounds of the
    rules where there are any. Russell and Norvig, Artificial Intelligence: A Modern Approach, fig. 5.5.
    Raises what `grader.solvers.searching.search` raises.
    """
    payoffs: list[Payoff] = ["unseen"] * len(tree.leaves)
    seen = [Seen(None, intervals(tree.with_payoffs(tuple(payoffs)), rules.bounds))]
    for event in search(tree, rules).trace:
        if not isinstance(event, Enter) or tree.players[event.node] is not None:
            continue
        path = tree.paths[event.node]
        payoffs[path - 1] = tree.payoffs[event.node] or 0
        seen.append(Seen(event.node, intervals(tree.with_payoffs(tuple(payoffs)), rules.bounds)))
    return tuple(seen)


def ranges_of(seen: tuple[Seen, ...], node: int) -> tuple[Interval, ...]:
    """The different ranges of one node in the order in which they came, each once."""
    return tuple(found for found, _ in groupby(step.intervals[node] for step in seen))
