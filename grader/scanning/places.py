"""`boxes.json`: where the boxes of every variant are, in millimetres from the top left corner of the page."""

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

PAGE_SIZES_MM: Mapping[PaperSize, tuple[float, float]] = {"a4": (210.0, 297.0), "us-letter": (215.9, 279.4)}
"""The pages, width and height."""

DISC_MM = 5.0
"""The diameter of the discs in the corners."""

DISC_INSET_MM = 12.5
"""How far the middle of a disc is from both edges."""

CODE_MM = 13.0
"""The side of a code."""

CODE_OFFSET_MM = (5.5, 18.0)
"""How far a code is from the left edge and from the top, or from the right edge and from the foot."""

BOX_MM = 4.0
"""The side of a box."""


class PlacedBox(NamedTuple):
    """One box: its name, its left top corner and its size; what is written by hand has a larger one.

    The name is that of the part, the number of the group and that of the box in it: `1a.0.3`.
    """

    name: str
    x: float
    y: float
    width: float
    height: float

    @property
    def is_written(self) -> bool:
        """Whether it is to be written into, not crossed."""
        return self.height > BOX_MM + 0.5 or self.width > BOX_MM + 0.5

    @property
    def part(self) -> str:
        """The part whose reply it belongs to."""
        return self.name.split(".")[0]


Layout = tuple[tuple[PlacedBox, ...], ...]
"""The boxes of a paper, page by page."""


def layout_of(record: Iterable[Iterable[Sequence[Any]]]) -> Layout:
    """The boxes of a paper, read back."""
    return tuple(tuple(PlacedBox(str(name), *map(float, rest)) for name, *rest in page) for page in record)


def disc_centres(size: PaperSize) -> tuple[tuple[float, float], ...]:
    """The middles of the four discs: left top, right top, right foot, left foot."""
    width, height = PAGE_SIZES_MM[size]
    far, low = width - DISC_INSET_MM, height - DISC_INSET_MM
    return (DISC_INSET_MM, DISC_INSET_MM), (far, DISC_INSET_MM), (far, low), (DISC_INSET_MM, low)


def code_corners(size: PaperSize) -> tuple[tuple[float, float], tuple[float, float]]:
    """The left top corners of the two codes of a page."""
    width, height = PAGE_SIZES_MM[size]
    x, y = CODE_OFFSET_MM
    return (x, y), (width - x - CODE_MM, height - y - CODE_MM)


def exam_hash(heading: Heading) -> str:
    """The signs of an exam in its codes; who has the paper knows all of it."""
    return short_hash("exam", heading.to_json())


def cover_code(heading: Heading, variant: str) -> PageCode:
    """The code of the cover sheet of a paper."""
    return PageCode(exam_hash(heading), variant, 0, 0, short_hash("cover"))


@dataclass(frozen=True, slots=True)
class ScannedExam:
    """All that is known of the pages of an exam.

    - `codes`: the texts of the codes of a variant, page by page.
    - `layouts`: code of a variant -> its boxes.
    """

    exam: str
    size: PaperSize
    codes: Mapping[str, tuple[str, ...]]
    layouts: Mapping[str, Layout]

    def crossable(self, variant: str, page: int) -> tuple[PlacedBox, ...]:
        """The boxes of a page, counted from 1, that are to be crossed."""
        return tuple(box for box in self.layouts[variant][page - 1] if not box.is_written)


def write_boxes(
    exam: str, size: PaperSize, papers: Mapping[str, tuple[Sequence[str], Layout]]
) -> Iterator[str]:
    """The lines of `boxes.json`: each layout once, and which variant has which."""
    numbers: dict[Layout, int] = {}
    variants = {}
    for code, (texts, layout) in papers.items():
        number = numbers.setdefault(layout, len(numbers))
        variants[code] = {"layout": number, "codes": list(texts)}
    width, height = PAGE_SIZES_MM[size]
    head = {**stamp(SCHEMA), "exam": exam, "size": size, "width": width, "height": height, "unit": "mm"}
    yield f'{canonical_json(head)[:-1]},"variants":{canonical_json(variants)},"layouts":[\n'
    yield ",\n".join(canonical_json(layout) for layout in numbers)
    yield "\n]}\n"


def read_boxes(folder: Path) -> ScannedExam | None:
    """The boxes of the exam in a folder; None when its papers are not to be scanned.

    Raises `SchemaError` for a record of another schema, and `ValueError` when the file is not as this
    program writes it.
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
        return ScannedExam(
            exam=str(record["exam"]),
            size=record["size"],
            codes={code: tuple(map(str, each["codes"])) for code, each in variants.items()},
            layouts={code: layouts[each["layout"]] for code, each in variants.items()},
        )
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"it is not as this program writes it: {error!r}") from None
