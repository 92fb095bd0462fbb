"""Locate a page in its scan: by its codes first, then by the discs in its corners."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from grader.exam.paper import PaperSize
from grader.scanning.codes import code_modules
from grader.scanning.places import (
    CODE_MM,
    CODE_OFFSET_MM,
    DISC_MM,
    PAGE_SIZES_MM,
    code_corners,
    disc_centres,
)
from grader.scanning.rasters import Grey

Floats = np.ndarray[Any, np.dtype[np.float64]]

MIN_DISC_CONTRAST = 0.62
"""The least contrast between a disc and the ring around it, where white is 0 and black is 1."""

MIN_HALVED_SIDE = 1_500
"""Scans with a shorter side of more pixels are first searched for codes at half the resolution."""

DISC_SEARCH_RADII_BY_CODES_MM, DISC_SEARCH_RADII_BY_CODE_MM = (6.0, 2.5), (10.0, 2.5)
"""The search radii for discs, first and then nearer, if several codes or a single one predict them: a single
code predicts the far corners of the page less precisely. Halving these radii loses a disc of a covered page
in the tests; doubling changes nothing. The constants below, to `DISC_CORE_SHARE`, may be halved or
doubled."""

LAST_DISC_SEARCH_RADIUS_MM = 3.0
"""The search radius for discs when discs alone predict them."""

SCAN_MARGINS = (0.0, 0.04, 0.08)
"""How much of its scan a page without codes may leave free, as shares tried one after the other."""

MAX_OUTSIDE_SHARE = 0.6
"""No disc is looked for where more of its neighbourhood than this lies outside of the scan."""

MIN_PATCH_CONTRAST = 40
"""The least difference between paper and ink near a disc, in grey values of 255; less is dirt or noise."""

DISC_CORE_SHARE = 0.7
"""The grey value of a disc is that of its middle, up to this share of its radius: its edge is blurred."""

DISC_SEARCH_RADIUS_MM = 14.0
"""The search radius for discs when the page is assumed to fill its scan, in millimetres."""

MIN_DISCS = 3
"""The fewest discs that place a page."""

MAX_DISC_ERROR_MM = 1.5
"""The greatest distance between a mark and its predicted place, in millimetres."""

CODE_CORNER_WEIGHT = 0.15
"""The weight of a code corner in the fit; a disc has weight 1, since it is located more precisely."""

PAGE_MIDDLE_MM = (105.0, 140.0)
"""A point near the middle of a page, in millimetres."""

MIN_CODE_LIKENESS = 0.6
"""The least correlation between a code and its picture that says how the code lies."""

DISC_DOTS_PER_MM = 4
"""The resolution of the search for discs."""


@dataclass(frozen=True, slots=True)
class DetectedCode:
    """A code in a scan: its text, and its corners in pixels, clockwise from its own top left."""

    text: str
    corners: Floats


@dataclass(frozen=True, slots=True)
class PagePlacement:
    """How a page lies in its scan.

    - `matrix`: the homography from millimetres on the page to pixels.
    - `black`: the median grey value of the discs, from 0 to 255.
    - `off`: the error of the worst mark, in millimetres.
    """

    matrix: Floats
    black: float
    off: float

    @property
    def dots_per_mm(self) -> float:
        """The resolution in the middle of the page, in pixels per millimetre."""
        return _pixels_per_mm(self.matrix)


def detect_codes(grey: Grey) -> list[DetectedCode]:
    """Detect the codes in a scan: at half the resolution first, which is faster, then in full."""
    codes = _detect_codes(grey[::2, ::2], 2.0) if min(grey.shape) > MIN_HALVED_SIDE else []
    if len(codes) < 2:
        codes = max(_detect_codes(grey, 1.0), codes, key=len)
    return codes


def _detect_codes(grey: Grey, scale: float) -> list[DetectedCode]:
    """Return the QR codes of a picture; `scale` turns its pixels into those of the page."""
    import zxingcpp

    formats = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
    pixels = np.ascontiguousarray(grey)
    codes = []
    for barcode in zxingcpp.read_barcodes(pixels, formats=formats, try_rotate=True, try_downscale=True):
        outline = barcode.position
        corners = (outline.top_left, outline.top_right, outline.bottom_right, outline.bottom_left)
        pixel_corners = np.array([(corner.x, corner.y) for corner in corners], dtype=float) * scale
        codes.append(DetectedCode(barcode.text, pixel_corners))
    return codes


class CodePose(NamedTuple):
    """How a code of this program looks in a scan."""

    is_mirrored: bool
    is_negative: bool


def code_pose(grey: Grey, code: DetectedCode) -> CodePose:
    """Tell whether a code is seen in a mirror, as on the back of thin paper, or light on dark.

    The decoder reads such codes as well, and does not say so: in a mirror rows and columns are exchanged.
    """
    modules = np.array(code_modules(code.text))
    count = len(modules)
    square = np.array([(0, 0), (count, 0), (count, count), (0, count)], dtype=float)
    matrix = homography(square, code.corners, np.ones(4))
    middles = np.stack(np.meshgrid(np.arange(count) + 0.5, np.arange(count) + 0.5), axis=-1)
    x, y = np.moveaxis(map_points(matrix, middles) - 0.5, -1, 0)
    light = np.nan_to_num(sample_grey(grey, x, y), nan=255)
    likeness, mirrored_likeness = (
        float(np.corrcoef(light.ravel(), ~dark.ravel())[0, 1]) for dark in (modules, modules.T)
    )
    return CodePose(
        abs(mirrored_likeness) > max(MIN_CODE_LIKENESS, abs(likeness)),
        max(likeness, mirrored_likeness, key=abs) < -MIN_CODE_LIKENESS,
    )


def locate_page(
    grey: Grey,
    codes: Sequence[DetectedCode],
    size: PaperSize,
    code_offset: tuple[float, float] = CODE_OFFSET_MM,
) -> PagePlacement | None:
    """Return how a page with one or two readable codes lies in its scan; None if no map fits its marks.

    1. Estimate a map from the page to the scan by the corners of the codes. A single code may be either of
       the two on a page, so both are tried.
    2. Find the discs near the places that this map predicts, and fit a homography to discs and code corners.
       Repeat this once within a smaller radius.
    3. Reject a map that misses a mark by more than `MAX_DISC_ERROR_MM`; return the one with the least error.
    """
    upper_left, lower_right = (_SQUARE + np.array(corner) for corner in code_corners(size, code_offset))
    refined = (_refine(grey, initial, size) for initial in _initial_maps(codes, upper_left, lower_right))
    placements = [placement for placement in refined if placement is not None]
    return min(placements, key=lambda placement: placement.off, default=None)


class _InitialMap(NamedTuple):
    """A first estimate of the map, and the code corners it is fitted to, in millimetres and in pixels."""

    matrix: Floats
    points: Floats
    pixels: Floats


_SQUARE = np.array([(0, 0), (CODE_MM, 0), (CODE_MM, CODE_MM), (0, CODE_MM)])
"""The corners of a code, in millimetres."""


def _initial_maps(
    codes: Sequence[DetectedCode], upper_left: Floats, lower_right: Floats
) -> list[_InitialMap]:
    """A homography of two codes, or two similarities of one code, which may be either of the two."""
    if len(codes) == 2:
        first, second = codes
        rightward = first.corners[1] - first.corners[0]
        downward = first.corners[3] - first.corners[0]
        # Both codes have the same text. Their own axes tell which one is at the top left of the page.
        offset = second.corners.mean(axis=0) - first.corners.mean(axis=0)
        if offset @ rightward + offset @ downward < 0:
            first, second = second, first
        points, pixels = np.vstack((upper_left, lower_right)), np.vstack((first.corners, second.corners))
        return [_InitialMap(homography(points, pixels, np.ones(8)), points, pixels)]
    pixels = codes[0].corners
    return [_InitialMap(_similarity(points, pixels), points, pixels) for points in (upper_left, lower_right)]


def homography(points: Floats, pixels: Floats, weights: Floats) -> Floats:
    """Fit the 3x3 matrix that maps points to pixels, by weighted least squares (direct linear transform)."""
    # Centred and scaled points keep the system well conditioned; `normalisation` undoes this at the end.
    centre, spread = points.mean(axis=0), points.std()
    x, y = ((points - centre) / spread).T
    u, v = pixels.T
    zero, one = np.zeros_like(x), np.ones_like(x)
    # u = (ax + by + c) / (gx + hy + 1), multiplied by its denominator, is linear in a, ..., h; so is v.
    equations = np.concatenate(
        (
            np.stack((x, y, one, zero, zero, zero, -u * x, -u * y), axis=1),
            np.stack((zero, zero, zero, x, y, one, -v * x, -v * y), axis=1),
        )
    )
    scales = np.sqrt(np.concatenate((weights, weights)))
    solution = np.linalg.lstsq(equations * scales[:, None], np.concatenate((u, v)) * scales, rcond=None)[0]
    normalisation = np.array(
        [[1 / spread, 0, -centre[0] / spread], [0, 1 / spread, -centre[1] / spread], [0, 0, 1]]
    )
    matrix: Floats = np.append(solution, 1).reshape(3, 3) @ normalisation
    return matrix


def _similarity(points: Floats, pixels: Floats) -> Floats:
    """Fit a rotation, a scale and a shift: the corners of one small code determine no more reliably."""
    # As complex numbers, the rotation and the scale are one factor, which least squares gives directly.
    source = (points - points.mean(axis=0)) @ np.array([1, 1j])
    target = (pixels - pixels.mean(axis=0)) @ np.array([1, 1j])
    factor = (np.conj(source) @ target) / (np.conj(source) @ source)
    rotation = np.array([[factor.real, -factor.imag], [factor.imag, factor.real]])
    shift = pixels.mean(axis=0) - rotation @ points.mean(axis=0)
    return np.array([[*rotation[0], shift[0]], [*rotation[1], shift[1]], [0, 0, 1]])


def map_points(matrix: Floats, points: Floats) -> Floats:
    """Map points on the page to pixels."""
    projected = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(projected[..., :2] / projected[..., 2:])


def _pixels_per_mm(matrix: Floats) -> float:
    """The square root of the area, in pixels, of a square millimetre in the middle of the page."""
    x, y = PAGE_MIDDLE_MM
    corner, right, below = map_points(matrix, np.array([(x, y), (x + 1, y), (x, y + 1)]))
    across, down = right - corner, below - corner
    return float(abs(across[0] * down[1] - across[1] * down[0]) ** 0.5)


def _refine(grey: Grey, initial: _InitialMap, size: PaperSize) -> PagePlacement | None:
    """Fit the map to the discs and the code corners, twice: the second time the discs must be closer.

    None with too few discs, or if the map does not fit.
    """
    matrix, code_points, code_pixels = initial
    is_one_code = len(code_points) == 4
    for radius in DISC_SEARCH_RADII_BY_CODE_MM if is_one_code else DISC_SEARCH_RADII_BY_CODES_MM:
        discs = _find_discs(grey, matrix, size, radius)
        if len(discs.points) < MIN_DISCS:
            return None
        weights = np.concatenate((np.ones(len(discs.points)), np.full(len(code_points), CODE_CORNER_WEIGHT)))
        points, pixels = np.vstack((discs.points, code_points)), np.vstack((discs.pixels, code_pixels))
        matrix = homography(points, pixels, weights)
    return _checked_placement(matrix, discs, points, pixels)


class _Discs(NamedTuple):
    """The discs found in a scan: their centres in millimetres and in pixels, and their grey values."""

    points: Floats
    pixels: Floats
    greys: Floats


def _find_discs(grey: Grey, matrix: Floats, size: PaperSize, radius: float) -> _Discs:
    """Find the discs within a radius, in millimetres, of the places that a map predicts."""
    candidates = [(centre, find_disc(grey, matrix, centre, radius)) for centre in disc_centres(size)]
    rows = np.array([(*centre, *disc) for centre, disc in candidates if disc is not None]).reshape(-1, 5)
    return _Discs(rows[:, :2], rows[:, 2:4], rows[:, 4])


def _checked_placement(matrix: Floats, discs: _Discs, points: Floats, pixels: Floats) -> PagePlacement | None:
    """Return the placement, or None if the map is degenerate or misses one of the points by too much."""
    resolution = _pixels_per_mm(matrix)
    if not np.isfinite(resolution) or resolution < 1:
        return None
    error = float(np.hypot(*(map_points(matrix, points) - pixels).T).max() / resolution)
    return PagePlacement(matrix, float(np.median(discs.greys)), error) if error <= MAX_DISC_ERROR_MM else None


def placements_by_discs(grey: Grey, size: PaperSize) -> list[PagePlacement]:
    """Return the placements that fit the discs alone, at most one for each way up.

    The page is assumed to fill its scan, upright or upside down; a scan in landscape is turned first.
    """
    height, width = grey.shape
    across, down = PAGE_SIZES_MM[size]
    page = np.array([(0, 0), (across, 0), (across, down), (0, down)])
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=float)
    middle = corners.mean(axis=0)
    placements = []
    for quarter_turns in (0, 2) if height > width else (1, 3):
        turned = np.roll(corners, -quarter_turns, axis=0)
        for margin in SCAN_MARGINS:
            matrix = homography(page, middle + (turned - middle) * (1 - margin), np.ones(4))
            placement = _place_by_discs(grey, matrix, size)
            if placement is not None:
                placements.append(placement)
                break
    return placements


def _place_by_discs(grey: Grey, matrix: Floats, size: PaperSize) -> PagePlacement | None:
    """Place a page by its discs, searched near and then nearer to where they should be; None with too few."""
    for radius in (DISC_SEARCH_RADIUS_MM, LAST_DISC_SEARCH_RADIUS_MM):
        discs = _find_discs(grey, matrix, size, radius)
        if len(discs.points) < MIN_DISCS:
            return None
        previous, matrix = matrix, _fit_discs(discs)
    # The last map goes through all discs exactly, so the check compares it with the one before.
    return _checked_placement(matrix, discs, discs.points, map_points(previous, discs.points))


def _fit_discs(discs: _Discs) -> Floats:
    """The homography of four discs, or the affine map of three, which say nothing of the perspective."""
    if len(discs.points) > MIN_DISCS:
        return homography(discs.points, discs.pixels, np.ones(len(discs.points)))
    rows = np.hstack((discs.points, np.ones((len(discs.points), 1))))
    solution = np.linalg.solve(rows, discs.pixels)
    return np.vstack((solution.T, (0, 0, 1)))


def cut_patches(grey: Grey, matrix: Floats, corners: Floats, side: float, dots: float) -> Floats:
    """Sample square patches of the page; NaN outside of the scan.

    `corners` are the top left corners and `side` the length, in millimetres; `dots` are samples per
    millimetre. The result has the shape (patch, row, column).
    """
    steps = (np.arange(round(side * dots)) + 0.5) / dots
    x, y = corners.T[:, :, None] + steps
    # A homography is linear before its division: sum a term for each column and a term for each row.
    ((u_column, u_row), (v_column, v_row), (w_column, w_row)) = (
        (row[0] * x[:, None, :], (row[1] * y + row[2])[:, :, None]) for row in matrix
    )
    w = w_column + w_row
    return sample_grey(grey, (u_column + u_row) / w - 0.5, (v_column + v_row) / w - 0.5)


def sample_grey(grey: Grey, x: Floats, y: Floats) -> Floats:
    """Interpolate the grey values at these pixel coordinates, bilinearly; NaN outside of the scan."""
    height, width = grey.shape
    inside = (x >= 0) & (y >= 0) & (x <= width - 2) & (y <= height - 2)
    all_inside = bool(inside.all())
    if not all_inside:
        x, y = np.where(inside, x, 0), np.where(inside, y, 0)
    left, top = x.astype(np.int32), y.astype(np.int32)
    right_share, lower_share = x - left, y - top
    # Indices into the flat array are much faster than pairs of indices.
    flat, index = grey.reshape(-1), top * width + left
    upper, lower = (
        start + right_share * (flat.take(index + offset + 1).astype(float) - start)
        for offset, start in ((offset, flat.take(index + offset)) for offset in (0, width))
    )
    values: Floats = upper + lower_share * (lower - upper)
    if not all_inside:
        values[~inside] = np.nan
    return values


def find_disc(
    grey: Grey, matrix: Floats, centre: tuple[float, float], search_radius: float
) -> tuple[float, float, float] | None:
    """Find a disc near its predicted place.

    Return its centre in pixels and its grey value; None if nothing within the radius looks like a disc.
    """
    # 1. Cut the neighbourhood and normalise it: paper is 0, the darkest ink is 1.
    radius, ring = DISC_MM / 2, DISC_MM / 2 + 1.2
    reach = search_radius + ring
    corner = np.array([centre]) - reach
    (patch,) = cut_patches(grey, matrix, corner, 2 * reach, DISC_DOTS_PER_MM)
    if np.isnan(patch).mean() > MAX_OUTSIDE_SHARE:
        return None
    white = float(np.nanpercentile(patch, 85))
    black = float(np.nanpercentile(patch, 2))
    if white - black < MIN_PATCH_CONTRAST:
        return None
    darkness = np.clip(np.nan_to_num((white - patch) / (white - black)), 0, 1)
    # 2. Find where the mean of a disc exceeds the mean of the ring around it most.
    steps_per_side = round(ring * DISC_DOTS_PER_MM)
    steps = np.arange(-steps_per_side, steps_per_side + 1) / DISC_DOTS_PER_MM
    distance = np.hypot(*np.meshgrid(steps, steps))
    disc, around = distance <= radius, (distance > radius + 0.25) & (distance <= ring)
    contrast = _correlate(darkness, disc / disc.sum() - around / around.sum())
    top, left = np.unravel_index(int(contrast.argmax()), contrast.shape)
    if contrast[top, left] < MIN_DISC_CONTRAST:
        return None
    # 3. The centroid of the ink there is more precise than the grid.
    window = np.s_[top : top + len(steps), left : left + len(steps)]
    ink = np.where((distance <= radius + 0.5) & (darkness[window] > 0.5), darkness[window], 0)
    row, column = ((ink * grid).sum() / ink.sum() for grid in np.indices(ink.shape))
    found = corner + (np.array([[left + column, top + row]]) + 0.5) / DISC_DOTS_PER_MM
    ((x, y),) = map_points(matrix, found)
    return float(x), float(y), float(np.nanmedian(patch[window][distance <= radius * DISC_CORE_SHARE]))


def _correlate(image: Floats, kernel: Floats) -> Floats:
    """Correlate an image with a kernel wherever the whole kernel lies inside the image."""
    # The Fourier transform is cyclic, but no such place is affected by the other side: padding up to
    # the next multiple of 8, which is only for speed, is enough.
    shape = [-(-side // 8) * 8 for side in image.shape]
    product = np.fft.rfft2(image, shape) * np.fft.rfft2(kernel[::-1, ::-1], shape)
    rows, columns = kernel.shape
    valid: Floats = np.fft.irfft2(product, shape)[rows - 1 : image.shape[0], columns - 1 : image.shape[1]]
    return valid
