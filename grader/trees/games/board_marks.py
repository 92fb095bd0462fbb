"""Boards of signs: X, who is MAX, and O move by turns, and each has a set of bits."""

from collections.abc import Callable, Sequence

from grader.trees.games.game_definition import PositionError

_SIDES = {"x": 0, "o": 1, "0": 1, ".": None, "-": None, "_": None, "*": None}


def side_of(sign: str) -> int | None:
    """Whose sign it is, 0 for X and 1 for O, or None for a free place; raises `PositionError` for others."""
    if sign not in _SIDES:
        raise PositionError(f"{sign!r} is none of the signs X, O and .")
    return _SIDES[sign]


def sign_at(x: int, o: int, place: int) -> str:
    """The sign at a place."""
    return "X" if x >> place & 1 else "O" if o >> place & 1 else "."


def count_faults(x: int, o: int) -> tuple[str, ...]:
    """Why no play has so many X and so many O."""
    more = x.bit_count() - o.bit_count()
    if more > 1:
        return (f"there are {more} more X than O, and X moves only once before O does",)
    if more < 0:
        return (f"there {'is' if more == -1 else 'are'} {-more} more O than X, and X moves first",)
    return ()


def play_after_win_faults(x: int, o: int, wins: Callable[[int], bool], line: str) -> tuple[str, ...]:
    """Why no play has these lines on a board with the right counts: it ends with the first."""
    if wins(x) and wins(o):
        return (f"both X and O have {line}, and the game ends with the first",)
    last, next_one, ended = ("X", "O", wins(o)) if x.bit_count() > o.bit_count() else ("O", "X", wins(x))
    return (f"{next_one} has {line}, and yet {last} has moved after it",) if ended else ()


def open_line_difference(lines: Sequence[int], x: int, o: int) -> int:
    """Lines still open for X minus lines still open for O."""
    return sum(not line & o for line in lines) - sum(not line & x for line in lines)
