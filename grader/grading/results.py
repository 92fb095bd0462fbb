"""The result of every student: points where there are any, and the parts that are still unresolved."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from grader.base.numbers import Number, normalize_number
from grader.exam.manifest import MissingPolicy
from grader.exercises.marking import State
from grader.grading.attempts import conflicting_replies
from grader.grading.exam_keys import ExamKeys, Part
from grader.grading.file_readings import superseded_readings
from grader.grading.gradebook_store import Gradebook, last_by_part, standing_entries
from grader.grading.records import (
    NOTHING_ENTERED,
    NOTHING_HANDED_IN,
    READ_BY_PERSON,
    TURNED_INTO_DATE,
    UNDECIDED_SCAN,
    BlankPolicy,
    Entry,
    Standing,
    Submission,
)
from grader.tables.student_directory import Student

ABSENT = (State.MISSING, NOTHING_HANDED_IN)
"""The state and message of a student without any row."""

STUDENTS_PER_READ = 500
"""The number of students that are read together."""


@dataclass(frozen=True, slots=True)
class Result:
    """One student's standings, aligned with the parts of the exam; `variant` is that in the class list."""

    student: Student
    variant: str
    standings: tuple[Standing, ...]

    @property
    def variant_taken(self) -> str:
        """The variant of the whole exam, or of each part if a platform drew question by question."""
        if len({standing.variant for standing in self.standings}) == 1:
            return self.standings[0].variant
        return " ".join(f"{standing.question}:{standing.variant}" for standing in self.standings)

    @property
    def variants(self) -> Set[str]:
        """The variants that any of the standings is about."""
        return {self.variant, *(standing.variant for standing in self.standings)}

    @property
    def is_absent(self) -> bool:
        """Whether nothing was handed in and no mark was set by hand."""
        return all(standing.submission is None and standing.entry is None for standing in self.standings)

    @property
    def is_known_absent(self) -> bool:
        """Whether the student is absent, and no row or page may be the missing one: nothing is unresolved."""
        return self.is_absent and all(each.message == NOTHING_HANDED_IN for each in self.standings)

    def points(self, blank: BlankPolicy, missing: MissingPolicy = "empty") -> tuple[Number | None, ...]:
        """Return the points of every part; None where there are none.

        With `missing="zero"`, a student who is known to be absent has 0 points for each.
        """
        if self.is_known_absent:  # a part that was dropped would have 0 points
            return (0 if missing == "zero" else None,) * len(self.standings)
        return tuple(standing.points_under(blank) for standing in self.standings)

    def total(self, blank: BlankPolicy, missing: MissingPolicy = "empty") -> Number | None:
        """Return the sum of the points, or None if a part has none; `missing` is as in `points`."""
        points = self.points(blank, missing)
        return None if None in points else normalize_number(sum(part for part in points if part is not None))

    def unresolved(self, blank: BlankPolicy) -> tuple[Standing, ...]:
        """Return the standings without points; an absent student has none."""
        if self.is_known_absent:
            return ()
        return tuple(standing for standing in self.standings if standing.points_under(blank) is None)


def results(
    book: Gradebook, exam_keys: ExamKeys, students: Collection[str] | None = None
) -> Iterator[Result]:
    """Yield the result of every student, or of those given, in the order of the class list.

    Without a class list these are the students who handed something in, sorted.
    """
    uncounted, parts = uncounted_rows(book), exam_keys.parts
    roster = exam_keys.roster
    if roster is None:
        roster = tuple(Student(identifier, identifier) for identifier in book.students())
    if students is not None:
        roster = tuple(student for student in roster if student.identifier in students)
    for index in range(0, len(roster), STUDENTS_PER_READ):
        group = roster[index : index + STUDENTS_PER_READ]
        submissions: dict[str, list[Submission]] = {student.identifier: [] for student in group}
        entries: dict[str, list[Entry]] = {student.identifier: [] for student in group}
        for submission in book.all_submissions_of(*submissions):
            submissions[submission.student].append(submission)
        for entry in book.history(*entries):
            entries[entry.student].append(entry)
        for student in group:
            identifier = student.identifier
            variant, row = exam_keys.variant_of(identifier), uncounted.get(identifier, ABSENT)
            last_submissions = last_by_part(submissions[identifier])
            last_entries = standing_entries(entries[identifier])
            standings = tuple(
                _standing(part, variant, row, last_submissions.get(part.name), last_entries.get(part.name))
                for part in parts
            )
            if any(each.place == READ_BY_PERSON for each in last_submissions.values()):
                standings = tuple(_with_original(each, submissions[identifier]) for each in standings)
            yield Result(student, variant, standings)


