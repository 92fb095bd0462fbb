"""Runs commands as a user types them, inside the test process."""

import shlex
from dataclasses import dataclass
from glob import glob
from pathlib import Path

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


def interrupted(*_arguments: object, **_options: object) -> None:
    """Stand in for a step during which somebody presses Ctrl-C."""
    raise KeyboardInterrupt


def shell(line: str) -> Ran:
    """Run a line as a shell would: `gametree` commands joined by pipes, perhaps after `echo` or `printf`.

    Files may be read with `<`, written with `>` and matched with `*`; a remark starts with `#`.
    Gives what the last command says on stdout, what all say on stderr, and the exit code of the last.
    """
    stages: list[list[str]] = [[]]
    for word in shlex.split(line, comments=True):
        if word == "|":
            stages.append([])
        else:
            stages[-1] += sorted(glob(word)) if "*" in word else [word]
    typed, errors, code = "", "", 0
    for stage in stages:
        into = Path(stage[-1]) if ">" in stage else None
        words = stage[: stage.index(">")] if into else stage
        if words[0] == "echo":
            typed = words[1] + "\n"
        elif words[0] == "printf":
            typed = words[1].replace("\\n", "\n")
        else:
            assert words[0] == "gametree", line
            if "<" in words:
                typed = Path(words.pop()).read_text()
                words.remove("<")
            ran = gametree(*words[1:], typed=typed)
            typed, errors, code = ran.out, errors + ran.err, ran.code
        if into is not None:
            into.write_text(typed)
    return Ran(code, typed, errors)
