"""The files that scanners, copiers and phones make: each is read rightly, or refused with its reason."""

import struct
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pypdf
import pytest
from PIL import Image, ImageCms
from pypdf.generic import NameObject, NumberObject

from grader.publishing.scan_sheet import scanned_paper as paper_with_boxes
from grader.scanning.page_reading import PageReading, read_pages
from grader.scanning.page_reasons import (
    BLACK_AND_WHITE,
    COARSE,
    DAMAGED,
    DARK,
    EMPTY_PAGE,
    MIRRORED,
    NEGATIVE,
    NO_CODE,
    SPECKLED,
    TOO_SMALL,
)
from grader.scanning.places import ScannedExam
from grader.scanning.rasters import ScanError, page_count
from tests.scanning.accidents import clustered_dither, diffused_dither, ordered_dither
from tests.scanning.desks import without_codes
from tests.scanning.papers import Grey, asking, pixels
from tests.scanning.simulator import DEVICES, PENS, Page, scanned, straight

DPI = 200
PAPER = asking("MAX A (MIN B (3 12 8) MIN C (2 4 6))", "pruned-paths", "node-values", scan="choice").public

Make = Callable[[Grey], bytes]


@cache
def exam() -> tuple[ScannedExam, tuple[str, ...], Grey, bytes]:
    """An exam of one page, its crossed boxes, the scan of that page, and the page as it is printed."""
    made = paper_with_boxes(PAPER)
    (printed,) = pixels(made.pdf)
    (boxes,) = made.layout
    page, random = Page(printed), np.random.default_rng(21)
    crossed = [box for box in boxes if not box.is_written][1::4]
    for box in crossed:
        page.draw(straight(random, box), PENS["ballpoint"], random)
    grey = scanned(page, DEVICES["office 150"], random)
    grey = np.asarray(Image.fromarray(grey).resize((1654, 2339)))
    texts = {PAPER.code: tuple(code.text for code in made.codes)}
    known = ScannedExam(made.codes[0].exam, "a4", texts, {PAPER.code: made.layout})
    return known, tuple(box.name for box in crossed), grey, made.pdf


LEAST_WORK: Mapping[str, Mapping[str, int]] = {
    "PNG": {"compress_level": 1},
    "WEBP": {"method": 0},
    "AVIF": {"speed": 10},
}
"""What makes the encoder of a format quick."""


def saved(image: Image.Image, form: str, **options: object) -> bytes:
    """A picture as a file, with as little work as its format allows: its readers see the same pixels."""
    file = BytesIO()
    image.save(file, form, **{**LEAST_WORK.get(form, {}), **options})
    return file.getvalue()


def as_mode(mode: str, form: str, **options: object) -> Make:
    """A page as a picture of this mode."""
    return lambda grey: saved(Image.fromarray(grey).convert(mode), form, **options)


def of(change: Callable[[Grey], np.ndarray], form: str, **options: object) -> Make:
    """A page with other values, as a file."""
    return lambda grey: saved(Image.fromarray(change(grey)), form, **options)


def ink_on_transparent(mode: str) -> Make:
    """Black ink of which only the opacity tells where it is, on black paper that is transparent."""

    def make(grey: Grey) -> bytes:
        ink = Image.fromarray(255 - grey)
        black = Image.new("L", ink.size, 0)
        return saved(Image.merge(mode, [black] * (len(mode) - 1) + [ink]), "PNG")

    return make


