"""Exact values, optimal moves and lines of best play, on trees small enough to do in the head."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given

from grader.solvers.alphabeta import value_test
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.maxn import maxn, maxn_level_by_level
from grader.solvers.minimax import minimax
from grader.solvers.solution import solve
from grader.solvers.solvable import UnknownPayoff, Unsolvable, value_at
from grader.solvers.strategies import guaranteed_value
from grader.solvers.values import best_children, principal_variations, values
from grader.trees.rules import Rules
from grader.trees.tree import Payoff, Player, Tree
from grader.trees.tree_builder import TreeBuilder
from tests.strategies import TIED, trees

Plan = tuple[Player, Iterable["Plan | Payoff"]]

MAX, MIN, CHANCE = Player.MAX, Player.MIN, Player.CHANCE


def build_tree(plan: "Plan | Payoff") -> Tree:
    """Build a tree from nested pairs of a player and its children; chance is uniform."""
    builder = TreeBuilder()

    def add_part(part: "Plan | Payoff", parent: int) -> None:
        if isinstance(part, tuple) and part and isinstance(part[0], Player):
            node = builder.add(parent, part[0])
            for below in part[1]:
                add_part(below, node)
        else:
            builder.add(parent, None, part)

    add_part(plan, -1)
    return builder.tree()


TEXTBOOK = build_tree((MAX, [(MIN, [3, 12, 8]), (MIN, [2, 4, 6]), (MIN, [14, 5, 2])]))
"""Russell and Norvig, fig. 5.2."""


def test_the_textbook_tree() -> None:
    """The textbook tree has the value 3 by its left move; 4 and 6 are pruned under every convention."""
    solution = solve(TEXTBOOK, Rules())
    assert [solution.values[node] for node in TEXTBOOK.internal] == [3, 3, 2, 2]
    assert solution.principal_variations == ((0, 1, 2),)
    assert solution.variants == {"value": (5, 6), "window": (5, 6)}
    assert solution.visited_leaves == (1, 2, 3, 4, 7, 8, 9)
    assert solution.pruned_branches == (7, 8)
    assert not solution.convention_sensitive


@given(trees(payoffs=TIED))
def test_values_choose_the_solver(tree: Tree) -> None:
    """Without chance expectiminimax is minimax, and `values` gives either."""
    assert values(tree) == minimax(tree) == expectiminimax(tree)


@given(trees(chance=True))
def test_whole_values_are_integers(tree: Tree) -> None:
    """A value that is whole is an `int`, never a fraction over 1, and never a float."""
    for value in expectiminimax(tree):
        assert isinstance(value, int) or (isinstance(value, Fraction) and value.denominator > 1)


@given(trees(chance=True, seats=3, payoffs=TIED))
def test_whole_components_are_integers(tree: Tree) -> None:
    """Components of vectors are exact and whole ones are `int`."""
    for vector in maxn(tree):
        for value in vector:
            assert isinstance(value, int) or (isinstance(value, Fraction) and value.denominator > 1)


@given(trees(chance=True, payoffs=TIED))
def test_best_moves_are_all_optimal_moves(tree: Tree) -> None:
    """A move is best exactly when it leads to the value of its node."""
    exact = values(tree)
    for node, best in enumerate(best_children(tree, exact)):
        choosing = tree.players[node] in (MAX, MIN)
        assert best == tuple(
            child for child in tree.children[node] if choosing and exact[child] == exact[node]
        )


@given(trees(seats=3, payoffs=TIED, chance=True))
def test_best_moves_of_several_players(tree: Tree) -> None:
    """A player's best moves are all that maximise its component; the value comes from the leftmost."""
    exact = maxn(tree)
    for node, best in enumerate(best_children(tree, exact)):
        player = tree.players[node]
        if player is None or player is CHANCE:
            assert best == ()
            continue
        own = {child: exact[child][player.seat] for child in tree.children[node]}
        assert best == tuple(child for child in own if own[child] == max(own.values()))
        assert exact[node] == exact[best[0]]


@given(trees(payoffs=TIED))
def test_best_play_keeps_the_value(tree: Tree) -> None:
    """Every line of best play goes from the root to a leaf, and all its nodes have the root's value."""
    solution = solve(tree, Rules())
    assert solution.principal_variations
    assert len(set(solution.principal_variations)) == len(solution.principal_variations) <= 100
    for line in solution.principal_variations:
        assert line[0] == 0
        assert all(tree.parents[child] == node for node, child in pairwise(line))
        assert tree.players[line[-1]] is None
        assert {solution.values[node] for node in line} == {solution.values[0]}


