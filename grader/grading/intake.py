"""Taking submissions in: every row has one fate, and of a file that breaks off nothing is taken."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias, get_args

from grader.base.suggest import close_matches
from grader.grading.attempts import (
    AttemptOutcome,
    conflict_reason,
    resettle_attempts,
    settle_attempts,
)
from grader.grading.cloze import ClozeReader, ClozeReply, columns_beside_responses
from grader.grading.drawn_trees import replies_from_tree
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
    TURNED_INTO_DATE,
    UNDECIDED_SCAN,
    UNKNOWN_VARIANT,
    OddRow,
    RowFate,
    Submission,
)
from grader.grading.row_owners import owners_by_identifier, place_of, students_with_several_rows
from grader.grading.row_policy import RowPolicy
from grader.tables.column_names import UNFINISHED_STATES
from grader.tables.columns import Columns
from grader.tables.dates import Deadline
from grader.tables.formulas import unguard_formula
from grader.tables.rows import AbsentCell, ClassTable, DateCell, PendingCell, Row, TableError, TreeCell
from grader.tables.student_directory import RowOwner, StudentDirectory
from grader.version import VERSION

ROWS_PER_WRITE = 2_000
"""Rows that are written in one go."""

MAX_LISTED_IDENTIFIERS = 5
"""So many identifiers are told one by one."""

OnProgress: TypeAlias = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Intake:
    """What became of the rows of some files.

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
"""What can become of a row; every row has one fate."""

MAX_LISTED_ODD_ROWS = 10_000
"""The most odd rows that are listed; all of them are counted and kept in the gradebook."""


class _Handed(NamedTuple):
    """One row of a known student, as it is noted when it does not simply count, with what it says."""

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
    tell: OnProgress = lambda _rows: None,
) -> Intake:
    """Append the replies in some tables to the gradebook, in one transaction.

    `same` says of identifiers in the tables, or of places of rows, whose they are in the class list; the
    gradebook remembers it of the identifiers.
    Where somebody handed in more than once the files are read again, to weigh those rows together.
    Raises `TableError` with nothing taken, or `OSError`.
    """
    same = owners_by_identifier(same or {}, exam_keys, tables)
    told = book.row_owners() | dict(same)
    if exam_keys.roster is not None:
        there = {student.identifier for student in exam_keys.roster}
        told = {row: student for row, student in told.items() if student in there}
    directory, cloze = StudentDirectory(exam_keys.roster, told), ClozeReader(exam_keys)
    again: Set[str] = frozenset()
    while True:  # a file that somebody writes to meanwhile may have one more student twice
        taking = _Taking(book, exam_keys, directory, policy or RowPolicy(), same, tell, cloze)
        try:
            with book.writing():
                return taking.take(tables, again)
        except _AgainError:
            again = students_with_several_rows(tables, directory)


class _AgainError(Exception):
    """A student has a second row, and the first one was taken as if there were no other."""


_NO_ANSWER = "it answers no question: a tree has to be one of this student's, and as on the paper"


