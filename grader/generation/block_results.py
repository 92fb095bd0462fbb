"""The search of a whole block of candidates: the members of `CandidateResult`, in arrays."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np

from grader.base.numbers import Number, normalize_number
from grader.generation.candidate_result import Column
from grader.generation.candidates import Block
from grader.solvers.lockstep import lockstep
from grader.solvers.lockstep_mistakes import lockstep_search_with_mistakes, lockstep_values
from grader.solvers.mistaken_search import Mistake
from grader.solvers.whole_units import whole_units
from grader.trees.rules import Rules


class _Swept:
    """Many trees, swept in lockstep; values are places in the range of payoffs."""

    def __init__(self, block: Block, rules: Rules) -> None:
        self.tree, self.rules, self._payoffs = block.skeleton, rules, block.payoffs
        self.whole = block.payoffs.denominator == 1
        sweep = lockstep(block.skeleton, block.places, rules)
        self.values: Sequence[Column] = sweep.values
        self.alphas, self.betas = sweep.alphas, sweep.betas
        self.visited: Column = sweep.visited

    def tied(self, leaf: int) -> Column:
        return self.alphas[leaf] == self.betas[leaf]

    def count(self, flags: Sequence[Column]) -> Column:
        if len(flags) == 0:
            return np.zeros(len(self.values[0]), np.int16)
        narrow = np.uint8 if len(flags) < 256 else np.uint16
        return np.add.reduce(flags, axis=0, dtype=narrow).astype(np.int16)

    def first(self, flags: Sequence[Column]) -> Column:
        return np.stack(flags).argmax(axis=0)

    def binary(self, flags: Sequence[Column]) -> tuple[int, ...]:
        """Return the number of each tree as an integer of Python: there may be more than 63 flags."""
        if len(flags) < 63:
            bits = 1 << np.arange(len(flags), dtype=np.int64)
            return tuple((bits @ np.stack(flags)).tolist())
        packed = np.packbits(np.stack(flags), axis=0, bitorder="little")
        return tuple(int.from_bytes(column.tobytes(), "little") for column in packed.T)

    def largest(self, columns: Sequence[Column]) -> Column:
        return np.maximum.reduce(columns)

    def smallest(self, columns: Sequence[Column]) -> Column:
        return np.minimum.reduce(columns)

    def each(self, function: Callable[[Number], int], values: Sequence[Column]) -> list[Column]:
        """Apply a function to the exact values, once for each payoff of the range."""
        payoffs = self._payoffs
        table = np.array([function(payoffs.payoff_at(place)) for place in range(payoffs.size)])
        return [table[column] for column in values]


class _SweptInUnits(_Swept):
    """Many trees, swept in lockstep from a window at the root; values are in whole units."""

    def __init__(self, block: Block, rules: Rules) -> None:
        self.tree, self.rules = block.skeleton, rules
        parts = block.payoffs.denominator
        self.whole = parts == 1
        self._unit = whole_units(block.skeleton, rules, parts).unit
        sweep = lockstep(block.skeleton, block.numbers, rules, parts)
        self.values = sweep.values
        self.alphas, self.betas = sweep.alphas, sweep.betas
        self.visited: Column = sweep.visited

    def each(self, function: Callable[[Number], int], values: Sequence[Column]) -> list[Column]:
        """Apply a function to the exact values, once for each different value."""
        distinct, places = np.unique(np.stack(values), return_inverse=True)
        table = np.array(
            [function(normalize_number(Fraction(value, self._unit))) for value in distinct.tolist()]
        )
        return list(table[places].reshape(len(values), -1))


class _SearchedInUnits(_SweptInUnits):
    """Many trees with chance nodes, searched in lockstep; values are in whole units."""

    def __init__(self, block: Block, rules: Rules) -> None:
        self.tree, self.rules, self._block = block.skeleton, rules, block
        self.whole = False
        parts = block.payoffs.denominator
        self.values = lockstep_values(block.skeleton, block.numbers, rules, parts)
        self._unit = whole_units(block.skeleton, rules, parts).unit

    def _visited(self, rules: Rules) -> Column:
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


BlockResult: TypeAlias = _Swept | _SweptInUnits | _SearchedInUnits
"""Many trees of one skeleton, searched at once."""


def search_block(block: Block, rules: Rules) -> BlockResult:
    """Search all candidates of a block."""
    if block.skeleton.has_chance:
        return _SearchedInUnits(block, rules)
    return _SweptInUnits(block, rules) if rules.narrows_root else _Swept(block, rules)
