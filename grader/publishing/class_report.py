"""The class report: one self-contained HTML page, and its numbers as CSV."""

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
"""The most rows of a table on the page; the CSV files have all."""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """One table of the report: its file name, its caption, a note, and rows of numbers and texts.

    Every column is explained in `COLUMNS`.
    """

    name: str
    caption: str
    note: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """One plot: its caption, the table with the same numbers, its description in words, and the picture."""

    caption: str
    table: str
    words: str
    svg: bytes


def format_percent(share: Fraction | None) -> str:
    """Format a share in percent, rounded; empty for None."""
    return "" if share is None else f"{ENGLISH.points(100 * share, 0)}%"


def format_statistic(value: float | None, language: Language) -> str:
    """Format a statistic, rounded to two decimals; empty for None."""
    return "" if value is None else language.reply(f"{value:.2f}")


def format_p_value(p: float, language: Language) -> str:
    """Format a p-value."""
    return language.reply("< 0.001" if p < 0.001 else f"{p:.3f}")


def tables(analysis: Analysis, language: Language = ENGLISH) -> tuple[ReportTable, ...]:
    """Return every table of the report in order; in English they are for programs, with decimal points."""
    return tuple(make(analysis, language) for make in _TABLES)


def _distribution(analysis: Analysis, language: Language) -> ReportTable:
    counts = plots.bin_totals(analysis.totals)
    rows = tuple(
        (language.term("{low}% to {high}%", low=10 * step, high=10 * step + 10), str(count))
        for step, count in enumerate(counts)
    )
    omitted = analysis.students - analysis.complete
    note = language.say(
        "{count} of {students} students has no score for at least one question and is not included.",
        "{count} of {students} students have no score for at least one question and are not included.",
        omitted,
        students=analysis.students,
    )
    caption = language.say("Number of students by percentage score")
    return ReportTable("distribution", caption, note if omitted else "", ("share", "students"), rows)


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
    caption = language.say(
        "Difficulty of each question, and how well it distinguishes strong students from weak ones"
    )
    note = language.say(
        "A blank answer earns 0 points. "
        "Answers without a score are excluded from the average score and the discrimination."
    )
    return ReportTable("questions", caption, note, (*header, *STATES), rows)


def _misconceptions(analysis: Analysis, language: Language) -> ReportTable:
    rows = tuple(
        (row.part, row.code.rpartition(".")[2], language.say(row.words), str(row.equal), str(row.nearest))
        for row in analysis.beliefs
    )
    header = ("question", "misconception", "what the answer looks like", "explains all", "explains most")
    note = language.say("An answer that several misconceptions can explain counts for each of them.")
    caption = language.say("Misconceptions, from most to least frequent")
    return ReportTable("misconceptions", caption, note, header, rows)


def _wrong_answers(analysis: Analysis, language: Language) -> ReportTable:
    rows = tuple(
        (
            row.part,
            ", ".join(code.rpartition(".")[2] for code in row.beliefs),
            str(row.students),
            language.points(row.points),
            " | ".join(_answer_cell(answer, variant, language) for variant, answer in row.answers),
        )
        for row in analysis.wrong
    )
    header = ("question", "misconceptions", "students", "points", "for example")
    caption = language.say("Most frequent incorrect answers and the mistakes that explain them")
    right = language.say(
        "These answers are not fully correct on their own, even if follow-through credit brings them to "
        "full credit."
    )
    single = language.say(
        "Answers that only one student gave and that no known mistake explains are combined in one row."
    )
    return ReportTable("wrong-answers", caption, paragraph(right, single), header, rows)


def _answer_cell(answer: str, variant: str, language: Language) -> str:
    reply = language.reply(answer) or language.term("none")
    return f"{reply} ({variant})" if variant else reply


