"""The definition of a game: how positions are written, who moves, legal moves and the end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from grader.base.numbers import Number
from grader.trees.tree import Player

Position = TypeVar("Position")
"""A position of a game: hashable and ordered, such as a tuple of whole numbers."""


class PositionError(ValueError):
    """A text is not a position, or no play leads to the position; the message says why."""


class TooLargeError(ValueError):
    """Too much follows a position for a tree or for counting; the message says what."""


@dataclass(frozen=True, slots=True)
class Evaluation(Generic[Position]):
    """A static evaluation of positions that are not over, for MAX.

    - `name`: the word that selects it.
    - `meaning`: a phrase that describes it.
    - `value`: the evaluation of a position.
    - `won`: the value of a position won by MAX, beyond all evaluations; a lost one has minus that.
    """

    name: str
    meaning: str
    value: Callable[[Position], Number]
    won: int


@dataclass(frozen=True, slots=True, eq=False)
class Game(Generic[Position]):
    """A game of MAX against MIN with perfect information and no chance, in which MAX moves first.

    - `name`: the word that selects it; `title`: its usual name.
    - `notation`: a sentence about how to write a position.
    - `starts`: the named positions, the usual start first.
    - `read`: parses a position; raises `PositionError` for other texts.
    - `write`: the canonical text of a position, which `read` reads.
    - `rows`: the position as the lines of a small board, top row first.
    - `faults`: the reasons why no play leads to a position, empty if one does.
    - `mover`: MAX or MIN, also for a position that is over.
    - `moves`: the legal moves in their usual order, each with its name and the position it leads to;
      empty exactly when the game is over. Names differ within a position.
    - `utility`: 1, 0 or -1 for MAX when the game is over, else None.
    - `images`: the positions that are the same up to a symmetry of the game, itself among them.
    - `evaluations`: its static evaluations, the usual one first.
    """

    name: str
    title: str
    notation: str
    starts: Mapping[str, Position]
    read: Callable[[str], Position]
    write: Callable[[Position], str]
    rows: Callable[[Position], tuple[str, ...]]
    faults: Callable[[Position], tuple[str, ...]]
    mover: Callable[[Position], Player]
    moves: Callable[[Position], tuple[tuple[str, Position], ...]]
    utility: Callable[[Position], int | None]
    images: Callable[[Position], tuple[Position, ...]]
    evaluations: tuple[Evaluation[Position], ...]

    def position(self, text: str) -> Position:
        """Return the position with this name, or parse one.

        Raises `PositionError` for other texts, and for a position that no play leads to.
        """
        if text in self.starts:
            return self.starts[text]
        position = self.read(text)
        faults = self.faults(position)
        if faults:
            raise PositionError("; ".join(faults))
        return position

    def representative(self, position: Position) -> Position:
        """Return the representative of all positions that are equal up to symmetry."""
        return min(self.images(position))  # type: ignore[type-var]  # positions are ordered, see `Position`

    def moves_up_to_symmetry(self, position: Position) -> tuple[tuple[str, Position], ...]:
        """Return the legal moves without those whose position is symmetric to that of an earlier move."""
        different: dict[Position, tuple[str, Position]] = {}
        for move in self.moves(position):
            different.setdefault(self.representative(move[1]), move)
        return tuple(different.values())

    def evaluation(self, name: str | None) -> Evaluation[Position] | None:
        """Return the evaluation with this name, the first one for None; None if there is none."""
        return next((one for one in self.evaluations if name in (None, one.name)), None)


AnyGame: TypeAlias = Game[Any]
