"""Search budgets, against figures of lectures and floating point."""

from fractions import Fraction
from math import factorial, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.solvers.budget import (
    Model,
    affordable_nodes,
    depth_reached,
    fits_budget,
    rounded_depth,
    rounded_root,
    scientific,
    tree_nodes,
)
from grader.solvers.move_ordering import fewest_leaves


def test_a_million_nodes_at_thirty_five_moves() -> None:
    """100 seconds at 10,000 nodes: alpha-beta comes to about 8 (CS7IS2): 7 complete, 6 by its leaves."""
    nodes = affordable_nodes(100, 10_000)
    assert nodes == 1_000_000
    assert [depth_reached(nodes, 35, model) for model in Model] == [3, 7, 6]
    assert [rounded_depth(nodes, 35, model) for model in (Model.MINIMAX, Model.HALF_DEPTH)] == [4, 8]
    assert rounded_depth(nodes, 35, Model.HALF_DEPTH, 2) == Fraction(777, 100)


@given(st.integers(1, 10**12), st.integers(2, 400), st.sampled_from(list(Model)))
def test_the_depth_reached_is_the_last_that_fits(nodes: int, branching: int, model: Model) -> None:
    """The depth reached fits and the next does not; leaves are those of the formula."""
    depth = depth_reached(nodes, branching, model)
    assert fits_budget(nodes, branching, depth, model)
    assert not fits_budget(nodes, branching, depth + 1, model)
    if model is Model.KNUTH_MOORE:
        assert fewest_leaves(branching, depth) <= nodes < fewest_leaves(branching, depth + 1)


@given(st.integers(1, 10**9), st.integers(2, 400), st.integers(0, 2))
def test_depths_in_digits_are_logarithms(nodes: int, branching: int, places: int) -> None:
    """The depth in digits is the logarithm of the nodes, rounded."""
    for model, factor in ((Model.MINIMAX, 1), (Model.HALF_DEPTH, 2)):
        wanted = factor * log(nodes) / log(branching)
        assert abs(float(rounded_depth(nodes, branching, model, places)) - wanted) <= 0.5 / 10**places + 1e-9


@given(st.integers(0, 10**9), st.integers(1, 9), st.integers(0, 3))
def test_roots_are_roots(number: int, degree: int, places: int) -> None:
    """A root in digits is the root, rounded."""
    assert (
        abs(float(rounded_root(number, degree, places)) - number ** (1 / degree)) <= 0.5 / 10**places + 1e-6
    )


@given(st.integers(2, 99), st.integers(0, 9), st.integers(1, 9))
def test_halves_go_up(base: int, half: int, degree: int) -> None:
    """A depth or a root that ends in a half is rounded up."""
    odd = 2 * half + 1
    assert rounded_depth(base**odd, base**2, Model.MINIMAX) == half + 1
    assert rounded_depth(base**odd, base**4, Model.HALF_DEPTH) == half + 1
    assert rounded_root(Fraction(odd, 2) ** degree, degree) == half + 1


@given(st.integers(1, 10**30), st.integers(1, 8))
def test_scientific_is_near(number: int, digits: int) -> None:
    """Mantissa times power is the number, but for half a unit of the last digit, halves going up."""
    mantissa, exponent = scientific(number, digits)
    unit = Fraction(10) ** (exponent + 1 - digits)
    assert 1 <= mantissa < 10
    assert -unit <= 2 * (number - mantissa * 10**exponent) < unit
    assert (mantissa * 10 ** (digits - 1)).denominator == 1


def test_effective_branching() -> None:
    """From 35 to about 6 (CS 171)."""
    assert rounded_root(35, 2) == 6
    assert rounded_root(35**4, 8, 1) == Fraction(59, 10)
    assert rounded_root(3**7, 7, 3) == 3


def test_sizes_of_games() -> None:
    """35^80 is about 10^123 and 361! about 10^768 (CSI 4106)."""
    assert scientific(35**80)[1] == 123
    assert scientific(35**80, 3) == (Fraction(335, 100), 123)
    assert scientific(factorial(361), 3) == (Fraction(144, 100), 768)
    assert scientific(999, 2) == (1, 3)
    assert scientific(1) == (1, 0)


def test_nodes_and_seconds() -> None:
    """1 + 2 + 4 + 8 nodes; in 100 seconds at 10,000 a second there are a million."""
    assert tree_nodes(2, 3) == 15
    assert affordable_nodes(100, 10_000) == 10**6
    assert affordable_nodes(Fraction(1, 3), 10) == 3


def test_refusals() -> None:
    """One move, no nodes, digits of a sum of powers and roots of negative numbers are refused."""
    for call in (
        lambda: depth_reached(10, 1, Model.MINIMAX),
        lambda: depth_reached(0, 2, Model.MINIMAX),
        lambda: rounded_depth(10, 2, Model.KNUTH_MOORE),
        lambda: rounded_depth(10, 2, Model.HALF_DEPTH, 3),
        lambda: rounded_root(-1, 2),
        lambda: scientific(0),
    ):
        with pytest.raises(ValueError):  # noqa: PT011 - the messages are prose
            call()
