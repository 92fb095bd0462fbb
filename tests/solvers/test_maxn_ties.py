"""Max^n with ties and cuts: all tie-breaks and random completions as oracles."""

from fractions import Fraction
from itertools import product
from operator import mul
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.solvers import maxn_ties
from grader.solvers.maxn import maxn, maxn_level_by_level
from grader.solvers.maxn_ties import all_vectors, all_vectors_by_choices, values_reaching
from grader.solvers.solvable import Unsolvable
from grader.trees.notation.reading import tree_of
from grader.trees.tree import Player, Tree
from tests.solvers.shallow_pruning import shallow
from tests.solvers.test_values import MAX, planted
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


def bounded(tree: Tree, random: Random, total: int) -> Tree:
    """The shape with payoffs that are not negative and sum to at most the total."""
    payoffs = []
    for _ in tree.leaves:
        parts, left = [], total
        for _ in range(3):
            parts.append(random.randint(0, left))
            left -= parts[-1]
        random.shuffle(parts)
        payoffs.append(tuple(parts))
    return tree.with_payoffs(tuple(payoffs))


SHAPES = trees(plies=5, leaves=14, seats=3).filter(lambda tree: tree.seats == 3)


@given(SHAPES, st.integers(0, 10**6), st.sampled_from(("left-to-right", "right-to-left")))
def test_cuts_are_sound(shape: Tree, seed: int, order: str) -> None:
    """Whatever is below the nodes it leaves out, the root is worth the same."""
    random = Random(seed)
    tree = bounded(shape, random, 6)
    done = shallow(tree, 6, 0, order)
    wanted = first_visited(tree, order)
    assert done.values[0] == wanted
    for node in tree.internal:
        if done.visited[node]:
            left_early = not all(done.visited[child] for child in tree.children[node])
            assert left_early == (done.cut_by[node] is not None)
            known = first_visited(tree, order, node) if done.cut_by[node] in (None, node) else None
            assert done.values[node] == known
    for _ in range(10):
        other = bounded(shape, random, 6)
        mixed = tree.with_payoffs(
            tuple((tree if done.visited[leaf] else other).payoffs[leaf] for leaf in tree.leaves)
        )
        assert first_visited(mixed, order) == wanted


@given(SHAPES, st.integers(0, 10**6), st.integers(-3, 3))
def test_only_what_is_above_the_least_counts(shape: Tree, seed: int, shift: int) -> None:
    """As much more for everybody changes no cut, when the least there is and the total rise with it."""
    tree = bounded(shape, Random(seed), 6)
    raised = tree.with_payoffs(
        tuple(tuple(part + shift for part in tree.payoffs[leaf]) for leaf in tree.leaves)
    )
    plain, other = shallow(tree, 6), shallow(raised, 6 + 3 * shift, shift)
    assert (other.visited, other.cut_by) == (plain.visited, plain.cut_by)


def first_visited(tree: Tree, order: str, start: int = 0) -> tuple:
    """The max^n value of a node, of equal ones the first visited."""

    def value(node: int) -> tuple:
        if not tree.children[node]:
            return tree.payoffs[node]
        seat = int(tree.players[node][1]) - 1
        return max((value(child) for child in tree.visiting(node, order)), key=lambda vector: vector[seat])

    return value(start)


def test_a_shallow_cut() -> None:
    """P1 has 4 of 9; once P2 has 5 at the other node, P1 can get no more than 4 there (Korf 1991)."""
    tree = tree_of("P1 R (P2 A (<4, 3, 2> <1, 2, 6>) P2 B (<2, 5, 2> b=<3, 6, 0>))")
    done = shallow(tree, 9)
    assert not done.visited[tree.index["b"]]
    assert done.cut_by[tree.index["B"]] == 0
    assert shallow(tree, 10).visited[tree.index["b"]]


def test_an_immediate_cut() -> None:
    """Who has everything need not look further."""
    tree = tree_of("P1 R (a=<9, 0, 0> b=<1, 2, 6>)")
    done = shallow(tree, 9)
    assert done.cut_by[0] == 0
    assert not done.visited[tree.index["b"]]


def test_too_many_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where ties allow as many vectors as are worked out they are; where they allow more they are not."""
    tree = tree_of("CHANCE (P1 (<1, 2> <1, 3>) P1 (<0, 2> <0, 5>))")
    monkeypatch.setattr(maxn_ties, "MAX_VECTORS_PER_NODE", 4)
    assert len(all_vectors(tree)[0]) == 4
    monkeypatch.setattr(maxn_ties, "MAX_VECTORS_PER_NODE", 3)
    with pytest.raises(Unsolvable, match="more than 3 vectors"):
        all_vectors(tree)
    with pytest.raises(Unsolvable, match="more than 3 vectors"):
        all_vectors_by_choices(tree_of("P1 (P2 (<1, 2> <4, 2>) P2 (<3, 2> <0, 2>))"))


def test_refusals() -> None:
    """Two-player trees, chance where cuts are asked for, and payoffs beyond the bounds are refused."""
    for solver in (all_vectors, all_vectors_by_choices, lambda tree: shallow(tree, 9)):
        with pytest.raises(Unsolvable, match="a payoff for each player"):
            solver(tree_of("MAX (1 2)"))
    with pytest.raises(Unsolvable, match="MAX has no component"):
        all_vectors(planted((MAX, [(1, 2), (3, 4)])))
    with pytest.raises(Unsolvable, match="do not allow"):
        values_reaching(tree_of("P1 (<1, 2> <3, 4>)"), (1, 2))
    for beyond in ("<5, 5>", "<9, -1>"):
        with pytest.raises(Unsolvable, match="beyond the bounds"):
            shallow(tree_of(f"P1 ({beyond} <1, 2>)"), 9)
    with pytest.raises(Unsolvable, match="without chance"):
        shallow(tree_of("P1 (CHANCE (<5, 4> <1, 2>) <1, 1>)"), 9)
