"""Print what commands report: data to stdout, messages to stderr, refusals with exit code 2."""

import inspect
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from itertools import islice
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar

import typer

from grader.base.safe_text import NEVER_SHOWN, safe_line
from grader.cli.shared.registry_help import ListingCommand

T = TypeVar("T")

_ASCII = str.maketrans("×·−–—", "**---") | str.maketrans(
    {"…": "...", "−": "-", "∞": "inf", "→": "->", "≤": "<=", "≥": ">="}
)


_CONTROLS = rf"(?![\t\n]){NEVER_SHOWN}"
"""Characters that drive a terminal, turn its text around or hide in it."""

_UNPAINTED = rf"\x1b(?!\[(?:[01]|3[123])m)|(?!\x1b){_CONTROLS}"
"""The same, except for the colours of `paint`."""


Command = Callable[..., None]
"""A command's function: its parameters are what Typer reads from argv."""

AnyCommand = TypeVar("AnyCommand", bound=Callable[..., Any])


class OutputFailed(Exception):  # noqa: N818 - the same event as an OSError, which Click would answer itself
    """Nothing more can be written to stdout; `error` is the reason."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


class _Output(io.TextIOWrapper):
    """Stdout that fails with `OutputFailed`.

    For an `OSError` Click would exit with 1, which here means that something checked is wrong.
    """

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            raise OutputFailed(error) from None

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise OutputFailed(error) from None


def open_output() -> None:
    """Replace stdout and stderr by streams that escape what they cannot encode; a closed stdin becomes empty.

    A closed stdout becomes a stream that fails, a closed stderr one that drops everything.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115 - open until the program ends
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - open until the program ends
    sys.stderr.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # always a TextIOWrapper
    if sys.stdout is None:
        # A read-only descriptor: the first print fails, as it does for any other stdout that fails.
        unwritable = io.BufferedWriter(io.FileIO(os.open(os.devnull, os.O_RDONLY), "w"))
        sys.stdout = _Output(unwritable, encoding="utf-8")
        return
    sys.stdout = _Output(
        sys.stdout.buffer,
        encoding=sys.stdout.encoding,
        errors="backslashreplace",
        line_buffering=sys.stdout.isatty(),
    )


