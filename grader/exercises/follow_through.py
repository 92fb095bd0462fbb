"""What a student's answer to one part implies for another part of the same question, right or wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.answers.form import Credit, all_or_nothing
from grader.base.numbers import normalize_number
from grader.exercises.exercise import Exercise
from grader.exercises.marking import Mark
from grader.questions.kind import Kind


def apply_follow_through(
    exercise: Exercise, mark: Mark, answer: Any, earlier: Sequence[tuple[Exercise, Any]]
) -> Mark:
    """The mark of an answer, or the better one it earns by following from the student's own earlier answers.

    `earlier` holds the exercises of the parts before, all about the same tree, with the answers to them;
    an answer is None where there is none.
    What it would earn if the answer that an earlier reply implies were the key, it gains up to as much again
    as is right by itself; an answer that is right or wrong as a whole gains up to the share that is right of
    the earlier one.
    """
    if mark.points is None or mark.points >= mark.maximum:
        return mark
    public, form = exercise.public, exercise.kind.form
    share = Fraction(mark.points - mark.follow_through) / Fraction(mark.maximum)
    strict = Credit(share, mark.items)
    for other, before in earlier:
        for implied in _implied(exercise, other, before):
            by_itself = _right(other, before) if form.share is all_or_nothing else None
            credit = form.follow(answer, strict, implied, public.tree, public.terms, by_itself)
            points = normalize_number(Fraction(mark.maximum) * credit.share)
            if points > mark.points:
                gained = normalize_number(Fraction(mark.maximum) * (credit.share - share))
                mark = replace(mark, points=points, items=credit.items, follow_through=gained)
    return mark


def _right(other: Exercise, before: Any) -> Fraction:
    """The share of an earlier answer that is right by itself."""
    public, key = other.public, other.answer(other.key)
    return other.kind.form.credit(before, key, public.tree, public.terms).share


def _implied(exercise: Exercise, other: Exercise, before: Any) -> Iterator[Any]:
    """What an answer to another part makes of this one: whatever its kind carries and this kind takes."""
    public = exercise.public
    if before is None:
        return
    for what in carried_over(other.kind, exercise.kind):
        found = other.kind.carries[what](other.public.case, before)
        implied = None if found is None else exercise.kind.takes[what](public.case, found)
        if implied is not None:
            yield implied


def carried_over(earlier: Kind[Any], later: Kind[Any]) -> tuple[str, ...]:
    """Return what a later part takes over from an answer to an earlier one; nothing between equal kinds."""
    return () if earlier is later else tuple(what for what in earlier.carries if what in later.takes)


def earlier_sources(kinds: Sequence[Kind[Any]]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the number of each part that takes something over, and the numbers of the parts it takes it from.

    Both are counted from 0. `kinds` has the kind of every part of a question.
    """
    for place, later in enumerate(kinds):
        sources = tuple(before for before in range(place) if carried_over(kinds[before], later))
        if sources:
            yield place, sources
