"""Trees with unknown payoffs: the results that do not depend on them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.base.numbers import INFINITY, Number
from grader.solvers.alphabeta import value_test
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.solution import solve
from grader.solvers.solvable import UnknownPayoff
from grader.solvers.sweep import sweep
from grader.solvers.value_intervals import (
    always_best_children,
    certain_best_children,
    intervals,
    proved_intervals,
)
from grader.solvers.values import best_children
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.solvers.test_values import CHANCE, MAX, MIN, build_tree
from tests.strategies import TIED, trees

FIGURE = build_tree((MAX, [(MIN, [3, 12, 8]), (MIN, [2, "x", "y"]), (MIN, [14, 5, 2])]))
"""Russell and Norvig, section 5.3: the root has the value 3 for all x and y."""


def _filled(tree: Tree, numbers: list[Number]) -> Tree:
    to_come = iter(numbers)
    payoffs = (tree.payoffs[leaf] for leaf in tree.leaves)
    return tree.with_payoffs(
        tuple(next(to_come) if isinstance(payoff, str) else payoff for payoff in payoffs)
    )


def test_unknowns_that_do_not_matter() -> None:
    """If the search never reaches the unknowns, all its results are known, and the best move too."""
    solution = solve(FIGURE, Rules())
    assert solution.values[:6] == (3, 3, 3, 12, 8, None)
    assert solution.intervals[5] == (-INFINITY, 2)
    assert solution.best[0] == (1,)
    assert solution.best[5] is None
    assert solution.principal_variations == ((0, 1, 2),)
    assert solution.pruned_paths == solution.other_ties == (5, 6)
    assert solution.blocked_by is None


@pytest.mark.parametrize(("bounds", "least"), [(None, -INFINITY), ((-9, 20), -9)])
def test_what_a_search_proved(bounds: tuple[int, int] | None, least: Number) -> None:
    """A cut child contributes its bound; an unvisited node contributes nothing and has no interval."""
    tree = build_tree((MAX, [(MIN, [3, 12]), (MIN, [0, 9])]))
    between = proved_intervals(tree, [True] * 6 + [False], bounds)
    assert between == ((3, 3), (3, 3), (3, 3), (12, 12), (least, 0), (0, 0), None)


def test_an_unknown_that_blocks_the_search() -> None:
    """If the search reaches an unknown leaf, its results are None and the leaf is named."""
    solution = solve(build_tree((MAX, [(MIN, [3, 12]), (MIN, ["x", 9])])), Rules())
    assert solution.blocked_by == 5
    assert solution.values[0] is None
    assert solution.intervals[0] == (3, 9)
    nothing = (solution.search, solution.variants, solution.pruned_paths, solution.pruned_branches)
    assert nothing == (None,) * 4
    assert solution.visited_leaves is solution.other_ties is solution.convention_sensitive is None


def test_an_unknown_that_blocks_only_the_other_tie_rule() -> None:
    """If only the search under the other tie rule reaches an unknown, only its results are missing."""
    solution = solve(build_tree((MAX, [(MIN, [3, 12]), (MIN, [3, "x"])])), Rules())
    assert solution.pruned_paths == (4,)
    assert solution.other_ties is None
    assert solution.convention_sensitive is None
    assert solution.blocked_by is None


def test_bounds_limit_the_unknowns() -> None:
    """Unknown payoffs keep within the bounds, and an outcome without any opens the mean too."""
    tree = build_tree((CHANCE, ["x", (MIN, ["y", 4]), 0]))
    assert intervals(tree)[0] == (-INFINITY, INFINITY)
    assert intervals(tree, (-3, 6))[:3] == ((-2, Fraction(10, 3)), (-3, 6), (-3, 4))


def test_several_players_with_an_unknown() -> None:
    """In a game of several players a choice can turn on an unknown anywhere, so nothing is claimed."""
    solution = solve(build_tree((Player.P1, [(1, 2), "x"])), Rules())
    assert solution.values == solution.best == (None,) * 3
    assert solution.blocked_by == 2
    assert solution.principal_variations == ()


@given(trees(unknowns=True))
def test_sweeps_need_every_payoff(tree: Tree) -> None:
    """The sweep needs every leaf and refuses the first unknown one."""
    if not tree.unknowns:
        return
    with pytest.raises(UnknownPayoff) as refused:
        sweep(tree, Rules())
    assert refused.value.leaf == tree.unknowns[0]


@given(trees(chance=True, unknowns=True, payoffs=TIED), st.data())
def test_intervals_hold_every_value(tree: Tree, data: st.DataObject) -> None:
    """For all unknowns within the bounds, every node's value lies in its interval."""
    numbers = [data.draw(st.integers(-4, 5)) for _ in tree.unknowns]
    exact = expectiminimax(_filled(tree, numbers))
    for bounds in ((-4, 5), None):
        for value, (least, most) in zip(exact, intervals(tree, bounds), strict=True):
            assert least <= value <= most


