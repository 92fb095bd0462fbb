"""The pages that try pens and scanners: filled in by the simulator, they tell what was read of them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from grader.exam.paper import PaperSize
from grader.publishing.kit_pages import scan_kit
from grader.scanning.kit import BOXES_PER_MARK, MARKS, PENS, read_kit, tally_marks
from grader.scanning.page_reasons import NO_CODE
from grader.scanning.places import PlacedBox
from tests.cli.running import gametree
from tests.scanning.papers import pixels
from tests.scanning.simulator import DEVICES, Page, Pen, Random, Stroke, drawn, filled, scanned, straight
from tests.scanning.simulator import PENS as SIMULATED

Hand = Callable[[Random, PlacedBox], list[Stroke]]


def grown(factor: float) -> Hand:
    """A cross that is so much larger than a box."""

    def hand(random: Random, box: PlacedBox) -> list[Stroke]:
        middle = np.array([box.x + box.width / 2, box.y + box.height / 2])
        return [middle + (stroke - middle) * factor for stroke in straight(random, box)]

    return hand


def points(*places: tuple[float, float]) -> Hand:
    """A line through these places, in sides of a box."""

    def hand(random: Random, box: PlacedBox) -> list[Stroke]:
        del random  # it is drawn where it is meant to be
        return [np.array(places) * box.width + (box.x, box.y)]

    return hand


HANDS: Mapping[str, Hand | None] = {
    "empty": None,
    "cross": straight,
    "quick": drawn,
    "large": grown(1.5),
    "small": grown(0.6),
    "light": straight,
    "back": filled,
    "line": points((0.1, 0.1), (0.9, 0.9)),
    "tick": points((0.1, 0.5), (0.4, 0.85), (0.95, 0.0)),
    "dot": points((0.5, 0.5), (0.52, 0.52)),
    "beside": points((1.5, 0.0), (1.5, 1.0)),
    "erased": None,
}
"""How the simulated people make each mark."""


def filled_kit(path: Path, size: PaperSize, pens: Mapping[str, Pen], wrongly: str = "") -> Path:
    """A PDF of the kit as filled in with these pens; the row of one mark is left empty."""
    kit, pdf = scan_kit(size)
    random, pages = np.random.default_rng(4), []
    for grey, boxes, pen in zip(pixels(pdf), kit.layout, pens.values(), strict=False):
        page = Page(grey)
        for box in boxes:
            name = MARKS[int(box.name.split(".")[1])].name
            hand = HANDS[name]
            if hand is not None and name != wrongly:
                lighter = replace(pen, dark=pen.dark * 0.6) if name == "light" else pen
                page.draw(hand(random, box), lighter, random)
        pages.append(Image.fromarray(scanned(page, DEVICES["office 150"], random, len(pages) % 4)))
    pages[0].save(path, save_all=True, append_images=pages[1:], resolution=150)
    return path


@pytest.mark.parametrize("size", ["a4", "us-letter"])
def test_the_kit_has_four_pages_with_every_mark(size: PaperSize) -> None:
    """Each of four pages has a row of boxes for every kind of mark, apart from all others."""
    kit, _ = scan_kit(size)
    assert [len(boxes) for boxes in kit.layout] == [BOXES_PER_MARK * len(MARKS)] * len(PENS) == [108] * 4
    for boxes in kit.layout:
        places = np.array([(box.x, box.y) for box in boxes])
        apart = np.abs(places[:, None] - places[None]).max(axis=2) + 99 * np.eye(len(boxes))
        assert apart.min() > 7
    assert set(HANDS) == {mark.name for mark in MARKS}


def test_filled_pages_tell_how_they_are_read(tmp_path: Path) -> None:
    """With plain pens no mark is read wrongly, and crosses and empty boxes are mostly told."""
    pens = {name: SIMULATED[name] for name in ("ballpoint", "gel")}
    rows = tally_marks(read_kit([scan_kit("a4")[0]], [filled_kit(tmp_path / "kit.pdf", "a4", pens)]))
    assert len(rows) == 2 * len(MARKS)
    for row in rows:
        assert row.boxes == BOXES_PER_MARK
        assert (row.wrong, row.mark.name) == (0, row.mark.name)
        assert list(row.shares) == sorted(row.shares)
        if row.mark.name in ("empty", "cross", "large", "beside"):
            assert row.right >= BOXES_PER_MARK - 1
        if row.mark.name == "back":
            assert row.middle > 0.5


def test_what_is_read_wrongly_is_counted(tmp_path: Path) -> None:
    """A row of crosses that is not on the scan is told as so many wrong boxes, by the command too."""
    path = filled_kit(tmp_path / "kit.pdf", "us-letter", {"ballpoint": SIMULATED["ballpoint"]}, "cross")
    ran = gametree("scan", "--kit", str(path), "--json")
    assert ran.code == 1
    told = json.loads(ran.out)
    assert {row["mark"]: row["wrong"] for row in told["marks"] if row["wrong"]} == {"cross": BOXES_PER_MARK}
    assert [page["page"] for page in told["pages"]] == [1]
    assert f": {BOXES_PER_MARK} read wrongly" in gametree("scan", "--kit", str(path)).out


def test_the_command_prints_the_kit(tmp_path: Path) -> None:
    """The pages are written where they are wanted, never over something else; other pages are not read."""
    output = tmp_path / "kit.pdf"
    assert gametree("scan", "--kit", "-o", str(output)).code == 0
    assert output.read_bytes() == scan_kit("a4")[1]
    assert gametree("scan", "--kit", "-o", str(output)).code == 0
    ran = gametree("scan", "--kit", "-o", str(output), "--size", "us-letter")
    assert (ran.code, output.read_bytes()) == (2, scan_kit("a4")[1])
    assert gametree("scan", "--kit", "-o", "/dev/null").code == 0, "a device is written, and never read"
    blank = tmp_path / "blank.png"
    Image.new("L", (1700, 2200), 255).save(blank)
    ran = gametree("scan", "--kit", str(blank))
    assert ran.code == 1
    assert NO_CODE in ran.err
