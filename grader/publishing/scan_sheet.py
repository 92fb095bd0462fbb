"""Papers for scanning: set their pages with boxes, discs and codes, and locate the boxes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Literal, TypeAlias

from grader.answers.paper_boxes import BoxGroup, PaperBoxes
from grader.base.phrases import Phrase, paragraph
from grader.exam.paper import PaperSize, PublicPaper, PublicQuestion
from grader.exercises.exercise import PublicExercise
from grader.pictures.placement import Direction
from grader.pictures.svg import Picture, picture
from grader.pictures.typesetting import document_digest, typeset_with_places
from grader.publishing.printed_picture import printed_picture
from grader.publishing.sheet import (
    PartSheet,
    Sheet,
    drawing_options,
    lay_out,
    plain,
    question_view,
    rightward_notes,
)
from grader.scanning.box_names import box_name, marks_in_rows, part_marks
from grader.scanning.codes import PageCode, code_modules, module_runs, page_codes
from grader.scanning.places import (
    BOX_MM,
    CELL_MM,
    CELL_PITCH_MM,
    CODE_MM,
    CODE_OFFSET_MM,
    DISC_INSET_MM,
    DISC_MM,
    PAGE_SIZES_MM,
    BoxLayout,
    PlacedBox,
    exam_hash,
)

CROSSING_INSTRUCTIONS = Phrase("Use a pen or a dark pencil. To undo a cross, fill in the whole box.")

PIXEL_MM, POINT_MM = 25.4 / 96, 25.4 / 72
"""A pixel and a point in millimetres."""

MIN_PICTURE_SCALE = 0.62
"""The smallest scale of a picture with boxes; below it words become hard to read."""

SIDE_MARGINS_MM, HEAD_MARGINS_MM = 44.0, 40.0
"""The sums of the margins in the width and in the height of a page, in millimetres."""

MAX_PICTURE_HEIGHT_SHARE = 0.76
"""The greatest share of the height of a page that a picture takes."""


@dataclass(frozen=True, slots=True)
class ScannedPaper:
    """A paper as PDF/UA-1, the codes of its pages, and its boxes as the typesetter has placed them."""

    pdf: bytes
    codes: tuple[PageCode, ...]
    layout: BoxLayout


_latest_page_counts: dict[tuple[str, ...], int] = {}
"""Title and kinds of questions -> the pages of the latest such paper.

