"""How long a command takes to start, against a Typer program that does nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.benchmark

ROUNDS = 9

BARE = """
import typer

app = typer.Typer(pretty_exceptions_enable=False)

@app.command()
def main(name: str = "nobody") -> None:
    typer.echo(name)

app()
"""


def seconds(command: list[str]) -> float:
    """The processor time of one run, which other programs on the machine disturb least."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


def ratio(command: list[str], tmp_path: Path) -> float:
    """The time of a command over that of a bare Typer program: the best of several alternating runs."""
    bare = tmp_path / "bare.py"
    bare.write_text(BARE)
    runs = [
        (seconds([sys.executable, str(bare)]), seconds([sys.executable, *command])) for _ in range(ROUNDS)
    ]
    return min(run for _, run in runs) / min(run for run, _ in runs)


def test_the_version_costs_little(tmp_path: Path) -> None:
    """`gametree --version` takes at most 1.3 times as long as a bare Typer program."""
    assert ratio(["-m", "grader", "--version"], tmp_path) <= 1.3


def test_a_textbook_tree_is_solved_at_once(tmp_path: Path) -> None:
    """`gametree solve` takes for a textbook tree at most 1.25 times as long as a bare Typer program."""
    tree = tmp_path / "textbook.tree"
    tree.write_text("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")
    assert ratio(["-m", "grader", "solve", str(tree)], tmp_path) <= 1.25
