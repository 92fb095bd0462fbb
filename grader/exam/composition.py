"""From a blueprint to questions with their answers: grown, or asked of a given tree."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import cycle, islice, repeat

from grader.base.numbers import format_count
from grader.exam.assignment import PaperOwner, question_seed
from grader.exam.blueprint import PartPlan, QuestionPlan
from grader.exam.paper import Question, part_letter
from grader.exercises.exercise import Exercise, ExerciseError, make_exercise
from grader.generation.earnings import shared_keys_note
from grader.generation.grower import exercise_on_tree, grow_many
from grader.generation.measures import has_profile, profile_of, shared_fields
from grader.generation.recipe import Recipe
from grader.generation.selection import ExhaustedError
from grader.generation.stream import Stream
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.randomness import Draw
from grader.questions.search_answers import TIE_BELIEFS
from grader.trees.notation.diagnostics import clip
from grader.trees.tree import Tree

MAX_DRAWS_OF_AN_OWNER = 4
"""How often a question is drawn for an owner if none is found within the cap of the recipe."""

MAX_UNUSABLE_TREES = 50
"""Give up after this many trees in a row that do not suit some part."""


def compose(plan: QuestionPlan, number: int, secret: str, count: int) -> Iterator[Question]:
    """Yield the variants of question `number` of an exam, counted from 0, as forms have them.

    The first variants do not depend on `count`. A given tree is the same in all of them. If a recipe has
    fewer variants, they are repeated in the same order.
    Raises `grader.generation.selection.ExhaustedError` when a recipe has none at all, and
    `grader.exercises.exercise.ExerciseError` when the parts cannot share a tree.
    """
    if isinstance(plan.source, Tree):
        yield from repeat(_question_on_tree(plan, number, plan.source), count)
        return
    different: list[Question] = []
    try:
        grown_questions = _grow(plan, number, plan.source, count, question_seed(secret, number))
        for question in islice(grown_questions, count):
            yield question
            different.append(question)
    except ExhaustedError:
        if not different:
            raise
    yield from islice(cycle(different), count - len(different))


def compose_for(plan: QuestionPlan, number: int, secret: str, owner: PaperOwner) -> Question:
    """Return question `number` of one owner's paper; it depends on the secret and the owner alone.

    It is as hard as those of all other owners. Two owners draw the same tree as rarely as chance has it, and
    where a recipe has few trees that is often. Raises the same errors as `compose`.
    """
    if isinstance(plan.source, Tree):
        return _question_on_tree(plan, number, plan.source)
    run, seed = question_seed(secret, number), question_seed(secret, number, owner)
    for attempt in range(1, MAX_DRAWS_OF_AN_OWNER):
        with suppress(ExhaustedError):  # few trees have the stratum that was drawn
            return next(_grow(plan, number, plan.source, 1, f"{seed}/{attempt}", run))
    return next(_grow(plan, number, plan.source, 1, f"{seed}/{MAX_DRAWS_OF_AN_OWNER}", run))


def _question_on_tree(plan: QuestionPlan, number: int, tree: Tree) -> Question:
    """Return a question about a given tree."""
    parts = tuple(
        part.reword(exercise_on_tree(tree, part.question_kind, plan.conventions, part.terms, part.given))
        for part in plan.parts
    )
    return Question(str(number + 1), plan.title, parts, plan.follow_through, layout=plan.layout)


def _grow(
    plan: QuestionPlan, number: int, source: Recipe, count: int, seed: str, run: str | None = None
) -> Iterator[Question]:
    """Yield questions on trees that grow from a seed, at least `count` of them.

    Trees about which a part cannot be asked are passed over. Raises `ExerciseError` after
    `MAX_UNUSABLE_TREES` of them in a row.
    """
    place = next(place for place, part in enumerate(plan.parts) if part.kind == source.kind)
    shared = shared_fields(source)
    recipe = source.in_language(plan.parts[place].terms.language)
    refused = 0
    for exercise in grow_many(recipe, seed, count * MAX_UNUSABLE_TREES, run=run):
        try:
            parts = _parts(plan, exercise, source)
        except ExerciseError:
            refused += 1
            if refused == MAX_UNUSABLE_TREES:
                raise
            continue
        yield Question(str(number + 1), plan.title, parts, plan.follow_through, place, shared, plan.layout)
        refused = 0


def _parts(plan: QuestionPlan, source: Exercise, recipe: Recipe) -> tuple[Exercise, ...]:
    """Make every part from the tree of an exercise; later parts may use the given values of earlier ones.

    Raises `grader.exercises.exercise.ExerciseError` if a part does not suit the tree.
    """
    parts, shared = [], source.public.given
    for plan_part in plan.parts:
        part = _part(plan_part, source, recipe, shared)
        shared = Given({**part.public.given, **shared})
        parts.append(part)
    return tuple(parts)


def _part(part: PartPlan, source: Exercise, recipe: Recipe, shared: Given) -> Exercise:
    """Make one part from the tree of an exercise; the profile is that of this part.

    Raises `ExerciseError` if the part cannot be asked of it.
    """
    tree, rules = source.public.tree, recipe.rules
    profile = (
        profile_of(tree, rules, searching=part.question_kind.depends_on_search).to_json()
        if has_profile(tree)
        else {}
    )
    given = source.public.given if part.kind == recipe.kind else _given(part, source, shared)
    try:
        exercise = make_exercise(
            part.question_kind, tree, rules, part.terms, given=given, profile=profile, seed=source.seed
        )
    except ExerciseError as error:
        message = f"{part.kind} cannot be asked of the trees that grow for {recipe.kind}: {error}"
        raise ExerciseError(message) from None
    return part.reword(exercise)


def _given(part: PartPlan, source: Exercise, shared: Given) -> Given:
    """Draw the given values of a part of another kind for the tree that all parts share.

    Nothing is given if the kind can only draw them together with another tree.
    """
    kind, case = part.question_kind, replace(source.public.case, given=shared)
    draw = Draw(Stream(source.seed or "").sub("part", kind.code), part.terms.language)
    if kind.draw_shared_given is not None:
        return kind.draw_shared_given(draw, case)
    question = None if kind.draw is None else kind.draw(draw, replace(case, given=NOTHING_GIVEN))
    return NOTHING_GIVEN if question is None or question.tree != case.tree else question.given


def sharing_warning(number: int, papers_by_variant: Collection[int]) -> str:
    """Return that students share variants of a question, counted from 0; empty if each has one of its own.

    `papers_by_variant` is on how many papers each variant is.
    """
    different, count = len(papers_by_variant), sum(papers_by_variant)
    if different == count:
        return ""
    return (
        f"question {number + 1} has only {format_count(different, 'variant')} for {count} papers, so up to "
        f"{max(papers_by_variant)} papers "
        "share one; other conventions, another size or another kind give more"
    )


def shared_key_warnings(variants: Sequence[Question], number: int) -> Iterator[str]:
    """Warn of parts of question `number`, counted from 0, whose answer many students share."""
    for place, parts in enumerate(zip(*(question.parts for question in variants), strict=True)):
        note = shared_keys_note(parts)
        if note:
            letter = part_letter(place, len(variants[0].parts))
            yield f"question {number + 1}{letter}: {note}; a larger tree or fewer demands give more answers"


def key_warnings(question: QuestionPlan, number: int, platforms: Sequence[str]) -> Iterator[str]:
    """Warn of parts with several correct answers if a platform marks them by the one in the key."""
    for place, part in enumerate(question.parts):
        if platforms and part.question_kind.has_several_answers:
            yield (
                f"question {number + 1}{part_letter(place, len(question.parts))} has many correct answers, "
                f"but {' and '.join(platforms)} only know the one in the key; mark it here"
            )


def tree_warnings(plan: QuestionPlan, number: int) -> Iterator[str]:
    """Yield what the author of a given tree may have missed: the tie rule decides, or nothing is tested.

    Grown trees need no warnings: their recipe excludes all of this.
    """
    if isinstance(plan.source, Tree):
        (question,) = compose(plan, number, "", 1)
        for place, part in enumerate(question.parts):
            name = f"question {question.label}{part_letter(place, len(question.parts))}"
            yield from (f"{name}: {doubt}" for doubt in _doubts(part))


def _doubts(exercise: Exercise) -> Iterator[str]:
    """Yield the warnings about one part."""
    public, form, answer = exercise.public, exercise.kind.form, exercise.answer(exercise.key)
    other = exercise.beliefs.get(f"{public.kind}.{TIE_BELIEFS[public.rules.ties]}")
    if other is not None:
        ties = public.rules.with_other_ties().ties
        yield f'the answer depends on the tie rule; with ties = "{ties}" it is {clip(other, 60)}'
    doubt = "" if form.key_remark is None else form.key_remark(answer, public.tree)
    if doubt:
        yield doubt
    if not exercise.beliefs:
        yield "no known misconception leads to a wrong answer"
