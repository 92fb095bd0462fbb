"""Star1 in whole numbers against Star1 in fractions, as the article prints it."""

from fractions import Fraction
from operator import ge, gt, le, lt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.base.numbers import INFINITY, Bound, Number, normalize_number
from grader.solvers.chance_weights import MAX_SCALE, ChanceWeights
from grader.solvers.expectiminimax import probability
from grader.solvers.solvable import number_at
from grader.solvers.star1 import star1
from grader.solvers.trace import Recorder, Search
from grader.trees.notation.parsing import parse_tree
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from tests.strategies import random_tree, rules, trees


def star1_in_fractions(tree: Tree, rules: Rules) -> Search:
    """The search with a window in the numbers of the tree, divided by the share of each child."""
    low: Bound
    high: Bound
    low, high = (-INFINITY, INFINITY) if rules.bounds is None else rules.bounds
    reaches, falls_to = (ge, le) if rules.ties == "cut" else (gt, lt)
    hard = rules.returns == "hard"
    record = Recorder(tree, traced=True)

    def visit(node: int, alpha: Bound, beta: Bound) -> Bound:
        record.enter(node, alpha, beta)
        player = tree.players[node]
        value: Bound
        if player is None:
            value = number_at(tree, node)
        elif reaches(alpha, beta):
            # Only the root can be entered like this: both bounds are the same, so every value is known.
            value = alpha
            record.cut(node, node, value, alpha, beta, tree.visiting(node, rules.order))
        elif player is Player.MAX:
            value = max_value(node, alpha, beta)
        elif player is Player.MIN:
            value = min_value(node, alpha, beta)
        else:
            value = chance_value(node, alpha, beta)
        record.leave(node, value)
        return value

    def max_value(node: int, alpha: Bound, beta: Bound) -> Bound:
        value: Bound = -INFINITY
        children = tree.visiting(node, rules.order)
        for place, child in enumerate(children):
            value = max(value, visit(child, alpha, beta))
            if reaches(value, beta):
                record.cut(node, child, value, alpha, beta, children[place + 1 :])
                return beta if hard else value
            if value > alpha:
                alpha = value
                record.update(node, child, "alpha", alpha)
        return value

    def min_value(node: int, alpha: Bound, beta: Bound) -> Bound:
        value: Bound = INFINITY
        children = tree.visiting(node, rules.order)
        for place, child in enumerate(children):
            value = min(value, visit(child, alpha, beta))
            if falls_to(value, alpha):
                record.cut(node, child, value, alpha, beta, children[place + 1 :])
                return alpha if hard else value
            if value < beta:
                beta = value
                record.update(node, child, "beta", beta)
        return value

    def chance_value(node: int, alpha: Bound, beta: Bound) -> Bound:
        children = tree.visiting(node, rules.order)
        total: Number = 0
        remaining = sum(probability(tree, child) for child in children)
        latest, after = node, 0
        for place, child in enumerate(children):
            share = probability(tree, child)
            if share == 0:
                continue
            ceiling = reach(total, high, remaining)
            if falls_to(ceiling, alpha):
                record.cut(node, latest, ceiling, alpha, beta, children[after:])
                return alpha if hard else ceiling
            floor = reach(total, low, remaining)
            if reaches(floor, beta):
                record.cut(node, latest, floor, alpha, beta, children[after:])
                return beta if hard else floor
            remaining = normalize_number(remaining - share)
            value = visit(
                child,
                max(low, needed(alpha, reach(total, high, remaining), share)),
                min(high, needed(beta, reach(total, low, remaining), share)),
            )
            total = normalize_number(total + share * value)
            record.gather(node, child, total, remaining)
            latest, after = child, place + 1
        return total

    visit(0, low, high)
    return record.search()


def reach(total: Number, limit: Bound, remaining: Number) -> Bound:
    """The expectation when all outcomes still to come are worth `limit`; infinity times zero is zero."""
    if remaining == 0:
        return total
    return limit if isinstance(limit, float) else normalize_number(total + limit * remaining)


def needed(bound: Bound, elsewhere: Bound, share: Number) -> Bound:
    """What a child of probability `share` must be worth for the expectation to meet `bound`."""
    if isinstance(elsewhere, float):
        return -elsewhere
    return bound if isinstance(bound, float) else normalize_number(Fraction(bound - elsewhere) / share)


