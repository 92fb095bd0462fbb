"""Whose row it is: exactly one student of the class list, or nobody, with those who look alike."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from grader.base.safe_text import skeleton, unsafe_places
from grader.tables.column_names import Role
from grader.tables.columns import Columns

MAX_NEAR_STUDENTS = 3
"""The most students that a row is said to be nearly one of."""

MIN_SLIP_LENGTH = 4
"""The fewest characters of an identifier that others are near to: of `12` every number is one slip away."""

MAX_IDENTIFIER_LENGTH = 200
"""The most characters of an identifier, a name or an address."""


_NUMBER = re.compile(r"\d+(?:[.,]0+)?", re.ASCII)
"""An identifier that a spreadsheet may have taken for a number, and robbed of its zeros."""

_NAMING: tuple[Role, ...] = ("name", "first", "last")


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

    def to_json(self) -> dict[str, str]:
        """Return the student as records have one."""
        return {
            "identifier": self.identifier,
            "name": self.name,
            "email": self.email,
            "login": self.login,
            "section": self.section,
            "lms": self.lms,
        }


class RowOwner(NamedTuple):
    """Whose row it is.

    - `as_written`: how the row names the student, for messages.
    - `student`: the identifier in the class list; empty when the row belongs to nobody for certain.
    - `candidates`: the identifiers of those it may belong to.
    - `why`: why it belongs to nobody.
    """

    as_written: str
    student: str
    candidates: tuple[str, ...] = ()
    why: str = ""


class StudentDirectory:
    """Finds students by what a row says of them; without a class list everybody is who they say.

    `met` are the rows so far of which `same` says whose they are, `restored` those whose identifier has lost
    its zeros, as it is there, with whose it is.
    """

    def __init__(self, roster: Sequence[Student] | None, same: Mapping[str, str]) -> None:
        self.open = roster is None
        self._same = same
        self.met: set[str] = set()
        self.restored: dict[str, str] = {}
        self._exact: dict[str, set[str]] = {}
        self._emails: dict[str, set[str]] = {}
        self._names: dict[str, set[str]] = {}
        self._alike: dict[str, set[str]] = {}
        for student in roster or ():
            for text in (student.identifier, student.login, student.lms):
                if text:
                    self._exact.setdefault(text, set()).add(student.identifier)
                    self._alike.setdefault(identifier_key(text), set()).add(student.identifier)
            if student.email:
                self._emails.setdefault(student.email.casefold(), set()).add(student.identifier)
            self._names.setdefault(_plain_name(student.name), set()).add(student.identifier)
        # An identifier belongs to its student, whatever account names others have.
        for student in roster or ():
            self._exact[student.identifier] = {student.identifier}

    def find(self, cells: Sequence[str], columns: Columns) -> RowOwner:
        """Whose row this is."""
        said = columns.places_by_role
        places = said.get("identifier", ())
        if self.open and len(places) == 1 and (text := unprotect_identifier(cells[places[0]])):
            return self._anybody(text[:MAX_IDENTIFIER_LENGTH])
        texts = [unprotect_identifier(cells[place]) for place in places] or [""]
        emails = [text for place in said.get("email", ()) if (text := cells[place].strip())]
        name = _plain_name(full_name(*(cells[said[role][0]] if role in said else "" for role in _NAMING)))
        if columns.origin == "sheets" and any((*texts[:-1], name)) and texts[-1] not in self._exact:
            texts.pop()  # a file may have any name when it says whose it is
        texts = [text for text in texts if text]
        shown = next(iter((*texts, *emails, name)), "")[:MAX_IDENTIFIER_LENGTH]
        if not shown:
            return RowOwner("", "", (), "it names no student")
        if self.open:
            return self._anybody(shown)
        if shown in self._same:
            self.met.add(shown)
            return RowOwner(shown, self._same[shown])
        found = [self._exact.get(text, ()) for text in texts]
        found += [self._emails.get(text.casefold(), ()) for text in (*texts, *emails)]
        if not any(found):
            found = [self._names.get(_plain_name(text), ()) for text in texts]
        if not (any(found) or texts or emails):
            found = [self._names.get(name, ())]
        students = set[str]().union(*found)
        if len(students) == 1 and students.isdisjoint(others := self._names.get(name, students)):
            students |= others
        if len(students) == 1:
            return RowOwner(shown, students.pop())
        if students:
            return RowOwner(shown, "", tuple(sorted(students)), "its columns name different students")
        lost = set[str]().union(
            *(self._alike.get(identifier_key(text), ()) for text in texts if _NUMBER.fullmatch(text))
        )
        lost &= self._names.get(name, lost)
        if len(lost) == 1:
            self.restored[shown] = lost.pop()
            return RowOwner(shown, self.restored[shown])
        near = self._near(texts, emails, name)
        return RowOwner(shown, "", near, "nobody in the class list has exactly this identifier")

    def _anybody(self, shown: str) -> RowOwner:
        if shown in self._same:
            self.met.add(shown)
        student = self._same.get(shown, shown)
        if len(student) >= MAX_IDENTIFIER_LENGTH or list(unsafe_places(student)):
            return RowOwner(shown, "", (), "this is no identifier")
        return RowOwner(shown, student)

    def _near(self, texts: Sequence[str], emails: Sequence[str], name: str) -> tuple[str, ...]:
        near = set[str]().union(*(self._alike.get(identifier_key(text), ()) for text in texts))
        if not near and name:
            near = self._names.get(name, near)
        if not near:
            slips = set[str]().union(*map(_slips, (*texts, *emails)))
            near = near.union(*(self._slipped[key] for key in slips & self._slipped.keys()))
        return tuple(sorted(near)[:MAX_NEAR_STUDENTS])

    @cached_property
    def _slipped(self) -> Mapping[str, set[str]]:
        """The students by all that one slip makes of their identifiers and addresses.

        A dictionary, since a file of a million unknown rows may not cost a look at the class for each.
        """
        found: dict[str, set[str]] = {}
        for known in (self._exact, self._emails):
            for text, students in known.items():
                for key in _slips(text) if len(text) >= MIN_SLIP_LENGTH else ():
                    found[key] = found[key] | students if key in found else students
        return found


def identifier_key(identifier: str) -> str:
    """What two identifiers have in common that differ only in case, in blanks, or as `7`, `007` and `7.0`."""
    squeezed = "".join(skeleton(identifier).casefold().split())
    return re.sub(r"^(\d+)[.,]0+$", r"\1", squeezed).lstrip("0") or "0"


def full_name(name: str, first: str, last: str) -> str:
    """A name from its columns: `Name` beside `Vorname` is the family name, unless it has that one in it."""
    half = first or last
    if name and ((first and last) or set(half.split()) <= set(name.replace(",", " ").split())):
        return name
    return " ".join(filter(None, (first, name, last)))


def _slips(text: str) -> Set[str]:
    """A text and all that is left of it without one character; what shares one of them is one slip away.

    One character is another, is too much, is missing or stands elsewhere.
    """
    plain = text[:MAX_IDENTIFIER_LENGTH].casefold()
    return {plain, *(plain[:at] + plain[at + 1 :] for at in range(len(plain)))}


def unprotect_identifier(cell: str) -> str:
    """An identifier as it was before a spreadsheet protected it: `="007"` and `'007` are `007`."""
    text = cell.strip()
    if text.startswith('="') and text.endswith('"') and len(text) > 3:
        text = text[2:-1]
    return text[1:] if text.startswith("'") and len(text) > 1 else text


def _plain_name(text: str) -> str:
    """A name without the order of its two halves: `Lovelace, Ada` is `Ada Lovelace`."""
    last, comma, first = text.partition(",")
    turned = f"{first} {last}" if comma and first.strip() else text
    return " ".join(turned.split())