def lab(grey: Grey) -> bytes:
    """A TIFF in the colours of CIELAB."""
    profiles = (ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"))
    made = ImageCms.profileToProfile(Image.fromarray(grey).convert("RGB"), *profiles, outputMode="LAB")
    assert made is not None
    return saved(made, "TIFF")


def png(rows: np.ndarray, depth: int, colours: int) -> bytes:
    """A PNG of samples that Pillow does not write."""
    height, width = rows.shape[0], rows.shape[1] * (2 if depth == 4 else 1)
    lines = b"".join(b"\0" + row.tobytes() for row in rows)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def png_with_16_bit_colours(grey: Grey) -> bytes:
    """A PNG with three samples of 16 bits."""
    return png(np.repeat(grey[:, :, None].astype(">u2") * 257, 3, axis=2), 16, 2)


def png_with_4_bit_greys(grey: Grey) -> bytes:
    """A PNG with two pixels in a byte."""
    nibbles = grey[:, : grey.shape[1] // 2 * 2] >> 4
    return png(nibbles[:, ::2] << 4 | nibbles[:, 1::2], 4, 0)


def pages(grey: Grey, form: str, **options: object) -> bytes:
    """A file whose second page is blank."""
    blank = Image.new("L", (1654, 2339), 250)
    return saved(Image.fromarray(grey), form, save_all=True, append_images=[blank], **options)


def picture_pdf(*objects: tuple[str, bytes], drawn: str = "/0") -> bytes:
    """A PDF of A4 on which pictures, each with its dictionary and its data, are drawn over each other."""
    show = "\n".join(f"q 595.28 0 0 841.89 0 0 cm {name} Do Q" for name in drawn.split())
    xobjects = " ".join(f"/{place} {5 + place} 0 R" for place in range(len(objects)))
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595.28 841.89]/Contents 4 0 R"
        f"/Resources<</XObject<<{xobjects}>>>>>>".encode(),
        f"<</Length {len(show)}>>\nstream\n{show}\nendstream".encode(),
        *(
            f"<</Type/XObject/Subtype/Image {entries}/Length {len(data)}>>\nstream\n".encode()
            + data
            + b"\nendstream"
            for entries, data in objects
        ),
    ]
    file, starts = b"%PDF-1.7\n", []
    for number, part in enumerate(parts, 1):
        starts.append(len(file))
        file += f"{number} 0 obj\n".encode() + part + b"\nendobj\n"
    table = "".join(f"{start:010} 00000 n \n" for start in starts)
    count = len(parts) + 1
    tail = f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer<</Size {count}/Root 1 0 R>>\n"
    return file + f"{tail}startxref\n{len(file)}\n%%EOF\n".encode()


def grey_entries(width: int, height: int, more: str = "") -> str:
    """The dictionary of a picture in grey."""
    size = f"/Width {width}/Height {height}/BitsPerComponent 8"
    return f"{size}/ColorSpace/DeviceGray/Filter/FlateDecode{more}"


def bits_of(grey: Grey) -> tuple[str, bytes]:
    """The ink of a page at 300 dots an inch: its size as entries, and its bits."""
    fine = np.asarray(Image.fromarray(grey).resize((2480, 3508)))
    return "/Width 2480/Height 3508", zlib.compress(np.packbits(fine < 170, axis=1).tobytes())


def compact_pdf(grey: Grey, with_mask: bool) -> bytes:
    """A compact PDF of a copier: coarse paper, and fine ink as a stencil or as the mask of a picture."""
    size, bits = bits_of(grey)
    paper, dark = (zlib.compress(np.full((1170, 827), value, np.uint8).tobytes()) for value in (246, 30))
    ground = (grey_entries(827, 1170), paper)
    if not with_mask:
        stencil = (f"{size}/ImageMask true/BitsPerComponent 1/Decode[1 0]/Filter/FlateDecode", bits)
        return picture_pdf(ground, stencil, drawn="/0 /1")
    mask = (f"{size}/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/FlateDecode", bits)
    ink = (grey_entries(827, 1170, "/SMask 7 0 R"), dark)
    return picture_pdf(ground, ink, mask, drawn="/0 /1")


def pdf(grey: Grey, form: str = "L", **options: object) -> bytes:
    """A PDF of one picture."""
    return saved(Image.fromarray(grey).convert(form), "PDF", resolution=DPI, **options)


def changed_pdf(change: Callable[[pypdf.PdfWriter], object]) -> Make:
    """A PDF with something changed in it."""

    def make(grey: Grey) -> bytes:
        writer = pypdf.PdfWriter(clone_from=BytesIO(pdf(grey)))
        change(writer)
        file = BytesIO()
        writer.write(file)
        return file.getvalue()

    return make


def turned(writer: pypdf.PdfWriter) -> None:
    """Turn the page in its viewer, not in its picture."""
    writer.pages[0].rotate(90)


