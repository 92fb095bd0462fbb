"""The results of alpha-beta on one candidate, in numbers, or on many at once, in arrays."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from grader.base.numbers import Number, normalize_number
from grader.generation.candidates import Block
from grader.solvers.mistaken_search import Mistake
from grader.solvers.solution import solve_cached
from grader.trees.rules import Rules
from grader.trees.tree import Tree

Column = Any
"""A number or a flag of one node or leaf, or an array with one for each candidate."""


class CandidateResult:
    """One solved tree of MAX, MIN and chance whose payoffs are known.

    - `values`: the exact values of all nodes.
    - `alphas`, `betas`: the windows of all nodes, as a sweep finds them; useless with chance nodes.
    - `visited`: for every node whether the search visits it.
    """

    whole = False  # whether all values are known to be whole numbers

    def __init__(self, tree: Tree, rules: Rules) -> None:
        solution = self._solution = solve_cached(tree, rules)
        assert solution.visit_record is not None, "a search comes to an end"
        self.tree, self.rules = solution.tree, rules
        self.values: Sequence[Column] = solution.values
        self.alphas: Sequence[Column] = solution.visit_record.alphas
        self.betas: Sequence[Column] = solution.visit_record.betas
        self.visited: Column = solution.visit_record.visited

    def tied(self, leaf: int) -> Column:
        """Return whether the tie rule decides if the search visits a leaf."""
        path, pruned = self.tree.paths[leaf], self._solution.other_ties
        return pruned is not None and self.visited[leaf] == (path in pruned)

    def count(self, flags: Sequence[Column]) -> int:
        """Count the flags that are set."""
        return sum(flags)

    def first(self, flags: Sequence[Column]) -> int:
        """Return the index of the first flag that is set; one always is."""
        return flags.index(True)

    def binary(self, flags: Sequence[Column]) -> int:
        """Return the flags as a binary number whose lowest bit is the first of them."""
        return sum(flag << bit for bit, flag in enumerate(flags))

    def largest(self, columns: Sequence[Column]) -> Column:
        """Return the largest number."""
        return max(columns)

    def smallest(self, columns: Sequence[Column]) -> Column:
        """Return the smallest number."""
        return min(columns)

    def each(self, function: Callable[[Number], int], values: Sequence[Column]) -> list[int]:
        """Apply a function to the exact values."""
        return list(map(function, values))


class _ManyTrees:
    """Many trees of one skeleton, swept in lockstep: the members of `CandidateResult`, as arrays.

    Their values are places in the range of payoffs.
    """

    def __init__(self, block: Block, rules: Rules) -> None:
        from grader.solvers.lockstep import lockstep

        self.tree, self.rules, self._payoffs = block.skeleton, rules, block.payoffs
        self.whole = block.payoffs.denominator == 1
        sweep = lockstep(block.skeleton, block.places, rules)
        self.values: Sequence[Column] = sweep.values
        self.alphas, self.betas = sweep.alphas, sweep.betas
        self.visited: Column = sweep.visited

    def tied(self, leaf: int) -> Column:
        return self.alphas[leaf] == self.betas[leaf]

    def count(self, flags: Sequence[Column]) -> Column:
        import numpy

        if len(flags) == 0:
            return numpy.zeros(len(self.values[0]), numpy.int16)
        narrow = numpy.uint8 if len(flags) < 256 else numpy.uint16
        return numpy.add.reduce(flags, axis=0, dtype=narrow).astype(numpy.int16)

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
        table = numpy.array([function(payoffs.payoff_at(place)) for place in range(payoffs.size)])
        return [table[column] for column in values]


class _ManyTreesOfChance(_ManyTrees):
    """Many trees of one skeleton with chance nodes, searched in lockstep."""

    def __init__(self, block: Block, rules: Rules) -> None:
        from grader.solvers.lockstep_mistakes import lockstep_values, whole_units

        self.tree, self.rules, self._block = block.skeleton, rules, block
        self.whole = False
        parts = block.payoffs.denominator
        self.values = lockstep_values(block.skeleton, block.numbers, rules, parts)
        self._unit = whole_units(block.skeleton, rules, parts).unit

    def _visited(self, rules: Rules) -> Column:
        from grader.solvers.lockstep_mistakes import lockstep_search_with_mistakes

        block = self._block
        parts = block.payoffs.denominator
        return lockstep_search_with_mistakes(block.skeleton, block.numbers, rules, (Mistake(),), parts)[:, 0]

    @cached_property
    def visited(self) -> Column:
        return self._visited(self.rules)

    @cached_property
    def _visited_with_other_ties(self) -> Column:
        return self._visited(self.rules.with_other_ties())

    def tied(self, leaf: int) -> Column:
        return self.visited[leaf] != self._visited_with_other_ties[leaf]

    def each(self, function: Callable[[Number], int], values: Sequence[Column]) -> list[Column]:
        import numpy

        distinct, places = numpy.unique(numpy.stack(values), return_inverse=True)
        table = numpy.array(
            [function(normalize_number(Fraction(value, self._unit))) for value in distinct.tolist()]
        )
        return list(table[places].reshape(len(values), -1))


CandidateResults: TypeAlias = CandidateResult | _ManyTrees
"""A column for every node, and the operations on columns besides comparing and adding."""


def search_block(block: Block, rules: Rules) -> _ManyTrees:
    """The findings of a block of candidates."""
    return _ManyTreesOfChance(block, rules) if block.skeleton.has_chance else _ManyTrees(block, rules)
