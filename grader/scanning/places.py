"""`boxes.json`: the boxes of every variant, in millimetres from the top left corner of their page."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from grader.base.canonical_json import canonical_json
from grader.base.records import require_schema, stamp
from grader.exam.folders import BOXES_FILE
from grader.exam.paper import Heading, PaperSize
from grader.scanning.codes import PageCode, short_hash

SCHEMA = 1

MM_PER_INCH = 25.4

PAGE_SIZES_MM: Mapping[PaperSize, tuple[float, float]] = {"a4": (210.0, 297.0), "us-letter": (215.9, 279.4)}
"""The width and height of a page, in millimetres."""

DISC_MM = 5.0
"""The diameter of the discs in the corners."""

DISC_INSET_MM = 12.5
"""The distance of the centre of a disc from the two nearest edges."""

CODE_MM = 13.0
"""The side of a code."""

CODE_OFFSET_MM = (20.0, 5.5)
"""The distance of a code from the left and the top edge, or from the right and the bottom edge.

A skewed page moves a code on a short edge less than one on a long edge, so it is seldom cut off.
"""

FIRST_CODE_OFFSET_MM = (5.5, 18.0)
"""The same on papers of version 0.1.0, whose record does not state it."""

BOX_MM = 4.0
"""The side of a box."""

CELL_MM = (6.0, 8.0)
"""The width and the height of a box to write a digit in."""

CELL_PITCH_MM = 6.8
"""The distance between the left edges of two such boxes next to each other."""


def entry_of(box: str) -> str:
    """Return the name of the entry of a box: its part and its group, `1a.0` of `1a.0.3`."""
    return box.rpartition(".")[0]


class PlacedBox(NamedTuple):
    """One box: its name, its top left corner and its size; a box to write in is larger.

    The name has the part, the number of the group and the number of the box in it: `1a.0.3`.
    """

    name: str
    x: float
    y: float
    width: float
    height: float

    @property
    def is_written(self) -> bool:
        """Check whether this is a box to write in, not to cross."""
        return self.height > BOX_MM + 0.5 or self.width > BOX_MM + 0.5

    @property
    def is_cell(self) -> bool:
        """Check whether this is a box to write one digit in."""
        return self.is_written and self.width < CELL_MM[0] + 0.5

    @property
    def part(self) -> str:
        """The name of the part that the box belongs to."""
        return self.name.split(".")[0]

    @property
    def entry(self) -> str:
        """The name of the entry that the box belongs to: its part and its group."""
        return entry_of(self.name)


Layout = tuple[tuple[PlacedBox, ...], ...]
"""The boxes of a paper, page by page."""


def layout_of(record: Iterable[Iterable[Sequence[Any]]]) -> Layout:
    """Read the boxes of a paper from its record."""
    return tuple(tuple(PlacedBox(str(name), *map(float, rest)) for name, *rest in page) for page in record)


def disc_centres(size: PaperSize) -> tuple[tuple[float, float], ...]:
    """Return the centres of the four discs: top left, top right, bottom right, bottom left."""
    width, height = PAGE_SIZES_MM[size]
    right, bottom = width - DISC_INSET_MM, height - DISC_INSET_MM
    return (DISC_INSET_MM, DISC_INSET_MM), (right, DISC_INSET_MM), (right, bottom), (DISC_INSET_MM, bottom)


def code_corners(
    size: PaperSize, offset: tuple[float, float] = CODE_OFFSET_MM
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the top left corners of the two codes of a page."""
    width, height = PAGE_SIZES_MM[size]
    x, y = offset
    return (x, y), (width - x - CODE_MM, height - y - CODE_MM)


def exam_hash(heading: Heading) -> str:
    """Return the hash of an exam in its codes; it depends only on text that every paper shows."""
    return short_hash("exam", heading.to_json())


def cover_code(heading: Heading, variant: str) -> PageCode:
    """Return the code of the cover sheet of a paper."""
    return PageCode(exam_hash(heading), variant, 0, 0, short_hash("cover"))


@dataclass(frozen=True, slots=True)
class ScannedExam:
    """The pages of an exam that is scanned.

    - `exam`: the hash of the exam in its codes.
    - `codes`: variant -> the texts of its codes, page by page.
    - `layouts`: variant -> its boxes.
    - `code_offset`: the distance of the codes from the edges, see `CODE_OFFSET_MM`.
    """

    exam: str
    size: PaperSize
    codes: Mapping[str, tuple[str, ...]]
    layouts: Mapping[str, Layout]
    code_offset: tuple[float, float] = CODE_OFFSET_MM

    def printed(self, variant: str) -> dict[str, PlacedBox]:
        """Return all boxes of a paper by name."""
        return {box.name: box for boxes in self.layouts[variant] for box in boxes}

    def crossable(self, variant: str, page: int) -> tuple[PlacedBox, ...]:
        """Return the boxes to cross on a page, counted from 1."""
        return tuple(box for box in self.layouts[variant][page - 1] if not box.is_written)


def write_boxes(
    exam: str, size: PaperSize, papers: Mapping[str, tuple[Sequence[str], Layout]]
) -> Iterator[str]:
    """Write `boxes.json` in pieces: each layout once, and the number of its layout for every variant."""
    numbers: dict[Layout, int] = {}
    variants = {}
    for code, (texts, layout) in papers.items():
        number = numbers.setdefault(layout, len(numbers))
        variants[code] = {"layout": number, "codes": list(texts)}
    width, height = PAGE_SIZES_MM[size]
    head = {
        **stamp(SCHEMA),
        "exam": exam,
        "size": size,
        "width": width,
        "height": height,
        "code": CODE_OFFSET_MM,
        "unit": "mm",
    }
    yield f'{canonical_json(head)[:-1]},"variants":{canonical_json(variants)},"layouts":[\n'
    yield ",\n".join(canonical_json(layout) for layout in numbers)
    yield "\n]}\n"


def read_boxes(folder: Path) -> ScannedExam | None:
    """Read the boxes of the exam in a folder; None if its papers are not for scanning.

    Raises `SchemaError` for a record of another schema, and `ValueError` for anything else that this
    program does not write.
    """
    path = folder / BOXES_FILE
    if not path.exists():
        return None
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        require_schema(record, SCHEMA, str(path))
        if record["size"] not in PAGE_SIZES_MM:
            raise ValueError("its pages have an unknown size")
        layouts = [layout_of(layout) for layout in record["layouts"]]
        variants = record["variants"]
        across, down = map(float, record.get("code", FIRST_CODE_OFFSET_MM))
        return ScannedExam(
            exam=str(record["exam"]),
            size=record["size"],
            codes={code: tuple(map(str, each["codes"])) for code, each in variants.items()},
            layouts={code: layouts[each["layout"]] for code, each in variants.items()},
            code_offset=(across, down),
        )
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"it is not as this program writes it: {error!r}") from None
