"""Known bounds of the payoffs and a given first window: the search starts with them at the root."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.base.intervals import contains
from grader.solvers.alphabeta import value_test, window_test
from grader.solvers.cutoff_analysis import seemingly_best
from grader.solvers.lockstep import lockstep
from grader.solvers.piecewise import numbers_that_prune
from grader.solvers.search_choice import SEARCH_BY_TEST, search
from grader.solvers.solution import solve
from grader.solvers.solvable import BoundsError
from grader.solvers.star1 import star1
from grader.solvers.sweep import sweep
from grader.solvers.trace import Cut
from grader.solvers.unknown_payoff import Unknown, pruned_when
from grader.solvers.visited_nodes import pruned_paths
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules, RulesError, Ties, rules_from_json, rules_to_json
from grader.trees.tree import Tree
from tests.campaigns.windows import bounds_of
from tests.solvers.definition import is_visited_with_chance
from tests.strategies import TIED, random_tree, trees

WINDOWS = st.sampled_from(((0, 1), (-1, 2), (Fraction(-3, 2), Fraction(1, 2)), (3, 9)))
NARROWED = st.builds(
    Rules,
    order=st.sampled_from(("left-to-right", "right-to-left")),
    ties=st.sampled_from(("cut", "keep")),
    bounds=st.sampled_from((None, (-2, 3), (Fraction(-5, 2), 4))),
    window=WINDOWS.filter(lambda window: window != (3, 9)) | st.none(),
)


@pytest.mark.parametrize(
    ("text", "bounds", "pruned"),
    [
        ("MAX A (MIN B (10 10) MIN C (5 9))", (0, 10), (3, 4)),
        ("MAX A (5 2 4)", (0, 5), (2, 3)),
        ("MAX A (MIN B (0 3) MIN C (4 2))", (0, 6), (2,)),
    ],
)
def test_a_value_that_reaches_a_known_bound_prunes(
    text: str, bounds: tuple[int, int], pruned: tuple[int, ...]
) -> None:
    """Alpha starts at the lower and beta at the upper bound; under `keep` equality with them never prunes."""
    tree = tree_of(text)
    for test in SEARCH_BY_TEST.values():
        assert pruned_paths(tree, test(tree, Rules(bounds=bounds)).visited) == pruned
        kept = test(tree, Rules(ties="keep", bounds=bounds)).visited
        assert pruned_paths(tree, kept) == pruned_paths(tree, test(tree, Rules(ties="keep")).visited)


@given(trees(payoffs=TIED), NARROWED)
def test_every_way_to_search_starts_in_the_same_window(tree: Tree, rules: Rules) -> None:
    """Both tests, the sweep, arrays and Star1 visit the same nodes with the same windows."""
    found = search(tree, rules)
    assert found.visited == value_test(tree, rules).visited == window_test(tree, rules).visited
    assert found.visited == star1(tree, rules).visited == sweep(tree, rules).visited
    row = np.array([[tree.payoffs[leaf] for leaf in tree.leaves]], np.int64)
    assert found.visited == tuple(lockstep(tree, row, rules).visited[:, 0])
    swept = sweep(tree, rules)
    for node, visited in enumerate(found.visited):
        if visited:
            assert (found.alphas[node], found.betas[node]) == (swept.alphas[node], swept.betas[node])
    assert (found.alphas[0], found.betas[0]) == rules.root_window


@given(trees(payoffs=TIED), NARROWED)
def test_bounds_hide_no_value(tree: Tree, rules: Rules) -> None:
    """With known bounds the root returns its value; a given window shows it inside, a bound of it outside."""
    solution = solve(tree, rules)
    value, returned = solution.values[0], search(tree, rules).returned[0]
    relations = {"=": value == returned, "<=": value <= returned, ">=": value >= returned}
    assert relations[solution.shown_relation]
    if rules.window is None:
        assert value == returned
    elif rules.window[0] < value < rules.window[1]:
        assert solution.shown_relation == "="
    if solution.shown_relation == "=" and rules.ties == "keep":
        assert {*seemingly_best(tree, search(tree, rules))} >= {*(solution.best[0] or ())}


@pytest.mark.parametrize(
    ("text", "ties", "relation"),
    [
        ("MAX A (1 3)", "cut", ">="),
        ("MAX A (1 3)", "keep", ">="),
        ("MAX A (1 0)", "keep", "="),
        ("MIN A (0 -2)", "cut", "<="),
        ("MIN A (0 -2)", "keep", "<="),
        ("MIN A (0 1)", "keep", "="),
        ("MAX A (1/2 0)", "cut", "="),
    ],
)
def test_an_end_of_the_window_is_a_value_only_where_ties_are_kept(
    text: str, ties: Ties, relation: str
) -> None:
    """A search that prunes at ties and returns an end of the given window, here 0 or 1, shows a bound."""
    assert solve(tree_of(text), Rules(ties=ties, window=(0, 1))).shown_relation == relation


def test_windows_with_chance_are_the_definition() -> None:
    """From a given window, Star1 visits the leaves that the SMT solver names, with bounds and without."""
    random, pruned = Random("windows with chance"), 0
    for _ in range(10):
        tree = random_tree(random, plies=4, leaves=6, chance=True, payoffs=(0, 1, 2, 3))
        window = random.choice(((1, 2), (0, 2), (Fraction(1, 2), Fraction(3, 2))))
        for rules in (
            Rules(ties=random.choice(("cut", "keep")), bounds=bounds, window=window)
            for bounds in (None, (0, 3))
        ):
            found = star1(tree, rules).visited
            for leaf in tree.leaves:
                defined = is_visited_with_chance(
                    tree, leaf, rules.bounds, rules.order, rules.ties, rules.window
                )
                assert found[leaf] == defined, (tree, leaf, rules)
                pruned += not defined
    assert pruned > 12


def test_unknown_payoffs_keep_within_the_bounds() -> None:
    """The two algorithms and a trial of numbers agree for which x a branch is pruned, from any window."""
    random = Random("unknown")
    for _ in range(60):
        tree = random_tree(random, leaves=10, payoffs=(0, 1, 2, 3))
        if len(tree) == 1:
            continue
        bounds, window = bounds_of(random, tree)
        rules = Rules(ties=random.choice(("cut", "keep")), bounds=bounds, window=window)
        asked, *_ = random.sample(range(len(tree.leaves)), 1)
        payoffs = [tree.payoffs[leaf] for leaf in tree.leaves]
        payoffs[asked] = "x"
        unknown, target = tree.with_payoffs(tuple(payoffs)), random.choice(range(1, len(tree)))
        spans = pruned_when(Unknown(unknown, "x"), rules, target)
        others = numbers_that_prune(unknown, rules, "x", target)
        for twice in range(-4, 10):
            x = Fraction(twice, 2)
            if bounds is not None and not bounds[0] <= x <= bounds[1]:
                continue
            payoffs[asked] = x
            visited = search(tree.with_payoffs(tuple(payoffs)), rules).visited[target]
            assert contains(spans, x) is not visited, (unknown, rules, target, x)
            assert contains(others, x) is not visited, (unknown, rules, target, x)


def test_nothing_is_searched_between_equal_bounds() -> None:
    """Equal bounds are the value of the root, and the tie rule decides whether it is searched."""
    tree = tree_of("MAX A (MIN B (3 3) MIN C (3 3))")
    for test in SEARCH_BY_TEST.values():
        found = test(tree, Rules(bounds=(3, 3)))
        assert found.returned[0] == 3
        assert found.trace[1] == Cut(0, 0, 3, 3, 3, (1, 4))
    unknown = Unknown(tree_of("MAX A (MIN B (3 3) MIN C (3 x))"), "x")
    for ties in ("cut", "keep"):
        rules = Rules(ties=ties, bounds=(3, 3))
        for node in range(1, 7):
            visited = search(tree, rules).visited[node]
            assert contains(pruned_when(unknown, rules, node), 3) is not visited
        assert found.visited == sweep(tree, Rules(bounds=(3, 3))).visited
        assert all(test(tree, Rules(ties="keep", bounds=(3, 3))).visited)


def test_payoffs_outside_the_bounds_are_refused() -> None:
    """A promise about the payoffs that one of them breaks is an error in every search."""
    tree = tree_of("MAX A (MIN B (3 12) MIN C (2 4))")
    for run in (value_test, window_test, star1, sweep, solve):
        with pytest.raises(BoundsError, match="payoff 12 of leaf 2"):
            run(tree, Rules(bounds=(0, 10)))


@pytest.mark.parametrize(
    ("bounds", "window"), [(None, (3, 3)), (None, (4, 3)), ((0, 5), (5, 9)), ((0, 5), (-3, 0))]
)
def test_a_window_without_room_is_refused(bounds: tuple[int, int] | None, window: tuple[int, int]) -> None:
    """Alpha is below beta, and some value within the bounds lies between them."""
    with pytest.raises(RulesError, match="window"):
        Rules(bounds=bounds, window=window)


def test_a_window_is_recorded_only_where_there_is_one() -> None:
    """Records without a window are those of earlier versions; with one it reads back."""
    assert "window" not in rules_to_json(Rules(bounds=(0, 5)))
    rules = Rules(bounds=(0, 5), window=(Fraction(1, 2), 9))
    assert rules_from_json(rules_to_json(rules)) == rules
    with pytest.raises(TypeError, match="window"):
        rules_from_json({**rules_to_json(rules), "window": [1, 2]})
