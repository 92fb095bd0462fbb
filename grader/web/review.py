"""The page on which a person decides what the reader of scans could not: its questions and answers."""

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
"""The modules of its script, each after those that it imports."""

DOUBT_SORTS = ("page", "sheet", "box", "written")
"""The order of questions: unidentified pages, whole sheets, single boxes, and replies to type."""

MAX_MESSAGE_LENGTH = 20_000
"""The most characters of a message."""

ROW_MARGIN_MM, ABOVE_MARGIN_MM, BOX_MARGIN_MM = 60.0, 13.0, 2.5
"""Margins in millimetres of the picture of a box: to its sides and above it, and around its close-up."""


@dataclass(slots=True)
class ReviewHandler:
    """Returns the next question, and records decisions; it has no key.

    `postponed` are the keys of the questions that the person postponed, the latest last.
    """

    journal: Journal
    exam: ScannedExam
    papers: Mapping[str, PublicPaper]
    seats: Mapping[str, Seat]
    postponed: list[str] = field(default_factory=list)
    _replies: dict[str, PaperReplies] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def reply(self, text: str) -> str:
        """Answer a message; both are JSON text. The answer has `errors` if the message is refused."""
        with self._lock:
            try:
                self._execute(_message(text))
                return record_text(self._next())
            except ScanDecisionError as error:
                return record_text({"errors": [{"message": f"{error}.", "hint": error.hint}]})

    def _execute(self, message: Any) -> None:
        """Execute a message. Raises `ScanDecisionError`."""
        match message:
            case {"ask": "next"}:
                self._replies.clear()
            case {"ask": "decide", "box": str(box), "says": str(value)}:
                variant, _, name = box.partition("/")
                decide_box(self.journal, self.exam, variant, name, value)
                self._replies.pop(variant, None)
            case {"ask": "name", "page": str(name), "says": str(value)}:
                page = next((each for each in self.journal.scanned_pages() if _page_key(each) == name), None)
                if page is None:
                    raise ScanDecisionError("there is no such page")
                decide_page(self.journal, self.exam, page, value)
                self._replies.clear()
            case {"ask": "undo"}:
                if not self.journal.undo():
                    raise ScanDecisionError("nothing is decided that could be taken back")
                self.postponed.clear()
                self._replies.clear()
            case {"ask": "later", "of": str(name)}:
                self.postponed = [*(each for each in self.postponed if each != name), name]
            case _:
                raise ScanDecisionError("this is no message")

    def sheets(self) -> tuple[list[PageReading], PagesByNumber, list[PaperReplies]]:
        """Return all scanned pages, those that count by variant and number, and the replies of each paper."""
        decisions = self.journal.decisions()
        pages, pages_by_number = sort_pages(self.journal.pages(), decisions)
        for code in {code for code, _ in pages_by_number} - self._replies.keys():
            self._replies[code] = paper_replies(self.papers[code], self.exam, pages_by_number, decisions)
        return pages, pages_by_number, [self._replies[code] for code in self.papers if code in self._replies]

    def _next(self) -> Record:
        """Return the number of questions left of each sort, and the next question."""
        pages, pages_by_number, papers = self.sheets()
        unidentified = [page for page in pages if page.fate == "person" and page.image and not page.states]
        questions: dict[str, PageReading | Doubt] = {_page_key(page): page for page in unidentified}
        doubts = [doubt for paper in papers for doubt in paper.doubts]
        for sort in DOUBT_SORTS[1:]:
            questions |= {doubt_label(doubt): doubt for doubt in doubts if doubt.sort == sort}
        left = {sort: sum(doubt.sort == sort for doubt in doubts) for sort in DOUBT_SORTS[1:]}
        order = sorted(questions, key=lambda key: self.postponed.index(key) if key in self.postponed else -1)
        task = None
        if order:
            first = questions[order[0]]
            if isinstance(first, PageReading):
                task = self._page_task(first)
            else:
                task = self._box_task(first, pages_by_number, doubts)
        return {"left": {"page": len(unidentified), **left}, "task": task and {"key": order[0], **task}}

    def _page_task(self, page: PageReading) -> Record:
        """Return the question about a page that is unidentified or could not be read."""
        return {
            "sort": "page",
            "title": f"Which page is this? {page_label(page)}",
            "why": page.why,
            "image": data_url(crop(self.journal.images, page)),
            "variant": page.variant,
            "number": page.page,
            "boxes": [],
        }

    def _box_task(self, doubt: Doubt, pages: PagesByNumber, doubts: Sequence[Doubt]) -> Record:
        """Return the question about a box, with a picture of its page or its row."""
        page = pages[doubt.variant, doubt.page]
        boxes = self.exam.layouts[doubt.variant][doubt.page - 1]
        open_boxes = {each.box for each in doubts if (each.variant, each.page) == (page.variant, page.page)}
        current = next((box for box in boxes if box.name == doubt.box), boxes[0])
        area, close_up = self._areas(doubt, page, current)
        parts = marks_by_part(self.papers[doubt.variant])
        labels = dict(_labels(parts))
        decisions = self.journal.decisions()
        is_typed = doubt.sort == "written"
        return {
            "sort": doubt.sort,
            "title": self._title(doubt, labels),
            "why": doubt.why,
            "whose": self._paper_title(doubt),
            "image": data_url(crop(self.journal.images, page, area)),
            "close": data_url(crop(self.journal.images, page, close_up)) if close_up else "",
            "current": doubt.box,
            "how": _typing_instruction(*parts[current.part], page) if is_typed else "",
            "boxes": [
                {
                    "name": box.name,
                    "key": f"{doubt.variant}/{box.name}",
                    "label": labels[box.name],
                    "place": area.place(box),
                    "state": decisions.get(
                        (page.variant, page.page, box.name), page.states.get(box.name, "")
                    ),
                    "open": box.name in open_boxes,
                }
                for box in boxes
                if area is not None and area.holds(box) and (is_typed or not box.is_written)
            ],
        }

    def _areas(self, doubt: Doubt, page: PageReading, box: PlacedBox) -> tuple[Area | None, Area | None]:
        """Return the area of the picture, None for all of the scan, and of its close-up, None for none."""
        if not page.flat:
            return None, None
        if doubt.sort == "sheet" or page.by_hand:
            return page_area(self.exam), None
        row = area_around(self.exam, [box], ROW_MARGIN_MM, ABOVE_MARGIN_MM)
        if doubt.sort != "box":
            return row, None
        return row, area_around(self.exam, [box], BOX_MARGIN_MM, BOX_MARGIN_MM)

    def _title(self, doubt: Doubt, labels: Mapping[str, str]) -> str:
        if doubt.box == NOTHING_CROSSED:
            return "Is nothing crossed on this page?"
        if doubt.sort == "written":
            group = labels[doubt.box].partition(": ")[0]  # on a page by hand a group is typed as a whole
            return f"What is written for {group}?"
        return f"Is the box {labels[doubt.box]} crossed?"

    def _paper_title(self, doubt: Doubt) -> str:
        seat, pages = self.seats.get(doubt.variant), len(self.exam.layouts[doubt.variant])
        student = f"{seat.student.name}, " if seat else ""
        return f"{student}variant {doubt.variant}, page {doubt.page} of {pages}"


