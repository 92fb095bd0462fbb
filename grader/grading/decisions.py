"""What a person decides of replies: one decision for a student and a part, many as the rows of a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook import Gradebook
from grader.tables.columns import who_columns
from grader.tables.formulas import unguarded
from grader.tables.rows import ClassTable, TableError
from grader.tables.whose_row import Directory


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decides of one student's reply to one part.

    - `said`: the points, or how the reply is to be read.
    - `place`: the row of a table that says so; empty for a decision of its own.
    """

    student: str
    question: str
    said: str
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
    columns = who_columns(table)
    named = {name.casefold(): place for place, name in enumerate(table.columns)}
    for name in ("question", said):
        if name not in named:
            shown = ", ".join(column[:40] for column in table.columns[:12])
            raise TableError(
                f"no column of {table.name} is called {name!r}; the columns are {shown}",
                f"A table of decisions has the columns student, question and {said}.",
            )
    directory, decisions, faults = Directory(exam_keys.roster, book.same()), list[Decision](), list[str]()
    for row in table.rows():
        owner = None if row.wrong else directory.find(row.cells, columns)
        if owner is None or not owner.student:
            faults.append(f"{row.place}: {row.wrong or (owner and _nobody(owner.said, owner.why))}")
            continue
        decisions.append(_decision(row.cells, row.place, owner.student, named, said, reason))
    if faults:
        raise DecisionError(*faults)
    return tuple(decisions)


def _nobody(said: str, why: str) -> str:
    return f"{said[:60]!r}: {why}" if said else why


def _decision(
    cells: Sequence[str], place: str, student: str, named: Mapping[str, int], said: str, reason: str
) -> Decision:
    """The decision in a row of a known student."""
    own = unguarded(cells[named["reason"]]).strip() if "reason" in named else ""
    question = unguarded(cells[named["question"]]).strip()
    return Decision(student, question, unguarded(cells[named[said]]), own or reason, place)
