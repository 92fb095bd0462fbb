"""The options of a picture."""

from grader.base.safe_text import safe_line
from grader.pictures.layout import BoxedLayout, Layout
from grader.pictures.view import View
from grader.trees.tree import Tree


class Options(Layout, total=False):
    """The options of a layout, and `title`: by default that in the file's header, or "Game tree"."""

    title: str | None


class BoxedOptions(BoxedLayout, Options, total=False):
    """The options of a picture with boxes to be crossed."""


def title_of(tree: Tree, view: View, title: str | None) -> str:
    """Return the title of a picture."""
    return safe_line(title or tree.header.title or view.language.say("Game tree"), 200)
