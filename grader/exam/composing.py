"""From a blueprint to questions with their answers: grown, or asked of a given tree."""

from collections.abc import Iterator

from grader.exam.assigning import seed_of
from grader.exam.blueprint import PartPlan, QuestionPlan
from grader.exam.paper import Question
from grader.exercise import Exercise, in_words, make_exercise
from grader.growing.growing import exercise_from, grow_many
from grader.growing.profile import profile_of, shared
from grader.growing.recipe import Recipe
from grader.tree import Tree


def compose(plan: QuestionPlan, number: int, secret: str, count: int) -> Iterator[Question]:
    """The variants of one question, which is number `number` of its exam, counted from 0.

    The first variants do not depend on how many are asked for. A given tree is the same in all of them.
    Raises `grader.growing.survey.ExhaustedError` when a recipe asks for too much.
    """
    label = str(number + 1)
    if isinstance(plan.source, Tree):
        rules = plan.source.rules(**dict(plan.rules))
        parts = tuple(
            _worded(exercise_from(plan.source, part.asked, rules, part.terms), part) for part in plan.parts
        )
        yield from (Question(label, plan.title, parts, plan.follow_through) for _ in range(count))
        return
    place = next(place for place, part in enumerate(plan.parts) if part.kind == plan.source.kind)
    alike = shared(plan.source)
    for grown in grow_many(plan.source, seed_of(secret, number), count):
        parts = tuple(_part(part, grown, plan.source) for part in plan.parts)
        yield Question(label, plan.title, parts, plan.follow_through, place, alike)


def _part(part: PartPlan, grown: Exercise, recipe: Recipe) -> Exercise:
    """One part asked of the tree that was grown; the profile says how hard this part is."""
    tree, rules = grown.public.tree, recipe.rules
    profile = profile_of(tree, rules, searching=part.asked.searches)
    exercise = make_exercise(part.asked, tree, rules, part.terms, profile=profile.to_json(), seed=grown.seed)
    return _worded(exercise, part)


def _worded(exercise: Exercise, part: PartPlan) -> Exercise:
    """The exercise in the teacher's words, where there are any."""
    return exercise if part.prompt is None else in_words(exercise, part.prompt)
