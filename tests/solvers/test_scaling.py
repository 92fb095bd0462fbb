"""Transformations of payoffs, with counterexamples that are solved."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.solvers.scaling import (
    Power,
    Transformation,
    TransformationType,
    ValueTable,
    counterexample,
    keeps_all_decisions,
    keeps_decision,
    transform_payoff,
    transform_payoffs,
    transformation_type,
    transformation_type_on,
)
from grader.solvers.solvable import Unsolvable
from grader.solvers.values import best_children, values
from grader.trees.tree import Tree
from tests.strategies import TIED, trees
from tests.test_bank import BANK, tree_in

NUMBERS = st.integers(-4, 4)
TRANSFORMATIONS = st.one_of(
    st.builds(Power, st.just(1), NUMBERS, NUMBERS),
    st.builds(Power, st.integers(1, 4), NUMBERS, NUMBERS),
    st.lists(NUMBERS, min_size=6, max_size=6).map(
        lambda after: ValueTable(tuple(zip(range(-2, 4), after, strict=True)))
    ),
)


@given(trees(plies=4, payoffs=TIED, chance=True), TRANSFORMATIONS)
def test_what_must_stay_stays(tree: Tree, transformation: Transformation) -> None:
    """If every tree must keep its decision, this one does, at every node where a player chooses."""
    kind = transformation_type_on(transformation, range(-2, 4))
    if keeps_all_decisions(kind, chance=tree.has_chance):
        after = transform_payoffs(tree, transformation)
        assert best_children(tree, values(tree)) == best_children(after, values(after))
        assert keeps_decision(tree, transformation)


@given(TRANSFORMATIONS, st.booleans(), st.lists(st.integers(-2, 3), min_size=1, max_size=6))
def test_a_counterexample_where_it_need_not_stay(
    transformation: Transformation, chance: bool, numbers: list[int]
) -> None:
    """There is a counterexample exactly if the type of transformation does not keep all decisions."""
    kind = transformation_type_on(transformation, numbers)
    tree = counterexample(transformation, numbers, chance=chance)
    assert (tree is None) == keeps_all_decisions(kind, chance=chance)
    if tree is not None:
        assert not keeps_decision(tree, transformation)
        assert {tree.payoffs[leaf] for leaf in tree.leaves} <= set(numbers)
        assert chance or not tree.has_chance
        assert tree.parents[0] == -1


@given(st.lists(st.integers(-9, 9), min_size=3, max_size=6, unique=True).map(sorted))
def test_a_gamble_shows_what_is_not_in_proportion(after: list[int]) -> None:
    """An increasing table keeps every decision without chance; with a gamble, only when it is linear."""
    table, numbers = ValueTable(tuple(enumerate(after))), range(len(after))
    linear = len({more - less for less, more in pairwise(after)}) == 1
    assert transformation_type_on(table, numbers) is (
        TransformationType.POSITIVE_LINEAR if linear else TransformationType.INCREASING
    )
    assert counterexample(table, numbers, chance=False) is None
    tree = counterexample(table, numbers, chance=True)
    assert (tree is None) == linear
    assert tree is None or not keeps_decision(tree, table)


@given(TRANSFORMATIONS)
def test_natures_hold_on_numbers(transformation: Transformation) -> None:
    """The type of a transformation on a few numbers is that on all numbers, or a better one."""
    order = [TransformationType.NEITHER, TransformationType.INCREASING, TransformationType.POSITIVE_LINEAR]
    if isinstance(transformation, ValueTable):
        return
    for numbers, at_least in (([-5, -1, 0, 2, 7], None), ([0, 1, 2, 5], 0)):
        whole, part = (
            transformation_type(transformation, at_least=at_least),
            transformation_type_on(transformation, numbers),
        )
        assert order.index(part) >= order.index(whole)
    if transformation_type(transformation) is TransformationType.NEITHER:
        assert transformation_type_on(transformation, [-5, -1, 0, 2, 7]) is TransformationType.NEITHER


def test_known_transformations() -> None:
    """2x + 3 is positive linear, cubes increase, squares increase only from zero on, -x turns all round."""
    assert transformation_type(Power(1, 2, 3)) is TransformationType.POSITIVE_LINEAR
    assert (
        transformation_type(Power(1, 0, 3)) is transformation_type(Power(1, -1)) is TransformationType.NEITHER
    )
    assert transformation_type(Power(3)) is TransformationType.INCREASING
    assert (
        transformation_type(Power(3, 0))
        is transformation_type(Power(2, 0), at_least=0)
        is TransformationType.NEITHER
    )
    assert transformation_type(Power(2)) is TransformationType.NEITHER
    assert transformation_type(Power(2), at_least=0) is TransformationType.INCREASING
    assert transformation_type(Power(1, 2, 5)) is TransformationType.POSITIVE_LINEAR
    assert transformation_type(ValueTable(((0, 0), (1, 1), (2, 3)))) is TransformationType.INCREASING
    assert (
        transformation_type(ValueTable(((1, 1), (2, 20), (3, 30), (4, 400)))) is TransformationType.INCREASING
    )
    assert transform_payoff(Power(1, Fraction(1, 2), 1), 4) == 3


def test_the_stretched_textbook_figure() -> None:
    """1 2 3 4 become 1 20 30 400: the order stays, the decision does not (Russell and Norvig, fig. 5.13)."""
    tree = tree_in(BANK / "aima-fig-5-12-chance.tree")
    stretched = tree_in(BANK / "aima-fig-5-12-chance-stretched.tree")
    table = ValueTable(((1, 1), (2, 20), (3, 30), (4, 400)))
    assert transform_payoffs(tree, table).payoffs == stretched.payoffs
    assert not keeps_decision(tree, table)
    assert keeps_decision(tree, Power(1, 10, 7))
    assert best_children(tree, values(tree))[0] != best_children(stretched, values(stretched))[0]


def test_what_becomes_equal() -> None:
    """A difference that is lost is a counterexample too: both moves become the best."""
    tree = counterexample(Power(1, 0, 3), [1, 2], chance=False)
    assert tree is not None
    assert [tree.payoffs[leaf] for leaf in tree.leaves] == [1, 2]


def test_a_table_has_its_numbers_only() -> None:
    """A number that a table does not have cannot be transformed."""
    with pytest.raises(Unsolvable):
        transform_payoff(ValueTable(((1, 2),)), 3)
