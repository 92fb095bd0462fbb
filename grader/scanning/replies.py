"""Turn pages that were read, and the decisions of people, into the replies of a class."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from grader.answers.form import Ambiguous, Malformed
from grader.answers.paper_boxes import BoxGroup, PaperBoxes
from grader.base.phrases import Phrase
from grader.exam.paper import PublicPaper
from grader.exercises.exercise import PublicExercise
from grader.questions import kind_by_code
from grader.scanning.box_names import box_name, marks_by_part
from grader.scanning.page_reading import PageReading
from grader.scanning.places import BoxesError, ScannedExam, entry_of
from grader.scanning.written_numbers import EMPTY, is_possible, number_in_cells

NOTHING_CROSSED = "page"
"""The name of the decision about a page on which no box is crossed: `empty` confirms that."""

HANDWRITTEN = Phrase("it is written by hand")
"""The reason of a doubt without a fault: handwriting is always for a person."""

Decisions = Mapping[tuple[str, int, str], str]
"""(variant, page, box) -> `crossed`, `empty`, or the text that is written there."""

DoubtSort: TypeAlias = Literal["sheet", "box", "written"]
"""What a person needs to decide a doubt: the whole sheet, the box in its row, or a field to type into."""


@dataclass(frozen=True, slots=True)
class BoxDoubt:
    """Something for a person to decide: the box, and the reason."""

    variant: str
    page: int
    box: str
    why: str
    sort: DoubtSort = "box"


@dataclass(frozen=True, slots=True)
class PaperReplies:
    """The replies of one paper.

    - `replies`: part -> the text of the reply, if nothing of it is in doubt.
    - `doubts`: everything to be decided. `waiting`: part -> a summary of its doubts.
    - `missing`: the parts that lack a page. `missing_pages`: the pages that were not scanned.
    """

    variant: str
    replies: Mapping[str, str]
    doubts: tuple[BoxDoubt, ...]
    missing: tuple[str, ...]
    waiting: Mapping[str, str] = field(default_factory=dict)
    missing_pages: tuple[int, ...] = ()


PagesByNumber: TypeAlias = Mapping[tuple[str, int], PageReading]
"""(variant, page) -> the page that counts."""


def sort_pages(
    readings: Iterable[PageReading], decided: Decisions | None = None
) -> tuple[list[PageReading], PagesByNumber]:
    """Return every page with its fate, and the page that counts for each (variant, page).

    1. The first scan of a page that was read counts; one by hand counts only if no other was read.
    2. Each further scan is merged into it. It is `twice`, unless the two differ in a box that nobody has
       decided: then it is for a person.
    3. A scan that could not be read is `twice` if another scan of the page was read.
    """
    readings_in_order = list(readings)
    pages = list(readings_in_order)
    read: dict[tuple[str, int], PageReading] = {}
    for index, page in sorted(enumerate(readings_in_order), key=lambda each: each[1].by_hand):
        if page.fate != "read":
            continue
        key = (page.variant, page.page)
        first = read.setdefault(key, page)
        if first is not page:
            read[key] = first if page.by_hand else replace(first, states=_merge(first.states, page.states))
            pages[index] = _further_scan(page, first, read[key], decided or {})
    for index, page in enumerate(readings_in_order):
        if page.fate == "person" and (page.variant, page.page) in read:
            first = read[page.variant, page.page]
            pages[index] = replace(page, fate="twice", why=f"it is {first.name} again, which could be read")
    return pages, read


def _further_scan(
    page: PageReading, first: PageReading, merged: PageReading, decided: Decisions
) -> PageReading:
    """Return a further scan of a page with its fate.

    It waits for a person while a box in which the scans differ is undecided; else it is there twice.
    """
    differing = (name for name, state in merged.states.items() if state == "differing")
    if any((page.variant, page.page, name) not in decided for name in differing):
        why = f"it is the same page as {first.name}, but other boxes are crossed"
        return replace(page, fate="person", why=why)
    return replace(page, fate="twice", why=f"it is {first.name} again")


def _merge(first_scan: Mapping[str, str], second_scan: Mapping[str, str]) -> dict[str, str]:
    """Merge the states of two scans of a page; a state that only one of them is sure of stays in doubt."""
    clear = ("empty", "crossed")
    states = {}
    for name, state in first_scan.items():
        second = second_scan.get(name, state)
        if state in clear and second in clear and state != second:
            states[name] = "differing"
        else:
            states[name] = second if state in clear else state
    return states


DOUBT_REASONS = {
    "filled": Phrase("it is filled"),
    "doubtful": Phrase("it is neither plainly empty nor plainly crossed"),
    "differing": Phrase("two scans of the page differ in it"),
}
"""The state of a box -> why it is for a person."""


def paper_replies(
    paper: PublicPaper, exam: ScannedExam, read: PagesByNumber, decided: Decisions
) -> PaperReplies:
    """Read the replies of one paper.

    A part with a page that was not scanned is missing, a part with an open doubt waits, and only the
    others have a reply. Raises `BoxesError` if a box of the paper is not in the layout.
    """
    layout = exam.layout(paper.code)
    pages = {box.name: number for number, boxes in enumerate(layout, 1) for box in boxes}
    scanned = {
        page: read[paper.code, page] for page in range(1, len(layout) + 1) if (paper.code, page) in read
    }
    uncrossed = {page for page, reading in scanned.items() if _is_uncrossed(reading, decided)}
    replies: dict[str, str] = {}
    doubts: list[BoxDoubt] = []
    missing, waiting = [], {}
    for name, (part, marks) in marks_by_part(paper, exam.printed(paper.code)).items():
        names = [
            [box_name(name, number, place) for place in range(len(group.meanings))]
            for number, group in enumerate(marks.groups)
        ]
        if lacking := [box for group in names for box in group if box not in pages]:
            raise BoxesError(f"it has no box {lacking[0]} of variant {paper.code}")
        its_pages = {pages[box] for group in names for box in group}
        if not its_pages <= scanned.keys():
            missing.append(name)
            continue
        boxes = _Boxes(part, {box: scanned[pages[box]] for group in names for box in group}, decided)
        entries = [
            boxes.read(group, group_names) for group, group_names in zip(marks.groups, names, strict=True)
        ]
        part_doubts = boxes.doubts
        for page in sorted(its_pages & uncrossed):
            why = Phrase("no box of this page is plainly crossed")
            part_doubts.append(BoxDoubt(paper.code, page, NOTHING_CROSSED, why, "sheet"))
        doubts += part_doubts
        if part_doubts:
            first, more = part_doubts[0], len(part_doubts) - 1
            waiting[name] = f"{first.why}, on page {first.page}{f', and {more} more' if more else ''}"
        else:
            replies[name] = _reply(part, marks, entries)
    unscanned = tuple(page for page in range(1, len(layout) + 1) if page not in scanned)
    found = tuple(dict.fromkeys(doubts))
    return PaperReplies(paper.code, replies, found, tuple(missing), waiting, unscanned)


def _is_uncrossed(page: PageReading, decided: Decisions) -> bool:
    """Return whether a page has boxes, none of them is crossed, and nobody has confirmed that."""
    variant, number, states = page.variant, page.page, page.states
    crossed = (decided.get((variant, number, name), state) == "crossed" for name, state in states.items())
    return bool(states) and not any(crossed) and decided.get((variant, number, NOTHING_CROSSED)) != EMPTY


@dataclass(frozen=True, slots=True)
class _Boxes:
    """The boxes of a part, each with the page it is on; reading them collects the doubts.

    A person who has decided every box concerned is not asked again, however odd the result is.
    """

    part: PublicExercise
    pages: Mapping[str, PageReading]
    decided: Decisions
    doubts: list[BoxDoubt] = field(default_factory=list)

    def typed(self, box: str) -> str | None:
        """Return a person's decision about a box, or the text typed for it; None if there is none."""
        page = self.pages[box]
        return self.decided.get((page.variant, page.page, box))

    def typed_entry(self, boxes: Sequence[str]) -> str | None:
        """Return the text typed for a number as a whole; None if there is none."""
        page = self.pages[boxes[0]]
        return self.decided.get((page.variant, page.page, entry_of(boxes[0])))

    def decision(self, box: str) -> str:
        """Return `crossed`, `empty` or "": text typed while the page could not be read is no decision."""
        typed = self.typed(box)
        return typed if typed in ("crossed", EMPTY) else ""

    def ask(self, boxes: Iterable[str], why: str, sort: DoubtSort = "box") -> None:
        """Add a doubt for each of these boxes that nobody has decided."""
        for box in boxes:
            if not self.decision(box):
                page = self.pages[box]
                self.doubts.append(BoxDoubt(page.variant, page.page, box, why, sort))

    def read(self, group: BoxGroup, boxes: Sequence[str]) -> str:
        """Return the entry of a group of boxes; empty if there is none."""
        by_hand = any(self.pages[box].by_hand for box in boxes)
        if group.place == "cells":
            return self.digits(group, boxes, by_hand)
        if group.place == "written" or by_hand:
            written = self.typed(boxes[0])
            if written is None:
                why = Phrase("its page could not be read") if by_hand else HANDWRITTEN
                self.ask(boxes[:1], why, "written")
            return "" if written is None or written == EMPTY else written
        crossed = {box for box in boxes if self.crossed(box)}
        if group.is_digit_entry:
            return self.number(group, boxes, crossed)
        return " ".join(filter(None, self.columns(group, boxes, crossed)))

    def digits(self, group: BoxGroup, boxes: Sequence[str], by_hand: bool) -> str:
        """Return a number that is written digit by digit; empty if nothing is written.

        Text that a person typed for the whole number counts. Otherwise it follows from what people said of
        every box; a person looks again at digits that form no number, or none that the question can have.
        """
        typed = self.typed_entry(boxes)
        if typed is not None:
            return "" if typed == EMPTY else typed
        signs = [sign for box in boxes if (sign := self.typed(box)) is not None]
        if by_hand:
            why = Phrase("its page could not be read")
        elif len(signs) < len(boxes):
            why = HANDWRITTEN
        elif (text := number_in_cells(group.meanings, signs, self.part.terms.decimal_comma)) is None:
            why = Phrase("its digits form no number")
        elif text and not is_possible(self.part, group, text):
            why = Phrase("the question cannot have this number")
        else:
            return text
        page = self.pages[boxes[0]]
        self.doubts.append(BoxDoubt(page.variant, page.page, entry_of(boxes[0]), why, "written"))
        return ""

    def crossed(self, box: str) -> bool:
        """Return whether a box is crossed, by decision or by reading; add a doubt if neither is clear."""
        state = self.decision(box) or self.pages[box].states.get(box, "doubtful")
        if state not in ("crossed", EMPTY):
            self.ask(
                [box],
                DOUBT_REASONS.get(state, DOUBT_REASONS["doubtful"]),
                "sheet" if state == "filled" else "box",
            )
        return state == "crossed"

    def columns(self, group: BoxGroup, boxes: Sequence[str], crossed: Set[str]) -> list[str]:
        """Return the entry of every column; too many crosses in one are joined, and in doubt."""
        texts, start = [], 0
        for column in group.columns:
            crossed_places = [place for place in range(start, start + len(column)) if boxes[place] in crossed]
            names = [boxes[place] for place in crossed_places]
            if len(crossed_places) > 1 and not group.allows_several:
                self.ask(names, Phrase("more than one box is crossed where one is asked for"))
            if (
                group.has_none_box
                and len(crossed_places) > 1
                and crossed_places[-1] == len(group.meanings) - 1
            ):
                self.ask(names, Phrase("it says that there is none, and others are crossed"))
            texts.append(" ".join(group.meanings[place] for place in crossed_places))
            start += len(column)
        return texts

    def number(self, group: BoxGroup, boxes: Sequence[str], crossed: Set[str]) -> str:
        """Return the number of a sign and digits; crosses that form no number are returned as they are."""
        columns = self.columns(group, boxes, crossed)
        signed = len(group.columns[0]) == 1
        sign, digits = (columns[0], columns[1:]) if signed else ("", columns)
        if not any(digits):
            if sign:
                self.ask(boxes[:1], Phrase("there is a sign and no digit"))
            return sign
        first = next(place for place, digit in enumerate(digits) if digit)
        if not all(digits[first:]):
            self.ask(boxes[-1:], Phrase("a digit is missing"))
        if any(len(digit) != 1 for digit in digits[first:]):
            return sign + " ".join(digit or "?" for digit in digits[first:])
        return sign + str(int("".join(digits)))


def _reply(part: PublicExercise, marks: PaperBoxes, entries: Sequence[str]) -> str:
    """Return the reply of a part as a student would type it, in canonical form if it can be read."""
    lines = [f"{group.prefix}{text}" for group, text in zip(marks.groups, entries, strict=True) if text]
    text = marks.separator.join(lines)
    form = kind_by_code(part.kind).form
    answer = form.read(text, part.tree, part.terms)
    if not text or any(group.is_handwritten for group in marks.groups):
        plain = text.replace('"', "")  # names need their quotes where they may be read as something else
        return plain if form.read(plain, part.tree, part.terms) == answer else text
    return text if isinstance(answer, Malformed | Ambiguous) else form.write(answer, part.tree)


def class_replies(
    papers: Iterable[PublicPaper],
    exam: ScannedExam,
    pages: PagesByNumber,
    decided: Decisions,
) -> Iterator[PaperReplies]:
    """Read the replies of all papers with a scanned page."""
    scanned = {variant for variant, _ in pages}
    return (paper_replies(paper, exam, pages, decided) for paper in papers if paper.code in scanned)
