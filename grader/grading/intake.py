"""Taking submissions in: every row has one fate, and of a file that breaks off nothing is taken."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias, get_args

from grader.grading.attempts import Duplicates, weigh, weigh_anew
from grader.grading.cloze import Cell, Cloze, Told
from grader.grading.drawn_trees import Drawings
from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook import Gradebook
from grader.grading.readings import Reading, in_order, misread, reading_of
from grader.grading.records import DATED, UNTOLD, Fate, OddRow, Submission
from grader.tables.column_names import QUESTION, RIGHT_ANSWER, UNFINISHED
from grader.tables.columns import Columns
from grader.tables.dates import Deadline
from grader.tables.formulas import unguarded
from grader.tables.rows import ClassTable, Dated, Drawn, Row, Unsaid
from grader.tables.whose_row import Directory
from grader.version import VERSION

CHUNK = 2_000
"""Rows that are written in one go."""

LONGEST_PLACE = 300

Late: TypeAlias = Literal["flag", "refuse"]
Tell: TypeAlias = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Policy:
    """What to do with rows that raise a question.

    - `duplicates`: of one student with different replies and no times: `ask` makes them ambiguous.
    - `due`: rows after this time are late; `late` says whether they are flagged or not taken.
    """

    duplicates: Duplicates = "ask"
    due: datetime | None = None
    late: Late = "flag"


@dataclass(frozen=True, slots=True)
class Intake:
    """What became of the rows of some files.

    `counts` has the number of `rows`, and of rows by fate: those `taken`, and every
    `grader.grading.records.Fate`; the fates sum to the rows. `replaced` counts students among those
    taken whose earlier replies were replaced, `flagged` those taken late.
    """

    counts: Mapping[str, int]
    replaced: int
    flagged: int
    odd: tuple[OddRow, ...]
    warnings: tuple[str, ...]


FATES = ("taken", *get_args(Fate))
"""What can become of a row; every row has one fate."""

KEPT = 10_000
"""The most odd rows that are listed; all of them are counted and kept in the gradebook."""


@dataclass(frozen=True, slots=True)
class _Handed:
    """One row of a known student."""

    student: str
    said: str
    place: str
    replies: Mapping[str, str | Told]
    time: str
    late: bool
    cells: tuple[str, ...]
    reading: int


def take_in(
    book: Gradebook,
    exam_keys: ExamKeys,
    tables: Sequence[tuple[ClassTable, Columns]],
    *,
    same: Mapping[str, str] | None = None,
    policy: Policy | None = None,
    tell: Tell = lambda _rows: None,
) -> Intake:
    """Append the replies in some tables to the gradebook, in one transaction.

    `same` says of identifiers in the tables whose they are in the class list; the gradebook remembers it.
    Where somebody handed in more than once the files are read again, to weigh those rows together.
    Raises `TableError` with nothing taken, or `OSError`.
    """
    told = book.same() | dict(same or {})
    if exam_keys.roster is not None:
        there = {student.identifier for student in exam_keys.roster}
        told = {row: student for row, student in told.items() if student in there}

    def take(again: Set[str]) -> Intake:
        directory = Directory(exam_keys.roster, told)
        with book.writing():
            return _Taking(book, exam_keys, directory, policy or Policy(), same or {}, tell).take(
                tables, again
            )

    again: Set[str] = frozenset()
    while True:  # a file that somebody writes to meanwhile may have one more student twice
        try:
            return take(again)
        except _AgainError:
            again = _who_again(tables, Directory(exam_keys.roster, told))


class _AgainError(Exception):
    """A student has a second row, and the first one was taken as if there were no other."""


def _who_again(tables: Sequence[tuple[ClassTable, Columns]], directory: Directory) -> Set[str]:
    """The students who have more than one row."""
    once, again = set[str](), set[str]()
    for table, columns in tables:
        for row in table.rows():
            if not row.wrong:
                student = directory.find(row.cells, columns).student
                if student in once:
                    again.add(student)
                once.add(student)
    return again - {""}


_NO_ANSWER = "it answers no question: a tree has to be one of this student's, and as on the paper"


@dataclass(slots=True)
class _Taking:
    """One intake while it goes on."""

    book: Gradebook
    exam_keys: ExamKeys
    directory: Directory
    policy: Policy
    same: Mapping[str, str]
    tell: Tell
    counts: Counter[str] = field(default_factory=lambda: Counter(rows=0))
    odd: list[OddRow] = field(default_factory=list)
    listed: list[OddRow] = field(default_factory=list)
    ready: list[Submission] = field(default_factory=list)
    replaced: int = 0
    flagged: int = 0
    intake: int = 0
    had: frozenset[str] = frozenset()
    changed: frozenset[int] = frozenset()
    order: Mapping[int, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    cloze: Cloze = field(init=False)
    drawings: Drawings = field(init=False)

    def __post_init__(self) -> None:
        self.cloze, self.drawings = Cloze(self.exam_keys), Drawings(self.exam_keys)

    def take(self, tables: Sequence[tuple[ClassTable, Columns]], again: Set[str]) -> Intake:
        """Append everything; `again` are the students with more than one row.

        Raises `_AgainError` when somebody else has a second row, too.
        """
        self.intake = self.book.next_intake()
        self.had = frozenset(self.book.students())
        readings = self.read_anew(tables)
        waiting: dict[str, list[_Handed]] = {}
        once = set[str]()
        for (table, columns), reading in zip(tables, readings, strict=True):
            for handed in self.rows(table, columns, reading):
                if handed.student in again:
                    waiting.setdefault(handed.student, []).append(handed)
                elif handed.student in once:
                    raise _AgainError
                else:
                    once.add(handed.student)
                    self.settle((handed,))
        for rows in waiting.values():
            self.settle(rows)
        for student in self.book.students_in(self.changed) if self.changed else ():
            if student not in once and student not in waiting:
                self.weigh(student, ())
        self.flush()
        self.tell(self.counts["rows"])
        self.book.append_intake(VERSION, readings, self.counts)
        return Intake(
            counts={"rows": self.counts["rows"], **{fate: self.counts[fate] for fate in FATES}},
            replaced=self.replaced,
            flagged=self.flagged,
            odd=tuple(self.listed),
            warnings=(*(warning for table, _ in tables for warning in table.warnings), *self.warnings),
        )

    def read_anew(self, tables: Sequence[tuple[ClassTable, Columns]]) -> list[Reading]:
        """The readings of these files; finds out whether readings of before count no more, or again."""
        earlier = list(self.book.readings())
        known = self.book.same()
        retold = {row: student for row, student in self.same.items() if known.get(row, student) != student}
        told: dict[str, Any] = {"same": dict(self.same), "retold": retold}
        if self.policy.due is not None:
            told |= {"due": self.policy.due.isoformat(), "late": self.policy.late}
        readings: list[Reading] = []
        for table, columns in tables:
            readings.append(reading_of(table, columns, told, [*earlier, *readings]))
        self.changed = misread(earlier) ^ misread([*earlier, *readings])
        self.order = in_order([*earlier, *readings])
        names = {each["digest"]: each["name"] for each in readings}
        for digest in dict.fromkeys(each["digest"] for each in earlier if each["number"] in self.changed):
            self.warnings.append(f"{names[digest]} was taken in before in another way, which counts no more")
        return readings

    def rows(self, table: ClassTable, columns: Columns, reading: Reading) -> Iterator[_Handed]:
        """The rows of known students; all others are noted and left out."""
        states = columns.said.get("state", ())
        times = columns.said.get("time", ())
        beside = _beside(table, columns)
        deadline = Deadline(datetime.fromisoformat(reading["due"]) if reading["due"] else None)
        source = reading["number"]
        fate: Fate
        for number, row in enumerate(table.rows()):
            self.counts["rows"] += 1
            if number % CHUNK == 0:
                self.tell(self.counts["rows"])
            place = f"{table.name}, {row.place}"[:LONGEST_PLACE]
            if row.wrong:
                self.note(OddRow(place, "", "", "broken", row.wrong, _kept(row), source))
                continue
            found, fate, why = self.directory.find(row.cells, columns), "broken", _NO_ANSWER
            if not found.student:
                for each, student in enumerate(found.alike or ("",)):
                    fate = "alike" if student else "unknown"
                    odd = OddRow(place, found.said, student, fate, found.why, _kept(row), source)
                    self.note(odd, counted=each == 0)
                continue
            said = next((text for at in times if (text := row.cells[at].strip())), "")
            unfinished = [text for at in states if (text := row.cells[at].strip()).casefold() in UNFINISHED]
            if columns.origin == "moodle":  # where what never began, or never ended, has no state or time
                unfinished += [text for at in (*states, *times) if (text := row.cells[at].strip()) == _NEVER]
            if unfinished:
                fate, why = "unfinished", f"the attempt is not finished: {unfinished[0][:60]}"
            elif (late := deadline.is_past(said)) and reading["late"] == "refuse":
                fate, why = "late", f"handed in at {said[:60]}, after it was due"
            elif replies := self.replies(row, columns, found.student, beside):
                cells = tuple(row.cells)
                yield _Handed(found.student, found.said, place, replies, said[:60], late, cells, source)
                continue
            self.note(OddRow(place, found.said, found.student, fate, why, _kept(row), source))
        self.warnings += deadline.warnings()

    def settle(self, rows: Sequence[_Handed]) -> None:
        """Take the rows of one student in this intake, part by part."""
        if len(rows) == 1 and rows[0].student not in self.had:
            self.simply(rows[0])
        else:
            self.weigh(rows[0].student, rows)
        if len(self.ready) >= CHUNK:
            self.flush()

    def simply(self, handed: _Handed) -> None:
        """Take the only row that a student ever had: there is nothing to weigh it against."""
        self.ready += [self.submission(handed, part, reply) for part, reply in handed.replies.items()]
        self.counts["taken"] += 1
        self.flagged += handed.late

    def weigh(self, student: str, rows: Sequence[_Handed]) -> None:
        """Take what counts of the rows of one student, after what came before and was not misread."""
        stored: dict[str, list[Submission]] = {}
        if student in self.had:
            for each in self.book.all_submissions_of(student):
                stored.setdefault(each.question, []).append(each)
        changed = [
            part for part, there in stored.items() if any(each.reading in self.changed for each in there)
        ]
        fates: list[dict[str, str]] = [{} for _ in rows]
        replaced = False
        for part in dict.fromkeys([*(part for handed in rows for part in handed.replies), *changed]):
            said = {
                at: self.submission(handed, part, handed.replies[part])
                for at, handed in enumerate(rows)
                if part in handed.replies
            }
            there = stored.get(part, ())
            before = [each for each in there if each.reading in self.order and not each.withdrawn]
            last = next((each for each in reversed(there) if not each.aside), None)
            if part in changed:
                weighed = weigh_anew(said, before, last, self.policy.duplicates, self.order)
            else:
                weighed = weigh(said, before, self.policy.duplicates)
            self.ready += weighed.ready
            for at, (fate, why) in weighed.fates.items():
                fates[at][fate] = why
            replaced = replaced or (weighed.news and last is not None)
        self.replaced += replaced
        for handed, found in zip(rows, fates, strict=True):
            if "contested" in found:
                self.note(_odd(handed, "contested", found["contested"]))
            elif "taken" in found:
                self.counts["taken"] += 1
                self.flagged += handed.late
            elif "older" in found:
                self.note(_odd(handed, "older", found["older"]))
            else:
                self.note(_odd(handed, "same", "the gradebook has these replies already"))

    def submission(self, handed: _Handed, part: str, reply: str | Told) -> Submission:
        """A reply, ready to be appended."""
        if isinstance(reply, Told):
            variant, contested, reply = reply.variant, reply.contested, reply.text
        else:
            variant, contested = self.exam_keys.variant(handed.student), ""
        if isinstance(reply, Dated):
            contested, reply = f"{DATED} {reply}", str(reply)
        return Submission(
            identity=0,
            student=handed.student,
            question=part,
            variant=variant,
            reply=reply,
            contested=contested,
            time=handed.time,
            late=handed.late,
            place=handed.place,
            reading=handed.reading,
        )

    def replies(
        self,
        row: Row,
        columns: Columns,
        student: str,
        beside: Mapping[int, tuple[int | None, int | None]],
    ) -> Mapping[str, str | Told]:
        """What a row replies to every part that a column answers."""
        replies: dict[str, str | Told] = {}
        for column in columns.replies:
            cell = row.cells[column.place]
            if isinstance(cell, Unsaid):
                continue
            if isinstance(cell, Drawn):  # then all of them are
                return self.drawings.read(cell, columns.parts, self.exam_keys.variant(student))
            if isinstance(cell, Dated):
                replies.update(dict.fromkeys(column.parts, cell))
            elif columns.origin != "moodle":
                replies.update(dict.fromkeys(column.parts, unguarded(cell)))
            else:
                own = self.exam_keys.variant(student)
                asked = ["" if at is None else row.cells[at] for at in beside[column.place]]
                response = "" if cell.strip() == _NEVER else unguarded(cell)
                found = self.cloze.read(Cell(response, *asked), column.parts, own)
                for part, reply in (found or dict.fromkeys(column.parts, response)).items():
                    again = Told(response, own, f"{UNTOLD}: two columns hold this question")
                    replies[part] = again if part in replies else reply
        return replies

    def note(self, row: OddRow, *, counted: bool = True) -> None:
        """Keep a row that does not simply count."""
        self.counts[row.fate] += counted
        self.odd.append(row)
        if len(self.listed) < KEPT and row.fate != "same":
            self.listed.append(row)
        if len(self.odd) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        """Write what is ready."""
        self.book.append_rows(self.intake, self.odd)
        self.odd.clear()
        for why in sorted({each.contested for each in self.ready}):
            if why.startswith(UNTOLD) and why not in self.warnings:
                self.warnings.append(why)
        self.book.append_submissions(self.intake, self.ready)
        self.ready.clear()


_NEVER = "-"
"""Moodle's sign for no answer, no time and no attempt."""


def _beside(table: ClassTable, columns: Columns) -> Mapping[int, tuple[int | None, int | None]]:
    """Where Moodle has the text of a question and its right answer, by the place of the responses."""
    questions, answers = (
        {
            found[1]: place
            for place, name in enumerate(table.columns)
            if (found := names.fullmatch(name.casefold()))
        }
        for names in (QUESTION, RIGHT_ANSWER)
    )
    numbers = {column.place: column.column.rpartition(" ")[2] for column in columns.replies}
    return {place: (questions.get(number), answers.get(number)) for place, number in numbers.items()}


def _odd(handed: _Handed, fate: Literal["same", "older", "contested"], why: str) -> OddRow:
    cells = () if fate == "same" else handed.cells
    return OddRow(handed.place, handed.said, handed.student, fate, why, cells, handed.reading)


def _kept(row: Row) -> tuple[str, ...]:
    return tuple(cell[:1_000] for cell in row.cells[:100])
