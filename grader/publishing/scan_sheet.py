"""Papers that a scanner reads: their pages with boxes, discs and codes, and where the boxes are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any, Literal, TypeAlias

from grader.answers.paper_boxes import BoxGroup, PaperBoxes
from grader.base.canonical_json import canonical_json
from grader.base.phrases import Phrase, paragraph
from grader.exam.paper import PaperSize, PublicPaper, PublicQuestion, part_letter
from grader.exercises.exercise import PublicExercise
from grader.pictures.placement import Direction
from grader.pictures.svg import Picture, picture
from grader.publishing.printed_picture import printed_picture
from grader.publishing.sheet import (
    BoxRow,
    PartSheet,
    Sheet,
    drawing_options,
    lay_out,
    plain,
    question_view,
    rightward_notes,
)
from grader.publishing.typesetting import source_digest, typeset_with_query
from grader.questions import kind_by_code
from grader.scanning.box_names import box_name, marks_in_rows, part_marks
from grader.scanning.codes import PageCode, code_modules, module_runs, page_codes
from grader.scanning.places import (
    BOX_MM,
    CODE_MM,
    CODE_OFFSET_MM,
    DISC_INSET_MM,
    DISC_MM,
    PAGE_SIZES_MM,
    Layout,
    PlacedBox,
    exam_hash,
)

CROSSING_INSTRUCTIONS = Phrase("Use a pen or a dark pencil. To take a cross back, fill the whole box.")

PIXEL_MM, POINT_MM = 25.4 / 96, 25.4 / 72
"""Millimetres."""

MIN_PICTURE_SCALE = 0.62
"""The smallest scale of a picture, at which its boxes still have room; below it words become hard to read."""

SIDE_MARGINS_MM, HEAD_MARGINS_MM = 44.0, 40.0
"""What the margins take of the width and of the height of a page, in millimetres."""

MAX_PICTURE_HEIGHT_SHARE = 0.76
"""The most of the height of a page that a picture takes."""


@dataclass(frozen=True, slots=True)
class ScannedPaper:
    """A paper as PDF/UA-1, the codes of its pages, and its boxes as the typesetter has placed them."""

    pdf: bytes
    codes: tuple[PageCode, ...]
    layout: Layout


@lru_cache(maxsize=4)
def scanned_paper(paper: PublicPaper) -> ScannedPaper:
    """The paper, set; remembered for a moment.

    The codes say of how many pages it is, which is known when it is set: it is set again where it has more
    or fewer than the last one with such questions.
    """
    sheet, pictures = _boxed(paper)
    content = sheet.to_json() | {"pictures": pictures, "marks": page_sizes()}
    build = sha256(
        f"{source_digest('paper', 'sheet', 'scan')} {canonical_json(content)}".encode()
    ).hexdigest()
    kinds = (part.kind for question in paper.questions for part in question.parts)
    expected = _pages_of_the_last(paper.heading.title, *kinds)
    while True:
        codes = page_codes(exam_hash(paper.heading), paper.code, expected[0], build)
        drawn_codes = {"codes": [code_bars(code.text) for code in codes]}
        made, found = typeset_with_query("paper", content | drawn_codes, "places")
        if found["pages"] == len(codes):
            return ScannedPaper(made, codes, _layout(found, content))
        expected[0] = found["pages"]


@lru_cache(maxsize=64)
def _pages_of_the_last(*_told: str) -> list[int]:
    """A place to note how many pages a paper had, for the next one of which the same is told."""
    return [1]


def codes_and_boxes(paper: PublicPaper) -> tuple[tuple[str, ...], Layout]:
    """The texts of the codes on the pages of a paper, and its boxes; nothing if it is not to be scanned."""
    if not paper.heading.scan:
        return (), ()
    made = scanned_paper(paper)
    return tuple(code.text for code in made.codes), made.layout


def _layout(found: Mapping[str, Any], content: Mapping[str, Any]) -> Layout:
    """The boxes on each page, in the order of the questions."""
    told = _written_into(found) | crossed_boxes(found) | _in_pictures(found, content["pictures"])
    pages: list[list[PlacedBox]] = [[] for _ in range(found["pages"])]
    for names in _rows(content):
        if all(name in told for name in names):
            above = names
        for name, upper in zip(names, above, strict=True):
            if name not in told:  # as far right as the box above it, as far down as the first of its row
                page, first = told[names[0]]
                told[name] = page, first._replace(name=name, x=told[upper][1].x)
            page, box = told[name]
            pages[page - 1].append(box)
    return tuple(map(tuple, pages))


def _rows(content: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    """The names of the boxes, row by row; all those in the first row of a table have told their places."""
    for question in content["questions"]:
        for part in question["parts"]:
            for row in part["box"]["boxes"]:
                yield from row["names"]


BoxPlaces: TypeAlias = dict[str, tuple[int, PlacedBox]]
"""Boxes by name, with the pages they are on."""


def _written_into(found: Mapping[str, Any]) -> BoxPlaces:
    """What is written into, by the two corners that each of them has."""
    starts: dict[str, Mapping[str, Any]] = {}
    made: BoxPlaces = {}
    for name, place in found["corners"]:
        start = starts.setdefault(name, place)
        if start is not place:
            (x, y), (right, foot) = _corner(start), _corner(place)
            made[name] = start["page"], _box(name, x, y, right - x, foot - y)
    return made


def crossed_boxes(found: Mapping[str, Any]) -> BoxPlaces:
    """The boxes that know their own place; a frame reaches half its width beyond its corner."""
    edge = found["frame"] / 2
    return {
        name: (place["page"], _box(name, *(length - edge for length in _corner(place))))
        for name, place in found["crossings"]
    }


def _in_pictures(found: Mapping[str, Any], pictures: Mapping[str, Any]) -> BoxPlaces:
    """The boxes over pictures, by the places of their middles in these."""
    made: BoxPlaces = {}
    for (label, scale), place in found["pictures"]:
        left, top = _corner(place)
        for name, x, y in pictures[label]["boxes"]:
            across, down = (length * scale * POINT_MM - BOX_MM / 2 for length in (x, y))
            made[name] = place["page"], _box(name, left + across, top + down)
    return made


def _box(name: str, x: float, y: float, width: float = BOX_MM, height: float = BOX_MM) -> PlacedBox:
    return PlacedBox(name, *(round(length, 2) for length in (x, y, width, height)))


def code_bars(text: str) -> list[tuple[int, int, int]]:
    """A code as the bars that are drawn of it, in modules."""
    return list(module_runs(code_modules(text)))


def page_sizes() -> dict[str, Any]:
    """The sizes and places of what is on every page, in millimetres."""
    return {"box": BOX_MM, "disc": DISC_MM, "inset": DISC_INSET_MM, "code": CODE_MM, "place": CODE_OFFSET_MM}


def _corner(place: Mapping[str, str]) -> tuple[float, float]:
    """A place as the typesetter writes it, in points, in millimetres."""
    x, y = (float(place[side].removesuffix("pt")) * POINT_MM for side in "xy")
    return x, y


def _boxed(paper: PublicPaper) -> tuple[Sheet, dict[str, Any]]:
    """The sheet with boxes in place of room to write, and the pictures with theirs."""
    sheet = lay_out(paper)
    questions, pictures, directions = [], {}, list[Direction]()
    for question, asked in zip(paper.questions, sheet.questions, strict=True):
        names = [
            f"{question.label}{part_letter(place, len(question.parts))}" for place in range(len(asked.parts))
        ]
        marks = [part_marks(part, paper.heading.scan) for part in question.parts]
        taken = _in_picture(marks)
        made, least = _picture(question, frozenset(filter(None, taken.values())), paper.heading.size)
        if not least:  # they have no room there
            taken = dict.fromkeys(taken)
        marks = [each if taken[number] else marks_in_rows(each) for number, each in enumerate(marks)]
        spots = {(spot.node, spot.target): (spot.x, spot.y) for spot in made.drawing.spots}
        inside = [
            (box_name(names[number], 0, place), *spots[node, at])
            for number, at in taken.items()
            if at
            for place, node in enumerate(marks[number].groups[0].nodes)
        ]
        directions.append(made.drawing.direction)
        pictures[question.label] = printed_picture(made) | {"boxes": inside, "least": least}
        parts = zip(asked.parts, question.parts, marks, names, strict=True)
        boxed = tuple(_part(part, exercise, said, name) for part, exercise, said, name in parts)
        questions.append(replace(asked, parts=boxed))
    *before, last = sheet.instructions or ("",)  # a line of its own could cost a page
    instructions = (*before, paragraph(last, plain(paper.language.say(CROSSING_INSTRUCTIONS))))
    conventions = (*sheet.conventions, *rightward_notes(paper, directions))
    sheet = replace(sheet, questions=tuple(questions), instructions=instructions, conventions=conventions)
    return sheet, pictures


def _in_picture(marks: Sequence[PaperBoxes]) -> dict[int, Literal["leaf", "branch"] | None]:
    """Where in the picture the boxes of each part go: the first that wants leaves or branches has them."""
    taken: dict[int, Literal["leaf", "branch"] | None] = {}
    for number, each in enumerate(marks):
        place = each.groups[0].place
        free = place not in taken.values()
        taken[number] = place if free and (place == "leaf" or place == "branch") else None
    return taken


@lru_cache(maxsize=32)
def _picture(
    question: PublicQuestion, wanted: frozenset[Literal["leaf", "branch"]], size: PaperSize
) -> tuple[Picture, float]:
    """The tree of a question with room for boxes, and the least scale at which these have it; 0 for none."""
    make = partial(
        picture,
        question.tree,
        view=question_view(question),
        identity=f"tree-{question.label}",
        **drawing_options(question),
    )
    width, height = (
        PAGE_SIZES_MM[size][0] - SIDE_MARGINS_MM,
        (PAGE_SIZES_MM[size][1] - HEAD_MARGINS_MM) * MAX_PICTURE_HEIGHT_SHARE,
    )
    directions: tuple[Direction, ...] = ("down", "right")
    side = BOX_MM / PIXEL_MM / MIN_PICTURE_SCALE
    leaf, branch = (side if at in wanted else 0.0 for at in ("leaf", "branch"))
    for direction in directions if wanted else ():
        made = make(direction=direction, leaf_box=leaf, branch_box=branch)
        if (
            made.width * PIXEL_MM * MIN_PICTURE_SCALE <= width
            and made.height * PIXEL_MM * MIN_PICTURE_SCALE <= height
        ):
            return made, MIN_PICTURE_SCALE
    return make(), 0.0


def _part(part: PartSheet, exercise: PublicExercise, marks: PaperBoxes, name: str) -> PartSheet:
    """A part with boxes in place of the room for its answer."""
    language = exercise.terms.language
    asked = kind_by_code(exercise.kind).form.instruction(language)
    ask = part.ask
    if marks.ask is not None:
        said = plain(language.say(marks.ask))
        ask = ask.replace(plain(asked), said, 1) if plain(asked) in ask else paragraph(said, ask)
    rows = tuple(_row(group, number, name) for number, group in enumerate(marks.groups))
    return replace(part, ask=ask, box=replace(part.box, boxes=rows))


def _row(group: BoxGroup, number: int, part: str) -> BoxRow:
    """The boxes of a group with their names."""
    count, names = 0, []
    for column in group.columns or (("",),):
        names.append(tuple(box_name(part, number, place) for place in range(count, count + len(column))))
        count += len(column)
    return BoxRow(group.label, group.place, group.texts, group.has_none_box, tuple(names))
