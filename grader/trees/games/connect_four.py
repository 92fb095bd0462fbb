"""Connect four on small boards: discs fall to the lowest free place of a column, and four in a line win."""

import re
from functools import cache, lru_cache
from string import ascii_lowercase
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

Discs: TypeAlias = tuple[int, int, int, int]
"""The numbers of columns and rows, and the places of X and of O as sets of bits.

Bit `column * (rows + 1) + row` is a place, row 0 at the bottom; the topmost bit of a column stays free.
"""

MAX_BOARD_COLUMNS, MAX_BOARD_ROWS = 9, 9


def read(text: str) -> Discs:
    """Read rows of `X`, `O` and `.`, top row first, separated by `/`.

    Raises `PositionError` for any other text. Whether play can lead to the board is checked by `faults`.
    """
    lines = [
        re.sub(r"[\s|]", "", line)
        for line in re.split(r"[/\n]", to_plain_characters(text).strip().casefold())
    ]
    columns, rows = len(lines[0]), len(lines)
    if not 1 <= columns <= MAX_BOARD_COLUMNS or rows > MAX_BOARD_ROWS:
        raise PositionError(
            f"a board has 1 to {MAX_BOARD_COLUMNS} columns and 1 to {MAX_BOARD_ROWS} rows, separated by /"
        )
    sides = [0, 0]
    for height, line in zip(range(rows - 1, -1, -1), lines, strict=True):
        if len(line) != columns:
            raise PositionError(f"the rows have different lengths, {columns} and {len(line)}")
        for column, sign in enumerate(line):
            side = side_of(sign)
            if side is not None:
                sides[side] |= 1 << column * (rows + 1) + height
    return columns, rows, sides[0], sides[1]


def rows_of(board: Discs) -> tuple[str, ...]:
    """Return the rows of a board as text, top row first."""
    columns, rows, x, o = board
    return tuple(
        "".join(sign_at(x, o, place) for place in range(row, columns * (rows + 1), rows + 1))
        for row in range(rows - 1, -1, -1)
    )


def _has_line(discs: int, rows: int) -> bool:
    """Return whether four of the discs are in a column, in a row or on a diagonal."""
    for step in (1, rows + 1, rows, rows + 2):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def faults(board: Discs) -> tuple[str, ...]:
    """Return the reasons why no play leads to a board: counts, else hanging discs, lines, or move order."""
    columns, rows, x, o = board
    stacks = ((x | o) >> column * (rows + 1) & ((1 << rows) - 1) for column in range(columns))
    unsupported = [ascii_lowercase[column] for column, stack in enumerate(stacks) if stack & (stack + 1)]
    return (
        count_faults(x, o)
        or tuple(f"column {column} has a disc above a free place" for column in unsupported[:1])
        or play_after_win_faults(x, o, lambda discs: _has_line(discs, rows), "four in a line")
        or (() if _is_reachable(board) else ("no order of moves leads to this board",))
    )


def _is_reachable(board: Discs) -> bool:
    """Search backwards for a game that leads to a board; its counts and columns must be valid."""
    columns, rows, x, o = board
    visited: set[tuple[int, int]] = set()
    pending = [(x, o)]
    while pending:
        x_discs, o_discs = pending.pop()
        if not x_discs | o_discs:
            return True
        last_is_x = x_discs.bit_count() > o_discs.bit_count()
        for column in range(columns):
            base = column * (rows + 1)
            filled = (x_discs | o_discs) >> base & ((1 << rows) - 1)
            top = (filled + 1 >> 1) << base
            before = (x_discs & ~top, o_discs) if last_is_x else (x_discs, o_discs & ~top)
            if not filled or before == (x_discs, o_discs) or before in visited:
                continue
            visited.add(before)
            if not _has_line(before[0], rows) and not _has_line(before[1], rows):
                pending.append(before)
    return False


def mover(board: Discs) -> Player:
    """Return MAX, who plays X, if there are as many X as O, else MIN."""
    return Player.MAX if board[2].bit_count() == board[3].bit_count() else Player.MIN


@cache
def _columns(columns: int, rows: int) -> tuple[tuple[str, int, int], ...]:
    """Return for each column its name, its bottom bit and the bits of all its places."""
    return tuple(
        (ascii_lowercase[column], 1 << base, ((1 << rows) - 1) << base)
        for column in range(columns)
        for base in (column * (rows + 1),)
    )


def moves(board: Discs) -> tuple[tuple[str, Discs], ...]:
    """Return the columns with a free place from left to right; none after four in a line."""
    columns, rows, x, o = board
    x_moves = x.bit_count() == o.bit_count()
    if _has_line(o if x_moves else x, rows):  # only the last player to move can have a line
        return ()
    discs = x | o
    result: list[tuple[str, Discs]] = []
    for name, bottom, places in _columns(columns, rows):
        disc = discs + bottom & places  # the carry runs up to the lowest free place of the column
        disc &= ~discs
        if disc:
            result.append((name, (columns, rows, x | disc, o) if x_moves else (columns, rows, x, o | disc)))
    return tuple(result)


def utility(board: Discs) -> int | None:
    """Return 1 for four X in a line, -1 for four O, 0 for a full board, else None."""
    columns, rows, x, o = board
    if _has_line(x, rows):
        return 1
    if _has_line(o, rows):
        return -1
    return 0 if (x | o).bit_count() == columns * rows else None


def images(board: Discs) -> tuple[Discs, ...]:
    """Return the board and its left-right mirror image."""
    columns, rows, x, o = board
    return board, (columns, rows, _mirror(columns, rows, x), _mirror(columns, rows, o))


@lru_cache(maxsize=1 << 18)
def _mirror(columns: int, rows: int, discs: int) -> int:
    """Return discs with the columns in reverse order."""
    width, column, result = rows + 1, (1 << rows) - 1, 0
    for _ in range(columns):
        result = result << width | discs & column
        discs >>= width
    return result


@cache
def _lines(columns: int, rows: int) -> tuple[int, ...]:
    """Return all lines of four places, as sets of bits."""
    return tuple(
        sum(1 << (column + along * step) * (rows + 1) + row + up * step for step in range(4))
        for column in range(columns)
        for row in range(rows)
        for along, up in ((0, 1), (1, 0), (1, 1), (1, -1))
        if column + 3 * along < columns and 0 <= row + 3 * up < rows
    )


def open_lines(board: Discs) -> int:
    """Return the number of lines of four still open for X minus that for O."""
    columns, rows, x, o = board
    return open_line_difference(_lines(columns, rows), x, o)


GAME: Game[Discs] = Game(
    name="connect-four",
    title="connect four",
    notation="The rows from the top as signs X, O and ., separated by /: ..../..../.O../.X.X; "
    "or columns x rows of an empty board: 4x4, 4x5, 5x4",
    starts={f"{columns}x{rows}": (columns, rows, 0, 0) for columns, rows in ((4, 4), (4, 5), (5, 4))},
    read=read,
    write=lambda board: "/".join(rows_of(board)),
    rows=rows_of,
    faults=faults,
    mover=mover,
    moves=moves,
    utility=utility,
    images=images,
    evaluations=(
        Evaluation(
            "open-lines", "lines of four still open for X minus those still open for O", open_lines, 1000
        ),
    ),
)
