"""The keys of an exam as grading needs them: the questions, the class list, the variant of each student."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.base.canonical_json import canonical_json
from grader.base.catalogues import OwnCatalogue
from grader.base.json_records import RecordError, read_field
from grader.base.numbers import Number, NumeralError, read_number
from grader.base.phrases import Language
from grader.base.records import unreadable_record
from grader.exam.folders import AMENDED_EXAM_FILE, EXAM_FILE
from grader.exam.manifest import Exam, MissingPolicy, QuestionRecord, code_faults, open_exam
from grader.exam.paper import Heading, TreeLayout, part_letter
from grader.exam.spares import with_owners
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise_once
from grader.tables.columns import PartNames
from grader.tables.student_directory import Student
from grader.trees.notation.diagnostics import Diagnostics
from grader.version import PROGRAM


class ExamKeysError(ValueError):
    """A record of an exam that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class PartKey:
    """One part of a question in one variant: its exercise with the key, as the canonical JSON text.

    Kept as text because it is handed to other processes, which read it once for many replies.

    - `part`: the id of the part, `2a`.
    - `reply`: the right answer as reply text.
    - `key`: a hash of everything that decides correctness: question, conventions, key, beliefs.
    - `policy`: a hash of everything that decides the points: points, policy, digits, follow-through.
    - `own`: the teacher's own catalogue of sentences, if there is one.
    """

    part: str
    exercise: str
    reply: str
    key: str
    policy: str
    own: OwnCatalogue | None = None

    def read_exercise(self) -> Exercise | Diagnostics:
        """Return the exercise, or why it cannot be read; it is read once."""
        return read_exercise_once(self.exercise, self.own)


@dataclass(frozen=True, slots=True)
class QuestionKey:
    """One question in one variant; with `follow_through`, later parts are marked with the earlier replies.

    `recipe` is the kind for whose recipe its tree was grown; empty for a given tree.
    """

    label: str
    title: str
    parts: tuple[PartKey, ...]
    follow_through: bool = False
    layout: TreeLayout = "auto"
    recipe: str = ""


@dataclass(frozen=True, slots=True)
class Part(PartNames):
    """One part of a question in every variant: its names, its full mark, its kind.

    The full mark is 0 if the part was dropped after the exam.
    """

    points: Number
    kind: str

    @property
    def is_dropped(self) -> bool:
        """Whether the part does not count."""
        return not self.points


