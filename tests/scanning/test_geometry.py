"""Where boxes, discs and codes are on rendered pages, against what `boxes.json` says."""

import re
from contextlib import closing
from dataclasses import replace
from typing import get_args

import numpy as np
import pypdfium2
import pytest
import zxingcpp

from grader.exam.paper import PaperSize, PublicPaper, ScanMode
from grader.pictures.layout import draw
from grader.pictures.placement import Direction
from grader.publishing.paper_formats import paper_pdf
from grader.publishing.pdf_merge import pdf_page_count
from grader.publishing.scan_sheet import scanned_paper
from grader.scanning.box_names import box_name, marks_by_part
from grader.scanning.places import (
    BOX_MM,
    CODE_MM,
    DISC_MM,
    PAGE_SIZES_MM,
    PlacedBox,
    code_corners,
    disc_centres,
)
from grader.trees.notation.reading import tree_of
from tests.publishing.papers import NAMES, TREES, misplaced
from tests.scanning.papers import (
    CHANCE,
    LEAVES_31,
    LEAVES_60,
    LONGEST,
    PLAYERS,
    Grey,
    asking,
    pixels,
    scanned_kind,
)

DOTS = 300 / 25.4
"""Pixels in a millimetre."""

CLOSE = 0.3
"""How far, in millimetres, anything may be from where it is said to be."""


def edge_near(page: Grey, box: PlacedBox, side: str) -> float:
    """How far the printed line of one side of a box is from its place, in millimetres."""
    if side in ("left", "right"):
        page, box = page.T, PlacedBox(box.name, box.y, box.x, box.height, box.width)
    middle = (box.y if side in ("left", "top") else box.y + box.height - 0.25) + 0.125
    start, end = round((box.x + 0.5) * DOTS), round((box.x + box.width - 0.5) * DOTS)
    rows = np.arange(round((middle - 0.6) * DOTS), round((middle + 0.6) * DOTS) + 1)
    profile = 255 - page[rows, start:end].mean(axis=1)
    assert profile.max() > 80, f"{box.name} has no line on its {side}"
    ink = np.clip(profile - profile.max() / 2, 0, None)
    return abs(float((rows * ink).sum() / ink.sum() + 0.5) / DOTS - middle)


def assert_in_place(paper: PublicPaper) -> int:
    """Hold everything on the pages of a paper to its place; how many boxes to be crossed it has."""
    made = scanned_paper(paper)
    layout, crossed = made.layout, 0
    pages = list(pixels(made.pdf))
    assert len(pages) == len(layout)
    for page, boxes, code in zip(pages, layout, made.codes, strict=True):
        size = paper.heading.size
        for x, y in disc_centres(size):
            top, left = round((y - DISC_MM) * DOTS), round((x - DISC_MM) * DOTS)
            around = (
                page[top : top + round(2 * DISC_MM * DOTS), left : left + round(2 * DISC_MM * DOTS)] < 128
            )
            rows, columns = np.nonzero(around)
            assert abs((left + columns.mean() + 0.5) / DOTS - x) < CLOSE
            assert abs((top + rows.mean() + 0.5) / DOTS - y) < CLOSE
        found = zxingcpp.read_barcodes(page, formats=zxingcpp.BarcodeFormat.QRCode)
        assert [each.text for each in found] == [code.text] * 2
        corners = sorted((each.position.top_left.y, each.position.top_left.x) for each in found)
        for (y, x), place in zip(corners, code_corners(size), strict=True):
            assert abs(x / DOTS - place[0]) < CLOSE
            assert abs(y / DOTS - place[1]) < CLOSE
        for box in boxes:
            assert box.x > 20
            assert box.y > 15
            if not box.is_written:
                assert box[3:] == (BOX_MM, BOX_MM)
                for side in ("left", "right", "top", "bottom"):
                    assert edge_near(page, box, side) < CLOSE, (box, side)
                crossed += 1
    names = [box.name for boxes in layout for box in boxes]
    assert len(set(names)) == len(names)
    apart = [
        max(abs(one.x - other.x), abs(one.y - other.y))
        for boxes in layout
        for place, one in enumerate(boxes)
        for other in boxes[:place]
        if not one.is_written and not other.is_written
    ]
    assert min(apart, default=9) > BOX_MM + 0.5
    assert CODE_MM == 13
    return crossed


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", NAMES)
def test_every_kind_has_its_boxes_where_they_are_said_to_be(kind: str) -> None:
    """Every answer has its boxes or room to write, within 0.3 mm of where it is said to be, on both sizes."""
    for size, scan in (("a4", "choice"), ("us-letter", "written")):
        paper = scanned_kind(kind, scan, size)
        assert_in_place(paper)
        layout = scanned_paper(paper).layout
        written = {box.name: box.is_written for boxes in layout for box in boxes}
        wanted = {
            box_name(part, number, place): group.is_handwritten
            for part, (_, marks) in marks_by_part(paper).items()
            for number, group in enumerate(marks.groups)
            for place in range(len(group.meanings))
        }
        assert written == wanted
        assert written


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", NAMES)
def test_boxes_take_no_more_pages(kind: str) -> None:
    """A question has as many pages with boxes as without, on both sizes, however numbers are entered."""
    for size in get_args(PaperSize):
        for scan in ("choice", "written", "bubbles"):
            paper = scanned_kind(kind, scan, size)
            plain = replace(paper, heading=replace(paper.heading, scan=""))
            assert len(scanned_paper(paper).layout) <= pdf_page_count(paper_pdf(plain)), (size, scan)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", NAMES)
