"""Cut boxes and their surroundings out of a page, each aligned to its printed frame."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.scanning.page_location import Floats, PagePlacement, cut_patches
from grader.scanning.places import BOX_MM, PlacedBox
from grader.scanning.rasters import Bits, Grey

DOTS_PER_MM = 8
"""The resolution at which boxes are sampled."""

AROUND_MM = 1.5
"""The margin around a box that is measured with it, in millimetres."""

MAX_SHIFT_MM = 0.9
"""The greatest shift of a box on paper that does not lie flat, in millimetres."""

FRAME_TOLERANCE_MM = 0.25
"""How far the frame of a box may be from the place at which the box is cut out, in millimetres."""

NEIGHBOUR_BOXES = 9
"""The shift at a box is the median over this many boxes nearest to it, itself included."""

FRAME_LINE_MM = 0.25
"""The width of the line of a frame, in millimetres."""


Ints = np.ndarray[Any, np.dtype[np.int_]]


@dataclass(frozen=True, slots=True)
class BoxPatches:
    """Boxes cut out of a page.

    - `dark`: their darkness with a margin of `AROUND_MM`, by box, row and column; white is 0 and black 1.
    - `frames`: the darkness of the palest line of the printed frame of each box.
    - `outside`: whether a box lies partly outside of the scan.
    """

    dark: Floats
    frames: Floats
    outside: Bits


def cut_boxes(grey: Grey, placement: PagePlacement, boxes: Sequence[PlacedBox]) -> BoxPatches:
    """Cut boxes out of a page; there has to be at least one."""
    margin = AROUND_MM + MAX_SHIFT_MM
    corners = np.array([(box.x, box.y) for box in boxes])
    patches = cut_patches(grey, placement.matrix, corners - margin, BOX_MM + 2 * margin, DOTS_PER_MM)
    outside = np.isnan(patches).any(axis=(1, 2))
    patches = np.nan_to_num(patches, nan=255)
    white = np.percentile(patches, 85, axis=(1, 2))
    depth = np.maximum(white - placement.black, 40)
    dark = np.clip((white[:, None, None] - patches) / depth[:, None, None], 0, 1.2)
    shifts, frames = _shifts_and_frames(dark, corners)
    return BoxPatches(_aligned(dark, shifts), frames, np.asarray(outside))


def _shifts_and_frames(dark: Floats, corners: Floats) -> tuple[Floats, Floats]:
    """Measure how far each frame is from its place, in dots right and down, and how dark it is there.

    A cross can hide a frame, so each box takes the median shift of its neighbours.
    """
    steps, lines = _frame_lines(dark)
    score = sum(lines)  # by box, shift down, shift right
    # Of equally dark places the nearest wins.
    score = score - 0.004 * (np.abs(steps)[None, :, None] + np.abs(steps)[None, None, :])
    best = score.reshape(len(dark), -1).argmax(axis=1)
    own_shifts = np.stack((steps[best % len(steps)], steps[best // len(steps)]), axis=1)
    distances = ((corners[:, None] - corners[None]) ** 2).sum(axis=-1)
    nearest = np.argsort(distances, axis=1, kind="stable")[:, :NEIGHBOUR_BOXES]
    shifts = np.asarray(np.median(own_shifts[nearest], axis=1))
    near_right, near_down = (
        np.abs(steps[None, :] - shift[:, None]) <= FRAME_TOLERANCE_MM * DOTS_PER_MM for shift in shifts.T
    )
    is_near = near_down[:, :, None] & near_right[:, None, :]
    return shifts, np.where(is_near, np.minimum.reduce(lines), 0).max(axis=(1, 2))


def _frame_lines(dark: Floats) -> tuple[Ints, list[Floats]]:
    """Return all shifts in one direction, and the mean darkness of the four lines of a frame for each pair.

    Lines are given by box, shift down and shift right.
    """
    reach = round(MAX_SHIFT_MM * DOTS_PER_MM)
    steps = np.arange(-reach, reach + 1)
    length, start = round(BOX_MM * DOTS_PER_MM), round((AROUND_MM + MAX_SHIFT_MM) * DOTS_PER_MM)
    width = max(1, round(FRAME_LINE_MM * DOTS_PER_MM))
    # The mean darkness of every line as long as a box, by differences of running sums.
    sums = np.cumsum(np.pad(dark, ((0, 0), (0, 0), (1, 0))), axis=2)
    rows = (sums[:, :, start + steps + length] - sums[:, :, start + steps]) / length
    sums = np.cumsum(np.pad(dark, ((0, 0), (1, 0), (0, 0))), axis=1)
    columns = (sums[:, start + steps + length, :] - sums[:, start + steps, :]) / length

    def line_darkness(profile: Floats, first: int) -> Floats:
        """Return the mean darkness of one line of the frame for every shift."""
        total = sum(profile[:, first + steps + each] for each in range(width))
        return np.asarray(total / width)

    firsts = (start, start + length - width)
    columns = columns.transpose(0, 2, 1)
    horizontal = [line_darkness(rows, first) for first in firsts]
    vertical = [line_darkness(columns, first).transpose(0, 2, 1) for first in firsts]
    return steps, [*horizontal, *vertical]


def _aligned(dark: Floats, shifts: Floats) -> Floats:
    """Cut every box out where its frame is."""
    steps = np.arange(round((BOX_MM + 2 * AROUND_MM) * DOTS_PER_MM))
    left, top = (round(MAX_SHIFT_MM * DOTS_PER_MM) + np.rint(shifts).astype(int)).T
    boxes = np.arange(len(dark))[:, None, None]
    aligned: Floats = dark[boxes, (top[:, None] + steps)[:, :, None], (left[:, None] + steps)[:, None, :]]
    return aligned
