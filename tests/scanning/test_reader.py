"""The reader against simulated people and devices, whose truth is known: it may ask, and is never wrong."""

from collections import Counter
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
)

MOST_ASKED = 0.08
"""The most boxes, as a share, of which a person is asked."""

FINE = {"erased": "empty", "stray": "empty", "beside": "empty"}
"""What may be decided of a box to which something happened: nobody crossed it."""

COFFEE = 0.1
"""The share of pages on which coffee is spilled."""

TUNING, JUDGING = 1, 3
"""Seeds: by the first the rules were chosen, by the second they are judged."""


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


def sheet(seed: int, number: int, device: Device | None = None, turn: int | None = None) -> Sheet:
    """One of the sheets of a seed: pens, devices and hands in turn."""
    random = np.random.default_rng((seed, number))
    printed, boxes = form()
    page = Page(printed)
    pen = list(PENS.values())[number % 5]
    hand = list(HANDS.values())[number // 20 % 3]
    crossed = [box.name for box in boxes if random.random() < 0.25]
    truth = filled_in(page, boxes, crossed, random, hand, pen, coffee=COFFEE)
    device = device or list(DEVICES.values())[number // 5 % 4]
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


def judged(sheets: Sequence[int]) -> None:
    """Hold these sheets to their truth: no box wrong, few asked, every page accounted for."""
    count: Counter[str] = Counter()
    for number in sheets:
        made = sheet(JUDGING, number)
        states = read(made.grey)
        if states is None:
            count["unplaced"] += 1
            continue
        for name, truth in made.truth.items():
            state = states[name]
            count["boxes"] += 1
            if state in ("filled", "doubtful"):
                count["asked"] += 1
            elif state not in (truth, FINE.get(truth, truth)):
                count[f"{truth} read as {state} on sheet {number}"] += 1
    boxes, asked, unplaced = count.pop("boxes"), count.pop("asked"), count.pop("unplaced", 0)
    assert count == {}
    assert asked <= MOST_ASKED * boxes
    assert unplaced <= len(sheets) / 20


def test_no_box_is_read_wrongly() -> None:
    """On 20 sheets with every two of pens, devices and sorts of crosses no box is wrong, few are asked."""
    judged([20 * ((pair % 5 + pair // 5) % 3) + pair for pair in range(20)])


@pytest.mark.slow
def test_no_box_is_read_wrongly_on_many_sheets() -> None:
    """Nor on 2,000 sheets, the first 60 of which have every three."""
    judged(range(2_000))


@pytest.mark.parametrize("dpi", [150, 200, 300])
def test_turned_pages_read_the_same(dpi: int) -> None:
    """The same sheet at every quarter turn, at any resolution, reads as it does upright."""
    device = replace(DEVICES["office"], dpi=dpi, noise=0, dust=0, skew=0)
    upright = sheet(TUNING, 0, device, turn=0)
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
        read(sheet(TUNING, 0, replace(device, dpi=dpi), turn=0).grey) for dpi in (300, 200, 150)
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
    grey = sheet(TUNING, 0, DEVICES["office"], turn=0).grey
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
        made = sheet(TUNING, number, BLACK_AND_WHITE)
        states = read(made.grey)
        assert states is not None
        lost += sum(states[name] != "crossed" for name, truth in made.truth.items() if truth == "crossed")
    assert lost > 0
