"""Pages without a readable code: a person identifies them, and their discs alone place them."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from grader.scanning.box_states import look_at_boxes
from grader.scanning.page_location import PagePlacement, cut_patches, placements_by_discs
from grader.scanning.page_reading import MIN_DPI, PageReading, save_page_image, straighten
from grader.scanning.places import BOX_MM, PlacedBox, ScannedExam
from grader.scanning.rasters import Grey

MIN_FRAME_SHARE = 0.8
"""The least share of boxes with a frame in its place on the page that a person has named."""

MIN_FRAME_DARKNESS = 0.3
"""The least darkness of the line of a frame, where white is 0 and black is 1."""

SET_ASIDE_REASON = "a person has set it aside"


def identify_page(
    exam: ScannedExam, images: Path, page: PageReading, variant: str, number: int
) -> PageReading:
    """Return a page as the one that a person has named: read if its discs and frames fit, else by hand.

    A page by hand is shown as it is, and a person types the content of each group of boxes.
    """
    by_hand = replace(page, fate="read", variant=variant, page=number, states={}, by_hand=True)
    by_hand = replace(by_hand, why="a person has named it")
    grey = image_of(images, page)
    boxes = exam.crossable(variant, number)
    if grey is None or page.flat or not boxes:
        return by_hand
    placements = [
        placement
        for placement in placements_by_discs(grey, exam.size)
        if placement.dots * 25.4 >= MIN_DPI * 0.97
    ]
    scores = [frame_share(grey, placement, boxes) for placement in placements]
    # One way up has to fit, and the other has to be clearly worse.
    if max(scores, default=0) < MIN_FRAME_SHARE or sum(score > MIN_FRAME_SHARE / 2 for score in scores) > 1:
        return by_hand
    placement = placements[scores.index(max(scores))]
    looks = zip(boxes, look_at_boxes(grey, placement, boxes), strict=True)
    states: dict[str, str] = {box.name: look.state for box, look in looks}
    stem = f"{page.digest}-{page.number}-{variant}-{number}"
    image = save_page_image(images, stem, straighten(grey, placement, exam.size))
    return replace(by_hand, by_hand=False, flat=True, states=states, image=image)


def set_page_aside(page: PageReading) -> PageReading:
    """Return a page that a person has set aside, as foreign or not needed."""
    return replace(page, fate="foreign", variant="", page=0, why=SET_ASIDE_REASON)


def image_of(images: Path, page: PageReading) -> Grey | None:
    """Open the stored picture of a page; None if there is none."""
    from PIL import Image

    path = images / page.image
    if not page.image or not path.is_file():
        return None
    with Image.open(path) as opened:
        return np.array(opened.convert("L"), dtype=np.uint8)


def frame_share(grey: Grey, placement: PagePlacement, boxes: tuple[PlacedBox, ...]) -> float:
    """Return the share of boxes with a printed frame in its place."""
    margin, dots = 1.2, 8
    corners = np.array([(box.x, box.y) for box in boxes])
    patches = np.nan_to_num(
        cut_patches(grey, placement.matrix, corners - margin, BOX_MM + 2 * margin, dots), nan=255
    )
    white = np.percentile(patches, 85, axis=(1, 2))
    dark = np.clip(
        (white[:, None, None] - patches) / np.maximum(white - placement.black, 40)[:, None, None], 0, 1
    )
    start, end = round((margin + 0.6) * dots), round((margin + BOX_MM - 0.6) * dots)
    band = round(2 * margin * dots)
    rows, columns = dark[:, :, start:end].mean(axis=2), dark[:, start:end, :].mean(axis=1)
    sides = np.stack([each for line in (rows, columns) for each in (line[:, :band], line[:, -band:])])
    return float((sides.max(axis=2) > MIN_FRAME_DARKNESS).all(axis=0).mean())
