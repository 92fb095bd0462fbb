"""Where the nodes, branches and words of a picture go: numbers only."""

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias, cast

from grader.pictures.packing import pack
from grader.pictures.view import ClaimMark, Names, View, Words, words_of
from grader.tree import Player, Tree

Direction: TypeAlias = Literal["down", "right"]
Align: TypeAlias = Literal["start", "middle", "end"]
Point: TypeAlias = tuple[float, float]
Sign: TypeAlias = Literal["tick", "wrong", "follows"]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""

WIDE = 900.0
"""The widest picture that is drawn downwards by itself: printed, its payoffs are still 8 points high."""

# The record ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Edge:
    """The branch above `node`, as the corners of a line from its parent."""

    node: int
    points: tuple[Point, ...]
    muted: bool
    crossed: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """An outline: a player's shape, the frame of a claim or path number, or the frame of the current node.

    A circle and a rounded box fill their `box`; a polygon has `points`.
    """

    node: int
    role: str
    outline: Literal["circle", "box", "polygon"]
    box: Box
    points: tuple[Point, ...]
    muted: bool


@dataclass(frozen=True, slots=True)
class Stroke:
    """A sign drawn by hand rather than written: a tick, a cross, an arrow, or the bars across a branch."""

    node: int
    role: Sign | Literal["bars", "hollow"]
    lines: tuple[tuple[Point, ...], ...]
    box: Box
    muted: bool


@dataclass(frozen=True, slots=True)
class Text:
    """Words that start, end or have their middle at `x`, their baseline at `y`, inside `box`."""

    node: int
    role: str
    words: str
    x: float
    y: float
    anchor: Align
    size: float
    bold: bool
    italic: bool
    box: Box
    muted: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """A tree on paper; lengths are in CSS pixels (1/96 inch), the origin is the top left corner."""

    width: float
    height: float
    direction: Direction
    edges: tuple[Edge, ...]
    shapes: tuple[Shape, ...]
    strokes: tuple[Stroke, ...]
    texts: tuple[Text, ...]


# How wide words are -------------------------------------------------------------------------------

_WIDTHS = {
    character: width / 1000
    for width, characters in (
        (250, ",. ·"),
        (275, "|"),
        (300, "'"),
        (325, "/\\il"),
        (350, "!():;j"),
        (375, "-t"),
        (400, "I[]`f⟨⟩°"),
        (450, "rs"),
        (475, "cz"),
        (500, "*?J_e{}"),
        (525, "#$0123456789ag"),
        (550, "v~−–≤≥"),
        (575, '"Sbdoqxy△▽'),
        (600, "^pu"),
        (625, "FPhkn"),
        (675, "+<=>BELTZ×±"),
        (725, "CRVXY"),
        (750, "ADNU"),
        (800, "GKOQw"),
        (825, "H∞"),
        (850, "&"),
        (925, "m"),
        (950, "M"),
    )
    for character in characters
}
"""Advance in em, rounded up, of the wider of Libertinus Serif and Times, regular, bold and italic:
a browser without the one has the other."""


def text_width(words: str, size: float) -> float:
    """At most how wide the words are at a font size; never less than what a renderer needs."""
    return size * sum(map(_advance, words))


def _advance(character: str) -> float:
    width = _WIDTHS.get(character)
    if width is not None:
        return width
    if unicodedata.combining(character):
        return 0.0
    base = unicodedata.normalize("NFD", character)[0]
    if base in _WIDTHS:
        return _WIDTHS[base]
    return 1.4 if character >= "\U0001f000" else 1.05


# Words beside a node ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Style:
    size: float
    bold: bool = False
    italic: bool = False
    padding: float = 0.0
    framed: bool = False


_STYLES = {
    "name": _Style(15),
    "note": _Style(11),
    "value": _Style(16, bold=True),
    "window": _Style(12),
    "claim": _Style(15, italic=True, padding=4, framed=True),
    "payoff": _Style(16),
    "unknown": _Style(16, italic=True),
    "path": _Style(12, padding=2.5, framed=True),
    "move": _Style(13, italic=True, padding=2),
    "seat": _Style(15, bold=True),
}
_SIGN = 11.0  # the side of a tick, a cross or an arrow
_SIGNS: dict[Sign, tuple[tuple[Point, ...], ...]] = {
    "tick": (((-1, 0.1), (-1 / 3, 1), (1, -1)),),
    "wrong": (((-1, -1), (1, 1)), ((-1, 1), (1, -1))),
    "follows": (((-1, 0), (1, 0)), ((0.2, -0.7), (1, 0), (0.2, 0.7))),
}
"""The signs as lines, where one reaches from -1 to 1."""
_SHAPE = 30.0  # the height of a player's shape
_REACH = 17.0  # half its width
_GAP = 9.0  # between a shape and the words beside it
_LEAF = 16.0  # the least room for a leaf across the picture
_MARGIN = 10.0


