"""What happens to marks, sheets and scans beyond ordinary use, each with what may be made of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from grader.scanning.places import CODE_MM, PlacedBox, code_corners, disc_centres
from tests.scanning.papers import Grey
from tests.scanning.simulator import DOTS, PENS, Page, Random, Stroke, filled, straight


def middle_of(box: PlacedBox) -> Stroke:
    """The middle of a box."""
    return np.array([box.x + box.width / 2, box.y + box.height / 2])


# Marks ---------------------------------------------------------------------------------------------


def struck(random: Random, box: PlacedBox) -> list[Stroke]:
    """A cross struck out by one or two lines, about level, that reach beyond the box on both sides."""
    lines = []
    for _ in range(random.integers(1, 3)):
        slope = random.uniform(-0.18, 0.18)
        left, right = (-2.0 - random.uniform(1.0, 2.2), 2.0 + random.uniform(1.0, 2.2))
        steps = np.linspace(left, right, 10)[:, None]
        line = np.hstack((steps, steps * slope + random.normal(0, 0.35)))
        lines.append(middle_of(box) + line + random.normal(0, 0.04, line.shape))
    return [*straight(random, box), *lines]


def scribbled(random: Random, box: PlacedBox) -> list[Stroke]:
    """A cross scribbled out: loops to and fro across the box and beyond, not all of it covered."""
    count = int(random.integers(5, 9))
    xs = np.where(np.arange(count) % 2, 2.0, -2.0) * random.uniform(0.9, 1.6, count)
    ys = np.linspace(-1.6, 1.6, count) * random.uniform(0.7, 1.2) + random.normal(0, 0.15, count)
    return [*straight(random, box), middle_of(box) + np.stack((xs, ys), axis=1)]


def circle(random: Random, box: PlacedBox, radius: float) -> Stroke:
    """A circle as a hand draws it: not quite round, not quite closed."""
    turn = np.linspace(0, 2 * np.pi * random.uniform(0.93, 1.08), 40) + random.uniform(0, 2 * np.pi)
    wobble = 1 + random.normal(0, 0.03) * np.sin(2 * turn) + random.normal(0, 0.03) * np.sin(3 * turn)
    ring = np.stack((np.cos(turn), np.sin(turn)), axis=1) * (radius * wobble)[:, None]
    stretch = random.uniform(0.93, 1.07, 2)
    return middle_of(box) + ring * stretch + random.normal(0, 0.15, 2)


def circled(random: Random, box: PlacedBox) -> list[Stroke]:
    """A circle around a box, in place of a cross."""
    return [circle(random, box, random.uniform(2.9, 3.7))]


def circled_inside(random: Random, box: PlacedBox) -> list[Stroke]:
    """A small circle in a box."""
    return [circle(random, box, random.uniform(1.1, 1.6))]


def filled_and_circled(random: Random, box: PlacedBox) -> list[Stroke]:
    """A box that was filled and is meant after all."""
    return [*filled(random, box), circle(random, box, random.uniform(2.9, 3.6))]


def ticked(random: Random, box: PlacedBox) -> list[Stroke]:
    """A tick."""
    shape = np.array([(-0.9, 0.0), (-0.3, 0.75), (0.9, -1.0)]) * random.uniform(0.8, 1.2)
    return [middle_of(box) + shape * 2.0 + random.normal(0, 0.1, 2)]


@dataclass(frozen=True, slots=True)
class OddMark:
    """A mark other than a cross: how it is made, and what may not be made of it without asking."""

    hand: Callable[[Random, PlacedBox], list[Stroke]]
    wrong: str
    page_habit: bool = False


ODD_MARKS: Mapping[str, OddMark] = {
    "struck": OddMark(struck, "crossed"),
    "scribbled": OddMark(scribbled, "crossed"),
    "circled": OddMark(circled, "empty", page_habit=True),
    "circled inside": OddMark(circled_inside, "empty"),
    "filled and circled": OddMark(filled_and_circled, "empty"),
    "ticked": OddMark(ticked, "empty"),
}
"""The odd marks by name; who circles boxes does so in place of many crosses, the others are single."""


HIGHLIGHTERS = {"yellow": 0.1, "green": 0.22, "blue": 0.28, "pink": 0.3, "orange": 0.26}
"""How much darker a grey scanner sees paper under a highlighter."""


def highlight(page: Page, boxes: Sequence[PlacedBox], random: Random, colour: str = "") -> None:
    """Streaks of a highlighter, about level, over some boxes and what is around them."""
    dark = HIGHLIGHTERS[colour or str(random.choice(list(HIGHLIGHTERS)))]
    layer = np.zeros(page.ink.shape, np.float32)
    for place in random.choice(len(boxes), min(len(boxes), 8), replace=False):
        middle = middle_of(boxes[place]) + random.normal(0, 0.6, 2)
        half = np.array([random.uniform(2, 8), random.normal(0, 0.6)])
        ends = [tuple(int(each) for each in (middle + sign * half) * DOTS) for sign in (-1, 1)]
        cv2.line(layer, ends[0], ends[1], dark * random.uniform(0.85, 1.15), round(4.0 * DOTS))
    page.ink *= 1 - cv2.GaussianBlur(layer, (0, 0), 2)


def tape(page: Page, box: PlacedBox, random: Random) -> None:
    """White-out tape over a box."""
    left, top = np.round((np.array([box.x, box.y]) - random.uniform(0.3, 1.0, 2)) * DOTS).astype(int)
    page.ink[top : top + round(5.2 * DOTS), left : left + round(6 * DOTS)] = 252


# Sheets --------------------------------------------------------------------------------------------


COVERS = ((0.03, 0.14), (0.05, 0.08))
"""How much of a page is covered, as a share; in the second range discs of both sheets are near each other."""


def cover(page: Page, other: Page, random: Random, side: str = "foot", share: float | None = None) -> None:
    """Lay the next sheet over the foot or the side of a page, as when two are fed at once."""
    height, width = page.ink.shape
    share = random.uniform(*COVERS[random.integers(len(COVERS))]) if share is None else share
    turn, slip = random.normal(0, 0.25), random.normal(0, 1.2) * DOTS
    matrix = cv2.getRotationMatrix2D((width / 2, 0.0), turn, 1.0)
    start = np.array([slip, height * (1 - share)] if side == "foot" else [width * (1 - share), slip])
    matrix[:, 2] += start
    upper = cv2.warpAffine(other.ink, matrix, (width, height), borderValue=-1.0)
    edge = cv2.warpAffine(np.ones((height, width), np.float32), matrix, (width, height))
    page.ink[edge > 0.99] = upper[edge > 0.99]


def punch(page: Page, random: Random) -> None:
    """Two, three or four holes at the left, through which the dark lid is seen."""
    height = page.ink.shape[0]
    spread = [(-40, 40), (-108, 0, 108), (-120, -40, 40, 120)][random.integers(3)]
    for down in spread:
        place = (round(random.uniform(10, 12) * DOTS), round(height / 2 + down * DOTS))
        cv2.circle(page.ink, place, round(2.9 * DOTS), float(random.uniform(20, 90)), -1)


def strike_code(page: Page, random: Random) -> None:
    """Lines of a pen through one code, and sometimes through the other."""
    corners = code_corners("a4")
    for left, top in corners[: random.integers(1, 3)]:
        start = np.array([left, top]) + random.uniform(0, CODE_MM, 2) * (0.2, 1)
        end = np.array([left, top]) + random.uniform(0, CODE_MM, 2) * (0.2, 1) + (CODE_MM * 0.8, 0)
        page.draw([np.linspace(start, end, 6)], PENS["gel"], random)


def hide_disc(page: Page, random: Random) -> None:
    """A disc that is torn out, or under a staple."""
    x, y = disc_centres("a4")[random.integers(4)]
    rows, columns = (slice(round((mid - 4) * DOTS), round((mid + 4) * DOTS)) for mid in (y, x))
    page.ink[rows, columns] = float(random.choice([90.0, 250.0]))


def tear(page: Page, random: Random) -> None:
    """A corner that is torn off or folded over."""
    height, width = page.ink.shape
    across, down = (float(each) for each in random.uniform(8, 24, 2) * DOTS)
    x, y = random.integers(2) * width, random.integers(2) * height
    corner = np.array([(x, y), (abs(x - across), y), (x, abs(y - down))]).astype(np.int32)
    cv2.fillPoly(page.ink, [corner], float(random.choice([30.0, 245.0])))


def crumple(page: Page, random: Random, most: float = 0.35) -> None:
    """Move every place by up to so many millimetres, smoothly, and shade the folds."""
    height, width = page.ink.shape
    field = random.normal(0, 1, (3, 14, 10)).astype(np.float32)
    across, down, shade = (
        cv2.resize(each, (width, height), interpolation=cv2.INTER_CUBIC) / 2 for each in field
    )
    rows, columns = np.indices((height, width), dtype=np.float32)
    page.ink = cv2.remap(
        page.ink,
        columns + across * most * DOTS,
        rows + down * most * DOTS,
        cv2.INTER_LINEAR,
        borderValue=255.0,
    )
    page.ink *= 1 - 0.08 * np.clip(shade, 0, 1)


def shine_through(page: Page, back: Page, random: Random, share: float | None = None) -> None:
    """The print and the ink of the back, seen through thin paper, mirrored."""
    share = random.uniform(0.05, 0.22) if share is None else share
    seen = cv2.GaussianBlur(back.ink[:, ::-1], (0, 0), 0.15 * DOTS)
    page.ink = page.ink * (1 - share * (1 - seen / 255))


SheetAccident = Callable[[Page, Page, Random], None]

SHEET_ACCIDENTS: Mapping[str, SheetAccident] = {
    "cover foot": lambda page, other, random: cover(page, other, random, "foot"),
    "cover side": lambda page, other, random: cover(page, other, random, "side"),
    "holes": lambda page, _other, random: punch(page, random),
    "code struck": lambda page, _other, random: strike_code(page, random),
    "disc hidden": lambda page, _other, random: hide_disc(page, random),
    "torn": lambda page, _other, random: tear(page, random),
    "crumpled": lambda page, _other, random: crumple(page, random, random.uniform(0.15, 0.6)),
    "shine through": shine_through,
    "coffee": lambda page, _other, random: page.spill(random),
}
"""What happens to a sheet before it is scanned; the other page is the next sheet or the back."""


# Scans ---------------------------------------------------------------------------------------------


def _screen(side: int) -> np.ndarray:
    """A Bayer matrix, from 0 to 1."""
    made = np.zeros((1, 1))
    while len(made) < side:
        made = np.block([[4 * made, 4 * made + 2], [4 * made + 3, 4 * made + 1]])
    return (made + 0.5) / made.size


def ordered_dither(grey: Grey, random: Random) -> Grey:
    """Dots of an ordered screen in place of grey."""
    side = int(random.choice([4, 8]))
    height, width = grey.shape
    screen = np.tile(_screen(side), (-(-height // side), -(-width // side)))[:height, :width]
    return np.where(grey / 255 > screen, 255, 0).astype(np.uint8)


def clustered_dither(grey: Grey, random: Random) -> Grey:
    """Dots that grow, at 45 degrees, as a copier prints grey."""
    rows, columns = np.indices(grey.shape)
    pitch = random.uniform(4.5, 7)
    one, other = (rows + columns) / pitch * np.sqrt(2), (rows - columns) / pitch * np.sqrt(2)
    screen = 0.5 + 0.25 * (np.cos(np.pi * one) + np.cos(np.pi * other))
    return np.where(grey / 255 > screen * 0.98 + 0.01, 255, 0).astype(np.uint8)


def diffused_dither(grey: Grey, _random: Random) -> Grey:
    """Dots that make up for each other, by Floyd and Steinberg."""
    from PIL import Image

    return np.asarray(Image.fromarray(grey).convert("1").convert("L"))


def two_valued(grey: Grey, random: Random) -> Grey:
    """Black and white only, in a file of grey values."""
    made = np.where(grey > random.uniform(130, 175), 255, 0).astype(np.uint8)
    return jpeg(made, 75) if random.random() < 0.5 else made


def jpeg(grey: Grey, quality: int) -> Grey:
    """What JPEG of this quality leaves."""
    coded = cv2.imencode(".jpg", grey, (cv2.IMWRITE_JPEG_QUALITY, quality))[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE))


def streaks(grey: Grey, random: Random) -> Grey:
    """Lines along the way of the paper, from dirt on the glass: few dark ones or many faint ones."""
    made = grey.astype(np.float32)
    few = random.random() < 0.5
    for _ in range(random.integers(1, 4) if few else 100):
        column = int(random.integers(made.shape[1]))
        dark = random.uniform(40, 200) if few else random.uniform(8, 25)
        made[:, column : column + int(random.integers(1, 4))] -= dark * (1 if random.random() < 0.7 else -1)
    return np.clip(made, 0, 255).astype(np.uint8)


def toned(grey: Grey, random: Random) -> Grey:
    """Low contrast, darker, lighter, another gamma, or the ground removed."""
    share = grey / 255
    made = [share * 0.6 + 0.25, share * 0.75, np.minimum(share * 1.2, 1), share**1.7, share**0.6][
        random.integers(5)
    ]
    return (made * 255).astype(np.uint8)


def ground_removed(grey: Grey, random: Random) -> Grey:
    """What scanners do to make paper white: light greys go to white, dark ones to black."""
    low, high = random.uniform(0.05, 0.2), random.uniform(0.75, 0.92)
    return (np.clip((grey / 255 - low) / (high - low), 0, 1) * 255).astype(np.uint8)


def fitted(grey: Grey, random: Random) -> Grey:
    """Printed or scanned smaller than it is, or smaller one way."""
    across, down = [(0.94, 0.94), (0.975, 1.0), (1.0, 0.975)][random.integers(3)]
    height, width = grey.shape
    small = cv2.resize(grey, (round(width * across), round(height * down)), interpolation=cv2.INTER_AREA)
    made = np.full_like(grey, 250)
    top, left = (height - small.shape[0]) // 2, (width - small.shape[1]) // 2
    made[top : top + small.shape[0], left : left + small.shape[1]] = small
    return made


ScanAccident = Callable[[Grey, Random], Grey]

SCAN_ACCIDENTS: Mapping[str, ScanAccident] = {
    "ordered dither": ordered_dither,
    "ordered dither as JPEG": lambda grey, random: jpeg(ordered_dither(grey, random), 80),
    "clustered dither": clustered_dither,
    "diffused dither": diffused_dither,
    "two-valued": two_valued,
    "streaks": streaks,
    "toned": toned,
    "ground removed": ground_removed,
    "fitted": fitted,
    "negative": lambda grey, _random: 255 - grey,
    "mirrored": lambda grey, _random: np.ascontiguousarray(grey[:, ::-1]),
}
"""What a device does to a scan beyond its usual damage."""
