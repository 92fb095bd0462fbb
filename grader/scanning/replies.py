"""From pages that were read, and what people decided, to the replies of a class."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from grader.answers.form import Ambiguous, Malformed
from grader.answers.paper_boxes import BoxGroup, PaperBoxes
from grader.exam.paper import PublicPaper
from grader.exercises.exercise import PublicExercise
from grader.questions import kind_by_code
from grader.scanning.box_names import box_name, marks_by_part
from grader.scanning.page_reading import PageReading
from grader.scanning.places import ScannedExam

NOTHING_CROSSED = "page"
"""What is decided of a page on which no box is plainly crossed: `empty` says that it is so."""

EMPTY = "empty"
"""What is decided of a box with nothing in it."""

Decisions = Mapping[tuple[str, int, str], str]
"""(variant, page, box) -> `crossed`, `empty`, or what is written there."""


DoubtSort: TypeAlias = Literal["sheet", "box", "written"]
"""How a question is answered: looking at a whole sheet, at one box beside its row, or by typing."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that a person has to decide: of which box of which page, and why the program does not."""

    variant: str
    page: int
    box: str
    why: str
    sort: DoubtSort = "box"


@dataclass(frozen=True, slots=True)
class PaperReplies:
    """The replies of one paper.

    - `replies`: the parts of which everything is known, as reply text.
    - `doubts`: what is to be decided. `waiting`: the parts that wait for that, and how much of it there is.
    - `missing`: the parts of which a page is missing.
    """

    variant: str
    replies: Mapping[str, str]
    doubts: tuple[Doubt, ...]
    missing: tuple[str, ...]
    waiting: Mapping[str, str] = field(default_factory=dict)


PagesByNumber: TypeAlias = Mapping[tuple[str, int], PageReading]
"""The page that counts, for each variant and page."""


def sort_pages(
    readings: Iterable[PageReading], decided: Decisions | None = None
) -> tuple[list[PageReading], PagesByNumber]:
    """Every page with its fate, and the page that counts for each (variant, page).

    A page that comes twice counts once where both readings agree; where they do not it is for a person until
    every box in which they differ is decided. One that could not be read is not needed when it came again.
    """
    came = list(readings)
    pages = list(came)
    read: dict[tuple[str, int], PageReading] = {}
    for at, page in sorted(enumerate(came), key=lambda each: each[1].by_hand):
        if page.fate != "read":
            continue
        place = (page.variant, page.page)
        first = read.setdefault(place, page)
        if first is not page:
            read[place] = first if page.by_hand else replace(first, states=_both(first.states, page.states))
            pages[at] = _again(page, first, read[place], decided or {})
    for at, page in enumerate(came):
        if page.fate == "person" and (page.variant, page.page) in read:
            first = read[page.variant, page.page]
            pages[at] = replace(page, fate="twice", why=f"it is {first.name} again, which could be read")
    return pages, read


def _again(page: PageReading, first: PageReading, both: PageReading, decided: Decisions) -> PageReading:
    """A page that came before, with its fate."""
    differing = (name for name, state in both.states.items() if state == "differing")
    if any((page.variant, page.page, name) not in decided for name in differing):
        why = f"it is the same page as {first.name}, and other boxes are crossed"
        return replace(page, fate="person", why=why)
    return replace(page, fate="twice", why=f"it is {first.name} again")


