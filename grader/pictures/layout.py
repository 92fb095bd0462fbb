"""A tree on paper: its shapes, branches, words and signs with their places; numbers only."""

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

Sign: TypeAlias = Literal["tick", "wrong", "follows"]
Rectangle: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""

MAX_DOWNWARD_WIDTH = 900.0
"""The widest picture that is drawn downwards by itself: printed, its payoffs are still 8 points high."""

# The record ---------------------------------------------------------------------------------------


class Edge(NamedTuple):
    """The branch above `node`, as the corners of a line from its parent."""

    node: int
    points: tuple[Point, ...]
    muted: bool
    chosen: bool


class Outline(NamedTuple):
    """An outline: a player's shape, the frame of a claim or path number, or the frame of the current node.

    A circle, which is that of chance, and a rounded box fill their `box`; a polygon has `points`.
    """

    node: int
    role: str
    box: Rectangle
    points: tuple[Point, ...]
    muted: bool


class Stroke(NamedTuple):
    """A sign drawn by hand rather than written: a tick, a cross, an arrow, or the bars across a branch."""

    node: int
    role: Sign | Literal["bars", "hollow"]
    lines: tuple[tuple[Point, ...], ...]
    box: Rectangle


class Text(NamedTuple):
    """Words that start, end or have their middle at `x`, their baseline at `y`, inside `box`."""

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
    """Where a box to be crossed belongs: at a leaf, or on the branch above a node; its middle."""

    node: int
    target: Literal["leaf", "branch"]
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """A tree on paper; lengths are in CSS pixels (1/96 inch), the origin is the top left corner."""

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
    """How a tree is laid out.

    - `direction`: `down` or `right`; without it downwards, unless that is wider than a page.
    - `names`: show the names the author gave (`given`), every internal node's (`all`), or `none`.
    - `paths`: show the path number of every leaf, below or beside it.
    """

    direction: Direction | None
    names: Names
    paths: bool


class BoxedLayout(Layout, total=False):
    """A layout with room for boxes to be crossed.

    - `leaf_box`, `branch_box`: the side of a box at every leaf and on every branch; 0 for none.
    """

    leaf_box: float
    branch_box: float


def draw(tree: Tree, view: View | None = None, **layout: Unpack[BoxedLayout]) -> Drawing:
    """Lay out one picture of a tree."""
    return draw_all(tree, (View.question(tree) if view is None else view,), **layout)[0]


def draw_all(
    tree: Tree,
    views: Sequence[View],
    said: Sequence[Sequence[NodeWords]] | None = None,
    *,
    direction: Direction | None = None,
    names: Names = "given",
    paths: bool = False,
    leaf_box: float = 0,
    branch_box: float = 0,
) -> tuple[Drawing, ...]:
    """Lay out one picture for each view, every node in the same place in all of them; see `BoxedLayout`.

    `said` is what `words_at_nodes` says in each view with these names, where that is known already.
    Takes time linear in the size of the tree, once for each view.
    Raises `ValueError` for a choice that there is not.
    """
    for option, chosen, choices in (
        ("direction", direction, (*get_args(Direction), None)),
        ("names", names, get_args(Names)),
        ("paths", paths, (True, False)),
    ):
        if chosen not in choices:
            either = " or ".join(map(repr, choices))
            raise ValueError(f"{option} is {either}, not {chosen!r}")
    said = [words_at_nodes(tree, view, names) for view in views] if said is None else said
    written = [
        measure_labels(tree, view, words, paths, leaf_box) for view, words in zip(views, said, strict=True)
    ]
    places = Placement(tree, views, written, direction or "down", branch_box)
    if direction is None and places.width > MAX_DOWNWARD_WIDTH:
        turned = Placement(tree, views, written, "right", branch_box)
        places = min(places, turned, key=lambda places: places.width)
    boxed = bool(branch_box)
    return tuple(_sheet(tree, view, words, places, boxed) for view, words in zip(views, written, strict=True))


# From places to shapes ------------------------------------------------------------------------------

_SIGNS: dict[Sign, tuple[tuple[Point, ...], ...]] = {
    "tick": (((-1, 0.1), (-1 / 3, 1), (1, -1)),),
    "wrong": (((-1, -1), (1, 1)), ((-1, 1), (1, -1))),
    "follows": (((-1, 0), (1, 0)), ((0.2, -0.7), (1, 0), (0.2, 0.7))),
}
"""The signs as lines, where one reaches from -1 to 1."""


