"""The gradebook for other programs; points are rounded here and nowhere else."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from grader.base.numbers import Number, write_number
from grader.base.phrases import ENGLISH, Language
from grader.base.safe_text import readable
from grader.grading.exam_keys import ExamKeys
from grader.grading.results import Blank, Result
from grader.marking import State, read_mark
from grader.tables.formulas import LONGEST, guarded


@dataclass(frozen=True, slots=True)
class Rounding:
    """Points are rounded to so many decimals, halves up; every cell by itself, a total from exact points.

    Programs read them with the decimal point that the spelling has when nobody changes it.
    """

    decimals: int = 2
    blank: Blank = "zero"
    language: Language = ENGLISH

    def text(self, points: Number | None) -> str:
        """The rounded points; empty where there are none."""
        return "" if points is None else self.language.points(points, self.decimals)

    @property
    def stated(self) -> str:
        """The rule in whole sentences."""
        say = self.language.say
        rule = say(
            "Points are rounded to {count} decimal, halves up, each cell by itself.",
            "Points are rounded to {count} decimals, halves up, each cell by itself.",
            self.decimals,
        )
        blank = (
            say("A blank reply has 0 points.")
            if self.blank == "zero"
            else say("A blank reply has no points.")
        )
        return f"{rule} {blank}"


def csv_export(exam_keys: ExamKeys, found: Iterable[Result], rounding: Rounding) -> bytes:
    """A row for each student: who, which variant, the points of every part, the total, what is unresolved."""
    names = [part.name for part in exam_keys.parts]
    header = ["id", "name", "email", "variant", *names, "total", "maximum", "unresolved"]
    rows = []
    for result in found:
        unresolved = [
            f"{standing.question} {_called(standing.state)}" for standing in result.unresolved(rounding.blank)
        ]
        student = result.student
        rows.append(
            [
                *map(guarded, (student.identifier, student.name, student.email, result.sat)),
                *map(rounding.text, result.points(rounding.blank)),
                rounding.text(result.total(rounding.blank)),
                rounding.text(exam_keys.points),
                guarded("; ".join(unresolved)),
            ]
        )
    return _table([[guarded(name) for name in header], *rows])


def moodle_export(exam_keys: ExamKeys, found: Iterable[Result], rounding: Rounding) -> bytes:
    """For Grades > Import > CSV: students by address, one item for each part and one for all."""
    title = readable(exam_keys.title, 200)
    items = [f"{title}: {part.name}" for part in exam_keys.parts]
    rows = [["ID number", "Email address", *map(guarded, (*items, f"{title}: total"))]]
    for result in found:
        points = map(rounding.text, (*result.points(rounding.blank), result.total(rounding.blank)))
        rows.append([guarded(result.student.identifier), guarded(result.student.email), *points])
    return _table(rows)


def canvas_export(exam_keys: ExamKeys, found: Iterable[Result], rounding: Rounding) -> bytes:
    """For Grades > Import: Canvas's own columns, the points possible, one assignment with the total."""
    title = readable(exam_keys.title, 200)
    possible = ["    Points Possible", "", "", "", "", rounding.text(exam_keys.points)]
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", guarded(title)], possible]
    for result in found:
        student = result.student
        texts = (student.name, student.lms, student.identifier, student.login, student.section)
        rows.append([*map(guarded, texts), rounding.text(result.total(rounding.blank))])
    return _table(rows)


def gradescope_export(exam_keys: ExamKeys, found: Iterable[Result], rounding: Rounding) -> bytes:
    """What `results.json` of an autograder says, for every student under the address or the identifier."""
    records = {}
    for result in found:
        points = result.points(rounding.blank)
        total = result.total(rounding.blank)
        tests = [
            {
                "name": readable(f"{part.name} {part.title}".strip(), 200),
                "max_score": Raw(rounding.text(part.points)),
                **({} if each is None else {"score": Raw(rounding.text(each))}),
                "output": _called(standing.state),
                "output_format": "text",
                "visibility": "after_published",
            }
            for part, standing, each in zip(exam_keys.parts, result.standings, points, strict=True)
        ]
        score = {} if total is None else {"score": Raw(rounding.text(total))}
        records[_plain(result.student.email or result.student.identifier)] = {
            **score,
            "visibility": "after_published",
            "tests": tests,
        }
    return _json({"schema": 1, "results": records})


def json_export(exam_keys: ExamKeys, found: Iterable[Result], rounding: Rounding) -> bytes:
    """Everything: exact points and rounded ones, states, what was understood, notes, hashes."""
    students = []
    for result in found:
        parts = []
        for standing, points in zip(result.standings, result.points(rounding.blank), strict=True):
            entry = standing.entry
            mark = None if entry is None else read_mark(entry.content)
            parts.append(
                {
                    "question": standing.question,
                    "state": None if standing.state is None else standing.state.value,
                    "points": None if points is None else write_number(points),
                    "rounded": rounding.text(points) or None,
                    "maximum": None if entry is None else write_number(entry.maximum),
                    "late": standing.submission is not None and standing.submission.late,
                    "maker": None if entry is None else entry.maker,
                    "reason": "" if entry is None else _plain(entry.reason),
                    "message": _plain(standing.message),
                    "understood": "" if mark is None else _plain(mark.understood),
                    "notes": [] if mark is None else [note.code for note in mark.notes],
                    "follow_through": "0" if mark is None else write_number(mark.follow_through),
                    "key": None if entry is None else entry.key,
                    "policy": None if entry is None else entry.policy,
                    "program": None if entry is None else entry.program,
                    "basis": None if entry is None else entry.basis,
                }
            )
        total = result.total(rounding.blank)
        student = result.student
        students.append(
            {
                "id": _plain(student.identifier),
                "name": _plain(student.name),
                "email": _plain(student.email),
                "variant": result.sat,
                "questions": parts,
                "total": None if total is None else write_number(total),
                "rounded": rounding.text(total) or None,
            }
        )
    record = {
        "schema": 1,
        "title": _plain(exam_keys.title),
        "maximum": write_number(exam_keys.points),
        "rounding": rounding.stated,
        "students": students,
    }
    return _json(record)


def _plain(text: str) -> str:
    return readable(text, LONGEST)


def _called(state: State | None) -> str:
    return "waiting" if state is None else state.value


def _table(rows: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode("utf-8-sig")


class Raw(str):
    """A number as it is to stand in JSON."""

    __slots__ = ()


def _json(record: dict[str, Any]) -> bytes:
    return (json.dumps(_numbered(record), indent=1) + "\n").encode()


def _numbered(value: Any) -> Any:
    """Rounded points as JSON numbers: an exact decimal has one."""
    if isinstance(value, Raw):
        return json.loads(value)
    if isinstance(value, dict):
        return {name: _numbered(each) for name, each in value.items()}
    return [_numbered(each) for each in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Export:
    """A format in which the gradebook leaves the program."""

    name: str
    suffix: str
    write: Callable[[ExamKeys, Iterable[Result], Rounding], bytes]
    hint: str = ""


POINT_EXPORTS = (
    Export("csv", ".csv", csv_export),
    Export(
        "moodle",
        ".csv",
        moodle_export,
        "Moodle gives a new grade item the maximum 100; make the items with their own maximum first.",
    ),
    Export(
        "canvas",
        ".csv",
        canvas_export,
        "Canvas finds an assignment by its number; write it behind the title, as in 'Midterm (123)'.",
    ),
    Export("gradescope", ".json", gradescope_export),
    Export("json", ".json", json_export),
)
"""Every format; another one is one function and one line here."""
