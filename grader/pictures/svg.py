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
"""Typst has the first, and people's machines the others; the layout has room for each."""

_Layers: TypeAlias = Mapping[str, Mapping[Any, Sequence[str]]]
"""Layer from back to front -> style -> the paths with this style."""

_IDENTITY_STAND_IN = "\0"
"""Stands for an identity that is a hash of the picture: no text in a picture has this character."""


@dataclass(frozen=True)
class Picture:
    """A tree with its layout, its title, and its description in a language.

    `identity` is the stem of the ids inside the picture; None for a hash of the picture.
    """

    drawing: Drawing
    title: str
    description: str
    language: str
    identity: str | None = None

    @property
    def width(self) -> float:
        """Return the width in CSS pixels."""
        return self.drawing.width

    @property
    def height(self) -> float:
        """Return the height in CSS pixels."""
        return self.drawing.height

    @cached_property
    def svg(self) -> str:
        """Return the complete picture, with a separate element for each shape."""
        if self.identity is not None:
            return self._render(self._layers, self.identity)
        unnamed = self._render(self._layers, _IDENTITY_STAND_IN)
        digest = hashlib.sha256(unnamed.replace(_IDENTITY_STAND_IN, "tree").encode()).hexdigest()
        return unnamed.replace(_IDENTITY_STAND_IN, f"tree-{digest[:12]}")

    @property
    def shapes(self) -> str:
        """Return the picture without words, with one path for all shapes of a style."""
        layers = {
            name: {style: ["".join(paths)] for style, paths in layer.items()}
            for name, layer in self._layers.items()
        }
        return self._render(layers, None)

    @cached_property
    def _layers(self) -> _Layers:
        """Return the marks of the drawing by layer; those on top come last in their layer."""
        drawing = self.drawing
        # Branches may share their start: those of the line of play come last, over pruned ones.
        edges = sorted(drawing.edges, key=lambda edge: (not edge.muted, edge.chosen))
        return {
            "branches": _group(((edge.muted, edge.chosen), _line(edge.points)) for edge in edges),
            "outlines": _group(((shape.role, shape.muted), _outline(shape)) for shape in drawing.shapes),
            "strokes": _group((stroke.role, "".join(map(_line, stroke.lines))) for stroke in drawing.strokes),
        }

    def _render(self, layers: _Layers, identity: str | None) -> str:
        """Return the layers as an image, with the words and the title if there is an identity."""
        template = html_environment().get_template("svg/tree.svg.j2")
        texts = () if identity is None else self.drawing.texts
        return template.render(
            layers,
            identity=identity,
            drawing=self.drawing,
            words=_group(((text.role, text.muted), text) for text in texts),
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
    """Return a tree as an SVG picture: one `<svg>` element.

    Shows the tree as its author wrote it; with `solution` its values and crosses; with `view`
    exactly that. `identity` is the stem of the ids inside the picture; it has to be unique in the
    page, and is only needed if a page shows the same picture twice. Other options:

    - `title`: by default the title in the file's header, or "Game tree".
    - `direction`: `down` or `right`; by default downwards, unless that is wider than a page.
    - `names`: show the names the author gave (`given`), every internal node's (`all`), or `none`.
    - `paths`: show the number of every leaf.

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
    """Return the picture of `svg` with its size and its description."""
    tree, view = resolve_view(tree, solution, view)
    return pictures(tree, (view,), identity, **options)[0]


def pictures(
    tree: Tree,
    views: Sequence[View],
    identity: str | None = None,
    title: str | None = None,
    **layout: Unpack[BoxedLayout],
) -> tuple[Picture, ...]:
    """Return one picture for each view, with every node in the same place in all of them.

    With an `identity`, the ids in the picture at index k start with `identity-k` if there are several.
    Raises TypeError for a title that is not a text and for unknown options.
    """
    if not isinstance(title, str | None):
        raise TypeError(f"the title must be a text, not {title!r}")
    for option in layout.keys() - BoxedLayout.__annotations__.keys():
        options = ", ".join((*Layout.__annotations__, "title"))
        raise TypeError(f"a picture has no option {option!r}; it has {options}")
    names = layout.get("names", "given")
    node_words = [words_at_nodes(tree, view, names) for view in views]
    drawings = draw_all(tree, views, node_words, **layout)
    results = []
    for index, (view, drawing) in enumerate(zip(views, drawings, strict=True)):
        own_identity = identity if identity is None or len(views) == 1 else f"{identity}-{index}"
        description = describe(tree, view, None if names == "none" else node_words[index])
        own_title, code = title_of(tree, view, title), view.language.code
        results.append(Picture(drawing, own_title, description, code, own_identity))
    return tuple(results)


# From shapes to elements ----------------------------------------------------------------------------

StyleT = TypeVar("StyleT", bound=Hashable)
ElementT = TypeVar("ElementT")


def _group(pairs: Iterable[tuple[StyleT, ElementT]]) -> dict[StyleT, list[ElementT]]:
    """Group elements by their style."""
    groups: dict[StyleT, list[ElementT]] = {}
    for style, element in pairs:
        groups.setdefault(style, []).append(element)
    return groups


_RADIUS_DIVISORS = {"CHANCE": 2, "path": 2, "board": 12}
"""Role -> the shorter side of a box divided by the radius of its corners; 5 for other roles."""


def _outline(shape: Outline) -> str:
    """Return the path of a polygon, or of a box with round corners, which may be a circle."""
    if shape.points:
        return f"{_line(shape.points)}Z"
    left, top, right, bottom = shape.box
    radius = min(right - left, bottom - top) / _RADIUS_DIVISORS.get(shape.role, 5)
    x1, x2, x3, x4 = map(format_coordinate, (left, left + radius, right - radius, right))
    y1, y2, y3, y4 = map(format_coordinate, (top, top + radius, bottom - radius, bottom))
    turn = f"A{format_coordinate(radius)} {format_coordinate(radius)} 0 0 1 "
    return f"M{x2} {y1}H{x3}{turn}{x4} {y2}V{y3}{turn}{x3} {y4}H{x2}{turn}{x1} {y3}V{y2}{turn}{x2} {y1}Z"


def _line(points: Iterable[Point]) -> str:
    """Return the path of a polyline."""
    return f"M{'L'.join([f'{format_coordinate(x)} {format_coordinate(y)}' for x, y in points])}"
