"""`gametree convert`: the same tree in another notation."""

from typing import Annotated, Literal

from grader.base.phrases import ENGLISH
from grader.cli.shared.options import OutputOption, TreeFile
from grader.cli.shared.parameters import option
from grader.cli.shared.sources import read_tree_source, require_parsed, write_result
from grader.cli.shared.terminal import CommandApp, note

app = CommandApp()


@app.command()
def convert(
    file: TreeFile,
    to: Annotated[
        Literal["text", "outline", "json", "efg"],
        option("Nested brackets, indented lines, JSON, or Gambit's extensive form."),
    ],
    out: OutputOption = "-",
) -> None:
    """Write a tree in another notation; all of them can be read back.

    text, outline and json keep everything. efg keeps only the game: stderr lists what it omits from a
    file (rules, evaluations, drawn values and crosses).

    Examples:
      gametree convert textbook.tree --to outline
      gametree convert game.efg --to text -o game.tree
      echo '((3 12 8) (2 4 6))' | gametree convert - --to json
    """
    from grader.trees.notation.exchange_efg import omitted_in_efg, write_efg
    from grader.trees.notation.exchange_json import write_json
    from grader.trees.notation.writing import write_tree

    tree = read_tree_source(file)
    if to == "json":
        text = write_json(tree)
    elif to == "efg":
        text = require_parsed(file, write_efg(tree))
        if lost := omitted_in_efg(tree):
            note(f"an .efg file cannot hold {ENGLISH.join_and(lost)}.")
    else:
        text = write_tree(tree, to)
    write_result(out, text if text.endswith("\n") else text + "\n")
