"""Max^n with ties: all tie-breaks as the oracle."""

from fractions import Fraction
from itertools import product
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.solvers import maxn_ties
from grader.solvers.maxn import maxn, maxn_level_by_level
from grader.solvers.maxn_ties import all_vectors, all_vectors_by_choices, values_reaching
from grader.solvers.solvable import Unsolvable
from grader.trees.notation.reading import tree_of
from grader.trees.tree import Player, Tree
from tests.solvers.test_values import MAX, build_tree
from tests.strategies import trees


def by_every_tie_break(tree: Tree) -> set[tuple]:
    """The root's vectors when at each node any of the best children is taken, node by node."""

    def possible(node: int) -> set[tuple]:
        if not tree.children[node]:
            return {tuple(map(Fraction, tree.payoffs[node]))}
        found = set()
        for below in product(*(sorted(possible(child)) for child in tree.children[node])):
            if tree.players[node] is Player.CHANCE:
                shares = [tree.probabilities[child] for child in tree.children[node]]
                found.add(
                    tuple(
                        sum((share * part for share, part in zip(shares, parts, strict=True)), Fraction(0))
                        for parts in zip(*below, strict=True)
                    )
                )
                continue
            seat = int(tree.players[node][1]) - 1
            best = max(vector[seat] for vector in below)
            found |= {vector for vector in below if vector[seat] == best}
        return found

    return possible(0)


@given(trees(plies=4, branching=2, leaves=8, seats=3, chance=True, payoffs=st.integers(0, 2)))
def test_exactly_what_ties_allow(tree: Tree) -> None:
    """The vectors of the root are those of all ways to break ties; the leftmost way is one of them."""
    if not tree.seats:
        return
    found = all_vectors(tree)
    assert all_vectors_by_choices(tree) == found[0]
    assert maxn_level_by_level(tree) == maxn(tree)[0]
    assert {tuple(map(Fraction, vector)) for vector in found[0]} == by_every_tie_break(tree)
    for node, vector in enumerate(maxn(tree)):
        assert vector in found[node]


@given(trees(plies=4, branching=2, leaves=8, seats=3, chance=True, payoffs=st.integers(0, 2)))
def test_every_vector_comes_of_some_play(tree: Tree) -> None:
    """For every vector of the root there is a play in which everybody makes one of the best moves."""
    if not tree.seats:
        return
    for vector in all_vectors(tree)[0]:
        values = values_reaching(tree, vector)
        assert values[0] == vector
        for node, player in enumerate(tree.players):
            below = [values[child] for child in tree.children[node]]
            if player is None:
                assert values[node] == tree.payoffs[node]
            elif player is Player.CHANCE:
                shares = [Fraction(tree.probabilities[child] or 0) for child in tree.children[node]]
                means = (sum(map(mul, shares, column)) for column in zip(*below, strict=True))
                assert values[node] == tuple(means)
            else:
                assert player.seat is not None
                assert values[node] in below
                assert values[node][player.seat] == max(each[player.seat] for each in below)


def test_a_tie_that_matters() -> None:
    """P2 is indifferent, and what P2 does decides what P1 gets."""
    tree = tree_of("P1 (P2 A (<1, 5> <4, 5>) P2 B (<3, 2> <9, 1>))")
    assert maxn(tree)[0] == (3, 2)
    assert all_vectors(tree)[0] == {(3, 2), (4, 5)}


def test_general_sum_with_two_players() -> None:
    """With independent utilities both may gain: cooperation, not zero-sum."""
    tree = tree_of("P1 (P2 (<3, 3> <0, 2>) P2 (<2, 0> <1, 1>))")
    assert maxn(tree)[0] == (3, 3)
    assert len(all_vectors(tree)[0]) == 1


def test_too_many_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many vectors as the limit allows are returned; one more is refused."""
    tree = tree_of("CHANCE (P1 (<1, 2> <1, 3>) P1 (<0, 2> <0, 5>))")
    monkeypatch.setattr(maxn_ties, "MAX_VECTORS_PER_NODE", 4)
    assert len(all_vectors(tree)[0]) == 4
    monkeypatch.setattr(maxn_ties, "MAX_VECTORS_PER_NODE", 3)
    with pytest.raises(Unsolvable, match="more than 3 vectors"):
        all_vectors(tree)
    with pytest.raises(Unsolvable, match="more than 3 vectors"):
        all_vectors_by_choices(tree_of("P1 (P2 (<1, 2> <4, 2>) P2 (<3, 2> <0, 2>))"))


def test_refusals() -> None:
    """Two-player trees, vectors for MAX, and a vector that ties do not allow are refused."""
    for solver in (all_vectors, all_vectors_by_choices):
        with pytest.raises(Unsolvable, match="a payoff for each player"):
            solver(tree_of("MAX (1 2)"))
    with pytest.raises(Unsolvable, match="MAX moves at root and has no component"):
        all_vectors(build_tree((MAX, [(1, 2), (3, 4)])))
    with pytest.raises(Unsolvable, match="do not allow"):
        values_reaching(tree_of("P1 (<1, 2> <3, 4>)"), (1, 2))
