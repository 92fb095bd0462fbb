"""A class whose papers simulated people fill in: crosses, mishaps, written numbers, and the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from grader.scanning.places import PlacedBox
from tests.scanning.desks import Room, without_codes
from tests.scanning.papers import Grey
from tests.scanning.simulator import (
    DEVICES,
    DIGITS,
    HANDS,
    PENS,
    Hand,
    Page,
    Pen,
    Random,
    Stroke,
    filled,
    scanned,
    smooth,
    stray,
)

BLUEPRINT = """
title = "A class"
secret = "kept in a safe place"
scan = true

[[question]]
kind = "pruned-paths"
points = 4
recipe = {shape = {branching = 3}, require = {pruned = [5, 14]}}

[[question]]
tree = "MAX A (MIN B (3 12 8 7) MIN C (2 4 6 9) MIN D (14 5 2 -3))"
[[question.part]]
kind = "pruned-branches"
points = 2
[[question.part]]
kind = "node-values"
points = 2

[[question]]
kind = "expected-values"
points = 2
tree = "MAX A (CHANCE B (0.5: 3, 0.5: MIN D (12 13)) CHANCE C (0.5: 2, 0.5: MIN E (4 8)))"

[[question]]
kind = "root-value"
points = 1
tree = "MAX A (MIN B (30 12 80) MIN C (20 40 60))"
"""
"""Three pages with ten numbers."""

FELT = Pen(1.5, 0.9)
"""A pen so broad that its crosses nearly fill a box."""

WRITING_PENS = (PENS["ballpoint"], PENS["gel"], PENS["pencil"], Pen(0.7, 0.9))

TAKEN_BACK, STRAYS, FELT_CROSSES, CROSSES = 8, 6, 4, 4
"""How many boxes of each sort a student marks."""


@dataclass(frozen=True, slots=True)
class Writer:
    """How one student writes: a pen, the way to make a cross, which sample of each digit, size and slant."""

    pen: Pen
    hand: Hand
    samples: tuple[int, ...]
    size: float
    slant: float

    @classmethod
    def some(cls, random: Random, number: int) -> "Writer":
        """Return a student by number."""
        return cls(
            WRITING_PENS[number % len(WRITING_PENS)],
            list(HANDS.values())[number % len(HANDS)],
            tuple(random.integers(0, 10, 10).tolist()),
            random.uniform(0.85, 1.1),
            random.normal(0.1, 0.12),
        )

    def sign(self, random: Random, box: PlacedBox, sign: str) -> Stroke:
        """Return the stroke of a sign in a box."""
        middle = np.array([box.x + box.width / 2, box.y + box.height / 2]) + random.normal(0, 0.35, 2)
        if sign == "-":
            stroke = np.linspace((-1.5, 0), (1.5, 0), 6)
        elif sign == "/":
            stroke = np.linspace((-1, 2.6), (1, -2.6), 6)
        elif sign == ".":
            stroke = np.linspace((-0.15, 2.4), (0.15, 2.5), 3)
        else:
            # The sample file has ten of each digit, in order.
            height = random.uniform(4.2, 5.8) * self.size
            width = height * random.uniform(0.5, 0.7) * (0.6 if sign == "1" else 1.0)
            stroke = smooth(DIGITS[10 * int(sign) + self.samples[int(sign)]]) * (width / 2, height / 2)
            stroke = stroke - np.outer(stroke[:, 1], [self.slant, 0])
        return np.asarray(stroke + random.normal(0, 0.06, stroke.shape) + middle)


@dataclass(slots=True)
class FilledClass:
    """The filled-in pages of a class as they come out of the scanner, and what is in every box.

    - `sheets`: (variant, page) -> the scan.
    - `truth`: variant/box -> `crossed`, `empty`, or the sign that is written there.
    - `numbers`: variant/entry -> the number that is written there; "" for none.
    - `turns`: (variant, page) -> by how many quarters it was turned in the scanner.
    """

    sheets: dict[tuple[str, int], Grey] = field(default_factory=dict)
    truth: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    turns: dict[tuple[str, int], int] = field(default_factory=dict)


def fill_in(room: Room, seed: int, uncoded: tuple[str, int] = ("", 0)) -> FilledClass:
    """Fill in all papers of an exam; somebody has pasted over the codes of one page."""
    random, made = np.random.default_rng(seed), FilledClass()
    for number, (variant, pages) in enumerate(room.pages.items()):
        writer = Writer.some(random, number)
        layout = room.exam.layouts[variant]
        marks = _marks(random, [box for boxes in layout for box in boxes if not box.is_written])
        device = list(DEVICES.values())[number % 3]
        for place, (grey, boxes) in enumerate(zip(pages, layout, strict=True), 1):
            page = Page(grey)
            for box in boxes:
                if not box.is_written:
                    made.truth[f"{variant}/{box.name}"] = _cross(random, page, box, marks, writer)
            for entry, cells in _entries(boxes).items():
                written = _number(random, len(cells))
                made.numbers[f"{variant}/{entry}"] = written.replace(" ", "")
                for box, sign in zip(cells, written, strict=True):
                    made.truth[f"{variant}/{box.name}"] = "empty" if sign == " " else sign
                    if sign != " ":
                        page.draw([writer.sign(random, box, sign)], writer.pen, random)
            if (variant, place) == uncoded:
                page = Page(without_codes(page.ink.astype(np.uint8)))
            made.turns[variant, place] = turn = int(random.integers(4))
            made.sheets[variant, place] = scanned(page, device, random, turn)
    return made


def _marks(random: Random, boxes: Sequence[PlacedBox]) -> Mapping[str, str]:
    """Return what happens to which boxes of a paper; nobody says that there is none and crosses others."""
    last = {box.entry: box.name for box in boxes}.values()
    names = [boxes[place].name for place in random.permutation(len(boxes)) if boxes[place].name not in last]
    sorts = {"taken back": TAKEN_BACK, "stray": STRAYS, "felt": FELT_CROSSES, "crossed": CROSSES}
    wanted = [sort for sort, count in sorts.items() for _ in range(count)]
    return dict(zip(names, wanted, strict=False))


def _cross(random: Random, page: Page, box: PlacedBox, marks: Mapping[str, str], writer: Writer) -> str:
    """Draw what happens to a box; return what it means."""
    match marks.get(box.name):
        case "taken back":
            page.draw(filled(random, box), PENS["felt"], random)
        case "stray":
            page.draw(stray(random, box), PENS["felt"], random)
        case "felt":
            page.draw(writer.hand(random, box), FELT, random)
            return "crossed"
        case "crossed":
            page.draw(writer.hand(random, box), PENS["gel"], random)
            return "crossed"
    return "empty"


def _entries(boxes: Sequence[PlacedBox]) -> Mapping[str, list[PlacedBox]]:
    """Map every number to its boxes."""
    entries: dict[str, list[PlacedBox]] = {}
    for box in boxes:
        if box.is_cell:
            entries.setdefault(box.entry, []).append(box)
    return entries


def _number(random: Random, cells: int) -> str:
    """Return what is written into so many boxes, one sign or blank in each; at times nothing is."""
    if random.random() < 0.06:
        return " " * cells
    if cells == 2:
        return f"{random.choice([12, 20, 30, 40, 60, 80]):>2}"
    if cells == 3:
        value = int(random.choice([3, 12, 8, 7, 2, 4, 6, 9, 14, 5, -3]))
        return f"{'-' if value < 0 else ' '}{abs(value):>2}"
    whole, way = int(random.integers(2, 13)), random.random()
    if way < 0.3:
        return f" {whole:>3}    "
    if way < 0.7:
        return f" {whole:>3}.{random.choice([5, 25, 75]):<3}"
    below = int(random.integers(2, 7))
    return f" {whole * below + 1:>3}/{below:<3}"