def test_every_kind_is_crossed_or_cropped(kind: str) -> None:
    """Whatever is asked, every entry has its boxes on the page, or a place to write in that is cut out."""
    for scan in ("written", "bubbles"):
        paper = scanned_kind(kind, scan)
        boxes = {box.name: box for page in scanned_paper(paper).layout for box in page}
        wanted = {
            box_name(name, number, place): group.is_handwritten
            for name, (_, marks) in marks_by_part(paper).items()
            for number, group in enumerate(marks.groups)
            for place in range(len(group.meanings))
        }
        assert {name: box.is_written for name, box in boxes.items()} == wanted
        for box in boxes.values():
            assert not box.is_written or box.is_cell or (box.width > 9 and box.height > 5), box


@pytest.mark.parametrize(
    ("text", "kinds", "least"),
    [
        (LEAVES_31, ("pruned-paths",), 32),
        (LEAVES_31, ("pruned-paths", "pruned-branches"), 32 + 40),
        (LEAVES_60, ("pruned-paths",), 61),
        (CHANCE, ("best-move", "chance-cuts", "expected-values"), 2),
    ],
    ids=["31 leaves", "with branches", "60 leaves", "chance"],
)
def test_large_and_strange_trees_have_their_boxes(text: str, kinds: tuple[str, ...], least: int) -> None:
    """However large a tree is or whoever plays, no box is left out and none is out of place."""
    assert assert_in_place(asking(text, *kinds).public) >= least


@pytest.mark.parametrize(
    ("count", "step", "crossed"),
    [(24, 1, True), (27, 1, True), (28, 1, False), (13, 0.25, True), (24, 0.25, False), (48, 1, False)],
)
def test_choices_have_room_side_by_side(count: int, step: float, crossed: bool) -> None:
    """Payoffs are offered beside names of nodes as long as neither their boxes nor they come too near."""
    payoffs = [f"{10 + at * step:g}" for at in range(count)]
    half = count // 2
    text = f"MAX Node10 (MIN Node11 ({' '.join(payoffs[:half])}) MIN Node12 ({' '.join(payoffs[half:])}))"
    for size in get_args(PaperSize):
        paper = asking(text, "node-values", scan="choice", size=size).public
        assert assert_in_place(paper) == (3 * count if crossed else 0)
        assert misplaced(scanned_paper(paper).pdf) == []


@pytest.mark.parametrize("size", get_args(PaperSize))
def test_a_game_of_nine_has_its_answer_where_it_is_said_to_be(size: PaperSize) -> None:
    """The frame around what nine players get is on the rendered page where it is said to be."""
    paper = asking(PLAYERS, "payoff-vectors.value", size=size).public
    assert_in_place(paper)
    made = scanned_paper(paper)
    framed = 0
    for page, boxes in zip(pixels(made.pdf), made.layout, strict=True):
        for box in boxes:
            assert box.is_written
            for side in ("left", "right", "top", "bottom"):
                assert edge_near(page, box, side) < CLOSE, (box, side)
            framed += 1
    assert framed == 1


@pytest.mark.parametrize("direction", ["down", "right"])
@pytest.mark.parametrize("text", [LEAVES_31, CHANCE, PLAYERS, LONGEST, *TREES])
def test_boxes_in_a_picture_touch_nothing(text: str, direction: Direction) -> None:
    """A box in a picture covers no word, no shape and no other box, and a branch has its own on itself."""
    side = 24.0
    tree = tree_of(text)
    made = draw(tree, names="all", paths=True, direction=direction, leaf_box=side, branch_box=side)
    assert sorted(spot.node for spot in made.spots if spot.target == "leaf") == sorted(tree.leaves)
    assert sorted(spot.node for spot in made.spots if spot.target == "branch") == list(range(1, len(tree)))
    things = [thing.box for thing in (*made.texts, *made.shapes)]
    for place, spot in enumerate(made.spots):
        for left, top, right, bottom in things:
            outside = max(left - spot.x, spot.x - right, top - spot.y, spot.y - bottom)
            assert outside > side / 2 - 0.5, (spot, (left, top, right, bottom))
        for other in made.spots[:place]:
            assert max(abs(spot.x - other.x), abs(spot.y - other.y)) > side + 1
        assert 0 < spot.x < made.width
        assert 0 < spot.y < made.height


