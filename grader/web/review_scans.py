"""The questions about scans that wait for a person, in their order, and the decisions about them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from grader.base.phrases import Language
from grader.scanning.box_pictures import BoxPictures
from grader.scanning.page_reading import PageReading
from grader.scanning.replies import (
    BoxDoubt,
    Decisions,
    PagesByNumber,
    PaperReplies,
    paper_replies,
    sort_pages,
)
from grader.scanning.scan_decisions import ScanDecisionError, decide_boxes, decide_page, doubt_label
from grader.scanning.written_numbers import EMPTY
from grader.web.messages.documents import Record
from grader.web.review_screens import ReviewScreens
from grader.web.review_sentences import UNLIKELY_REPLY
from grader.web.review_tasks import ReviewedExam

Undo: TypeAlias = Callable[[], None]
"""What takes a decision back."""


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """A question to show: its key, and the function that makes it, which may take a while."""

    key: str
    task: Callable[[], Record]


@dataclass(frozen=True, slots=True)
class OpenScans:
    """The decisions and open questions about scans at one moment.

    - `pages`: all scanned pages; `counting_pages`: those that count, by variant and number.
    - `papers`: the replies of each paper, and the doubts about them.
    - `unclaimed`: the spare papers whose students are unknown.
    - `missing`: the pages that were not scanned, in words.
    - `further_cells`: the undecided boxes for digits, but one of each entry, which `counts` has once.
    """

    pages: Sequence[PageReading]
    counting_pages: PagesByNumber
    papers: Sequence[PaperReplies]
    unclaimed: Sequence[str]
    missing: Sequence[str]
    further_cells: int

    @property
    def doubts(self) -> list[BoxDoubt]:
        """The doubts of all papers."""
        return [doubt for paper in self.papers for doubt in paper.doubts]

    @property
    def unidentified(self) -> list[PageReading]:
        """The pages that belong to no paper yet."""
        return [page for page in self.pages if page.fate == "person" and page.image and not page.states]

    @property
    def counts(self) -> dict[str, int]:
        """The number of open questions of each sort."""
        counts = {
            kind: sum(doubt.sort == kind for doubt in self.doubts) for kind in ("sheet", "box", "written")
        }
        return {"page": len(self.unidentified), "paper": len(self.unclaimed), **counts}


@dataclass(slots=True)
class ScanReview:
    """Asks about scans and records decisions; it has no key.

    `_replies` has the replies of the papers that nothing was decided about since they were read.
    """

    reviewed: ReviewedExam
    _screens: ReviewScreens = field(init=False)
    _replies: dict[str, PaperReplies] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._screens = ReviewScreens(self.reviewed, BoxPictures(self.reviewed.journal.images))

    @property
    def language(self) -> Language:
        """The language of the questions."""
        return self.reviewed.language

    def reload(self) -> None:
        """Read all replies again, because another program may have decided something."""
        self._replies.clear()

    def open_scans(self) -> OpenScans:
        """Return the decisions and open questions of this moment."""
        reviewed, decisions = self.reviewed, self.reviewed.journal.decisions()
        pages, counting_pages = sort_pages(reviewed.journal.pages(), decisions)
        for code in {code for code, _ in counting_pages} - self._replies.keys():
            self._replies[code] = paper_replies(
                reviewed.papers[code], reviewed.exam, counting_pages, decisions
            )
        papers = [self._replies[code] for code in reviewed.papers if code in self._replies]
        unclaimed = reviewed.spares.unclaimed(paper.variant for paper in papers)
        missing = reviewed.missing(papers)
        doubts = [doubt for paper in papers for doubt in paper.doubts]
        cells = sum(max(0, self._open_cells(doubt, decisions) - 1) for doubt in doubts)
        return OpenScans(pages, counting_pages, papers, unclaimed, missing, cells)

    def _open_cells(self, doubt: BoxDoubt, decisions: Decisions) -> int:
        """Return how many boxes of an entry are not decided yet, 0 unless it has a box for each digit."""
        boxes = self.reviewed.exam.layout(doubt.variant)[doubt.page - 1]
        names = [box.name for box in boxes if box.is_cell and box.entry == doubt.box]
        return sum((doubt.variant, doubt.page, name) not in decisions for name in names)

    def questions(self, scans: OpenScans) -> Iterator[ReviewQuestion]:
        """Yield the open questions in their order; alike ones are on screens, before single ones."""
        reviewed, pages, doubts = self.reviewed, scans.counting_pages, scans.doubts

        def single(*kinds: str) -> Iterator[ReviewQuestion]:
            for kind in kinds:
                for doubt in (each for each in doubts if each.sort == kind):
                    yield ReviewQuestion(doubt_label(doubt), partial(reviewed.box_task, doubt, pages, doubts))

        for page in scans.unidentified:
            yield ReviewQuestion(_page_key(page), partial(reviewed.page_task, page, scans.pages, pages))
        for variant in scans.unclaimed:
            yield ReviewQuestion(f"{variant}/student", partial(reviewed.paper_task, variant, pages))
        for key, task in self._screens.box_screens(doubts, pages):
            yield ReviewQuestion(key, partial(dict, task))
        yield from single("sheet", "box")
        for key, task in self._screens.digit_screens(doubts, pages):
            yield ReviewQuestion(key, partial(dict, task))
        yield from single("written")

    def execute(self, message: Any) -> Undo | str:
        """Record a decision; return what takes it back, or a warning to be confirmed first.

        Raises `ScanDecisionError` or `SpareError`.
        """
        reviewed = self.reviewed
        match message:
            case {"ask": "decide", "decisions": dict(decisions), "apart": list(excluded), **rest} if all(
                isinstance(each, str) for each in (*decisions, *decisions.values(), *excluded)
            ):
                says = {_split(key): value for key, value in decisions.items()}
                if unsure := "" if rest.get("sure") else self._unlikely(says):
                    return unsure
                decide_boxes(reviewed.journal, reviewed.exam, says)
                self._screens.take_out(excluded)
                for variant, _ in says:
                    self._replies.pop(variant, None)
                return self.undo
            case {"ask": "name", "page": str(name), "says": str(value)}:
                scanned = reviewed.journal.scanned_pages()
                page = next((each for each in scanned if _page_key(each) == name), None)
                if page is None:
                    raise ScanDecisionError("there is no such page")
                decide_page(reviewed.journal, reviewed.exam, page, value)
                self._replies.clear()
                return self.undo
            case {"ask": "assign", "paper": str(name), "says": str(identifier)}:
                variant, _ = _split(name)
                reviewed.assign(variant, identifier)
                return partial(reviewed.assign, variant, "")
            case _:
                raise ScanDecisionError("this is not a message")

    def undo(self) -> None:
        """Take the latest decision back. Raises `ScanDecisionError` if there is none."""
        if not self.reviewed.journal.undo():
            raise ScanDecisionError(NOTHING_DECIDED)
        self._screens.put_back()
        self._replies.clear()

    def _unlikely(self, decisions: dict[tuple[str, str], str]) -> str:
        """Return a warning about the first typed entry that the question cannot have; empty without one."""
        for (variant, name), text in decisions.items():
            box = self.reviewed.boxes(variant).get(name)
            if text in (EMPTY, "crossed", "") or (box is not None and box.is_cell):
                continue
            entry = name if box is None else box.entry
            if not self.reviewed.can_be_written(variant, entry, text):
                return self.language.say(UNLIKELY_REPLY, reply=text[:60])
        return ""


NOTHING_DECIDED = "nothing is decided that could be taken back"


def _split(key: str) -> tuple[str, str]:
    variant, _, name = key.partition("/")
    return variant, name


def _page_key(page: PageReading) -> str:
    return f"{page.digest}-{page.number}"
