"""The attributes of nodes and the header lines of a tree, both by their keys in the notation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from grader.base.numbers import Number
from grader.trees.rules import RULE_NAMES, Order, Returns, Test, Ties

ATTRIBUTES = ("eval", "f", "n", "w", "board")
"""The keys of the attributes of a node in the notation, in the order of the fields of `Attributes`."""


@dataclass(frozen=True, slots=True)
class Attributes:
    """The attributes of a node: `{eval=4, f=[2,-1], n=10, w=6, board="X.O/.X./..O"}`.

    A `board` has rows separated by `/`, with a sign for every square, or words with spaces between them.
    """

    evaluation: Number | None = None
    features: tuple[Number, ...] | None = None
    visits: int | None = None
    wins: Number | None = None
    board: str | None = None

    @classmethod
    def from_keys(cls, values: Mapping[str, Any]) -> "Attributes":
        """Return the attributes with these values by key, else None."""
        return cls(*map(values.get, ATTRIBUTES))

    @property
    def by_key(self) -> dict[str, Any]:
        """The values that are given, by key."""
        values = (self.evaluation, self.features, self.visits, self.wins, self.board)
        return {key: value for key, value in zip(ATTRIBUTES, values, strict=True) if value is not None}


NumberStyle: TypeAlias = Literal["fractions", "decimals"]
"""How pictures write the numbers of a tree that have a finite decimal: 7/2 or 3.5."""

HEADER_LINES = ("title", "source", *RULE_NAMES, "weights", "numbers")
"""The names of the `@` lines of a tree file, in the order of the fields of `Header`."""


@dataclass(frozen=True, slots=True)
class Header:
    """The `@` lines of a tree file; None for a missing line."""

    title: str | None = None
    source: str | None = None
    order: Order | None = None
    ties: Ties | None = None
    test: Test | None = None
    returns: Returns | None = None
    bounds: tuple[Number, Number] | None = None
    depth: int | None = None
    window: tuple[Number, Number] | None = None
    weights: tuple[Number, ...] | None = None
    numbers: NumberStyle | None = None

    @classmethod
    def from_keys(cls, values: Mapping[str, Any]) -> "Header":
        """Return the header with these values by name, else None."""
        return cls(*map(values.get, HEADER_LINES))

    @property
    def by_key(self) -> dict[str, Any]:
        """The values that are given, by the names of their lines."""
        rules = (self.order, self.ties, self.test, self.returns, self.bounds, self.depth, self.window)
        values = (self.title, self.source, *rules, self.weights, self.numbers)
        return {name: value for name, value in zip(HEADER_LINES, values, strict=True) if value is not None}


NO_HEADER = Header()
"""The header of a tree without `@` lines."""
