"""Papers that a scanner reads: their pages with boxes, discs and codes, and where the boxes are."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache, partial
from typing import Any, Literal, TypeAlias

from grader.answers.marks import Group, Marks
from grader.base.phrases import Phrase
from grader.exam.paper import PublicPaper, PublicQuestion, Size, letter
from grader.exercise import PublicExercise
from grader.kinds import the_kind
from grader.pictures.picture import Picture
from grader.pictures.placing import Direction
from grader.pictures.svg import picture
from grader.publishing.sheet import BoxRow, PartSheet, Sheet, drawn, lay_out, plain, shown
from grader.publishing.typesetting import typeset_after
from grader.scanning.codes import modules, runs
from grader.scanning.places import BOX, CODE, CODE_PLACE, DISC, INSET, SIZES, Box, Layout, page_codes
from grader.scanning.questions import box_name, in_rows, marks_of

HOW = Phrase("Use a pen or a dark pencil. To take a cross back, fill the whole box.")

PIXEL = 25.4 / 96
"""Millimetres."""

LEAST = 0.62
"""The smallest scale of a picture, at which its boxes still have room; below it words become hard to read."""

SIDES, HEADS = 44.0, 40.0
"""What the margins take of the width and of the height of a page, in millimetres."""

MOST = 0.76
"""The most of the height of a page that a picture takes."""

Spots: TypeAlias = Mapping[tuple[int, Literal["leaf", "branch"]], tuple[float, float]]


@lru_cache(maxsize=4)
def scanned(paper: PublicPaper) -> tuple[Layout, bytes]:
    """The boxes of a paper as the typesetter has placed them, and the paper as PDF/UA-1 with its codes.

    Remembered for a moment.
    """

    def codes(found: Any) -> dict[str, Any]:
        return {"codes": [bars(code.text) for code in page_codes(paper, _layout(found))]}

    found, made = typeset_after("paper", _content(paper), "places", codes)
    return _layout(found), made


def marks_on(paper: PublicPaper) -> tuple[tuple[str, ...], Layout]:
    """The texts of the codes on the pages of a paper, and its boxes; nothing if it is not to be scanned."""
    if not paper.heading.scan:
        return (), ()
    layout, _ = scanned(paper)
    return tuple(code.text for code in page_codes(paper, layout)), layout


def _layout(found: Any) -> Layout:
    """The boxes on each page, by the two corners that each of them has."""
    pages: list[list[Box]] = [[] for _ in range(found["pages"])]
    starts: dict[str, Mapping[str, Any]] = {}
    for name, place in found["corners"]:
        if name not in starts:
            starts[name] = place
            continue
        start = starts[name]
        x, y = _millimetres(start["x"]), _millimetres(start["y"])
        width, height = _millimetres(place["x"]) - x, _millimetres(place["y"]) - y
        pages[start["page"] - 1].append(Box(name, *(round(length, 2) for length in (x, y, width, height))))
    edge = found["frame"] / 2  # a frame reaches so far beyond its corner
    for name, place in found["crossings"]:
        x, y = (round(_millimetres(place[side]) - edge, 2) for side in "xy")
        pages[place["page"] - 1].append(Box(name, x, y, BOX, BOX))
    return tuple(map(tuple, pages))


def bars(text: str) -> list[tuple[int, int, int]]:
    """A code as the bars that are drawn of it, in modules."""
    return list(runs(modules(text)))


def _content(paper: PublicPaper) -> dict[str, Any]:
    """What the template needs: the sheet, its pictures with boxes, and the sizes of what is on every page."""
    sheet, pictures = _boxed(paper)
    marks = {"box": BOX, "disc": DISC, "inset": INSET, "code": CODE, "place": CODE_PLACE}
    return asdict(sheet) | {"pictures": pictures, "marks": marks, "codes": []}


def _millimetres(length: str) -> float:
    """A length as the typesetter writes it, in points."""
    return float(length.removesuffix("pt")) * 25.4 / 72


def _boxed(paper: PublicPaper) -> tuple[Sheet, dict[str, Any]]:
    """The sheet with boxes in place of room to write, and the pictures with theirs."""
    sheet = lay_out(paper)
    questions, pictures = [], {}
    for question, asked in zip(paper.questions, sheet.questions, strict=True):
        names = [f"{question.label}{letter(place, len(question.parts))}" for place in range(len(asked.parts))]
        marks = [marks_of(part, paper.heading.scan) for part in question.parts]
        taken = _in_picture(marks)
        drawing, least = _picture(question, {at for at in taken.values() if at}, paper.heading.size)
        if not least:  # they have no room there
            taken = dict.fromkeys(taken)
        marks = [each if taken[number] else in_rows(each) for number, each in enumerate(marks)]
        spots = {(spot.node, spot.at): (spot.x, spot.y) for spot in drawing.spots}
        inside = [
            (box_name(names[number], 0, place), *spots[node, at])
            for number, at in taken.items()
            if at
            for place, node in enumerate(marks[number].groups[0].nodes)
        ]
        pictures[question.label] = asdict(drawing) | {"boxes": inside, "least": least}
        parts = zip(asked.parts, question.parts, marks, names, strict=True)
        boxed = tuple(_part(part, exercise, said, name) for part, exercise, said, name in parts)
        questions.append(replace(asked, parts=boxed))
    instructions = (*sheet.instructions, plain(paper.language.say(HOW)))
    return replace(sheet, questions=tuple(questions), instructions=instructions), pictures


def _in_picture(marks: Sequence[Marks]) -> dict[int, Literal["leaf", "branch"] | None]:
    """Where in the picture the boxes of each part go: the first that wants leaves or branches has them."""
    taken: dict[int, Literal["leaf", "branch"] | None] = {}
    for number, each in enumerate(marks):
        place = each.groups[0].place
        free = place not in taken.values()
        taken[number] = place if free and (place == "leaf" or place == "branch") else None
    return taken


def _picture(
    question: PublicQuestion, wanted: set[Literal["leaf", "branch"]], size: Size
) -> tuple[Picture, float]:
    """The tree of a question with room for boxes, and the least scale at which these have it; 0 for none."""
    make = partial(
        picture, question.tree, view=shown(question), identity=f"tree-{question.label}", **drawn(question)
    )
    width, height = SIZES[size][0] - SIDES, (SIZES[size][1] - HEADS) * MOST
    directions: tuple[Direction, ...] = ("down", "right")
    side = BOX / PIXEL / LEAST
    leaf, branch = (side if at in wanted else 0.0 for at in ("leaf", "branch"))
    for direction in directions if wanted else ():
        made = make(direction=direction, leaf_box=leaf, branch_box=branch)
        if made.width * PIXEL * LEAST <= width and made.height * PIXEL * LEAST <= height:
            return made, LEAST
    return make(), 0.0


def _part(part: PartSheet, exercise: PublicExercise, marks: Marks, name: str) -> PartSheet:
    """A part with boxes in place of the room for its answer."""
    language = exercise.terms.language
    asked = the_kind(exercise.kind).form.asked(language)
    ask = part.ask
    if marks.ask is not None:
        said = plain(language.say(marks.ask))
        ask = ask.replace(plain(asked), said, 1) if plain(asked) in ask else f"{said} {ask}".strip()
    rows = tuple(_row(group, number, name) for number, group in enumerate(marks.groups))
    return replace(part, ask=ask, box=replace(part.box, boxes=rows))


def _row(group: Group, number: int, part: str) -> BoxRow:
    """The boxes of a group with their names."""
    count, names = 0, []
    for column in group.columns or (("",),):
        names.append(tuple(box_name(part, number, place) for place in range(count, count + len(column))))
        count += len(column)
    return BoxRow(group.label, group.place, group.texts, group.nothing, tuple(names))
