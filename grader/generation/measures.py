"""What alpha-beta does on a candidate, measured: of one tree in numbers, of many at once in arrays."""

from functools import cached_property
from itertools import pairwise
from math import gcd
from operator import ge, gt, le, lt

from grader.base.numbers import Number
from grader.generation.candidate_search import CandidateResults, Column
from grader.trees.tree import Player

ENDLESS_DECIMALS = 99
"""The number of decimals of a number whose decimals do not end."""

MIN_DEEP_CUT_DEPTH = 3
"""A node is cut deeply at this depth at the earliest: the bound comes from above its parent."""


def decimals_of(value: Number) -> int:
    """How many decimals a number needs, `ENDLESS_DECIMALS` when they do not end."""
    below, places = value.denominator, 0
    while (shared := gcd(below, 10)) > 1:
        below, places = below // shared, places + 1
    return places if below == 1 else ENDLESS_DECIMALS


def _cuts_of(player: Player) -> "cached_property[Column]":
    """How many nodes of a player are cut."""

    def counted(self: "Measures") -> Column:
        players = self._tree.players
        return self.found.count([cut for node, cut in self._cut.items() if players[node] is player])

    return cached_property(counted)


class Measures:
    """The measures of one tree, or of many at once: each a number, or an array with one for each tree.

    `searching` when alpha-beta is what is asked about.
    """

    def __init__(self, found: CandidateResults, *, searching: bool) -> None:
        self.found, self._tree, self._searching = found, found.tree, searching

    def _none(self) -> Column:
        return self.found.count(())

    @cached_property
    def places(self) -> Column:
        """The most decimals the value of any inner node needs."""
        inner = [self.found.values[node] for node in self._tree.internal]
        return self.found.largest(self.found.each(decimals_of, inner))

    @cached_property
    def _optimal(self) -> list[Column]:
        values = self.found.values
        return [values[child] == values[0] for child in self._tree.children[0]]

    @cached_property
    def optimal_moves(self) -> Column:
        """How many moves at the root are optimal."""
        return self.found.count(self._optimal)

    @cached_property
    def best_move(self) -> Column:
        """The leftmost optimal move, counted from 0; 0 where chance moves at the root."""
        chance = self._tree.players[0] is Player.CHANCE
        return self._none() if chance else self.found.first(self._optimal)

    @property
    def moves(self) -> int:
        """How many moves there are at the root."""
        return len(self._tree.children[0])

    @cached_property
    def best_leaf(self) -> Column:
        """The leftmost leaf to which best play leads, counted from 0; 0 where chance moves."""
        tree, values = self._tree, self.found.values
        if tree.has_chance:
            return self._none()
        kept: list[Column] = [True] * len(tree)
        for node in range(1, len(tree)):
            parent = tree.parents[node]
            kept[node] = kept[parent] & (values[node] == values[parent])
        return self.found.first([kept[leaf] for leaf in tree.leaves])

    @cached_property
    def visited(self) -> Column:
        """How many leaves the search looks at."""
        return self.found.count([self.found.visited[leaf] for leaf in self._tree.leaves])

    @cached_property
    def pruned(self) -> Column:
        """How many leaves the search never looks at."""
        return len(self._tree.leaves) - self.visited

    @cached_property
    def pruned_leaves(self) -> Column:
        """The leaves the search never looks at, as a binary number: its lowest bit is the leftmost leaf."""
        visited = self.found.visited
        return self.found.binary([visited[0] > visited[leaf] for leaf in self._tree.leaves])

    @cached_property
    def _cut(self) -> dict[int, Column]:
        """For every inner node whether it is cut: it is visited, and the last child to look at is not."""
        tree, visited = self._tree, self.found.visited
        cut = {}
        for node in tree.internal:
            likely = [child for child in tree.visiting(node, self.found.rules.order) if self._likely(child)]
            cut[node] = visited[node] > visited[likely[-1]]
        return cut

    def _likely(self, node: int) -> bool:
        """Whether the move to a node can happen: chance nodes are not cut before a child that cannot be."""
        return self._tree.probabilities[node] != 0

    alpha_cuts = _cuts_of(Player.MIN)
    beta_cuts = _cuts_of(Player.MAX)
    chance_cuts = _cuts_of(Player.CHANCE)

    @cached_property
    def deep_cuts(self) -> Column:
        """How many cuts at MAX and MIN nodes the values seen at the parent alone would not make.

        Where chance moves none counts as deep.
        """
        tree = self._tree
        if tree.has_chance:
            return self._none()
        return self.found.count(
            [self._deep(node) for node in tree.internal if tree.depths[node] >= MIN_DEEP_CUT_DEPTH]
        )

    def _deep(self, node: int) -> Column:
        """Whether a node is cut and the best of the siblings before it does not reach what it is cut at."""
        tree, found, rules = self._tree, self.found, self.found.rules
        parent, at_min = tree.parents[node], tree.players[node] is Player.MIN
        siblings = tree.visiting(parent, rules.order)
        elders = [found.values[elder] for elder in siblings[: siblings.index(node)]]
        if not elders or tree.players[parent] is tree.players[node]:
            return self._cut[node]
        bound = found.largest(elders) if at_min else found.smallest(elders)
        short = {(True, "cut"): lt, (True, "keep"): le, (False, "cut"): gt, (False, "keep"): ge}[
            at_min, rules.ties
        ]
        # At its cut the node's own bound is its running value, since its window was open before.
        running = found.betas if at_min else found.alphas
        deep: Column = False
        for child, following in pairwise(tree.visiting(node, rules.order)):
            cut_here = found.visited[child] > found.visited[following]
            deep = deep | (cut_here & short(bound, running[following]))
        return deep if len(tree.children[node]) > 1 else self._cut[node]

    @cached_property
    def subtree_cuts(self) -> Column:
        """How many branches are cut that have two leaves or more below them."""
        tree, visited = self._tree, self.found.visited
        below = [int(player is None) for player in tree.players]
        for node in range(len(tree) - 1, 0, -1):
            below[tree.parents[node]] += below[node]
        wide = (node for node in tree.internal if node > 0 and below[node] > 1 and self._likely(node))
        return self.found.count([visited[tree.parents[node]] > visited[node] for node in wide])

    @cached_property
    def ties_differ(self) -> Column:
        """Whether the other tie rule prunes other leaves."""
        differ: Column = False
        for leaf in self._tree.leaves:
            differ = differ | self.found.tied(leaf)
        return differ

    @cached_property
    def load(self) -> Column:
        """How many values are handed up to a parent, and besides how many of those above a leaf are broken.

        In a question about alpha-beta those of the visited nodes, else those of all nodes.
        """
        tree, found = self._tree, self.found
        handed = found.count(found.visited[1:]) if self._searching else self._none() + (len(tree) - 1)
        if found.whole:
            return handed
        inner = [found.values[node] for node in tree.internal]
        broken = found.each(lambda value: int(value.denominator > 1), inner)
        if self._searching:
            broken = [flag & found.visited[node] for flag, node in zip(broken, tree.internal, strict=True)]
        return handed + found.count(broken)
