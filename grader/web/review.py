"""The page on which a person decides what the program could not read: its questions and answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any

from grader.base.canonical_json import parse_json
from grader.base.phrases import Language
from grader.exam.spares import SpareError
from grader.grading.decisions import DecisionError
from grader.grading.gradebook_file import GradebookError
from grader.scanning.scan_decisions import ScanDecisionError
from grader.web.messages.documents import Record, record_text
from grader.web.pages import served_page
from grader.web.review_replies import ReplyReview
from grader.web.review_scans import NOTHING_DECIDED, OpenScans, ReviewQuestion, ScanReview, Undo
from grader.web.review_sentences import REPLY_SENTENCES, REVIEW_SENTENCES, SORT_LABELS

SCRIPTS = ("words", "marker", "screen", "replies", "review")
"""The modules of its script, each after those that it imports."""

MAX_REVIEW_MESSAGE_LENGTH = 40_000
"""The most characters of a message."""


@dataclass(slots=True)
class ReviewHandler:
    """Returns the next question, and records decisions.

    - `scans`: the questions about scans, if there are any.
    - `typed`: the typed replies that wait, if there is a gradebook.
    - `postponed`: the keys of the questions that the person postponed, the latest last.

    `_undos` takes back each decision since the page was opened, the latest last, and `_total` is how many
    questions there were.
    """

    scans: ScanReview | None
    typed: ReplyReview | None = None
    postponed: list[str] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)
    _undos: list[Undo] = field(default_factory=list)
    _total: int = 0

    @property
    def language(self) -> Language:
        """The language of the page."""
        asking = self.scans or self.typed
        assert asking is not None
        return asking.language

    @property
    def question_sorts(self) -> Sequence[str]:
        """The sorts of questions that there can be, in the order in which they are asked."""
        *of_scans, of_replies = SORT_LABELS
        return [
            *(of_scans if self.scans is not None else ()),
            *([of_replies] if self.typed is not None else ()),
        ]

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

        Raises what `ScanReview.execute` and `ReplyReview` raise.
        """
        match message:
            case {"ask": "next"}:
                if self.scans is not None:
                    self.scans.reload()
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
            case _ if self.scans is not None:
                undo = self.scans.execute(message)
                if isinstance(undo, str):
                    return undo
                self._undos.append(undo)
            case _:
                raise ScanDecisionError("this is not a message")
        return ""

    def _undo(self) -> None:
        """Take the latest decision back; of those before the page was opened only decisions about scans.

        Raises `ScanDecisionError` if there is none.
        """
        if self._undos:
            self._undos.pop()()
        elif self.scans is not None:
            self.scans.undo()
        else:
            raise ScanDecisionError(NOTHING_DECIDED)

    def _next(self) -> Record:
        """Return the number of questions left of each sort, the missing pages, and the next question."""
        scans = None if self.scans is None else self.scans.open_scans()
        left = {} if scans is None else scans.counts
        if self.typed is not None:
            left["reply"] = len(self.typed.waiting)
        first = self._first(self._questions(scans))
        waiting = sum(left.values()) + (0 if scans is None else scans.further_cells)
        self._total = max(self._total, waiting)
        return {
            "left": left,
            "done": self._total - waiting,
            "total": self._total,
            "missing": [] if scans is None else scans.missing,
            "task": first and {"key": first.key, **first.task()},
        }

    def _first(self, questions: Iterator[ReviewQuestion]) -> ReviewQuestion | None:
        """Return the first question that is not postponed, else the one that was postponed first."""
        waiting = {}
        for question in questions:
            if question.key not in self.postponed:
                return question
            waiting[question.key] = question
        return next((waiting[key] for key in self.postponed if key in waiting), None)

    def _questions(self, scans: OpenScans | None) -> Iterator[ReviewQuestion]:
        """Yield all questions in their order: those about scans, then those about typed replies."""
        if self.scans is not None and scans is not None:
            yield from self.scans.questions(scans)
        if self.typed is not None:
            for key, group in self.typed.screens():
                yield ReviewQuestion(key, partial(self.typed.task, group))


def _message(text: str) -> Any:
    """Parse JSON; return None if the text is not JSON, or too long."""
    try:
        return parse_json(text) if len(text) <= MAX_REVIEW_MESSAGE_LENGTH else None
    except ValueError:
        return None


def review_page(desk: ReviewHandler, title: str) -> tuple[str, str]:
    """Return the page as HTML, and its content security policy."""
    reviewed, language = None if desk.scans is None else desk.scans.reviewed, desk.language
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
