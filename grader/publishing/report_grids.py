"""Grids and stacked bars of a class report as SVG, with the same bytes for the same numbers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from textwrap import wrap

from grader.base.phrases import Language
from grader.base.templating import html_environment
from grader.grading.analysis import Analysis
from grader.grading.misconception_counts import SEVERAL, MisconceptionNames
from grader.grading.score_profiles import QUARTERS, StudentScores, quarter_means
from grader.publishing.plots import pixel_width

MAX_HEAT_ROWS = 14
"""The most misconceptions in the picture; the table has all."""

MAX_STUDENT_ROWS = 240
"""The most rows in the picture of the students; in a larger class each row is the mean of several."""

BAR_PIXELS = 640
"""The length of a stacked bar."""

LABEL_LETTERS = 46
"""The most letters in one line of a label."""

LINE_PIXELS = 14
"""The distance between two lines of text."""

GAP_PIXELS = 10
"""The space between labels and cells."""

LIGHTEST_RGB, DARKEST_RGB = (237, 243, 250), (8, 48, 107)
"""The colours of the shades 0 and 1; they differ in lightness, so they are distinct without colours."""

WHITE_TEXT_SHADE = 0.64
"""The shade from which white text has more contrast than black text."""

FILLS = {
    "correct": ("#1b4f8a", "#ffffff"),
    "consistent": ("#8fbce3", "#1f1f1f"),
    "explained": ("#e5a145", "#1f1f1f"),
    "several": ("url(#several)", "#1f1f1f"),
    "other": ("#6f6f6f", "#ffffff"),
    "blank": ("#ffffff", "#1f1f1f"),
    "without points": ("url(#open)", "#1f1f1f"),
}
"""State of an answer -> the colours of its segment and of the text in it."""


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell of a grid: its text, and how dark it is, from 0 to 1; None without a value."""

    text: str
    shade: float | None


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of shaded cells.

    - `labels`: the text left of each row, which is wrapped; `heads`: the text above each column.
    - `row_pixels`: the least height of a row; rows without gaps between them if it is small.
    - `across`, `down`: what columns and rows are.
    - `scale`: the texts of shades in a legend, in equal steps from 0 to 1.
    """

    labels: tuple[str, ...]
    heads: tuple[str, ...]
    cells: tuple[tuple[GridCell, ...], ...]
    row_pixels: float
    across: str
    down: str = ""
    scale: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stack:
    """Bars that are divided into segments: state, number of students, text; with a legend."""

    labels: tuple[str, ...]
    rows: tuple[tuple[tuple[str, int, str], ...], ...]
    legend: tuple[tuple[str, str], ...]


def number_misconceptions(analysis: Analysis) -> Mapping[MisconceptionNames, int]:
    """Number the misconceptions of the whole exam from 1, the most frequent first and `SEVERAL` last."""
    totals = Counter[MisconceptionNames]()
    for part in analysis.answers:
        totals.update(part.by_misconceptions)
    ordered = sorted(totals, key=lambda names: (names == SEVERAL, -totals[names], names))
    return {names: number for number, names in enumerate(ordered, 1)}


def misconception_label(names: MisconceptionNames, language: Language) -> str:
    """Return the names of misconceptions that lead to the same answers, as one name.

    It is empty in other languages, whose readers have the sentences: names are English.
    """
    if names == SEVERAL:
        return language.say("One of several misconceptions")
    if language.code != "en":
        return ""
    if len(names) == 1:
        return names[0]
    return language.term("one of: {names}", names=language.join(names))


def misconception_grid(analysis: Analysis) -> Grid | None:
    """Plot how many students each misconception explains, by question; None if it explains nothing."""
    numbers, language = number_misconceptions(analysis), analysis.language
    listed_names = [names for names in numbers if names != SEVERAL][:MAX_HEAT_ROWS]
    listed_names += [SEVERAL] if SEVERAL in numbers else []
    if not listed_names:
        return None
    rows = [[part.by_misconceptions.get(names, 0) for part in analysis.answers] for names in listed_names]
    largest = max(max(row) for row in rows)
    return Grid(
        labels=tuple(
            f"M{numbers[names]}  {misconception_label(names, language)}".strip() for names in listed_names
        ),
        heads=tuple(part.part for part in analysis.answers),
        cells=tuple(
            tuple(GridCell(str(count), count / largest) if count else GridCell("", None) for count in row)
            for row in rows
        ),
        row_pixels=22,
        across=language.term("question"),
    )


def quarter_grid(analysis: Analysis) -> Grid | None:
    """Plot the mean score of each quarter of the class by question; None for a small class."""
    means, language = quarter_means(analysis.scores), analysis.language
    if not means:
        return None
    ordinals = (language.term("lowest"), "2", "3", language.term("highest"))
    return Grid(
        labels=tuple(part.part.name for part in analysis.parts),
        heads=ordinals,
        cells=tuple(tuple(_share_cell(mean, language) for mean in row) for row in means),
        row_pixels=24,
        across=language.term("quarter of the class by total score"),
        down=language.term("question"),
    )


def student_grid(analysis: Analysis) -> Grid | None:
    """Plot every student's score on every question, the best first; None with too few totals."""
    if len(analysis.scores) < QUARTERS:
        return None
    groups = list(map(_group_means, student_groups(analysis.scores)))
    language, count = analysis.language, len(groups)
    per_row = -(-len(analysis.scores) // MAX_STUDENT_ROWS)
    height = max(2.4, min(14.0, 480 / count))
    every = max(1, round(40 / height))
    ranks = tuple(
        str(1 + place * per_row) if place % every == 0 and (place == 0 or count - place >= every / 2) else ""
        for place in range(count)
    )
    return Grid(
        labels=ranks,
        heads=(language.term("total"), *(part.part.name for part in analysis.parts)),
        cells=tuple(
            tuple(GridCell("", None if share is None else float(share)) for share in row) for row in groups
        ),
        row_pixels=height,
        across=language.term("question"),
        down=language.term("rank"),
        scale=tuple(language.percent(Fraction(step, 4)) for step in range(5)),
    )


def student_groups(scores: Sequence[StudentScores]) -> list[Sequence[StudentScores]]:
    """Return the students of each row of the picture."""
    per_row = -(-len(scores) // MAX_STUDENT_ROWS)
    return [scores[low : low + per_row] for low in range(0, len(scores), per_row)]


def _group_means(group: Sequence[StudentScores]) -> list[Fraction | None]:
    """Return the mean total and the mean share of each question in a group; None if no student has one."""
    columns = zip(*((row.total, *row.shares) for row in group), strict=True)
    known = [[share for share in column if share is not None] for column in columns]
    return [sum(shares, Fraction(0)) / len(shares) if shares else None for shares in known]


def _share_cell(share: Fraction | None, language: Language) -> GridCell:
    return GridCell("", None) if share is None else GridCell(language.percent(share), float(share))


def answer_stack(analysis: Analysis) -> Stack | None:
    """Plot what became of the answers to every question; None without answers."""
    term, numbers = analysis.language.term, number_misconceptions(analysis)
    words_by_state = {
        "correct": term("correct"),
        "consistent": term("consistent with an earlier answer"),
        "explained": term("misconception M1, M2, ..."),
        "several": term("one of several misconceptions"),
        "other": term("other incorrect answer"),
        "blank": term("blank"),
        "without points": term("no score yet"),
    }
    rows = []
    for part in analysis.answers:
        explained = [
            ("several" if names == SEVERAL else "explained", count, "" if names == SEVERAL else f"M{number}")
            for names, count in part.by_misconceptions.items()
            for number in (numbers[names],)
        ]
        segments = [
            ("correct", part.correct, str(part.correct)),
            ("consistent", part.consistent, str(part.consistent)),
            *explained,
            ("other", part.other, str(part.other)),
            ("blank", part.blank, str(part.blank)),
            ("without points", part.without_points, str(part.without_points)),
        ]
        rows.append(tuple(segment for segment in segments if segment[1]))
    present = {state for row in rows for state, _, _ in row}
    if not present:
        return None
    legend = tuple((state, words) for state, words in words_by_state.items() if state in present)
    return Stack(tuple(part.part for part in analysis.answers), tuple(rows), legend)


# From numbers to pictures ---------------------------------------------------------------------------


def grid_svg(grid: Grid, title: str, words: str) -> bytes:
    """Draw a grid, with its title and its description in words."""
    labels = [wrap(label, LABEL_LETTERS, break_on_hyphens=False) for label in grid.labels]
    left = GAP_PIXELS + max((pixel_width(line) for lines in labels for line in lines), default=0) + GAP_PIXELS
    left = max(left, 20 + GAP_PIXELS) + (20 if grid.down else 0)
    slot = max(46.0, *(pixel_width(head) + 14 for head in grid.heads))
    top, space = 46.0, 2.0 if grid.row_pixels > LINE_PIXELS else 0.0
    place, boxes, texts = top, [], []
    for lines, row in zip(labels, grid.cells, strict=True):
        height = max(grid.row_pixels, LINE_PIXELS * len(lines) + 8 if space else 0)
        middle = place + height / 2
        for number, line in enumerate(lines):
            texts.append(
                (left - GAP_PIXELS, middle + 4 + LINE_PIXELS * (number - (len(lines) - 1) / 2), line)
            )
        for column, cell in enumerate(row):
            if cell.shade is not None:
                fill, ink = _shade(cell.shade), "#ffffff" if cell.shade > WHITE_TEXT_SHADE else "#000000"
                box = (left + column * slot, place, slot - 2, height - space)
                boxes.append((*box, fill, ink, cell.text))
        place += height
    width = left + slot * len(grid.heads)
    scale = [
        (left + 54 * step, _shade(step / (len(grid.scale) - 1)), text) for step, text in enumerate(grid.scale)
    ]
    template = html_environment().get_template("report/grid.svg.j2")
    svg = template.render(
        title=title,
        words=words,
        grid=grid,
        top=top,
        foot=place,
        width=max(width, left + pixel_width(grid.across), left + 54 * len(scale)) + GAP_PIXELS,
        height=place + (44 if scale else 8),
        middle=(left + width) / 2,
        heads=[(left + (column + 0.5) * slot - 1, head) for column, head in enumerate(grid.heads)],
        texts=texts,
        boxes=boxes,
        scale=scale,
    )
    return f"{svg}\n".encode()


def stack_svg(stack: Stack, title: str, words: str) -> bytes:
    """Draw stacked bars of equal lengths, with their title and their description in words."""
    left = 2 * GAP_PIXELS + max(pixel_width(label) for label in stack.labels)
    legend, x, y = [], left, 6.0
    for state, text in stack.legend:
        if x > left and x + 18 + pixel_width(text) > left + BAR_PIXELS:
            x, y = left, y + 20
        legend.append((x, y, FILLS[state][0], text))
        x += 18 + pixel_width(text) + 22
    top, slot = y + 30, 30.0
    boxes, labels = [], []
    for number, (label, row) in enumerate(zip(stack.labels, stack.rows, strict=True)):
        place, total = left, sum(count for _, count, _ in row)
        labels.append((left - GAP_PIXELS, top + number * slot + 16, label))
        for state, count, text in row:
            length = BAR_PIXELS * count / total
            fill, ink = FILLS[state]
            caption = text if pixel_width(text) + 4 <= length else ""
            boxes.append((place, top + number * slot, length, slot - 7, fill, ink, caption))
            place += length
    template = html_environment().get_template("report/stack.svg.j2")
    svg = template.render(
        title=title,
        words=words,
        width=left + BAR_PIXELS + GAP_PIXELS,
        height=top + slot * len(stack.rows) + 4,
        legend=legend,
        labels=labels,
        boxes=boxes,
    )
    return f"{svg}\n".encode()


def _shade(shade: float) -> str:
    """Return the colour between pale and deep."""
    mixed = (
        round(pale + (deep - pale) * shade) for pale, deep in zip(LIGHTEST_RGB, DARKEST_RGB, strict=True)
    )
    return "#" + "".join(f"{part:02x}" for part in mixed)
