"""Open scans, PDFs or pictures, as pixels, within limits on their size."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.base.hinted_error import HintedError

if TYPE_CHECKING:
    import pypdfium2

Grey = np.ndarray[Any, np.dtype[np.uint8]]
"""Grey values in rows, from 0 for black to 255 for white."""

VECTOR_DPI = 200
"""The resolution at which a PDF page without a picture is rendered, in dots per inch."""

MAX_DPI = 400
"""The greatest resolution of use, in dots per inch."""

MAX_PAGE_PIXELS = 80_000_000
"""The most pixels of one page."""

MAX_SIDE_INCHES = 100.0
"""The longest side of a page in a PDF, in inches."""

MIN_SIDE_PIXELS = 300
"""The shortest side of a page, in pixels."""

MAX_PAGES = 20_000
"""The most pages of one file."""

IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png", ".tif", ".tiff", ".webp", ".bmp")
SCAN_SUFFIXES = (".pdf", *IMAGE_SUFFIXES)


class ScanError(HintedError, ValueError):
    """A file or a page that cannot be read."""


@dataclass(frozen=True, slots=True)
class Raster:
    """One page: its pixels, and whether they were black or white only."""

    grey: Grey
    black_and_white: bool


def page_count(path: Path) -> int:
    """Return the number of pages in a file. Raises `ScanError`, or `OSError`."""
    if path.suffix.lower() == ".pdf":
        with _document(path) as document:
            count = len(document)
    elif path.suffix.lower() in IMAGE_SUFFIXES:
        with _picture(path) as opened:
            count = getattr(opened, "n_frames", 1)
    else:
        raise ScanError("this is not a scan", f"Names end in {', '.join(SCAN_SUFFIXES)}.")
    if not 0 < count <= MAX_PAGES:
        raise ScanError(f"it has {count} pages", f"At most {MAX_PAGES} are read from one file.")
    return count


def rasters(path: Path, pages: range) -> Iterator[Raster | ScanError]:
    """Open pages of a file, counted from 0; for a page that cannot be read, yield the error.

    Raises the errors of `page_count`.
    """
    is_pdf = path.suffix.lower() == ".pdf"
    read: Callable[[Any, int], Raster] = _pdf_page if is_pdf else _frame
    with _document(path) if is_pdf else _picture(path) as file:
        for number in pages:
            try:
                raster = read(file, number)
            except ScanError as error:
                yield error
                continue
            height, width = raster.grey.shape
            if min(height, width) < MIN_SIDE_PIXELS:
                yield ScanError(f"{width} by {height} pixels are no page")
            else:
                yield raster


@contextmanager
def _document(path: Path) -> "Iterator[pypdfium2.PdfDocument]":
    import pypdfium2

    path.open("rb").close()  # for an OSError, which says more than the error of the library
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        locked = "assword" in str(error)
        why = "it has a password" if locked else "it is damaged, or no PDF"
        raise ScanError(why, "Scan it again, or save it without a password." if locked else "") from None
    try:
        yield document
    finally:
        document.close()


def _pdf_page(document: "pypdfium2.PdfDocument", number: int) -> Raster:
    import pypdfium2

    try:
        page = document[number]
        width, height = (side / 72 for side in page.get_size())
        if not (0 < width <= MAX_SIDE_INCHES and 0 < height <= MAX_SIDE_INCHES):
            raise ScanError(f"a page of {width:.0f} by {height:.0f} inches")
        dots, bits = _resolution(page)
        dots = min(dots, MAX_DPI, (MAX_PAGE_PIXELS / (width * height)) ** 0.5)
        bitmap = page.render(scale=dots / 72, grayscale=True, may_draw_forms=False)
        grey = bitmap.to_numpy()
        pixels = np.array(grey[:, :, 0] if grey.ndim == 3 else grey)
        bitmap.close()
        page.close()
    except pypdfium2.PdfiumError:
        raise ScanError("this page is damaged") from None
    except MemoryError:
        raise ScanError("this page is too large") from None
    return Raster(pixels, bits == 1)


def _resolution(page: "pypdfium2.PdfPage") -> tuple[float, int]:
    """Return the dots per inch and the bits per pixel of the largest picture on a page.

    A page without a picture gets `VECTOR_DPI` and 8 bits.
    """
    import pypdfium2
    import pypdfium2.raw as raw

    best = (0.0, float(VECTOR_DPI), 8)
    for picture in page.get_objects(filter=(raw.FPDF_PAGEOBJ_IMAGE,), max_depth=3):
        try:
            across, down = picture.get_px_size()
            left, bottom, right, top = picture.get_bounds()
            if across * down > MAX_PAGE_PIXELS:
                raise ScanError(f"a picture of {across} by {down} pixels is in it")
            bits = int(picture.get_metadata().bits_per_pixel)
        except pypdfium2.PdfiumError:
            continue
        area = (right - left) * (top - bottom)
        if area > best[0] and right > left:
            best = (area, max(72.0, 72 * across / (right - left)), bits)
    return best[1], best[2]


@contextmanager
def _picture(path: Path) -> Iterator[Any]:
    from PIL import Image, UnidentifiedImageError

    try:
        opened = Image.open(path)
    except (UnidentifiedImageError, ValueError, SyntaxError):
        raise ScanError("it is damaged, or no picture") from None
    except Image.DecompressionBombError:
        raise ScanError("it has too many pixels") from None
    with opened:
        yield opened


def _frame(image: Any, number: int) -> Raster:
    from PIL import Image, ImageOps

    try:
        image.seek(number)
        width, height = image.size
        if width * height > MAX_PAGE_PIXELS:
            raise ScanError(f"{width} by {height} pixels are too many")
        if min(width, height) < MIN_SIDE_PIXELS:
            raise ScanError(f"{width} by {height} pixels are no page")
        is_black_and_white = image.mode == "1"
        upright = ImageOps.exif_transpose(image)
        return Raster(np.array(upright.convert("L"), dtype=np.uint8), is_black_and_white)
    except (OSError, ValueError, SyntaxError, EOFError):
        raise ScanError("this picture is damaged") from None
    except (MemoryError, Image.DecompressionBombError):
        raise ScanError("this picture is too large") from None
