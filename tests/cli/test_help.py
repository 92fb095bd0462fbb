"""The law of the examples in the help: whoever copies one finds that it works."""

import csv
import re
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import openpyxl
import pypdfium2
import pytest
from typer.main import get_command

from grader.base.shipped import shipped_folder
from grader.cli import COMMANDS, app
from grader.web.server import ServedPage
from grader.web.static_site import PYODIDE_FILES
from tests.cli.running import gametree, shell
from tests.programs.planting import program

SHORTER = {
    "gametree exam build": " --format text --lms none",
    "gametree grade ": " --executor here",
    "gametree gradebook regrade": " --executor here",
    "gametree site": " --number 2 --kinds best-move",
    "gametree stress best-move": " --seeds 5",
    "gametree stress visited-count": " --seeds 5",
}
"""What an example gets for the sake of time: fewer of everything, and no processes."""

LONG = ("stress", "unit", "grade", "gradebook")
"""The commands whose examples take seconds together."""

MEANS_SOMETHING = ("mark", "stress", "scan")
"""The commands that say by exit code 1 that they work and something is not well."""

TEXTBOOK = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
SCANNED = f"""title = "Quiz"
secret = "kept in a safe place"
scan = true
[[question]]
tree = "{TEXTBOOK}"
[[question.part]]
kind = "pruned-paths"
[[question.part]]
kind = "best-move"
"""


