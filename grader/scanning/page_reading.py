"""Read one page of a scan: identify the page, then read its boxes."""

import errno
from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from io import BytesIO
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

import numpy as np

from grader.base.files import write_file
from grader.base.json_records import JsonRecord
from grader.base.safe_text import safe_line
from grader.exam.folders import digest_of
from grader.exam.paper import PaperSize
from grader.scanning.box_states import BoxLook, BoxState, frame_share, look_at_boxes
from grader.scanning.codes import PageCode, read_code
from grader.scanning.page_location import (
    PagePlacement,
    code_pose,
    detect_codes,
    locate_page,
    placements_by_discs,
)
from grader.scanning.page_reasons import (
    BLACK_AND_WHITE,
    COARSE,
    COVER_SHEET,
    COVERED,
    DARK,
    EMPTY_PAGE,
    FOREIGN_CODE,
    MIRRORED,
    NEGATIVE,
    NO_CODE,
    NOT_PLACED,
    OTHER_BUILD,
    OTHER_EXAM,
    SPECKLED,
    STRANGE_CODE,
    TWO_CODES,
)
from grader.scanning.paper_condition import is_blank, is_light, is_speckled, is_speckled_everywhere
from grader.scanning.places import MM_PER_INCH, PAGE_SIZES_MM, ScannedExam
from grader.scanning.rasters import PICTURE_ERRORS, Grey, Raster, ScanError, is_two_valued, rasters

PageFate: TypeAlias = Literal["read", "person", "blank", "twice", "foreign"]
"""What becomes of a page; `twice` is known only when all pages are read."""

PAGE_FATES: tuple[PageFate, ...] = get_args(PageFate)

MIN_DPI = 120
"""The least resolution at which boxes are read, in dots per inch."""

MIN_FRAME_SHARE = 0.9
"""The least share of boxes whose printed frames are where they should be."""

KEPT_DOTS_PER_MM = 4
"""The resolution of the stored pictures of pages."""

