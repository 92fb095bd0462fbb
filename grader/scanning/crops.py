"""Pieces of scanned pages for people to look at, cut from where the boxes are."""

import base64
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

from grader.scanning.journal import SCANS_FOLDER, Journal
from grader.scanning.page_reading import KEPT_DOTS_PER_MM, PageReading
from grader.scanning.places import PAGE_SIZES_MM, PlacedBox, ScannedExam, read_boxes
from grader.scanning.replies import PagesByNumber, sort_pages

MARGIN_ABOVE_MM, MARGIN_BELOW_MM = 11.0, 3.0
"""How much is shown above and below the boxes of a part, in millimetres."""

PAGE_EDGE_MM = 18.0
"""How much at the sides of a page is empty, in millimetres."""

JPEG_QUALITY = 70
"""Of the pictures that are cut, as JPEG."""


@dataclass(frozen=True, slots=True)
class Area:
    """A piece of a page, in millimetres from its left top corner."""

    x: float
    y: float
    width: float
    height: float

    def place(self, box: PlacedBox) -> tuple[float, float, float, float]:
        """Where a box is in it: left, top, width and height as shares of it."""
        left, top = (box.x - self.x) / self.width, (box.y - self.y) / self.height
        return left, top, box.width / self.width, box.height / self.height

    def holds(self, box: PlacedBox) -> bool:
        """Whether all of a box is in it."""
        left, top, width, height = self.place(box)
        return min(left, top) >= 0 and max(left + width, top + height) <= 1


def page_area(exam: ScannedExam) -> Area:
    """A whole page."""
    return Area(0.0, 0.0, *PAGE_SIZES_MM[exam.size])


def area_around(exam: ScannedExam, boxes: Iterable[PlacedBox], across: float, down: float) -> Area:
    """What is around some boxes of a page, so many millimetres to the sides, and above and below."""
    there = list(boxes)
    width, height = PAGE_SIZES_MM[exam.size]
    left, top = max(0.0, min(box.x for box in there) - across), max(0.0, min(box.y for box in there) - down)
    right = min(width, max(box.x + box.width for box in there) + across)
    foot = min(height, max(box.y + box.height for box in there) + down)
    return Area(left, top, right - left, foot - top)


def crop(kept: Path, page: PageReading, area: Area | None = None) -> bytes | None:
    """A piece of a page that lies straight, or all that is kept of one, as JPEG; None without a picture."""
    from PIL import Image

    path = kept / page.image
    if not page.image or not path.is_file():
        return None
    if area is None:
        return path.read_bytes()
    left, top = round(area.x * KEPT_DOTS_PER_MM), round(area.y * KEPT_DOTS_PER_MM)
    right, foot = (
        round((area.x + area.width) * KEPT_DOTS_PER_MM),
        round((area.y + area.height) * KEPT_DOTS_PER_MM),
    )
    file = BytesIO()
    with Image.open(path) as opened:
        opened.crop((left, top, right, foot)).save(file, "JPEG", quality=JPEG_QUALITY)
    return file.getvalue()


def data_url(picture: bytes | None) -> str:
    """A picture as the address of itself; empty for none."""
    return "" if picture is None else f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}"


@dataclass(frozen=True, slots=True)
class Scans:
    """The scanned pages of an exam, as they count."""

    journal: Journal
    exam: ScannedExam
    read: PagesByNumber

    @classmethod
    def of(cls, folder: Path) -> "Scans | None":
        """The scans of the exam in a folder; None where nothing was scanned.

        Raises `ValueError` when it cannot be told where the boxes are, or `OSError`.
        """
        exam = read_boxes(folder) if (folder / SCANS_FOLDER).is_dir() else None
        if exam is None:
            return None
        journal = Journal.of(folder, exam)
        _, read = sort_pages(journal.pages(), journal.decisions())
        return cls(journal, exam, read)

    def needed_for(self, codes: Collection[str]) -> "Scans":
        """Return what is needed for some variants: another process is sent no more."""
        layouts = {code: boxes for code, boxes in self.exam.layouts.items() if code in codes}
        read = {place: page for place, page in self.read.items() if place[0] in codes}
        return Scans(self.journal, replace(self.exam, layouts=layouts), read)

    def pages(self, variant: str) -> list[PageReading]:
        """The pages of a paper that were read, in order."""
        return [page for (code, _), page in sorted(self.read.items()) if code == variant]

    def answer(self, variant: str, part: str) -> tuple[bytes, ...]:
        """What a student did for a part, as JPEG: around its boxes on each page, or all of a page by hand."""
        found = []
        for page in self.pages(variant):
            boxes = [box for box in self.exam.layouts[variant][page.page - 1] if box.part == part]
            if boxes:
                found.append(crop(self.journal.images, page, self._lines(boxes) if page.flat else None))
        return tuple(picture for picture in found if picture is not None)

    def _lines(self, boxes: Iterable[PlacedBox]) -> Area:
        """The lines of a page in which some boxes are."""
        near, width = area_around(self.exam, boxes, 0.0, MARGIN_ABOVE_MM), PAGE_SIZES_MM[self.exam.size][0]
        return Area(
            PAGE_EDGE_MM, near.y, width - 2 * PAGE_EDGE_MM, near.height - MARGIN_ABOVE_MM + MARGIN_BELOW_MM
        )
