"""Boards of X (MAX) and O, who take turns; the places of each are a set of bits."""

from collections.abc import Callable, Sequence

from grader.trees.games.game_definition import PositionError

_SIDES = {"x": 0, "o": 1, "0": 1, ".": None, "-": None, "_": None, "*": None}


def side_of(sign: str) -> int | None:
    """Return 0 for X, 1 for O and None for a free place; raise `PositionError` for other signs."""
    if sign not in _SIDES:
        raise PositionError(f"{sign!r} is none of the signs X, O and .")
    return _SIDES[sign]


def sign_at(x: int, o: int, place: int) -> str:
    """Return the sign at a place."""
    return "X" if x >> place & 1 else "O" if o >> place & 1 else "."


def count_faults(x: int, o: int) -> tuple[str, ...]:
    """Return the reason why these numbers of X and O cannot occur, if there is one."""
    surplus = x.bit_count() - o.bit_count()
    if surplus > 1:
        return (f"there are {surplus} more X than O, and X moves only once before O does",)
    if surplus < 0:
        return (f"there {'is' if surplus == -1 else 'are'} {-surplus} more O than X, and X moves first",)
    return ()


def play_after_win_faults(x: int, o: int, wins: Callable[[int], bool], line: str) -> tuple[str, ...]:
    """Return the reason why these lines cannot occur: a game ends with its first line."""
    if wins(x) and wins(o):
        return (f"both X and O have {line}, and the game ends with the first",)
    last, winner, is_over = ("X", "O", wins(o)) if x.bit_count() > o.bit_count() else ("O", "X", wins(x))
    return (f"{winner} has {line}, and yet {last} has moved after it",) if is_over else ()


def open_line_difference(lines: Sequence[int], x: int, o: int) -> int:
    """Return the number of lines still open for X minus that for O."""
    return sum(not line & o for line in lines) - sum(not line & x for line in lines)
