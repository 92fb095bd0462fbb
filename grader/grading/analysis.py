"""What a class understood: how hard each part was, what went wrong and why, and how fair variants were."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from grader.base.numbers import Number
from grader.base.phrases import ENGLISH, Language, Phrase, plural_phrase
from grader.base.safe_text import safe_line
from grader.base.statistics import chi_squared_tail, correlation, kruskal_wallis
from grader.exercises.marking import AT_LINE, Mark, State
from grader.grading.exam_keys import ExamKeys, Part
from grader.grading.load_groups import LoadComparison, compare_by_load
from grader.grading.results import Result
from grader.questions.beliefs import BELIEFS

MIN_GROUP_STUDENTS = 5
"""Groups of fewer students are not compared: the approximation behind the p-value does not hold for them."""

MIN_DISTINCTIVE_PIECES = 3
"""An answer of at least this many pieces is unlikely to be the same by chance."""

TOTAL_NAME = "total"
"""The name of the whole exam among its parts."""

MAX_TABLE_ROWS = 200
"""The most rows of one table."""


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
    - `answers`: up to three of them, with the variant as in the groups of a `Comparison`, or an empty
      string if there is only one variant.
    """

    part: str
    students: int
    points: Number
    beliefs: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BeliefCount:
    """A misconception: its code, in words, how many replies it explains wholly and how many mostly.

    A reply that several misconceptions explain counts for each of them, and one that only follows from an
    earlier part for none.
    """

    part: str
    code: str
    words: Phrase
    equal: int
    nearest: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether the variants were equally hard: the test of Kruskal and Wallis on points.

    - `subject`: a part, or `total`.
    - `groups`: variant, number of students and mean share of the points. Variants that ask the same are
      one group, which is called `all` when there is no other.
    - `statistic`: H, corrected for ties; `degrees_of_freedom`: its degrees of freedom; `p`: the chance of an
      H as large when all variants are equally hard. None when there are too few students per variant.
    """

    subject: str
    groups: tuple[tuple[str, int, Fraction], ...]
    statistic: float | None
    degrees_of_freedom: int
    p: float | None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Replies that could not be read for the same reason, with some of them and whose they are."""

    part: str
    reason: str
    students: tuple[str, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Identical:
    """Something to look at: students who were asked different things and answered the same, which is wrong.

    `students` are with their variants; `why` says what makes it odd. It proves nothing.
    """

    part: str
    answer: str
    students: tuple[tuple[str, str], ...]
    why: str


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything in the report. `totals` are shares of the full mark, of students with all points.

    `language` is how the report speaks to people, and writes numbers.
    """

    title: str
    students: int
    complete: int
    maximum: Number
    totals: tuple[Fraction, ...]
    parts: tuple[PartAnalysis, ...]
    wrong: tuple[WrongAnswer, ...]
    beliefs: tuple[BeliefCount, ...]
    comparisons: tuple[Comparison, ...]
    unreadable: tuple[Unreadable, ...]
    identical: tuple[Identical, ...]
    language: Language = ENGLISH
    loads: tuple[LoadComparison, ...] = ()


@dataclass(frozen=True, slots=True)
class _Answer:
    """One marked reply; `variant_group` names all variants that ask the same."""

    student: str
    variant: str
    variant_group: str
    part: str
    points: Number
    mark: Mark

    @property
    def wrong(self) -> bool:
        """Return whether anything is incorrect, even if it earned points by following through."""
        return self.points - self.mark.follow_through < self.mark.maximum

    @property
    def only_follows(self) -> bool:
        """Return whether it earned points by following from earlier parts, and nothing else in it is wrong.

        An entry that follows from the same reply does not matter here: the reply also has the wrong entry.
        """
        verdicts = {item.verdict for item in self.mark.items}
        return bool(self.mark.follow_through) and verdicts.isdisjoint(("wrong", "partly", "extra"))


def analyse(exam_keys: ExamKeys, results: Iterable[Result]) -> Analysis:
    """Analyse the marks of a class; blank replies have 0 points, others without points are left out."""
    group_names = _variant_group_names(exam_keys)
    shares: dict[str, dict[str, Fraction]] = {subject: {} for subject in (TOTAL_NAME, *exam_keys.labels)}
    variants: dict[str, dict[str, str]] = {subject: {} for subject in shares}
    states: dict[str, Counter[str]] = {subject: Counter() for subject in shares}
    answers: list[_Answer] = []
    unreadable: list[tuple[str, str, str, str]] = []
    taken: dict[str, str] = {}
    students = 0
    for result in results:
        students += 1
        student = result.student.identifier
        variant = result.variant_taken
        if variant in exam_keys.variants:
            taken[student] = variant
            variants[TOTAL_NAME][student] = group_names[TOTAL_NAME][variant]
        for part, standing in zip(exam_keys.parts, result.standings, strict=True):
            points, entry, submission = standing.points_under("zero"), standing.entry, standing.submission
            group = group_names[part.name][standing.variant]
            variants[part.name][student] = group
            states[part.name][standing.state_label] += 1
            if points is not None and part.points:
                shares[part.name][student] = Fraction(points) / Fraction(part.points)
            if entry is not None and standing.points is not None and entry.maker != "override":
                answers.append(
                    _Answer(student, standing.variant, group, part.name, standing.points, entry.mark)
                )
            elif standing.state is State.UNPARSEABLE and submission is not None:
                unreadable.append((part.name, standing.message, student, submission.reply))
        total = result.total("zero")
        if total is not None and exam_keys.points:
            shares[TOTAL_NAME][student] = Fraction(total) / Fraction(exam_keys.points)
    return Analysis(
        title=exam_keys.heading.title,
        students=students,
        complete=len(shares[TOTAL_NAME]),
        maximum=exam_keys.points,
        totals=tuple(sorted(shares[TOTAL_NAME].values())),
        parts=tuple(_part(part, states[part.name], shares, exam_keys) for part in exam_keys.parts),
        wrong=_wrong(answers),
        beliefs=_beliefs(answers),
        comparisons=tuple(_compare(subject, points, variants[subject]) for subject, points in shares.items()),
        unreadable=_unreadable(unreadable, exam_keys.language),
        identical=_identical(exam_keys, answers),
        language=exam_keys.language,
        loads=compare_by_load(exam_keys, shares, taken, MIN_GROUP_STUDENTS),
    )


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
    """Name each group of variants with equal keys by its first code and the number of the others."""
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
    part_shares = shares[part.name]
    others = [other for other in exam_keys.parts if other.name != part.name]
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


def _wrong(answers: Sequence[_Answer]) -> tuple[WrongAnswer, ...]:
    """Group wrong answers by the mistakes that explain them, and unexplained ones by their content."""
    wrong = [answer for answer in answers if answer.wrong and not answer.only_follows]
    counts = Counter((each.part, each.variant_group, each.mark.understood) for each in wrong)
    has_variants = {
        part: len({each.variant_group for each in answers if each.part == part}) > 1 for part, _, _ in counts
    }
    groups: dict[tuple[str, tuple[str, ...], tuple[str, str]], list[_Answer]] = defaultdict(list)
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
    rows.sort(key=lambda row: (-row.students, row.part, row.beliefs, row.answers))
    return tuple(rows[:MAX_TABLE_ROWS])


def _beliefs(answers: Iterable[_Answer]) -> tuple[BeliefCount, ...]:
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for answer in answers:
        for note in () if answer.only_follows else answer.mark.notes:
            counts[answer.part, note.code][note.match] += 1
    rows = [
        BeliefCount(part, code, BELIEFS[code.rpartition(".")[2]].symptom, count["equal"], count["nearest"])
        for (part, code), count in counts.items()
    ]
    rows.sort(key=lambda row: (-row.equal - row.nearest, -row.equal, row.part, row.code))
    return tuple(rows)


# Variants -----------------------------------------------------------------------------------------


def _compare(subject: str, points: Mapping[str, Fraction], variants: Mapping[str, str]) -> Comparison:
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
    freedom = max(0, len(large) - 1)
    statistic = kruskal_wallis(large) if freedom else None
    p = None if statistic is None else chi_squared_tail(statistic, freedom)
    return Comparison(subject, listed, statistic, freedom, p)


# Oddities -----------------------------------------------------------------------------------------


_SPECIFIC = re.compile(r"'[^']*'|\"[^\"]*\"|(?<!\d)(?<!than )\d+|\([^)]*\)")
"""The details in which messages of the same reason differ; a number after `than` is a limit and stays."""


def _unreadable(replies: Iterable[tuple[str, str, str, str]], language: Language) -> tuple[Unreadable, ...]:
    """Group by the reason without its place and without the words it quotes."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    line, reason = "\ue000", "\ue001"
    pattern = re.escape(language.term(AT_LINE, line=line, reason=reason))
    pattern = pattern.replace(line, r"\d+").replace(reason, "(.*)")
    for part, message, student, reply in replies:
        placed_message = re.fullmatch(pattern, message, re.DOTALL)
        general = _SPECIFIC.sub("…", message if placed_message is None else placed_message[1])
        groups[part, re.sub(r"…(?: …)+", "…", " ".join(general.split()))].append((student, reply))
    rows = [
        Unreadable(
            part,
            reason,
            tuple(student for student, _ in group),
            tuple(dict.fromkeys(safe_line(reply, 80) for _, reply in group))[:3],
        )
        for (part, reason), group in groups.items()
    ]
    rows.sort(key=lambda row: (-len(row.students), row.part, row.reason))
    return tuple(rows[:MAX_TABLE_ROWS])


def _identical(exam_keys: ExamKeys, answers: Iterable[_Answer]) -> tuple[Identical, ...]:
    """Find answers that are right in another variant, or wrong in the same way in several.

    Answers that a misconception or the variant's own key explains are left out. So are short answers,
    which agree by chance, unless two students agree like that in two parts or more.
    """
    say = exam_keys.language.say
    owners: dict[tuple[str, str], list[str]] = defaultdict(list)
    for code in sorted(exam_keys.variants):
        for key in exam_keys.part_keys(code):
            owners[key.part, key.reply].append(code)
    unexplained = [
        answer for answer in answers if answer.wrong and not answer.mark.notes and answer.mark.understood
    ]
    rows = []
    groups: dict[tuple[str, str], list[_Answer]] = defaultdict(list)
    for answer in unexplained:
        groups[answer.part, answer.mark.understood].append(answer)
    pairs: Counter[tuple[str, str]] = Counter()
    for group in groups.values():
        for one, other in combinations(sorted(group, key=lambda each: each.student)[:60], 2):
            if one.variant_group != other.variant_group:
                pairs[one.student, other.student] += 1
    repeated_pairs = {pair for pair, count in pairs.items() if count >= 2}
    for (part, text), group in sorted(groups.items()):
        is_distinctive = len(text.split()) >= MIN_DISTINCTIVE_PIECES
        students = tuple((each.student, each.variant) for each in group)
        is_repeated = any(
            (one, other) in repeated_pairs for (one, _), (other, _) in combinations(sorted(students), 2)
        )
        codes = owners.get((part, text), [])[:5]
        if is_distinctive and codes:
            why = say(
                "This is the key of variant {codes}.",
                "This is the key of the variants {codes}.",
                len(codes),
                codes=exam_keys.language.join(codes),
            )
        elif len({each.variant_group for each in group}) < 2 or not (is_distinctive or is_repeated):
            continue
        elif is_repeated:
            why = say("The same wrong answer in different variants, and not only here.")
        else:
            why = say("The same wrong answer in different variants.")
        rows.append(Identical(part, text, students, why))
    return tuple(rows[:MAX_TABLE_ROWS])
