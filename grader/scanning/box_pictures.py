"""Pictures of single boxes on straightened pages: cut out, measured and compared."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from grader.scanning.box_states import CROSS_INK_RANGE, BoxLook, look_at_boxes
from grader.scanning.likeness import MIN_INK_MM2, cut_cells, features, ink_areas
from grader.scanning.page_location import Floats, PagePlacement
from grader.scanning.page_reading import KEPT_DOTS_PER_MM, PageReading
from grader.scanning.places import PlacedBox
from grader.scanning.rasters import Grey
from grader.scanning.uncoded_pages import image_of

SHOWN_MARGIN_MM = 1.4
"""The margin around a box that is shown with it, in millimetres."""

BOX_JPEG_QUALITY = 80
"""The JPEG quality of pictures of boxes, which are small and looked at closely."""

MIN_CROSS_SPREAD, MAX_LINE_SPREAD = 0.55, 0.48
"""Ink that spreads further than this across its main direction looks like a cross, in millimetres, and ink
that spreads less like a single line or a speck."""

GAP_MM, MAX_GAP_DARKNESS = 1.6, 0.5
"""The distance from the middle of a box at which the arms of a broad cross leave gaps above, below and at the
sides, and the greatest darkness of a gap, where white is 0 and black is 1."""

BoxGuess: TypeAlias = Literal["crossed", "empty", ""]


class BoxMeasure(NamedTuple):
    """The measurements of a box to cross: its look, and how many of the four gaps of a cross it has."""

    look: BoxLook
    gaps: int


class ScannedBox(NamedTuple):
    """A box on a page that was scanned."""

    page: PageReading
    box: PlacedBox

    @property
    def key(self) -> str:
        """Its name in decisions: the variant and the box."""
        return f"{self.page.variant}/{self.box.name}"


class CellLook(NamedTuple):
    """The measurements of a box to write in: its features, and the area of its ink in square millimetres."""

    vector: Floats
    ink: float

    @property
    def looks_empty(self) -> bool:
        """Return whether hardly anything is written in it."""
        return self.ink < MIN_INK_MM2


@dataclass(slots=True)
class BoxPictures:
    """The pictures of boxes in the folder `images`; every box is measured once."""

    images: Path
    _cells: dict[str, CellLook] = field(default_factory=dict)
    _boxes: dict[str, BoxMeasure] = field(default_factory=dict)

    def crops(self, boxes: Iterable[ScannedBox]) -> list[bytes]:
        """Return each box with a margin as JPEG; empty for a page whose picture is lost."""
        from PIL import Image

        crops = []
        for page, box in boxes:
            grey = _open(self.images, page.image)
            if grey is None:
                crops.append(b"")
                continue
            left, top = (
                max(0, round((length - SHOWN_MARGIN_MM) * KEPT_DOTS_PER_MM)) for length in (box.x, box.y)
            )
            width, height = (
                round((length + 2 * SHOWN_MARGIN_MM) * KEPT_DOTS_PER_MM) for length in (box.width, box.height)
            )
            file = BytesIO()
            Image.fromarray(grey[top : top + height, left : left + width]).save(
                file, "JPEG", quality=BOX_JPEG_QUALITY
            )
            crops.append(file.getvalue())
        return crops

    def cells(self, boxes: Sequence[ScannedBox]) -> list[CellLook]:
        """Return the measurements of boxes to write in."""
        for page, cells in _by_page(each for each in boxes if each.key not in self._cells).items():
            grey = _open(self.images, page)
            if grey is None:
                looks = [CellLook(features(np.zeros((1, 2, 2)))[0], 0.0)] * len(cells)
            else:
                pictures = cut_cells(grey, [each.box for each in cells])
                areas = ink_areas(pictures).tolist()
                looks = [CellLook(*look) for look in zip(features(pictures), areas, strict=True)]
            self._cells |= {each.key: look for each, look in zip(cells, looks, strict=True)}
        return [self._cells[each.key] for each in boxes]

    def guesses(self, boxes: Sequence[ScannedBox]) -> list[tuple[BoxGuess, float]]:
        """Return what each box looks like, which a person has to confirm, and the share of ink in it.

        The guess is "" for anything unusual.

        A filled box is empty: its cross was taken back. A broad pen nearly fills boxes with crosses, too.
        """
        placement = PagePlacement(np.diag([KEPT_DOTS_PER_MM, KEPT_DOTS_PER_MM, 1.0]), 0.0, 0.0)
        for page, found in _by_page(each for each in boxes if each.key not in self._boxes).items():
            grey = _open(self.images, page)
            if grey is None:
                continue
            looks = look_at_boxes(grey, placement, [each.box for each in found])
            self._boxes |= {
                each.key: BoxMeasure(look, _count_gaps(grey, each.box))
                for each, look in zip(found, looks, strict=True)
            }
        measures = (self._boxes.get(each.key) for each in boxes)
        return [
            (_guess(each, measure), 0.0 if measure is None else measure.look.share)
            for each, measure in zip(boxes, measures, strict=True)
        ]


def _by_page(boxes: Iterable[ScannedBox]) -> Mapping[str, list[ScannedBox]]:
    """Map the picture of every page to these boxes of it."""
    pages: dict[str, list[ScannedBox]] = {}
    for each in boxes:
        pages.setdefault(each.page.image, []).append(each)
    return pages


@lru_cache(maxsize=16)
def _open(images: Path, image: str) -> Grey | None:
    return image_of(images, PageReading("", "", 0, "read", image=image))


def _count_gaps(grey: Grey, box: PlacedBox) -> int:
    """Count the gaps above, below and at the sides of the middle of a box."""
    middle = np.array([box.x + box.width / 2, box.y + box.height / 2])
    spots = (middle + np.array([(0, -GAP_MM), (0, GAP_MM), (-GAP_MM, 0), (GAP_MM, 0)])) * KEPT_DOTS_PER_MM
    around = np.array([(across, down) for across in (-1, 0) for down in (-1, 0)])
    x, y = np.clip(np.rint(spots[:, None] + around).astype(int), 0, np.array(grey.shape[::-1]) - 1).T
    reach = round((box.width / 2 + SHOWN_MARGIN_MM) * KEPT_DOTS_PER_MM)
    column, row = (max(0, round(length * KEPT_DOTS_PER_MM)) for length in middle)
    patch = grey[max(0, row - reach) : row + reach, max(0, column - reach) : column + reach]
    white = float(np.percentile(patch, 95))
    darkness = 1 - grey[y, x].mean(axis=0) / max(white, 1.0)
    return int((darkness < MAX_GAP_DARKNESS).sum())


def _guess(scanned: ScannedBox, measure: BoxMeasure | None) -> BoxGuess:
    """Guess the state of a doubtful or filled box by its ink; empty if it may be either."""
    state = scanned.page.states.get(scanned.box.name)
    if measure is None or state not in ("filled", "doubtful"):
        return ""
    look, gaps = measure
    if state == "filled" or look.share > CROSS_INK_RANGE[1]:
        return "crossed" if gaps else "empty"
    if look.minor > MIN_CROSS_SPREAD:
        return "crossed"
    return "empty" if look.minor < MAX_LINE_SPREAD else ""
