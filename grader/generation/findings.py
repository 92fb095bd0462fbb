"""What alpha-beta finds of one candidate, in numbers, or of many at once, in arrays of numbers."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from grader.base.numbers import Number, exact
from grader.generation.candidates import Block
from grader.rules import Rules
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.mistaken import Mistake
from grader.solvers.searching import search
from grader.solvers.sweep import Sweep, sweep
from grader.tree import Tree

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

Column = Any
"""What there is of one node or leaf: a number or a flag, or an array with one for each candidate."""


class Findings(Protocol):
    """A column for every node, and what can be asked of columns besides comparing and adding them."""

    tree: Tree
    rules: Rules
    whole: bool  # whether all values are known to be whole numbers

    @property
    def values(self) -> Sequence[Column]:
        """The exact values; of many candidates their places in the range of payoffs."""

    @property
    def alphas(self) -> Sequence[Column]:
        """The lower bounds that the sweep finds (see `grader.solvers.sweep.Sweep`), without chance nodes."""

    @property
    def betas(self) -> Sequence[Column]:
        """The upper bounds, likewise."""

    @property
    def visited(self) -> Column:
        """Whether the search comes there, for every node."""

    def tied(self, leaf: int) -> Column:
        """Whether it hangs on the tie rule if the search comes to a leaf."""

    def count(self, flags: Sequence[Column]) -> Column:
        """How many of the flags are up."""

    def first(self, flags: Sequence[Column]) -> Column:
        """The place of the first flag that is up, counted from 0; one always is."""

    def binary(self, flags: Sequence[Column]) -> Column:
        """The flags as a binary number whose lowest bit is the first of them."""

    def largest(self, columns: Sequence[Column]) -> Column:
        """The largest number."""

    def smallest(self, columns: Sequence[Column]) -> Column:
        """The smallest number."""

    def each(self, function: Callable[[Number], int], values: Sequence[Column]) -> list[Column]:
        """A function of the exact values."""


def of_one(tree: Tree, rules: Rules) -> Findings:
    """The findings of one tree of MAX, MIN and chance."""
    return _OneTree(tree, rules)


def of_many(block: Block, rules: Rules) -> Findings:
    """The findings of a block of candidates."""
    return _ManyTreesOfChance(block, rules) if block.skeleton.has_chance else _ManyTrees(block, rules)


class _OneTree:
    """One tree: where there is chance Star1 searches it, else it is swept."""

    whole = False

    def __init__(self, tree: Tree, rules: Rules) -> None:
        self.tree, self.rules = tree, rules

    @cached_property
    def _swept(self) -> Sweep:
        return sweep(self.tree, self.rules)

    @cached_property
    def values(self) -> Sequence[Number]:
        return expectiminimax(self.tree) if self.tree.has_chance else self._swept.values

    @property
    def alphas(self) -> Sequence[Column]:
        return self._swept.alphas

    @property
    def betas(self) -> Sequence[Column]:
        return self._swept.betas

    @cached_property
    def visited(self) -> Sequence[bool]:
        return self._visited(self.rules) if self.tree.has_chance else self._swept.visited

    def _visited(self, rules: Rules) -> Sequence[bool]:
        return search(self.tree, rules, traced=False).visited

    @cached_property
    def _otherwise(self) -> Sequence[bool]:
        return self._visited(self.rules.with_other_ties())

    def tied(self, leaf: int) -> bool:
        if self.tree.has_chance:
            return self.visited[leaf] != self._otherwise[leaf]
        return self._swept.alphas[leaf] == self._swept.betas[leaf]

    def count(self, flags: Sequence[bool]) -> int:
        return sum(flags)

    def first(self, flags: Sequence[bool]) -> int:
        return flags.index(True)

    def binary(self, flags: Sequence[bool]) -> int:
        return sum(flag << place for place, flag in enumerate(flags))

    def largest(self, columns: Sequence[Column]) -> Column:
        return max(columns)

    def smallest(self, columns: Sequence[Column]) -> Column:
        return min(columns)

    def each(self, function: Callable[[Number], int], values: Sequence[Number]) -> list[int]:
        return list(map(function, values))


class _ManyTrees:
    """Many trees of one skeleton, swept in lockstep."""

    def __init__(self, block: Block, rules: Rules) -> None:
        from grader.solvers.lockstep import lockstep

        self.tree, self.rules, self._payoffs = block.skeleton, rules, block.payoffs
        self.whole = block.payoffs.parts == 1
        swept = lockstep(block.skeleton, block.places, rules)
        self.values, self.alphas, self.betas = swept.values, swept.alphas, swept.betas
        self.visited: Column = swept.visited

    def tied(self, leaf: int) -> Column:
        return self.alphas[leaf] == self.betas[leaf]

    def count(self, flags: Sequence[Column]) -> "NDArray[numpy.int16]":
        import numpy

        if len(flags) == 0:
            return numpy.zeros(len(self.values[0]), numpy.int16)
        narrow = numpy.uint8 if len(flags) < 256 else numpy.uint16
        counts: NDArray[numpy.int16] = numpy.add.reduce(flags, axis=0, dtype=narrow).astype(numpy.int16)
        return counts

    def first(self, flags: Sequence[Column]) -> Column:
        import numpy

        return numpy.stack(flags).argmax(axis=0)

    def binary(self, flags: Sequence[Column]) -> tuple[int, ...]:
        import numpy

        if len(flags) < 63:
            bits = 1 << numpy.arange(len(flags), dtype=numpy.int64)
            return tuple((bits @ numpy.stack(flags)).tolist())
        packed = numpy.packbits(numpy.stack(flags), axis=0, bitorder="little")
        return tuple(int.from_bytes(column.tobytes(), "little") for column in packed.T)

    def largest(self, columns: Sequence[Column]) -> Column:
        import numpy

        return numpy.maximum.reduce(columns)

    def smallest(self, columns: Sequence[Column]) -> Column:
        import numpy

        return numpy.minimum.reduce(columns)

    def each(self, function: Callable[[Number], int], values: Sequence[Column]) -> list[Column]:
        import numpy

        payoffs = self._payoffs
        table = numpy.array([function(payoffs.numbered(place)) for place in range(payoffs.size)])
        return [table[column] for column in values]


class _ManyTreesOfChance(_ManyTrees):
    """Many trees of one skeleton in which chance moves, searched in lockstep."""

    def __init__(self, block: Block, rules: Rules) -> None:
        from grader.solvers.lockstep_mistaken import lockstep_values, weighed

        self.tree, self.rules, self._block = block.skeleton, rules, block
        self.whole = False
        parts = block.payoffs.parts
        self.values = lockstep_values(block.skeleton, block.numbers, rules, parts)
        self._unit = weighed(block.skeleton, rules, parts).unit

    def _visited(self, rules: Rules) -> Column:
        from grader.solvers.lockstep_mistaken import lockstep_astray

        block = self._block
        parts = block.payoffs.parts
        return lockstep_astray(block.skeleton, block.numbers, rules, (Mistake(),), parts)[:, 0]

    @cached_property
    def visited(self) -> Column:
        return self._visited(self.rules)

    @cached_property
    def _otherwise(self) -> Column:
        return self._visited(self.rules.with_other_ties())

    def tied(self, leaf: int) -> Column:
        return self.visited[leaf] != self._otherwise[leaf]

    def each(self, function: Callable[[Number], int], values: Sequence[Column]) -> list[Column]:
        import numpy

        different, places = numpy.unique(numpy.stack(values), return_inverse=True)
        found = numpy.array([function(exact(Fraction(value, self._unit))) for value in different.tolist()])
        return list(found[places].reshape(len(values), -1))
