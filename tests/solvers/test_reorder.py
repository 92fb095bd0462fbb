"""Orders of children, against searches of every order there is."""

from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.solvers.alphabeta import value_test
from grader.solvers.minimax import minimax
from grader.solvers.move_ordering import (
    MAX_REORDERED_CHILDREN,
    best_first_orders,
    best_ordering,
    fewest_leaves,
    mirrored_orders,
    ordering_by_permutations,
    orders_by_score,
    reorder_children,
    uniform_shape,
    worst_ordering,
)
from grader.solvers.solvable import Unsolvable
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Order, Rules
from grader.trees.tree import Player, Tree
from tests.solvers.transformations import uniform
from tests.strategies import TIED, trees
from tests.test_bank import BANK, tree_in


def leaves_visited(tree: Tree, rules: Rules) -> int:
    """How many leaves the search visits."""
    search = value_test(tree, rules, traced=False)
    return sum(search.visited[leaf] for leaf in tree.leaves)


def every_order(tree: Tree, rules: Rules) -> list[int]:
    """The leaves visited in every order of the children of every node."""
    choices = [permutations(tree.children[node]) for node in tree.internal]
    return [
        leaves_visited(reorder_children(tree, dict(zip(tree.internal, orders, strict=True))).tree, rules)
        for orders in product(*choices)
    ]


SMALL = trees(plies=4, branching=3, leaves=7, payoffs=TIED).filter(
    lambda tree: sum(len(tree.children[node]) > 1 for node in tree.internal) <= 5
)
RULES = st.builds(
    Rules,
    order=st.sampled_from(("left-to-right", "right-to-left")),
    ties=st.sampled_from(("cut", "keep")),
)


@given(SMALL, RULES)
def test_no_order_is_better_or_worse(tree: Tree, rules: Rules) -> None:
    """The best of all orders visits the fewest leaves and the worst the most; their shares are exact."""
    counts = every_order(tree, rules)
    for found, wanted in (
        (best_ordering(tree, rules), min(counts)),
        (ordering_by_permutations(tree, rules, 1), min(counts)),
        (worst_ordering(tree, rules), max(counts)),
        (ordering_by_permutations(tree, rules, -1), max(counts)),
    ):
        assert found.visited == wanted
        assert found.share == Fraction(counts.count(wanted), len(counts))
        assert leaves_visited(reorder_children(tree, dict(enumerate(found.orders))).tree, rules) == wanted


@given(trees(plies=4, payoffs=TIED), RULES)
def test_reordering_keeps_the_game(tree: Tree, rules: Rules) -> None:
    """Reordering keeps the value of every node, and mirroring twice gives the same tree."""
    changed = reorder_children(tree, dict(enumerate(best_first_orders(tree, rules.order))))
    assert [minimax(tree)[node] for node in changed.nodes] == list(minimax(changed.tree))
    back = reorder_children(tree, dict(enumerate(mirrored_orders(tree)))).tree
    assert reorder_children(back, dict(enumerate(mirrored_orders(back)))).tree == tree
    assert leaves_visited(back, rules.with_other_order()) == leaves_visited(tree, rules)


@given(trees(plies=4, payoffs=TIED), RULES)
def test_the_order_at_hand_is_between(tree: Tree, rules: Rules) -> None:
    """The given order visits at least as many leaves as the best order, at most as many as the worst."""
    best, worst = best_ordering(tree, rules), worst_ordering(tree, rules)
    assert best.visited <= leaves_visited(tree, rules) <= worst.visited


