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
"""Columns and rows of the board, the places of X and those of O as sets of bits.

Bit `column * (rows + 1) + row` is a place, row 0 at the bottom; the topmost bit of a column stays free.
"""

MAX_BOARD_COLUMNS, MAX_BOARD_ROWS = 9, 9


def read(text: str) -> Discs:
    """The board in rows of signs `X`, `O` and `.`, top row first, parted by `/`."""
    lines = [
        re.sub(r"[\s|]", "", line)
        for line in re.split(r"[/\n]", to_plain_characters(text).strip().casefold())
    ]
    columns, rows = len(lines[0]), len(lines)
    if not 1 <= columns <= MAX_BOARD_COLUMNS or rows > MAX_BOARD_ROWS:
        raise PositionError(
            f"a board has 1 to {MAX_BOARD_COLUMNS} columns and 1 to {MAX_BOARD_ROWS} rows, parted by /"
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
    """The rows of a board as signs, top row first."""
    columns, rows, x, o = board
    return tuple(
        "".join(sign_at(x, o, place) for place in range(row, columns * (rows + 1), rows + 1))
        for row in range(rows - 1, -1, -1)
    )


def _wins(discs: int, rows: int) -> bool:
    """Whether four of the discs lie in a line: upwards, across, and on the two diagonals."""
    for step in (1, rows + 1, rows, rows + 2):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def faults(board: Discs) -> tuple[str, ...]:
    """Why no play leads to a board: of counts, of discs in the air, of lines, else of any order of moves."""
    columns, rows, x, o = board
    stacks = ((x | o) >> column * (rows + 1) & ((1 << rows) - 1) for column in range(columns))
    hanging = [ascii_lowercase[column] for column, stack in enumerate(stacks) if stack & (stack + 1)]
    return (
        count_faults(x, o)
        or tuple(f"column {column} has a disc above a free place" for column in hanging[:1])
        or play_after_win_faults(x, o, lambda discs: _wins(discs, rows), "four in a line")
        or (() if _reached(board) else ("no order of moves leads to this board",))
    )


def _reached(board: Discs) -> bool:
    """Whether some play leads to a board with the right counts and nothing in the air."""
    columns, rows, x, o = board
    seen: set[tuple[int, int]] = set()
    waiting = [(x, o)]
    while waiting:
        mine, theirs = waiting.pop()
        if not mine | theirs:
            return True
        last_is_x = mine.bit_count() > theirs.bit_count()
        for column in range(columns):
            base = column * (rows + 1)
            stack = (mine | theirs) >> base & ((1 << rows) - 1)
            top = (stack + 1 >> 1) << base
            before = (mine & ~top, theirs) if last_is_x else (mine, theirs & ~top)
            if not stack or before == (mine, theirs) or before in seen:
                continue
            seen.add(before)
            if not _wins(before[0], rows) and not _wins(before[1], rows):
                waiting.append(before)
    return False


def mover(board: Discs) -> Player:
    """X, who is MAX, moves when there are as many X as O."""
    return Player.MAX if board[2].bit_count() == board[3].bit_count() else Player.MIN


@cache
def _columns(columns: int, rows: int) -> tuple[tuple[str, int, int], ...]:
    """Of each column its name, the bit at its bottom and the bits of all its places."""
    return tuple(
        (ascii_lowercase[column], 1 << base, ((1 << rows) - 1) << base)
        for column in range(columns)
        for base in (column * (rows + 1),)
    )


def moves(board: Discs) -> tuple[tuple[str, Discs], ...]:
    """The columns with a free place from left to right; none once there are four in a line."""
    columns, rows, x, o = board
    x_moves = x.bit_count() == o.bit_count()
    if _wins(o if x_moves else x, rows):  # only who moved last can have a line
        return ()
    taken = x | o
    found: list[tuple[str, Discs]] = []
    for name, bottom, places in _columns(columns, rows):
        disc = taken + bottom & places  # the carry runs up to the lowest free place of the column
        disc &= ~taken
        if disc:
            found.append((name, (columns, rows, x | disc, o) if x_moves else (columns, rows, x, o | disc)))
    return tuple(found)


def utility(board: Discs) -> int | None:
    """1 with four X in a line, -1 with four O, 0 on a full board."""
    columns, rows, x, o = board
    if _wins(x, rows):
        return 1
    if _wins(o, rows):
        return -1
    return 0 if (x | o).bit_count() == columns * rows else None


def images(board: Discs) -> tuple[Discs, ...]:
    """The board and its mirror image, left and right exchanged."""
    columns, rows, x, o = board
    return board, (columns, rows, _mirrored(columns, rows, x), _mirrored(columns, rows, o))


@lru_cache(maxsize=1 << 18)
def _mirrored(columns: int, rows: int, discs: int) -> int:
    width, column, mirrored = rows + 1, (1 << rows) - 1, 0
    for _ in range(columns):
        mirrored = mirrored << width | discs & column
        discs >>= width
    return mirrored


@cache
def _lines(columns: int, rows: int) -> tuple[int, ...]:
    """Every four places in a line, as sets of bits."""
    return tuple(
        sum(1 << (column + along * step) * (rows + 1) + row + up * step for step in range(4))
        for column in range(columns)
        for row in range(rows)
        for along, up in ((0, 1), (1, 0), (1, 1), (1, -1))
        if column + 3 * along < columns and 0 <= row + 3 * up < rows
    )


def open_lines(board: Discs) -> int:
    """Lines of four still open for X minus lines of four still open for O."""
    columns, rows, x, o = board
    return open_line_difference(_lines(columns, rows), x, o)


GAME: Game[Discs] = Game(
    name="connect-four",
    title="connect four",
    notation="The rows from the top as signs X, O and ., parted by /: ..../..../.O../.X.X; "
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
