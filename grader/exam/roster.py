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
    unprotect_cell,
)
from grader.trees.notation.diagnostics import MAX_DIAGNOSTICS, Diagnostic, Diagnostics, cap_diagnostics, clip

MAX_ROSTER_BYTES = 16 * 1024 * 1024
"""The most bytes a roster may have."""

MAX_STUDENTS = 20_000
"""The most students a roster may have."""


@dataclass(frozen=True, slots=True)
class Roster:
    """The students in the order of the file, and warnings."""

    students: tuple[Student, ...]
    warnings: tuple[str, ...] = ()


_IDENTIFIER_ROLES: tuple[Role, ...] = ("identifier", "lms", "login", "email")
"""The columns that identify students, the best first; Moodle exports an empty column of ID numbers, too."""

_NAME_ROLES: tuple[Role, ...] = ("name", "first", "last", "student")
"""The columns with the names of students."""


_COLUMN_NAMES_HINT = "the first line names the columns, for example: id,name,email"
_ROW_HINT = "write a line for each student, for example: 4711,Ada Lovelace,ada@example.org"


def read_roster(data: bytes, name: str = "the class list") -> Roster | Diagnostics:
    """Read a class list; return a complete roster without duplicates, or all mistakes.

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
        hint = error.hint if data.strip() else _COLUMN_NAMES_HINT
        return Diagnostics((Diagnostic(code, str(error), *error.place, hint),))


def roster_digest(roster: Roster) -> str:
    """Return SHA-256 over the students of a roster, as 64 hex digits."""
    rows = [
        [each.identifier, each.name, each.email, each.login, each.section, each.lms]
        for each in roster.students
    ]
    return sha256(canonical_json(rows).encode()).hexdigest()


class _Listing:
    """A class list while it is read, with its warnings and faults; its header is row -1.

    `faults`: a row, a column and a code -> message and hint; one place has each code only once.
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
        """Return the name of a row: `line 3`, or in a workbook `row 3`."""
        return self.rows[row].place if row >= 0 else self.table.header

    def roster(self) -> Roster | Diagnostics:
        """Return the students in the order of the list, or everything that is wrong with it."""
        students = list[tuple[int, Student]]()
        canvas = _is_canvas_export(self.table)
        for number, row in enumerate(self.rows if not self.faults else ()):
            if canvas and self._is_no_student(row):
                continue
            if row.fault and len(row.cells) == len(self.table.columns):
                self.fault("roster-encoding", number, 0, row.fault)
            elif row.fault:
                self.fault("roster-width", number, 0, row.fault, "a cell with a comma in it needs quotes")
            elif (student := self._student(number, row, canvas)) is not None:
                students.append((number, student))
        self._refuse_duplicates(students)
        if not students and not self.faults:
            self.fault("roster-empty", -1, 0, "there is no student below the column names", _ROW_HINT)
        if len(students) > MAX_STUDENTS:
            self.fault("roster-size", students[MAX_STUDENTS][0], 0, f"more than {MAX_STUDENTS} students")
        if self.faults:
            return self._diagnostics()
        return Roster(tuple(student for _, student in students), tuple(self.warnings))

    def _diagnostics(self) -> Diagnostics:
        """Return all faults in reading order."""
        diagnostics = [
            Diagnostic(code, message, *self.table.locate(self.place(row), column), hint)
            for (row, column, code), (message, hint) in sorted(self.faults.items())[:MAX_DIAGNOSTICS]
        ]
        return Diagnostics(tuple(cap_diagnostics(diagnostics, len(self.faults) - len(diagnostics))))

    def _columns(self) -> dict[Role, int]:
        """Return the place of every column that is used; the best identifying one is the identifier."""
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
        identifying = [columns[role] for role in _IDENTIFIER_ROLES if role in columns]
        has_names = not columns.keys().isdisjoint(("name", "first", "last"))
        if not identifying or not has_names:
            missing = "name" if identifying else "identifier" if has_names else "identifier and the name"
            listed = clip(", ".join(self.table.columns), 120)
            message = f"no column contains the {missing} of a student; the columns are {listed}"
            hint = self._column_hint(has_identifier=bool(identifying), has_names=has_names)
            self.fault("roster-columns", -1, 0, message, hint)
            return columns
        used = (
            place
            for place in identifying
            if any(len(row.cells) > place and row.cells[place].strip() for row in self.rows)
        )
        return columns | {"identifier": next(used, identifying[0])}

    def _column_hint(self, *, has_identifier: bool, has_names: bool) -> str:
        """Return the usual column names, or the name that a column may have meant to be."""
        missing = (*(() if has_identifier else _IDENTIFIER_ROLES), *(() if has_names else _NAME_ROLES))
        usual = [name for name in ("id", "name", "email") if ROLE_BY_NAME[name] in missing]
        for name in self.table.columns:
            folded = name.casefold()
            if folded in ROLE_BY_NAME:
                continue
            matches = close_matches(folded, usual) or [
                each for each in close_matches(folded, ROLE_BY_NAME) if ROLE_BY_NAME[each] in missing
            ]
            if matches:
                return f"did you mean {matches[0]!r} by {clip(name)!r}?"
        if not has_names:
            return _COLUMN_NAMES_HINT
        return "call the column with the student number `id`; a column `login` or `email` works as well"

    def _is_no_student(self, row: Row) -> bool:
        """Return whether a row of a Canvas gradebook has points or Canvas's test student.

        The test student gets a warning.
        """
        cells = {role: row.cells[place] for role, place in self.columns.items() if place < len(row.cells)}
        name = cells.get("name", "").strip()
        if name == "Student, Test":
            self.warnings.append("Canvas's test student is left out")
            return True
        blank = not any(cells.get(role, "").strip() for role in ("identifier", "lms"))
        return name.startswith("Points Possible") or (blank and not name)

    def _student(self, number: int, row: Row, canvas: bool) -> Student | None:
        """Return the student of a row, or None with the reasons added to the faults."""
        before = len(self.faults)
        for place in dict.fromkeys(self.columns.values()):
            text = row.cells[place].strip()
            if list(unsafe_places(strip_invisible(text))):
                message = f"the cell {clip(text)!r} contains a character that is not part of a name"
                hint = "perhaps the closing quote of a cell is missing"
                self.fault("roster-cell", number, place, message, hint)
            elif len(text) > MAX_IDENTIFIER_LENGTH:
                self.fault(
                    "roster-cell", number, place, f"the cell has more than {MAX_IDENTIFIER_LENGTH} characters"
                )
        fields = defaultdict[Role, str](str)
        for role, place in self.columns.items():
            fields[role] = " ".join(strip_invisible(unprotect_cell(role, row.cells[place])).split())
        name = full_name(fields["name"], fields["first"], fields["last"])
        if not fields["identifier"]:
            message = f"this student has no identifier{f' ({clip(name)})' if name else ''}"
            self.fault("roster-no-identifier", number, self.columns["identifier"], message)
        elif re.fullmatch(r"\d+(?:[.,]\d+)?[eE]\+?\d+", fields["identifier"]):
            message = f"a spreadsheet has rewritten the identifier as {fields['identifier']}"
            hint = "export the list again, and do not open it in a spreadsheet"
            self.fault("roster-spreadsheet", number, self.columns["identifier"], message, hint)
        if not name:
            place = next(self.columns[role] for role in ("name", "last", "first") if role in self.columns)
            message = f"the student {fields['identifier']!r} has no name"
            self.fault("roster-no-name", number, place, message)
        if len(self.faults) > before:
            return None
        lms = fields["lms"] if canvas else ""
        return Student(fields["identifier"], name, fields["email"], fields["login"], fields["section"], lms)

    def _refuse_duplicates(self, students: Sequence[tuple[int, Student]]) -> None:
        """Refuse students that are the same, or that could be taken for the same."""
        duplicate_rows = set[int]()
        for first_row, first, row, student in _twins(
            students, lambda student: identifier_key(student.identifier)
        ):
            duplicate_rows |= {first_row, row}
            rows = f"in {self.place(first_row)} and {self.place(row)}"
            code, message = "roster-twice", f"the identifier {student.identifier!r} is {rows}"
            hint = "every student is listed once"
            if student.identifier != first.identifier:
                code = "roster-alike"
                message = f"{first.identifier!r} and {student.identifier!r} {rows} are too similar"
                hint = "they differ only in case, blanks, leading zeros or a final .0; correct one of them"
            self.fault(code, row, self.columns["identifier"], message, hint)
        for first_row, _, row, student in _twins(students, lambda student: student.email.casefold()):
            if row not in duplicate_rows:
                rows = f"in {self.place(first_row)} and {self.place(row)}"
                message = f"the address {student.email} is {rows}"
                hint = "are these two the same person?"
                self.fault("roster-email-twice", row, self.columns["email"], message, hint)


def _twins(
    students: Sequence[tuple[int, Student]], key_of: Callable[[Student], str]
) -> Iterator[tuple[int, Student, int, Student]]:
    """Yield every student whose key came before, with the row, after the first one with that key."""
    first_by_key: dict[str, tuple[int, Student]] = {}
    for row, student in students:
        key = key_of(student)
        first = first_by_key.setdefault(key, (row, student))
        if key and first[0] != row:
            yield *first, row, student


def _is_canvas_export(table: ClassTable) -> bool:
    """Return whether Canvas exported a class list."""
    names = {name.casefold() for name in table.columns}
    return {"student", "id"} <= names and bool(names & {"sis user id", "sis login id", "section"})
