"""How the points of a mark came about: a line from which they can be worked out again."""

from collections.abc import Callable
from fractions import Fraction

from grader.answers.form import Earned
from grader.base.numbers import Number, exact
from grader.exercise import Exercise
from grader.marking import Mark


def reckoning(
    exercise: Exercise, mark: Mark, write: Callable[[Number], str], *, released: bool = True
) -> str:
    """How a mark that is not full came about, before what was earned by following through.

    Empty where an answer is right or wrong as a whole, and for a mark that was made on other terms.
    Before release nothing is said of what is missing but what the points tell. `write` spells points.
    """
    form = exercise.kind.form
    if mark.points is None or form.tally is None:
        return ""
    strict, public = exact(Fraction(mark.points) - Fraction(mark.follow_through)), exercise.public
    if strict == mark.maximum:
        return ""
    points = {"points": write(strict), "maximum": write(mark.maximum)}
    key = exercise.answer(exercise.key)
    told = form.tally(Earned(mark.items, key, public.tree, public.terms, write, points))
    if form.share(mark.items, key, public.tree, public.terms) * Fraction(mark.maximum) != strict:
        return ""
    return told.why if released or strict else told.hidden