def in_larger_units(writer: pypdf.PdfWriter) -> None:
    """Count lengths in half inches over 36."""
    page = writer.pages[0]
    page.scale_by(0.5)
    page[NameObject("/UserUnit")] = NumberObject(2)


def scaled(grey: Grey, dpi: int) -> Grey:
    """The page with so many dots an inch."""
    size = (round(grey.shape[1] * dpi / DPI), round(grey.shape[0] * dpi / DPI))
    return np.asarray(Image.fromarray(grey).resize(size))


def black_and_white(grey: Grey) -> Grey:
    """The page in two values."""
    return np.where(grey > 150, 255, 0).astype(np.uint8)


def with_orientation(turn: int, tag: int, form: str) -> Make:
    """A page that lies turned, with the note by which it is shown upright."""

    def make(grey: Grey) -> bytes:
        exif = Image.Exif()
        exif[0x0112] = tag
        return saved(Image.fromarray(np.ascontiguousarray(np.rot90(grey, turn))), form, exif=exif)

    return make


FLOATS = np.float32
READ: Mapping[str, Make] = {
    "grey.png": as_mode("L", "PNG"),
    "colour.png": as_mode("RGB", "PNG"),
    "palette.png": as_mode("P", "PNG"),
    "alpha.png": as_mode("RGBA", "PNG"),
    "ink-on-transparent.png": ink_on_transparent("RGBA"),
    "grey-ink-on-transparent.png": ink_on_transparent("LA"),
    "16-bit.png": of(lambda grey: grey.astype(np.uint16) * 257, "PNG"),
    "12-bit.png": of(lambda grey: grey.astype(np.uint16) * 16, "PNG"),
    "16-bit-colour.png": png_with_16_bit_colours,
    "4-bit.png": png_with_4_bit_greys,
    "grey.tif": as_mode("L", "TIFF"),
    "lzw.tif": as_mode("L", "TIFF", compression="tiff_lzw"),
    "deflate.tif": as_mode("L", "TIFF", compression="tiff_adobe_deflate"),
    "packbits.tiff": as_mode("L", "TIFF", compression="packbits"),
    "jpeg.tif": as_mode("RGB", "TIFF", compression="jpeg"),
    "colour.tif": as_mode("RGB", "TIFF"),
    "cmyk.tif": as_mode("CMYK", "TIFF"),
    "ycbcr.tif": as_mode("YCbCr", "TIFF"),
    "lab.tif": lab,
    "alpha.tif": as_mode("RGBA", "TIFF"),
    "white-is-zero.tif": as_mode("L", "TIFF", tiffinfo={262: 0}),
    "16-bit.tif": of(lambda grey: grey.astype(np.uint16) * 257, "TIFF"),
    "16-bit-big-endian.tif": of(lambda grey: (grey.astype(np.uint16) * 257).astype(">u2"), "TIFF"),
    "32-bit.tif": of(lambda grey: grey.astype(np.int32) * 257, "TIFF"),
    "float-to-one.tif": of(lambda grey: (grey / 255).astype(FLOATS), "TIFF"),
    "float-to-255.tif": of(lambda grey: grey.astype(FLOATS), "TIFF"),
    "pages.tif": lambda grey: pages(grey, "TIFF"),
    "turned.tif": with_orientation(2, 3, "TIFF"),
    "grey.jpg": as_mode("L", "JPEG"),
    "colour.jpeg": as_mode("RGB", "JPEG"),
    "progressive.jpg": as_mode("RGB", "JPEG", progressive=True),
    "cmyk.jpg": as_mode("CMYK", "JPEG"),
    "poor.jpg": as_mode("L", "JPEG", quality=25),
    "upside-down.jpg": with_orientation(2, 3, "JPEG"),
    "sideways.jpg": with_orientation(1, 6, "JPEG"),
    "photo.webp": as_mode("RGB", "WEBP", quality=60),
    "lossless.webp": as_mode("RGB", "WEBP", lossless=True),
    "grey.bmp": as_mode("L", "BMP"),
    "colour.bmp": as_mode("RGB", "BMP"),
    "CAPITALS.JPG": as_mode("L", "JPEG"),
    "jpeg.pdf": pdf,
    "colour.pdf": lambda grey: pdf(grey, "RGB"),
    "jpeg-2000.pdf": lambda grey: pdf(grey, "RGBA"),
    "flate.pdf": lambda grey: picture_pdf((grey_entries(1654, 2339), zlib.compress(grey.tobytes(), 1))),
    "pages.pdf": lambda grey: pages(grey, "PDF", resolution=DPI),
    "turned.pdf": changed_pdf(turned),
    "units.pdf": changed_pdf(in_larger_units),
    "owner-password.pdf": changed_pdf(lambda writer: writer.encrypt("", "secret")),
    "compact-stencil.pdf": lambda grey: compact_pdf(grey, with_mask=False),
    "compact-mask.pdf": lambda grey: compact_pdf(grey, with_mask=True),
    "150-dots.pdf": lambda grey: saved(Image.fromarray(scaled(grey, 150)), "PDF", resolution=150),
}
"""Files that are read; the first page of each is the page."""

