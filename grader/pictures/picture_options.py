"""What is asked of a picture."""

from grader.base.safe_text import safe_line
from grader.pictures.layout import BoxedLayout, Layout
from grader.pictures.view import View
from grader.trees.tree import Tree


class Options(Layout, total=False):
    """How a picture is drawn and called: `title`, or else the title in the file's header, or "Game tree"."""

    title: str | None


class BoxedOptions(BoxedLayout, Options, total=False):
    """The same for a picture with room for boxes."""


def title_of(tree: Tree, view: View, title: str | None) -> str:
    """What a picture is called."""
    return safe_line(title or tree.header.title or view.language.say("Game tree"), 200)
