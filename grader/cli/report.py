"""`gametree report`: what the class understood, as one page and its data."""

from typing import Annotated, Any

from grader.base.numbers import format_count
from grader.cli.shared.exam_folders import ExamFolder, OutFolder, open_book, open_exam_keys
from grader.cli.shared.options import Json
from grader.cli.shared.parameters import option
from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import CommandApp, printable, say, say_json
from grader.exam.folders import GRADES_FOLDER

app = CommandApp()


@app.command()
def report(
    folder: ExamFolder,
    out: OutFolder = None,
    alike: Annotated[
        bool,
        option(
            "Also list pairs of papers to look at: incorrect answers that belong to another student's paper.",
            "--alike",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Report what the class understood, as a page, tables and plots.

    The page is HTML, the tables are CSV, the plots SVG.
    The end of the page and columns.csv explain the columns.

    Examples:
      gametree report midterm/
      gametree report midterm/ -o report/
      gametree report midterm/ --alike
    """
    from grader.base.phrases import ENGLISH
    from grader.grading.analysis import analyse
    from grader.grading.results import results
    from grader.publishing.class_report import REPORT_FILE, write_report
    from grader.publishing.report_tables import format_p_value, format_percent, tables

    exam_keys = open_exam_keys(folder)
    target = out or folder / GRADES_FOLDER / "report"
    with open_book(folder, exam_keys) as book:
        analysis = analyse(exam_keys, results(book, exam_keys), alike=alike)
    hint = "Run the same command again when this is fixed, or write elsewhere with -o."
    with refusing("Writing stopped", OSError, hint=hint):
        paths = write_report(analysis, target)
    if json:
        record: dict[str, Any] = {
            "schema": 1,
            "title": printable(analysis.title),
            "students": analysis.students,
            "complete": analysis.complete,
            "files": [str(path) for path in paths],
            "tables": {
                table.name: [dict(zip(table.header, row, strict=True)) for row in table.rows]
                for table in tables(analysis)
            },
        }
        say_json(record)
        return
    for part in analysis.parts:
        say(
            f"{part.part.name}: mean {format_percent(part.difficulty, ENGLISH) or '-'}, "
            f"{format_count(part.full_count, 'student')} with all points"
        )
    # Every student once for each part, although several misconceptions may explain the same answer.
    for row in [each for each in analysis.wrong if each.beliefs][:5]:
        names = " or ".join(code.partition(".")[2] for code in row.beliefs)
        say(f"{row.part}: misconception {names}: {format_count(row.students, 'student')}")
    total = analysis.comparisons[0]
    if total.p is not None:
        p = format_p_value(total.p, analysis.language)
        say(f"variants: Kruskal-Wallis p {p if total.p < 0.001 else f'= {p}'}")
    if alike:
        pairs = format_count(len(analysis.alike or ()), "pair")
        say(f"{pairs} of papers to look at; this proves nothing")
    say(f"{target / REPORT_FILE}")
