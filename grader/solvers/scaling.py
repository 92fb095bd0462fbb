"""Other payoffs by one rule: whether the decision stays, in this tree and in every tree."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias, assert_never

from grader.base.numbers import Number, normalize_number
from grader.solvers.solvable import Unsolvable, number_at
from grader.solvers.values import best_children, values
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder


@dataclass(frozen=True, slots=True)
class Power:
    """x becomes its power with a positive whole exponent, times a factor, plus a constant; linear for 1."""

    exponent: int
    factor: Number = 1
    constant: Number = 0


@dataclass(frozen=True, slots=True)
class ValueTable:
    """Each payoff becomes the one beside it; there is no other payoff."""

    pairs: tuple[tuple[Number, Number], ...]


Transformation: TypeAlias = Power | ValueTable


class TransformationType(StrEnum):
    """What decides whether a transformation keeps decisions."""

    POSITIVE_LINEAR = "positive-linear"
    """A positive multiple plus a constant: it keeps every decision, with chance too."""
    INCREASING = "increasing"
    """Larger payoffs stay larger, but not in proportion: it keeps every decision without chance."""
    NEITHER = "neither"
    """Somewhere a larger payoff does not stay larger."""


def transform_payoff(transformation: Transformation, number: Number) -> Number:
    """What becomes of a payoff. Raises `Unsolvable` for a number that a table does not have."""
    match transformation:
        case Power(exponent, factor, constant):
            return normalize_number(Fraction(factor * number**exponent + constant))
        case ValueTable(pairs):
            for before, after in pairs:
                if before == number:
                    return after
            raise Unsolvable(f"the table has no {number}")
    assert_never(transformation)


def transform_payoffs(tree: Tree, transformation: Transformation) -> Tree:
    """The tree with every payoff transformed; raises `UnknownPayoff` at an unknown leaf."""
    return tree.with_payoffs(
        tuple(transform_payoff(transformation, number_at(tree, leaf)) for leaf in tree.leaves)
    )


def transformation_type(
    transformation: Transformation, *, at_least: Number | None = None
) -> TransformationType:
    """What kind of transformation it is, for all numbers, or for those not below `at_least`.

    A table is judged on the numbers it has.
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
    """What kind of transformation it is on these numbers alone, such as the payoffs of one tree.

    On two numbers everything increasing is positive linear; one number cannot tell, and is kept.
    """
    ascending = sorted(set(numbers))
    after = [transform_payoff(transformation, number) for number in ascending]
    steps = list(zip(ascending, ascending[1:], after, after[1:], strict=False))
    if any(there >= beyond for _, _, there, beyond in steps):
        return TransformationType.NEITHER
    slopes = {Fraction(beyond - there) / (after_it - it) for it, after_it, there, beyond in steps}
    return TransformationType.POSITIVE_LINEAR if len(slopes) <= 1 else TransformationType.INCREASING


def keeps_decision(tree: Tree, transformation: Transformation) -> bool:
    """Whether the optimal moves at the root are the same ones after the transformation."""
    after = transform_payoffs(tree, transformation)
    return best_children(tree, values(tree))[0] == best_children(after, values(after))[0]


def keeps_all_decisions(kind: TransformationType, *, chance: bool) -> bool:
    """Whether every tree, with chance nodes or without, keeps every decision under such a transformation.

    Russell and Norvig, Artificial Intelligence: A Modern Approach, section 5.5 and fig. 5.13.
    """
    return kind is TransformationType.POSITIVE_LINEAR or (
        kind is TransformationType.INCREASING and not chance
    )


def counterexample(transformation: Transformation, numbers: Sequence[Number], *, chance: bool) -> Tree | None:
    """A smallest tree with payoffs among these numbers whose decision does not stay; None if there is none.

    Without chance: two payoffs of which the larger does not stay larger. With chance: a payoff for sure
    against a gamble between two others, with a probability halfway between the one that makes it fair
    before and the one that makes it fair after. Any other tree would keep its decision too, when these do.
    """
    ascending = sorted(set(numbers))
    planting = TreeBuilder()
    root = planting.add(-1, Player.MAX)
    for one, other in combinations(ascending, 2):
        if transform_payoff(transformation, one) >= transform_payoff(transformation, other):
            for number in (one, other):
                planting.add(root, None, number)
            return planting.tree()
    if not chance:
        return None
    for least, middle, most in combinations(ascending, 3):
        low, sure, high = (transform_payoff(transformation, number) for number in (least, middle, most))
        fair_before = Fraction(middle - least) / (most - least)
        fair_after = Fraction(sure - low) / (high - low)
        if fair_before == fair_after:
            continue
        share = Fraction(fair_before + fair_after, 2)
        planting.add(root, None, middle)
        gamble = planting.add(root, Player.CHANCE)
        planting.add(gamble, None, most, probability=normalize_number(share))
        planting.add(gamble, None, least, probability=normalize_number(1 - share))
        return planting.tree()
    return None