def _standing(
    part: Part,
    variant: str,
    uncounted: tuple[State, str],
    submission: Submission | None,
    entry: Entry | None,
) -> Standing:
    """Return the standing in a part of a student who has this variant on paper.

    `uncounted` has the state and message of a student without a reply, see `uncounted_rows`.
    """
    state: State | None
    if entry is not None and (
        entry.maker == "override"
        or (submission is not None and (entry.submission or 0) >= submission.identity)
    ):
        state, message = entry.state, entry.mark.message
    elif submission is not None:
        state, message = None, "not marked yet"
    else:
        state, message = uncounted
    variant_answered = variant if submission is None else submission.variant
    return Standing(
        part.name, variant_answered, state, submission, entry, message, is_dropped=part.is_dropped
    )


def _with_original(standing: Standing, submissions: Sequence[Submission]) -> Standing:
    """Return the standing with what the student handed in, if a person has read it as another reply.

    A person who chose one of several replies that the student handed in has read none of them differently,
    and a date is what a spreadsheet has made of a reply.
    """
    submission = standing.submission
    if submission is None or submission.place != READ_BY_PERSON:
        return standing
    replies = [
        each
        for each in submissions
        if each.question == standing.question and not each.aside and each.place != READ_BY_PERSON
    ]
    is_chosen = submission.reply in {each.reply for each in (*replies[-1:], *conflicting_replies(replies))}
    if is_chosen or not replies or replies[-1].contested.startswith(TURNED_INTO_DATE):
        return standing
    return replace(standing, original=replies[-1])


def uncounted_rows(book: Gradebook) -> Mapping[str, tuple[State, str]]:
    """Return student -> the state and message of a student without a reply who has, or may have, a row.

    - A row without an owner that may belong to the student makes it AMBIGUOUS which replies there are.
    - A row that was refused leaves them MISSING; a row in which nothing is entered does not count.
    """
    resolved = book.row_owners().keys() | book.ignored_rows()
    superseded = superseded_readings(book.readings())
    rows: dict[str, tuple[State, str]] = {}
    for row in book.odd_rows():
        if row.reading in superseded or {row.as_written, row.place} & resolved or not row.student:
            continue
        if row.fate == "alike":
            message = f"{row.place} says {row.as_written!r}, which may be this student"
            rows[row.student] = State.AMBIGUOUS, message
        elif row.fate in ("late", "unfinished", "broken") and not row.why.endswith(NOTHING_ENTERED):
            rows.setdefault(row.student, (State.MISSING, f"{row.place}: {row.why}"))
    return rows


@dataclass(frozen=True, slots=True)
class StateCounts:
    """The number of (student, part) pairs in each state; they sum to students times parts.

    - `waiting`: submissions without a mark.
    - `without_points`: students with nothing handed in.
    - `stale`: marks made with another key or policy than the exam has now; overrides do not count.
    - `scanned`: replies for which a person has to look at the scan first; they are AMBIGUOUS.
    - `unresolved`: pairs that are neither GRADED nor BLANK, except those of students who are just absent.
    """

    students: int
    parts: int
    states: Mapping[str, int]
    waiting: int
    without_points: int
    stale: int
    scanned: int
    unresolved: int

    @property
    def is_resolved(self) -> bool:
        """Whether somebody handed something in, and all that was handed in has points or is blank."""
        return not self.unresolved and self.without_points < self.students


def state_counts(results_of_class: Iterable[Result], exam_keys: ExamKeys) -> StateCounts:
    """Count the states of all students, given all results."""
    states = Counter({state.value: 0 for state in State})
    keys = {
        (code, key.part): (key.key, key.policy)
        for code in exam_keys.variants
        for key in exam_keys.part_keys(code)
    }
    students = waiting = without = stale = scanned = unresolved = 0
    for result in results_of_class:
        students += 1
        without += result.is_absent
        unresolved += len(result.unresolved("zero"))
        for standing in result.standings:
            if standing.state is None:
                waiting += 1
                continue
            states[standing.state.value] += 1
            if not standing.is_dropped:
                scanned += standing.state is State.AMBIGUOUS and standing.message.startswith(UNDECIDED_SCAN)
            entry = standing.entry
            if entry is not None and entry.maker != "override":
                stale += keys.get((standing.variant, standing.question)) != (entry.key, entry.policy)
    return StateCounts(students, len(exam_keys.parts), states, waiting, without, stale, scanned, unresolved)
