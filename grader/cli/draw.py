"""`gametree draw`: the picture of a tree."""

from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Literal, Unpack

from grader.cli.shared.languages import LanguageCode, require_language
from grader.cli.shared.options import OutputOption, RuleOptions, TreeFile, takes
from grader.cli.shared.parameters import option
from grader.cli.shared.sources import read_tree_source, write_result, writing_hint
from grader.cli.shared.terminal import CommandApp, note, refuse
from grader.cli.shared.tree_solving import solve_with_options, unknown_payoff_note
from grader.pictures.view import View
from grader.trees.tree import Tree

if TYPE_CHECKING:
    from grader.pictures.picture_options import Options

app = CommandApp()

GrowthDirection = Literal["auto", "down", "right"]

MAX_DRAWN_NODES = 5_000
"""Trees with more nodes are not drawn: nothing of them would be readable."""

MAX_UNWARNED_PLIES = 60
"""Trees with more plies are drawn with a warning: the picture is too long a strip for a page."""


@app.command()
@takes(RuleOptions)
def draw(
    file: TreeFile,
    options: RuleOptions,
    out: OutputOption,
    form: Annotated[
        str | None, option("{pictures}. Default: by the suffix of OUT.", "--format", metavar="FORMAT")
    ] = None,
    solution: Annotated[
        bool, option("Add the values, the principal variation and crosses on pruned branches.")
    ] = False,
    windows: Annotated[bool, option("Add the solution, with alpha and beta at every visited node.")] = False,
    paths: Annotated[bool, option("Write the leaf number at every leaf.")] = False,
    layout: Annotated[
        GrowthDirection, option("Grow down or to the right; auto turns a tree that is wider than a page.")
    ] = "auto",
    language: LanguageCode = None,
) -> None:
    """Draw a tree for a page, for print or in text.

    The suffix of OUT gives the format: {pictures}.
    Trees of more than 5,000 nodes are refused; for more than 60 plies there is a warning.

    Examples:
      gametree draw bank:aima-fig-5-2 -o tree.svg
      gametree draw midterm.tree -o key.pdf --solution
      gametree draw midterm.tree -o - --format tex --windows
    """
    tree, chosen_language = read_tree_source(file), require_language(language)
    view = View.question(tree, chosen_language)
    if solution or windows:
        answer = solve_with_options(tree, options)
        tree, view = answer.tree, View.solution(answer, windows=windows, language=chosen_language)
        if blocked := unknown_payoff_note(answer, "pruning and windows are" if windows else "pruning is"):
            note(blocked)
        elif windows and answer.search is None:
            note("windows are not shown: alpha-beta does not search a game of several players.")
    picture_options: Options = {"direction": None if layout == "auto" else layout, "paths": paths}
    write_result(out, render_tree(tree, view, out, form, **picture_options))


def render_tree(
    tree: Tree, view: View, out: str, form: str | None = None, **options: "Unpack[Options]"
) -> bytes:
    """Draw a tree in the format `form`, or else in that of the suffix of `out`.

    Refuse an unknown format and a tree of more than `MAX_DRAWN_NODES` nodes; note what will be hard to
    read and what no font can print.
    """
    from grader.pictures.outputs import OUTPUTS

    suffix = f".{form.lower().removeprefix('.')}" if form else PurePath(out).suffix.lower()
    outputs = {output.suffix: output for output in OUTPUTS}
    if suffix not in outputs:
        choice = f"Choose one of {', '.join(outputs)}."
        if out == "-" and not form:
            refuse("--output - needs a --format.", choice)
        if PurePath(out).suffix == "" and Path(out).is_dir():
            refuse(f"{out} is a directory, not a picture.", writing_hint(Path(out)))
        refuse(f"{suffix or out!r} is not a picture that can be drawn.", choice)
    if len(tree) > MAX_DRAWN_NODES:
        refuse(
            f"A tree of {len(tree)} nodes is too large to draw.", "`gametree solve --json` has its values."
        )
    if max(tree.depths) > MAX_UNWARNED_PLIES and suffix != ".txt":
        note(
            f"a picture of {max(tree.depths)} plies is a long strip; "
            f"up to {MAX_UNWARNED_PLIES} can be read. "
            "Draw a part of the tree, or cut it with --depth and --solution."
        )
    if outputs[suffix].printed:
        _warn_of_unprintable(tree, view, options)
    return outputs[suffix].draw(tree, view, options)


def _warn_of_unprintable(tree: Tree, view: View, options: "Options") -> None:
    """Warn about text of a picture that no installed font can print."""
    from grader.pictures.svg import picture
    from grader.publishing.missing_fonts import unprintable_warnings

    words = " ".join(text.words for text in picture(tree, view=view, **options).drawing.texts)
    for warning in unprintable_warnings({"the tree": words}, "draw it again"):
        note(f"{warning}.")
