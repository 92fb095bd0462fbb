"""From pages that were read, and what people decided, to the replies of a class."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from grader.answers.form import Ambiguous, Malformed
from grader.answers.marks import Group, Marks
from grader.exam.paper import PublicPaper
from grader.exercise import PublicExercise
from grader.kinds import the_kind
from grader.scanning.places import ScannedExam
from grader.scanning.questions import box_name, marks_by_part
from grader.scanning.reading import PageReading

NOTHING_CROSSED = "page"
"""What is decided of a page on which no box is plainly crossed: `empty` says that it is so."""

EMPTY = "empty"
"""What is decided of a box with nothing in it."""

Decisions = Mapping[tuple[str, int, str], str]
"""(variant, page, box) -> `crossed`, `empty`, or what is written there."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that a person has to decide: of which box of which page, and why the program does not."""

    variant: str
    page: int
    box: str
    why: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The replies of one paper.

    - `replies`: the parts of which everything is known, as reply text.
    - `open`: what is to be decided. `missing`: the parts of which a page is missing.
    """

    variant: str
    replies: Mapping[str, str]
    open: tuple[Question, ...]
    missing: tuple[str, ...]


Read: TypeAlias = Mapping[tuple[str, int], PageReading]
"""The page that counts, for each variant and page."""


def sorted_out(readings: Iterable[PageReading]) -> tuple[list[PageReading], Read]:
    """Every page with its fate, and the page that counts for each (variant, page).

    A page that comes twice counts once where both readings agree, and is for a person where they do not.
    """
    pages: list[PageReading] = []
    read: dict[tuple[str, int], PageReading] = {}
    for reading in readings:
        place = (reading.variant, reading.page)
        first = read.get(place)
        if reading.fate != "read" or first is None:
            if reading.fate == "read":
                read[place] = reading
            pages.append(reading)
        else:
            read[place] = replace(first, states=_both(first.states, reading.states))
            if "differing" in read[place].states.values():
                why = f"it is the same page as {first.name}, and other boxes are crossed"
                pages.append(replace(reading, fate="person", why=why))
            else:
                pages.append(replace(reading, fate="twice", why=f"it is {first.name} again"))
    return pages, read


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


WHY = {
    "filled": "it is filled",
    "doubtful": "it is neither plainly empty nor plainly crossed",
    "differing": "two scans of the page differ in it",
}
"""Why a box is for a person."""


def sheet(paper: PublicPaper, exam: ScannedExam, read: Read, decided: Decisions) -> Sheet:
    """What one paper replies."""
    layout = exam.layouts[paper.code]
    pages = {box.name: number for number, boxes in enumerate(layout, 1) for box in boxes}
    found: dict[str, str] = {}
    open_: list[Question] = []
    missing = []
    bare = {
        number: (paper.code, number) in read and _bare(paper.code, number, read, decided)
        for number in range(1, len(layout) + 1)
    }
    for name, (part, marks) in marks_by_part(paper).items():
        names = [_names(name, number, group) for number, group in enumerate(marks.groups)]
        if any((paper.code, pages[box]) not in read for group in names for box in group):
            missing.append(name)
            continue
        questions: list[Question] = []
        says = [
            _said(group, boxes, pages, paper.code, read, decided, questions)
            for group, boxes in zip(marks.groups, names, strict=True)
        ]
        for page in {pages[box] for group in names for box in group if bare[pages[box]]}:
            why = "no box of this page is plainly crossed"
            questions.append(Question(paper.code, page, NOTHING_CROSSED, why))
        open_ += questions
        if not questions:
            found[name] = _reply(part, marks, says)
    return Sheet(paper.code, found, tuple(dict.fromkeys(open_)), tuple(missing))


def _bare(
    variant: str,
    page: int,
    read: Read,
    decided: Decisions,
) -> bool:
    """Whether a page has boxes of which none is crossed, and nobody has said that this is so."""
    states = read[variant, page].states
    crossed = (decided.get((variant, page, name), state) == "crossed" for name, state in states.items())
    return bool(states) and not any(crossed) and decided.get((variant, page, NOTHING_CROSSED)) != "empty"


def _names(part: str, number: int, group: Group) -> list[str]:
    return [box_name(part, number, place) for place in range(len(group.says))]


def _said(
    group: Group,
    boxes: Sequence[str],
    pages: Mapping[str, int],
    variant: str,
    read: Read,
    decided: Decisions,
    questions: list[Question],
) -> str:
    """What a group of boxes says; empty for nothing. What a person has to decide is added."""
    page = pages[boxes[0]]

    def ask(box: str, why: str) -> str:
        questions.append(Question(variant, pages[box], box, why))
        return ""

    if group.place == "written":
        written = decided.get((variant, page, boxes[0]))
        if written is None:
            return ask(boxes[0], "it is written by hand")
        return "" if written == EMPTY else written
    states = {}
    for box in boxes:
        state = decided.get((variant, pages[box], box), read[variant, pages[box]].states.get(box, "doubtful"))
        states[box] = state
        if state not in ("crossed", "empty"):
            ask(box, WHY.get(state, WHY["doubtful"]))
    crossed = [place for place, box in enumerate(boxes) if states[box] == "crossed"]
    columns, start = [], 0
    for column in group.columns:
        chosen = [place for place in crossed if start <= place < start + len(column)]
        if len(chosen) > 1 and not group.several:
            for place in chosen:
                ask(boxes[place], "more than one box is crossed where one is asked for")
        if group.nothing and len(chosen) > 1 and chosen[-1] == len(group.says) - 1:
            ask(boxes[-1], "it says that there is none, and others are crossed")
        columns.append([group.says[place] for place in chosen])
        start += len(column)
    if not group.digits:
        return " ".join(text for column in columns for text in column)
    digits = ["".join(column) for column in columns if column is not columns[0] or len(group.columns[0]) > 1]
    sign = "".join(columns[0]) if len(group.columns[0]) == 1 else ""
    if not any(digits):
        return ask(boxes[0], "there is a sign and no digit") if sign else ""
    first = next(place for place, digit in enumerate(digits) if digit)
    if not all(digits[first:]):
        return ask(boxes[-1], "a digit is missing")
    return sign + str(int("".join(digits)))


def _reply(part: PublicExercise, marks: Marks, says: Sequence[str]) -> str:
    """The reply of a part as a student would type it: in canonical form where that is the same answer."""
    entries = [f"{group.before}{said}" for group, said in zip(marks.groups, says, strict=True) if said]
    text = marks.between.join(entries)
    if not text or any(group.place == "written" for group in marks.groups):
        return text
    form = the_kind(part.kind).form
    answer = form.read(text, part.tree, part.terms)
    return text if isinstance(answer, Malformed | Ambiguous) else form.write(answer, part.tree)


def sheets(
    papers: Iterable[PublicPaper],
    exam: ScannedExam,
    read: Read,
    decided: Decisions,
) -> Iterator[Sheet]:
    """The replies of all papers of which a page was scanned."""
    scanned = {variant for variant, _ in read}
    for paper in papers:
        if paper.code in scanned:
            yield sheet(paper, exam, read, decided)
