"""Trees as SVG: the same text for the same input everywhere."""

import hashlib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, Unpack

from grader.base.templating import format_coordinate, html_environment
from grader.pictures.layout import BoxedLayout, Drawing, Layout, Outline, draw_all
from grader.pictures.node_words import describe, words_at_nodes
from grader.pictures.picture_options import BoxedOptions, title_of
from grader.pictures.placement import Point
from grader.pictures.view import View, resolve_view
from grader.trees.tree import Tree

if TYPE_CHECKING:
    from grader.solvers.solution import Solution

FAMILY = "Libertinus Serif, Linux Libertine O, Times New Roman, Liberation Serif, Nimbus Roman, Times, serif"
"""The first is inside the PDF maker, the others are on people's machines; the drawing has room for each."""

_Layers: TypeAlias = Mapping[str, Mapping[Any, Sequence[str]]]
"""What lies above each other, and in each layer the paths that look alike by their looks."""

_HERE = "\0"
"""Where the identity stands, before it is known: no text of a picture has such a character."""


@dataclass(frozen=True)
class Picture:
    """A tree, drawn, with its name and what it shows in words, in a language.

    `identity` is the stem of the ids inside the picture; without it they come from what is drawn.
    """

    drawing: Drawing
    title: str
    description: str
    language: str
    identity: str | None = None

    @property
    def width(self) -> float:
        """In CSS pixels."""
        return self.drawing.width

    @property
    def height(self) -> float:
        """In CSS pixels."""
        return self.drawing.height

    @cached_property
    def svg(self) -> str:
        """The whole picture, of which every element can be seen or hidden."""
        if self.identity is not None:
            return self._drawn(self._layers, self.identity)
        unnamed = self._drawn(self._layers, _HERE)
        digest = hashlib.sha256(unnamed.replace(_HERE, "tree").encode()).hexdigest()
        return unnamed.replace(_HERE, f"tree-{digest[:12]}")

    @property
    def shapes(self) -> str:
        """The picture without any words, for whoever sets these apart; what looks alike is one path."""
        alike = {
            name: {look: ["".join(paths)] for look, paths in layer.items()}
            for name, layer in self._layers.items()
        }
        return self._drawn(alike, None)

    @cached_property
    def _layers(self) -> _Layers:
        drawing = self.drawing
        # Where branches share their beginning, that which is played is above that which is cut.
        edges = sorted(drawing.edges, key=lambda edge: (not edge.muted, edge.chosen))
        return {
            "branches": _by_look(((edge.muted, edge.chosen), _line(edge.points)) for edge in edges),
            "outlines": _by_look(((shape.role, shape.muted), _outline(shape)) for shape in drawing.shapes),
            "strokes": _by_look(
                (stroke.role, "".join(map(_line, stroke.lines))) for stroke in drawing.strokes
            ),
        }

    def _drawn(self, layers: _Layers, identity: str | None) -> str:
        """The layers as an image, with names and words if it has an identity."""
        template = html_environment().get_template("svg/tree.svg.j2")
        texts = () if identity is None else self.drawing.texts
        return template.render(
            layers,
            identity=identity,
            drawing=self.drawing,
            words=_by_look(((text.role, text.muted), text) for text in texts),
            title=self.title,
            description=self.description,
            family=FAMILY,
        )


def svg(
    tree: Tree,
    solution: "Solution | None" = None,
    *,
    view: View | None = None,
    identity: str | None = None,
    **options: Unpack[BoxedOptions],
) -> str:
    """A tree as an SVG picture: one `<svg>` element.

    Shows the tree as its author wrote it; with `solution` its values and crosses; with `view`
    exactly that. `identity` is the stem of the ids inside the picture and has to be unique in the
    page; it may be left out unless a page shows the same picture twice. Besides:

    - `title`: what the picture is called; the title in the file's header, or "Game tree".
    - `direction`: `down` or `right`; without it downwards, unless that is wider than a page.
    - `names`: show the names the author gave (`given`), every internal node's (`all`), or `none`.
    - `paths`: show the path number of every leaf.

    Raises `ValueError` for the solution or the view of another tree.
    """
    return picture(tree, solution, view=view, identity=identity, **options).svg


def picture(
    tree: Tree,
    solution: "Solution | None" = None,
    *,
    view: View | None = None,
    identity: str | None = None,
    **options: Unpack[BoxedOptions],
) -> Picture:
    """The same picture with its size and its description, for a page that makes room for it."""
    tree, view = resolve_view(tree, solution, view)
    return pictures(tree, (view,), identity, **options)[0]


def pictures(
    tree: Tree,
    views: Sequence[View],
    identity: str | None = None,
    title: str | None = None,
    **layout: Unpack[BoxedLayout],
) -> tuple[Picture, ...]:
    """One picture for each view, with every node in the same place in all of them.

    With an `identity`, the ids in the picture at index k start with `identity-k`.
    """
    if not isinstance(title, str | None):
        raise TypeError(f"the title is a text, not {title!r}")
    for option in layout.keys() - BoxedLayout.__annotations__.keys():
        there = ", ".join((*Layout.__annotations__, "title"))
        raise TypeError(f"a picture has no option {option!r}; it has {there}")
    names = layout.get("names", "given")
    said = [words_at_nodes(tree, view, names) for view in views]
    drawings = draw_all(tree, views, said, **layout)
    made = []
    for index, (view, drawing) in enumerate(zip(views, drawings, strict=True)):
        own = identity if identity is None or len(views) == 1 else f"{identity}-{index}"
        description = describe(tree, view, None if names == "none" else said[index])
        made.append(Picture(drawing, title_of(tree, view, title), description, view.language.code, own))
    return tuple(made)


# From shapes to elements ----------------------------------------------------------------------------

Look = TypeVar("Look", bound=Hashable)
Thing = TypeVar("Thing")


def _by_look(things: Iterable[tuple[Look, Thing]]) -> dict[Look, list[Thing]]:
    """What looks alike, together."""
    found: dict[Look, list[Thing]] = {}
    for look, thing in things:
        found.setdefault(look, []).append(thing)
    return found


_ROUNDING = {"CHANCE": 2, "path": 2, "board": 12}
"""What part of the shorter side the rounding of a box takes; a fifth where nothing is said."""


def _outline(shape: Outline) -> str:
    """A polygon, or a box with rounded corners: a circle where they meet."""
    if shape.points:
        return f"{_line(shape.points)}Z"
    left, top, right, bottom = shape.box
    rounding = min(right - left, bottom - top) / _ROUNDING.get(shape.role, 5)
    x1, x2, x3, x4 = map(format_coordinate, (left, left + rounding, right - rounding, right))
    y1, y2, y3, y4 = map(format_coordinate, (top, top + rounding, bottom - rounding, bottom))
    turn = f"A{format_coordinate(rounding)} {format_coordinate(rounding)} 0 0 1 "
    return f"M{x2} {y1}H{x3}{turn}{x4} {y2}V{y3}{turn}{x3} {y4}H{x2}{turn}{x1} {y3}V{y2}{turn}{x2} {y1}Z"


def _line(points: Iterable[Point]) -> str:
    """A line through places."""
    return f"M{'L'.join([f'{format_coordinate(x)} {format_coordinate(y)}' for x, y in points])}"
