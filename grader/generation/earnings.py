"""The marks that replies earn in a class: known mistakes, guesses, one text for all, a neighbour's key."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from grader.answers.canonical import CanonicalError
from grader.base.numbers import rounded_share
from grader.base.statistics import correlation, midranks
from grader.exercises.exercise import Exercise, ExerciseError
from grader.generation.limits import beliefs_apart_from_key
from grader.generation.recipe import Recipe
from grader.generation.repeats import MAX_CHANCE_ENTRIES
from grader.generation.selection import answers_by_belief, payoff_blind_answers
from grader.generation.stream import Stream
from grader.generation.survey import has_partial_credit

MAX_FIXED_TEXTS = 30
"""How many of the commonest keys are tried as one text for all exercises."""

MAX_COMPARED_KEYS = 60
"""How many keys are tried under every variant."""

TEMPTING_SHARE = Fraction(3, 4)
"""From this share on, it pays to copy the key of another exercise."""

REPEATED_ANSWER_THRESHOLD = 4
"""From this many exercises on, `shared_keys_note` reports one answer that all have."""

MIN_COMPARED_EXERCISES, MAX_COMPARED_EXERCISES = 10, 200
"""With fewer exercises, shared keys are not reported; of more, only the first ones are compared."""

MAX_SAME_KEY_PAIRS, MAX_NEIGHBOUR_SHARE = 0.05, 0.30
"""`shared_keys_note` reports more pairs with the same answer, or a higher share for another's answer."""

MAX_COMMON_KEY_SHARE = Fraction(4, 5)
"""`shared_keys_note` reports an answer that a larger share of the exercises has."""

STUDENTS_PER_HALF = 30
"""How many students are simulated in each half of a class."""


@dataclass(frozen=True, slots=True)
class ShareSummary:
    """The share of the full mark that one kind of reply earns over the exercises."""

    average: Fraction
    maximum: Fraction
    minimum: Fraction

    @property
    def spread(self) -> Fraction:
        """The difference between the highest and the lowest share."""
        return self.maximum - self.minimum

    def to_json(self) -> dict[str, str]:
        """As a JSON object."""
        return {
            "average": rounded_share(self.average),
            "most": rounded_share(self.maximum),
            "least": rounded_share(self.minimum),
        }


@dataclass(frozen=True, slots=True)
class Earnings:
    """The shares of the mark that are earned without knowledge, in a run of parallel variants.

    - `mistakes`: for every belief, over the exercises in which it leads to an answer.
    - `mixture`: the average of all beliefs that lead to an answer, weighted by how common they are.
    - `guesses`: for every reply that takes no thought.
    - `fixed_text`: the key that earns most when it is written under every variant.
    - `guess`: the average share of one of the possible answers, if the form can count them.
    - `neighbour`: the key of the variant before.
    - `tempting_keys`: the share of variants for which a different key earns `TEMPTING_SHARE` or more.
    - `same_key_pairs`: the share of pairs of variants with the same key.
    - `similar_tables`: the share of pairs of different tables that share more than a third of their entries.
    - `half_correlation`: the rank correlation, over the variants, of the marks of two halves of a simulated
      class in which half of the replies are mistaken. About 0 when all variants are equally hard; None when
      nothing varies.
    """

    mistakes: tuple[tuple[str, ShareSummary], ...]
    mixture: ShareSummary
    guesses: tuple[tuple[str, ShareSummary], ...]
    fixed_text: ShareSummary
    guess: Fraction | None
    neighbour: ShareSummary
    tempting_keys: Fraction
    same_key_pairs: Fraction
    similar_tables: Fraction
    half_correlation: float | None

    def to_json(self) -> dict[str, Any]:
        """As a JSON object, with shares rounded to 4 digits.

        The keys are fixed; some differ from the names of the fields.
        """
        return {
            "mistakes": {name: summary.to_json() for name, summary in self.mistakes},
            "mixture": self.mixture.to_json(),
            "guesses": {name: summary.to_json() for name, summary in self.guesses},
            "one_text": self.fixed_text.to_json(),
            "guess": None if self.guess is None else rounded_share(self.guess),
            "neighbour": self.neighbour.to_json(),
            "tempting_keys": rounded_share(self.tempting_keys),
            "same_key": rounded_share(self.same_key_pairs),
            "similar_tables": rounded_share(self.similar_tables),
            "level": None if self.half_correlation is None else round(self.half_correlation, 4),
        }


