"""`gametree scan`: scanned papers in, replies into the gradebook."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from grader.base.numbers import format_count
from grader.base.safe_text import safe_line
from grader.cli.shared.exam_folders import (
    Jobs,
    missing_pages_text,
    open_book,
    open_exam_keys,
    report_unreadable_lines,
    reporting_interrupt,
    scans_of,
    working_side_by_side,
)
from grader.cli.shared.feedback_delivery import write_moodle_zip
from grader.cli.shared.kit_reports import print_kit, report_kit
from grader.cli.shared.languages import ReviewLanguage
from grader.cli.shared.options import Json
from grader.cli.shared.page_serving import OpenBrowser, Port
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.progress_bar import count_bar
from grader.cli.shared.refusals import refusing
from grader.cli.shared.reviewing import (
    ScannedPapers,
    ScanState,
    append_replies,
    read_scanned_exam,
    serve_review,
)
from grader.cli.shared.terminal import CommandApp, printable, refuse, report, report_few, say, say_json
from grader.exam.folders import GRADES_FOLDER, make_private_folder

if TYPE_CHECKING:
    from grader.exam.manifest import Seat
    from grader.exam.paper import PublicPaper
    from grader.scanning.journal import Journal
    from grader.scanning.page_reading import PageReading
    from grader.scanning.places import ScannedExam

app = CommandApp()

PAGES_PER_TASK = 4
"""The pages of a shard, which one process reads as one task."""

PAGE_SECONDS = 0.15
"""The time in which one process reads a page."""

ScannedFolder = Annotated[Path | None, argument("DIR", "The folder that `gametree exam build` made.")]

INSTALL_HINT = "pip install 'gametree-grader[scan]'"

MAX_LISTED_DOUBTS = 40
"""Of more pages or boxes than these the rest is only counted."""


@app.command()
def scan(
    folder: ScannedFolder = None,
    files: Annotated[
        list[Path] | None, argument("[SCANS]...", "PDFs and pictures, in any order and orientation.")
    ] = None,
    decide: Annotated[
        list[str] | None,
        option(
            "What you see: VARIANT/BOX=crossed, =empty or the written text; FILE/PAGE=VARIANT/PAGE or "
            "=aside for an unknown page; VARIANT=STUDENT for a spare paper; = alone opens it again.",
            metavar="BOX=SAYS",
        ),
    ] = None,
    black_and_white: Annotated[
        bool, option("Also read scans without gray; you are asked more often.")
    ] = False,
    review: Annotated[
        bool, option("Decide in the browser, on this machine only, as `gametree review` does.")
    ] = False,
    annotate: Annotated[bool, option("Write the scans with their marks for students to inspect.")] = False,
    language: ReviewLanguage = None,
    moodle: Annotated[
        Path | None,
        option(
            "With --annotate: the grading worksheet of a Moodle assignment (CSV); the marked papers are also "
            "written as a zip that the assignment takes.",
            metavar="WORKSHEET",
        ),
    ] = None,
    port: Port = 0,
    open_browser: OpenBrowser = True,
    kit: Annotated[
        bool, option("Write four pages to test pens, or report how filled pages are read.")
    ] = False,
    output: Annotated[
        Path, option("The file for the pages of --kit.", "-o", "--output", metavar="FILE")
    ] = Path("scan-kit.pdf"),
    size: Annotated[Literal["a4", "us-letter"], option("The paper size of --kit.")] = "a4",
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Read scanned papers: crosses become replies, as if they were typed.

    The papers are those of a blueprint with scan = true. Every page ends as one of: read, for a person,
    blank, twice, or foreign. The program never decides a box that is neither clearly empty nor clearly
    crossed. If it is stopped, it continues where it stopped when it is run again.
    `gametree grade` then marks the replies.
    Exit code 0 if nothing is left to decide, 1 otherwise.

    Examples:
      gametree scan midterm/ scans.pdf photos/*.jpg
      gametree scan midterm/ scans.pdf --jobs 1                 # leave the other cores to other programs
      gametree scan midterm/ --decide K7QM3D/1a.0.4=crossed     # a box of scans.pdf
      gametree scan midterm/            # everything left to decide
      gametree scan midterm/ --review   # the same, decided in the browser
      gametree scan --kit               # four pages that try pens and a scanner
    """
    from grader.scanning.journal import Journal

    if kit:
        scans = [path for path in (folder, *(files or ())) if path is not None]
        if not scans:
            print_kit(output, size)
            return
        _require_libraries()
        raise typer.Exit(int(not report_kit(scans, json)))
    if folder is None:
        refuse("No exam is named.", "Name the folder that `gametree exam build` made.")
    if moodle is not None and not annotate:
        refuse("--moodle needs --annotate, which marks the papers.", "Add --annotate.")
    if review and json:
        refuse("--review asks in the browser; it has no JSON.", "Leave one of the two out.")
    exam_keys = open_exam_keys(folder)
    exam = read_scanned_exam(folder)
    with refusing("Scanning stopped", OSError, hint="Everything read is kept; run the same command again."):
        journal = Journal.of(folder, exam)
        report_unreadable_lines(journal.unreadable_lines())
        _read_all(journal, exam, files or [], black_and_white, jobs)
        scanned = ScannedPapers.of(folder, exam, journal)
        _decide(scanned, decide or [])
        if review:
            serve_review(folder, exam_keys, scanned, language, port, open_browser)
        state = scanned.state()
        appended = append_replies(folder, scanned, state.sheets)
    if annotate:
        _annotate(folder, tuple(scanned.papers.values()), jobs, moodle)
    if json:
        say_json(_record(state, appended))
    else:
        _say(folder, state, scanned.spares.seats())
    raise typer.Exit(int(state.undecided_count > 0))


