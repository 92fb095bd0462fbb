"""Classify the ink in boxes: empty, crossed, or for a person to decide."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal, TypeAlias

import numpy as np

from grader.scanning.box_measures import (
    SLOPED_HALF_HEIGHTS_MM,
    are_circled,
    are_flanked,
    cell_shares,
    count_exits,
    densities,
    half_shares,
    have_four_arms,
    ink_darkness,
    insides,
    minor_axes,
    unprinted,
)
from grader.scanning.box_patches import cut_boxes
from grader.scanning.page_location import PagePlacement
from grader.scanning.places import PlacedBox
from grader.scanning.rasters import Grey

BoxState: TypeAlias = Literal["empty", "crossed", "filled", "doubtful"]

MIN_FRAME_DARKNESS = 0.25
"""The least darkness of the palest line of a printed frame, where white is 0 and black is 1."""

FRAME_NEIGHBOURS = 4
"""The nearest boxes that are asked whether a missing frame is missing there alone."""

THIN_INK, FAINT_INK, PLAIN_INK = 0.15, 0.13, 0.30
"""Darkness thresholds for ink, where white is 0 and black is 1: the usual, the lowest, the surest."""

MIN_PEN_DARKNESS = 0.25
"""The least darkness of ink from a pen; what an eraser or a spilt drink leaves is paler."""

MIN_PALE_CROSSES = 2
"""The fewest crosses paler than ink from a pen by which the back of a page seems to shine through."""

MAX_PALE_DENSITIES = ((0.36, 0.92), (0.45, 0.98))
"""Darkness and density: paler ink that is denser is a highlighter or a stain, not lines."""

PENCIL_DARKNESS, MAX_PENCIL_INK_SHARE = 0.6, 0.7
"""Ink no darker than this is pencil, and a pencil cross covers less than this share of the box."""

BROAD_PEN_DENSITY = 0.95
"""Ink of a pen that is denser than this may be a single broad line, so a cross needs its four arms."""

MAX_EXITS = 4
"""The most places where a cross by a broad pen leaves its box; one that is scribbled out has more."""

MAX_EMPTY_INK_SHARE = 0.02
"""An empty box has a smaller share of ink than this."""

MIN_HALF_SHARE = 0.12
"""A cross has at least this share of its ink in each half of the box; a blob in a corner has less."""

CROSS_INK_RANGE = (0.12, 0.78)
"""The least and the greatest share of ink in a crossed box; a broad dark pen may cover more."""

MAX_EXTRA_INK_SHARE = 0.15
"""The most by which the share of ink of a full box with a cross may exceed the median of the other crosses of
its page: who has a broad pen draws all of them with it."""

WIDEST_LINE, SLIM_INK, WIDER_WITH_INK = 0.42, 0.25, 0.4
"""The greatest spread of a single line across its direction, in millimetres; for a share of ink above
`SLIM_INK` it grows by `WIDER_WITH_INK` times the excess, since a broad pen draws broad lines."""


@dataclass(frozen=True, slots=True)
class BoxLook:
    """The measurements of a box.

    - `frame`: the darkness of the palest line of its printed frame, where it should be.
    - `share`, `faint`, `plain`: the share of ink in it by each threshold.
    - `thirds`: how many cells of a 3x3 grid have ink; 0 if the middle cell, where the lines of a cross meet,
      has none. `least`: the share of ink in the emptiest cell.
    - `half`: the share of its ink in the emptiest of its halves: above, below, left or right.
    - `minor`: the spread of the ink across its main direction, in millimetres; small for a single line.
    - `dark`: the darkness of the ink. `density`: the share of ink where it is densest.
    - `has_arms`: whether the ink has four arms. `is_flanked`: whether a line seems to strike the box out.
      `is_circled`: whether there is ink nearly all around it. `exits`: the places where ink leaves it.
    - `is_among_pale`: whether crosses that are too pale for a pen are on its page.
    - `extra`: how much more ink it has than most other crosses of its page; all of its ink if it is alone.
    """

    frame: float
    share: float
    faint: float
    plain: float
    thirds: int
    least: float
    minor: float
    dark: float
    density: float = 0.0
    has_arms: bool = False
    is_flanked: bool = False
    is_circled: bool = False
    exits: int = 0
    half: float = 0.5
    is_among_pale: bool = False
    extra: float = 0.0

    @property
    def state(self) -> BoxState:
        """The state of the box by these rules, see docs/scanning.md; the first that applies counts.

        1. No frame where it should be: doubtful, since this is not the box.
        2. Almost no ink: empty; doubtful with a circle around it.
        3. Ink almost everywhere, or in all nine cells, without the four arms of a cross by a broad dark pen:
           filled, which takes a cross back.
        4. Enough ink in two directions through the middle, or in four arms if the pen is broad; dark enough
           for a pen, and in lines; and no line that strikes it out or circles it: crossed. Among pale crosses
           most of the ink must be dark, since a stray line over a cross of the back looks like faint pencil.
           Where it fills the box, the other crosses of the page must be as broad, else it is scribbled out.
        5. Anything else: doubtful, for a person to decide.
        """
        max_share = CROSS_INK_RANGE[1]
        if self.frame < MIN_FRAME_DARKNESS:
            return "doubtful"
        if self.share < MAX_EMPTY_INK_SHARE and self.faint < 0.05:
            return "doubtful" if self.is_circled else "empty"
        is_pen = self.dark > PENCIL_DARKNESS
        is_full = self.share > max_share or self.least > 0.50
        if is_full and not (is_pen and self.has_arms):
            return "filled"
        if is_full or (is_pen and self.density >= BROAD_PEN_DENSITY):
            is_alike = not is_full or self.extra <= MAX_EXTRA_INK_SHARE
            is_cross_shaped = self.has_arms and self.exits <= MAX_EXITS and is_alike
        else:
            is_cross_shaped = self._has_two_lines
        is_faint = MIN_PEN_DARKNESS < self.dark < 0.45 and not self.is_among_pale
        is_dark_enough = self.plain > 0.55 * self.share or is_faint
        is_thin_enough = is_pen or self.share < MAX_PENCIL_INK_SHARE
        is_stain = any(self.dark < dark and self.density >= dense for dark, dense in MAX_PALE_DENSITIES)
        is_cross = is_cross_shaped and is_dark_enough and is_thin_enough and not is_stain
        has_other_lines = self.is_flanked or (self.is_circled and not self.has_arms)
        return "crossed" if is_cross and not has_other_lines else "doubtful"

    @property
    def _has_two_lines(self) -> bool:
        """Whether its ink goes through the middle in two directions."""
        spread = WIDEST_LINE + WIDER_WITH_INK * max(self.share - SLIM_INK, 0)
        is_spread = self.thirds >= 5 and self.half >= MIN_HALF_SHARE and self.minor > spread
        return self.share >= CROSS_INK_RANGE[0] and is_spread

    @property
    def is_pale_cross(self) -> bool:
        """Whether it has a cross that is too pale for a pen, as one on the back of thin paper."""
        return self.dark <= MIN_PEN_DARKNESS and self._has_two_lines


_OUTSIDE_SCAN = BoxLook(0, 0.5, 0.5, 0.5, 0, 0, 0, 0)
"""A box that lies outside of the scan; it is doubtful, so a person decides."""


def look_at_boxes(grey: Grey, placement: PagePlacement, boxes: Sequence[PlacedBox]) -> tuple[BoxLook, ...]:
    """Measure boxes that are to be crossed."""
    if not boxes:
        return ()
    patches = cut_boxes(grey, placement, boxes)
    inside, around = insides(patches.dark), unprinted(patches.dark, boxes)
    ink = inside > THIN_INK
    shares = [each.mean(axis=(1, 2)) for each in (ink, inside > FAINT_INK, inside > PLAIN_INK)]
    cells = cell_shares(ink)
    inked = cells > 0.04
    dark = ink_darkness(inside, ink)
    has_arms, density = have_four_arms(patches.dark, dark), densities(ink)
    # The broad arms of a cross by a felt pen may reach beyond the box like the ends of other lines.
    is_thin = density < BROAD_PEN_DENSITY
    is_struck = are_flanked(around, around) | (is_thin & are_flanked(around, around, SLOPED_HALF_HEIGHTS_MM))
    # A printed line may hide the end of one that strikes a box out.
    is_half_hidden = are_flanked(around, patches.dark) | are_flanked(patches.dark, around)
    columns = (
        patches.frames,
        *shares,
        np.where(inked[:, 4], inked.sum(axis=1), 0),
        cells.min(axis=1),
        minor_axes(ink),
        dark,
        density,
        has_arms,
        # Where both ends are hidden, the mark has more than four arms.
        is_struck | (is_thin & is_half_hidden) | (are_flanked(patches.dark, patches.dark) & ~has_arms),
        are_circled(around, boxes, shares[0] < MAX_EMPTY_INK_SHARE),
        count_exits(around),
        half_shares(ink),
    )
    looks = [BoxLook(*each) for each in zip(*(column.tolist() for column in columns), strict=True)]
    if sum(look.is_pale_cross for look in looks) >= MIN_PALE_CROSSES:
        looks = [replace(look, is_among_pale=True) for look in looks]
    looks = _compared(looks)
    outside = patches.outside.tolist()
    return tuple(
        _OUTSIDE_SCAN if is_outside else look for is_outside, look in zip(outside, looks, strict=True)
    )


def _compared(looks: Sequence[BoxLook]) -> list[BoxLook]:
    """Compare the ink of each cross with that of the other crosses of the page."""
    crosses = {place: look.share for place, look in enumerate(looks) if look.state == "crossed"}
    extra = {
        place: share - median([other for each, other in crosses.items() if each != place] or [0.0])
        for place, share in crosses.items()
    }
    return [replace(look, extra=extra.get(place, 0.0)) for place, look in enumerate(looks)]


def frame_share(looks: Sequence[BoxLook], boxes: Sequence[PlacedBox]) -> float:
    """Return the share of boxes whose frames are where they should be; 1 without boxes.

    A frame that is missing alone, among others in their places, is only hidden, as by a strip of tape.
    """
    if not boxes:
        return 1.0
    corners = np.array([(box.x, box.y) for box in boxes])
    is_missing = np.array([look.frame < MIN_FRAME_DARKNESS for look in looks])
    nearest = np.argsort(((corners[:, None] - corners) ** 2).sum(axis=2), axis=1, kind="stable")
    neighbours = nearest[:, 1 : 1 + FRAME_NEIGHBOURS] if len(boxes) > 1 else nearest
    is_missing_around = is_missing[neighbours].mean(axis=1) >= 0.5
    return float(1 - (is_missing & is_missing_around).mean())
