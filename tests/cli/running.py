"""Runs commands as a user types them, inside the test process."""

import shlex
from dataclasses import dataclass

from typer.testing import CliRunner

from grader.cli import app


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


def gametree(*arguments: str, typed: str | bytes = "") -> Ran:
    """Run `gametree` with these arguments and this on standard input; a crash is raised here."""
    result = CliRunner().invoke(app, list(arguments), input=typed, prog_name="gametree")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ran(result.exit_code, result.stdout, result.stderr)


def shell(line: str) -> Ran:
    """Run a line as a shell would: `gametree ...`, or `echo TEXT | gametree ...`."""
    words, typed = shlex.split(line), ""
    if words[0] == "echo":
        assert words[2] == "|"
        typed, words = words[1] + "\n", words[3:]
    assert words[0] == "gametree", line
    return gametree(*words[1:], typed=typed)
