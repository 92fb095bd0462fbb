"""What is in a box: nothing, a cross, or something that a person has to look at."""

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
"""Dots a millimetre at which boxes are looked at."""

SURROUND_MM = 1.4
"""How much around a box is looked at, in millimetres."""

MAX_SHIFT_MM = 0.9
"""How far a box may be from its place on paper that is not flat, in millimetres."""

NEIGHBOUR_BOXES = 9
"""So many boxes say together how far the paper is shifted around one of them."""

FRAME_SHARE = 0.25
BOX_INSET_SHARE = 0.55
"""How much of a box, from its outer edge, may be its frame."""

THIN_INK, FAINT_INK, PLAIN_INK = 0.15, 0.13, 0.30
"""Shares of the way from white to black from which on something is ink: usually, at the least, plainly."""

MIN_INK_DARKNESS = 0.25
"""How dark ink of a pen is at the least: what an eraser or a spilt drink leaves is paler."""

PENCIL_DARKNESS, MAX_PENCIL_INK_SHARE = 0.6, 0.7
"""Ink that is no darker than this is of a pencil, whose crosses leave no more ink than this share."""

MAX_EMPTY_INK_SHARE = 0.02
"""The share of ink from which on a box is not empty."""

CROSS_INK_RANGE = (0.12, 0.78)
"""The least and the most share of ink that a cross has."""

WIDEST_LINE, SLIM_INK, WIDER_WITH_INK = 0.42, 0.25, 0.4
"""How far, in millimetres, a single line spreads across itself at the most: more with a pen that leaves more
ink than this share, by so much for the whole box."""


