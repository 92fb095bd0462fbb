"""Where nodes and branches go: placed once along the plies and across them, and turned for the direction."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from grader.pictures.labels import SIGN_SIZE, LabelItem, Labels, TextBlock
from grader.pictures.packing import pack
from grader.pictures.view import View
from grader.trees.tree import Tree

Direction: TypeAlias = Literal["down", "right"]
Align: TypeAlias = Literal["start", "middle", "end"]
Point: TypeAlias = tuple[float, float]

SHAPE_HEIGHT = 30.0
"""The height of a player's shape."""

HALF_SHAPE_WIDTH = 17.0
"""Half its width."""

MARGIN = 10.0
"""Around the whole picture."""

_LABEL_AT, _BARS_AT = 0.6, 0.82
"""How far down a branch its label and its bars sit: low, where the branches of a node are apart."""


_LEVEL = SHAPE_HEIGHT + 6
"""The highest words that stand level with a shape: the slant of the branches lets them miss these."""

_CLEAR = 20.0
"""The least distance between the middle of a node and the words of another one, or its own."""


@dataclass(frozen=True, slots=True)
class _Way:
    """What a direction asks for along a ply, where the words beside a shape and the siblings of a node are.

    - `half`: of a shape. `gap`: between a shape and the words beside it. `leaf`: the least room for a leaf.
    - `bars`, `sign`: the room for bars across a branch and for the mark beside them.
    - `between`, `snap`: see `pack`.
    - `after`: the room behind the words of a leaf, across.
    """

    half: float
    gap: float
    leaf: float
    bars: float
    sign: float
    between: float
    snap: float
    after: float


_WAYS = {
    "down": _Way(HALF_SHAPE_WIDTH, 9, 16, 9 / _BARS_AT, (12 + SIGN_SIZE) / _BARS_AT, 12, 14, 3),
    "right": _Way(SHAPE_HEIGHT / 2, 2, 0, 8, 10 + SIGN_SIZE, 4, 10, 4),
}


class PlacedBlock(NamedTuple):
    """A block of words with its top, and how it is aligned with which x."""

    block: TextBlock
    x: float
    top: float
    align: Align


@dataclass(frozen=True, slots=True)
class _Room:
    """How much room every node and ply needs, over all the views that share one layout.

    `first` and `second` are the (width, height) of the blocks, `branch` that of the branch label;
    `labels`, `bars` and `signs` are the plies on which branches have labels, are crossed out and marked.
    """

    first: Sequence[Point]
    second: Sequence[Point]
    branch: Sequence[Point]
    labels: frozenset[int]
    bars: frozenset[int]
    signs: frozenset[int]


def _room(
    tree: Tree, views: Sequence[View], written: Sequence[Sequence[Labels]], direction: Direction
) -> _Room:
    signs = {node for view in views for node, mark in enumerate(view.cross_marks) if mark is not None}
    bars = signs.union(node for view in views for node, out in enumerate(view.pruned) if out)
    flat = [player is None and direction == "right" for player in tree.players]
    first = [
        [words.row if lying else words.first for words, lying in zip(said, flat, strict=True)]
        for said in written
    ]
    branch = _largest([[words.branch for words in said] for said in written])
    return _Room(
        first=_largest(first),
        second=_largest([[words.second for words in said] for said in written]),
        branch=branch,
        labels=frozenset(ply for ply, (width, _) in zip(tree.depths, branch, strict=True) if width),
        bars=frozenset(tree.depths[node] for node in bars),
        signs=frozenset(tree.depths[node] for node in signs),
    )


def _largest(blocks: Sequence[Sequence[TextBlock | LabelItem | None]]) -> Sequence[Point]:
    """The room that the blocks of every node take, over all the views."""
    sizes = [[(0.0, 0.0) if each is None else (each.width, each.height) for each in view] for view in blocks]
    if len(sizes) == 1:
        return sizes[0]
    return [
        (max(width for width, _ in node), max(height for _, height in node))
        for node in zip(*sizes, strict=True)
    ]


