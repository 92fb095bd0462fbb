"""Pages with marks of which is known what they are meant to be: how pens and a scanner are read."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.base.safe_text import safe_line
from grader.exam.paper import PaperSize
from grader.scanning.box_states import BoxLook, BoxState, look_at_boxes
from grader.scanning.codes import PageCode, page_codes, read_code, short_hash
from grader.scanning.page_location import detect_codes, locate_page
from grader.scanning.places import Layout, PlacedBox
from grader.scanning.rasters import Raster, ScanError, page_count, rasters

BOXES_PER_MARK = 9
"""How many boxes there are of each mark on a page."""

KIT_VARIANT = "KIT"
"""What stands in the codes in place of a variant."""

Strokes = tuple[tuple[tuple[float, float], ...], ...]
"""How a mark may look, in sides of a box."""

_CROSS: Strokes = (((0.15, 0.15), (0.85, 0.85)), ((0.85, 0.15), (0.15, 0.85)))
_LARGE: Strokes = (((-0.2, -0.2), (1.2, 1.2)), ((1.2, -0.2), (-0.2, 1.2)))
_SMALL: Strokes = (((0.3, 0.3), (0.7, 0.7)), ((0.7, 0.3), (0.3, 0.7)))
_QUICK: Strokes = (((0.05, 0.3), (0.9, 0.8), (0.95, 0.7), (0.8, 0.05), (0.1, 1.05)),)
_DOT: Strokes = (((0.5, 0.5), (0.52, 0.52)),)
_FULL: Strokes = (*_CROSS, *(((0.1, 0.125 * y), (0.9, 0.125 * y)) for y in range(1, 8)))


@dataclass(frozen=True, slots=True)
class KitMark:
    """A kind of mark: what people are asked to do, how it may look, and what is right to read.

    A box of which a person is asked is never wrong, whatever is in it.
    """

    name: str
    task: str
    strokes: Strokes
    accepted_states: tuple[BoxState, ...]


MARKS = (
    KitMark("empty", "Leave these boxes empty.", (), ("empty",)),
    KitMark("cross", "A cross into each box.", _CROSS, ("crossed",)),
    KitMark("quick", "A quick cross, as in the last minute of an exam.", _QUICK, ("crossed",)),
    KitMark("large", "A large cross that goes beyond the box.", _LARGE, ("crossed",)),
    KitMark("small", "A small cross that does not touch the box.", _SMALL, ("crossed",)),
    KitMark("light", "A cross, pressing as little as you can.", _CROSS, ("crossed",)),
    KitMark("back", "A cross, and then fill the whole box.", _FULL, ("filled",)),
    KitMark("line", "One line.", _CROSS[:1], ("doubtful",)),
    KitMark("tick", "A tick.", (((0.1, 0.5), (0.4, 0.85), (0.95, 0.0)),), ("crossed", "doubtful")),
    KitMark("dot", "A dot, as of a pen that was put down.", _DOT, ("doubtful", "empty")),
    KitMark("beside", "A line between the boxes, touching none.", (((1.35, 0.0), (1.35, 1.0)),), ("empty",)),
    KitMark(
        "erased",
        "With a pencil: a cross, rubbed out. With a pen: leave them empty.",
        (),
        ("empty", "doubtful"),
    ),
)
"""The rows of a page, from above."""

PENS = (
    "Use a ball pen.",
    "Use a pencil.",
    "Use a felt pen.",
    "Use whatever your students use most.",
)
"""What each of the pages is filled in with."""


def kit_box(page: int, mark: int, number: int) -> str:
    """The name of a box; pages, marks and boxes count from 0."""
    return f"{page}.{mark}.{number}"


def kit_codes(size: PaperSize, build: str) -> tuple[PageCode, ...]:
    """The codes of the pages; `build` stands for all that they are set from."""
    return page_codes(short_hash("kit", size), KIT_VARIANT, len(PENS), build)


@dataclass(frozen=True, slots=True)
class Kit:
    """The pages as they are printed: their size, the texts of their codes, and where the boxes are."""

    size: PaperSize
    codes: tuple[str, ...]
    layout: Layout


@dataclass(frozen=True, slots=True)
class KitPage:
    """A page that came back.

    - `why`: why nothing was read, or nothing. `page`: which of the pages it is, from 1.
    - `dots`: an inch; `black`: of the discs, from 0 to 255; `off`: the worst disc, in millimetres.
    - `looks`: by name of box.
    """

    file: str
    number: int
    why: str = ""
    page: int = 0
    dots: float = 0.0
    black: float = 0.0
    off: float = 0.0
    looks: Mapping[str, BoxLook] = field(default_factory=dict)


def read_kit(kits: Iterable[Kit], paths: Iterable[Path]) -> Iterator[KitPage]:
    """The pages in these files. Raises `ScanError` for a file that is no scan, and `OSError`."""
    known = [(text, kit, page) for kit in kits for page, text in enumerate(kit.codes, 1)]
    for path in paths:
        pages = range(page_count(path))
        for number, raster in enumerate(rasters(path, pages), 1):
            yield _read(known, safe_line(path.name, 80), number, raster)


def _read(known: list[tuple[str, Kit, int]], file: str, number: int, raster: Raster | ScanError) -> KitPage:
    """One page."""
    if isinstance(raster, ScanError):
        return KitPage(file, number, str(raster))
    seen = [code for code in detect_codes(raster.grey) if read_code(code.text) is not None]
    texts = {code.text for code in seen}
    if len(texts) != 1:
        return KitPage(file, number, "two different codes are on it" if texts else "no code can be read")
    found = next(((kit, page) for text, kit, page in known if text in texts), None)
    if found is None:
        return KitPage(file, number, "it is no page of this kit, or of one that another version printed")
    kit, page = found
    placing = locate_page(raster.grey, seen[:2], kit.size)
    if placing is None:
        return KitPage(file, number, "fewer than three of its discs can be seen, or it is crumpled", page)
    boxes: tuple[PlacedBox, ...] = kit.layout[page - 1]
    every = dict(zip((box.name for box in boxes), look_at_boxes(raster.grey, placing, boxes), strict=True))
    return KitPage(file, number, "", page, placing.dots * 25.4, placing.black, placing.off, every)


@dataclass(frozen=True, slots=True)
class MarkReading:
    """How one kind of mark was read with one pen.

    `shares` are those of ink in its boxes, ascending: by these a box is told empty or crossed.
    """

    page: int
    mark: KitMark
    right: int
    asked: int
    wrong: int
    shares: tuple[float, ...]

    @property
    def boxes(self) -> int:
        """How many boxes there were."""
        return self.right + self.asked + self.wrong

    @property
    def middle(self) -> float:
        """The median share of ink."""
        return self.shares[len(self.shares) // 2]


def tally_marks(pages: Iterable[KitPage]) -> list[MarkReading]:
    """How each kind of mark was read, pen by pen; of pages that were read several times all count."""
    found: dict[tuple[int, int], list[BoxLook]] = {}
    for page in pages:
        for name, look in page.looks.items():
            found.setdefault((page.page, int(name.split(".")[1])), []).append(look)
    return [_tally(page, MARKS[mark], every) for (page, mark), every in sorted(found.items())]


def _tally(page: int, mark: KitMark, every: list[BoxLook]) -> MarkReading:
    right = sum(look.state in mark.accepted_states for look in every)
    asked = sum(
        look.state in ("filled", "doubtful") and look.state not in mark.accepted_states for look in every
    )
    shares = tuple(sorted(look.share for look in every))
    return MarkReading(page, mark, right, asked, len(every) - right - asked, shares)
