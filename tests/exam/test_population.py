"""The laws of expected points: what a stated population of students earns on average."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from grader.exam.composition import compose
from grader.exam.paper import Question
from grader.exam.population import (
    Population,
    average_points,
    misconceptions_among,
    points_by_misconception,
)
from grader.exercises.follow_through import apply_follow_through
from grader.exercises.marking import Marker
from tests.exam.test_blueprint import HEAD, read

TWO_PARTS = (
    f"{HEAD}[[question]]\nfollow_through = true\n"
    '[[question.part]]\nkind = "pruned-paths"\npoints = 4\n'
    '[[question.part]]\nkind = "visited-count"\n'
)
POPULATION = Population(Fraction(2, 5), Fraction(1, 7), Fraction(1, 9))


def _question() -> Question:
    plan = read(TWO_PARTS)
    (question,) = compose(plan.questions[0], 0, plan.secret, 1)
    return question


def _enumerated(question: Question, population: Population, misconceptions: tuple[str, ...]) -> Fraction:
    """The mean over every misconception and everything that each student may write."""
    markers = [Marker(part) for part in question.parts]
    mean = Fraction(0)
    for name in ("", *misconceptions):
        held = Fraction(population.mistaken) / len(misconceptions) if name else 1 - population.mistaken
        written = []
        for part in question.parts:
            beliefs = part.beliefs
            intended = beliefs.get(f"{part.public.kind}.{name}", part.key)
            written.append(
                [
                    (intended, 1 - population.slips - population.blanks),
                    ("", population.blanks),
                    *((reply, Fraction(population.slips) / len(beliefs)) for reply in beliefs.values()),
                ]
            )
        for replies in product(*written):
            chance, points, earlier = held, Fraction(0), []
            for marker, (reply, share) in zip(markers, replies, strict=True):
                marked = marker.mark_with_answer(reply)
                mark = apply_follow_through(marker.exercise, marked.mark, marked.answer, earlier)
                earlier.append((marker.exercise, marked.answer))
                chance *= share
                points += mark.points or 0
            mean += chance * points
    return mean


def expected_points(question: Question, population: Population, names: Sequence[str]) -> Fraction:
    """The points that students earn on average who can have these misconceptions."""
    return average_points(points_by_misconception(question, population), population, names)


def test_expected_points_are_the_mean_over_all_replies() -> None:
    """Expected points are what is enumerated over misconceptions, slips and blanks, with follow-through."""
    question = _question()
    names = misconceptions_among([question])
    assert expected_points(question, POPULATION, names) == _enumerated(question, POPULATION, names)
    without = Question(question.label, question.title, question.parts)
    assert expected_points(without, POPULATION, names) < expected_points(question, POPULATION, names)


@pytest.mark.parametrize(
    ("population", "share"),
    [
        (Population(0, 0, 0), 1),
        (Population(0, 0, 1), 0),
        (Population(0, 0, Fraction(1, 4)), Fraction(3, 4)),
    ],
)
def test_who_knows_everything_earns_everything(population: Population, share: Fraction) -> None:
    """Students without misconceptions and slips lose exactly what they leave blank."""
    question = _question()
    points = expected_points(question, population, misconceptions_among([question]))
    assert points == share * question.public.points


def test_misconceptions_of_other_questions_change_nothing() -> None:
    """A student whose misconception has no effect on a question answers it correctly."""
    question, certain = _question(), Population(1, 0, 0)
    names = misconceptions_among([question])
    alone, half = (
        expected_points(question, certain, each)
        for each in (names, (*names, *(f"other-{name}" for name in names)))
    )
    assert half == (question.public.points + alone) / 2