def measure_earnings(
    exercises: list[Exercise], frequencies: Mapping[str, Fraction] | None = None
) -> Earnings:
    """Measure the earnings in one or more variants.

    `frequencies` says how common each belief is; without it all are equally common.
    """
    keys = [exercise.answer(exercise.key) for exercise in exercises]
    mistaken = [mistaken_answers(exercise) for exercise in exercises]
    mistakes: dict[str, list[Fraction]] = defaultdict(list)
    guesses: dict[str, list[Fraction]] = defaultdict(list)
    mixtures: list[Fraction] = []
    for exercise, key, answers in zip(exercises, keys, mistaken, strict=True):
        shares = {name: share_of_mark(exercise, answer, key) for name, answer in answers.items()}
        mixtures.append(_weighted_mean(shares, frequencies))
        for name, share in shares.items():
            mistakes[name].append(share)
        for name, answer in payoff_blind_answers(
            exercise.kind, exercise.public.tree, exercise.public.rules
        ).items():
            guesses[name].append(share_of_mark(exercise, answer, key))
    counts = Counter(exercise.key for exercise in exercises)
    shares_by_text = [
        [_text_share(each, text, key) for each, key in zip(exercises, keys, strict=True)]
        for text, _ in counts.most_common(MAX_FIXED_TEXTS)
    ]
    return Earnings(
        mistakes=tuple((name, _summary(shares)) for name, shares in mistakes.items()),
        mixture=_summary(mixtures),
        guesses=tuple((name, _summary(shares)) for name, shares in guesses.items()),
        fixed_text=_summary(max(shares_by_text, key=sum)),
        guess=_guess_share(exercises),
        neighbour=neighbour_share(exercises),
        tempting_keys=_tempting_keys(exercises, keys, list(counts)),
        same_key_pairs=same_key_pairs(exercises),
        similar_tables=_similar_tables(exercises, keys),
        half_correlation=_half_correlation(mistakes, mistaken),
    )


def _weighted_mean(shares: Mapping[str, Fraction], frequencies: Mapping[str, Fraction] | None) -> Fraction:
    """Return the average share of the beliefs, weighted by their frequencies, or equally if none is known."""
    weights = {
        name: Fraction(1) if frequencies is None else frequencies.get(name, Fraction(0)) for name in shares
    }
    if not any(weights.values()):
        weights = dict.fromkeys(shares, Fraction(1))
    total = sum(weights.values(), Fraction(0)) or Fraction(1)
    return sum((share * weights[name] for name, share in shares.items()), Fraction(0)) / total


def same_key_pairs(exercises: Sequence[Exercise]) -> Fraction:
    """Return the share of pairs of exercises that have the same key."""
    count, counts = len(exercises), Counter(exercise.key for exercise in exercises)
    return Fraction(sum(each * (each - 1) for each in counts.values()), max(1, count * (count - 1)))


def neighbour_share(exercises: Sequence[Exercise]) -> ShareSummary:
    """Return the share that the key of each exercise earns in the next one; the first follows the last."""
    pairs = zip((*exercises[-1:], *exercises[:-1]), exercises, strict=True)
    return _summary([_text_share(own, other.key, own.answer(own.key)) for other, own in pairs])


