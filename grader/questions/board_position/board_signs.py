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
    """Return the rows of a position."""
    return board.game.rows(board.position)


def lines(rows: Signs, game: str) -> tuple[str, ...]:
    """Return the marks on every line on which a player can win, in any direction."""
    height, width, length = len(rows), len(rows[0]), LINE_LENGTHS[game]
    winning_lines = []
    for row in range(height):
        for column in range(width):
            for down, across in _STEPS:
                ends = row + down * (length - 1), column + across * (length - 1)
                if 0 <= ends[0] < height and 0 <= ends[1] < width:
                    winning_lines.append(
                        "".join(rows[row + down * step][column + across * step] for step in range(length))
                    )
    return tuple(winning_lines)


def sign_to_move(rows: Signs) -> str:
    """Return the mark of the player to move."""
    text = "".join(rows)
    return "X" if text.count("X") == text.count("O") else "O"


def game_result(rows: Signs, game: str) -> int | None:
    """Return 1 with a line of X, -1 with one of O, 0 on a full board, else None."""
    marked_lines = lines(rows, game)
    for sign, utility in (("X", 1), ("O", -1)):
        if sign * LINE_LENGTHS[game] in marked_lines:
            return utility
    return None if "." in "".join(rows) else 0


def free_squares(rows: Signs) -> int:
    """Count the squares without a mark."""
    return "".join(rows).count(".")


def successor_positions(rows: Signs, game: str) -> tuple[Signs, ...]:
    """Return the positions after one move, in reading order of squares or of columns."""
    return (
        ()
        if game_result(rows, game) is not None
        else tuple(_put(rows, *place) for place in _places(rows, game))
    )


def put_at(rows: Signs, game: str, number: int) -> Signs:
    """Return the position after the player to move marks a square, or drops a disc into a column."""
    if game == "connect-four":
        row = max(place for place, signs in enumerate(rows) if signs[number] == ".")
        return _put(rows, row, number)
    return _put(rows, *divmod(number, len(rows[0])))


def _places(rows: Signs, game: str) -> Iterator[tuple[int, int]]:
    """Yield the places for the next mark: every free square, or the lowest free square of every column."""
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
    """Return the value of a position under optimal play: in nim by Bouton's theorem, else by playing on."""
    if board.game.name == "nim":
        heaps, turn = _heaps(board)
        wins = reduce(xor, map(int, heaps)) != 0
        return 1 if wins is (turn == "MAX") else -1
    known: dict[Signs, int] = {}

    def played_out(rows: Signs) -> int:
        """Return the value for X of a board when both play optimally to the end; boards are remembered."""
        if rows not in known:
            ended = game_result(rows, board.game.name)
            if ended is None:
                best = max if sign_to_move(rows) == "X" else min
                ended = best(map(played_out, successor_positions(rows, board.game.name)))
            known[rows] = ended
        return known[rows]

    return played_out(signs_of(board))


def _heaps(board: Board) -> tuple[list[str], str]:
    """Return the heaps of nim and the player to move."""
    heaps = board.text.removesuffix(" MIN")
    return heaps.split(), "MAX" if heaps == board.text else "MIN"


_LINE_EVALUATIONS: Mapping[str, Callable[[str], int]] = {
    "open-lines": lambda line: ("O" not in line) - ("X" not in line),
    "lines-by-count": lambda line: {"X..": 1, "XX.": 3, "O..": -1, "OO.": -3}.get(
        "".join(sorted(line, reverse=True)), 0
    ),
}
"""The contribution of one line to an evaluation, by its marks."""


def evaluate_signs(rows: Signs, board: Board) -> Number:
    """Return the evaluation of a position, line by line."""
    assert board.evaluation is not None
    ended = game_result(rows, board.game.name)
    if ended is not None:
        return ended * board.evaluation.won
    return sum(map(_LINE_EVALUATIONS[board.evaluation.name], lines(rows, board.game.name)))


def open_for(rows: Signs, game: str, other: str) -> int:
    """Count the lines without a mark of the other player."""
    return sum(other not in line for line in lines(rows, game))


def lines_with(rows: Signs, game: str, sign: str, count: int) -> int:
    """Count the lines with exactly `count` marks of one player and none of the other."""
    return sum(set(line) == {sign, "."} and line.count(sign) == count for line in lines(rows, game))


def evaluate_leaves_by_signs(tree: Tree, board: Board) -> Tree:
    """Return a tree of two plies with its leaves evaluated by the boards that they show.

    Raises `AssertionError` if it does not show the next positions up to symmetry.
    """
    rows = [_board_rows(tree, node) for node in range(len(tree))]
    for node in tree.internal:
        shown_positions = {_canonical_rows(rows[child], board) for child in tree.children[node]}
        next_positions = {
            _canonical_rows(after, board) for after in successor_positions(rows[node], board.game.name)
        }
        assert shown_positions == next_positions, f"{tree.names[node]} does not show what follows it"
    return tree.with_payoffs(tuple(evaluate_signs(rows[leaf], board) for leaf in tree.leaves))


def _board_rows(tree: Tree, node: int) -> Signs:
    """Return the rows of the board at a node, top row first."""
    attributes = tree.attributes[node]
    assert attributes is not None
    assert attributes.board is not None
    return tuple(attributes.board.split("/"))


def _canonical_rows(rows: Signs, board: Board) -> Signs:
    """Return the first of all positions that are the same up to symmetry, as text."""
    images = [rows, tuple(row[::-1] for row in rows)]
    if board.game.name == "tictactoe":
        for _ in range(3):
            images += [_rotated(image) for image in images[-2:]]
    return min(images)


def _rotated(rows: Signs) -> Signs:
    return tuple("".join(column) for column in zip(*rows[::-1], strict=True))


def player_to_move(board: Board) -> Player:
    """Return the player to move: by the marks on the board, in nim as given."""
    if board.game.name == "nim":
        return Player(_heaps(board)[1])
    return Player.MAX if sign_to_move(signs_of(board)) == "X" else Player.MIN


def successor_boards(board: Board) -> Sequence[Board]:
    """Return the positions after one move, each as a board read from its text."""
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
