"""Sessions in a terminal, as a user sees them."""

from pathlib import Path

import pytest

from grader.cli import COMMANDS
from tests.cli.running import shell
from tests.conftest import Golden

FOLDER = Path(__file__).with_name("transcripts")

FILES = sorted(FOLDER.glob("*.txt"))

LONG = ("report", "scan", "site")
"""The sessions that take longest, of commands whose examples in the help are fast tests."""


def transcript(commands: list[str]) -> str:
    """The commands with what they print: stdout, then stderr, then the exit code when it is not 0."""
    parts = []
    for command in commands:
        ran = shell(command)
        code = f"[exit {ran.code}]\n" if ran.code else ""
        parts.append(f"$ {command}\n{ran.out}{ran.err}{code}")
    return "\n".join(parts)


@pytest.mark.parametrize(
    "path",
    [pytest.param(each, id=each.stem, marks=[pytest.mark.slow] * (each.stem in LONG)) for each in FILES],
)
@pytest.mark.usefixtures("desk")
def test_a_session_prints_what_its_transcript_says(path: Path, golden: Golden) -> None:
    """Every command of a transcript prints exactly what the transcript says, with that exit code."""
    lines = path.read_text(encoding="utf-8").splitlines()
    golden.hold(path, transcript([line.removeprefix("$ ") for line in lines if line.startswith("$ ")]))


def test_every_command_has_a_transcript() -> None:
    """There is a session for every command, under the command's name."""
    assert set(COMMANDS) <= {path.stem for path in FILES}