@dataclass(frozen=True, slots=True)
class _Item:
    role: str
    words: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class _Line:
    items: tuple[_Item, ...]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class _Block:
    lines: tuple[_Line, ...]
    width: float
    height: float


def _item(role: str, words: str) -> _Item:
    style = _STYLES.get(role)
    if style is None:
        return _Item(role, "", _SIGN, _SIGN)
    width = text_width(words, style.size) + 2 * style.padding
    height = style.size * 1.1 + (4 if style.framed else 0)
    return _Item(role, words, max(width, height) if style.framed else width, height)


def _line(*items: _Item) -> _Line:
    return _Line(
        items,
        sum(item.width for item in items) + 4 * (len(items) - 1),
        max(item.height for item in items),
    )


def _block(lines: Iterable[_Line]) -> _Block:
    lines = tuple(lines)
    return _Block(
        lines,
        max((line.width for line in lines), default=0.0),
        sum(line.height for line in lines) + 2 * max(0, len(lines) - 1),
    )


@dataclass(frozen=True, slots=True)
class _Labels:
    """What is written at a node: before its shape, then behind it; a leaf has only `first`."""

    first: _Block
    second: _Block
    branch: _Item | None


def _claim_lines(words: Words, mark: ClaimMark | None) -> list[_Line]:
    value = [_item("value", words.value)] if words.value else []
    above = [_line(*value)] if value else []
    if not words.claim:
        return above
    claim = _item("claim", words.claim)
    match mark:
        case None:
            return [*above, _line(claim)]
        case "right":
            return [_line(claim, _item("tick", ""))]
        case "wrong":
            return [_line(claim, _item("wrong", ""), *value)]
        case "follows":
            return [*above, _line(_item("follows", ""), claim)]


def _labels(tree: Tree, node: int, view: View, words: Words, paths: bool) -> _Labels:
    name = [_line(_item("name", words.name))] if words.name else []
    notes = [_line(_item("note", note)) for note in words.notes]
    windows = [_line(_item("window", words.window))] if words.window else []
    claims = _claim_lines(words, view.claim_marks[node])
    branch = _item("move", words.branch) if words.branch else None
    if tree.players[node] is not None:
        return _Labels(_block(name + notes), _block(claims + windows), branch)
    payoff = [_line(_item("unknown" if isinstance(tree.payoffs[node], str) else "payoff", words.payoff))]
    path = [_line(_item("path", str(tree.paths[node])))] if paths else []
    return _Labels(_block(payoff + name + notes + claims + windows + path), _block(()), branch)


# Room ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Room:
    """How much room every node needs, over all the views that share one layout.

    `first` and `second` are the (width, height) of the blocks, `rows` that of a leaf's words side by side,
    `branch` that of the branch label;
    `bars` and `signs` say on which plies branches are crossed out and marked.
    """

    first: list[Point]
    second: list[Point]
    rows: list[Point]
    branch: list[Point]
    labels: list[bool]
    bars: list[bool]
    signs: list[bool]


def _room(tree: Tree, views: Sequence[View], written: Sequence[tuple[_Labels, ...]]) -> _Room:
    plies = max(tree.depths) + 1
    nothing = (0.0, 0.0)
    room = _Room(
        [nothing] * len(tree),
        [nothing] * len(tree),
        [nothing] * len(tree),
        [nothing] * len(tree),
        [False] * plies,
        [False] * plies,
        [False] * plies,
    )
    for view, words in zip(views, written, strict=True):
        for node, ply in enumerate(tree.depths):
            said = words[node]
            room.first[node] = _larger(room.first[node], said.first)
            room.second[node] = _larger(room.second[node], said.second)
            if tree.players[node] is None:
                room.rows[node] = _larger(room.rows[node], _row(said.first))
            if said.branch is not None:
                room.branch[node] = _larger(room.branch[node], said.branch)
                room.labels[ply] = True
            mark = view.cross_marks[node]
            room.bars[ply] |= view.pruned[node] or mark is not None
            room.signs[ply] |= mark is not None
    return room