def _require_libraries() -> None:
    """Refuse to read scans without the libraries of the extra `scan`."""
    try:
        for library in ("pypdfium2", "zxingcpp", "PIL"):
            import_module(library)
    except ImportError:
        refuse("Reading scans needs more than is installed.", INSTALL_HINT)


def _read_all(
    journal: "Journal", exam: "ScannedExam", files: Sequence[Path], black_and_white: bool, jobs: int | None
) -> None:
    """Read the new pages of these files; each shard is recorded as soon as it is read.

    With `black_and_white`, also read again the pages that wait for a person.
    """
    from grader.scanning.page_reading import digest_of_file
    from grader.scanning.rasters import ScanError, page_count

    if not files:
        return
    _require_libraries()
    finished = {
        (page.digest, page.number)
        for page in journal.pages()
        if not (black_and_white and page.fate == "person")
    }
    shards = []
    for path in files:
        with refusing(f"{path} cannot be read", OSError), refusing(f"{path.name} cannot be read", ScanError):
            digest, count = digest_of_file(path), page_count(path)
        for start in range(0, count, PAGES_PER_TASK):
            pages = range(start, min(count, start + PAGES_PER_TASK))
            if any((digest, page + 1) not in finished for page in pages):
                shards.append((path, digest, pages))
    count = sum(len(pages) for *_, pages in shards)
    resume_hint = "Pages that were read are kept; run the same command again, and it continues from there."
    with (
        reporting_interrupt(resume_hint),
        count_bar("reading pages", count) as tell,
        working_side_by_side(jobs, count * PAGE_SECONDS) as run,
    ):
        for readings in run(partial(_read_shard, exam, journal.images, black_and_white), shards):
            journal.append_pages(readings)
            tell(len(readings))


def _read_shard(
    exam: "ScannedExam", images: Path, black_and_white: bool, shard: tuple[Path, str, range]
) -> "list[PageReading]":
    """Read some pages of a file. If it cannot be read, each page has the error and waits for a person."""
    from grader.scanning.page_reading import PageReading, read_pages
    from grader.scanning.rasters import ScanError

    path, digest, pages = shard
    try:
        return list(read_pages(exam, images, path, digest, pages, black_and_white))
    except ScanError as error:
        name = safe_line(path.name, 80)
        return [PageReading(name, digest, page + 1, "person", str(error)) for page in pages]


def _decide(scanned: ScannedPapers, decisions: Sequence[str]) -> None:
    """Record the decisions on the command line; those about a spare paper say whose it is."""
    from grader.cli.shared.spare_papers import read_assignments
    from grader.scanning.scan_decisions import ScanDecisionError, decide

    spares = scanned.spares
    codes = {spare.code for spare in spares.exam.spares}
    for decision in decisions:
        if decision.partition("=")[0] in codes:
            spares.assign(read_assignments(spares, [decision], None, ()))
            continue
        with refusing(f"--decide {printable(decision, 60)!r}", ScanDecisionError):
            decide(scanned.journal, scanned.exam, decision)


