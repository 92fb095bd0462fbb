"""Open the spare papers of an exam, and read from the command line or a table whose they are."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from grader.base.files import write_file
from grader.cli.shared.exam_folders import (
    GRADEBOOK_FILE,
    open_book,
    open_exam_keys,
    open_exam_record,
    report_unreadable_lines,
)
from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import printable, refuse
from grader.exam.folders import ASSIGNED_ENTRY_FILE
from grader.tables.rows import TableError

if TYPE_CHECKING:
    from grader.exam.spares import SparePapers
    from grader.tables.student_directory import Student

ASSIGNMENT_HINT = "Write VARIANT=STUDENT, such as K7QM3D=4711."
GRADED_HINT = (
    "If these replies are another student's, correct their row and grade again with --replaces first."
)


def open_spares(folder: Path) -> "SparePapers":
    """Return the spare papers of the exam in a folder; refuse an exam that has none."""
    from grader.exam.spares import SparePapers, unreadable_assignments

    exam = open_exam_record(folder)
    if not exam.spares:
        refuse(f"{folder} has no spare papers.", "Write spare = 5 into the blueprint of the next exam.")
    report_unreadable_lines(unreadable_assignments(folder))
    return SparePapers(folder, exam)


def read_assignments(
    spares: "SparePapers", written: Sequence[str], table: Path | None, students: "Iterable[Student]"
) -> "dict[str, Student | None]":
    """Read whose the spare papers are, from the command line and from a table.

    Refuses a text without `=`, and a student whom neither the exam nor `students` nor the table has.
    """
    assignments: dict[str, Student | None] = {}
    for each in written:
        code, equals, identifier = (part.strip() for part in each.partition("="))
        if not equals:
            refuse(f"{printable(each, 60)!r} assigns nothing.", ASSIGNMENT_HINT)
        assignments[code] = _find_student(spares, identifier, students) if identifier else None
    if table is not None:
        assignments |= _read_table(spares, table, tuple(students))
    return assignments


def refuse_graded(folder: Path, assignments: "Mapping[str, Student | None]") -> None:
    """Refuse a paper whose replies are graded for another student, and a student graded with another paper.

    Blank replies, and those whose variant waits for a person, are not graded.
    """
    from grader.grading.records import UNKNOWN_VARIANT
    from grader.tables.student_directory import identifier_key

    if not (folder / GRADEBOOK_FILE).exists():
        return
    wanted = {code: identifier_key(owner.identifier) for code, owner in assignments.items() if owner}
    keys, codes = open_exam_keys(folder, again=True), {student: code for code, student in wanted.items()}
    with open_book(folder, keys) as book:
        for reply in book.last_submissions():
            if not reply.reply.strip() or reply.contested.startswith(UNKNOWN_VARIANT):
                continue
            name, student = printable(reply.student, 60), identifier_key(reply.student)
            if wanted.get(reply.variant, student) != student:
                refuse(f"The replies on {reply.variant} are graded for {name}.", GRADED_HINT)
            graded = keys.part_key(reply.variant, reply.question)
            assigned = keys.part_key(codes.get(student, reply.variant), reply.question)
            if assigned.key != graded.key:  # a part of a given tree is the same on both papers
                refuse(f"{name} is graded with the paper {reply.variant}.", GRADED_HINT)


def write_assigned_entries(spares: "SparePapers", codes: Sequence[str]) -> list[str]:
    """Write a workbook to enter the replies on these assigned papers; return its name in the folder, if any.

    Workbooks of earlier assignments stay, because replies may be in them. Raises `OSError`.
    """
    from grader.exam.manifest import read_paper
    from grader.publishing.entry_workbook import entry_workbook, typed_boxes

    if not codes:
        return []
    exam = spares.exam
    boxes = {
        code: typed_boxes(read_paper(line, exam.heading).public)
        for line, (code, _) in zip(exam.variants, exam.question_records, strict=True)
        if code in codes
    }
    seats = [seat for seat in spares.seats() if seat.code in codes]
    names = (ASSIGNED_ENTRY_FILE.format(number=number) for number in count(1))
    name = next(name for name in names if not (spares.folder / name).exists())
    write_file(spares.folder / name, entry_workbook(seats, boxes, exam.heading.language(comma=False)))
    return [name]


def _find_student(spares: "SparePapers", identifier: str, students: "Iterable[Student]") -> "Student":
    """Return the student with this identifier, of the exam or another class list; refuse an unknown one."""
    from grader.tables.student_directory import identifier_key

    key = identifier_key(identifier)
    listed = (each for each in students if identifier_key(each.identifier) == key)
    student = spares.find(identifier) or next(listed, None)
    if student is None:
        hint = "Add --roster TABLE, a class list with this student, or --table with the column name."
        refuse(f"There is no student {printable(identifier, 60)!r}.", hint)
    return student


def _read_table(
    spares: "SparePapers", path: Path, students: "Sequence[Student]"
) -> "dict[str, Student | None]":
    """Read the assignments of a table: the columns variant and id, and name for students who are new.

    A row without an id takes its paper back (None). Refuse a table without these columns.
    """
    from grader.tables.readers import read_table
    from grader.tables.student_directory import Student, unprotect_cell

    assignments: dict[str, Student | None] = {}
    with refusing(f"{path} cannot be used", TableError, OSError):
        read = read_table(path)
        rows = list(read.rows())
    names = [name.strip().casefold() for name in read.columns]
    if not {"variant", "id"} <= set(names):
        refuse(
            f"{path} does not have the columns variant and id.", "Its first line should be: variant,id,name"
        )
    for row in rows:
        cells = dict(zip(names, map(unprotect_cell, names, row.cells), strict=False))
        code, identifier, name = (cells.get(column, "") for column in ("variant", "id", "name"))
        if not code:
            continue
        if not identifier:
            assignments[code] = None
        elif name and spares.find(identifier) is None:
            assignments[code] = Student(identifier, name, cells.get("email", ""))
        else:
            assignments[code] = _find_student(spares, identifier, students)
    return assignments
