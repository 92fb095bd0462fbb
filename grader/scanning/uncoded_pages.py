"""Pages without a readable code: a person identifies them, and their discs alone place them."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from grader.scanning.box_states import frame_share, look_at_boxes
from grader.scanning.page_location import placements_by_discs
from grader.scanning.page_reading import (
    MIN_DPI,
    MIN_FRAME_SHARE,
    PageReading,
    reading_stored_picture,
    save_page_image,
    straighten,
)
from grader.scanning.page_reasons import NAMED, SET_ASIDE
from grader.scanning.paper_condition import is_speckled
from grader.scanning.places import MM_PER_INCH, ScannedExam
from grader.scanning.rasters import Grey, Raster, is_two_valued


def identify_page(
    exam: ScannedExam, images: Path, page: PageReading, variant: str, number: int
) -> PageReading:
    """Return a page as the one that a person has named: read if its discs and frames fit, else by hand.

    A page by hand is shown as it is, and a person types the content of each group of boxes.
    """
    by_hand = replace(page, fate="read", variant=variant, page=number, states={}, by_hand=True)
    by_hand = replace(by_hand, why=NAMED)
    grey = image_of(images, page)
    boxes = exam.crossable(variant, number)
    if grey is None or page.flat or not boxes or is_two_valued(grey):
        return by_hand
    raster = Raster(grey, black_and_white=False)
    placements = [
        placement
        for placement in placements_by_discs(grey, exam.size)
        if placement.dots_per_mm * MM_PER_INCH >= MIN_DPI * 0.97
        and not is_speckled(raster, placement, exam.size)
    ]
    looks_by_placement = [look_at_boxes(grey, placement, boxes) for placement in placements]
    scores = [frame_share(looks, boxes) for looks in looks_by_placement]
    # One way up has to fit, and the other has to be clearly worse.
    if max(scores, default=0) < MIN_FRAME_SHARE or sum(score > MIN_FRAME_SHARE / 2 for score in scores) > 1:
        return by_hand
    best = scores.index(max(scores))
    placement, looks = placements[best], looks_by_placement[best]
    states: dict[str, str] = {box.name: look.state for box, look in zip(boxes, looks, strict=True)}
    stem = f"{page.digest}-{page.number}-{variant}-{number}"
    image = save_page_image(images, stem, straighten(grey, placement, exam.size))
    return replace(by_hand, by_hand=False, flat=True, states=states, image=image)


def set_page_aside(page: PageReading) -> PageReading:
    """Return a page that a person has set aside, as foreign or not needed."""
    return replace(page, fate="foreign", variant="", page=0, why=SET_ASIDE)


def image_of(images: Path, page: PageReading) -> Grey | None:
    """Open the stored picture of a page; None if there is none. Raises `OSError` for a damaged one."""
    from PIL import Image

    path = images / page.image
    if not page.image or not path.is_file():
        return None
    with reading_stored_picture(path), Image.open(path) as opened:
        return np.array(opened.convert("L"), dtype=np.uint8)
