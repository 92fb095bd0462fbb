"""Star1 against the definition, with an SMT solver as the oracle, and against plain expectiminimax."""

from dataclasses import astuple
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.base.numbers import INFINITY
from grader.solvers.alphabeta import value_test
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.search_choice import search
from grader.solvers.solvable import BoundsError, UnknownPayoff
from grader.solvers.star1 import star1
from grader.solvers.trace import Cut, Enter, Gather, Leave
from grader.solvers.visited_nodes import pruned_paths
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder
from tests.solvers.definition import is_visited_with_chance
from tests.solvers.transformations import mapped, negated
from tests.strategies import TIED, random_tree, rules, trees

CONVENTIONS = [
    Rules(ties=ties, bounds=bounds)
    for ties in ("cut", "keep")
    for bounds in (None, (0, 3), (-1, 5), (Fraction(-1, 2), 3))
]


def _gamble(*outcomes: tuple[Fraction | int, object], sure: int | None = None) -> Tree:
    """MAX chooses between a sure payoff on the left, if any, and a chance node."""
    builder = TreeBuilder()
    root = builder.add(-1, Player.MAX)
    if sure is not None:
        builder.add(root, None, sure)
    node = builder.add(root, Player.CHANCE)
    for share, payoff in outcomes:
        builder.add(node, None, payoff, probability=share)
    return builder.tree()


def _campaign(seed: int, count: int) -> int:
    random = Random(seed)
    pruned = 0
    for _ in range(count):
        tree = random_tree(random, plies=4, leaves=6, chance=True)
        for convention in (random.choice(CONVENTIONS[:4]), random.choice(CONVENTIONS)):
            order = random.choice(("left-to-right", "right-to-left"))
            found = star1(tree, Rules(order, convention.ties, bounds=convention.bounds), traced=False)
            for leaf in tree.leaves:
                defined = is_visited_with_chance(tree, leaf, convention.bounds, order, convention.ties)
                assert found.visited[leaf] == defined, (tree, leaf, convention, order)
                pruned += not defined
    return pruned


def test_star1_is_the_definition() -> None:
    """Star1 visits a leaf exactly when some completion within the bounds leaves the root open to it."""
    assert _campaign(seed=1, count=12) > 12


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_star1_is_the_definition_at_length(seed: int) -> None:
    """Star1 visits the leaves the definition names on five times 400 random trees with chance nodes."""
    _campaign(seed=10 + seed, count=400)


@given(trees(chance=True, payoffs=TIED), rules(), st.sampled_from((None, (-2, 3), (-5, 4))))
def test_star1_finds_the_value_of_the_root(
    tree: Tree, convention: Rules, bounds: tuple[int, int] | None
) -> None:
    """Star1 returns the expectiminimax value of the root under every convention, with bounds and without."""
    convention = Rules(convention.order, convention.ties, convention.test, convention.returns, bounds)
    assert star1(tree, convention).returned[0] == expectiminimax(tree)[0]


@given(trees(), rules())
def test_star1_without_chance_is_alphabeta(tree: Tree, convention: Rules) -> None:
    """Without chance nodes and bounds, Star1 is alpha-beta, event by event."""
    assert star1(tree, convention) == value_test(tree, convention)


@given(trees(), rules())
def test_a_sure_outcome_is_no_chance(tree: Tree, convention: Rules) -> None:
    """A chance node with one outcome leaves every window as it is."""
    sure = TreeBuilder()
    places = []
    for node in range(len(tree)):
        parent = places[tree.parents[node]] if node else -1
        above = sure.add(parent, Player.CHANCE)
        places.append(sure.add(above, tree.players[node], tree.payoffs[node], probability=1))
    chancy = sure.tree()
    plain, slid = value_test(tree, convention), star1(chancy, convention)
    assert tuple(slid.alphas[place] for place in places) == plain.alphas
    assert tuple(slid.betas[place] for place in places) == plain.betas
    assert tuple(slid.returned[place] for place in places) == plain.returned


@given(trees(chance=True, payoffs=TIED), rules(ties="cut"))
def test_tighter_bounds_prune_more(tree: Tree, convention: Rules) -> None:
    """Every leaf that is pruned within wide bounds is pruned within narrow ones."""
    pruned = [
        set(pruned_paths(tree, star1(tree, Rules(convention.order, bounds=bounds), traced=False).visited))
        for bounds in ((-2, 3), (-3, 5), (-99, 99), None)
    ]
    assert pruned[0] >= pruned[1] >= pruned[2] >= pruned[3]


@given(trees(chance=True, payoffs=TIED), rules(), st.integers(1, 7), st.integers(-9, 9), st.booleans())
def test_star1_ignores_the_unit_of_payoffs(
    tree: Tree, convention: Rules, factor: int, shift: int, bounded: bool
) -> None:
    """A positive affine change of payoffs and bounds changes no visited leaf."""
    scale = Fraction(factor, 3)
    ends = (-2, 3)
    moved_ends = (scale * ends[0] + shift, scale * ends[1] + shift)
    before = star1(tree, Rules(convention.order, convention.ties, bounds=ends if bounded else None))
    after = star1(
        mapped(tree, lambda payoff: scale * payoff + shift),
        Rules(convention.order, convention.ties, bounds=moved_ends if bounded else None),
    )
    assert before.visited == after.visited