@dataclass(slots=True)
class _Taking:
    """One intake while it goes on."""

    book: Gradebook
    exam_keys: ExamKeys
    directory: StudentDirectory
    policy: RowPolicy
    same: Mapping[str, str]
    tell: OnProgress
    cloze: ClozeReader
    counts: Counter[str] = field(default_factory=lambda: Counter(rows=0))
    odd: list[OddRow] = field(default_factory=list)
    listed: list[OddRow] = field(default_factory=list)
    ready: list[Submission] = field(default_factory=list)
    intake: int = 0
    had: frozenset[str] = frozenset()
    changed: frozenset[int] = frozenset()
    order: Mapping[int, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    beside: Mapping[int, tuple[int | None, int | None]] = field(default_factory=dict)
    passing: frozenset[str] = frozenset()
    passed_over: set[str] = field(default_factory=set)
    again: Set[str] = frozenset()
    once: set[str] = field(default_factory=set)

    def take(self, tables: Sequence[tuple[ClassTable, Columns]], again: Set[str]) -> Intake:
        """Append everything; `again` are the students with more than one row.

        Raises `_AgainError` when somebody else has a second row, too.
        """
        self.intake = self.book.next_intake()
        self.had = frozenset(self.book.students())
        readings = self.read_anew(tables)
        self.again = again
        waiting: dict[str, list[_Handed]] = {}
        once = self.once
        for (table, columns), reading in zip(tables, readings, strict=True):
            for handed in self.rows(table, columns, reading):
                student = handed.row.student
                if student in again:
                    waiting.setdefault(student, []).append(handed)
                elif student in once:
                    raise _AgainError
                else:
                    once.add(student)
                    self.take_rows(student, (handed,))
        for student, rows in waiting.items():
            self.take_rows(student, rows)
        for student in self.book.students_in(self.changed) if self.changed else ():
            if student not in once and student not in waiting:
                self.settle(student, ())
        self.refuse_unmet()
        if restored := [f"{said} is {student}" for said, student in self.directory.restored.items()]:
            shown = ", ".join(restored[:MAX_LISTED_IDENTIFIERS]) + (
                f" and {len(restored) - MAX_LISTED_IDENTIFIERS} more"
                if restored[MAX_LISTED_IDENTIFIERS:]
                else ""
            )
            self.warnings.append(
                f"identifiers without their zeros were taken for those of the class list: {shown}"
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
        """Refuse what is told of rows that are not there."""
        same = self.same.keys() - self.directory.met
        for option, unmet in (("--same", same), ("--ignore", self.policy.ignored - self.passed_over)):
            for said in sorted(unmet):
                close = close_matches(said, (text for row in self.listed for text in (row.said, row.place)))
                hint = f"Did you mean {close[0]!r}?" if close else "Say it as a row of these files says it."
                raise TableError(f"{option}: no row says {said[:60]!r}", hint)

    def read_anew(self, tables: Sequence[tuple[ClassTable, Columns]]) -> list[Reading]:
        """The readings of these files; finds out whether readings of before count no more, or again."""
        earlier = list(self.book.readings())
        known = self.book.row_owners()
        retold = {row: student for row, student in self.same.items() if known.get(row, student) != student}
        told: dict[str, Any] = {"same": dict(self.same), "retold": retold}
        told["ignored"] = self.policy.ignored
        if old := replaced_digests(self.policy.replaces, [table for table, _ in tables], earlier):
            told["replaces"] = old
        if self.policy.due is not None:
            told |= {"due": self.policy.due.isoformat(), "late": self.policy.late}
        readings: list[Reading] = []
        for table, columns in tables:
            readings.append(make_reading(table, columns, told, [*earlier, *readings]))
        self.changed = superseded_readings(earlier) ^ superseded_readings([*earlier, *readings])
        self.order = reading_order([*earlier, *readings])
        names, gone = {each["digest"]: each["name"] for each in earlier}, replaced_files(readings)
        for digest in dict.fromkeys(each["digest"] for each in earlier if each["number"] in self.changed):
            by = gone.get(digest)
            instead = f": {by} replaces it" if by else ""
            before = "before" if by else "before in another way"
            self.warnings.append(f"what was taken in {before} of {names[digest]} counts no more{instead}")
        self.passing = self.book.ignored_rows() | self.policy.ignored
        return readings

    def is_passed_over(self, row: OddRow) -> bool:
        """Whether somebody has said that a row is nobody's; notes it if so."""
        said = {row.said, row.place} & self.passing
        if said:
            self.passed_over |= said
            self.directory.restored.pop(row.said, None)
            self.note(row._replace(student="", fate="ignored", why="you said so"))
        return bool(said)

    def rows(self, table: ClassTable, columns: Columns, reading: Reading) -> Iterator[_Handed]:
        """The rows of known students; all others are noted and left out, and plain ones taken at once."""
        states = columns.places_by_role.get("state", ())
        times = columns.places_by_role.get("time", ())
        answers = [column.place for column in columns.replies]
        self.beside = columns_beside_responses(table, columns)
        number_of_reading = reading["number"]
        deadline = Deadline(datetime.fromisoformat(reading["due"]) if reading["due"] else None)
        fate: RowFate
        for row in table.rows():
            self.counts["rows"] += 1
            if self.counts["rows"] % ROWS_PER_WRITE == 0:
                self.tell(self.counts["rows"])
            place = place_of(table, row)
            found = RowOwner("", "") if row.fault else self.directory.find(row.cells, columns)
            odd = OddRow(
                place, found.as_written, found.student, "broken", row.fault, row.cells, number_of_reading
            )
            if self.passing and self.is_passed_over(odd):
                continue
            if row.fault:
                self.note(odd)
                continue
            fate, why = "broken", _NO_ANSWER
            if not found.student:
                for each, student in enumerate(found.candidates or ("",)):
                    fate = "alike" if student else "unknown"
                    self.note(odd._replace(student=student, fate=fate, why=found.why), counted=each == 0)
                continue
            said = next((text for at in times if (text := row.cells[at].strip())), "")
            unfinished = [
                text for at in states if (text := row.cells[at].strip()).casefold() in UNFINISHED_STATES
            ]
            if columns.origin == "moodle":  # where what never began, or never ended, has no state or time
                unfinished += [text for at in (*states, *times) if (text := row.cells[at].strip()) == _NEVER]
            elif states and not any(row.cells[at].strip() for at in (*states, *answers)):
                unfinished = ["nothing is entered"]
            if unfinished:
                fate, why = "unfinished", f"the attempt is not finished: {unfinished[0][:60]}"
            elif (late := deadline.is_past(said)) and reading["late"] == "refuse":
                fate, why = "late", f"handed in at {said[:60]}, after it was due"
            elif replies := self.replies(row, columns, found.student):
                yield _Handed(odd, replies, said[:60], late)
                continue
            self.note(odd._replace(fate=fate, why=why))
        self.warnings += deadline.warnings()

    def take_rows(self, student: str, rows: Sequence[_Handed]) -> None:
        """Take the rows of one student in this intake, part by part.

        An identifier without its zeros is the student's where no other row of these files is.
        """
        if len(rows) > 1 and len({handed.row.said for handed in rows}) > 1:
            doubted = [each.row for each in rows if each.row.said in self.directory.restored]
            for row in doubted:
                self.directory.restored.pop(row.said, None)
                self.note(
                    row._replace(fate="alike", why="another row has this identifier in another spelling")
                )
            rows = [handed for handed in rows if handed.row not in doubted]
        if len(rows) == 1 and student not in self.had:  # there is nothing to weigh the only row against
            (handed,) = rows
            self.ready += [self.submission(handed, part, reply) for part, reply in handed.replies.items()]
            self.count_taken(1, handed.late)
        else:
            self.settle(student, rows)
        if len(self.ready) >= ROWS_PER_WRITE:
            self.flush()

    def count_taken(self, rows: int, late: int = 0) -> None:
        """Count rows that simply count, of which some are late."""
        self.counts["taken"] += rows
        self.counts["flagged"] += late

    def settle(self, student: str, rows: Sequence[_Handed]) -> None:
        """Take what counts of the rows of one student, after what came before and was not misread."""
        stored: dict[str, list[Submission]] = {}
        if student in self.had:
            for each in self.book.all_submissions_of(student):
                stored.setdefault(each.question, []).append(each)
        known = (each for there in stored.values() for each in there if each.reply.strip())
        answered = {(each.reading, each.place) for each in known}
        for handed in rows:
            if any(told.text.strip() for told in handed.replies.values()):
                answered.add((handed.row.reading, handed.row.place))
        changed = [
            part for part, there in stored.items() if any(each.reading in self.changed for each in there)
        ]
        fates: list[dict[AttemptOutcome, dict[str, list[str]]]] = [{} for _ in rows]
        duplicates = self.policy.duplicates
        replaced = False
        for part in dict.fromkeys([*(part for handed in rows for part in handed.replies), *changed]):
            said = {
                at: self.submission(handed, part, handed.replies[part])
                for at, handed in enumerate(rows)
                if part in handed.replies
            }
            there = stored.get(part, ())
            if part in changed:
                settled = resettle_attempts(said, there, duplicates, answered, self.order)
            else:
                before = [each for each in there if each.reading in self.order and not each.withdrawn]
                settled = settle_attempts(said, before, duplicates, answered)
            self.ready += settled.submissions
            for at, (became, why) in settled.fates.items():
                fates[at].setdefault(became, {}).setdefault(why, []).append(part)
            replaced = replaced or (settled.is_changed and not all(each.aside for each in there))
        self.counts["replaced"] += replaced
        for handed, found in zip(rows, fates, strict=True):
            if "taken" in found and "contested" not in found:
                self.count_taken(1, handed.late)
                continue
            fate: RowFate = "same"
            reasons = ["the gradebook has these replies already"]
            if "contested" in found:
                fate = "contested"
                reasons = [conflict_reason(parts, places) for places, parts in found["contested"].items()]
            elif "older" in found:
                fate, reasons = "older", [*found["older"]]
            self.note(handed.row._replace(fate=fate, why="; ".join(reasons)))

    def submission(self, handed: _Handed, part: str, reply: ClozeReply) -> Submission:
        """A reply, ready to be appended."""
        row = handed.row
        said = row.student, part, reply.variant, reply.text, reply.contested
        return Submission(0, *said, handed.time, row.place, row.reading, handed.late)

    def replies(self, row: Row, columns: Columns, student: str) -> Mapping[str, ClozeReply]:
        """What a row replies to every part that a column answers."""
        replies: dict[str, ClozeReply] = {}
        own, moodle = self.exam_keys.variant_of(student), columns.origin == "moodle"
        boxes: dict[str, dict[str, str]] = {}
        for column in columns.replies:
            cell = row.cells[column.place]
            if isinstance(cell, AbsentCell):
                continue
            if column.box:
                boxes.setdefault(column.parts[0], {})[column.box] = cell
                continue
            if isinstance(cell, TreeCell):  # then all of them are
                keys = [key for key in self.exam_keys.part_keys(own) if key.part in columns.parts]
                return {part: ClozeReply(text, own) for part, text in replies_from_tree(cell, keys).items()}
            if isinstance(cell, DateCell):
                whole = ClozeReply(str(cell), own, f"{TURNED_INTO_DATE} {cell}")
            elif isinstance(cell, PendingCell):
                whole = ClozeReply("", own, f"{UNDECIDED_SCAN}{cell}")
            else:
                whole = ClozeReply("" if moodle and cell.strip() == _NEVER else unguard_formula(cell), own)
            found: Mapping[str, ClozeReply] = dict.fromkeys(column.parts, whole)
            if moodle and not whole.contested:
                question, right = ("" if at is None else row.cells[at] for at in self.beside[column.place])
                found = self.cloze.read(whole.text, question, right, column.parts, own) or found
            for part, reply in found.items():
                if part in replies:
                    reply = whole._replace(contested=f"{UNKNOWN_VARIANT}: two columns hold this question")
                replies[part] = reply
        for part, filled in boxes.items():
            replies[part] = self.cloze.read_boxes_of_part(filled, part, own)
        return replies

    def note(self, row: OddRow, *, counted: bool = True) -> None:
        """Keep a row that does not simply count."""
        self.counts[row.fate] += counted
        cells = () if row.fate == "same" else tuple(cell[:1_000] for cell in row.cells[:100])
        row = row._replace(cells=cells)
        self.odd.append(row)
        if len(self.listed) < MAX_LISTED_ODD_ROWS and row.fate != "same":
            self.listed.append(row)
        if len(self.odd) >= ROWS_PER_WRITE:
            self.flush()

    def flush(self) -> None:
        """Write what is ready."""
        self.book.append_rows(self.intake, self.odd)
        self.odd.clear()
        for why in sorted({each.contested for each in self.ready}):
            if why.startswith(UNKNOWN_VARIANT) and why not in self.warnings:
                self.warnings.append(why)
        self.book.append_submissions(self.intake, self.ready)
        self.ready.clear()


_NEVER = "-"
"""Moodle's sign for no answer, no time and no attempt."""
