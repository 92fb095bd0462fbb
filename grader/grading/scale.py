"""From points to grades, by a table with the least points for each grade."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.base.numbers import Number, NumeralError, read_number
from grader.tables.formulas import unguard_formula
from grader.tables.rows import ClassTable, TableError

MAX_GRADE_LENGTH = 40
"""The most characters of a grade."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Grades with the least points for each, the most points first; the last is for 0 points."""

    steps: tuple[tuple[Number, str], ...]

    def grade(self, points: Number) -> str:
        """Return the grade for a number of points."""
        return next(grade for least, grade in self.steps if points >= least)


def read_scale(table: ClassTable, maximum: Number) -> Scale:
    """Read a scale from a table with the columns `points` (`17.5`, or `85%` of the full mark) and `grade`.

    Raises `TableError` with every unusable line, and for a scale without a grade for 0 points.
    """
    names = {word: name for name, words in _COLUMN_NAMES.items() for word in words}
    place_by_name = {names.get(name.casefold(), ""): place for place, name in enumerate(table.columns)}
    for name in _COLUMN_NAMES:
        if name not in place_by_name:
            raise TableError(
                f"no column of {table.name} is called {name!r}",
                "A scale has two columns: grade, and points, the least that earn the grade.",
            )
    steps, faults = dict[Number, str](), list[str]()
    for row in table.rows():
        try:
            if row.fault:
                raise _UnusableError(row.fault)
            least, grade = _step(row.cells, place_by_name["points"], place_by_name["grade"], maximum)
            if least in steps:
                raise _UnusableError("these points already have a grade")
            steps[least] = grade
        except (_UnusableError, NumeralError) as error:
            faults.append(f"{row.place}: {error}")
    if faults:
        raise TableError(f"{table.name} is not a scale: {'; '.join(faults)}")
    if 0 not in steps:
        raise TableError(f"{table.name} has no grade for 0 points", "Add a line with 0 and the lowest grade.")
    return Scale(tuple(sorted(steps.items(), reverse=True)))


_COLUMN_NAMES = {
    "points": ("points", "punkte", "puntos", "punti", "pontos", "punten", "分数"),
    "grade": ("grade", "note", "nota", "voto", "cijfer", "成绩"),
}
"""The names of the two columns, in several languages."""


class _UnusableError(ValueError):
    """A line that cannot be used; the message says why."""


def _step(cells: Sequence[str], points: int, grade: int, maximum: Number) -> tuple[Number, str]:
    """Read the points and the grade of one line; points may be a percentage of `maximum`.

    Raises `_UnusableError` for a missing or long grade and points out of range, `NumeralError`.
    """
    points_text, grade_text = unguard_formula(cells[points]).strip(), unguard_formula(cells[grade]).strip()
    if not grade_text or len(grade_text) > MAX_GRADE_LENGTH:
        raise _UnusableError(f"a grade has between 1 and {MAX_GRADE_LENGTH} characters")
    least = read_number(points_text.removesuffix("%").strip().replace(",", "."))
    if points_text.endswith("%"):
        least = Fraction(least) * Fraction(maximum) / 100
    if not 0 <= least <= maximum:
        raise _UnusableError(f"{points_text[:40]} is not between 0 and the full mark")
    return least, grade_text