def helped(*command: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """A command and those below it, each with its help."""
    shown = gametree(*command, "--help")
    assert shown.code == 0
    yield command, shown.out
    if command and "Commands:" in shown.out:
        below = shown.out.split("Commands:")[1].split("\n\n")[0]
        for name in re.findall(r"^  ([a-z]+) ", below, re.MULTILINE):
            yield from helped(*command, name)


def examples(text: str) -> list[str]:
    """The lines of a help that are there to be copied, remarks included."""
    _, _, shown = text.partition("Examples:")
    return re.findall(r"^ +((?:echo .*\| )?gametree .*)$", shown, re.MULTILINE)


def workbook(path: str, rows: list[list[str]]) -> None:
    """A workbook with these rows of text."""
    book = openpyxl.Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(path)


def put_trees() -> None:
    """The trees, recipes and replies that examples speak of."""
    for name in ("textbook.tree", "midterm.tree"):
        Path(name).write_text(TEXTBOOK)
    Path("sheet.tree").write_text("MAX A=3 (MIN B=3 (3 12 8) MIN C<=2 (2 ~4 ~6))")
    Path("trees").mkdir()
    shutil.copy("textbook.tree", "trees")
    assert gametree("convert", "textbook.tree", "--to", "efg", "-o", "game.efg").code == 0
    shutil.copy(shipped_folder("problems") / "recipes" / "windows.toml", "mine.toml")
    Path("reply.txt").write_text("5 6")


def put_programs() -> None:
    """A search program, and those of a class, as a folder and as a zip."""
    Path("search.py").write_text(program("lists", "flag"))
    Path("submissions").mkdir()
    with zipfile.ZipFile("submissions.zip", "w") as packed:
        for name in ("ada", "bob"):
            Path("submissions", f"{name}.py").write_text(program("pacman", "pair", ties="keep"))
            packed.write(Path("submissions", f"{name}.py"), f"{name}.py")


def put_replies() -> None:
    """The same replies in every way in which they can be handed in, and what a teacher decides."""
    with open("responses.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    with open("corrected.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([*rows, ["teststudent", "", "", "", "", ""]])
    workbook("export.xlsx", [["Your crosses" if name == "1c" else name for name in rows[0]], *rows[1:]])
    Path("sheets").mkdir()
    Path("sheets/one.txt").write_text(f"student: {rows[1][0]}\n1b: {rows[1][2]}\n")
    shutil.copy("midterm/instructor/entry.xlsx", "entry.xlsx")
    Path("late.csv").write_text("id,name\n9001,Late Comer\n")
    Path("oral.csv").write_text("student,question,points\n004238,2,1\n")
    workbook("readings.xlsx", [["student", "question", "reply"], ["004238", "1b", "4"]])
    Path("scale.csv").write_text("points,grade\n0,5.0\n50%,4.0\n12,1.0\n")
    blueprint = Path("midterm.toml").read_text(encoding="utf-8")
    Path("changed.toml").write_text(blueprint.replace("points = 2", "points = 3"), encoding="utf-8")


def put_spares() -> str:
    """A midterm with a spare paper, and a table that says whose it is; the code of its variant."""
    shutil.rmtree("midterm")
    Path("spare.toml").write_text(f"spare = 1\n{Path('midterm.toml').read_text(encoding='utf-8')}")
    quick = ("--format", "text", "--lms", "none")
    built = gametree("exam", "build", "spare.toml", "-r", "class.csv", "-o", "midterm", *quick)
    assert built.code == 0, built.err
    with open("midterm/instructor/assignment.csv", encoding="utf-8-sig", newline="") as file:
        (code,) = (row["Variant"] for row in csv.DictReader(file) if not row["Identifier"])
    Path("late.csv").write_text(f"variant,id,name\n{code},9001,Late Comer\n")
    return code


def put_scans() -> str:
    """A midterm with boxes to be scanned, its pages as scans and as photographs; the code of its variant."""
    shutil.rmtree("midterm")
    Path("scanned.toml").write_text(SCANNED, encoding="utf-8")
    quick = ("--format", "pdf", "--lms", "none")
    built = gametree("exam", "build", "scanned.toml", "-r", "pair.csv", "-o", "midterm", *quick)
    assert built.code == 0, built.err
    shutil.copy("midterm/publish/print.pdf", "scans.pdf")
    Path("photos").mkdir()
    with closing(pypdfium2.PdfDocument("scans.pdf")) as document:
        document[0].render(scale=2).to_pil().save("photos/1.jpg")
    with open("midterm/instructor/assignment.csv", encoding="utf-8-sig", newline="") as file:
        return next(csv.DictReader(file))["Variant"]


def commands_of(group: Any, name: str = "gametree") -> Iterator[tuple[str, Any]]:
    """Every command below a group, with its full name."""
    context = click.Context(group)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        if hasattr(command, "list_commands"):
            yield from commands_of(command, f"{name} {word}")
        else:
            yield f"{name} {word}", command


def test_whole_classes_use_every_core() -> None:
    """All that is done for a whole class takes --jobs, and without it as many as are worth starting."""
    jobs = {
        name: option.default
        for name, command in commands_of(get_command(app))
        for option in command.params
        if "--jobs" in option.opts
    }
    work = (
        *("exam build", "exam add", "exam verify", "exam fairness"),
        *("grade", "gradebook regrade", "gradebook feedback", "scan", "site"),
    )
    assert jobs == dict.fromkeys((f"gametree {name}" for name in work), None)


def test_an_empty_name_is_no_file() -> None:
    """Whatever names a file or a folder is refused if it is empty: it is not the current folder."""
    for name, command in commands_of(get_command(app)):
        words = name.split()[1:]
        before: list[str] = []
        for place in command.params:
            if place.param_type_name == "argument":
                before.append("x")
            is_place = "Path" in type(place.type).__name__
            if not is_place and place.metavar not in ("FILE", "OUT", "DIR", "EXERCISE", "R.toml"):
                continue
            given = (
                [*before[:-1], ""] if place.param_type_name == "argument" else [*before, place.opts[-1], ""]
            )
            ran = gametree(*words, *given)
            assert ran.code == 2, (name, place.name)
            assert "The name of the file or folder is empty." in ran.err, (name, place.name, ran.err)


EMPTY_DESK = (("exam",), ("exam", "new"))
"""The commands whose examples begin with nothing."""


class Listening:
    """A server that is asked nothing."""

    server_port = 8000

    def __init__(self, page: ServedPage, *_told: Any) -> None:
        """Take what the server takes."""
        self.pages, self.path = [page], page.path

    def __enter__(self) -> "Listening":
        """Nothing listens."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Nothing is closed."""

    def serve_forever(self) -> None:
        """Nobody asks."""


def clear() -> None:
    """Leave a class of one on the desk, and no exam."""
    for made in ("midterm.toml", "quiz.toml"):
        Path(made).unlink(missing_ok=True)
    shutil.rmtree("midterm")
    Path("class.csv").write_text("ID number,Name\n004201,Ada\n")


def shortened(line: str) -> str:
    """An example that takes less time."""
    line = line.partition("#")[0]
    return line + next((more for start, more in SHORTER.items() if line.startswith(start)), "")


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize(
    "name", ["", *(pytest.param(each, marks=[pytest.mark.slow] * (each in LONG)) for each in COMMANDS)]
)
def test_examples_in_the_help_run_as_written(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command has examples, and each does what it says as it stands, one after the other."""
    monkeypatch.setattr("grader.web.server.Server", Listening)
    monkeypatch.setattr("webbrowser.open", lambda _address: True)
    put_trees()
    put_replies()
    put_programs()
    code = put_scans() if name == "scan" else ""
    if name in ("gradebook", "report", "review", "statistics"):
        assert gametree("grade", "midterm", "responses.csv", "--executor", "here").code == 0
    if name == "site":
        Path("node_modules/pyodide").mkdir(parents=True)
        for part in PYODIDE_FILES:
            Path("node_modules/pyodide", part).write_bytes(b"x")
    done: set[str] = set()
    for command, text in helped(*name.split()):
        lines = examples(text)
        assert lines, command
        if command in EMPTY_DESK:
            clear()
            done.clear()
        if command == ("exam", "assign"):
            code = put_spares()
        for line in lines:
            if line not in done:
                ran = shell(shortened(line.replace("K7QM3D", code)))
                assert ran.code in ((0, 1) if name in MEANS_SOMETHING else (0,)), f"{line}\n{ran.err}"
                if "-o todo.xlsx" in line:  # which the teacher fills in
                    shutil.copy("readings.xlsx", "todo.xlsx")
            done.add(line)