@given(trees(chance=True, unknowns=True, payoffs=TIED))
def test_interval_ends_are_values(tree: Tree) -> None:
    """The ends of the intervals are the values with all unknowns at one end of the bounds."""
    low, high = (expectiminimax(_filled(tree, [end] * len(tree.unknowns))) for end in (-4, 5))
    assert intervals(tree, (-4, 5)) == tuple(zip(low, high, strict=True))


@given(trees(chance=True, payoffs=TIED))
def test_without_unknowns_intervals_are_values(tree: Tree) -> None:
    """Without unknowns every interval is the exact value, and the certain moves are the best moves."""
    exact = expectiminimax(tree)
    assert intervals(tree) == tuple(zip(exact, exact, strict=True))
    assert certain_best_children(tree, intervals(tree)) == best_children(tree, exact)


@given(trees(unknowns=True, payoffs=TIED), st.data())
def test_a_move_that_is_always_best_is_best(tree: Tree, data: st.DataObject) -> None:
    """For all unknowns, an always best move is among the best; a certainly best move is one of them."""
    between = intervals(tree)
    always, certain = always_best_children(tree, between), certain_best_children(tree, between)[0]
    exact = _filled(tree, [data.draw(st.integers(-9, 9)) for _ in tree.unknowns])
    assert {*always} <= {*best_children(exact, expectiminimax(exact))[0]}
    assert not certain or {*certain} == {*always} or not always


def test_a_child_is_compared_with_its_siblings_alone() -> None:
    """A child that is worth 5 or more is the best one beside another that is worth 3."""
    tree = tree_of("MAX A (MIN B (3 4) MAX C (5 x))")
    assert always_best_children(tree, intervals(tree)) == (tree.index["C"],)


@given(trees(unknowns=True, chance=True, payoffs=TIED), st.data())
def test_certain_moves_are_best(tree: Tree, data: st.DataObject) -> None:
    """The certain best moves are the best moves for all unknowns."""
    solution = solve(tree, Rules(bounds=(-2, 3)))
    numbers = [data.draw(st.integers(-2, 3)) for _ in tree.unknowns]
    best = solve(_filled(tree, numbers), Rules()).best
    assert all(certain in (None, truth) for certain, truth in zip(solution.best, best, strict=True))


@given(trees(unknowns=True, payoffs=TIED), st.data())
def test_a_search_past_unknowns_is_the_search(tree: Tree, data: st.DataObject) -> None:
    """A search that is not blocked is the same for all unknowns."""
    solution = solve(tree, Rules())
    if solution.blocked_by is not None:
        assert isinstance(tree.payoffs[solution.blocked_by], str)
        return
    numbers = [data.draw(st.integers(-9, 9)) for _ in tree.unknowns]
    assert solution.search == value_test(_filled(tree, numbers), Rules())
