"""The second algorithms for unknowns, orders and patterns agree with the first ones."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.base.intervals import Span, contains, intersection, union
from grader.base.numbers import INFINITY, normalize_number
from grader.solvers.budget import Model, depth_reached, rounded_depth
from grader.solvers.budget_by_logarithms import depth_by_logarithms, nearest_by_logarithms
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.limited_decisions import search_with_bounds, visited_with_bounds
from grader.solvers.maxn import maxn
from grader.solvers.maxn_cuts import can_be_pruned, can_be_pruned_by_trial, possible_root_values
from grader.solvers.minimax import minimax
from grader.solvers.move_ordering import best_ordering, ordering_by_permutations, worst_ordering
from grader.solvers.pattern_search import can_prune_pattern
from grader.solvers.piecewise import numbers_that_prune, values_as_functions
from grader.solvers.pruning_pattern import Infeasible, payoffs_for_pattern
from grader.solvers.search_choice import search
from grader.solvers.solvable import Unsolvable, number_at
from grader.solvers.sweep import sweep
from grader.solvers.trial_numbers import spans_by_trial, substitute_unknowns
from grader.solvers.unknown_payoff import Unknown, pruned_when
from grader.solvers.visited_nodes import pruned_branches
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.strategies import TIED, random_tree, rules, trees

BOUNDS = (-2, 3)
THREE = (Player.P1, Player.P2, Player.P3)


@st.composite
def with_x(draw: st.DrawFn, chance: bool) -> Tree:
    """Draw a small tree in which x is the payoff of one leaf or of two."""
    tree = draw(trees(plies=4, leaves=9, chance=chance, payoffs=TIED))
    row = [tree.payoffs[leaf] for leaf in tree.leaves]
    for _ in range(draw(st.integers(1, 2))):
        row[draw(st.integers(0, len(row) - 1))] = "x"
    return tree.with_payoffs(tuple(0 if payoff is None else payoff for payoff in row))


@settings(deadline=None)
@given(with_x(chance=True), st.booleans(), st.sampled_from(("cut", "keep")))
def test_windows_with_corners(tree: Tree, bounded: bool, ties: str) -> None:
    """Following ancestors upwards and searching with lines give the same sets of x."""
    convention = Rules(ties="keep" if ties == "keep" else "cut", bounds=BOUNDS if bounded else None)
    inside = union((Span(-2, True, 3, True),))
    for node in range(len(tree)):
        found = numbers_that_prune(tree, convention, "x", node)
        if bounded:
            found = intersection(found, inside)
        assert found == pruned_when(Unknown(tree, "x"), convention, node)


@given(with_x(chance=True), st.lists(st.fractions(-6, 6, max_denominator=9), min_size=3, max_size=3))
def test_values_with_corners(tree: Tree, numbers: list[Fraction]) -> None:
    """The value as a function of x is, at every number, the value of the tree with that number for x."""
    values = values_as_functions(tree, "x")
    for number in map(normalize_number, numbers):
        known = expectiminimax(substitute_unknowns(tree, {"x": number}))
        assert tuple(value.value_at(number) for value in values) == known


@given(with_x(chance=False), rules(), st.fractions(-6, 6, max_denominator=9))
def test_numbers_that_are_tried(tree: Tree, convention: Rules, number: Fraction) -> None:
    """The spans found by trying some numbers hold for any other number."""
    for node in range(len(tree)):

        def never(tried: Tree, node: int = node) -> bool:
            return not search(tried, convention, traced=False).visited[node]

        spans = spans_by_trial(tree, "x", never)
        assert contains(spans, normalize_number(number)) == never(
            substitute_unknowns(tree, {"x": normalize_number(number)})
        )


@pytest.mark.parametrize(
    "span",
    [
        *(Span(-INFINITY, False, 1, False), Span(1, True, 1, True), Span(1, False, 3, False)),
        *(Span(3, True, 3, True), Span(3, False, INFINITY, False)),
    ],
)
def test_one_number_of_every_span_is_tried(span: Span) -> None:
    """Below the least payoff, at each, between two and above the greatest, only that span is found."""
    tree = tree_of("MAX (1 MIN (x 3))")
    assert spans_by_trial(tree, "x", lambda tried: contains((span,), number_at(tried, 3))) == (span,)


@given(trees(plies=4, leaves=9, payoffs=TIED), rules())
@example(tree_of("MAX (1 MIN (1 MAX (2 0)))"), Rules(ties="keep"))
def test_every_order_of_each_node(tree: Tree, convention: Rules) -> None:
    """Going through the orders of each node finds the same orders as going through sets of its children."""
    assert ordering_by_permutations(tree, convention, 1) == best_ordering(tree, convention)
    assert ordering_by_permutations(tree, convention, -1) == worst_ordering(tree, convention)


def test_searches_that_are_played() -> None:
    """A pattern can be played exactly when payoffs are found for it."""
    random = Random(5)
    outcomes = set()
    for turn in range(150):
        tree = random_tree(random, plies=4, leaves=8)
        convention = Rules(random.choice(("left-to-right", "right-to-left")))
        crossed = set(pruned_branches(tree, sweep(tree, convention).visited))
        if turn % 3 and len(tree) > 1:
            crossed ^= {random.randrange(1, len(tree))}
        tops = frozenset(node for node in crossed if not crossed & set(tree.ancestors(node)))
        possible = not isinstance(payoffs_for_pattern(tree, convention.order, tops), Infeasible)
        assert can_prune_pattern(tree, convention.order, tops) == possible
        outcomes.add(possible)
    assert outcomes == {True, False}


@given(st.data())
def test_bounds_known_at_nodes(data: st.DataObject) -> None:
    """The nodes that a search with known bounds visits follow from exact values, ties included."""
    tree = data.draw(trees(plies=4, leaves=10, payoffs=TIED))
    convention = Rules(ties=data.draw(st.sampled_from(("cut", "keep"))))
    values = minimax(tree)
    known = {
        node: (values[node] - data.draw(st.integers(0, 1)), values[node] + data.draw(st.integers(0, 1)))
        for node in data.draw(st.sets(st.sampled_from(range(len(tree)))))
    }
    assert visited_with_bounds(tree, convention, known) == search_with_bounds(tree, convention, known).visited


def test_what_may_be_cut_of_three_players() -> None:
    """A branch may be cut in max^n exactly when no vector of quarters below it changes the root."""
    random, told = Random(7), 0
    for turn in range(60):
        tree = random_tree(random, plies=4, leaves=8)
        tree = tree.with_players(
            tuple(None if player is None else random.choice(THREE) for player in tree.players)
        )
        total = 1 + turn % 4
        rows = []
        for _ in tree.leaves:
            first = random.randint(0, total)
            second = random.randint(0, total - first)
            rows.append((first, second, total - first - second))
        tree = tree.with_payoffs(tuple(rows))
        for branch in range(1, len(tree)):
            assert can_be_pruned(tree, branch, total) == can_be_pruned_by_trial(tree, branch, total)
            found, another = possible_root_values(tree, branch, total)
            if another is not None:
                told += 1
                assert (min(another) >= 0, sum(another), another in found) == (True, total, False)
                inside = [leaf for leaf in tree.leaves if branch in (leaf, *tree.ancestors(leaf))]
                there = tuple(
                    another if node in inside else payoff for node, payoff in enumerate(tree.payoffs)
                )
                assert maxn(tree.with_column(there))[0] == another
    assert told > 100


@pytest.mark.parametrize("total", [1, 2])
def test_what_the_root_comes_to(total: int) -> None:
    """For every whole vector at a branch, the root has this vector or one of the reported ones."""
    random = Random(total)
    rows = [
        (first, second, total - first - second)
        for first in range(total + 1)
        for second in range(total + 1 - first)
    ]
    for _ in range(60):
        tree = random_tree(random, plies=3, leaves=7)
        players = tuple(None if player is None else random.choice(THREE) for player in tree.players)
        tree = tree.with_players(players).with_payoffs(tuple(random.choice(rows) for _ in tree.leaves))
        for branch in range(1, len(tree)):
            found, another = possible_root_values(tree, branch, total)
            for vector in rows:
                column = list(tree.payoffs)
                for leaf in tree.leaves_below(branch):
                    column[leaf] = vector
                root = maxn(tree.with_column(tuple(column)))[0]
                assert root in found or (another is not None and root == vector)


@pytest.mark.parametrize("turn", range(3))
def test_one_vector_alone_comes_to_the_root(turn: int) -> None:
    """Only one vector below B is chosen by both movers, for all assignments of the three players."""

    def turned(*vector: int) -> tuple[int, ...]:
        return (*vector[-turn:], *vector[:-turn]) if turn else vector

    tree = tree_of("P1 A (P2 B (<2, 0, 0> <0, 1, 1>) <1, 0, 1>)")
    players = tuple(player and THREE[(THREE.index(player) + turn) % 3] for player in tree.players)
    rows = (turned(2, 0, 0), turned(0, 1, 1), turned(1, 0, 1))
    tree = tree.with_players(players).with_payoffs(rows)
    assert possible_root_values(tree, 2, 2) == ({turned(1, 1, 0), turned(1, 0, 1)}, None)
    assert not can_be_pruned(tree, 2, 2)
    assert not can_be_pruned_by_trial(tree, 2, 2)


@pytest.mark.parametrize("text", ["MAX (3 MIN (2 4))", "P1 (CHANCE (<1, 2> <2, 1>) <0, 3>)"])
def test_cuts_of_several_players_need_several_players(text: str) -> None:
    """Whether a branch may be cut in max^n is asked of games of several players without chance."""
    with pytest.raises(Unsolvable):
        can_be_pruned(tree_of(text), 1, 3)


@given(st.integers(2, 40), st.integers(1, 12), st.integers(-1, 1))
def test_depths_by_logarithms(branching: int, depth: int, more: int) -> None:
    """Logarithms give the right depth at a power, and one node below and above it."""
    nodes = branching**depth + more
    for model in Model:
        assert depth_by_logarithms(nodes, branching, model) == depth_reached(nodes, branching, model)
    for model in (Model.MINIMAX, Model.HALF_DEPTH):
        assert nearest_by_logarithms(nodes, branching, model) == rounded_depth(nodes, branching, model)
