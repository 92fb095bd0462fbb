"""The page on which a person decides about scans and typed replies, and the replies that follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.base.interrupts import WATCH
from grader.cli.shared.exam_folders import GRADEBOOK_FILE, REBUILD_HINT, open_book
from grader.cli.shared.page_serving import serve
from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import refuse

if TYPE_CHECKING:
    from grader.base.phrases import Language
    from grader.exam.manifest import Seat
    from grader.exam.paper import PublicPaper
    from grader.grading.exam_keys import ExamKeys
    from grader.scanning.journal import Journal
    from grader.scanning.page_reading import PageReading
    from grader.scanning.places import ScannedExam
    from grader.scanning.replies import PaperReplies


@dataclass(frozen=True, slots=True)
class ScannedPapers:
    """The scans of an exam: the journal of the readings, the papers and the seats."""

    journal: "Journal"
    exam: "ScannedExam"
    papers: "Sequence[PublicPaper]"
    seats: "Sequence[Seat]"

    def pages_and_sheets(self) -> "tuple[list[PageReading], list[PaperReplies]]":
        """Return all scanned pages, and the replies of every paper."""
        from grader.scanning.replies import class_replies, sort_pages

        decisions = self.journal.decisions()
        pages, readings = sort_pages(self.journal.pages(), decisions)
        return pages, list(class_replies(self.papers, self.exam, readings, decisions))


def find_scans(folder: Path) -> ScannedPapers | None:
    """The scans of the exam in a folder; None if its papers are not scanned, or nothing was scanned yet."""
    from grader.exam.folders import BOXES_FILE
    from grader.scanning.journal import PAGES_FILE, SCANS_FOLDER, Journal

    if not (folder / BOXES_FILE).exists() or not (folder / SCANS_FOLDER / PAGES_FILE).exists():
        return None
    exam = read_scanned_exam(folder)
    return ScannedPapers(Journal.of(folder, exam), exam, *papers_and_seats(folder))


def read_scanned_exam(folder: Path) -> "ScannedExam":
    """The places of the boxes on the papers; refuse an exam whose papers have none."""
    from grader.exam.folders import BOXES_FILE
    from grader.scanning.places import read_boxes

    try:
        scanned_exam = read_boxes(folder)
    except (OSError, ValueError) as error:
        refuse(f"{folder / BOXES_FILE} cannot be used: {error}.", REBUILD_HINT)
    if scanned_exam is None:
        refuse(
            f"The papers of {folder} have no boxes that could be read.",
            "Write scan = true into the blueprint, and build the exam again.",
        )
    return scanned_exam


def papers_and_seats(folder: Path) -> "tuple[list[PublicPaper], tuple[Seat, ...]]":
    """The papers and seats of the exam, as students see them."""
    from grader.base.json_records import RecordError
    from grader.exam.folders import EXAM_FILE
    from grader.exam.manifest import open_exam
    from grader.trees.notation.diagnostics import Diagnostics

    exam = open_exam(folder)
    if isinstance(exam, Diagnostics):
        refuse(f"{folder / EXAM_FILE} cannot be read: {exam}.")
    with refusing(f"{folder / EXAM_FILE} cannot be read", RecordError):
        return [paper.public for paper in exam.papers], exam.seats


def serve_review(
    folder: Path,
    exam_keys: "ExamKeys",
    scanned: ScannedPapers | None,
    language: "Language",
    port: int,
    open_browser: bool,
) -> None:
    """Ask in the browser until Ctrl-C: about the scans, and about typed replies if there is a gradebook."""
    from grader.web.review import ReviewHandler, review_page
    from grader.web.review_replies import ReplyReview
    from grader.web.review_tasks import ReviewedExam

    typed = reviewed = None
    if (folder / GRADEBOOK_FILE).is_file():
        with open_book(folder, exam_keys):  # refuses one that cannot be used
            typed = ReplyReview(folder / GRADEBOOK_FILE, exam_keys, language)
    if scanned is not None:
        by_code = {paper.code: paper for paper in scanned.papers}
        seats = {seat.code: seat for seat in scanned.seats}
        reviewed = ReviewedExam(scanned.journal, scanned.exam, by_code, seats, language)
    handler = ReviewHandler(reviewed, typed)
    page, policy = review_page(handler, exam_keys.heading.title)
    with WATCH.expecting():
        serve(page, policy, handler, port, open_browser)


def append_replies(
    folder: Path, exam_keys: "ExamKeys", seats: Sequence["Seat"], sheets: Sequence["PaperReplies"]
) -> int:
    """Append the replies of these sheets to the gradebook; return how many were taken in."""
    from grader.scanning.sheet_submissions import append_sheets

    if not any(sheet.replies or sheet.waiting for sheet in sheets):
        return 0
    with open_book(folder, exam_keys, create=True) as book:
        intake = append_sheets(book, exam_keys, seats, sheets)
    return 0 if intake is None else intake.counts["taken"]
