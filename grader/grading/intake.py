"""Taking submissions in: every row has one fate, and a file that breaks off is refused as a whole."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, get_args

from grader.base.progress import OnCount
from grader.base.safe_text import quote
from grader.base.suggest import close_matches, first_of_many
from grader.grading.attempts import (
    AttemptOutcome,
    conflict_reason,
    marked_content,
    resettle_attempts,
    settle_attempts,
)
from grader.grading.cloze import ClozeReader, ClozeReply
from grader.grading.exam_keys import ExamKeys
from grader.grading.file_readings import (
    Reading,
    make_reading,
    reading_order,
    replaced_digests,
    replaced_files,
    superseded_readings,
)
from grader.grading.gradebook_store import Gradebook
from grader.grading.records import (
    OTHER_VARIANT,
    READ_BY_PERSON,
    UNKNOWN_VARIANT,
    OddRow,
    RowFate,
    Submission,
)
from grader.grading.row_owners import owners_by_identifier, place_of, students_with_several_rows
from grader.grading.row_policy import RowPolicy
from grader.grading.row_reading import RowReader
from grader.tables.columns import Columns
from grader.tables.dates import Deadline
from grader.tables.rows import ClassTable, TableError
from grader.tables.student_directory import RowOwner, StudentDirectory
from grader.version import VERSION

ROWS_PER_WRITE = 2_000
"""The rows that are written together."""

MAX_LISTED_IDENTIFIERS = 5
"""The most identifiers that a warning lists, or words for a state."""


@dataclass(frozen=True, slots=True)
class Intake:
    """The result of taking some files in.

    `counts` has the number of `rows`, and of rows by fate: those `taken`, and every
    `grader.grading.records.RowFate`; the fates sum to the rows. `replaced_count` counts students among those
    taken whose earlier replies were replaced, `flagged_count` those taken late.
    """

    counts: Mapping[str, int]
    replaced_count: int
    flagged_count: int
    odd_rows: tuple[OddRow, ...]
    warnings: tuple[str, ...]


ROW_FATES = ("taken", *get_args(RowFate))
"""The fates of rows; every row has one."""

MAX_LISTED_ODD_ROWS = 10_000
"""The most odd rows that are listed; all of them are counted and kept in the gradebook."""


class _Handed(NamedTuple):
    """One row of a known student with its replies; `row` is noted if it does not simply count."""

    row: OddRow
    replies: Mapping[str, ClozeReply]
    time: str
    late: bool


def append_tables(
    book: Gradebook,
    exam_keys: ExamKeys,
    tables: Sequence[tuple[ClassTable, Columns]],
    *,
    same: Mapping[str, str] | None = None,
    policy: RowPolicy | None = None,
    tell: OnCount = lambda _rows: None,
) -> Intake:
    """Append the replies in some tables to the gradebook, in one transaction.

    `same` maps identifiers in the tables, or places of rows, to students of the class list; the gradebook
    remembers the identifiers.
    If a student has several rows, the files are read again, so that these rows are settled together.
    Raises `TableError` with nothing taken, or `OSError`.
    """
    same = owners_by_identifier(same or {}, exam_keys, tables)
    owners = book.row_owners() | dict(same)
    if exam_keys.roster is not None:
        class_list = {student.identifier for student in exam_keys.roster}
        owners = {row: student for row, student in owners.items() if student in class_list}
    directory, cloze = StudentDirectory(exam_keys.roster, owners), ClozeReader(exam_keys)
    repeated: Set[str] = frozenset()
    while True:  # a file that is being written may have one more student with two rows each time
        taking = _Taking(book, exam_keys, directory, policy or RowPolicy(), same, tell, cloze)
        try:
            with book.writing():
                return taking.take(tables, repeated)
        except _SeveralRowsError:
            repeated = students_with_several_rows(tables, directory)


class _SeveralRowsError(Exception):
    """A student has a second row, but the first was taken as the only one."""


_NO_ANSWER = "it answers no question: a tree has to be one of this student's, and as on the paper"


@dataclass(slots=True)
class _Taking:
    """One intake while it goes on."""

    book: Gradebook
    exam_keys: ExamKeys
    directory: StudentDirectory
    policy: RowPolicy
    same: Mapping[str, str]
    tell: OnCount
    cloze: ClozeReader
    counts: Counter[str] = field(default_factory=lambda: Counter(rows=0))
    odd: list[OddRow] = field(default_factory=list)
    listed: list[OddRow] = field(default_factory=list)
    ready: list[Submission] = field(default_factory=list)
    intake: int = 0
    known_students: frozenset[str] = frozenset()
    changed: frozenset[int] = frozenset()
    order: Mapping[int, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    passing: frozenset[str] = frozenset()
    passed_over: set[str] = field(default_factory=set)
    unknown_states: Counter[str] = field(default_factory=Counter)

    def take(self, tables: Sequence[tuple[ClassTable, Columns]], repeated: Set[str]) -> Intake:
        """Append everything; `repeated` are the students with more than one row.

        Raises `_SeveralRowsError` when somebody else has a second row, too.
        """
        self.intake = self.book.next_intake()
        self.known_students = frozenset(self.book.students())
        readings = self.read_anew(tables)
        rows_by_student: dict[str, list[_Handed]] = {}
        single_rows: set[str] = set()
        for (table, columns), reading in zip(tables, readings, strict=True):
            for handed in self.rows(table, columns, reading):
                student = handed.row.student
                if student in repeated:
                    rows_by_student.setdefault(student, []).append(handed)
                elif student in single_rows:
                    raise _SeveralRowsError
                else:
                    single_rows.add(student)
                    self.take_rows(student, (handed,))
        for student, rows in rows_by_student.items():
            self.take_rows(student, rows)
        for student in self.book.students_in(self.changed) if self.changed else ():
            if student not in single_rows and student not in rows_by_student:
                self.settle(student, ())
        self.refuse_unmet()
        if restored := [
            f"{identifier} is {student}" for identifier, student in self.directory.restored.items()
        ]:
            listed = first_of_many(restored, MAX_LISTED_IDENTIFIERS)
            self.warnings.append(
                f"identifiers without their zeros were taken for those of the class list: {listed}"
            )
        if self.unknown_states:
            words = [f"{quote(word)} ({count})" for word, count in self.unknown_states.most_common()]
            self.warnings.append(
                "rows with replies count as finished, though their state is not known: "
                f"{first_of_many(words, MAX_LISTED_IDENTIFIERS)}"
            )
        self.flush()
        self.tell(self.counts["rows"])
        self.book.append_intake(VERSION, readings, self.counts)
        return Intake(
            counts={"rows": self.counts["rows"], **{fate: self.counts[fate] for fate in ROW_FATES}},
            replaced_count=self.counts["replaced"],
            flagged_count=self.counts["flagged"],
            odd_rows=tuple(self.listed),
            warnings=(*(warning for table, _ in tables for warning in table.warnings), *self.warnings),
        )

    def refuse_unmet(self) -> None:
        """Raise `TableError` if an option names a row that these files do not have."""
        unmet_same = self.same.keys() - self.directory.met
        for option, unmet in (("--same", unmet_same), ("--ignore", self.policy.ignored - self.passed_over)):
            for name in sorted(unmet):
                matches = close_matches(
                    name, (text for row in self.listed for text in (row.as_written, row.place))
                )
                hint = (
                    f"Did you mean {matches[0]!r}?" if matches else "Say it as a row of these files says it."
                )
                raise TableError(f"{option}: no row says {name[:60]!r}", hint)

    def read_anew(self, tables: Sequence[tuple[ClassTable, Columns]]) -> list[Reading]:
        """Return the readings of these files, and note which earlier readings now count differently."""
        earlier = list(self.book.readings())
        owners = self.book.row_owners()
        retold = {row: student for row, student in self.same.items() if owners.get(row, student) != student}
        options: dict[str, Any] = {"same": dict(self.same), "retold": retold}
        options["ignored"] = self.policy.ignored
        if digests := replaced_digests(self.policy.replaces, [table for table, _ in tables], earlier):
            options["replaces"] = digests
        if self.policy.due is not None:
            options |= {"due": self.policy.due.isoformat(), "late": self.policy.late}
        readings: list[Reading] = []
        for table, columns in tables:
            readings.append(make_reading(table, columns, options, [*earlier, *readings]))
        self.changed = superseded_readings(earlier) ^ superseded_readings([*earlier, *readings])
        self.order = reading_order([*earlier, *readings])
        names, replaced = {each["digest"]: each["name"] for each in earlier}, replaced_files(readings)
        for digest in dict.fromkeys(each["digest"] for each in earlier if each["number"] in self.changed):
            replacement = replaced.get(digest)
            self.warnings.append(
                f"what was read from {names[digest]} no longer counts: {replacement} replaces it"
                if replacement
                else f"what was read from {names[digest]} before, in another way, no longer counts"
            )
        self.passing = self.book.ignored_rows() | self.policy.ignored
        return readings

    def is_passed_over(self, row: OddRow) -> bool:
        """Return whether a row belongs to no student because the user said so; note it if so."""
        matches = {row.as_written, row.place} & self.passing
        if matches:
            self.passed_over |= matches
            self.directory.restored.pop(row.as_written, None)
            self.note(row._replace(student="", fate="ignored", why="you said so"))
        return bool(matches)

    def rows(self, table: ClassTable, columns: Columns, reading: Reading) -> Iterator[_Handed]:
        """Yield the rows of known students; all other rows are noted."""
        reader = RowReader(self.exam_keys, self.cloze, table, columns)
        deadline = Deadline(datetime.fromisoformat(reading["due"]) if reading["due"] else None)
        for row in table.rows():
            self.counts["rows"] += 1
            if self.counts["rows"] % ROWS_PER_WRITE == 0:
                self.tell(self.counts["rows"])
            place = place_of(table, row)
            owner = RowOwner("", "") if row.fault else self.directory.find(row.cells, columns)
            odd = OddRow(
                place, owner.as_written, owner.student, "broken", row.fault, row.cells, reading["number"]
            )
            if self.passing and self.is_passed_over(odd):
                continue
            if row.fault:
                self.note(odd)
            elif not owner.student:
                for number, student in enumerate(owner.candidates or ("",)):
                    fate: RowFate = "alike" if student else "unknown"
                    self.note(odd._replace(student=student, fate=fate, why=owner.why), is_counted=number == 0)
            elif why := reader.unfinished_reason(row):
                self.note(odd._replace(fate="unfinished", why=why))
            elif (is_late := deadline.is_late(time := reader.time(row))) and reading["late"] == "refuse":
                self.note(odd._replace(fate="late", why=f"handed in at {time[:60]}, after it was due"))
            elif replies := reader.replies(row, owner.student):
                self.unknown_states.update(reader.unknown_states(row))
                yield _Handed(odd, replies, time[:60], is_late)
            else:
                self.note(odd._replace(why=_NO_ANSWER))
        self.warnings += deadline.warnings()

    def take_rows(self, student: str, rows: Sequence[_Handed]) -> None:
        """Take the rows of one student in this intake, part by part.

        An identifier without its zeros counts only if no other row of these files is the student's.
        """
        if len(rows) > 1 and len({handed.row.as_written for handed in rows}) > 1:
            doubted = [each.row for each in rows if each.row.as_written in self.directory.restored]
            for row in doubted:
                self.directory.restored.pop(row.as_written, None)
                self.note(
                    row._replace(fate="alike", why="another row has this identifier in another spelling")
                )
            rows = [handed for handed in rows if handed.row not in doubted]
        if len(rows) == 1 and student not in self.known_students:  # no other reply to compare with
            (handed,) = rows
            self.ready += [self.submission(handed, part, reply) for part, reply in handed.replies.items()]
            self.count_taken(handed)
        else:
            self.settle(student, rows)
        if len(self.ready) >= ROWS_PER_WRITE:
            self.flush()

    def count_taken(self, handed: _Handed, decided: Set[str] = frozenset()) -> None:
        """Count a row whose replies were taken; note it if it says another variant than its student has.

        A person has `decided` the replies to some parts before.
        """
        self.counts["flagged"] += handed.late
        for part, reply in handed.replies.items():
            if reply.contested.startswith(OTHER_VARIANT) and part not in decided:
                self.note(handed.row._replace(fate="contested", why=reply.contested))
                return
        self.counts["taken"] += 1

    def settle(self, student: str, rows: Sequence[_Handed]) -> None:
        """Decide, part by part, which replies of one student count, given the rows and the stored replies.

        The submissions to append go into `ready`. A row has the first fate that applies:

        1. contested, if one of its replies is, with the parts and places that disagree,
        2. taken, if one of its replies is,
        3. older, if a later reply counts instead of one of them,
        4. same, if the gradebook has all of them already.
        """
        stored: dict[str, list[Submission]] = {}
        if student in self.known_students:
            for each in self.book.all_submissions_of(student):
                stored.setdefault(each.question, []).append(each)
        non_blank = (
            each for stored_of_part in stored.values() for each in stored_of_part if each.reply.strip()
        )
        answered = {(each.reading, each.place) for each in non_blank}
        for handed in rows:
            if any(reply.text.strip() for reply in handed.replies.values()):
                answered.add((handed.row.reading, handed.row.place))
        changed = [
            part
            for part, stored_of_part in stored.items()
            if any(each.reading in self.changed for each in stored_of_part)
        ]
        fates: list[dict[AttemptOutcome, dict[str, list[str]]]] = [{} for _ in rows]
        duplicates = self.policy.duplicates
        replaced, decided = False, set[str]()
        for part in dict.fromkeys([*(part for handed in rows for part in handed.replies), *changed]):
            rows_of_part = {
                index: self.submission(handed, part, handed.replies[part])
                for index, handed in enumerate(rows)
                if part in handed.replies
            }
            stored_of_part = stored.get(part, ())
            if part in changed:
                settlement = resettle_attempts(rows_of_part, stored_of_part, duplicates, answered, self.order)
            else:
                before = [
                    each for each in stored_of_part if each.reading in self.order and not each.withdrawn
                ]
                settlement = settle_attempts(rows_of_part, before, duplicates, answered)
            self.ready += settlement.submissions
            for index, (outcome, reason) in settlement.outcomes.items():
                fates[index].setdefault(outcome, {}).setdefault(reason, []).append(part)
            earlier = next((each for each in reversed(stored_of_part) if not each.aside), None)
            if settlement.is_changed:
                last = next(each for each in reversed(settlement.submissions) if not each.aside)
                replaced = replaced or (
                    earlier is not None and marked_content(earlier) != marked_content(last)
                )
                if last.place == READ_BY_PERSON:
                    decided.add(part)
        self.counts["replaced"] += replaced
        for handed, outcomes in zip(rows, fates, strict=True):
            if "taken" in outcomes and "contested" not in outcomes:
                self.count_taken(handed, decided)
                continue
            fate: RowFate = "same"
            reasons = ["the gradebook has these replies already"]
            if "contested" in outcomes:
                fate = "contested"
                reasons = [conflict_reason(parts, places) for places, parts in outcomes["contested"].items()]
            elif "older" in outcomes:
                fate, reasons = "older", [*outcomes["older"]]
            self.note(handed.row._replace(fate=fate, why="; ".join(reasons)))

    def submission(self, handed: _Handed, part: str, reply: ClozeReply) -> Submission:
        """Return a reply that can be appended."""
        row = handed.row
        return Submission(
            0,
            row.student,
            part,
            reply.variant,
            reply.text,
            reply.contested,
            handed.time,
            row.place,
            row.reading,
            handed.late,
        )

    def note(self, row: OddRow, *, is_counted: bool = True) -> None:
        """Note a row that does not simply count; `is_counted` is False if another note has counted it."""
        self.counts[row.fate] += is_counted
        cells = () if row.fate == "same" else tuple(cell[:1_000] for cell in row.cells[:100])
        row = row._replace(cells=cells)
        self.odd.append(row)
        if len(self.listed) < MAX_LISTED_ODD_ROWS and row.fate != "same":
            self.listed.append(row)
        if len(self.odd) >= ROWS_PER_WRITE:
            self.flush()

    def flush(self) -> None:
        """Write the noted rows and the replies that are ready."""
        self.book.append_rows(self.intake, self.odd)
        self.odd.clear()
        for reason in sorted({each.contested for each in self.ready}):
            is_of_row = reason.startswith(OTHER_VARIANT)  # and noted with the row
            if reason.startswith(UNKNOWN_VARIANT) and not is_of_row and reason not in self.warnings:
                self.warnings.append(reason)
        self.book.append_submissions(self.intake, self.ready)
        self.ready.clear()
