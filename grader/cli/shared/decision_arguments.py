"""Read decisions about replies from the command line: a single one, or a table of them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.shared.exam_folders import refuse_unknown_student
from grader.cli.shared.parameters import option
from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import printable, refuse

if TYPE_CHECKING:
    from grader.grading.decisions import Decision
    from grader.grading.exam_keys import ExamKeys
    from grader.grading.gradebook_store import Gradebook

DecidedStudent = Annotated[str | None, typer.Argument(help="As in the class list.")]
DecidedPart = Annotated[str | None, typer.Argument(help="The question part, such as 2a.")]
DecisionTable = Annotated[
    Path | None, option("CSV or XLSX with a row for each decision.", "--table", metavar="FILE")
]


def read_decision_arguments(
    book: "Gradebook",
    exam_keys: "ExamKeys",
    single: tuple[str | None, str | None, str | None],
    table: Path | None,
    column: str,
    reason: str = "",
) -> "tuple[Decision, ...]":
    """The decisions: `single` as (student, question, value), or a table with values in `column`.

    Without a column, decisions have no value.
    """
    from grader.grading.decisions import Decision, read_decisions
    from grader.grading.worklist import FILLED_IN, is_worklist, read_worklist
    from grader.tables.readers import read_table

    student, question, value = single
    if table is not None:
        if single != (None, None, None):
            refuse("--table decides for all its students.", "Name one student, or a table.")
        with refusing(f"{table} cannot be read", OSError):
            rows = read_table(table)
            if column == FILLED_IN and is_worklist(rows):
                return read_worklist(rows, book, exam_keys)
            return read_decisions(rows, book, exam_keys, column, reason)
    if not column and value is not None:
        refuse(f"{printable(value, 60)!r} is one argument too many.", "Write STUDENT QUESTION.")
    if student is None or question is None or (column and value is None):
        columns = f"STUDENT QUESTION {column.upper()}".strip()
        refuse(
            "The decision is incomplete.",
            f"Write {columns}, or use a table with these columns: --table FILE.",
        )
    refuse_unknown_student(book, exam_keys, student)
    return (Decision(student, question, value or "", reason),)
