"""Marks what platforms hand over as plain data: a Gradescope submission, the answers in PrairieLearn."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from grader.base.canonical_json import canonical_json
from grader.base.catalogues import OwnCatalogue
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, paragraph
from grader.base.safe_text import safe_line
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.feedback import SEVERAL_NOTES, Feedback
from grader.exercises.follow_through import apply_follow_through
from grader.exercises.marking import Mark, Marker, State
from grader.grading.class_marking import mark_units
from grader.grading.exam_keys import ExamKeys, ExamKeysError, read_exam_keys
from grader.grading.executors import executor_named
from grader.grading.records import Entry
from grader.grading.shards import PartReply, Unit
from grader.grading.student_units import StudentUnit
from grader.tables.rows import Row, TableError
from grader.tables.text_submissions import in_folder, read_text_file, read_text_submissions
from grader.trees.notation.diagnostics import Diagnostics

SUFFIXES = (".txt", ".md", ".tree")
"""How the file with the answers may end."""

MAX_COMMENT_LENGTH = 2000
"""The most characters of what is said about one answer."""


class AutogradingError(ValueError):
    """A submission that cannot be marked at all, and for which there must be no score."""


def grade_submission(folder: Path, metadata: Any, submission: Path) -> dict[str, Any]:
    """What Gradescope wants to know of a submission, as the JSON value for `results.json`.

    `folder` is that of the exam, `metadata` the content of `submission_metadata.json`, `submission`
    the folder with what was handed in. The student is the one with the address (or the student
    number) that Gradescope knows, whoever else a file may name; without a class list it is anybody.

    What was read is shown at once; points and reasons when the grades are published. A blank answer
    has no points; one that cannot be read has no score at all, because a score would be a guess.
    Raises `AutogradingError` when nobody can be told to have handed this in, or a key is broken.
    """
    try:
        exam_keys = read_exam_keys(folder)
    except (OSError, ExamKeysError) as error:
        raise AutogradingError(f"the exam cannot be read: {error}") from None
    code = _variant(exam_keys, metadata)
    say, tests = exam_keys.language.say, list[dict[str, Any]]()
    output = say("Variant {code}.", code=code)
    replies, wrong = _replies(exam_keys, submission)
    if wrong:
        output = paragraph(output, say("Nothing was marked: {reason}.", reason=wrong))
        unread = {"name": say("Reading"), "score": 0, "max_score": 0, "status": "failed", "output": wrong}
        tests.append(unread)
    marks = {} if wrong else _graded(exam_keys, code, replies)
    for question in exam_keys.variants[code] if marks else ():
        for key in question.parts:
            title, mark = f"{key.part} {question.title}".strip(), marks[key.part]
            tests += _tests(key.part, title, key.exercise, mark, exam_keys.language)
    return {"output": output, "output_format": "text", "stdout_visibility": "hidden", "tests": tests}


def _variant(exam_keys: ExamKeys, metadata: Any) -> str:
    """The variant of whoever handed this in; of a group, all need the same."""
    if exam_keys.roster is None:
        return exam_keys.open_variant
    users = metadata.get("users") if isinstance(metadata, dict) else None
    if not isinstance(users, list) or not users:
        raise AutogradingError("the metadata name no student")
    codes = set()
    for user in users:
        known = _known(exam_keys, user if isinstance(user, dict) else {})
        codes.add(exam_keys.variant_of(known))
    if len(codes) > 1:
        raise AutogradingError("the students of this group have different variants")
    return codes.pop()


def _known(exam_keys: ExamKeys, user: Mapping[str, Any]) -> str:
    """The identifier of a student, by address or by student number. Raises `AutogradingError`."""
    email, number = str(user.get("email") or "").casefold(), str(user.get("sid") or "")
    roster = exam_keys.roster or ()
    found = [each for each in roster if email and email in (each.email.casefold(), each.login.casefold())]
    found = found or [each for each in roster if number and number == each.identifier]
    if len(found) != 1:
        who = safe_line(email or number or "a student without an address", 100)
        raise AutogradingError(f"{who} is not on the class list")
    return found[0].identifier


def _replies(exam_keys: ExamKeys, submission: Path) -> tuple[dict[str, str], str]:
    """The replies by part, and what is wrong with the file that should hold them, if anything is."""
    term = exam_keys.language.term
    # A link could lead to the keys, and is no file here; nor is what a Mac packs beside every file.
    files = [opened for name, opened in in_folder(submission) if Path(name).suffix.lower() in SUFFIXES]
    if len(files) != 1:
        asked = Phrase("hand in one text file, its name ending in .txt; there are {count}")
        return {}, term(asked, count=len(files))
    try:
        text = read_text_file(files[0])
    except TableError as error:
        return {}, str(error)

    def sheet(lead: str) -> list[Row]:
        data = partial(BytesIO, (lead + text).encode())
        return list(read_text_submissions(lambda _: iter([("me", data)]), submission, exam_keys.parts).rows())

    for lead in ("", "student: me\n"):  # a file of one student need not say whose it is
        rows = sheet(lead)
        if len(rows) == 1 and not rows[0].fault:
            return dict(zip(exam_keys.labels, rows[0].cells[3:], strict=True)), ""
    why = "; ".join(row.fault for row in rows if row.fault)
    return {}, safe_line(why or term("there are several students in the file"), MAX_COMMENT_LENGTH)


def _graded(exam_keys: ExamKeys, code: str, replies: Mapping[str, str]) -> dict[str, Mark]:
    """The mark of every part, made as a class is marked: what fails is ERROR, and costs nobody else."""
    handed = (
        StudentUnit("", Unit(code, question.label, said), (0,) * len(said))
        for question in exam_keys.variants[code]
        for said in (tuple(PartReply(key.part, replies[key.part]) for key in question.parts),)
    )
    entries: list[Entry] = []
    mark_units(handed, len(replies), exam_keys, executor_named("here", 1), entries.extend, 1)
    return {entry.question: entry.mark for entry in entries}


def _exercise(text: str, own: OwnCatalogue | None = None) -> Exercise:
    exercise = read_exercise(text, own)
    if isinstance(exercise, Diagnostics):
        raise AutogradingError(f"a key cannot be read: {exercise.items[0].message}")
    return exercise


def _tests(number: str, title: str, key: str, mark: Mark, language: Language) -> Iterator[dict[str, Any]]:
    """Two entries of a part: how it was read, for all to see at once, and what it is worth, for later.

    Of what could not be marked only the staff learns why: an error may quote a key.
    """
    failed = mark.state is State.ERROR
    exercise = None if failed else _exercise(key, language.own)
    yield {
        "name": language.say("{title}: reading", title=title),
        "number": number,
        "score": 0,
        "max_score": 0,
        "status": "passed" if mark.state is State.GRADED else "failed",
        "output": safe_line(_reading(language, mark), MAX_COMMENT_LENGTH),
        "output_format": "text",
        "visibility": "visible",
    }
    worth: dict[str, Any] = {
        "name": title,
        "number": number,
        "max_score": to_platform_float(mark.maximum),
        "output": safe_line(
            mark.message if exercise is None else _reasons(exercise, mark), MAX_COMMENT_LENGTH
        ),
        "output_format": "text",
        "visibility": "hidden" if failed else "after_published",
        "extra_data": {"state": mark.state.value, "notes": [note.code for note in mark.notes]},
    }
    points = 0 if mark.state is State.BLANK else mark.points
    if points is not None:
        worth["score"] = to_platform_float(points)
    yield worth


def _reading(language: Language, mark: Mark) -> str:
    say = language.say
    match mark.state:
        case State.GRADED:
            return say("Read as: {answer}", answer=language.reply(mark.understood))
        case State.BLANK:
            return say("No answer.")
        case State.ERROR:
            return say("This could not be marked, through no fault of the answer. Your teacher sees why.")
        case _:
            unread = say("This cannot be read, so it is not marked yet. Hand it in again.")
            return paragraph(unread, mark.message)


def _reasons(exercise: Exercise, mark: Mark) -> str:
    """The points and, where some are lost, why."""
    language = exercise.public.terms.language
    if mark.points is None:
        return language.say("No answer.") if mark.state is State.BLANK else mark.message
    points, maximum = language.points(mark.points), language.points(mark.maximum)
    earned = language.say("{points} of {maximum}.", points=points, maximum=maximum)
    if mark.points >= mark.maximum:
        return earned
    feedback = Feedback(exercise)
    unsure = language.say(SEVERAL_NOTES) if len(mark.notes) > 1 else ""
    return paragraph(*filter(None, (earned, *feedback.sentences(mark), unsure, *feedback.diagnosis(mark))))


def to_platform_float(value: Number) -> float:
    """A number for a platform that knows floats only, to four decimals."""
    return round(Fraction(value) * 10**4) / 10**4


# PrairieLearn -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class VariantPool:
    """The variants of one question in PrairieLearn, as `variants.json` holds them.

    `data` is the record that PrairieLearn hands from step to step, and that a step changes.
    """

    variants: tuple[Mapping[str, Any], ...]

    @classmethod
    def read(cls, path: Path) -> "VariantPool":
        """The pool in a file that this program wrote."""
        return cls(tuple(json.loads(path.read_text(encoding="utf-8"))))

    def draw(self, data: dict[str, Any]) -> None:
        """Choose a variant by the seed; what students may see of it goes into `params`."""
        index = int(data["variant_seed"]) % len(self.variants)
        variant = self.variants[index]
        data["params"] |= variant["params"] | {"index": index}
        parts = variant["params"]["parts"]
        for part, record in zip(parts, variant["exercises"], strict=True):
            data["correct_answers"][part["name"]] = _exercise(canonical_json(record)).printed_key

    def parse(self, data: dict[str, Any]) -> None:
        """Say what is wrong with answers that cannot be read."""
        for name, _, mark in self._marked(data):
            if mark.state not in (State.GRADED, State.BLANK):
                data["format_errors"][name] = safe_line(mark.message, MAX_COMMENT_LENGTH)

    def grade(self, data: dict[str, Any]) -> None:
        """Give every part its share of the points, and the question the sum."""
        earned, full = Fraction(0), Fraction(0)
        feedback = []
        for name, exercise, mark in self._marked(data):
            points = Fraction(mark.points or 0)
            data["partial_scores"][name] = {
                "score": to_platform_float(points / mark.maximum),
                "weight": to_platform_float(mark.maximum),
            }
            feedback.append(safe_line(_reasons(exercise, mark), MAX_COMMENT_LENGTH))
            earned, full = earned + points, full + mark.maximum
        data["feedback"]["parts"] = feedback
        data["score"] = to_platform_float(earned / full)

    def _marked(self, data: Mapping[str, Any]) -> Iterator[tuple[str, Exercise, Mark]]:
        """The name, the exercise and the mark of every part."""
        variant = self.variants[data["params"]["index"]]
        earlier: list[tuple[Exercise, Any]] = []
        for part, record in zip(variant["params"]["parts"], variant["exercises"], strict=True):
            exercise = _exercise(canonical_json(record))
            mark, answer, _ = Marker(exercise).mark_with_answer(
                str(data["submitted_answers"].get(part["name"]) or "")
            )
            if variant["follow_through"]:
                mark = apply_follow_through(exercise, mark, answer, earlier)
                earlier.append((exercise, answer))
            yield part["name"], exercise, mark
