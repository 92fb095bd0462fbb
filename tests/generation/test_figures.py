"""What can be had without knowing: the figures that the exercises of the recipes keep to, 200 of one run."""

from collections import Counter
from collections.abc import Sequence

import pytest

from grader.exercises.exercise import Exercise
from grader.generation.earnings import Earnings, measure_earnings
from grader.generation.grower import grow_many
from grader.generation.limits import moot_beliefs
from grader.generation.recipe_file import default_recipe
from grader.questions import all_kinds, kind_by_code
from grader.solvers.search_choice import search

pytestmark = pytest.mark.slow

COUNT = 200

FEWER = {"true-false.games": 38, "search-budget.nodes": 100, "search-budget.leaves": 120}
"""Of each of nineteen games one statement is true and three are not: half of so many are true. Of trees of a
few plies there are few more."""

MILD_AVERAGE, MILD_MOST = 0.91, 0.95
"""The most that mild mistakes earn, which may earn more than the others: their recipes give the reason."""

EVEN = 0.03
"""By how much one text may earn more than one of the possible answers does."""

FEWEST, SELDOM = 7, 0.07
"""Where nobody can count the answers so many come at least, and one text may earn so much on average."""

LEVEL = 0.4
"""How far two halves of a class may agree on which variants are hard."""

NAMES = [kind.code for kind in all_kinds()]
LEAVES = [name for name in NAMES if kind_by_code(name).visits_shown in ("leaves", "order")]


@pytest.fixture(scope="module", params=NAMES)
def run(request: pytest.FixtureRequest) -> list[Exercise]:
    """Two hundred exercises of one run, or as many as there are."""
    return list(grow_many(default_recipe(request.param), "figures", FEWER.get(request.param, COUNT)))


def test_what_is_had_without_knowing(run: list[Exercise]) -> None:
    """Mistakes, one text for all, what a neighbour has, and shared keys stay within their limits."""
    found = measure_earnings(run)
    hold_mistakes(run[0].kind.code, found)
    hold_texts(run, found)
    assert found.half_correlation is None or found.half_correlation <= LEVEL


def hold_mistakes(name: str, found: Earnings) -> None:
    """No mistake earns the full mark, or, where marks come in parts, more than the recipe allows."""
    recipe = default_recipe(name)
    allowed = recipe.separate
    for belief, earned in found.mistakes:
        if belief in moot_beliefs(recipe):
            continue
        mild = belief in allowed.mild
        if in_parts(recipe.question_kind.code):
            average, most = (MILD_AVERAGE, MILD_MOST) if mild else (allowed.average, allowed.most)
            assert earned.average <= average, (belief, float(earned.average))
            assert earned.most <= most, (belief, float(earned.most))
        assert earned.most < 1, belief


def in_parts(name: str) -> bool:
    """Whether a reply of a kind can earn a part of the mark."""
    kind = kind_by_code(name)
    return kind.accepts is None and (bool(kind.form.policies) or kind.form.name == "order")


def hold_texts(run: Sequence[Exercise], found: Earnings) -> None:
    """Tables, sets and orders hardly share a key; of the answers that are possible each comes as often."""
    kind, keys = run[0].kind, {exercise.key for exercise in run}
    form = kind.form
    if found.guess is None and kind.accepts is None and form.has_entries:
        assert found.fixed_text.average <= 0.10
        assert found.neighbour.average <= 0.10
        assert found.same_key_pairs <= 0.01
    elif found.guess is None and in_parts(run[0].kind.code):
        assert found.fixed_text.average <= 0.30
        assert found.neighbour.average <= 0.25
        assert found.same_key_pairs <= 0.03
    else:
        if found.guess is None:
            assert len(keys) >= FEWEST
            limit = max(SELDOM, 1 / len(keys) + EVEN)
        else:
            limit = found.guess + EVEN
        assert found.fixed_text.average <= limit, float(found.fixed_text.average)
        assert found.neighbour.average <= limit, float(found.neighbour.average)
        if form.set_of:
            assert found.same_key_pairs <= max(EVEN, limit - EVEN + 0.01)


@pytest.mark.parametrize("run", LEAVES, indirect=True)
def test_no_leaf_is_pruned_in_most_variants(run: list[Exercise]) -> None:
    """Each leaf is pruned in at most 70 % of the variants of a kind that asks about leaves."""
    pruned: Counter[int] = Counter()
    for exercise in run:
        tree = exercise.public.tree
        visited = search(tree, exercise.public.rules, traced=False).visited
        pruned.update(path for path, leaf in enumerate(tree.leaves, 1) if not visited[leaf])
    assert max(pruned.values()) <= 0.70 * COUNT
