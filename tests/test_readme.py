"""The README and the guides do what they say."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest
from openpyxl import load_workbook
from typer.main import get_command

import grader
from grader import Diagnostics, read_tree
from grader.answers.form import PolicyName
from grader.answers.policies import read_policy
from grader.cli import COMMANDS
from grader.exam.folders import ENTRY_FILE
from grader.exercises.policy_table import POLICY_DEFINITIONS
from grader.questions import kind_by_code
from tests import example_class
from tests.cli.running import gametree, shell

ROOT = Path(__file__).parents[1]

README = (ROOT / "README.md").read_text(encoding="utf-8")

GUIDES = {
    path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs" / "guides").glob("*.md"))
}

PAGES = {"README": README, **GUIDES}
"""The pages whose commands are run."""


def blocks(language: str, page: str) -> list[str]:
    """The fenced blocks of a language, without their fences and the indentation of a list."""
    fenced = re.findall(r"^( *)```(\w*)\n(.*?)^ *```$", page, re.MULTILINE | re.DOTALL)
    return [
        "".join(line.removeprefix(indent) for line in text.splitlines(keepends=True))
        for indent, spoken, text in fenced
        if spoken == language
    ]


def sessions(page: str) -> list[tuple[str, list[str]]]:
    """Every command in the console blocks of a page, with the lines it is said to print."""
    found: list[tuple[str, list[str]]] = []
    for line in "".join(blocks("console", page)).splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        else:
            found[-1][1].append(line)
    return found


@pytest.mark.parametrize("name", PAGES)
def test_commands_print_what_their_page_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands of a page work one after the other in one folder, and print the lines shown below them.

    `...` stands for any lines; where nothing is shown, anything may be printed.
    """
    monkeypatch.chdir(tmp_path)
    for text in blocks("csv", PAGES[name]):
        Path("class.csv").write_text(text, encoding="utf-8")
    for command, shown in sessions(PAGES[name]):
        if command in ("gametree grade midterm responses.csv", "gametree grade midterm entry.xlsx"):
            hand_in(Path(command.split()[-1]))
        ran = shell(command)
        assert ran.code == 0 or (ran.code == 1 and shown), (command, ran.err)
        pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in shown)
        assert not shown or re.fullmatch(pattern, ran.out), (command, ran.out)


def hand_in(path: Path) -> None:
    """Write what the class of the exam in `midterm` answers: a table, or a copy of the workbook."""
    replies = example_class.written_for(Path("midterm"))
    if path.suffix == ".csv":
        path.write_text(replies, encoding="utf-8")
        return
    book = load_workbook(Path("midterm") / ENTRY_FILE)
    sheet = book.active
    column = next(cell.column for cell in sheet[1] if cell.value == "3")
    for row in range(2, sheet.max_row + 1):
        if sheet.cell(row, 1).value:
            sheet.cell(row, column).value = "7"
    book.save(path)


@pytest.mark.slow
def test_an_exam_goes_from_blueprint_to_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the guide about grading does for two students works for the class of twenty."""
    students = (ROOT / "problems" / "exams" / "class.csv").read_text(encoding="utf-8")
    for own, of_the_guide in (("004201", "4711"), ("004238", "4712")):
        students = students.replace(own, of_the_guide)
    (tmp_path / "class.csv").write_text(students, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for command, _ in sessions(GUIDES["grade"]):
        if command == "gametree grade midterm responses.csv":
            hand_in(Path("responses.csv"))
        assert shell(command).code == 0, command


def test_the_example_file_reads() -> None:
    """The tree written out in the guide about trees is one."""
    (text,) = (block for block in blocks("", GUIDES["trees"]) if block.startswith("@title"))
    tree = read_tree(text)
    assert not isinstance(tree, Diagnostics)
    assert (tree.header.ties, tree.names[1], tree.moves[1]) == ("cut", "B", "left")


PYTHON_PAGES = {
    "docs/guides/scripts.md": "3 (5, 6)\n",
    "docs/arrays.md": "3 [5 6]\n6 [8 9]\n(1000,) (13, 1000)\n",
}
"""The pages with Python to copy, and what it prints."""


def python_of(page: str) -> str:
    """The Python of a page."""
    (code,) = blocks("python", (ROOT / page).read_text(encoding="utf-8"))
    return code


@pytest.mark.parametrize("page", PYTHON_PAGES)
def test_the_python_example_runs(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The Python of a page runs and prints the answer."""
    names: dict[str, object] = {}
    exec(compile(python_of(page), page, "exec"), names)
    assert capsys.readouterr().out == PYTHON_PAGES[page]
    assert str(names.get("picture", "<svg")).startswith("<svg")


