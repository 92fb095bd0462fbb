"""The class report: one HTML page that needs nothing else, and the numbers behind it as CSV."""

import base64
import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

from markupsafe import Markup

from grader.base.files import write_file
from grader.base.phrases import ENGLISH, Language
from grader.base.safe_text import readable
from grader.base.shipped import shipped
from grader.base.templating import markup
from grader.grading.analysis import FEW, Analysis
from grader.grading.gradebook_exports import rounded
from grader.marking import State
from grader.publishing import plots
from grader.tables.formulas import guarded

PAGE = "report.html"

STATES = (*(state.value for state in State), "waiting")

SHOWN = 25
"""The most rows of a table on the page; the CSV files have more."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the report: its name as a file, its caption, a note, and rows of numbers and texts.

    Every column is explained in `COLUMNS`.
    """

    name: str
    caption: str
    note: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


COLUMNS: Mapping[str, str] = {
    "share": "the points of a student as a share of the full mark",
    "students": "how many students, or who they are",
    "question": "the question part; total is the whole exam",
    "title": "the title of the question",
    "kind": "what is asked, see `gametree kinds`",
    "full mark": "the most points the question gives",
    "mean": "the share of the full mark that students have on average: near 100% a question is easy",
    "discrimination": "whether those who do well elsewhere do well here: Pearson's correlation of the points "
    "with those of all other questions, from -1 to 1. Below 0.2 a question does not tell those who know from "
    "those who do not; below 0 something may be wrong with it",
    "all points": "how many have the full mark",
    "no points": "how many have 0 points, blank replies included",
    "GRADED": "replies with points",
    "BLANK": "students who handed in and wrote nothing here; that counts as 0 points",
    "UNPARSEABLE": "replies that the program cannot read",
    "AMBIGUOUS": "replies that can be read in more than one way",
    "ERROR": "replies that the program could not mark",
    "MISSING": "students who handed in nothing",
    "waiting": "replies that are not marked yet",
    "misconception": "the name of the mistake",
    "what the answer looks like": "the mistake in words",
    "explains all": "how many answers are exactly those of somebody who makes this mistake",
    "explains most": "how many answers are nearly those",
    "variant": "the variant of the exam; those that ask the very same are one, and all are all of them",
    "answer": "the answer as the program read it",
    "points": "the points that this answer earned; the most, if following through earned some students more",
    "misconceptions": "the mistakes that lead to exactly this answer; of several, one was made",
    "H": "the statistic of Kruskal and Wallis, larger for larger differences",
    "degrees of freedom": "one less than the number of variants compared",
    "p": "how often differences this large would come about by chance between variants that are equally hard",
    "in words": "look at this: p below 0.01; some doubt: p below 0.05",
    "reason": "why the replies cannot be read; … stands for what differs between them",
    "replies": "how many",
    "for example": "up to three of the replies",
    "students (variant)": "who gave this answer, and to which variant",
    "why": "what is odd about it",
}
"""What every column means; the same name means the same in every table."""


_POINT = re.compile(r"(?<=\d)\.(?=\d)")


def meaning(column: str, language: Language) -> str:
    """What a column means, in a sentence with the decimal sign of the report."""
    return _POINT.sub(language.sign, COLUMNS[column])


@dataclass(frozen=True, slots=True)
class Figure:
    """One plot: its caption, the table that says the same in numbers, what it shows in words, the picture."""

    caption: str
    table: str
    words: str
    svg: bytes


def percent(share: Fraction | None) -> str:
    """A share in percent, rounded; empty for none."""
    return "" if share is None else f"{rounded(100 * share, 0)}%"


def decimal(value: float | None, places: int = 2, language: Language = ENGLISH) -> str:
    """A statistic, rounded; empty for none."""
    return "" if value is None else language.reply(f"{value:.{places}f}")


def chance(p: float | None, language: Language = ENGLISH) -> str:
    """A p-value as it is printed."""
    return "" if p is None else language.reply("< 0.001" if p < 0.001 else f"{p:.3f}")


def tables(analysis: Analysis, language: Language = ENGLISH) -> tuple[Table, ...]:
    """Every table of the report, in its order; as they are they are for programs, with decimal points."""
    return tuple(make(analysis, language) for make in _TABLES)


def _distribution(analysis: Analysis, language: Language) -> Table:
    del language  # it counts in whole numbers
    counts = plots.binned(analysis.totals)
    rows = tuple((f"{10 * step}% to {10 * step + 10}%", str(count)) for step, count in enumerate(counts))
    left = analysis.students - analysis.complete
    note = f"{left} of {analysis.students} students lack the points of some question and are left out."
    return Table(
        "distribution",
        "Students by their share of all points",
        note if left else "",
        ("share", "students"),
        rows,
    )