def _variants(analysis: Analysis, language: Language) -> ReportTable:
    rows = tuple(
        (_part_name(each.subject, language), code, str(count), format_percent(mean))
        for each in analysis.comparisons
        for code, count, mean in each.groups
        if len(each.groups) > 1 and any(count > 1 for _, count, _ in each.groups)
    )
    note = language.say(
        "Variants of a question are compared if they differ and several students received the same one."
    )
    header = ("question", "variant", "students", "mean")
    return ReportTable(
        "variants", language.say("Average score by variant"), "" if rows else note, header, rows
    )


def _part_name(subject: str, language: Language) -> str:
    return language.term("total") if subject == TOTAL_NAME else subject


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
        "The Kruskal-Wallis test requires at least two variants with {few} or more students each.",
        few=MIN_GROUP_STUDENTS,
    )
    if rows:
        test_name = language.say(
            "Kruskal-Wallis test of the scores, for variants with {few} or more students each.",
            few=MIN_GROUP_STUDENTS,
        )
        chance_finds = language.say(
            "By chance alone, about one such test in twenty has p below {doubt}. "
            "This report contains {count} test.",
            "By chance alone, about one such test in twenty has p below {doubt}. "
            "This report contains {count} tests.",
            len(rows),
            doubt=language.number(COMMENT_THRESHOLDS["doubt"]),
        )
        note = paragraph(test_name, chance_finds)
    return ReportTable("fairness", language.say("Are the variants equally difficult?"), note, header, rows)


def _loads(analysis: Analysis, language: Language) -> ReportTable:
    rows = []
    for each in analysis.loads:
        for place, group in enumerate(each.groups):
            load = str(group.least) if group.least == group.most else f"{group.least}-{group.most}"
            numbers = (load, str(group.variants), str(group.students), format_percent(group.facility))
            verdict = ("", "")
            if place == 0 and each.p is not None:
                verdict = format_p_value(each.p, language), _by_chance(each.p, language)
            rows.append((each.question, *numbers, *verdict))
    header = ("question", "load", "variants", "students", "mean", "p", "by chance")
    note = language.say(
        "If variants with more work were harder, their mean would be lower. The test compares groups of "
        "{few} students or more.",
        few=MIN_GROUP_STUDENTS,
    )
    caption = language.say("Were variants with more work harder?")
    return ReportTable("load", caption, note if rows else "", header, tuple(rows))


def _by_chance(p: float, language: Language) -> str:
    """Say in how many of 100 classes chance alone makes differences as large."""
    count = round(100 * p)
    if count == 0:
        return language.say("Chance makes so large a difference in fewer than 1 of 100 classes.")
    return language.say(
        "A difference this large would occur by chance in about {count} of 100 classes.", count=count
    )


def _verdict(p: float, language: Language) -> str:
    if p < COMMENT_THRESHOLDS["look"]:
        return language.term("check this")
    return (
        language.term("some doubt")
        if p < COMMENT_THRESHOLDS["doubt"]
        else language.term("no evidence of a difference")
    )


def _unreadable(analysis: Analysis, language: Language) -> ReportTable:
    rows = tuple(
        (row.part, row.reason, str(len(row.students)), " | ".join(row.examples), ", ".join(row.students[:20]))
        for row in analysis.unreadable
    )
    header = ("question", "reason", "replies", "for example", "students")
    note = language.say("These answers have no score until you assign one with gametree gradebook override.")
    caption = language.say("Unreadable answers, by reason")
    return ReportTable("unreadable", caption, note if rows else "", header, rows)


def _identical(analysis: Analysis, language: Language) -> ReportTable:
    rows = tuple(
        (
            row.part,
            language.reply(row.answer),
            ", ".join(f"{student} ({variant})" for student, variant in row.students[:20]),
            row.why,
        )
        for row in analysis.identical
    )
    caption = language.say("The same incorrect answer in different variants")
    note = language.say(
        "These matches are worth checking but do not prove anything. "
        "Answers that a misconception explains are excluded."
    )
    return ReportTable("identical", caption, note, ("question", "answer", "students (variant)", "why"), rows)


