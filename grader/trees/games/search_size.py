"""The size of a search below a position: sequences of moves, nodes and positions."""

from collections import defaultdict
from dataclasses import dataclass

from grader.base.numbers import INFINITY, Bound
from grader.base.progress import OnCount
from grader.trees.games.game_definition import Game, Position, TooLargeError
from grader.trees.rules import Ties
from grader.trees.tree import Player

MAX_POSITIONS = 5_000_000
"""The limit of counted positions: more would not fit into memory."""


@dataclass(frozen=True, slots=True)
class GameExtent:
    """The size of the whole game tree.

    - `sequences`: the sequences of moves to the end of the game: the leaves of the tree.
    - `nodes`: all nodes of the tree, including the root.
    - `positions`: the different positions: the nodes that remain with a transposition table.
    - `endings`: the different positions at which the game is over.
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
    tell: OnCount = lambda _positions: None,
) -> GameExtent:
    """Count what can follow a position, ply by ply, with the number of move sequences to each position.

    With `merged`, symmetric positions of a ply count as one, as do moves to symmetric positions.
    A position that occurs in several plies, as in nim, is one position.
    `tell` is called with the number of positions so far. Raises `TooLargeError` beyond `MAX_POSITIONS`.
    """
    moves, representative = game.moves, game.representative
    level: dict[Position, int] = {representative(position) if merged else position: 1}
    sequences = nodes = endings = entries = 0
    counted_positions: set[Position] = set()
    while level:
        next_level: defaultdict[Position, int] = defaultdict(int)
        for current, path_count in level.items():
            nodes += path_count
            successors = moves(current)
            if not successors:
                sequences += path_count
                endings += current not in counted_positions
            targets = [position for _, position in successors]
            for target in {representative(one) for one in targets} if merged else targets:
                next_level[target] += path_count
            if entries + len(level) + len(next_level) > MAX_POSITIONS:
                raise TooLargeError(f"more than {MAX_POSITIONS:,} positions follow")
        counted_positions.update(level)
        entries += len(level)  # counts every ply, so that a game without an end is refused
        tell(len(counted_positions))
        level = next_level
    return GameExtent(sequences, nodes, len(counted_positions), endings)


@dataclass(frozen=True, slots=True)
class SearchExtent:
    """The result and the size of an alpha-beta search to the end of the game.

    - `value`: the value of the first position for MAX.
    - `sequences`: the sequences of moves searched to the end: the visited leaves.
    - `nodes`: the visited positions, without those found in the table.
    """

    value: int
    sequences: int
    nodes: int


class _TooManyNodes(Exception):  # noqa: N818 - not an error: the search takes too long
    """The search has reached its limit of nodes."""


def measure_search(
    game: Game[Position],
    position: Position,
    ties: Ties,
    *,
    table: bool = False,
    merged: bool = False,
    max_nodes: int | None = None,
) -> SearchExtent | None:
    """Search from a position to the end with alpha-beta, moves in their usual order.

    Returns None beyond `max_nodes` nodes. With a `table`, exact values are stored with their position (with
    `merged`, with all its images) and looked up before it is searched; the bounds that cutoffs return
    are not stored. With `merged`, only the first of several moves to symmetric positions is searched.
    """
    moves = game.moves_up_to_symmetry if merged else game.moves
    known: dict[Position, int] = {}
    sequences = nodes = 0
    keep = ties == "keep"

    def visit(current: Position, alpha: Bound, beta: Bound) -> int:
        """Return the value of a position for MAX, or a bound outside the window after a cutoff.

        Raises `_TooManyNodes` at the limit, ValueError if the game has no moves and is not over.
        """
        nonlocal sequences, nodes
        key = game.representative(current) if merged and table else current
        if table and key in known:
            return known[key]
        nodes += 1
        if max_nodes is not None and nodes > max_nodes:
            raise _TooManyNodes
        successors = moves(current)
        if not successors:
            result = game.utility(current)
            if result is None:
                raise ValueError("a position without moves is one at which the game is over")
            sequences += 1
            if table:
                known[key] = result
            return result
        maximizes = game.mover(current) is Player.MAX
        low, high = alpha, beta
        value: int | None = None
        for _, successor in successors:
            child_value = visit(successor, low, high)
            if maximizes:
                value = child_value if value is None or child_value > value else value
                if value > beta or (value == beta and not keep):
                    break
                low = max(low, value)
            else:
                value = child_value if value is None or child_value < value else value
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
    except _TooManyNodes:
        return None
    return SearchExtent(value, sequences, nodes)
