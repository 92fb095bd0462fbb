"""Look up kinds of questions, read exercise files, and lay out text for a terminal."""

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

from grader.base.line_wrapping import display_width, wrap_line
from grader.base.numbers import write_number
from grader.cli.shared.name_lookup import lookup_name
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.sources import read_input_text, require_readable, source_label
from grader.cli.shared.terminal import printable, refuse, speaks_unicode

if TYPE_CHECKING:
    from grader.base.catalogues import OwnCatalogue
    from grader.exercises.exercise import Exercise, PublicExercise
    from grader.questions.kind import AnyKind


def _kind_names(incomplete: str) -> list[str]:
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

MAX_COLUMNS = 100
"""The widest that text and pictures become, however wide the terminal is."""


def kinds_named(name: str) -> "Sequence[AnyKind]":
    """The kinds whose code begins with this name, such as `uct`; one kind if it asks only one question."""
    from grader.questions import KIND_NAMES, load_kinds

    return tuple(load_kinds(name).values()) if name in KIND_NAMES else ()


def require_kind(name: str) -> "AnyKind":
    """The kind with this code; refuse an unknown one, and a name that several questions share."""
    from grader.questions import all_kinds, find_kind

    kind = find_kind(name)
    if kind is not None:
        return kind
    kinds = kinds_named(name)
    if kinds:
        codes = ", ".join(each.code for each in kinds)
        refuse(f"{name} asks {len(kinds)} questions, and this is for one of them.", f"Choose from {codes}.")
    return lookup_name({each.code: each for each in all_kinds()}, name, "kind", CATALOGUE_HINT)


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
                f"{label} holds several exercises.",
                "`gametree generate KIND -o DIR` writes one file for each; head -n 1 takes the first line.",
            )
        if {fault.code for fault in exercise} == {"no-key"}:
            _refuse_public(source)
    return require_readable(source, exercise)


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
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def minutes_text(seconds: int) -> str:
    """An estimate in words: `about 2.5 minutes`."""
    from grader.exercises.minutes import to_minutes

    minutes = to_minutes(seconds)
    return f"about {write_number(minutes)} minute{'' if minutes == 1 else 's'}"


def terminal_width() -> int:
    """The columns that text may have; without a terminal always 79, so that output is reproducible."""
    columns = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80
    return max(40, min(MAX_COLUMNS, columns)) - 1


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


def wrap_text(text: str, head: str = "", indent: str | None = None) -> list[str]:
    """Wrap text to the terminal; its own line ends stay.

    The first line begins with `head`, all others with `indent`, which is the head again if it is None.
    """
    width, indent = terminal_width(), head if indent is None else indent
    max_unit = width - max(map(display_width, (head, indent)))
    return [
        line
        for each in text.split("\n")
        for line in wrap_line(each, width, head, indent, max_unit=max_unit) or [""]
    ]


def shorten_line(text: str, columns: int) -> str:
    """Text from outside the program, on one line of at most this many columns."""
    shortened = printable(text, columns)
    while display_width(shortened) > columns:
        shortened = printable(shortened, len(shortened) - 1)
    return shortened


def table_lines(rows: Sequence[Sequence[str]], lead: int) -> list[str]:
    """Lay out rows as lines with aligned columns; wide characters count as two.

    A table that is wider than the terminal is split into blocks, and each repeats the first `lead` columns.
    """
    widths = [max(map(display_width, cells)) for cells in zip(*rows, strict=True)]
    blocks = [list(range(lead))]
    for column in range(lead, len(widths)):
        if (
            len(blocks[-1]) > lead
            and sum(widths[each] + 2 for each in [*blocks[-1], column]) > terminal_width() + 2
        ):
            blocks.append(list(range(lead)))
        blocks[-1].append(column)
    return [
        "  ".join(row[each] + " " * (widths[each] - display_width(row[each])) for each in block).rstrip()
        for block in blocks
        for row in rows
    ]
