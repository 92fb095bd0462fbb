"""A tree before it has payoffs: plies, branching, who moves where, and how likely outcomes are."""

from dataclasses import dataclass
from functools import cache
from itertools import cycle
from math import prod
from typing import Literal, TypeAlias

from grader.base.numbers import Number, read_number
from grader.generation.stream import Stream
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder, name_by_letters

IntegerRange: TypeAlias = tuple[int, int]
"""A least and a greatest whole number, both included."""

Odds: TypeAlias = Literal["uniform", "simple"]
Naming: TypeAlias = Literal["letters", "none"]

SIMPLE_ODDS: dict[int, tuple[tuple[Number, ...], ...]] = {
    outcomes: tuple(tuple(map(read_number, row.split())) for row in rows)
    for outcomes, rows in {
        1: ("1",),
        2: ("0.25 0.75", "0.2 0.8", "0.4 0.6", "0.1 0.9", "0.3 0.7"),
        3: ("0.5 0.25 0.25", "0.5 0.3 0.2", "0.6 0.2 0.2", "0.6 0.3 0.1", "0.4 0.4 0.2", "0.7 0.2 0.1"),
        4: ("0.4 0.3 0.2 0.1", "0.4 0.2 0.2 0.2", "0.3 0.3 0.2 0.2"),
        5: ("0.3 0.3 0.2 0.1 0.1", "0.4 0.2 0.2 0.1 0.1"),
    }.items()
}
"""For each number of outcomes the probabilities that are easy to reckon with; each row is shuffled.

No row is uniform: a uniform chance node shows no probabilities, which would look like a gap next to others.
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """The trees a recipe allows, apart from payoffs; every leaf is `plies` moves below the root.

    - `plies`: moves between the root and a leaf; 0 for no tree at all (`NO_TREE`).
    - `branching`: for every level, root first, the fewest and the most children of a node there.
    - `root`: who decides first; MAX and MIN then alternate over the levels where chance does not move.
    - `chance`: the levels at which chance moves, counted from 0 at the root.
    - `probabilities`: all outcomes equally likely, or drawn from `SIMPLE_ODDS`.
    - `names`: inner nodes are called A, B, C, ... level by level, or get no names.
    - `leaves`: the fewest and the most leaves, where the branching allows more; None for no such limit.
    """

    plies: int
    branching: tuple[IntegerRange, ...]
    root: Player = Player.MAX
    chance: tuple[int, ...] = ()
    probabilities: Odds = "uniform"
    names: Naming = "letters"
    leaves: IntegerRange | None = None

    @property
    def movers(self) -> tuple[Player, ...]:
        """Who moves at each level, root first."""
        turns = cycle((self.root, Player.MIN if self.root is Player.MAX else Player.MAX))
        return tuple(Player.CHANCE if level in self.chance else next(turns) for level in range(self.plies))

    @property
    def has_drawn_branching(self) -> bool:
        """Whether the trees differ in the number of children somewhere."""
        return any(low < high for low, high in self.branching)

    @property
    def is_fixed(self) -> bool:
        """Whether there is only one such tree, so that nothing is drawn but payoffs."""
        has_drawn_odds = self.probabilities == "simple" and bool(self.chance)
        return not has_drawn_odds and not self.has_drawn_branching

    def min_leaves(self) -> int:
        """The fewest leaves such a tree can have."""
        narrowest = prod(low for low, _ in self.branching)
        return narrowest if self.leaves is None else max(narrowest, self.leaves[0])

    def max_leaves(self) -> int:
        """The most leaves such a tree can have."""
        widest = prod(high for _, high in self.branching)
        return widest if self.leaves is None else min(widest, self.leaves[1])


NO_TREE = Shape(0, ())
"""The shape of a recipe whose kind needs no tree."""


Widths: TypeAlias = tuple[tuple[int, ...], ...]
"""The number of children of every inner node, level by level from the root."""

MAX_WIDTH_DRAWS = 1_000
"""A shape whose number of leaves is not found in this many draws is not used."""


def draw_skeleton(shape: Shape, stream: Stream) -> Tree:
    """Draw a tree of this shape in which every payoff is 0: its branching first, then its probabilities.

    Its number of leaves is one that `has_frequent_leaves`.
    """
    if shape.is_fixed:
        return fixed_skeleton(shape)
    while not _has_leaves_of(shape, widths := _draw_widths(shape, stream)):
        pass  # drawn again as a whole, so that every tree stays as likely as it was
    return _skeleton(shape, widths, stream)


@cache
def has_frequent_leaves(shape: Shape) -> bool:
    """Return whether random trees with this branching have such a number of leaves often enough."""
    stream = Stream("leaves")
    return any(_has_leaves_of(shape, _draw_widths(shape, stream)) for _ in range(MAX_WIDTH_DRAWS))


def _has_leaves_of(shape: Shape, widths: Widths) -> bool:
    return shape.leaves is None or shape.leaves[0] <= sum(widths[-1]) <= shape.leaves[1]


@cache
def fixed_skeleton(shape: Shape) -> Tree:
    """Return the widest tree of a shape, every payoff 0 and chance uniform; the only one of a fixed shape."""
    return _skeleton(shape, _draw_widths(shape, None), None)


def _draw_widths(shape: Shape, stream: Stream | None) -> Widths:
    """Draw the number of children of every inner node; the most that the shape allows without a stream."""
    widths: list[tuple[int, ...]] = []
    nodes = 1
    for low, high in shape.branching:
        extra = (high - low,) * nodes if stream is None else stream.below_each([high - low + 1] * nodes)
        widths.append(tuple(low + more for more in extra))
        nodes = sum(widths[-1])
    return tuple(widths)


def _skeleton(shape: Shape, widths: Widths, stream: Stream | None) -> Tree:
    """Build the tree in preorder, and draw the probabilities of simple chance nodes."""
    movers = shape.movers
    width_of_next = [iter(level) for level in widths]  # preorder passes each level from left to right
    planting = TreeBuilder()
    waiting: list[tuple[int, int, Number | None]] = [(-1, 0, None)]
    while waiting:
        parent, level, likely = waiting.pop()
        if level == shape.plies:
            planting.add(parent, None, 0, probability=likely)
            continue
        node = planting.add(parent, movers[level], probability=likely)
        children = next(width_of_next[level])
        row: tuple[Number | None, ...] = (None,) * children
        if movers[level] is Player.CHANCE and shape.probabilities == "simple" and stream is not None:
            row = stream.shuffle(stream.choose(SIMPLE_ODDS[children]))
        waiting.extend((node, level + 1, share) for share in reversed(row))
    tree = planting.tree()
    return tree if shape.names == "none" else name_by_letters(tree)


@dataclass(frozen=True, slots=True)
class SearchMaxima:
    """The most of each thing that alpha-beta can do in any tree of a shape without chance nodes.

    - `pruned`: a path turns aside where it takes a child that is not visited first. A leaf whose path turns
      aside under no MAX node or under no MIN node is always visited; all others can be pruned.
      With b children everywhere and d plies that leaves b^ceil(d/2) + b^floor(d/2) - 1 visited:
      Knuth and Moore, An Analysis of Alpha-Beta Pruning, Artificial Intelligence 6 (1975), section 6.
    - `alpha_cuts`, `beta_cuts`: nodes with two children or more whose path turns aside under a
      node of the other player, which is what gives their window the bound to be cut by.
    - `deep_cuts`: those whose path does so above their parent. That takes four plies.
    - `subtree_cuts`: children that such a node can skip and that have two leaves or more below them.
    """

    pruned: int
    alpha_cuts: int
    beta_cuts: int
    deep_cuts: int
    subtree_cuts: int


@cache
def search_maxima(shape: Shape) -> SearchMaxima:
    """Return the most that alpha-beta can do in trees of this shape, which has no chance levels."""
    tree = fixed_skeleton(shape)
    # For every node the players under whom its path turns aside.
    turned_under: list[frozenset[Player | None]] = []
    pruned = alpha_cuts = beta_cuts = deep_cuts = subtree_cuts = 0
    for node, (mover, parent) in enumerate(zip(tree.players, tree.parents, strict=True)):
        above = turned_under[parent] if node else frozenset[Player | None]()
        first = node == 0 or tree.children[parent][0] == node
        turned_under.append(above if first else above | {tree.players[parent]})
        if mover is None:
            pruned += len(turned_under[node]) == 2
            continue
        rival = Player.MIN if mover is Player.MAX else Player.MAX
        if len(tree.children[node]) < 2 or rival not in turned_under[node]:
            continue
        alpha_cuts += mover is Player.MIN
        beta_cuts += mover is Player.MAX
        deep_cuts += rival in above
        subtree_cuts += sum(len(tree.leaves_below(child)) > 1 for child in tree.children[node][1:])
    return SearchMaxima(pruned, alpha_cuts, beta_cuts, deep_cuts, subtree_cuts)


FEW_SETS_LEAVES = 3
"""Up to this many leaves have only a few sets."""


def has_few_sets(shape: Shape) -> bool:
    """Return whether too few leaves can be pruned in such trees to give a class different answers."""
    return not shape.chance and search_maxima(shape).pruned <= FEW_SETS_LEAVES
