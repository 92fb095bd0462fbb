"""The replies that wait for a person, grouped by the doubt, with their possible readings."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from grader.base.numbers import Number
from grader.base.phrases import Language
from grader.exercises.marking import Mark, Marker, State, read_mark
from grader.grading.attempts import conflicting_replies, is_conflict
from grader.grading.cloze import readings_of_boxes
from grader.grading.decisions import Decision
from grader.grading.exam_keys import ExamKeys, hash_texts
from grader.grading.gradebook_store import Gradebook
from grader.grading.records import (
    OTHER_VARIANT,
    READ_BY_PERSON,
    TURNED_INTO_DATE,
    UNDECIDED_SCAN,
    UNREADABLE_BLANK,
    Standing,
    Submission,
)
from grader.grading.results import Result, results
from grader.grading.shards import PartReply, Shard, Unit, mark_shard

UNREADABLE_STATES = (State.UNPARSEABLE, State.AMBIGUOUS, State.ERROR)
"""The states of replies that a person can read for the student."""

_BOX_FAULTS = (UNREADABLE_BLANK, TURNED_INTO_DATE)
"""The beginnings of reasons that may be about a box."""

_NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")


class PossibleReading(NamedTuple):
    """A possible reading of a reply, and the mark that it gets.

    - `reply`: the reply as text that can be read.
    - `variant`: the variant that it answers.
    - `source`: where it was handed in, if the student handed in several replies; the variant, if it is
      doubtful; else empty.
    """

    reply: str
    variant: str
    source: str
    mark: Mark

    @property
    def points(self) -> Number | None:
        """The points; None if this cannot be read either."""
        return 0 if self.mark.state is State.BLANK else self.mark.points


@dataclass(frozen=True, slots=True)
class DoubtfulReply:
    """A reply that waits for a person: why, and its possible readings.

    `is_partial`: the readings are only of the part that can be read.
    """

    student: str
    standing: Standing
    submission: Submission
    reason: str
    readings: tuple[PossibleReading, ...] = ()
    is_partial: bool = False

    @property
    def understood(self) -> str:
        """The part of the reply that was understood, up to the place where it cannot be read."""
        return self.standing.entry.mark.understood if self.standing.entry is not None else ""

    def remark(self, reading: PossibleReading) -> str:
        """Return what lists say next to one of its readings: that it is incomplete, or its source."""
        return "incomplete: only this was understood" if self.is_partial else reading.source


@dataclass(frozen=True)
class LikeReplies:
    """Replies to one question that say the same: same text, same readings, same points."""

    members: tuple[DoubtfulReply, ...]

    @property
    def first(self) -> DoubtfulReply:
        """One of them; the others differ in nothing that matters."""
        return self.members[0]

    @property
    def question(self) -> str:
        """The part that they answer."""
        return self.first.submission.question

    @cached_property
    def key(self) -> str:
        """What recognises them in a worklist: a hash of all that a decision about them depends on."""
        return hash_texts(self.question, self.first.reason, *_reply_and_readings(self.first))[:12]

    def decisions(self, choice: str, place: str = "") -> list[Decision]:
        """Return the decisions of a choice: `#0` for no answer, `#1` for the first reading, or a reply.

        Raises `ValueError` if there is no such reading.
        """
        number = reading_number(choice)
        if number is not None and number > len(self.first.readings):
            raise ValueError(f"there is no reading {choice}")
        decisions = []
        for each in self.members:
            value, variant = choice, each.submission.variant
            if number == 0:
                value = ""
            elif number is not None:
                value, variant = each.readings[number - 1][:2]
            decisions.append(
                Decision(
                    each.student, self.question, value, "", place, variant, is_reading=number is not None
                )
            )
        return decisions


@dataclass(frozen=True)
class ReplyGroup:
    """Replies with the same doubt, so that one choice can hold for all; most frequent first."""

    rows: tuple[LikeReplies, ...]

    @property
    def questions(self) -> tuple[str, ...]:
        """The parts that they answer: one, unless attempts are in conflict or of a doubtful variant."""
        return tuple(dict.fromkeys(row.question for row in self.rows))

    @property
    def reason(self) -> str:
        """Why a person is asked, as it is for the first of them."""
        return self.rows[0].first.reason

    @property
    def count(self) -> int:
        """The number of replies."""
        return sum(len(row.members) for row in self.rows)

    @property
    def reading_count(self) -> int:
        """The number of readings, which is the same for all."""
        return len(self.rows[0].first.readings)

    @property
    def is_partly_understood(self) -> bool:
        """Whether the reading is only the part before the place that cannot be read."""
        return bool(self.reading_count) and self.rows[0].first.is_partial and not self.is_of_boxes

    @property
    def is_of_boxes(self) -> bool:
        """Whether the readings are of the boxes that can be read, without the others."""
        return bool(self.reading_count) and self.rows[0].first.submission.contested.startswith(_BOX_FAULTS)


def reading_number(choice: str) -> int | None:
    """Return the number of the reading that a choice names, 0 for no answer; None for a reply."""
    return int(choice[1:]) if re.fullmatch(r"#[0-9]{1,3}", choice) else None


def doubtful_replies(
    book: Gradebook,
    exam_keys: ExamKeys,
    class_results: Iterable[Result] | None = None,
    language: Language | None = None,
) -> list[DoubtfulReply]:
    """Return the replies that wait for a person to read them, of all students or in some results.

    Replies that wait for a look at their scan are left out. Reasons are in the language of the
    question, or in another one if replies are read alike in it. Raises `OSError`.
    """
    waiting: list[tuple[str, Standing]] = []
    for result in results(book, exam_keys) if class_results is None else class_results:
        for standing in result.standings:
            submission = standing.submission
            if submission is None or standing.points is not None or standing.state not in UNREADABLE_STATES:
                continue
            if not submission.contested.startswith(UNDECIDED_SCAN):
                waiting.append((result.student.identifier, standing))
    return _Reader(book, exam_keys, language).read(waiting)


def has_other_variant(submission: Submission) -> bool:
    """Return whether a person has to say which variant a reply answers: that of its row, or the student's."""
    return submission.contested.startswith(OTHER_VARIANT)