class Placement:
    """The places of one tree in one direction.

    Along a ply nodes stand beside each other; across, ply follows ply. Downwards along is x and across is
    y, to the right it is the other way round. What is placed below is placed along and across, and turned
    when somebody asks for it.
    """

    def __init__(
        self,
        tree: Tree,
        views: Sequence[View],
        written: Sequence[Sequence[Labels]],
        direction: Direction,
        branch_box: float = 0,
    ) -> None:
        self.direction: Direction = direction
        self._tree = tree
        self._room = _room(tree, views, written, direction)
        self._way = _WAYS[direction]
        self._down = direction == "down"
        self._box = branch_box + 8 if branch_box else 0.0
        if not len(tree):  # a question without a tree has a picture without a node
            self.width = self.height = 2 * MARGIN
            self._along = []
            return
        before, after = zip(*map(self._extent, range(len(tree))), strict=True)
        places, length = pack(tree, before, after, self._way.between, self._way.snap)
        self._along = [MARGIN + place for place in places]
        self._place_plies()
        depth = MARGIN + max(
            self._end[ply]
            if tree.children[node]
            else self._leaf_at(ply) + self._turned(*self._room.first[node])[1] + self._way.after
            for node, ply in enumerate(tree.depths)
        )
        self.width, self.height = self._turned(length + 2 * MARGIN, depth)

    def _turned(self, one: float, other: float) -> Point:
        """From along and across to x and y, or from width and height to what they are along and across."""
        return (one, other) if self._down else (other, one)

    def _extent(self, node: int) -> Point:
        """What a node needs along its ply, before and behind its middle."""
        room, way, ply = self._room, self._way, self._tree.depths[node]
        beside, behind = self._turned(*room.first[node])[0], self._turned(*room.second[node])[0]
        if self._tree.players[node] is None:
            before = after = max(way.leaf, beside) / 2
        else:
            before = way.half + (way.gap + beside if beside else 0)
            after = way.half + (way.gap + behind if behind else 0)
        label = self._turned(*room.branch[node])[0]
        bars = way.bars if ply in room.bars and node else 0.0
        sign = way.sign if ply in room.signs and node else 0.0
        if self._down:
            label = (label / 2 + 3) / _LABEL_AT
            box = self._box / 2 - 6.3 if self._box else 0.0
            return max(before, label, bars, box), max(after, label, bars, sign, box)
        box = self._box / 2
        return max(before, label + 2, bars, sign, box), max(after, bars, box)

    def _place_plies(self) -> None:
        """Where each ply starts, has the middle of its shapes, and ends; how far its branches fan out."""
        tree, room = self._tree, self._room
        plies = range(max(tree.depths) + 1)
        rises = [SHAPE_HEIGHT / 2 if self._down else 0.0 for _ in plies]
        labels = [0.0 for _ in plies]
        fans = [
            48.0 + (20 if ply in room.labels else 0) + (14 if ply in room.bars else 0) if self._down else 30.0
            for ply in plies
        ]
        for node, ply in enumerate(tree.depths):
            children = tree.children[node]
            labels[ply] = max(labels[ply], room.branch[node][0])
            if not children:
                continue
            spread = self._along[children[-1]] - self._along[node]
            if self._down:
                tall = max(room.first[node][1], room.second[node][1])
                rises[ply] = max(rises[ply], SHAPE_HEIGHT / 2 + _overhang(tall))
                fans[ply + 1] = max(fans[ply + 1], 0.14 * spread, min(400.0, self._label_gap(node)))
            else:
                rises[ply] = max(
                    rises[ply], HALF_SHAPE_WIDTH, room.first[node][0] / 2, room.second[node][0] / 2
                )
                fans[ply + 1] = max(fans[ply + 1], min(70.0, 0.2 * spread))
        self._start: list[float] = []
        self._middle: list[float] = []
        self._end: list[float] = []
        for ply in plies:
            run = 8 + (labels[ply] + 6 if labels[ply] else 0) + (18 if ply in room.bars else 0)
            gap = fans[ply] + self._box + (0 if self._down else run)
            self._start.append(self._end[-1] + gap if ply else MARGIN)
            self._middle.append(self._start[-1] + rises[ply])
            self._end.append(self._middle[-1] + (SHAPE_HEIGHT / 2 if self._down else rises[ply]))
        self._labels = labels
        self._turns = [MARGIN, *(end + fan for end, fan in zip(self._end, fans[1:], strict=False))]
        if self._down:
            self._straighten()
        self._feet = [turn + self._box for turn in self._turns]

    def _straighten(self) -> None:
        """Let the branches to a ply run on to its shapes where they stay clear of the words beside these."""
        tree, room = self._tree, self._room
        steepest = [0.0] * len(self._end)
        for node, ply in enumerate(tree.depths[1:], 1):
            steepest[ply] = max(steepest[ply], abs(self._along[node] - self._along[tree.parents[node]]))
        for ply in range(1, len(steepest)):
            high = self._middle[ply] - SHAPE_HEIGHT / 2 - self._start[ply]
            clear = steepest[ply] * high <= _CLEAR * (
                self._middle[ply] - SHAPE_HEIGHT / 2 - self._end[ply - 1]
            )
            if clear and not self._box and ply not in room.labels and ply not in room.bars:
                self._turns[ply] = self._middle[ply] - SHAPE_HEIGHT / 2

    def _label_gap(self, node: int) -> float:
        """How far below the node its children must be so that no branch runs through a sibling's label."""
        needed = 0.0
        for one, other in pairwise(self._tree.children[node]):
            apart = self._along[other] - self._along[one]
            reach = max(abs(self._along[child] - self._along[node]) for child in (one, other))
            for child in (one, other):
                width, height = self._room.branch[child]
                if width:
                    needed = max(needed, height / 2 * (apart + reach) / (_LABEL_AT * apart - width / 2))
        return needed

    def _leaf_at(self, ply: int) -> float:
        """How far across the branches to the leaves of a ply go, and their words begin."""
        return self._feet[ply] if self._down else self._start[ply]

    def _entry(self, node: int) -> float:
        """How far across the branch above a node goes."""
        ply = self._tree.depths[node]
        if not self._tree.children[node]:
            return self._leaf_at(ply)
        return self._middle[ply] - SHAPE_HEIGHT / 2 if self._down else self._middle[ply]

    def _fan(self, node: int) -> tuple[Point, Point]:
        """The slanting part of the branch above a node, along and across."""
        parent, ply = self._tree.parents[node], self._tree.depths[node]
        return (self._along[parent], self._end[ply - 1]), (self._along[node], self._turns[ply])

    def centre(self, node: int) -> Point:
        """The middle of a player's shape, or of that side of a leaf's words to which its branch comes."""
        ply = self._tree.depths[node]
        across = self._middle[ply] if self._tree.children[node] else self._leaf_at(ply)
        return self._turned(self._along[node], across)

    def edge(self, node: int) -> tuple[Point, ...]:
        """The branch above a node: out of its parent, aslant to its own place in the ply, then on to it."""
        start, end = self._fan(node)
        out = start[1] if self._down else self._middle[self._tree.depths[node] - 1]
        corners = [(start[0], out)]
        for corner in (start, end, (end[0], self._entry(node))):
            if corner != corners[-1]:
                corners.append(corner)
        return tuple(corners if self._down else [(across, along) for along, across in corners])

    def box(self, node: int) -> Point:
        """The middle of the box on the branch above a node: at its foot, where the branches are apart."""
        foot = self._entry(node) if self._down else self._start[self._tree.depths[node]]
        return self._turned(self._along[node], foot - self._box / 2)

    def label(self, node: int) -> Point:
        """The middle of the label: on the slanting part of the branch, or above its level part."""
        if self._down:
            return self._aslant(node, _LABEL_AT)
        end, ply = self._fan(node)[1][1], self._tree.depths[node]
        return end + 3 + self._labels[ply] / 2, self._along[node] - 1 - self._room.branch[node][1] / 2

    def bars(self, node: int) -> tuple[Point, Point]:
        """The middle of the bars across the branch above a node, and the direction of the branch."""
        ply = self._tree.depths[node]
        if not self._down:
            return (self._start[ply] - 14, self._along[node]), (1.0, 0.0)
        start, end = self._fan(node)
        length = math.sqrt((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2)
        place = self._aslant(node, _BARS_AT if ply in self._room.labels else 0.66)
        return place, ((end[0] - start[0]) / length, (end[1] - start[1]) / length)

    def sign(self, node: int) -> Point:
        """The middle of the mark for a cross."""
        (x, y), _ = self.bars(node)
        return (x + 10 + SIGN_SIZE / 2, y) if self._down else (x, y - 9 - SIGN_SIZE / 2)

    def _aslant(self, node: int, share: float) -> Point:
        (left, top), (right, bottom) = self._fan(node)
        return left + share * (right - left), top + share * (bottom - top)

    def blocks(self, node: int, words: Labels) -> tuple[PlacedBlock, ...]:
        """The blocks of words at a node."""
        x, y = self.centre(node)
        if not self._tree.children[node]:
            if self._down:
                return (PlacedBlock(words.first, x, y + 2, "middle"),)
            return (PlacedBlock(words.row, x + 4, y - words.row.height / 2, "start"),)
        if self._down:
            return (
                PlacedBlock(
                    words.first, x - HALF_SHAPE_WIDTH - self._way.gap, _beside(words.first, y), "end"
                ),
                PlacedBlock(
                    words.second, x + HALF_SHAPE_WIDTH + self._way.gap, _beside(words.second, y), "start"
                ),
            )
        above = y - SHAPE_HEIGHT / 2 - self._way.gap - words.first.height
        return (
            PlacedBlock(words.first, x, above, "middle"),
            PlacedBlock(words.second, x, y + SHAPE_HEIGHT / 2 + self._way.gap, "middle"),
        )


def _overhang(height: float) -> float:
    """How far words beside a shape reach above it."""
    return 0.0 if height <= _LEVEL else height - SHAPE_HEIGHT


def _beside(block: TextBlock, y: float) -> float:
    """The top of a block beside a shape: level with its middle; a taller one stands on its foot line."""
    return y - block.height / 2 if block.height <= _LEVEL else y + SHAPE_HEIGHT / 2 - block.height