def _both(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    """What two scans of a page say together: where one is plain and the other is not, a person is asked."""
    plain = ("empty", "crossed")
    states = {}
    for name, state in one.items():
        again = other.get(name, state)
        if state in plain and again in plain and state != again:
            states[name] = "differing"
        else:
            states[name] = again if state in plain else state
    return states


DOUBT_REASONS = {
    "filled": "it is filled",
    "doubtful": "it is neither plainly empty nor plainly crossed",
    "differing": "two scans of the page differ in it",
}
"""Why a box is for a person."""


def paper_replies(
    paper: PublicPaper, exam: ScannedExam, read: PagesByNumber, decided: Decisions
) -> PaperReplies:
    """What one paper replies."""
    layout = exam.layouts[paper.code]
    pages = {box.name: number for number, boxes in enumerate(layout, 1) for box in boxes}
    here = {page: read[paper.code, page] for page in range(1, len(layout) + 1) if (paper.code, page) in read}
    bare = {page for page, reading in here.items() if _bare(reading, decided)}
    found: dict[str, str] = {}
    open_: list[Doubt] = []
    missing, waiting = [], {}
    for name, (part, marks) in marks_by_part(paper).items():
        names = [
            [box_name(name, number, place) for place in range(len(group.meanings))]
            for number, group in enumerate(marks.groups)
        ]
        its_pages = {pages[box] for group in names for box in group}
        if not its_pages <= here.keys():
            missing.append(name)
            continue
        boxes = _Boxes({box: here[pages[box]] for group in names for box in group}, decided)
        says = [boxes.said(group, its_names) for group, its_names in zip(marks.groups, names, strict=True)]
        doubts = boxes.doubts
        for page in sorted(its_pages & bare):
            why = "no box of this page is plainly crossed"
            doubts.append(Doubt(paper.code, page, NOTHING_CROSSED, why, "sheet"))
        open_ += doubts
        if doubts:
            first, more = doubts[0], len(doubts) - 1
            waiting[name] = f"{first.why}, on page {first.page}{f', and {more} more' if more else ''}"
        else:
            found[name] = _reply(part, marks, says)
    return PaperReplies(paper.code, found, tuple(dict.fromkeys(open_)), tuple(missing), waiting)


def _bare(page: PageReading, decided: Decisions) -> bool:
    """Whether a page has boxes of which none is crossed, and nobody has said that this is so."""
    variant, number, states = page.variant, page.page, page.states
    crossed = (decided.get((variant, number, name), state) == "crossed" for name, state in states.items())
    return bool(states) and not any(crossed) and decided.get((variant, number, NOTHING_CROSSED)) != EMPTY


@dataclass(frozen=True, slots=True)
class _Boxes:
    """The boxes of a part, each with the page it is on: what they say, and what a person has to decide.

    What people have decided of every box that is concerned is not asked again, however odd it is.
    """

    pages: Mapping[str, PageReading]
    decided: Decisions
    doubts: list[Doubt] = field(default_factory=list)

    def typed(self, box: str) -> str | None:
        """What a person has decided of a box, or typed for it; None for nothing."""
        page = self.pages[box]
        return self.decided.get((page.variant, page.page, box))

    def decision(self, box: str) -> str:
        """What a person has decided of a box; what was typed when its page could not be read is none."""
        said = self.typed(box)
        return said if said in ("crossed", EMPTY) else ""

    def ask(self, boxes: Iterable[str], why: str, sort: DoubtSort = "box") -> None:
        """Ask of those of some boxes of which nobody has decided anything."""
        for box in boxes:
            if not self.decision(box):
                page = self.pages[box]
                self.doubts.append(Doubt(page.variant, page.page, box, why, sort))

    def said(self, group: BoxGroup, boxes: Sequence[str]) -> str:
        """What a group of boxes says; empty for nothing."""
        by_hand = any(self.pages[box].by_hand for box in boxes)
        if group.place == "written" or by_hand:
            written = self.typed(boxes[0])
            if written is None:
                why = "its page could not be read" if by_hand else "it is written by hand"
                self.ask(boxes[:1], why, "written")
            return "" if written is None or written == EMPTY else written
        crossed = {box for box in boxes if self.crossed(box)}
        if group.is_digit_entry:
            return self.number(group, boxes, crossed)
        return " ".join(filter(None, self.columns(group, boxes, crossed)))

    def crossed(self, box: str) -> bool:
        """Whether a box is crossed, by the reader or by what people decided; of one not plain it is asked."""
        state = self.decision(box) or self.pages[box].states.get(box, "doubtful")
        if state not in ("crossed", EMPTY):
            self.ask(
                [box],
                DOUBT_REASONS.get(state, DOUBT_REASONS["doubtful"]),
                "sheet" if state == "filled" else "box",
            )
        return state == "crossed"

    def columns(self, group: BoxGroup, boxes: Sequence[str], crossed: Set[str]) -> list[str]:
        """What every column says; what is crossed in one where one box is asked for stands side by side."""
        made, start = [], 0
        for column in group.columns:
            chosen = [place for place in range(start, start + len(column)) if boxes[place] in crossed]
            names = [boxes[place] for place in chosen]
            if len(chosen) > 1 and not group.allows_several:
                self.ask(names, "more than one box is crossed where one is asked for")
            if group.has_none_box and len(chosen) > 1 and chosen[-1] == len(group.meanings) - 1:
                self.ask(names, "it says that there is none, and others are crossed")
            made.append(" ".join(group.meanings[place] for place in chosen))
            start += len(column)
        return made

    def number(self, group: BoxGroup, boxes: Sequence[str], crossed: Set[str]) -> str:
        """The number of a sign and digits; what is no number stands there as it was crossed."""
        columns = self.columns(group, boxes, crossed)
        signed = len(group.columns[0]) == 1
        sign, digits = (columns[0], columns[1:]) if signed else ("", columns)
        if not any(digits):
            if sign:
                self.ask(boxes[:1], "there is a sign and no digit")
            return sign
        first = next(place for place, digit in enumerate(digits) if digit)
        if not all(digits[first:]):
            self.ask(boxes[-1:], "a digit is missing")
        if any(len(digit) != 1 for digit in digits[first:]):
            return sign + " ".join(digit or "?" for digit in digits[first:])
        return sign + str(int("".join(digits)))


def _reply(part: PublicExercise, marks: PaperBoxes, says: Sequence[str]) -> str:
    """The reply of a part as a student would type it: in canonical form where that is the same answer."""
    entries = [f"{group.prefix}{said}" for group, said in zip(marks.groups, says, strict=True) if said]
    text = marks.separator.join(entries)
    form = kind_by_code(part.kind).form
    answer = form.read(text, part.tree, part.terms)
    if not text or any(group.place == "written" for group in marks.groups):
        plain = text.replace('"', "")  # names need their quotes where they may be read as something else
        return plain if form.read(plain, part.tree, part.terms) == answer else text
    return text if isinstance(answer, Malformed | Ambiguous) else form.write(answer, part.tree)


def class_replies(
    papers: Iterable[PublicPaper],
    exam: ScannedExam,
    read: PagesByNumber,
    decided: Decisions,
) -> Iterator[PaperReplies]:
    """The replies of all papers of which a page was scanned."""
    scanned = {variant for variant, _ in read}
    return (paper_replies(paper, exam, read, decided) for paper in papers if paper.code in scanned)
