"""The class report: one self-contained HTML page, and its numbers as CSV."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median
from typing import Any, TypeVar

from grader.base.files import write_file
from grader.base.phrases import Language, paragraph
from grader.base.safe_text import safe_line, safe_paragraph
from grader.base.templating import html_environment, raw_template
from grader.grading.analysis import Analysis
from grader.grading.score_profiles import CrossedTree
from grader.pictures.node_words import describe
from grader.pictures.svg import picture
from grader.pictures.view import View
from grader.publishing import plots
from grader.publishing.report_columns import column_meaning
from grader.publishing.report_grids import (
    answer_stack,
    grid_svg,
    misconception_grid,
    quarter_grid,
    stack_svg,
    student_grid,
)
from grader.publishing.report_tables import STATES, ReportTable, format_percent, format_statistic, tables
from grader.questions.titles import TITLES
from grader.tables.csv_writing import csv_bytes
from grader.tables.formulas import guard_formula

PlotT = TypeVar("PlotT")

REPORT_FILE = "report.html"

MAX_PAGE_ROWS = 25
"""The most rows of a table behind a picture; the CSV files have all."""

MAX_OPEN_ROWS = 10
"""The most rows of a table without a picture."""

MAX_CELL_LENGTH = 1_000
"""The most characters of a cell of the page."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One plot: its caption, the table with the same numbers, its description in words, and the picture."""

    caption: str
    table: str
    words: str
    svg: bytes


def figures(analysis: Analysis) -> tuple[Figure, ...]:
    """Return the pictures in the order of their tables, each with a description in words."""
    say = analysis.language.say
    counts = analysis.language.join(map(str, plots.bin_totals(analysis.totals)))
    bins = say(
        "Number of students in each tenth of the score range, from lowest to highest: {counts}.",
        counts=counts,
    )
    behind = say("The table below has the numbers.")
    candidates = (
        _figure("distribution", say("Class scores"), bins, plots.distribution(analysis), plots.plot_svg),
        _figure("answers", say("Answers to each question"), behind, answer_stack(analysis), stack_svg),
        _figure(
            "misconceptions",
            say("Number of answers that each misconception explains"),
            behind,
            misconception_grid(analysis),
            grid_svg,
        ),
        _figure(
            "questions",
            say("Difficulty and discrimination"),
            _difficulty_sentences(analysis),
            plots.difficulty(analysis),
            plots.plot_svg,
        ),
        _figure(
            "quarters",
            say("Average score by quarter of the class"),
            behind,
            quarter_grid(analysis),
            grid_svg,
        ),
        *(_crossed_figure(each, analysis.language) for each in analysis.crossed),
        _figure(
            "students",
            say("Score of every student on every question"),
            behind,
            student_grid(analysis),
            grid_svg,
        ),
        _figure(
            "variants",
            say("Comparison of the variants"),
            _variant_sentences(analysis),
            plots.variants(analysis),
            plots.plot_svg,
        ),
    )
    return tuple(figure for figure in candidates if figure is not None)


def _figure(
    table: str, caption: str, words: str, plot: PlotT | None, draw: Callable[[PlotT, str, str], bytes]
) -> Figure | None:
    return None if plot is None else Figure(caption, table, words, draw(plot, caption, words))


def _crossed_figure(crossed: CrossedTree, language: Language) -> Figure:
    """Draw a tree with the correct crosses, and at each branch how many students pruned it."""
    tree, counts = crossed.tree, crossed.counts
    # Below a branch the number is shown again only where it changes; in brackets, for it is next to payoffs.
    parent_counts = (0, *(counts[tree.parents[node]] for node in range(1, len(tree))))
    notable_counts = tuple(
        (count,) if node and count != above else ()
        for node, (count, above) in enumerate(zip(counts, parent_counts, strict=True))
    )
    notes = tuple(tuple(f"({count})" for count in each) for each in notable_counts)
    spoken_notes = tuple(
        tuple(language.term("{count} student", "{count} students", count) for count in each)
        for each in notable_counts
    )
    tops = set(tree.tops(crossed.key))
    pruned = tuple(node in tops for node in range(len(tree)))
    view = replace(View.question(tree, language), pruned=pruned, notes=notes)
    caption = language.say(
        "Question {part}: how many of {count} student pruned each branch",
        "Question {part}: how many of {count} students pruned each branch",
        crossed.students,
        part=crossed.part,
    )
    description = describe(tree, replace(view, notes=spoken_notes))
    tree_picture = replace(picture(tree, view=view, title=caption), description=description)
    return Figure(caption, "crossed", description, tree_picture.svg.encode())