@pytest.mark.parametrize("size", ["a4", "us-letter"])
def test_digits_have_their_boxes(size: PaperSize) -> None:
    """Numbers that are entered digit by digit have a box for each digit."""
    text = "MAX A (MIN B (-3 12) MIN C (2 40))"
    assert assert_in_place(asking(text, "node-values", scan="bubbles", size=size).public) == 3 * 21


LONG = 'MAX Start (MIN "Knights-to-the-left" (3 -12) MIN "Rook of the north" (MAX Elizabeth (2 5) 4))'


def test_long_names_stay_clear_of_boxes_and_digits() -> None:
    """However long the name beside boxes for digits is, no letter stands in a box or right above it."""
    made = scanned_paper(asking(LONG, "node-values", scan="bubbles").public)
    seen = 0
    with closing(pypdfium2.PdfDocument(made.pdf)) as document:
        for page, boxes in zip(document, made.layout, strict=True):
            text, high = page.get_textpage(), page.get_height()
            first = min(box.y for box in boxes)  # above these the question ends
            for box in (box for box in boxes if box.y > first + 1):
                left, right = (length * 72 / 25.4 for length in (box.x, box.x + box.width))
                upper, lower = (high - length * 72 / 25.4 for length in (box.y - 3, box.y + box.height))
                said = text.get_text_bounded(left=left, bottom=lower, right=right, top=upper)
                assert not re.search(r"[A-Za-z]", said), (box.name, said)
                seen += 1
    assert seen > 40


@pytest.mark.parametrize("size", get_args(PaperSize))
@pytest.mark.parametrize("scan", ["choice", "bubbles", "written"])
def test_long_names_leave_boxes_their_room(scan: ScanMode, size: PaperSize) -> None:
    """Beside names of 48 letters every box is on the page, apart from others and wide enough to write in."""
    kinds = ("node-values", "best-move", "pruned-branches", "windows")
    paper = asking(LONGEST, *kinds, scan=scan, size=size).public
    assert_in_place(paper)
    width = PAGE_SIZES_MM[size][0] - 20
    for box in (box for boxes in scanned_paper(paper).layout for box in boxes):
        assert box.x + box.width < width
        if box.is_written and not box.is_cell:
            assert box.width > (100 if box.name.startswith("1d") else 9)


@pytest.mark.parametrize(
    "names", [("B", "C"), ("B", "Rook of the north"), ("Elizabeth", "Knight-to-the-left-" * 4)]
)
def test_digits_are_in_line(names: tuple[str, str]) -> None:
    """However high names are, boxes for digits side by side are in line, with the digits right above them."""
    one, other = names
    text = f'MAX A (MIN "{one}" (3 -12) MIN "{other}" (2 40) MIN D (MAX E (5 6) 4))'
    made = scanned_paper(asking(text, "node-values", scan="bubbles").public)
    (boxes,) = made.layout
    of = {group: [box for box in boxes if box.name.startswith(f"1.{group}.")] for group in range(5)}
    for left, right in ((0, 1), (2, 3)):
        assert [box.y for box in of[left]] == [box.y for box in of[right]]
    with closing(pypdfium2.PdfDocument(made.pdf)) as document:
        page = document[0]
        text_page, high = page.get_textpage(), page.get_height()
        for group in of.values():
            for digit, box in enumerate(group[1:11]):
                left, right = (length * 72 / 25.4 for length in (box.x, box.x + box.width))
                upper, lower = (high - length * 72 / 25.4 for length in (box.y - 4, box.y))
                said = text_page.get_text_bounded(left=left, bottom=lower, right=right, top=upper)
                assert said.strip() == str(digit)


def test_long_names_are_parted_between_their_words() -> None:
    """Beside boxes a line ends within a word only where it is too long, and then in pieces of one length."""
    made = scanned_paper(asking(LONGEST, "node-values", scan="bubbles").public)
    first = min(box.y for boxes in made.layout for box in boxes)
    with closing(pypdfium2.PdfDocument(made.pdf)) as document:
        page = document[0]
        said = page.get_textpage().get_text_bounded(top=page.get_height() - (first - 6) * 72 / 25.4)
    words = re.findall("[A-Za-z]+", said)
    assert {"Knight", "bishop", "queenside", "kingdom", "north", "horses"} <= set(words)
    assert {"trizitaetenha", "uptbetrieb"} <= set(words)