def same(tree: Tree, convention: Rules) -> bool:
    """Whether both searches are the same in every event, and in whether each number is an int."""
    plain, whole = star1_in_fractions(tree, convention), star1(tree, convention)
    return repr(plain) == repr(whole)


@given(trees(chance=True), rules(), st.booleans())
def test_whole_numbers_change_nothing(tree: Tree, convention: Rules, bounded: bool) -> None:
    """Star1 in whole numbers is Star1 in fractions, event by event, with bounds and without."""
    bounds = (Fraction(-201, 2), 100) if bounded else None
    assert same(tree, Rules(convention.order, convention.ties, returns=convention.returns, bounds=bounds))


def campaign(seed: int, count: int) -> None:
    """Compare both searches on many random trees."""
    random = Random(seed)
    pools = ((0, 1, 2, 3), tuple(range(-50, 50)), (Fraction(1, 3), Fraction(-7, 2), 1, 2))
    for _ in range(count):
        tree = random_tree(random, plies=5, leaves=12, payoffs=random.choice(pools), chance=True)
        for order in ("left-to-right", "right-to-left"):
            for ties, returns in (("cut", "soft"), ("cut", "hard"), ("keep", "soft")):
                bounds = random.choice((None, (-50, 50), (Fraction(-101, 2), 60)))
                assert same(tree, Rules(order, ties, returns=returns, bounds=bounds)), tree


def test_whole_numbers_change_nothing_on_two_hundred_trees() -> None:
    """So it is on 200 random trees with chance, in both orders, under each tie rule and kind of value."""
    campaign(1, 200)


@pytest.mark.slow
def test_whole_numbers_change_nothing_at_length() -> None:
    """So it is on 50,000 more."""
    campaign(2, 50_000)


@given(trees(chance=True, payoffs=st.integers(-9, 9)))
def test_expectations_of_whole_payoffs_are_whole(tree: Tree) -> None:
    """In the numbers of a search every expectation of whole payoffs is whole, so nothing is a fraction."""
    weighed = ChanceWeights(tree, None)
    values: dict[int, int] = {}
    for node in reversed(range(len(tree))):
        below = [values[child] for child in tree.children[node]]
        match tree.players[node]:
            case None:
                values[node] = tree.payoffs[node] * weighed.scales[node]
            case Player.CHANCE:
                values[node], rest = divmod(sum(below), weighed.wholes[node])
                assert rest == 0
            case player:
                values[node] = max(below) if player is Player.MAX else min(below)


def test_denominators_do_not_pile_up() -> None:
    """Payoffs with many different denominators do not increase the scale beyond its limit."""
    tree = random_tree(Random(7), plies=4, leaves=40, branching=4, chance=True)
    payoffs = tuple(Fraction(1, 10**20 + number) for number in range(len(tree.leaves)))
    assert tree.has_chance
    assert ChanceWeights(tree.with_payoffs(payoffs), None).scales[0] < MAX_SCALE * 10**21
    assert same(tree.with_payoffs(payoffs), Rules(bounds=(0, 1)))


def test_unlike_probabilities_do_not_pile_up() -> None:
    """Nor are those of ever other chance nodes: a class of such trees is searched in time."""
    chances = " ".join(f"CHANCE (1/{prime}: 1 {prime - 1}/{prime}: 2)" for prime in range(10**9, 10**9 + 60))
    tree = parse_tree(f"MAX ({chances})")
    assert ChanceWeights(tree, None).scales[0] < MAX_SCALE * 10**9
    assert same(tree, Rules(bounds=(0, 3)))


def test_weights_beyond_every_float_are_exact() -> None:
    """Without bounds, windows stay infinite below however large weights, and the value is exact."""
    text = "MAX (1 2)"
    for _ in range(60):
        text = f"CHANCE (1/1000000: 0 999999/1000000: {text})"
    tree = parse_tree(text)
    assert max(ChanceWeights(tree, None).scales) > 10**308
    assert same(tree, Rules())
    assert star1(tree, Rules()).returned[0] == 2 * Fraction(999_999, 1_000_000) ** 60
