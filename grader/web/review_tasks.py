"""The questions about single pages, boxes and handwritten entries of scans, as the review page shows them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO

from grader.answers.paper_boxes import BoxGroup, PaperBoxes
from grader.base.phrases import Language
from grader.exam.manifest import Seat
from grader.exam.paper import PublicPaper
from grader.exam.spares import SpareError, SparePapers
from grader.exercises.exercise import PublicExercise
from grader.questions import kind_by_code
from grader.scanning.box_names import box_name, marks_by_part
from grader.scanning.crops import CROP_JPEG_QUALITY, Area, area_around, crop, data_url, page_area
from grader.scanning.journal import Journal
from grader.scanning.page_reading import PageReading
from grader.scanning.page_suggestions import PageNumber, suggest_pages
from grader.scanning.places import PlacedBox, ScannedExam, entry_of
from grader.scanning.rasters import Grey
from grader.scanning.replies import HANDWRITTEN, NOTHING_CROSSED, BoxDoubt, PagesByNumber, PaperReplies
from grader.scanning.scan_decisions import page_label
from grader.scanning.written_numbers import is_possible
from grader.web.messages.documents import Record
from grader.web.review_sentences import CROSSED, EMPTY_BOX, PAGE_BLANK, SOMETHING_CROSSED

ROW_MARGIN_MM, ABOVE_MARGIN_MM, BOX_MARGIN_MM = 60.0, 13.0, 2.5
"""Margins in millimetres of the picture of a box: to its sides and above it, and around its close-up."""

MAX_SUGGESTIONS = 6
"""The most pages that are suggested for one without a code."""


@dataclass(slots=True)
class ReviewedExam:
    """The exam whose scans are decided: its papers by variant, whose they are, the language of the page."""

    journal: Journal
    exam: ScannedExam
    papers: Mapping[str, PublicPaper]
    spares: SparePapers
    language: Language
    seats: Mapping[str, Seat] = field(init=False)
    _boxes: dict[str, Mapping[str, PlacedBox]] = field(default_factory=dict)
    _parts: dict[str, Mapping[str, tuple[PublicExercise, PaperBoxes]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._seat()

    def _seat(self) -> None:
        self.seats = {seat.code: seat for seat in self.spares.seats()}

    def assign(self, variant: str, identifier: str) -> None:
        """Record whose a spare paper is; "" takes that back. Raises `SpareError`, or `OSError`."""
        student = self.spares.find(identifier) if identifier else None
        if identifier and student is None:
            raise SpareError("no student of the exam has this identifier", "")
        self.spares.assign({variant: student})
        self._seat()

    def boxes(self, variant: str) -> Mapping[str, PlacedBox]:
        """Map the name of every box of a paper to the box; empty for an unknown variant."""
        if variant not in self._boxes:
            self._boxes[variant] = self.exam.printed(variant) if variant in self.exam.layouts else {}
        return self._boxes[variant]

    def parts(self, variant: str) -> Mapping[str, tuple[PublicExercise, PaperBoxes]]:
        """Map the name of every part of a paper to the part and its boxes; empty for an unknown variant."""
        if variant not in self._parts:
            paper = self.papers.get(variant)
            self._parts[variant] = {} if paper is None else marks_by_part(paper, self.boxes(variant))
        return self._parts[variant]

    def group(self, variant: str, entry: str) -> tuple[PublicExercise, BoxGroup] | None:
        """Return the part and the group of an entry; None if there is no such entry."""
        name, _, number = entry.rpartition(".")
        part, marks = self.parts(variant).get(name, (None, None))
        if part is None or marks is None or number not in map(str, range(len(marks.groups))):
            return None
        return part, marks.groups[int(number)]

    def labels(self, variant: str) -> dict[str, str]:
        """Map the name of every box and entry of a paper to its label."""
        return dict(_labels(self.parts(variant), self.language))

    def student(self, variant: str) -> str:
        """Return the student with a variant; the variant itself if no student has it."""
        seat = self.seats.get(variant)
        return seat.student.name if seat else variant

    def can_be_written(self, variant: str, entry: str, text: str) -> bool:
        """Return whether the question can have this text as an entry."""
        found = self.group(variant, entry)
        return found is None or is_possible(*found, text)

    def missing(self, papers: Iterable[PaperReplies]) -> list[str]:
        """Say for every paper that was scanned which of its pages are missing."""
        return [
            self.language.say(
                "{student}: page {pages} is missing.",
                "{student}: pages {pages} are missing.",
                len(paper.missing_pages),
                student=self.student(paper.variant),
                pages=self.language.join_and([str(page) for page in paper.missing_pages]),
            )
            for paper in papers
            if paper.missing_pages
        ]

    def page_task(
        self, page: PageReading, pages: Sequence[PageReading], read: Collection[PageNumber]
    ) -> Record:
        """Return the question about a page that is unidentified or could not be read."""
        suggested = suggest_pages(self.exam, self.journal.images, page, pages, read)
        places = suggested.pages[:MAX_SUGGESTIONS]
        if page.variant and page.page:  # its code was read, though the page was not
            places = ((page.variant, page.page), *(place for place in places if place[0] != page.variant))
        image = crop(self.journal.images, page)
        if suggested.upright is not None:
            image = _jpeg(suggested.upright)
        return {
            "sort": "page",
            "title": self.language.say("Which page is this? {page}", page=page_label(page)),
            "why": self.language.say(page.why),
            "image": data_url(image),
            "suggestions": [
                {
                    "says": f"{variant}/{number}",
                    "label": self.language.say(
                        "{student}, page {page}", student=self.student(variant), page=number
                    ),
                }
                for variant, number in places
            ],
            "boxes": [],
        }

    def paper_task(self, variant: str, pages: PagesByNumber) -> Record:
        """Return the question whose a spare paper is, with its first scanned page, where the name is."""
        page = pages[min(place for place in pages if place[0] == variant)]
        area = page_area(self.exam) if page.flat else None
        return {
            "sort": "paper",
            "title": self.language.say("Whose paper is this?"),
            "why": self.language.say("It is a spare paper, which was printed without a name."),
            "image": data_url(crop(self.journal.images, page, area)),
            "boxes": [],
        }

    def box_task(self, doubt: BoxDoubt, pages: PagesByNumber, doubts: Sequence[BoxDoubt]) -> Record:
        """Return the question about a box or an entry, with a picture of its page or its row."""
        page = pages[doubt.variant, doubt.page]
        boxes = self.exam.layout(doubt.variant)[doubt.page - 1]
        open_boxes = {each.box for each in doubts if (each.variant, each.page) == (page.variant, page.page)}
        current = [box for box in boxes if doubt.box in (box.name, box.entry)] or [boxes[0]]
        area, close_up = self._areas(doubt, page, current)
        labels, decisions = self.labels(doubt.variant), self.journal.decisions()
        is_typed = doubt.sort == "written"
        return {
            "sort": doubt.sort,
            "title": self._title(doubt),
            "why": "" if doubt.why == HANDWRITTEN else self.language.say(doubt.why),
            "whose": self._paper_title(doubt),
            "image": data_url(crop(self.journal.images, page, area)),
            "close": data_url(crop(self.journal.images, page, close_up)) if close_up else "",
            "current": "" if doubt.box == NOTHING_CROSSED else current[0].name,
            "how": self._typing_instruction(doubt, page, current[0]) if is_typed else "",
            "choices": [] if is_typed else self._choices(doubt),
            "boxes": [
                {
                    "name": box.name,
                    "key": f"{doubt.variant}/{box.name}",
                    "label": labels[box.name],
                    "place": area.place(box),
                    "state": decisions.get(
                        (page.variant, page.page, box.name), page.states.get(box.name, "")
                    ),
                    "open": bool(open_boxes & {box.name, box.entry}),
                }
                for box in boxes
                if area is not None and area.holds(box) and (is_typed or not box.is_written)
            ],
        }

    def _areas(
        self, doubt: BoxDoubt, page: PageReading, boxes: Sequence[PlacedBox]
    ) -> tuple[Area | None, Area | None]:
        """Return the area of the picture, None for all of the scan, and of its close-up, None for none."""
        if not page.flat:
            return None, None
        if doubt.sort == "sheet" or page.by_hand:
            return page_area(self.exam), None
        row = area_around(self.exam, boxes, ROW_MARGIN_MM, ABOVE_MARGIN_MM)
        if doubt.sort != "box":
            return row, None
        return row, area_around(self.exam, boxes, BOX_MARGIN_MM, BOX_MARGIN_MM)

    def _choices(self, doubt: BoxDoubt) -> list[Record]:
        """Return what a person can say of a box, or of a page on which nothing is plainly crossed."""
        is_page = doubt.box == NOTHING_CROSSED
        crossed, empty = (SOMETHING_CROSSED, PAGE_BLANK) if is_page else (CROSSED, EMPTY_BOX)
        return [
            {"says": "crossed", "key": "x", "label": self.language.say(crossed)},
            {"says": "empty", "key": "e", "label": self.language.say(empty)},
        ]

    def _title(self, doubt: BoxDoubt) -> str:
        """Return the question that a person decides about a box, a page, or a group of boxes by hand."""
        say = self.language.say
        if doubt.box == NOTHING_CROSSED:
            return say("Is anything crossed on this page?")
        part, number, *places = doubt.box.split(".")
        group = self.parts(doubt.variant)[part][1].groups[int(number)]
        if doubt.sort == "written":
            if not group.label:
                return say("What is written in question {part}?", part=part)
            return say("What is written at {entry} in question {part}?", entry=group.label, part=part)
        text = _box_text(group, int(places[0]))
        box = self.language.with_label(group.label, text) if group.label and text else group.label or text
        return say("Is box {box} of question {part} crossed?", box=box, part=part)

    def _paper_title(self, doubt: BoxDoubt) -> str:
        """Return whose page it is: student, variant and page number."""
        return self.language.say(
            "{student}, variant {variant}, page {page} of {pages}",
            student=self.student(doubt.variant),
            variant=doubt.variant,
            page=doubt.page,
            pages=len(self.exam.layout(doubt.variant)),
        )

    def _typing_instruction(self, doubt: BoxDoubt, page: PageReading, box: PlacedBox) -> str:
        """Return how to type a reply; the example is that of the form, so it does not reveal the key."""
        part, marks = self.parts(doubt.variant)[box.part]
        if len(marks.groups) > 1 and not page.by_hand:
            return self.language.say("Type only what is written for this entry.")
        example = kind_by_code(part.kind).form.example
        return self.language.say("Type it as the student wrote it, for example {reply}", reply=example)


def _jpeg(grey: Grey) -> bytes:
    """Return a picture in grey as a JPEG file."""
    from PIL import Image

    file = BytesIO()
    Image.fromarray(grey).save(file, "JPEG", quality=CROP_JPEG_QUALITY)
    return file.getvalue()


def _box_text(group: BoxGroup, place: int) -> str:
    """Return the text that is printed at a box, or else what the box means."""
    return group.texts[place] if place < len(group.texts) else group.meanings[place]


def _labels(
    parts: Mapping[str, tuple[PublicExercise, PaperBoxes]], language: Language
) -> Iterator[tuple[str, str]]:
    """Yield the name of every box and every entry, and its label."""
    for name, (_, marks) in parts.items():
        for number, group in enumerate(marks.groups):
            group_label = f"{name} {group.label}".strip()
            for place in range(len(group.meanings)):
                box, text = box_name(name, number, place), _box_text(group, place)
                yield entry_of(box), group_label
                yield box, language.with_label(group_label, text) if text else group_label
