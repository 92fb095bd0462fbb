"""The marks that replies earn in a class: known mistakes, guesses, one text for all, a neighbour's key."""

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
from grader.generation.selection import answers_by_belief, payoff_blind_answers
from grader.generation.stream import Stream

MAX_FIXED_TEXTS = 30
"""How many of the commonest keys are tried as one text for all exercises."""

STUDENTS_PER_HALF = 30
"""How many students are simulated in each half of a class."""


@dataclass(frozen=True, slots=True)
class EarnedShare:
    """The share of the full mark that one kind of reply earns: on average over the exercises, and at most."""

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
    """The shares of the mark that are earned without knowledge, in a run of parallel variants.

    - `mistakes`: for every belief, over the exercises in which it leads to an answer.
    - `guesses`: for every reply that takes no thought.
    - `fixed_text`: the key that earns most when it is written under every variant.
    - `guess`: the average share of one of the possible answers, if the form can count them.
    - `neighbour`: the key of the variant before.
    - `same_key_pairs`: the share of pairs of variants with the same key.
    - `half_correlation`: the rank correlation, over the variants, of the marks of two halves of a simulated
      class in which half of the replies are mistaken. About 0 when all variants are equally hard; None when
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
    """Measure the earnings in one or more variants."""
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
        [_text_share(each, text, key) for each, key in zip(exercises, keys, strict=True)]
        for text, _ in counts.most_common(MAX_FIXED_TEXTS)
    ]
    neighbours = [_text_share(exercises[i], exercises[i - 1].key, keys[i]) for i in range(count)]
    return Earnings(
        mistakes=tuple((name, _summary(row)) for name, row in mistakes.items()),
        guesses=tuple((name, _summary(row)) for name, row in guesses.items()),
        fixed_text=_summary(max(texts, key=sum)),
        guess=_guess_share(exercises),
        neighbour=_summary(neighbours),
        same_key_pairs=Fraction(
            sum(each * (each - 1) for each in counts.values()), max(1, count * (count - 1))
        ),
        half_correlation=_half_correlation(mistakes, mistaken),
    )


def overpaid_beliefs(recipe: Recipe, exercise: Exercise) -> list[tuple[str, Fraction]]:
    """Return the beliefs that earn the full mark of an exercise, or more than allowed, with their shares."""
    key, answers = exercise.answer(exercise.key), mistaken_answers(exercise)
    limit, mild = Fraction(recipe.separate.most), recipe.separate.mild
    names = [name for name in beliefs_apart_from_key(recipe) if name in answers]
    shares = [(name, share_of_mark(exercise, answers[name], key)) for name in names]
    return [(name, share) for name, share in shares if share == 1 or (share > limit and name not in mild)]


def mistaken_answers(exercise: Exercise) -> dict[str, Any]:
    """Return the answer of every belief that leads to one, from the record if it is there."""
    kind = exercise.kind
    written = {name: exercise.beliefs.get(f"{kind.code}.{name}") for name in kind.beliefs}
    # The record omits answers that equal the key, and those that cannot be handed in.
    others = [name for name, text in written.items() if text is None]
    answers = answers_by_belief(kind, exercise.public.case, others)
    answers |= {name: exercise.answer(text) for name, text in written.items() if text is not None}
    return {name: answers[name] for name in kind.beliefs if name in answers}


def share_of_mark(exercise: Exercise, answer: Any, key: Any) -> Fraction:
    """Return the share of the full mark that an answer earns, with follow-through."""
    public = exercise.public
    return exercise.kind.earned_share(public.case, answer, key, public.terms)


def _text_share(exercise: Exercise, text: str, key: Any) -> Fraction:
    """Return the share that a text earns, 0 if it is not an answer to this exercise."""
    try:
        return share_of_mark(exercise, exercise.answer(text), key)
    except (CanonicalError, ExerciseError):
        return Fraction(0)


def _guess_share(exercises: Sequence[Exercise]) -> Fraction | None:
    """Return the average share of a random one of the possible answers.

    None if these, or the correct ones among them, cannot be counted.
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


def _summary(row: Sequence[Fraction]) -> EarnedShare:
    return EarnedShare(sum(row, Fraction(0)) / len(row), max(row))


def _half_correlation(
    mistakes: dict[str, list[Fraction]], mistaken: Sequence[dict[str, Any]]
) -> float | None:
    """Return how far two halves of a simulated class agree on which variants are hard."""
    remaining = {name: iter(row) for name, row in mistakes.items()}
    stream = Stream("class")
    halves: list[tuple[Fraction, Fraction]] = []
    for number, answers in enumerate(mistaken):
        shares = [next(remaining[name]) for name in answers]
        if not shares:
            return None
        draws = stream.sub(number)
        halves.append((_simulated_mean(shares, draws), _simulated_mean(shares, draws)))
    left, right = (midranks(column) for column in zip(*halves, strict=True))
    return correlation(list(zip(left, right, strict=True)))


def _simulated_mean(shares: Sequence[Fraction], draws: Stream) -> Fraction:
    """Return the average share of students, half of whom are expected to have a random mistake."""
    replies = (draws.choose(shares) if draws.below(2) else Fraction(1) for _ in range(STUDENTS_PER_HALF))
    return sum(replies, Fraction(0)) / STUDENTS_PER_HALF
