"""A game for `gametree game`, made from a position in a teacher's file that answers the five questions."""

from typing import Any

from grader.programs.interface import Interface, InterfaceError
from grader.programs.position import Position
from grader.trees.games.game_definition import AnyGame, Evaluation, Game, PositionError
from grader.trees.tree import Player


def game_of(interface: Interface) -> AnyGame:
    """Return the game that begins at the `START` of a file, the only position that it knows.

    Raises `InterfaceError` if there is no `START`, or if it lacks one of the five methods.
    """
    start = interface.start
    missing = [name for name in ("mover", "moves", "after", "is_over", "value") if not hasattr(start, name)]
    if start is None or missing:
        needed = f"START has no method {missing[0]}" if start is not None else "it has no position START"
        raise InterfaceError(f"{interface.name} is not a game: {needed}")

    def read(text: str) -> Position:
        raise PositionError(f"{text[:40]!r} is not a position; the only one is 'start'")

    return Game(
        name=interface.name,
        title=interface.title,
        notation="The only position is 'start'",
        starts={"start": start},
        read=read,
        write=str,
        rows=lambda position: tuple(str(position).splitlines()),
        faults=lambda _: (),
        mover=lambda position: Player(position.mover()),
        moves=_moves,
        utility=lambda position: position.value() if position.is_over() else None,
        images=lambda position: (position,),
        evaluations=(Evaluation("value", "what the file says a position is worth", _value, 1),),
    )


def _moves(position: Position) -> tuple[tuple[str, Position], ...]:
    return () if position.is_over() else tuple((move, position.after(move)) for move in position.moves())


def _value(position: Position) -> Any:
    return position.value()