@dataclass(frozen=True, slots=True)
class ExamKeys:
    """Everything that grading needs to know about an exam.

    - `roster`: the class list; None when the exam is open to anybody.
    - `heading`: of the papers.
    - `assignment`: identifier of a student -> code of the variant.
    - `variants`: code -> the questions of that variant, in the order of the paper.
    - `open_variant`: the code of the one variant of an exam that is open to anybody, otherwise empty.
    - `program`: the version that made the exam.
    - `missing`: what students who handed in nothing earn.
    - `added`: the variants of students who were added after it was built.
    """

    heading: Heading
    parts: tuple[Part, ...]
    roster: tuple[Student, ...] | None
    assignment: Mapping[str, str]
    variants: Mapping[str, tuple[QuestionKey, ...]]
    open_variant: str = ""
    program: str = PROGRAM
    missing: MissingPolicy = "empty"
    added: frozenset[str] = frozenset()

    @property
    def points(self) -> Number:
        """The full mark of the exam."""
        return sum(part.points for part in self.parts)

    @property
    def language(self) -> Language:
        """The language of texts about the whole exam, as on the papers."""
        keys = self.part_keys(next(iter(self.variants)))  # the variants differ in their trees only
        comma = any(json.loads(key.exercise).get("decimal_comma") is True for key in keys)
        return self.heading.language(comma)

    @property
    def keys_hash(self) -> str:
        """A hash of all keys, which only somebody who has them can compute.

        Names of feedback pages follow from it, so it stays when students are added.
        """
        built = (code for code in self.variants if code not in self.added)
        return hash_texts(*(key.key for code in built for key in self.part_keys(code)))

    @property
    def labels(self) -> dict[str, str]:
        """Part name -> label of its question, in the order of the paper."""
        return {part.name: part.question for part in self.parts}

    @property
    def part_places(self) -> dict[str, int]:
        """Part name -> its place on the paper, by which rows are sorted: as text, 10 comes before 2."""
        return {part.name: place for place, part in enumerate(self.parts)}

    def variant_of(self, student: str) -> str:
        """Return the code of the variant that a student had."""
        return self.assignment.get(student, self.open_variant)

    def needed_for(self, codes: Collection[str]) -> "ExamKeys":
        """Return the part of it that another process needs to write about some variants.

        It always has the first variant, which decides the language.
        """
        first = next(iter(self.variants))
        variants = {code: each for code, each in self.variants.items() if code in codes or code == first}
        return replace(self, roster=None, assignment={}, variants=variants)

    def question(self, code: str, label: str) -> QuestionKey:
        """Return the question with this label in a variant."""
        return next(question for question in self.variants[code] if question.label == label)

    def part_keys(self, code: str) -> tuple[PartKey, ...]:
        """Return the parts of a variant, in the order of the paper."""
        return tuple(key for question in self.variants[code] for key in question.parts)

    def part_key(self, code: str, part: str) -> PartKey:
        """Return a part of a variant, which must have it."""
        return next(key for key in self.part_keys(code) if key.part == part)

    def exercise(self, code: str, part: str) -> Exercise | None:
        """Return the exercise of a part in a variant; None if its record cannot be read."""
        exercise = self.part_key(code, part).read_exercise()
        return exercise if isinstance(exercise, Exercise) else None


def read_exam_keys(folder: Path) -> ExamKeys:
    """Read the keys of an exam from a folder that `gametree exam build` made; amended keys come first.

    The exercises are read later, when replies are marked.
    Raises `ExamKeysError`, or `OSError` if there is no record.
    """
    name = AMENDED_EXAM_FILE if (folder / AMENDED_EXAM_FILE).exists() else EXAM_FILE
    exam = open_exam(folder, name)
    if isinstance(exam, Diagnostics):
        raise _unusable(name, exam.items[0].excerpt, exam.items[0].message)
    return exam_keys_of(with_owners(folder, exam), name)


def exam_keys_of(exam: Exam, name: str) -> ExamKeys:
    """Return the keys of an exam. Raises `ExamKeysError`, whose message names the file `name`."""
    variants: dict[str, tuple[QuestionKey, ...]] = {}
    codes: list[str] = []
    parts: tuple[Part, ...] = ()
    kinds: dict[str, dict[str, None]] = {}
    titles: dict[str, dict[str, None]] = {}
    try:
        for code, questions in exam.question_records:
            place = f"variants[{len(codes)}]"
            read = [_question(question, place, exam.heading.own_catalogue) for question in questions]
            found = tuple(part for parts_of_question, _ in read for part in parts_of_question)
            pooled = {question.label for question in questions if question.plan is not None}
            for part in found:
                kinds.setdefault(part.name, {})[part.kind] = None
                titles.setdefault(part.name, {})[part.title] = None
            # Alternatives of a pool have other kinds and titles, and the same parts and points.
            of_variant = tuple(
                replace(part, kind="", title="") if part.question in pooled else part for part in found
            )
            if codes and of_variant != parts:
                raise ExamKeysError("the variants of this exam do not ask for the same points and kinds")
            parts = of_variant
            codes.append(code)
            variants[code] = tuple(key for _, key in read)
    except RecordError as error:
        raise _unusable(name, error.place, error.message) from None
    for fault in code_faults(exam.seats, codes):
        raise ExamKeysError(f"{name}: {fault}")
    if not parts:
        raise ExamKeysError("this exam has no questions")
    if len({part.name for part in parts}) < len(parts):
        raise ExamKeysError("two questions of this exam have the same label")
    named_parts = (
        replace(part, kind=" or ".join(kinds[part.name]), title=" / ".join(filter(None, titles[part.name])))
        for part in parts
    )
    return ExamKeys(
        heading=exam.heading,
        parts=tuple(named_parts),
        roster=tuple(seat.student for seat in exam.seats) or None,
        assignment={seat.student.identifier: seat.code for seat in exam.seats},
        variants=variants,
        open_variant="" if exam.seats else codes[0],
        program=exam.origin.program,
        missing=exam.missing,
        added=frozenset(
            {seat.code for seat in exam.seats if seat.batch}
            - {seat.code for seat in exam.seats if not seat.batch}
        ),
    )


