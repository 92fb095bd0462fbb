"""What alpha-beta does on a candidate, measured; one at a time by search, many at a time by sweeps."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from grader.base.numbers import INFINITY, Bound, Number
from grader.generation.candidates import Block
from grader.generation.recipe import Recipe
from grader.rules import Rules
from grader.solvers import Cut, search
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.trace import Search
from grader.tree import Player, Tree

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from grader.solvers.lockstep import Lockstep

ENDLESS = 99
"""The number of decimals of a number whose decimals do not end."""


def places_of(value: Number) -> int:
    """How many decimals a number needs, `ENDLESS` when they do not end."""
    below = value.denominator
    places = 0
    while below % 10 == 0:
        below, places = below // 10, places + 1
    while below % 2 == 0 or below % 5 == 0:
        below, places = below // (2 if below % 2 == 0 else 5), places + 1
    return places if below == 1 else ENDLESS


class One:
    """The measures of one tree, read off its exact values and the trace of its search."""

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
        return max(places_of(self.values[node]) for node in self.tree.internal)

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

    @property
    def moves(self) -> int:
        """How many moves there are at the root."""
        return len(self.tree.children[0])

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


class Many:
    """The measures of a block of candidates without chance: the same names, one entry for each candidate.

    They come from exact values and the windows of elder siblings, not from a search.
    """

    def __init__(self, block: Block, rules: Rules, *, searching: bool = True) -> None:
        from grader.solvers.lockstep import lockstep

        self.tree, self.rules, self.searching = block.skeleton, rules, searching
        self.block = block
        self.swept: Lockstep = lockstep(block.skeleton, block.places, rules)

    @cached_property
    def _leaves_seen(self) -> "NDArray[numpy.int64]":
        return self._count(self.swept.visited[list(self.tree.leaves)])

    def _count(self, flags: Any) -> "NDArray[numpy.int64]":
        """How many flags are up for each candidate; flags of all nodes stand below each other."""
        import numpy

        narrow = numpy.uint8 if len(flags) < 256 else numpy.uint16
        counts: NDArray[numpy.int64] = numpy.add.reduce(flags, axis=0, dtype=narrow).astype(numpy.int64)
        return counts

    @cached_property
    def places(self) -> Any:
        """See `One.places`."""
        import numpy

        payoffs = self.block.payoffs
        table = numpy.array([places_of(payoffs.numbered(place)) for place in range(payoffs.size)])
        inner = [table[self.swept.values[node]] for node in self.tree.internal]
        return numpy.maximum.reduce(inner)

    @cached_property
    def _optimal(self) -> Any:
        import numpy

        values = self.swept.values
        return numpy.stack([values[child] == values[0] for child in self.tree.children[0]])

    @cached_property
    def optimal_moves(self) -> Any:
        """See `One.optimal_moves`."""
        return self._count(self._optimal)

    @cached_property
    def best_move(self) -> Any:
        """See `One.best_move`."""
        return self._optimal.argmax(axis=0)

    @property
    def moves(self) -> int:
        """How many moves there are at the root."""
        return len(self.tree.children[0])

    @cached_property
    def best_leaf(self) -> Any:
        """See `One.best_leaf`."""
        import numpy

        values = self.swept.values
        kept = [numpy.ones(len(values[0]), numpy.bool_)] * len(self.tree)
        for node in range(1, len(self.tree)):
            parent = self.tree.parents[node]
            kept[node] = kept[parent] & (values[node] == values[parent])
        return numpy.stack([kept[leaf] for leaf in self.tree.leaves]).argmax(axis=0)

    @cached_property
    def visited(self) -> Any:
        """See `One.visited`."""
        return self._leaves_seen

    @cached_property
    def pruned(self) -> Any:
        """See `One.pruned`."""
        return len(self.tree.leaves) - self._leaves_seen

    @cached_property
    def pruned_leaves(self) -> tuple[int, ...]:
        """See `One.pruned_leaves`."""
        import numpy

        crossed = ~self.swept.visited[list(self.tree.leaves)]
        if len(crossed) < 63:
            bits = 1 << numpy.arange(len(crossed), dtype=numpy.int64)
            return tuple((bits @ crossed).tolist())
        packed = numpy.packbits(crossed, axis=0, bitorder="little")
        return tuple(int.from_bytes(column.tobytes(), "little") for column in packed.T)

    @cached_property
    def _cut(self) -> "dict[int, NDArray[numpy.bool_]]":
        """For every inner node whether it is cut: it is visited, and the child visited last is not."""
        visited = self.swept.visited
        return {
            node: visited[node] > visited[self.tree.visiting(node, self.rules.order)[-1]]
            for node in self.tree.internal
            if node > 0 and len(self.tree.children[node]) > 1
        }

    def _cuts_of(self, player: Player) -> Any:
        cut = [flags for node, flags in self._cut.items() if self.tree.players[node] is player]
        return self._count(cut) if cut else self._none

    @cached_property
    def _none(self) -> Any:
        import numpy

        return numpy.zeros(len(self.block.places), numpy.int64)

    @cached_property
    def alpha_cuts(self) -> Any:
        """See `One.alpha_cuts`."""
        return self._cuts_of(Player.MIN)

    @cached_property
    def beta_cuts(self) -> Any:
        """See `One.beta_cuts`."""
        return self._cuts_of(Player.MAX)

    @cached_property
    def chance_cuts(self) -> Any:
        """There are no chance nodes to cut."""
        return self._none

    @cached_property
    def deep_cuts(self) -> Any:
        """See `One.deep_cuts`: the best of the siblings before the node does not reach what it was cut at."""
        deep = [flags for node in self._cut if (flags := self._deep(node)) is not None]
        return self._count(deep) if deep else self._none

    def _deep(self, node: int) -> Any:
        """Whether the cut at a node is deep, None where it never is."""
        import numpy

        tree, swept = self.tree, self.swept
        parent, at_min = tree.parents[node], tree.players[node] is Player.MIN
        if tree.depths[node] < 3:
            return None
        siblings = tree.visiting(parent, self.rules.order)
        elders = [swept.values[elder] for elder in siblings[: siblings.index(node)]]
        if not elders or tree.players[parent] is tree.players[node]:
            return self._cut[node]
        bound = (numpy.maximum if at_min else numpy.minimum).reduce(elders)
        seen = tree.visiting(node, self.rules.order)
        deep = self._none.astype(numpy.bool_)
        for child, following in pairwise(seen):
            cut_here = swept.visited[child] > swept.visited[following]
            # At its cut the node's own bound is its running value, since its window was open before.
            if at_min:
                running = swept.betas[following]
                short = bound < running if self.rules.ties == "cut" else bound <= running
            else:
                running = swept.alphas[following]
                short = bound > running if self.rules.ties == "cut" else bound >= running
            deep |= cut_here & short
        return deep

    @cached_property
    def subtree_cuts(self) -> Any:
        """See `One.subtree_cuts`."""
        visited = self.swept.visited
        crossed = [
            visited[self.tree.parents[node]] > visited[node]
            for node in self.tree.internal
            if node > 0 and len(self.tree.leaves_below(node)) > 1
        ]
        return self._count(crossed) if crossed else self._none

    @cached_property
    def ties_differ(self) -> Any:
        """See `One.ties_differ`: some leaf is reached with alpha equal to beta."""
        import numpy

        differ = self._none.astype(numpy.bool_)
        if not self.block.payoffs.distinct:
            for leaf in self.tree.leaves:
                differ |= self.swept.alphas[leaf] == self.swept.betas[leaf]
        return differ

    @cached_property
    def load(self) -> Any:
        """See `One.load`."""
        import numpy

        tree, payoffs = self.tree, self.block.payoffs
        handed = self._count(self.swept.visited[1:]) if self.searching else self._none + (len(tree) - 1)
        if payoffs.low.denominator == payoffs.step.denominator == 1:
            return handed
        table = numpy.array([isinstance(payoffs.numbered(place), Fraction) for place in range(payoffs.size)])
        broken = numpy.stack([table[self.swept.values[node]] for node in tree.internal])
        if self.searching:
            broken &= self.swept.visited[list(tree.internal)]
        return handed + self._count(broken)


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing a tree must have: its name, whether the recipe asks for it, and the test of the measures.

    The test works on the measures of one tree and of many alike.
    """

    name: str
    asked: Callable[[Recipe], bool]
    met: Callable[[Recipe, Any], Any]


