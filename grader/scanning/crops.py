"""Pieces of scanned pages for people to look at, cut from where the boxes are."""

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from grader.scanning.places import SIZES, Box, ScannedExam
from grader.scanning.reading import KEPT, PageReading

QUALITY = 70
"""Of the pictures that are cut, as JPEG."""


@dataclass(frozen=True, slots=True)
class Area:
    """A piece of a page, in millimetres from its left top corner."""

    x: float
    y: float
    width: float
    height: float

    def place(self, box: Box) -> tuple[float, float, float, float]:
        """Where a box is in it: left, top, width and height as shares of it."""
        left, top = (box.x - self.x) / self.width, (box.y - self.y) / self.height
        return left, top, box.width / self.width, box.height / self.height

    def holds(self, box: Box) -> bool:
        """Whether all of a box is in it."""
        left, top, width, height = self.place(box)
        return min(left, top) >= 0 and max(left + width, top + height) <= 1


def whole(exam: ScannedExam) -> Area:
    """A whole page."""
    return Area(0.0, 0.0, *SIZES[exam.size])


def around(exam: ScannedExam, boxes: Iterable[Box], across: float, down: float) -> Area:
    """What is around some boxes of a page, so many millimetres to the sides, and above and below."""
    there = list(boxes)
    width, height = SIZES[exam.size]
    left, top = max(0.0, min(box.x for box in there) - across), max(0.0, min(box.y for box in there) - down)
    right = min(width, max(box.x + box.width for box in there) + across)
    foot = min(height, max(box.y + box.height for box in there) + down)
    return Area(left, top, right - left, foot - top)


def cut(kept: Path, page: PageReading, area: Area | None = None) -> bytes | None:
    """A piece of a page that lies straight, or all that is kept of one, as JPEG; None without a picture."""
    from PIL import Image

    path = kept / page.image
    if not page.image or not path.is_file():
        return None
    if area is None:
        return path.read_bytes()
    left, top = round(area.x * KEPT), round(area.y * KEPT)
    right, foot = round((area.x + area.width) * KEPT), round((area.y + area.height) * KEPT)
    file = BytesIO()
    with Image.open(path) as opened:
        opened.crop((left, top, right, foot)).save(file, "JPEG", quality=QUALITY)
    return file.getvalue()


def address(picture: bytes | None) -> str:
    """A picture as the address of itself; empty for none."""
    return "" if picture is None else f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}"