def _questions(analysis: Analysis, language: Language) -> Table:
    rows = tuple(
        (
            part.part.name,
            part.part.title,
            part.part.kind,
            rounded(part.part.points, 2, language),
            percent(part.difficulty),
            decimal(part.discrimination, language=language),
            str(part.full),
            str(part.nothing),
            *(str(part.states.get(state, 0)) for state in STATES),
        )
        for part in analysis.parts
    )
    header = (
        "question",
        "title",
        "kind",
        "full mark",
        "mean",
        "discrimination",
        "all points",
        "no points",
        *STATES,
    )
    return Table(
        "questions",
        "How hard every question was, and how well it tells students apart",
        "A blank reply counts as 0 points; replies without points are left out of mean and discrimination.",
        header,
        rows,
    )


def _beliefs(analysis: Analysis, language: Language) -> Table:
    del language  # it counts in whole numbers
    rows = tuple(
        (row.part, row.code.partition(".")[2], row.words, str(row.equal), str(row.nearest))
        for row in analysis.beliefs
    )
    header = ("question", "misconception", "what the answer looks like", "explains all", "explains most")
    note = "Where several misconceptions lead to the same answer, it counts for each of them."
    return Table("misconceptions", "Misconceptions, the most frequent first", note, header, rows)


def _wrong(analysis: Analysis, language: Language) -> Table:
    rows = tuple(
        (
            row.part,
            row.variant,
            language.reply(row.answer) or "none",
            str(row.students),
            rounded(row.points, 2, language),
            ", ".join(code.partition(".")[2] for code in row.beliefs),
        )
        for row in analysis.wrong
    )
    header = ("question", "variant", "answer", "students", "points", "misconceptions")
    return Table(
        "wrong-answers",
        "The most frequent wrong answers, and the mistake behind them",
        "Answers that are not all right by themselves, even where following through earned all the points.",
        header,
        rows,
    )


def _variants(analysis: Analysis, language: Language) -> Table:
    del language  # percents are whole numbers
    rows = tuple(
        (each.what, code, str(count), percent(mean))
        for each in analysis.comparisons
        for code, count, mean in each.groups
        if len(each.groups) > 1 and any(count > 1 for _, count, _ in each.groups)
    )
    note = "" if rows else "Variants are compared where they differ and several students had the same one."
    return Table(
        "variants", "Mean points by variant", note, ("question", "variant", "students", "mean"), rows
    )


def _fairness(analysis: Analysis, language: Language) -> Table:
    rows = tuple(
        (
            each.what,
            decimal(each.statistic, language=language),
            str(each.freedom),
            chance(each.p, language),
            _verdict(each.p),
        )
        for each in analysis.comparisons
        if each.statistic is not None
    )
    header = ("question", "H", "degrees of freedom", "p", "in words")
    note = (
        f"The test of Kruskal and Wallis on the points, for variants of {FEW} students or more. "
        f"About one such test in twenty has a p below 0.05 although nothing is unfair; here are {len(rows)}."
        if rows
        else f"The test of Kruskal and Wallis needs two variants of {FEW} students or more."
    )
    return Table("fairness", "Are the variants equally hard?", note, header, rows)


def _verdict(p: float | None) -> str:
    if p is None:
        return ""
    return "look at this" if p < 0.01 else "some doubt" if p < 0.05 else "no sign of a difference"


def _unreadable(analysis: Analysis, language: Language) -> Table:
    del language  # what students typed stays as it is
    rows = tuple(
        (row.part, row.reason, str(len(row.students)), " | ".join(row.examples), ", ".join(row.students[:20]))
        for row in analysis.unreadable
    )
    header = ("question", "reason", "replies", "for example", "students")
    note = "They have no points until you give some: gametree gradebook override." if rows else ""
    return Table("unreadable", "Replies that could not be read, by reason", note, header, rows)


def _identical(analysis: Analysis, language: Language) -> Table:
    rows = tuple(
        (
            row.part,
            language.reply(row.answer),
            ", ".join(f"{who} ({variant})" for who, variant in row.students[:20]),
            row.why,
        )
        for row in analysis.identical
    )
    return Table(
        "identical",
        "The same wrong answer in different variants",
        "Worth a look, and no proof of anything. Answers that a misconception explains are left out.",
        ("question", "answer", "students (variant)", "why"),
        rows,
    )


_TABLES: tuple[Callable[[Analysis, Language], Table], ...] = (
    _distribution, _questions, _beliefs, _wrong, _fairness, _variants, _unreadable, _identical,
)  # fmt: skip


