"""Expectiminimax: the exact value of every node in a game of MAX, MIN and chance."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from operator import mul

from grader.base.numbers import Number, normalize_number
from grader.solvers.solvable import Unsolvable, numbers_at_leaves
from grader.trees.tree import Player, Tree


def expectiminimax(tree: Tree) -> tuple[Number, ...]:
    """Return the expectiminimax value of every node, aligned with the nodes, in exact fractions.

    Russell and Norvig, Artificial Intelligence, section 5.5.
    Raises `UnknownPayoff` at an unknown leaf and `Unsolvable` when several players play.
    """
    values = numbers_at_leaves(tree)
    for node in reversed(tree.internal):
        player, children = tree.players[node], tree.children[node]
        if player is Player.MAX:
            values[node] = max([values[child] for child in children])
        elif player is Player.MIN:
            values[node] = min([values[child] for child in children])
        elif player is Player.CHANCE:
            shares = [probability(tree, child) for child in children]
            values[node] = expectation(shares, [values[child] for child in children])
        else:
            raise Unsolvable(
                "{player} moves at {node}: games of several players are solved by max^n only",
                player=player,
                node=tree.names[node],
            )
    return tuple(values)


def expectation(shares: Sequence[Number], values: Sequence[Number]) -> Number:
    """Return the mean of values with these shares, which sum to 1."""
    # With the common denominator, whole numbers need only one fraction, at the end.
    whole = lcm(*[share.denominator for share in shares])
    parts = [share.numerator * (whole // share.denominator) for share in shares]
    return normalize_number(Fraction(sum(map(mul, parts, values)), whole))


def probability(tree: Tree, child: int) -> Number:
    """Return the probability of the branch above a child of a chance node.

    Raises `Unsolvable` if it has none.
    """
    share = tree.probabilities[child]
    if share is None:
        raise Unsolvable("the branch above {node} has no probability", node=tree.names[child])
    return share
