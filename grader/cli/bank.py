"""`gametree bank`: the trees that come with the program, and the check of a folder of trees."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from grader.base.numbers import format_count
from grader.base.shipped import bank_files
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.refusals import error_text, find_refusal
from grader.cli.shared.sources import BANK, parse_tree_file
from grader.cli.shared.terminal import CommandApp, paint, printable, refuse, say
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.tree import Tree, require_tree

TREE_SUFFIXES = (".tree", ".efg")
"""The files of a folder that are trees; other files can be named."""


class TreesByDefault(TyperGroup):
    """A group in which words that are not the name of a command go to `trees`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `trees` first unless a command or an option is there."""
        has_command = args and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if has_command else ["trees", *args])


app = CommandApp(cls=TreesByDefault)


@app.callback()
def bank() -> None:
    """List the trees that come with the program, or check a folder of your own.

    Examples:
      gametree bank
      gametree bank berkeley
      gametree solve bank:aima-fig-5-2
      gametree bank verify trees/
    """


@app.command()
def trees(
    words: Annotated[list[str] | None, argument("[WORD]...", "List only trees with these words.")] = None,
) -> None:
    """List textbook figures, lectures and exams, each with its title and source.

    `gametree bank WORD` is short for `gametree bank trees WORD`.

    Examples:
      gametree bank berkeley
      gametree bank trees chance
    """
    rows = [(f"{BANK}{name}", *_title_and_source(file)) for name, file in bank_files().items()]
    wanted = [word.lower() for word in words or ()]
    rows = [row for row in rows if all(word in " ".join(row).lower() for word in wanted)]
    if not rows:
        refuse(
            f"No tree of the bank mentions {' and '.join(words or ())}.", "`gametree bank` lists them all."
        )
    for name, title, source in rows:
        say(f"{name}\n    {title}" + (f"\n    {source}" if source else ""))


def _title_and_source(file: Path) -> tuple[str, str]:
    """Return the title of a tree, or else the name of its file, and its source, which may be empty."""
    from grader.trees.notation.reading import read_bytes

    header = require_tree(read_bytes(file.read_bytes())).header
    return header.title or file.stem, header.source or ""


@app.command()
def verify(
    paths: Annotated[list[Path], argument("PATH...", "Folders with .tree and .efg files, or files.")],
    wrong: Annotated[
        list[str] | None,
        option(
            "The name of a file whose answers are wrong on purpose. Can be repeated.",
            "--wrong",
            metavar="NAME",
        ),
    ] = None,
) -> None:
    """Check that every tree reads, solves under the rules in its header, and matches its answers.

    Answers are the values and crosses written in a tree, as `gametree check` takes them.
    Exit code 0 if all trees are well, 1 if one is not, 2 for unusable input.

    Examples:
      gametree bank verify trees/
      gametree bank verify trees/ --wrong sheet.tree
      gametree bank verify midterm.tree game.efg
    """
    files = [file for path in paths for file in _trees_of(path)]
    if not files:
        refuse(f"There is no tree in {printable(str(paths[0]))}.", "Trees are files such as midterm.tree.")
    faults = 0
    for file in files:
        fault = _fault_of(file, set(wrong or ()))
        if fault:
            say(f"{paint('wrong', 'red')}  {printable(str(file))}: {fault}")
            faults += 1
    checked = format_count(len(files), "tree")
    say(f"{checked} checked, {faults} wrong." if faults else f"{checked} checked. Everything is correct.")
    raise typer.Exit(1 if faults else 0)


def _trees_of(path: Path) -> list[Path]:
    """Return the trees of a folder and of those in it, or a file that is named."""
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.suffix.lower() in TREE_SUFFIXES)
    if not path.exists():
        refuse(f"There is no file {printable(str(path))}.")
    return [path]


def _fault_of(file: Path, wrong: set[str]) -> str:
    """Return the fault of the tree in a file; empty if there is none.

    The answers drawn on the tree must be correct; those of a file in `wrong` must not be.
    """
    from grader.exercises.checking.judgement import judge
    from grader.exercises.checking.judgement_text import judgement_summary
    from grader.solvers.solution import solve

    try:
        tree = parse_tree_file(file.read_bytes(), file.suffix.lower())
        if isinstance(tree, Diagnostics):
            return str(tree)
        rules = tree.rules()
        if not _has_answers(tree):
            solve(tree, rules)
            return "it has no answers that could be wrong" if file.name in wrong else ""
        judgement = judge(tree, rules)
    except OSError as error:
        return f"it cannot be read: {error_text(error)}."
    except Exception as error:  # a fault of the file if the table knows it, else raised again
        refusal = find_refusal(error)
        if refusal is None:
            raise
        return " ".join(refusal)
    if judgement.ok != (file.name in wrong):
        return ""
    return "all its answers are correct" if judgement.ok else judgement_summary(judgement)


def _has_answers(tree: Tree) -> bool:
    return any(tree.crosses) or any(claim is not None for claim in tree.claims)
