"""The table of all marks: one line for each student, at most as wide as the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from grader.base.line_wrapping import display_width
from grader.base.numbers import Number
from grader.cli.shared.text_layout import shorten_line, terminal_width

if TYPE_CHECKING:
    from grader.grading.exam_keys import ExamKeys
    from grader.grading.gradebook_exports import Rounding
    from grader.grading.results import Result

MAX_NAME_COLUMNS, MIN_NAME_COLUMNS = 24, 8
"""The columns that an identifier or name may have, and that a name has at least."""

STATE_CODES: Mapping[str, str] = {
    "BLANK": "b",
    "UNPARSEABLE": "u",
    "AMBIGUOUS": "a",
    "MISSING": "m",
    "ERROR": "e",
    "waiting": "w",
}
"""The letter for the state of a part where its name does not fit."""

POINTS_CODES: Mapping[str, str] = {"all points": "*", "some": "+", "no points": "0"}
"""The sign for the points of a part where they do not fit."""


@dataclass(frozen=True, slots=True)
class _Question:
    """The columns of a question: the names of its parts, and the texts of each, student by student.

    `codes` has one text for each student, with a sign for each part; it replaces the texts if `is_coded`.
    """

    label: str
    names: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]
    codes: tuple[str, ...]
    is_coded: bool = False

    @property
    def columns(self) -> list[tuple[str, ...]]:
        """The columns as they are printed, each with its heading."""
        if self.is_coded:
            return [(self.label, *self.codes)]
        return [(name, *texts) for name, texts in zip(self.names, self.texts, strict=True)]

    @property
    def width(self) -> int:
        """The width in characters, with the blanks before it."""
        return sum(2 + max(map(len, column)) for column in self.columns)


def grade_table_lines(results: Sequence["Result"], exam_keys: "ExamKeys", rounding: "Rounding") -> list[str]:
    """Return the lines of the table, and one that explains its codes, if there are any.

    While it is wider than the terminal:

    1. States become letters.
    2. The widest questions become codes, a sign for each part, one question after the other.
    3. Names are shortened, and then left out.
    4. The codes of all questions become one column.
    """
    students = [shorten_line(result.student.identifier, MAX_NAME_COLUMNS) for result in results]
    names = [shorten_line(result.student.name, MAX_NAME_COLUMNS) for result in results]
    short_names = [shorten_line(name, MIN_NAME_COLUMNS) for name in names]
    totals = [rounding.format_points(rounding.total(result)) or "-" for result in results]

    def lines(questions: Sequence[_Question], shown_names: Sequence[str]) -> list[str]:
        lead = [("student", *students), *([("name", *shown_names)] if shown_names else [])]
        columns = [*lead, *(column for each in questions for column in each.columns), ("total", *totals)]
        return _align(columns)

    questions = _questions(results, exam_keys, rounding, are_states_coded=False)
    table = lines(questions, names)
    if _fits(table):
        return table
    questions = _questions(results, exam_keys, rounding, are_states_coded=True)
    table = lines(questions, names)
    while not _fits(table) and not all(each.is_coded for each in questions):
        widest = max((each for each in questions if not each.is_coded), key=lambda each: each.width)
        questions[questions.index(widest)] = replace(widest, is_coded=True)
        table = lines(questions, names)
    for fewer in (short_names, []):
        table = table if _fits(table) else lines(questions, fewer)
    if not _fits(table):
        label = f"{questions[0].label}-{questions[-1].label}"
        codes = tuple(map("".join, zip(*(each.codes for each in questions), strict=True)))
        questions = [_Question(label, (), (), codes, is_coded=True)]
        table = lines(questions, [])
    return [*table, *_legend(questions)]


def _align(columns: Sequence[Sequence[str]]) -> list[str]:
    """Lay out columns side by side as lines; wide characters count as two."""
    aligned = []
    for texts in columns:
        width = max(map(display_width, texts))
        aligned.append([text + " " * (width - display_width(text)) for text in texts])
    return ["  ".join(row).rstrip() for row in zip(*aligned, strict=True)]


def _fits(table: Sequence[str]) -> bool:
    return max(map(display_width, table)) <= terminal_width()


def _legend(questions: Sequence[_Question]) -> list[str]:
    """Return the line that explains the codes that occur; none if there are none."""
    coded = {sign for each in questions if each.is_coded for codes in each.codes for sign in codes}
    letters = {text for each in questions if not each.is_coded for texts in each.texts for text in texts}
    meanings = [f"{sign} {name}" for name, sign in POINTS_CODES.items() if sign in coded]
    meanings += [f"{sign} {name}" for name, sign in STATE_CODES.items() if sign in coded | letters]
    return [", ".join(meanings)] if meanings else []


def _questions(
    results: Sequence["Result"], exam_keys: "ExamKeys", rounding: "Rounding", *, are_states_coded: bool
) -> list[_Question]:
    """Return the columns of every question, with states as words or as letters."""
    points = [rounding.points(result) for result in results]
    questions = []
    for label, parts in groupby(enumerate(exam_keys.parts), lambda pair: pair[1].question):
        names, texts, signs = [], [], []
        for place, part in parts:
            names.append(part.name)
            states = [result.standings[place].state_label for result in results]
            points_of_part = [points_of_student[place] for points_of_student in points]
            texts.append(
                tuple(
                    rounding.format_points(each) or (STATE_CODES[state] if are_states_coded else state)
                    for each, state in zip(points_of_part, states, strict=True)
                )
            )
            signs.append([_sign(*each, part.points) for each in zip(points_of_part, states, strict=True)])
        codes = tuple(map("".join, zip(*signs, strict=True)))
        questions.append(_Question(label, tuple(names), tuple(texts), codes))
    return questions


def _sign(points: Number | None, state: str, full: Number) -> str:
    """Return the sign for the points of a part, or for its state."""
    if points is None or state == "BLANK":
        return STATE_CODES[state]
    return POINTS_CODES["no points" if not points else "all points" if points == full else "some"]
