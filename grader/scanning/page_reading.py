"""One page of a scan: which page of which paper it is, and what is in its boxes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np

from grader.base.files import write_file
from grader.base.safe_text import safe_line
from grader.exam.folders import digest_of
from grader.exam.paper import PaperSize
from grader.scanning.box_states import look_at_boxes
from grader.scanning.codes import PageCode, read_code
from grader.scanning.page_location import PagePlacement, detect_codes, locate_page, placements_by_discs
from grader.scanning.places import PAGE_SIZES_MM, PlacedBox, ScannedExam
from grader.scanning.rasters import Grey, Raster, ScanError, rasters

PageFate: TypeAlias = Literal["read", "person", "blank", "twice", "foreign"]
"""What becomes of a page; that it comes `twice` is known when all pages are."""

PAGE_FATES: tuple[PageFate, ...] = get_args(PageFate)

MIN_DPI = 120
"""The fewest dots an inch at which boxes are read."""

KEPT_DOTS_PER_MM = 4
"""Dots a millimetre at which pages are kept for people to look at."""

MAX_KEPT_SIDE_PIXELS = 2_400
"""The longest side of a page that is kept, in pixels."""

MAX_BLANK_DARK_SHARE = 0.0005
"""The share of dark pixels below which a page without a code is blank."""


@dataclass(frozen=True, slots=True)
class PageReading:
    """What was read of one page of a file; JSON-able.

    - `digest`, `number`: of the file, and of the page in it, from 1.
    - `why`: why it was not read, or not without doubt.
    - `variant`, `page`: which page of which variant it is; empty and 0 where nobody knows.
    - `states`: what is in each box that is to be crossed.
    - `image`: the name of the file in which the page is kept.
    - `flat`: whether it is laid straight there, so that every place of the page is where it should be.
    - `by_hand`: whether its boxes are not read, so that a person types what each group of them says.
    """

    file: str
    digest: str
    number: int
    fate: PageFate
    why: str = ""
    variant: str = ""
    page: int = 0
    states: dict[str, str] = field(default_factory=dict)
    image: str = ""
    flat: bool = False
    by_hand: bool = False
    off: float = 0.0

    @property
    def name(self) -> str:
        """The page as people are told of it."""
        return f"{self.file}, page {self.number}"


def digest_of_file(path: Path) -> str:
    """By which bytes a file is known when it comes again."""
    return digest_of(path)[:16]


def read_pages(
    exam: ScannedExam, kept: Path, path: Path, digest: str, pages: range, black_and_white: bool
) -> Iterator[PageReading]:
    """Read some pages of a file, counted from 0, and keep them as pictures in a folder."""
    name = safe_line(path.name, 80)
    for number, raster in zip(pages, rasters(path, pages), strict=True):
        start = PageReading(name, digest, number + 1, "person")
        if isinstance(raster, ScanError):
            yield replace(start, why=str(raster))
        else:
            yield _read(exam, kept, start, raster, black_and_white)


def _read(
    exam: ScannedExam, kept: Path, start: PageReading, raster: Raster, black_and_white: bool
) -> PageReading:
    """One page that could be opened: which one it is, and what is in its boxes where these can be placed."""
    seen = detect_codes(raster.grey)
    ours = [(each, code) for each in seen if (code := read_code(each.text)) is not None]
    why = ""
    if not seen:
        if _is_blank(raster.grey):
            return replace(start, fate="blank", why="nothing is on it")
        why = "no code can be read"
    elif not ours:
        if not placements_by_discs(raster.grey, exam.size):
            return replace(start, fate="foreign", why="its code is none of this program")
        why = "none of its codes is of this program, though it has the discs"
    elif len({code.text for _, code in ours}) > 1:
        why = "two different codes are on it"
    if why:
        return replace(start, why=why, image=save_page_image(kept, _stem(start), raster.grey))
    code = ours[0][1]
    if strange := _strange(exam, code):
        return replace(start, fate="foreign", why=strange)
    start = replace(start, variant=code.variant, page=code.page)
    if code.page == 0:
        return replace(start, fate="blank", why="it is a cover sheet")
    placing = locate_page(raster.grey, [each for each, _ in ours][:2], exam.size)
    if placing is None:
        why = "fewer than three of its discs can be seen: it is cut, crumpled, or printed on other paper"
        return replace(start, why=why, image=save_page_image(kept, _stem(start), raster.grey))
    image = save_page_image(kept, _stem(start), straighten(raster.grey, placing, exam.size))
    start = replace(start, image=image, flat=True)
    if placing.dots * 25.4 < MIN_DPI * 0.97:
        why = f"it has {placing.dots * 25.4:.0f} dots an inch; at least {MIN_DPI} are needed"
        return replace(start, why=why)
    if raster.black_and_white and not black_and_white:
        why = (
            "it is black and white only, in which faint crosses are lost; scan in grey, or --black-and-white"
        )
        return replace(start, why=why)
    states = _states(raster, placing, exam.crossable(start.variant, start.page))
    return replace(start, fate="read", states=states, off=round(placing.off, 2))


def _strange(exam: ScannedExam, code: PageCode) -> str:
    """Why a page is none of this exam; empty when it is one."""
    if code.exam != exam.exam or code.variant not in exam.codes:
        return "it is a page of another exam"
    texts = exam.codes[code.variant]
    if code.page and (code.page > len(texts) or texts[code.page - 1] != code.text):
        return "it is a page of this exam as it was built at another time"
    return ""


def _states(raster: Raster, placing: PagePlacement, boxes: Sequence[PlacedBox]) -> dict[str, str]:
    """What is in each of some boxes."""
    states: dict[str, str] = {}
    for box, look in zip(boxes, look_at_boxes(raster.grey, placing, boxes), strict=True):
        # A faint cross may look empty in black and white.
        sure = not raster.black_and_white or look.share < 0.001
        states[box.name] = "doubtful" if look.state == "empty" and not sure else look.state
    return states


def _is_blank(grey: Grey) -> bool:
    small = grey[::4, ::4]
    rows, columns = (side // 20 for side in small.shape)
    middle = small[rows:-rows, columns:-columns]
    return bool((middle < np.median(middle) * 0.75).mean() < MAX_BLANK_DARK_SHARE)


def straighten(grey: Grey, placing: PagePlacement, size: PaperSize) -> Grey:
    """The page as it lies flat, so many dots a millimetre as pages are kept."""
    from PIL import Image

    width, height = PAGE_SIZES_MM[size]
    matrix = placing.matrix @ np.diag([1 / KEPT_DOTS_PER_MM, 1 / KEPT_DOTS_PER_MM, 1.0])
    factor = max(1, int(placing.dots / KEPT_DOTS_PER_MM / 1.3))
    image = Image.fromarray(grey)
    if factor > 1:
        image = image.reduce(factor)
        matrix = np.diag([1 / factor, 1 / factor, 1.0]) @ matrix
    numbers = tuple((matrix / matrix[2, 2]).reshape(-1)[:8])
    out = (round(width * KEPT_DOTS_PER_MM), round(height * KEPT_DOTS_PER_MM))
    made = image.transform(
        out, Image.Transform.PERSPECTIVE, numbers, Image.Resampling.BILINEAR, fillcolor=255
    )
    return np.asarray(made)


def _stem(reading: PageReading) -> str:
    return f"{reading.digest}-{reading.number}"


def save_page_image(kept: Path, stem: str, grey: Grey) -> str:
    """Keep a page for people to look at; the name of its file."""
    from PIL import Image

    image = Image.fromarray(grey)
    image.thumbnail((MAX_KEPT_SIDE_PIXELS, MAX_KEPT_SIDE_PIXELS))
    name, file = f"{stem}.jpg", BytesIO()
    image.save(file, "JPEG", quality=70)
    write_file(kept / name, file.getvalue())
    return name
