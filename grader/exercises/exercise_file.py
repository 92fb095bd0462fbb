"""Read the record of an exercise from JSON, with a diagnostic for each fault."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from grader.answers.canonical import CanonicalError
from grader.answers.form import Ambiguous, Malformed, Terms
from grader.answers.policies import read_policy
from grader.base.canonical_json import canonical_json, parse_json
from grader.base.catalogues import OwnCatalogue, find_own_catalogue, has_catalogue, missing_catalogue
from grader.base.numbers import MAX_NUMERAL_DIGITS, read_number
from grader.base.records import SchemaError, require_schema
from grader.base.safe_text import safe_line
from grader.exercises.exercise import (
    SCHEMA,
    Exercise,
    PublicExercise,
    find_objection,
    record_checksum,
    terms_for_question,
)
from grader.exercises.question_text import PARTS, QuestionText
from grader.questions import find_kind
from grader.questions.beliefs import BELIEFS
from grader.questions.case import Case
from grader.questions.given import Given
from grader.trees.notation.diagnostics import Diagnostic, Diagnostics
from grader.trees.notation.reading import read_tree
from grader.trees.rules import Rules, rules_from_json
from grader.trees.tree import EMPTY, Tree

A = TypeVar("A")


def read_exercise(
    written: str | Mapping[str, Any], own: OwnCatalogue | None = None
) -> Exercise | Diagnostics:
    """Read an instructor's record: the result of `Exercise.to_json`, or its JSON text.

    `own` is a teacher's catalogue; it is used only if the record names it.

    Everything that marking relies on is checked: types, the tree, the rules, the policy, that the kind suits
    the tree, that the key and the answer of every belief are canonical text, that every belief is known, and
    the checksum.
    """
    try:
        fields = parse_json(written if isinstance(written, str) else canonical_json(written))
    except (ValueError, RecursionError) as error:
        return _refused("not-json", "", f"this is not JSON: {error}", _WRITTEN_BY)
    if not isinstance(fields, dict) or "schema" not in fields:
        return _refused("not-an-exercise", "", f"this is not an exercise of schema {SCHEMA}", _WRITTEN_BY)
    try:
        require_schema(fields, SCHEMA, "this exercise")
    except SchemaError as error:
        return _refused("other-schema", "schema", str(error), "")
    if "key" not in fields:
        message = "this is the public part of an exercise, without its key"
        return _refused("no-key", "key", message, "mark with the instructor's file")
    record = _Record(fields, own)
    public = _read_public(record)
    key, beliefs, profile = (record.get(name, dict, {}) for name in ("key", "beliefs", "profile"))
    seed = None if fields.get("seed") is None else record.get("seed", str)
    replies = {"key.reply": key.get("reply"), **{f"beliefs.{code}": reply for code, reply in beliefs.items()}}
    for place, reply in replies.items():
        if not isinstance(reply, str):
            record.fault("wrong-type", place, "this is not a reply text")
    if public is None or record.faults:
        return Diagnostics(tuple(record.faults))
    details = {name: value for name, value in key.items() if name != "reply"}
    exercise = Exercise(public, key["reply"], details, beliefs, profile, seed)
    for code in beliefs:
        kind, _, belief = code.rpartition(".")
        if kind != public.kind or belief not in BELIEFS:
            record.fault("unknown-belief", "beliefs", f"there is no belief {code!r}", "leave it out")
    for place, reply in replies.items():
        try:
            exercise.answer(reply)
        except CanonicalError as error:
            message = f"this is not an answer as records spell it: {error}"
            record.fault("unreadable-answer", place, message, _spelling(exercise, reply))
    checksum, covered = fields.get("checksum"), {name: fields[name] for name in fields.keys() - _UNSEEN}
    as_written = covered.keys() - {"catalogue", *PARTS} == _SEEN and checksum == record_checksum(covered)
    if not as_written and checksum != public.checksum:  # the record may be spelled in another way
        message = "the checksum does not match: the question was changed after it was written"
        record.fault("checksum", "checksum", message, "generate the exercise again")
    return Diagnostics(tuple(record.faults)) if record.faults else exercise


MAX_CACHED_EXERCISES = 4_096
"""How many exercises a process keeps, each of about 14 KB with its text: all keys of most exams."""


@lru_cache(maxsize=MAX_CACHED_EXERCISES)
def read_exercise_once(text: str, own: OwnCatalogue | None = None) -> Exercise | Diagnostics:
    """Read the JSON text of an instructor's record as `read_exercise` does, and an equal text only once."""
    return read_exercise(text, own)


_SEEN = PublicExercise("", EMPTY, Rules(), QuestionText(""), Terms()).content.keys()
"""The fields that the checksum covers; a record with a teacher's own catalogue has its digest too."""

_UNSEEN = {"schema", "id", "checksum", "key", "beliefs", "profile", "seed"}
"""The fields that the checksum does not cover."""

