"""Candidates: the trees that chance proposes, in numbered blocks of one skeleton each."""

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
"""The payoffs of one candidate by path number, each as its place in the range of payoffs."""

BLOCK_SIZE = 1024
"""How many candidates a block of a fixed skeleton has; a part of what a seed means, so it never changes."""

DRAWN_SKELETON_BLOCK_SIZE = 64
"""How many a block has whose skeleton is drawn: fewer, so that variants come in different shapes."""


ROTATIONS_PER_ROW = 8
"""How many candidates are made of each row drawn: the row, and the row turned left by one leaf, by two, ...

Leaves are drawn alike, so each of these is as random as the row itself, and judging is cheaper than drawing.
"""


def block_size(shape: Shape) -> int:
    """How many candidates a block of this shape has."""
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
        """The block with only these of its candidates."""
        return Block(self.skeleton, self.payoffs, self.places[rows])

    @property
    def numbers(self) -> "Draws":
        """The payoffs themselves, as multiples of `1 / payoffs.parts`."""
        import numpy

        parts = self.payoffs.denominator
        return int(self.payoffs.low * parts) + int(self.payoffs.step * parts) * self.places.astype(
            numpy.int64
        )


SKELETON_ATTRIBUTES = ("children", "internal", "paths", "index", "by_level", "has_chance")
"""What is asked of every tree and hangs on its shape and players alone, with all that it is derived from."""


def plant_payoffs(skeleton: Tree, payoffs: Payoffs, places: PayoffRow) -> Tree:
    """A skeleton with the payoffs that stand in those places of the range."""
    for column in SKELETON_ATTRIBUTES:
        getattr(skeleton, column)  # derived once, for all trees of the skeleton
    return skeleton.with_payoffs(tuple(map(payoffs.payoff_at, places)))


def draw_block(recipe: Recipe, stream: Stream, *numbers: int) -> Block:
    """One block of candidates or several of one skeleton, the first of them first, all drawn at once."""
    import numpy

    from grader.solvers.integers import narrowed

    skeleton = draw_skeleton(recipe.shape, stream.sub("shape", numbers[0]))
    leaves, size, drawn = (
        len(skeleton.leaves),
        recipe.payoffs.size,
        block_size(recipe.shape) // ROTATIONS_PER_ROW,
    )
    below = [stream.sub("payoffs", number) for number in numbers]
    if recipe.payoffs.distinct:
        rows = sample_many(below, size, leaves, drawn)
    else:
        rows = below_each_many(below, [size] * leaves, drawn)
    # Leaf by leaf, as they are drawn and judged. Twice the rows beside themselves: every turn is a stretch.
    twice = numpy.concatenate([narrowed(rows.T)] * (2 + (ROTATIONS_PER_ROW - 1) // leaves))
    turned = numpy.empty((leaves, len(rows), ROTATIONS_PER_ROW), twice.dtype)
    for turn in range(ROTATIONS_PER_ROW):
        turned[:, :, turn] = twice[turn : turn + leaves]
    return Block(skeleton, recipe.payoffs, turned.reshape(leaves, len(rows) * ROTATIONS_PER_ROW).T)


def mutate(block: Block, streams: Sequence[Stream], steps: "Draws") -> Block:
    """The candidates with some leaves changed, as many times as `steps` says of each.

    Each stream draws for as many of them as any other, the first for the first ones.
    A change exchanges two payoffs, or draws one anew where payoffs may repeat. Where only their order counts,
    all payoffs are drawn anew besides, in the same order.
    """
    import numpy

    places = block.places.copy()
    rows, leaves = places.shape
    every = numpy.arange(rows)
    size = block.payoffs.size
    repeated = not block.payoffs.distinct
    each = rows // len(streams)
    drawn = below_each_many(streams, [leaves, size if repeated else leaves] * int(steps.max()), each)
    for step in range(int(steps.max())):
        still = every[steps > step]
        one, other = drawn[still, 2 * step], drawn[still, 2 * step + 1]
        if repeated:
            places[still, one] = other
        else:
            places[still, one], places[still, other] = places[still, other], places[still, one]
    if not repeated and not block.skeleton.has_chance:
        ranks = places.argsort(axis=1).argsort(axis=1)
        fresh = numpy.sort(sample_many(streams, size, leaves, each), axis=1)
        places = numpy.take_along_axis(fresh, ranks, axis=1)
    return Block(block.skeleton, block.payoffs, places)
