"""Follow through: credit an answer that is consistent with the student's own answer to an earlier part."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.answers.form import Credit, all_or_nothing
from grader.base.numbers import normalize_number
from grader.base.phrases import Phrase
from grader.exercises.exercise import Exercise
from grader.exercises.marking import Mark
from grader.questions.kind import Kind

CONSISTENCY_LEFT_OUT = Phrase("Credit for consistency in that answer does not count.")
"""What an earlier answer earns by itself, after a sentence that a later one earns the same fraction."""


def apply_follow_through(
    exercise: Exercise, mark: Mark, answer: Any, earlier: Sequence[tuple[Exercise, Any]]
) -> Mark:
    """Return the mark of an answer, or a better one if it is consistent with the student's earlier answers.

    `earlier` has the exercises of the parts before, all about the same tree, with the student's answers;
    an answer is None if there is none.
    An answer gains what it would earn with the key that an earlier reply implies, but at most as much as it
    earns by itself. An answer that is correct or incorrect as a whole gains at most the share that the
    earlier answer earned by itself, without what it gained because it is consistent with others.
    """
    if mark.points is None or mark.points >= mark.maximum:
        return mark
    public, form = exercise.public, exercise.kind.form
    share = Fraction(mark.points - mark.follow_through) / Fraction(mark.maximum)
    strict = Credit(share, mark.items)
    for other, before in earlier:
        for implied_key in _implied(exercise, other, before):
            by_itself = _right(other, before) if form.share is all_or_nothing else None
            credit = form.follow(answer, strict, implied_key, public.tree, public.terms, by_itself)
            points = normalize_number(Fraction(mark.maximum) * credit.share)
            if points > mark.points:
                extra = normalize_number(Fraction(mark.maximum) * (credit.share - share))
                mark = replace(mark, points=points, items=credit.items, follow_through=extra)
    return mark


def _right(other: Exercise, before: Any) -> Fraction:
    """Return the share of an earlier answer that is correct by itself."""
    public, key = other.public, other.answer(other.key)
    return other.kind.form.credit(before, key, public.tree, public.terms).share


def _implied(exercise: Exercise, other: Exercise, before: Any) -> Iterator[Any]:
    """Yield the answers to this part that an answer to another part implies."""
    public = exercise.public
    if before is None:
        return
    for quantity in carried_over(other.kind, exercise.kind):
        carried = other.kind.carries[quantity](other.public.case, before)
        implied = None if carried is None else exercise.kind.takes[quantity](public.case, carried)
        if implied is not None:
            yield implied


def carried_over(earlier: Kind[Any], later: Kind[Any]) -> tuple[str, ...]:
    """Return the quantities that a later part takes from an earlier one; none between equal kinds."""
    return (
        () if earlier is later else tuple(quantity for quantity in earlier.carries if quantity in later.takes)
    )


def earlier_sources(kinds: Sequence[Kind[Any]]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the number of each part that follows from earlier ones, and the numbers of those.

    Both are counted from 0. `kinds` has the kind of every part of a question.
    """
    for place, later in enumerate(kinds):
        sources = tuple(before for before in range(place) if carried_over(kinds[before], later))
        if sources:
            yield place, sources