_TABLES: tuple[Callable[[Analysis, Language], ReportTable], ...] = (
    _distribution, _questions, _misconceptions, _wrong_answers, _fairness, _variants, _loads, _unreadable,
    _identical,
)  # fmt: skip


def figures(analysis: Analysis) -> tuple[Figure, ...]:
    """Return the plots, each with a description in words; all but one have a table too."""
    say = analysis.language.say
    counts = ", ".join(map(str, plots.bin_totals(analysis.totals)))
    bins = say(
        "Number of students in each tenth of the score range, from lowest to highest: {counts}.",
        counts=counts,
    )
    plot_rows = (
        ("distribution", say("Class scores"), bins, plots.distribution),
        ("", say("Difficulty and discrimination"), _difficulty_sentences(analysis), plots.difficulty),
        ("variants", say("Comparison of the variants"), _variant_sentences(analysis), plots.variants),
    )
    plotted = []
    for table, caption, words, draw in plot_rows:
        bars = draw(analysis)
        if bars is not None:
            plotted.append(Figure(caption, table, words, plots.plot_svg(bars, caption, words)))
    return tuple(plotted)


def _difficulty_sentences(analysis: Analysis) -> str:
    """Describe the difficulty of every part in words."""
    language = analysis.language
    return paragraph(
        *(
            language.say(
                "Question {part}: average score {mean}, discrimination {discrimination}.",
                part=part.part.name,
                mean=format_percent(part.difficulty),
                discrimination=format_statistic(part.discrimination, language) or language.term("unknown"),
            )
            for part in analysis.parts
        )
    )


def _variant_sentences(analysis: Analysis) -> str:
    """Describe the mean of every variant in words."""
    say = analysis.language.say
    means = [
        say(
            "Variant {code}: average score {mean} ({count} student).",
            "Variant {code}: average score {mean} ({count} students).",
            count,
            code=code,
            mean=format_percent(mean),
        )
        for each in analysis.comparisons[:1]
        for code, count, mean in each.groups
    ]
    return paragraph(say("Average score as a percentage of the maximum score."), *means)


def report_html(analysis: Analysis) -> bytes:
    """Render the report as one page."""
    plotted, language, totals = figures(analysis), analysis.language, analysis.totals
    slim = list(map(_without_empty_columns, tables(analysis, language)))
    columns = dict.fromkeys(name for table in slim if table.rows for name in table.header)
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


def _without_empty_columns(table: ReportTable) -> ReportTable:
    """Drop the columns of states that no reply is in."""
    columns = [
        place
        for place, name in enumerate(table.header)
        if name not in STATES or any(row[place] != "0" for row in table.rows)
    ]
    rows = tuple(tuple(row[place] for place in columns) for row in table.rows)
    return replace(table, header=tuple(table.header[place] for place in columns), rows=rows)


def write_report(analysis: Analysis, folder: Path) -> tuple[Path, ...]:
    """Write the page, a CSV file of every table, and every plot; return the paths. Raises `OSError`."""
    files = {REPORT_FILE: report_html(analysis)}
    all_tables = tables(analysis)
    for table in (*all_tables, _column_meanings(all_tables)):
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


def _column_meanings(report_tables: Iterable[ReportTable]) -> ReportTable:
    """Return one more table, with the meaning of the columns of all others."""
    rows = tuple(
        (f"{table.name}.csv", column, column_meaning(column, ENGLISH))
        for table in report_tables
        for column in table.header
    )
    return ReportTable("columns", "", "", ("file", "column", "meaning"), rows)


def _is_numeric(column: Sequence[str]) -> bool:
    """Check whether a column holds only numbers."""
    plain = (cell.removesuffix("%").removeprefix("< ").replace(",", ".") for cell in column if cell)
    return not any(map(_is_text, plain))


def _is_text(cell: str) -> bool:
    """Check whether a cell is more than a plain number, whose minus sign starts no formula."""
    return not cell.removeprefix("-").replace(".", "", 1).isdecimal()
