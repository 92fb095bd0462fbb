"""How fast an exercise of each of the first kinds grows, in textbook searches."""

from statistics import median
from time import process_time

import pytest

from grader.generation.grower import Grower
from grader.generation.recipe_file import default_recipe
from tests.benchmarks.textbook import textbook_search

pytestmark = pytest.mark.benchmark

SEEDS = 40

MAX_SEARCHES = {
    "root-value": 120,
    "best-move": 160,
    "best-path": 160,
    "node-values": 175,
    "pruned-paths": 345,
    "pruned-branches": 420,
    "visited-count": 350,
    "windows": 280,
    "windows.own-values": 420,
    "visiting-order": 350,
    "expected-values": 200,
}
"""The most textbook searches of 27 leaves that one exercise may take."""


@pytest.mark.parametrize("kind", MAX_SEARCHES)
def test_one_exercise(kind: str) -> None:
    """An exercise, the first one of its seed, takes at most so many searches in the median.

    The survey of the recipe is done before: it is made once, and shipped for the recipes of the package.
    """
    recipe = default_recipe(kind)
    next(Grower(recipe, "first").exercises(1))
    taken = []
    for seed in range(SEEDS):
        search = textbook_search(15)
        start = process_time()
        next(Grower(recipe, seed).exercises(1))
        taken.append((process_time() - start) / search)
    print(f"\n{kind}: {median(taken):.0f} searches")
    assert median(taken) <= MAX_SEARCHES[kind]
