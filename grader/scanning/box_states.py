"""Classify the ink in boxes: empty, crossed, or for a person to decide."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from grader.scanning.page_location import Floats, PagePlacement, cut_patches
from grader.scanning.places import BOX_MM, PlacedBox
from grader.scanning.rasters import Grey

Bits = np.ndarray[Any, np.dtype[np.bool_]]
"""Whether each dot is ink."""

BoxState: TypeAlias = Literal["empty", "crossed", "filled", "doubtful"]

DOTS_PER_MM = 8
"""The resolution at which boxes are sampled."""

SURROUND_MM = 1.4
"""The margin around a box that is sampled with it, in millimetres."""

MAX_SHIFT_MM = 0.9
"""The greatest shift of a box on paper that does not lie flat, in millimetres."""

NEIGHBOUR_BOXES = 9
"""The shift at a box is the median over this many boxes nearest to it, itself included."""

FRAME_SHARE = 0.25
BOX_INSET_SHARE = 0.55
"""The width of the line of a frame, and how far the frame may reach into its box, in millimetres."""

THIN_INK, FAINT_INK, PLAIN_INK = 0.15, 0.13, 0.30
"""Darkness thresholds for ink, where white is 0 and black is 1: the usual, the lowest, the surest."""

MIN_INK_DARKNESS = 0.25
"""The least darkness of ink from a pen; what an eraser or a spilt drink leaves is paler."""

PENCIL_DARKNESS, MAX_PENCIL_INK_SHARE = 0.6, 0.7
"""Ink no darker than this is pencil, and a pencil cross covers less than this share of the box."""

MAX_EMPTY_INK_SHARE = 0.02
"""An empty box has a smaller share of ink than this."""

CROSS_INK_RANGE = (0.12, 0.78)
"""The least and the greatest share of ink in a crossed box."""

WIDEST_LINE, SLIM_INK, WIDER_WITH_INK = 0.42, 0.25, 0.4
"""The greatest spread of a single line across its direction, in millimetres; for a share of ink above
`SLIM_INK` it grows by `WIDER_WITH_INK` times the excess, since a broad pen draws broad lines."""


@dataclass(frozen=True, slots=True)
class BoxLook:
    """The measurements of the inside of a box.

    - `share`, `faint`, `plain`: the share of ink by each threshold.
    - `thirds`: how many cells of a 3x3 grid have ink; 0 if the middle cell, where the lines of a cross meet,
      has none. `least`: the share of ink in the emptiest cell.
    - `minor`: the spread of the ink across its main direction, in millimetres; small for a single line.
    - `dark`: the darkness of the ink.
    """

    share: float
    faint: float
    plain: float
    thirds: int
    least: float
    minor: float
    dark: float

    @property
    def state(self) -> BoxState:
        """The state of the box by these rules, see docs/scanning.md; the first that applies counts.

        1. Almost no ink: empty.
        2. Ink almost everywhere, or in all nine cells: filled, which takes a cross back.
        3. Enough ink in two directions through the middle, dark enough for a pen, and in lines: crossed.
        4. Anything else: doubtful, for a person to decide.
        """
        min_share, max_share = CROSS_INK_RANGE
        if self.share < MAX_EMPTY_INK_SHARE and self.faint < 0.05:
            return "empty"
        if self.share > max_share or self.least > 0.50:
            return "filled"
        spread = WIDEST_LINE + WIDER_WITH_INK * max(self.share - SLIM_INK, 0)
        is_cross_shaped = self.share >= min_share and self.thirds >= 5 and self.minor > spread
        is_dark_enough = self.plain > 0.55 * self.share or MIN_INK_DARKNESS < self.dark < 0.45
        is_thin_enough = self.dark > PENCIL_DARKNESS or self.share < MAX_PENCIL_INK_SHARE
        return "crossed" if is_cross_shaped and is_dark_enough and is_thin_enough else "doubtful"


def look_at_boxes(grey: Grey, placement: PagePlacement, boxes: Sequence[PlacedBox]) -> tuple[BoxLook, ...]:
    """Measure boxes that are to be crossed."""
    if not boxes:
        return ()
    corners = np.array([(box.x, box.y) for box in boxes])
    side = BOX_MM + 2 * SURROUND_MM
    patches = cut_patches(grey, placement.matrix, corners - SURROUND_MM, side, DOTS_PER_MM)
    outside = np.asarray(np.isnan(patches).any(axis=(1, 2)))
    patches = np.nan_to_num(patches, nan=255)
    white = np.percentile(patches, 85, axis=(1, 2))
    depth = np.maximum(white - placement.black, 40)
    dark = np.clip((white[:, None, None] - patches) / depth[:, None, None], 0, 1.2)
    inside = _insides(dark, _shifts(dark, corners))
    looks = zip(outside, _looks(inside), strict=True)
    return tuple(_OUTSIDE_SCAN if is_outside else look for is_outside, look in looks)


_OUTSIDE_SCAN = BoxLook(0.5, 0.5, 0.5, 0, 0, 0, 0)
"""A box that lies outside of the scan; it is doubtful, so a person decides."""


def _shifts(dark: Floats, corners: Floats) -> Floats:
    """Measure how far each frame is from its place, in dots right and down.

    A cross can hide a frame, so each box takes the median of its neighbours.
    """
    reach = round(MAX_SHIFT_MM * DOTS_PER_MM)
    steps = np.arange(-reach, reach + 1)
    length, start = round(BOX_MM * DOTS_PER_MM), round(SURROUND_MM * DOTS_PER_MM)
    width = max(1, round(FRAME_SHARE * DOTS_PER_MM))
    # The mean darkness of every line as long as a box, by differences of running sums.
    sums = np.cumsum(np.pad(dark, ((0, 0), (0, 0), (1, 0))), axis=2)
    rows = (sums[:, :, start + steps + length] - sums[:, :, start + steps]) / length
    sums = np.cumsum(np.pad(dark, ((0, 0), (1, 0), (0, 0))), axis=1)
    columns = (sums[:, start + steps + length, :] - sums[:, start + steps, :]) / length

    def line_darkness(profile: Floats, first: int) -> Floats:
        """Return the mean darkness of one line of the frame for every shift."""
        total = sum(profile[:, first + steps + each] for each in range(width))
        return np.asarray(total / width)

    far_line = start + length - width
    columns = columns.transpose(0, 2, 1)
    horizontal = line_darkness(rows, start) + line_darkness(rows, far_line)
    vertical = line_darkness(columns, start) + line_darkness(columns, far_line)
    score = horizontal + vertical.transpose(0, 2, 1)  # by box, shift down, shift right
    # Of equally dark places the nearest wins.
    score = score - 0.004 * (np.abs(steps)[None, :, None] + np.abs(steps)[None, None, :])
    best = score.reshape(len(dark), -1).argmax(axis=1)
    own_shifts = np.stack((steps[best % len(steps)], steps[best // len(steps)]), axis=1)
    distances = ((corners[:, None] - corners[None]) ** 2).sum(axis=-1)
    nearest = np.argsort(distances, axis=1, kind="stable")[:, :NEIGHBOUR_BOXES]
    return np.asarray(np.median(own_shifts[nearest], axis=1))


def _insides(dark: Floats, shifts: Floats) -> Floats:
    """Cut out the inside of every box, without its frame."""
    start = round((SURROUND_MM + BOX_INSET_SHARE) * DOTS_PER_MM)
    steps = np.arange(round((BOX_MM - 2 * BOX_INSET_SHARE) * DOTS_PER_MM))
    left, top = (start + np.rint(shifts).astype(int)).T
    boxes = np.arange(len(dark))[:, None, None]
    interiors: Floats = dark[boxes, (top[:, None] + steps)[:, :, None], (left[:, None] + steps)[:, None, :]]
    return interiors


def _looks(inside: Floats) -> Iterator[BoxLook]:
    """Measure the inside of every box."""
    ink = inside > THIN_INK
    cells = _thirds(ink)
    shares = (each.mean(axis=(1, 2)) for each in (ink, inside > FAINT_INK, inside > PLAIN_INK))
    inked = cells > 0.04
    thirds = np.where(inked[:, 4], inked.sum(axis=1), 0)
    columns = (*shares, thirds, cells.min(axis=1), _minor_axes(ink), _darkness(inside, ink))
    return (BoxLook(*each) for each in zip(*(column.tolist() for column in columns), strict=True))


def _thirds(ink: Bits) -> Floats:
    """Return the share of ink in the nine cells of every box."""
    side = ink.shape[1]
    ends = np.array([-(-side * part // 3) for part in range(4)])
    sums = np.add.reduceat(np.add.reduceat(ink.astype(float), ends[:3], axis=1), ends[:3], axis=2)
    sizes = np.diff(ends)
    return np.asarray((sums / np.outer(sizes, sizes)).reshape(len(ink), 9))


def _minor_axes(ink: Bits) -> Floats:
    """Return the spread of the ink across its main direction, in millimetres; 0 for very little ink.

    It is the square root of the smaller eigenvalue of the covariance of the dots of ink.
    """
    steps = np.arange(ink.shape[1]) / DOTS_PER_MM
    count = ink.sum(axis=(1, 2))
    rows, columns = ink.sum(axis=2), ink.sum(axis=1)
    divisor = np.maximum(count, 2)
    down, right = rows @ steps / divisor, columns @ steps / divisor
    row_variance = (rows @ steps**2 - count * down**2) / (divisor - 1)
    column_variance = (columns @ steps**2 - count * right**2) / (divisor - 1)
    covariance = ((ink @ steps) @ steps - count * down * right) / (divisor - 1)
    radius = np.hypot((row_variance - column_variance) / 2, covariance)
    smaller_eigenvalue = np.maximum((row_variance + column_variance) / 2 - radius, 0)
    return np.where(count > 8, np.sqrt(smaller_eigenvalue), 0.0)


def _darkness(inside: Floats, ink: Bits) -> Floats:
    """Return the upper quartile of the darkness of the ink in every box; 0 without ink."""
    count = ink.sum(axis=(1, 2))
    ordered = np.sort(np.where(ink, inside, -1).reshape(len(ink), -1), axis=1)
    position = ordered.shape[1] - count + 0.75 * np.maximum(count - 1, 0)
    below = np.minimum(position.astype(int), ordered.shape[1] - 1)
    above = np.minimum(below + 1, ordered.shape[1] - 1)
    box = np.arange(len(ink))
    percentile = ordered[box, below] + (position - below) * (ordered[box, above] - ordered[box, below])
    return np.where(count > 0, percentile, 0.0)
