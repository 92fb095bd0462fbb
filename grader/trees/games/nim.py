"""Nim: take any number of stones from one heap; the player who takes the last stone wins."""

import re
from typing import TypeAlias

from grader.base.numbers import to_plain_characters
from grader.trees.games.game_definition import Game, PositionError
from grader.trees.tree import Player

Heaps: TypeAlias = tuple[int, ...]
"""The player to move, 0 for MAX and 1 for MIN, then the size of every heap."""

MAX_HEAPS, MAX_STONES = 5, 25


def read(text: str) -> Heaps:
    """Read heaps as whole numbers, `3 4 5`, followed by MIN if MIN moves.

    Raises `PositionError` for any other text, and for too many heaps or stones.
    """
    words = re.split(r"[\s,/+]+", to_plain_characters(text).strip().casefold())
    turn = 0
    if words and words[-1] in ("max", "min"):
        turn = int(words.pop() == "min")
    if not words or not all(re.fullmatch(r"[0-9]{1,3}", word) for word in words):
        raise PositionError("heaps are whole numbers with blanks between them, such as 3 4 5")
    heaps = [int(word) for word in words]
    if len(heaps) > MAX_HEAPS or sum(heaps) > MAX_STONES:
        raise PositionError(f"there are more than {MAX_HEAPS} heaps or {MAX_STONES} stones")
    return (turn, *heaps)


def write(position: Heaps) -> str:
    """Write the heaps, followed by MIN if MIN moves."""
    return " ".join(map(str, position[1:])) + " MIN" * position[0]


def mover(position: Heaps) -> Player:
    """Return MAX or MIN."""
    return Player.MIN if position[0] else Player.MAX


def moves(position: Heaps) -> tuple[tuple[str, Heaps], ...]:
    """Return moves from the first heap to the last, fewest stones first, each named by the new heaps."""
    turn, *heaps = position
    result = []
    for place, heap in enumerate(heaps):
        for remaining in range(heap - 1, -1, -1):
            heaps_after = [*heaps[:place], remaining, *heaps[place + 1 :]]
            result.append((" ".join(map(str, heaps_after)), (1 - turn, *heaps_after)))
    return tuple(result)


def utility(position: Heaps) -> int | None:
    """Return -1 or 1 if no stone is left, as the player to move has lost; None while stones are left."""
    if any(position[1:]):
        return None
    return 1 if position[0] else -1


def images(position: Heaps) -> tuple[Heaps, ...]:
    """Return the position and the one with its heaps in ascending order, which represents all orders."""
    return position, (position[0], *sorted(position[1:]))


GAME: Game[Heaps] = Game(
    name="nim",
    title="nim",
    notation="The heaps as whole numbers, followed by MIN if MIN moves: 3 4 5 MIN",
    starts={"start": (0, 1, 2, 3)},
    read=read,
    write=write,
    rows=lambda position: (write(position),),
    faults=lambda _position: (),
    mover=mover,
    moves=moves,
    utility=utility,
    images=images,
    evaluations=(),
)