@dataclass(frozen=True, slots=True)
class BoxLook:
    """What is in a box.

    - `share`, `faint`, `plain`: how much of it is ink by each threshold.
    - `thirds`: how many of its nine parts have ink, none where the middle one has none, where the lines of a
      cross meet; `least`: the share of ink in the emptiest of these.
    - `minor`: how far ink spreads across its main direction, in millimetres; a line does not.
    - `dark`: how dark the ink is.
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
        """The rule, see SCANNING: what is not plainly empty or crossed is for a person."""
        some, most = CROSS_INK_RANGE
        if self.share < MAX_EMPTY_INK_SHARE and self.faint < 0.05:
            return "empty"
        if self.share > most or self.least > 0.50:
            return "filled"
        spread = WIDEST_LINE + WIDER_WITH_INK * max(self.share - SLIM_INK, 0)
        whole = self.share >= some and self.thirds >= 5 and self.minor > spread
        lasting = self.plain > 0.55 * self.share or MIN_INK_DARKNESS < self.dark < 0.45
        slim = self.dark > PENCIL_DARKNESS or self.share < MAX_PENCIL_INK_SHARE
        return "crossed" if whole and lasting and slim else "doubtful"


def look_at_boxes(grey: Grey, placing: PagePlacement, boxes: Sequence[PlacedBox]) -> tuple[BoxLook, ...]:
    """What is in boxes that are to be crossed."""
    if not boxes:
        return ()
    corners = np.array([(box.x, box.y) for box in boxes])
    side = BOX_MM + 2 * SURROUND_MM
    seen = cut_patches(grey, placing.matrix, corners - SURROUND_MM, side, DOTS_PER_MM)
    lost = np.asarray(np.isnan(seen).any(axis=(1, 2)))
    seen = np.nan_to_num(seen, nan=255)
    white = np.percentile(seen, 85, axis=(1, 2))
    depth = np.maximum(white - placing.black, 40)
    dark = np.clip((white[:, None, None] - seen) / depth[:, None, None], 0, 1.2)
    inside = _insides(dark, _shifts(dark, corners))
    return tuple(_NOWHERE if gone else look for gone, look in zip(lost, _looks(inside), strict=True))


_NOWHERE = BoxLook(0.5, 0.5, 0.5, 0, 0, 0, 0)
"""A box that is not on the picture, which a person will find."""


def _shifts(dark: Floats, corners: Floats) -> np.ndarray[Any, np.dtype[np.float64]]:
    """How far the frame of each box is from its place, in dots right and down: what its neighbours say."""
    reach = round(MAX_SHIFT_MM * DOTS_PER_MM)
    steps = np.arange(-reach, reach + 1)
    length, start = round(BOX_MM * DOTS_PER_MM), round(SURROUND_MM * DOTS_PER_MM)
    width = max(1, round(FRAME_SHARE * DOTS_PER_MM))
    sums = np.cumsum(np.pad(dark, ((0, 0), (0, 0), (1, 0))), axis=2)
    rows = (sums[:, :, start + steps + length] - sums[:, :, start + steps]) / length
    sums = np.cumsum(np.pad(dark, ((0, 0), (1, 0), (0, 0))), axis=1)
    columns = (sums[:, start + steps + length, :] - sums[:, start + steps, :]) / length

    def lines(along: Floats, first: int) -> Floats:
        """The mean darkness of a line of the frame, for every shift of it."""
        total = sum(along[:, first + steps + each] for each in range(width))
        return np.asarray(total / width)

    far = start + length - width
    # (box, shift down, shift right) on either axis
    across = lines(rows, start) + lines(rows, far)
    upright = lines(columns.transpose(0, 2, 1), start) + lines(columns.transpose(0, 2, 1), far)
    score = across + upright.transpose(0, 2, 1)
    score = score - 0.004 * (np.abs(steps)[None, :, None] + np.abs(steps)[None, None, :])
    best = score.reshape(len(dark), -1).argmax(axis=1)
    own = np.stack((steps[best % len(steps)], steps[best // len(steps)]), axis=1)
    away = ((corners[:, None] - corners[None]) ** 2).sum(axis=-1)
    nearest = np.argsort(away, axis=1, kind="stable")[:, :NEIGHBOUR_BOXES]
    return np.asarray(np.median(own[nearest], axis=1))


def _insides(dark: Floats, shifts: Floats) -> Floats:
    """The inside of every box, without its frame."""
    start = round((SURROUND_MM + BOX_INSET_SHARE) * DOTS_PER_MM)
    steps = np.arange(round((BOX_MM - 2 * BOX_INSET_SHARE) * DOTS_PER_MM))
    left, top = (start + np.rint(shifts).astype(int)).T
    boxes = np.arange(len(dark))[:, None, None]
    made: Floats = dark[boxes, (top[:, None] + steps)[:, :, None], (left[:, None] + steps)[:, None, :]]
    return made


def _looks(inside: Floats) -> Iterator[BoxLook]:
    """What is in each box."""
    ink = inside > THIN_INK
    cells = _thirds(ink)
    shares = (each.mean(axis=(1, 2)) for each in (ink, inside > FAINT_INK, inside > PLAIN_INK))
    inked = cells > 0.04
    thirds = np.where(inked[:, 4], inked.sum(axis=1), 0)
    told = (*shares, thirds, cells.min(axis=1), _minor_axes(ink), _darkness(inside, ink))
    return (BoxLook(*each) for each in zip(*(column.tolist() for column in told), strict=True))


def _thirds(ink: Bits) -> Floats:
    """The share of ink in the nine parts of every box."""
    side = ink.shape[1]
    ends = np.array([-(-side * part // 3) for part in range(4)])
    sums = np.add.reduceat(np.add.reduceat(ink.astype(float), ends[:3], axis=1), ends[:3], axis=2)
    sizes = np.diff(ends)
    return np.asarray((sums / np.outer(sizes, sizes)).reshape(len(ink), 9))


def _minor_axes(ink: Bits) -> Floats:
    """How far the ink of every box spreads across its main direction, in millimetres; 0 for little ink.

    That is the root of the smaller eigenvalue of the covariance of its dots.
    """
    steps = np.arange(ink.shape[1]) / DOTS_PER_MM
    count = ink.sum(axis=(1, 2))
    rows, columns = ink.sum(axis=2), ink.sum(axis=1)
    enough = np.maximum(count, 2)
    down, right = rows @ steps / enough, columns @ steps / enough
    tall = (rows @ steps**2 - count * down**2) / (enough - 1)
    wide = (columns @ steps**2 - count * right**2) / (enough - 1)
    both = ((ink @ steps) @ steps - count * down * right) / (enough - 1)
    least = (tall + wide) / 2 - np.hypot((tall - wide) / 2, both)
    return np.where(count > 8, np.sqrt(np.maximum(least, 0)), 0.0)


def _darkness(inside: Floats, ink: Bits) -> Floats:
    """How dark the ink of every box is: three quarters of it are no darker; 0 where there is none."""
    count = ink.sum(axis=(1, 2))
    ordered = np.sort(np.where(ink, inside, -1).reshape(len(ink), -1), axis=1)
    place = ordered.shape[1] - count + 0.75 * np.maximum(count - 1, 0)
    low = np.minimum(place.astype(int), ordered.shape[1] - 1)
    high = np.minimum(low + 1, ordered.shape[1] - 1)
    box = np.arange(len(ink))
    found = ordered[box, low] + (place - low) * (ordered[box, high] - ordered[box, low])
    return np.where(count > 0, found, 0.0)
