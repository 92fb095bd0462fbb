"""Measures of what alpha-beta does on one candidate, in numbers, or on many at once, in arrays."""

from functools import cached_property
from itertools import pairwise
from math import gcd
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, NamedTuple

from grader.base.numbers import Number
from grader.generation.candidate_result import CandidateResult, Column
from grader.generation.recipe import Recipe
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

if TYPE_CHECKING:
    from grader.generation.block_results import BlockResult

ENDLESS_DECIMALS = 99
"""The number of decimals of a number whose decimals do not end."""

MIN_DEEP_CUT_DEPTH = 3
"""A node is cut deeply at this depth at the earliest: the bound comes from above its parent."""


def decimals_of(value: Number) -> int:
    """Count the decimals of a number; `ENDLESS_DECIMALS` if they do not end."""
    denominator, places = value.denominator, 0
    while (shared := gcd(denominator, 10)) > 1:
        denominator, places = denominator // shared, places + 1
    return places if denominator == 1 else ENDLESS_DECIMALS


def _cuts_of(player: Player) -> "cached_property[Column]":
    """Return the property that counts the nodes of a player that are cut."""

    def count(self: "Measures") -> Column:
        players = self._tree.players
        return self.results.count([cut for node, cut in self._cut.items() if players[node] is player])

    return cached_property(count)


class Measures:
    """The measures of one tree, or of many at once: each a number, or an array with one for each tree.

    `searching` if the question is about alpha-beta.
    """

    def __init__(self, results: "CandidateResult | BlockResult", *, searching: bool) -> None:
        self.results, self._tree, self._searching = results, results.tree, searching

    def _none(self) -> Column:
        return self.results.count(())

    @cached_property
    def places(self) -> Column:
        """The most decimals the value of any inner node needs."""
        inner = [self.results.values[node] for node in self._tree.internal]
        return self.results.largest(self.results.each(decimals_of, inner))

    @cached_property
    def _optimal(self) -> list[Column]:
        values = self.results.values
        return [values[child] == values[0] for child in self._tree.children[0]]

    @cached_property
    def optimal_moves(self) -> Column:
        """The number of optimal moves at the root."""
        return self.results.count(self._optimal)

    @cached_property
    def best_move(self) -> Column:
        """The leftmost optimal move, counted from 0; 0 where chance moves at the root."""
        chance = self._tree.players[0] is Player.CHANCE
        return self._none() if chance else self.results.first(self._optimal)

    @property
    def moves(self) -> int:
        """The number of moves at the root."""
        return len(self._tree.children[0])

    @cached_property
    def best_leaf(self) -> Column:
        """The leftmost leaf to which best play leads, counted from 0; 0 where chance moves."""
        tree, values = self._tree, self.results.values
        if tree.has_chance:
            return self._none()
        optimal: list[Column] = [True] * len(tree)
        for node in range(1, len(tree)):
            parent = tree.parents[node]
            optimal[node] = optimal[parent] & (values[node] == values[parent])
        return self.results.first([optimal[leaf] for leaf in tree.leaves])

    @cached_property
    def visited(self) -> Column:
        """The number of visited leaves."""
        return self.results.count([self.results.visited[leaf] for leaf in self._tree.leaves])

    @cached_property
    def pruned(self) -> Column:
        """The number of pruned leaves."""
        return len(self._tree.leaves) - self.visited

    @cached_property
    def pruned_leaves(self) -> Column:
        """The pruned leaves as a binary number, whose lowest bit is the leftmost leaf."""
        visited = self.results.visited
        return self.results.binary([visited[0] > visited[leaf] for leaf in self._tree.leaves])

    @cached_property
    def _cut(self) -> dict[int, Column]:
        """For every inner node whether it is cut: it is visited, and the last child to visit is not."""
        tree, visited = self._tree, self.results.visited
        cut = {}
        for node in tree.internal:
            order = tree.visiting(node, self.results.rules.order)
            last = [child for child in order if self._is_possible(child)][-1]
            cut[node] = visited[node] > visited[last]
        return cut

    def _is_possible(self, node: int) -> bool:
        """Return whether a move can happen: skipping an impossible outcome of chance is not a cut."""
        return self._tree.probabilities[node] != 0

    alpha_cuts = _cuts_of(Player.MIN)
    beta_cuts = _cuts_of(Player.MAX)
    chance_cuts = _cuts_of(Player.CHANCE)

    @cached_property
    def deep_cuts(self) -> Column:
        """The number of cuts at MAX and MIN nodes that the values seen at the parent alone would not make.

        In trees with chance nodes no cut counts as deep.
        """
        tree = self._tree
        if tree.has_chance:
            return self._none()
        return self.results.count(
            [self._is_cut_deeply(node) for node in tree.internal if tree.depths[node] >= MIN_DEEP_CUT_DEPTH]
        )

    def _is_cut_deeply(self, node: int) -> Column:
        """Return whether a node is cut where the best of its earlier siblings would not cut it."""
        tree, results, rules = self._tree, self.results, self.results.rules
        parent, at_min = tree.parents[node], tree.players[node] is Player.MIN
        siblings = tree.visiting(parent, rules.order)
        earlier = [results.values[sibling] for sibling in siblings[: siblings.index(node)]]
        if not earlier or tree.players[parent] is tree.players[node]:
            return self._cut[node]
        bound = results.largest(earlier) if at_min else results.smallest(earlier)
        falls_short = {(True, "cut"): lt, (True, "keep"): le, (False, "cut"): gt, (False, "keep"): ge}[
            at_min, rules.ties
        ]
        # At its cut the node's own bound is its running value, since its window was open before.
        running = results.betas if at_min else results.alphas
        deep: Column = False
        for child, following in pairwise(tree.visiting(node, rules.order)):
            cut_here = results.visited[child] > results.visited[following]
            deep = deep | (cut_here & falls_short(bound, running[following]))
        return deep if len(tree.children[node]) > 1 else self._cut[node]

    @cached_property
    def subtree_cuts(self) -> Column:
        """The number of cut branches with two leaves or more below them."""
        tree, visited = self._tree, self.results.visited
        below = [int(player is None) for player in tree.players]
        for node in range(len(tree) - 1, 0, -1):
            below[tree.parents[node]] += below[node]
        wide = (node for node in tree.internal if node > 0 and below[node] > 1 and self._is_possible(node))
        return self.results.count([visited[tree.parents[node]] > visited[node] for node in wide])

    @cached_property
    def ties_differ(self) -> Column:
        """Whether the other tie rule prunes different leaves."""
        differ: Column = False
        for leaf in self._tree.leaves:
            differ = differ | self.results.tied(leaf)
        return differ

    @cached_property
    def load(self) -> Column:
        """The number of values returned to a parent; an inner node counts twice if its value is a fraction.

        In a question about alpha-beta only visited nodes count.
        """
        tree, results = self._tree, self.results
        returned = results.count(results.visited[1:]) if self._searching else self._none() + (len(tree) - 1)
        if results.whole:
            return returned
        inner = [results.values[node] for node in tree.internal]
        fractions = results.each(lambda value: int(value.denominator > 1), inner)
        if self._searching:
            fractions = [
                flag & results.visited[node] for flag, node in zip(fractions, tree.internal, strict=True)
            ]
        return returned + results.count(fractions)


