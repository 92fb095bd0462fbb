"""The pages of the kit that tests pens and scanners, as PDF."""

from functools import cache
from typing import Any

from grader.exam.paper import PaperSize
from grader.pictures.typesetting import document_digest, typeset_with_places
from grader.publishing.scan_sheet import code_bars, crossed_boxes, page_sizes
from grader.scanning.kit import BOXES_PER_MARK, MARKS, PENS, Kit, kit_box, kit_codes

TITLE = "How well are my scans read?"
KIT_INSTRUCTIONS = (
    "In every box of a row, do what the start of the row says. "
    "Then scan all pages as you scan exams, and let gametree scan --kit read them."
)
FIELDS = ("Printer:", "Pen:", "Scanner:")


@cache
def scan_kit(size: PaperSize) -> tuple[Kit, bytes]:
    """Return the kit for this paper size, and its PDF."""
    content = _content(size)
    codes = kit_codes(size, document_digest("kit", content))
    drawn_codes = {"codes": [code_bars(code.text) for code in codes]}
    pdf, places = typeset_with_places("kit", content | drawn_codes)
    boxes = crossed_boxes(places)
    layout = tuple(
        tuple(box for page, box in boxes.values() if page == number)
        for number in range(1, places["pages"] + 1)
    )
    return Kit(size, tuple(code.text for code in codes), layout), pdf


def _content(size: PaperSize) -> dict[str, Any]:
    """Return the data for the template."""
    pages = [
        {
            "pen": pen,
            "rows": [
                {
                    "words": mark.task,
                    "strokes": mark.strokes,
                    "names": [kit_box(page, row, number) for number in range(BOXES_PER_MARK)],
                }
                for row, mark in enumerate(MARKS)
            ],
        }
        for page, pen in enumerate(PENS)
    ]
    texts = {"title": TITLE, "how": KIT_INSTRUCTIONS, "fields": FIELDS, "language": "en", "size": size}
    return {**texts, "marks": page_sizes(), "pages": pages}
