"""The laws of what a student reads about a mark."""

import pytest

from grader.exercises.exercise import Exercise
from grader.exercises.feedback import MAX_EXPLANATION_WORDS, Feedback
from grader.exercises.marking import Marker
from grader.generation.grower import grow_many
from grader.generation.recipe_file import default_recipe

LISTS = ("pruned-paths", "pruned-branches", "visiting-order", "windows", "node-values", "expected-values")
"""Kinds whose answers are lists, orders and tables: the most can be wrong about them."""


def exercises(kind: str) -> list[Exercise]:
    """A few exercises of a kind by its own recipe."""
    return list(grow_many(default_recipe(kind), "feedback", 3))


@pytest.mark.parametrize("kind", LISTS)
def test_a_wrong_list_is_explained_in_few_words(kind: str) -> None:
    """What is said of any misconception's answer has at most 120 words; nothing of the rest is lost."""
    for exercise in exercises(kind):
        marker, feedback = Marker(exercise), Feedback(exercise)
        for reply in exercise.beliefs.values():
            mark = marker.mark(reply)
            told = feedback.explanation(mark)
            said = " ".join((*told.diagnosis, told.first, *told.further))
            assert told.first
            assert len(said.split()) <= MAX_EXPLANATION_WORDS == 120, said
            assert {remark.text for remark in feedback.remarks(mark) if remark.text} <= {
                told.first,
                *told.further,
                *told.more,
            }


@pytest.mark.parametrize("kind", LISTS)
def test_a_correct_answer_gets_a_reason(kind: str) -> None:
    """The explanation of a correct answer is a step that decides it."""
    for exercise in exercises(kind):
        told = Feedback(exercise).explanation(Marker(exercise).mark(exercise.key))
        assert told.first in exercise.kind.worked_solution.deciding_steps(exercise.solved())
        assert not told.diagnosis


@pytest.mark.parametrize(
    ("code", "may_be_slip"),
    [("depth-limited.flip", True), ("belief-state.result", True), ("uct.phase", False)],
)
def test_a_number_next_to_the_key_may_be_a_slip(code: str, may_be_slip: bool) -> None:
    """A note says so exactly where the reply is off by one, and never of the number of a choice."""
    for exercise in grow_many(default_recipe(code), "slips", 4):
        key = exercise.answer(exercise.key).value
        for reply in exercise.beliefs.values():
            feedback, marked = Feedback(exercise), Marker(exercise).mark(reply)
            is_next = abs(exercise.answer(reply).value - key) == 1
            for texts in (feedback.diagnosis(marked), feedback.explanation(marked).diagnosis):
                assert ("may also be a simple slip" in " ".join(texts)) is (may_be_slip and is_next)
