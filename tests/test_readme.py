"""The README does what it says."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest
from typer.main import get_command

from grader import Diagnostics, read_tree
from grader.answers.form import PolicyName
from grader.answers.policies import read_policy
from grader.cli import COMMANDS
from grader.exercises.policy_table import POLICY_DEFINITIONS
from grader.questions import kind_by_code
from tests import example_class
from tests.cli.running import gametree, shell

ROOT = Path(__file__).parents[1]

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language, without their fences."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [text for spoken, text in fenced if spoken == language]


def sessions() -> list[tuple[str, list[str]]]:
    """Every command in a console block, with the lines it is said to print."""
    found: list[tuple[str, list[str]]] = []
    for block in blocks("console"):
        if "midterm" in block and "generate" not in block:
            continue  # these build on each other
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line.removeprefix("$ "), []))
            else:
                found[-1][1].append(line)
    return found


@pytest.mark.parametrize(
    ("command", "shown"), sessions(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_commands_print_what_the_readme_shows(
    command: str, shown: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command of the README prints the lines shown below it; `...` stands for any others."""
    monkeypatch.chdir(tmp_path)
    ran = shell(command)
    assert ran.code in (0, 1), ran.err
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in shown)
    assert re.fullmatch(pattern, ran.out), ran.out


@pytest.mark.parametrize("students", [2, pytest.param(None, marks=pytest.mark.slow)])
def test_an_exam_goes_from_blueprint_to_report(
    students: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The README's commands for an exam and its grading work one after the other, whatever the class."""
    head, *rows = (ROOT / "problems" / "exams" / "class.csv").read_bytes().splitlines(keepends=True)
    (tmp_path / "class.csv").write_bytes(b"".join([head, *rows[:students]]))
    monkeypatch.chdir(tmp_path)
    block = "".join(text for text in blocks("console") if "midterm" in text and "generate" not in text)
    commands = [line.removeprefix("$ ") for line in block.splitlines()]
    assert [command.split()[1] for command in commands] == ["exam"] * 4 + ["grade"] + ["gradebook"] * 3 + [
        "report"
    ]
    for command in commands:
        if command == "gametree grade midterm responses.csv":  # the exam has trees of its own
            replies = example_class.written_for(tmp_path / "midterm")
            (tmp_path / "responses.csv").write_text(replies, encoding="utf-8")
        ran = shell(command)
        assert ran.code == 0, (command, ran.err)
    assert (tmp_path / "responses.csv").exists()


def test_the_example_file_reads() -> None:
    """The tree written out in the README is one."""
    (text,) = (block for block in blocks("") if block.startswith("@title"))
    tree = read_tree(text)
    assert not isinstance(tree, Diagnostics)
    assert (tree.header.ties, tree.names[1], tree.moves[1]) == ("cut", "B", "left")


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The Python of the README runs and prints the answer."""
    (code,) = blocks("python")
    names: dict[str, object] = {}
    exec(compile(code, "README.md", "exec"), names)
    assert capsys.readouterr().out == "3 (5, 6)\n"
    assert str(names["picture"]).startswith("<svg")


@pytest.mark.slow
def test_the_python_examples_are_typed(tmp_path: Path) -> None:
    """The Python that is shown passes a strict type checker as it stands."""
    for page in ("README.md", "docs/arrays.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        (tmp_path / f"{Path(page).stem.lower()}.py").write_text(code, encoding="utf-8")
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nstrict = true\nfollow_imports = silent\n", encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", config, "readme.py", "arrays.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


def test_the_example_with_arrays_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The Python of the page about arrays runs, and prunes what the search does."""
    page = (ROOT / "docs" / "arrays.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(compile(code, "arrays.md", "exec"), {})
    assert capsys.readouterr().out == "3 [5 6]\n6 [8 9]\n(1000,) (13, 1000)\n"


def test_two_commands_set_everything_up() -> None:
    """The README's set-up is two commands; the checks of a change install and test in the same way."""
    setup = blocks("sh")
    assert len(setup) == 2
    checks = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    main, tests = (shlex.split(block) for block in setup)
    assert tests[-1] == "pytest"
    assert re.search(r"^pytest$", checks, re.MULTILINE)
    assert 'pip install -q ".[dev]"' in checks
    _, *jobs = " ".join(main).split(" && ")
    for job in jobs:
        in_checks = re.sub(r"(problems/\S+)", r'"$root/\1"', job.replace("gametree", "user"))
        assert f"\n{in_checks}\n" in checks


def test_the_picture_is_fresh() -> None:
    """The picture in the README is what the program draws today."""
    drawn = gametree("draw", "bank:aima-fig-5-2", "--solution", "-o", "-", "--format", "svg")
    assert (ROOT / "docs" / "textbook.svg").read_text(encoding="utf-8") == drawn.out


def test_every_command_is_mentioned() -> None:
    """Nobody has to read the source to learn that a command exists."""
    assert [name for name in COMMANDS if f"gametree {name}" not in README] == []


def commands_with_json() -> Iterator[str]:
    """Every command and every command of a group that has the option --json."""
    for name in COMMANDS:
        command = get_command(import_module(f"grader.cli.{name}").app)
        below = getattr(command, "commands", {})
        group = {f"{name} {word}": each for word, each in below.items()}
        for words, each in (group or {name: command}).items():
            if any("--json" in parameter.opts for parameter in each.params):
                yield words


def test_commands_said_to_print_json_are_those_that_do() -> None:
    """The README lists exactly the commands that have --json."""
    (said,) = re.findall(r"^(`.*) print one JSON document", README, re.MULTILINE)
    assert re.findall(r"`([^`]*)`", said) == list(commands_with_json())


def test_files_named_in_the_readme_exist() -> None:
    """Links and pictures point at files of the repository."""
    for target in re.findall(r"\]\(([^)#:]+)\)|src=\"([^\"]+)\"", README):
        assert (ROOT / "".join(target)).exists(), target


@pytest.mark.slow
def test_the_example_class_answers_the_example_exam() -> None:
    """What the example class hands in are answers to the trees of the example exam."""
    assert example_class.RESPONSES.read_text(encoding="utf-8") == example_class.written()


def test_the_policies_are_those_of_the_program() -> None:
    """The table has every policy of new exercises, with an example that the program marks so."""
    rows = [
        f"| `{each.spelling}` | {each.marks} | {each.earns} | {each.example} |" for each in POLICY_DEFINITIONS
    ]
    assert "\n".join(rows) in README
    named = [read_policy(each.spelling).name for each in POLICY_DEFINITIONS]
    assert {*named, "each"} == {*get_args(PolicyName)}
    for name, each in zip(named, POLICY_DEFINITIONS, strict=True):
        assert name in kind_by_code(each.kind).form.policies
