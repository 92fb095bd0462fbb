"""How long a command takes to start, against a Typer program that does nothing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import grader
from grader.base.shipped import shipped_folder
from grader.trees.notation.parsing import save_tables
from tests.benchmarks.programs import environment

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

START = """
import sys
sys.modules["interegular"] = None  # which Lark imports where it finds it, and users do not have
from grader.cli import main
main()
"""

TREE = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
CLAIMED = "MAX A=3 (MIN B=3 (3 12 8) MIN C<=2 (2 ~4 ~6) MIN D=2 (14 5 2))"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as a wheel has it, tables of the parser included, and files to work on."""
    desk = tmp_path_factory.mktemp("desk")
    package = desk / "installed" / "grader"
    shutil.copytree(Path(grader.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("problems", "templates"):
        shutil.copytree(shipped_folder(folder), package / "_shipped" / folder)
    (package / "_shipped" / "grammars").mkdir()
    save_tables(package / "_shipped" / "grammars")
    # As installing a wheel does.
    compiling = [sys.executable, "-m", "compileall", "-q", str(package)]
    subprocess.run(compiling, env=environment(desk / "installed"), check=True)
    (desk / "bare.py").write_text(BARE)
    (desk / "textbook.tree").write_text(TREE)
    (desk / "claimed.tree").write_text(CLAIMED)
    asked = [sys.executable, "-c", START, "generate", "pruned-paths", "--seed", "1"]
    grown = subprocess.run(
        asked, env=environment(desk / "installed"), cwd=desk, capture_output=True, check=True
    )
    (desk / "exercise.json").write_bytes(grown.stdout)
    return desk


def seconds(command: list[str], desk: Path, code: int) -> float:
    """The processor time of one run, which other programs on the machine disturb least."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env=environment(desk / "installed"), cwd=desk
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == code
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize(
    ("command", "code", "limit"),
    [
        ("solve textbook.tree", 0, 1.25),
        ("check claimed.tree", 0, 1.5),
        ("mark exercise.json 5", 1, 1.8),
        ("generate pruned-paths -n 1 --seed 1", 0, 2.6),
    ],
)
def test_a_command_starts_soon(command: str, code: int, limit: float, desk: Path) -> None:
    """A command takes at most so many times as long as a bare Typer program, the best of alternating runs."""
    bare, own = [sys.executable, "bare.py"], [sys.executable, "-c", START, *command.split()]
    runs = [(seconds(bare, desk, 0), seconds(own, desk, code)) for _ in range(ROUNDS)]
    ratio = min(run for _, run in runs) / min(run for run, _ in runs)
    print(f"\n{command}: {ratio:.2f} times a bare Typer program")
    assert ratio <= limit
