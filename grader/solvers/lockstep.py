"""The sweep over many trees of one shape at once, with an array for each node."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.solvers.integers import Integers, to_narrowest_type
from grader.solvers.solvable import require_max_and_min
from grader.solvers.whole_units import whole_units
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree


@dataclass(frozen=True, slots=True, eq=False)
class Lockstep:
    """The result of the sweep for many trees: aligned with the nodes, a row with an entry for each tree.

    The rows of `values`, `alphas` and `betas` have the narrowest signed integer type with both extremes
    unused by the payoffs; the extremes are the infinities. `visited` is one array, nodes by trees. Nodes
    may share a row: do not write to them.
    """

    values: tuple[Integers, ...]
    alphas: tuple[Integers, ...]
    betas: tuple[Integers, ...]
    visited: NDArray[np.bool_]


def lockstep(tree: Tree, payoffs: Integers, rules: Rules, denominator: int = 1) -> Lockstep:
    """Sweep many trees of the shape of `tree`, whose own payoffs are ignored.

    `payoffs` has a row for each tree and a column for each leaf, by leaf number: integers of any signed
    type, which count in `1 / denominator`. If the search starts with a window at the root, the results
    are in the units of `whole_units`, else in those of the payoffs. Raises ValueError if the columns are
    not the leaves and for payoffs at the extremes of int64, `Unsolvable` for chance nodes and several
    players.
    """
    require_max_and_min(tree)
    if payoffs.ndim != 2 or payoffs.shape[1] != len(tree.leaves):
        raise ValueError(
            f"the tree has {len(tree.leaves)} leaves, the payoffs have the shape {payoffs.shape}"
        )
    # Leaves first: their rows are then contiguous, and the sweeps only ever touch whole rows.
    rows, ends = payoffs.T, None
    if rules.narrows_root:
        units = whole_units(tree, rules, denominator)
        rows, ends = rows.astype(np.int64) * (units.unit // denominator), units.root_window
    rows = to_narrowest_type(rows, *(ends or ()))
    extremes = np.iinfo(rows.dtype)
    first_alpha, first_beta = ends or (extremes.min, extremes.max)
    values: list[Integers] = [rows[0]] * len(tree)
    for leaf, row in zip(tree.leaves, rows, strict=True):
        values[leaf] = row
    for node in reversed(tree.internal):
        better = np.maximum if tree.players[node] is Player.MAX else np.minimum
        first, *others = tree.children[node]
        values[node] = values[first]
        if others:
            values[node] = better(values[first], values[others[0]])
            for child in others[1:]:
                better(values[node], values[child], out=values[node])
    trees = len(payoffs)
    alphas: list[Integers] = [np.full(trees, first_alpha, rows.dtype)] * len(tree)
    betas: list[Integers] = [np.full(trees, first_beta, rows.dtype)] * len(tree)
    for node in tree.internal:
        alpha, beta = alphas[node], betas[node]
        maximizes = tree.players[node] is Player.MAX
        *elders, last = tree.visiting(node, rules.order)
        for child in elders:
            alphas[child], betas[child] = alpha, beta
            if maximizes:
                alpha = np.maximum(alpha, values[child])
            else:
                beta = np.minimum(beta, values[child])
        alphas[last], betas[last] = alpha, beta
    visited = np.empty((len(tree), trees), np.bool_)
    compare = np.less if rules.ties == "cut" else np.less_equal
    for node in range(len(tree)):
        compare(alphas[node], betas[node], out=visited[node])
    visited[0] = True
    return Lockstep(tuple(values), tuple(alphas), tuple(betas), visited)
