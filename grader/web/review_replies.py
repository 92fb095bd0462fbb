"""The questions about typed replies that wait for a person, as the review page shows and decides them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.base.phrases import Language
from grader.grading.attempts import is_conflict
from grader.grading.class_marking import mark_pending
from grader.grading.decisions import DecisionError
from grader.grading.doubtful_replies import (
    DoubtfulReply,
    LikeReplies,
    PossibleReading,
    ReplyGroup,
    doubtful_replies,
    group_replies,
    has_other_variant,
)
from grader.grading.exam_keys import ExamKeys, hash_texts
from grader.grading.executors import executor_named
from grader.grading.gradebook_store import Gradebook
from grader.grading.overrides import append_read_replies, take_back_readings
from grader.grading.results import results
from grader.web.messages.documents import Record
from grader.web.review_sentences import (
    BAD_CHOICE,
    HOW_TO_DECIDE_GROUP,
    HOW_TO_TYPE_REPLY,
    ONE_OF_SEVERAL,
    PARTLY_UNDERSTOOD,
    REPLIES_MEANT,
    TWO_VARIANTS,
    UNREADABLE_LEFT_OUT,
    WHICH_COUNTS,
    WHICH_VARIANT,
)

ROWS_PER_SCREEN = 30
"""The most different replies on a screen: nothing counts that no person has seen."""

MAX_NAMED_STUDENTS = 3
"""Of more students with the same reply only the count is shown."""

MAX_SHOWN_ANSWERS = 3
"""Of more different correct answers to one question only these are shown."""


@dataclass(slots=True)
class ReplyReview:
    """Groups of typed replies that wait, and the decisions about them.

    - `path`: the gradebook.
    - `shows_key`: whether points and correct answers are shown, because a person asked for it.

    `_separate` has the keys of like replies that a person took out of their group, `_decided` the students
    and parts of each decision since the page was opened, the latest last.
    """

    path: Path
    exam_keys: ExamKeys
    language: Language
    shows_key: bool = False
    _waiting: list[DoubtfulReply] | None = None
    _separate: set[str] = field(default_factory=set)
    _decided: list[Sequence[tuple[str, str]]] = field(default_factory=list)

    def reload(self) -> None:
        """Read again what waits, because another program may have decided something."""
        self._waiting = None

    @property
    def waiting(self) -> list[DoubtfulReply]:
        """The replies that wait for a person. Raises `OSError`, `GradebookError`."""
        if self._waiting is None:
            with Gradebook.open(self.path) as book:
                self._waiting = doubtful_replies(book, self.exam_keys, None, self.language)
        return self._waiting

    def screens(self) -> list[tuple[str, ReplyGroup]]:
        """Return the groups that are left, each with its key; replies that were taken out come last."""
        together: list[ReplyGroup] = []
        single_groups: list[ReplyGroup] = []
        for group in group_replies(self.waiting, self.exam_keys):
            rows = [row for row in group.rows if row.key not in self._separate]
            together += [
                ReplyGroup(tuple(rows[start : start + ROWS_PER_SCREEN]))
                for start in range(0, len(rows), ROWS_PER_SCREEN)
            ]
            single_groups += [ReplyGroup((row,)) for row in group.rows if row.key in self._separate]
        return [
            (f"reply/{hash_texts(*(row.key for row in each.rows))}", each)
            for each in (*together, *single_groups)
        ]

    def task(self, group: ReplyGroup) -> Record:
        """Return the question about a group: the meaning of its replies, or which of several counts.

        Points and correct answers are in it only if a person asked for them; points also where the readings
        differ in their variant, because only they tell which paper the student had.
        """
        say, first = self.language.say, group.rows[0].first
        questions = self.language.join_and(list(group.questions))
        is_single = len(group.rows) == 1
        why = group.reason
        if is_conflict(first.submission):
            title, why = say(WHICH_COUNTS, parts=questions), self.language.term(ONE_OF_SEVERAL)
        elif has_other_variant(first.submission):
            title = say(WHICH_VARIANT, parts=questions)
            why = self.language.term(TWO_VARIANTS) if group.reading_count == 2 else why
        else:
            title = say(*REPLIES_MEANT, group.count, part=questions)
        notes = [
            say(PARTLY_UNDERSTOOD) if group.is_partly_understood else "",
            say(UNREADABLE_LEFT_OUT) if group.is_of_boxes else "",
            say(HOW_TO_TYPE_REPLY) if is_single else say(HOW_TO_DECIDE_GROUP),
        ]
        return {
            "sort": "reply",
            "title": title,
            "why": why,
            "how": " ".join(filter(None, notes)),
            "boxes": [],
            "readings": group.reading_count,
            "typed": is_single,
            "keyed": self.shows_key,
            "replies": [self._row(row, with_part=len(group.questions) > 1) for row in group.rows],
        }

    def _row(self, row: LikeReplies, *, with_part: bool) -> Record:
        """Return what the page shows of some like replies."""
        names = {each.identifier: each.name for each in self.exam_keys.roster or ()}
        students = [names.get(each.student) or each.student for each in row.members]
        students_label = self.language.join_and(students)
        if len(students) > MAX_NAMED_STUDENTS:
            students_label = self.language.say("{count} student", "{count} students", len(students))
        with_points = self.shows_key or has_other_variant(row.first.submission)
        record: Record = {
            "key": row.key,
            "part": row.question if with_part else "",
            "who": students_label,
            "written": row.first.submission.reply,
            "readings": [self._reading(each, with_points=with_points) for each in row.first.readings],
        }
        if self.shows_key:
            record["right"] = [*dict.fromkeys(map(self._right_answer, row.members))][:MAX_SHOWN_ANSWERS]
        return record

    def _reading(self, reading: PossibleReading, *, with_points: bool) -> Record:
        """Return a reading for the page, `with_points` also its points, or its state if it has none."""
        record: Record = {"reply": self.language.reply(reading.reply), "source": reading.source}
        if with_points:
            points, maximum = reading.points, reading.mark.maximum
            record["points"] = (
                reading.mark.state.value
                if points is None
                else self.language.say(
                    "{points} of {maximum}",
                    points=self.language.points(points),
                    maximum=self.language.points(maximum),
                )
            )
        return record

    def _right_answer(self, reply: DoubtfulReply) -> str:
        """Return the correct answer to the question in the variant that was answered."""
        submission = reply.submission
        exercise = self.exam_keys.exercise(submission.variant, submission.question)
        return "" if exercise is None else exercise.public.terms.language.reply(exercise.key)

    def decide(self, rows: Collection[str], choice: str, separate: Collection[str]) -> None:
        """Record a choice for some like replies, by their keys; others of the group are asked alone.

        Raises `DecisionError` if they no longer wait, for a reading that there is not, and for a typed reply
        that cannot be read either; `OSError`, `GradebookError` if the gradebook cannot be written.
        """
        like: Mapping[str, LikeReplies] = {
            row.key: row for group in group_replies(self.waiting, self.exam_keys) for row in group.rows
        }
        if not rows or not {*rows, *separate} <= like.keys():
            raise DecisionError(self.language.term(BAD_CHOICE))
        try:
            decisions = [decision for key in rows for decision in like[key].decisions(choice)]
        except ValueError:
            raise DecisionError(self.language.term(BAD_CHOICE)) from None
        if not choice.startswith("#") and len(rows) > 1:
            raise DecisionError(self.language.term(BAD_CHOICE))
        with Gradebook.open(self.path) as book:
            decided = append_read_replies(book, self.exam_keys, decisions)
            self._decided.append(decided)
            self._mark(book, {student for student, _ in decided})
        self._separate.update(separate)

    def separate(self, rows: Collection[str]) -> None:
        """Ask about like replies one by one, by their keys."""
        self._separate.update(rows)

    def undo(self) -> None:
        """Take the latest decision back: the replies wait again as they were handed in."""
        decided = self._decided.pop()
        with Gradebook.open(self.path) as book:
            take_back_readings(book, decided)
            self._mark(book, {student for student, _ in decided})
        self._separate.clear()

    def _mark(self, book: Gradebook, students: Collection[str]) -> None:
        """Mark the decided replies, and see which replies of these students still wait."""
        mark_pending(book, self.exam_keys, executor_named("here", 1))
        others = [each for each in self.waiting if each.student not in students]
        order = {each.identifier: place for place, each in enumerate(self.exam_keys.roster or ())}
        of_students = results(book, self.exam_keys, students)
        waiting = [*others, *doubtful_replies(book, self.exam_keys, of_students, self.language)]
        self._waiting = sorted(waiting, key=lambda each: (order.get(each.student, 0), each.student))