BLANK = np.full((2339, 1654), 250, np.uint8)


def one_bit(form: str, **options: object) -> Make:
    """The page in a format of one bit a pixel."""
    return lambda grey: saved(Image.fromarray(black_and_white(grey)).convert("1"), form, **options)


PERSON: Mapping[str, tuple[Make, str]] = {
    "1-bit.png": (one_bit("PNG"), BLACK_AND_WHITE),
    "group-3.tif": (one_bit("TIFF", compression="group3"), BLACK_AND_WHITE),
    "group-4.tif": (one_bit("TIFF", compression="group4"), BLACK_AND_WHITE),
    "1-bit.bmp": (one_bit("BMP"), BLACK_AND_WHITE),
    "group-4.pdf": (lambda grey: pdf(black_and_white(grey), "1"), BLACK_AND_WHITE),
    "two-valued.png": (of(black_and_white, "PNG"), BLACK_AND_WHITE),
    "two-valued.jpg": (of(black_and_white, "JPEG", quality=60), BLACK_AND_WHITE),
    "two-valued.pdf": (lambda grey: pdf(black_and_white(grey)), BLACK_AND_WHITE),
    "halftone.png": (of(lambda grey: diffused_dither(grey, np.random.default_rng(1)), "PNG"), SPECKLED),
    "halftone.pdf": (lambda grey: pdf(diffused_dither(grey, np.random.default_rng(1)), "1"), SPECKLED),
    "halftone-without-code.png": (
        of(lambda grey: ordered_dither(without_codes(grey, DPI), np.random.default_rng(1)), "PNG"),
        SPECKLED,
    ),
    "halftone-cut-off.png": (
        of(lambda grey: clustered_dither(grey, np.random.default_rng(1))[150:-150], "PNG"),
        SPECKLED,
    ),
    "without-code.png": (of(lambda grey: without_codes(grey, DPI), "PNG"), NO_CODE),
    "101-dots.pdf": (
        lambda grey: saved(Image.fromarray(scaled(grey, 101)), "PDF", resolution=101),
        COARSE,
    ),
    "negative.png": (of(lambda grey: 255 - grey, "PNG"), NEGATIVE),
    "negative-16-bit.tif": (of(lambda grey: (255 - grey).astype(np.uint16) * 257, "TIFF"), NEGATIVE),
    "mirrored.png": (of(lambda grey: np.ascontiguousarray(grey[:, ::-1]), "PNG"), MIRRORED),
    "dark.png": (of(lambda grey: np.full_like(grey, 12), "PNG"), DARK),
    "small.png": (of(lambda grey: np.ascontiguousarray(grey[:200, :200]), "PNG"), TOO_SMALL),
    "broken.png": (lambda grey: saved(Image.fromarray(grey), "PNG")[:20_000], DAMAGED),
    "broken.jpg": (lambda grey: saved(Image.fromarray(grey), "JPEG")[:5_000], DAMAGED),
}
"""Pages that a person gets, with the reason."""

EMPTY: Mapping[str, Make] = {
    "blank.png": lambda _grey: saved(Image.fromarray(BLANK), "PNG"),
    "blank-16-bit.tif": lambda _grey: saved(Image.fromarray(BLANK.astype(np.uint16) * 257), "TIFF"),
    "halftone-of-nothing.png": of(
        lambda grey: diffused_dither(np.full_like(grey, 240), np.random.default_rng(1)), "PNG"
    ),
    "transparent.png": lambda _grey: saved(Image.new("LA", (1654, 2339)), "PNG"),
}
"""Pages with nothing on them."""