def group_replies(replies: Sequence[DoubtfulReply], exam_keys: ExamKeys) -> tuple[ReplyGroup, ...]:
    """Group replies: by question, then the most frequent first, both groups and the replies in them.

    Replies are alike if they have the same text, readings and points. They are in one group if, numbers
    aside, the reason is the same and there are as many readings; without readings only if they are alike.
    Different replies of one student are in one group for the whole exam, and so are rows that say another
    variant than their student has.
    """
    groups: dict[tuple[str, ...], dict[tuple[str, ...], list[DoubtfulReply]]] = {}
    for each in replies:
        question, count = each.submission.question, str(len(each.readings))
        kind: tuple[str, ...] = (question, str(each.standing.state), str(each.is_partial), count)
        if is_conflict(each.submission):
            kind = ("", "conflict", count)
        elif has_other_variant(each.submission):
            kind = ("", "variant", count)
        elif each.readings:
            kind = (*kind, _NUMBER.sub("#", each.reason))
        else:
            kind = (*kind, _folded(each.submission.reply))
        row = (question, each.reason, *_reply_and_readings(each))
        groups.setdefault(kind, {}).setdefault(row, []).append(each)
    order = {part: place for place, part in enumerate(exam_keys.labels)}
    reply_groups = []
    for rows in groups.values():
        alike = sorted(map(tuple, rows.values()), key=lambda members: -len(members))
        reply_groups.append(ReplyGroup(tuple(map(LikeReplies, alike))))
    return tuple(sorted(reply_groups, key=lambda group: (order[group.questions[0]], -group.count)))


def mark_replies(book: Gradebook, exam_keys: ExamKeys, replies: Sequence[Submission]) -> list[Mark]:
    """Return the marks that some replies would get if they counted; the gradebook does not change."""
    reader = _Reader(book, exam_keys)
    return reader.marks(
        [reader.unit(each.student, PartReply(each.question, each.reply), each.variant) for each in replies]
    )


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _reply_and_readings(reply: DoubtfulReply) -> list[str]:
    """Return a reply and its readings as texts; replies with equal ones can be decided together.

    Of the sources of readings only their existence counts: they differ between students.
    """
    readings = (
        text
        for each in reply.readings
        for text in (each.reply, each.source and "several", str(each.points), str(each.mark.maximum))
    )
    return [_folded(reply.submission.reply), *readings]


MarkedUnit = tuple[Unit, int]
"""The replies to a question, and the place of the one whose mark is wanted."""


