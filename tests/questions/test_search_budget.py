"""Questions about what a search can afford: answers that rounding does not change."""

from dataclasses import replace
from math import floor, log

import pytest

from grader.generation.grower import grow_many
from grader.generation.recipe_file import default_recipe
from grader.questions.given import Given
from grader.questions.search_budget import depth_survives_rounding


@pytest.mark.parametrize("rounded", ["complete", "nearest"])
@pytest.mark.parametrize("model", ["b^d", "b^(d/2)"])
def test_a_depth_survives_rounding(model: str, rounded: str) -> None:
    """Students who round logarithms to two decimals come to the same depth."""
    recipe = replace(default_recipe("search-budget.depth"), given=Given({"model": model, "rounded": rounded}))
    for exercise in grow_many(recipe, "rounding", 40):
        given = exercise.public.given
        leaves = round(log(given["seconds"] * given["rate"]), 2)
        depth = leaves / round(log(given["branching"]), 2) * (1 if model == "b^d" else 2)
        depth = floor(depth + 0.5 * (rounded == "nearest"))
        assert exercise.answer(exercise.key).value == depth, given


def test_an_exact_count_survives_rounding() -> None:
    """Students who round the leaves of the best order to two digits come to the same depth."""
    recipe = replace(default_recipe("search-budget.depth"), given=Given({"model": "b^⌈d/2⌉ + b^⌊d/2⌋ − 1"}))
    for exercise in grow_many(recipe, "rounding", 40):
        given, depth = exercise.public.given, exercise.answer(exercise.key).value
        leaves, branching = given["seconds"] * given["rate"], given["branching"]
        counts = [branching ** ((plies + 1) // 2) + branching ** (plies // 2) - 1 for plies in range(60)]
        assert float(f"{counts[depth]:.1e}") <= leaves < float(f"{counts[depth + 1]:.1e}"), given


@pytest.mark.parametrize(
    ("seconds", "is_sure"), [(11, False), (12, False), (13, True), (18, True), (19, False)]
)
def test_an_exact_depth_is_asked_where_a_tenth_of_the_leaves_does_not_matter(
    seconds: int, is_sure: bool
) -> None:
    """With ten moves, 109 leaves are needed for depth 3 and 199 for depth 4."""
    given = Given({"seconds": seconds, "rate": 10, "branching": 10, "model": "b^⌈d/2⌉ + b^⌊d/2⌋ − 1"})
    assert depth_survives_rounding(given) is is_sure
