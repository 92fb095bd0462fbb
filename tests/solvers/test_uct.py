"""UCT, against published selections and high-precision arithmetic."""

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.base.numbers import INFINITY, normalize_number
from grader.solvers.solvable import Unsolvable
from grader.solvers.uct_in_decimals import rounded_scores, select_in_decimals, select_visited, walk
from grader.solvers.uct_search import (
    Score,
    UctRules,
    backpropagate,
    compare_scores,
    enclose_score,
    mean_of_playouts,
    round_score,
    scores,
    select_child,
    selection_path,
    visits_and_wins,
)
from grader.trees.notation.reading import tree_of
from tests.test_bank import BANK, tree_in


def by_decimals(score: Score) -> Decimal:
    """A score to eighty digits."""
    with localcontext(prec=80):
        mean, factor = (
            Decimal(Fraction(number).numerator) / Fraction(number).denominator
            for number in (score.mean, score.factor)
        )
        return mean + score.sign * (factor * Decimal(score.total).ln()).sqrt()


SCORES = st.builds(
    Score,
    st.fractions(-1, 1, max_denominator=50).map(normalize_number),
    st.sampled_from((1, -1)),
    st.fractions(0, 3, max_denominator=60).map(normalize_number)
    | st.integers(1, 10**12)
    | st.integers(1, 10**50).map(lambda below: normalize_number(Fraction(1, below))),
    st.integers(1, 1000) | st.integers(1, 10**50),
)


@given(SCORES, st.integers(0, 12))
def test_digits_are_right(score: Score, places: int) -> None:
    """The digits stated are those of a computation with eighty digits, and the enclosure holds it."""
    wanted = by_decimals(score)
    low, high = enclose_score(score, places)
    assert high - low <= Fraction(1, 10**places)
    assert low - Fraction(1, 10**60) <= Fraction(wanted) <= high + Fraction(1, 10**60)
    assert abs(Fraction(round_score(score, places)) - Fraction(wanted)) <= Fraction(
        1, 2 * 10**places
    ) + Fraction(1, 10**60)


@pytest.mark.parametrize("digits", [0, 1, 2])
def test_enclosures_are_as_narrow_as_asked(digits: int) -> None:
    """The ends are at most this many digits apart, for exploration of any weight."""
    for power in range(120):
        low, high = enclose_score(Score(0, 1, 2**power, 7), digits)
        assert 0 < high - low <= Fraction(1, 10**digits)


def test_scores_without_exploration() -> None:
    """Without an exploration term, a score is its mean in every comparison."""
    mean = Fraction(1, 3)
    for score in (Score(mean, 1, 0, 9), Score(mean, -1, 2, 1)):
        assert score.rational
        assert enclose_score(score, 3) == (mean, mean)
        assert compare_scores(score, Score(mean, 1, 0, 5)) == 0
        assert compare_scores(score, Score(INFINITY, 1, 0, 1)) == -1
    assert not Score(mean, 1, 2, 2).rational
    for call in (enclose_score, round_score):
        with pytest.raises(ValueError, match="no finite score"):
            call(Score(INFINITY, 1, 0, 1), 3)


@given(SCORES, SCORES)
def test_comparing_is_exact(one: Score, other: Score) -> None:
    """Scores compare as eighty digits do, and equal ones are equal."""
    other = Score(other.mean, one.sign, other.factor, one.total)
    left, right = by_decimals(one), by_decimals(other)
    if abs(left - right) > Decimal(10) ** -60:
        assert compare_scores(one, other) == (1 if left > right else -1)
    assert compare_scores(one, one) == 0
    assert compare_scores(one, other) == -compare_scores(other, one)


def test_a_near_tie_is_no_tie() -> None:
    """A mean that agrees with the other score in its first forty digits is still distinguished."""
    one = Score(0, 1, 2, 10)
    low, _ = enclose_score(one, 40)
    other = Score(normalize_number(low), 1, 0, 10)
    assert compare_scores(one, other) == 1
    assert compare_scores(other, one) == -1


def test_the_textbook_selection() -> None:
    """With C = 1.4 the node 60/79 is selected, with C = 1.5 it would be 2/11 (Russell and Norvig, 5.4)."""
    tree = tree_in(BANK / "aima-monte-carlo-counts.tree")
    for c, child in ((Fraction(14, 10), "A"), (Fraction(15, 10), "C")):
        assert tree.names[select_child(tree, 0, UctRules(c_squared=c * c))] == child
    assert [tree.names[node] for node in selection_path(tree, UctRules(c_squared=Fraction(196, 100)))][
        :2
    ] == [
        "root",
        "A",
    ]


