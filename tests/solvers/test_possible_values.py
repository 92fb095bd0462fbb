"""The possible values of nodes during a search, and the older form of alpha-beta."""

from itertools import groupby, pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.base.numbers import INFINITY
from grader.solvers.alphabeta import value_test
from grader.solvers.intervals_by_leaf import IntervalsAfterLeaf, interval_by_folding, intervals_by_leaf
from grader.solvers.provisional_values import provisional_search
from grader.solvers.search_choice import search
from grader.solvers.solvable import Unsolvable
from grader.solvers.value_intervals import Interval
from grader.solvers.values import values
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.solvers.test_values import MAX, TEXTBOOK, build_tree
from tests.strategies import TIED, rules, trees


def ranges_of(seen: tuple[IntervalsAfterLeaf, ...], node: int) -> tuple[Interval, ...]:
    """The different ranges of one node in the order in which they came, each once."""
    return tuple(found for found, _ in groupby(step.intervals[node] for step in seen))


def test_the_textbook_ranges() -> None:
    """The ranges of 3 12 8 / 2 4 6 / 14 5 2 (Russell and Norvig, fig. 5.5; CMSC 421, slides 27 to 35)."""
    seen = intervals_by_leaf(TEXTBOOK, Rules())
    root = [(-INFINITY, INFINITY), (3, INFINITY), (3, 14), (3, 5), (3, 3)]
    assert list(ranges_of(seen, 0)) == root
    assert ranges_of(seen, 1) == ((-INFINITY, INFINITY), (-INFINITY, 3), (3, 3))
    assert ranges_of(seen, 5) == ((-INFINITY, INFINITY), (-INFINITY, 2))
    assert ranges_of(seen, 9)[1:] == ((-INFINITY, 14), (-INFINITY, 5), (2, 2))
    assert [TEXTBOOK.payoffs[step.leaf] for step in seen[1:]] == [3, 12, 8, 2, 14, 5, 2]


@settings(deadline=None)
@given(trees(plies=4, leaves=10, chance=True, payoffs=TIED), rules())
def test_ranges_only_narrow(tree: Tree, convention: Rules) -> None:
    """Each visited leaf narrows the ranges; they contain the values, and the last one is that of the root."""
    seen = intervals_by_leaf(tree, convention)
    assert len(seen) == 1 + sum(search(tree, convention).visited[leaf] for leaf in tree.leaves)
    exact = values(tree)
    for before, after in pairwise(seen):
        for node, ((low, high), (lower, higher)) in enumerate(
            zip(after.intervals, before.intervals, strict=True)
        ):
            assert lower <= low <= exact[node] <= high <= higher
    if not tree.has_chance:
        assert seen[-1].intervals[0] == (exact[0], exact[0])


@settings(deadline=None)
@given(trees(plies=4, leaves=10, chance=True, payoffs=TIED), rules())
@example(tree_of("CHANCE A (0: 5, 1/2: 3, 1/2: MIN B (1 2))"), Rules())
def test_ranges_are_those_of_the_extreme_payoffs(tree: Tree, convention: Rules) -> None:
    """The ends of each range are the values with every unvisited leaf at one extreme."""
    visited = set[int]()
    for step in intervals_by_leaf(tree, convention):
        visited |= set() if step.leaf is None else {step.leaf}
        for node, between in enumerate(step.intervals):
            assert interval_by_folding(tree, node, visited, convention.bounds) == between


@settings(deadline=None)
@given(trees(plies=3, leaves=6, payoffs=st.integers(-1, 1), unary=False))
def test_both_ends_are_reached(tree: Tree) -> None:
    """Within bounds both ends of the root's range are values of the root for some unseen leaves."""
    seen = intervals_by_leaf(tree, Rules(bounds=(-1, 1)))
    known: dict[int, int] = {}
    for step in seen:
        if step.leaf is not None:
            known[step.leaf] = tree.payoffs[step.leaf]
        found = [
            values(tree.with_payoffs(tuple(known.get(leaf, end) for leaf in tree.leaves)))[0]
            for end in (-1, 1)
        ]
        assert step.intervals[0] == tuple(found)


@given(trees(plies=6, payoffs=TIED), rules())
def test_the_older_form_visits_the_same(tree: Tree, convention: Rules) -> None:
    """Comparing values with those of ancestors visits and returns the same as comparing with a window."""
    convention = Rules(order=convention.order, ties=convention.ties)
    older, newer = provisional_search(tree, convention), value_test(tree, convention)
    assert tuple(value is not None for value in older.values) == newer.visited
    assert older.values == newer.returned
    for node in tree.internal:
        stopper = older.stopped_by[node]
        if newer.visited[node] and not all(newer.visited[child] for child in tree.children[node]):
            assert stopper is not None
        if stopper is not None:
            assert stopper in set(tree.ancestors(node))
            assert {tree.players[stopper], tree.players[node]} == {Player.MAX, Player.MIN}


@pytest.mark.parametrize("player", [Player.CHANCE, Player.P2])
def test_the_older_form_is_for_two_players(player: Player) -> None:
    """Trees with chance nodes or a third player are refused."""
    with pytest.raises(Unsolvable):
        provisional_search(build_tree((MAX, [(player, [1, 2]), 3])), Rules())


def test_the_older_form_on_the_textbook_tree() -> None:
    """C is stopped with beta value 2 by the root, whose alpha value is 3 then."""
    found = provisional_search(TEXTBOOK, Rules())
    assert found.values[5] == 2
    assert found.stopped_by[5] == 0
    assert found.values[0] == 3
