"""How the points of a mark came about: a line from which they can be worked out again."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from grader.answers.sets import share
from grader.base.numbers import Number, exact
from grader.exercise import Exercise
from grader.marking import Mark


class _Told(NamedTuple):
    """The share of the full mark, how it comes about, and what of that may be said where it is nothing.

    Where something was earned the points tell all of it anyway.
    """

    share: Fraction
    why: str
    hidden: str


def reckoning(
    exercise: Exercise, mark: Mark, write: Callable[[Number], str], *, released: bool = True
) -> str:
    """How a mark that is not full came about, before what was earned by following through.

    Empty where an answer is right or wrong as a whole, and for a mark that was made on other terms.
    Before release nothing is said of what is missing but what the points tell. `write` spells points.
    """
    if mark.points is None:
        return ""
    strict, form = exact(Fraction(mark.points) - Fraction(mark.follow_through)), exercise.kind.form
    if strict == mark.maximum:
        return ""
    match form.name:
        case "paths" | "branches":
            told = _set(exercise, mark, write)
        case "order":
            told = _list(exercise, mark)
        case "table" | "windows":
            told = _entries(exercise, mark)
        case _:
            return ""
    if told.share * Fraction(mark.maximum) != strict:
        return ""
    why = told.why if released or strict else told.hidden
    return f"{why[:1].upper()}{why[1:]}: {write(strict)} of {write(mark.maximum)}."


def _set(exercise: Exercise, mark: Mark, write: Callable[[Number], str]) -> _Told:
    """A set of leaves or branches, by the policy; what only follows from other answers is wrong here."""
    public, leaves = exercise.public, exercise.kind.form.name == "paths"
    tree, terms, many = public.tree, public.terms, "leaves" if leaves else "branches"
    size = len(tree.leaves) if leaves else len(tree) - 1
    counts = Counter(item.verdict for item in mark.items)
    right, missing = counts["right"], counts["missing"]
    wrong = len(mark.items) - right - missing
    key = right + missing
    said = set(range(right + wrong))
    asked = {*range(right), *range(right + wrong, len(mark.items))}
    earned = share(said, asked, size, Fraction(terms.points), terms.policy)
    if earned and mark.points == mark.follow_through and _names_everything(exercise, mark):
        why = f"naming all {many} earns nothing"
        return _Told(Fraction(0), why, why)
    match terms.policy.name:
        case "exact":
            why = hidden = "only the complete answer earns points"
        case "net" if right > wrong:
            why = hidden = f"{right} right minus {wrong} wrong is {right - wrong} of {key}"
        case "net":
            why = hidden = f"{right} right minus {wrong} wrong is not above 0"
        case "each":
            seen, blind = size - wrong - missing, max(key, size - key)
            why = (
                f"{seen} of {size} {many} are right, named or left out; "
                f"naming {'none' if size - key >= key else 'all'} would get {blind} right, "
            )
            why += f"so {seen - blind} of {size - blind} above that" if seen > blind else "which is no less"
            hidden = "no more is right than by naming all or none"
        case "deduct":
            cost = exact(Fraction(terms.policy.deduction) * (wrong + missing))
            why = f"{wrong} wrong and {missing} left out cost {write(terms.policy.deduction)} each"
            why += f", {write(cost)} of {write(terms.points)}" if earned else ", which is all"
            hidden = "what is wrong or left out costs all points"
    return _Told(earned, why, hidden)


def _names_everything(exercise: Exercise, mark: Mark) -> bool:
    """Whether every leaf is named, or something above it."""
    tree = exercise.public.tree
    said = {item.node for item in mark.items if item.verdict != "missing"}
    return all(leaf in said or not said.isdisjoint(tree.ancestors(leaf)) for leaf in tree.leaves)


def _list(exercise: Exercise, mark: Mark) -> _Told:
    """An order, up to where it breaks."""
    key = len(exercise.answer(exercise.key))
    right = sum(item.verdict == "right" for item in mark.items)
    if right == key > 0:
        why = f"all {key} right, and then too many, which counts as one wrong"
        return _Told(Fraction(key - 1, key), why, why)
    why = f"{right} of {key} right up to the first mistake"
    return _Told(Fraction(right, key) if key else Fraction(0), why, "nothing right up to the first mistake")


def _entries(exercise: Exercise, mark: Mark) -> _Told:
    """Entries that count alike; one where none belongs is one more where that is part of the question."""
    extras = exercise.kind.form.name == "windows"
    total = sum(extras or item.verdict != "extra" for item in mark.items)
    right = sum(item.verdict == "right" for item in mark.items)
    why = f"{right} of {total} entries right"
    return _Told(Fraction(right, total) if total else Fraction(0), why, "no entry right")
