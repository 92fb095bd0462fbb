"""The definition of a visited leaf, as an oracle that knows nothing of windows or searches."""

from fractions import Fraction
from functools import cache
from itertools import product

import z3

from grader.base.numbers import INFINITY, Bound, Number
from grader.trees.rules import Order, Ties
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder

NUDGE = Fraction(1, 10**30)
"""Smaller than any difference that whole payoffs of these tests can make, however they are averaged."""


Nudged = tuple[Bound, int]
"""A payoff and a step to its side that is smaller than any difference between payoffs."""

Limits = tuple[Number, Number] | None
"""The bounds of all payoffs, or the window at the root."""


def root_value(tree: Tree, payoffs: dict[int, Nudged]) -> Nudged:
    """The minimax value of the root for other payoffs, straight from the rules of the game."""
    values = dict(payoffs)
    for node in reversed(tree.internal):
        below = [values[child] for child in tree.children[node]]
        values[node] = max(below) if tree.players[node] is Player.MAX else min(below)
    return values[0]


def meeting_players(tree: Tree, leaf: int) -> dict[int, Player | None]:
    """Return who moves at the last common node of the paths to this leaf and to each other leaf."""
    meeting: dict[int, Player | None] = {leaf: None}
    for node in tree.ancestors(leaf):
        for other in tree.leaves_below(node):
            meeting.setdefault(other, tree.players[node])
    return meeting


def split(tree: Tree, leaf: int, order: Order) -> tuple[list[int], list[int]]:
    """The leaves before and the leaves after a leaf in visiting order."""
    before = [other for other in tree.leaves if other < leaf]
    after = [other for other in tree.leaves if other > leaf]
    return (before, after) if order == "left-to-right" else (after, before)


def known_payoffs(tree: Tree, leaf: int, order: Order, ties: Ties) -> dict[int, Nudged]:
    """Return the payoffs of the leaves before a leaf.

    Under `keep` a tie must not close the way, so a leaf counts as visited when it is visited
    after the smallest step of the leaves before it in its favour.
    """
    before, _ = split(tree, leaf, order)
    if ties == "cut":
        return {other: (tree.payoffs[other], 0) for other in before}
    steps, meeting = {Player.MAX: -1, Player.MIN: 1, Player.CHANCE: 0}, meeting_players(tree, leaf)
    return {other: (tree.payoffs[other], steps[meeting[other]]) for other in before}


def is_visited(
    tree: Tree, leaf: int, order: Order, ties: Ties, bounds: Limits = None, window: Limits = None
) -> bool:
    """Whether the root's value depends on the leaf for some values, within the bounds, of those after it.

    max and min are monotone, so the later leaves are given the extremes that interfere least. Values of the
    root are told apart only inside the window. Under `keep` a tie with a bound or an end of the window must
    not close the way either.
    """
    payoffs = known_payoffs(tree, leaf, order, ties)
    _, after = split(tree, leaf, order)
    meeting = meeting_players(tree, leaf)
    lowest, highest = _with_slack(bounds, ties)
    for other in after:
        payoffs[other] = lowest if meeting[other] is Player.MAX else highest
    alpha, beta = _with_slack(window, ties)
    low, high = (
        min(max(root_value(tree, {**payoffs, leaf: extreme}), alpha), beta) for extreme in (lowest, highest)
    )
    return low != high


def _with_slack(limits: Limits, ties: Ties) -> tuple[Nudged, Nudged]:
    low, high = limits or (-INFINITY, INFINITY)
    slack = 1 if ties == "keep" else 0
    return (low, -slack), (high, slack)


def visited_paths(
    tree: Tree,
    order: Order = "left-to-right",
    ties: Ties = "cut",
    bounds: Limits = None,
    window: Limits = None,
) -> tuple[int, ...]:
    """The numbers of all leaves that the definition calls visited."""
    return tuple(
        path
        for path, leaf in enumerate(tree.leaves, 1)
        if is_visited(tree, leaf, order, ties, bounds, window)
    )


def is_visited_with_chance(
    tree: Tree, leaf: int, bounds: Limits, order: Order, ties: Ties, window: Limits = None
) -> bool:
    """The same question for trees with chance nodes, put to an SMT solver over the reals.

    The leaves after it are free within the bounds: are there such values, and two values of the
    leaf within the bounds, for which the root has two values, told apart only inside the window?
    """
    slack = NUDGE if ties == "keep" else 0
    known = {
        other: payoff + step * NUDGE
        for other, (payoff, step) in known_payoffs(tree, leaf, order, ties).items()
    }
    _, after = split(tree, leaf, order)
    free = {other: z3.Real(f"later{other}") for other in after}
    one, two = z3.Reals("one two")
    solver = z3.Solver()
    if bounds is not None:
        for unknown in (one, two, *free.values()):
            solver.add(unknown >= _real(bounds[0] - slack), unknown <= _real(bounds[1] + slack))

    def value(node: int) -> z3.ArithRef:
        player = tree.players[node]
        if player is None:
            if node == leaf:
                return one
            return free[node] if node in free else _real(known[node])
        below = [value(child) for child in tree.children[node]]
        if player is Player.CHANCE:
            shares = [_real(tree.probabilities[child]) for child in tree.children[node]]
            return z3.Sum([share * number for share, number in zip(shares, below, strict=True)])
        best = below[0]
        for number in below[1:]:
            better = number > best if player is Player.MAX else number < best
            best = z3.If(better, number, best)
        return best

    root = value(0)
    if window is not None:
        alpha, beta = _real(window[0] - slack), _real(window[1] + slack)
        root = z3.If(root < alpha, alpha, z3.If(root > beta, beta, root))
    solver.add(root != z3.substitute(root, (one, two)))
    answer = solver.check()
    assert answer != z3.unknown
    return answer == z3.sat


@cache
def _real(number: Number) -> z3.RatNumRef:
    return z3.RealVal(str(Fraction(number)))


def shapes(leaves: int) -> list[tuple]:
    """Return all ordered shapes with this many leaves, with two or more children at every internal node."""
    if leaves == 1:
        return [()]
    return [
        children
        for split_up in _compositions(leaves)
        for children in product(*(shapes(part) for part in split_up))
    ]


def _compositions(total: int) -> list[tuple[int, ...]]:
    """All ways to write a number as an ordered sum of at least two positive numbers."""
    return [
        (first, *rest)
        for first in range(1, total)
        for rest in [(total - first,), *_compositions(total - first)]
    ]


def alternating(shape: tuple, root: Player, payoffs: tuple[int, ...]) -> Tree:
    """The tree of a shape in which the players alternate, with payoffs by leaf number."""
    builder, to_come = TreeBuilder(), iter(payoffs)

    def add_part(part: tuple, parent: int, player: Player) -> None:
        if not part:
            builder.add(parent, None, next(to_come))
            return
        node = builder.add(parent, player)
        for below in part:
            add_part(below, node, Player.MIN if player is Player.MAX else Player.MAX)

    add_part(shape, -1, root)
    return builder.tree()
