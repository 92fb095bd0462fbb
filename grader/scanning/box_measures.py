"""Measure the ink in boxes and around them, all boxes of a page at once."""

from collections.abc import Sequence

import numpy as np

from grader.scanning.box_patches import AROUND_MM, DOTS_PER_MM, Ints
from grader.scanning.page_location import Floats
from grader.scanning.places import BOX_MM, PlacedBox
from grader.scanning.rasters import Bits

BOX_INSET_MM = 0.55
"""How far the frame may reach into its box, in millimetres."""

DENSITY_MM = 1.6
"""The side of the square in which the density of ink is measured, in millimetres: thin lines leave it partly
white."""

RAYS = 48
"""The rays from the middle of a mark by which its arms are counted."""

RAY_MM = 3.0
"""The length of these rays, in millimetres."""

MAX_MARK_OFFSET_MM = 0.6
"""The greatest distance of the middle of a mark from the middle of its box, in millimetres."""

MIN_FOUR_ARMS, MAX_OTHER_ARMS = 0.12, 1.4
"""The least share of the fourth harmonic in the lengths of ink along the rays, in units of their mean; and
the most of the other harmonics, in units of the fourth. A filled square has 0.05, a cross of a pen as broad
as a third of the box 0.15."""

MAX_WAIST_MM = 1.9
"""The shortest rays of a mark with arms are no longer than this, in millimetres."""

FLANK_MM = (0.5, 0.9)
"""The distance from a box at which a line that strikes it out is looked for on both sides, in millimetres."""

FLANK_HALF_HEIGHTS_MM, SLOPED_HALF_HEIGHTS_MM = (1.0, 1.0), (0.5, 1.4)
"""How far above or below the middle of a box such a line passes on its two sides, in millimetres; and a line
that slopes, whose ends differ more."""

MIN_FLANK_DARKNESS, MIN_CIRCLE_DARKNESS = 0.10, 0.15
"""The least darkness of a line next to a box, and of one around it, where white is 0 and black is 1."""

SECTORS = 16
"""The sectors around a box in which the line of a circle is looked for."""

SECTOR_START_MM, CROWDED_REACH_MM = 0.3, 0.9
"""The distance from a box at which its surroundings begin, and end where other boxes are near."""

CROWDED_PITCH_MM = 6.4
"""The distance from one box to another below which they are near, in millimetres."""

MIN_SECTOR_DOTS = 2
"""The dots of ink by which a sector has a line."""

MIN_CIRCLE_SECTORS, MIN_NEXT_CIRCLE_SECTORS = 10, 8
"""The least number of sectors with a line around a circled box; and around any other of the same page, since
who circles one box may have circled others."""

EXIT_RANGE_MM = (0.25, 0.6)
"""The distance from a box at which the places are counted where ink leaves it, in millimetres."""

EXIT_SECTORS, MIN_EXIT_DARKNESS = 48, 0.3
"""The sectors in which these places are looked for, and the least darkness of ink there."""

MIN_GROUP_BOXES = 5
"""The fewest boxes of a group whose common surroundings count as printed."""


def insides(dark: Floats) -> Floats:
    """Cut out the inside of every box, without its frame."""
    start = round((AROUND_MM + BOX_INSET_MM) * DOTS_PER_MM)
    end = start + round((BOX_MM - 2 * BOX_INSET_MM) * DOTS_PER_MM)
    return dark[:, start:end, start:end]


