"""Pools: which of several alternative questions a paper has, and whether they are equally hard."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from grader.exam.assignment import PaperOwner, derive_bytes
from grader.exam.blueprint import Blueprint, Pool, QuestionPlan
from grader.exam.composition import compose_for
from grader.exam.population import (
    Population,
    average_points,
    misconceptions_among,
    points_by_misconception,
)
from grader.generation.stream import Stream

SAMPLED_QUESTIONS = 4
"""On how many variants of an alternative it is measured what mistakes earn; all are about equally hard."""

MISTAKEN_STUDENTS = Population(mistaken=Fraction(1), slips=Fraction(0), blanks=Fraction(0))
"""The students by whom alternatives are compared: each has a misconception."""

USUAL_SPREAD = Fraction(1, 10)
"""By how much the expected points of alternatives may differ, unless the pool says it."""


def pool_objections(plans: Sequence[QuestionPlan], choose: int) -> Iterator[tuple[str, str]]:
    """Yield the reasons why these questions cannot be a pool with `choose` on a paper, each with a hint."""
    if len(plans) <= choose:
        message = f"choose takes {choose} of the alternatives, but there are {len(plans)}"
        yield message, "write [[question.alternative]] at least once more than choose says"
    if len({tuple(part.terms.points for part in plan.parts) for plan in plans}) > 1:
        message = "the alternatives of a pool must have the same number of parts, with the same points"
        yield message, "state points in each of them, or once for all in the pool"


def draw_questions(blueprint: Blueprint, owner: PaperOwner) -> tuple[int, ...]:
    """Return the numbers of the questions on a paper, counted from 0 over the blueprint.

    Which alternatives it has depends on the secret, the pool and the owner alone; each is equally likely.
    """
    numbers = set(range(len(blueprint.questions)))
    for place, pool in enumerate(blueprint.pools):
        stream = Stream(derive_bytes(blueprint.secret, "pool", place, *owner).hex())
        numbers -= set(pool.numbers) - set(stream.sample(pool.numbers, pool.choose))
    return tuple(sorted(numbers))


def pooled_numbers(blueprint: Blueprint) -> frozenset[int]:
    """Return the numbers of all questions that are alternatives."""
    return frozenset(number for pool in blueprint.pools for number in pool.numbers)


def share_of_mistaken(plan: QuestionPlan, number: int, secret: str) -> Fraction:
    """Return the share of its points that students with one misconception each earn on average.

    Every misconception that leads to an incorrect answer counts alike; without one all answer correctly.
    """
    questions = [
        compose_for(plan, number, secret, PaperOwner("sample", str(sample)))
        for sample in range(SAMPLED_QUESTIONS)
    ]
    names = misconceptions_among(questions)
    averages = (
        average_points(points_by_misconception(question, MISTAKEN_STUDENTS), MISTAKEN_STUDENTS, names)
        for question in questions
    )
    return sum(averages, Fraction(0)) / sum(question.public.points for question in questions)


def pool_faults(blueprint: Blueprint) -> Iterator[str]:
    """Yield the pools whose alternatives are not equally hard within the bound of the blueprint."""
    for pool in blueprint.pools:
        shares = {
            number: share_of_mistaken(blueprint.questions[number], number, blueprint.secret)
            for number in pool.numbers
        }
        hardest, easiest = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
        if shares[easiest] - shares[hardest] > pool.spread:
            yield (
                f"the alternatives of {_pool_label(blueprint, pool)} are not equally hard: students with one "
                f"misconception each earn {_percent(shares[hardest])} of the points of "
                f"{_kinds(blueprint.questions[hardest])} and {_percent(shares[easiest])} of those of "
                f"{_kinds(blueprint.questions[easiest])}"
            )


def pool_notes(blueprint: Blueprint, owners: Sequence[PaperOwner]) -> Iterator[str]:
    """Say of every pool how many papers have each alternative."""
    counts = Counter(number for owner in owners for number in draw_questions(blueprint, owner))
    for pool in blueprint.pools:
        shares = [f"{_kinds(blueprint.questions[number])} on {counts[number]}" for number in pool.numbers]
        yield f"{_pool_label(blueprint, pool)}: {', '.join(shares)} of {len(owners)} papers"


def _pool_label(blueprint: Blueprint, pool: Pool) -> str:
    """Return the labels that a pool fills on paper: `question 2`, or `questions 2 to 3`."""
    before = sum(each.count - each.choose for each in blueprint.pools if each.first < pool.first)
    first = pool.first - before + 1
    return f"question {first}" if pool.choose == 1 else f"questions {first} to {first + pool.choose - 1}"


def _kinds(plan: QuestionPlan) -> str:
    return " and ".join(part.kind for part in plan.parts)


def _percent(share: Fraction) -> str:
    return f"{round(100 * share)}%"
