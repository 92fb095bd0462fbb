"""Plots of a class report as SVG: bars over what they count, with the same bytes for the same numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.base.phrases import ENGLISH, Language
from grader.base.templating import html_environment
from grader.grading.analysis import Analysis

TOTAL_BINS = 10
"""Bars in the picture of the totals."""

MAX_VARIANTS = 26
"""The most variants in one picture."""

AXIS_HEIGHT_PIXELS = 190
"""The pixels between the bottom and the top of the axis that goes up."""

LEFT, TOP, BELOW, RIGHT = 64, 34, 62, 16
"""The pixels around the bars, for what is written there."""

LETTER_WIDTH_PIXELS = 6.6
"""About the pixels that a letter is wide."""


@dataclass(frozen=True, slots=True)
class Series:
    """Bars of one look: what they are, how high each is, and what is written over it."""

    name: str
    values: tuple[float, ...]
    labels: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """One picture: bars side by side, one of every series in each place.

    - `slot`: how wide a place is, in pixels.
    - `across`, `up`: what the two axes show.
    - `marks`: what is written below the axis, each with its place counted in slots from the left.
    - `ticks`: what is written beside the axis that goes up, each with its value; they are its range.
    """

    series: tuple[Series, ...]
    slot: float
    across: str
    up: str
    marks: tuple[tuple[float, str], ...]
    ticks: tuple[tuple[float, str], ...]


def bin_totals(totals: Sequence[Fraction]) -> tuple[int, ...]:
    """How many totals lie in each tenth of the full mark; the full mark itself is in the last."""
    counts = [0] * TOTAL_BINS
    for total in totals:
        counts[min(TOTAL_BINS - 1, int(total * TOTAL_BINS))] += 1
    return tuple(counts)


def distribution(analysis: Analysis) -> Bars:
    """How many students have which share of the points."""
    counts, term = bin_totals(analysis.totals), analysis.language.term
    round_numbers = (first * 10**zeros for zeros in range(9) for first in (1, 2, 5))
    step = next(size for size in round_numbers if size * 6 >= max(counts))
    highest = max(1, -(-max(counts) // step)) * step
    labels = tuple((str(count),) if count else () for count in counts)
    return Bars(
        (Series("", tuple(map(float, counts)), labels),),
        48,
        term("share of all points"),
        term("students"),
        tuple((float(edge), f"{10 * edge}%") for edge in range(TOTAL_BINS + 1)),
        tuple((float(count), str(count)) for count in range(0, highest + 1, step)),
    )


def difficulty(analysis: Analysis) -> Bars:
    """For every part the mean share of its points, and how well it goes with the rest of the exam."""
    parts = [part for part in analysis.parts if part.difficulty is not None]
    term = analysis.language.term
    means = tuple(float(part.difficulty or 0) for part in parts)
    others = tuple(part.discrimination or 0.0 for part in parts)
    lowest = next(low for low in (0, -1, -2, -3, -4, -5) if min((0.0, *others)) >= low / 5)
    return Bars(
        (
            Series(term("mean share of the points"), means, ((),) * len(parts)),
            Series(term("discrimination"), others, ((),) * len(parts)),
        ),
        max([58.0, *(LETTER_WIDTH_PIXELS * len(part.part.name) + 12 for part in parts)]),
        term("question"),
        "",
        tuple((place + 0.5, part.part.name) for place, part in enumerate(parts)),
        tuple((fifth / 5, _spelled(fifth / 5, analysis.language)) for fifth in range(lowest, 6)),
    )


def variants(analysis: Analysis) -> Bars | None:
    """The mean total of every variant; None when every student had a variant of his or her own."""
    groups = analysis.comparisons[0].groups if analysis.comparisons else ()
    if not 2 <= len(groups) <= MAX_VARIANTS or max(count for _, count, _ in groups) < 2:
        return None
    labels = tuple((f"{ENGLISH.points(100 * mean, 0)}%", f"n = {count}") for _, count, mean in groups)
    widest = max(len(word) for label in labels for word in label)
    term = analysis.language.term
    return Bars(
        (Series("", tuple(float(mean) for _, _, mean in groups), labels),),
        max(
            LETTER_WIDTH_PIXELS * widest + 10,
            *(LETTER_WIDTH_PIXELS * len(code) + 10 for code, _, _ in groups),
        ),
        term("variant"),
        term("mean share of all points"),
        tuple((place + 0.5, code) for place, (code, _, _) in enumerate(groups)),
        tuple((fifth / 5, f"{20 * fifth}%") for fifth in range(6)),
    )


def _spelled(value: float, language: Language) -> str:
    """A number on an axis as the report writes its numbers."""
    return language.reply(f"{value + 0.0:g}")


def plot_svg(bars: Bars, title: str, words: str) -> bytes:
    """The picture, with its title and what it shows in words; it asks for nothing but letters."""
    low, high = bars.ticks[0][0], bars.ticks[-1][0]
    places = len(bars.series[0].values)
    legend = [22.0]
    for each in bars.series:
        legend.append(legend[-1] + LETTER_WIDTH_PIXELS * len(each.name) + 34)
    room = max(
        places * bars.slot,
        legend[-1] if bars.series[0].name else 0,
        LETTER_WIDTH_PIXELS * len(bars.across),
        160,
    )
    slot = room / max(places, 1)
    thick = 0.84 * min(slot, 90) / len(bars.series)

    def height(value: float) -> float:
        return TOP + AXIS_HEIGHT_PIXELS * (high - value) / (high - low)

    drawn = []
    for number, series in enumerate(bars.series):
        shift = (number - len(bars.series) / 2) * thick
        for place, (value, label) in enumerate(zip(series.values, series.labels, strict=True)):
            left = LEFT + (place + 0.5) * slot + shift
            top, foot = height(max(value, 0)), height(min(value, 0))
            drawn.append((number, left, top, thick, foot - top, label))
    template = html_environment().get_template("report/bars.svg.j2")
    made = template.render(
        title=title,
        words=words,
        bars=bars,
        width=LEFT + room + RIGHT,
        height=TOP + AXIS_HEIGHT_PIXELS + BELOW,
        left=LEFT,
        right=LEFT + room,
        top=TOP,
        foot=TOP + AXIS_HEIGHT_PIXELS,
        zero=height(0),
        drawn=drawn,
        marks=[(LEFT + place * slot, text) for place, text in bars.marks],
        ticks=[(height(value), text) for value, text in bars.ticks],
        legend=legend,
    )
    return f"{made}\n".encode()
