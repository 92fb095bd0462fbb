"""The page on which a person decides what the program could not read: its questions and answers."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any

from grader.base.phrases import Language
from grader.exam.spares import SpareError
from grader.grading.decisions import DecisionError
from grader.grading.gradebook_file import GradebookError
from grader.scanning.box_pictures import BoxPictures
from grader.scanning.page_reading import PageReading
from grader.scanning.replies import Doubt, PagesByNumber, PaperReplies, paper_replies, sort_pages
from grader.scanning.scan_decisions import ScanDecisionError, decide_boxes, decide_page, doubt_label
from grader.scanning.written_numbers import EMPTY
from grader.web.messages.documents import Record, record_text
from grader.web.pages import served_page
from grader.web.review_replies import ReplyReview
from grader.web.review_screens import ReviewScreens
from grader.web.review_sentences import REPLY_SENTENCES, REVIEW_SENTENCES, SORT_LABELS, UNLIKELY_REPLY
from grader.web.review_tasks import ReviewedExam

SCRIPTS = ("words", "marker", "screen", "replies", "review")
"""The modules of its script, each after those that it imports."""

DOUBT_SORTS = tuple(SORT_LABELS)
"""The order of questions: unidentified pages, papers of nobody, sheets, boxes, handwriting, typed replies."""

MAX_MESSAGE_LENGTH = 40_000
"""The most characters of a message."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to show: its key, and the function that makes it, which may take a while."""

    key: str
    task: Callable[[], Record]


