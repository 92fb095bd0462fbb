"""Estimate the minutes of exercises from the words to read, the work on the tree and the answer to write."""

from collections.abc import Iterable
from fractions import Fraction

from grader.base.numbers import Number, normalize_number
from grader.base.phrases import count_words
from grader.exercises.exercise import Exercise

SECONDS_PER_WORD = Fraction(2, 5)
"""150 words a minute: prose is read faster, but each of these sentences decides something, and many students
do not read their first language."""

SECONDS_PER_VISIT = 17
"""For each leaf that alpha-beta visits: to carry the window there, compare, and decide about cutoffs. Exams
give two to four minutes for 8 to 15 leaves, and students take 15 to 20 seconds a visited leaf."""

SECONDS_PER_VALUE = 5
"""For each value that a node hands to its parent in a question about values: one comparison. Fractions count
twice, since they are multiplied and added."""

MIN_SECONDS_TO_SOLVE = 60
"""For any question, also for one about numbers alone: one calculation with its check."""

SECONDS_PER_ENTRY = 3
"""For each word of the answer: a leaf, the value of a node, or one bound of its window."""


def estimate_seconds(exercises: Iterable[Exercise]) -> int:
    """Estimate how long a student takes for these exercises; conventions that several state are read once."""
    known, seconds = set[str](), Fraction(0)
    for exercise in exercises:
        seconds += SECONDS_PER_WORD * _words_to_read(exercise, known)
        seconds += _seconds_to_solve(exercise) + SECONDS_PER_ENTRY * len(exercise.key.split())
        known.update(exercise.public.wording.conventions)
    return round(seconds)


def to_minutes(seconds: int) -> Number:
    """Return an estimate in minutes, to half a minute, which is as exact as it is, and never 0."""
    return normalize_number(Fraction(max(1, round(Fraction(seconds, 30))), 2))


def _words_to_read(exercise: Exercise, known: set[str]) -> int:
    """Count the words of the question without conventions that are known from earlier ones."""
    repeated = [words for words in exercise.public.wording.conventions if words in known]
    return count_words(exercise.public.prompt) - sum(map(count_words, repeated))


def _seconds_to_solve(exercise: Exercise) -> int:
    """Estimate the work on the tree; every leaf and every value counts if the exercise has no profile."""
    tree, profile = exercise.public.tree, exercise.profile
    if exercise.kind.depends_on_search:
        seconds = SECONDS_PER_VISIT * int(profile.get("visited", len(tree.leaves)))
    else:
        seconds = SECONDS_PER_VALUE * int(profile.get("load", len(tree) - 1))
    return max(MIN_SECONDS_TO_SOLVE, seconds)
