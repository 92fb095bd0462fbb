"""What the search finds on one candidate, with the operations by which measures count it."""

from collections.abc import Callable, Sequence
from typing import Any

from grader.base.numbers import Number
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
