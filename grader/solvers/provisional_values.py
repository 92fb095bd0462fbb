"""The older form of alpha-beta: a node's own best value so far is compared with those of its ancestors."""

from dataclasses import dataclass
from operator import ge, gt, le, lt

from grader.base.numbers import INFINITY, Bound
from grader.solvers.solvable import number_at, require_max_and_min
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree


@dataclass(frozen=True, slots=True)
class ProvisionalValues:
    """The final provisional values of the nodes; tuples aligned with the nodes.

    - `values`: the alpha value of a MAX node or the beta value of a MIN node when the search left it; the
      payoff of a leaf; None for an unvisited node.
    - `stopped_by`: the nearest ancestor whose value stopped the search below a node, else None. A node may
      also be stopped after its last child, although nothing is pruned then.
    """

    values: tuple[Bound | None, ...]
    stopped_by: tuple[int | None, ...]


def provisional_search(tree: Tree, rules: Rules) -> ProvisionalValues:
    """Discontinue below a MIN node whose beta value is at most the alpha value of any MAX ancestor.

    Likewise below a MAX node whose alpha value is at least the beta value of any MIN ancestor; with
    `ties=keep`, less and more. The alpha value of a MAX node is the largest value of its successors so
    far, the beta value of a MIN node the smallest. It visits the same nodes as every form of alpha-beta.
    Nilsson, Problem-Solving Methods in Artificial Intelligence (1971), ch. 5.
    Raises `UnknownPayoff` if the search reaches an unknown leaf, `Unsolvable` for chance nodes and
    several players.
    """
    require_max_and_min(tree)
    reaches, falls_to = (ge, le) if rules.ties == "cut" else (gt, lt)
    values: list[Bound | None] = [None] * len(tree)
    stopped_by: list[int | None] = [None] * len(tree)

    def stops(node: int, value: Bound) -> int | None:
        """Return the nearest ancestor of the other player whose value so far ends the search below a node.

        None if there is none, and the search goes on.
        """
        meets = reaches if tree.players[node] is Player.MAX else falls_to
        for ancestor in tree.ancestors(node):
            bound = values[ancestor]
            if bound is not None and tree.players[ancestor] is not tree.players[node] and meets(value, bound):
                return ancestor
        return None

    def visit(node: int) -> Bound:
        """Search a node, keep its value so far in `values` and its stopping ancestor in `stopped_by`."""
        player = tree.players[node]
        if player is None:
            value: Bound = number_at(tree, node)
            values[node] = value
            return value
        value = -INFINITY if player is Player.MAX else INFINITY
        for child in tree.visiting(node, rules.order):
            below = visit(child)
            value = max(value, below) if player is Player.MAX else min(value, below)
            values[node] = value
            stopped_by[node] = stops(node, value)
            if stopped_by[node] is not None:
                break
        return value

    visit(0)
    return ProvisionalValues(tuple(values), tuple(stopped_by))
