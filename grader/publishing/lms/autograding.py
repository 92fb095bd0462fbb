"""Mark submissions that platforms pass as plain data: those of Gradescope and PrairieLearn."""

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
"""The suffixes of a file with answers."""

MAX_COMMENT_LENGTH = 2000
"""The most characters of the comment on one answer."""


class AutogradingError(ValueError):
    """A submission that cannot be marked at all, and must get no score."""


class MetadataError(AutogradingError):
    """Metadata that name no student at all."""


def grade_submission(folder: Path, metadata: Any, submission: Path) -> dict[str, Any]:
    """Mark a submission to Gradescope; return the JSON value for `results.json`.

    `folder` is that of the exam, `metadata` the content of `submission_metadata.json`, `submission`
    the folder with the student's files. The student is the one with the address (or the student
    number) in the metadata, not the one a file may name; without a class list it is anybody.

    The reading is shown at once; points and reasons when the grades are published. A blank answer
    gets 0 points; one that cannot be read gets no score at all, because a score would be a guess.
    Raises `AutogradingError` if the student cannot be identified, or a key is broken.
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
        output = paragraph(output, say("Nothing was graded: {reason}.", reason=wrong))
        unread = {"name": say("Reading"), "score": 0, "max_score": 0, "status": "failed", "output": wrong}
        tests.append(unread)
    marks = {} if wrong else _grade_replies(exam_keys, code, replies)
    for question in exam_keys.variants[code] if marks else ():
        for key in question.parts:
            title, mark = f"{key.part} {question.title}".strip(), marks[key.part]
            tests += _tests(key.part, title, key.exercise, mark, exam_keys.language)
    return {"output": output, "output_format": "text", "stdout_visibility": "hidden", "tests": tests}


def unmarked_submission(reason: str) -> dict[str, Any]:
    """Return the JSON value for `results.json` of a submission that cannot be marked."""
    sentence = f"This submission was not marked: {reason}."
    test = {"name": "Reading", "score": 0, "max_score": 0, "status": "failed", "output": sentence}
    return {"output": sentence, "output_format": "text", "stdout_visibility": "hidden", "tests": [test]}


def _variant(exam_keys: ExamKeys, metadata: Any) -> str:
    """Return the variant of the student; the students of a group must have the same one.

    Raises `MetadataError` if no student is named, `AutogradingError` for different variants.
    """
    if exam_keys.roster is None:
        return exam_keys.open_variant
    users = metadata.get("users") if isinstance(metadata, dict) else None
    if not isinstance(users, list) or not users:
        raise MetadataError("the metadata name no student")
    codes = set()
    for user in users:
        known = _student_of(exam_keys, user if isinstance(user, dict) else {})
        codes.add(exam_keys.variant_of(known))
    if len(codes) > 1:
        raise AutogradingError("the students of this group have different variants")
    return codes.pop()


def _student_of(exam_keys: ExamKeys, user: Mapping[str, Any]) -> str:
    """Return the identifier of a student, by address or student number. Raises `AutogradingError`."""
    email, number = str(user.get("email") or "").casefold(), str(user.get("sid") or "")
    roster = exam_keys.roster or ()
    matches = [each for each in roster if email and email in (each.email.casefold(), each.login.casefold())]
    matches = matches or [each for each in roster if number and number == each.identifier]
    if len(matches) != 1:
        user_label = safe_line(email or number or "a student without an address", 100)
        raise AutogradingError(f"{user_label} is not on the class list")
    return matches[0].identifier


def _replies(exam_keys: ExamKeys, submission: Path) -> tuple[dict[str, str], str]:
    """Return the replies by part, and an error message, empty if the file can be read."""
    term = exam_keys.language.term
    # `in_folder` skips links, which could lead to the keys, and the extra files that a Mac packs.
    try:
        files = [opened for name, opened in in_folder(submission) if Path(name).suffix.lower() in SUFFIXES]
    except TableError:  # the folder is empty, or has far too many files
        files = []
    if len(files) != 1:
        message = Phrase("submit exactly one text file with a name that ends in .txt; you submitted {count}")
        return {}, term(message, count=len(files))
    try:
        text = read_text_file(files[0])
    except TableError as error:
        return {}, str(error)

    def sheet(lead: str) -> list[Row]:
        data = partial(BytesIO, (lead + text).encode())
        return list(read_text_submissions(lambda _: iter([("me", data)]), submission, exam_keys.parts).rows())

    for lead in ("", "student: me\n"):  # a file need not name its student
        rows = sheet(lead)
        if len(rows) == 1 and not rows[0].fault:
            return dict(zip(exam_keys.labels, rows[0].cells[3:], strict=True)), ""
    why = "; ".join(row.fault for row in rows if row.fault)
    return {}, safe_line(why or term("the file contains several students"), MAX_COMMENT_LENGTH)


def _grade_replies(exam_keys: ExamKeys, code: str, replies: Mapping[str, str]) -> dict[str, Mark]:
    """Mark every part like a class, so that a failure is an ERROR of its part only."""
    handed = (
        StudentUnit("", Unit(code, question.label, part_replies), (0,) * len(part_replies))
        for question in exam_keys.variants[code]
        for part_replies in (tuple(PartReply(key.part, replies[key.part]) for key in question.parts),)
    )
    entries: list[Entry] = []
    mark_units(handed, len(replies), exam_keys, executor_named("here", 1), entries.extend, 1)
    return {entry.question: entry.mark for entry in entries}


def _exercise(text: str, own: OwnCatalogue | None = None) -> Exercise:
    """Return the exercise of a record. Raises `AutogradingError` if it cannot be read."""
    exercise = read_exercise(text, own)
    if isinstance(exercise, Diagnostics):
        raise AutogradingError(f"a key cannot be read: {exercise.items[0].message}")
    return exercise


def _tests(number: str, title: str, key: str, mark: Mark, language: Language) -> Iterator[dict[str, Any]]:
    """Yield two entries for a part: the reading, visible at once, and the points, visible later.

    Only staff see why a part could not be marked, because an error may quote a key.
    """
    failed = mark.state is State.ERROR
    exercise = None if failed else _exercise(key, language.own)
    yield {
        "name": language.say("{title}: answer as read", title=title),
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
    """Return the sentence about how a reply was read, or why it has no points."""
    say = language.say
    match mark.state:
        case State.GRADED:
            return say("Read as: {answer}", answer=language.reply(mark.understood))
        case State.BLANK:
            return say("No answer.")
        case State.ERROR:
            return say(
                "This answer could not be graded, but the problem is not in your answer. "
                "Your instructor can see the reason."
            )
        case _:
            unread = say("Your answer cannot be read, so it has not been graded yet. Submit it again.")
            return paragraph(unread, mark.message)


def _reasons(exercise: Exercise, mark: Mark) -> str:
    """Return the points and, if some are lost, the reasons."""
    language = exercise.public.terms.language
    if mark.points is None:
        return language.say("No answer.") if mark.state is State.BLANK else mark.message
    points, maximum = language.points(mark.points), language.points(mark.maximum)
    points_sentence = language.say("{points} of {maximum}.", points=points, maximum=maximum)
    if mark.points >= mark.maximum:
        return points_sentence
    feedback = Feedback(exercise)
    unsure = language.say(SEVERAL_NOTES) if len(mark.notes) > 1 else ""
    return paragraph(
        *filter(None, (points_sentence, *feedback.sentences(mark), unsure, *feedback.diagnosis(mark)))
    )


def to_platform_float(value: Number) -> float:
    """Convert a number for a platform with floats only, rounded to four decimals."""
    return round(Fraction(value) * 10**4) / 10**4


# PrairieLearn -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class VariantPool:
    """The variants of one question in PrairieLearn, from `variants.json`.

    `data` is the record that PrairieLearn passes from step to step, and that each step changes.
    """

    variants: tuple[Mapping[str, Any], ...]

    @classmethod
    def read(cls, path: Path) -> "VariantPool":
        """Read the pool from a file that this program wrote."""
        return cls(tuple(json.loads(path.read_text(encoding="utf-8"))))

    def draw(self, data: dict[str, Any]) -> None:
        """Choose a variant by the seed; put the part of it that students may see into `params`."""
        index = int(data["variant_seed"]) % len(self.variants)
        variant = self.variants[index]
        data["params"] |= variant["params"] | {"index": index}
        parts = variant["params"]["parts"]
        for part, record in zip(parts, variant["exercises"], strict=True):
            data["correct_answers"][part["name"]] = _exercise(canonical_json(record)).printed_key

    def parse(self, data: dict[str, Any]) -> None:
        """Report answers that cannot be read."""
        for name, _, mark in self._marked(data):
            if mark.state not in (State.GRADED, State.BLANK):
                data["format_errors"][name] = safe_line(mark.message, MAX_COMMENT_LENGTH)

    def grade(self, data: dict[str, Any]) -> None:
        """Score every part, and the question as a whole."""
        points_sum, full_mark = Fraction(0), Fraction(0)
        feedback = []
        for name, exercise, mark in self._marked(data):
            points = Fraction(mark.points or 0)
            data["partial_scores"][name] = {
                "score": to_platform_float(points / mark.maximum),
                "weight": to_platform_float(mark.maximum),
            }
            feedback.append(safe_line(_reasons(exercise, mark), MAX_COMMENT_LENGTH))
            points_sum, full_mark = points_sum + points, full_mark + mark.maximum
        data["feedback"]["parts"] = feedback
        data["score"] = to_platform_float(points_sum / full_mark)

    def _marked(self, data: Mapping[str, Any]) -> Iterator[tuple[str, Exercise, Mark]]:
        """Yield the name, the exercise and the mark of every part."""
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
