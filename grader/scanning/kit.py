"""The test kit: pages with known marks, which show how pens and a scanner are read."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.base.safe_text import safe_line
from grader.exam.paper import PaperSize
from grader.scanning.box_states import BoxLook, BoxState, look_at_boxes
from grader.scanning.codes import PageCode, page_codes, read_code, short_hash
from grader.scanning.page_location import detect_codes, locate_page
from grader.scanning.page_reasons import NO_CODE, NOT_PLACED, TWO_CODES
from grader.scanning.places import MM_PER_INCH, BoxLayout, PlacedBox
from grader.scanning.rasters import Raster, ScanError, page_count, rasters

BOXES_PER_MARK = 9
"""The boxes for each mark on a page."""

KIT_VARIANT = "KIT"
"""The variant in the codes of the kit."""

Strokes = tuple[tuple[tuple[float, float], ...], ...]
"""The lines of a sample mark, in sides of a box from its top left corner."""

_CROSS: Strokes = (((0.15, 0.15), (0.85, 0.85)), ((0.85, 0.15), (0.15, 0.85)))
_LARGE: Strokes = (((-0.2, -0.2), (1.2, 1.2)), ((1.2, -0.2), (-0.2, 1.2)))
_SMALL: Strokes = (((0.3, 0.3), (0.7, 0.7)), ((0.7, 0.3), (0.3, 0.7)))
_QUICK: Strokes = (((0.05, 0.3), (0.9, 0.8), (0.95, 0.7), (0.8, 0.05), (0.1, 1.05)),)
_DOT: Strokes = (((0.5, 0.5), (0.52, 0.52)),)
_FULL: Strokes = (*_CROSS, *(((0.1, 0.125 * y), (0.9, 0.125 * y)) for y in range(1, 8)))


@dataclass(frozen=True, slots=True)
class KitMark:
    """A kind of mark: the task for people, a sample, and the states that are correct.

    A box that is left to a person to decide never counts as wrong.
    """

    name: str
    task: str
    strokes: Strokes
    accepted_states: tuple[BoxState, ...]


MARKS = (
    KitMark("empty", "Leave these boxes empty.", (), ("empty",)),
    KitMark("cross", "A cross in each box.", _CROSS, ("crossed",)),
    KitMark("quick", "A quick cross, as in the last minute of an exam.", _QUICK, ("crossed",)),
    KitMark("large", "A large cross that goes beyond the box.", _LARGE, ("crossed",)),
    KitMark("small", "A small cross that does not touch the box.", _SMALL, ("crossed",)),
    KitMark("light", "A cross, pressing as little as you can.", _CROSS, ("crossed",)),
    KitMark("back", "A cross, and then fill the whole box.", _FULL, ("filled",)),
    KitMark("line", "One line.", _CROSS[:1], ("doubtful",)),
    KitMark("tick", "A tick.", (((0.1, 0.5), (0.4, 0.85), (0.95, 0.0)),), ("crossed", "doubtful")),
    KitMark("dot", "A dot, as if the pen was put down.", _DOT, ("doubtful", "empty")),
    KitMark("beside", "A line between the boxes, touching none.", (((1.35, 0.0), (1.35, 1.0)),), ("empty",)),
    KitMark(
        "erased",
        "With a pencil: a cross, rubbed out. With a pen: leave them empty.",
        (),
        ("empty", "doubtful"),
    ),
)
"""The rows of a page, from top to bottom."""

PENS = (
    "Use a ballpoint pen.",
    "Use a pencil.",
    "Use a felt pen.",
    "Use whatever your students use most.",
)
"""The pen for each page."""


def kit_box(page: int, mark: int, number: int) -> str:
    """Return the name of a box; pages, marks and boxes count from 0."""
    return f"{page}.{mark}.{number}"


def kit_codes(size: PaperSize, build: str) -> tuple[PageCode, ...]:
    """Return the codes of the pages; `build` is a hash of everything they are set from."""
    return page_codes(short_hash("kit", size), KIT_VARIANT, len(PENS), build)


@dataclass(frozen=True, slots=True)
class Kit:
    """The pages as they are printed: their size, the texts of their codes, and the places of the boxes."""

    size: PaperSize
    codes: tuple[str, ...]
    layout: BoxLayout


@dataclass(frozen=True, slots=True)
class KitPage:
    """A scanned page of the kit.

    - `why`: the reason if nothing was read, else empty. `page`: its number in the kit, from 1.
    - `dots_per_inch`: its resolution. `black`: the grey value of the discs, from 0 to 255.
    - `off`: the error of the worst mark, in millimetres.
    - `looks`: the measurements by the name of the box.
    """

    file: str
    number: int
    why: str = ""
    page: int = 0
    dots_per_inch: float = 0.0
    black: float = 0.0
    off: float = 0.0
    looks: Mapping[str, BoxLook] = field(default_factory=dict)


def read_kit(kits: Iterable[Kit], paths: Iterable[Path]) -> Iterator[KitPage]:
    """Read the pages in these files. Raises `ScanError` for a file that is not a scan, and `OSError`."""
    known = [(text, kit, page) for kit in kits for page, text in enumerate(kit.codes, 1)]
    for path in paths:
        pages = range(page_count(path))
        for number, raster in enumerate(rasters(path, pages), 1):
            yield _read(known, safe_line(path.name, 80), number, raster)


def _read(known: list[tuple[str, Kit, int]], file: str, number: int, raster: Raster | ScanError) -> KitPage:
    """Read one page; `known` are the texts of all codes, each with its kit and page."""
    if isinstance(raster, ScanError):
        return KitPage(file, number, str(raster))
    codes = [code for code in detect_codes(raster.grey) if read_code(code.text) is not None]
    texts = {code.text for code in codes}
    if len(texts) != 1:
        return KitPage(file, number, TWO_CODES if texts else NO_CODE)
    match = next(((kit, page) for text, kit, page in known if text in texts), None)
    if match is None:
        return KitPage(file, number, "it is not a page of this kit, or of one that another version printed")
    kit, page = match
    placement = locate_page(raster.grey, codes[:2], kit.size)
    if placement is None:
        return KitPage(file, number, NOT_PLACED, page)
    boxes: tuple[PlacedBox, ...] = kit.layout[page - 1]
    looks = dict(zip((box.name for box in boxes), look_at_boxes(raster.grey, placement, boxes), strict=True))
    dots_per_inch = placement.dots_per_mm * MM_PER_INCH
    return KitPage(file, number, "", page, dots_per_inch, placement.black, placement.off, looks)


@dataclass(frozen=True, slots=True)
class MarkReading:
    """The states of all boxes of one kind of mark with one pen: correct, left to a person, or wrong.

    `shares` are the shares of ink in these boxes, ascending; they decide most between empty and crossed.
    """

    page: int
    mark: KitMark
    right: int
    asked: int
    wrong: int
    shares: tuple[float, ...]

    @property
    def boxes(self) -> int:
        """The number of boxes."""
        return self.right + self.asked + self.wrong

    @property
    def middle(self) -> float:
        """The median share of ink."""
        return self.shares[len(self.shares) // 2]


def tally_marks(pages: Iterable[KitPage]) -> list[MarkReading]:
    """Tally the states of each kind of mark for each pen; every scan of a page counts."""
    looks_by_mark: dict[tuple[int, int], list[BoxLook]] = {}
    for page in pages:
        for name, look in page.looks.items():
            looks_by_mark.setdefault((page.page, int(name.split(".")[1])), []).append(look)
    return [_tally(page, MARKS[mark], looks) for (page, mark), looks in sorted(looks_by_mark.items())]


def _tally(page: int, mark: KitMark, looks: list[BoxLook]) -> MarkReading:
    """Count the boxes of a mark that were read correctly, asked of a person, or read incorrectly."""
    right = sum(look.state in mark.accepted_states for look in looks)
    asked = sum(
        look.state in ("filled", "doubtful") and look.state not in mark.accepted_states for look in looks
    )
    shares = tuple(sorted(look.share for look in looks))
    return MarkReading(page, mark, right, asked, len(looks) - right - asked, shares)
