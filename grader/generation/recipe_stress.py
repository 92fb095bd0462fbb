"""The quality of a recipe's exercises: separated beliefs, guesses that pay, and time."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from time import perf_counter
from typing import Any

from grader.base.numbers import rounded_share, write_number
from grader.base.progress import OnProgress
from grader.base.statistics import chi_squared_of_counts, chi_squared_tail
from grader.exercises.exercise import Exercise
from grader.exercises.minutes import estimate_seconds, to_minutes
from grader.generation.candidate_result import CandidateResult
from grader.generation.earnings import Earnings, measure_earnings, mistaken_answers, share_of_mark
from grader.generation.grower import Grower
from grader.generation.limits import moot_beliefs
from grader.generation.measures import Measures, has_profile
from grader.generation.recipe import Recipe
from grader.generation.selection import ExhaustedError, GenerationReport, payoff_blind_answers
from grader.trees.tree import Player, Tree


@dataclass(frozen=True, slots=True)
class Evenness:
    """A test of whether all values are equally likely.

    - `counts`: value -> how many exercises have it; every value that is meant to occur, also with 0.
    - `statistic`: Pearson's chi-squared against equal counts.
    - `probability`: of a statistic at least as large when all values are equally likely.
    """

    counts: tuple[tuple[str, int], ...]
    statistic: float
    probability: float

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return {
            "counts": dict(self.counts),
            "chi_squared": round(self.statistic, 4),
            "p": round(self.probability, 6),
        }


@dataclass(frozen=True, slots=True)
class StressResult:
    """The result of growing one exercise from each of many seeds.

    - `report`: candidates and refusals, over all seeds.
    - `seconds`: the median time for one exercise and the longest; the first includes the survey.
    - `separated`: the share of exercises that separate all beliefs that are not moot from the key.
    - `beliefs`: for every belief that ever leads to an answer, the share of those exercises that separate
      it from the key.
    - `overall_separation`: for every belief, the share of all exercises that separate it from the key. In
      the others it leads to the key or to no answer, so it cannot be detected.
    - `moot`: the beliefs that cannot differ from the key on any tree of the recipe, with the reason.
    - `thoughtless`: for every reply without thought, the most it earned in any exercise.
    - `answers`: how many different keys there are, and the share of the commonest.
    - `best_moves`: the places of the best moves among the root's children, if the root has the same number
      in all trees. Equal counts are what the generator promises when the recipe spreads the best move
      evenly; otherwise they are reported, not promised.
    - `pruned`: for every leaf the share of exercises in which it is pruned; empty when trees differ in shape.
      These cannot all be equal: the first leaf is never pruned, and a leaf is pruned whenever an earlier
      sibling is. But no leaf need be pruned much more often than not, so that no bet on a leaf pays.
    - `student_seconds`: how long an exercise takes a student, the median of the estimates.
    - `earnings`: the earnings of mistakes, guesses and neighbours in as many variants of one run.
    - `best_bet`: the average share that the best fixed reply earns: the leaves pruned more often than not.
    """

    seeds: int
    report: GenerationReport
    seconds: tuple[float, float]
    separated: Fraction
    beliefs: tuple[tuple[str, Fraction], ...]
    overall_separation: tuple[tuple[str, Fraction], ...]
    moot: tuple[tuple[str, str], ...]
    thoughtless: tuple[tuple[str, Fraction], ...]
    answers: tuple[int, Fraction]
    best_moves: Evenness | None
    pruned: tuple[Fraction, ...]
    best_bet: Fraction | None
    earnings: Earnings
    student_seconds: int

    @property
    def acceptance(self) -> Fraction:
        """The share of the candidates that became exercises."""
        return Fraction(self.report.exercises, max(1, self.report.candidates))

    def to_json(self) -> dict[str, Any]:
        """As a JSON object; shares are numbers in canonical text, rounded to four decimals."""
        return {
            "kind": self.report.kind,
            "seeds": self.seeds,
            "candidates": self.report.candidates,
            "acceptance": rounded_share(self.acceptance),
            "refused": dict(self.report.refused),
            "milliseconds": {
                "median": round(1000 * self.seconds[0], 2),
                "longest": round(1000 * self.seconds[1], 2),
            },
            "minutes": write_number(to_minutes(self.student_seconds)),
            "separated": rounded_share(self.separated),
            "beliefs": {name: rounded_share(share) for name, share in self.beliefs},
            "shown": {name: rounded_share(share) for name, share in self.overall_separation},
            "moot": dict(self.moot),
            "thoughtless": {name: write_number(share) for name, share in self.thoughtless},
            "answers": {"different": self.answers[0], "commonest": rounded_share(self.answers[1])},
            "best_moves": None if self.best_moves is None else self.best_moves.to_json(),
            "pruned": {str(path): rounded_share(share) for path, share in enumerate(self.pruned, 1)},
            "bet": None if self.best_bet is None else rounded_share(self.best_bet),
            "earnings": self.earnings.to_json(),
        }


def stress_recipe(
    recipe: Recipe,
    seeds: int,
    tell: OnProgress = lambda _more: None,
    variants: int | None = None,
    frequencies: Mapping[str, Fraction] | None = None,
) -> StressResult:
    """Grow one exercise from each of the seeds 0, 1, ... and a run of parallel variants; measure all.

    The run has `variants` exercises, by default one per seed, and fewer if the recipe has fewer questions.
    `tell` is called with the number of exercises grown since its last call; `frequencies` says how common
    each mistake is, and without it all are equally common.
    Raises `grader.generation.selection.ExhaustedError` when a seed has no exercise within the cap.
    """
    exercises: list[Exercise] = []
    times: list[float] = []
    report = GenerationReport(recipe.kind)
    for seed in range(seeds):
        start = perf_counter()
        grower = Grower(recipe, seed)
        exercises.extend(grower.exercises(1))
        times.append(perf_counter() - start)
        report.candidates += grower.report.candidates
        report.exercises += grower.report.exercises
        report.refused.update(grower.report.refused)
        tell(1)
    run = []
    try:
        for exercise in Grower(recipe, "class").exercises(seeds if variants is None else variants):
            run.append(exercise)
            tell(1)
    except ExhaustedError:
        if not run:
            raise
    is_separated = _separated_beliefs(exercises)
    moot, beliefs = moot_beliefs(recipe), recipe.question_kind.beliefs
    needed = set(beliefs) - set(moot)
    keys = Counter(exercise.key for exercise in exercises)
    pruned = _pruned(exercises) if recipe.question_kind.form.set_of == "leaves" else ()
    return StressResult(
        seeds=seeds,
        report=report,
        seconds=(median(times), max(times)),
        separated=_share(all(row.get(name, True) for name in needed) for row in is_separated),
        beliefs=tuple(
            (name, _share(row[name] for row in is_separated if name in row))
            for name in beliefs
            if any(name in row for row in is_separated)
        ),
        overall_separation=tuple(
            (name, _share(row.get(name, False) for row in is_separated)) for name in beliefs
        ),
        moot=tuple(moot.items()),
        thoughtless=_best_thoughtless(exercises),
        answers=(len(keys), Fraction(max(keys.values()), len(exercises))),
        best_moves=_best_moves(recipe, [exercise.public.tree for exercise in exercises]),
        pruned=pruned,
        best_bet=_best_bet(exercises, pruned) if pruned else None,
        earnings=measure_earnings(run, frequencies),
        student_seconds=round(median(estimate_seconds([exercise]) for exercise in exercises)),
    )


def _share(flags: Any) -> Fraction:
    """Return the share of flags that are set; 1 without flags."""
    values = list(flags)
    return Fraction(sum(map(bool, values)), len(values)) if values else Fraction(1)


def _separated_beliefs(exercises: Sequence[Exercise]) -> list[dict[str, bool]]:
    """Return for every exercise which of the beliefs with an answer differ from the key and earn less."""
    rows = []
    for exercise in exercises:
        key = exercise.answer(exercise.key)
        answers = mistaken_answers(exercise)
        rows.append(
            {name: each != key and share_of_mark(exercise, each, key) < 1 for name, each in answers.items()}
        )
    return rows


def _best_thoughtless(exercises: Sequence[Exercise]) -> tuple[tuple[str, Fraction], ...]:
    """Return the most that each reply without thought earned in any exercise."""
    best: dict[str, Fraction] = {}
    for exercise in exercises:
        key = exercise.answer(exercise.key)
        for name, reply in payoff_blind_answers(
            exercise.kind, exercise.public.tree, exercise.public.rules
        ).items():
            best[name] = max(best.get(name, Fraction(0)), share_of_mark(exercise, reply, key))
    return tuple(best.items())


def _best_moves(recipe: Recipe, trees: Sequence[Tree]) -> Evenness | None:
    """Count the leftmost best moves at the root; None if chance moves or the trees differ in width."""
    if not all(map(has_profile, trees)):
        return None
    widths = {len(tree.children[0]) for tree in trees}
    if len(widths) != 1 or trees[0].players[0] is Player.CHANCE:
        return None
    measures_by_tree = (
        Measures(CandidateResult(tree, recipe.rules), searching=recipe.question_kind.depends_on_search)
        for tree in trees
    )
    counts = Counter(measures.best_move for measures in measures_by_tree)
    return evenness({str(move + 1): counts[move] for move in range(widths.pop())})


def _pruned(exercises: Sequence[Exercise]) -> tuple[Fraction, ...]:
    """Return for every leaf the share of exercises in which it is pruned; () if trees differ in shape."""
    tree = exercises[0].public.tree
    if any(exercise.public.tree.parents != tree.parents for exercise in exercises):
        return ()
    counts = Counter(path for exercise in exercises for path in exercise.answer(exercise.key))
    return tuple(Fraction(counts[path], len(exercises)) for path in range(1, len(tree.leaves) + 1))


def _best_bet(exercises: Sequence[Exercise], pruned: Sequence[Fraction]) -> Fraction:
    """Return the average share of one reply to all: the leaves that are pruned more often than not."""
    bet = frozenset(path for path, share in enumerate(pruned, 1) if 2 * share > 1)
    shares = (share_of_mark(exercise, bet, exercise.answer(exercise.key)) for exercise in exercises)
    return sum(shares, Fraction(0)) / len(exercises)


def evenness(counts: dict[str, int]) -> Evenness:
    """Pearson's chi-squared test of equal probabilities."""
    statistic = chi_squared_of_counts(tuple(counts.values()))
    return Evenness(tuple(counts.items()), statistic, chi_squared_tail(statistic, len(counts) - 1))