def figures(analysis: Analysis) -> tuple[Figure, ...]:
    """The plots, none where Matplotlib is missing; each is also a table."""
    if not plots.available():
        return ()
    counts = ", ".join(map(str, plots.binned(analysis.totals)))
    hard = "; ".join(
        f"question {part.part.name}: mean {percent(part.difficulty)}, "
        f"discrimination {decimal(part.discrimination, language=analysis.language) or 'unknown'}"
        for part in analysis.parts
    )
    made = [
        Figure(
            "Points of the class",
            "distribution",
            f"Students in each tenth of the full mark, from none to all points: {counts}.",
            plots.distribution(analysis),
        ),
        Figure(
            "Difficulty and discrimination", "", f"{hard[:1].upper()}{hard[1:]}.", plots.difficulty(analysis)
        ),
    ]
    compared = plots.variants(analysis)
    if compared is not None:
        means = "; ".join(
            f"{code}: {percent(mean)} of {count} students"
            for code, count, mean in analysis.comparisons[0].groups
        )
        made.append(Figure("Variants compared", "variants", f"Mean share of all points. {means}.", compared))
    return tuple(made)


def html(analysis: Analysis) -> bytes:
    """The report as one page."""
    style = (shipped("templates") / "report" / "page.css").read_text(encoding="utf-8")
    plotted = figures(analysis)
    made = [
        {
            "caption": figure.caption,
            "words": figure.words,
            "source": f"data:image/svg+xml;base64,{base64.b64encode(figure.svg).decode()}",
        }
        for figure in plotted
    ]
    listed: list[dict[str, Any]] = [
        {
            "name": table.name,
            "caption": table.caption,
            "note": table.note,
            "header": table.header,
            "numbers": [_is_numeric(column) for column in zip(*table.rows, strict=True)],
            "drawn": table.name in {figure.table for figure in plotted},
            "rows": [tuple(readable(cell, 300) for cell in row) for row in table.rows[:SHOWN]],
            "more": max(0, len(table.rows) - SHOWN),
        }
        for table in _slim(tables(analysis, analysis.language))
    ]
    template = markup().get_template("report/page.html.j2")
    return template.render(
        title=readable(analysis.title, 200) or "Class report",
        students=analysis.students,
        complete=analysis.complete,
        maximum=rounded(analysis.maximum, 2, analysis.language),
        average=percent(_mean(analysis.totals)),
        median=percent(median(analysis.totals) if analysis.totals else None),
        tables=listed,
        figures=made,
        columns={
            name: meaning(name, analysis.language)
            for name in dict.fromkeys(sum((each["header"] for each in listed), ()))
        },
        style=Markup(style),
    ).encode()


def _mean(totals: Sequence[Fraction]) -> Fraction | None:
    return sum(totals, Fraction(0)) / len(totals) if totals else None


def _slim(found: Iterable[Table]) -> list[Table]:
    """The tables without columns in which nothing stands but zeros and blanks."""
    slim = []
    for table in found:
        kept = [
            place
            for place, name in enumerate(table.header)
            if name not in STATES or any(row[place] != "0" for row in table.rows)
        ]
        rows = tuple(tuple(row[place] for place in kept) for row in table.rows)
        slim.append(replace(table, header=tuple(table.header[place] for place in kept), rows=rows))
    return slim


def write_report(analysis: Analysis, folder: Path) -> tuple[Path, ...]:
    """Write the page, a CSV file for every table and every plot; returns the paths. Raises `OSError`."""
    files = {PAGE: html(analysis)}
    made = tables(analysis)
    for table in (*made, _meanings(made)):
        text = io.StringIO()
        rows = [
            table.header,
            *([guarded(cell) if _is_text(cell) else cell for cell in row] for row in table.rows),
        ]
        csv.writer(text, lineterminator="\r\n").writerows(rows)
        files[f"{table.name}.csv"] = text.getvalue().encode("utf-8-sig")
    for number, figure in enumerate(figures(analysis), 1):
        files[f"figure-{number}.svg"] = figure.svg
    for name, data in files.items():
        write_file(folder / name, data)
    return tuple(folder / name for name in files)


def _meanings(found: Iterable[Table]) -> Table:
    """What the columns of all tables mean, as one more table."""
    rows = tuple((f"{table.name}.csv", column, COLUMNS[column]) for table in found for column in table.header)
    return Table("columns", "", "", ("file", "column", "meaning"), rows)


def _is_numeric(column: Sequence[str]) -> bool:
    """Whether nothing but numbers stands in a column."""
    plain = (cell.removesuffix("%").removeprefix("< ").replace(",", ".") for cell in column if cell)
    return not any(map(_is_text, plain))


def _is_text(cell: str) -> bool:
    """Whether a cell is no plain number: those are written as they are, with their minus sign."""
    return not cell.removeprefix("-").replace(".", "", 1).isdecimal()
