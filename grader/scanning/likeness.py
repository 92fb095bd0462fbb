"""How alike small pictures of handwriting are: their features, and piles of pictures that look alike."""

from collections.abc import Sequence

import numpy as np

from grader.scanning.page_location import Floats, cut_patches, sample_grey
from grader.scanning.page_reading import KEPT_DOTS_PER_MM
from grader.scanning.places import CELL_MM, PlacedBox
from grader.scanning.rasters import Grey

FRAME_MARGIN_MM = 1.0
"""The margin around a box in which its frame is looked for, in millimetres."""

FRAME_INSET_MM = 0.5
"""The distance from the edge of a box within which its frame lies, in millimetres."""

MIN_INK_DARKNESS = 0.3
"""The least darkness of ink, where paper is 0 and print is 1."""

MIN_INK_MM2 = 0.3
"""A box with less ink than this looks empty, in square millimetres."""

PICTURE_SIDE = 24
"""The side of a picture that features are taken of, in dots; the ink in it fills `INK_SIDE`."""

INK_SIDE, MIN_INK_SIDE = 18.0, 6.0
"""The longer side of the scaled ink, and the least one before: a dot stays small."""

MAX_SLANT = 0.6
"""The greatest slant that is set upright, as a share of the height."""

BLOCKS, DIRECTIONS = 5, 8
"""Features are the strength of edges in each direction, for a grid of this many blocks each way."""


def cut_cells(page: Grey, boxes: Sequence[PlacedBox]) -> Floats:
    """Cut the insides of boxes to write in out of a straightened page, as darkness from 0 to 1.

    The result has the shape (box, row, column).
    """
    width, height = CELL_MM
    dots, corners = KEPT_DOTS_PER_MM, np.array([(box.x, box.y) for box in boxes])
    side = height + 2 * FRAME_MARGIN_MM
    matrix = np.diag([dots, dots, 1.0])
    patches = np.nan_to_num(cut_patches(page, matrix, corners - FRAME_MARGIN_MM, side, dots), nan=255)
    white = np.percentile(patches, 85, axis=(1, 2))[:, None, None]
    black = float(np.percentile(page[::4, ::4], 0.5))
    dark = np.clip((white - patches) / np.maximum(white - black, 40), 0, 1)
    rows, columns = (round((length - 2 * FRAME_INSET_MM) * dots) for length in (height, width))
    start = round((FRAME_MARGIN_MM + FRAME_INSET_MM) * dots)
    down, right = _frame_shifts(dark)
    index = np.arange(len(dark))[:, None, None]
    row = (start + down)[:, None] + np.arange(rows)
    column = (start + right)[:, None] + np.arange(columns)
    return np.asarray(dark[index, row[:, :, None], column[:, None, :]])


def _frame_shifts(dark: Floats) -> tuple[np.ndarray, np.ndarray]:
    """Return how many dots down and right the frames of a page's boxes are from their places.

    All boxes of a page have the same shift, up to a dot: writing hides some frames.
    """
    dots = KEPT_DOTS_PER_MM
    width, height = (round(length * dots) for length in CELL_MM)
    start, reach = round(FRAME_MARGIN_MM * dots), round(FRAME_MARGIN_MM * dots) - 1
    steps = np.arange(-reach, reach + 1)
    lines = dark[:, :, start : start + width].mean(axis=2)
    bars = dark[:, start : start + height, :].mean(axis=1)
    down = lines[:, start + steps] + lines[:, start + height - 1 + steps]
    right = bars[:, start + steps] + bars[:, start + width - 1 + steps]
    return _shift_near_median(down, steps), _shift_near_median(right, steps)


def _shift_near_median(score: Floats, steps: np.ndarray) -> np.ndarray:
    """Return the best step of every box, at most one from the median of all."""
    common = int(np.median(score.argmax(axis=1)))
    near = np.clip([common - 1, common, common + 1], 0, len(steps) - 1)
    return np.asarray(steps[near[score[:, near].argmax(axis=1)]])


def ink_areas(cells: Floats) -> Floats:
    """Return the area of the ink in each picture, in square millimetres."""
    return np.asarray((cells > MIN_INK_DARKNESS).sum(axis=(1, 2)) / KEPT_DOTS_PER_MM**2)


def features(cells: Floats) -> Floats:
    """Return a vector of length 1 for each picture: alike vectors belong to alike pictures.

    These are histograms of the directions of edges, block by block (Dalal and Triggs, 2005), of the ink
    scaled to one size.
    """
    pictures = (
        np.stack([_scaled(cell) for cell in cells])
        if len(cells)
        else np.zeros((0, PICTURE_SIDE, PICTURE_SIDE))
    )
    down, right = np.gradient(pictures, axis=(1, 2))
    strength, angle = np.hypot(down, right), np.arctan2(down, right) % (2 * np.pi)
    place = angle / (2 * np.pi) * DIRECTIONS
    centres = (np.arange(BLOCKS) + 0.5) * PICTURE_SIDE / BLOCKS
    distance = np.abs(np.arange(PICTURE_SIDE)[:, None] + 0.5 - centres)
    blocks = np.clip(1 - distance * BLOCKS / PICTURE_SIDE, 0, 1)  # a dot belongs to two blocks
    layers = []
    for direction in range(DIRECTIONS):
        away = np.abs((place - direction + DIRECTIONS / 2) % DIRECTIONS - DIRECTIONS / 2)
        weight = strength * np.clip(1 - away, 0, 1)
        layers.append(np.einsum("nrc,ri,cj->nij", weight, blocks, blocks).reshape(len(pictures), -1))
    vectors = np.sqrt(np.concatenate(layers, axis=1))
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9))


def _scaled(cell: Floats) -> Floats:
    """Return the ink of a picture scaled to `INK_SIDE`, upright, in the middle of a square."""
    rows, columns = np.nonzero(cell > MIN_INK_DARKNESS)
    if len(rows) < 2:
        return np.zeros((PICTURE_SIDE, PICTURE_SIDE))
    weight = cell[rows, columns]
    y, x = np.average(rows, weights=weight), np.average(columns, weights=weight)
    variance = np.average((rows - y) ** 2, weights=weight)
    covariance = np.average((rows - y) * (columns - x), weights=weight)
    slant = float(np.clip(covariance / max(variance, 1.0), -MAX_SLANT, MAX_SLANT))
    upright = columns - slant * (rows - y)
    scale = max(float(np.ptp(rows)), float(np.ptp(upright)), MIN_INK_SIDE) / INK_SIDE
    middle_row, middle = (rows.min() + rows.max()) / 2, (upright.min() + upright.max()) / 2
    down, right = np.meshgrid(*[np.arange(PICTURE_SIDE) - (PICTURE_SIDE - 1) / 2] * 2, indexing="ij")
    source_row = middle_row + down * scale
    source_column = middle + right * scale + slant * (source_row - y)
    grey = (np.pad(cell, 1) * 255).astype(np.uint8)
    picture = np.nan_to_num(sample_grey(grey, source_column + 1, source_row + 1))
    return np.asarray(picture / 255)
