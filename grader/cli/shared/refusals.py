"""Turn errors into refusals, by one table for every command or with a message of the caller."""

import errno
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from grader.base.numbers import format_count
from grader.cli.shared.terminal import printable, refuse, report_few, sentence
from grader.exam.folders import REBUILD_ADVICE

MAX_LISTED_FAULTS = 20
"""At most this many faults are listed; the rest are counted."""

REBUILD_HINT = sentence(REBUILD_ADVICE)
"""The hint for a file of an exam that is missing or cannot be used."""


@contextmanager
def refusing(message: str, *errors: type[Exception], hint: str = "") -> Iterator[None]:
    """Refuse with a message and the error's own words when one of these errors is raised.

    Without `hint`, the error's own is used; for an `OSError`, advice on a full or busy disk is added instead.
    """
    try:
        yield
    except errors as error:
        if isinstance(error, OSError):
            refuse(f"{message}: {error_text(error)}.", f"{hint} {disk_hint(error)}".strip())
        refuse(f"{message}: {error}.", hint or getattr(error, "hint", ""))


def find_refusal(error: Exception) -> tuple[str, str] | None:
    """The message and the hint for an error that every command refuses in the same words; else None."""
    for (module, name), wording in REFUSALS.items():
        # Nothing is imported for this: an error has no class of a module that is not loaded.
        if module in sys.modules and isinstance(error, getattr(sys.modules[module], name)):
            return wording(error)
    return None


def _own_words(error: Any) -> tuple[str, str]:
    return f"{printable(str(error), 600)}.", printable(getattr(error, "hint", ""), 300)


def _decision_faults(error: Any) -> tuple[str, str]:
    """Return the message and the hint for refused decisions: one fault is the message.

    Several are reported before it.
    """
    if len(error.faults) == 1:
        return f"{printable(error.faults[0], 600)}.", ""
    report_few(error.faults, lambda fault: printable(fault, 300), MAX_LISTED_FAULTS)
    return f"Nothing was decided: {format_count(len(error.faults), 'decision')} cannot be used.", ""


_EXAM_COMMANDS = ("exam", "scan", "grade", "review", "gradebook", "report")
"""The commands about exams, in which a blueprint decides what options decide elsewhere."""


def _unknown_option(error: Any) -> tuple[str, str] | None:
    """Say where an option is a field of the blueprint, or which commands have it; else None."""
    option, command = error.option_name, error.ctx.command_path.split()[1]
    hint = _field_hint(option.lstrip("-").replace("-", "_")) if command in _EXAM_COMMANDS else ""
    if not hint and (commands := list(_commands_with(option))):
        hint = f"It is an option of {', '.join(f'`{each}`' for each in commands)}."
    return (f"`{error.ctx.command_path}` has no option {option}.", hint) if hint else None


def _field_hint(name: str) -> str:
    """The hint that a blueprint has this field; empty if it has not."""
    from grader.exam.blueprint_fields import BLUEPRINT

    fields = (field for _, table in BLUEPRINT.body.within() for field in table.fields)
    line = next((field.example_line for field in fields if field.name == name), "")
    return line and f"The blueprint of the exam decides this: `{line}`; see `gametree help blueprint`."


def _commands_with(option: str) -> Iterator[str]:
    """Yield every command that has this option."""
    from typer.main import get_command

    from grader.cli import COMMANDS

    commands: list[tuple[str, Any]] = [
        (f"gametree {name}", get_command(import_module(f"grader.cli.{name}").app)) for name in COMMANDS
    ]
    for path, command in commands:
        commands += ((f"{path} {name}", each) for name, each in getattr(command, "commands", {}).items())
        if any(option in each.opts for each in command.params):
            yield path


def _unsolvable(hint: str = "") -> Callable[[Any], tuple[str, str]]:
    return lambda error: (sentence(str(error)), hint)


REFUSALS: Mapping[tuple[str, str], Callable[[Any], tuple[str, str] | None]] = {
    ("typer._click.exceptions", "NoSuchOption"): _unknown_option,
    ("grader.base.records", "SchemaError"): _own_words,
    ("grader.exam.answer_statistics", "StatisticsError"): _own_words,
    ("grader.solvers.depth_limit", "LimitError"): _unsolvable(
        "Write {eval=...} after the node, or search deeper with --depth."
    ),
    ("grader.solvers.solvable", "BoundsError"): _unsolvable(
        "Widen the bounds: --bounds L,U, or the line @bounds [L, U] of the file."
    ),
    ("grader.solvers.solvable", "UnknownPayoff"): _unsolvable(
        "Write a number in its place to follow the search."
    ),
    ("grader.solvers.solvable", "Unsolvable"): _unsolvable(),
    ("grader.tables.rows", "TableError"): _own_words,
    ("grader.exam.spares", "SpareError"): _own_words,
    ("grader.grading.exam_keys", "ExamKeysError"): _own_words,
    ("grader.grading.executors", "ExecutorError"): _own_words,
    ("grader.grading.decisions", "DecisionError"): _decision_faults,
    ("grader.web.static_site", "PyodideError"): _own_words,
    ("grader.scanning.places", "BoxesError"): lambda error: (
        f"instructor/boxes.json cannot be used: {printable(str(error), 600)}.",
        REBUILD_HINT,
    ),
    ("grader.publishing.exam_folder", "BuildError"): lambda error: (
        f"{printable(str(error), 600)}.",
        sentence(printable(error.hint, 300)),
    ),
    ("grader.generation.selection", "ExhaustedError"): lambda error: (
        f"A recipe asks for more than trees can give: {error}",
        "Relax what `require` and `separate` say.",
    ),
    ("grader.exercises.exercise", "ExerciseError"): lambda error: (
        f"A question cannot be asked: {error}.",
        "Ask for smaller trees, or ask something else.",
    ),
    ("concurrent.futures", "BrokenExecutor"): lambda _error: (
        "A process was stopped from outside.",
        "Run it again.",
    ),
}
"""The message and the hint for each class of errors, by module and name; a subclass comes before its base."""


_DISK_HINTS = {
    errno.EBUSY: "Another program is writing to it; run the same command again when that has ended.",
    errno.ENOSPC: "Make room on the disk, and run the same command again.",
}


def disk_hint(error: OSError) -> str:
    """The hint for a file that cannot be used now; empty for an error that waiting does not cure."""
    return _DISK_HINTS.get(error.errno or 0, "")


def error_text(error: OSError | ValueError) -> str:
    """The reason for an error, as the end of a sentence."""
    text = getattr(error, "strerror", None) or str(error)
    return text[:1].lower() + text[1:]
