"""Crops of scanned pages around their boxes, for people to look at."""

import base64
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

from grader.scanning.journal import SCANS_FOLDER, Journal
from grader.scanning.page_reading import KEPT_DOTS_PER_MM, PageReading, reading_stored_picture
from grader.scanning.places import PAGE_SIZES_MM, PlacedBox, ScannedExam, read_boxes
from grader.scanning.replies import Decisions, PagesByNumber, sort_pages

MARGIN_ABOVE_MM, MARGIN_BELOW_MM = 11.0, 3.0
"""The margin shown above and below the boxes of a part, in millimetres."""

PAGE_EDGE_MM = 18.0
"""The width of the empty margin at each side of a page, in millimetres."""

CROP_JPEG_QUALITY = 70
"""The JPEG quality of crops; a screen shows dozens of them."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle on a page, in millimetres from the top left corner of the page."""

    x: float
    y: float
    width: float
    height: float

    def place(self, box: PlacedBox) -> tuple[float, float, float, float]:
        """Return the left, top, width and height of a box as shares of this area."""
        left, top = (box.x - self.x) / self.width, (box.y - self.y) / self.height
        return left, top, box.width / self.width, box.height / self.height

    def holds(self, box: PlacedBox) -> bool:
        """Return whether a box lies entirely in this area."""
        left, top, width, height = self.place(box)
        return min(left, top) >= 0 and max(left + width, top + height) <= 1


def page_area(exam: ScannedExam) -> Area:
    """Return the area of a whole page."""
    return Area(0.0, 0.0, *PAGE_SIZES_MM[exam.size])


def area_around(exam: ScannedExam, boxes: Iterable[PlacedBox], across: float, down: float) -> Area:
    """Return the area around boxes of one page, with margins at the sides and above and below."""
    placed = list(boxes)
    width, height = PAGE_SIZES_MM[exam.size]
    left, top = max(0.0, min(box.x for box in placed) - across), max(0.0, min(box.y for box in placed) - down)
    right = min(width, max(box.x + box.width for box in placed) + across)
    foot = min(height, max(box.y + box.height for box in placed) + down)
    return Area(left, top, right - left, foot - top)


def crop(images: Path, page: PageReading, area: Area | None = None) -> bytes | None:
    """Return an area of a straightened page as JPEG, or the whole stored picture; None without a picture.

    Raises `OSError` for a damaged picture.
    """
    from PIL import Image

    path = images / page.image
    if not page.image or not path.is_file():
        return None
    if area is None:
        return path.read_bytes()
    corners = (area.x, area.y, area.x + area.width, area.y + area.height)
    left, top, right, bottom = (round(length * KEPT_DOTS_PER_MM) for length in corners)
    file = BytesIO()
    with reading_stored_picture(path), Image.open(path) as image:
        image.crop((left, top, right, bottom)).save(file, "JPEG", quality=CROP_JPEG_QUALITY)
    return file.getvalue()


def data_url(picture: bytes | None) -> str:
    """Return a picture as a `data:` URL; empty for None."""
    return "" if picture is None else f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}"


@dataclass(frozen=True, slots=True)
class Scans:
    """The scanned pages of an exam that count, and what people decided of them."""

    journal: Journal
    exam: ScannedExam
    read: PagesByNumber
    decided: Decisions

    @classmethod
    def of(cls, folder: Path) -> "Scans | None":
        """Read the scans of the exam in a folder; None if nothing was scanned.

        Raises `ValueError` when the places of the boxes cannot be read, or `OSError`.
        """
        if not (folder / SCANS_FOLDER).is_dir():
            return None
        exam = read_boxes(folder)
        journal = Journal.of(folder, exam)
        decided = journal.decisions()
        _, read = sort_pages(journal.pages(), decided)
        return cls(journal, exam, read, decided)

    def needed_for(self, codes: Collection[str]) -> "Scans":
        """Return the scans of these variants only, to be sent to another process."""
        layouts = {code: boxes for code, boxes in self.exam.layouts.items() if code in codes}
        read = {place: page for place, page in self.read.items() if place[0] in codes}
        decided = {subject: says for subject, says in self.decided.items() if subject[0] in codes}
        return Scans(self.journal, replace(self.exam, layouts=layouts), read, decided)

    def pages(self, variant: str) -> list[PageReading]:
        """Return the pages of a paper that were read, in order."""
        return [page for (code, _), page in sorted(self.read.items()) if code == variant]

    def crossed(self, page: PageReading) -> frozenset[str]:
        """Return the names of the boxes of a page that are crossed, by decision or by reading."""
        place = (page.variant, page.page)
        states = {name: self.decided.get((*place, name), state) for name, state in page.states.items()}
        return frozenset(name for name, state in states.items() if state == "crossed")

    def missing_pages(self, variant: str, part: str) -> tuple[int, ...]:
        """Return the pages with boxes of a part that were not scanned, if others of the paper were."""
        if not any(code == variant for code, _ in self.read):
            return ()
        return tuple(
            page
            for page, boxes in enumerate(self.exam.layout(variant), 1)
            if (variant, page) not in self.read and any(box.part == part for box in boxes)
        )

    def answer(self, variant: str, part: str) -> tuple[bytes, ...]:
        """Return the JPEG crops of a student's answer to a part: one of each page with boxes of the part.

        Of a page that is not straightened it is the whole page.
        """
        crops = []
        for page in self.pages(variant):
            boxes = [box for box in self.exam.layout(variant)[page.page - 1] if box.part == part]
            if boxes:
                crops.append(crop(self.journal.images, page, self._lines(boxes) if page.flat else None))
        return tuple(picture for picture in crops if picture is not None)

    def _lines(self, boxes: Iterable[PlacedBox]) -> Area:
        """Return the full width of the text around boxes."""
        around = area_around(self.exam, boxes, 0.0, MARGIN_ABOVE_MM)
        width = PAGE_SIZES_MM[self.exam.size][0] - 2 * PAGE_EDGE_MM
        return Area(PAGE_EDGE_MM, around.y, width, around.height - MARGIN_ABOVE_MM + MARGIN_BELOW_MM)
