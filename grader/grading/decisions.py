"""Decisions of a person about replies: one for a student and a part, or many as the rows of a table."""

from dataclasses import dataclass, field

from grader.base.phrases import ENGLISH
from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook_store import Gradebook
from grader.tables.columns import match_student_columns
from grader.tables.formulas import unguard_formula
from grader.tables.rows import ClassTable, TableError
from grader.tables.student_directory import RowOwner, StudentDirectory


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's decision about one student's reply to one part.

    - `value`: the points, or the reply as the person reads it.
    - `variant`: the variant that the reply answers; empty for that of the reply that counts.
    - `place`: the row of the table that it comes from; empty for a single decision.
    - `is_reading`: whether the value is a reading that was offered, not typed: then it is the whole reply.
    """

    student: str
    question: str
    value: str
    reason: str = ""
    place: str = ""
    variant: str = ""
    is_reading: bool = field(default=False, kw_only=True)


class DecisionError(ValueError):
    """Decisions that were all refused because of these faults."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


def read_decisions(
    table: ClassTable, book: Gradebook, exam_keys: ExamKeys, value_column: str, reason: str
) -> tuple[Decision, ...]:
    """Read the decisions in a table with columns for the student, the `question` and perhaps a value.

    - `value_column`: the column with the value, such as `points`; empty for decisions without one.
    - `reason`: used for rows without text in a column of that name.

    Raises `TableError` for a table without these columns, `DecisionError` for rows that belong to no student.
    """
    columns = match_student_columns(table)
    place_by_name = {name.casefold(): place for place, name in enumerate(table.columns)}
    needed = ("question", value_column) if value_column else ("question",)
    for name in needed:
        if name not in place_by_name:
            columns_listed = ", ".join(column[:40] for column in table.columns[:12])
            raise TableError(
                f"no column of {table.name} is called {name!r}; the columns are {columns_listed}",
                f"A table of decisions has the columns {ENGLISH.join_and(['student', *needed])}.",
            )
    directory = StudentDirectory(exam_keys.roster, book.row_owners())
    decisions, faults = list[Decision](), list[str]()
    for row in table.rows():
        owner = RowOwner("", "", why=row.fault) if row.fault else directory.find(row.cells, columns)
        if not owner.student:
            written_name = f"{owner.as_written[:60]!r}: " if owner.as_written else ""
            faults.append(f"{row.place}: {written_name}{owner.why}")
            continue
        cells = {name: unguard_formula(row.cells[at]) for name, at in place_by_name.items()}
        question, own = cells["question"].strip(), cells.get("reason", "").strip()
        value = cells[value_column] if value_column else ""
        decisions.append(Decision(owner.student, question, value, own or reason, row.place))
    if faults:
        raise DecisionError(*faults)
    return tuple(decisions)