HEIC = b"\0\0\0\x18ftypheic\0\0\0\0heicmif1" + bytes(200)
REFUSED: Mapping[str, tuple[Make, str]] = {
    "photo.heic": (lambda _grey: HEIC, "JPEG"),
    "photo.HEIF": (lambda _grey: HEIC, "JPEG"),
    "photo.avif": (as_mode("RGB", "AVIF"), "JPEG"),
    "photo-in-fact-heic.jpg": (lambda _grey: HEIC, "JPEG"),
    "animated.gif": (as_mode("P", "GIF"), ".pdf, .jpg"),
    "page.jp2": (as_mode("L", "JPEG2000"), ".pdf, .jpg"),
    "page.txt": (lambda _grey: b"5 6 9", ".pdf, .jpg"),
    "page": (as_mode("L", "PNG"), ".pdf, .jpg"),
    "password.pdf": (changed_pdf(lambda writer: writer.encrypt("secret")), "password"),
    "empty.pdf": (lambda _grey: b"", ""),
    "zip.pdf": (lambda _grey: b"PK\3\4" + bytes(100), ""),
}
"""Files that are refused whole, with a word of what to do."""


def read(folder: Path, name: str, make: Make, black_and_white: bool = False) -> PageReading:
    """What is read of the first page of a file."""
    known, _, grey, _ = exam()
    path = folder / name
    path.write_bytes(make(grey))
    assert page_count(path) == (2 if name.startswith("pages") else 1)
    return next(iter(read_pages(known, folder, path, "digest", range(1), black_and_white)))


def assert_read(found: PageReading) -> None:
    """Hold what is read to the crosses."""
    _, crossed, _, _ = exam()
    assert (found.fate, found.why) == ("read", "")
    decided = {name: state for name, state in found.states.items() if state in ("empty", "crossed")}
    assert len(decided) >= len(found.states) - 2
    assert decided == {name: "crossed" if name in crossed else "empty" for name in decided}


@pytest.mark.parametrize("name", READ)
def test_files_are_read(tmp_path: Path, name: str) -> None:
    """Whatever the file, its crosses are read."""
    assert_read(read(tmp_path, name, READ[name]))


@pytest.mark.parametrize("name", PERSON)
def test_pages_that_cannot_be_read_have_their_reason(tmp_path: Path, name: str) -> None:
    """A page that cannot be read is for a person, with the true reason; black and white is read on demand."""
    make, why = PERSON[name]
    found = read(tmp_path, name, make)
    assert (found.fate, found.why) == ("person", why)
    if why == BLACK_AND_WHITE:
        assert_read(read(tmp_path, name, make, black_and_white=True))


@pytest.mark.parametrize("name", EMPTY)
def test_only_light_pages_are_blank(tmp_path: Path, name: str) -> None:
    """A page is blank if its paper is light and nothing is on it, in any format."""
    found = read(tmp_path, name, EMPTY[name])
    assert (found.fate, found.why) == ("blank", EMPTY_PAGE)


@pytest.mark.parametrize("name", REFUSED)
def test_other_files_are_refused(tmp_path: Path, name: str) -> None:
    """A file in a format that is not read is refused, with what to do about it."""
    make, word = REFUSED[name]
    path = tmp_path / name
    path.write_bytes(make(exam()[2]))
    with pytest.raises(ScanError) as raised:
        page_count(path)
    assert word in f"{raised.value} {raised.value.hint}"


def test_a_printed_page_is_read_as_it_is(tmp_path: Path) -> None:
    """A PDF without any picture is drawn and read: nothing is crossed."""
    found = read(tmp_path, "printed.pdf", lambda _grey: exam()[3])
    assert found.fate == "read"
    assert set(found.states.values()) == {"empty"}


def test_sixty_formats_have_a_fate() -> None:
    """No format is listed twice, and there are at least sixty."""
    names = [*READ, *PERSON, *EMPTY, *REFUSED]
    assert len(names) == len(set(names)) >= 60