def _best_leaf_fits(recipe: Recipe, measures: Any) -> Any:
    if recipe.require.best_leaf == "not-first-branch":
        return measures.best_move > 0
    return measures.best_move + 1 < measures.moves


def _pruned_fits(recipe: Recipe, measures: Any) -> Any:
    low, high = recipe.require.pruned or (0, 0)
    return (low <= measures.pruned) & (measures.pruned <= high)


REQUIREMENTS = (
    Requirement(
        "places",
        lambda recipe: recipe.require.places is not None,
        lambda recipe, measures: measures.places <= recipe.require.places,
    ),
    Requirement(
        "one-optimal-move",
        lambda recipe: recipe.require.one_optimal_move and 0 not in recipe.shape.chance,
        lambda _recipe, measures: measures.optimal_moves == 1,
    ),
    Requirement("best-leaf", lambda recipe: recipe.require.best_leaf != "anywhere", _best_leaf_fits),
    Requirement("pruned", lambda recipe: recipe.require.pruned is not None, _pruned_fits),
    Requirement(
        "alpha-cuts",
        lambda recipe: recipe.require.alpha_cuts > 0,
        lambda recipe, measures: measures.alpha_cuts >= recipe.require.alpha_cuts,
    ),
    Requirement(
        "beta-cuts",
        lambda recipe: recipe.require.beta_cuts > 0,
        lambda recipe, measures: measures.beta_cuts >= recipe.require.beta_cuts,
    ),
    Requirement(
        "chance-cuts",
        lambda recipe: recipe.require.chance_cuts > 0,
        lambda recipe, measures: measures.chance_cuts >= recipe.require.chance_cuts,
    ),
    Requirement(
        "deep-cuts",
        lambda recipe: recipe.require.deep_cuts > 0,
        lambda recipe, measures: measures.deep_cuts >= recipe.require.deep_cuts,
    ),
    Requirement(
        "subtree-cuts",
        lambda recipe: recipe.require.subtree_cuts > 0,
        lambda recipe, measures: measures.subtree_cuts >= recipe.require.subtree_cuts,
    ),
    Requirement(
        "ties",
        lambda recipe: recipe.require.ties != "any",
        lambda recipe, measures: measures.ties_differ == (recipe.require.ties == "different"),
    ),
)
"""Every requirement there is, the cheap ones first; the first that is not met is the one that is reported."""


def judge_one(recipe: Recipe, tree: Tree) -> tuple[One, str | None]:
    """The measures of a tree, and the first requirement it does not meet, or None."""
    measures = One(tree, recipe.rules, searching=recipe.asked.searches)
    for requirement in REQUIREMENTS:
        if requirement.asked(recipe) and not requirement.met(recipe, measures):
            return measures, requirement.name
    return measures, None


def judge_many(recipe: Recipe, block: Block) -> tuple[Many, Any, dict[str, int]]:
    """The measures of a block, whether each candidate meets everything, and what refused how many."""
    import numpy

    measures = Many(block, recipe.rules, searching=recipe.asked.searches)
    fit = numpy.ones(len(block.places), numpy.bool_)
    refused: dict[str, int] = {}
    left = len(fit)
    for requirement in REQUIREMENTS:
        if requirement.asked(recipe):
            fit &= requirement.met(recipe, measures)
            now = int(numpy.count_nonzero(fit))
            refused[requirement.name] = left - now
            left = now
    return measures, fit, refused