def _larger(size: Point, block: _Block | _Item) -> Point:
    return max(size[0], block.width), max(size[1], block.height)


# Drawing ------------------------------------------------------------------------------------------


def draw(
    tree: Tree,
    view: View | None = None,
    *,
    direction: Direction | None = None,
    names: Names = "given",
    paths: bool = False,
) -> Drawing:
    """Lay out one picture of a tree; see `draw_all`."""
    return draw_all(
        tree, (View.question(tree) if view is None else view,), direction=direction, names=names, paths=paths
    )[0]


def draw_all(
    tree: Tree,
    views: Sequence[View],
    *,
    direction: Direction | None = None,
    names: Names = "given",
    paths: bool = False,
) -> tuple[Drawing, ...]:
    """Lay out one picture for each view, every node in the same place in all of them.

    - `direction`: `down` or `right`; without it downwards, unless that is wider than a page.
    - `names`: only the names the author gave, all of them, or none.
    - `paths`: write the path number below (or beside) every leaf.

    Takes time linear in the size of the tree, once for each view.
    """
    written = [
        tuple(
            _labels(tree, node, view, words, paths) for node, words in enumerate(words_of(tree, view, names))
        )
        for view in views
    ]
    room = _room(tree, views, written)
    down = _Downwards(tree, room)
    chosen: _Downwards | _Rightwards = down
    if direction == "right" or (direction is None and down.width > WIDE):
        rightwards = _Rightwards(tree, room)
        if direction == "right" or rightwards.width < down.width:
            chosen = rightwards
    return tuple(_sheet(tree, view, words, chosen) for view, words in zip(views, written, strict=True))


_LABEL_AT, _BARS_AT = 0.6, 0.82
"""How far down a branch its label and its bars sit: low, where the branches of a node are apart."""