@dataclass(slots=True)
class _Reader:
    """Finds the readings of replies, and what they would earn."""

    book: Gradebook
    exam_keys: ExamKeys
    language: Language | None = None
    _markers: dict[tuple[str, str], Marker | None] = field(default_factory=dict)
    _submissions: dict[str, list[Submission]] = field(default_factory=dict)

    def read(self, waiting: Sequence[tuple[str, Standing]]) -> list[DoubtfulReply]:
        """Return the doubtful replies behind the standings of some students, with their readings."""
        for each in self.book.all_submissions_of(*{student for student, _ in waiting}):
            self._submissions.setdefault(each.student, []).append(each)
        doubts = [self._readings(student, standing) for student, standing in waiting]
        units = [
            self.unit(each.student, PartReply(each.question, each.reply), each.variant)
            for _, candidates, _ in doubts
            for each in candidates
        ]
        marks = iter(self.marks(units))
        replies = []
        for (student, standing), (reason, candidates, is_partial) in zip(waiting, doubts, strict=True):
            assert standing.submission is not None
            is_between_places = is_conflict(standing.submission)
            is_between_variants = has_other_variant(standing.submission)
            readings = tuple(
                PossibleReading(
                    each.reply,
                    each.variant,
                    each.place if is_between_places else each.variant if is_between_variants else "",
                    next(marks),
                )
                for each in candidates
            )
            replies.append(
                DoubtfulReply(student, standing, standing.submission, reason, readings, is_partial)
            )
        return replies

    def _readings(self, student: str, standing: Standing) -> tuple[str, list[Submission], bool]:
        """Return why a reply is doubtful, its readings as if handed in so, and whether these are partial."""
        submission = standing.submission
        assert submission is not None
        if is_conflict(submission):
            of_part = [each for each in self._submissions[student] if each.question == standing.question]
            attempts = {(each.reply, each.variant): each for each in reversed(conflicting_replies(of_part))}
            return standing.message, [*reversed(attempts.values())], False
        if has_other_variant(submission):
            variants = dict.fromkeys((submission.variant, self.exam_keys.variant_of(student)))
            return standing.message, [self._in_variant(submission, variant) for variant in variants], False
        is_chosen = submission.place == READ_BY_PERSON and not submission.contested
        key = self.exam_keys.part_key(submission.variant, submission.question)
        replies = readings_of_boxes(submission.reply, key)
        if submission.contested.startswith(_BOX_FAULTS) or (is_chosen and replies):
            readings = [submission._replace(reply=reply) for reply in replies]
            return standing.message, readings, len(readings) == 1
        marker = self._marker(submission.variant, submission.question)
        if submission.contested or marker is None or standing.state is State.ERROR:
            return standing.message, [], False
        doubt = marker.doubt(submission.reply)
        public = marker.exercise.public
        terms = public.terms if self.language is None else public.terms.in_language(self.language)
        if terms != public.terms:
            translated = Marker(replace(marker.exercise, public=replace(public, terms=terms)))
            other = translated.doubt(submission.reply)
            doubt = other if other.readings == doubt.readings else doubt
        say = public.terms.language.reply
        readings = [submission._replace(reply=say(reading)) for reading in doubt.readings]
        return doubt.reason, readings, doubt.is_partial

    def _in_variant(self, submission: Submission, variant: str) -> Submission:
        """Return a reply as an answer to this variant, without boxes that cannot be read there.

        If its boxes can be read in several ways, they stay as they are, and are asked about next.
        """
        readings = readings_of_boxes(submission.reply, self.exam_keys.part_key(variant, submission.question))
        reply = readings[0] if len(readings) == 1 else submission.reply
        return submission._replace(reply=reply, variant=variant)

    def _marker(self, variant: str, part: str) -> Marker | None:
        """Return what marks replies to a part; None if its key cannot be read."""
        if (variant, part) not in self._markers:
            exercise = self.exam_keys.exercise(variant, part)
            self._markers[variant, part] = None if exercise is None else Marker(exercise)
        return self._markers[variant, part]

    def unit(self, student: str, reply: PartReply, variant: str) -> MarkedUnit:
        """Return a reply with the others that count for its mark: earlier ones, if answers follow through."""
        label = self.exam_keys.labels[reply.part]
        question = self.exam_keys.question(variant, label)
        if not question.follow_through:
            return Unit(variant, label, (reply,)), 0
        counting: Mapping[str, Submission] = self.book.submissions_of(student)
        replies: list[PartReply] = []
        for key in question.parts:
            other = counting.get(key.part)
            if key.part == reply.part:
                place = len(replies)
                replies.append(reply)
            elif other is not None and other.variant == variant:
                replies.append(PartReply(other.question, other.reply, other.contested))
        return Unit(variant, label, tuple(replies)), place

    def marks(self, units: Sequence[MarkedUnit]) -> list[Mark]:
        """Mark some units; equal ones are marked once."""
        distinct = tuple(Counter(unit for unit, _ in units))
        names = {(unit.variant, unit.question) for unit in distinct}
        keys = {name: self.exam_keys.question(*name) for name in names}
        outcomes = dict(zip(distinct, mark_shard(Shard(distinct, keys)), strict=True))
        return [read_mark(outcomes[unit][place].content) for unit, place in units]
