"""The class list: who takes the exam, read from a CSV of Moodle, of Canvas, or written by hand."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from hashlib import sha256
from typing import Literal, TypeAlias

from grader.exercise import canonical
from grader.notation.diagnostics import Code, Diagnostics, Mistake, clipped, report

LARGEST = 16 * 1024 * 1024
"""The most bytes a roster may have."""

STUDENTS = 20_000
"""The most students a roster may have."""

LONGEST = 200
"""The most characters of an identifier, a name or an address."""

Origin: TypeAlias = Literal["moodle", "canvas", "plain"]


@dataclass(frozen=True, slots=True)
class Student:
    """One student, every field as text: `identifier` tells students apart, the others may be empty.

    `lms` is the number by which Canvas knows the student; `login` the account name.
    """

    identifier: str
    name: str
    email: str = ""
    login: str = ""
    section: str = ""
    lms: str = ""


@dataclass(frozen=True, slots=True)
class Roster:
    """The students in the order of the file, where the file came from, and what was odd about it."""

    students: tuple[Student, ...]
    origin: Origin
    warnings: tuple[str, ...] = ()


_PLAIN = "id,name\n"

CODES = (
    Code("roster-size", "The file is empty or too large.", ""),
    Code("roster-encoding", "The bytes are no text.", _PLAIN + "7,\x81\n", "bytes"),
    Code(
        "roster-quote",
        "A quoted cell is not closed, or goes on after its closing quote.",
        'id,name\n7,"Ada\n',
    ),
    Code("roster-columns", "The columns that name the students are missing.", "colour,shape\nred,round\n"),
    Code("roster-column-twice", "Two columns have the same name.", "id,name,id\n7,Ada,8\n"),
    Code("roster-width", "A row has more or fewer cells than there are columns.", _PLAIN + "7,Ada,extra\n"),
    Code("roster-empty", "There are no students.", _PLAIN),
    Code("roster-no-identifier", "A student has no identifier.", _PLAIN + ",Ada\n"),
    Code("roster-no-name", "A student has no name.", _PLAIN + "7,\n"),
    Code("roster-cell", "A cell holds what no name or identifier holds.", _PLAIN + "7,Ada\x07\n"),
    Code("roster-spreadsheet", "A spreadsheet has rewritten the identifier.", _PLAIN + "1.2E+08,Ada\n"),
    Code("roster-twice", "Two rows have the same identifier.", _PLAIN + "7,Ada\n7,Ben\n"),
    Code(
        "roster-alike",
        "Two identifiers differ only in case, in blanks, in leading zeros or in a final .0.",
        _PLAIN + "007,Ada\n7,Ben\n",
    ),
    Code(
        "roster-email-twice", "Two rows have the same address.", "id,name,email\n1,Ada,a@b.c\n2,Ben,A@b.c\n"
    ),
)
"""What can be wrong with a roster, each with a file that has exactly this fault."""

_COLUMNS: dict[str, tuple[str, ...]] = {
    "identifier": (
        "id number",
        "sis user id",
        "identifier",
        "student id",
        "student number",
        "matriculation number",
        "matrikelnummer",
        "id-nummer",
        "number",
    ),
    "id": ("id",),
    "login": ("username", "sis login id", "login", "login id", "user name", "account", "anmeldename"),
    "email": (
        "email address",
        "email",
        "e-mail",
        "mail",
        "e-mail address",
        "e-mail-adresse",
        "email-adresse",
    ),
    "name": ("student", "name", "full name", "student name"),
    "first": ("first name", "given name", "forename", "vorname"),
    "last": ("last name", "surname", "family name", "nachname"),
    "section": ("section", "group", "groups", "department", "gruppe", "gruppen", "abteilung"),
}
"""What a column holds, and the names it goes by, in lower case; for each the first that is there counts."""


_TELLING = ("identifier", "id", "login", "email")
"""What tells students apart, the best first; Moodle exports an empty column of ID numbers, too."""


def read_roster(data: bytes) -> Roster | Diagnostics:
    """Read a class list; what comes back is complete and without doubles, or it is all that is wrong.

    The encoding is decided by a byte order mark, then strict UTF-8, then Windows-1252 with a warning.
    Cells are parted by commas, semicolons or tabs; columns are found by their names, and all others
    are ignored. Identifiers are text: leading zeros stay.
    """
    if len(data) > LARGEST or not data.strip():
        message = "the class list is empty" if len(data) <= LARGEST else "the class list is too large"
        return report("", [Mistake(0, 1, "roster-size", message, f"at most {LARGEST // 2**20} MB")])
    text, warnings = _decode(data)
    if text is None:
        message = "these bytes are no text"
        hint = "save the list as CSV with the encoding UTF-8; .xlsx files cannot be read"
        return report("", [Mistake(0, 1, "roster-encoding", message, hint)])
    return _Reading(text, warnings).roster()


def alike(identifier: str) -> str:
    """What two identifiers have in common that differ only in case, in blanks, or as `7`, `007` and `7.0`."""
    squeezed = "".join(unicodedata.normalize("NFC", identifier).casefold().split())
    return re.sub(r"^(\d+)[.,]0+$", r"\1", squeezed).lstrip("0") or "0"


def roster_digest(roster: Roster) -> str:
    """SHA-256 over the students of a roster, as 64 hex digits."""
    return sha256(canonical(list(map(astuple, roster.students))).encode()).hexdigest()


def _decode(data: bytes) -> tuple[str | None, list[str]]:
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            try:
                return data.decode(encoding), []
            except UnicodeDecodeError:
                return None, []
    try:
        text = data.decode("utf-8")
        return (None if "\0" in text else text), []
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None, []
    if "\0" in text:
        return None, []
    return text, [
        "the class list is not UTF-8; it was read as Windows-1252, so look whether the names are right"
    ]


@dataclass(frozen=True, slots=True)
class _Cell:
    start: int
    end: int
    text: str


class _UnclosedError(Exception):
    """A quoted cell that does not end as it should, with the place of the quote or of what follows it."""

    def __init__(self, message: str, start: int) -> None:
        super().__init__(message)
        self.start = start


def _rows(text: str, delimiter: str) -> Iterator[list[_Cell]]:
    """The rows of a CSV text (RFC 4180) with the place of every cell; lines without a cell are left out.

    Written out because the standard reader does not tell where a cell stands.
    """
    cell = re.compile(rf'[ ]*"((?:[^"]|"")*)"[ ]*|([^{re.escape(delimiter)}\r\n]*)')
    at, row = 0, list[_Cell]()
    while at < len(text):
        found = cell.match(text, at)
        if found is None or (found[1] is None and found[0].lstrip(" ").startswith('"')):
            raise _UnclosedError("this quote is never closed", text.index('"', at))
        written = found[2] if found[1] is None else found[1].replace('""', '"')
        row.append(_Cell(at, max(found.end(), at + 1), written.strip()))
        at = found.end()
        if text.startswith(delimiter, at):
            at += 1
            if at < len(text):
                continue
            row.append(_Cell(at, at + 1, ""))
        elif at < len(text) and text[at] not in "\r\n":
            raise _UnclosedError("something follows the closing quote", at)
        at += 2 if text.startswith("\r\n", at) else 1
        if any(each.text for each in row):
            yield row
        row = []


class _Reading:
    """One roster while it is read, and the mistakes found in it so far."""

    def __init__(self, text: str, warnings: list[str]) -> None:
        self.text = text
        self.warnings = warnings
        self.mistakes: list[Mistake] = []

    def fault(self, code: str, cell: _Cell, message: str, hint: str = "") -> None:
        self.mistakes.append(Mistake(cell.start, cell.end, code, message, hint))

    def roster(self) -> Roster | Diagnostics:
        rows = list[list[_Cell]]()
        try:
            rows.extend(_rows(self.text, self._delimiter()))
        except _UnclosedError as error:
            hint = 'a quote inside a quoted cell is written twice, ""'
            self.mistakes.append(Mistake(error.start, error.start + 1, "roster-quote", str(error), hint))
            return report(self.text, self.mistakes)
        if not rows:
            self.mistakes.append(Mistake(0, 1, "roster-size", "the class list is empty", ""))
            return report(self.text, self.mistakes)
        header, *body = rows
        columns = self._columns(header)
        if self.mistakes:
            return report(self.text, self.mistakes)
        origin = _origin(header)
        columns = self._telling(columns, body)
        found = list[tuple[int, _Cell, Student]]()
        for row in body:
            if origin == "canvas" and self._no_student(row, columns):
                continue
            if len(row) != len(header):
                message = f"this row has {len(row)} cells, and there are {len(header)} columns"
                self.fault("roster-width", row[0], message, "a cell with a comma in it needs quotes")
                continue
            student = self._student(row, columns, origin)
            if student is not None:
                line = self.text.count("\n", 0, row[0].start) + 1
                found.append((line, row[columns["identifier"]], student))
        self._doubles(found)
        if not found and not self.mistakes:
            self.fault("roster-empty", header[0], "there is no student below the column names")
        if len(found) > STUDENTS:
            self.fault("roster-size", found[STUDENTS][1], f"more than {STUDENTS} students")
        if self.mistakes:
            return report(self.text, self.mistakes)
        return Roster(tuple(student for _, _, student in found), origin, tuple(self.warnings))

    def _delimiter(self) -> str:
        """The sign that parts the first line into most cells."""
        first = next((line for line in self.text.split("\n") if line.strip()), "")
        return max(",;\t", key=first.count)

    def _columns(self, header: list[_Cell]) -> dict[str, int]:
        """The place of every column that is used."""
        names = [" ".join(cell.text.lower().split()) for cell in header]
        wanted = {name for known in _COLUMNS.values() for name in known}
        for place, name in enumerate(names):
            if name in wanted and name in names[:place]:
                self.fault(
                    "roster-column-twice", header[place], f"there are two columns {header[place].text!r}"
                )
        columns = {
            field: names.index(name)
            for field, known in _COLUMNS.items()
            for name in reversed(known)
            if name in names
        }
        known = any(field in columns for field in _TELLING)
        named = "name" in columns or "first" in columns or "last" in columns
        if not known or not named:
            missing = "name" if known else "identifier" if named else "identifier and the name"
            self.fault(
                "roster-columns",
                header[0],
                f"no column holds the {missing} of a student; the columns are "
                + clipped(", ".join(cell.text for cell in header), 120),
                "the first line names the columns, for example: id,name,email"
                if known
                else "what tells students apart goes by one of: "
                + ", ".join(name for field in _TELLING for name in _COLUMNS[field]),
            )
        return columns

    def _telling(self, columns: dict[str, int], body: list[list[_Cell]]) -> dict[str, int]:
        """The columns, with the first that tells students apart and is not empty as the identifier."""
        there = [columns[field] for field in _TELLING if field in columns]
        used = (place for place in there if any(len(row) > place and row[place].text for row in body))
        return columns | {"identifier": next(used, there[0])}

    def _no_student(self, row: list[_Cell], columns: dict[str, int]) -> bool:
        """Whether a row of a Canvas gradebook is about points or about Canvas's test student."""
        cells = [cell.text for cell in row]
        name = cells[columns["name"]] if columns.get("name", len(cells)) < len(cells) else ""
        blank = not any(
            cells[columns[field]]
            for field in ("identifier", "id")
            if columns.get(field, len(cells)) < len(cells)
        )
        if name == "Student, Test":
            self.warnings.append("Canvas's test student is left out")
            return True
        return name.startswith("Points Possible") or (blank and not name)

    def _student(self, row: list[_Cell], columns: dict[str, int], origin: Origin) -> Student | None:
        """The student of a row, or None with the reasons added to the mistakes."""
        before = len(self.mistakes)
        cells = {field: row[place] for field, place in columns.items()}
        for cell in dict.fromkeys(cells.values()):
            if any(unicodedata.category(sign) in ("Cc", "Cs", "Co", "Cn") for sign in cell.text):
                message = f"the cell {clipped(cell.text)!r} holds a control character or a line break"
                self.fault("roster-cell", cell, message, "the closing quote of a cell may be missing")
            elif len(cell.text) > LONGEST:
                self.fault("roster-cell", cell, f"the cell has more than {LONGEST} characters")
        said = {field: " ".join(cell.text.split()) for field, cell in cells.items()}
        name = said.get("name") or " ".join(filter(None, (said.get("first"), said.get("last"))))
        if not said["identifier"]:
            who = f" ({clipped(name)})" if name else ""
            self.fault("roster-no-identifier", cells["identifier"], f"this student has no identifier{who}")
        elif re.fullmatch(r"\d+(?:[.,]\d+)?[eE]\+?\d+", said["identifier"]):
            self.fault(
                "roster-spreadsheet",
                cells["identifier"],
                f"a spreadsheet has rewritten the identifier as {said['identifier']}",
                "export the list again, and do not open it in a spreadsheet",
            )
        if not name:
            cell = cells.get("name") or cells.get("last") or cells["first"]
            self.fault("roster-no-name", cell, f"the student {said['identifier']!r} has no name")
        if len(self.mistakes) > before:
            return None
        return Student(
            identifier=said["identifier"],
            name=name,
            email=said.get("email", ""),
            login=said.get("login", ""),
            section=said.get("section", ""),
            lms=said.get("id", "") if origin == "canvas" else "",
        )

    def _doubles(self, found: list[tuple[int, _Cell, Student]]) -> None:
        """Refuse students that are the same, or that could be taken for the same."""
        groups: dict[str, list[tuple[int, _Cell, Student]]] = defaultdict(list)
        emails: dict[str, list[tuple[int, _Cell, Student]]] = defaultdict(list)
        for entry in found:
            groups[alike(entry[2].identifier)].append(entry)
            if entry[2].email:
                emails[entry[2].email.casefold()].append(entry)
        for group in groups.values():
            for line, cell, student in group[1:]:
                first_line, _, first = group[0]
                rows = f"in lines {first_line} and {line}"
                if student.identifier == first.identifier:
                    message = f"the identifier {student.identifier!r} is {rows}"
                    self.fault("roster-twice", cell, message, "every student is listed once")
                else:
                    message = f"{first.identifier!r} and {student.identifier!r} {rows} are too much alike"
                    hint = (
                        "they differ only in case, blanks, leading zeros or a final .0; correct one of them"
                    )
                    self.fault("roster-alike", cell, message, hint)
        doubled = {id(entry[2]) for group in groups.values() if len(group) > 1 for entry in group}
        for group in emails.values():
            for line, cell, student in group[1:]:
                if id(student) not in doubled:
                    message = f"the address {student.email} is in lines {group[0][0]} and {line}"
                    self.fault("roster-email-twice", cell, message, "are these two the same person?")


def _origin(header: list[_Cell]) -> Origin:
    names = {cell.text.lower() for cell in header}
    if {"student", "id"} <= names and names & {"sis user id", "sis login id", "section"}:
        return "canvas"
    return "moodle" if names & {"email address", "id number", "e-mail-adresse", "id-nummer"} else "plain"


COLUMNS = tuple(field.name for field in fields(Student))
"""The names of a student's fields, in the order in which a record lists them."""