The next one probably has as many, and need not be set twice.
"""


@lru_cache(maxsize=4)
def scanned_paper(paper: PublicPaper) -> ScannedPaper:
    """Set the paper; cached, since its PDF, its codes and its boxes are asked for one after the other.

    Every code holds the number of pages, which is known only when the paper is set: it is set again if the
    number was guessed wrong.
    """
    sheet, pictures = _boxed(paper)
    content = sheet.to_json() | {"pictures": pictures, "marks": page_sizes()}
    build = document_digest("paper", content)
    design = (paper.heading.title, *(part.kind for question in paper.questions for part in question.parts))
    while True:
        pages = _latest_page_counts.get(design, 1)
        codes = page_codes(exam_hash(paper.heading), paper.code, pages, build)
        drawn_codes = {"codes": [code_bars(code.text) for code in codes]}
        pdf, places = typeset_with_places("paper", content | drawn_codes)
        _latest_page_counts[design] = places["pages"]
        if places["pages"] == pages:
            return ScannedPaper(pdf, codes, _layout(places, content))


def codes_and_boxes(paper: PublicPaper) -> tuple[tuple[str, ...], BoxLayout]:
    """Return the texts of the codes of a paper, and its boxes; both empty if it is not for scanning."""
    if not paper.heading.scan:
        return (), ()
    scanned = scanned_paper(paper)
    return tuple(code.text for code in scanned.codes), scanned.layout


def _layout(places: Mapping[str, Any], content: Mapping[str, Any]) -> BoxLayout:
    """Return the boxes on each page, in the order of the questions.

    The template reports the first box of every row and all boxes of the first row of a table; the other
    boxes of a table follow from these two. Of boxes for digits it reports the first one.
    """
    parts = [part for question in content["questions"] for part in question["parts"]]
    rows = [row for part in parts for row in part["box"]["boxes"]]
    boxes = _writing_boxes(places) | crossed_boxes(places) | _picture_boxes(places, content["pictures"])
    boxes |= _digit_cells(places, (row for row in rows if row["place"] == "cells"))
    pages: list[list[PlacedBox]] = [[] for _ in range(places["pages"])]
    for names in (names for row in rows for names in row["names"]):
        if all(name in boxes for name in names):
            first_row = names
        for name, upper in zip(names, first_row, strict=True):
            if name not in boxes:
                page, row_start = boxes[names[0]]
                boxes[name] = page, row_start._replace(name=name, x=boxes[upper][1].x)
            page, box = boxes[name]
            pages[page - 1].append(box)
    return tuple(map(tuple, pages))


BoxPlaces: TypeAlias = dict[str, tuple[int, PlacedBox]]
"""Name -> the page and the box."""


def _writing_boxes(places: Mapping[str, Any]) -> BoxPlaces:
    """Return the boxes to write in, from the two corners that the template reports of each."""
    starts: dict[str, Mapping[str, Any]] = {}
    boxes: BoxPlaces = {}
    for name, place in places["corners"]:
        start = starts.setdefault(name, place)
        if start is not place:
            (left, top), (right, bottom) = _corner(start), _corner(place)
            boxes[name] = start["page"], _box(name, left, top, right - left, bottom - top)
    return boxes


def crossed_boxes(places: Mapping[str, Any]) -> BoxPlaces:
    """Return the boxes that report their own place; a frame reaches half its width beyond the corner."""
    edge = places["frame"] / 2
    return {
        name: (place["page"], _box(name, *(length - edge for length in _corner(place))))
        for name, place in places["crossings"]
    }


def _digit_cells(places: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> BoxPlaces:
    """Return the boxes to write digits in, from the corner of the first one of each number."""
    corners = dict(places["cells"])
    boxes: BoxPlaces = {}
    for row in rows:
        names = [name for column in row["names"] for name in column]
        left, top = _corner(corners[names[0]])
        for place, name in enumerate(names):
            box = _box(name, left + place * CELL_PITCH_MM, top, *CELL_MM)
            boxes[name] = corners[names[0]]["page"], box
    return boxes


def _picture_boxes(places: Mapping[str, Any], pictures: Mapping[str, Any]) -> BoxPlaces:
    """Return the boxes on pictures, from the corner and the scale of each picture."""
    boxes: BoxPlaces = {}
    for (label, scale), place in places["pictures"]:
        left, top = _corner(place)
        for name, x, y in pictures[label]["boxes"]:
            across, down = (length * scale * POINT_MM - BOX_MM / 2 for length in (x, y))
            boxes[name] = place["page"], _box(name, left + across, top + down)
    return boxes


def _box(name: str, x: float, y: float, width: float = BOX_MM, height: float = BOX_MM) -> PlacedBox:
    return PlacedBox(name, *(round(length, 2) for length in (x, y, width, height)))


def code_bars(text: str) -> list[tuple[int, int, int]]:
    """Return the bars that draw a code, in modules."""
    return list(module_runs(code_modules(text)))


def page_sizes() -> dict[str, Any]:
    """Return the sizes and places of the marks on every page, in millimetres."""
    return {
        "box": BOX_MM,
        "cell": (*CELL_MM, CELL_PITCH_MM),
        "disc": DISC_MM,
        "inset": DISC_INSET_MM,
        "code": CODE_MM,
        "place": CODE_OFFSET_MM,
    }


def _corner(place: Mapping[str, str]) -> tuple[float, float]:
    """Convert a place from the typesetter's points to millimetres."""
    x, y = (float(place[side].removesuffix("pt")) * POINT_MM for side in "xy")
    return x, y


