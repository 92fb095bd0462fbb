"""What a class understood: how hard each part was, what went wrong and why, and how fair variants were."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.base.numbers import Number
from grader.base.phrases import ENGLISH, Language, plural_phrase
from grader.base.statistics import correlation, kruskal_wallis_test
from grader.exercises.marking import State
from grader.grading.alike import AlikePair, find_alike
from grader.grading.exam_keys import ExamKeys, Part
from grader.grading.load_groups import LoadComparison, compare_by_load
from grader.grading.marked_answers import MarkedAnswer
from grader.grading.misconception_counts import (
    AnswerCounts,
    MisconceptionCount,
    count_answers,
    count_misconceptions,
    inseparable_misconceptions,
)
from grader.grading.oddities import (
    MAX_TABLE_ROWS,
    Identical,
    Unreadable,
    identical_answers,
    unreadable_replies,
)
from grader.grading.results import Result
from grader.grading.score_profiles import CrossedTree, StudentScores, crossed_trees, sorted_scores

MIN_GROUP_STUDENTS = 5
"""Groups of fewer students are not compared: the approximation behind the p-value does not hold for them."""

TOTAL_NAME = "total"
"""The name of the whole exam among its parts."""


@dataclass(frozen=True, slots=True)
class PartAnalysis:
    """One part of the exam.

    - `states`: how many students are in which state; `waiting` is one of them.
    - `difficulty`: the mean share of the points, from 0 to 1; None without points.
    - `discrimination`: the correlation of the points with those of all other parts, from -1 to 1;
      None when it is not defined.
    - `full_count`, `zero_count`: how many have all the points, how many have none of them.
    """

    part: Part
    states: Mapping[str, int]
    difficulty: Fraction | None
    discrimination: float | None
    full_count: int
    zero_count: int


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """Answers to a part without full points that are wrong in the same way.

    One that only follows from an earlier part is wrong there, and none of them.

    - `students`: how many gave one; `points`: the most that it earned.
    - `beliefs`: the mistakes that lead to exactly these answers; without any, the group is one answer that
      several students gave, or all answers that one student each gave.
    - `answers`: up to three of them, with the variant as in the groups of a `VariantComparison`, or an empty
      string if there is only one variant.
    """

    part: str
    students: int
    points: Number
    beliefs: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class VariantComparison:
    """Whether the variants were equally hard: the test of Kruskal and Wallis on points.

    - `subject`: a part, or `total`.
    - `groups`: variant, number of students and mean share of the points. Variants that ask the same are
      one group, which is called `all` when there is no other.
    - `statistic`: H, corrected for ties; `degrees_of_freedom`: its degrees of freedom; `p`: the chance of an
      H as large when all variants are equally hard. None when there are too few students per variant.
    """

    subject: str
    groups: tuple[tuple[str, int, Fraction], ...]
    degrees_of_freedom: int
    statistic: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything in the report. `totals` are shares of the full mark, of students with all points.

    `language` is how the report speaks to people, and writes numbers. `scores` are those of the students
    with all points, the best first. `alike` are pairs of papers to look at, None unless they were asked for.
    """

    title: str
    students: int
    complete: int
    maximum: Number
    totals: tuple[Fraction, ...]
    parts: tuple[PartAnalysis, ...]
    wrong: tuple[WrongAnswer, ...]
    misconceptions: tuple[MisconceptionCount, ...]
    comparisons: tuple[VariantComparison, ...]
    unreadable: tuple[Unreadable, ...]
    identical: tuple[Identical, ...]
    language: Language = ENGLISH
    loads: tuple[LoadComparison, ...] = ()
    answers: tuple[AnswerCounts, ...] = ()
    scores: tuple[StudentScores, ...] = ()
    crossed: tuple[CrossedTree, ...] = ()
    alike: tuple[AlikePair, ...] | None = None


