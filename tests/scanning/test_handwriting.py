"""Numbers that are written by hand: boxes cut out, sorted into piles by likeness, and put together."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from grader.answers.paper_boxes import DIGIT_CELL, DIVIDER_CELL, SIGN_CELL, NumberEntry
from grader.answers.table import TABLE
from grader.scanning.likeness import MIN_INK_MM2, cut_cells, features, ink_areas
from grader.scanning.page_reading import KEPT_DOTS_PER_MM
from grader.scanning.page_suggestions import suggest_pages
from grader.scanning.piles import Pile, sort_into_piles
from grader.scanning.places import CELL_MM, CELL_PITCH_MM, PlacedBox
from grader.scanning.replies import sort_pages
from grader.scanning.written_numbers import EMPTY, number_in_cells
from tests.answers.test_rare_replies import TERMS, TREE
from tests.cli.running import gametree
from tests.scanning.classes import BLUEPRINT, Writer, fill_in
from tests.scanning.desks import pdf, room
from tests.scanning.papers import Grey
from tests.scanning.simulator import DOTS, Page

FRACTION = (SIGN_CELL, *(DIGIT_CELL,) * 3, DIVIDER_CELL, *(DIGIT_CELL,) * 3)
"""The boxes of a number that may be a fraction."""


def written(digits: str, seed: int) -> tuple[Grey, list[PlacedBox]]:
    """A page on which ten people write these signs, and its boxes; with a blank nothing is written."""
    random = np.random.default_rng(seed)
    writers = [Writer.some(random, number) for number in range(10)]
    columns = 24
    boxes = [
        PlacedBox(f"1.0.{place}", 20 + place % columns * CELL_PITCH_MM, 20 + place // columns * 9.5, *CELL_MM)
        for place in range(len(digits))
    ]
    page = Page(np.full((round(297 * DOTS), round(210 * DOTS)), 255, np.uint8))
    for place, (box, sign) in enumerate(zip(boxes, digits, strict=True)):
        left, top, right, foot = (
            round(length * DOTS) for length in (box.x, box.y, box.x + box.width, box.y + box.height)
        )
        page.ink[top : top + 3, left:right] = page.ink[foot - 3 : foot, left:right] = 165
        page.ink[top:foot, left : left + 3] = page.ink[top:foot, right - 3 : right] = 165
        if sign != " ":
            writer = writers[place % len(writers)]
            page.draw([writer.sign(random, box, sign)], writer.pen, random)
    page.ink[:40, :40] = 0  # something is as dark as print
    step = DOTS / KEPT_DOTS_PER_MM
    rows, places = (np.arange(int(side / step)) * step for side in page.ink.shape)
    return page.ink[np.ix_(rows.astype(int), places.astype(int))].astype(np.uint8), boxes


def test_boxes_in_which_something_is_written_have_ink() -> None:
    """Digits, points and dashes have enough ink for a box not to look empty, and frames have none."""
    signs = "0123456789-/. " * 10
    page, boxes = written(signs, 5)
    has_ink = ink_areas(cut_cells(page, boxes)) >= MIN_INK_MM2
    assert has_ink.tolist() == [sign != " " for sign in signs]


@pytest.mark.parametrize("seed", range(3))
def test_alike_digits_are_in_one_pile(seed: int) -> None:
    """Nearly all of a pile without a name are one digit; when some are named, nearly all others are right."""
    random = np.random.default_rng(seed)
    digits = "".join(random.permutation(list("0123456789" * 20)))
    page, boxes = written(digits, seed)
    vectors = features(cut_cells(page, boxes))
    piles = sort_into_piles(vectors, vectors[:0], [])
    assert sorted(place for pile in piles for place in pile.members) == list(range(len(digits)))
    large = [Counter(digits[place] for place in pile.members) for pile in piles if len(pile.members) > 1]
    assert sum(map(Counter.total, large)) > 100
    assert sum(max(each.values()) for each in large) >= 0.95 * sum(map(Counter.total, large))
    named = sort_into_piles(vectors[100:], vectors[:100], list(digits[:100]))
    guesses = [(pile.name, digits[100 + place]) for pile in named if pile.name for place in pile.members]
    assert len(guesses) > 50
    assert sum(name == digit for name, digit in guesses) >= 0.95 * len(guesses)


def test_nothing_is_sorted_into_no_piles() -> None:
    """No pictures make no piles; a picture like none of the named ones has no name."""
    none = np.zeros((0, 4))
    assert sort_into_piles(none, none, []) == []
    one = np.eye(4)
    assert sort_into_piles(one[:1], one[1:2], ["7"]) == [Pile("", (0,))]


@pytest.mark.parametrize(
    ("signs", "number"),
    [
        ("-  7    ", "-7"), ("   7    ", "7"),
        (" 12 /7  ", "12/7"), (" 005.25 ", "5.25"), ("  5 ,  5", "5.5"),
        ("        ", ""), ("-       ", None), (" 1 2    ", None), ("   5.   ", None), ("    .5  ", None),
        ("   5.2 5", None), ("7  5    ", None),
    ],
)  # fmt: skip
def test_numbers_are_put_together(signs: str, number: str | None) -> None:
    """Digits may stand left or right in their boxes; a gap, a divider or a sign alone forms no number."""
    cells = [EMPTY if sign == " " else sign for sign in signs]
    assert number_in_cells(FRACTION, cells, decimal_comma=False) == number
    if number:
        assert number_in_cells(FRACTION, cells, decimal_comma=True) == number.replace(".", ",")


@pytest.mark.parametrize(
    ("offered", "cells"),
    [
        (NumberEntry("written", (2, 14)), ("", "")),
        (NumberEntry("written", (-3, 140)), ("-", "", "", "")),
        (NumberEntry("written", bounds=(2, 14)), FRACTION),
        (NumberEntry("written", (2, 1400)), ("",)),
        (NumberEntry("written"), ("",)),
    ],
)
def test_boxes_fit_what_a_number_can_be(offered: NumberEntry, cells: tuple[str, ...]) -> None:
    """There is a box for every digit and sign that the question allows; one room where that is not known."""
    for group in TABLE.paper_boxes(TREE, TERMS, offered).groups:
        assert group.meanings == cells
        assert (group.place == "cells") is (cells != ("",))


def test_the_missing_page_is_suggested_first(tmp_path: Path) -> None:
    """A scan without codes is shown upright, and the missing page that it is comes first."""
    built = room(tmp_path / "exam", ("Ada", "Bo"), BLUEPRINT)
    first, second = built.codes
    filled = fill_in(built, 3, (second, 2))
    lost = {(first, 2), (first, 3)}
    sheets = [sheet for place, sheet in filled.sheets.items() if place not in lost]
    gametree("scan", str(built.folder), str(pdf(tmp_path / "scans.pdf", *sheets)))
    pages, read = sort_pages(built.journal.pages())
    (uncoded,) = (page for page in pages if page.fate == "person")
    found = suggest_pages(built.exam, built.journal.images, uncoded, pages, read)
    assert found.pages[0] == (second, 2)
    assert set(found.pages) == {(second, 2), *lost}
    assert found.upright is not None
    upper, lower = np.array_split(found.upright < 150, 2)
    printed_upper, printed_lower = np.array_split(built.pages[second][1] < 150, 2)
    assert (upper.mean() > lower.mean()) == (printed_upper.mean() > printed_lower.mean())
    assert found.upright.shape == (297 * KEPT_DOTS_PER_MM, 210 * KEPT_DOTS_PER_MM)
