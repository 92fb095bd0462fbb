"""Places of nodes and branches: computed along and across the plies, and turned into x and y."""

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
"""Half of the width of a player's shape."""

MARGIN = 10.0
"""The margin around the whole picture."""

_LABEL_AT, _BARS_AT = 0.6, 0.82
"""The share of a branch above its label and its bars: low, where the branches of a node are far apart."""

_MAX_LEVEL_HEIGHT = SHAPE_HEIGHT + 6
"""The greatest height of words that are level with a shape: slanted branches do not touch these."""

_CLEARANCE = 20.0
"""The least distance between the middle of a node and any words next to a shape."""


@dataclass(frozen=True, slots=True)
class _Spacing:
    """The distances of one direction; all but `after` are along a ply.

    - `half`: half of a shape.
    - `gap`: between a shape and its words.
    - `leaf`: the least size of a leaf.
    - `bars`, `sign`: from the middle of a branch to the end of its bars, and of the mark next to them.
    - `between`, `snap`: see `pack`.
    - `after`: from the end of the words of a leaf to the end of the picture, across the plies.
    """

    half: float
    gap: float
    leaf: float
    bars: float
    sign: float
    between: float
    snap: float
    after: float


_SPACING = {
    "down": _Spacing(HALF_SHAPE_WIDTH, 9, 16, 9 / _BARS_AT, (12 + SIGN_SIZE) / _BARS_AT, 12, 14, 3),
    "right": _Spacing(SHAPE_HEIGHT / 2, 2, 0, 8, 10 + SIGN_SIZE, 4, 10, 4),
}


class PlacedBlock(NamedTuple):
    """A block of words with its top; `x` is its start, middle or end, as `align` says."""

    block: TextBlock
    x: float
    top: float
    align: Align


@dataclass(frozen=True, slots=True)
class _Room:
    """The greatest sizes over all the views that share one layout.

    - `first`, `second`, `branch`: node -> (width, height) of its blocks and of its branch label.
    - `labels`, `bars`, `signs`: the plies on which branches have labels, are crossed out, and are marked.
    """

    first: Sequence[Point]
    second: Sequence[Point]
    branch: Sequence[Point]
    labels: frozenset[int]
    bars: frozenset[int]
    signs: frozenset[int]


def _room(
    tree: Tree, views: Sequence[View], labels: Sequence[Sequence[Labels]], direction: Direction
) -> _Room:
    """Return the room that each ply needs for its words, crosses and signs in any of the views."""
    signs = {node for view in views for node, mark in enumerate(view.cross_marks) if mark is not None}
    bars = signs.union(node for view in views for node, pruned in enumerate(view.pruned) if pruned)
    in_row = [player is None and direction == "right" for player in tree.players]
    first = [
        [node.row if is_row else node.first for node, is_row in zip(nodes, in_row, strict=True)]
        for nodes in labels
    ]
    branch = _largest([[node.branch for node in nodes] for nodes in labels])
    return _Room(
        first=_largest(first),
        second=_largest([[node.second for node in nodes] for nodes in labels]),
        branch=branch,
        labels=frozenset(ply for ply, (width, _) in zip(tree.depths, branch, strict=True) if width),
        bars=frozenset(tree.depths[node] for node in bars),
        signs=frozenset(tree.depths[node] for node in signs),
    )


def _largest(blocks: Sequence[Sequence[TextBlock | LabelItem | None]]) -> Sequence[Point]:
    """Return the greatest width and height of each node's block over all the views."""
    sizes = [[(0.0, 0.0) if each is None else (each.width, each.height) for each in view] for view in blocks]
    if len(sizes) == 1:
        return sizes[0]
    return [
        (max(width for width, _ in node), max(height for _, height in node))
        for node in zip(*sizes, strict=True)
    ]


