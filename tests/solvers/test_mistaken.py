"""The mistaken searches: right without their mistake, and wrong in the way their belief says."""

from collections.abc import Callable
from fractions import Fraction
from inspect import getsource
from itertools import product
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.questions.beliefs import BELIEFS
from grader.solvers import mistaken_search as module
from grader.solvers.expectiminimax import expectiminimax
from grader.solvers.maxn_mistakes import mistaken_maxn
from grader.solvers.minimax import minimax
from grader.solvers.mistaken_search import (
    MISCONCEPTIONS,
    VALUE_BELIEFS,
    Mistake,
    belief_applies,
    mistaken_search,
    mistaken_values,
    search_with_mistake,
)
from grader.solvers.search_choice import search
from grader.solvers.solvable import BoundsError, Unsolvable
from grader.solvers.values import values
from grader.solvers.visited_nodes import pruned_branches, pruned_paths
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder
from tests.solvers.test_values import CHANCE, MAX, MIN, build_tree
from tests.strategies import TIED, random_tree, rules, trees

HARMLESS = (
    "right-to-left",
    "ties-kept",
    "ties-cut",
    "shallow-only",
    "only-at-min",
    "only-at-max",
    "leaves-only",
    "latest-in-window",
    "one-sibling-only",
    "root-alpha-forgotten",
    "one-late",
    "no-chance-cuts",
)
"""Beliefs that visit too much or in another order, and so still find the value of the root."""

TOO_CAREFUL = tuple(name for name in HARMLESS if name not in ("right-to-left", "ties-cut"))
"""Beliefs that visit every node that alpha-beta visits, and sometimes more."""

ABOUT_CHANCE = ("plain-average", "most-likely", "window-through-chance", "no-chance-cuts")


def _pruned(tree: Tree, belief: str, convention: Rules | None = None) -> tuple[int, ...]:
    return pruned_paths(tree, mistaken_search(tree, convention or Rules(), belief).visited)


@given(trees(chance=True, payoffs=TIED), rules(), st.sampled_from((None, (-2, 3))))
def test_without_a_mistake_nothing_is_wrong(
    tree: Tree, convention: Rules, bounds: tuple[int, int] | None
) -> None:
    """The mistaken search without a mistake is the search of the value test, node by node."""
    convention = Rules(convention.order, convention.ties, "value", convention.returns, bounds)
    assert search_with_mistake(tree, convention, Mistake()) == search(tree, convention, traced=False)


@pytest.mark.parametrize("ties", ["cut", "keep"])
def test_a_window_that_is_closed_from_the_start(ties: str) -> None:
    """If the bounds leave the root one value, `cut` visits nothing else, and `keep` everything."""
    tree = build_tree((MAX, [(CHANCE, [3, 3]), 3]))
    convention = Rules(ties="cut" if ties == "cut" else "keep", bounds=(3, 3))
    found = search_with_mistake(tree, convention, Mistake())
    assert found == search(tree, convention, traced=False)
    assert found.visited == (True, *[ties == "keep"] * 4)


@given(trees(payoffs=TIED), rules(), st.sampled_from(ABOUT_CHANCE))
def test_beliefs_about_chance_need_chance(tree: Tree, convention: Rules, belief: str) -> None:
    """Without chance nodes, beliefs about chance change nothing."""
    assert mistaken_search(tree, convention, belief).visited == search(tree, convention).visited


@given(trees(chance=True, payoffs=TIED), rules(), st.sampled_from(HARMLESS))
def test_harmless_beliefs_find_the_value(tree: Tree, convention: Rules, belief: str) -> None:
    """A belief that only visits too much, or in another order, still finds the value of the root."""
    assert mistaken_search(tree, convention, belief).returned[0] == expectiminimax(tree)[0]


@given(trees(payoffs=TIED), rules(), st.sampled_from(TOO_CAREFUL))
def test_careful_beliefs_visit_more(tree: Tree, convention: Rules, belief: str) -> None:
    """A belief that prunes too little visits all that alpha-beta visits."""
    right, wrong = search(tree, convention).visited, mistaken_search(tree, convention, belief).visited
    assert all(map(int.__le__, right, wrong))


