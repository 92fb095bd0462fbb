"""How many answers each misconception explains; misconceptions that no exercise tells apart are one."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grader.exercises.feedback import is_off_by_one
from grader.grading.exam_keys import ExamKeys
from grader.grading.marked_answers import MarkedAnswer

MisconceptionNames: TypeAlias = tuple[str, ...]
"""Names of misconceptions, sorted; of several any may be behind an answer."""

SEVERAL: MisconceptionNames = ("",)
"""Stands for misconceptions that lead to one answer on some papers and to different ones on others."""


@dataclass(frozen=True, slots=True)
class MisconceptionCount:
    """Misconceptions that lead to the same answers to a part, and how many replies they explain.

    Every reply counts once, with all misconceptions that lead to it; one that only follows from an earlier
    part does not count.

    - `equal`, `nearest`: how many replies they explain wholly and mostly.
    - `one_off`: how many of these replies are a number next to the correct one, and so may be slips.
    """

    part: str
    names: MisconceptionNames
    equal: int
    nearest: int
    one_off: int


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """What became of a part, by number of students.

    - `consistent`: incorrect only because they follow from an incorrect answer to an earlier part.
    - `by_misconceptions`: misconceptions that no exercise of this part tells apart -> explained replies;
      `SEVERAL` has those that several of these explain.
    - `other`: incorrect for no known reason; `blank`: nothing is written.
    - `without_points`: handed in, but unreadable or not marked yet.
    """

    part: str
    correct: int
    consistent: int
    by_misconceptions: Mapping[MisconceptionNames, int]
    other: int
    blank: int
    without_points: int


def inseparable_misconceptions(exam_keys: ExamKeys) -> Mapping[str, tuple[MisconceptionNames, ...]]:
    """Return, for every part, its misconceptions in groups that lead to equal answers in every variant."""
    answers: dict[str, dict[str, list[tuple[int, str]]]] = {name: {} for name in exam_keys.labels}
    for place, code in enumerate(exam_keys.variants):
        for key in exam_keys.part_keys(code):
            beliefs: Mapping[str, str] = json.loads(key.exercise)["beliefs"]
            for belief, reply in beliefs.items():
                found = answers[key.part].setdefault(belief.rpartition(".")[2], [])
                found.append((place, reply))
    groups: dict[str, tuple[MisconceptionNames, ...]] = {}
    for part, replies in answers.items():
        names_by_replies: dict[tuple[tuple[int, str], ...], list[str]] = defaultdict(list)
        for name in sorted(replies):
            names_by_replies[tuple(replies[name])].append(name)
        groups[part] = tuple(map(tuple, names_by_replies.values()))
    return groups


def count_misconceptions(
    exam_keys: ExamKeys, answers: Iterable[MarkedAnswer]
) -> tuple[MisconceptionCount, ...]:
    """Count the replies by the misconceptions that explain them, the most frequent first."""
    counts: dict[tuple[str, MisconceptionNames], Counter[str]] = defaultdict(Counter)
    for answer in answers:
        if answer.is_explained:
            count = counts[answer.part, answer.misconceptions]
            count[answer.mark.notes[0].match] += 1
            exercise = exam_keys.exercise(answer.variant, answer.part)
            count["one_off"] += exercise is not None and is_off_by_one(exercise, answer.mark.understood)
    rows = [
        MisconceptionCount(part, names, count["equal"], count["nearest"], count["one_off"])
        for (part, names), count in counts.items()
    ]
    places = exam_keys.part_places
    rows.sort(key=lambda row: (-row.equal - row.nearest, -row.equal, places[row.part], row.names))
    return tuple(rows)


def count_answers(
    part: str, answers: Iterable[MarkedAnswer], states: Counter[str], groups: Sequence[MisconceptionNames]
) -> AnswerCounts:
    """Count the answers to one part.

    - `states`: the names of fields of `AnswerCounts` -> students who are counted already.
    - `groups`: the misconceptions of the part that no exercise tells apart.
    """
    counts, explained = Counter(states), Counter[MisconceptionNames]()
    known = {name for group in groups for name in group}
    for answer in answers:
        if not answer.wrong:
            counts["correct"] += 1
        elif answer.only_follows:
            counts["consistent"] += 1
        elif answer.is_explained:
            matching = [group for group in groups if not set(group).isdisjoint(answer.misconceptions)]
            # A misconception in no record, such as payoffs for leaf numbers, is a group of its own.
            matching += [(name,) for name in answer.misconceptions if name not in known]
            explained[matching[0] if len(matching) == 1 else SEVERAL] += 1
        else:
            counts["other"] += 1
    by_frequency = dict(sorted(explained.items(), key=lambda row: (row[0] == SEVERAL, -row[1], row[0])))
    return AnswerCounts(
        part=part,
        correct=counts["correct"],
        consistent=counts["consistent"],
        by_misconceptions=by_frequency,
        other=counts["other"],
        blank=counts["blank"],
        without_points=counts["without_points"],
    )
