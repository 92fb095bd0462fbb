"""What a person decides of replies: one decision for a student and a part, many as the rows of a table."""

from dataclasses import dataclass

from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook_store import Gradebook
from grader.tables.columns import match_student_columns
from grader.tables.formulas import unguard_formula
from grader.tables.rows import ClassTable, TableError
from grader.tables.student_directory import RowOwner, StudentDirectory


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decides of one student's reply to one part.

    - `value`: the points, or how the reply is to be read.
    - `place`: the row of a table that says so; empty for a decision of its own.
    """

    student: str
    question: str
    value: str
    reason: str = ""
    place: str = ""


class DecisionError(ValueError):
    """Decisions of which none was taken, because of these faults."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


def read_decisions(
    table: ClassTable, book: Gradebook, exam_keys: ExamKeys, said: str, reason: str = ""
) -> tuple[Decision, ...]:
    """The decisions in a table: columns for the student, the `question`, and what is `said`, by these names.

    `reason` holds where a column of that name says nothing.
    Raises `TableError` for a table without these columns, `DecisionError` for rows that are nobody's.
    """
    columns = match_student_columns(table)
    named = {name.casefold(): place for place, name in enumerate(table.columns)}
    for name in ("question", said):
        if name not in named:
            shown = ", ".join(column[:40] for column in table.columns[:12])
            raise TableError(
                f"no column of {table.name} is called {name!r}; the columns are {shown}",
                f"A table of decisions has the columns student, question and {said}.",
            )
    directory, decisions, faults = (
        StudentDirectory(exam_keys.roster, book.row_owners()),
        list[Decision](),
        list[str](),
    )
    for row in table.rows():
        owner = RowOwner("", "", why=row.fault) if row.fault else directory.find(row.cells, columns)
        if not owner.student:
            who = f"{owner.as_written[:60]!r}: " if owner.as_written else ""
            faults.append(f"{row.place}: {who}{owner.why}")
            continue
        cells = {name: unguard_formula(row.cells[at]) for name, at in named.items()}
        question, own = cells["question"].strip(), cells.get("reason", "").strip()
        decisions.append(Decision(owner.student, question, cells[said], own or reason, row.place))
    if faults:
        raise DecisionError(*faults)
    return tuple(decisions)