MAX_KEPT_SIDE_PIXELS = 2_400
"""The longest side of a stored picture, in pixels."""


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

    1. No code: blank if it is light and has no ink, else for a person.
    2. No code of this program: foreign if it has no discs either, else for a person.
    3. Only mirrored codes: for a person. A mirrored code next to another shines through and is ignored.
    4. Two different codes: for a person.
    5. A code of another exam, or of another build of this one: foreign.
    6. A cover sheet: blank.
    7. A negative, or discs that do not fit: for a person.
    8. Anything for which its boxes cannot be trusted, see `_read_boxes`: for a person.
    9. Otherwise its boxes are read.
    """
    grey, stem = raster.grey, f"{start.digest}-{start.number}"
    found = detect_codes(grey)
    own_codes = [each for each in found if read_code(each.text) is not None]
    poses = [code_pose(grey, each) for each in own_codes]
    codes = [each for each, pose in zip(own_codes, poses, strict=True) if not pose.is_mirrored]
    if not found and is_light(grey) and is_blank(grey):
        return replace(start, fate="blank", why=EMPTY_PAGE)
    if found and not own_codes and not placements_by_discs(grey, exam.size):
        return replace(start, fate="foreign", why=FOREIGN_CODE)
    if why := _unidentified(grey, bool(found), bool(own_codes), {each.text for each in codes}):
        return replace(start, why=why, image=save_page_image(images, stem, grey))
    code = read_code(codes[0].text)
    assert code is not None
    if strange := _strange(exam, code):
        return replace(start, fate="foreign", why=strange)
    start = replace(start, variant=code.variant, page=code.page)
    if code.page == 0:
        return replace(start, fate="blank", why=COVER_SHEET)
    placement = locate_page(grey, codes[:2], exam.size, exam.code_offset)
    is_negative = all(pose.is_negative for pose in poses)
    if placement is None or is_negative:
        why = NEGATIVE if is_negative else SPECKLED if is_speckled_everywhere(grey) else NOT_PLACED
        return replace(start, why=why, image=save_page_image(images, stem, grey))
    image = save_page_image(images, stem, straighten(grey, placement, exam.size))
    start = replace(start, image=image, flat=True)
    return _read_boxes(exam, start, raster, placement, black_and_white)


def _unidentified(grey: Grey, has_code: bool, has_own_code: bool, texts: Set[str]) -> str:
    """Return the reason why the codes do not say which page it is; empty if they do.

    `texts` are the texts of its own codes that are not mirrored.
    """
    if not has_code and not is_light(grey):
        return DARK
    if not has_own_code:
        return SPECKLED if is_speckled_everywhere(grey) else STRANGE_CODE if has_code else NO_CODE
    if not texts:
        return MIRRORED
    return TWO_CODES if len(texts) > 1 else ""


def _read_boxes(
    exam: ScannedExam, start: PageReading, raster: Raster, placement: PagePlacement, black_and_white: bool
) -> PageReading:
    """Read the boxes of a page, unless it is too coarse, speckled, in black and white only, or covered."""
    if placement.dots_per_mm * MM_PER_INCH < MIN_DPI * 0.97:
        return replace(start, why=COARSE)
    if is_speckled(raster, placement, exam.size):
        return replace(start, why=SPECKLED)
    if raster.black_and_white and not black_and_white:
        return replace(start, why=BLACK_AND_WHITE)
    boxes = exam.crossable(start.variant, start.page)
    looks = look_at_boxes(raster.grey, placement, boxes)
    if frame_share(looks, boxes) < MIN_FRAME_SHARE:
        return replace(start, why=COVERED)
    state_of = _state_in_black_and_white if raster.black_and_white else attrgetter("state")
    states = {box.name: state_of(look) for box, look in zip(boxes, looks, strict=True)}
    return replace(start, fate="read", states=states, off=round(placement.off, 2))


def _strange(exam: ScannedExam, code: PageCode) -> str:
    """Return the reason why a page does not belong to this exam; empty if it does."""
    if code.exam != exam.exam or code.variant not in exam.codes:
        return OTHER_EXAM
    texts = exam.codes[code.variant]
    if code.page and (code.page > len(texts) or texts[code.page - 1] != code.text):
        return OTHER_BUILD
    return ""


def _state_in_black_and_white(look: BoxLook) -> BoxState:
    """Return the state of a box in a scan without grey; more of them are doubtful.

    A faint cross can vanish there, so only a box without a trace of ink is empty; a box filled with a pencil
    breaks into specks, so a cross needs its four arms.
    """
    is_sure = {"empty": look.share < 0.001, "crossed": look.has_arms}.get(look.state, True)
    return look.state if is_sure else "doubtful"


def straighten(grey: Grey, placement: PagePlacement, size: PaperSize) -> Grey:
    """Return the page without perspective, at `KEPT_DOTS_PER_MM`."""
    from PIL import Image

    width, height = PAGE_SIZES_MM[size]
    matrix = placement.matrix @ np.diag([1 / KEPT_DOTS_PER_MM, 1 / KEPT_DOTS_PER_MM, 1.0])
    reduction = max(1, int(placement.dots_per_mm / KEPT_DOTS_PER_MM / 1.3))
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
    # Without new greys, a scan in black and white is recognised when a person has said which page it is.
    resampling = Image.Resampling.NEAREST if is_two_valued(grey) else Image.Resampling.BICUBIC
    image.thumbnail((MAX_KEPT_SIDE_PIXELS, MAX_KEPT_SIDE_PIXELS), resampling)
    name, file = f"{stem}.jpg", BytesIO()
    image.save(file, "JPEG", quality=70)
    write_file(images / name, file.getvalue())
    return name


def damaged_picture(path: Path) -> OSError:
    """Return the error for a stored picture that cannot be read."""
    advice = "this stored page is damaged; remove it and its line from pages.jsonl, and scan the page again"
    return OSError(errno.EIO, advice, str(path))


@contextmanager
def reading_stored_picture(path: Path) -> Iterator[None]:
    """Turn any error of Pillow about a damaged stored picture into `OSError`."""
    from PIL import Image

    damaged: tuple[type[Exception], ...] = (*PICTURE_ERRORS, Image.DecompressionBombError)
    try:
        yield
    except damaged:
        raise damaged_picture(path) from None
