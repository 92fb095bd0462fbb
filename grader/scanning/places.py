"""`boxes.json`: the boxes of every variant, in millimetres from the top left corner of their page."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias

from grader.base.canonical_json import canonical_json, parse_json
from grader.base.json_records import JsonRecord, RecordError
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
        """Return whether this is a box to write in, not to cross."""
        return self.height > BOX_MM + 0.5 or self.width > BOX_MM + 0.5

    @property
    def is_cell(self) -> bool:
        """Return whether this is a box to write one digit in."""
        return self.is_written and self.width < CELL_MM[0] + 0.5

    @property
    def part(self) -> str:
        """The name of the part that the box belongs to."""
        return self.name.split(".")[0]

    @property
    def entry(self) -> str:
        """The name of the entry that the box belongs to: its part and its group."""
        return entry_of(self.name)


BoxLayout = tuple[tuple[PlacedBox, ...], ...]
"""The boxes of a paper, page by page."""


def layout_of(record: Iterable[Iterable[Sequence[Any]]]) -> BoxLayout:
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
    layouts: Mapping[str, BoxLayout]
    code_offset: tuple[float, float] = CODE_OFFSET_MM

    def layout(self, variant: str) -> BoxLayout:
        """Return the boxes of a paper, page by page. Raises `BoxesError` for an unknown one."""
        if variant not in self.layouts:
            raise BoxesError(f"it has no boxes of variant {variant}")
        return self.layouts[variant]

    def printed(self, variant: str) -> dict[str, PlacedBox]:
        """Return all boxes of a paper by name. Raises `BoxesError` for an unknown one."""
        return {box.name: box for boxes in self.layout(variant) for box in boxes}

    def crossable(self, variant: str, page: int) -> tuple[PlacedBox, ...]:
        """Return the boxes to cross on a page, counted from 1."""
        return tuple(box for box in self.layout(variant)[page - 1] if not box.is_written)


def write_box_places(
    exam: str, size: PaperSize, papers: Mapping[str, tuple[Sequence[str], BoxLayout]]
) -> Iterator[str]:
    """Write `boxes.json` in pieces: each layout once, and the number of its layout for every variant."""
    numbers: dict[BoxLayout, int] = {}
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


class BoxesError(ValueError):
    """`boxes.json` is not as this program writes it, or lacks a box that is on the papers."""


def read_boxes(folder: Path) -> ScannedExam:
    """Read the boxes of the exam in a folder, whose papers are for scanning.

    Raises `SchemaError` for a record of another schema, and `BoxesError` if there is no record, or for
    anything else that this program does not write.
    """
    path = folder / BOXES_FILE
    if not path.exists():
        raise BoxesError("it is missing")
    try:
        record = parse_json(path.read_bytes())
        if not isinstance(record, dict):
            raise BoxesError("it is not the record of the boxes")
        require_schema(record, SCHEMA, str(path))
        record.setdefault("code", list(FIRST_CODE_OFFSET_MM))
        boxes = _BoxesRecord.from_json(record)
        layouts = tuple(map(layout_of, boxes.layouts))
        return ScannedExam(
            exam=boxes.exam,
            size=boxes.size,
            codes={code: variant.codes for code, variant in boxes.variants.items()},
            layouts={code: layouts[_layout_number(boxes, code)] for code in boxes.variants},
            code_offset=boxes.code_offset,
        )
    except RecordError as error:
        raise BoxesError(f"{error.place}: {error}" if error.place else str(error)) from None
    except ValueError as error:  # it is not JSON
        raise error if isinstance(error, BoxesError) else BoxesError(str(error)) from None


@dataclass(frozen=True, slots=True)
class _VariantRecord(JsonRecord):
    """The number of the layout of a variant, and its codes."""

    layout: Annotated[int, "layout"]
    codes: Annotated[tuple[str, ...], "codes"]


_BoxRecord: TypeAlias = tuple[str, float, float, float, float]
"""A box: its name, its top left corner and its size."""


@dataclass(frozen=True, slots=True)
class _BoxesRecord(JsonRecord):
    """What `boxes.json` has, apart from what other programs read in it."""

    exam: Annotated[str, "exam"]
    size: Annotated[PaperSize, "size"]
    code_offset: Annotated[tuple[float, float], "code"]
    variants: Annotated[Mapping[str, _VariantRecord], "variants"]
    layouts: Annotated[tuple[tuple[tuple[_BoxRecord, ...], ...], ...], "layouts"]


def _layout_number(boxes: _BoxesRecord, code: str) -> int:
    """Return the number of the layout of a variant, which has a page for each of its codes.

    Raises `BoxesError` if there is no such layout, or it has another number of pages.
    """
    variant = boxes.variants[code]
    if not 0 <= variant.layout < len(boxes.layouts):
        raise BoxesError(f"there is no layout {variant.layout}, which variant {code} has")
    if len(variant.codes) != len(boxes.layouts[variant.layout]):
        raise BoxesError(f"variant {code} does not have one code for each page")
    return variant.layout
