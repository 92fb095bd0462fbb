"""How points are rounded and graded, as commands are told it."""

from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import printable, refuse

if TYPE_CHECKING:
    from grader.base.numbers import Number
    from grader.grading.exam_keys import ExamKeys
    from grader.grading.scale import Scale


def read_step(said: str | None) -> "Number | None":
    """The points that an export is rounded to multiples of; refuses what are none."""
    from grader.base.numbers import NumeralError, read_number

    if said is None:
        return None
    try:
        step = read_number(said.strip().replace(",", "."))
    except NumeralError as error:
        refuse(f"--step {printable(said, 40)!r} {error}.", "Write 0.5, or 1/4.")
    if step <= 0:
        refuse(f"--step {printable(said, 40)} is not above 0.", "Write 0.5, or 1/4.")
    return step


def read_scale_option(path: Path | None, exam_keys: "ExamKeys") -> "Scale | None":
    """The grades for totals; refuses a table that is no scale."""
    from grader.grading.scale import read_scale
    from grader.tables.readers import read_table

    if path is None:
        return None
    with refusing(f"{path} cannot be read", OSError):
        return read_scale(read_table(path), exam_keys.points)
