"""Taking submissions in: every row has one fate, and of a file that breaks off nothing is taken."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

import grader
from grader.marking.gradebook import Gradebook, OddRow, Submission
from grader.marking.sitting import Sitting
from grader.marking.submissions.columns import Columns, Replies
from grader.marking.submissions.sheet import Dated, Row, Sheet
from grader.marking.submissions.students import Directory
from grader.marking.submissions.times import later, read_time

CHUNK = 2_000
"""Rows that are written in one go."""

LONGEST_PLACE = 300

Duplicates: TypeAlias = Literal["ask", "first", "last"]
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
    `grader.marking.gradebook.Fate`; the fates sum to the rows. `replaced` counts students among those
    taken whose earlier replies were replaced, `flagged` those taken late.
    """

    counts: Mapping[str, int]
    replaced: int
    flagged: int
    odd: tuple[OddRow, ...]
    warnings: tuple[str, ...]


FATES = ("taken", "same", "older", "contested", "alike", "unknown", "unfinished", "late", "broken")
"""What can become of a row; every row has one fate."""

KEPT = 10_000
"""The most odd rows that are listed; all of them are counted and kept in the gradebook."""


@dataclass(frozen=True, slots=True)
class _Handed:
    """One row of a known student."""

    student: str
    said: str
    place: str
    replies: Mapping[str, str]
    time: datetime | None
    time_said: str
    late: bool
    cells: tuple[str, ...]


def take_in(
    book: Gradebook,
    sitting: Sitting,
    sheets: Sequence[tuple[Sheet, Columns]],
    *,
    same: Mapping[str, str] | None = None,
    policy: Policy | None = None,
    tell: Tell = lambda _rows: None,
) -> Intake:
    """Append the replies in some tables to the gradebook, in one transaction.

    `same` says of identifiers in the tables whose they are in the class list. Files are read twice:
    first to see that they can be read to the end and who handed in more than once.
    Raises `SubmissionError` with nothing taken, or `OSError`.
    """
    taking = _Taking(book, sitting, Directory(sitting.roster, same), policy or Policy(), tell)
    again = taking.who_again(sheets)
    with book.writing():
        return taking.take(sheets, again)


