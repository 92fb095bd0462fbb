"""Look up kinds of questions, read exercise files, and show exercises in a terminal."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

from grader.base.numbers import format_count
from grader.cli.shared.name_lookup import refuse_names
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.sources import read_input_text, require_parsed, source_label
from grader.cli.shared.terminal import printable, refuse, speaks_unicode
from grader.cli.shared.text_layout import terminal_width

if TYPE_CHECKING:
    from grader.base.catalogues import OwnCatalogue
    from grader.exercises.exercise import Exercise, PublicExercise
    from grader.questions.kind import AnyKind


def _kind_names(incomplete: str) -> list[str]:
    """Return the names of kinds that complete a word on the command line."""
    from grader.questions import KIND_NAMES

    return [name for name in KIND_NAMES if name.startswith(incomplete)]


KindName = Annotated[
    str,
    argument(
        "KIND",
        "The kind of question; `gametree kinds` lists them.",
        autocompletion=_kind_names,
    ),
]

KindNames = Annotated[
    str | None,
    option("Only these kinds, separated by commas. Default: all.", "--kinds", metavar="KIND,..."),
]

CATALOGUE_HINT = "`gametree kinds` lists them."


def kinds_named(name: str) -> "Sequence[AnyKind]":
    """The kinds whose code begins with this name, such as `uct`; one kind if it asks only one question."""
    from grader.questions import KIND_NAMES, load_kinds

    return tuple(load_kinds(name).values()) if name in KIND_NAMES else ()


def require_kind(name: str) -> "AnyKind":
    """The kind with this code; refuse an unknown one, and a name that several questions share."""
    from grader.questions import KIND_NAMES, all_kinds, complete_code, find_kind

    kind = find_kind(name)
    if kind is None:
        if len(codes := complete_code(name)) > 1:
            message = f"{name} asks {len(codes)} questions, but only one can be used here."
            unknown = f"There is no kind {printable(name, 60)!r}."
            refuse(message if name in KIND_NAMES else unknown, f"Choose from {', '.join(codes)}.")
        known = (*(each.code for each in all_kinds()), *KIND_NAMES)
        refuse_names(tuple(dict.fromkeys(known)), (name,), "kind", CATALOGUE_HINT)
    return kind


def require_kinds(names: str | None) -> tuple[str, ...]:
    """The codes of the kinds in a list with commas, or of all kinds; refuse an unknown one."""
    from grader.questions import all_kinds

    if names is None:
        return tuple(kind.code for kind in all_kinds())
    return tuple(dict.fromkeys(require_kind(name.strip()).code for name in names.split(",")))


def read_exercise_file(source: str, own: "OwnCatalogue | None" = None) -> "Exercise":
    """The exercise in a file, or on standard input for `-`; refuse an unusable one with all its faults.

    `own` is the catalogue of its language, if that is a teacher's own.
    """
    from grader.exercises.exercise_file import read_exercise
    from grader.trees.notation.diagnostics import Diagnostics

    label = source_label(source)
    text = read_input_text(source, "an exercise file", hint="It is not an exercise file.")
    exercise = read_exercise(text, own)
    if isinstance(exercise, Diagnostics):
        if _has_several(text):
            refuse(
                f"{label} contains several exercises.",
                "`gametree generate KIND -o DIR` writes one file for each; head -n 1 takes the first line.",
            )
        if {fault.code for fault in exercise} == {"no-key"}:
            _refuse_public(source)
    return require_parsed(source, exercise)


def _refuse_public(source: str) -> NoReturn:
    """Refuse the public part of an exercise, and point to the instructor's file."""
    hint = "Mark with the instructor's file, which was written next to it."
    if source.endswith(".public.json"):
        with_key = Path(source.removesuffix(".public.json") + ".json")
        if with_key.exists():
            hint = f"Did you mean {with_key}?"
    refuse(f"{source_label(source)} is the public part of an exercise, without its key.", hint)


def _has_several(text: str) -> bool:
    lines = [line for line in text.split("\n", 2) if line.strip()]
    return len(lines) > 1 and all(map(_is_record, lines[:2]))


def _is_record(line: str) -> bool:
    """Return whether a line is a JSON object."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def minutes_text(seconds: int) -> str:
    """An estimate in words: `about 2.5 minutes`."""
    from grader.exercises.minutes import to_minutes

    minutes = to_minutes(seconds)
    return f"about {format_count(minutes, 'minute')}"


def exercise_text_picture(public: "PublicExercise") -> str:
    """The tree of an exercise as text, with the labels and leaf numbers that its answers use."""
    from grader.pictures import label_options
    from grader.pictures.text import text_picture
    from grader.pictures.view import View

    return text_picture(
        public.tree,
        view=View.question(public.tree, public.terms.language),
        ascii=not speaks_unicode(),
        width=terminal_width(),
        **label_options.label_options(public),
    )
