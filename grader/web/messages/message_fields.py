"""The fields of a message of a page: read, or refused with a message in its language."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from grader.base.phrases import ENGLISH, Language, Phrase
from grader.exercises.exercise_file import read_exercise
from grader.exercises.feedback import Feedback
from grader.exercises.marking import Marker
from grader.solvers.solution import Solution, solve
from grader.trees.notation.diagnostics import Diagnostic, Diagnostics, diagnostic_in_language
from grader.trees.notation.reading import read_tree
from grader.trees.rules import CHOICES, Rules
from grader.trees.tree import Tree
from grader.web.messages.documents import Record

MAX_MESSAGE_LENGTH = 8 * 1024 * 1024
"""The most characters of a message."""

ANOTHER_TYPE = Phrase("In this message {name} is missing or invalid.")
NO_JSON = Phrase("The message is not a JSON object.")

A = TypeVar("A")


class MessageError(ValueError):
    """A message that cannot be answered; `errors_in` returns its errors in a language."""

    def __init__(self, errors_in: Callable[[Language], list[Record]]) -> None:
        super().__init__(*(error["message"] for error in errors_in(ENGLISH)))
        self.errors_in = errors_in


def message_error(sentence: Phrase, hint: str = "", **values: object) -> MessageError:
    """Return an error whose sentence is in the language of the page.

    The hint, for developers, is not translated: it is left out if the language is not English.
    """

    def errors_in(language: Language) -> list[Record]:
        message = language.say(sentence, **values)
        return [{"message": message, "hint": hint if language.code == ENGLISH.code else ""}]

    return MessageError(errors_in)


def _text_error(diagnostics: Diagnostics) -> MessageError:
    return MessageError(lambda language: [_diagnostic_record(each, language) for each in diagnostics])


def _diagnostic_record(diagnostic: Diagnostic, language: Language) -> Record:
    message, hint = diagnostic_in_language(language, diagnostic.code, diagnostic.message, diagnostic.hint)
    return diagnostic.to_json() | {"message": message, "hint": hint}


def read_message(text: str) -> Mapping[str, Any]:
    """Read a message, which is a JSON object. Raises `MessageError` for anything else and for a long text."""
    if len(text) > MAX_MESSAGE_LENGTH:
        raise message_error(Phrase("The message is too long."))
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise message_error(NO_JSON) from None
    if not isinstance(message, dict):
        raise message_error(NO_JSON)
    return message


def read_message_field(message: Mapping[str, Any], name: str, kind: type[A], default: A | None = None) -> A:
    """Return a field of this type, or the default. Raises `MessageError` for another type or without both."""
    value = message.get(name, default)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise message_error(ANOTHER_TYPE, name=name)
    return value


def read_marker(message: Mapping[str, Any]) -> tuple[Marker, Feedback]:
    """Read the `exercise` of a message, in the `language` that it names. Raises `MessageError`."""
    # Notes are given in the order of the record's beliefs, so the keys keep their order.
    return _exercise(json.dumps(read_message_field(message, "exercise", dict)), message.get("language", ""))


@lru_cache(maxsize=256)
def _exercise(text: str, language: str) -> tuple[Marker, Feedback]:
    """Read an exercise, in a language if one is named; a student sends several messages about one.

    Raises `MessageError` with all faults of its record.
    """
    exercise = read_exercise(text)
    if isinstance(exercise, Diagnostics):
        raise _text_error(exercise)
    if language not in ("", exercise.public.terms.language_code):
        exercise = exercise.in_language(Language.of(language))
    return Marker(exercise), Feedback(exercise)


def is_summary(each: object) -> bool:
    """Return whether this is what a question is chosen by."""
    return (
        isinstance(each, dict) and isinstance(each.get("id"), str) and isinstance(each.get("beliefs"), dict)
    )


def read_message_tree(message: Mapping[str, Any]) -> Tree:
    """Read the `tree` of a message. Raises `MessageError` with all mistakes in it."""
    tree = read_tree(read_message_field(message, "tree", str))
    if isinstance(tree, Diagnostics):
        raise _text_error(tree)
    return tree


def read_rules(tree: Tree, message: Mapping[str, Any]) -> Rules:
    """Return the rules in the header of a tree, overridden by those in a message.

    Raises `MessageError` for unknown rules and a depth that is not a whole number.
    """
    overrides = read_message_field(message, "rules", dict, {})
    if not set(overrides) <= {*CHOICES, "depth"}:
        raise message_error(ANOTHER_TYPE, f"there are {', '.join((*CHOICES, 'depth'))}", name="rules")
    depth = overrides.get("depth")
    if depth is not None and (not isinstance(depth, int) or isinstance(depth, bool)):
        raise message_error(ANOTHER_TYPE, "it is a whole number", name="depth")
    return tree.rules(**overrides)


def read_solution(message: Mapping[str, Any]) -> Solution:
    """Solve the `tree` of a message under its `rules`."""
    tree = read_message_tree(message)
    return solve(tree, read_rules(tree, message))