class _Downwards:
    """The root at the top: words beside the shapes, every ply on its own line."""

    direction: Direction = "down"

    def __init__(self, tree: Tree, room: _Room) -> None:
        self._tree = tree
        self._room = room
        before, after = [], []
        for node, player in enumerate(tree.players):
            ply = tree.depths[node]
            beside, behind = room.first[node][0], room.second[node][0]
            if player is None:
                left = right = max(_LEAF, beside) / 2
            else:
                left = _REACH + (_GAP + beside if beside else 0)
                right = _REACH + (_GAP + behind if behind else 0)
            label = (room.branch[node][0] / 2 + 3) / _LABEL_AT
            bars = 9 / _BARS_AT if room.bars[ply] and node else 0.0
            sign = (12 + _SIGN) / _BARS_AT if room.signs[ply] and node else 0.0
            before.append(max(left, label, bars))
            after.append(max(right, label, bars, sign))
        places, length = pack(tree, before, after, 12, 14)
        self._x = [_MARGIN + place for place in places]
        self.width = length + 2 * _MARGIN
        self._place_plies()

    def _place_plies(self) -> None:
        tree, room = self._tree, self._room
        rises = [_SHAPE / 2] * len(room.labels)
        gaps = [
            48.0 + (20 if labelled else 0) + (14 if barred else 0)
            for labelled, barred in zip(room.labels, room.bars, strict=True)
        ]
        for node, ply in enumerate(tree.depths):
            children = tree.children[node]
            if children:
                tall = max(room.first[node][1], room.second[node][1])
                rises[ply] = max(rises[ply], tall - _SHAPE / 2)
                spread = self._x[children[-1]] - self._x[node]
                gaps[ply + 1] = max(gaps[ply + 1], 0.14 * spread, min(400.0, self._label_gap(node)))
        self._middle, self._top = [_MARGIN + rises[0]], [_MARGIN]
        for rise, gap in zip(rises[1:], gaps[1:], strict=True):
            self._top.append(self._middle[-1] + _SHAPE / 2 + gap)
            self._middle.append(self._top[-1] + rise)
        self.height = _MARGIN + max(
            self._middle[ply] + _SHAPE / 2
            if tree.children[node]
            else self._top[ply] + room.first[node][1] + 3
            for node, ply in enumerate(tree.depths)
        )

    def _label_gap(self, node: int) -> float:
        """How far below the node its children must be so that no branch runs through a sibling's label."""
        needed = 0.0
        for one, other in pairwise(self._tree.children[node]):
            apart = self._x[other] - self._x[one]
            reach = max(abs(self._x[one] - self._x[node]), abs(self._x[other] - self._x[node]))
            for child in (one, other):
                width, height = self._room.branch[child]
                if width:
                    needed = max(needed, height / 2 * (apart + reach) / (_LABEL_AT * apart - width / 2))
        return needed

    def centre(self, node: int) -> Point:
        """The middle of a player's shape, or of the top of a leaf's words."""
        ply = self._tree.depths[node]
        return self._x[node], self._middle[ply] if self._tree.children[node] else self._top[ply]

    def edge(self, node: int) -> tuple[Point, ...]:
        """The branch above a node: straight down to its ply, then on to the node."""
        parent, ply = self._tree.parents[node], self._tree.depths[node]
        start = (self._x[parent], self._middle[ply - 1] + _SHAPE / 2)
        turn = (self._x[node], self._top[ply])
        end = (self._x[node], self._middle[ply] - _SHAPE / 2)
        return (start, turn, end) if self._tree.children[node] and end != turn else (start, turn)

    def label(self, node: int) -> Point:
        """The middle of the label on the branch above a node."""
        return self._along(node, _LABEL_AT)

    def bars(self, node: int) -> tuple[Point, Point]:
        """The middle of the bars across the branch above a node, and the direction of the branch."""
        start, end = self.edge(node)[:2]
        length = math.sqrt((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2)
        place = self._along(node, _BARS_AT if self._room.labels[self._tree.depths[node]] else 0.66)
        return place, ((end[0] - start[0]) / length, (end[1] - start[1]) / length)

    def sign(self, node: int) -> Point:
        """The middle of the mark for a cross."""
        (x, y), _ = self.bars(node)
        return x + 10 + _SIGN / 2, y

    def _along(self, node: int, share: float) -> Point:
        (left, top), (right, bottom) = self.edge(node)[:2]
        return left + share * (right - left), top + share * (bottom - top)

    def blocks(self, node: int, words: _Labels) -> tuple["_Placed", ...]:
        """The blocks of words at a node, each with its top and how it is aligned with which x."""
        x, y = self.centre(node)
        if not self._tree.children[node]:
            return (_Placed(words.first, x, y + 2, "middle"),)
        return (
            _Placed(words.first, x - _REACH - _GAP, _beside(words.first, y), "end"),
            _Placed(words.second, x + _REACH + _GAP, _beside(words.second, y), "start"),
        )


def _beside(block: _Block, y: float) -> float:
    """The top of a block beside a shape: level with its middle; a taller one stands on its foot line."""
    return y - block.height / 2 if block.height <= _SHAPE else y + _SHAPE / 2 - block.height


class _Rightwards:
    """The root at the left: words above and below the shapes, every ply in its own column."""

    direction: Direction = "right"

    def __init__(self, tree: Tree, room: _Room) -> None:
        self._tree = tree
        self._room = room
        before, after = [], []
        for node, player in enumerate(tree.players):
            ply = tree.depths[node]
            if player is None:
                up = down = room.rows[node][1] / 2
            else:
                up = _SHAPE / 2 + (room.first[node][1] + 2 if room.first[node][1] else 0)
                down = _SHAPE / 2 + (room.second[node][1] + 2 if room.second[node][1] else 0)
            sign = 10 + _SIGN if room.signs[ply] and node else 0.0
            before.append(max(up, room.branch[node][1] + 2, 8.0 if room.bars[ply] else 0.0, sign))
            after.append(max(down, 8.0 if room.bars[ply] else 0.0))
        places, length = pack(tree, before, after, 4, 10)
        self._y = [_MARGIN + place for place in places]
        self.height = length + 2 * _MARGIN
        self._place_plies()

    def _place_plies(self) -> None:
        tree, room = self._tree, self._room
        columns, labels, fans, ends = ([0.0] * len(room.labels) for _ in range(4))
        for node, ply in enumerate(tree.depths):
            children = tree.children[node]
            labels[ply] = max(labels[ply], room.branch[node][0])
            if children:
                columns[ply] = max(columns[ply], 2 * _REACH, room.first[node][0], room.second[node][0])
                spread = self._y[children[-1]] - self._y[node]
                fans[ply + 1] = max(fans[ply + 1], 30.0, min(70.0, 0.2 * spread))
            else:
                ends[ply] = max(ends[ply], room.rows[node][0] + 4)
        self._fan = fans
        self._left, self._right = [_MARGIN], [_MARGIN + columns[0]]
        for ply in range(1, len(columns)):
            run = 8 + (labels[ply] + 6 if labels[ply] else 0) + (18 if room.bars[ply] else 0)
            self._left.append(self._right[-1] + fans[ply] + run)
            self._right.append(self._left[-1] + columns[ply])
        self._labels = labels
        self.width = _MARGIN + max(
            left + max(column, end) for left, column, end in zip(self._left, columns, ends, strict=True)
        )

    def centre(self, node: int) -> Point:
        """The middle of a player's shape, or of the left end of a leaf's words."""
        ply = self._tree.depths[node]
        across = (self._left[ply] + self._right[ply]) / 2 if self._tree.children[node] else self._left[ply]
        return across, self._y[node]

    def edge(self, node: int) -> tuple[Point, ...]:
        """The branch above a node: out of its parent, aslant to its own line, then level to the node."""
        parent, ply = self._tree.parents[node], self._tree.depths[node]
        start, turn = self.centre(parent), self._right[ply - 1]
        x, y = self.centre(node)
        return start, (turn, start[1]), (turn + self._fan[ply], y), (x, y)

    def label(self, node: int) -> Point:
        """The middle of the label above the branch of a node."""
        ply = self._tree.depths[node]
        start = self._right[ply - 1] + self._fan[ply]
        return start + 3 + self._labels[ply] / 2, self._y[node] - 1 - self._room.branch[node][1] / 2

    def bars(self, node: int) -> tuple[Point, Point]:
        """The middle of the bars across the branch above a node, and the direction of the branch."""
        return (self._left[self._tree.depths[node]] - 14, self._y[node]), (1.0, 0.0)

    def sign(self, node: int) -> Point:
        """The middle of the mark for a cross."""
        (x, y), _ = self.bars(node)
        return x, y - 9 - _SIGN / 2

    def blocks(self, node: int, words: _Labels) -> tuple["_Placed", ...]:
        """The blocks of words at a node, each with its top and how it is aligned with which x."""
        x, y = self.centre(node)
        if not self._tree.children[node]:
            row = _row(words.first)
            return (_Placed(row, x + 4, y - row.height / 2, "start"),)
        return (
            _Placed(words.first, x, y - _SHAPE / 2 - 2 - words.first.height, "middle"),
            _Placed(words.second, x, y + _SHAPE / 2 + 2, "middle"),
        )


@dataclass(frozen=True, slots=True)
class _Placed:
    block: _Block
    x: float
    top: float
    align: Align


def _row(block: _Block) -> _Block:
    """The lines of a block side by side."""
    items = [item for line in block.lines for item in line.items]
    return _block([_line(*items)] if items else [])


# From places to shapes ------------------------------------------------------------------------------


class _Sheet:
    """A drawing in the making."""

    def __init__(self) -> None:
        self.edges: list[Edge] = []
        self.shapes: list[Shape] = []
        self.strokes: list[Stroke] = []
        self.texts: list[Text] = []

    def put_item(
        self, node: int, item: _Item, x: float, y: float, muted: bool, align: Align = "middle"
    ) -> None:
        """Put words or a sign into a box with its middle at a place; unframed words lean to a side of it."""
        box = (x - item.width / 2, y - item.height / 2, x + item.width / 2, y + item.height / 2)
        style = _STYLES.get(item.role)
        if style is None:
            self.put_sign(node, cast(Sign, item.role), x, y)
            return
        if style.framed:
            self.shapes.append(Shape(node, item.role, "box", box, (), muted))
        half = item.width / 2 - style.padding, style.size * 0.55
        words_box = (x - half[0], y - half[1], x + half[0], y + half[1])
        align = "middle" if style.framed else align
        place = {"start": words_box[0], "middle": x, "end": words_box[2]}[align]
        baseline = y + 0.32 * style.size
        self.texts.append(
            Text(
                node=node,
                role=item.role,
                words=item.words,
                x=place,
                y=baseline,
                anchor=align,
                size=style.size,
                bold=style.bold,
                italic=style.italic,
                box=words_box,
                muted=muted,
            )
        )

    def put_block(self, node: int, placed: _Placed, muted: bool) -> None:
        """Put a block of lines."""
        top = placed.top
        for line in placed.block.lines:
            match placed.align:
                case "start":
                    x = placed.x
                case "middle":
                    x = placed.x - line.width / 2
                case "end":
                    x = placed.x - line.width
            for item in line.items:
                self.put_item(node, item, x + item.width / 2, top + line.height / 2, muted, placed.align)
                x += item.width + 4
            top += line.height + 2

    def put_sign(self, node: int, sign: Sign, x: float, y: float) -> None:
        """Put a tick, a cross or an arrow."""
        r = _SIGN / 2 - 1
        lines = tuple(tuple((x + r * across, y + r * down) for across, down in line) for line in _SIGNS[sign])
        box = (x - _SIGN / 2, y - _SIGN / 2, x + _SIGN / 2, y + _SIGN / 2)
        self.strokes.append(Stroke(node, sign, lines, box, False))

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
        self.strokes.append(Stroke(node, "hollow" if hollow else "bars", lines, _bounds(corners), False))

    def put_player(self, node: int, player: Player, x: float, y: float, muted: bool) -> None:
        """Put the shape of whoever moves."""
        half = _SHAPE / 2
        box = (x - _REACH, y - half, x + _REACH, y + half)
        if player is Player.CHANCE:
            box = (x - half, y - half, x + half, y + half)
            self.shapes.append(Shape(node, player, "circle", box, (), muted))
            return
        if player.seat is None:
            up = half if player is Player.MAX else -half
            points: tuple[Point, ...] = ((x, y - up), (x + _REACH, y + up), (x - _REACH, y + up))
        else:
            points = tuple((x + half * across, y + half * down) for across, down in _SEATS[player.seat])
            self.put_item(node, _item("seat", str(player.seat + 1)), x, y, muted)
        self.shapes.append(Shape(node, player, "polygon", box, points, muted))

    def put_frame(self, node: int, box: Box) -> None:
        """Put the frame that shows where a search is."""
        around = (box[0] - 4, box[1] - 4, box[2] + 4, box[3] + 4)
        self.shapes.append(Shape(node, "current", "box", around, (), False))


def _regular(corners: int, turn: float, stretch: float = 1.0) -> tuple[Point, ...]:
    """A regular polygon inside the unit circle; `turn` is in steps from one corner to the next."""
    angles = [2 * math.pi * (corner + turn) / corners for corner in range(corners)]
    return tuple((stretch * math.sin(angle), -stretch * math.cos(angle)) for angle in angles)


_SEATS = (
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


def _bounds(points: Sequence[Point]) -> Box:
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def _sheet(tree: Tree, view: View, written: Sequence[_Labels], layout: _Downwards | _Rightwards) -> Drawing:
    sheet = _Sheet()
    muted = [False] * len(tree)
    for node, player in enumerate(tree.players):
        x, y = layout.centre(node)
        if node:
            muted[node] = view.pruned[node] or muted[tree.parents[node]]
            _branch(sheet, node, view, written[node], muted[node], layout)
        if player is not None:
            sheet.put_player(node, player, x, y, muted[node])
            if view.current == node:
                sheet.put_frame(node, (x - _REACH, y - _SHAPE / 2, x + _REACH, y + _SHAPE / 2))
        texts = len(sheet.texts)
        for placed in layout.blocks(node, written[node]):
            sheet.put_block(node, placed, muted[node])
        if player is None and view.current == node:
            sheet.put_frame(node, sheet.texts[texts].box)
    return Drawing(
        layout.width,
        layout.height,
        layout.direction,
        tuple(sheet.edges),
        tuple(sheet.shapes),
        tuple(sheet.strokes),
        tuple(sheet.texts),
    )


def _branch(
    sheet: _Sheet, node: int, view: View, words: _Labels, muted: bool, layout: _Downwards | _Rightwards
) -> None:
    crossed, mark = view.pruned[node], view.cross_marks[node]
    sheet.edges.append(Edge(node, layout.edge(node), muted, crossed, view.chosen[node]))
    if words.branch is not None:
        sheet.put_item(node, words.branch, *layout.label(node), muted)
    if crossed or mark == "missing":
        sheet.put_bars(node, *layout.bars(node), hollow=not crossed)
    if mark is not None:
        sheet.put_sign(node, "tick" if mark == "right" else "wrong", *layout.sign(node))
