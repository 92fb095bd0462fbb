"""The page on which a person decides about scans and typed replies, and the replies that follow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.base.interrupts import WATCH
from grader.cli.shared.exam_folders import GRADEBOOK_FILE, REBUILD_HINT, open_book, open_exam_keys
from grader.cli.shared.page_serving import serve
from grader.cli.shared.refusals import refusing
from grader.cli.shared.terminal import refuse

if TYPE_CHECKING:
    from grader.base.phrases import Language
    from grader.exam.paper import PublicPaper
    from grader.exam.spares import SparePapers
    from grader.grading.exam_keys import ExamKeys
    from grader.scanning.journal import Journal
    from grader.scanning.page_reading import PageReading
    from grader.scanning.places import ScannedExam
    from grader.scanning.replies import PaperReplies


@dataclass(frozen=True, slots=True)
class ScannedPapers:
    """The scans of an exam: their journal, the papers by variant, and whose the spare ones are."""

    journal: "Journal"
    exam: "ScannedExam"
    papers: "Mapping[str, PublicPaper]"
    spares: "SparePapers"

    def pages_and_sheets(self) -> "tuple[list[PageReading], list[PaperReplies]]":
        """Return all scanned pages, and the replies of every paper."""
        from grader.scanning.replies import class_replies, sort_pages

        decisions = self.journal.decisions()
        pages, readings = sort_pages(self.journal.pages(), decisions)
        return pages, list(class_replies(self.papers.values(), self.exam, readings, decisions))


def find_scans(folder: Path) -> ScannedPapers | None:
    """The scans of the exam in a folder; None if its papers are not scanned, or nothing was scanned yet."""
    from grader.exam.folders import BOXES_FILE
    from grader.scanning.journal import PAGES_FILE, SCANS_FOLDER, Journal

    if not (folder / BOXES_FILE).exists() or not (folder / SCANS_FOLDER / PAGES_FILE).exists():
        return None
    exam = read_scanned_exam(folder)
    return ScannedPapers(Journal.of(folder, exam), exam, *papers_and_spares(folder))


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


def papers_and_spares(folder: Path) -> "tuple[dict[str, PublicPaper], SparePapers]":
    """The papers of the exam by variant, as students see them, and whose its spare papers are."""
    from grader.base.json_records import RecordError
    from grader.exam.folders import EXAM_FILE
    from grader.exam.manifest import open_exam
    from grader.exam.spares import SparePapers
    from grader.trees.notation.diagnostics import Diagnostics

    exam = open_exam(folder)
    if isinstance(exam, Diagnostics):
        refuse(f"{folder / EXAM_FILE} cannot be read: {exam}.")
    with refusing(f"{folder / EXAM_FILE} cannot be read", RecordError):
        return {paper.code: paper.public for paper in exam.papers}, SparePapers(folder, exam)


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
    from grader.web.server import ServedPage

    typed = reviewed = None
    if (folder / GRADEBOOK_FILE).is_file():
        with open_book(folder, exam_keys):  # refuses one that cannot be used
            typed = ReplyReview(folder / GRADEBOOK_FILE, exam_keys, language)
    if scanned is not None:
        reviewed = ReviewedExam(scanned.journal, scanned.exam, scanned.papers, scanned.spares, language)
    handler = ReviewHandler(reviewed, typed)
    page, policy = review_page(handler, exam_keys.heading.title)
    with WATCH.expecting():
        serve(ServedPage(page, policy, handler), port, open_browser)


def append_replies(folder: Path, scanned: ScannedPapers, sheets: Sequence["PaperReplies"]) -> int:
    """Append the replies of these sheets to the gradebook; return how many were taken in.

    The keys are read anew: decisions may have said whose the spare papers are.
    """
    from grader.scanning.sheet_submissions import append_sheets

    if not any(sheet.replies or sheet.waiting for sheet in sheets):
        return 0
    exam_keys = open_exam_keys(folder)
    with open_book(folder, exam_keys, create=True) as book:
        intake = append_sheets(book, exam_keys, scanned.spares.seats(), sheets)
    return 0 if intake is None else intake.counts["taken"]
