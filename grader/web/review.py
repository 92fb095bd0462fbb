"""The page on which a person decides what the reader of scans did not: its questions, and its answers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from markupsafe import Markup

from grader.answers.paper_boxes import PaperBoxes
from grader.base.templating import html_environment, raw_template
from grader.exam.manifest import Seat
from grader.exam.paper import PublicPaper
from grader.exercises.exercise import PublicExercise
from grader.questions import kind_by_code
from grader.scanning.box_names import marks_by_part
from grader.scanning.crops import Area, area_around, crop, data_url, page_area
from grader.scanning.journal import Journal
from grader.scanning.page_reading import PageReading
from grader.scanning.places import PlacedBox, ScannedExam
from grader.scanning.replies import (
    NOTHING_CROSSED,
    Doubt,
    PagesByNumber,
    PaperReplies,
    paper_replies,
    sort_pages,
)
from grader.scanning.scan_decisions import ScanDecisionError, decide_box, decide_page, doubt_label, page_label
from grader.web.messages.documents import Record, record_text
from grader.web.pages import GraderConnection, content_security_policy, script, script_json

SCRIPTS = ("words", "marker", "review")
"""The modules of its script, each after those it imports from."""

DOUBT_SORTS = ("page", "sheet", "box", "written")
"""What is asked first: whose pages are, then whole sheets, then single boxes, then what is to be typed."""

MAX_MESSAGE_LENGTH = 20_000
"""The most characters of a message."""

ROW_MARGIN_MM, ABOVE_MARGIN_MM, BOX_MARGIN_MM = 60.0, 13.0, 2.5
"""How much of its row is shown of a box, and how much around it alone, in millimetres."""


@dataclass(slots=True)
class ReviewHandler:
    """Tells what is to be decided next, and notes what is decided; nothing of a key is here.

    `postponed` are the questions that the person has put off.
    """

    journal: Journal
    exam: ScannedExam
    papers: Mapping[str, PublicPaper]
    seats: Mapping[str, Seat]
    postponed: list[str] = field(default_factory=list)
    _known: dict[str, PaperReplies] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def reply(self, text: str) -> str:
        """The answer to a message, JSON text as both; what cannot be done has `errors`."""
        with self._lock:
            try:
                self._do(_message(text))
                return record_text(self._next())
            except ScanDecisionError as error:
                return record_text({"errors": [{"message": f"{error}.", "hint": error.hint}]})

    def _do(self, message: Any) -> None:
        """Do what a message says. Raises `ScanDecisionError`."""
        match message:
            case {"ask": "next"}:
                self._known.clear()
            case {"ask": "decide", "box": str(box), "says": str(says)}:
                variant, _, name = box.partition("/")
                decide_box(self.journal, self.exam, variant, name, says)
                self._known.pop(variant, None)
            case {"ask": "name", "page": str(name), "says": str(says)}:
                page = next((each for each in self.journal.scanned_pages() if _key(each) == name), None)
                if page is None:
                    raise ScanDecisionError("there is no such page")
                decide_page(self.journal, self.exam, page, says)
                self._known.clear()
            case {"ask": "undo"}:
                if self.journal.undo() is None:
                    raise ScanDecisionError("nothing is decided that could be taken back")
                self.postponed.clear()
                self._known.clear()
            case {"ask": "later", "of": str(name)}:
                self.postponed = [*(each for each in self.postponed if each != name), name]
            case _:
                raise ScanDecisionError("this is no message")

    def sheets(self) -> tuple[list[PageReading], PagesByNumber, list[PaperReplies]]:
        """Every page, the page that counts of each, and what every paper of which a page was scanned says."""
        decided = self.journal.decisions()
        pages, read = sort_pages(self.journal.pages(), decided)
        for code in {code for code, _ in read} - self._known.keys():
            self._known[code] = paper_replies(self.papers[code], self.exam, read, decided)
        return pages, read, [self._known[code] for code in self.papers if code in self._known]

    def _next(self) -> Record:
        """How much is left of what, and the next question."""
        pages, read, sheets = self.sheets()
        unnamed = [page for page in pages if page.fate == "person" and page.image and not page.states]
        questions: dict[str, PageReading | Doubt] = {_key(page): page for page in unnamed}
        asked = [question for each in sheets for question in each.doubts]
        for sort in DOUBT_SORTS[1:]:
            questions |= {doubt_label(each): each for each in asked if each.sort == sort}
        left = {sort: sum(each.sort == sort for each in asked) for sort in DOUBT_SORTS[1:]}
        order = sorted(questions, key=lambda key: self.postponed.index(key) if key in self.postponed else -1)
        task = None
        if order:
            first = questions[order[0]]
            task = self._page(first) if isinstance(first, PageReading) else self._box(first, read, asked)
        return {"left": {"page": len(unnamed), **left}, "task": task and {"key": order[0], **task}}

    def _page(self, page: PageReading) -> Record:
        """A page of which nobody knows which it is, or where it could not be read."""
        return {
            "sort": "page",
            "title": f"Which page is this? {page_label(page)}",
            "why": page.why,
            "image": data_url(crop(self.journal.images, page)),
            "variant": page.variant,
            "number": page.page,
            "boxes": [],
        }

    def _box(self, question: Doubt, read: PagesByNumber, asked: Sequence[Doubt]) -> Record:
        """A box of which something is asked, on its sheet or beside its row."""
        page = read[question.variant, question.page]
        paper = self.papers[question.variant]
        boxes = self.exam.layouts[question.variant][question.page - 1]
        open_ = {each.box for each in asked if (each.variant, each.page) == (page.variant, page.page)}
        current = next((box for box in boxes if box.name == question.box), boxes[0])
        area, close = self._areas(question, page, current)
        labels = dict(_labels(marks_by_part(paper)))
        decided = self.journal.decisions()
        typed = question.sort == "written"
        part, marks = marks_by_part(paper)[current.part]
        return {
            "sort": question.sort,
            "title": self._title(question, labels),
            "why": question.why,
            "whose": self._whose(question),
            "image": data_url(crop(self.journal.images, page, area)),
            "close": data_url(crop(self.journal.images, page, close)) if close else "",
            "current": question.box,
            "how": _how(part, marks, page) if typed else "",
            "boxes": [
                {
                    "name": box.name,
                    "key": f"{question.variant}/{box.name}",
                    "label": labels[box.name],
                    "place": area.place(box),
                    "state": decided.get((page.variant, page.page, box.name), page.states.get(box.name, "")),
                    "open": box.name in open_,
                }
                for box in boxes
                if area is not None and area.holds(box) and (typed or not box.is_written)
            ],
        }

    def _areas(self, question: Doubt, page: PageReading, box: PlacedBox) -> tuple[Area | None, Area | None]:
        """What is shown of a page, and what is shown larger; None for all of it, and for nothing."""
        if not page.flat:
            return None, None
        if question.sort == "sheet" or page.by_hand:
            return page_area(self.exam), None
        row = area_around(self.exam, [box], ROW_MARGIN_MM, ABOVE_MARGIN_MM)
        return row, area_around(
            self.exam, [box], BOX_MARGIN_MM, BOX_MARGIN_MM
        ) if question.sort == "box" else None

    def _title(self, question: Doubt, labels: Mapping[str, str]) -> str:
        if question.box == NOTHING_CROSSED:
            return "Is nothing crossed on this page?"
        if question.sort == "written":
            what = labels[question.box].partition(": ")[0]  # on a page by hand, what the whole group says
            return f"What is written for {what}?"
        return f"Is the box {labels[question.box]} crossed?"

    def _whose(self, question: Doubt) -> str:
        seat, pages = self.seats.get(question.variant), len(self.exam.layouts[question.variant])
        who = f"{seat.student.name}, " if seat else ""
        return f"{who}variant {question.variant}, page {question.page} of {pages}"


def _message(text: str) -> Any:
    """What a text says as JSON; None where it is none, or too long."""
    try:
        return json.loads(text) if len(text) <= MAX_MESSAGE_LENGTH else None
    except (ValueError, RecursionError):
        return None


def _key(page: PageReading) -> str:
    """By what a page is known to the script."""
    return f"{page.digest}-{page.number}"


def _labels(parts: Mapping[str, tuple[PublicExercise, PaperBoxes]]) -> Iterator[tuple[str, str]]:
    """The name of every box with what is printed beside it."""
    for name, (_, marks) in parts.items():
        for number, group in enumerate(marks.groups):
            start = f"{name} {group.label}".strip()
            for place, said in enumerate(group.meanings):
                text = group.texts[place] if place < len(group.texts) else said
                yield f"{name}.{number}.{place}", f"{start}: {text}" if text else start


def _how(part: PublicExercise, marks: PaperBoxes, page: PageReading) -> str:
    """How a reply is typed; an example of the form tells nothing of the key."""
    if len(marks.groups) > 1 and not page.by_hand:
        return "Type what is in this cell alone."
    return f"Type it as the student wrote it, such as {kind_by_code(part.kind).form.example}"


def review_page(desk: ReviewHandler, title: str) -> tuple[str, str]:
    """The page as HTML, and what it may load: nothing but its own script."""
    code = script(SCRIPTS)
    policy = content_security_policy(GraderConnection("server"), code)
    people = [
        {"code": seat.code, "name": seat.student.name, "identifier": seat.student.identifier}
        for seat in desk.seats.values()
    ]
    setup = {
        "way": "server",
        "words": {
            "no_grader": "The program that asks does not answer; is it still running?",
            "try_again": "Start it again if not: what was decided is kept.",
        },
        "people": people,
        "pages": max(map(len, desk.exam.layouts.values())),
    }
    template = html_environment().get_template("review/page.html.j2")
    made = template.render(
        title=title, people=people, setup=Markup(script_json(setup)), script=Markup(code),
        style=raw_template("review/page.css"), policy=policy, pages=setup["pages"],
    )  # fmt: skip
    return made, policy
