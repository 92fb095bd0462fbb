"""What a game says of itself: how a position is written, who moves, what follows, and when it is over."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from grader.base.numbers import Number
from grader.trees.tree import Player

Position = TypeVar("Position")
"""A position of a game: hashable and ordered, such as a tuple of whole numbers."""


class PositionError(ValueError):
    """A text that is no position of the game, or a position that no play leads to; the message says why."""


class TooLargeError(ValueError):
    """More follows a position than a tree may hold, or than anybody counts; the message says what."""


@dataclass(frozen=True, slots=True)
class Evaluation(Generic[Position]):
    """A static evaluation of positions that are not over, from the side of MAX.

    - `name`: the word by which it is chosen.
    - `meaning`: what it counts, as a phrase.
    - `value`: the evaluation of a position.
    - `won`: what a position won by MAX is worth beside it, beyond all evaluations; a lost one minus that.
    """

    name: str
    meaning: str
    value: Callable[[Position], Number]
    won: int


@dataclass(frozen=True, slots=True, eq=False)
class Game(Generic[Position]):
    """A game of MAX against MIN with perfect information and no chance, in which MAX moves first.

    - `name`: the word by which it is chosen; `title`: what people call it.
    - `notation`: how a position is written, as a sentence.
    - `starts`: positions that have a name, the usual start first.
    - `read`: the position in a text; raises `PositionError` for a text that is none.
    - `write`: the canonical text of a position, which `read` reads.
    - `rows`: the position as the lines of a small board, top row first.
    - `faults`: why no play leads to a position, empty where one does.
    - `mover`: who moves, MAX or MIN; at a position that is over, who would.
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
        """The position with this name or in this text.

        Raises `PositionError` for a text that is none, and for a position that no play leads to.
        """
        if text in self.starts:
            return self.starts[text]
        position = self.read(text)
        faults = self.faults(position)
        if faults:
            raise PositionError("; ".join(faults))
        return position

    def representative(self, position: Position) -> Position:
        """The one position that stands for all that are the same up to symmetry."""
        return min(self.images(position))  # type: ignore[type-var]  # positions are ordered, see `Position`

    def moves_up_to_symmetry(self, position: Position) -> tuple[tuple[str, Position], ...]:
        """The legal moves without those that lead to the image of an earlier move's position."""
        different: dict[Position, tuple[str, Position]] = {}
        for move in self.moves(position):
            different.setdefault(self.representative(move[1]), move)
        return tuple(different.values())

    def evaluation(self, name: str | None) -> Evaluation[Position] | None:
        """The evaluation with this name, the usual one for None; None where the game has no such."""
        fitting = (one for one in self.evaluations if name in (None, one.name))
        return next(fitting, None)


AnyGame: TypeAlias = Game[Any]
