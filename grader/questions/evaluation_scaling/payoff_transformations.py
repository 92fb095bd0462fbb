"""Transformations of payoffs: how they are given, when a question suits, and how they are drawn."""

from dataclasses import replace
from typing import Any

from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.randomness import Draw
from grader.questions.search_answers import choice_objection, two_player_objection
from grader.questions.value_answers import root_moves
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.scaling import (
    Power,
    Transformation,
    TransformationType,
    ValueTable,
    transform_payoffs,
    transformation_type,
)
from grader.trees.tree import Tree

MAX_DRAWS = 30
"""How many transformations are drawn for a tree until one has the wanted effect."""

STABLE_PER_TEN = 3
"""How often in ten the best moves have to stay; of the other trees, four in seven show no change."""

NATURES = (TransformationType.POSITIVE_LINEAR, TransformationType.INCREASING, TransformationType.NEITHER)
"""The kinds of transformations, in the order of their numbers."""


def transformation_of(given: Given) -> Transformation:
    """Return the transformation that is given."""
    if "pairs" in given:
        return ValueTable(tuple((before, after) for before, after in given["pairs"]))
    exponent, factor, constant = given["power"]
    return Power(exponent, factor, constant)


def low_of(given: Given) -> int | None:
    """Return the number that no payoff is below; None if payoffs may be any numbers."""
    low: int | None = given.get("at least")
    return low


def nature_of(given: Given) -> TransformationType:
    """Return the kind of the transformation on the possible payoffs."""
    return transformation_type(transformation_of(given), at_least=low_of(given))


def _whole(row: Any, length: int) -> bool:
    return isinstance(row, list) and len(row) == length and all(type(number) is int for number in row)


def transformation_objection(given: Given) -> str | None:
    """Return why no transformation is given, or None."""
    pairs, power = given.get("pairs"), given.get("power")
    if "pairs" in given:
        if not isinstance(pairs, list) or not pairs or not all(_whole(pair, 2) for pair in pairs):
            return "pairs are lists of two whole numbers: a payoff, and what it becomes"
        return None
    if not _whole(power, 3):
        return "power is not a list of three whole numbers: exponent, factor and constant"
    if not 1 <= given["power"][0] <= 3 or not given["power"][1]:
        return "the exponent is 1, 2 or 3, and the factor is not 0"
    if "at least" in given and type(given["at least"]) is not int:
        return "at least is not a whole number"
    return None


def decision_objection(case: Case) -> str | None:
    """Return why there is no question about the best moves in a tree, or None."""
    tree = case.tree
    why = two_player_objection(case) or choice_objection(tree) or transformation_objection(case.given)
    if why is None and "pairs" in case.given:
        transformed = {before for before, _ in case.given["pairs"]}
        stray = [payoff for leaf in tree.leaves if (payoff := tree.payoffs[leaf]) not in transformed]
        why = f"nothing is said about the payoff {stray[0]}" if stray else None
    return why


def any_tree_objection(given: Given) -> str | None:
    """Return why there is no question about every tree, or None."""
    why = transformation_objection(given)
    return why or (None if isinstance(given.get("chance"), bool) else "chance is neither true nor false")


def _draw_power(draw: Draw, wanted: TransformationType) -> dict[str, object]:
    """Draw a transformation of a kind, with the least payoff if there is one."""
    constant = draw.between(-9, 9)
    match wanted:
        case TransformationType.POSITIVE_LINEAR:
            return {"power": [1, draw.between(2, 9), constant]}
        case TransformationType.INCREASING if draw.below(2):
            return {"power": [2, draw.between(1, 3), constant], "at least": 0}
        case TransformationType.INCREASING:
            return {"power": [3, draw.between(1, 3), constant]}
        case _ if draw.below(2):
            return {"power": [1, -draw.between(1, 5), constant]}
    return {"power": [2, draw.between(1, 3), constant]}


def draw_for_any_tree(draw: Draw) -> dict[str, object]:
    """Draw a transformation and whether trees have chance nodes; the reasons are equally likely."""
    wanted, chance = draw.choose(
        (
            (TransformationType.POSITIVE_LINEAR, True),
            (TransformationType.INCREASING, False),
            (TransformationType.INCREASING, True),
            (TransformationType.NEITHER, False),
        )
    )
    return {**_draw_power(draw, wanted), "chance": chance}


def draw_transformation(draw: Draw) -> dict[str, object]:
    """Draw a transformation; the kinds are equally likely."""
    return _draw_power(draw, draw.choose(NATURES))


def draw_for_tree(draw: Draw, case: Case, changes: bool = False) -> Case | None:
    """Draw a transformation under which the best moves stay the same about as often as not.

    With `changes`, one move is best after it: another one than before, if a draw has that. None if the tree
    does not suit, or no draw has the chosen effect.
    """
    tree = case.tree
    if not len(tree) or decision_objection(replace(case, given=Given({"power": [1, 1, 0]}))) is not None:
        return None
    wanted = not changes and draw.below(10) < STABLE_PER_TEN
    # with chance nodes, the best question is about a curve that keeps the order and changes the best move
    curved = tree.has_chance and not wanted and draw.below(4) > 0
    before, candidate = moves_of(tree), None
    low = min(expectiminimax(tree)[leaf] for leaf in tree.leaves)
    for _ in range(MAX_DRAWS):
        given = Given(_draw_power(draw, TransformationType.INCREASING if curved else draw.choose(NATURES)))
        if "at least" in given and low < 0:
            continue
        after = moves_of(transform_payoffs(tree, transformation_of(given)))
        if changes and len(after) > 1:
            continue
        candidate = replace(case, given=given)
        if (after == before) == wanted and not (changes and after & before):
            return candidate
    return candidate if changes else None  # if no move changes, keeping the old one is correct


def moves_of(tree: Tree) -> frozenset[int]:
    """Return the best moves, as places among the root's children."""
    return root_moves(tree, expectiminimax(tree))
