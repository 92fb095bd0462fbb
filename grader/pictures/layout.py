"""The layout of a tree: its shapes, branches, words and signs, each with coordinates."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, TypedDict, Unpack, cast, get_args

from grader.pictures.labels import BOX, SIGN_SIZE, STYLES, LabelItem, Labels, Style, item_of, measure_labels
from grader.pictures.node_words import NodeWords, words_at_nodes
from grader.pictures.placement import (
    HALF_SHAPE_WIDTH,
    SHAPE_HEIGHT,
    Align,
    Direction,
    PlacedBlock,
    Placement,
    Point,
)
from grader.pictures.view import Names, View
from grader.trees.tree import Player, Tree

ClaimSign: TypeAlias = Literal["tick", "wrong", "follows"]
Rectangle: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""

MAX_DOWNWARD_WIDTH = 900.0
"""The widest picture that is drawn downwards by default: on paper its payoffs are still 8 points high."""

# The record ---------------------------------------------------------------------------------------


class Edge(NamedTuple):
    """The branch above `node`: the points of a polyline that starts at its parent."""

    node: int
    points: tuple[Point, ...]
    muted: bool
    chosen: bool


class Outline(NamedTuple):
    """An outline: a player's shape, the frame of a claim or leaf number, or the frame of the current node.

    A polygon has `points`. The circle of a chance node, or a rounded box, fills its `box`.
    """

    node: int
    role: str
    box: Rectangle
    points: tuple[Point, ...]
    muted: bool


class Stroke(NamedTuple):
    """A sign made of lines: a tick, a cross, an arrow, or the bars across a branch."""

    node: int
    role: ClaimSign | Literal["bars", "hollow"]
    lines: tuple[tuple[Point, ...], ...]
    box: Rectangle


class Text(NamedTuple):
    """Words inside `box` with their baseline at `y`; `x` is their start, middle or end, as `anchor` says."""

    node: int
    role: str
    words: str
    x: float
    y: float
    anchor: Align
    style: Style
    box: Rectangle
    muted: bool


class BoxSpot(NamedTuple):
    """The middle of a box to be crossed, at a leaf or on the branch above a node."""

    node: int
    target: Literal["leaf", "branch"]
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """A tree with its layout; lengths are in CSS pixels (1/96 inch), the origin is the top left corner."""

    width: float
    height: float
    direction: Direction
    edges: tuple[Edge, ...]
    shapes: tuple[Outline, ...]
    strokes: tuple[Stroke, ...]
    texts: tuple[Text, ...]
    spots: tuple[BoxSpot, ...] = ()


# Drawing ------------------------------------------------------------------------------------------


class Layout(TypedDict, total=False):
    """The options of a layout.

    - `direction`: `down` or `right`; by default downwards, unless that is wider than a page.
    - `names`: show the names the author gave (`given`), every internal node's (`all`), or `none`.
    - `paths`: show the number of every leaf, below or next to it.
    """

    direction: Direction | None
    names: Names
    paths: bool


class BoxedLayout(Layout, total=False):
    """The options of a layout with boxes to be crossed.

    - `leaf_box`, `branch_box`: the side of a box at every leaf and on every branch; 0 for none.
    """

    leaf_box: float
    branch_box: float


def draw(tree: Tree, view: View | None = None, **layout: Unpack[BoxedLayout]) -> Drawing:
    """Lay out one picture of a tree; see `draw_all`."""
    return draw_all(tree, (View.question(tree) if view is None else view,), **layout)[0]


def draw_all(
    tree: Tree,
    views: Sequence[View],
    node_words: Sequence[Sequence[NodeWords]] | None = None,
    *,
    direction: Direction | None = None,
    names: Names = "given",
    paths: bool = False,
    leaf_box: float = 0,
    branch_box: float = 0,
) -> tuple[Drawing, ...]:
    """Lay out one picture for each view, every node in the same place in all of them; see `BoxedLayout`.

    `node_words` may be the result of `words_at_nodes` for each view with these names.
    The time is linear in the size of the tree for each view.
    Raises `ValueError` for an unknown direction or choice of names.
    """
    for option, chosen, choices in (
        ("direction", direction, (*get_args(Direction), None)),
        ("names", names, get_args(Names)),
        ("paths", paths, (True, False)),
    ):
        if chosen not in choices:
            either = " or ".join(map(repr, choices))
            raise ValueError(f"{option} is {either}, not {chosen!r}")
    if node_words is None:
        node_words = [words_at_nodes(tree, view, names) for view in views]
    labels = [
        measure_labels(tree, view, words, paths, leaf_box)
        for view, words in zip(views, node_words, strict=True)
    ]
    places = Placement(tree, views, labels, direction or "down", branch_box)
    if direction is None and places.width > MAX_DOWNWARD_WIDTH:
        sideways = Placement(tree, views, labels, "right", branch_box)
        places = min(places, sideways, key=lambda places: places.width)
    return tuple(
        _drawing(tree, view, own_labels, places, bool(branch_box))
        for view, own_labels in zip(views, labels, strict=True)
    )


# From places to shapes ------------------------------------------------------------------------------

_SIGNS: dict[ClaimSign, tuple[tuple[Point, ...], ...]] = {
    "tick": (((-1, 0.1), (-1 / 3, 1), (1, -1)),),
    "wrong": (((-1, -1), (1, 1)), ((-1, 1), (1, -1))),
    "follows": (((-1, 0), (1, 0)), ((0.2, -0.7), (1, 0), (0.2, 0.7))),
}
"""The lines of each sign, with coordinates from -1 to 1."""


class _Sheet:
    """The mutable parts of a drawing."""

    def __init__(self) -> None:
        self.edges: list[Edge] = []
        self.shapes: list[Outline] = []
        self.strokes: list[Stroke] = []
        self.texts: list[Text] = []
        self.spots: list[BoxSpot] = []

    def put_item(
        self, node: int, item: LabelItem, x: float, y: float, muted: bool, align: Align = "middle"
    ) -> None:
        """Put words or a sign into a box with its middle at (x, y); `align` is for words without a frame."""
        style = STYLES.get(item.role)
        if item.role == BOX:
            self.spots.append(BoxSpot(node, "leaf", x, y))
            return
        if style is None:
            self.put_sign(node, cast(ClaimSign, item.role), x, y)
            return
        if style.framed:
            box = (x - item.width / 2, y - item.height / 2, x + item.width / 2, y + item.height / 2)
            self.shapes.append(Outline(node, item.role, box, (), muted))
        if not item.words:
            return
        half_width, half_height = item.width / 2 - style.padding, style.size * 0.55
        words_box = (x - half_width, y - half_height, x + half_width, y + half_height)
        align = "middle" if style.framed else align
        anchor_x = {"start": words_box[0], "middle": x, "end": words_box[2]}[align]
        baseline = y + 0.32 * style.size
        self.texts.append(
            Text(node, item.role, item.words, anchor_x, baseline, align, style, words_box, muted)
        )

    def put_block(self, node: int, placed: PlacedBlock, muted: bool) -> None:
        """Put a block of lines."""
        block, anchor_x, top, align = placed
        share = {"start": 0, "middle": 0.5, "end": 1}[align]
        for line in block.lines:
            x = anchor_x - line.width * share
            for item in line.items:
                self.put_item(node, item, x + item.width / 2, top + line.height / 2, muted, align)
                x += item.width + line.between
            top += line.height + line.below

    def put_sign(self, node: int, sign: ClaimSign, x: float, y: float) -> None:
        """Put a tick, a cross or an arrow."""
        scale = SIGN_SIZE / 2 - 1
        lines = tuple(
            tuple((x + scale * across, y + scale * down) for across, down in line) for line in _SIGNS[sign]
        )
        box = (x - SIGN_SIZE / 2, y - SIGN_SIZE / 2, x + SIGN_SIZE / 2, y + SIGN_SIZE / 2)
        self.strokes.append(Stroke(node, sign, lines, box))

    def put_bars(self, node: int, middle: Point, direction: Point, hollow: bool) -> None:
        """Put two bars across a branch; `direction` is a unit vector along the branch."""
        (x, y), (dx, dy) = middle, direction
        lines = tuple(
            (
                (x + shift * dx - 7 * dy, y + shift * dy + 7 * dx),
                (x + shift * dx + 7 * dy, y + shift * dy - 7 * dx),
            )
            for shift in (-2.5, 2.5)
        )
        corners = [corner for line in lines for corner in line]
        self.strokes.append(Stroke(node, "hollow" if hollow else "bars", lines, _bounds(corners)))

    def put_player(self, node: int, player: Player, x: float, y: float, muted: bool) -> None:
        """Put the shape of a player."""
        half = SHAPE_HEIGHT / 2
        box = (x - HALF_SHAPE_WIDTH, y - half, x + HALF_SHAPE_WIDTH, y + half)
        if player is Player.CHANCE:
            box = (x - half, y - half, x + half, y + half)
            self.shapes.append(Outline(node, player, box, (), muted))
            return
        if player.seat is None:
            up = half if player is Player.MAX else -half
            points: tuple[Point, ...] = (
                (x, y - up),
                (x + HALF_SHAPE_WIDTH, y + up),
                (x - HALF_SHAPE_WIDTH, y + up),
            )
        else:
            points = tuple((x + half * across, y + half * down) for across, down in SEAT_SHAPES[player.seat])
            self.put_item(node, item_of("seat", str(player.seat + 1)), x, y, muted)
        self.shapes.append(Outline(node, player, box, points, muted))

    def put_frame(self, node: int, box: Rectangle) -> None:
        """Put the frame of the current node around a box."""
        frame = (box[0] - 4, box[1] - 4, box[2] + 4, box[3] + 4)
        self.shapes.append(Outline(node, "current", frame, (), False))


def _polygon(corners: int, rotation: float, radius: float = 1.0) -> tuple[Point, ...]:
    """Return a regular polygon; a rotation of 1 moves each corner to the next one."""
    angles = [2 * math.pi * (corner + rotation) / corners for corner in range(corners)]
    return tuple((radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles)


SEAT_SHAPES = (
    _polygon(4, 0.5, 1.3),  # a square
    _polygon(4, 0, 1.15),  # a diamond
    _polygon(5, 0, 1.08),
    _polygon(6, 0.5),
    _polygon(5, 0.5, 1.08),
    _polygon(6, 0),
    _polygon(8, 0.5),
    _polygon(8, 0),
    _polygon(12, 0.5),
)
"""The outlines of P1 to P9: no triangle and no circle, since those are MAX, MIN and chance."""


def _bounds(points: Sequence[Point]) -> Rectangle:
    across, down = zip(*points, strict=True)
    return min(across), min(down), max(across), max(down)


def _drawing(tree: Tree, view: View, labels: Sequence[Labels], places: Placement, boxed: bool) -> Drawing:
    """Draw all nodes in preorder on one sheet: branches, shapes, frames and texts."""
    sheet = _Sheet()
    muted = [False] * len(tree)
    for node, player in enumerate(tree.players):
        x, y = places.centre(node)
        if node:
            muted[node] = view.pruned[node] or muted[tree.parents[node]]
            _put_branch(sheet, node, view, labels[node], muted[node], places)
            if boxed:
                sheet.spots.append(BoxSpot(node, "branch", *places.box(node)))
        if player is not None:
            sheet.put_player(node, player, x, y, muted[node])
            if view.current == node:
                sheet.put_frame(
                    node,
                    (x - HALF_SHAPE_WIDTH, y - SHAPE_HEIGHT / 2, x + HALF_SHAPE_WIDTH, y + SHAPE_HEIGHT / 2),
                )
        first_text = len(sheet.texts)
        for placed in places.blocks(node, labels[node]):
            sheet.put_block(node, placed, muted[node])
        if player is None and view.current == node:
            sheet.put_frame(node, sheet.texts[first_text].box)
    return Drawing(
        places.width,
        places.height,
        places.direction,
        tuple(sheet.edges),
        tuple(sheet.shapes),
        tuple(sheet.strokes),
        tuple(sheet.texts),
        tuple(sheet.spots),
    )


def _put_branch(sheet: _Sheet, node: int, view: View, labels: Labels, muted: bool, places: Placement) -> None:
    """Put the branch above a node, with its label, its cross and the sign at the cross."""
    is_crossed, mark = view.pruned[node], view.cross_marks[node]
    sheet.edges.append(Edge(node, places.edge(node), muted, view.chosen[node]))
    if labels.branch is not None:
        sheet.put_item(node, labels.branch, *places.label(node), muted)
    if is_crossed or mark == "missing":
        sheet.put_bars(node, *places.bars(node), hollow=not is_crossed)
    if mark is not None:
        sheet.put_sign(node, "tick" if mark == "right" else "wrong", *places.sign(node))