def test_the_window_of_the_last_outcome() -> None:
    """Without bounds, only the last outcome gets a finite window: the value it needs for alpha."""
    tree = _gamble((Fraction(1, 2), 2), (Fraction(1, 2), 9), sure=3)
    found = star1(tree, Rules())
    assert found.alphas[3:] == (-INFINITY, 4)
    assert found.returned[2] == Fraction(11, 2)


def test_a_cut_at_a_chance_node() -> None:
    """With bounds a chance node is left as soon as no outcomes to come can reach its window."""
    tree = _gamble((Fraction(1, 2), -2), (Fraction(1, 4), 2), (Fraction(1, 4), 2), sure=1)
    found = star1(tree, Rules(bounds=(-2, 2)))
    assert pruned_paths(tree, found.visited) == (3, 4)
    assert found.trace[-5:] == (
        Leave(3, -2),
        Gather(2, 3, -1, Fraction(1, 2)),
        Cut(2, 3, 0, 1, 2, (4, 5)),
        Leave(2, 0),
        Leave(0, 1),
    )
    assert star1(negated(tree), Rules(bounds=(-2, 2))).trace[-5:] == (
        Leave(3, 2),
        Gather(2, 3, 1, Fraction(1, 2)),
        Cut(2, 3, 0, -2, -1, (4, 5)),
        Leave(2, 0),
        Leave(0, -1),
    )


def test_hard_values_at_a_chance_node() -> None:
    """With hard values a chance node that is cut returns the bound it ran into."""
    tree = _gamble((Fraction(1, 2), -2), (Fraction(1, 2), 2), sure=1)
    assert star1(tree, Rules(bounds=(-2, 2))).returned[2] == 0
    assert star1(tree, Rules(bounds=(-2, 2), returns="hard")).returned[2] == 1


def test_impossible_outcomes_are_skipped() -> None:
    """An outcome of probability zero is never entered, not even when its payoff is unknown."""
    tree = _gamble((0, "x"), (1, 5), (0, 7))
    found = search(tree, Rules())
    assert pruned_paths(tree, found.visited) == (1, 3)
    assert found.returned[0] == 5


def test_an_unknown_outcome_stops_the_search() -> None:
    """A search that reaches an unknown outcome names its leaf."""
    tree = _gamble((Fraction(1, 2), 4), (Fraction(1, 2), "x"))
    with pytest.raises(UnknownPayoff, match="leaf 2") as stopped:
        search(tree, Rules())
    assert stopped.value.leaf == tree.leaves[1]


def test_payoffs_keep_the_promised_bounds() -> None:
    """A payoff outside the bounds is refused by name when chance moves."""
    tree = _gamble((Fraction(1, 2), 4), (Fraction(1, 2), Fraction(-7, 2)))
    with pytest.raises(BoundsError, match=r"payoff -3\.5 .* leaf 2 .*\[-3, 4\]"):
        search(tree, Rules(bounds=(-3, 4)))


@pytest.mark.parametrize("ties", ["cut", "keep"])
def test_bounds_that_leave_nothing_open(ties: str) -> None:
    """If both bounds are one number, every value is known, and only `keep` visits the leaves."""
    tree = _gamble((Fraction(1, 2), 4), (Fraction(1, 2), 4))
    found = star1(tree, Rules(ties=ties, bounds=(4, 4)))
    assert found.returned[0] == 4
    assert pruned_paths(tree, found.visited) == ((1, 2) if ties == "cut" else ())
    if ties == "cut":
        assert found.trace == (Enter(0, 4, 4), Cut(0, 0, 4, 4, 4, (1,)), Leave(0, 4))


@given(trees(chance=True), rules(), st.booleans())
def test_whole_numbers_are_ints(tree: Tree, convention: Rules, bounded: bool) -> None:
    """No number in the record of a search is a fraction with denominator 1."""
    bounds = (Fraction(-201, 2), 100) if bounded else None
    found = star1(tree, Rules(convention.order, convention.ties, returns=convention.returns, bounds=bounds))
    columns = [column for event in found.trace for column in astuple(event)]
    for number in (*found.alphas, *found.betas, *found.returned, *columns):
        assert not isinstance(number, Fraction) or number.denominator > 1


def test_denominators_beyond_every_float_are_exact() -> None:
    """Without bounds, windows stay infinite however deep the tree, and the value is exact."""
    text = "MAX (1 2)"
    for _ in range(60):
        text = f"CHANCE (1/1000000: 0 999999/1000000: {text})"
    assert star1(tree_of(text), Rules()).returned[0] == 2 * Fraction(999_999, 1_000_000) ** 60
