"""Numbers that are written by hand, one digit in each box: what they are, and whether they can occur."""

import re
from collections.abc import Mapping, Sequence

from grader.answers.form import Ambiguous, Malformed
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral
from grader.answers.paper_boxes import DIGIT_CELL, DIVIDER_CELL, SIGN_CELL, BoxGroup
from grader.exercises.exercise import PublicExercise
from grader.questions import kind_by_code

EMPTY = "empty"
"""The decision about a box with nothing in it."""

CELL_SIGNS: Mapping[str, str] = {SIGN_CELL: "-", DIVIDER_CELL: "/.,", DIGIT_CELL: "0123456789"}
"""The meaning of a box to write in -> what can be written in it."""

_NUMBER = re.compile(r" *(?P<whole>[0-9]+) *(?:(?P<divider>[/.,]) *(?P<rest>[0-9]+) *)?")


def number_in_cells(meanings: Sequence[str], signs: Sequence[str], decimal_comma: bool) -> str | None:
    """Return the number that the signs in boxes form, "" if all boxes are empty; None if they form none.

    `meanings` are those of the boxes. Boxes may be left empty before and after the digits on either side of
    the divider, but not between them.
    """
    if all(sign == EMPTY for sign in signs):
        return ""
    cells = list(zip(meanings, signs, strict=True))
    if any(meaning == SIGN_CELL and sign not in (EMPTY, "-") for meaning, sign in cells):
        return None
    text = "".join(" " if sign == EMPTY else sign for meaning, sign in cells if meaning != SIGN_CELL)
    number = _NUMBER.fullmatch(text)
    if number is None:
        return None
    minus = "-" if (SIGN_CELL, "-") in cells else ""
    divider = number["divider"] or ""
    if divider in (".", ","):
        divider = "," if decimal_comma else "."
    return f"{minus}{int(number['whole'])}{divider}{number['rest'] or ''}"


def is_possible(part: PublicExercise, group: BoxGroup, text: str) -> bool:
    """Return whether a text can be an entry of the question: it can be read, and the number can occur."""
    form = kind_by_code(part.kind).form
    if isinstance(form.read(group.prefix + text, part.tree, part.terms), Malformed | Ambiguous):
        return False
    number = NUMBER.read(text, part.tree, part.terms)
    return not isinstance(number, Numeral) or group.offered.allows(number.value)
