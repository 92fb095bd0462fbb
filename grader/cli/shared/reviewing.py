"""The page on which a person decides about scans and typed replies, and the replies that follow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.base.interrupts import WATCH
from grader.base.json_records import RecordError
from grader.cli.shared.exam_folders import (
    GRADEBOOK_FILE,
    open_book,
    open_exam_keys,
    open_exam_record,
    report_unreadable_lines,
)
from grader.cli.shared.languages import require_language
from grader.cli.shared.page_serving import serve
from grader.cli.shared.refusals import REBUILD_HINT, refusing
from grader.cli.shared.terminal import refuse
from grader.exam.folders import BOXES_FILE, EXAM_FILE

if TYPE_CHECKING:
    from grader.exam.paper import PublicPaper
    from grader.exam.spares import SparePapers
    from grader.grading.exam_keys import ExamKeys
    from grader.scanning.journal import Journal
    from grader.scanning.page_reading import PageReading
    from grader.scanning.places import ScannedExam
    from grader.scanning.replies import PaperReplies


@dataclass(frozen=True, slots=True)
class ScanState:
    """All scanned pages, the replies of every paper, and the variants of spare papers without a student."""

    pages: "list[PageReading]"
    sheets: "list[PaperReplies]"
    unclaimed: tuple[str, ...]

    @property
    def undecided_count(self) -> int:
        """How many pages, boxes and spare papers wait for a decision."""
        pages = sum(page.fate == "person" for page in self.pages)
        return pages + sum(len(sheet.doubts) for sheet in self.sheets) + len(self.unclaimed)


@dataclass(frozen=True, slots=True)
class ScannedPapers:
    """The scans of an exam: their journal, the papers by variant, and the students of the spare ones."""

    journal: "Journal"
    exam: "ScannedExam"
    papers: "Mapping[str, PublicPaper]"
    spares: "SparePapers"

    @classmethod
    def of(cls, folder: Path, exam: "ScannedExam", journal: "Journal") -> "ScannedPapers":
        """Open the papers of the exam in a folder; refuse one without a readable record."""
        from grader.exam.spares import SparePapers

        record = open_exam_record(folder)
        with refusing(f"{folder / EXAM_FILE} cannot be read", RecordError, hint=REBUILD_HINT):
            papers = {paper.code: paper.public for paper in record.papers}
        return cls(journal, exam, papers, SparePapers(folder, record))

    def state(self) -> ScanState:
        """Sort the pages, and read the replies, by all decisions up to now."""
        from grader.scanning.replies import class_replies, sort_pages

        decisions = self.journal.decisions()
        pages, readings = sort_pages(self.journal.pages(), decisions)
        sheets = list(class_replies(self.papers.values(), self.exam, readings, decisions))
        return ScanState(pages, sheets, self.spares.unclaimed(sheet.variant for sheet in sheets))


def find_scans(folder: Path) -> ScannedPapers | None:
    """The scans of the exam in a folder; None if its papers are not scanned, or nothing was scanned yet."""
    from grader.scanning.journal import PAGES_FILE, SCANS_FOLDER, Journal

    if not (folder / SCANS_FOLDER / PAGES_FILE).exists():
        return None
    exam = read_scanned_exam(folder)
    journal = Journal.of(folder, exam)
    report_unreadable_lines(journal.unreadable_lines())
    return ScannedPapers.of(folder, exam, journal)


def read_scanned_exam(folder: Path) -> "ScannedExam":
    """The places of the boxes on the papers; refuse an exam whose papers have none."""
    from grader.scanning.places import read_boxes

    if not (folder / BOXES_FILE).exists() and not open_exam_record(folder).heading.scan:
        refuse(
            f"The papers of {folder} have no boxes that could be read.",
            "Write scan = true into the blueprint, and build the exam again.",
        )
    try:
        return read_boxes(folder)
    except (OSError, ValueError) as error:
        refuse(f"{folder / BOXES_FILE} cannot be used: {error}.", REBUILD_HINT)


def serve_review(
    folder: Path,
    exam_keys: "ExamKeys",
    scanned: ScannedPapers | None,
    language_code: str | None,
    port: int,
    open_browser: bool,
) -> None:
    """Ask in the browser until Ctrl-C: about the scans, and about typed replies if there is a gradebook.

    The page is in the language of the exam, unless there is a code of another one.
    """
    from grader.web.review import ReviewHandler, review_page
    from grader.web.review_replies import ReplyReview
    from grader.web.review_scans import ScanReview
    from grader.web.review_tasks import ReviewedExam
    from grader.web.server import ServedPage

    language = exam_keys.language if language_code is None else require_language(language_code)
    typed = scans = None
    if (folder / GRADEBOOK_FILE).is_file():
        with open_book(folder, exam_keys):  # refuses one that cannot be used
            typed = ReplyReview(folder / GRADEBOOK_FILE, exam_keys, language)
    if scanned is not None:
        exam = ReviewedExam(scanned.journal, scanned.exam, scanned.papers, scanned.spares, language)
        scans = ScanReview(exam)
    handler = ReviewHandler(scans, typed)
    page, policy = review_page(handler, exam_keys.heading.title)
    with WATCH.expecting():
        serve(ServedPage(page, policy, handler), port, open_browser)


def append_replies(folder: Path, scanned: ScannedPapers, sheets: Sequence["PaperReplies"]) -> int:
    """Append the replies of these sheets to the gradebook; return how many were taken in.

    The keys are read again, because decisions may have assigned spare papers.
    """
    from grader.scanning.sheet_submissions import append_sheets

    if not any(sheet.replies or sheet.waiting for sheet in sheets):
        return 0
    exam_keys = open_exam_keys(folder, again=True)
    with open_book(folder, exam_keys, create=True) as book:
        intake = append_sheets(book, exam_keys, scanned.spares.seats(), sheets)
    return 0 if intake is None else intake.counts["taken"]
