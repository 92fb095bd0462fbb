"""The same papers marked by a changed blueprint: other points, policies or rules, the trees as printed."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from grader.base.numbers import format_count
from grader.exam.blueprint import Blueprint, PartPlan, QuestionPlan
from grader.exam.manifest import Exam, ReiterableTexts, write_question, write_variant
from grader.exam.paper import Question
from grader.exam.pools import pooled_numbers
from grader.exercises.exercise import Exercise, ExerciseError, make_exercise
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from grader.version import PROGRAM


class BlueprintMismatchError(ValueError):
    """A blueprint that does not fit the printed papers; the message names the difference."""


def amend_exam(exam: Exam, blueprint: Blueprint) -> Exam:
    """Return the exam asked and marked as another blueprint says; trees, seats and heading stay.

    A part of 0 points is dropped: it is marked as printed, but does not count.

    Iterating its variants raises `BlueprintMismatchError` if the blueprint asks something else than the
    papers, or asks it of another tree.
    """
    origin = replace(exam.origin, blueprint=blueprint.digest, program=PROGRAM)
    variants = ReiterableTexts(partial(_variants, exam, blueprint))
    return replace(exam, origin=origin, variants=variants, missing=blueprint.missing)


def _variants(exam: Exam, blueprint: Blueprint) -> Iterator[str]:
    """Yield the variants of the exam with the terms of another blueprint.

    Raises `BlueprintMismatchError` if it does not have the questions and alternatives of the papers.
    """
    for paper in exam.papers:
        if len(paper.questions) != blueprint.length:
            questions = format_count(blueprint.length, "question")
            raise BlueprintMismatchError(f"it has {questions}, but the papers have {len(paper.questions)}")
        # Of a pool the record says which alternative is on a paper; all others are on every paper.
        fixed = iter([n for n in range(len(blueprint.questions)) if n not in pooled_numbers(blueprint)])
        numbers = [next(fixed, -1) if each.plan is None else each.plan for each in paper.questions]
        if not set(numbers) <= set(range(len(blueprint.questions))):
            raise BlueprintMismatchError("its pools have different alternatives from the papers")
        pairs = zip(paper.questions, (blueprint.questions[number] for number in numbers), strict=True)
        yield write_variant(paper.code, [write_question(_question(*pair)) for pair in pairs])


def _question(printed: Question, plan: QuestionPlan) -> Question:
    """Return a printed question with the terms of its new plan.

    Raises `BlueprintMismatchError` for other kinds or trees, or terms under which it cannot be asked.
    """
    name = f"question {printed.label}"
    if tuple(part.kind for part in plan.parts) != tuple(part.public.kind for part in printed.parts):
        kinds = " and ".join(part.public.kind for part in printed.parts)
        raise BlueprintMismatchError(
            f"{name} asks for {kinds} on the papers, but the blueprint asks something else"
        )
    tree = plan.source.as_asked() if isinstance(plan.source, Tree) else None
    if tree is not None and any(part.public.tree != tree for part in printed.parts):
        raise BlueprintMismatchError(f"{name} has a different tree on the papers")
    pairs = zip(printed.parts, plan.parts, strict=True)
    try:
        parts = tuple(_part(part, planned, plan.conventions) for part, planned in pairs)
    except ExerciseError as error:
        raise BlueprintMismatchError(f"{name} cannot be asked like this: {error}") from None
    dropped = tuple(number for number, part in enumerate(plan.parts) if not part.terms.points)
    return replace(
        printed, title=plan.title, parts=parts, follow_through=plan.follow_through, dropped=dropped
    )


def _part(printed: Exercise, plan: PartPlan, rules: Rules) -> Exercise:
    """Return one part with its new terms; given values and language stay as printed.

    So does the policy unless the blueprint states one: versions differ in the usual one.
    """
    public = printed.public
    terms = replace(plan.terms, language_code=public.terms.language_code, own=public.terms.own)
    if not terms.points:  # dropped: the full mark stays, for marks that the report can explain
        terms = replace(terms, points=public.terms.points)
    if not plan.states_policy:
        terms = replace(terms, policy=public.terms.policy)
    return plan.reword(
        make_exercise(
            plan.question_kind,
            public.tree,
            rules,
            terms,
            given=public.given,
            profile=printed.profile,
            seed=printed.seed,
        )
    )
