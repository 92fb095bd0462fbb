"""A position read sign by sign off its rows: a second way to all that is asked of boards."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from operator import xor

from grader.base.numbers import Number
from grader.questions.board_position.boards import Board
from grader.trees.tree import Player, Tree

Signs = tuple[str, ...]
"""The rows of a board from the top: `X`, `O` and `.`."""

LINE_LENGTHS: Mapping[str, int] = {"tictactoe": 3, "connect-four": 4}
"""How many in a line win."""

_STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


def signs_of(board: Board) -> Signs:
    """The rows of a position."""
    return board.game.rows(board.position)


def lines(rows: Signs, game: str) -> tuple[str, ...]:
    """What stands in every line in which a player can win, in any direction."""
    height, width, long = len(rows), len(rows[0]), LINE_LENGTHS[game]
    found = []
    for row in range(height):
        for column in range(width):
            for down, across in _STEPS:
                ends = row + down * (long - 1), column + across * (long - 1)
                if 0 <= ends[0] < height and 0 <= ends[1] < width:
                    found.append("".join(rows[row + down * n][column + across * n] for n in range(long)))
    return tuple(found)


def sign_to_move(rows: Signs) -> str:
    """The sign that is put next."""
    text = "".join(rows)
    return "X" if text.count("X") == text.count("O") else "O"


def result(rows: Signs, game: str) -> int | None:
    """1 with a line of X, -1 with one of O, 0 where all is full, else None."""
    there = lines(rows, game)
    for sign, worth in (("X", 1), ("O", -1)):
        if sign * LINE_LENGTHS[game] in there:
            return worth
    return None if "." in "".join(rows) else 0


def free_squares(rows: Signs) -> int:
    """How many squares have no sign."""
    return "".join(rows).count(".")


def successor_positions(rows: Signs, game: str) -> tuple[Signs, ...]:
    """The positions after one move, in reading order of squares or of columns."""
    return (
        () if result(rows, game) is not None else tuple(_put(rows, *place) for place in _places(rows, game))
    )


def put_at(rows: Signs, game: str, number: int) -> Signs:
    """The position after the sign of who moves is put on a square, or dropped into a column."""
    if game == "connect-four":
        row = max(place for place, signs in enumerate(rows) if signs[number] == ".")
        return _put(rows, row, number)
    return _put(rows, *divmod(number, len(rows[0])))


def _places(rows: Signs, game: str) -> Iterator[tuple[int, int]]:
    """Where a sign can go: onto a free square, or into a column on top of what lies there."""
    if game == "connect-four":
        for column in range(len(rows[0])):
            free = [row for row, signs in enumerate(rows) if signs[column] == "."]
            if free:
                yield free[-1], column
        return
    for row, signs in enumerate(rows):
        for column, sign in enumerate(signs):
            if sign == ".":
                yield row, column


def _put(rows: Signs, row: int, column: int) -> Signs:
    changed = rows[row][:column] + sign_to_move(rows) + rows[row][column + 1 :]
    return (*rows[:row], changed, *rows[row + 1 :])


def value_by_signs(board: Board) -> int:
    """What a position is worth by best play: in nim by the theorem of Bouton, else played out by signs."""
    if board.game.name == "nim":
        heaps, turn = _heaps(board)
        wins = reduce(xor, map(int, heaps)) != 0
        return 1 if wins is (turn == "MAX") else -1
    known: dict[Signs, int] = {}

    def played_out(rows: Signs) -> int:
        if rows not in known:
            ended = result(rows, board.game.name)
            if ended is None:
                best = max if sign_to_move(rows) == "X" else min
                ended = best(map(played_out, successor_positions(rows, board.game.name)))
            known[rows] = ended
        return known[rows]

    return played_out(signs_of(board))


def _heaps(board: Board) -> tuple[list[str], str]:
    """The heaps of nim, and who is to move."""
    heaps = board.text.removesuffix(" MIN")
    return heaps.split(), "MAX" if heaps == board.text else "MIN"


_COUNTED: Mapping[str, Callable[[str], int]] = {
    "open-lines": lambda line: ("O" not in line) - ("X" not in line),
    "lines-by-count": lambda line: {"X..": 1, "XX.": 3, "O..": -1, "OO.": -3}.get(
        "".join(sorted(line, reverse=True)), 0
    ),
}
"""What one line counts in an evaluation, by its signs."""


def evaluate_signs(rows: Signs, board: Board) -> Number:
    """What a position is worth to the evaluation of a board, line by line."""
    assert board.evaluation is not None
    ended = result(rows, board.game.name)
    if ended is not None:
        return ended * board.evaluation.won
    return sum(map(_COUNTED[board.evaluation.name], lines(rows, board.game.name)))


def open_for(rows: Signs, game: str, other: str) -> int:
    """In how many lines there is no sign of the other player."""
    return sum(other not in line for line in lines(rows, game))


def lines_with(rows: Signs, game: str, sign: str, count: int) -> int:
    """How many lines have exactly so many of one sign, and nothing else."""
    return sum(set(line) == {sign, "."} and line.count(sign) == count for line in lines(rows, game))


def evaluate_leaves_by_signs(shown: Tree, board: Board) -> Tree:
    """A tree of two plies with its leaves evaluated by the boards they show.

    Raises `AssertionError` where it is not what follows the position up to symmetry.
    """
    rows = [_shown(shown, node) for node in range(len(shown))]
    for node in shown.internal:
        below = {_alike(rows[child], board) for child in shown.children[node]}
        every = {_alike(after, board) for after in successor_positions(rows[node], board.game.name)}
        assert below == every, f"{shown.names[node]} does not show what follows it"
    return shown.with_payoffs(tuple(evaluate_signs(rows[leaf], board) for leaf in shown.leaves))


def _shown(tree: Tree, node: int) -> Signs:
    attributes = tree.attributes[node]
    assert attributes is not None
    assert attributes.board is not None
    return tuple(attributes.board.split("/"))


def _alike(rows: Signs, board: Board) -> Signs:
    """The first of all positions that are the same up to symmetry, as text."""
    images = [rows, tuple(row[::-1] for row in rows)]
    if board.game.name == "tictactoe":
        for _ in range(3):
            images += [_turned(image) for image in images[-2:]]
    return min(images)


def _turned(rows: Signs) -> Signs:
    return tuple("".join(column) for column in zip(*rows[::-1], strict=True))


def player_to_move(board: Board) -> Player:
    """Who moves: by the signs on the board, in nim by what is said."""
    if board.game.name == "nim":
        return Player(_heaps(board)[1])
    return Player.MAX if sign_to_move(signs_of(board)) == "X" else Player.MIN


def successor_boards(board: Board) -> Sequence[Board]:
    """The positions after one move, each as a board read from its text."""
    if board.game.name == "nim":
        heaps, turn = _heaps(board)
        other = " MIN" if turn == "MAX" else ""
        texts = [
            " ".join([*heaps[:place], str(left), *heaps[place + 1 :]]) + other
            for place, heap in enumerate(heaps)
            for left in range(int(heap) - 1, -1, -1)
        ]
    else:
        texts = ["/".join(rows) for rows in successor_positions(signs_of(board), board.game.name)]
    return [Board(board.game, board.game.read(text), board.evaluation) for text in texts]
