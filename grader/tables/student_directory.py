"""Find the student of a row in the class list, or the students with similar identifiers."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

from grader.base.json_records import JsonRecord
from grader.base.safe_text import skeleton, unsafe_places
from grader.tables.column_names import Role
from grader.tables.columns import Columns
from grader.tables.formulas import unguard_formula

MAX_NEAR_STUDENTS = 3
"""The most candidates that are listed for a row without a student."""

MIN_SLIP_LENGTH = 4
"""The fewest characters of an identifier to which others are similar: every number is one slip from `12`."""

MAX_IDENTIFIER_LENGTH = 200
"""The most characters of an identifier, a name or an address."""

_NUMBER = re.compile(r"\d+(?:[.,]0+)?", re.ASCII)
"""An identifier whose leading zeros a spreadsheet may have removed, as those of a number."""

_NAME_ROLES: tuple[Role, ...] = ("name", "first", "last")
"""The columns with a student's name, in the order of `full_name`."""

_CHINESE_NAME = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
"""A name, or a part of one, in Chinese characters."""


@dataclass(frozen=True, slots=True)
class Student(JsonRecord):
    """One student, every field as text: `identifier` is unique, the others may be empty.

    `lms` is the student's number in Canvas, `login` the account name.
    """

    identifier: Annotated[str, "identifier"]
    name: Annotated[str, "name"]
    email: Annotated[str, "email"] = ""
    login: Annotated[str, "login"] = ""
    section: Annotated[str, "section"] = ""
    lms: Annotated[str, "lms"] = ""


class RowOwner(NamedTuple):
    """The student of a row.

    - `as_written`: the student as the row names them, for messages.
    - `student`: the identifier in the class list; empty if it is uncertain.
    - `candidates`: the identifiers of students to whom the row may belong.
    - `why`: the reason why the student is uncertain.
    """

    as_written: str
    student: str
    candidates: tuple[str, ...] = ()
    why: str = ""


class StudentDirectory:
    """Finds the students of rows; without a class list every identifier is accepted.

    - `same`: the student as rows name them -> the identifier in the class list, as a person decided.
    - `met`: the keys of `same` found so far.
    - `restored`: identifiers found so far that have lost their leading zeros -> the identifier in the list.
    """

    def __init__(self, roster: Sequence[Student] | None, same: Mapping[str, str]) -> None:
        self.open = roster is None
        self._same = same
        self.met: set[str] = set()
        self.restored: dict[str, str] = {}
        # Each maps a text to the identifiers of the students who have it.
        self._exact: dict[str, set[str]] = {}
        self._emails: dict[str, set[str]] = {}
        self._names: dict[str, set[str]] = {}
        self._similar: dict[str, set[str]] = {}
        for student in roster or ():
            for text in (student.identifier, student.login, student.lms):
                if text:
                    self._exact.setdefault(text, set()).add(student.identifier)
                    self._similar.setdefault(identifier_key(text), set()).add(student.identifier)
            if student.email:
                self._emails.setdefault(student.email.casefold(), set()).add(student.identifier)
            self._names.setdefault(_plain_name(student.name), set()).add(student.identifier)
        # An identifier belongs to its student, even if it is the account name of another one.
        for student in roster or ():
            self._exact[student.identifier] = {student.identifier}

    def find(self, cells: Sequence[str], columns: Columns) -> RowOwner:
        """Find the student of a row.

        1. Without a class list, the first text that names the student.
        2. The student in `same`.
        3. The students with exactly this identifier, account name or address; if there are none, those
           with this name, or else those whose identifier is a word of it, as in `search-4711`. Another
           student's name in the row makes it uncertain.
        4. The only student with this identifier but for leading zeros, if the name fits.

        Otherwise the student is uncertain, and there may be candidates.
        """
        roles = columns.places_by_role
        places = roles.get("identifier", ())
        if self.open and len(places) == 1 and (text := unprotect_identifier(cells[places[0]])):
            return self._owner_in_open_class(text[:MAX_IDENTIFIER_LENGTH])
        texts = [unprotect_identifier(cells[place]) for place in places] or [""]
        emails = [text for place in roles.get("email", ()) if (text := cells[place].strip())]
        names = [unprotect_cell(role, cells[roles[role][0]]) if role in roles else "" for role in _NAME_ROLES]
        name = _plain_name(full_name(*names))
        if columns.origin == "sheets" and any((*texts[:-1], name)) and texts[-1] not in self._exact:
            texts.pop()  # a file may have any name if its content names the student
        # A file may be named by the name of its student, as an identifier may be.
        texts_as_names = [unprotect_cell("name", cells[place]) for place in places[: len(texts)]]
        texts = [text for text in texts if text]
        as_written = next(iter((*texts, *emails, name)), "")[:MAX_IDENTIFIER_LENGTH]
        if not as_written:
            return RowOwner("", "", (), "it names no student")
        if self.open:
            return self._owner_in_open_class(as_written)
        if as_written in self._same:
            self.met.add(as_written)
            return RowOwner(as_written, self._same[as_written])
        matches = [self._exact.get(text, ()) for text in texts]
        matches += [self._emails.get(text.casefold(), ()) for text in (*texts, *emails)]
        if not any(matches):
            names_in_row = filter(None, (*texts, *texts_as_names))
            matches = [self._names.get(_plain_name(text), ()) for text in names_in_row]
        if not any(matches) and not name:
            matches = [self._exact.get(word, ()) for text in texts for word in _identifier_words(text)]
        if not (any(matches) or texts or emails):
            matches = [self._names.get(name, ())]
        students = set[str]().union(*matches)
        if len(students) == 1 and students.isdisjoint(namesakes := self._names.get(name, students)):
            students |= namesakes
        if len(students) == 1:
            return RowOwner(as_written, students.pop())
        if students:
            listed = tuple(sorted(students))
            if name and students == self._names.get(name):
                why = f"{len(listed)} students are called {name}; add a column with their numbers"
                return RowOwner(as_written, "", listed, why)
            if students == self._names.get(_plain_name(as_written)):
                why = f"{len(listed)} students are called {as_written}; write the ID of one of them instead"
                return RowOwner(as_written, "", listed, why)
            return RowOwner(as_written, "", listed, "its columns name different students")
        padded = set[str]().union(
            *(self._similar.get(identifier_key(text), ()) for text in texts if _NUMBER.fullmatch(text))
        )
        padded &= self._names.get(name, padded)
        if len(padded) == 1:
            self.restored[as_written] = padded.pop()
            return RowOwner(as_written, self.restored[as_written])
        candidates = self._candidates(texts, emails, name)
        return RowOwner(as_written, "", candidates, "nobody in the class list has exactly this identifier")

    def _owner_in_open_class(self, as_written: str) -> RowOwner:
        """Return the student with the ID of a row; without a class list any safe ID is a student."""
        if as_written in self._same:
            self.met.add(as_written)
        student = self._same.get(as_written, as_written)
        if len(student) >= MAX_IDENTIFIER_LENGTH or list(unsafe_places(student)):
            return RowOwner(as_written, "", (), "this is not an identifier")
        return RowOwner(as_written, student)

    def _candidates(self, texts: Sequence[str], emails: Sequence[str], name: str) -> tuple[str, ...]:
        """Return the students with a similar identifier, else this name, else an identifier one slip away."""
        students = set[str]().union(*(self._similar.get(identifier_key(text), ()) for text in texts))
        if not students and name:
            students = self._names.get(name, students)
        if not students:
            keys = set[str]().union(*map(_slip_keys, (*texts, *emails)))
            students = students.union(*(self._by_slip_key[key] for key in keys & self._by_slip_key.keys()))
        return tuple(sorted(students)[:MAX_NEAR_STUDENTS])

    @cached_property
    def _by_slip_key(self) -> Mapping[str, set[str]]:
        """Map the slip keys of all identifiers and addresses to their students.

        With this index, a file of a million unknown rows does not compare each with the whole class.
        """
        students_by_key: dict[str, set[str]] = {}
        for index in (self._exact, self._emails):
            for text, students in index.items():
                for key in _slip_keys(text) if len(text) >= MIN_SLIP_LENGTH else ():
                    # Most keys share the set of their text: a new set for each would cost much memory.
                    others = students_by_key.get(key)
                    students_by_key[key] = students if others is None else others | students
        return students_by_key