def _message(text: str) -> Any:
    """Parse JSON; return None if the text is not JSON, or too long."""
    try:
        return json.loads(text) if len(text) <= MAX_MESSAGE_LENGTH else None
    except (ValueError, RecursionError):
        return None


def _page_key(page: PageReading) -> str:
    return f"{page.digest}-{page.number}"


def _labels(parts: Mapping[str, tuple[PublicExercise, PaperBoxes]]) -> Iterator[tuple[str, str]]:
    """Yield the name of every box, and its label."""
    for name, (_, marks) in parts.items():
        for number, group in enumerate(marks.groups):
            group_label = f"{name} {group.label}".strip()
            for place, meaning in enumerate(group.meanings):
                text = group.texts[place] if place < len(group.texts) else meaning
                yield f"{name}.{number}.{place}", f"{group_label}: {text}" if text else group_label


def _typing_instruction(part: PublicExercise, marks: PaperBoxes, page: PageReading) -> str:
    """Return how to type a reply; the example is that of the form, so it does not reveal the key."""
    if len(marks.groups) > 1 and not page.by_hand:
        return "Type what is in this cell alone."
    return f"Type it as the student wrote it, such as {kind_by_code(part.kind).form.example}"


def review_page(desk: ReviewHandler, title: str) -> tuple[str, str]:
    """Return the page as HTML, and its content security policy."""
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
    html = template.render(
        title=title, people=people, setup=Markup(script_json(setup)), script=Markup(code),
        style=raw_template("review/page.css"), policy=policy, pages=setup["pages"],
    )  # fmt: skip
    return html, policy