@dataclass(slots=True)
class ReviewHandler:
    """Returns the next question, and records decisions; of scans it has no key.

    - `reviewed`: the exam with its scans, if it has any.
    - `typed`: the typed replies that wait, if there is a gradebook.
    - `postponed`: the keys of the questions that the person postponed, the latest last.

    `_undos` takes back each decision since the page was opened, the latest last, and `_total` is how many
    questions there were.
    """

    reviewed: ReviewedExam | None
    typed: ReplyReview | None = None
    postponed: list[str] = field(default_factory=list)
    _replies: dict[str, PaperReplies] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    _screens: ReviewScreens | None = field(init=False, default=None)
    _undos: list[Callable[[], None]] = field(default_factory=list)
    _total: int = 0

    def __post_init__(self) -> None:
        if self.reviewed is not None:
            self._screens = ReviewScreens(self.reviewed, BoxPictures(self.reviewed.journal.images))

    @property
    def language(self) -> Language:
        """The language of the page."""
        asking = self.reviewed or self.typed
        assert asking is not None
        return asking.language

    def reply(self, text: str) -> str:
        """Answer a message; both are JSON text. The answer has `errors` if the message is refused.

        It has `unsure` if something can hardly be as it was typed: the same message with `sure` records it.
        """
        with self._lock:
            try:
                unsure = self._execute(_message(text))
                return record_text({"unsure": unsure} if unsure else self._next())
            except (ScanDecisionError, SpareError) as error:
                return record_text({"errors": [{"message": f"{error}.", "hint": error.hint}]})
            except (DecisionError, GradebookError, OSError) as error:
                return record_text({"errors": [{"message": f"{error}.", "hint": ""}]})

    def _execute(self, message: Any) -> str:
        """Execute a message; return a warning to be confirmed first, or "".

        Raises `ScanDecisionError` or `SpareError`, and of typed replies what `ReplyReview` raises.
        """
        match message:
            case {"ask": "next"}:
                self._replies.clear()
                if self.typed is not None:
                    self.typed.reload()
            case {"ask": "later", "of": str(name)}:
                self.postponed = [*(each for each in self.postponed if each != name), name]
            case {"ask": "undo"}:
                self._undo()
                self.postponed.clear()
            case {"ask": "key", "shown": bool(shown)} if self.typed is not None:
                self.typed.shows_key = shown
            case {"ask": "split", "rows": list(rows)} if self.typed is not None and all(
                isinstance(each, str) for each in rows
            ):
                self.typed.separate(rows)
            case {"ask": "read", "rows": list(rows), "choice": str(choice), "apart": list(apart)} if (
                self.typed is not None and all(isinstance(each, str) for each in (*rows, *apart))
            ):
                self.typed.decide(rows, choice, apart)
                self._undos.append(self.typed.undo)
            case _ if self.reviewed is not None:
                return self._decide_scan(message, self.reviewed)
            case _:
                raise ScanDecisionError("this is not a message")
        return ""

    def _undo(self) -> None:
        """Take the latest decision back; of those before the page was opened only decisions about scans."""
        undo = self._undos.pop() if self._undos else self._undo_scan
        undo()

    def _undo_scan(self) -> None:
        """Take the latest decision about scans back. Raises `ScanDecisionError` if there is none."""
        if self.reviewed is None or not self.reviewed.journal.undo():
            raise ScanDecisionError("nothing is decided that could be taken back")
        assert self._screens is not None
        self._screens.put_back()
        self._replies.clear()

    def _decide_scan(self, message: Any, reviewed: ReviewedExam) -> str:
        """Execute a message about scans as `_execute` does."""
        journal, exam = reviewed.journal, reviewed.exam
        assert self._screens is not None
        match message:
            case {"ask": "decide", "decisions": dict(decisions), "apart": list(excluded), **rest} if all(
                isinstance(each, str) for each in (*decisions, *decisions.values(), *excluded)
            ):
                says = {_split(key): value for key, value in decisions.items()}
                if unsure := "" if rest.get("sure") else self._unlikely(says, reviewed):
                    return unsure
                decide_boxes(journal, exam, says)
                self._undos.append(self._undo_scan)
                self._screens.take_out(excluded)
                for variant, _ in says:
                    self._replies.pop(variant, None)
            case {"ask": "name", "page": str(name), "says": str(value)}:
                page = next((each for each in journal.scanned_pages() if _page_key(each) == name), None)
                if page is None:
                    raise ScanDecisionError("there is no such page")
                decide_page(journal, exam, page, value)
                self._undos.append(self._undo_scan)
                self._replies.clear()
            case {"ask": "assign", "paper": str(name), "says": str(identifier)}:
                variant, _ = _split(name)
                reviewed.assign(variant, identifier)
                self._undos.append(partial(reviewed.assign, variant, ""))
            case _:
                raise ScanDecisionError("this is not a message")
        return ""

    def _unlikely(self, decisions: dict[tuple[str, str], str], reviewed: ReviewedExam) -> str:
        """Return a warning about the first typed entry that the question cannot have; empty without one."""
        for (variant, name), text in decisions.items():
            box = reviewed.boxes(variant).get(name)
            if text in (EMPTY, "crossed", "") or (box is not None and box.is_cell):
                continue
            entry = name if box is None else box.entry
            if not reviewed.can_be_written(variant, entry, text):
                return reviewed.language.say(UNLIKELY_REPLY, reply=text[:60])
        return ""

    def sheets(self) -> tuple[list[PageReading], PagesByNumber, list[PaperReplies]]:
        """Return all scanned pages, those that count by variant and number, and the replies of each paper."""
        if self.reviewed is None:
            return [], {}, []
        papers, decisions = self.reviewed.papers, self.reviewed.journal.decisions()
        pages, pages_by_number = sort_pages(self.reviewed.journal.pages(), decisions)
        for code in {code for code, _ in pages_by_number} - self._replies.keys():
            self._replies[code] = paper_replies(papers[code], self.reviewed.exam, pages_by_number, decisions)
        return pages, pages_by_number, [self._replies[code] for code in papers if code in self._replies]

    def _next(self) -> Record:
        """Return the number of questions left of each sort, the missing pages, and the next question."""
        pages, read, papers = self.sheets()
        unidentified = [page for page in pages if page.fate == "person" and page.image and not page.states]
        doubts = [doubt for paper in papers for doubt in paper.doubts]
        unclaimed: tuple[str, ...] = ()
        left = {each: sum(doubt.sort == each for doubt in doubts) for each in self.question_sorts}
        if self.reviewed is not None:
            unclaimed = self.reviewed.spares.unclaimed(paper.variant for paper in papers)
            left |= {"page": len(unidentified), "paper": len(unclaimed)}
        if self.typed is not None:
            left["reply"] = len(self.typed.waiting)
        first = self._first(self._questions(pages, read, doubts, unidentified, unclaimed))
        waiting = sum(left.values())
        self._total = max(self._total, waiting)
        return {
            "left": left,
            "done": self._total - waiting,
            "total": self._total,
            "missing": self.reviewed.missing(papers) if self.reviewed is not None else [],
            "task": first and {"key": first.key, **first.task()},
        }

    @property
    def question_sorts(self) -> Sequence[str]:
        """The sorts of questions that there can be."""
        scans = DOUBT_SORTS[:-1] if self.reviewed is not None else ()
        return (*scans, *(DOUBT_SORTS[-1:] if self.typed is not None else ()))

    def _first(self, questions: Iterator[Question]) -> Question | None:
        """Return the first question that is not postponed, else the one that was postponed first."""
        waiting = {}
        for question in questions:
            if question.key not in self.postponed:
                return question
            waiting[question.key] = question
        return next((waiting[key] for key in self.postponed if key in waiting), None)

    def _questions(
        self,
        pages: Sequence[PageReading],
        read: PagesByNumber,
        doubts: Sequence[Doubt],
        unidentified: Sequence[PageReading],
        unclaimed: Sequence[str],
    ) -> Iterator[Question]:
        """Yield all questions in their order: those about scans, then those about typed replies."""
        if self.reviewed is not None:
            yield from self._scan_questions(self.reviewed, pages, read, doubts, unidentified, unclaimed)
        if self.typed is not None:
            for key, group in self.typed.screens():
                yield Question(key, partial(self.typed.task, group))

    def _scan_questions(
        self,
        reviewed: ReviewedExam,
        pages: Sequence[PageReading],
        read: PagesByNumber,
        doubts: Sequence[Doubt],
        unidentified: Sequence[PageReading],
        unclaimed: Sequence[str],
    ) -> Iterator[Question]:
        """Yield the questions about scans; alike ones are on screens, before single ones."""
        assert self._screens is not None

        def single(*counters: str) -> Iterator[Question]:
            for counter in counters:
                for doubt in (each for each in doubts if each.sort == counter):
                    task = partial(reviewed.box_task, doubt, read, doubts)
                    yield Question(doubt_label(doubt), task)

        for page in unidentified:
            yield Question(_page_key(page), partial(reviewed.page_task, page, pages, read))
        for variant in unclaimed:
            yield Question(f"{variant}/student", partial(reviewed.paper_task, variant, read))
        for key, task in self._screens.box_screens(doubts, read):
            yield Question(key, partial(dict, task))
        yield from single("sheet", "box")
        for key, task in self._screens.digit_screens(doubts, read):
            yield Question(key, partial(dict, task))
        yield from single("written")