def test_two_published_scores() -> None:
    """20.1048 and 17.0741, with c = 0.1 after three playouts (CodinGame, Monte Carlo Tree Search)."""
    tree = tree_of("MAX {n=3, w=54} (MIN a {n=1, w=20} (0 0) MIN b {n=2, w=34} (0 0))")
    rules = UctRules(c_squared=Fraction(1, 100), wins="max")
    found = scores(tree, 0, rules)
    assert [round_score(score, 4) for score in found] == [Fraction("20.1048"), Fraction("17.0741")]
    assert tree.names[select_child(tree, 0, rules)] == "a"


def test_an_unvisited_child_first() -> None:
    """The leftmost child never visited comes before every other, for MAX and for MIN."""
    for player in ("MAX", "MIN"):
        tree = tree_of(f"{player} {{n=3, w=2}} (A=1 {{n=3, w=3}} B=1 {{n=0, w=0}} C=1)")
        for wins in ("mover", "max"):
            assert tree.names[select_child(tree, 0, UctRules(wins=wins))] == "B"
            assert abs(scores(tree, 0, UctRules(wins=wins))[1].mean) == INFINITY


def test_ties_go_to_the_left() -> None:
    """Equal scores, by equal counts or after one visit in all, select the leftmost."""
    tree = tree_of("MAX {n=4, w=2} (A=1 {n=2, w=1} B=1 {n=2, w=1})")
    assert tree.names[select_child(tree, 0, UctRules())] == "A"
    tree = tree_of("MIN {n=4, w=2} (A=1 {n=2, w=1} B=1 {n=2, w=1})")
    assert tree.names[select_child(tree, 0, UctRules(wins="max"))] == "A"


@pytest.mark.parametrize("text", ["MAX {n=4, w=2} (0 {n=2, w=1} 0 {n=2, w=1})", "MIN {n=1, w=0} (0 0)"])
def test_ties_go_to_the_left_in_decimals(text: str) -> None:
    """As in exact arithmetic, the first of equal scores is selected, and the first never visited."""
    for wins in ("mover", "max"):
        assert select_in_decimals(tree_of(text), 0, UctRules(wins=wins)) == 1


def test_negative_scores_are_rounded_away_from_zero() -> None:
    """Without exploration a score is its mean: of a negative one a half goes down."""
    means = [Fraction(-1, 4), Fraction(-1, 5), Fraction(1, 4)]
    found = [round_score(Score(mean, 1, 0, 1), 1) for mean in means]
    assert found == [Fraction(-3, 10), Fraction(-1, 5), Fraction(3, 10)]


def test_both_conventions_select_alike() -> None:
    """If wins count for MAX everywhere, MIN takes the lowest mean minus exploration: the same child."""
    for_mover = tree_of("MIN {n=9, w=5} (A=1 {n=4, w=1} B=1 {n=3, w=2} C=1 {n=2, w=1})")
    for_max = tree_of("MIN {n=9, w=4} (A=1 {n=4, w=3} B=1 {n=3, w=1} C=1 {n=2, w=1})")
    for c_squared in (0, Fraction(1, 4), 1, 2, 9):
        one = select_child(for_mover, 0, UctRules(c_squared=c_squared))
        other = select_child(for_max, 0, UctRules(c_squared=c_squared, wins="max"))
        assert for_mover.names[one] == for_max.names[other]


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=2, max_size=4), st.booleans())
def test_decimals_score_and_select_alike(children: list[tuple[int, int]], whole: bool) -> None:
    """The scores in decimals, and the child they select, are those of exact arithmetic, by every rule."""
    text = " ".join(f"0 {{n={n}, w={min(w, n)}}}" for n, w in children)
    visits = sum(n for n, _ in children)
    for player in ("MAX", "MIN"):
        tree = tree_of(f"{player} {{n={visits}, w=0}} ({text})")
        for wins in ("max", "mover"):
            rules = UctRules(c_squared=Fraction(2 - whole), wins=wins)
            found = tuple(round_score(score, 3) for score in scores(tree, 0, rules))
            assert rounded_scores(tree, 0, rules, 3) == found
            assert select_in_decimals(tree, 0, rules) == select_child(tree, 0, rules)


