"""Candidates: random trees, in blocks of one skeleton each."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from grader.generation.recipe import Payoffs
from grader.generation.stream import Stream
from grader.trees.tree import Tree

if TYPE_CHECKING:
    from grader.generation.stream import Draws

PayoffRow: TypeAlias = tuple[int, ...]
"""The payoffs of one candidate by leaf number, each as its place in the range of payoffs."""

BLOCK_SIZE = 1024
"""The candidates of a block. It never changes: the draws of a seed depend on it."""

ROTATIONS_PER_ROW = 8
"""How many candidates are made of each drawn row: the row, and the row rotated left by one leaf, by two, ...

All leaves have one distribution, so each is as random as the row itself; judging is cheaper than drawing.
"""


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


def draw_block(payoffs: Payoffs, skeleton: Tree, stream: Stream) -> Block:
    """Draw a block of candidates of one skeleton.

    The rows are not independent: only one in `ROTATIONS_PER_ROW` is drawn, and its rotations are the others.
    """
    import numpy

    from grader.solvers.integers import to_narrowest_type

    leaves, row_count = len(skeleton.leaves), BLOCK_SIZE // ROTATIONS_PER_ROW
    if payoffs.distinct:
        rows = stream.sample_many(payoffs.size, leaves, row_count)
    else:
        rows = stream.below_each_many([payoffs.size] * leaves, row_count)
    # In memory leaf by leaf, as they are judged. The leaves are repeated, so that each rotation is a slice.
    cycle = numpy.concatenate([to_narrowest_type(rows.T)] * (2 + (ROTATIONS_PER_ROW - 1) // leaves))
    rotations = numpy.empty((leaves, ROTATIONS_PER_ROW, len(rows)), cycle.dtype)
    for shift in range(ROTATIONS_PER_ROW):
        rotations[:, shift] = cycle[shift : shift + leaves]
    return Block(skeleton, payoffs, rotations.reshape(leaves, BLOCK_SIZE).T)


def mutate(block: Block, stream: Stream, max_steps: int) -> Block:
    """Return the candidates with some leaves changed, from 1 to `max_steps` times each.

    A change exchanges two payoffs, or, if payoffs may repeat, redraws one. If they may not and there are no
    chance nodes, only their order counts: then all payoffs are redrawn in the same order.
    """
    import numpy

    places = block.places.astype(numpy.int64)
    rows, leaves = places.shape
    size = block.payoffs.size
    may_repeat = not block.payoffs.distinct
    steps = stream.below_each_many([max_steps], rows)[:, 0] + 1
    draws = stream.below_each_many([leaves, size if may_repeat else leaves] * max_steps, rows)
    for step in range(max_steps):
        active = (steps > step).nonzero()[0]
        one, other = draws[active, 2 * step], draws[active, 2 * step + 1]
        if may_repeat:
            places[active, one] = other
        else:
            places[active, one], places[active, other] = places[active, other], places[active, one]
    if not may_repeat and not block.skeleton.has_chance:
        ranks = places.argsort(axis=1).argsort(axis=1)
        redrawn = numpy.sort(stream.sample_many(size, leaves, rows), axis=1)
        places = numpy.take_along_axis(redrawn, ranks, axis=1)
    return Block(block.skeleton, block.payoffs, places)
