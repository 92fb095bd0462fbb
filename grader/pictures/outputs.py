"""The table of outputs: every format of file that a tree can be drawn in."""

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
    """A format of file: the suffix of its name, and the function that returns its bytes.

    `printed`: the words are drawn with the fonts of this machine.
    """

    suffix: str
    draw: Callable[[Tree, View, Options], bytes]
    printed: bool = False


def _text(tree: Tree, view: View, options: Options) -> bytes:
    names, paths = options.get("names", "given"), options.get("paths", False)
    return (text_picture(tree, view=view, names=names, paths=paths) + "\n").encode()


OUTPUTS = (
    Output(".svg", lambda tree, view, options: (svg(tree, view=view, **options) + "\n").encode()),
    Output(".png", lambda tree, view, options: png(tree, view=view, **options), printed=True),
    Output(".pdf", lambda tree, view, options: pdf(tree, view=view, **options), printed=True),
    Output(".tex", lambda tree, view, options: latex(tree, view=view, **options).encode()),
    Output(".txt", _text),
)
"""All formats; the suffix of a file's name chooses one."""
