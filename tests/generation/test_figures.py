"""What can be had without knowing: the figures that the exercises of the recipes keep to, 200 of one run."""

from collections import Counter

import pytest

from grader.exercise import Exercise
from grader.generation.earning import earnings
from grader.generation.growing import grow_many
from grader.generation.limits import moot
from grader.generation.recipe_file import default_recipe
from grader.kinds import the_kind
from grader.solvers.searching import search

pytestmark = pytest.mark.slow

COUNT = 200
AVERAGE, MOST = 0.60, 0.75
"""What no mistake earns more than, on average and in any exercise."""

MILDER = {("node-values", "returned-for-value"): (0.91, 0.95)}
"""Mistakes that are so mild that they may earn more, as their recipes say, and what they earn."""

SETS = ("pruned-paths", "pruned-branches", "visiting-order", "chance-cuts")
TABLES = ("node-values", "expected-values", "windows")
LEAVES = [name for name in SETS if the_kind(name).tells in ("leaves", "order")]
FEW = {"best-move": 3, "best-path": 12}
"""Out of how many answers there is one."""


@pytest.fixture(scope="module", params=[*SETS, *TABLES, *FEW, "root-value", "visited-count"])
def run(request: pytest.FixtureRequest) -> list[Exercise]:
    """Two hundred exercises of one run."""
    return list(grow_many(default_recipe(request.param), "figures", COUNT))


def test_what_is_had_without_knowing(run: list[Exercise]) -> None:
    """Mistakes, one text for all, what a neighbour has, and shared keys stay within their limits."""
    name = run[0].kind.name
    found = earnings(run)
    pointless = moot(default_recipe(name))
    for belief, earned in found.mistakes:
        if belief in pointless:
            continue
        average, most = MILDER.get((name, belief), (AVERAGE, MOST))
        if the_kind(name).form.policies or name == "visiting-order":
            assert earned.average <= average, (belief, float(earned.average))
            assert earned.most <= most, (belief, float(earned.most))
        assert earned.most < 1, belief
    if name in SETS:
        assert found.text.average <= 0.30
        assert found.neighbour.average <= 0.25
        assert found.pairs <= 0.03
    elif name in TABLES:
        assert found.neighbour.average <= 0.10
        assert found.text.average <= 0.10
        assert found.pairs <= 0.01
    elif name in FEW:
        assert found.text.average <= 1 / FEW[name] + 0.03
    assert found.level is None or found.level <= 0.4


@pytest.mark.parametrize("run", LEAVES, indirect=True)
def test_no_leaf_is_pruned_in_most_variants(run: list[Exercise]) -> None:
    """Each leaf is pruned in at most 70 % of the variants of a kind that asks about leaves."""
    pruned: Counter[int] = Counter()
    for exercise in run:
        tree = exercise.public.tree
        visited = search(tree, exercise.public.rules, traced=False).visited
        pruned.update(path for path, leaf in enumerate(tree.leaves, 1) if not visited[leaf])
    assert max(pruned.values()) <= 0.70 * COUNT