def give_up_output(error: OSError) -> int:
    """Report on stderr that stdout failed; return the exit code, 0 if the reader of a pipe has closed it."""
    _discard(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return 0
    report(f"Error: the output cannot be written: {(error.strerror or str(error)).lower()}.")
    return 2


def _discard(stream: Any) -> None:
    """Send the buffered rest nowhere, or Python would complain when it closes the stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class CommandApp(typer.Typer):
    """A Typer app in which a command's docstring is its help, and its examples begin the epilog.

    Help is plain text, which every terminal shows; tracebacks are plain too, because pretty ones
    print local variables, and those hold answer keys.
    """

    def __init__(self, *, add_completion: bool = False, **settings: Any) -> None:
        super().__init__(
            add_completion=add_completion, rich_markup_mode=None, pretty_exceptions_enable=False, **settings
        )

    def command(self, name: Any = None, **settings: Any) -> Callable[[AnyCommand], AnyCommand]:
        """Return a decorator that registers a function as a command."""
        register = super().command
        return lambda command: register(name, cls=ListingCommand, **_help_of(command), **settings)(command)

    def callback(self, **settings: Any) -> Callable[[AnyCommand], AnyCommand]:
        """Return a decorator that registers a function as the callback of a group of commands."""
        register = super().callback
        return lambda group: register(**_help_of(group), **settings)(group)


def _help_of(command: Command) -> dict[str, Any]:
    """Return the help of a command for Typer: its docstring up to the examples, and these as they are."""
    text, examples, rest = inspect.cleandoc(command.__doc__ or "").partition("Examples:\n")
    # \b: Click keeps the lines as they are.
    closing = [f"\b\n{block}" for block in f"{examples}{rest}".split("\n\n")]
    return {"help": text, "epilog": "\n\n".join(closing)}


def speaks_unicode() -> bool:
    """Return whether stdout can show triangles, lines and crosses."""
    try:
        "△▽○│└├─╳≤≥".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def say(text: str) -> None:
    """Print data to stdout."""
    _write(sys.stdout, text)


def say_json(record: Mapping[str, Any] | Iterator[tuple[str, Any]]) -> None:
    """Print one JSON document to stdout; characters beyond ASCII are escaped, so any terminal carries it.

    A large document is an iterator of fields and values, and a value may be an iterator too: both are
    printed in batches, so that the document is never in memory as a whole.
    """
    _send_fields(iter(record.items()) if isinstance(record, Mapping) else record, 2)
    _send(sys.stdout, "\n")


def _send_fields(fields: Iterator[tuple[str, Any]], indent: int) -> None:
    """Print a record whose fields are indented by this many columns."""
    separator = "{"
    for name, value in fields:
        _send(sys.stdout, f"{separator}\n{' ' * indent}{json.dumps(name)}: ")
        if isinstance(value, Mapping) and value:
            _send_fields(iter(value.items()), indent + 2)
        elif isinstance(value, list | tuple | Iterator):
            _send_list(iter(value), indent)
        else:
            _send(sys.stdout, json.dumps(value))
        separator = ","
    _send(sys.stdout, "{}" if separator == "{" else f"\n{' ' * (indent - 2)}}}")


def _send_list(entries: Iterator[Any], indent: int) -> None:
    """Print a list in a field that is indented by this many columns."""
    margin = "\n" + " " * indent
    separator = "["
    while batch := list(islice(entries, 500)):
        # JSON escapes the line ends in strings, so every line end here belongs to the layout.
        text = json.dumps(batch, indent=2).replace("\n", margin)
        _send(sys.stdout, separator + text[1 : -len(margin) - 1])
        separator = ","
    _send(sys.stdout, "[]" if separator == "[" else f"{margin}]")


_JSON: ContextVar[bool] = ContextVar("json", default=False)


def remember_json(wanted: bool) -> bool:
    """Remember whether the running command was given `--json`."""
    _JSON.set(wanted)
    return wanted


def wants_json() -> bool:
    """Return whether the running command was given `--json`."""
    return _JSON.get()


def say_errors(errors: list[dict[str, Any]]) -> None:
    """Print the JSON document of a refusal: each error with its `message` and its `hint`."""
    say_json({"schema": 1, "errors": errors})


def printable(text: str, max_length: int = 200) -> str:
    """Text from outside the program on one line, without anything that a terminal would obey."""
    return safe_line(text, max_length)


def sentence(words: str) -> str:
    """Words with a capital letter and a full stop, or their question mark; empty for no words."""
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('?') else '.'}" if words else ""


def say_bytes(data: bytes) -> None:
    """Write bytes to stdout as they are. Raises `OutputFailed`."""
    sys.stdout.flush()
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        raise OutputFailed(error) from None


def report(text: str) -> None:
    """Print a message to stderr; if that fails, only the exit code is left."""
    try:
        _write(sys.stderr, text)
    except OSError:
        _discard(sys.stderr)


def report_few(items: Sequence[T], describe: Callable[[T], str], limit: int, rest: str = "") -> None:
    """Print the first items to stderr, one a line, and how many more there are."""
    for item in items[:limit]:
        report(f"  {describe(item)}")
    if len(items) > limit:
        report(f"  and {len(items) - limit} more{rest}")


def say_note(text: str) -> None:
    """Print a note that belongs to the data, after an empty line, to stdout."""
    say(f"\n{paint('Note:', 'yellow')} {text}")


def note(text: str) -> None:
    """Print a note to stderr."""
    report(f"{paint('Note:', 'yellow', sys.stderr)} {text}")


def refuse(message: str, hint: str = "") -> NoReturn:
    """Report on stderr why the input cannot be used and how to fix it, and exit with code 2.

    With `--json` the same is printed as a document, too.
    """
    if wants_json():
        say_errors([{"message": message, "hint": hint}])
    report(f"{paint('Error:', 'red', sys.stderr)} {message}")
    if hint:
        report(f"Hint: {hint}")
    raise typer.Exit(2)


Colour: TypeAlias = Literal["red", "green", "yellow", "bold"]


def paint(text: str, colour: Colour, stream: Any = None) -> str:
    """The text in a colour, or bold, when the stream is a terminal that wants colours."""
    stream = stream or sys.stdout
    if not _wants_colours(stream):
        return text
    return typer.style(text, bold=True) if colour == "bold" else typer.style(text, fg=colour)


def _wants_colours(stream: Any) -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()


def _write(stream: Any, text: str) -> None:
    encodable = text if speaks_unicode() else text.translate(_ASCII)
    _send(stream, encodable if encodable.endswith("\n") else encodable + "\n")


def _send(stream: Any, text: str) -> None:
    """Write text; control characters that it holds, perhaps from a file, are shown and never sent."""
    controls = _UNPAINTED if _wants_colours(stream) else _CONTROLS
    stream.write(re.sub(controls, lambda sign: f"\\x{ord(sign[0]):02x}", text))
