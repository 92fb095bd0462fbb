"""The command line: `gametree COMMAND`, one module per command."""

import os
import sys
from gc import freeze
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

from grader.base.interrupts import INTERRUPTED, STOPPED, WATCH, end_children, is_interrupt
from grader.base.memory import LITTLE_MEMORY, lacks_memory
from grader.cli.shared.completion import join_words
from grader.cli.shared.parameters import option
from grader.cli.shared.refusals import find_refusal
from grader.cli.shared.terminal import (
    CommandApp,
    OutputFailed,
    give_up_output,
    open_output,
    refuse,
    remember_json,
)
from grader.cli.shared.terminal import report as tell  # `report` becomes the module of that command
from grader.version import VERSION

COMMANDS = (
    "solve",
    "check",
    "draw",
    "explain",
    "convert",
    "kinds",
    "generate",
    "stress",
    "mark",
    "practice",
    "web",
    "site",
    "unit",
    "exam",
    "scan",
    "grade",
    "review",
    "gradebook",
    "report",
    "statistics",
    "bank",
    "game",
    "code",
    "help",
)
"""Every command, in the order of `gametree --help`; each is the module of this package with its name."""


class Commands(TyperGroup):
    """The commands, each imported only when it runs."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands: dict[str, Any] = dict.fromkeys(COMMANDS)  # Typer compares a misspelt name with these

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - Typer's signature
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - Typer's signature
        """The command of this name, or None."""
        if cmd_name not in COMMANDS:
            return None
        return get_command(import_module(f"grader.cli.{cmd_name}").app)

    def invoke(self, ctx: Any) -> Any:
        """Run a command and refuse what its input makes impossible.

        Typer's message about an argument loses the words that are meant for programmers.
        """
        remember_json(False)
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            tell(" ".join((STOPPED, *interrupt.args)))
            WATCH.is_announced = True
            raise typer.Exit(INTERRUPTED) from None
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise
        except Exception as error:  # refused if the table knows it, else raised again
            refusal = find_refusal(error)
            if refusal is None or is_interrupt(error):
                raise
            refuse(*refusal)


app = CommandApp(cls=Commands, no_args_is_help=True, add_completion=True)


def _version(requested: bool) -> None:
    """Print the version and exit, if it is requested."""
    if requested:
        typer.echo(f"gametree {VERSION}")
        raise typer.Exit()


@app.callback()
def gametree(
    version: Annotated[
        bool, option("Print the version and exit.", "--version", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Read, solve, check, draw and explain game trees: minimax, alpha-beta, expectiminimax, max^n.

    FILE is a tree file, `-` for standard input, or bank:NAME for a tree of the bank.

    Examples:
      gametree solve bank:aima-fig-5-2
      echo 'MAX A (MIN B (3 12 8) MIN C (2 4 6))' | gametree solve -
      gametree help notation
    """


def main() -> None:
    """Run the command line and exit with its code: 0 fine, 1 wrong, 2 unusable, 130 interrupted."""
    # OpenBLAS would start threads for matrix products, which nothing here needs: half of the start-up time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    open_output()
    join_words("bank:")
    try:
        try:
            app(prog_name="gametree")
        finally:
            WATCH.finish()
            end_children()  # Python would wait for processes that are no longer needed
            sys.stdout.flush()
            freeze()  # else the garbage collection at exit takes 20 ms
    except KeyboardInterrupt:
        _stop()
    except SystemExit as end:
        if end.code == INTERRUPTED:
            _stop()
        raise
    except OutputFailed as failure:
        sys.exit(give_up_output(failure.error))
    except Exception as error:  # raised again unless Ctrl-C or memory is the reason
        if is_interrupt(error):
            _stop()
        if not lacks_memory(error):
            raise
        os.write(2, LITTLE_MEMORY)
        sys.exit(2)


def _stop() -> NoReturn:
    """End after Ctrl-C."""
    WATCH.finish()
    WATCH.announce(tell)
    sys.exit(INTERRUPTED)