class Placement:
    """The places of one tree in one direction.

    Nodes of one ply differ in their coordinate along the ply, plies in their coordinate across. In a tree
    drawn downwards along is x and across is y, in a tree to the right it is the reverse. Private
    coordinates are along and across; public methods return x and y.
    """

    def __init__(
        self,
        tree: Tree,
        views: Sequence[View],
        labels: Sequence[Sequence[Labels]],
        direction: Direction,
        branch_box: float = 0,
    ) -> None:
        self.direction: Direction = direction
        self._tree = tree
        self._room = _room(tree, views, labels, direction)
        self._spacing = _SPACING[direction]
        self._down = direction == "down"
        self._box = branch_box + 8 if branch_box else 0.0
        if not len(tree):  # a question without a tree has a picture without a node
            self.width = self.height = 2 * MARGIN
            self._along = []
            return
        before, after = zip(*map(self._extent, range(len(tree))), strict=True)
        places, length = pack(tree, before, after, self._spacing.between, self._spacing.snap)
        self._along = [MARGIN + place for place in places]
        self._place_plies()
        depth = MARGIN + max(
            self._end[ply]
            if tree.children[node]
            else self._leaf_start(ply) + self._turn(*self._room.first[node])[1] + self._spacing.after
            for node, ply in enumerate(tree.depths)
        )
        self.width, self.height = self._turn(length + 2 * MARGIN, depth)

    def _turn(self, one: float, other: float) -> Point:
        """Convert along and across to x and y, or width and height to sizes along and across."""
        return (one, other) if self._down else (other, one)

    def _extent(self, node: int) -> Point:
        """Return the lengths along its ply that a node needs before and after its middle."""
        room, spacing, ply = self._room, self._spacing, self._tree.depths[node]
        first, second = self._turn(*room.first[node])[0], self._turn(*room.second[node])[0]
        if self._tree.players[node] is None:
            before = after = max(spacing.leaf, first) / 2
        else:
            before = spacing.half + (spacing.gap + first if first else 0)
            after = spacing.half + (spacing.gap + second if second else 0)
        label = self._turn(*room.branch[node])[0]
        bars = spacing.bars if ply in room.bars and node else 0.0
        sign = spacing.sign if ply in room.signs and node else 0.0
        if self._down:
            label = (label / 2 + 3) / _LABEL_AT
            box = self._box / 2 - 6.3 if self._box else 0.0
            return max(before, label, bars, box), max(after, label, bars, sign, box)
        box = self._box / 2
        return max(before, label + 2, bars, sign, box), max(after, bars, box)

    def _place_plies(self) -> None:
        """Compute the start, middle and end of each ply, and where the branches to it turn and end.

        A branch consists of a slanted part (`_fan`) to the turn, a box if branches have boxes, and, in a tree
        to the right, a level part with its label. In a tree downwards, `_straighten` may move the turn.
        """
        tree, room = self._tree, self._room
        plies = range(max(tree.depths) + 1)
        # From the start of a ply to the middle of its shapes, which may be lower than tall words.
        rises = [SHAPE_HEIGHT / 2 if self._down else 0.0 for _ in plies]
        labels = [0.0 for _ in plies]
        # The slanted part of the branches to a ply; wide trees need a longer one.
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
                height = max(room.first[node][1], room.second[node][1])
                overhang = height - SHAPE_HEIGHT if height > _MAX_LEVEL_HEIGHT else 0.0
                rises[ply] = max(rises[ply], SHAPE_HEIGHT / 2 + overhang)
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
            level_part = 8 + (labels[ply] + 6 if labels[ply] else 0) + (18 if ply in room.bars else 0)
            gap = fans[ply] + self._box + (0 if self._down else level_part)
            self._start.append(self._end[-1] + gap if ply else MARGIN)
            self._middle.append(self._start[-1] + rises[ply])
            self._end.append(self._middle[-1] + (SHAPE_HEIGHT / 2 if self._down else rises[ply]))
        self._labels = labels
        self._turns = [MARGIN, *(end + fan for end, fan in zip(self._end, fans[1:], strict=False))]
        if self._down:
            self._straighten()
        self._feet = [turn + self._box for turn in self._turns]

    def _straighten(self) -> None:
        """Draw the branches to a ply straight to its shapes if they stay clear of the words next to these."""
        tree, room = self._tree, self._room
        widest = [0.0] * len(self._end)
        for node, ply in enumerate(tree.depths[1:], 1):
            widest[ply] = max(widest[ply], abs(self._along[node] - self._along[tree.parents[node]]))
        for ply in range(1, len(widest)):
            top = self._middle[ply] - SHAPE_HEIGHT / 2
            # At the top of the words, the flattest branch is this near to its node (similar triangles).
            is_clear = widest[ply] * (top - self._start[ply]) <= _CLEARANCE * (top - self._end[ply - 1])
            if is_clear and not self._box and ply not in room.labels and ply not in room.bars:
                self._turns[ply] = top

    def _label_gap(self, node: int) -> float:
        """Return the least distance of the children across at which no branch crosses a sibling's label."""
        gap = 0.0
        for one, other in pairwise(self._tree.children[node]):
            distance = self._along[other] - self._along[one]
            reach = max(abs(self._along[child] - self._along[node]) for child in (one, other))
            for child in (one, other):
                width, height = self._room.branch[child]
                if width:
                    gap = max(gap, height / 2 * (distance + reach) / (_LABEL_AT * distance - width / 2))
        return gap

    def _leaf_start(self, ply: int) -> float:
        """Return where across the branches to the leaves of a ply end, and their words start."""
        return self._feet[ply] if self._down else self._start[ply]

    def _branch_end(self, node: int) -> float:
        """Return where across the branch above a node ends."""
        ply = self._tree.depths[node]
        if not self._tree.children[node]:
            return self._leaf_start(ply)
        return self._middle[ply] - SHAPE_HEIGHT / 2 if self._down else self._middle[ply]

    def _fan(self, node: int) -> tuple[Point, Point]:
        """Return both ends of the slanted part of the branch above a node, along and across."""
        parent, ply = self._tree.parents[node], self._tree.depths[node]
        return (self._along[parent], self._end[ply - 1]), (self._along[node], self._turns[ply])

    def centre(self, node: int) -> Point:
        """Return the middle of a player's shape, or the end of the branch to a leaf."""
        ply = self._tree.depths[node]
        across = self._middle[ply] if self._tree.children[node] else self._leaf_start(ply)
        return self._turn(self._along[node], across)

    def edge(self, node: int) -> tuple[Point, ...]:
        """Return the branch above a node: away from its parent, slanted, and straight to the node."""
        start, end = self._fan(node)
        origin = start[1] if self._down else self._middle[self._tree.depths[node] - 1]
        corners = [(start[0], origin)]
        for corner in (start, end, (end[0], self._branch_end(node))):
            if corner != corners[-1]:
                corners.append(corner)
        return tuple(self._turn(*corner) for corner in corners)

    def box(self, node: int) -> Point:
        """Return the middle of the box on the branch above a node: at its end, where branches are apart."""
        end = self._branch_end(node) if self._down else self._start[self._tree.depths[node]]
        return self._turn(self._along[node], end - self._box / 2)

    def label(self, node: int) -> Point:
        """Return the middle of the label: on the slanted part of the branch, or above its level part."""
        if self._down:
            return self._on_fan(node, _LABEL_AT)
        end, ply = self._fan(node)[1][1], self._tree.depths[node]
        return end + 3 + self._labels[ply] / 2, self._along[node] - 1 - self._room.branch[node][1] / 2

    def bars(self, node: int) -> tuple[Point, Point]:
        """Return the middle of the bars across the branch above a node, and the branch's unit vector."""
        ply = self._tree.depths[node]
        if not self._down:
            return (self._start[ply] - 14, self._along[node]), (1.0, 0.0)
        start, end = self._fan(node)
        length = math.sqrt((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2)
        middle = self._on_fan(node, _BARS_AT if ply in self._room.labels else 0.66)
        return middle, ((end[0] - start[0]) / length, (end[1] - start[1]) / length)

    def sign(self, node: int) -> Point:
        """Return the middle of the mark for a cross."""
        (x, y), _ = self.bars(node)
        return (x + 10 + SIGN_SIZE / 2, y) if self._down else (x, y - 9 - SIGN_SIZE / 2)

    def _on_fan(self, node: int, share: float) -> Point:
        (left, top), (right, bottom) = self._fan(node)
        return left + share * (right - left), top + share * (bottom - top)

    def blocks(self, node: int, labels: Labels) -> tuple[PlacedBlock, ...]:
        """Return the placed blocks of words at a node."""
        (x, y), first, second, gap = self.centre(node), labels.first, labels.second, self._spacing.gap
        if not self._tree.children[node]:
            if self._down:
                return (PlacedBlock(first, x, y + 2, "middle"),)
            return (PlacedBlock(labels.row, x + 4, y - labels.row.height / 2, "start"),)
        if self._down:
            return (
                PlacedBlock(first, x - HALF_SHAPE_WIDTH - gap, _top_next_to_shape(first, y), "end"),
                PlacedBlock(second, x + HALF_SHAPE_WIDTH + gap, _top_next_to_shape(second, y), "start"),
            )
        return (
            PlacedBlock(first, x, y - SHAPE_HEIGHT / 2 - gap - first.height, "middle"),
            PlacedBlock(second, x, y + SHAPE_HEIGHT / 2 + gap, "middle"),
        )


def _top_next_to_shape(block: TextBlock, y: float) -> float:
    """Return the top of a block next to a shape: level with its middle, or a taller one with its bottom."""
    if block.height <= _MAX_LEVEL_HEIGHT:
        return y - block.height / 2
    return y + SHAPE_HEIGHT / 2 - block.height