def analyse(exam_keys: ExamKeys, results: Iterable[Result], *, alike: bool = False) -> Analysis:
    """Analyse the marks of a class; blank replies have 0 points, others without points are left out.

    With `alike`, also find pairs of papers with answers that belong to the other one.
    """
    group_names = _variant_group_names(exam_keys)
    shares: dict[str, dict[str, Fraction]] = {subject: {} for subject in (TOTAL_NAME, *exam_keys.labels)}
    variants: dict[str, dict[str, str]] = {subject: {} for subject in shares}
    states: dict[str, Counter[str]] = {subject: Counter() for subject in shares}
    answers: list[MarkedAnswer] = []
    unreadable: list[tuple[str, str, str, str]] = []
    state_counts: dict[str, Counter[str]] = {subject: Counter() for subject in exam_keys.labels}
    variant_by_student: dict[str, str] = {}
    students = 0
    for result in results:
        students += 1
        student = result.student.identifier
        variant = result.variant_taken
        if variant in exam_keys.variants:
            variant_by_student[student] = variant
            variants[TOTAL_NAME][student] = group_names[TOTAL_NAME][variant]
        for part, standing in zip(exam_keys.parts, result.standings, strict=True):
            points, entry, submission = standing.points_under("zero"), standing.entry, standing.submission
            group = group_names[part.name][standing.variant]
            variants[part.name][student] = group
            states[part.name][standing.state_label] += 1
            if points is not None and part.points:
                shares[part.name][student] = Fraction(points) / Fraction(part.points)
            if (
                entry is not None
                and standing.state is State.GRADED
                and entry.points is not None
                and entry.maker != "override"
            ):
                answers.append(
                    MarkedAnswer(student, standing.variant, group, part.name, entry.points, entry.mark)
                )
            elif standing.state is not State.MISSING:
                state_counts[part.name][_state_without_mark(standing.state, points, part)] += 1
            if standing.state is State.UNPARSEABLE and submission is not None:
                unreadable.append((part.name, standing.message, student, submission.reply))
        total = result.total("zero")
        if total is not None and exam_keys.points:
            shares[TOTAL_NAME][student] = Fraction(total) / Fraction(exam_keys.points)
    inseparable, places = inseparable_misconceptions(exam_keys), exam_keys.part_places
    answers_by_part: dict[str, list[MarkedAnswer]] = {name: [] for name in exam_keys.labels}
    for answer in answers:
        answers_by_part[answer.part].append(answer)
    return Analysis(
        title=exam_keys.heading.title,
        students=students,
        complete=len(shares[TOTAL_NAME]),
        maximum=exam_keys.points,
        totals=tuple(sorted(shares[TOTAL_NAME].values())),
        parts=tuple(_part(part, states[part.name], shares, exam_keys) for part in exam_keys.parts),
        wrong=_wrong(answers, places),
        misconceptions=count_misconceptions(exam_keys, answers),
        comparisons=tuple(_compare(subject, points, variants[subject]) for subject, points in shares.items()),
        unreadable=unreadable_replies(unreadable, exam_keys.language, places),
        identical=identical_answers(exam_keys, answers),
        language=exam_keys.language,
        loads=compare_by_load(exam_keys, shares, variant_by_student, MIN_GROUP_STUDENTS),
        answers=tuple(
            count_answers(name, answers_by_part[name], state_counts[name], inseparable[name])
            for name in state_counts
        ),
        scores=sorted_scores(tuple(exam_keys.labels), shares, shares[TOTAL_NAME]),
        crossed=crossed_trees(exam_keys, answers_by_part),
        alike=find_alike(exam_keys, answers) if alike else None,
    )


def _state_without_mark(state: State | None, points: Number | None, part: Part) -> str:
    """Return the field of `AnswerCounts` for a reply that no program marked."""
    if state is State.BLANK:
        return "blank"
    if points is None or part.is_dropped:
        return "without_points"
    return "correct" if points == part.points else "other"


def _variant_group_names(exam_keys: ExamKeys) -> Mapping[str, Mapping[str, str]]:
    """Return, for the whole exam and every part, variant code -> the name of the variants that ask the same.

    Variants ask the same when their trees and conventions, and so their keys, are equal.
    """
    keys_by_subject: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for code in sorted(exam_keys.variants):
        keys = exam_keys.part_keys(code)
        keys_by_subject[TOTAL_NAME][code] = tuple(key.key for key in keys)
        for key in keys:
            keys_by_subject[key.part][code] = (key.key,)
    return {
        subject: _group_names(keys_by_code, exam_keys.language)
        for subject, keys_by_code in keys_by_subject.items()
    }