@given(trees(chance=True, payoffs=TIED), rules(), st.sampled_from(sorted(MISCONCEPTIONS)))
def test_beliefs_about_pruning_keep_the_values(tree: Tree, convention: Rules, belief: str) -> None:
    """Only beliefs about players and chance change the exact values, and then the search returns those."""
    if belief in VALUE_BELIEFS:
        found = mistaken_search(tree, convention, belief)
        assert found.returned[0] == mistaken_values(tree, belief)[0]
    else:
        assert mistaken_values(tree, belief) == values(tree)


@given(trees(payoffs=TIED))
def test_leaves_only_prunes_only_leaves(tree: Tree) -> None:
    """A student who never crosses out a whole subtree visits every internal node."""
    visited = mistaken_search(tree, Rules(), "leaves-only").visited
    assert all(tree.players[node] is None for node in pruned_branches(tree, visited))


@given(trees(payoffs=TIED), st.sampled_from((("only-at-min", MIN), ("only-at-max", MAX))))
def test_one_player_prunes(tree: Tree, who: tuple[str, Player]) -> None:
    """A student who prunes at one player's nodes only crosses out branches of that player only."""
    belief, player = who
    visited = mistaken_search(tree, Rules(), belief).visited
    assert all(tree.players[tree.parents[node]] is player for node in pruned_branches(tree, visited))


@given(trees(payoffs=TIED))
def test_swapped_players_swap_the_extremes(tree: Tree) -> None:
    """Taking MAX for MIN gives the values of the negated payoffs, negated."""
    mirror = tree.with_payoffs(tuple(-tree.payoffs[leaf] for leaf in tree.leaves))
    assert mistaken_values(tree, "players-swapped") == tuple(-value for value in minimax(mirror))


def test_beliefs_differ() -> None:
    """Every belief prunes other leaves than the right search and than every other belief somewhere."""
    random = Random(5)
    subjects = [
        random_tree(random, payoffs=(-2, -1, 0, 1, 2, 3), chance=place % 2 == 0) for place in range(120)
    ]
    # Under either tie rule one of the two beliefs about ties is right, so both rules are needed.
    conventions = [Rules(ties=ties, bounds=(-2, 3)) for ties in ("cut", "keep")]
    pruned: dict[str, tuple[object, ...]] = dict.fromkeys([*MISCONCEPTIONS, ""], ())
    for tree, convention in product(subjects, conventions):
        if len(set(pruned.values())) == len(pruned):
            break
        for belief in MISCONCEPTIONS:
            pruned[belief] += (_pruned(tree, belief, convention),)
        pruned[""] += (pruned_paths(tree, search(tree, convention).visited),)
    assert len(set(pruned.values())) == len(MISCONCEPTIONS) + 1