def _annotate(
    folder: Path, papers: Sequence["PublicPaper"], jobs: int | None, worksheet: Path | None
) -> None:
    """Write the scans of every student, annotated with the marks; also as a zip for Moodle, if asked for."""
    from grader.grading.gradebook_exports import Rounding
    from grader.publishing.inspection import INSPECTION_SECONDS, InspectionSource, write_inspection

    exam_keys, scans = open_exam_keys(folder, again=True), scans_of(folder)
    if scans is None:
        refuse("Marking scans needs more than is installed.", INSTALL_HINT)
    target = make_private_folder(folder, f"{GRADES_FOLDER}/inspection")
    source = InspectionSource(scans, {paper.code: paper for paper in papers}, Rounding())
    hint = "Run the same command again when this is fixed."
    students = len(exam_keys.roster or ())
    with (
        open_book(folder, exam_keys) as book,
        refusing("Writing stopped", OSError, hint=hint),
        count_bar("writing", students) as tell,
        working_side_by_side(jobs, students * INSPECTION_SECONDS) as run,
    ):
        written = write_inspection(book, exam_keys, source, target, run=run, tell=tell)
    report(f"{format_count(len(written), 'student')}: marked scans in {target}")
    if worksheet is not None:
        write_moodle_zip(written, worksheet, exam_keys, target / "moodle.zip")


def _say(folder: Path, state: ScanState, seats: "Sequence[Seat]") -> None:
    """Print the fates of the pages, and what a person has to decide, with the option that decides it."""
    from grader.scanning.scan_decisions import doubt_label, page_label

    pages, sheets, unclaimed = state.pages, state.sheets, state.unclaimed
    report_some: Any = partial(report_few, limit=MAX_LISTED_DOUBTS, rest="; --json has all")
    fates = [
        f"{count} {'for a person' if fate == 'person' else fate}"
        for fate, count in _fates(pages).items()
        if count
    ]
    say(f"{format_count(len(pages), 'page')} = {' + '.join(fates) or '0'}")
    unplaced = [page for page in pages if page.fate in ("person", "foreign")]
    report_some(unplaced, lambda page: f"{page.fate}: {printable(page.name)}: {page.why}")
    replies = format_count(sum(len(each.replies) for each in sheets), "reply", "replies")
    say(f"{len(sheets)} of {format_count(len(seats), 'paper')}, {replies}")
    names = {seat.code: printable(seat.student.name, 60) for seat in seats}
    incomplete = [each for each in sheets if each.missing_pages]
    report_some(
        incomplete,
        lambda each: f"{names.get(each.variant, each.variant)}: {missing_pages_text(each.missing_pages)}",
    )
    unnamed = [page for page in unplaced if page.fate == "person" and not page.states]
    if unnamed:
        report(f"Hint: --decide {printable(page_label(unnamed[0]))!r}=VARIANT/PAGE says which page it is.")
    doubts = [doubt for each in sheets for doubt in each.doubts]
    if doubts:
        say(f"{format_count(len(doubts), 'box', 'boxes')} to decide")
        report_some(
            doubts,
            lambda each: (
                f"{doubt_label(each)} ({names.get(each.variant, 'spare')}), page {each.page}: {each.why}"
            ),
        )
        report(f"Hint: --decide {doubt_label(doubts[0])}=... says what you see.")
    report_some(unclaimed, lambda code: f"{code}: a spare paper without a student")
    if unclaimed:
        report(f"Hint: --decide {unclaimed[0]}=STUDENT says whose it is.")
    if doubts or unnamed or unclaimed:
        report(f"Next: gametree review {folder} (decides all of this in the browser, many boxes at a time)")
    else:
        report(f"Next: gametree grade {folder}")


def _fates(pages: "Sequence[PageReading]") -> dict[str, int]:
    """The number of pages with each fate; every page has one."""
    from grader.scanning.page_reading import PAGE_FATES

    counts = Counter(page.fate for page in pages)
    return {fate: counts[fate] for fate in PAGE_FATES}


def _record(state: ScanState, appended: int) -> dict[str, Any]:
    """Return a scan as JSON; `appended` is the number of submissions that went into the gradebook."""
    from grader.scanning.scan_decisions import doubt_label

    return {
        "schema": 1,
        "pages": len(state.pages),
        "fates": _fates(state.pages),
        "unread": [
            {"file": page.file, "page": page.number, "fate": page.fate, "why": page.why}
            for page in state.pages
            if page.fate != "read"
        ],
        "papers": [
            {
                "variant": sheet.variant,
                "replies": dict(sheet.replies),
                "missing": list(sheet.missing),
                "open": [
                    {"box": doubt_label(doubt), "page": doubt.page, "why": doubt.why}
                    for doubt in sheet.doubts
                ],
            }
            for sheet in state.sheets
        ],
        "unclaimed": list(state.unclaimed),
        "missing_pages": {
            sheet.variant: list(sheet.missing_pages) for sheet in state.sheets if sheet.missing_pages
        },
        "taken": appended,
    }
