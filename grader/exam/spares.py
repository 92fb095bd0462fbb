"""Spare papers: printed without a name, and assigned to students later."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from grader.base.canonical_json import canonical_json
from grader.base.hinted_error import HintedError
from grader.base.json_records import RecordError
from grader.base.records import journal_records, stamp
from grader.exam.folders import ASSIGNED_FILE, GRADES_FOLDER, make_private_folder
from grader.exam.manifest import Exam, Seat
from grader.tables.student_directory import Student, identifier_key

SCHEMA = 1


class SpareError(HintedError, ValueError):
    """A spare paper that cannot be assigned like this."""


@dataclass(frozen=True, slots=True)
class SparePapers:
    """The spare papers of an exam, as it was built, and whose they are; kept next to its marks."""

    folder: Path
    exam: Exam

    def owners(self) -> dict[str, Student]:
        """Map the code of every spare paper that was assigned to its student; the last assignment counts."""
        owners: dict[str, Student] = {}
        codes = {spare.code for spare in self.exam.spares}
        for code, student in filter(None, _lines(self.folder)):  # a line that was broken off is left out
            if code in codes:
                _assign(owners, code, student)
        return owners

    def assign(self, assignments: Mapping[str, Student | None]) -> None:
        """Record whose these spare papers are, all or none; None takes a paper back.

        Raises `SpareError`, or `OSError`.
        """
        owners = self.owners()
        codes = {spare.code for spare in self.exam.spares}
        for code, student in assignments.items():
            if code not in codes:
                raise SpareError(f"{code!r} is not a spare paper", self._hint(owners))
            _assign(owners, code, student)
        holders: dict[str, str] = {}
        for code, student in owners.items():
            other = holders.setdefault(identifier_key(student.identifier), code)
            if other != code:
                raise SpareError(
                    f"{student.identifier} already has the spare paper {other}",
                    f"write {other}= to take it back first",
                )
        make_private_folder(self.folder, GRADES_FOLDER)
        with (self.folder / ASSIGNED_FILE).open("ab") as file:
            file.write(b"\n" if file.tell() else b"")  # after a line that was broken off
            for code, student in assignments.items():
                record = {"variant": code, "student": None if student is None else student.to_json()}
                file.write(canonical_json({**record, **stamp(SCHEMA)}).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _hint(self, owners: Mapping[str, Student]) -> str:
        left = [spare.code for spare in self.exam.spares if spare.code not in owners]
        return f"those without a student: {', '.join(left[:20])}" if left else "none is left"

    def seats(self) -> tuple[Seat, ...]:
        """Return the seats of the exam with those of assigned papers.

        A student of the class list who has a spare paper has it in place of the own one. Others come last.
        """
        files = self.exam.files_by_variant
        given = {
            identifier_key(student.identifier): Seat(student, code, files[code])
            for code, student in self.owners().items()
        }
        own = [
            replace(seat, code=spare.code, file=spare.file)
            if (spare := given.pop(identifier_key(seat.student.identifier), None)) is not None
            else seat
            for seat in self.exam.seats
        ]
        return (*own, *given.values())

    def find(self, identifier: str) -> Student | None:
        """Return the student of the exam with this identifier, with or without a spare paper."""
        students = [seat.student for seat in self.seats()]
        exact = (student for student in students if student.identifier == identifier)
        key = identifier_key(identifier)
        alike = (student for student in students if identifier_key(student.identifier) == key)
        return next(exact, None) or next(alike, None)

    def unclaimed(self, codes: Iterable[str]) -> tuple[str, ...]:
        """Return those of these variants that are spare papers without a student."""
        unassigned = {spare.code for spare in self.exam.spares} - self.owners().keys()
        return tuple(code for code in codes if code in unassigned)


def _lines(folder: Path) -> Iterator[tuple[str, Student | None] | None]:
    """Return what people have said of spare papers, in order; None for a line that cannot be read."""
    path = folder / ASSIGNED_FILE
    for record in journal_records(path, SCHEMA) if path.exists() else ():
        try:
            student = None if record is None else record.get("student")
            owner = None if student is None else Student.from_json(student)
        except RecordError:
            record = None
        yield None if record is None else (str(record.get("variant")), owner)


def unreadable_assignments(folder: Path) -> Mapping[Path, int]:
    """Return the file that says whose spare papers are, if some lines cannot be read, and how many."""
    count = sum(line is None for line in _lines(folder))
    return {folder / ASSIGNED_FILE: count} if count else {}


def _assign(owners: dict[str, Student], code: str, student: Student | None) -> None:
    """Make the student the newest owner of a paper, or leave it without one."""
    owners.pop(code, None)
    if student is not None:
        owners[code] = student


def with_owners(folder: Path, exam: Exam) -> Exam:
    """Return an exam with the seats of those whom its spare papers were assigned to."""
    return replace(exam, seats=SparePapers(folder, exam).seats()) if exam.spares else exam
