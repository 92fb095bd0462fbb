"""`gametree unit`: everything for one lecture of 90 minutes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from grader.base.files import write_file
from grader.cli.code import export
from grader.cli.exam import build
from grader.cli.shared.exam_builds import example_blueprint
from grader.cli.shared.languages import LanguageCode, require_language
from grader.cli.shared.output_folder import write_folder
from grader.cli.shared.parameters import option
from grader.cli.shared.sources import BANK, read_tree_source
from grader.cli.shared.terminal import CommandApp, refuse, say
from grader.cli.site import site
from grader.trees.rules import Ties

if TYPE_CHECKING:
    from grader.base.phrases import Language

app = CommandApp()

SLIDES = {"1-alpha-beta": "aima-fig-5-2", "2-deep-cutoff": "mit-deep-cut", "3-false-tie": "false-tie"}
"""The pages of steps, in the order of the lecture, with the tree of the bank that each of them shows."""

BLUEPRINTS = ("quiz.toml", "exam.toml")

PRACTICE_KINDS = "node-values,best-move,pruned-paths,windows"
PRACTICE_QUESTIONS_PER_KIND = 20


@app.command()
def unit(
    out: Annotated[Path, option("The folder of the lecture.", "-o", "--output", metavar="DIR")],
    pyodide: Annotated[
        str | None,
        option("Also write the page for practice; Pyodide as for `gametree site`.", metavar="DIR"),
    ] = None,
    interface: Annotated[
        str, option("How your course calls a search; `gametree code interfaces` lists them.", metavar="NAME")
    ] = "lists",
    ties: Annotated[Ties, option("The tie rule that you teach.")] = "cut",
    language: LanguageCode = None,
) -> None:
    """Write a ready lecture of 90 minutes on minimax and alpha-beta.

    Slides that show a search step by step, a quiz, homework with students' code, an exam, and with
    --pyodide a page for practice. README.md in DIR is the plan of the lecture.

    Examples:
      gametree unit -o lecture/
      gametree unit -o vorlesung/ --ties keep --interface pacman --language de
      gametree unit -o online/ --pyodide https://cdn.jsdelivr.net/pyodide/v314.0.7/full/
    """
    from grader.base.templating import text_environment

    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        refuse(f"{out} is not an empty folder.", "Name a new one.")
    words = require_language(language)
    settings = {"pyodide": pyodide, "interface": interface, "ties": ties, "kinds": PRACTICE_KINDS}
    files = {"README.md": text_environment(str).get_template("unit/README.md.j2").render(settings)}
    files |= {f"slides/{name}.html": _slide(tree, ties, words) for name, tree in SLIDES.items()}
    files |= {name: _blueprint(name, ties, language) for name in BLUEPRINTS}
    export(interface, out / "homework", ties)  # first, because it refuses an unknown interface
    write_folder(out, {name: text.encode() for name, text in files.items()}, force=False)
    for name in BLUEPRINTS:
        (out / name).chmod(0o600)  # it holds a secret
    if language is not None and language.endswith(".po"):
        write_file(out / Path(language).name, Path(language).read_bytes())
    build(out / "quiz.toml", out / "quiz")
    build(out / "exam.toml", out / "exam-preview", preview=True)
    if pyodide is not None:
        page = out / "practice.html"
        site(page, pyodide, PRACTICE_KINDS, PRACTICE_QUESTIONS_PER_KIND, single=True, language=language)
    say(f"the plan: {out / 'README.md'}")


def _slide(tree: str, ties: Ties, language: "Language") -> str:
    """The page of steps of the search through a tree of the bank."""
    from grader.pictures.steps_page import steps_page
    from grader.solvers.explaining.steps import explain
    from grader.solvers.solution import solve

    whole = read_tree_source(f"{BANK}{tree}")
    solution = solve(whole, whole.rules(ties=ties))
    return steps_page(solution, explain(solution, language), language)


def _blueprint(name: str, ties: Ties, language: str | None) -> str:
    """The example of a quiz or an exam, with the tie rule and the language of the lecture."""
    text = example_blueprint(name, language, quiz=name == "quiz.toml")
    return text if ties == "cut" else f'{text}\n[rules]\nties = "{ties}"\n'