def _message(text: str) -> Any:
    """Parse JSON; return None if the text is not JSON, or too long."""
    try:
        return json.loads(text) if len(text) <= MAX_MESSAGE_LENGTH else None
    except (ValueError, RecursionError):
        return None


def _split(key: str) -> tuple[str, str]:
    variant, _, name = key.partition("/")
    return variant, name


def _page_key(page: PageReading) -> str:
    return f"{page.digest}-{page.number}"


def review_page(desk: ReviewHandler, title: str) -> tuple[str, str]:
    """Return the page as HTML, and its content security policy."""
    reviewed, language = desk.reviewed, desk.language
    people = [
        {"code": seat.code, "name": seat.student.name, "identifier": seat.student.identifier}
        for seat in (reviewed.seats.values() if reviewed is not None else ())
    ]
    if reviewed is not None:
        people += [
            {"code": spare.code, "name": "", "identifier": ""}
            for spare in reviewed.spares.exam.spares
            if spare.code not in reviewed.seats
        ]
    heading = REVIEW_SENTENCES["scans_of" if desk.typed is None else "replies_of"]
    return served_page(
        "review/page.html.j2",
        ("review/page.css",),
        SCRIPTS,
        {**REVIEW_SENTENCES, **REPLY_SENTENCES},
        language,
        {"people": people},
        people=people,
        title=title,
        heading=language.term(heading, title="{title}"),
        sorts={each: language.term(SORT_LABELS[each]) for each in desk.question_sorts},
        pages=max(map(len, reviewed.exam.layouts.values())) if reviewed is not None else 0,
    )