def require_readable_exercises(exam_keys: ExamKeys) -> None:
    """Raise `SchemaError` if another version made the exam and this one cannot read its exercises.

    Called before anything is marked. An unreadable exercise of this version is damaged instead, and only
    the replies to it get no points.
    """
    if exam_keys.program == PROGRAM:
        return
    for code in exam_keys.variants:
        for key in exam_keys.part_keys(code):
            exercise = key.read_exercise()
            if isinstance(exercise, Diagnostics):
                place = f"part {key.part} of variant {code}"
                raise unreadable_record(EXAM_FILE, exam_keys.program, place, exercise.items[0].message)


def _unusable(name: str, place: str, message: str) -> ExamKeysError:
    return ExamKeysError(f"{name}{place and f', {place}'}: {message}")


def _question(
    question: QuestionRecord, place: str, own: OwnCatalogue | None
) -> tuple[Sequence[Part], QuestionKey]:
    """Return the parts of a question as they are in every variant, and the question in this one.

    Raises `RecordError` or `ExamKeysError` for a field that is missing or invalid.
    """
    pairs = (_part(question, number, place, own) for number in range(len(question.parts)))
    parts, keys = zip(*pairs, strict=True)
    recipe = "" if question.grown_for is None else parts[question.grown_for].kind
    key = QuestionKey(question.label, question.title, keys, question.follow_through, question.layout, recipe)
    return parts, key


_POLICY_FIELDS = ("points", "policy", "digits", "every", "decimal_comma")


def _part(
    question: QuestionRecord, number: int, place: str, own: OwnCatalogue | None
) -> tuple[Part, PartKey]:
    """Return a part of a question as it is in every variant, and as it is in this one.

    Raises `RecordError` for a field that is absent or of another type, `ExamKeysError` for unreadable points.
    """
    part = question.parts[number]
    key_fields = {field: part.get(field) for field in ("kind", "tree", "rules", "beliefs")}
    key_fields |= {field: part[field] for field in ("ask", "given") if part.get(field)}
    reply = read_field(read_field(part, "key", dict, f"{place}."), "reply", str, f"{place}.key.")
    try:
        points = read_number(read_field(part, "points", str, f"{place}."))
    except NumeralError as error:
        raise ExamKeysError(f"the points of a question {error}") from None
    if number in question.dropped:
        points = 0
    name = f"{question.label}{part_letter(number, len(question.parts))}"
    kind = read_field(part, "kind", str, f"{place}.")
    kind = ".".join(filter(None, (kind, part.get("ask"))))
    return Part(name, question.label, question.title, points, kind), PartKey(
        part=name,
        exercise=canonical_json(part),
        reply=reply,
        key=hash_texts(canonical_json(key_fields | {"key": reply})),
        policy=policy_hash(part, follow_through=question.follow_through),
        own=own,
    )


def policy_hash(part: Mapping[str, Any], *, follow_through: bool) -> str:
    """Return a hash of everything in the record of a part that decides the points."""
    fields = {field: part.get(field) for field in _POLICY_FIELDS}
    return hash_texts(canonical_json(fields | {"follow_through": follow_through}))


def hash_texts(*texts: str) -> str:
    """Return a hash of some texts as 32 hex digits; the boundaries between the texts count."""
    digest = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:32]