@given(trees(plies=3, payoffs=TIED), st.sampled_from(("left-to-right", "right-to-left")), st.data())
def test_sorting_by_scores(tree: Tree, order: Order, data: st.DataObject) -> None:
    """Children are sorted by score for the moving player, then by place; those without a score come last."""
    scores = data.draw(st.lists(st.none() | st.integers(0, 3), min_size=len(tree), max_size=len(tree)))
    way = 1 if order == "left-to-right" else -1
    changed = orders_by_score(tree, order, tree.children, scores)
    for node in tree.internal:
        worth = 1 if tree.players[node] is Player.MIN else -1
        ranks = [
            (scores[child] is None, worth * (scores[child] or 0), way * child)
            for child in changed[node][::way]
        ]
        assert ranks == sorted(ranks)


@given(trees(plies=4, payoffs=st.just(0)), RULES)
def test_orders_of_equal_leaves(tree: Tree, rules: Rules) -> None:
    """If all leaves are equal, `keep` never cuts in any order."""
    counts = {found.visited for found in (best_ordering(tree, rules), worst_ordering(tree, rules))}
    if rules.ties == "keep":
        assert counts == {len(tree.leaves)}
    assert min(counts) <= leaves_visited(tree, rules) <= max(counts)


def test_best_first_is_not_always_best() -> None:
    """MAX (5 MIN (MAX (0 1 0.5) 3)) visits 4 leaves best first, and 2 when 3 comes first."""
    tree = tree_of("MAX (5 MIN (MAX (0 1 0.5) 3))")
    rules = Rules()
    assert (
        leaves_visited(
            reorder_children(tree, dict(enumerate(best_first_orders(tree, rules.order)))).tree, rules
        )
        == 4
    )
    best = best_ordering(tree, rules)
    assert best.visited == 2
    assert leaves_visited(reorder_children(tree, dict(enumerate(best.orders))).tree, rules) == 2


@pytest.mark.parametrize(("branching", "depth"), [(2, 1), (2, 3), (2, 4), (3, 2), (3, 3), (2, 5)])
def test_uniform_trees(branching: int, depth: int) -> None:
    """On uniform trees best first visits the fewest leaves of all: b^⌈d/2⌉ + b^⌊d/2⌋ − 1."""
    tree = uniform(branching, depth, lambda place: place * 7919 % 1009)
    rules = Rules()
    first = reorder_children(tree, dict(enumerate(best_first_orders(tree, rules.order)))).tree
    assert uniform_shape(tree) == (branching, depth)
    assert best_ordering(tree, rules).visited == fewest_leaves(branching, depth)
    assert leaves_visited(first, rules) == fewest_leaves(branching, depth)


def test_published_orders() -> None:
    """The bank's best and worst orders of 27 and of 8 leaves are the best and the worst there are."""
    for best, worst in (("perfect-order", "worst-order"), ("good-order-of-eight", "bad-order-of-eight")):
        good, bad = tree_in(BANK / f"{best}.tree"), tree_in(BANK / f"{worst}.tree")
        assert best_ordering(bad, Rules()).visited == leaves_visited(good, Rules())
        assert worst_ordering(good, Rules()).visited == leaves_visited(bad, Rules()) == len(bad.leaves)


def test_refusals() -> None:
    """Chance nodes, too many children and orders of other nodes are refused."""
    with pytest.raises(Unsolvable):
        best_ordering(tree_of("MAX (CHANCE (1 2) 3)"), Rules())
    with pytest.raises(Unsolvable):
        best_ordering(tree_of("P1 (<1, 2> <3, 4>)"), Rules())
    widest = tree_of(f"MAX ({' '.join(map(str, range(MAX_REORDERED_CHILDREN)))})")
    assert best_ordering(widest, Rules()).visited == MAX_REORDERED_CHILDREN
    with pytest.raises(Unsolvable, match="more than 10 children"):
        best_ordering(tree_of(f"MAX ({' '.join(map(str, range(MAX_REORDERED_CHILDREN + 1)))})"), Rules())
    with pytest.raises(ValueError, match="each once"):
        reorder_children(tree_of("MAX (1 2)"), {0: (1, 1)})
    assert uniform_shape(tree_of("MAX (1 MIN (2 3))")) is None
