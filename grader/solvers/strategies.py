"""Strategies: a move at every reachable own node, and the value that a strategy guarantees."""

from collections.abc import Collection, Mapping, Sequence
from math import prod

from grader.base.numbers import Number
from grader.solvers.backup import back_up
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.solvable import number_at, require_two_players
from grader.trees.tree import Player, Tree


def guaranteed_value(tree: Tree, player: Player, choices: Mapping[int, Collection[int]]) -> Number | None:
    """Return the value that every strategy guarantees which makes only the given moves at the player's nodes.

    Moves at other nodes and at nodes that play cannot reach do not matter, and a node with a single child
    needs no move. None if a reachable node has no move. Raises `Unsolvable` for several players.
    """
    require_two_players(tree)
    values: list[Number | None] = [None] * len(tree)
    worst = min if player is Player.MAX else max
    for node in reversed(range(len(tree))):
        own, children = tree.players[node] is player, tree.children[node]
        if own and len(children) > 1:
            children = tuple(child for child in children if child in choices.get(node, ()))
        below = [value for child in children if (value := values[child]) is not None]
        if tree.players[node] is None:
            values[node] = number_at(tree, node)
        elif below and len(below) == len(children):
            values[node] = worst(below) if own else back_up(tree, node, below)
    return values[0]


def count_strategies_reaching(tree: Tree, player: Player, target: Number) -> int:
    """Count the strategies that guarantee at least the target, for MIN at most, in a game without chance.

    A strategy has moves only at nodes that play can reach.
    """
    sign = 1 if player is Player.MAX else -1
    counts = [0] * len(tree)
    for node in reversed(range(len(tree))):
        below = [counts[child] for child in tree.children[node]]
        if tree.players[node] is None:
            counts[node] = int(sign * number_at(tree, node) >= sign * target)
        else:
            counts[node] = sum(below) if tree.players[node] is player else prod(below)
    return counts[0]


def leftmost_strategy(tree: Tree, player: Player, values: Sequence[Number]) -> dict[int, int]:
    """Return the strategy that is best by these values, the leftmost of several best moves.

    It has a move at every node of the player that play can reach, in preorder.
    """
    strategy: dict[int, int] = {}
    waiting = [0]
    while waiting:
        node = waiting.pop()
        children = tree.children[node]
        if tree.players[node] is player:
            strategy[node] = next(child for child in children if values[child] == values[node])
            children = (strategy[node],)
        waiting += children
    return dict(sorted(strategy.items()))


def leftmost_optimal_strategy(tree: Tree, player: Player) -> dict[int, int]:
    """Return the optimal strategy that makes the leftmost of several best moves."""
    return leftmost_strategy(tree, player, expectiminimax(tree))