class _Taking:
    """One intake while it goes on."""

    def __init__(
        self, book: Gradebook, sitting: Sitting, directory: Directory, policy: Policy, tell: Tell
    ) -> None:
        self.book = book
        self.sitting = sitting
        self.directory = directory
        self.policy = policy
        self.tell = tell
        self.counts = Counter[str](rows=0)
        self.odd: list[OddRow] = []
        self.odd_written = 0
        self.listed: list[OddRow] = []
        self.ready: list[Submission] = []
        self.replaced = 0
        self.flagged = 0
        self.intake = 0
        self.had: frozenset[str] = frozenset()

    def who_again(self, sheets: Sequence[tuple[Sheet, Columns]]) -> frozenset[str]:
        """The students who have more than one row."""
        once, again = set[str](), set[str]()
        for sheet, columns in sheets:
            for row in sheet.rows():
                if not row.wrong:
                    student = self.directory.find(row.cells, columns).student
                    if student in once:
                        again.add(student)
                    once.add(student)
        return frozenset(again - {""})

    def take(self, sheets: Sequence[tuple[Sheet, Columns]], again: frozenset[str]) -> Intake:
        """Append everything."""
        self.intake = self.book.next_intake()
        self.had = frozenset(self.book.students())
        waiting: dict[str, list[_Handed]] = {}
        for sheet, columns in sheets:
            for handed in self.rows(sheet, columns):
                if handed.student in again:
                    waiting.setdefault(handed.student, []).append(handed)
                else:
                    self.append(handed)
        for rows in waiting.values():
            self.settle(rows)
        self.flush()
        sources = [_source(sheet, columns) for sheet, columns in sheets]
        self.book.append_intake(grader.__version__, sources, self.counts)
        return Intake(
            counts={"rows": self.counts["rows"], **{fate: self.counts[fate] for fate in FATES}},
            replaced=self.replaced,
            flagged=self.flagged,
            odd=tuple(self.listed),
            warnings=tuple(warning for sheet, _ in sheets for warning in sheet.warnings),
        )

    def rows(self, sheet: Sheet, columns: Columns) -> Iterator[_Handed]:
        """The rows of known students; all others are noted and left out."""
        states = columns.said.get("state", ())
        times = columns.said.get("time", ())
        for number, row in enumerate(sheet.rows()):
            self.counts["rows"] += 1
            if number % CHUNK == 0:
                self.tell(self.counts["rows"])
            place = f"{sheet.name}, {row.place}"[:LONGEST_PLACE]
            if row.wrong:
                self.note(OddRow(place, "", "", "broken", row.wrong, _kept(row)))
                continue
            found = self.directory.find(row.cells, columns)
            if not found.student:
                fate: Literal["alike", "unknown"] = "alike" if found.alike else "unknown"
                for student in found.alike or ("",):
                    self.note(
                        OddRow(place, found.said, student, fate, found.why, _kept(row)),
                        counted=student == (found.alike or ("",))[0],
                    )
                continue
            if any(row.cells[at].strip().casefold() in _UNFINISHED for at in states):
                why = f"the attempt is not finished: {row.cells[states[0]].strip()[:60]}"
                self.note(OddRow(place, found.said, found.student, "unfinished", why, _kept(row)))
                continue
            said = next((text for at in times if (text := row.cells[at].strip())), "")
            time = read_time(said) if said else None
            late = self.is_late(time)
            if late and self.policy.late == "refuse":
                why = f"handed in at {said[:60]}, after it was due"
                self.note(OddRow(place, found.said, found.student, "late", why, _kept(row)))
                continue
            replies = _replies(row, columns)
            yield _Handed(found.student, found.said, place, replies, time, said[:60], late, tuple(row.cells))

    def is_late(self, time: datetime | None) -> bool:
        """Whether a time is after the one at which it was due; what cannot be told is not late."""
        if self.policy.due is None or time is None:
            return False
        return later(time, self.policy.due) is True

    def append(self, handed: _Handed) -> None:
        """Take a row that is the only one of its student in this intake."""
        if handed.student in self.had:
            last = self.book.submissions_of(handed.student)
            news = {
                part
                for part, reply in handed.replies.items()
                if _differs(last.get(part), reply, isinstance(reply, Dated))
            }
            if not news:
                self.note(_odd(handed, "same", "the gradebook has these replies already"))
                return
            before = [time for part in news if part in last and (time := read_time(last[part].time))]
            if handed.time is not None and any(later(time, handed.time) for time in before):
                self.note(_odd(handed, "older", "the gradebook has a later one"))
                return
            self.replaced += any(part in last for part in news)
        else:
            news = set(handed.replies)
        self.counts["taken"] += 1
        self.flagged += handed.late
        self.submit(handed, news)

    def settle(self, rows: Sequence[_Handed]) -> None:
        """Take the rows of one student: equal ones once, else the latest, else what the policy says."""
        different: list[_Handed] = []
        for handed in rows:
            twin = next((other for other in different if _agree(other, handed)), None)
            if twin is None:
                different.append(handed)
            elif set(handed.replies) <= set(twin.replies):
                self.note(_odd(handed, "same", f"the same as {twin.place}"))
            else:
                different.append(handed)
        if all(_agree(one, other) for one in different for other in different):
            for handed in different:  # each has replies to other questions
                self.append_further(handed)
            return
        chosen = self.choose(different)
        if chosen is not None:
            for handed in different:
                if handed is not chosen:
                    self.note(_odd(handed, "older", f"{chosen.place} counts"))
            self.append(chosen)
            return
        places = " and ".join(handed.place for handed in different)[:LONGEST_PLACE]
        why = f"different replies of one student: {places}"
        parts = dict.fromkeys(part for handed in different for part in handed.replies)
        for handed in different:
            self.note(_odd(handed, "contested", why))
        last = self.book.submissions_of(rows[0].student) if rows[0].student in self.had else {}
        for part in parts:
            said = {handed.replies[part] for handed in different if part in handed.replies}
            contested = why if len(said) > 1 else ""
            reply = "" if contested else said.pop()
            before = last.get(part)
            if before is None or (before.reply, before.contested) != (reply, contested):
                self.ready.append(self.submission(different[0], part, reply, contested))

    def append_further(self, handed: _Handed) -> None:
        """Take one of several rows of a student that do not contradict each other."""
        self.flush()
        self.had |= {handed.student} if self.book.submissions_of(handed.student) else frozenset()
        self.append(handed)

    def choose(self, rows: Sequence[_Handed]) -> _Handed | None:
        """The row that counts, or None when nothing says which."""
        timed = [(handed.time, handed) for handed in rows if handed.time is not None]
        if len(timed) == len(rows):
            latest = timed[0]
            for each in timed[1:]:
                after = later(each[0], latest[0])
                if after is None or each[0] == latest[0]:
                    break
                latest = each if after else latest
            else:
                return latest[1]
        match self.policy.duplicates:
            case "first":
                return rows[0]
            case "last":
                return rows[-1]
            case "ask":
                return None

    def submission(self, handed: _Handed, part: str, reply: str, contested: str = "") -> Submission:
        """A reply, ready to be appended."""
        if isinstance(reply, Dated):
            contested, reply = f"a spreadsheet has turned this reply into the date {reply}", str(reply)
        return Submission(
            identity=0,
            student=handed.student,
            question=part,
            variant=self.sitting.variant(handed.student),
            reply=reply,
            contested=contested,
            time=handed.time_said,
            late=handed.late,
            place=handed.place,
        )

    def submit(self, handed: _Handed, parts: set[str]) -> None:
        """Append the replies to some parts."""
        for part, reply in handed.replies.items():
            if part in parts:
                self.ready.append(self.submission(handed, part, reply))
        if len(self.ready) >= CHUNK:
            self.flush()

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
        self.book.append_submissions(self.intake, self.ready)
        self.ready.clear()


