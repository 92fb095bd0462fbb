"""Tic-tac-toe: X (MAX) moves first, and three in a line win."""

from functools import lru_cache
from typing import TypeAlias

from grader.base.numbers import to_plain_characters
from grader.trees.games.board_marks import (
    count_faults,
    open_line_difference,
    play_after_win_faults,
    side_of,
    sign_at,
)
from grader.trees.games.game_definition import Evaluation, Game, PositionError
from grader.trees.tree import Player

Squares: TypeAlias = tuple[int, int]
"""The squares of X and those of O, each as a set of bits: bit 0 is the top left square, bit 8 the last."""

SQUARES = (
    *("top_left", "top_middle", "top_right"),
    *("middle_left", "centre", "middle_right"),
    *("bottom_left", "bottom_middle", "bottom_right"),
)
"""The names of the squares in reading order; none is a word for a direction alone."""

FULL = 0b111_111_111

LINES = tuple(
    sum(1 << square for square in line)
    for line in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
)

WINS = tuple(any(squares & line == line for line in LINES) for squares in range(FULL + 1))
"""True for the sets of squares that contain a line."""

_EMPTY = tuple(
    tuple((SQUARES[square], 1 << square) for square in range(9) if not occupied >> square & 1)
    for occupied in range(FULL + 1)
)
"""For each set of occupied squares, the names and bits of the empty ones."""


def _symmetry_tables() -> tuple[tuple[int, ...], ...]:
    """Return for each of the eight symmetries the image of every set of squares."""
    places = [(row, column) for row in range(3) for column in range(3)]
    tables = []
    for is_mirrored in (False, True):
        image = {place: place[::-1] if is_mirrored else place for place in places}
        for _ in range(4):
            image = {place: (column, 2 - row) for place, (row, column) in image.items()}
            target = [3 * image[place][0] + image[place][1] for place in places]
            tables.append(
                tuple(
                    sum(1 << target[square] for square in range(9) if squares >> square & 1)
                    for squares in range(FULL + 1)
                )
            )
    return tuple(tables)


_IMAGES = _symmetry_tables()


def read(text: str) -> Squares:
    """Read nine signs `X`, `O` and `.` in reading order; rows may be separated by `/`.

    Raises `PositionError` for any other text. Whether play can lead to the board is checked by `faults`.
    """
    sides = [0, 0]
    square = 0
    for sign in to_plain_characters(text).casefold():
        if sign in "/|, \n\t":
            continue
        side = side_of(sign)
        if side is not None:
            sides[side] |= 1 << square
        square += 1
    if square != 9:
        raise PositionError(f"the board has {square} square{'s' * (square != 1)} instead of 9")
    return sides[0], sides[1]


@lru_cache(maxsize=3**9)
def rows(board: Squares) -> tuple[str, ...]:
    """Return the three rows of a board as text."""
    signs = "".join(sign_at(*board, square) for square in range(9))
    return signs[:3], signs[3:6], signs[6:]


def faults(board: Squares) -> tuple[str, ...]:
    """Return the reasons why no play leads to a board: its counts, else its lines.

    Every other board is reachable: the player with lines moved last, and all lines of one player
    share a square, so a move there can have been the last.
    """
    return count_faults(*board) or play_after_win_faults(*board, WINS.__getitem__, "a line")


def mover(board: Squares) -> Player:
    """Return MAX, who plays X, if there are as many X as O, else MIN."""
    return Player.MAX if board[0].bit_count() == board[1].bit_count() else Player.MIN


def moves(board: Squares) -> tuple[tuple[str, Squares], ...]:
    """Return the empty squares in reading order; none after a line."""
    x, o = board
    if WINS[x] or WINS[o]:
        return ()
    if x.bit_count() == o.bit_count():
        return tuple([(name, (x | bit, o)) for name, bit in _EMPTY[x | o]])
    return tuple([(name, (x, o | bit)) for name, bit in _EMPTY[x | o]])


def utility(board: Squares) -> int | None:
    """Return 1 for a line of X, -1 for a line of O, 0 for a full board, else None."""
    x, o = board
    if WINS[x]:
        return 1
    if WINS[o]:
        return -1
    return 0 if x | o == FULL else None


def images(board: Squares) -> tuple[Squares, ...]:
    """Return the board under the four rotations and the four reflections."""
    x, o = board
    return tuple([(table[x], table[o]) for table in _IMAGES])


def open_lines(board: Squares) -> int:
    """Return the number of lines still open for X minus that for O.

    Nilsson, Problem-Solving Methods in Artificial Intelligence (1971), ch. 5.
    """
    return open_line_difference(LINES, *board)


def lines_by_count(board: Squares) -> int:
    """Return 3 X2 + X1 - (3 O2 + O1), with Xn the lines of n X and no O, and On those of n O and no X.

    Russell and Norvig, Artificial Intelligence: A Modern Approach, 3rd ed., exercise 5.9.
    """
    x, o = board
    weights = (0, 1, 3, 0)
    return sum(
        (0 if line & o else weights[(line & x).bit_count()])
        - (0 if line & x else weights[(line & o).bit_count()])
        for line in LINES
    )


GAME: Game[Squares] = Game(
    name="tictactoe",
    title="tic-tac-toe",
    notation="Nine signs X, O and . from the top left square, rows separated by /: X.O/.X./..O",
    starts={"start": (0, 0)},
    read=read,
    write=lambda board: "/".join(rows(board)),
    rows=rows,
    faults=faults,
    mover=mover,
    moves=moves,
    utility=utility,
    images=images,
    evaluations=(
        Evaluation("open-lines", "lines still open for X minus lines still open for O", open_lines, 10),
        Evaluation(
            "lines-by-count",
            "3 X2 + X1 - (3 O2 + O1), where Xn are the lines with n X and no O",
            lines_by_count,
            100,
        ),
    ),
)