def _group_names(keys_by_code: Mapping[str, tuple[str, ...]], language: Language) -> Mapping[str, str]:
    """Name each group of variants with equal keys by its first code and the number of the others.

    If all variants have equal keys, the name is "all".
    """
    codes_by_keys: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for code, keys in keys_by_code.items():
        codes_by_keys[keys].append(code)
    if len(keys_by_code) > 1 and len(codes_by_keys) == 1:
        return dict.fromkeys(keys_by_code, language.term("all"))
    names: dict[str, str] = {}
    for first, *rest in codes_by_keys.values():
        plural = plural_phrase("{code} and {count} more")
        name = language.term(*plural, len(rest), code=first) if rest else first
        names |= dict.fromkeys((first, *rest), name)
    return names


def _part(
    part: Part, states: Counter[str], shares: Mapping[str, Mapping[str, Fraction]], exam_keys: ExamKeys
) -> PartAnalysis:
    """Analyse a part; its discrimination compares it with the points of all other parts."""
    part_shares = shares[part.name]
    others = [other for other in exam_keys.parts if other.name != part.name and not other.is_dropped]
    pairs = [
        (share, sum((shares[other.name][student] * other.points for other in others), Fraction(0)))
        for student, share in part_shares.items()
        if others and all(student in shares[other.name] for other in others)
    ]
    return PartAnalysis(
        part=part,
        states=dict(states),
        difficulty=sum(part_shares.values(), Fraction(0)) / len(part_shares) if part_shares else None,
        discrimination=correlation(pairs),
        full_count=sum(share == 1 for share in part_shares.values()),
        zero_count=sum(share == 0 for share in part_shares.values()),
    )


def _wrong(answers: Sequence[MarkedAnswer], places: Mapping[str, int]) -> tuple[WrongAnswer, ...]:
    """Group wrong answers by the mistakes that explain them, and unexplained ones by their content.

    Return at most `MAX_TABLE_ROWS` groups, those of most students first, each with three answers at most.
    """
    wrong = [answer for answer in answers if answer.wrong and not answer.only_follows]
    counts = Counter((each.part, each.variant_group, each.mark.understood) for each in wrong)
    has_variants = {
        part: len({each.variant_group for each in answers if each.part == part}) > 1 for part, _, _ in counts
    }
    groups: dict[tuple[str, tuple[str, ...], tuple[str, str]], list[MarkedAnswer]] = defaultdict(list)
    for each in wrong:
        mistakes = tuple(note.code for note in each.mark.notes if note.match == "equal")
        is_repeated = counts[each.part, each.variant_group, each.mark.understood] > 1 and not mistakes
        content = (each.variant_group, each.mark.understood) if is_repeated else ("", "")
        groups[each.part, mistakes, content].append(each)
    rows = []
    for (part, mistakes, _), group in groups.items():
        answer_counts = Counter(
            (each.variant_group if has_variants[part] else "", each.mark.understood) for each in group
        )
        most_frequent = sorted(answer_counts, key=lambda each: (-answer_counts[each], each))[:3]
        rows.append(
            WrongAnswer(part, len(group), max(each.points for each in group), mistakes, tuple(most_frequent))
        )
    rows.sort(key=lambda row: (-row.students, places[row.part], row.beliefs, row.answers))
    return tuple(rows[:MAX_TABLE_ROWS])


# Variants -----------------------------------------------------------------------------------------


def _compare(subject: str, points: Mapping[str, Fraction], variants: Mapping[str, str]) -> VariantComparison:
    """Compare the points, of the whole exam or one part, between the groups of variants.

    Students whose questions are of several variants are left out of the comparison of the whole exam.
    """
    groups: dict[str, list[Fraction]] = defaultdict(list)
    for student, share in points.items():
        if student in variants:
            groups[variants[student]].append(share)
    listed = tuple(
        (code, len(group), sum(group, Fraction(0)) / len(group)) for code, group in sorted(groups.items())
    )
    large = [group for group in groups.values() if len(group) >= MIN_GROUP_STUDENTS]
    return VariantComparison(subject, listed, max(0, len(large) - 1), *kruskal_wallis_test(large))
