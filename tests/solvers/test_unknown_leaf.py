"""Unknown payoffs: intervals whose ends z3 proves on both sides, over all real numbers."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from random import Random

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from grader.base.intervals import ALL_NUMBERS, EMPTY_SET, Span, Spans, contains, numbers_related_to, union
from grader.base.numbers import INFINITY, Number, normalize_number
from grader.solvers.search_choice import search
from grader.solvers.solvable import UnknownPayoff, Unsolvable
from grader.solvers.unknown_payoff import (
    Unknown,
    chosen_when,
    optimal_ranges,
    pruned_when,
)
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Payoff, Player, Tree
from tests.published import records
from tests.strategies import random_tree, trees

BY_ID = {record["id"]: record for record in records.RECORDS}


def leaf_of(tree: Tree, path: int) -> int:
    """The leaf with a number."""
    return tree.leaves[path - 1]


TEXTBOOK = tree_of("MAX A (MIN B (3 12 8) MIN C (2 x y) MIN D (14 5 2))")


@cache
def real(number: Number) -> z3.RatNumRef:
    """A number as z3 writes it."""
    return z3.RealVal(str(Fraction(number)))


def within(x: z3.ArithRef, spans: Spans) -> z3.BoolRef:
    """That x lies in a set of numbers."""
    parts = []
    for span in spans:
        conditions = []
        if span.low != -INFINITY:
            conditions.append(x >= real(span.low) if span.low_closed else x > real(span.low))
        if span.high != INFINITY:
            conditions.append(x <= real(span.high) if span.high_closed else x < real(span.high))
        parts.append(z3.And(*conditions))
    return z3.Or(*parts)


def formulas(tree: Tree, x: z3.ArithRef) -> list[z3.ArithRef]:
    """The exact value of every node as a formula in x."""
    values: list[z3.ArithRef] = [x] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        player = tree.players[node]
        if player is None:
            payoff = tree.payoffs[node]
            values[node] = x if isinstance(payoff, str) else real(payoff)
            continue
        below = [values[child] for child in tree.children[node]]
        if player is Player.CHANCE:
            shares = [real(tree.probabilities[child]) for child in tree.children[node]]
            values[node] = z3.Sum([share * number for share, number in zip(shares, below, strict=True)])
            continue
        best = below[0]
        for number in below[1:]:
            best = z3.If(number > best if player is Player.MAX else number < best, number, best)
        values[node] = best
    return values


def visited_formula(tree: Tree, rules: Rules, leaf: int, x: z3.ArithRef) -> z3.BoolRef:
    """Return the condition that a leaf can matter, by what its ancestors let through, as a formula in x.

    Windows are followed from the leaf upwards; None stands for an infinite end.
    """
    values = formulas(tree, x)
    low, high = (None, None) if rules.bounds is None else map(real, rules.bounds)
    lowest, highest = low, high
    closed = []
    child = leaf
    for node in tree.ancestors(leaf):
        order = tree.visiting(node, rules.order)
        place = order.index(child)
        if tree.players[node] is Player.CHANCE:
            share = real(tree.probabilities[child])
            if tree.probabilities[child] == 0:
                return z3.BoolVal(False)
            before = z3.Sum(
                [z3.RealVal(0), *(real(tree.probabilities[one]) * values[one] for one in order[:place])]
            )
            after = sum(tree.probabilities[one] for one in order[place + 1 :])
            low = _through(before, share, low, after, lowest)
            high = _through(before, share, high, after, highest)
        else:
            for elder in order[:place]:
                if tree.players[node] is Player.MAX:
                    low = values[elder] if low is None else z3.If(values[elder] > low, values[elder], low)
                else:
                    high = values[elder] if high is None else z3.If(values[elder] < high, values[elder], high)
        if low is not None and high is not None:
            closed.append(low >= high if rules.ties == "cut" else low > high)
        child = node
    return z3.Not(z3.Or(*closed))


def _through(
    before: z3.ArithRef,
    share: z3.RatNumRef,
    end: z3.ArithRef | None,
    after: Number,
    extreme: z3.RatNumRef | None,
) -> z3.ArithRef | None:
    if end is None or (after and extreme is None):
        return None
    return before + share * end + (real(after) * extreme if after else 0)


def holds_exactly(spans: Spans, domain: Spans, formula: Callable[[z3.ArithRef], z3.BoolRef]) -> bool:
    """Whether, for every real number of the domain, it is in the set exactly when the formula holds."""
    x = z3.Real("x")
    solver = z3.Solver()
    solver.add(within(x, domain), within(x, spans) != formula(x))
    answer = solver.check()
    assert answer != z3.unknown
    return answer == z3.unsat


@st.composite
def with_one_unknown(draw: st.DrawFn, chance: bool) -> Tree:
    """Return a small tree in which x is the payoff of one leaf, sometimes of two."""
    tree = draw(trees(plies=4, leaves=9, chance=chance, payoffs=st.integers(-3, 4)))
    payoffs = [tree.payoffs[leaf] for leaf in tree.leaves]
    for _ in range(draw(st.integers(1, 2))):
        payoffs[draw(st.integers(0, len(payoffs) - 1))] = "x"
    return tree.with_payoffs(tuple(payoffs))


RULES = st.builds(
    Rules,
    order=st.sampled_from(("left-to-right", "right-to-left")),
    ties=st.sampled_from(("cut", "keep")),
)


@given(with_one_unknown(chance=False), RULES)
def test_pruned_for_exactly_these(tree: Tree, rules: Rules) -> None:
    """For all real x, a leaf is in the set exactly when no completion makes the root depend on it."""
    for leaf in tree.leaves:
        spans = pruned_when(Unknown(tree, "x"), rules, leaf)
        assert holds_exactly(
            spans, ALL_NUMBERS, lambda x, leaf=leaf: z3.Not(visited_formula(tree, rules, leaf, x))
        )


@given(with_one_unknown(chance=True), RULES, st.booleans())
def test_pruned_for_exactly_these_with_chance(tree: Tree, rules: Rules, bounded: bool) -> None:
    """The same with chance nodes, with bounds and without; x keeps within the bounds."""
    bounds = (-3, 4) if bounded else None
    rules = Rules(order=rules.order, ties=rules.ties, bounds=bounds)
    if not tree.has_chance:
        rules = Rules(order=rules.order, ties=rules.ties)
    domain = ALL_NUMBERS if rules.bounds is None else union((Span(-3, True, 4, True),))
    for leaf in tree.leaves[-3:]:
        spans = pruned_when(Unknown(tree, "x"), rules, leaf)
        assert holds_exactly(
            spans, domain, lambda x, leaf=leaf: z3.Not(visited_formula(tree, rules, leaf, x))
        )


@given(with_one_unknown(chance=True), RULES, st.lists(st.fractions(-5, 5, max_denominator=12), min_size=3))
def test_pruned_as_searches_do(tree: Tree, rules: Rules, numbers: list[Fraction]) -> None:
    """With a number in place of x,, the search visits a node exactly when the number is outside the set."""
    hold_to_searches(tree, rules, (*map(normalize_number, numbers), *range(-4, 6)))


def test_pruned_as_searches_do_within_bounds() -> None:
    """The same in random trees in which chance moves, with bounds and without, up to their very ends."""
    random = Random(3)
    for place in range(40):
        tree = random_tree(random, plies=4, leaves=8, chance=True)
        payoffs: list[Payoff] = [tree.payoffs[leaf] for leaf in tree.leaves]
        payoffs[random.randrange(len(payoffs))] = "x"
        bounds = (0, 3) if place % 2 and tree.has_chance else None
        rules = Rules(random.choice(("left-to-right", "right-to-left")), bounds=bounds)
        numbers = (0, Fraction(1, 3), 1, Fraction(3, 2), 2, Fraction(14, 5), 3)
        hold_to_searches(tree.with_payoffs(tuple(payoffs)), rules, numbers)


def hold_to_searches(tree: Tree, rules: Rules, numbers: Sequence[Number]) -> None:
    """Each node is visited with a number in place of x exactly when the number is outside its set."""
    spans = [pruned_when(Unknown(tree, "x"), rules, node) for node in range(len(tree))]
    for number in numbers:
        visited = search(fill(tree, number), rules).visited
        assert visited == tuple(not contains(pruned, number) for pruned in spans)


def fill(tree: Tree, number: Number) -> Tree:
    """The tree with a number in place of x."""
    return tree.with_payoffs(
        tuple(number if tree.payoffs[leaf] == "x" else tree.payoffs[leaf] for leaf in tree.leaves)
    )


@given(with_one_unknown(chance=True))
def test_chosen_for_exactly_these(tree: Tree) -> None:
    """For all real x, a child is chosen exactly if it has the value of its parent."""
    for node in tree.internal:
        if tree.players[node] is Player.CHANCE:
            continue
        for child in tree.children[node]:
            spans = chosen_when(Unknown(tree, "x"), child)

            def chosen(x: z3.ArithRef, child: int = child, node: int = node) -> z3.BoolRef:
                values = formulas(tree, x)
                return values[child] == values[node]

            assert holds_exactly(spans, ALL_NUMBERS, chosen)


def test_the_decision_that_does_not_depend() -> None:
    """Neither x nor y matters in the textbook tree: the root is worth 3 by B (Russell and Norvig, 5.3)."""
    for name in ("x", "y"):
        asked = Unknown(TEXTBOOK, name)
        assert [decision.best for decision in optimal_ranges(asked)] == [(1,)]
        assert pruned_when(asked, Rules(), leaf_of(TEXTBOOK, 5)) == ALL_NUMBERS
        assert pruned_when(asked, Rules(), leaf_of(TEXTBOOK, 6)) == ALL_NUMBERS


def test_one_decision_depends_on_another_unknown() -> None:
    """A result that depends on another unknown is refused, and returned if that has a number."""
    node = TEXTBOOK.index["C"]
    with pytest.raises(UnknownPayoff):
        optimal_ranges(Unknown(TEXTBOOK, "x"), node)
    told = optimal_ranges(Unknown(TEXTBOOK, "x", {"y": 0}), node)
    x, y = leaf_of(TEXTBOOK, 5), leaf_of(TEXTBOOK, 6)
    assert [decision.best for decision in told] == [(x,), (x, y), (y,)]
    assert told[0].spans == (Span(-INFINITY, False, 0, False),)


def test_scissors() -> None:
    """Berkeley CS188, fall 2012, midterm 1, question 7, tree 1: no x prunes the branch."""
    tree = records.tree_of(BY_ID["cs188-fa12-mt1-q7-tree1"])
    assert pruned_when(Unknown(tree, "x"), Rules(), tree.index["cut"]) == EMPTY_SET


def test_two_unknowns() -> None:
    """Berkeley CS61B, fall 2016, midterm 2, question 8: a > 7, then b < 7; with ties cut a >= 7, b <= 7."""
    tree = records.tree_of(BY_ID["cs61b-fa16-mt2-8"])
    a, b = Unknown(tree, "a"), Unknown(tree, "b", {"a": 8})
    keep = Rules(ties="keep")
    assert pruned_when(a, keep, tree.index["cutA"]) == numbers_related_to(">", 7)
    assert pruned_when(b, keep, tree.index["cutB"]) == numbers_related_to("<", 7)
    assert pruned_when(a, Rules(), tree.index["cutA"]) == numbers_related_to(">=", 7)
    assert pruned_when(b, Rules(), tree.index["cutB"]) == numbers_related_to("<=", 7)
    with pytest.raises(UnknownPayoff):
        pruned_when(Unknown(tree, "b"), keep, tree.index["cutB"])


def test_the_largest_x_that_prunes() -> None:
    """ShanghaiTech CS181, fall 2021, question 3.3: -1 is the largest x that prunes the last two leaves."""
    record = BY_ID["shtech-f21-3.3"]
    tree = records.tree_of(record)
    name = str(tree.payoffs[tree.unknowns[0]])
    spans = pruned_when(Unknown(tree, name), Rules(bounds=(-3, 3)), tree.leaves[-2])
    assert spans == union((Span(-3, True, -1, True),))
    kept = pruned_when(Unknown(tree, name), Rules(bounds=(-3, 3), ties="keep"), tree.leaves[-2])
    assert kept == union((Span(-3, True, -1, False),))


def test_two_spans() -> None:
    """Within bounds a chance node may be out of reach on either side: x <= 5/4 or x >= 15/2."""
    tree = tree_of("MIN (6 MAX (3 CHANCE (0.8: x, 0.2: 5)))")
    rules = Rules(bounds=(0, 10))
    spans = pruned_when(Unknown(tree, "x"), rules, tree.leaves[-1])
    low, high = Fraction(5, 4), Fraction(15, 2)
    assert spans == union((Span(0, True, low, True), Span(high, True, 10, True)))
    kept = pruned_when(Unknown(tree, "x"), Rules(bounds=(0, 10), ties="keep"), tree.leaves[-1])
    assert kept == union((Span(0, True, low, False), Span(high, False, 10, True)))


def test_refusals() -> None:
    """A name that no leaf has, and a chance node as the place of a choice, are refused."""
    with pytest.raises(Unsolvable, match="no leaf has"):
        Unknown(TEXTBOOK, "z")
    chance = tree_of("CHANCE (x 3)")
    with pytest.raises(Unsolvable, match="nobody chooses"):
        optimal_ranges(Unknown(chance, "x"))
    assert isinstance(Unknown(chance, "x"), Unknown)
