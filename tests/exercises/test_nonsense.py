"""What a table earns that nobody thought about, and one that was copied, on the recipes that come with us."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from grader.answers.numeral import Numeral
from grader.answers.table import Table
from grader.exercises.exercise import Exercise
from grader.generation.grower import grow_many
from grader.generation.recipe_file import default_recipe

COUNT = 200
"""So many exercises of one run."""

MOST = Fraction(1, 10)
"""The most that nonsense earns on average."""


def _key(exercise: Exercise) -> Table:
    key: Table = exercise.answer(exercise.key)
    return key


def _everywhere(number: int) -> Callable[[Exercise, Exercise], Table]:
    return lambda exercise, _: tuple((node, Numeral(number)) for node, _ in _key(exercise))


def _one_off(exercise: Exercise, _neighbour: Exercise) -> Table:
    return tuple((node, Numeral(said.value + 1)) for node, said in _key(exercise))


def _copied(exercise: Exercise, neighbour: Exercise) -> Table:
    tree, other = exercise.public.tree, neighbour.public.tree
    seen = {other.names[node]: said for node, said in _key(neighbour)}
    return tuple((node, seen[tree.names[node]]) for node in tree.internal if tree.names[node] in seen)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["node-values", "expected-values"])
def test_nonsense_earns_next_to_nothing(kind: str) -> None:
    """One number everywhere, all values one too high and a neighbour's table earn at most a tenth."""
    exercises = list(grow_many(default_recipe(kind), 1, COUNT))
    for nonsense in (_everywhere(999), _everywhere(0), _one_off, _copied):
        earned = Fraction(0)
        for exercise, neighbour in zip(exercises, (*exercises[1:], exercises[0]), strict=True):
            public, reply = exercise.public, nonsense(exercise, neighbour)
            _, best = exercise.kind.credit(public.case, reply, _key(exercise), public.terms)
            earned += best.share
        assert earned / COUNT <= MOST
