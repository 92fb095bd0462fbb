"""The points of a class as a table for `gametree gradebook override`."""

import csv
import io
from collections.abc import Iterable

from grader.base.numbers import Number
from grader.base.phrases import ENGLISH, Language, paragraph
from grader.programs.records import program_points
from grader.programs.sentences import note_sentences, sentence_of
from grader.programs.submissions import student_of
from grader.programs.verdict import Verdict
from grader.tables.formulas import guard_formula


def points_table(
    verdicts: Iterable[Verdict], question: str, full: Number, language: Language = ENGLISH
) -> str:
    """Return a table in CSV with the columns student, question, points and reason.

    A program without a verdict has no row: its points are for a person to decide.
    """
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("student", "question", "points", "reason"))
    for verdict in verdicts:
        points = program_points(verdict, full)
        if points is not None:
            reason = paragraph(sentence_of(verdict, language), *note_sentences(verdict, language))
            cells = (student_of(verdict.name), question, language.points(points), reason)
            rows.writerow(map(guard_formula, cells))
    return text.getvalue()
