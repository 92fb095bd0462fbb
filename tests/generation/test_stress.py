"""What can be guessed: the statistics of stress, and what they show of the default recipes."""

from fractions import Fraction
from itertools import pairwise

import pytest

from grader.base.statistics import midranks
from grader.exercises.exercise import Exercise
from grader.exercises.marking import mark
from grader.generation.earnings import measure_earnings
from grader.generation.grower import Grower
from grader.generation.recipe import Recipe
from grader.generation.recipe_file import default_recipe, with_changes
from grader.generation.recipe_stress import evenness, stress_recipe
from grader.questions import all_kinds


def test_even_counts_are_likely_and_uneven_ones_are_not() -> None:
    """Equal counts have probability 1; counts far from equal have almost none."""
    assert evenness({"1": 50, "2": 50, "3": 50}).probability == 1
    assert evenness({"1": 90, "2": 30, "3": 30}).probability < 1e-6
    assert 0.05 < evenness({"1": 55, "2": 45, "3": 50}).probability < 0.95


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["best-move", "expected-values", "root-value", "best-path"])
def test_the_best_move_cannot_be_guessed(name: str) -> None:
    """Over many seeds the best move is at every place equally often, as chance has it."""
    report = stress_recipe(default_recipe(name), 120)
    assert report.best_moves is not None
    assert report.best_moves.probability > 0.001
    assert sum(count for _, count in report.best_moves.counts) == 120


def test_stress_counts_what_it_grew() -> None:
    """Everything separates, no guess earns the full mark, and the report is of the exercises grown."""
    seen: list[int] = []
    report = stress_recipe(default_recipe("pruned-paths", "homework"), 30, tell=seen.append)
    assert seen == [1] * 60
    assert report.report.exercises == 30
    assert report.separated == 1
    assert all(told == 1 for name, told in report.beliefs if name not in dict(report.moot) and told)
    assert set(dict(report.thoughtless)) == {"everything", "nothing", "last branch"}
    assert max(dict(report.thoughtless).values()) < 1
    assert report.pruned[0] == 0
    assert max(report.pruned) < 1
    assert report.best_bet is not None
    assert report.best_bet < Fraction(1, 2)
    assert report.answers[0] > 15
    assert report.to_json()["separated"] == "1"


def test_how_often_a_mistake_shows() -> None:
    """A mistake shows in those exercises whose record has an answer of it; some come upon the key in half."""
    recipe, name = default_recipe("board-position.over"), "full-board-alone"
    report = stress_recipe(recipe, 12)
    made = [exercise for seed in range(12) for exercise in Grower(recipe, seed).exercises(1)]
    shown = sum(f"board-position.over.{name}" in exercise.beliefs for exercise in made)
    assert 0 < shown < 12
    assert (dict(report.beliefs)[name], dict(report.overall_separation)[name]) == (1, Fraction(shown, 12))


def test_what_is_earned_without_knowing() -> None:
    """Neighbours, one text and mistakes earn what marking gives for them; equal pairs are counted."""
    exercises = list(Grower(default_recipe("pruned-paths"), "earned").exercises(8))
    found = measure_earnings(exercises)

    def points(exercise: Exercise, reply: str) -> Fraction:
        return Fraction(mark(exercise, reply).points or 0) / Fraction(exercise.public.terms.points)

    near = [points(later, former.key) for former, later in pairwise((exercises[-1], *exercises))]
    assert (found.neighbour.average, found.neighbour.maximum) == (sum(near) / 8, max(near))
    texts = [sum(points(each, text) for each in exercises) for text in {each.key for each in exercises}]
    assert found.fixed_text.average == max(texts) / 8
    late = [points(each, each.beliefs["pruned-paths.one-late"]) for each in exercises]
    assert dict(found.mistakes)["one-late"].average == sum(late) / 8
    keys = [each.key for each in exercises]
    assert found.same_key_pairs == Fraction(sum(keys.count(key) - 1 for key in keys), 8 * 7)
    assert found.half_correlation is not None
    assert -1 <= found.half_correlation <= 1


def test_ranks_share_what_is_equal() -> None:
    """Equal values have the mean of the ranks they take up together."""
    assert midranks([30, 10, 10, 20]) == [4, Fraction(3, 2), Fraction(3, 2), 3]


def test_stress_sees_a_recipe_that_can_be_guessed() -> None:
    """When the best move is kept out of the first branch, and beliefs are not separated, it shows."""
    recipe = with_changes(
        default_recipe("best-move"),
        {"require.best_leaf": "not-first-branch", "separate.key": "none", "variants.evenly": "none"},
    )
    assert isinstance(recipe, Recipe)
    report = stress_recipe(recipe, 60)
    assert report.best_moves is not None
    assert dict(report.best_moves.counts)["1"] == 0
    assert report.best_moves.probability < 1e-4
    assert report.separated < 1


@pytest.mark.slow
@pytest.mark.parametrize("name", [kind.code for kind in all_kinds()])
def test_the_default_recipes_hold_over_five_hundred_seeds(name: str) -> None:
    """All exercises separate, nothing thoughtless earns the full mark, and nothing even is uneven."""
    recipe = default_recipe(name)
    # What a run earns is held by the figures.
    report = stress_recipe(recipe, 500, variants=30)
    assert report.separated == 1
    assert max([0, *dict(report.thoughtless).values()]) < 1
    if recipe.question_kind.form.name == "truth":
        assert abs(report.answers[1] - Fraction(1, 2)) < Fraction(1, 10)
    else:
        assert report.answers[1] < Fraction(1, 2)
    if recipe.variants.evenly in ("best-move", "best-leaf") and name not in SOME_PLACES:
        assert report.best_moves is not None
        assert report.best_moves.probability > 0.001
    if report.pruned:
        assert max(report.pruned) < Fraction(95, 100)
        assert report.best_bet is not None
        assert report.best_bet < Fraction(1, 2)


SOME_PLACES = ("windows",)
"""Three beta cuts are hardly possible when the first branch is best, so its place is not drawn."""