EXAMPLES: dict[str, tuple[Tree, tuple[int, ...], tuple[int, ...]]] = {
    "players-swapped": (build_tree((MAX, [(MIN, [3, 5]), (MIN, [2, 9])])), (4,), ()),
    "right-to-left": (build_tree((MAX, [(MIN, [3, 5]), (MIN, [2, 9])])), (4,), ()),
    "ties-kept": (build_tree((MAX, [(MIN, [3, 5]), (MIN, [3, 9])])), (4,), ()),
    "shallow-only": (build_tree((MAX, [4, (MIN, [(MAX, [(MIN, [3, 9]), 1]), 5])])), (3, 5), (5,)),
    "only-at-min": (build_tree((MIN, [(MAX, [3, 5]), (MAX, [7, 9])])), (4,), ()),
    "only-at-max": (build_tree((MAX, [(MIN, [3, 5]), (MIN, [2, 9])])), (4,), ()),
    "leaves-only": (build_tree((MAX, [3, (MIN, [2, 1, (MAX, [1, 0])])])), (3, 4, 5), (3,)),
    "latest-not-best": (build_tree((MAX, [(MIN, [5]), (MIN, [1]), (MIN, [3, 9])])), (4,), ()),
    "latest-in-window": (build_tree((MAX, [(MIN, [5]), (MIN, [1]), (MIN, [3, 9])])), (4,), ()),
    "one-sibling-only": (build_tree((MAX, [3, (MIN, [2, 8, 9, 7])])), (3, 4, 5), (3,)),
    "sign-overlooked": (build_tree((MAX, [3, (MIN, [-4, 8])])), (3,), ()),
    "second-best": (build_tree((MAX, [3, (MIN, [2, 8])])), (3,), ()),
    "root-alpha-forgotten": (build_tree((MAX, [(MIN, [3, 5]), (MIN, [2, 9])])), (4,), ()),
    "own-bound": (build_tree((MIN, [(MAX, [3, 5]), (MAX, [(MIN, [6, 8]), 9])])), (5,), (4,)),
    "one-late": (build_tree((MAX, [3, (MIN, [2, 8, 9])])), (3, 4), (4,)),
    "stops-at-tie": (build_tree((MAX, [1, 4, 4, 6])), (), (4,)),
}
"""A tree for each belief, the right pruned paths and those of a student with the belief."""


@pytest.mark.parametrize("belief", EXAMPLES)
def test_beliefs_by_hand(belief: str) -> None:
    """On a tree worked out by hand, each belief prunes the leaves that such a student would cross out."""
    tree, right, believed = EXAMPLES[belief]
    assert pruned_paths(tree, search(tree, Rules()).visited) == right
    assert _pruned(tree, belief) == believed


def _gambles() -> Tree:
    """Return a choice of MAX between an unlikely 9 with a likely 1, and an even chance of 3 or 2."""
    builder = TreeBuilder()
    root = builder.add(-1, MAX)
    for outcomes in (((Fraction(1, 4), 9), (Fraction(3, 4), 1)), ((Fraction(1, 2), 3), (Fraction(1, 2), 2))):
        node = builder.add(root, CHANCE)
        for share, payoff in outcomes:
            builder.add(node, None, payoff, probability=share)
    return builder.tree()


def test_mistaken_expectations() -> None:
    """A plain average forgets the probabilities; the likeliest outcome forgets all others."""
    tree = _gambles()
    believed = {
        belief: mistaken_values(tree, belief) for belief in ("plain-average", "most-likely", "own-bound")
    }
    assert {belief: (found[1], found[4]) for belief, found in believed.items()} == {
        "plain-average": (5, Fraction(5, 2)),
        "most-likely": (1, 3),
        "own-bound": (3, Fraction(5, 2)),
    }


@pytest.mark.parametrize(
    ("belief", "right", "wrong"),
    [
        ("latest-in-window", "max(alpha, value) if in_window", "max(lower, value) if in_window"),
        ("latest-in-window", "if latest or value > lower", "if value > lower"),
        ("one-sibling-only", "place == extra", "place <= extra + 1"),
        ("one-sibling-only", "(crosses_all or place", "(not crosses_all or place"),
        ("sign-overlooked", "change_payoff=abs", "change_payoff=int"),
        ("second-best", "min(row) - 1) if", "min(row)) if"),
        ("second-best", "max(row) + 1", "max(row)"),
    ],
)
def test_a_bug_in_a_mistake_shows(belief: str, right: str, wrong: str) -> None:
    """If the algorithm of a belief is changed, its results differ from those worked out by hand."""
    text = getsource(module)
    assert text.count(right) == 1, "the text the bug replaces is gone"
    space: dict[str, object] = {"__name__": module.__name__}
    exec(compile(text.replace(right, wrong), belief, "exec"), space)
    tree, _, believed = EXAMPLES[belief]
    choices = build_tree((MAX, [(MAX, [2, 1]), (MIN, [1, 2])]))
    found = pruned_paths(tree, space["mistaken_search"](tree, Rules(), belief).visited)
    worth = space["mistaken_values"](choices, belief)
    assert found != believed or worth != mistaken_values(choices, belief)


