"""One exam as it was sat: the questions, who was there, who had which variant, and the keys."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from grader.base.numbers import Number, read_number
from grader.base.phrases import Language
from grader.exam.folders import EXAM
from grader.exam.manifest import SCHEMA
from grader.exam.paper import letter
from grader.exam.roster import Student
from grader.exercise import canonical

_SURROGATE = re.compile(r"\\ud[89a-f]", re.IGNORECASE)
"""Half of a character as JSON spells it: two of them are a character, one is nothing that can be written."""


class SittingError(ValueError):
    """A record of an exam that cannot be used; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class PartKey:
    """One part of a question in one variant: its exercise with the key, as the canonical JSON text.

    Kept as text because it is handed to other processes, which read it once for many replies.

    - `part`, `letter`: the id of the part, `2a`, and its letter, empty where there is one part only.
    - `reply`: the right answer as reply text.
    - `key`: a hash of all that decides what is right: the question, its conventions, the key, the beliefs.
    - `policy`: a hash of all that decides what it is worth: points, policy, digits, following through.
    """

    part: str
    letter: str
    exercise: str
    reply: str
    key: str
    policy: str


@dataclass(frozen=True, slots=True)
class QuestionKey:
    """One question in one variant; with `follow_through` later parts see what earlier ones say."""

    label: str
    title: str
    parts: tuple[PartKey, ...]
    follow_through: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a question in every variant: its id (`1`, `2a`), its title, its full mark, its kind."""

    name: str
    question: str
    title: str
    points: Number
    kind: str


@dataclass(frozen=True, slots=True)
class Sitting:
    """Everything that grading needs to know of an exam.

    - `roster`: the class list; None when the exam is open to anybody.
    - `assignment`: identifier of a student -> code of the variant.
    - `variants`: code -> the questions of that variant, in the order of the paper.
    - `everybody`: the code of the one variant of an exam that is open to anybody, otherwise empty.
    - `language_code`, `size`: of the pages, as on the papers.
    """

    title: str
    parts: tuple[Part, ...]
    roster: tuple[Student, ...] | None
    assignment: Mapping[str, str]
    variants: Mapping[str, tuple[QuestionKey, ...]]
    everybody: str = ""
    language_code: str = "en"
    size: str = "a4"

    @property
    def points(self) -> Number:
        """The full mark of the exam."""
        return sum(part.points for part in self.parts)

    @property
    def language(self) -> Language:
        """How people are spoken to where no single part is meant, as on the papers."""
        for questions in self.variants.values():  # the variants differ in their trees only
            keys = [key for question in questions for key in question.parts]
            comma = any(json.loads(key.exercise).get("decimal_comma") is True for key in keys)
            return Language(self.language_code, comma)
        return Language(self.language_code)

    @property
    def secret(self) -> str:
        """A hash of all keys: nobody who does not have them can compute it."""
        keys = (
            key for questions in self.variants.values() for question in questions for key in question.parts
        )
        return digest(*(key.key for key in keys))

    def variant(self, student: str) -> str:
        """The code of the variant that a student had."""
        return self.assignment.get(student, self.everybody)

    def question(self, code: str, label: str) -> QuestionKey:
        """A question of a variant. Raises `KeyError` when there is none."""
        for question in self.variants[code]:
            if question.label == label:
                return question
        raise KeyError(label)

    def question_of(self, part: str) -> str:
        """The label of the question that a part belongs to. Raises `KeyError` when there is none."""
        for each in self.parts:
            if each.name == part:
                return each.question
        raise KeyError(part)


def read_sitting(folder: Path) -> Sitting:
    """The exam in a folder that `gametree exam build` made.

    Exercises are read later, by those who mark. Raises `SittingError`, or `OSError` when there is no record.
    """
    data = (folder / EXAM).read_bytes()
    try:
        text = data.decode("utf-8-sig")
        record = json.loads(text)
        if _SURROGATE.search(text):
            json.dumps(record, ensure_ascii=False).encode()
    except UnicodeError as error:
        raise SittingError(f"{EXAM} holds what is no text: {error}") from None
    except (ValueError, RecursionError) as error:
        raise SittingError(f"{EXAM} is not JSON: {error}") from None
    try:
        if record["schema"] != SCHEMA:
            raise SittingError(f"{EXAM} is not an exam of schema {SCHEMA}")
        names = tuple(field.name for field in fields(Student))
        roster = tuple(Student(**{name: _text(seat, name) for name in names}) for seat in record["students"])
        assignment = {_text(seat, "identifier"): _text(seat, "variant") for seat in record["students"]}
        variants = {_text(each, "code"): _questions(each["questions"]) for each in record["variants"]}
        heading = {name: _text(record["heading"], name) for name in ("title", "language", "size")}
        parts = _parts(record["variants"])
    except (LookupError, TypeError, AttributeError) as error:
        raise SittingError(f"{EXAM} is not as this program writes it: {error!r}") from None
    if not roster and len(variants) > 1:
        raise SittingError(f"{EXAM} has several variants, and no students who have one")
    return _checked(
        Sitting(
            title=heading["title"],
            parts=parts,
            roster=roster or None,
            assignment=assignment,
            variants=variants,
            everybody="" if roster else next(iter(variants)),
            language_code=heading["language"],
            size=heading["size"],
        )
    )


def _questions(records: Iterable[Mapping[str, Any]]) -> tuple[QuestionKey, ...]:
    questions = []
    for record in records:
        follow_through = bool(record.get("follow_through", False))
        parts = record["parts"]
        keys = tuple(
            _part_key(_text(record, "label"), letter(number, len(parts)), part, follow_through)
            for number, part in enumerate(parts)
        )
        questions.append(QuestionKey(_text(record, "label"), _text(record, "title"), keys, follow_through))
    return tuple(questions)


_WORTH = ("points", "policy", "digits", "every", "decimal_comma")


def _part_key(label: str, called: str, part: Mapping[str, Any], follow_through: bool) -> PartKey:
    right = {field: part.get(field) for field in ("kind", "tree", "rules", "beliefs")}
    worth = {field: part.get(field) for field in _WORTH}
    return PartKey(
        part=f"{label}{called}",
        letter=called,
        exercise=canonical(part),
        reply=_text(part["key"], "reply"),
        key=digest(canonical(right | {"key": part["key"]["reply"]})),
        policy=digest(canonical(worth | {"follow_through": follow_through})),
    )


def _parts(variants: Iterable[Mapping[str, Any]]) -> tuple[Part, ...]:
    """The parts of the exam. Raises `SittingError` when the variants do not agree on them."""
    found: tuple[Part, ...] | None = None
    for variant in variants:
        parts = tuple(
            Part(
                name=f"{record['label']}{letter(number, len(record['parts']))}",
                question=_text(record, "label"),
                title=_text(record, "title"),
                points=_points(part),
                kind=_text(part, "kind"),
            )
            for record in variant["questions"]
            for number, part in enumerate(record["parts"])
        )
        if found is not None and parts != found:
            raise SittingError("the variants of this exam do not ask for the same points and kinds")
        found = parts
    if not found:
        raise SittingError("this exam has no questions")
    if len({part.name for part in found}) < len(found):
        raise SittingError("two questions of this exam have the same label")
    return found


def _points(part: Mapping[str, Any]) -> Number:
    try:
        return read_number(_text(part, "points"))
    except ValueError as error:
        raise SittingError(f"the points of a question {error}") from None


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record[name]
    if not isinstance(value, str):
        raise TypeError(f"{name} is no text")
    return value


def _checked(sitting: Sitting) -> Sitting:
    for student, code in sitting.assignment.items():
        if code not in sitting.variants:
            raise SittingError(f"{student!r} has the variant {code!r}, which is missing")
    return sitting


def digest(*texts: str) -> str:
    """A hash of some texts, as 32 hex digits; where one ends and the next begins counts."""
    made = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "big") + data)
    return made.hexdigest()[:32]
