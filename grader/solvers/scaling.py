"""Transformations of payoffs: whether they keep the decision in one tree, and in every tree."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, pairwise
from typing import TypeAlias, assert_never

from grader.base.numbers import Number, normalize_number
from grader.solvers.solvable import Unsolvable, number_at
from grader.solvers.values import best_children, values
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder


@dataclass(frozen=True, slots=True)
class Power:
    """x becomes `factor * x**exponent + constant`; the exponent is a positive integer."""

    exponent: int
    factor: Number = 1
    constant: Number = 0


@dataclass(frozen=True, slots=True)
class ValueTable:
    """Each payoff is replaced by its partner in the pair; other payoffs do not occur."""

    pairs: tuple[tuple[Number, Number], ...]


Transformation: TypeAlias = Power | ValueTable


class TransformationType(StrEnum):
    """The property of a transformation that decides whether it keeps decisions."""

    POSITIVE_LINEAR = "positive-linear"
    """A positive multiple plus a constant: it keeps every decision, also with chance nodes."""
    INCREASING = "increasing"
    """Larger payoffs stay larger, but not in proportion: it keeps every decision without chance nodes."""
    NEITHER = "neither"
    """Some larger payoff does not stay larger."""


def transform_payoff(transformation: Transformation, number: Number) -> Number:
    """Return the transformed payoff. Raises `Unsolvable` for a number that is not in the table."""
    match transformation:
        case Power(exponent, factor, constant):
            return normalize_number(Fraction(factor * number**exponent + constant))
        case ValueTable(pairs):
            for before, after in pairs:
                if before == number:
                    return after
            raise Unsolvable("the table has no {number}", number=number)
    assert_never(transformation)


def transform_payoffs(tree: Tree, transformation: Transformation) -> Tree:
    """Return the tree with every payoff transformed; raises `UnknownPayoff` at an unknown leaf."""
    return tree.with_payoffs(
        tuple(transform_payoff(transformation, number_at(tree, leaf)) for leaf in tree.leaves)
    )


def transformation_type(
    transformation: Transformation, *, at_least: Number | None = None
) -> TransformationType:
    """Return the type of a transformation on all numbers, or on those from `at_least` upwards.

    The type of a table is its type on the numbers it has.
    """
    match transformation:
        case Power(1, factor):
            return TransformationType.POSITIVE_LINEAR if factor > 0 else TransformationType.NEITHER
        case Power(exponent, factor):
            rises = exponent % 2 == 1 or (at_least is not None and at_least >= 0)
            return TransformationType.INCREASING if factor > 0 and rises else TransformationType.NEITHER
        case ValueTable(pairs):
            return transformation_type_on(transformation, [before for before, _ in pairs])
    assert_never(transformation)


def transformation_type_on(transformation: Transformation, numbers: Sequence[Number]) -> TransformationType:
    """Return the type of a transformation on these numbers alone, such as the payoffs of one tree.

    On two numbers every increasing transformation is positive linear; on one number every transformation is.
    """
    ascending = sorted(set(numbers))
    points = [(number, transform_payoff(transformation, number)) for number in ascending]
    slopes = {Fraction(high - low) / (right - left) for (left, low), (right, high) in pairwise(points)}
    if any(slope <= 0 for slope in slopes):
        return TransformationType.NEITHER
    return TransformationType.POSITIVE_LINEAR if len(slopes) <= 1 else TransformationType.INCREASING


def keeps_decision(tree: Tree, transformation: Transformation) -> bool:
    """Return whether the optimal moves at the root are the same after the transformation."""
    after = transform_payoffs(tree, transformation)
    return best_children(tree, values(tree))[0] == best_children(after, values(after))[0]


def keeps_all_decisions(kind: TransformationType, *, chance: bool) -> bool:
    """Return whether such a transformation keeps the decision in every tree; `chance` allows chance nodes.

    Russell and Norvig, Artificial Intelligence: A Modern Approach, section 5.5 and fig. 5.13.
    """
    return kind is TransformationType.POSITIVE_LINEAR or (
        kind is TransformationType.INCREASING and not chance
    )


def counterexample(transformation: Transformation, numbers: Sequence[Number], *, chance: bool) -> Tree | None:
    """Return a smallest tree with these payoffs whose decision changes; None if there is none.

    1. Two payoffs whose order changes.
    2. With chance nodes: a sure payoff against a gamble between two others. Its probability is halfway
       between the one that makes it fair before the transformation and the one that makes it fair after.

    If none of these trees changes its decision, no tree does.
    """
    ascending = sorted(set(numbers))
    builder = TreeBuilder()
    root = builder.add(-1, Player.MAX)
    for one, other in combinations(ascending, 2):
        if transform_payoff(transformation, one) >= transform_payoff(transformation, other):
            for number in (one, other):
                builder.add(root, None, number)
            return builder.tree()
    if not chance:
        return None
    for lowest, middle, highest in combinations(ascending, 3):
        low, sure, high = (transform_payoff(transformation, number) for number in (lowest, middle, highest))
        fair_before = Fraction(middle - lowest) / (highest - lowest)
        fair_after = Fraction(sure - low) / (high - low)
        if fair_before == fair_after:
            continue
        share = Fraction(fair_before + fair_after, 2)
        builder.add(root, None, middle)
        gamble = builder.add(root, Player.CHANCE)
        builder.add(gamble, None, highest, probability=normalize_number(share))
        builder.add(gamble, None, lowest, probability=normalize_number(1 - share))
        return builder.tree()
    return None
