"""How much there is to search below a position: sequences of moves, nodes and positions."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from grader.base.numbers import INFINITY, Bound
from grader.trees.games.game_definition import Game, Position, TooLargeError
from grader.trees.rules import Ties
from grader.trees.tree import Player

MAX_POSITIONS = 5_000_000
"""More different positions are not counted: they would not fit into memory."""


@dataclass(frozen=True, slots=True)
class GameExtent:
    """What minimax without any saving comes to.

    - `sequences`: sequences of moves to the end of the game: the leaves of the tree.
    - `nodes`: all nodes of the tree, the first position among them.
    - `positions`: different positions: the nodes left with a transposition table, in which every
      position is looked up before it is searched.
    - `endings`: different positions at which the game is over.
    """

    sequences: int
    nodes: int
    positions: int
    endings: int


def measure_game(
    game: Game[Position],
    position: Position,
    *,
    merged: bool = False,
    tell: Callable[[int], None] = lambda _positions: None,
) -> GameExtent:
    """Count everything that can follow a position, ply by ply: how many ways lead to each position.

    When `merged`, symmetric positions are one at each ply, so of moves to symmetric positions one counts.
    Positions of different plies are taken to be different: each move adds a stone or takes some.
    `tell` hears how many positions have been counted. Raises `TooLargeError` for more than `MAX_POSITIONS`.
    """
    moves, representative = game.moves, game.representative
    now: dict[Position, int] = {representative(position) if merged else position: 1}
    sequences = nodes = positions = endings = 0
    while now:
        following: defaultdict[Position, int] = defaultdict(int)
        for place, ways in now.items():
            nodes += ways
            onward = moves(place)
            if not onward:
                sequences += ways
                endings += 1
            after = [position for _, position in onward]
            for position in {representative(one) for one in after} if merged else after:
                following[position] += ways
            if positions + len(now) + len(following) > MAX_POSITIONS:
                raise TooLargeError(f"more than {MAX_POSITIONS:,} different positions follow")
        positions += len(now)
        tell(positions)
        now = following
    return GameExtent(sequences, nodes, positions, endings)


@dataclass(frozen=True, slots=True)
class SearchExtent:
    """What an alpha-beta search to the end of the game came to.

    - `value`: the value of the first position for MAX.
    - `sequences`: sequences of moves that it followed to their end: the leaves it visited.
    - `nodes`: positions it entered; one that a table answers is not entered.
    """

    value: int
    sequences: int
    nodes: int


class _Enough(Exception):  # noqa: N818 - no error: the count has become larger than anybody wants to wait for
    """More nodes than the search may enter."""


def measure_search(
    game: Game[Position],
    position: Position,
    ties: Ties,
    *,
    table: bool = False,
    merged: bool = False,
    most: int | None = None,
) -> SearchExtent | None:
    """Alpha-beta from a position to the end, moves in their usual order; None beyond `most` nodes.

    With a `table` every exact value found is kept with its position (when `merged`, with all its
    images) and looked up before a position is entered; bounds that cut nodes return are not kept.
    When `merged`, of moves to symmetric positions only the first is searched.
    """
    moves = game.moves_up_to_symmetry if merged else game.moves
    known: dict[Position, int] = {}
    sequences = nodes = 0
    keep = ties == "keep"

    def visit(now: Position, alpha: Bound, beta: Bound) -> int:
        nonlocal sequences, nodes
        key = game.representative(now) if merged and table else now
        if table and key in known:
            return known[key]
        nodes += 1
        if most is not None and nodes > most:
            raise _Enough
        onward = moves(now)
        if not onward:
            result = game.utility(now)
            if result is None:
                raise ValueError("a position without moves is one at which the game is over")
            sequences += 1
            if table:
                known[key] = result
            return result
        maximizes = game.mover(now) is Player.MAX
        low, high = alpha, beta
        value: int | None = None
        for _, after in onward:
            found = visit(after, low, high)
            if maximizes:
                value = found if value is None or found > value else value
                if value > beta or (value == beta and not keep):
                    break
                low = max(low, value)
            else:
                value = found if value is None or found < value else value
                if value < alpha or (value == alpha and not keep):
                    break
                high = min(high, value)
        if value is None:
            raise AssertionError("some move was searched")
        exact = alpha <= value <= beta if keep else alpha < value < beta
        if table and exact:
            known[key] = value
        return value

    try:
        value = visit(position, -INFINITY, INFINITY)
    except _Enough:
        return None
    return SearchExtent(value, sequences, nodes)
