"""Alpha-beta without a search: one sweep up for the values, one sweep down for the windows."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import le, lt

from grader.base.numbers import Bound, Number
from grader.solvers.solvable import UnknownPayoff, require_bounds, require_max_and_min
from grader.trees.rules import Rules, Ties
from grader.trees.tree import Player, Tree


@dataclass(frozen=True, slots=True)
class Sweep:
    """The result of two sweeps, as tuples aligned with the nodes.

    `alphas` and `betas` are the largest and the smallest exact value of elder siblings along the
    path to a node, under MAX and under MIN ancestors, or the ends of the root's window if these are closer
    to each other. At a visited node this is the window with
    which a search enters; at a pruned node it is the closed window.
    """

    values: tuple[Number, ...]
    alphas: tuple[Bound, ...]
    betas: tuple[Bound, ...]
    visited: tuple[bool, ...]

    def visited_under(self, ties: Ties) -> tuple[bool, ...]:
        """Return the visited flags under a tie rule; values and windows are the same under both rules."""
        return _visited(self.alphas, self.betas, ties)


def sweep(tree: Tree, rules: Rules) -> Sweep:
    """Return values, windows and visited nodes of alpha-beta under the order and the tie rule.

    A node is visited exactly if alpha < beta, with `ties=keep` if alpha <= beta; the root always is.
    Windows only narrow on the way down, so a visited node has visited ancestors.

    This is plain Python, for a single tree. Even for a million leaves it is faster than converting the
    tree to arrays; for many payoffs of one shape there is `grader.solvers.lockstep`.
    Raises `UnknownPayoff` at any unknown leaf, `BoundsError` for a payoff outside the bounds, `Unsolvable`
    for chance nodes and several players.
    """
    require_max_and_min(tree)
    require_bounds(tree, rules.bounds)
    if tree.unknowns:
        raise UnknownPayoff(tree, tree.unknowns[0])
    players, below, internal, maximizer = tree.players, tree.children, tree.internal, Player.MAX
    # Internal nodes have no payoff; their place in the column is filled before it is read.
    values: list[Number] = list(tree.payoffs)  # type: ignore[arg-type]
    for node in reversed(internal):
        children = below[node]
        best = values[children[0]]
        # Plain comparisons: for a handful of children `max` and `min` take twice the time.
        if players[node] is maximizer:
            for child in children:
                if values[child] > best:
                    best = values[child]
        else:
            for child in children:
                if values[child] < best:
                    best = values[child]
        values[node] = best
    mirrored = rules.order == "right-to-left"
    first_alpha, first_beta = rules.root_window
    alphas: list[Bound] = [first_alpha] * len(values)
    betas: list[Bound] = [first_beta] * len(values)
    for node in internal:
        alpha, beta = alphas[node], betas[node]
        children = below[node][::-1] if mirrored else below[node]
        if players[node] is maximizer:
            for child in children:
                alphas[child], betas[child] = alpha, beta
                if values[child] > alpha:
                    alpha = values[child]
        else:
            for child in children:
                alphas[child], betas[child] = alpha, beta
                if values[child] < beta:
                    beta = values[child]
    return Sweep(tuple(values), tuple(alphas), tuple(betas), _visited(alphas, betas, rules.ties))


def _visited(alphas: Sequence[Bound], betas: Sequence[Bound], ties: Ties) -> tuple[bool, ...]:
    """Return which windows are open; the root is visited even if equal bounds close its window."""
    visited = tuple(map(lt if ties == "cut" else le, alphas, betas))
    return visited if visited[0] else (True, *visited[1:])
