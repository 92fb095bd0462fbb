"""Strategies: a move at every own node that play can come to, judged by what it guarantees."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

from grader.base.numbers import Number
from grader.solvers.backing import backed_up
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.solvable import Unsolvable, number_at, require_two_players
from grader.tree import Player, Tree

Strategy: TypeAlias = Mapping[int, int]
"""For own nodes, the child one moves to."""


class StrategyError(Unsolvable):
    """A strategy that does not fit the tree; `node` is where."""

    def __init__(self, node: int, why: str) -> None:
        super().__init__(why)
        self.node = node


def reached(tree: Tree, player: Player, strategy: Strategy) -> tuple[int, ...]:
    """The nodes that play can come to when a player keeps to a strategy, in preorder.

    At an own node without a move nothing below is reached. Raises `StrategyError` for a move from a node
    of somebody else, or to a node that is no child.
    """
    for node, child in strategy.items():
        if tree.players[node] is not player:
            raise StrategyError(node, f"{player} does not move at {tree.names[node]}")
        if child not in tree.children[node]:
            raise StrategyError(node, f"{tree.names[child]} is no child of {tree.names[node]}")
    found = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        found.append(node)
        if tree.players[node] is player:
            waiting += [strategy[node]] if node in strategy else []
        else:
            waiting += tree.children[node]
    return tuple(sorted(found))


def unanswered(tree: Tree, player: Player, strategy: Strategy) -> tuple[int, ...]:
    """The own nodes that play can come to and for which the strategy has no move, in preorder.

    Raises what `reached` raises.
    """
    return tuple(
        node
        for node in reached(tree, player, strategy)
        if tree.players[node] is player and node not in strategy
    )


def guarantee(tree: Tree, player: Player, strategy: Strategy) -> Number:
    """What a strategy guarantees whatever the other side plays, in expectation where chance moves.

    For MAX the least the root can be worth, for MIN the most. Moves at nodes that the strategy itself
    keeps play away from do not matter. Raises `StrategyError` where it has no answer, and what `reached`
    raises; `Unsolvable` for several players.
    """
    require_two_players(tree)
    missing = unanswered(tree, player, strategy)
    if missing:
        raise StrategyError(missing[0], f"the strategy has no move at {tree.names[missing[0]]}")
    values: dict[int, Number] = {}
    for node in reversed(reached(tree, player, strategy)):
        if tree.players[node] is None:
            values[node] = number_at(tree, node)
        elif tree.players[node] is player:
            values[node] = values[strategy[node]]
        else:
            values[node] = backed_up(tree, node, [values[child] for child in tree.children[node]])
    return values[0]


def guarantee_of_any(tree: Tree, player: Player, choices: Mapping[int, Collection[int]]) -> Number | None:
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
            values[node] = worst(below) if own else backed_up(tree, node, below)
    return values[0]


def count_reaching(tree: Tree, player: Player, target: Number) -> int:
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


def leftmost_by(tree: Tree, player: Player, values: Sequence[Number]) -> dict[int, int]:
    """The strategy of somebody who believes these values: of several best moves the leftmost."""
    everywhere = {
        node: next(child for child in tree.children[node] if values[child] == values[node])
        for node in tree.internal
        if tree.players[node] is player
    }
    return {node: everywhere[node] for node in reached(tree, player, everywhere) if node in everywhere}


def leftmost_optimal(tree: Tree, player: Player) -> dict[int, int]:
    """An optimal strategy with an answer everywhere it needs one: of several best moves the leftmost."""
    return leftmost_by(tree, player, expectiminimax(tree))


def all_strategies(tree: Tree, player: Player, node: int = 0) -> Iterator[dict[int, int]]:
    """Every strategy below a node, with moves only where play can come; there may be very many."""
    children = tree.children[node]
    if not children:
        yield {}
    elif tree.players[node] is player:
        for child in children:
            for below in all_strategies(tree, player, child):
                yield {node: child, **below}
    else:
        for parts in product(*(tuple(all_strategies(tree, player, child)) for child in children)):
            yield {own: move for part in parts for own, move in part.items()}
