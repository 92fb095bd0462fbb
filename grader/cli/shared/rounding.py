"""Read the options about rounding and grades."""

from pathlib import Path
from typing import TYPE_CHECKING

from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import printable, refuse

if TYPE_CHECKING:
    from grader.base.numbers import Number
    from grader.grading.exam_keys import ExamKeys
    from grader.grading.scale import Scale


def read_step(text: str | None) -> "Number | None":
    """The step whose multiples an export is rounded to; refuse one that is not a positive number."""
    from grader.base.numbers import NumeralError, read_number

    if text is None:
        return None
    try:
        step = read_number(text.strip().replace(",", "."))
    except NumeralError as error:
        refuse(f"--step {printable(text, 40)!r} {error}.", "Write 0.5, or 1/4.")
    if step <= 0:
        refuse(f"--step {printable(text, 40)} is not above 0.", "Write 0.5, or 1/4.")
    return step


def read_scale_option(path: Path | None, exam_keys: "ExamKeys") -> "Scale | None":
    """The scale of grades in a table; refuse an unusable table."""
    from grader.grading.scale import read_scale
    from grader.tables.readers import read_table

    if path is None:
        return None
    with refusing(f"{path} cannot be read", OSError):
        return read_scale(read_table(path), exam_keys.points)
