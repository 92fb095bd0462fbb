"""The record of a search: its events in order, and its results at the nodes."""

from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from operator import is_not
from typing import Literal, TypeAlias

from grader.base.numbers import Bound, Number
from grader.trees.tree import Tree


@dataclass(frozen=True, slots=True)
class Enter:
    """The search enters a node with a window."""

    node: int
    alpha: Bound
    beta: Bound


@dataclass(frozen=True, slots=True)
class Update:
    """A child's value raises alpha at a MAX node or lowers beta at a MIN node."""

    node: int
    child: int
    bound: Literal["alpha", "beta"]
    value: Bound


@dataclass(frozen=True, slots=True)
class Gather:
    """A chance node adds an outcome: the expectation so far, and the probability still to come."""

    node: int
    child: int
    total: Number
    remaining: Number


@dataclass(frozen=True, slots=True)
class Cut:
    """The search leaves a node early: after `child`, the children in `skipped` are never entered.

    `value` is the running value (or the best the expectation can still reach) that met
    the window (`alpha`, `beta`) as it was tested: the window test has updated it before.
    `skipped` is in visiting order and never empty.
    If known bounds already decide the value of a node, `child` is the node itself.
    """

    node: int
    child: int
    value: Bound
    alpha: Bound
    beta: Bound
    skipped: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """A node returns its value to its parent."""

    node: int
    value: Bound


Event: TypeAlias = Enter | Update | Gather | Cut | Leave


# No slots: `visited` is computed from the windows on first use, and cached in the record.
@dataclass(frozen=True)
class Search:
    """A finished search: tuples aligned with the nodes of the tree, None at unvisited nodes.

    `alphas` and `betas` are the window with which a node was entered, `returned` the value that it
    returned to its parent. The `trace` is empty if the search did not record events.
    """

    alphas: tuple[Bound | None, ...]
    betas: tuple[Bound | None, ...]
    returned: tuple[Bound | None, ...]
    trace: tuple[Event, ...]

    @cached_property
    def visited(self) -> tuple[bool, ...]:
        """Whether the search entered each node."""
        return tuple(map(is_not, self.alphas, repeat(None)))


class Recorder:
    """The record of a search in progress."""

    def __init__(self, tree: Tree, traced: bool) -> None:
        self.alphas: list[Bound | None] = [None] * len(tree)
        self.betas: list[Bound | None] = [None] * len(tree)
        self.returned: list[Bound | None] = [None] * len(tree)
        self._trace: list[Event] = []
        self._traced = traced

    def enter(self, node: int, alpha: Bound, beta: Bound) -> None:
        """Record that the search enters a node with a window."""
        self.alphas[node] = alpha
        self.betas[node] = beta
        if self._traced:
            self._trace.append(Enter(node, alpha, beta))

    def update(self, node: int, child: int, bound: Literal["alpha", "beta"], value: Bound) -> None:
        """Record that a child's value moves a bound of the node's window."""
        if self._traced:
            self._trace.append(Update(node, child, bound, value))

    def gather(self, node: int, child: int, total: Number, remaining: Number) -> None:
        """Record that a chance node adds an outcome to its expectation."""
        if self._traced:
            self._trace.append(Gather(node, child, total, remaining))

    def cut(
        self, node: int, child: int, value: Bound, alpha: Bound, beta: Bound, skipped: tuple[int, ...]
    ) -> None:
        """Record that a node is left early; there is no event if its last child met the window."""
        if self._traced and skipped:
            self._trace.append(Cut(node, child, value, alpha, beta, skipped))

    def leave(self, node: int, value: Bound) -> None:
        """Record that a node returns its value to its parent."""
        self.returned[node] = value
        if self._traced:
            self._trace.append(Leave(node, value))

    def search(self) -> Search:
        """Return the finished record."""
        return Search(
            alphas=tuple(self.alphas),
            betas=tuple(self.betas),
            returned=tuple(self.returned),
            trace=tuple(self._trace),
        )