_WRITTEN_BY = "an exercise file is written by gametree generate"
_LACKS: Mapping[type[Any], str] = {
    str: "is missing or not a text",
    bool: "is neither true nor false",
    dict: "is not an object",
}
"""The message about a field that has a value of another type than this."""


class _Record:
    """The fields of a record and the faults found."""

    def __init__(self, fields: Mapping[str, Any], own: OwnCatalogue | None) -> None:
        self.fields, self.own = fields, own
        self.faults: list[Diagnostic] = []

    def fault(self, code: str, place: str, message: str, hint: str = "") -> None:
        """Add a fault at the path of a field."""
        self.faults.append(Diagnostic(code, message, 0, 0, place, hint))

    def get(self, name: str, kind: type[A], default: A | None = None) -> A:
        """Return the value of a field; if its type is another, add a fault and return an empty value."""
        value = self.fields.get(name, default)
        if isinstance(value, kind):
            return value
        self.fault("wrong-type", name, f"{name} {_LACKS[kind]}")
        return kind()


def _spelling(exercise: Exercise, text: str) -> str:
    """Return a hint: the canonical text of a reply that is readable but not canonical, else an example."""
    form, tree = exercise.kind.form, exercise.public.tree
    answer = form.read(text, tree, exercise.public.terms) if text.strip() else None
    if answer is None or isinstance(answer, Malformed | Ambiguous):
        return f"write it like this: {form.example}"
    return f"write {form.write(answer, tree)}"


def _read_public(record: _Record) -> PublicExercise | None:
    """Return the public part of a record, or None with the reasons added to its faults."""
    name, ask = record.get("kind", str), record.get("ask", str, "")
    name = f"{name}.{ask}" if ask else name
    kind = find_kind(name)
    if kind is None and not record.faults:
        record.fault("unknown-kind", "kind", f"there is no kind {name!r}", "see gametree kinds")
    prompt, generator, text = (record.get(each, str) for each in ("prompt", "generator", "tree"))
    question_text = QuestionText(prompt)
    try:
        question_text = question_text if record.faults else QuestionText.from_json(record.fields)
    except ValueError as error:
        record.fault("prompt", "prompt", str(error))
    tree = _read_tree(text) if text else EMPTY
    if isinstance(tree, Diagnostics):
        record.faults.extend(replace(fault, line=0, column=0, excerpt="tree") for fault in tree)
    given, rules, terms = Given(record.get("given", dict, {})), None, _read_terms(record)
    try:
        rules = rules_from_json(record.fields.get("rules"))
    except (TypeError, ValueError) as error:
        record.fault("rules", "rules", f"these are not rules: {error}")
    if record.faults or kind is None or rules is None or terms is None or not isinstance(tree, Tree):
        return None
    case = Case(tree, rules, given)
    reason = find_objection(kind, case)
    if reason is not None:
        record.fault("unsuitable", "tree", f"{name} cannot be asked of this tree: {safe_line(reason, 400)}")
        return None
    return PublicExercise(
        name, tree, rules, question_text, terms_for_question(terms, kind, case), generator, given
    )


@lru_cache(maxsize=2)
def _read_tree(text: str) -> Tree | Diagnostics:
    """Read a tree; all parts of a question have the same text, so the last trees are cached."""
    return read_tree(text)


def _read_terms(record: _Record) -> Terms | None:
    """Return the terms of a record, or None with the reasons added to its faults."""
    points, policy, language = (record.get(each, str) for each in ("points", "policy", "language"))
    every, comma = (record.get(each, bool, False) for each in ("every", "decimal_comma"))
    digits = record.fields.get("digits", 2)
    if not isinstance(digits, int) or isinstance(digits, bool) or not 0 <= digits <= MAX_NUMERAL_DIGITS:
        record.fault("wrong-type", "digits", f"digits is not a whole number from 0 to {MAX_NUMERAL_DIGITS}")
    own = _own_catalogue(record)
    if own is None and not has_catalogue(language):
        record.fault("language", "language", *missing_catalogue(language))
    try:
        terms = Terms(read_number(points), read_policy(policy), digits, every, comma, language, own)
        if terms.points <= 0:
            raise ValueError("the full mark is not above 0")
    except ValueError as error:
        record.fault("terms", "points", f"points or policy cannot be read: {error}")
        return None
    return terms


def _own_catalogue(record: _Record) -> OwnCatalogue | None:
    """Return the teacher's catalogue that a record names, or None; add a fault if it is not available."""
    wanted = record.get("catalogue", str, "")
    if record.own is not None and record.own.digest == wanted:
        return record.own
    ready = find_own_catalogue(record.get("language", str), wanted)
    if wanted and ready is None:
        message = "this exercise uses its teacher's own catalogue, which was not given"
        record.fault("catalogue", "catalogue", message, "give it with --language FILE.po")
    return ready


def _refused(code: str, place: str, message: str, hint: str) -> Diagnostics:
    return Diagnostics((Diagnostic(code, message, 0, 0, place, hint),))
