"""Candidates: random trees, in numbered blocks of one skeleton each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from grader.generation.recipe import Payoffs, Recipe
from grader.generation.shape import Shape, draw_skeleton
from grader.generation.stream import Stream, below_each_many, sample_many
from grader.trees.tree import Tree

if TYPE_CHECKING:
    from grader.generation.stream import Draws

PayoffRow: TypeAlias = tuple[int, ...]
"""The payoffs of one candidate by leaf number, each as its place in the range of payoffs."""

BLOCK_SIZE = 1024
"""The candidates of a block with a fixed skeleton. It never changes: the draws of a seed depend on it."""

DRAWN_SKELETON_BLOCK_SIZE = 64
"""The same if the skeleton is drawn: fewer, so that variants come in different shapes."""

ROTATIONS_PER_ROW = 8
"""How many candidates are made of each drawn row: the row, and the row rotated left by one leaf, by two, ...

All leaves have one distribution, so each is as random as the row itself; judging is cheaper than drawing.
"""


def block_size(shape: Shape) -> int:
    """Return the number of candidates of a block."""
    return BLOCK_SIZE if shape.is_fixed else DRAWN_SKELETON_BLOCK_SIZE


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Candidates that share a skeleton: one row of payoff places for each, one column for each leaf.

    The places are of any signed integer type that holds them.
    """

    skeleton: Tree
    payoffs: Payoffs
    places: "Draws"

    def select(self, rows: "Draws") -> "Block":
        """Return the block with only these candidates."""
        return Block(self.skeleton, self.payoffs, self.places[rows])

    @property
    def numbers(self) -> "Draws":
        """The payoffs themselves, as multiples of `1 / payoffs.denominator`."""
        import numpy

        parts = self.payoffs.denominator
        return int(self.payoffs.low * parts) + int(self.payoffs.step * parts) * self.places.astype(
            numpy.int64
        )


SKELETON_ATTRIBUTES = ("children", "internal", "paths", "index", "by_level", "has_chance")
"""Derived columns that every tree needs and that depend only on its shape and players."""


def plant_payoffs(skeleton: Tree, payoffs: Payoffs, places: PayoffRow) -> Tree:
    """Return the skeleton with the payoffs at these places of the range."""
    for column in SKELETON_ATTRIBUTES:
        getattr(skeleton, column)  # derived once, for all trees of the skeleton
    return skeleton.with_payoffs(tuple(map(payoffs.payoff_at, places)))


def draw_block(recipe: Recipe, stream: Stream, *numbers: int) -> Block:
    """Draw one or several blocks of one skeleton and join them in the order of their numbers."""
    import numpy

    from grader.solvers.integers import narrowed

    skeleton = draw_skeleton(recipe.shape, stream.sub("shape", numbers[0]))
    leaves, size = len(skeleton.leaves), recipe.payoffs.size
    row_count = block_size(recipe.shape) // ROTATIONS_PER_ROW
    streams = [stream.sub("payoffs", number) for number in numbers]
    if recipe.payoffs.distinct:
        rows = sample_many(streams, size, leaves, row_count)
    else:
        rows = below_each_many(streams, [size] * leaves, row_count)
    # In memory leaf by leaf, as they are judged. The leaves are repeated, so that each rotation is a slice.
    cycle = numpy.concatenate([narrowed(rows.T)] * (2 + (ROTATIONS_PER_ROW - 1) // leaves))
    rotations = numpy.empty((leaves, len(rows), ROTATIONS_PER_ROW), cycle.dtype)
    for shift in range(ROTATIONS_PER_ROW):
        rotations[:, :, shift] = cycle[shift : shift + leaves]
    return Block(skeleton, recipe.payoffs, rotations.reshape(leaves, len(rows) * ROTATIONS_PER_ROW).T)


def mutate(block: Block, streams: Sequence[Stream], steps: "Draws") -> Block:
    """Return the candidates with some leaves changed, `steps` times each.

    Every stream draws for the same number of candidates, the first stream for the first ones.
    A change exchanges two payoffs, or, if payoffs may repeat, redraws one. If they may not and there are no
    chance nodes, only their order counts: then all payoffs are redrawn in the same order.
    """
    import numpy

    places = block.places.copy()
    rows, leaves = places.shape
    size = block.payoffs.size
    may_repeat = not block.payoffs.distinct
    rows_per_stream = rows // len(streams)
    limits = [leaves, size if may_repeat else leaves] * int(steps.max())
    draws = below_each_many(streams, limits, rows_per_stream)
    for step in range(int(steps.max())):
        active = (steps > step).nonzero()[0]
        one, other = draws[active, 2 * step], draws[active, 2 * step + 1]
        if may_repeat:
            places[active, one] = other
        else:
            places[active, one], places[active, other] = places[active, other], places[active, one]
    if not may_repeat and not block.skeleton.has_chance:
        ranks = places.argsort(axis=1).argsort(axis=1)
        redrawn = numpy.sort(sample_many(streams, size, leaves, rows_per_stream), axis=1)
        places = numpy.take_along_axis(redrawn, ranks, axis=1)
    return Block(block.skeleton, block.payoffs, places)