def _difficulty_sentences(analysis: Analysis) -> str:
    """Describe the difficulty of every part in words."""
    language = analysis.language
    return paragraph(
        *(
            language.say(
                "Question {part}: average score {mean}, discrimination {discrimination}.",
                part=part.part.name,
                mean=format_percent(part.difficulty, language) or language.term("unknown"),
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
            mean=format_percent(mean, analysis.language),
        )
        for each in analysis.comparisons[:1]
        for code, count, mean in each.groups
    ]
    return paragraph(say("Average score as a percentage of the maximum score."), *means)


def report_html(analysis: Analysis) -> bytes:
    """Render the report as one page."""
    plotted, language, totals = figures(analysis), analysis.language, analysis.totals
    filled = [table for table in tables(analysis, language) if table.rows]
    slim = [_in_words(_without_empty_columns(table), language) for table in filled]
    columns = dict.fromkeys(name for table in slim for name in table.header)
    listed = [_listed(table, plotted, language) for table in slim]
    page = html_environment().get_template("report/page.html.j2")
    return page.render(
        analysis=analysis,
        title=safe_line(analysis.title, 200),
        say=language.say,
        term=language.term,
        maximum=language.points(analysis.maximum),
        average=format_percent(mean(totals) if totals else None, language),
        median=format_percent(median(totals) if totals else None, language),
        listed=listed,
        colon=language.punctuation.colon,
        columns={language.term(name): column_meaning(name, language) for name in columns},
        style=raw_template("report/page.css"),
    ).encode()


def _listed(table: ReportTable, plotted: Sequence[Figure], language: Language) -> dict[str, Any]:
    """Return what the page shows of a table: its pictures, its first rows, and how many more there are."""
    own_figures = [figure for figure in plotted if figure.table == table.name]
    page_rows = table.rows[: MAX_PAGE_ROWS if own_figures else MAX_OPEN_ROWS]
    return {
        "table": table,
        "header": map(language.term, table.header),
        "numbers": [
            name != "question" and _is_numeric(column)
            for name, column in zip(table.header, zip(*table.rows, strict=True), strict=True)
        ],
        "figures": own_figures,
        "rows": [tuple(safe_paragraph(cell, MAX_CELL_LENGTH) for cell in row) for row in page_rows],
        "more": len(table.rows) - len(page_rows),
    }


_NOTHING = {False: ("",), True: ("", "0")}
"""What a cell has where it has nothing, by whether it counts replies in a state."""


def _without_empty_columns(table: ReportTable) -> ReportTable:
    """Drop the columns of states that no reply is in, and those without any text."""
    columns = [
        place
        for place, name in enumerate(table.header)
        if any(row[place] not in _NOTHING[name in STATES] for row in table.rows)
    ]
    rows = tuple(tuple(row[place] for place in columns) for row in table.rows)
    return replace(table, header=tuple(table.header[place] for place in columns), rows=rows)


def _in_words(table: ReportTable, language: Language) -> ReportTable:
    """Return a table as people write it: titles for codes of kinds, words for no misconception, signs."""
    written = {
        "kind": _titles,
        "misconceptions": _explanation,
        "leaves": _range,
        "load": _range,
        "scores": _scores,
    }
    rows = (
        tuple(
            written[name](cell, language) if name in written else cell
            for name, cell in zip(table.header, row, strict=True)
        )
        for row in table.rows
    )
    return replace(table, rows=tuple(rows))


def _explanation(misconceptions: str, language: Language) -> str:
    return misconceptions or language.term("unexplained")


def _range(cell: str, language: Language) -> str:
    """Return a number, or a range such as `11-13` with the dash of the language."""
    return language.range_text(*cell.split("-")) if "-" in cell else cell


def _scores(cell: str, language: Language) -> str:
    """Return scores such as `1 75%, 2a 50%` with a colon after the name of each question."""
    return re.sub(r"(\w+) (?=[0-9])", lambda name: language.with_label(name[1], ""), cell)


def _titles(kinds: str, language: Language) -> str:
    """Return the titles of the kinds that a question of an exam has: ` or ` parts those of a pool."""
    return language.join_or([language.term(TITLES[code]) for code in kinds.split(" or ")])


def write_report(analysis: Analysis, folder: Path) -> tuple[Path, ...]:
    """Write the page, a CSV file of every table, and every plot; return the paths. Raises `OSError`."""
    files = {REPORT_FILE: report_html(analysis)}
    all_tables = tables(analysis)
    for table in (*all_tables, _column_meanings(all_tables, analysis.language)):
        rows = ([guard_formula(cell) if _is_text(cell) else cell for cell in row] for row in table.rows)
        files[f"{table.name}.csv"] = csv_bytes([table.header, *rows])
    for number, figure in enumerate(figures(analysis), 1):
        files[f"figure-{number}.svg"] = figure.svg
    for name, data in files.items():
        write_file(folder / name, data)
    return tuple(folder / name for name in files)


def _column_meanings(report_tables: Iterable[ReportTable], language: Language) -> ReportTable:
    """Return one more table, with the meaning of the columns of all others."""
    rows = tuple(
        (f"{table.name}.csv", column, column_meaning(column, language))
        for table in report_tables
        for column in table.header
    )
    return ReportTable("columns", "", "", ("file", "column", "meaning"), rows)


def _is_numeric(column: Sequence[str]) -> bool:
    """Return whether a column holds only numbers."""
    plain = (cell.removesuffix("%").rstrip().removeprefix("< ").replace(",", ".") for cell in column if cell)
    return not any(map(_is_text, plain))


def _is_text(cell: str) -> bool:
    """Return whether a cell is more than a plain number, whose minus sign starts no formula."""
    return not cell.removeprefix("-").replace(".", "", 1).isdecimal()
