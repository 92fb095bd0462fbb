"""Strategies: a move at every own node that play can come to, judged by what it guarantees."""

from collections.abc import Collection, Mapping, Sequence
from math import prod

from grader.base.numbers import Number
from grader.solvers.backup import back_up
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.solvable import number_at, require_two_players
from grader.trees.tree import Player, Tree


def guaranteed_value(tree: Tree, player: Player, choices: Mapping[int, Collection[int]]) -> Number | None:
    """What is guaranteed by each strategy that makes one of some moves at every own node.

    Moves of somebody else and at nodes that play does not come to do not matter, and an own node with a
    single child needs none. None where there is no move at a node that play can come to. Raises
    `Unsolvable` for several players.
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
    """How many strategies get at least so much, for MIN at most, in a game without chance.

    They have moves only where play can come.
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
    """The strategy of somebody who believes these values: of several best moves the leftmost.

    It has a move at the own nodes that play can come to, in preorder.
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
    """An optimal strategy with an answer everywhere it needs one: of several best moves the leftmost."""
    return leftmost_strategy(tree, player, expectiminimax(tree))
