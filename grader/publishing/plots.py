"""Bar plots of a class report as SVG, with the same bytes for the same numbers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.base.line_wrapping import display_width
from grader.base.numbers import normalize_number
from grader.base.phrases import Language
from grader.base.templating import html_environment
from grader.exam.fairness import Certificate
from grader.grading.analysis import Analysis

TOTAL_BINS = 10
"""The bars in the plot of the totals."""

MAX_VARIANTS = 26
"""The most variants in one plot."""

BIN_WIDTHS = (Fraction(1, 10), Fraction(1, 5), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(5))
"""The widths of the bars of expected points: the first with few enough bars is taken."""

MAX_BINS = 16
"""The most bars of expected points, unless they are the widest."""

AXIS_HEIGHT_PIXELS = 190
"""The height of the vertical axis, in pixels."""

LEFT, TOP, BELOW, RIGHT = 64, 34, 62, 16
"""The margins around the bars for text, in pixels."""

LETTER_WIDTH_PIXELS = 6.6
"""The approximate width of a letter."""


@dataclass(frozen=True, slots=True)
class Series:
    """Bars of one colour: their name, their heights, and the lines of text above each."""

    name: str
    values: tuple[float, ...]
    labels: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """One plot: groups of bars, with one of every series in each group.

    - `slot`: the width of a group, in pixels.
    - `across`, `up`: the titles of the two axes.
    - `marks`: the texts below the horizontal axis, each with its place in slots from the left.
    - `ticks`: the texts next to the vertical axis, each with its value; first and last are its range.
    """

    series: tuple[Series, ...]
    slot: float
    across: str
    up: str
    marks: tuple[tuple[float, str], ...]
    ticks: tuple[tuple[float, str], ...]


def bin_totals(totals: Sequence[Fraction]) -> tuple[int, ...]:
    """Count the totals in each tenth of the full mark; the full mark itself is in the last."""
    counts = [0] * TOTAL_BINS
    for total in totals:
        counts[min(TOTAL_BINS - 1, int(total * TOTAL_BINS))] += 1
    return tuple(counts)


def pixel_width(text: str) -> float:
    """Return the approximate width of a text in a plot."""
    return LETTER_WIDTH_PIXELS * display_width(text)


def distribution(analysis: Analysis) -> Bars | None:
    """Plot the number of students by their share of the points; None if no student has all points known."""
    if not analysis.totals:
        return None
    counts, term = bin_totals(analysis.totals), analysis.language.term
    labels = tuple((str(count),) if count else () for count in counts)
    return Bars(
        (Series("", tuple(map(float, counts)), labels),),
        48,
        term("score (% of maximum)"),
        term("students"),
        tuple((float(edge), analysis.language.percent(Fraction(edge, 10))) for edge in range(TOTAL_BINS + 1)),
        _count_ticks(max(counts)),
    )


def difficulty(analysis: Analysis) -> Bars | None:
    """Plot the mean share of the points of every part, and its discrimination; None without any points."""
    parts = [part for part in analysis.parts if part.difficulty is not None]
    if not parts:
        return None
    term = analysis.language.term
    means = tuple(float(part.difficulty or 0) for part in parts)
    others = tuple(part.discrimination or 0.0 for part in parts)
    is_known = any(part.discrimination is not None for part in parts)
    lowest = next(low for low in (0, -1, -2, -3, -4, -5) if min((0.0, *others)) >= low / 5)
    return Bars(
        (
            Series(term("average percentage score"), means, ((),) * len(parts)),
            *([Series(term("discrimination"), others, ((),) * len(parts))] if is_known else []),
        ),
        max([58.0, *(pixel_width(part.part.name) + 12 for part in parts)]),
        term("question"),
        "",
        tuple((place + 0.5, part.part.name) for place, part in enumerate(parts)),
        tuple((fifth / 5, analysis.language.reply(f"{fifth / 5:g}")) for fifth in range(lowest, 6)),
    )


def variants(analysis: Analysis) -> Bars | None:
    """Plot the mean total of every variant.

    None for fewer than two variants or more than `MAX_VARIANTS`, and if every student had a different one.
    """
    groups = analysis.comparisons[0].groups if analysis.comparisons else ()
    if not 2 <= len(groups) <= MAX_VARIANTS or max(count for _, count, _ in groups) < 2:
        return None
    language = analysis.language
    labels = tuple((language.percent(mean), f"n = {count}") for _, count, mean in groups)
    widest = max(pixel_width(word) for label in labels for word in label)
    term = language.term
    return Bars(
        (Series("", tuple(float(mean) for _, _, mean in groups), labels),),
        max(
            widest + 10,
            *(pixel_width(code) + 10 for code, _, _ in groups),
        ),
        term("variant"),
        term("average score (% of maximum)"),
        tuple((place + 0.5, code) for place, (code, _, _) in enumerate(groups)),
        tuple((fifth / 5, language.percent(Fraction(fifth, 5))) for fifth in range(6)),
    )


def expected_scores(certificate: Certificate, language: Language) -> Bars:
    """Plot the number of papers by their expected points of 100."""
    percents = list(certificate.percents.values())
    extent = max(percents) - min(percents)
    width = next((each for each in BIN_WIDTHS if extent < (MAX_BINS - 1) * each), BIN_WIDTHS[-1])
    first = min(percents) // width
    counts = Counter(percent // width - first for percent in percents)
    bins = range(max(counts) + 1)
    ticks = _count_ticks(max(counts.values()))
    return Bars(
        (
            Series(
                "",
                tuple(float(counts[place]) for place in bins),
                tuple((str(counts[place]),) if counts[place] else () for place in bins),
            ),
        ),
        48,
        language.term("expected points of 100"),
        language.term("papers"),
        tuple(
            (float(place), language.number(normalize_number((first + place) * width)))
            for place in range(len(bins) + 1)
        ),
        ticks,
    )


def _count_ticks(count: int) -> tuple[tuple[float, str], ...]:
    """Return round numbers next to an axis that goes up to `count`."""
    round_numbers = (first * 10**zeros for zeros in range(9) for first in (1, 2, 5))
    step = next(size for size in round_numbers if size * 6 >= count)
    highest = max(1, -(-count // step)) * step
    return tuple((float(tick), str(tick)) for tick in range(0, highest + 1, step))


def plot_svg(bars: Bars, title: str, words: str) -> bytes:
    """Draw a plot, with its title and its description in words."""
    low, high = bars.ticks[0][0], bars.ticks[-1][0]
    places = len(bars.series[0].values)
    legend = [22.0]
    for each in bars.series:
        legend.append(legend[-1] + pixel_width(each.name) + 34)
    room = max(
        places * bars.slot,
        legend[-1] if bars.series[0].name else 0,
        pixel_width(bars.across),
        160,
    )
    slot = room / max(places, 1)
    thick = 0.84 * min(slot, 90) / len(bars.series)

    def height(value: float) -> float:
        return TOP + AXIS_HEIGHT_PIXELS * (high - value) / (high - low)

    rectangles = []
    for number, series in enumerate(bars.series):
        shift = (number - len(bars.series) / 2) * thick
        for place, (value, label) in enumerate(zip(series.values, series.labels, strict=True)):
            left = LEFT + (place + 0.5) * slot + shift
            top, foot = height(max(value, 0)), height(min(value, 0))
            rectangles.append((number, left, top, thick, foot - top, label))
    marks = [(LEFT + place * slot, text) for place, text in bars.marks]
    ends = (place + pixel_width(text) / 2 + 2 for place, text in marks)
    template = html_environment().get_template("report/bars.svg.j2")
    svg = template.render(
        title=title,
        words=words,
        bars=bars,
        width=max([LEFT + room + RIGHT, *ends]),
        height=TOP + AXIS_HEIGHT_PIXELS + BELOW,
        left=LEFT,
        right=LEFT + room,
        top=TOP,
        foot=TOP + AXIS_HEIGHT_PIXELS,
        zero=height(0),
        drawn=rectangles,
        marks=marks,
        ticks=[(height(value), text) for value, text in bars.ticks],
        legend=legend,
    )
    return f"{svg}\n".encode()
