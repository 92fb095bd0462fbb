"""A position of a game, as an interface sees it, and one that is played on a tree and records visits."""

from fractions import Fraction
from typing import Any, Protocol, Self

from grader.programs.calling import CallError

ILLEGAL_MOVE = "illegal move"
"""The name of every move that a position does not have."""


class Position(Protocol):
    """The five questions that an interface may ask about a position; an object that answers them is a game.

    - `mover`: `MAX`, `MIN` or `CHANCE`.
    - `moves`: the names of the legal moves in their usual order; empty at the end of the game.
    - `after`: the position after a move.
    - `is_over`: whether the game has ended.
    - `value`: for MAX, the payoff of a finished game, else the static evaluation.
    """

    def mover(self) -> str:
        """Return who moves."""
        ...

    def moves(self) -> tuple[str, ...]:
        """Return the names of the legal moves."""
        ...

    def after(self, move: str) -> "Position":
        """Return the position after a move."""
        ...

    def is_over(self) -> bool:
        """Return whether the game has ended."""
        ...

    def value(self) -> Any:
        """Return the payoff or the static evaluation for MAX."""
        ...


class SearchRecord:
    """The trace of one search: nodes in the order of their first evaluation, and what else was noticed."""

    def __init__(self) -> None:
        self.visits: list[int] = []
        self.repeats = 0
        self.generated: set[int] = set()
        self.positions: dict[int, TreePosition] = {}
        self._objects: list[tuple[object, int]] = []

    def visit(self, node: int) -> None:
        """Record the evaluation of a node."""
        if node in self.visits:
            self.repeats += 1
        else:
            self.visits.append(node)

    def represent(self, item: object, node: int) -> None:
        """Remember an object that the program is given for a node, to recognise it in an answer."""
        self._objects.append((item, node))

    def node_of(self, item: object) -> int | None:
        """Return the node that an object was given for, or None."""
        return next((node for known, node in self._objects if known is item), None)


class TreePosition:
    """A position at a node of a tree; `agents` players move in turn, and MAX is the first of them.

    The tree is a mapping of columns that are aligned with its nodes: `players`, `children`, `probabilities`
    and `payoffs`, which has the static evaluation of an internal node.
    """

    def __init__(self, tree: dict[str, Any], node: int = 0, record: SearchRecord | None = None) -> None:
        self.tree, self.node = tree, node
        self.record = SearchRecord() if record is None else record
        self.children: list[int] = tree["children"][node]
        self.agents: int = tree["agents"]
        self.record.positions[node] = self

    def mover(self) -> str:
        """Return who moves; where the game is over, whose turn it would be."""
        return str(self.tree["players"][self.node] or self._turn(0))

    def next_player(self) -> str:
        """Return the player who moves, at a chance node the one who moves after it."""
        mover = self.mover()
        return self._turn(1) if mover == "CHANCE" else mover

    def _turn(self, plies: int) -> str:
        turns = self.tree["turns"]
        return str(turns[(self.tree["depths"][self.node] + plies) % len(turns)])

    def probabilities(self) -> list[float]:
        """Return the probability of each move of chance, as programs compute with it."""
        shares = self.tree["probabilities"]
        return [float(Fraction(shares[child])) for child in self.children]

    def moves(self) -> tuple[str, ...]:
        """Return the names of the moves: a, b, c, ..."""
        return tuple(map(move_name, range(len(self.children))))

    def after(self, move: str) -> "TreePosition":
        """Return the position after a move and record that it was generated. Raises `CallError`."""
        if move not in self.moves():
            raise CallError(f"{move!r} is not a legal move in this position")
        child = self.children[self.moves().index(move)]
        self.record.generated.add(child)
        return self.at(child)

    def at(self, node: int) -> "TreePosition":
        """Return the position at a node, always the same object."""
        return self.record.positions.get(node) or TreePosition(self.tree, node, self.record)

    def is_over(self) -> bool:
        """Return whether the node is a leaf."""
        return not self.children

    def value(self) -> Any:
        """Return the payoff or the static evaluation and record the visit."""
        self.record.visit(self.node)
        return self.tree["payoffs"][self.node]


class ProgramState:
    """What a program gets for a position: equal for the same position, and its own deep copy."""

    def __init__(self, position: TreePosition) -> None:
        self._position = position

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProgramState) and other._position is self._position

    def __hash__(self) -> int:
        return self._position.node

    def __deepcopy__(self, memo: Any) -> Self:
        return self


def move_name(index: int) -> str:
    """Return the name of the move to a child: a, b, c, ..."""
    return chr(ord("a") + index)
