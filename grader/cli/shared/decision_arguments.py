"""What a person decides of replies, as the commands are told it: one decision, or a table of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.shared.exam_folders import refuse_unknown_student, refusing_errors
from grader.cli.shared.parameters import option
from grader.cli.shared.sources import refusing_unreadable
from grader.cli.shared.terminal import format_count, printable, refuse, report_few

if TYPE_CHECKING:
    from grader.grading.decisions import Decision
    from grader.grading.exam_keys import ExamKeys
    from grader.grading.gradebook_store import Gradebook

DecidedStudent = Annotated[str | None, typer.Argument(help="As in the class list.")]
DecidedPart = Annotated[str | None, typer.Argument(help="The question part, such as 2a.")]
DecisionTable = Annotated[
    Path | None, option("CSV or XLSX with a row for each decision.", "--table", metavar="FILE")
]

MAX_LISTED_FAULTS = 20
"""So many faults are told one by one."""


def read_decision_arguments(
    book: "Gradebook",
    exam_keys: "ExamKeys",
    one: tuple[str | None, str | None, str | None],
    table: Path | None,
    said: str,
    why: str = "",
) -> "tuple[Decision, ...]":
    """What is decided: `one` thing for a student and a question, or the rows of a table."""
    from grader.grading.decisions import Decision, read_decisions
    from grader.tables.readers import read_table
    from grader.tables.rows import TableError

    student, question, what = one
    if table is not None:
        if one != (None, None, None):
            refuse("--table says of everybody what is decided.", "Say one student, or a table.")
        with refusing_unreadable(table), refusing_errors(TableError), refusing_decisions():
            return read_decisions(read_table(table), book, exam_keys, said, why)
    if student is None or question is None or what is None:
        ways = f"STUDENT QUESTION {said.upper()}"
        refuse("It is not said what is decided.", f"Say {ways}, or a table with these columns: --table FILE.")
    refuse_unknown_student(book, exam_keys, student)
    return (Decision(student, question, what, why),)


@contextmanager
def refusing_decisions() -> Iterator[None]:
    """Refuse decisions that cannot be taken, with every reason; nothing was decided then."""
    from grader.grading.decisions import DecisionError

    try:
        yield
    except DecisionError as error:
        if len(error.faults) == 1:
            refuse(f"{printable(error.faults[0], 600)}.")
        report_few(error.faults, lambda fault: printable(fault, 300), MAX_LISTED_FAULTS)
        refuse(f"Nothing was decided: {format_count(len(error.faults), 'decision')} cannot be taken.")
