"""What a position is worth when both play as well as they can, by minimax over positions."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from grader.trees.games.game_definition import AnyGame, Game, Position
from grader.trees.tree import Player


def optimal_result(game: Game[Position], position: Position, *, swapped: bool = False) -> int:
    """1, 0 or -1 for MAX. `swapped` is a mistake: MAX takes the least."""
    return optimal_results(game, position, swapped=swapped)[position]


@lru_cache(maxsize=2)  # one question asks for them again and again, rightly and swapped
def optimal_results(game: AnyGame, position: Any, *, swapped: bool = False) -> Mapping[Any, int]:
    """The same of the position and of all that can follow it; every position is looked at once."""
    known: dict[Any, int] = {}
    waiting = [position]
    while waiting:
        now = waiting[-1]
        result = game.utility(now)
        after = [] if result is not None else [following for _, following in game.moves(now)]
        open_ones = [following for following in after if following not in known]
        if open_ones:
            waiting += open_ones
            continue
        waiting.pop()
        if result is None:
            best = max if (game.mover(now) is Player.MAX) is not swapped else min
            result = best(known[following] for following in after)
        known[now] = result
    return known


def possible_results(game: Game[Position], position: Position) -> frozenset[int]:
    """Everything that play from a position can come to."""
    seen, waiting, found = {position}, [position], set()
    while waiting:
        now = waiting.pop()
        result = game.utility(now)
        if result is not None:
            found.add(result)
            continue
        after = {following for _, following in game.moves(now)} - seen
        seen |= after
        waiting += after
    return frozenset(found)