def test_lines_of_best_play_are_capped() -> None:
    """A tree of ties has more lines of best play than anybody reads; the leftmost hundred are reported."""
    tree = build_tree((MAX, [(MIN, [0] * 20)] * 20))
    lines = solve(tree, Rules()).principal_variations
    assert len(lines) == 100
    assert lines[0] == (0, 1, 2)
    assert lines == tuple(sorted(lines))
    assert principal_variations(best_children(tree, minimax(tree)), 2) == lines[:2]


def test_lines_of_best_play_end_at_chance() -> None:
    """A line of best play ends at a chance node."""
    tree = build_tree((MAX, [(CHANCE, [(MAX, [1, 4]), 4]), 2]))
    assert solve(tree, Rules()).principal_variations == ((0, 1),)


def test_alphabeta_shows_false_ties() -> None:
    """A cut node may return the value of its best sibling; optimal moves come from exact values only."""
    tree = build_tree((MAX, [(MIN, [3, 5]), (MIN, [3, 2])]))
    returned = value_test(tree, Rules()).returned
    assert returned[1] == returned[4] == 3
    assert solve(tree, Rules()).best[0] == (1,)


def test_maxn_ties_go_to_the_leftmost() -> None:
    """With equal components the leftmost child gives the vector, and every such child is a best move."""
    tree = build_tree((Player.P1, [(Player.P2, [(1, 2, 6), (4, 3, 2)]), (4, 0, 9), (3, 9, 9)]))
    solution = solve(tree, Rules())
    assert solution.values[0] == (4, 3, 2)
    assert solution.best[0] == (1, 4)
    assert solution.search is None
    assert solution.variants is None


def test_maxn_of_nine_players() -> None:
    """Nine players each take their own component."""
    tree = build_tree((Player.P9, [tuple(range(9)), tuple(range(8, -1, -1))]))
    assert maxn(tree)[0] == tuple(range(9))


def test_maxn_averages_over_chance() -> None:
    """A chance node in a game of several players is worth the mean vector."""
    tree = build_tree((Player.P2, [(CHANCE, [(1, 2), (2, 5)]), (9, 3)]))
    assert maxn(tree)[:2] == ((Fraction(3, 2), Fraction(7, 2)),) * 2


@pytest.mark.parametrize(
    ("solver", "tree", "why"),
    [
        (minimax, build_tree((CHANCE, [1, 2])), "MAX and MIN only"),
        (minimax, build_tree((Player.P1, [1, 2])), "MAX and MIN only"),
        (expectiminimax, build_tree((Player.P1, [1, 2])), "max\\^n"),
        (minimax, build_tree((MAX, [(1, 2)])), "max\\^n"),
        (maxn, build_tree((MAX, [(1, 2)])), "no component"),
        (maxn, build_tree((Player.P3, [(1, 2)])), "no component"),
        (maxn, build_tree((Player.P1, [1])), "not a vector"),
        (maxn_level_by_level, build_tree((MAX, [(1, 2)])), "no component"),
        (maxn_level_by_level, build_tree((Player.P3, [(1, 2)])), "no component"),
        (lambda tree: guaranteed_value(tree, Player.P1, {}), build_tree((Player.P1, [1])), "max\\^n"),
        (lambda tree: value_at(tree, 0), build_tree((MAX, [1])), "is not a leaf"),
        (expectiminimax, replace(build_tree((CHANCE, [1])), probabilities=(None, None)), "no probability"),
    ],
)
def test_solvers_refuse_what_is_not_theirs(solver: object, tree: Tree, why: str) -> None:
    """A solver refuses games that it does not apply to."""
    with pytest.raises(Unsolvable, match=why):
        solver(tree)


@pytest.mark.parametrize(
    ("solver", "tree"),
    [
        (minimax, build_tree((MAX, [1, "x"]))),
        (expectiminimax, build_tree((CHANCE, [1, "x"]))),
        (maxn, build_tree((Player.P1, [(1, 2), "x"]))),
    ],
)
def test_exact_solvers_name_an_unknown_payoff(solver: object, tree: Tree) -> None:
    """A solver of exact values names the leaf whose payoff is unknown."""
    with pytest.raises(UnknownPayoff, match=r"payoff x .* leaf 2") as unknown:
        solver(tree)
    assert unknown.value.leaf == tree.leaves[1]
