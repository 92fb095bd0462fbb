"""Pairs of papers to look at: incorrect answers to one's own paper that belong to another student's."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from grader.grading.exam_keys import ExamKeys
from grader.grading.marked_answers import MarkedAnswer

MIN_QUESTIONS = 2
"""A pair is listed only if this many questions point to the same paper."""

MIN_KEY_PIECES = 4
"""An answer of at least this many pieces is large: it is unlikely to be the same on two papers."""

MAX_CHANCE = 0.05
"""Pairs that are more probable than this in a class without any copying are not listed."""


@dataclass(frozen=True, slots=True)
class AlikeAnswer:
    """An answer that belongs to another paper.

    - `is_key`: whether it is the correct answer there, and not that of a misconception.
    - `chance`: how probable it is that such an answer belongs to a given other paper by chance.
    """

    part: str
    answer: str
    is_key: bool
    chance: float


@dataclass(frozen=True, slots=True)
class AlikePair:
    """Two papers to look at: answers of `student`, in several questions, belong to the paper of `other`.

    `chance` is a bound on how probable a pair like this is in a class of this size without any copying.
    It does not show who did what.
    """

    student: str
    other: str
    answers: tuple[AlikeAnswer, ...]
    chance: float


def find_alike(exam_keys: ExamKeys, answers: Iterable[MarkedAnswer]) -> tuple[AlikePair, ...]:
    """Find the pairs, the least probable first.

    An answer points to another student if all of this holds:

    1. It is incorrect, no misconception explains it, and nothing in it follows from earlier parts.
    2. It has at least `MIN_KEY_PIECES` pieces.
    3. It is the key, or the answer of a misconception, on the paper of exactly one other student.

    A pair is listed if answers to at least `MIN_QUESTIONS` questions point to the same student, and its
    chance is at most `MAX_CHANCE`.
    The chance of an answer is estimated from the class: of all pairs of a large answer and another paper,
    the share in which the answer belongs there. Answers are the known ones of each paper and those of
    rule 1, with the pair in question. The product over the questions, times the number of ordered pairs of
    students, bounds the chance in a whole class.
    """
    given = tuple(answers)
    papers = _papers(exam_keys, given)
    owners: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (student, part), replies in papers.items():
        for reply in replies:
            owners[part, reply].append(student)
    sitters = Counter(part for _, part in papers)
    matches, candidates = Counter[str](), Counter[str]()
    for (part, _), students_of_reply in owners.items():
        count = len(students_of_reply)
        matches[part] += count * (count - 1)
        candidates[part] += count * (sitters[part] - 1)
    pointing: dict[tuple[str, str], list[tuple[MarkedAnswer, bool]]] = defaultdict(list)
    for answer in filter(_is_unexplained, given):
        found = owners.get((answer.part, answer.mark.understood), [])
        matches[answer.part] += len(found)
        candidates[answer.part] += sitters[answer.part] - 1
        if len(found) == 1:
            is_key = papers[found[0], answer.part][answer.mark.understood]
            pointing[answer.student, found[0]].append((answer, is_key))
    students = len({student for student, _ in papers})
    pairs = []
    for (student, other), found_answers in pointing.items():
        rows = tuple(
            AlikeAnswer(
                answer.part,
                answer.mark.understood,
                is_key,
                matches[answer.part] / candidates[answer.part],
            )
            for answer, is_key in found_answers
        )
        # Parts of one question are not independent: the least probable one counts for it.
        by_question: dict[str, float] = {}
        for row in rows:
            label = exam_keys.labels[row.part]
            by_question[label] = min(row.chance, by_question.get(label, 1.0))
        chance = students * (students - 1) * prod(by_question.values())
        if len(by_question) >= MIN_QUESTIONS and chance <= MAX_CHANCE:
            pairs.append(AlikePair(student, other, rows, chance))
    pairs.sort(key=lambda pair: (pair.chance, pair.student, pair.other))
    return tuple(pairs)


def _is_unexplained(answer: MarkedAnswer) -> bool:
    """Return whether an answer is large, incorrect, and of no known origin on the student's own paper."""
    mark = answer.mark
    return _is_large(mark.understood) and answer.wrong and not mark.notes and not mark.follow_through


def _is_large(reply: str) -> bool:
    return len(reply.split()) >= MIN_KEY_PIECES


def _papers(
    exam_keys: ExamKeys, answers: Sequence[MarkedAnswer]
) -> Mapping[tuple[str, str], Mapping[str, bool]]:
    """Return the large answers that belong to the paper of each student, by student and part.

    Each answer has whether it is the key.
    """
    variants = {answer.variant for answer in answers}
    replies: dict[tuple[str, str], dict[str, bool]] = {}
    for code in exam_keys.variants:
        for key in exam_keys.part_keys(code):
            beliefs = json.loads(key.exercise)["beliefs"].values() if code in variants else ()
            replies[code, key.part] = dict.fromkeys(filter(_is_large, beliefs), False)
            replies[code, key.part] |= {key.reply: True} if _is_large(key.reply) else {}
    return {(each.student, each.part): replies[each.variant, each.part] for each in answers}
