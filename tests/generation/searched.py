"""The measures of one tree, read off its exact values and the trace of a search that nothing else uses."""

from functools import cached_property

from grader.base.numbers import INFINITY, Bound, Number
from grader.generation.measures import decimals_of
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.search_choice import search
from grader.solvers.trace import Cut, Search
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree


class Searched:
    """The measures of one tree by the names they have in `grader.generation.measures.Measures`."""

    def __init__(self, tree: Tree, rules: Rules, *, searching: bool = True) -> None:
        self.tree, self.rules, self.searching = tree, rules, searching

    @cached_property
    def values(self) -> tuple[Number, ...]:
        """The exact value of every node."""
        return expectiminimax(self.tree)

    @cached_property
    def found(self) -> Search:
        """What alpha-beta (Star1 where there is chance) does."""
        return search(self.tree, self.rules)

    @cached_property
    def places(self) -> int:
        """The most decimals the value of any inner node needs."""
        return max(decimals_of(self.values[node]) for node in self.tree.internal)

    @cached_property
    def optimal_moves(self) -> int:
        """How many moves at the root are optimal."""
        return sum(self.values[child] == self.values[0] for child in self.tree.children[0])

    @cached_property
    def best_move(self) -> int:
        """The leftmost optimal move, counted from 0; 0 where chance moves at the root."""
        if self.tree.players[0] is Player.CHANCE:
            return 0
        return next(
            place for place, child in enumerate(self.tree.children[0]) if self.values[child] == self.values[0]
        )

    @cached_property
    def best_leaf(self) -> int:
        """The leftmost leaf to which best play leads, counted from 0; 0 where chance moves."""
        if self.tree.has_chance:
            return 0
        node = 0
        while below := self.tree.children[node]:
            node = next(child for child in below if self.values[child] == self.values[node])
        return self.tree.paths[node] - 1

    @cached_property
    def visited(self) -> int:
        """How many leaves the search looks at."""
        return sum(self.found.alphas[leaf] is not None for leaf in self.tree.leaves)

    @cached_property
    def pruned(self) -> int:
        """How many leaves the search never looks at."""
        return len(self.tree.leaves) - self.visited

    @cached_property
    def pruned_leaves(self) -> int:
        """The leaves the search never looks at, as a binary number: its lowest bit is the leftmost leaf."""
        seen = self.found.alphas
        return sum(1 << place for place, leaf in enumerate(self.tree.leaves) if seen[leaf] is None)

    @cached_property
    def cuts(self) -> tuple[Cut, ...]:
        """The cuts of the search that leave something out."""
        return tuple(event for event in self.found.trace if isinstance(event, Cut) and event.skipped)

    @cached_property
    def alpha_cuts(self) -> int:
        """How many MIN nodes are cut."""
        return sum(self.tree.players[cut.node] is Player.MIN for cut in self.cuts)

    @cached_property
    def beta_cuts(self) -> int:
        """How many MAX nodes are cut."""
        return sum(self.tree.players[cut.node] is Player.MAX for cut in self.cuts)

    @cached_property
    def chance_cuts(self) -> int:
        """How many chance nodes are cut."""
        return sum(self.tree.players[cut.node] is Player.CHANCE for cut in self.cuts)

    @cached_property
    def deep_cuts(self) -> int:
        """How many cuts at MAX and MIN nodes the values seen at the parent alone would not make."""
        return sum(map(self._is_deep, self.cuts))

    def _is_deep(self, cut: Cut) -> bool:
        tree, node = self.tree, cut.node
        mover, parent = tree.players[node], tree.parents[node]
        if mover is Player.CHANCE or parent < 0 or tree.has_chance:
            return False
        siblings = tree.visiting(parent, self.rules.order)
        elders = [self.values[elder] for elder in siblings[: siblings.index(node)]]
        seen = tree.visiting(node, self.rules.order)
        below = [self.values[child] for child in seen[: seen.index(cut.child) + 1]]
        enough = self.rules.ties == "cut"
        if mover is Player.MIN:
            bound: Bound = max(elders) if tree.players[parent] is Player.MAX and elders else -INFINITY
            return not (min(below) <= bound if enough else min(below) < bound)
        bound = min(elders) if tree.players[parent] is Player.MIN and elders else INFINITY
        return not (max(below) >= bound if enough else max(below) > bound)

    @cached_property
    def subtree_cuts(self) -> int:
        """How many branches are cut that have two leaves or more below them."""
        return sum(len(self.tree.leaves_below(child)) > 1 for cut in self.cuts for child in cut.skipped)

    @cached_property
    def ties_differ(self) -> bool:
        """Whether the other tie rule prunes other leaves."""
        other = search(self.tree, self.rules.with_other_ties())
        return any(
            (self.found.alphas[leaf] is None) != (other.alphas[leaf] is None) for leaf in self.tree.leaves
        )

    @cached_property
    def load(self) -> int:
        """How many values are handed up to a parent, and besides how many of those above a leaf are broken.

        In a question about alpha-beta those of the visited nodes, else those of all nodes.
        """
        alphas = self.found.alphas if self.searching else self.values
        handed = sum(alphas[node] is not None for node in range(1, len(self.tree)))
        return handed + sum(
            self.values[node].denominator > 1 for node in self.tree.internal if alphas[node] is not None
        )