def shared_keys_note(exercises: Sequence[Exercise]) -> str:
    """Return a note if nearly all exercises have one answer, or if many share one and copying pays; or ""."""
    compared = exercises[:MAX_COMPARED_EXERCISES]
    pairs = same_key_pairs(compared)
    if len(compared) >= REPEATED_ANSWER_THRESHOLD and pairs == 1:
        return f"all {len(exercises)} exercises have the same answer"
    if len(compared) < MIN_COMPARED_EXERCISES:
        return ""
    alike = max(Counter(exercise.key for exercise in compared).values())
    if alike > MAX_COMMON_KEY_SHARE * len(compared):
        return f"{alike} of {len(compared)} exercises have the same answer"
    if not has_partial_credit(compared[0].kind):
        return ""
    neighbour = neighbour_share(compared).average
    if pairs <= MAX_SAME_KEY_PAIRS and neighbour <= MAX_NEIGHBOUR_SHARE:
        return ""
    return (
        f"two exercises have the same answer in {round(100 * pairs)}% of pairs, and the answer of "
        f"another exercise earns {round(100 * neighbour)}% on average"
    )


def overpaid_beliefs(recipe: Recipe, exercise: Exercise) -> list[tuple[str, Fraction]]:
    """Return the beliefs that earn the full mark of an exercise, or more than allowed, with their shares."""
    key, answers = exercise.answer(exercise.key), mistaken_answers(exercise)
    limit, mild = recipe.max_share, recipe.separate.mild
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
    """Return the share that a text earns just as it is written, 0 if it is not an answer to this exercise."""
    public = exercise.public
    try:
        answer = exercise.answer(text)
        return exercise.kind.credit(public.case, answer, key, public.terms, texts=False)[1].share
    except (CanonicalError, ExerciseError):
        return Fraction(0)


def _tempting_keys(exercises: Sequence[Exercise], keys: Sequence[Any], texts: Sequence[str]) -> Fraction:
    """Return the share of exercises in which a key of another one earns `TEMPTING_SHARE` or more.

    Only the first `MAX_COMPARED_KEYS` keys are tried.
    """
    tempted = (
        any(
            text != exercise.key and _text_share(exercise, text, key) >= TEMPTING_SHARE
            for text in texts[:MAX_COMPARED_KEYS]
        )
        for exercise, key in zip(exercises, keys, strict=True)
    )
    return Fraction(sum(tempted), len(exercises))


def _similar_tables(exercises: Sequence[Exercise], keys: Sequence[Any]) -> Fraction:
    """Return the share of pairs of tables that share over a third of their entries.

    0 for other forms, and for entries with so few values that chance alone makes them equal.
    """
    kind = exercises[0].kind
    if not kind.form.has_entries or kind.accepts is not None:
        return Fraction(0)
    possible = kind.form.answer_count(keys[0], exercises[0].public.tree)
    if possible is not None and possible <= MAX_CHANCE_ENTRIES:
        return Fraction(0)
    pairs = [
        3 * len(set(one) & set(other)) > min(len(one), len(other))
        for one, other in combinations([key for key in keys if len(key) > 1], 2)
        if one != other
    ]
    return Fraction(sum(pairs), max(1, len(pairs)))


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


def _summary(shares: Sequence[Fraction]) -> ShareSummary:
    return ShareSummary(sum(shares, Fraction(0)) / len(shares), max(shares), min(shares))


def _half_correlation(
    mistakes: dict[str, list[Fraction]], mistaken: Sequence[dict[str, Any]]
) -> float | None:
    """Return how far two halves of a simulated class agree on which variants are hard.

    `mistaken` has the beliefs of each exercise, and `mistakes` the shares of each belief, over its exercises.
    None if an exercise has no beliefs.
    """
    remaining = {name: iter(shares) for name, shares in mistakes.items()}
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
    """Return the average share of simulated students; each has a random mistake with probability 1/2."""
    replies = (draws.choose(shares) if draws.below(2) else Fraction(1) for _ in range(STUDENTS_PER_HALF))
    return sum(replies, Fraction(0)) / STUDENTS_PER_HALF
