"""Open scans, PDFs or pictures, as pixels, within limits on their size."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, simplefilter

import numpy as np

from grader.base.hinted_error import HintedError
from grader.base.processes import HelperProcess
from grader.scanning.page_reasons import DAMAGED, TOO_LARGE, TOO_LONG, TOO_SMALL

if TYPE_CHECKING:
    import pypdfium2

Grey = np.ndarray[Any, np.dtype[np.uint8]]
"""Grey values in rows, from 0 for black to 255 for white."""

Bits = np.ndarray[Any, np.dtype[np.bool_]]
"""Whether each place is so: ink, or a property of each box."""

VECTOR_DPI = 200
"""The resolution at which a PDF page without a picture is rendered, in dots per inch; and the least one for
a page with several over each other, since copiers store the ink in a mask whose resolution is not known."""

MAX_DPI = 400
"""The greatest resolution of use, in dots per inch."""

MAX_PAGE_PIXELS = 80_000_000
"""The most pixels of one page."""

MAX_SIDE_INCHES = 100.0
"""The longest side of a page in a PDF, in inches."""

MIN_SIDE_PIXELS = 300
"""The shortest side of a page, in pixels."""

MAX_RENDER_SECONDS = 60.0
"""The longest that drawing one page of a PDF may take."""

MAX_PAGES = 20_000
"""The most pages of one file."""

MIN_PAGE_SHARE = 0.5
"""The least share of a page in a PDF that a picture covers if its resolution counts."""

WHITE_LEVELS = (1.0, 255.0, 4_095.0, 65_535.0, 2.0**31)
"""The values that can be white in pictures with more than 8 bits a pixel."""

MIN_GREYS_PER_EDGE = 0.25
"""Grey scans have at least this many pixels of middle grey for each edge between dark and light."""

MIN_EDGES = 200
"""With fewer edges than these a scan does not show whether it has greys."""

IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png", ".tif", ".tiff", ".webp", ".bmp")
SCAN_SUFFIXES = (".pdf", *IMAGE_SUFFIXES)
PHONE_SUFFIXES = (".heic", ".heif", ".avif")
"""Formats of phones that need libraries which are not installed everywhere."""

PICTURE_ERRORS: tuple[type[Exception], ...] = (
    *(ArithmeticError, AttributeError, EOFError, LookupError, OSError, RuntimeError),
    *(SyntaxError, TypeError, ValueError, struct.error),
)
"""The exceptions of Pillow for a damaged picture."""


class ScanError(HintedError, ValueError):
    """A file or a page that cannot be read."""


@dataclass(frozen=True, slots=True)
class Raster:
    """One page: its pixels, and whether they are black or white only, however they are stored."""

    grey: Grey
    black_and_white: bool


def page_count(path: Path) -> int:
    """Return the number of pages in a file. Raises `ScanError`, or `OSError`."""
    if path.suffix.lower() == ".pdf":
        with _document(path) as document:
            count = len(document)
    elif path.suffix.lower() in IMAGE_SUFFIXES:
        with _picture(path) as opened, _refusing_damage(path):
            count = getattr(opened, "n_frames", 1)
    else:
        raise ScanError("this file format cannot be read", _conversion_hint(path.suffix.lower()))
    if not 0 < count <= MAX_PAGES:
        raise ScanError(f"it has {count} pages", f"At most {MAX_PAGES} are read from one file.")
    return count


def rasters(path: Path, pages: range) -> Iterator[Raster | ScanError]:
    """Open pages of a file, counted from 0; for a page that cannot be read, yield the error.

    Raises the errors of `page_count`.
    """
    for raster in _pdf_pages(path, pages) if path.suffix.lower() == ".pdf" else _frames(path, pages):
        is_small = isinstance(raster, Raster) and min(raster.grey.shape) < MIN_SIDE_PIXELS
        yield ScanError(TOO_SMALL) if is_small else raster


def _frames(path: Path, pages: range) -> Iterator[Raster | ScanError]:
    """Open pages of a picture, counted from 0; for a page that cannot be read, yield the error."""
    with _picture(path) as file:
        for number in pages:
            try:
                with catch_warnings():
                    simplefilter("ignore")  # Pillow warns of damage that it can live with
                    raster = _frame(file, number)
            except ScanError as error:
                yield error
            else:
                yield raster


def _pdf_pages(path: Path, pages: range) -> Iterator[Raster | ScanError]:
    """Render pages in a process of their own: a page can take for ever, and no library can be stopped."""
    for number in pages:
        try:
            yield _RENDERER.ask((path, number))
        except TimeoutError:
            yield ScanError(TOO_LONG)
        except EOFError:
            yield ScanError(DAMAGED)


def _render(place: tuple[Path, int]) -> Raster | ScanError:
    """Render one page of a PDF, in the process for that, or return the error."""
    path, number = place
    try:
        with _document(path) as document:
            return _pdf_page(document, number)
    except ScanError as error:
        return error
    except OSError as error:
        return ScanError(error.strerror or str(error))


_RENDERER = HelperProcess(_render, MAX_RENDER_SECONDS)


def _conversion_hint(suffix: str) -> str:
    """Say how to get a file that is read from one with this suffix."""
    readable = f"Files that are read end in {', '.join(SCAN_SUFFIXES)}."
    if suffix not in PHONE_SUFFIXES:
        return readable
    return (
        f"Export the photo as JPEG, or set the camera to JPEG (iPhone: Formats, Most Compatible). {readable}"
    )


@contextmanager
def _document(path: Path) -> "Iterator[pypdfium2.PdfDocument]":
    """Open a PDF. Raises `ScanError` if it is damaged or has a password, `OSError` if it cannot be opened."""
    import pypdfium2

    path.open("rb").close()  # for an OSError, which says more than the error of the library
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        locked = "assword" in str(error)
        why = "it has a password" if locked else "it is damaged, or not a PDF"
        raise ScanError(why, "Scan it again, or save it without a password." if locked else "") from None
    try:
        yield document
    finally:
        document.close()


def _pdf_page(document: "pypdfium2.PdfDocument", number: int) -> Raster:
    """Draw a page of a PDF at the resolution of its pictures, within the limits. Raises `ScanError`."""
    import pypdfium2

    try:
        page = document[number]
        width, height = (side / 72 for side in page.get_size())
        if not (0 < width <= MAX_SIDE_INCHES and 0 < height <= MAX_SIDE_INCHES):
            raise ScanError(TOO_LARGE if max(width, height) > MAX_SIDE_INCHES else TOO_SMALL)
        dots, is_black_and_white = _resolution(page)
        dots = min(dots, MAX_DPI, (MAX_PAGE_PIXELS / (width * height)) ** 0.5)
        # The library rounds up: a little less draws each pixel of a picture that fills the page as it is.
        scale = (round(width * dots) - 0.001) / (width * 72)
        bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=False)
        grey = bitmap.to_numpy()
        pixels = np.array(grey[:, :, 0] if grey.ndim == 3 else grey)
        bitmap.close()
        page.close()
    except pypdfium2.PdfiumError:
        raise ScanError(DAMAGED) from None
    except MemoryError:
        raise ScanError(TOO_LARGE) from None
    return Raster(pixels, is_black_and_white or is_two_valued(pixels))


def _resolution(page: "pypdfium2.PdfPage") -> tuple[float, bool]:
    """Return the dots per inch at which a page is rendered, and whether its pictures have one bit a pixel.

    Of the pictures that cover most of the page the finest counts: compact PDFs have a coarse one of the
    paper, and a fine one or a mask of the ink.
    """
    import pypdfium2
    import pypdfium2.raw as raw

    width, height = page.get_size()
    resolutions, bits = [], []
    for picture in page.get_objects(filter=(raw.FPDF_PAGEOBJ_IMAGE,), max_depth=3):
        try:
            across, down = picture.get_px_size()
            left, bottom, right, top = picture.get_bounds()
            if across * down > MAX_PAGE_PIXELS:
                raise ScanError(TOO_LARGE)
            bits_per_pixel = int(picture.get_metadata().bits_per_pixel)
        except pypdfium2.PdfiumError:
            continue
        if (right - left) * (top - bottom) < MIN_PAGE_SHARE * width * height:
            continue
        resolutions.append(max(72 * across / (right - left), 72.0))
        bits.append(bits_per_pixel)
    if len(resolutions) != 1:
        resolutions.append(float(VECTOR_DPI))
    return max(resolutions), bool(bits) and max(bits) == 1


def _picture(path: Path) -> Any:
    """Open a picture with one or more frames.

    Raises `ScanError` if it cannot be read, `OSError` if it cannot be opened.
    """
    from PIL import Image

    path.open("rb").close()  # for an OSError, which says more than that of a damaged picture
    with _refusing_damage(path):
        return Image.open(path)


@contextmanager
def _refusing_damage(path: Path) -> Iterator[None]:
    """Let Pillow read a picture without its warnings; raise `ScanError` for its exceptions."""
    from PIL import Image

    try:
        with catch_warnings():
            simplefilter("ignore")
            yield
    except PICTURE_ERRORS:
        raise ScanError("it is damaged, or not a picture", _hint_by_content(path)) from None
    except Image.DecompressionBombError:
        raise ScanError("it has too many pixels") from None


def _frame(image: Any, number: int) -> Raster:
    """Return a frame of a picture, upright and grey. Raises `ScanError` for a size outside the limits."""
    from PIL import Image, ImageOps

    try:
        image.seek(number)
        width, height = image.size
        if width * height > MAX_PAGE_PIXELS:
            raise ScanError(TOO_LARGE)
        if min(width, height) < MIN_SIDE_PIXELS:
            raise ScanError(TOO_SMALL)
        is_one_bit = image.mode == "1"
        pixels = _grey(ImageOps.exif_transpose(image))
        return Raster(pixels, is_one_bit or is_two_valued(pixels))
    except ScanError:
        raise
    except PICTURE_ERRORS:
        raise ScanError(DAMAGED) from None
    except (MemoryError, Image.DecompressionBombError):
        raise ScanError(TOO_LARGE) from None


def _grey(image: Any) -> Grey:
    """Convert a picture of any mode to grey values."""
    from PIL import Image

    if image.mode.startswith(("I", "F")):
        values = np.nan_to_num(np.asarray(image, dtype=np.float64))
        greatest = float(values.max())
        white = next((level for level in WHITE_LEVELS if greatest <= level), greatest)
        return np.clip(values * (255 / white), 0, 255).astype(np.uint8)
    if image.mode == "LAB":
        image = image.getchannel("L")
    if image.has_transparency_data:
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    return np.array(image.convert("L"), dtype=np.uint8)


def is_two_valued(grey: Grey) -> bool:
    """Return whether a scan is black or white only, though it is stored in grey.

    In a grey scan the edges of all print have pixels of middle grey.
    """
    rows = grey[::7]
    light = float(np.median(rows[rows >= np.median(rows) / 2]))
    dark = rows < light * 0.5
    edges = int((dark[:, 1:] != dark[:, :-1]).sum())
    greys = int(((rows > light * 0.3) & (rows < light * 0.7)).sum())
    return edges >= MIN_EDGES and greys < MIN_GREYS_PER_EDGE * edges


def _hint_by_content(path: Path) -> str:
    """Say how to convert a photo of a phone that has the name of another format; else nothing."""
    with path.open("rb") as file:
        head = file.read(12)
    return _conversion_hint(PHONE_SUFFIXES[0]) if head[4:8] == b"ftyp" else ""