def test_an_inherited_bound_is_kept_or_not() -> None:
    """The latest value inside the window still prunes by inherited bounds; outside it does not."""
    tree = build_tree((MAX, [5, (MIN, [7, (MAX, [1, (MIN, [4, 9])])])]))
    assert _pruned(tree, "latest-in-window") == pruned_paths(tree, search(tree, Rules()).visited) == (5,)
    assert _pruned(tree, "latest-not-best") == ()


def test_the_second_best_payoff_is_taken() -> None:
    """The best of two payoffs or more is passed over; one payoff alone is taken."""
    tree = build_tree((MAX, [(MIN, [3, 5, 4]), (MIN, [2]), (MIN, [6, 6])]))
    assert mistaken_values(tree, "second-best")[0] == 6
    assert [mistaken_values(tree, "second-best")[node] for node in tree.children[0]] == [4, 2, 6]
    assert not belief_applies(build_tree((MAX, [(MIN, [3]), (MIN, [2])])), "second-best")


def test_beside_an_unknown_payoff_the_best_is_taken() -> None:
    """With an unknown payoff among the leaves, the second best is undefined and the best one is taken."""
    tree = build_tree((MAX, [(MIN, [5, 6]), (MIN, [6, "x"])]))
    assert mistaken_search(tree, Rules(), "second-best").visited == (*[True] * 6, False)


def test_payoffs_beyond_the_bounds_are_refused() -> None:
    """A mistaken search refuses payoffs outside the bounds, too."""
    with pytest.raises(BoundsError, match="lies outside the bounds"):
        mistaken_search(build_tree((CHANCE, [3, 9])), Rules(bounds=(0, 5)), "no-chance-cuts")


def test_a_minus_sign_is_overlooked() -> None:
    """Payoffs count without their signs; the belief does not apply to a tree without minus signs."""
    tree = build_tree((MAX, [(MIN, [3, -5]), (MIN, [-2, 4])]))
    assert mistaken_values(tree, "sign-overlooked") == minimax(tree.with_payoffs((3, 5, 2, 4)))
    assert belief_applies(tree, "sign-overlooked")
    assert not belief_applies(tree.with_payoffs((3, 5, 0, 4)), "sign-overlooked")


def test_every_belief_has_words() -> None:
    """Every misconception has its sentences for students."""
    assert set(MISCONCEPTIONS) <= set(BELIEFS)


@pytest.mark.parametrize(
    "work", [lambda tree, belief: mistaken_search(tree, Rules(), belief), mistaken_values, mistaken_maxn]
)
def test_an_unknown_belief(work: Callable[[Tree, str], object]) -> None:
    """An unknown belief is refused by name."""
    with pytest.raises(KeyError, match="flat-earth"):
        work(build_tree((MAX, [1, 2])), "flat-earth")


def test_mistaken_searches_are_for_two_players() -> None:
    """Games of several players are refused by the reason for which the right search refuses them."""
    with pytest.raises(Unsolvable, match="several players"):
        mistaken_search(build_tree((Player.P1, [1, (Player.P2, [2, 3])])), Rules(), "right-to-left")


@given(trees(plies=3, leaves=18), rules())
def test_the_latest_value_is_one_mistake_on_three_plies(tree: Tree, convention: Rules) -> None:
    """On three plies it does not matter whether the latest value stays inside the window.

    What is compared is all that is asked for: visits, returned values, and the windows of inner nodes.
    """
    assume(max(tree.depths) <= 3)
    latest, inside = (
        mistaken_search(tree, convention, name) for name in ("latest-not-best", "latest-in-window")
    )
    assert (latest.visited, latest.returned) == (inside.visited, inside.returned)
    for node in tree.internal:
        assert (latest.alphas[node], latest.betas[node]) == (inside.alphas[node], inside.betas[node])
    assert not belief_applies(tree, "latest-in-window")
