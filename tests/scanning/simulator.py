"""People and devices that are simulated: pens that fill in pages, and scanners that damage them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from grader.scanning.places import PlacedBox
from tests.scanning.papers import Grey

DOTS = 300 / 25.4
"""Pixels in a millimetre of a page before it is scanned."""

Random = np.random.Generator
Stroke = np.ndarray[Any, np.dtype[np.float64]]
"""Points in millimetres."""


@dataclass(frozen=True, slots=True)
class Pen:
    """A pen: how wide it writes in millimetres, how dark from 0 to 1, and how unevenly."""

    width: float
    dark: float
    uneven: float = 0.0


PENS: Mapping[str, Pen] = {
    "ballpoint": Pen(0.45, 0.85, 0.1),
    "gel": Pen(0.6, 0.95),
    "felt": Pen(0.95, 0.9),
    "pencil": Pen(0.5, 0.55, 0.25),
    "hard pencil": Pen(0.4, 0.38, 0.25),
    "ball": Pen(0.7, 0.85, 0.1),
    "broad felt": Pen(1.5, 0.9),
    "faint pencil": Pen(0.35, 0.28, 0.3),
}


@dataclass(frozen=True, slots=True)
class Device:
    """What a scanner or a phone does to a page.

    - `dpi`: of what comes out.
    - `skew`: at most so many degrees; `bend`: how far corners are moved, as a share; `curl`: in millimetres.
    - `blur`: in millimetres; `noise`: in steps of grey; `shadow`: how much darker one side is.
    - `jpeg`: its quality, 0 for none; `dust`: so many specks; `cut`: so many millimetres at the edges.
    """

    dpi: int = 300
    skew: float = 1.0
    bend: float = 0.0
    curl: float = 0.0
    blur: float = 0.05
    noise: float = 3.0
    shadow: float = 0.0
    jpeg: int = 0
    dust: int = 10
    cut: float = 0.0
    black_and_white: bool = False


DEVICES: Mapping[str, Device] = {
    "office": Device(),
    "office 150": Device(dpi=150, jpeg=60, blur=0.1, noise=5),
    "phone": Device(dpi=220, skew=4, bend=0.04, curl=0.4, blur=0.12, noise=6, shadow=0.35, jpeg=75),
    "worn": Device(dpi=200, skew=3, noise=8, dust=250, blur=0.1, jpeg=50, cut=4.0),
    "cut 150": Device(dpi=150, jpeg=60, blur=0.1, noise=5, cut=5.5),
}
"""Those that see grey."""

HARD = Device(dpi=170, skew=3, noise=11, dust=300, blur=0.14, jpeg=35, cut=5.5)
"""What is left of a sheet after a bad copy and a bad scan."""

BLACK_AND_WHITE = Device(black_and_white=True)

Hand = Callable[[Random, PlacedBox], list[Stroke]]
"""How somebody makes a cross: its strokes."""


def straight(random: Random, box: PlacedBox) -> list[Stroke]:
    """Two lines with a tremor, from corner to corner or a little beyond."""
    middle = np.array([box.x + box.width / 2, box.y + box.height / 2]) + random.normal(0, 0.25, 2)
    size = box.width / 2 * random.uniform(0.72, 1.2)
    turn = random.normal(0, 0.12)
    strokes = []
    for angle in (np.pi / 4 + turn, 3 * np.pi / 4 + turn + random.normal(0, 0.1)):
        way = np.array([np.cos(angle), np.sin(angle)]) * size
        steps = np.linspace(-1, 1, 12)[:, None]
        bow = random.normal(0, 0.12) * (1 - steps**2) * np.array([-way[1], way[0]])
        strokes.append(middle + steps * way * 1.2 + bow + random.normal(0, 0.03, (12, 2)))
    return strokes


DRAWN: Sequence[Sequence[Sequence[tuple[float, float]]]] = (
    (
        ((-0.9, -1.0), (-0.5, -0.45), (0.1, 0.2), (0.6, 0.7), (0.85, 1.1)),
        ((0.9, -0.8), (0.3, -0.2), (-0.3, 0.35), (-0.95, 0.9)),
    ),
    (
        ((-1.0, -0.7), (-0.2, -0.1), (0.5, 0.4), (1.1, 0.7)),
        ((0.7, -1.1), (0.4, -0.4), (0.0, 0.3), (-0.5, 1.2)),
    ),
    (
        (
            (-0.8, -0.9),
            (0.0, -0.1),
            (0.8, 0.8),
            (1.0, 0.4),
            (0.9, -0.5),
            (0.8, -0.9),
            (0.2, -0.1),
            (-0.8, 0.9),
        ),
    ),
    (
        ((-1.1, -0.8), (-0.6, -0.6), (0.2, 0.3), (0.9, 1.0)),
        ((1.0, -1.0), (0.7, -0.5), (-0.4, 0.2), (-0.8, 1.0), (-0.9, 1.3)),
    ),
    (((-0.7, -1.1), (0.0, 0.1), (0.5, 1.0)), ((1.0, -0.6), (0.1, 0.0), (-1.0, 0.5))),
    (
        ((-0.95, 0.9), (-0.3, 0.1), (0.4, -0.5), (0.9, -1.0)),
        ((-0.9, -0.9), (-0.3, -0.3), (0.2, 0.3), (0.95, 0.8)),
    ),
)
"""Crosses as hands make them, loops and all: points in halves of a box, drawn for this file."""


def drawn(random: Random, box: PlacedBox) -> list[Stroke]:
    """One of the drawn crosses, turned and stretched, its points joined by curves."""
    shapes = [np.array(points) for points in DRAWN[random.integers(len(DRAWN))]]
    slant = random.uniform(-0.15, 0.15)
    return [smooth(shape) for shape in _laid(random, box, shapes, slant)]


_STROKES = json.loads((Path(__file__).parent / "strokes.json").read_text(encoding="utf-8"))
LINES, DIGITS = ([np.array(points) / 50 - 1 for points in _STROKES[name]] for name in ("lines", "digits"))
"""Recorded pen strokes of 44 people, from -1 to 1 on either axis: rising lines, and digits."""


def recorded(random: Random, box: PlacedBox) -> list[Stroke]:
    """Two recorded lines of people, one of them seen in a mirror, across a box."""
    rising, falling = (LINES[at] for at in random.integers(len(LINES), size=2))
    shapes = [rising, falling * (-1, 1) + random.normal(0, 0.08, 2)]
    return [smooth(shape) for shape in _laid(random, box, shapes)]


def _laid(random: Random, box: PlacedBox, shapes: Sequence[Stroke], slant: float = 0.0) -> list[Stroke]:
    """Shapes in halves of a box laid about its middle, turned and stretched together."""
    middle = np.array([box.x + box.width / 2, box.y + box.height / 2]) + random.uniform(-0.3, 0.3, 2)
    turn = random.uniform(-0.2, 0.2)
    matrix = np.array([[np.cos(turn), -np.sin(turn) + slant], [np.sin(turn), np.cos(turn)]])
    size = random.uniform(0.75, 1.1, 2) * box.width / 2
    return [(shape * size) @ matrix.T + middle for shape in shapes]


def smooth(shape: Stroke) -> Stroke:
    """Points joined by curves, as a hand goes round a corner."""
    made = [shape[0]]
    for before, here, after in zip(shape, shape[1:], [*shape[2:], shape[-1]], strict=False):
        bent = here + 0.1 * (2 * here - before - after)
        made += [before * (1 - t) ** 2 + 2 * bent * t * (1 - t) + here * t**2 for t in (0.33, 0.66, 1.0)]
    return np.array(made)


HANDS: Mapping[str, Hand] = {"straight": straight, "drawn": drawn, "recorded": recorded}


def filled(random: Random, box: PlacedBox) -> list[Stroke]:
    """A box that is filled to take its cross back: lines to and fro over a cross."""
    lines = straight(random, box)
    rows = np.arange(box.y + 0.25, box.y + box.height - 0.1, 0.33)
    zigzag = [(box.x + (0.2 if at % 2 else box.width - 0.2), y) for at, y in enumerate(rows)]
    return [*lines, np.array(zigzag) + random.normal(0, 0.06, (len(zigzag), 2))]


def stray(random: Random, box: PlacedBox) -> list[Stroke]:
    """One line that touches a box by accident."""
    start = np.array([box.x - random.uniform(0.5, 2), box.y + random.uniform(0.3, box.height)])
    end = np.array([box.x + random.uniform(0.8, 2.5), box.y + random.uniform(0.2, box.height - 0.2)])
    return [np.linspace(start, end, 8) + random.normal(0, 0.04, (8, 2))]


def beside(random: Random, box: PlacedBox, others: Sequence[PlacedBox]) -> list[Stroke]:
    """A digit scribbled beside a box, hardly into it or into any other; nothing where there is no room."""
    height = random.uniform(2.2, 4.0)
    size = np.array([0.65 * height, height]) / 2
    shape = smooth(DIGITS[random.integers(len(DIGITS))])
    corner = np.array([box.x, box.y])
    for way in random.permutation(np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])):
        away = way * (size + box.width / 2 - random.uniform(0.0, 0.4))
        made = corner + box.width / 2 + away + shape * size
        left, top = made.min(axis=0) + 0.5
        right, foot = made.max(axis=0) - 0.5
        if not any(
            left < each.x + each.width and right > each.x and top < each.y + each.height and foot > each.y
            for each in others
        ):
            return [made]
    return []


class Page:
    """A page on which is written, before it is scanned; its pixels stay grey."""

    def __init__(self, grey: Grey) -> None:
        self.ink = grey.astype(np.float32)

    def draw(self, strokes: Sequence[Stroke], pen: Pen, random: Random, fade: float = 1.0) -> None:
        """Draw strokes; `fade` below 1 leaves what an eraser leaves."""
        points = np.vstack(strokes) * DOTS
        left, top = np.maximum(np.floor(points.min(axis=0)).astype(int) - 20, 0)
        right, foot = np.ceil(points.max(axis=0)).astype(int) + 20
        here = self.ink[top:foot, left:right]
        layer = np.zeros(here.shape, np.uint8)
        for stroke in strokes:
            line = np.round((stroke * DOTS - (left, top)) * 16).astype(np.int32)
            width = max(1, round(pen.width * DOTS * random.uniform(0.85, 1.15)))
            cv2.polylines(layer, [line.reshape(-1, 1, 2)], False, 255, width, cv2.LINE_AA, 4)
        piece = layer.astype(np.float32) / 255
        grain = 1 - pen.uneven * np.abs(random.normal(0, 1, piece.shape)).astype(np.float32)
        dark = (255 * (1 - pen.dark * fade * np.clip(grain, 0, 1) * piece)).astype(np.float32)
        np.minimum(here, dark, out=here)

    def spill(self, random: Random) -> None:
        """Spill coffee: the ring of a cup, paler within, and some drops."""
        height, width = self.ink.shape
        stain = np.zeros((height // 4, width // 4), np.float32)
        middle = (int(random.integers(stain.shape[1])), int(random.integers(stain.shape[0])))
        radius = random.uniform(30, 42) * DOTS / 4
        tint, thick = random.uniform(0.08, 0.3), random.uniform(1.2, 5.0) * DOTS / 4
        cv2.circle(stain, middle, round(radius), tint * random.uniform(0, 0.4), -1)
        cv2.circle(stain, middle, round(radius), tint, round(thick))
        for _ in range(random.poisson(4)):
            at = np.array(middle) + random.normal(0, radius, 2)
            drop = round(random.uniform(0.4, 3.0) * DOTS / 4)
            cv2.circle(stain, (int(at[0]), int(at[1])), drop, tint * random.uniform(0.6, 1.4), -1)
        stain = cv2.GaussianBlur(stain, (0, 0), random.uniform(1.0, 4.0))
        self.ink *= 1 - cv2.resize(stain, (width, height))


def scanned(page: Page, device: Device, random: Random, turn: int = 0) -> Grey:
    """What a device makes of a page; `turn` is how often it lies turned by a quarter."""
    height, width = page.ink.shape
    scale = device.dpi / 300
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    angle = np.radians(random.uniform(-device.skew, device.skew))
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = np.array([width, height]) / 2
    there = (corners - middle) @ rotation.T + middle
    there = there + random.uniform(-device.bend, device.bend, (4, 2)) * width
    border = 0 if not device.bend else round(0.05 * width)
    there = (there + border - device.cut * DOTS * random.uniform(0, 1, 2) * (device.cut > 0)) * scale
    matrix = cv2.getPerspectiveTransform(corners, there.astype(np.float32))
    out = (round((width + 2 * border) * scale), round((height + 2 * border) * scale))
    source = cv2.GaussianBlur(page.ink, (0, 0), max(0.4, (device.blur + 0.3 / device.dpi * 25.4) * DOTS / 2))
    ground = 255.0 if not device.bend else 110.0
    made = cv2.warpPerspective(source, matrix, out, flags=cv2.INTER_LINEAR, borderValue=ground)
    if device.curl:
        across = np.arange(made.shape[1], dtype=np.float32)
        wave = device.curl * DOTS * scale * np.sin(np.pi * across / made.shape[1] + random.uniform(0, 3))
        down = np.arange(made.shape[0], dtype=np.float32)[:, None] + wave.astype(np.float32)
        sideways = np.broadcast_to(across, made.shape).copy()
        made = cv2.remap(made, sideways, down, cv2.INTER_LINEAR, borderValue=ground)
    made *= random.uniform(0.93, 1.0)
    if device.shadow:
        ramp = np.linspace(1, 1 - device.shadow * random.uniform(0.5, 1), made.shape[1], dtype=np.float32)
        made *= ramp[::-1] if random.random() < 0.5 else ramp
    tile = random.normal(0, device.noise, (512, 512)).astype(np.float32)
    times = [-(-side // 512) for side in made.shape]
    made += np.tile(tile, times)[: made.shape[0], : made.shape[1]]
    for _ in range(random.poisson(device.dust)):
        at = (int(random.integers(made.shape[1])), int(random.integers(made.shape[0])))
        cv2.circle(
            made,
            at,
            max(1, round(random.uniform(0.05, 0.2) * device.dpi / 25.4)),
            float(random.uniform(0, 160)),
            -1,
        )
    grey = np.clip(made, 0, 255).astype(np.uint8)
    if device.jpeg:
        grey = cv2.imdecode(
            cv2.imencode(".jpg", grey, (cv2.IMWRITE_JPEG_QUALITY, device.jpeg))[1], cv2.IMREAD_GRAYSCALE
        )
    if device.black_and_white:
        grey = np.where(grey > 150, 255, 0).astype(np.uint8)
    return np.ascontiguousarray(np.rot90(grey, turn))


Truth = Mapping[str, str]
"""What is in each box: `empty`, `crossed`, or what happened to it: a key of `MISHAPS`."""

MISHAPS = ("taken back", "erased", "stray", "beside")
"""What may happen to a box that is not to be crossed; coffee happens to whole pages."""


def filled_in(
    page: Page,
    boxes: Sequence[PlacedBox],
    crossed: Sequence[str],
    random: Random,
    hand: Hand,
    pen: Pen,
    mishaps: float = 0.03,
    coffee: float = 0.0,
) -> Truth:
    """Cross these boxes, and let mishaps happen to some of the others and to the page."""
    truth = {}
    for box in boxes:
        if box.is_written:
            continue
        if box.name in crossed:
            page.draw(hand(random, box), pen, random)
            truth[box.name] = "crossed"
        elif random.random() < mishaps:
            mishap = MISHAPS[random.integers(len(MISHAPS))]
            scribble = beside(random, box, boxes) if mishap == "beside" else []
            if mishap == "taken back":
                page.draw(filled(random, box), replace(pen, width=max(pen.width, 0.5)), random)
            elif mishap == "erased":
                page.draw(hand(random, box), pen, random, fade=0.12)
            else:
                page.draw(scribble or stray(random, box), pen, random)
            truth[box.name] = mishap
        else:
            truth[box.name] = "empty"
    if random.random() < coffee:
        page.spill(random)
    return truth
