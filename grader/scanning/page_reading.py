"""Read one page of a scan: identify the page, then read its boxes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

import numpy as np

from grader.base.files import write_file
from grader.base.json_records import JsonRecord
from grader.base.safe_text import safe_line
from grader.exam.folders import digest_of
from grader.exam.paper import PaperSize
from grader.scanning.box_states import look_at_boxes
from grader.scanning.codes import PageCode, read_code
from grader.scanning.page_location import PagePlacement, detect_codes, locate_page, placements_by_discs
from grader.scanning.places import PAGE_SIZES_MM, PlacedBox, ScannedExam
from grader.scanning.rasters import Grey, Raster, ScanError, rasters

PageFate: TypeAlias = Literal["read", "person", "blank", "twice", "foreign"]
"""What becomes of a page; `twice` is known only when all pages are read."""

PAGE_FATES: tuple[PageFate, ...] = get_args(PageFate)

MIN_DPI = 120
"""The least resolution at which boxes are read, in dots per inch."""

KEPT_DOTS_PER_MM = 4
"""The resolution of the stored pictures of pages."""

MAX_KEPT_SIDE_PIXELS = 2_400
"""The longest side of a stored picture, in pixels."""

MAX_BLANK_DARK_SHARE = 0.0005
"""The share of dark pixels below which a page without a code is blank."""


@dataclass(frozen=True, slots=True)
class PageReading(JsonRecord):
    """The reading of one page of a file.

    - `digest`, `number`: the digest of the file, and the number of the page in it, from 1.
    - `why`: the reason for its fate, if there is one.
    - `variant`, `page`: its place in the exam; "" and 0 if unknown.
    - `states`: the state of each box that is to be crossed.
    - `image`: the file name of the stored picture.
    - `flat`: whether that picture is straightened, so that places in millimetres apply to it.
    - `by_hand`: whether its boxes are not read, and a person types the content of each group of boxes.
    - `off`: the error of the worst mark on it, in millimetres.
    """

    file: Annotated[str, "file"]
    digest: Annotated[str, "digest"]
    number: Annotated[int, "number"]
    fate: Annotated[PageFate, "fate"]
    why: Annotated[str, "why"] = ""
    variant: Annotated[str, "variant"] = ""
    page: Annotated[int, "page"] = 0
    states: Annotated[dict[str, str], "states"] = field(default_factory=dict)
    image: Annotated[str, "image"] = ""
    flat: Annotated[bool, "flat"] = False
    by_hand: Annotated[bool, "by_hand"] = False
    off: Annotated[float, "off"] = 0.0

    @property
    def name(self) -> str:
        """The page in messages."""
        return f"{self.file}, page {self.number}"


def digest_of_file(path: Path) -> str:
    """Return the digest by which a file is recognised when it is scanned again."""
    return digest_of(path)[:16]


def read_pages(
    exam: ScannedExam, images: Path, path: Path, digest: str, pages: range, black_and_white: bool
) -> Iterator[PageReading]:
    """Read pages of a file, counted from 0, and store their pictures in the folder `images`."""
    name = safe_line(path.name, 80)
    for number, raster in zip(pages, rasters(path, pages), strict=True):
        start = PageReading(name, digest, number + 1, "person")
        if isinstance(raster, ScanError):
            yield replace(start, why=str(raster))
        else:
            yield _read(exam, images, start, raster, black_and_white)


def _read(
    exam: ScannedExam, images: Path, start: PageReading, raster: Raster, black_and_white: bool
) -> PageReading:
    """Read one page. The first rule that applies decides its fate.

    1. No code: blank if it has no ink, else for a person.
    2. No code of this program: foreign if it has no discs either, else for a person.
    3. Two different codes: for a person.
    4. A code of another exam, or of another build of this one: foreign.
    5. A cover sheet: blank.
    6. Discs that do not fit, a resolution below `MIN_DPI`, or only black and white: for a person.
    7. Otherwise its boxes are read.
    """
    stem = f"{start.digest}-{start.number}"
    codes = detect_codes(raster.grey)
    own_codes = [(each, code) for each in codes if (code := read_code(each.text)) is not None]
    why = ""
    if not codes:
        if _is_blank(raster.grey):
            return replace(start, fate="blank", why="nothing is on it")
        why = "no code can be read"
    elif not own_codes:
        if not placements_by_discs(raster.grey, exam.size):
            return replace(start, fate="foreign", why="its code is none of this program")
        why = "none of its codes is of this program, though it has the discs"
    elif len({code.text for _, code in own_codes}) > 1:
        why = "two different codes are on it"
    if why:
        return replace(start, why=why, image=save_page_image(images, stem, raster.grey))
    code = own_codes[0][1]
    if strange := _strange(exam, code):
        return replace(start, fate="foreign", why=strange)
    start = replace(start, variant=code.variant, page=code.page)
    if code.page == 0:
        return replace(start, fate="blank", why="it is a cover sheet")
    placement = locate_page(raster.grey, [each for each, _ in own_codes][:2], exam.size)
    if placement is None:
        why = "fewer than three of its discs can be seen: it is cut, crumpled, or printed on other paper"
        return replace(start, why=why, image=save_page_image(images, stem, raster.grey))
    image = save_page_image(images, stem, straighten(raster.grey, placement, exam.size))
    start = replace(start, image=image, flat=True)
    if placement.dots * 25.4 < MIN_DPI * 0.97:
        why = f"it has {placement.dots * 25.4:.0f} dots an inch; at least {MIN_DPI} are needed"
        return replace(start, why=why)
    if raster.black_and_white and not black_and_white:
        why = (
            "it is black and white only, in which faint crosses are lost; scan in grey, or --black-and-white"
        )
        return replace(start, why=why)
    states = _states(raster, placement, exam.crossable(start.variant, start.page))
    return replace(start, fate="read", states=states, off=round(placement.off, 2))


def _strange(exam: ScannedExam, code: PageCode) -> str:
    """Return the reason why a page does not belong to this exam; empty if it does."""
    if code.exam != exam.exam or code.variant not in exam.codes:
        return "it is a page of another exam"
    texts = exam.codes[code.variant]
    if code.page and (code.page > len(texts) or texts[code.page - 1] != code.text):
        return "it is a page of this exam as it was built at another time"
    return ""


def _states(raster: Raster, placement: PagePlacement, boxes: Sequence[PlacedBox]) -> dict[str, str]:
    """Read the states of boxes, by name."""
    states: dict[str, str] = {}
    for box, look in zip(boxes, look_at_boxes(raster.grey, placement, boxes), strict=True):
        # A faint cross can vanish in black and white, so only a clean box counts as empty.
        is_sure = not raster.black_and_white or look.share < 0.001
        states[box.name] = "doubtful" if look.state == "empty" and not is_sure else look.state
    return states


def _is_blank(grey: Grey) -> bool:
    small = grey[::4, ::4]
    rows, columns = (side // 20 for side in small.shape)
    middle = small[rows:-rows, columns:-columns]  # scanners leave dark edges
    return bool((middle < np.median(middle) * 0.75).mean() < MAX_BLANK_DARK_SHARE)


def straighten(grey: Grey, placement: PagePlacement, size: PaperSize) -> Grey:
    """Return the page without perspective, at `KEPT_DOTS_PER_MM`."""
    from PIL import Image

    width, height = PAGE_SIZES_MM[size]
    matrix = placement.matrix @ np.diag([1 / KEPT_DOTS_PER_MM, 1 / KEPT_DOTS_PER_MM, 1.0])
    reduction = max(1, int(placement.dots / KEPT_DOTS_PER_MM / 1.3))
    image = Image.fromarray(grey)
    if reduction > 1:
        image = image.reduce(reduction)
        matrix = np.diag([1 / reduction, 1 / reduction, 1.0]) @ matrix
    coefficients = tuple((matrix / matrix[2, 2]).reshape(-1)[:8])
    output_size = (round(width * KEPT_DOTS_PER_MM), round(height * KEPT_DOTS_PER_MM))
    straightened = image.transform(
        output_size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BILINEAR, fillcolor=255
    )
    return np.asarray(straightened)


def save_page_image(images: Path, stem: str, grey: Grey) -> str:
    """Store the picture of a page for people to look at; return its file name."""
    from PIL import Image

    image = Image.fromarray(grey)
    image.thumbnail((MAX_KEPT_SIDE_PIXELS, MAX_KEPT_SIDE_PIXELS))
    name, file = f"{stem}.jpg", BytesIO()
    image.save(file, "JPEG", quality=70)
    write_file(images / name, file.getvalue())
    return name
