"""The result of optimal play from a position, by minimax over positions."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from grader.trees.games.game_definition import AnyGame, Game, Position
from grader.trees.tree import Player


def optimal_result(game: Game[Position], position: Position, *, swapped: bool = False) -> int:
    """Return 1, 0 or -1 for MAX. `swapped` is a mistake: MAX minimizes."""
    return optimal_results(game, position, swapped=swapped)[position]


MAX_KNOWN_RESULTS = 100_000
"""Forget the results of a game before the next position when there are more: tic-tac-toe has 5,478."""


_known_results: defaultdict[tuple[str, bool], dict[Any, int]] = defaultdict(dict)
"""By the game, and whether players are swapped: the results that are known so far."""


def optimal_results(game: AnyGame, position: Any, *, swapped: bool = False) -> Mapping[Any, int]:
    """Return the results of the position and of all that can follow it.

    The mapping is shared and may be emptied by the next call.
    """
    known = _known_results[game.name, swapped]
    if len(known) > MAX_KNOWN_RESULTS:
        known.clear()
    stack = [position]
    while stack:
        current = stack[-1]
        result = game.utility(current)
        successors = [] if result is not None else [successor for _, successor in game.moves(current)]
        unsolved = [successor for successor in successors if successor not in known]
        if unsolved:
            stack += unsolved
            continue
        stack.pop()
        if result is None:
            best = max if (game.mover(current) is Player.MAX) is not swapped else min
            result = best(known[successor] for successor in successors)
        known[current] = result
    return known


def possible_results(game: Game[Position], position: Position) -> frozenset[int]:
    """Return all results that play from a position can have."""
    visited, stack, results = {position}, [position], set()
    while stack:
        current = stack.pop()
        result = game.utility(current)
        if result is not None:
            results.add(result)
            continue
        successors = {successor for _, successor in game.moves(current)} - visited
        visited |= successors
        stack += successors
    return frozenset(results)
