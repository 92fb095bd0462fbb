"""Exercises on behalf of the commands: found by kind, read from a file, shown in a terminal."""

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Annotated, NoReturn

from grader.cli.shared.name_lookup import lookup_name
from grader.cli.shared.parameters import argument
from grader.cli.shared.sources import read_input_text, require_readable, source_label
from grader.cli.shared.terminal import printable, refuse, speaks_unicode

if TYPE_CHECKING:
    from grader.base.catalogues import OwnCatalogue
    from grader.exercises.exercise import Exercise, PublicExercise
    from grader.questions.kind import AnyKind

KindName = Annotated[
    str,
    argument(
        "KIND",
        "The kind of question; `gametree kinds` lists them.",
        autocompletion=lambda incomplete: _kind_names(incomplete),
    ),
]

MAX_COLUMNS = 100
"""No text or picture in a terminal is wider than this, however wide the terminal is."""


def kinds_named(name: str) -> "Sequence[AnyKind]":
    """The kinds that share a name before their asks, `uct`; just one for a kind that has no asks."""
    from grader.questions import KIND_NAMES, load_kinds

    return tuple(load_kinds(name).values()) if name in KIND_NAMES else ()


def require_kind(name: str) -> "AnyKind":
    """The kind with this name; refuses any other, and the name that several questions share with these."""
    from grader.questions import all_kinds, find_kind

    kind = find_kind(name)
    if kind is not None:
        return kind
    several = kinds_named(name)
    if several:
        codes = ", ".join(each.code for each in several)
        refuse(f"{name} asks {len(several)} questions, and this is for one of them.", f"Choose from {codes}.")
    return lookup_name(
        {each.code: each for each in all_kinds()}, name, "kind", "`gametree kinds` lists them."
    )


def read_exercise_file(source: str, own: "OwnCatalogue | None" = None) -> "Exercise":
    """The exercise in a file, or on standard input for `-`; refuses with everything that is wrong with it.

    `own` is the catalogue in which it speaks, where that is a teacher's own.
    """
    from grader.exercises.exercise_file import read_exercise
    from grader.trees.notation.diagnostics import Diagnostics

    name = source_label(source)
    text = read_input_text(source, "an exercise file", hint="It is no exercise file.")
    exercise = read_exercise(text, own)
    if isinstance(exercise, Diagnostics):
        if _several(text):
            refuse(
                f"{name} holds several exercises.",
                "`gametree generate KIND -o DIR` writes one file for each; head -n 1 takes the first line.",
            )
        if {fault.code for fault in exercise} == {"no-key"}:
            _refuse_public(source)
    return require_readable(source, exercise)


def _refuse_public(source: str) -> NoReturn:
    """Refuse the public part of an exercise, and point to the instructor's file beside it."""
    hint = "Mark with the instructor's file, which was written beside it."
    if source.endswith(".public.json"):
        beside = Path(source.removesuffix(".public.json") + ".json")
        if beside.exists():
            hint = f"Did you mean {beside}?"
    refuse(f"{source_label(source)} is the public part of an exercise, without its key.", hint)


def _several(text: str) -> bool:
    lines = [line for line in text.split("\n", 2) if line.strip()]
    return len(lines) > 1 and all(map(_whole, lines[:2]))


def _whole(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def terminal_width() -> int:
    """How many columns text may have; the same everywhere when stdout is no terminal."""
    columns = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80
    return max(40, min(MAX_COLUMNS, columns)) - 1


def exercise_text_picture(public: "PublicExercise") -> str:
    """The tree of an exercise in characters, with the names and path numbers that its answers speak of."""
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
    """A text as lines that fit the terminal, behind its head and the indent; its own line ends stay.

    Without an indent every line stands behind the head.
    """
    width, indent = terminal_width(), head if indent is None else indent
    wrapper = TextWrapper(width, initial_indent=head, subsequent_indent=indent, break_on_hyphens=False)
    return [line for paragraph in text.split("\n") for line in wrapper.wrap(paragraph) or [""]]


def shorten_line(text: str, most: int) -> str:
    """Somebody else's text on one line of so many columns."""
    from grader.pictures.text import display_width

    shown = printable(text, most)
    while display_width(shown) > most:
        shown = printable(shown, len(shown) - 1)
    return shown


def table_lines(rows: Sequence[Sequence[str]], lead: int) -> list[str]:
    """Rows as lines, their cells below each other, with wide characters counted as two columns.

    Cells that do not fit the terminal go on below, where the first `lead` of every row come again.
    """
    from grader.pictures.text import display_width

    widths = [max(map(display_width, cells)) for cells in zip(*rows, strict=True)]
    blocks = [list(range(lead))]
    for place in range(lead, len(widths)):
        if (
            len(blocks[-1]) > lead
            and sum(widths[at] + 2 for at in [*blocks[-1], place]) > terminal_width() + 2
        ):
            blocks.append(list(range(lead)))
        blocks[-1].append(place)
    return [
        "  ".join(row[at] + " " * (widths[at] - display_width(row[at])) for at in block).rstrip()
        for block in blocks
        for row in rows
    ]


def _kind_names(incomplete: str) -> list[str]:
    from grader.questions import KIND_NAMES

    return [name for name in KIND_NAMES if name.startswith(incomplete)]