@pytest.mark.slow
def test_the_python_examples_are_typed(tmp_path: Path) -> None:
    """The Python that is shown passes a strict type checker as it stands."""
    files = [f"{Path(page).stem}.py" for page in PYTHON_PAGES]
    for page, file in zip(PYTHON_PAGES, files, strict=True):
        (tmp_path / file).write_text(python_of(page), encoding="utf-8")
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nstrict = true\nfollow_imports = silent\n", encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", config, *files],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


def test_two_commands_set_everything_up() -> None:
    """The README's set-up is two commands; the checks of a change install and test in the same way."""
    setup = blocks("sh", README)
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
    text = "".join(PAGES.values())
    assert [name for name in COMMANDS if f"gametree {name}" not in text] == []


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
    """The guide about scripts lists exactly the commands that have --json."""
    (said,) = re.findall(r"^(`.*) print one JSON document", GUIDES["scripts"], re.MULTILINE)
    assert re.findall(r"`([^`]*)`", said) == list(commands_with_json())


def test_the_readme_is_short() -> None:
    """The README can be read in a few minutes: it has at most 140 lines."""
    assert len(README.splitlines()) <= 140


TEXTS = [
    ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "problems/README.md")
] + sorted((ROOT / "docs").rglob("*.md"))


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_that_are_linked_exist(text: Path) -> None:
    """Links and pictures of a page point at files of the repository, and at headings that are there."""
    page = text.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s:]+)\)|src=\"([^\":]+)\"", page):
        name, _, heading = "".join(target).partition("#")
        file = text.parent / name if name else text
        assert file.exists(), target
        assert not heading or heading in headings(file), target


def headings(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub and MyST make them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.slow
def test_the_example_class_answers_the_example_exam() -> None:
    """What the example class hands in are answers to the trees of the example exam."""
    assert example_class.RESPONSES.read_text(encoding="utf-8") == example_class.written()


def test_the_policies_are_those_of_the_program() -> None:
    """The table has every policy of new exercises, with an example that the program marks so."""
    rows = [
        f"| `{each.spelling}` | {each.marks} | {each.earns} | {each.example} |" for each in POLICY_DEFINITIONS
    ]
    assert "\n".join(rows) in GUIDES["exercises"]
    named = [read_policy(each.spelling).name for each in POLICY_DEFINITIONS]
    assert {*named, "each"} == {*get_args(PolicyName)}
    for name, each in zip(named, POLICY_DEFINITIONS, strict=True):
        assert name in kind_by_code(each.kind).form.policies


def test_the_citation_has_the_version() -> None:
    """Whoever cites the program cites the version that is there."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {grader.__version__}\n" in citation


def test_both_names_are_one_command() -> None:
    """The command has a short name, and that of the distribution, by which uvx and pipx find it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == dict.fromkeys(("gametree", project["name"]), "grader.__main__:main")


def test_public_names_are_promised() -> None:
    """The page about version 1.0 lists exactly the public names."""
    page = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")
    (names,) = re.findall(r"^In Python these names stay: (.*)$", page, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", names)) == set(grader.__all__)
