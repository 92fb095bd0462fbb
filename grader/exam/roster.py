"""The class list: who takes the exam, from a table of Moodle, of Canvas, or one that a school keeps."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from grader.base.canonical_json import canonical_json
from grader.base.safe_text import strip_invisible, unsafe_places
from grader.base.suggest import close_matches
from grader.tables.column_names import COLUMN_NAMES, ROLE_BY_NAME, Role
from grader.tables.readers import read_table
from grader.tables.rows import ClassTable, InMemoryFile, Row, TableError
from grader.tables.student_directory import (
    MAX_IDENTIFIER_LENGTH,
    Student,
    full_name,
    identifier_key,
    unprotect_identifier,
)
from grader.trees.notation.diagnostics import MAX_DIAGNOSTICS, Diagnostic, Diagnostics, cap_diagnostics, clip

MAX_ROSTER_BYTES = 16 * 1024 * 1024
"""The most bytes a roster may have."""

MAX_STUDENTS = 20_000
"""The most students a roster may have."""


@dataclass(frozen=True, slots=True)
class Roster:
    """The students in the order of the file, and what was odd."""

    students: tuple[Student, ...]
    warnings: tuple[str, ...] = ()


_TELLING: tuple[Role, ...] = ("identifier", "lms", "login", "email")
"""What tells students apart, the best first; Moodle exports an empty column of ID numbers, too."""

_NAMING: tuple[Role, ...] = ("name", "first", "last", "student")
"""What has the names of students."""


def read_roster(data: bytes, name: str = "the class list") -> Roster | Diagnostics:
    """Read a class list; what comes back is complete and without doubles, or it is all that is wrong.

    It is a table or a workbook as submissions are, see `grader.tables`: columns are found by their names,
    and all others are ignored. Identifiers are text: leading zeros stay.
    """
    try:
        if len(data) > MAX_ROSTER_BYTES:
            raise TableError(f"{name} is too large", f"at most {MAX_ROSTER_BYTES // 2**20} MB", "size")
        table = read_table(InMemoryFile(name, data))
        return _Listing(table, list(table.rows())).roster()
    except TableError as error:
        code = f"roster-{error.fault}"
        return Diagnostics((Diagnostic(code, str(error), *error.place, error.hint),))


def roster_digest(roster: Roster) -> str:
    """SHA-256 over the students of a roster, as 64 hex digits."""
    rows = [
        [each.identifier, each.name, each.email, each.login, each.section, each.lms]
        for each in roster.students
    ]
    return sha256(canonical_json(rows).encode()).hexdigest()


class _Listing:
    """A class list while it becomes students, and what is found wrong with it; its header is row -1.

    `faults`: a row, a column and a code -> message and hint; of one code at one place only the first is told.
    """

    def __init__(self, table: ClassTable, rows: Sequence[Row]) -> None:
        self.table = table
        self.rows = rows
        self.warnings = list(table.warnings)
        self.faults: dict[tuple[int, int, str], tuple[str, str]] = {}
        self.columns = self._columns()

    def fault(self, code: str, row: int, column: int, message: str, hint: str = "") -> None:
        self.faults.setdefault((row, column, code), (message, hint))

    def place(self, row: int) -> str:
        """What a row is called: `line 3`, or in a workbook `row 3`."""
        return self.rows[row].place if row >= 0 else self.table.header

    def roster(self) -> Roster | Diagnostics:
        students = list[tuple[int, Student]]()
        canvas = _is_of_canvas(self.table)
        for number, row in enumerate(self.rows if not self.faults else ()):
            if canvas and self._is_no_student(row):
                continue
            if row.fault and len(row.cells) == len(self.table.columns):
                self.fault("roster-encoding", number, 0, row.fault)
            elif row.fault:
                self.fault("roster-width", number, 0, row.fault, "a cell with a comma in it needs quotes")
            elif (student := self._student(number, row, canvas)) is not None:
                students.append((number, student))
        self._doubles(students)
        if not students and not self.faults:
            self.fault("roster-empty", -1, 0, "there is no student below the column names")
        if len(students) > MAX_STUDENTS:
            self.fault("roster-size", students[MAX_STUDENTS][0], 0, f"more than {MAX_STUDENTS} students")
        if self.faults:
            return self._diagnostics()
        return Roster(tuple(student for _, student in students), tuple(self.warnings))

    def _diagnostics(self) -> Diagnostics:
        """All that is wrong, in reading order."""
        found = [
            Diagnostic(code, message, *self.table.locate(self.place(row), column), hint)
            for (row, column, code), (message, hint) in sorted(self.faults.items())[:MAX_DIAGNOSTICS]
        ]
        return Diagnostics(tuple(cap_diagnostics(found, len(self.faults) - len(found))))

    def _columns(self) -> dict[Role, int]:
        """The place of every column that is used: what tells students apart stands as the identifier."""
        names = [name.casefold() for name in self.table.columns]
        for place, name in enumerate(names):
            if name in ROLE_BY_NAME and name in names[:place]:
                message = f"there are two columns {self.table.columns[place]!r}"
                self.fault("roster-column-twice", -1, place, message)
        columns = {
            role: names.index(name)
            for role, known in COLUMN_NAMES.items()
            for name in reversed(known)
            if name in names
        }
        if (student := columns.pop("student", None)) is not None:
            columns.setdefault("name", student)
        telling = [columns[role] for role in _TELLING if role in columns]
        named = not columns.keys().isdisjoint(("name", "first", "last"))
        if not telling or not named:
            missing = "name" if telling else "identifier" if named else "identifier and the name"
            there = clip(", ".join(self.table.columns), 120)
            message = f"no column holds the {missing} of a student; the columns are {there}"
            self.fault("roster-columns", -1, 0, message, self._meant(told=bool(telling), named=named))
            return columns
        used = (
            place
            for place in telling
            if any(len(row.cells) > place and row.cells[place].strip() for row in self.rows)
        )
        return columns | {"identifier": next(used, telling[0])}

    def _meant(self, *, told: bool, named: bool) -> str:
        """Say what columns are called, or which of them is perhaps a missing one that is misspelt.

        Args:
            told: Whether a column tells students apart.
            named: Whether a column has their names.
        """
        missing = (*(() if told else _TELLING), *(() if named else _NAMING))
        usual = [name for name in ("id", "name", "email") if ROLE_BY_NAME[name] in missing]
        for name in self.table.columns:
            said = name.casefold()
            if said in ROLE_BY_NAME:
                continue
            meant = close_matches(said, usual) or [
                each for each in close_matches(said, ROLE_BY_NAME) if ROLE_BY_NAME[each] in missing
            ]
            if meant:
                return f"did you mean {meant[0]!r} by {clip(name)!r}?"
        if not named:
            return "the first line names the columns, for example: id,name,email"
        known = ", ".join(name for role in _TELLING for name in COLUMN_NAMES[role])
        return f"what tells students apart goes by one of: {known}"

    def _is_no_student(self, row: Row) -> bool:
        """Whether a row of a Canvas gradebook is about points or about Canvas's test student."""
        said = {role: row.cells[place] for role, place in self.columns.items() if place < len(row.cells)}
        name = said.get("name", "").strip()
        if name == "Student, Test":
            self.warnings.append("Canvas's test student is left out")
            return True
        blank = not any(said.get(role, "").strip() for role in ("identifier", "lms"))
        return name.startswith("Points Possible") or (blank and not name)

    def _student(self, number: int, row: Row, canvas: bool) -> Student | None:
        """The student of a row, or None with the reasons added to the faults."""
        before = len(self.faults)
        for place in dict.fromkeys(self.columns.values()):
            text = row.cells[place].strip()
            if list(unsafe_places(strip_invisible(text))):
                message = f"the cell {clip(text)!r} holds a character that is no part of a name"
                hint = "the closing quote of a cell may be missing"
                self.fault("roster-cell", number, place, message, hint)
            elif len(text) > MAX_IDENTIFIER_LENGTH:
                self.fault(
                    "roster-cell", number, place, f"the cell has more than {MAX_IDENTIFIER_LENGTH} characters"
                )
        said = defaultdict[Role, str](str)
        for role, place in self.columns.items():
            said[role] = " ".join(strip_invisible(unprotect_identifier(row.cells[place])).split())
        name = full_name(said["name"], said["first"], said["last"])
        if not said["identifier"]:
            message = f"this student has no identifier{f' ({clip(name)})' if name else ''}"
            self.fault("roster-no-identifier", number, self.columns["identifier"], message)
        elif re.fullmatch(r"\d+(?:[.,]\d+)?[eE]\+?\d+", said["identifier"]):
            message = f"a spreadsheet has rewritten the identifier as {said['identifier']}"
            hint = "export the list again, and do not open it in a spreadsheet"
            self.fault("roster-spreadsheet", number, self.columns["identifier"], message, hint)
        if not name:
            place = next(self.columns[role] for role in ("name", "last", "first") if role in self.columns)
            message = f"the student {said['identifier']!r} has no name"
            self.fault("roster-no-name", number, place, message)
        if len(self.faults) > before:
            return None
        lms = said["lms"] if canvas else ""
        return Student(said["identifier"], name, said["email"], said["login"], said["section"], lms)

    def _doubles(self, students: Sequence[tuple[int, Student]]) -> None:
        """Refuse students that are the same, or that could be taken for the same."""
        doubled = set[int]()
        for first_row, first, row, student in _twins(
            students, lambda student: identifier_key(student.identifier)
        ):
            doubled |= {first_row, row}
            rows = f"in {self.place(first_row)} and {self.place(row)}"
            code, message = "roster-twice", f"the identifier {student.identifier!r} is {rows}"
            hint = "every student is listed once"
            if student.identifier != first.identifier:
                code = "roster-alike"
                message = f"{first.identifier!r} and {student.identifier!r} {rows} are too much alike"
                hint = "they differ only in case, blanks, leading zeros or a final .0; correct one of them"
            self.fault(code, row, self.columns["identifier"], message, hint)
        for first_row, _, row, student in _twins(students, lambda student: student.email.casefold()):
            if row not in doubled:
                rows = f"in {self.place(first_row)} and {self.place(row)}"
                message = f"the address {student.email} is {rows}"
                hint = "are these two the same person?"
                self.fault("roster-email-twice", row, self.columns["email"], message, hint)


def _twins(
    students: Sequence[tuple[int, Student]], said: Callable[[Student], str]
) -> Iterator[tuple[int, Student, int, Student]]:
    """Students of whom the same is said, each with the row and behind the first of them."""
    first: dict[str, tuple[int, Student]] = {}
    for row, student in students:
        key = said(student)
        before = first.setdefault(key, (row, student))
        if key and before[0] != row:
            yield *before, row, student


def _is_of_canvas(table: ClassTable) -> bool:
    """Whether Canvas exported a class list."""
    names = {name.casefold() for name in table.columns}
    return {"student", "id"} <= names and bool(names & {"sis user id", "sis login id", "section"})
