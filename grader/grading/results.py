"""What every student has in the end: points where there are any, and what is still to be resolved."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from grader.base.numbers import Number, normalize_number
from grader.exercises.marking import State
from grader.grading.exam_keys import ExamKeys
from grader.grading.file_readings import superseded_readings
from grader.grading.gradebook_store import Gradebook, last_by_part
from grader.grading.records import UNDECIDED_SCAN, BlankPolicy, Entry, Standing, Submission
from grader.tables.student_directory import Student

STUDENTS_PER_READ = 500
"""So many students are read in one go."""


@dataclass(frozen=True, slots=True)
class Result:
    """One student's standings, aligned with the parts of the exam; `variant` is that in the class list."""

    student: Student
    variant: str
    standings: tuple[Standing, ...]

    @property
    def variant_taken(self) -> str:
        """The variant of the whole exam; where a platform drew question by question, that of every part."""
        if len({standing.variant for standing in self.standings}) == 1:
            return self.standings[0].variant
        return " ".join(f"{standing.question}:{standing.variant}" for standing in self.standings)

    @property
    def variants(self) -> Set[str]:
        """The variants that any of it is about."""
        return {self.variant, *(standing.variant for standing in self.standings)}

    @property
    def is_absent(self) -> bool:
        """Whether nothing was handed in, and nobody has set a mark by hand."""
        return all(standing.submission is None and standing.entry is None for standing in self.standings)

    def points(self, blank: BlankPolicy) -> tuple[Number | None, ...]:
        """The points of every part; None where there are none."""
        return tuple(standing.points_under(blank) for standing in self.standings)

    def total(self, blank: BlankPolicy) -> Number | None:
        """All points together; None as long as a part has none."""
        points = self.points(blank)
        return None if None in points else normalize_number(sum(part for part in points if part is not None))

    def unresolved(self, blank: BlankPolicy) -> tuple[Standing, ...]:
        """The standings without points."""
        return tuple(standing for standing in self.standings if standing.points_under(blank) is None)


def results(book: Gradebook, exam_keys: ExamKeys) -> Iterator[Result]:
    """Every student of the class list in its order, or everybody who handed something in, sorted."""
    alike, parts = ambiguous_rows(book), tuple(exam_keys.labels)
    roster = exam_keys.roster
    if roster is None:
        roster = tuple(Student(identifier, identifier) for identifier in book.students())
    for at in range(0, len(roster), STUDENTS_PER_READ):
        some = roster[at : at + STUDENTS_PER_READ]
        handed_in: dict[str, list[Submission]] = {student.identifier: [] for student in some}
        entries: dict[str, dict[str, Entry]] = {student.identifier: {} for student in some}
        for submission in book.all_submissions_of(*handed_in):
            handed_in[submission.student].append(submission)
        for entry in book.history(*entries):
            entries[entry.student][entry.question] = entry
        for student in some:
            who = student.identifier
            variant, like, last = exam_keys.variant_of(who), alike.get(who, ""), last_by_part(handed_in[who])
            standings = tuple(
                _standing(part, variant, like, last.get(part), entries[who].get(part)) for part in parts
            )
            yield Result(student, variant, standings)


def _standing(
    part: str, variant: str, alike: str, submission: Submission | None, entry: Entry | None
) -> Standing:
    """Where a student, who has this variant on paper, stands with a part.

    `alike` says that a row of somebody with nearly the same identifier came in, so that
    what is missing may only be misspelt.
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
    sat = variant if submission is None else submission.variant
    return Standing(part, sat, state, submission, entry, message)


def ambiguous_rows(book: Gradebook) -> Mapping[str, str]:
    """For every student whom a row of nobody may belong to, which row that is, unless somebody has said."""
    told, wrong = book.row_owners().keys() | book.ignored_rows(), superseded_readings(book.readings())
    return {
        row.student: f"{row.place} says {row.said!r}, which may be this student"
        for row in book.odd_rows()
        if row.fate == "alike" and not {row.said, row.place} & told and row.reading not in wrong
    }


@dataclass(frozen=True, slots=True)
class StateCounts:
    """How many (student, part) pairs are in which state; they sum to students times parts.

    - `waiting`: submissions without a mark.
    - `without_points`: students with nothing handed in.
    - `stale`: marks made with another key or policy than the exam has now; overrides are none.
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


def state_counts(found: Iterable[Result], exam_keys: ExamKeys) -> StateCounts:
    """Count the states of everybody, given all results."""
    states = Counter({state.value: 0 for state in State})
    keys = {
        (code, key.part): (key.key, key.policy)
        for code in exam_keys.variants
        for key in exam_keys.part_keys(code)
    }
    students = waiting = without = stale = scanned = 0
    for result in found:
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
