"""Many trees with many mistakes at once: each mistake meets each sort of node, every time."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from grader.solvers.limited_decisions import search_with_bounds, visited_with_bounds
from grader.solvers.lockstep_mistakes import lockstep_search_with_mistakes
from grader.solvers.maxn_cuts import possible_root_values
from grader.solvers.mistaken_search import MISCONCEPTIONS, Mistake, search_with_mistake
from grader.solvers.search_choice import search
from grader.solvers.visited_nodes import pruned_branches
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from tests.solvers.transformations import uniform

MISTAKES = [held.mistake for held in MISCONCEPTIONS.values()]

SHAPES = (
    uniform(3, 3, lambda path: path),
    uniform(2, 5, lambda path: path),
    tree_of("MAX A (3 MIN B (5 MAX D (2 9 MIN F (1 7)) 4) MIN C (8 MAX E (6 0)) 2)"),
    tree_of("MAX A (CHANCE B (1/3: MIN D (3 7 1), 2/3: 4) CHANCE C (1/5: 2, 4/5: MIN E (4 9)) 5)"),
    tree_of("MIN A (CHANCE B (2/7: MAX D (3 7), 5/7: MAX F (4 1 2)) MAX C (CHANCE E (1/2: 2, 1/2: 8) 4))"),
    tree_of("CHANCE A (1/4: MAX B (3 MIN D (5 1)), 3/4: MIN C (2 MAX E (4 6)))"),
    tree_of(
        "MAX A (2 MIN B (CHANCE C (1/2: 3, 1/2: MAX E (1 2)) 4 5) "
        "CHANCE D (1/2: 1, 1/2: 2) CHANCE F (1/2: 5, 1/2: 3))"
    ),
)

FEW, MANY = 10, 40
"""How many trees of each shape are searched with every mistake."""


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("shape", range(len(SHAPES)))
@pytest.mark.parametrize("bounds", [None, (-9, 9), (Fraction(-19, 2), 9), (-4, 4)])
@pytest.mark.parametrize("window", [None, (-2, Fraction(5, 3))])
@pytest.mark.parametrize("ties", ["cut", "keep"])
def test_every_mistake_visits_in_lockstep_what_it_visits_alone(
    shape: int, ties: str, window: tuple[int, Fraction] | None, bounds: tuple[int, int] | None, count: int
) -> None:
    """Every mistake visits the same nodes in lockstep as alone, under all tie rules, bounds and windows."""
    tree, random = SHAPES[shape], Random(f"{shape} {ties} {bounds}")
    rules = Rules(
        ties=ties,
        bounds=bounds,
        window=window,
        returns=random.choice(("soft", "hard")) if ties == "cut" else "soft",
    )  # type: ignore[arg-type]
    rows = [[random.randint(-4, 4) for _ in tree.leaves] for _ in range(count)]
    refused = tree.has_chance and rules.returns == "hard"
    known = [mistake for mistake in MISTAKES if not (refused and mistake.stops_at_ties)]
    together = lockstep_search_with_mistakes(tree, np.array(rows, np.int64), rules, known)
    for number, mistake in enumerate(known):
        for place, row in enumerate(rows):
            alone = search_with_mistake(tree.with_payoffs(tuple(row)), rules, mistake)
            assert tuple(together[:, number, place]) == alone.visited, mistake


def test_ties_with_rounded_bounds_are_refused() -> None:
    """Rounded bounds below chance nodes would be returned and tie with others, so this is refused."""
    with pytest.raises(ValueError, match="cannot stop at ties"):
        lockstep_search_with_mistakes(SHAPES[3], np.zeros((1, 8), np.int64), Rules(returns="hard"), MISTAKES)


def test_payoffs_beyond_whole_numbers_are_refused() -> None:
    """Payoffs too large for exact sums of probabilities are refused."""
    with pytest.raises(ValueError, match="too large"):
        lockstep_search_with_mistakes(SHAPES[3], np.full((1, 8), 1 << 49, np.int64), Rules(), [Mistake()])


def test_all_is_pruned_where_the_bounds_say_it_all() -> None:
    """With both bounds 3, no child of the root is visited."""
    tree = tree_of("MAX A (CHANCE B (1/2: 3, 1/2: 3) CHANCE C (1/2: 3, 1/2: 3))")
    assert pruned_branches(tree, search(tree, Rules(bounds=(3, 3))).visited) == (1, 4)


@pytest.mark.parametrize("ties", ["cut", "keep"])
def test_a_bound_that_is_met(ties: str) -> None:
    """If C is known to be at most 3 and alpha is 3, `keep` searches it and `cut` does not."""
    tree, rules = tree_of("MAX A (MIN B (3 12) MIN C (2 4))"), Rules(ties=ties)  # type: ignore[arg-type]
    visited = visited_with_bounds(tree, rules, {4: (-9, 3)})
    assert visited == search_with_bounds(tree, rules, {4: (-9, 3)}).visited
    assert visited[5] is (ties == "keep")


def test_a_sum_that_is_just_possible() -> None:
    """All of the sum may be one player's."""
    tree = tree_of("P1 A (P2 B (<0, 0, 6> <0, 6, 0>) P3 C (<6, 0, 0> <0, 0, 6>))")
    open_still = [possible_root_values(tree, node, 6)[1] is not None for node in (2, 3, 5, 6)]
    assert {*open_still} == {False, True}
