"""Whether variants that take more work were harder: the facility of a question by groups of like load."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.base.statistics import kruskal_wallis_test
from grader.grading.exam_keys import ExamKeys, QuestionKey

MAX_LOAD_GROUPS = 4
"""The most groups of variants of one question."""


@dataclass(frozen=True, slots=True)
class LoadGroup:
    """Variants of like load, from `min_load` to `max_load`.

    - `variants`: how many variants were answered; `students`: by how many students.
    - `facility`: the mean share of the points.
    """

    min_load: int
    max_load: int
    variants: int
    students: int
    facility: Fraction


@dataclass(frozen=True, slots=True)
class LoadComparison:
    """The groups of one question, by ascending load.

    `p`: how probable differences at least this large between the groups are by chance (Kruskal-Wallis); None
    if fewer than two groups have enough students.
    """

    question: str
    groups: tuple[LoadGroup, ...]
    p: float | None


def compare_by_load(
    exam_keys: ExamKeys,
    shares: Mapping[str, Mapping[str, Fraction]],
    variants: Mapping[str, str],
    min_students: int,
) -> tuple[LoadComparison, ...]:
    """Compare the variants of every question whose load is recorded.

    `shares` has the share of the points by part and student, `variants` the variant that a student had.
    Groups of fewer than `min_students` are not tested.
    """
    labels = dict.fromkeys(part.question for part in exam_keys.parts)
    loads: dict[str, dict[str, int]] = {label: {} for label in labels}
    for code, questions in exam_keys.variants.items():
        for question in questions:
            if (load := _load(question)) is not None:
                loads[question.label][code] = load
    comparisons = []
    for label in labels:
        parts = [part for part in exam_keys.parts if part.question == label]
        full_mark = sum((Fraction(part.points) for part in parts), Fraction(0))
        by_load: dict[int, dict[str, list[Fraction]]] = defaultdict(lambda: defaultdict(list))
        for student, code in variants.items():
            part_shares = [shares[part.name].get(student) for part in parts]
            points = [
                share * Fraction(part.points)
                for share, part in zip(part_shares, parts, strict=True)
                if share is not None
            ]
            if code in loads[label] and len(points) == len(parts) and full_mark:
                by_load[loads[label][code]][code].append(sum(points, Fraction(0)) / full_mark)
        if by_load:
            comparisons.append(_compare(label, by_load, min_students))
    return tuple(comparisons)


def _load(question: QuestionKey) -> int | None:
    """Return the load of a question, that of all its parts together; None if it is not recorded."""
    profiles = [json.loads(part.exercise).get("profile") or {} for part in question.parts]
    loads = [profile["load"] for profile in profiles if isinstance(profile.get("load"), int)]
    return sum(loads) if loads else None


def _compare(
    label: str, by_load: Mapping[int, Mapping[str, Sequence[Fraction]]], min_students: int
) -> LoadComparison:
    """Compare the variants of one question; `by_load` has the shares of students by load and variant."""
    groups, shares_by_group = [], []
    students = {load: sum(map(len, variants.values())) for load, variants in by_load.items()}
    for loads in _like_loads(students):
        variants = [shares for load in loads for shares in by_load[load].values()]
        shares = [share for variant in variants for share in variant]
        facility = sum(shares, Fraction(0)) / len(shares)
        groups.append(LoadGroup(loads[0], loads[-1], len(variants), len(shares), facility))
        shares_by_group.append(shares)
    large = [shares for shares in shares_by_group if len(shares) >= min_students]
    _, p = kruskal_wallis_test(large)
    return LoadComparison(label, tuple(groups), p)


def _like_loads(students: Mapping[int, int]) -> list[list[int]]:
    """Divide loads into `MAX_LOAD_GROUPS` groups of about equally many students.

    `students` has the number of students by load. A load is never divided, so there may be fewer groups, and
    each load is one by itself if there are no more loads than groups.
    """
    total, before = sum(students.values()), 0
    groups: dict[int, list[int]] = defaultdict(list)
    for load in sorted(students):
        # The median student of this load decides which group it joins; `middle` is twice its rank.
        middle = 2 * before + students[load]
        group = load if len(students) <= MAX_LOAD_GROUPS else middle * MAX_LOAD_GROUPS // (2 * total)
        groups[group].append(load)
        before += students[load]
    return list(groups.values())