def identifier_key(identifier: str) -> str:
    """Return a key that ignores case, blanks, and the zeros in which `7`, `007` and `7.0` differ."""
    compact = "".join(skeleton(identifier).casefold().split())
    return re.sub(r"^(\d+)[.,]0+$", r"\1", compact).lstrip("0") or "0"


def _identifier_words(text: str) -> Sequence[str]:
    """Return the words of the name of a file that may be an identifier.

    1. An identifier is long enough and contains a digit: a login such as `weber` may be a name.
    2. Every other word begins with a letter: `4711-2` may be another student.
    3. The number that Moodle gives to a participant does not count.
    """
    if re.search(r"(?i)^participant|assignsubmission", text):
        return ()
    words = [word for word in re.split(r"[\W_]+", text) if word]
    return [
        word
        for place, word in enumerate(words)
        if len(word) >= MIN_SLIP_LENGTH
        and any(map(str.isdigit, word))
        and all(each[0].isalpha() for each in words[:place] + words[place + 1 :])
    ]


def full_name(name: str, first: str, last: str) -> str:
    """Return a name from its columns.

    `Name` is the family name if there is also a `Vorname`, unless it contains that one. A name in Chinese
    characters has the family name first, without a space: `王芳`.
    """
    half = first or last
    if name and ((first and last) or set(half.split()) <= set(name.replace(",", " ").split())):
        return name
    parts = list(filter(None, (first, name, last)))
    if all(map(_CHINESE_NAME.fullmatch, parts)):
        return "".join(reversed(parts))
    return " ".join(parts)


def _slip_keys(text: str) -> Set[str]:
    """Return the text and all its variants without one character.

    Two texts share a key if one slip separates them: a character is changed, added, missing or moved.
    """
    plain = text[:MAX_IDENTIFIER_LENGTH].casefold()
    return {plain, *(plain[:place] + plain[place + 1 :] for place in range(len(plain)))}


def unprotect_cell(role: str, cell: str) -> str:
    """Return a cell without the protection of a spreadsheet; the apostrophe of `'t Hooft` is of the name."""
    is_name = role in _NAME_ROLES and cell.lstrip().startswith("'")
    return unguard_formula(cell.strip()) if is_name else unprotect_identifier(cell)


def unprotect_identifier(cell: str) -> str:
    """Return an identifier without the protection of a spreadsheet: `="007"`, `'007` and `#007` are `007`."""
    text = cell.strip()
    if text.startswith('="') and text.endswith('"') and len(text) > 3:
        text = text[2:-1]
    return text[1:] if text.startswith(("'", "#")) and len(text) > 1 else text


def _plain_name(text: str) -> str:
    """Return a name with its first name first: `Lovelace, Ada` is `Ada Lovelace`."""
    last, comma, first = text.partition(",")
    ordered = f"{first} {last}" if comma and first.strip() else text
    return " ".join(ordered.split())