class Profile(NamedTuple):
    """The difficulty of one exercise.

    - `plies`, `leaves`, `nodes`: the size of the tree; nodes are the inner ones.
    - `visited`: the leaves that alpha-beta visits.
    - `alpha_cuts`, `beta_cuts`, `chance_cuts`: its cuts at MIN, MAX and chance nodes.
    - `deep_cuts`, `subtree_cuts`: as `grader.generation.recipe.Require` says.
    - `load`: how many values are returned to a parent, fractions counted twice: of the visited
      nodes in a question about alpha-beta, else of all.
    - `optimal_moves`: the number of best moves at the root.
    """

    plies: int
    leaves: int
    nodes: int
    visited: int
    alpha_cuts: int
    beta_cuts: int
    chance_cuts: int
    deep_cuts: int
    subtree_cuts: int
    load: int
    optimal_moves: int

    def to_json(self) -> dict[str, int]:
        """Return the profile as records have it; recipes and questions name its measures by these keys."""
        return {
            "plies": self.plies,
            "leaves": self.leaves,
            "nodes": self.nodes,
            "visited": self.visited,
            "alpha_cuts": self.alpha_cuts,
            "beta_cuts": self.beta_cuts,
            "chance_cuts": self.chance_cuts,
            "deep_cuts": self.deep_cuts,
            "subtree_cuts": self.subtree_cuts,
            "load": self.load,
            "optimal_moves": self.optimal_moves,
        }


def profile_of(tree: Tree, rules: Rules, *, searching: bool) -> Profile:
    """Return the profile of a tree of MAX, MIN and chance; `searching`: the question is about alpha-beta."""
    measures = Measures(CandidateResult(tree, rules), searching=searching)
    return Profile(
        plies=max(tree.depths),
        leaves=len(tree.leaves),
        nodes=len(tree.internal),
        visited=measures.visited,
        alpha_cuts=measures.alpha_cuts,
        beta_cuts=measures.beta_cuts,
        chance_cuts=measures.chance_cuts,
        deep_cuts=measures.deep_cuts,
        subtree_cuts=measures.subtree_cuts,
        load=measures.load,
        optimal_moves=measures.optimal_moves,
    )


def has_profile(tree: Tree) -> bool:
    """Return whether a tree has a profile: a game of MAX, MIN and chance whose payoffs are known."""
    return len(tree) > 1 and not tree.seats and not tree.unknowns


def shared_fields(recipe: Recipe) -> tuple[str, ...]:
    """Return the fields of the profile, and of `Measures`, in which the variants of a recipe agree."""
    return tuple(measure.replace("-", "_") for measure in recipe.variants.same)