def cell_shares(ink: Bits) -> Floats:
    """Return the share of ink in the nine cells of every box."""
    side = ink.shape[1]
    ends = np.array([-(-side * part // 3) for part in range(4)])
    sums = np.add.reduceat(np.add.reduceat(ink.astype(float), ends[:3], axis=1), ends[:3], axis=2)
    sizes = np.diff(ends)
    return np.asarray((sums / np.outer(sizes, sizes)).reshape(len(ink), 9))


def half_shares(ink: Bits) -> Floats:
    """Return the share of the ink of every box that is in the emptiest of its four halves; 0 without ink."""
    half = ink.shape[1] // 2
    count = np.maximum(ink.sum(axis=(1, 2)), 1)
    halves = (ink[:, :half], ink[:, -half:], ink[:, :, :half], ink[:, :, -half:])
    return np.asarray(np.minimum.reduce([part.sum(axis=(1, 2)) for part in halves]) / count)


def minor_axes(ink: Bits) -> Floats:
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


def ink_darkness(inside: Floats, ink: Bits) -> Floats:
    """Return the upper quartile of the darkness of the ink in every box; 0 without ink."""
    count = ink.sum(axis=(1, 2))
    ordered = np.sort(np.where(ink, inside, -1).reshape(len(ink), -1), axis=1)
    position = ordered.shape[1] - count + 0.75 * np.maximum(count - 1, 0)
    below = np.minimum(position.astype(int), ordered.shape[1] - 1)
    above = np.minimum(below + 1, ordered.shape[1] - 1)
    box = np.arange(len(ink))
    percentile = ordered[box, below] + (position - below) * (ordered[box, above] - ordered[box, below])
    return np.where(count > 0, percentile, 0.0)


def densities(ink: Bits) -> Floats:
    """Return the greatest share of ink in any square with the side `DENSITY_MM` in every box."""
    side = round(DENSITY_MM * DOTS_PER_MM)
    return np.asarray(_square_sums(ink.astype(float), side).max(axis=(1, 2)) / side**2)


def _square_sums(values: Floats, side: int) -> Floats:
    """Return the sums over all squares with this side, by their top left corner."""
    sums = np.cumsum(np.cumsum(np.pad(values, ((0, 0), (1, 0), (1, 0))), axis=1), axis=2)
    return sums[:, side:, side:] - sums[:, :-side, side:] - sums[:, side:, :-side] + sums[:, :-side, :-side]


def have_four_arms(dark: Floats, ink_dark: Floats) -> Bits:
    """Check which marks have four arms, as a cross has, however broad its pen.

    Seen from the middle of a cross, the length of the ink rises and falls four times in a full turn; that of
    a filled box hardly changes.
    """
    core = dark > 0.5 * np.maximum(ink_dark, 0.3)[:, None, None]
    column, row = _mark_middles(core)
    angles = np.arange(RAYS) * (2 * np.pi / RAYS)
    radii = np.arange(round(RAY_MM * DOTS_PER_MM) + 1)
    last = core.shape[1] - 1
    x, y = (
        np.clip(np.rint(start[:, None, None] + radii * direction[:, None]).astype(int), 0, last)
        for start, direction in ((column, np.cos(angles)), (row, np.sin(angles)))
    )
    white = ~core[np.arange(len(core))[:, None, None], y, x]
    lengths = np.where(white.any(axis=2), white.argmax(axis=2), len(radii) - 1)
    harmonics = np.abs(np.fft.rfft(lengths, axis=1))
    total = np.maximum(harmonics[:, 0], 1)
    four, others = harmonics[:, 4] / total, np.hypot.reduce(harmonics[:, [1, 2, 3, 5, 6]], axis=1) / total
    waist = np.sort(lengths, axis=1)[:, RAYS // 8] / DOTS_PER_MM
    return np.asarray((four >= MIN_FOUR_ARMS) & (others < MAX_OTHER_ARMS * four) & (waist <= MAX_WAIST_MM))


def _mark_middles(core: Bits) -> tuple[Floats, Floats]:
    """Return the column and the row of the middle of every mark: where most ink is, near the middle."""
    side, reach = round(DENSITY_MM * DOTS_PER_MM), round(MAX_MARK_OFFSET_MM * DOTS_PER_MM)
    middle = (core.shape[1] - 1) / 2
    first = round(middle - (side - 1) / 2) - reach
    sums = _square_sums(core.astype(float), side)[
        :, first : first + 2 * reach + 1, first : first + 2 * reach + 1
    ]
    offsets = np.arange(-reach, reach + 1)
    sums = sums - 0.02 * (offsets[:, None] ** 2 + offsets**2)  # of equal places the nearest to the middle
    best = sums.reshape(len(core), -1).argmax(axis=1)
    return middle + offsets[best % len(offsets)], middle + offsets[best // len(offsets)]


def unprinted(dark: Floats, boxes: Sequence[PlacedBox]) -> Floats:
    """Subtract the printed surroundings of a group, such as lines of the tree, from each of its boxes.

    Ink at the same place of three boxes in four is printed; half of them may be circled by one person.
    """
    groups = np.array([box.name.rpartition(".")[0] for box in boxes])
    result = dark.copy()
    for group in np.unique(groups):
        members = groups == group
        if members.sum() >= MIN_GROUP_BOXES:
            printed = int(members.sum()) // 4
            result[members] -= np.partition(dark[members], printed, axis=0)[printed]
    return np.maximum(result, 0)


def are_flanked(
    at_left: Floats, at_right: Floats, half_heights_mm: tuple[float, float] = FLANK_HALF_HEIGHTS_MM
) -> Bits:
    """Check which boxes have ink on both sides near the height of their middle, as when they are struck out.

    The ink on the left comes from one array of boxes, that on the right from the other. The two half heights
    are those of one side and the other, either way round.
    """
    middle = at_left.shape[1] // 2
    end, start = (round((AROUND_MM - distance) * DOTS_PER_MM) for distance in FLANK_MM)
    sides = (at_left[:, :, start:end], at_right[:, :, ::-1][:, :, start:end])

    def has_line(side: Floats, half_height: float) -> Bits:
        """Check whether a line of three dots crosses every column of a side near the middle."""
        half = round(half_height * DOTS_PER_MM)
        band = side[:, middle - half : middle + half]
        lines = (band[:, :-2] + band[:, 1:-1] + band[:, 2:]) / 3
        return np.asarray((lines.max(axis=1) > MIN_FLANK_DARKNESS).all(axis=1))

    first, second = half_heights_mm
    left, right = sides
    return (has_line(left, first) & has_line(right, second)) | (
        has_line(left, second) & has_line(right, first)
    )


def are_circled(around: Floats, boxes: Sequence[PlacedBox], are_empty: Bits) -> Bits:
    """Check which boxes have a line nearly all around them.

    Where an empty box has one, fewer sectors are enough for the others; around a cross it may be the ends of
    other crosses.
    """
    distance, sector = _surroundings(around.shape[1], SECTORS)
    reach = np.where(_are_crowded(boxes), CROWDED_REACH_MM, AROUND_MM)
    ink = (around > MIN_CIRCLE_DARKNESS) & (distance > SECTOR_START_MM) & (distance < reach[:, None, None])
    counts = sum(
        (ink[:, sector == each].sum(axis=1) >= MIN_SECTOR_DOTS).astype(int) for each in range(SECTORS)
    )
    is_circling = bool((are_empty & (counts >= MIN_CIRCLE_SECTORS)).any())
    return np.asarray(counts >= (MIN_NEXT_CIRCLE_SECTORS if is_circling else MIN_CIRCLE_SECTORS))


def count_exits(around: Floats) -> Ints:
    """Count the places where ink leaves each box: a cross has at most four."""
    distance, sector = _surroundings(around.shape[1], EXIT_SECTORS)
    start, end = EXIT_RANGE_MM
    ink = (around > MIN_EXIT_DARKNESS) & (distance > start) & (distance < end)
    is_inked = np.stack([ink[:, sector == each].any(axis=1) for each in range(EXIT_SECTORS)], axis=1)
    return np.asarray((is_inked & ~np.roll(is_inked, 1, axis=1)).sum(axis=1))


def _surroundings(side: int, sectors: int) -> tuple[Floats, Ints]:
    """Return, for every dot of a patch, its distance from the box in millimetres and its sector."""
    offsets = (np.arange(side) - (side - 1) / 2) / DOTS_PER_MM
    across, down = np.meshgrid(offsets, offsets)
    distance = np.maximum(np.abs(across), np.abs(down)) - BOX_MM / 2
    return distance, ((np.arctan2(down, across) + np.pi) / (2 * np.pi) * sectors).astype(int) % sectors


def _are_crowded(boxes: Sequence[PlacedBox]) -> Bits:
    """Check which boxes have another one near."""
    corners = np.array([(box.x, box.y) for box in boxes])
    distances = np.abs(corners[:, None] - corners).max(axis=2) + np.diag(np.full(len(boxes), np.inf))
    return np.asarray(distances.min(axis=1) < CROWDED_PITCH_MM)
