"""The table of outputs: every kind of file that a tree can be drawn into."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.pictures.latex import latex
from grader.pictures.pdf import pdf, png
from grader.pictures.picture_options import Options
from grader.pictures.svg import svg
from grader.pictures.text import text_picture
from grader.pictures.view import View
from grader.trees.tree import Tree


@dataclass(frozen=True, slots=True)
class Output:
    """A kind of file a tree can be drawn into: how its name ends, and what makes its bytes.

    `printed` says that its letters are drawn with the fonts of this machine.
    """

    suffix: str
    draw: Callable[[Tree, View, Options], bytes]
    printed: bool = False


def _text(tree: Tree, view: View, options: Options) -> bytes:
    names, paths = options.get("names", "given"), options.get("paths", False)
    return (text_picture(tree, view=view, names=names, paths=paths) + "\n").encode()


OUTPUTS = (
    Output(".svg", lambda tree, view, how: (svg(tree, view=view, **how) + "\n").encode()),
    Output(".png", lambda tree, view, how: png(tree, view=view, **how), printed=True),
    Output(".pdf", lambda tree, view, how: pdf(tree, view=view, **how), printed=True),
    Output(".tex", lambda tree, view, how: latex(tree, view=view, **how).encode()),
    Output(".txt", _text),
)
"""Everything a tree can be drawn into; the suffix of a file's name chooses."""
