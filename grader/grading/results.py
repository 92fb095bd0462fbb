"""The result of every student: points where there are any, and the parts that are still unresolved."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from grader.base.numbers import Number, normalize_number
from grader.exercises.marking import State
from grader.grading.exam_keys import ExamKeys
from grader.grading.file_readings import superseded_readings
from grader.grading.gradebook_store import Gradebook, last_by_part, standing_entries
from grader.grading.records import UNDECIDED_SCAN, BlankPolicy, Entry, Standing, Submission
from grader.tables.student_directory import Student

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

    def points(self, blank: BlankPolicy) -> tuple[Number | None, ...]:
        """Return the points of every part; None where there are none."""
        return tuple(standing.points_under(blank) for standing in self.standings)

    def total(self, blank: BlankPolicy) -> Number | None:
        """Return the sum of the points, or None if a part has none."""
        points = self.points(blank)
        return None if None in points else normalize_number(sum(part for part in points if part is not None))

    def unresolved(self, blank: BlankPolicy) -> tuple[Standing, ...]:
        """Return the standings without points."""
        return tuple(standing for standing in self.standings if standing.points_under(blank) is None)


def results(book: Gradebook, exam_keys: ExamKeys) -> Iterator[Result]:
    """Yield the result of every student, in the order of the class list.

    Without a class list these are the students who handed something in, sorted.
    """
    ambiguous, parts = ambiguous_rows(book), tuple(exam_keys.labels)
    roster = exam_keys.roster
    if roster is None:
        roster = tuple(Student(identifier, identifier) for identifier in book.students())
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
            variant, alike = exam_keys.variant_of(identifier), ambiguous.get(identifier, "")
            last_submissions = last_by_part(submissions[identifier])
            last_entries = standing_entries(entries[identifier])
            standings = tuple(
                _standing(part, variant, alike, last_submissions.get(part), last_entries.get(part))
                for part in parts
            )
            yield Result(student, variant, standings)


def _standing(
    part: str, variant: str, alike: str, submission: Submission | None, entry: Entry | None
) -> Standing:
    """Return the standing in a part of a student who has this variant on paper.

    `alike` is not empty if a row with nearly the same identifier came in, which may be the missing one.
    """
    state: State | None
    if entry is not None and (
        entry.maker == "override"
        or (submission is not None and (entry.submission or 0) >= submission.identity)
    ):
        state, message = entry.state, entry.mark.message
    elif submission is not None:
        state, message = None, "not marked yet"
    elif alike:
        state, message = State.AMBIGUOUS, alike
    else:
        state, message = State.MISSING, "nothing was handed in"
    variant_answered = variant if submission is None else submission.variant
    return Standing(part, variant_answered, state, submission, entry, message)


def ambiguous_rows(book: Gradebook) -> Mapping[str, str]:
    """Return student -> a row without an owner that may belong to that student."""
    resolved = book.row_owners().keys() | book.ignored_rows()
    superseded = superseded_readings(book.readings())
    return {
        row.student: f"{row.place} says {row.said!r}, which may be this student"
        for row in book.odd_rows()
        if row.fate == "alike" and not {row.said, row.place} & resolved and row.reading not in superseded
    }


@dataclass(frozen=True, slots=True)
class StateCounts:
    """The number of (student, part) pairs in each state; they sum to students times parts.

    - `waiting`: submissions without a mark.
    - `without_points`: students with nothing handed in.
    - `stale`: marks made with another key or policy than the exam has now; overrides do not count.
    - `scanned`: replies for which a person has to look at the scan first; they are AMBIGUOUS.
    """

    students: int
    parts: int
    states: Mapping[str, int]
    waiting: int
    without_points: int
    stale: int
    scanned: int

    @property
    def is_resolved(self) -> bool:
        """Whether everything has points or is blank."""
        return not self.waiting and not any(
            count for state, count in self.states.items() if state not in ("GRADED", "BLANK")
        )


def state_counts(results_of_class: Iterable[Result], exam_keys: ExamKeys) -> StateCounts:
    """Count the states of all students, given all results."""
    states = Counter({state.value: 0 for state in State})
    keys = {
        (code, key.part): (key.key, key.policy)
        for code in exam_keys.variants
        for key in exam_keys.part_keys(code)
    }
    students = waiting = without = stale = scanned = 0
    for result in results_of_class:
        students += 1
        without += result.is_absent
        for standing in result.standings:
            if standing.state is None:
                waiting += 1
                continue
            states[standing.state.value] += 1
            scanned += standing.state is State.AMBIGUOUS and standing.message.startswith(UNDECIDED_SCAN)
            entry = standing.entry
            if entry is not None and entry.maker != "override":
                stale += keys.get((standing.variant, standing.question)) != (entry.key, entry.policy)
    return StateCounts(students, len(exam_keys.parts), states, waiting, without, stale, scanned)
