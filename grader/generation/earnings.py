"""What replies earn in a class: known mistakes, guesses, one text for all, and what a neighbour has."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.answers.canonical import CanonicalError
from grader.base.numbers import normalize_number, write_number
from grader.base.statistics import correlation, midranks
from grader.exercises.exercise import Exercise, ExerciseError
from grader.generation.limits import beliefs_apart_from_key
from grader.generation.recipe import Recipe
from grader.generation.separation import answers_by_belief, payoff_blind_answers
from grader.generation.stream import Stream

MAX_FIXED_TEXTS = 30
"""So many of the commonest keys are tried as one text for all exercises."""

STUDENTS_PER_HALF = 30
"""How many students are simulated in each half of a class."""


@dataclass(frozen=True, slots=True)
class EarnedShare:
    """What one kind of reply earns of the full mark: on average over the exercises, and at most."""

    average: Fraction
    most: Fraction

    def to_json(self) -> dict[str, str]:
        """As a JSON object; shares rounded to four decimals."""
        return {
            "average": write_number(normalize_number(round(self.average, 4))),
            "most": write_number(normalize_number(round(self.most, 4))),
        }


@dataclass(frozen=True, slots=True)
class Earnings:
    """What can be had without knowing, in a run of parallel variants.

    - `mistakes`: for every belief, over the exercises in which it leads to an answer.
    - `guesses`: for every reply that takes no thought.
    - `fixed_text`: the key that earns most when it is written under every variant.
    - `guess`: what one of the possible answers earns on average, where the form can count them.
    - `neighbour`: the key of the variant before.
    - `same_key_pairs`: the share of pairs of variants with the same key.
    - `half_correlation`: the rank correlation, over the variants, of what two halves of a simulated class
      earn, in which every other reply is that of a mistake. About 0 when all are equally hard; None when
      nothing varies.
    """

    mistakes: tuple[tuple[str, EarnedShare], ...]
    guesses: tuple[tuple[str, EarnedShare], ...]
    fixed_text: EarnedShare
    guess: Fraction | None
    neighbour: EarnedShare
    same_key_pairs: Fraction
    half_correlation: float | None

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return {
            "mistakes": {name: earned.to_json() for name, earned in self.mistakes},
            "guesses": {name: earned.to_json() for name, earned in self.guesses},
            "one_text": self.fixed_text.to_json(),
            "guess": None if self.guess is None else write_number(normalize_number(round(self.guess, 4))),
            "neighbour": self.neighbour.to_json(),
            "same_key": write_number(normalize_number(round(self.same_key_pairs, 4))),
            "level": None if self.half_correlation is None else round(self.half_correlation, 4),
        }


def measure_earnings(exercises: Sequence[Exercise]) -> Earnings:
    """What replies earn in these variants, which are one or more."""
    keys = [exercise.answer(exercise.key) for exercise in exercises]
    mistaken = [mistaken_answers(exercise) for exercise in exercises]
    mistakes: dict[str, list[Fraction]] = defaultdict(list)
    guesses: dict[str, list[Fraction]] = defaultdict(list)
    for exercise, key, row in zip(exercises, keys, mistaken, strict=True):
        for name, answer in row.items():
            mistakes[name].append(share_of_mark(exercise, answer, key))
        for name, answer in payoff_blind_answers(
            exercise.kind, exercise.public.tree, exercise.public.rules
        ).items():
            guesses[name].append(share_of_mark(exercise, answer, key))
    counts = Counter(exercise.key for exercise in exercises)
    count = len(exercises)
    texts = [
        [_written(each, text, key) for each, key in zip(exercises, keys, strict=True)]
        for text, _ in counts.most_common(MAX_FIXED_TEXTS)
    ]
    others = [_written(exercises[at], exercises[at - 1].key, keys[at]) for at in range(count)]
    return Earnings(
        mistakes=tuple((name, _over(row)) for name, row in mistakes.items()),
        guesses=tuple((name, _over(row)) for name, row in guesses.items()),
        fixed_text=_over(max(texts, key=sum)),
        guess=_guess(exercises),
        neighbour=_over(others),
        same_key_pairs=Fraction(
            sum(each * (each - 1) for each in counts.values()), max(1, count * (count - 1))
        ),
        half_correlation=_level(mistakes, mistaken),
    )


def overpaid_beliefs(recipe: Recipe, exercise: Exercise) -> list[tuple[str, Fraction]]:
    """The beliefs that earn more than the recipe allows in an exercise, or all of it, with their shares."""
    key, answers = exercise.answer(exercise.key), mistaken_answers(exercise)
    most = Fraction(recipe.separate.most)
    looked = [name for name in beliefs_apart_from_key(recipe) if name in answers]
    shares = [(name, share_of_mark(exercise, answers[name], key)) for name in looked]
    mild = recipe.separate.mild
    return [(name, found) for name, found in shares if found == 1 or (found > most and name not in mild)]


def mistaken_answers(exercise: Exercise) -> dict[str, Any]:
    """The answer of every belief that leads to one, read off the record where it stands there."""
    kind = exercise.kind
    written = {name: exercise.beliefs.get(f"{kind.code}.{name}") for name in kind.beliefs}
    # The record leaves out what leads to the key, and what nobody could hand in.
    others = [name for name, text in written.items() if text is None]
    found = answers_by_belief(kind, exercise.public.case, others)
    found |= {name: exercise.answer(text) for name, text in written.items() if text is not None}
    return {name: found[name] for name in kind.beliefs if name in found}


def share_of_mark(exercise: Exercise, answer: Any, key: Any) -> Fraction:
    """The share of the full mark that an answer to an exercise earns, strictly or by what follows from it."""
    public = exercise.public
    return exercise.kind.earned_share(public.case, answer, key, public.terms)


def _written(exercise: Exercise, text: str, key: Any) -> Fraction:
    """What a text earns that may be no answer to this exercise."""
    try:
        return share_of_mark(exercise, exercise.answer(text), key)
    except (CanonicalError, ExerciseError):
        return Fraction(0)


def _guess(exercises: Sequence[Exercise]) -> Fraction | None:
    """What somebody earns on average who takes any of the possible answers, each as likely.

    None where nobody can count them, or those that are right.
    """
    shares = []
    for exercise in exercises:
        form, key = exercise.kind.form, exercise.answer(exercise.key)
        possible = form.answer_count(key, exercise.public.tree)
        if not possible or (form.has_entries and exercise.kind.accepts is not None):
            return None
        right = len(key) if form.has_alternatives else 1
        shares.append(Fraction(right) / possible)
    return sum(shares, Fraction(0)) / len(shares)


def _over(row: Sequence[Fraction]) -> EarnedShare:
    return EarnedShare(sum(row, Fraction(0)) / len(row), max(row))


def _level(mistakes: dict[str, list[Fraction]], mistaken: Sequence[dict[str, Any]]) -> float | None:
    """How far two halves of a simulated class agree on which variants are hard."""
    earned = {name: iter(row) for name, row in mistakes.items()}
    stream = Stream("class")
    halves: list[tuple[Fraction, Fraction]] = []
    for number, answers in enumerate(mistaken):
        here = [next(earned[name]) for name in answers]
        if not here:
            return None
        draws = stream.sub(number)
        means = [_success(here, draws) for _ in range(2)]
        halves.append((means[0], means[1]))
    left, right = (midranks(column) for column in zip(*halves, strict=True))
    return correlation(list(zip(left, right, strict=True)))


def _success(earned: Sequence[Fraction], draws: Stream) -> Fraction:
    """What students earn on average of whom each is right or has one of the mistakes, as likely as not."""
    replies = (draws.choose(earned) if draws.below(2) else Fraction(1) for _ in range(STUDENTS_PER_HALF))
    return sum(replies, Fraction(0)) / STUDENTS_PER_HALF