_UNFINISHED = ("in progress", "never submitted", "not yet started", "overdue", "abandoned")

_PARTS = re.compile(r"\bpart (\d{1,2}): ", re.IGNORECASE | re.ASCII)


def _replies(row: Row, columns: Columns) -> dict[str, str]:
    replies: dict[str, str] = {}
    for column in columns.replies:
        cell = row.cells[column.place]
        if columns.origin == "moodle" and cell.strip() == "-":
            cell = ""  # Moodle's sign for no answer
        if isinstance(cell, Dated):
            replies.update(dict.fromkeys(column.parts, cell))
        else:
            replies.update(_by_part(cell, column))
    return replies


def _by_part(cell: str, column: Replies) -> Mapping[str, str]:
    """The reply to each part that a column answers: `part 1: 3; part 2: B` in a cell of Moodle's Cloze."""
    cell = unguarded(cell)
    if len(column.parts) == 1:
        return {column.parts[0]: cell}
    marks = list(_PARTS.finditer(cell))
    if [int(mark[1]) for mark in marks] != list(range(1, len(column.parts) + 1)):
        return dict.fromkeys(column.parts, cell)
    ends = [*(mark.start() for mark in marks[1:]), len(cell)]
    return {
        part: cell[mark.end() : end].strip().removesuffix(";").strip()
        for part, mark, end in zip(column.parts, marks, ends, strict=True)
    }


def unguarded(cell: str) -> str:
    """A reply without the apostrophe that kept a spreadsheet from computing it: `'-2` is `-2`."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in ("=", "+", "-", "@", "\t", "\r") else cell


def _differs(last: Submission | None, reply: str, contested: bool) -> bool:
    return last is None or bool(last.contested) != contested or last.reply != reply


def _agree(one: _Handed, other: _Handed) -> bool:
    """Whether two rows say nothing different about the same question."""
    return all(other.replies.get(part, reply) == reply for part, reply in one.replies.items())


def _odd(handed: _Handed, fate: Literal["same", "older", "contested"], why: str) -> OddRow:
    return OddRow(
        handed.place, handed.said, handed.student, fate, why, () if fate == "same" else handed.cells
    )


def _kept(row: Row) -> tuple[str, ...]:
    return tuple(cell[:1_000] for cell in row.cells[:100])


def _source(sheet: Sheet, columns: Columns) -> dict[str, Any]:
    matched = {column.column[:200]: list(column.parts) for column in columns.replies}
    return {"name": sheet.name, "origin": sheet.origin, "columns": matched}
