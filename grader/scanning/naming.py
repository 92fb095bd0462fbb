"""Pages that no code names: a person says which they are, and the discs alone place them."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from grader.exam.paper import Size
from grader.scanning.finding import FARTHEST, FEWEST, Floats, Placing, disc_near, homography, mapped, patches
from grader.scanning.judging import looks
from grader.scanning.places import BOX, SIZES, Box, ScannedExam, discs
from grader.scanning.rasters import Grey
from grader.scanning.reading import LOWEST, PageReading, keep, straightened

REACH = 14.0
"""How far a disc may be from where it would be if the page filled its picture, in millimetres."""

FRAMED = 0.8
"""The least share of boxes whose frames are where they should be, when a page is the one it is said to be."""

LINE = 0.3
"""How dark the line of a frame is at the least, where white is 0 and black is 1."""

ASIDE = "a person has set it aside"


def named(exam: ScannedExam, kept: Path, page: PageReading, variant: str, number: int) -> PageReading:
    """A page as what a person says that it is: read where its discs and frames agree, else by hand.

    A page by hand is shown as it is, and a person types what each group of its boxes says.
    """
    told = replace(page, fate="read", variant=variant, page=number, states={}, by_hand=True)
    told = replace(told, why="a person has named it")
    grey = image_of(kept, page)
    boxes = exam.crossable(variant, number)
    if grey is None or page.flat or not boxes:
        return told
    placings = [each for each in _placings(grey, exam.size) if each.dots * 25.4 >= LOWEST * 0.97]
    scored = sorted(((framed(grey, each, boxes), at) for at, each in enumerate(placings)), reverse=True)
    if not scored or scored[0][0] < FRAMED or (len(scored) > 1 and scored[1][0] > FRAMED / 2):
        return told
    placing = placings[scored[0][1]]
    states = {box.name: look.state for box, look in zip(boxes, looks(grey, placing, boxes), strict=True)}
    image = keep(
        kept, f"{page.digest}-{page.number}-{variant}-{number}", straightened(grey, placing, exam.size)
    )
    return replace(told, by_hand=False, flat=True, states=dict(states), image=image)


def aside(page: PageReading) -> PageReading:
    """A page of which a person says that it is none of this exam's, or that nobody needs it."""
    return replace(page, fate="foreign", variant="", page=0, why=ASIDE)


def image_of(kept: Path, page: PageReading) -> Grey | None:
    """The picture of a page as it is kept; None when there is none."""
    from PIL import Image

    path = kept / page.image
    if not page.image or not path.is_file():
        return None
    with Image.open(path) as opened:
        return np.array(opened.convert("L"), dtype=np.uint8)


def _placings(grey: Grey, size: Size) -> list[Placing]:
    """How a page can lie whose corners are about those of its picture: upright, or the other way round."""
    height, width = grey.shape
    across, down = SIZES[size]
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


def _by_discs(grey: Grey, matrix: Floats, size: Size) -> Placing | None:
    """The map by the discs alone: all four, or three, which tell no perspective."""
    reach, blacks, count = REACH, list[float](), 0
    for reach in (REACH, 3.0):
        near = [(disc, disc_near(grey, matrix, disc, reach)) for disc in discs(size)]
        seen = [(disc, at) for disc, at in near if at is not None]
        if len(seen) < FEWEST:
            return None
        points, pixels = np.array([disc for disc, _ in seen]), np.array([at[:2] for _, at in seen])
        blacks, count = [at[2] for _, at in seen], len(seen)
        before, matrix = matrix, _fitted(points, pixels)
    dots = Placing(matrix, 0.0, count, 0.0).dots
    if not np.isfinite(dots) or dots < 1:
        return None
    off = float(np.hypot(*(mapped(matrix, points) - mapped(before, points)).T).max() / dots)
    return Placing(matrix, float(np.median(blacks)), count, off) if off <= FARTHEST else None


def _fitted(points: Floats, pixels: Floats) -> Floats:
    """The homography of four points, or the affine map of three."""
    if len(points) > FEWEST:
        return homography(points, pixels, np.ones(len(points)))
    rows = np.hstack((points, np.ones((len(points), 1))))
    solved = np.linalg.solve(rows, pixels)
    return np.vstack((solved.T, (0, 0, 1)))


def framed(grey: Grey, placing: Placing, boxes: tuple[Box, ...]) -> float:
    """The share of boxes whose printed frames are where they should be."""
    around, dots = 1.2, 8
    corners = np.array([(box.x, box.y) for box in boxes])
    seen = np.nan_to_num(patches(grey, placing.matrix, corners - around, BOX + 2 * around, dots), nan=255)
    white = np.percentile(seen, 85, axis=(1, 2))
    dark = np.clip((white[:, None, None] - seen) / np.maximum(white - placing.black, 40)[:, None, None], 0, 1)
    start, end = round((around + 0.6) * dots), round((around + BOX - 0.6) * dots)
    near = round(2 * around * dots)
    rows, columns = dark[:, :, start:end].mean(axis=2), dark[:, start:end, :].mean(axis=1)
    sides = np.stack([each for line in (rows, columns) for each in (line[:, :near], line[:, -near:])])
    return float((sides.max(axis=2) > LINE).all(axis=0).mean())
