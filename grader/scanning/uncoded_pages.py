"""Pages that no code names: a person says which they are, and the discs alone place them."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from grader.scanning.box_states import look_at_boxes
from grader.scanning.page_location import PagePlacement, cut_patches, placements_by_discs
from grader.scanning.page_reading import MIN_DPI, PageReading, save_page_image, straighten
from grader.scanning.places import BOX_MM, PlacedBox, ScannedExam
from grader.scanning.rasters import Grey

MIN_FRAME_SHARE = 0.8
"""The least share of boxes whose frames are where they should be, when a page is the one it is said to be."""

MIN_FRAME_DARKNESS = 0.3
"""How dark the line of a frame is at the least, where white is 0 and black is 1."""

SET_ASIDE_REASON = "a person has set it aside"


def identify_page(exam: ScannedExam, kept: Path, page: PageReading, variant: str, number: int) -> PageReading:
    """A page as what a person says that it is: read where its discs and frames agree, else by hand.

    A page by hand is shown as it is, and a person types what each group of its boxes says.
    """
    told = replace(page, fate="read", variant=variant, page=number, states={}, by_hand=True)
    told = replace(told, why="a person has named it")
    grey = image_of(kept, page)
    boxes = exam.crossable(variant, number)
    if grey is None or page.flat or not boxes:
        return told
    fine = [each for each in placements_by_discs(grey, exam.size) if each.dots * 25.4 >= MIN_DPI * 0.97]
    scored = sorted(((frame_share(grey, each, boxes), at) for at, each in enumerate(fine)), reverse=True)
    if (
        not scored
        or scored[0][0] < MIN_FRAME_SHARE
        or (len(scored) > 1 and scored[1][0] > MIN_FRAME_SHARE / 2)
    ):
        return told
    placing = fine[scored[0][1]]
    states = {
        box.name: look.state for box, look in zip(boxes, look_at_boxes(grey, placing, boxes), strict=True)
    }
    image = save_page_image(
        kept, f"{page.digest}-{page.number}-{variant}-{number}", straighten(grey, placing, exam.size)
    )
    return replace(told, by_hand=False, flat=True, states=dict(states), image=image)


def set_page_aside(page: PageReading) -> PageReading:
    """A page of which a person says that it is none of this exam's, or that nobody needs it."""
    return replace(page, fate="foreign", variant="", page=0, why=SET_ASIDE_REASON)


def image_of(kept: Path, page: PageReading) -> Grey | None:
    """The picture of a page as it is kept; None when there is none."""
    from PIL import Image

    path = kept / page.image
    if not page.image or not path.is_file():
        return None
    with Image.open(path) as opened:
        return np.array(opened.convert("L"), dtype=np.uint8)


def frame_share(grey: Grey, placing: PagePlacement, boxes: tuple[PlacedBox, ...]) -> float:
    """The share of boxes whose printed frames are where they should be."""
    around, dots = 1.2, 8
    corners = np.array([(box.x, box.y) for box in boxes])
    seen = np.nan_to_num(
        cut_patches(grey, placing.matrix, corners - around, BOX_MM + 2 * around, dots), nan=255
    )
    white = np.percentile(seen, 85, axis=(1, 2))
    dark = np.clip((white[:, None, None] - seen) / np.maximum(white - placing.black, 40)[:, None, None], 0, 1)
    start, end = round((around + 0.6) * dots), round((around + BOX_MM - 0.6) * dots)
    near = round(2 * around * dots)
    rows, columns = dark[:, :, start:end].mean(axis=2), dark[:, start:end, :].mean(axis=1)
    sides = np.stack([each for line in (rows, columns) for each in (line[:, :near], line[:, -near:])])
    return float((sides.max(axis=2) > MIN_FRAME_DARKNESS).all(axis=0).mean())
