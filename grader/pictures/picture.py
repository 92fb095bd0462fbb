"""What is asked of a picture, and a picture that is made."""

from dataclasses import dataclass

from grader.base.safe_text import readable
from grader.pictures.layout import BoxedLayout, Layout, Spot, Text
from grader.pictures.placing import Direction
from grader.pictures.view import View
from grader.tree import Tree


class Options(Layout, total=False):
    """How a picture is drawn and called: `title`, or else the title in the file's header, or "Game tree"."""

    title: str | None


class BoxedOptions(BoxedLayout, Options, total=False):
    """The same for a picture with room for boxes."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its size in CSS pixels, its name, and what it shows in words.

    Its `texts` stand in the `svg` too.
    """

    svg: str
    width: float
    height: float
    direction: Direction
    title: str
    description: str
    language: str
    texts: tuple[Text, ...] = ()
    spots: tuple[Spot, ...] = ()


def title_of(tree: Tree, view: View, title: str | None) -> str:
    """What a picture is called."""
    return readable(title or tree.header.title or view.language.say("Game tree"), 200)