class _Sheet:
    """A drawing in the making."""

    def __init__(self) -> None:
        self.edges: list[Edge] = []
        self.shapes: list[Outline] = []
        self.strokes: list[Stroke] = []
        self.texts: list[Text] = []
        self.spots: list[BoxSpot] = []

    def put_item(
        self, node: int, item: LabelItem, x: float, y: float, muted: bool, align: Align = "middle"
    ) -> None:
        """Put words or a sign into a box with its middle at a place; unframed words lean to a side of it."""
        style = STYLES.get(item.role)
        if item.role == BOX:
            self.spots.append(BoxSpot(node, "leaf", x, y))
            return
        if style is None:
            self.put_sign(node, cast(Sign, item.role), x, y)
            return
        if style.framed:
            box = (x - item.width / 2, y - item.height / 2, x + item.width / 2, y + item.height / 2)
            self.shapes.append(Outline(node, item.role, box, (), muted))
        if not item.words:
            return
        wide, high = item.width / 2 - style.padding, style.size * 0.55
        words_box = (x - wide, y - high, x + wide, y + high)
        align = "middle" if style.framed else align
        place = x if align == "middle" else words_box[0] if align == "start" else words_box[2]
        baseline = y + 0.32 * style.size
        self.texts.append(Text(node, item.role, item.words, place, baseline, align, style, words_box, muted))

    def put_block(self, node: int, placed: PlacedBlock, muted: bool) -> None:
        """Put a block of lines."""
        block, start, top, align = placed
        before = 0.5 if align == "middle" else 0 if align == "start" else 1
        for line in block.lines:
            x = start - line.width * before
            for item in line.items:
                self.put_item(node, item, x + item.width / 2, top + line.height / 2, muted, align)
                x += item.width + line.between
            top += line.height + line.below

    def put_sign(self, node: int, sign: Sign, x: float, y: float) -> None:
        """Put a tick, a cross or an arrow."""
        r = SIGN_SIZE / 2 - 1
        lines = tuple(tuple((x + r * across, y + r * down) for across, down in line) for line in _SIGNS[sign])
        box = (x - SIGN_SIZE / 2, y - SIGN_SIZE / 2, x + SIGN_SIZE / 2, y + SIGN_SIZE / 2)
        self.strokes.append(Stroke(node, sign, lines, box))

    def put_bars(self, node: int, middle: Point, along: Point, hollow: bool) -> None:
        """Put two bars across a branch."""
        (x, y), (dx, dy) = middle, along
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
        """Put the shape of whoever moves."""
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
        """Put the frame that shows where a search is."""
        around = (box[0] - 4, box[1] - 4, box[2] + 4, box[3] + 4)
        self.shapes.append(Outline(node, "current", around, (), False))


def _regular(corners: int, turn: float, stretch: float = 1.0) -> tuple[Point, ...]:
    """A regular polygon inside the unit circle; `turn` is in steps from one corner to the next."""
    angles = [2 * math.pi * (corner + turn) / corners for corner in range(corners)]
    return tuple((stretch * math.sin(angle), -stretch * math.cos(angle)) for angle in angles)


SEAT_SHAPES = (
    _regular(4, 0.5, 1.3),  # a square
    _regular(4, 0, 1.15),  # a diamond
    _regular(5, 0, 1.08),
    _regular(6, 0.5),
    _regular(5, 0.5, 1.08),
    _regular(6, 0),
    _regular(8, 0.5),
    _regular(8, 0),
    _regular(12, 0.5),
)
"""The outlines of P1 to P9. No triangle and no circle: those are MAX, MIN and chance."""


def _bounds(points: Sequence[Point]) -> Rectangle:
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def _sheet(tree: Tree, view: View, written: Sequence[Labels], places: Placement, boxed: bool) -> Drawing:
    sheet = _Sheet()
    muted = [False] * len(tree)
    for node, player in enumerate(tree.players):
        x, y = places.centre(node)
        if node:
            muted[node] = view.pruned[node] or muted[tree.parents[node]]
            _branch(sheet, node, view, written[node], muted[node], places)
            if boxed:
                sheet.spots.append(BoxSpot(node, "branch", *places.box(node)))
        if player is not None:
            sheet.put_player(node, player, x, y, muted[node])
            if view.current == node:
                sheet.put_frame(
                    node,
                    (x - HALF_SHAPE_WIDTH, y - SHAPE_HEIGHT / 2, x + HALF_SHAPE_WIDTH, y + SHAPE_HEIGHT / 2),
                )
        texts = len(sheet.texts)
        for placed in places.blocks(node, written[node]):
            sheet.put_block(node, placed, muted[node])
        if player is None and view.current == node:
            sheet.put_frame(node, sheet.texts[texts].box)
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


def _branch(sheet: _Sheet, node: int, view: View, words: Labels, muted: bool, places: Placement) -> None:
    crossed, mark = view.pruned[node], view.cross_marks[node]
    sheet.edges.append(Edge(node, places.edge(node), muted, view.chosen[node]))
    if words.branch is not None:
        sheet.put_item(node, words.branch, *places.label(node), muted)
    if crossed or mark == "missing":
        sheet.put_bars(node, *places.bars(node), hollow=not crossed)
    if mark is not None:
        sheet.put_sign(node, "tick" if mark == "right" else "wrong", *places.sign(node))
