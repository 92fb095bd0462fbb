"""The class report: one HTML page that needs nothing else, and the numbers behind it as CSV."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from statistics import mean, median

from grader.base.files import write_file
from grader.base.phrases import ENGLISH, Language, paragraph
from grader.base.safe_text import safe_line
from grader.base.templating import html_environment, raw_template
from grader.exercises.marking import State
from grader.grading.analysis import MIN_GROUP_STUDENTS, TOTAL_NAME, Analysis
from grader.publishing import plots
from grader.publishing.report_columns import COMMENT_THRESHOLDS, column_meaning
from grader.tables.formulas import guard_formula

REPORT_FILE = "report.html"

STATES = (*(state.value for state in State), "waiting")

MAX_PAGE_ROWS = 25
"""The most rows of a table on the page; the CSV files have more."""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """One table of the report: its name as a file, its caption, a note, and rows of numbers and texts.

    Every column is explained in `COLUMNS`.
    """

    name: str
    caption: str
    note: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """One plot: its caption, the table that says the same in numbers, what it shows in words, the picture."""

    caption: str
    table: str
    words: str
    svg: bytes


def format_percent(share: Fraction | None) -> str:
    """A share in percent, rounded; empty for none."""
    return "" if share is None else f"{ENGLISH.points(100 * share, 0)}%"


def format_statistic(value: float | None, language: Language) -> str:
    """A statistic, rounded to two decimals; empty for none."""
    return "" if value is None else language.reply(f"{value:.2f}")


def format_p_value(p: float, language: Language) -> str:
    """A p-value as it is printed."""
    return language.reply("< 0.001" if p < 0.001 else f"{p:.3f}")


def tables(analysis: Analysis, language: Language = ENGLISH) -> tuple[ReportTable, ...]:
    """Every table of the report, in its order; as they are they are for programs, with decimal points."""
    return tuple(make(analysis, language) for make in _TABLES)


def _distribution(analysis: Analysis, language: Language) -> ReportTable:
    counts = plots.bin_totals(analysis.totals)
    rows = tuple(
        (language.term("{low}% to {high}%", low=10 * step, high=10 * step + 10), str(count))
        for step, count in enumerate(counts)
    )
    left = analysis.students - analysis.complete
    note = language.say(
        "{count} of {students} students lacks the points of some question and is left out.",
        "{count} of {students} students lack the points of some question and are left out.",
        left,
        students=analysis.students,
    )
    caption = language.say("Students by their share of all points")
    return ReportTable("distribution", caption, note if left else "", ("share", "students"), rows)


def _questions(analysis: Analysis, language: Language) -> ReportTable:
    rows = tuple(
        (
            part.part.name,
            part.part.title,
            part.part.kind,
            language.points(part.part.points),
            format_percent(part.difficulty),
            format_statistic(part.discrimination, language),
            str(part.full_count),
            str(part.zero_count),
            *(str(part.states.get(state, 0)) for state in STATES),
        )
        for part in analysis.parts
    )
    header = ("question", "title", "kind", "full mark", "mean", "discrimination", "all points", "no points")
    caption = language.say("How hard every question was, and how well it tells students apart")
    note = language.say(
        "A blank reply counts as 0 points; replies without points are left out of mean and discrimination."
    )
    return ReportTable("questions", caption, note, (*header, *STATES), rows)


def _beliefs(analysis: Analysis, language: Language) -> ReportTable:
    rows = tuple(
        (row.part, row.code.rpartition(".")[2], language.say(row.words), str(row.equal), str(row.nearest))
        for row in analysis.beliefs
    )
    header = ("question", "misconception", "what the answer looks like", "explains all", "explains most")
    note = language.say("Where several misconceptions lead to the same answer, it counts for each of them.")
    caption = language.say("Misconceptions, the most frequent first")
    return ReportTable("misconceptions", caption, note, header, rows)


def _wrong(analysis: Analysis, language: Language) -> ReportTable:
    rows = tuple(
        (
            row.part,
            ", ".join(code.rpartition(".")[2] for code in row.beliefs),
            str(row.students),
            language.points(row.points),
            " | ".join(_answered(answer, variant, language) for variant, answer in row.answers),
        )
        for row in analysis.wrong
    )
    header = ("question", "misconceptions", "students", "points", "for example")
    caption = language.say("The most frequent wrong answers, and the mistake behind them")
    right = language.say(
        "Answers that are not all right by themselves, even where following through earned all the points."
    )
    single = language.say("Answers that no known mistake explains and only one student gave are one row.")
    return ReportTable("wrong-answers", caption, paragraph(right, single), header, rows)


def _answered(answer: str, variant: str, language: Language) -> str:
    shown = language.reply(answer) or language.term("none")
    return f"{shown} ({variant})" if variant else shown


def _variants(analysis: Analysis, language: Language) -> ReportTable:
    rows = tuple(
        (_part_name(each.subject, language), code, str(count), format_percent(mean))
        for each in analysis.comparisons
        for code, count, mean in each.groups
        if len(each.groups) > 1 and any(count > 1 for _, count, _ in each.groups)
    )
    note = language.say("Variants are compared where they differ and several students had the same one.")
    header = ("question", "variant", "students", "mean")
    return ReportTable("variants", language.say("Mean points by variant"), "" if rows else note, header, rows)


def _part_name(what: str, language: Language) -> str:
    return language.term("total") if what == TOTAL_NAME else what


def _fairness(analysis: Analysis, language: Language) -> ReportTable:
    rows = tuple(
        (
            _part_name(each.subject, language),
            format_statistic(each.statistic, language),
            str(each.degrees_of_freedom),
            format_p_value(each.p, language),
            _verdict(each.p, language),
        )
        for each in analysis.comparisons
        if each.p is not None
    )
    header = ("question", "H", "degrees of freedom", "p", "in words")
    note = language.say(
        "The test of Kruskal and Wallis needs two variants of {few} students or more.", few=MIN_GROUP_STUDENTS
    )
    if rows:
        made = language.say(
            "The test of Kruskal and Wallis on the points, for variants of {few} students or more.",
            few=MIN_GROUP_STUDENTS,
        )
        chance_finds = language.say(
            "About one such test in twenty has a p below {doubt} though nothing is unfair; here is {count}.",
            "About one such test in twenty has a p below {doubt} though nothing is unfair; here are {count}.",
            len(rows),
            doubt=language.number(COMMENT_THRESHOLDS["doubt"]),
        )
        note = paragraph(made, chance_finds)
    return ReportTable("fairness", language.say("Are the variants equally hard?"), note, header, rows)


def _verdict(p: float, language: Language) -> str:
    if p < COMMENT_THRESHOLDS["look"]:
        return language.term("look at this")
    return (
        language.term("some doubt")
        if p < COMMENT_THRESHOLDS["doubt"]
        else language.term("no sign of a difference")
    )


def _unreadable(analysis: Analysis, language: Language) -> ReportTable:
    rows = tuple(
        (row.part, row.reason, str(len(row.students)), " | ".join(row.examples), ", ".join(row.students[:20]))
        for row in analysis.unreadable
    )
    header = ("question", "reason", "replies", "for example", "students")
    note = language.say("They have no points until you give some: gametree gradebook override.")
    caption = language.say("Replies that could not be read, by reason")
    return ReportTable("unreadable", caption, note if rows else "", header, rows)


def _identical(analysis: Analysis, language: Language) -> ReportTable:
    rows = tuple(
        (
            row.part,
            language.reply(row.answer),
            ", ".join(f"{who} ({variant})" for who, variant in row.students[:20]),
            row.why,
        )
        for row in analysis.identical
    )
    caption = language.say("The same wrong answer in different variants")
    note = language.say(
        "Worth a look, and no proof of anything. Answers that a misconception explains are left out."
    )
    return ReportTable("identical", caption, note, ("question", "answer", "students (variant)", "why"), rows)


_TABLES: tuple[Callable[[Analysis, Language], ReportTable], ...] = (
    _distribution, _questions, _beliefs, _wrong, _fairness, _variants, _unreadable, _identical,
)  # fmt: skip


def figures(analysis: Analysis) -> tuple[Figure, ...]:
    """The plots; each is told in words as well, and all but one are also tables."""
    say = analysis.language.say
    counts = ", ".join(map(str, plots.bin_totals(analysis.totals)))
    told = say("Students in each tenth of the full mark, from none to all points: {counts}.", counts=counts)
    drawn = (
        ("distribution", say("Points of the class"), told, plots.distribution),
        ("", say("Difficulty and discrimination"), _hard(analysis), plots.difficulty),
        ("variants", say("Variants compared"), _compared(analysis), plots.variants),
    )
    made = []
    for table, caption, words, draw in drawn:
        bars = draw(analysis)
        if bars is not None:
            made.append(Figure(caption, table, words, plots.plot_svg(bars, caption, words)))
    return tuple(made)


def _hard(analysis: Analysis) -> str:
    """How hard every part is, in words."""
    language = analysis.language
    return paragraph(
        *(
            language.say(
                "Question {part}: mean {mean}, discrimination {discrimination}.",
                part=part.part.name,
                mean=format_percent(part.difficulty),
                discrimination=format_statistic(part.discrimination, language) or language.term("unknown"),
            )
            for part in analysis.parts
        )
    )


def _compared(analysis: Analysis) -> str:
    """What every variant came to, in words."""
    say = analysis.language.say
    means = [
        say(
            "Variant {code}: {mean} of {count} student.",
            "Variant {code}: {mean} of {count} students.",
            count,
            code=code,
            mean=format_percent(mean),
        )
        for each in analysis.comparisons[:1]
        for code, count, mean in each.groups
    ]
    return paragraph(say("Mean share of all points."), *means)


def report_html(analysis: Analysis) -> bytes:
    """The report as one page."""
    plotted, language, totals = figures(analysis), analysis.language, analysis.totals
    slim = list(map(_slim, tables(analysis, language)))
    columns = dict.fromkeys(name for table in slim for name in table.header)
    listed = [
        {
            "table": table,
            "header": map(language.term, table.header),
            "numbers": [_is_numeric(column) for column in zip(*table.rows, strict=True)],
            "drawn": table.name in {figure.table for figure in plotted},
            "rows": [tuple(safe_line(cell, 300) for cell in row) for row in table.rows[:MAX_PAGE_ROWS]],
            "more": max(0, len(table.rows) - MAX_PAGE_ROWS),
        }
        for table in slim
    ]
    page = html_environment().get_template("report/page.html.j2")
    return page.render(
        analysis=analysis,
        title=safe_line(analysis.title, 200),
        say=language.say,
        term=language.term,
        maximum=language.points(analysis.maximum),
        average=format_percent(mean(totals) if totals else None),
        median=format_percent(median(totals) if totals else None),
        listed=listed,
        figures=plotted,
        columns={language.term(name): column_meaning(name, language) for name in columns},
        style=raw_template("report/page.css"),
    ).encode()


def _slim(table: ReportTable) -> ReportTable:
    """A table without columns in which nothing stands but zeros and blanks."""
    kept = [
        place
        for place, name in enumerate(table.header)
        if name not in STATES or any(row[place] != "0" for row in table.rows)
    ]
    rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
    return replace(table, header=tuple(table.header[place] for place in kept), rows=rows)


def write_report(analysis: Analysis, folder: Path) -> tuple[Path, ...]:
    """Write the page, a CSV file for every table and every plot; returns the paths. Raises `OSError`."""
    files = {REPORT_FILE: report_html(analysis)}
    made = tables(analysis)
    for table in (*made, _meanings(made)):
        text = io.StringIO()
        rows = [
            table.header,
            *([guard_formula(cell) if _is_text(cell) else cell for cell in row] for row in table.rows),
        ]
        csv.writer(text, lineterminator="\r\n").writerows(rows)
        files[f"{table.name}.csv"] = text.getvalue().encode("utf-8-sig")
    for number, figure in enumerate(figures(analysis), 1):
        files[f"figure-{number}.svg"] = figure.svg
    for name, data in files.items():
        write_file(folder / name, data)
    return tuple(folder / name for name in files)


def _meanings(found: Iterable[ReportTable]) -> ReportTable:
    """What the columns of all tables mean, as one more table."""
    rows = tuple(
        (f"{table.name}.csv", column, column_meaning(column, ENGLISH))
        for table in found
        for column in table.header
    )
    return ReportTable("columns", "", "", ("file", "column", "meaning"), rows)


def _is_numeric(column: Sequence[str]) -> bool:
    """Whether nothing but numbers stands in a column."""
    plain = (cell.removesuffix("%").removeprefix("< ").replace(",", ".") for cell in column if cell)
    return not any(map(_is_text, plain))


def _is_text(cell: str) -> bool:
    """Whether a cell is no plain number: those are written as they are, with their minus sign."""
    return not cell.removeprefix("-").replace(".", "", 1).isdecimal()