def _boxed(paper: PublicPaper) -> tuple[Sheet, dict[str, Any]]:
    """Return the sheet with boxes instead of space to write, and the pictures with their boxes."""
    sheet = lay_out(paper)
    questions, pictures, directions = [], {}, list[Direction]()
    for question, question_sheet in zip(paper.questions, sheet.questions, strict=True):
        count = len(question.parts)
        names = question.part_names
        marks = [part_marks(part, paper.heading.scan) for part in question.parts]
        targets = _picture_targets(marks)
        tree_picture, scale = None, 0.0
        if len(question.tree):
            tree_picture, scale = _picture(question, frozenset(filter(None, targets)), paper.heading.size)
        if not scale:  # there is no room for boxes in the picture
            targets = [None] * count
        marks = [each if target else marks_in_rows(each) for each, target in zip(marks, targets, strict=True)]
        spots = (
            {(spot.node, spot.target): (spot.x, spot.y) for spot in tree_picture.drawing.spots}
            if tree_picture
            else {}
        )
        boxes = [
            (box_name(name, 0, place), *spots[node, target])
            for name, each, target in zip(names, marks, targets, strict=True)
            if target
            for place, node in enumerate(each.groups[0].nodes)
        ]
        directions.append(tree_picture.drawing.direction if tree_picture else "down")
        if tree_picture:
            pictures[question.label] = printed_picture(tree_picture) | {"boxes": boxes, "least": scale}
        parts = map(_part, question_sheet.parts, question.parts, marks, names)
        questions.append(replace(question_sheet, parts=tuple(parts)))
    *before, last = sheet.instructions or ("",)  # a line of its own could cost a page
    instructions = (*before, paragraph(last, plain(paper.language.say(CROSSING_INSTRUCTIONS))))
    conventions = (*sheet.conventions, *rightward_notes(paper, directions))
    sheet = replace(sheet, questions=tuple(questions), instructions=instructions, conventions=conventions)
    return sheet, pictures


_Target: TypeAlias = Literal["leaf", "branch"]
"""The places in a picture where boxes go."""


def _picture_targets(marks: Sequence[PaperBoxes]) -> list[_Target | None]:
    """Return where in the picture the boxes of each part go; the first part to want a place has it."""
    targets: list[_Target | None] = []
    for each in marks:
        place = each.groups[0].place
        is_free = place not in targets
        targets.append(place if is_free and (place == "leaf" or place == "branch") else None)
    return targets


@lru_cache(maxsize=32)
def _picture(question: PublicQuestion, targets: frozenset[_Target], size: PaperSize) -> tuple[Picture, float]:
    """Draw the tree of a question with room for boxes; return its least scale too, 0 without room."""
    draw = partial(
        picture,
        question.tree,
        view=question_view(question),
        identity=f"tree-{question.label}",
        **drawing_options(question),
    )
    width, height = PAGE_SIZES_MM[size]
    width, height = width - SIDE_MARGINS_MM, (height - HEAD_MARGINS_MM) * MAX_PICTURE_HEIGHT_SHARE
    directions: tuple[Direction, ...] = ("down", "right") if question.layout == "auto" else (question.layout,)
    side = BOX_MM / PIXEL_MM / MIN_PICTURE_SCALE
    leaf, branch = (side if target in targets else 0.0 for target in ("leaf", "branch"))
    for direction in directions if targets else ():
        tree_picture = draw(direction=direction, leaf_box=leaf, branch_box=branch)
        across, down = (
            side * PIXEL_MM * MIN_PICTURE_SCALE for side in (tree_picture.width, tree_picture.height)
        )
        if across <= width and down <= height:
            return tree_picture, MIN_PICTURE_SCALE
    return draw(), 0.0


def _part(part: PartSheet, exercise: PublicExercise, marks: PaperBoxes, name: str) -> PartSheet:
    """Return a part with boxes instead of the space for its answer."""
    language = exercise.terms.language
    instruction = exercise.wording.instruction if marks.ask is None else language.say(marks.ask)
    rows = tuple(_row(group, number, name) for number, group in enumerate(marks.groups))
    return replace(part, instruction=plain(instruction), box=replace(part.box, boxes=rows))


def _row(group: BoxGroup, number: int, part: str) -> dict[str, Any]:
    """Return the boxes of a group with their names, as templates take them."""
    count, names = 0, []
    for column in group.columns or (("",),):
        names.append(tuple(box_name(part, number, place) for place in range(count, count + len(column))))
        count += len(column)
    return {
        "label": group.label,
        "place": group.place,
        "texts": group.texts,
        "nothing": group.has_none_box,
        "names": tuple(names),
    }