def test_all_steps_in_place_of_the_parents_visits() -> None:
    """By rule N is the visits of the root at every level."""
    tree = tree_of("MAX {n=9, w=5} (MIN A {n=4, w=1} (B=1 {n=1, w=1} C=0 {n=3, w=1}) D=1 {n=5, w=3})")
    node = tree.index["A"]
    assert {score.total for score in scores(tree, node, UctRules())} == {4}
    assert {score.total for score in scores(tree, node, UctRules(total="all"))} == {9}
    for rules in (UctRules(), UctRules(total="all")):
        found = tuple(round_score(score, 3) for score in scores(tree, node, rules))
        assert rounded_scores(tree, node, rules, 3) == found


def test_propagation() -> None:
    """A win of MAX counts at the nodes that MAX moved into, and not at MAX's own nodes."""
    tree = tree_of(
        "MAX R {n=9, w=4} (MIN A {n=5, w=3} (MAX B {n=2, w=1} (C=1 D=0) E=0 {n=3, w=1}) F=1 {n=4, w=2})"
    )
    path = tuple(tree.index[name] for name in "RAB")
    after = backpropagate(tree, path, 1, UctRules())
    assert [visits_and_wins(after, node) for node in path] == [(10, 4), (6, 4), (3, 1)]
    after = backpropagate(tree, path, 0, UctRules())
    assert [visits_and_wins(after, node) for node in path] == [(10, 5), (6, 3), (3, 2)]
    after = backpropagate(tree, path, Fraction(1, 2), UctRules(wins="max"))
    assert [visits_and_wins(after, node) for node in path] == [
        (10, Fraction(9, 2)),
        (6, Fraction(7, 2)),
        (3, Fraction(3, 2)),
    ]
    assert all(
        visits_and_wins(after, node) == visits_and_wins(tree, node)
        for node in range(len(tree))
        if node not in path
    )


def test_selection_stops_at_an_unvisited_node() -> None:
    """A selection ends at a leaf of the tree or at an unvisited node."""
    tree = tree_of("MAX R {n=2, w=1} (MIN A {n=2, w=1} (MAX B (1 0) MAX C (1 0)) MIN D (1 1))")
    assert [tree.names[node] for node in selection_path(tree, UctRules())] == ["R", "D"]
    leaf = tree_of("MAX R {n=2, w=1} (A=1 {n=2, w=1})")
    assert selection_path(leaf, UctRules()) == (0, 1)
    new = tree_of("MAX R (MIN A (1 0) MIN B (1 0))")
    assert selection_path(new, UctRules()) == (0, 1)
    for each in (tree, leaf, new):
        ends = walk(each, partial(select_in_decimals, each, rules=UctRules()))
        assert ends == selection_path(each, UctRules())[-1]


def test_who_passes_over_what_was_never_tried_goes_left_where_nothing_was() -> None:
    """If no child has a score, the leftmost is taken."""
    tree = tree_of("MAX R {n=1, w=0} (B=1 MIN A {n=1, w=0} (C=1 D=0))")
    assert tree.names[walk(tree, lambda node: select_visited(tree, node, UctRules()))] == "C"


def test_means_and_refusals() -> None:
    """The mean of playouts is exact; no playouts, chance nodes and leaves are refused."""
    assert mean_of_playouts([1, 0, 0]) == Fraction(1, 3)
    assert mean_of_playouts([Fraction(1, 2), 1]) == Fraction(3, 4)
    with pytest.raises(ValueError, match="not negative"):
        UctRules(c_squared=Fraction(-1, 2))
    with pytest.raises(ValueError, match="siblings"):
        compare_scores(Score(0, 1, 1, 9), Score(0, 1, 2, 3))
    with pytest.raises(ValueError, match="no playout"):
        mean_of_playouts([])
    with pytest.raises(Unsolvable):
        scores(tree_of("MAX (CHANCE (1 2) 3)"), 0, UctRules())
    with pytest.raises(Unsolvable, match="never visited"):
        scores(tree_of("MAX (A=1 {n=1, w=1} B=2 {n=1, w=0})"), 0, UctRules())
    with pytest.raises(Unsolvable, match="nobody chooses"):
        scores(tree_of("MAX (1 2)"), 1, UctRules())
