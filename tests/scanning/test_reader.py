"""How the reader places simulated sheets; what it reads of them is held by `tests/campaigns/scans.py`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

from grader.publishing.scan_sheet import scanned_paper as paper_with_boxes
from grader.scanning.box_states import look_at_boxes
from grader.scanning.page_location import PagePlacement, detect_codes, locate_page
from grader.scanning.places import PlacedBox
from tests.scanning.papers import LEAVES_31, Grey, asking, pixels
from tests.scanning.simulator import (
    BLACK_AND_WHITE,
    DEVICES,
    DOTS,
    HANDS,
    PENS,
    Device,
    Page,
    Truth,
    filled_in,
    scanned,
    straight,
)

COFFEE = 0.1
"""The share of pages on which coffee is spilled."""

SEED = 1


@cache
def form() -> tuple[Grey, tuple[PlacedBox, ...]]:
    """A page full of boxes in a tree, and those to be crossed."""
    made = paper_with_boxes(asking(LEAVES_31, "pruned-paths", "pruned-branches", "best-move").public)
    page, boxes = max(zip(pixels(made.pdf), made.layout, strict=True), key=lambda pair: len(pair[1]))
    return page, tuple(box for box in boxes if not box.is_written)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A simulated sheet: its scan and the truth about it."""

    grey: Grey
    truth: Truth


def sheet(number: int, device: Device, turn: int | None = None) -> Sheet:
    """One of the sheets: pens and hands in turn."""
    random = np.random.default_rng((SEED, number))
    printed, boxes = form()
    page = Page(printed)
    pen = list(PENS.values())[number % 5]
    hand = list(HANDS.values())[number // 20 % 3]
    crossed = [box.name for box in boxes if random.random() < 0.25]
    truth = filled_in(page, boxes, crossed, random, hand, pen, coffee=COFFEE)
    turn = int(random.integers(4)) if turn is None else turn
    return Sheet(scanned(page, device, random, turn), truth)


def read(grey: Grey) -> dict[str, str] | None:
    """What the reader says of every box; None when it cannot place the page."""
    placing = placed(grey)
    if placing is None:
        return None
    boxes = form()[1]
    return {
        box.name: look.state for box, look in zip(boxes, look_at_boxes(grey, placing, boxes), strict=True)
    }


def placed(grey: Grey) -> PagePlacement | None:
    """How a page lies."""
    seen = detect_codes(grey)
    return locate_page(grey, seen, "a4") if seen else None


@pytest.mark.parametrize("dpi", [150, 200, 300])
def test_turned_pages_read_the_same(dpi: int) -> None:
    """The same sheet at every quarter turn, at any resolution, reads as it does upright."""
    device = replace(DEVICES["office"], dpi=dpi, noise=0, dust=0, skew=0)
    upright = sheet(0, device, turn=0)
    said = read(upright.grey)
    assert said is not None
    plain = {name for name, state in said.items() if state in ("empty", "crossed")}
    assert len(plain) > 0.8 * len(said)
    for turn in (1, 2, 3):
        again = read(np.ascontiguousarray(np.rot90(upright.grey, turn)))
        assert again is not None
        assert {name: again[name] for name in plain} == {name: said[name] for name in plain}


def test_any_resolution_reads_the_same() -> None:
    """What is plain in a sheet at 300 dots an inch is the same at 200 and at 150, and nearly all is plain."""
    device = replace(DEVICES["office"], noise=0, dust=0, skew=0)
    fine, middling, coarse = (
        read(sheet(0, replace(device, dpi=dpi), turn=0).grey) for dpi in (300, 200, 150)
    )
    assert fine is not None
    for other in (middling, coarse):
        assert other is not None
        told = [(fine[name], state) for name, state in other.items()]
        plain = [pair for pair in told if {"filled", "doubtful"}.isdisjoint(pair)]
        assert len(plain) > 0.8 * len(told)
        assert all(one == same for one, same in plain)


def test_a_page_without_two_of_its_discs_is_not_read() -> None:
    """Whatever two discs are cut off, nothing is read; one may be missing."""
    grey = sheet(0, DEVICES["office"], turn=0).grey
    height, width = grey.shape
    edge = round(22 * DOTS)
    corners = [
        (slice(0, edge // 4 * 3), slice(0, edge // 4 * 3)),
        (slice(0, edge), slice(width - edge, width)),
        (slice(height - edge // 4 * 3, height), slice(width - edge // 4 * 3, width)),
        (slice(height - edge, height), slice(0, edge)),
    ]
    for first in range(4):
        once = grey.copy()
        once[corners[first]] = 255
        assert placed(once) is not None
        for other in range(first):
            twice = once.copy()
            twice[corners[other]] = 255
            assert placed(twice) is None


def test_black_and_white_scans_lose_faint_crosses() -> None:
    """The reason why such scans are refused: a faint cross that is not in the file cannot be asked of."""
    lost = 0
    for number in (4, 9, 14):
        made = sheet(number, BLACK_AND_WHITE)
        states = read(made.grey)
        assert states is not None
        lost += sum(states[name] != "crossed" for name, truth in made.truth.items() if truth == "crossed")
    assert lost > 0


def test_a_full_cross_is_compared_with_the_others_of_its_page() -> None:
    """A cross that fills its box counts among others as broad, and is asked among thin ones or alone."""
    printed, boxes = form()
    marked = boxes[::3]
    full, others = marked[0], marked[1:]

    def states(pen: str, crossed: Sequence[PlacedBox]) -> dict[str, str]:
        page, random = Page(printed), np.random.default_rng(4)
        page.draw(straight(random, full), PENS["broad felt"], random)
        for box in crossed:
            page.draw(straight(random, box), PENS[pen], random)
        found = read(scanned(page, DEVICES["office"], random, 0))
        assert found is not None
        return found

    broad, thin = states("broad felt", others), states("gel", others)
    assert broad[full.name] == "crossed"
    assert thin[full.name] == "doubtful"
    assert states("gel", ())[full.name] == "doubtful"
    assert sum(thin[box.name] == "crossed" for box in others) > 0.8 * len(others)
