"""What the commands say and how: data to stdout, messages to stderr, refusals with exit code 2."""

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
"""What could drive a terminal, turn its text around, or hide in it."""

_UNPAINTED = rf"\x1b(?!\[(?:[01]|3[123])m)|(?!\x1b){_CONTROLS}"
"""The same but for the colours of `paint`."""


Command = Callable[..., None]
"""A command's function: its parameters are what Typer reads from argv."""


class OutputFailed(Exception):  # noqa: N818 - the same event as an OSError, which Click would answer itself
    """Nothing more can be written to stdout; `error` says why."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


class _Output(io.TextIOWrapper):
    """Stdout, as a stream that fails with `OutputFailed`.

    Click takes a broken pipe for exit code 1, which here means that something checked is wrong.
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
    """Make stdout and stderr streams that show every character somehow, also where there is no stream.

    Standard input that is closed is as good as an empty one.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115 - open until the program ends
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - open until the program ends
    sys.stderr.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # always a TextIOWrapper
    if sys.stdout is None:
        # A descriptor that cannot be written to: whatever is printed fails, as it should.
        buffer = io.BufferedWriter(io.FileIO(os.open(os.devnull, os.O_RDONLY), "w"))
        sys.stdout = _Output(buffer, encoding="utf-8")
        return
    sys.stdout = _Output(
        sys.stdout.buffer,
        encoding=sys.stdout.encoding,
        errors="backslashreplace",
        line_buffering=sys.stdout.isatty(),
    )


def give_up_output(error: OSError) -> int:
    """Say on stderr that stdout failed; gives the exit code: 0 where the reader of a pipe had seen enough."""
    _discard(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return 0
    report(f"Error: the output cannot be written: {(error.strerror or str(error)).lower()}.")
    return 2


def _discard(stream: Any) -> None:
    """Let what is still to be written go nowhere, or Python would complain when it closes the stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Program(typer.Typer):
    """A Typer app in which a command's docstring is its help; with the examples begins what ends it."""

    def command(self, name: Any = None, **settings: Any) -> Any:
        """A decorator that makes a command of a function."""
        register = super().command
        return lambda command: register(name, cls=ListingCommand, **_help_of(command), **settings)(command)

    def callback(self, **settings: Any) -> Any:
        """A decorator that makes a group of the commands of a function."""
        register = super().callback
        return lambda group: register(**_help_of(group), **settings)(group)


def _help_of(command: Command) -> dict[str, Any]:
    text, examples, rest = inspect.cleandoc(command.__doc__ or "").partition("Examples:\n")
    closing = [f"\b\n{block}" for block in f"{examples}{rest}".split("\n\n")]  # \b: is not wrapped anew
    return {"help": text, "epilog": "\n\n".join(closing)}


def program(**settings: Any) -> typer.Typer:
    """A Typer app with the project's settings.

    Help is plain text, which every terminal shows; tracebacks are plain too, because pretty ones
    print local variables, and those hold answer keys.
    """
    settings = {"add_completion": False, **settings}
    return Program(rich_markup_mode=None, pretty_exceptions_enable=False, **settings)


def speaks_unicode() -> bool:
    """Whether stdout can show triangles, lines and crosses."""
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

    A large document comes field by field, each with its value: what is printed is let go of. A value that
    is a list or an iterator is printed a few entries at a time.
    """
    _send_fields(iter(record.items()) if isinstance(record, Mapping) else record, 2)
    _send(sys.stdout, "\n")


def _send_fields(fields: Iterator[tuple[str, Any]], width: int) -> None:
    """A record whose fields stand that far to the right."""
    before = "{"
    for name, value in fields:
        _send(sys.stdout, f"{before}\n{' ' * width}{json.dumps(name)}: ")
        if isinstance(value, Mapping) and value:
            _send_fields(iter(value.items()), width + 2)
        elif isinstance(value, list | tuple | Iterator):
            _send_list(iter(value), width)
        else:
            _send(sys.stdout, json.dumps(value))
        before = ","
    _send(sys.stdout, "{}" if before == "{" else f"\n{' ' * (width - 2)}}}")


def _send_list(entries: Iterator[Any], width: int) -> None:
    """A list that begins that far to the right."""
    margin = "\n" + " " * width
    before = "["
    while some := list(islice(entries, 500)):
        # In the text of an entry there are no ends of lines but those of the layout.
        text = json.dumps(some, indent=2).replace("\n", margin)
        _send(sys.stdout, before + text[1 : -len(margin) - 1])
        before = ","
    _send(sys.stdout, "[]" if before == "[" else f"{margin}]")


_JSON: ContextVar[bool] = ContextVar("json", default=False)


def remember_json(wanted: bool) -> bool:
    """Remember whether the command that runs was given `--json`."""
    _JSON.set(wanted)
    return wanted


def asked_for_json() -> bool:
    """Whether the command that runs was given `--json`."""
    return _JSON.get()


def say_errors(errors: list[dict[str, Any]]) -> None:
    """Print the document of a command that refuses: each error with its `message` and its `hint`."""
    say_json({"schema": 1, "errors": errors})


def printable(text: str, longest: int = 200) -> str:
    """Somebody else's text on one line, without anything that a terminal would obey."""
    return safe_line(text, longest)


def format_count(number: int, one: str, many: str = "") -> str:
    """`1 row`, `3 rows`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def sentence(words: str) -> str:
    """Words with a capital letter in front, and a full stop behind unless they ask; nothing stays nothing."""
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('?') else '.'}" if words else ""


def say_bytes(data: bytes) -> None:
    """Write bytes to stdout as they are."""
    sys.stdout.flush()
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        raise OutputFailed(error) from None


def report(text: str) -> None:
    """Print a message to stderr; where that cannot be written, the exit code alone tells."""
    try:
        _write(sys.stderr, text)
    except OSError:
        _discard(sys.stderr)


def report_few(things: Sequence[T], said: Callable[[T], str], most: int, rest: str = "") -> None:
    """Print to stderr what is said of the first of some things, and how many more there are."""
    for thing in things[:most]:
        report(f"  {said(thing)}")
    if len(things) > most:
        report(f"  and {len(things) - most} more{rest}")


def note(text: str) -> None:
    """Print to stderr what somebody may want to know."""
    report(f"{paint('Note:', 'yellow', sys.stderr)} {text}")


def refuse(message: str, hint: str = "") -> NoReturn:
    """Say on stderr why the input cannot be used and how to mend it, and exit with code 2.

    Whoever asked for JSON gets the same as a document.
    """
    if asked_for_json():
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
    shown = text if speaks_unicode() else text.translate(_ASCII)
    _send(stream, shown if shown.endswith("\n") else shown + "\n")


def _send(stream: Any, text: str) -> None:
    """Write text that may hold what others typed: their control characters are shown, never sent."""
    controls = _UNPAINTED if _wants_colours(stream) else _CONTROLS
    stream.write(re.sub(controls, lambda sign: f"\\x{ord(sign[0]):02x}", text))
