"""Where a page is in a picture of it: by its codes first, then by the discs in its corners."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from grader.exam.paper import PaperSize
from grader.scanning.places import CODE_MM, DISC_MM, PAGE_SIZES_MM, code_corners, disc_centres
from grader.scanning.rasters import Grey

Floats = np.ndarray[Any, np.dtype[np.float64]]

MIN_DISC_CONTRAST = 0.62
"""How much darker a disc must be than the ring around it, where white is 0 and black is 1."""

DISC_SEARCH_RADIUS_MM = 14.0
"""How far a disc may be from where it would be if the page filled its picture, in millimetres."""

MIN_DISCS = 3
"""The fewest discs by which a page is placed."""

MAX_DISC_ERROR_MM = 1.5
"""How far a disc may be from where the other marks say it is, in millimetres."""

CODE_CORNER_WEIGHT = 0.15
"""What the corners of a code count beside a disc: they are less sharp."""

PAGE_MIDDLE_MM = (105.0, 140.0)
"""About the middle of a page, in millimetres."""

DISC_DOTS_PER_MM = 4
"""Dots a millimetre where discs are looked for."""


@dataclass(frozen=True, slots=True)
class DetectedCode:
    """A code in a picture: its text and its corners in pixels, from its left top one round with the clock."""

    text: str
    corners: Floats


@dataclass(frozen=True, slots=True)
class PagePlacement:
    """How a page lies in its picture.

    - `matrix`: from millimetres on the page to pixels, as a homography.
    - `black`: how dark the discs are.
    - `off`: how far the worst disc is from where it should be, in millimetres.
    """

    matrix: Floats
    black: float
    off: float

    @property
    def dots(self) -> float:
        """Pixels in a millimetre, in the middle of the page."""
        return _scale(self.matrix, PAGE_MIDDLE_MM)


def detect_codes(grey: Grey) -> list[DetectedCode]:
    """The codes in a picture; looked for in half of the pixels first, which is faster, then in all."""
    found = _codes(grey[::2, ::2], 2.0) if min(grey.shape) > 1_500 else []
    if len(found) < 2:
        more = _codes(grey, 1.0)
        found = more if len(more) >= len(found) else found
    return found


def _codes(grey: Grey, scale: float) -> list[DetectedCode]:
    import zxingcpp

    formats = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    flat = np.ascontiguousarray(grey)
    seen = zxingcpp.read_barcodes(flat, formats=formats, try_rotate=True, try_downscale=True)
    made = []
    for each in seen:
        place = each.position
        corners = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
        made.append(DetectedCode(each.text, np.array([(at.x, at.y) for at in corners], dtype=float) * scale))
    return made


def locate_page(grey: Grey, seen: Sequence[DetectedCode], size: PaperSize) -> PagePlacement | None:
    """How the page lies, by its codes and discs; None when neither says it clearly."""
    best: PagePlacement | None = None
    for assumed in _assumed(seen, size):
        placed = _refined(grey, *assumed, size)
        if placed is not None and (best is None or placed.off < best.off):
            best = placed
    return best


def _assumed(seen: Sequence[DetectedCode], size: PaperSize) -> list[tuple[Floats, Floats, Floats]]:
    """First maps with the corners they are made of: points on the page, and the same in the picture."""
    square = np.array([(0, 0), (CODE_MM, 0), (CODE_MM, CODE_MM), (0, CODE_MM)])
    first, last = (square + np.array(corner) for corner in code_corners(size))
    if len(seen) == 2:
        one, other = seen
        right = one.corners[1] - one.corners[0]
        down = one.corners[3] - one.corners[0]
        way = other.corners.mean(axis=0) - one.corners.mean(axis=0)
        if way @ right + way @ down < 0:
            one, other = other, one
        points, there = np.vstack((first, last)), np.vstack((one.corners, other.corners))
        return [(homography(points, there, np.ones(8)), points, there)]
    return [(_similarity(points, seen[0].corners), points, seen[0].corners) for points in (first, last)]


def homography(points: Floats, there: Floats, weights: Floats) -> Floats:
    """The matrix that takes points to where they are, by weighted least squares."""
    middle, spread = points.mean(axis=0), points.std()
    x, y = ((points - middle) / spread).T
    u, v = there.T
    zero, one = np.zeros_like(x), np.ones_like(x)
    rows = np.concatenate(
        (
            np.stack((x, y, one, zero, zero, zero, -u * x, -u * y), axis=1),
            np.stack((zero, zero, zero, x, y, one, -v * x, -v * y), axis=1),
        )
    )
    twice = np.sqrt(np.concatenate((weights, weights)))
    solved = np.linalg.lstsq(rows * twice[:, None], np.concatenate((u, v)) * twice, rcond=None)[0]
    shift = np.array([[1 / spread, 0, -middle[0] / spread], [0, 1 / spread, -middle[1] / spread], [0, 0, 1]])
    made: Floats = np.append(solved, 1).reshape(3, 3) @ shift
    return made


def _similarity(points: Floats, there: Floats) -> Floats:
    """A turn, a scale and a shift: all that one small code tells reliably."""
    one = (points - points.mean(axis=0)) @ np.array([1, 1j])
    other = (there - there.mean(axis=0)) @ np.array([1, 1j])
    factor = (np.conj(one) @ other) / (np.conj(one) @ one)
    turn = np.array([[factor.real, -factor.imag], [factor.imag, factor.real]])
    shift = there.mean(axis=0) - turn @ points.mean(axis=0)
    return np.array([[*turn[0], shift[0]], [*turn[1], shift[1]], [0, 0, 1]])


def map_points(matrix: Floats, points: Floats) -> Floats:
    """Points on the page, in pixels."""
    made = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(made[..., :2] / made[..., 2:])


def _scale(matrix: Floats, at: tuple[float, float]) -> float:
    around = np.array([at, (at[0] + 1, at[1]), (at[0], at[1] + 1)])
    here, right, down = map_points(matrix, around)
    across, along = right - here, down - here
    return float(abs(across[0] * along[1] - across[1] * along[0]) ** 0.5)


def _refined(
    grey: Grey, matrix: Floats, points: Floats, there: Floats, size: PaperSize
) -> PagePlacement | None:
    """The map by the discs that are where the first one says they are, at least about."""
    for reach in (6.0 if len(points) > 4 else 10.0, 2.5):
        seen = _seen_discs(grey, matrix, size, reach)
        if len(seen.points) < MIN_DISCS:
            return None
        weights = np.concatenate((np.ones(len(seen.points)), np.full(len(points), CODE_CORNER_WEIGHT)))
        both, pixels = np.vstack((seen.points, points)), np.vstack((seen.pixels, there))
        matrix = homography(both, pixels, weights)
    return _placed(matrix, seen, both, pixels)


class _SeenDiscs(NamedTuple):
    """Discs that are in a picture: their middles on the page and in pixels, and how dark they are."""

    points: Floats
    pixels: Floats
    blacks: list[float]


def _seen_discs(grey: Grey, matrix: Floats, size: PaperSize, reach: float) -> _SeenDiscs:
    """The discs within reach of where a map says they are."""
    near = [(disc, find_disc(grey, matrix, disc, reach)) for disc in disc_centres(size)]
    seen = [(disc, at) for disc, at in near if at is not None]
    points, pixels = np.array([disc for disc, _ in seen]), np.array([at[:2] for _, at in seen])
    return _SeenDiscs(points, pixels, [at[2] for _, at in seen])


def _placed(matrix: Floats, seen: _SeenDiscs, points: Floats, pixels: Floats) -> PagePlacement | None:
    """The map as a placing, where it is one of a page and takes these points to about these pixels."""
    dots = _scale(matrix, PAGE_MIDDLE_MM)
    if not np.isfinite(dots) or dots < 1:
        return None
    off = float(np.hypot(*(map_points(matrix, points) - pixels).T).max() / dots)
    return PagePlacement(matrix, float(np.median(seen.blacks)), off) if off <= MAX_DISC_ERROR_MM else None


def placements_by_discs(grey: Grey, size: PaperSize) -> list[PagePlacement]:
    """How a page can lie, by its discs alone, whose corners are about those of its picture: either way up."""
    height, width = grey.shape
    across, down = PAGE_SIZES_MM[size]
    page = np.array([(0, 0), (across, 0), (across, down), (0, down)])
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=float)
    found = []
    for turn in (0, 2) if height > width else (1, 3):
        there = np.roll(corners, -turn, axis=0)
        for margin in (0.0, 0.04, 0.08):
            middle = corners.mean(axis=0)
            placing = _by_discs(
                grey, homography(page, middle + (there - middle) * (1 - margin), np.ones(4)), size
            )
            if placing is not None:
                found.append(placing)
                break
    return found


def _by_discs(grey: Grey, matrix: Floats, size: PaperSize) -> PagePlacement | None:
    """The map by the discs alone: all four, or three, which tell no perspective."""
    for reach in (DISC_SEARCH_RADIUS_MM, 3.0):
        seen = _seen_discs(grey, matrix, size, reach)
        if len(seen.points) < MIN_DISCS:
            return None
        before, matrix = matrix, _fitted(seen.points, seen.pixels)
    return _placed(matrix, seen, seen.points, map_points(before, seen.points))


def _fitted(points: Floats, pixels: Floats) -> Floats:
    """The homography of four points, or the affine map of three."""
    if len(points) > MIN_DISCS:
        return homography(points, pixels, np.ones(len(points)))
    rows = np.hstack((points, np.ones((len(points), 1))))
    solved = np.linalg.solve(rows, pixels)
    return np.vstack((solved.T, (0, 0, 1)))


def cut_patches(grey: Grey, matrix: Floats, corners: Floats, side: float, dots: float) -> Floats:
    """Square pieces of the page, each side in millimetres, from these left top corners; NaN outside."""
    steps = (np.arange(round(side * dots)) + 0.5) / dots
    x, y = corners.T[:, :, None] + steps
    # A map is linear before its division, so that rows and columns of a piece are worked out apart.
    ((over, up), (left, upper), (below, lower)) = (
        (row[0] * x[:, None, :], (row[1] * y + row[2])[:, :, None]) for row in matrix
    )
    under = below + lower
    return sample_grey(grey, (over + up) / under - 0.5, (left + upper) / under - 0.5)


def sample_grey(grey: Grey, x: Floats, y: Floats) -> Floats:
    """The grey between pixels, at these places; NaN outside of the picture."""
    height, width = grey.shape
    inside = (x >= 0) & (y >= 0) & (x <= width - 2) & (y <= height - 2)
    all_inside = bool(inside.all())
    if not all_inside:
        x, y = np.where(inside, x, 0), np.where(inside, y, 0)
    left, top = x.astype(np.int32), y.astype(np.int32)
    right, down = x - left, y - top
    flat, place = grey.reshape(-1), top * width + left
    above, below = (
        upper + right * (flat.take(place + step + 1).astype(float) - upper)
        for step, upper in ((step, flat.take(place + step)) for step in (0, width))
    )
    made: Floats = above + down * (below - above)
    if not all_inside:
        made[~inside] = np.nan
    return made


def find_disc(
    grey: Grey, matrix: Floats, disc: tuple[float, float], reach: float
) -> tuple[float, float, float] | None:
    """Where in the picture a disc is and how dark, when there is one within reach of its place."""
    radius, ring = DISC_MM / 2, DISC_MM / 2 + 1.2
    half = reach + ring
    (patch,) = cut_patches(grey, matrix, np.array([disc]) - half, 2 * half, DISC_DOTS_PER_MM)
    if np.isnan(patch).mean() > 0.6:
        return None
    white = float(np.nanpercentile(patch, 85))
    black = float(np.nanpercentile(patch, 2))
    if white - black < 40:
        return None
    dark = np.clip(np.nan_to_num((white - patch) / (white - black)), 0, 1)
    steps = (
        np.arange(-round(ring * DISC_DOTS_PER_MM), round(ring * DISC_DOTS_PER_MM) + 1)
    ) / DISC_DOTS_PER_MM
    away = np.hypot(*np.meshgrid(steps, steps))
    inside, around = away <= radius, (away > radius + 0.25) & (away <= ring)
    kernel = inside / inside.sum() - around / around.sum()
    score = _correlated(dark, kernel)
    top, left = np.unravel_index(int(score.argmax()), score.shape)
    if score[top, left] < MIN_DISC_CONTRAST:
        return None
    piece = np.where(away <= radius + 0.5, dark[top : top + len(steps), left : left + len(steps)], 0)
    piece = np.where(piece > 0.5, piece, 0)
    down, right = ((piece * grid).sum() / piece.sum() for grid in np.indices(piece.shape))
    at = np.array([disc]) - half + (np.array([[left + right, top + down]]) + 0.5) / DISC_DOTS_PER_MM
    ((x, y),) = map_points(matrix, at)
    core = patch[top : top + len(steps), left : left + len(steps)][away <= radius * 0.7]
    return float(x), float(y), float(np.nanmedian(core))


def _correlated(image: Floats, kernel: Floats) -> Floats:
    """The kernel held against every place of an image in which it is whole."""
    # Around such places nothing comes in from the other side, so that no room has to be added for it.
    shape = [-(-side // 8) * 8 for side in image.shape]
    made = np.fft.irfft2(np.fft.rfft2(image, shape) * np.fft.rfft2(kernel[::-1, ::-1], shape), shape)
    rows, columns = kernel.shape
    whole: Floats = made[rows - 1 : image.shape[0], columns - 1 : image.shape[1]]
    return whole
