"""Taking submissions in: every row has one fate, and of a file that breaks off nothing is taken."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from grader.base.ahead import ahead
from grader.base.garbage import spared
from grader.base.suggest import near
from grader.grading.attempts import Became, Duplicates, differing, settle, settle_anew
from grader.grading.cloze import Cloze, Told
from grader.grading.drawn_trees import drawn_replies
from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook import Gradebook
from grader.grading.plain_rows import plain_rows, with_plain
from grader.grading.readings import Reading, in_order, misread, reading_of, replaced, stood_for
from grader.grading.records import DATED, SCANNED, UNTOLD, Fate, OddRow, Submission, in_columns
from grader.grading.row_owners import of_identifiers, place_of, who_again
from grader.tables.column_names import QUESTION, RIGHT_ANSWER, UNFINISHED
from grader.tables.columns import Columns
from grader.tables.dates import Deadline
from grader.tables.formulas import unguarded
from grader.tables.rows import ClassTable, Dated, Drawn, Row, TableError, Unsaid, Waiting
from grader.tables.whose_row import Directory, Owner
from grader.version import VERSION

CHUNK = 2_000
"""Rows that are written in one go."""

FEW = 5
"""So many identifiers are told one by one."""

Late: TypeAlias = Literal["flag", "refuse"]
Tell: TypeAlias = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class RowPolicy:
    """What to do with rows that raise a question.

    - `duplicates`: of one student with different replies and no times: `ask` makes them ambiguous.
    - `due`: rows after this time are late; `late` says whether they are flagged or not taken.
    - `ignored`: rows that are nobody's, as they name their student or by their places; the gradebook
      remembers them.
    - `replaces`: the name of a file taken in before for which these files stand, so that it counts no more.
    """

    duplicates: Duplicates = "ask"
    due: datetime | None = None
    late: Late = "flag"
    ignored: frozenset[str] = frozenset()
    replaces: str = ""


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


class _Handed(NamedTuple):
    """One row of a known student, as it is noted when it does not simply count, with what it says."""

    row: OddRow
    replies: Mapping[str, Told]
    time: str
    late: bool


def take_in(
    book: Gradebook,
    exam_keys: ExamKeys,
    tables: Sequence[tuple[ClassTable, Columns]],
    *,
    same: Mapping[str, str] | None = None,
    policy: RowPolicy | None = None,
    tell: Tell = lambda _rows: None,
) -> Intake:
    """Append the replies in some tables to the gradebook, in one transaction.

    `same` says of identifiers in the tables, or of places of rows, whose they are in the class list; the
    gradebook remembers it of the identifiers.
    Where somebody handed in more than once the files are read again, to weigh those rows together.
    Raises `TableError` with nothing taken, or `OSError`.
    """
    same = of_identifiers(same or {}, exam_keys, tables)
    told = book.same() | dict(same)
    if exam_keys.roster is not None:
        there = {student.identifier for student in exam_keys.roster}
        told = {row: student for row, student in told.items() if student in there}
    directory, cloze = Directory(exam_keys.roster, told), Cloze(exam_keys)
    again: Set[str] = frozenset()
    while True:  # a file that somebody writes to meanwhile may have one more student twice
        taking = _Taking(book, exam_keys, directory, policy or RowPolicy(), same, tell, cloze)
        try:
            with book.writing(), spared():
                return taking.take(tables, again)
        except _AgainError:
            again = who_again(tables, directory)


class _AgainError(Exception):
    """A student has a second row, and the first one was taken as if there were no other."""


_NO_ANSWER = "it answers no question: a tree has to be one of this student's, and as on the paper"


@dataclass(slots=True)
class _Taking:
    """One intake while it goes on."""

    book: Gradebook
    exam_keys: ExamKeys
    directory: Directory
    policy: RowPolicy
    same: Mapping[str, str]
    tell: Tell
    cloze: Cloze
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
            shown = ", ".join(restored[:FEW]) + (f" and {len(restored) - FEW} more" if restored[FEW:] else "")
            self.warnings.append(
                f"identifiers without their zeros were taken for those of the class list: {shown}"
            )
        self.flush()
        self.tell(self.counts["rows"])
        self.book.append_intake(VERSION, readings, self.counts)
        return Intake(
            counts={"rows": self.counts["rows"], **{fate: self.counts[fate] for fate in FATES}},
            replaced=self.counts["replaced"],
            flagged=self.counts["flagged"],
            odd=tuple(self.listed),
            warnings=(*(warning for table, _ in tables for warning in table.warnings), *self.warnings),
        )

    def refuse_unmet(self) -> None:
        """Refuse what is told of rows that are not there."""
        same = self.same.keys() - self.directory.met
        for option, unmet in (("--same", same), ("--ignore", self.policy.ignored - self.passed_over)):
            for said in sorted(unmet):
                close = near(said, (text for row in self.listed for text in (row.said, row.place)))
                hint = f"Did you mean {close[0]!r}?" if close else "Say it as a row of these files says it."
                raise TableError(f"{option}: no row says {said[:60]!r}", hint)

    def read_anew(self, tables: Sequence[tuple[ClassTable, Columns]]) -> list[Reading]:
        """The readings of these files; finds out whether readings of before count no more, or again."""
        earlier = list(self.book.readings())
        known = self.book.same()
        retold = {row: student for row, student in self.same.items() if known.get(row, student) != student}
        told: dict[str, Any] = {"same": dict(self.same), "retold": retold}
        told["ignored"] = self.policy.ignored
        if old := stood_for(self.policy.replaces, [table for table, _ in tables], earlier):
            told["replaces"] = old
        if self.policy.due is not None:
            told |= {"due": self.policy.due.isoformat(), "late": self.policy.late}
        readings: list[Reading] = []
        for table, columns in tables:
            readings.append(reading_of(table, columns, told, [*earlier, *readings]))
        self.changed = misread(earlier) ^ misread([*earlier, *readings])
        self.order = in_order([*earlier, *readings])
        names, gone = {each["digest"]: each["name"] for each in earlier}, replaced(readings)
        for digest in dict.fromkeys(each["digest"] for each in earlier if each["number"] in self.changed):
            by = gone.get(digest)
            instead = f": {by} replaces it" if by else ""
            before = "before" if by else "before in another way"
            self.warnings.append(f"what was taken in {before} of {names[digest]} counts no more{instead}")
        self.passing = self.book.ignored() | self.policy.ignored
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
        states = columns.said.get("state", ())
        times = columns.said.get("time", ())
        answers = [column.place for column in columns.replies]
        self.beside = _beside(table, columns)
        number_of_reading = reading["number"]
        deadline = Deadline(datetime.fromisoformat(reading["due"]) if reading["due"] else None)
        fate: Fate
        for row in self.but_plain(table, columns, reading):
            place = place_of(table, row)
            found = Owner("", "") if row.wrong else self.directory.find(row.cells, columns)
            odd = OddRow(place, found.said, found.student, "broken", row.wrong, row.cells, number_of_reading)
            if self.passing and self.is_passed_over(odd):
                continue
            if row.wrong:
                self.note(odd)
                continue
            fate, why = "broken", _NO_ANSWER
            if not found.student:
                for each, student in enumerate(found.alike or ("",)):
                    fate = "alike" if student else "unknown"
                    self.note(odd._replace(student=student, fate=fate, why=found.why), counted=each == 0)
                continue
            said = next((text for at in times if (text := row.cells[at].strip())), "")
            unfinished = [text for at in states if (text := row.cells[at].strip()).casefold() in UNFINISHED]
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

    def but_plain(self, table: ClassTable, columns: Columns, reading: Reading) -> Iterator[Row]:
        """The rows of a table, counted; those that raise no question, with all beside them, are taken."""
        plain = None if self.passing else plain_rows(table, columns, reading, self.exam_keys, self.directory)
        for some, found in ahead(with_plain(table, plain)):
            self.counts["rows"] += len(some)
            self.tell(self.counts["rows"])
            if found and self.had.isdisjoint(found[0]) and self.again.isdisjoint(found[0]):
                students, submissions = found
                before = len(self.once)
                self.once.update(students)
                if len(self.once) < before + len(students):
                    raise _AgainError
                self.count_taken(len(students))
                self.flush()
                for each in submissions:
                    self.book.append_submissions(self.intake, each)
            else:
                yield from some

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
        if len(self.ready) >= CHUNK:
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
        fates: list[dict[Became, dict[str, list[str]]]] = [{} for _ in rows]
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
                settled = settle_anew(said, there, duplicates, answered, self.order)
            else:
                before = [each for each in there if each.reading in self.order and not each.withdrawn]
                settled = settle(said, before, duplicates, answered)
            self.ready += settled.ready
            for at, (became, why) in settled.fates.items():
                fates[at].setdefault(became, {}).setdefault(why, []).append(part)
            replaced = replaced or (settled.news and not all(each.aside for each in there))
        self.counts["replaced"] += replaced
        for handed, found in zip(rows, fates, strict=True):
            if "taken" in found and "contested" not in found:
                self.count_taken(1, handed.late)
                continue
            fate: Fate = "same"
            reasons = ["the gradebook has these replies already"]
            if "contested" in found:
                fate = "contested"
                reasons = [differing(parts, places) for places, parts in found["contested"].items()]
            elif "older" in found:
                fate, reasons = "older", [*found["older"]]
            self.note(handed.row._replace(fate=fate, why="; ".join(reasons)))

    def submission(self, handed: _Handed, part: str, reply: Told) -> Submission:
        """A reply, ready to be appended."""
        row = handed.row
        said = row.student, part, reply.variant, reply.text, reply.contested
        return Submission(0, *said, handed.time, row.place, row.reading, handed.late)

    def replies(self, row: Row, columns: Columns, student: str) -> Mapping[str, Told]:
        """What a row replies to every part that a column answers."""
        replies: dict[str, Told] = {}
        own, moodle = self.exam_keys.variant(student), columns.origin == "moodle"
        boxes: dict[str, dict[str, str]] = {}
        for column in columns.replies:
            cell = row.cells[column.place]
            if isinstance(cell, Unsaid):
                continue
            if column.box:
                boxes.setdefault(column.parts[0], {})[column.box] = cell
                continue
            if isinstance(cell, Drawn):  # then all of them are
                keys = [key for key in self.exam_keys.keys(own) if key.part in columns.parts]
                return {part: Told(text, own) for part, text in drawn_replies(cell, keys).items()}
            if isinstance(cell, Dated):
                whole = Told(str(cell), own, f"{DATED} {cell}")
            elif isinstance(cell, Waiting):
                whole = Told("", own, f"{SCANNED}{cell}")
            else:
                whole = Told("" if moodle and cell.strip() == _NEVER else unguarded(cell), own)
            found: Mapping[str, Told] = dict.fromkeys(column.parts, whole)
            if moodle and not whole.contested:
                question, right = ("" if at is None else row.cells[at] for at in self.beside[column.place])
                found = self.cloze.read(whole.text, question, right, column.parts, own) or found
            for part, reply in found.items():
                if part in replies:
                    reply = whole._replace(contested=f"{UNTOLD}: two columns hold this question")
                replies[part] = reply
        for part, filled in boxes.items():
            replies[part] = self.cloze.boxed(filled, part, own)
        return replies

    def note(self, row: OddRow, *, counted: bool = True) -> None:
        """Keep a row that does not simply count."""
        self.counts[row.fate] += counted
        cells = () if row.fate == "same" else tuple(cell[:1_000] for cell in row.cells[:100])
        row = row._replace(cells=cells)
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
        self.book.append_submissions(self.intake, in_columns(self.ready))
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
