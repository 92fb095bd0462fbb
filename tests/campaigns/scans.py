"""Sheets that simulated people fill in and simulated machines scan, read and held to their truth.

A sheet is ordinary, or something happens to it: to some of its marks, to the paper, or in the scanner.
Nothing may be decided wrongly on any of them, and no answer may end wrongly without a question.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image

from grader.exam.paper import PublicPaper
from grader.publishing.scan_sheet import scanned_paper
from grader.scanning.box_names import box_name, marks_by_part
from grader.scanning.page_reading import PageReading, read_pages
from grader.scanning.page_reasons import BLACK_AND_WHITE
from grader.scanning.places import PlacedBox, ScannedExam
from grader.scanning.replies import paper_replies
from tests.scanning.accidents import ODD_MARKS, SCAN_ACCIDENTS, SHEET_ACCIDENTS, highlight, tape
from tests.scanning.papers import LEAVES_31, LEAVES_32, LEAVES_60, Grey, asking, pixels
from tests.scanning.simulator import DEVICES, HANDS, HARD, PENS, Hand, Page, Random, filled_in, scanned

SORTS = ("right", "asked", "wrong")
"""What may become of a box."""

MOST_ASKED = 0.07
"""The most boxes of ordinary sheets, as a share, of which a person is asked."""

MOST_CROSSES_ASKED = {"ball": 0.25, "pencil": 0.25, "broad felt": 0.40}
"""The same of the crosses by some pens on ordinary sheets."""

SMALL = "MAX A (MIN B (3 -12 8) MIN C (2 4 6) MIN D (14 5 2) MIN E (4 7 9))"

EXERCISES = {
    "tree": (LEAVES_31, ("pruned-paths", "pruned-branches", "best-move"), "written"),
    "rows": (LEAVES_60, ("pruned-paths", "best-move"), "written"),
    "rightward": (LEAVES_32, ("pruned-branches",), "written"),
    "choice": (SMALL, ("node-values", "pruned-paths", "best-move"), "choice"),
    "bubbles": (SMALL, ("node-values", "pruned-branches"), "bubbles"),
}
"""What is asked on the sheets: the boxes are in the picture, in rows, and for numbers."""

ORDINARY = ("ballpoint", "gel", "felt", "pencil", "hard pencil", "ball", "broad felt")
"""The pens of ordinary sheets; with a faint pencil much is asked."""

ACCIDENTS = (*ODD_MARKS, "highlighted", "taped", *SHEET_ACCIDENTS, *SCAN_ACCIDENTS)
"""What happens to sheets, one after the other."""

PART = 10 * len(ACCIDENTS)
"""So many sheets stand for one seed: five of each accident, and as many ordinary ones."""

MAY_BE: Mapping[str, set[str]] = {
    "empty": {"empty"},
    "crossed": {"crossed"},
    "taken back": set(),
    "taped": {"empty"},
    "highlighted": {"empty"},
    **{key: {"empty"} for key in ("erased", "stray", "beside")},
    **{name: {"empty", "crossed"} - {odd.wrong} for name, odd in ODD_MARKS.items()},
}
"""What a box with this truth may be decided to be; everything may be asked."""


@dataclass(frozen=True, slots=True)
class Form:
    """A printed page: the paper and another student's, the exam of both, the pages and the boxes on it."""

    paper: PublicPaper
    exam: ScannedExam
    number: int
    printed: Grey
    other: Grey
    boxes: tuple[PlacedBox, ...]


@cache
def form(name: str) -> Form:
    """The page with most boxes of a paper."""
    text, kinds, scan = EXERCISES[name]
    papers = [asking(text, *kinds, scan=scan).public]
    papers.append(replace(papers[0], code="XW2T4H"))
    made = [scanned_paper(paper) for paper in papers]
    layout = made[0].layout
    number = max(range(len(layout)), key=lambda place: len(layout[place]))
    printed, other = (list(pixels(each.pdf))[number] for each in made)
    exam = ScannedExam(
        made[0].codes[0].exam,
        "a4",
        {
            paper.code: tuple(code.text for code in each.codes)
            for paper, each in zip(papers, made, strict=True)
        },
        {paper.code: each.layout for paper, each in zip(papers, made, strict=True)},
    )
    return Form(papers[0], exam, number + 1, printed, other, layout[number])


def answered(paper: PublicPaper, random: Random) -> set[str]:
    """The boxes that somebody crosses: as many in each column as may be, now and then one too few."""
    crossed = set()
    for name, (_, marks) in marks_by_part(paper).items():
        for number, group in enumerate(marks.groups):
            start, digits = 0, group.is_digit_entry
            for place, column in enumerate(group.columns):
                count = len(column)
                if group.allows_several:
                    picked = np.flatnonzero(random.random(count - group.has_none_box) < 0.25).tolist()
                    if not picked and group.has_none_box:
                        picked = [count - 1]
                elif random.random() < (0.75 if digits and place == 0 and count == 1 else 0.04):
                    picked = []
                else:
                    picked = [int(random.integers(count))]
                crossed |= {box_name(name, number, start + each) for each in picked}
                start += count
    return crossed


@dataclass(frozen=True, slots=True)
class Sheet:
    """A simulated sheet: how it was made, its scan, and the truth about its boxes."""

    form: Form
    label: str
    pen: str
    device: str
    accident: str
    grey: Grey
    truth: Mapping[str, str]


def sheet(seed: str, number: int, accidents: bool) -> Sheet:
    """One of the sheets of a seed."""
    random = np.random.default_rng([*seed.encode(), number, accidents])
    forms, pens = list(EXERCISES), list(PENS if accidents else ORDINARY)
    devices = {**DEVICES, "hard": HARD} if accidents else DEVICES
    its_form = form(forms[number % len(forms)])
    # Each accident meets every pen, also where the numbers of both have a common divisor.
    pen = pens[(number + number // len(ACCIDENTS)) % len(pens)]
    device = list(devices)[number // len(forms) % len(devices)]
    hand = list(HANDS.values())[random.integers(len(HANDS))]
    accident = ACCIDENTS[number % len(ACCIDENTS)] if accidents else ""
    page = Page(its_form.printed)
    crossed = answered(its_form.paper, random)
    boxes = [box for box in its_form.boxes if not box.is_written]
    odd = odd_boxes(accident, boxes, crossed, random)
    plain = [box for box in boxes if box not in odd]
    truth = dict(filled_in(page, plain, sorted(crossed), random, hand, PENS[pen], coffee=0.05))
    for box in odd:
        if accident == "taped":
            page.draw(hand(random, box), PENS[pen], random)
            tape(page, box, random)
        elif accident != "highlighted":
            page.draw(ODD_MARKS[accident].hand(random, box), PENS[pen], random)
        truth[box.name] = accident
    if accident == "highlighted":
        highlight(page, odd, random)
    if accident in SHEET_ACCIDENTS:
        SHEET_ACCIDENTS[accident](page, other_page(its_form, random, hand), random)
    grey = scanned(page, devices[device], random, int(random.integers(4)))
    if accident in SCAN_ACCIDENTS:
        grey = SCAN_ACCIDENTS[accident](grey, random)
    return Sheet(its_form, f"{seed} {number}", pen, device, accident, grey, truth)


def odd_boxes(accident: str, boxes: list[PlacedBox], crossed: set[str], random: Random) -> list[PlacedBox]:
    """The boxes with marks other than crosses; those that are circled would have been crossed."""
    if accident not in (*ODD_MARKS, "highlighted", "taped"):
        return []
    is_answer = accident not in ODD_MARKS or ODD_MARKS[accident].wrong == "empty"
    wanted = [box for box in boxes if (box.name in crossed) == (is_answer and accident in ODD_MARKS)]
    count = min(len(wanted), int(random.integers(2, 9)))
    return [wanted[place] for place in random.choice(len(wanted), count, replace=False)]


def other_page(its_form: Form, random: Random, hand: Hand) -> Page:
    """The page of another student: the next sheet, or what is on the back."""
    page = Page(its_form.other)
    filled_in(page, its_form.boxes, sorted(answered(its_form.paper, random)), random, hand, PENS["gel"])
    return page


def read(made: Sheet, black_and_white: bool) -> PageReading:
    """What the reader says of a sheet."""
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        path = Path(folder) / "page.bmp"
        Image.fromarray(made.grey).save(path)
        (found,) = read_pages(made.form.exam, Path(folder), path, "digest", range(1), black_and_white)
    return found


@dataclass(slots=True)
class Figures:
    """What was counted: pages and boxes by what became of them, and crosses asked by pen."""

    fates: Counter[tuple[str, str]] = field(default_factory=Counter)
    boxes: Counter[tuple[str, str]] = field(default_factory=Counter)
    crosses: Counter[tuple[str, str]] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)


def judge(made: Sheet, figures: Figures) -> Iterator[str]:
    """What is wrong with the reading of a sheet; black and white ones are read on demand."""
    found = read(made, black_and_white=False)
    if found.why == BLACK_AND_WHITE:
        figures.fates[made.accident, "black and white"] += 1
        found = read(made, black_and_white=True)
    where = f"{made.label} ({made.accident or 'ordinary'}, {made.pen}, {made.device})"
    figures.fates[made.accident, found.fate] += 1
    if found.fate in ("blank", "foreign"):
        yield f"{where}: {found.fate}: {found.why}"
    if found.fate != "read":
        return
    boxes, is_bare = [], "crossed" not in found.states.values()  # of a bare page a person is asked
    for name, truth in made.truth.items():
        state = found.states[name]
        is_asked = is_bare or state in ("filled", "doubtful")
        sort = "asked" if is_asked else "right" if state in MAY_BE[truth] else "wrong"
        figures.boxes[made.accident, sort] += 1
        if truth == "crossed" and not made.accident:
            figures.crosses[made.pen, sort] += 1
        if sort == "wrong":
            boxes.append(f"{name} {truth} as {state}")
    yield from (f"{where}: {line}" for line in boxes)
    for part, (meant, said) in answers(made, found).items():
        figures.answers["asked" if said is None else "right" if said == meant else "wrong"] += 1
        if said is not None and said != meant:
            yield f"{where}: answer {part} is {said!r} and not {meant!r}"


def answers(made: Sheet, found: PageReading) -> Mapping[str, tuple[str | None, str | None]]:
    """The replies of all parts on a sheet as they were meant and as they are read; None for what is asked."""
    meant = {
        name: "crossed" if "empty" not in MAY_BE[truth] and "crossed" in MAY_BE[truth] else "empty"
        for name, truth in made.truth.items()
    }
    truth = replace(found, states=meant)
    key = (found.variant, found.page)
    said, should = (
        paper_replies(made.form.paper, made.form.exam, {key: page}, {}) for page in (found, truth)
    )
    asked = {*said.waiting, *should.waiting, *said.missing}
    parts = (part for part in marks_by_part(made.form.paper) if part not in asked)
    return {
        **{part: (should.replies.get(part), said.replies.get(part)) for part in parts},
        **dict.fromkeys(said.waiting, (None, None)),
    }


def over_limits(figures: Figures) -> Iterator[str]:
    """Where more is asked of people, or more undamaged pages are left to them, than may be."""
    boxes = {sort: figures.boxes["", sort] for sort in SORTS}
    if boxes["asked"] > MOST_ASKED * sum(boxes.values()):
        yield f"of ordinary boxes too many are asked: {boxes}"
    for pen, most in MOST_CROSSES_ASKED.items():
        crosses = {sort: figures.crosses[pen, sort] for sort in SORTS}
        if crosses["asked"] > most * sum(crosses.values()):
            yield f"of crosses by {pen} too many are asked: {crosses}"
    fates = {fate: count for (accident, fate), count in figures.fates.items() if not accident}
    if fates.get("person", 0) > max(1, sum(fates.values()) / 150):
        yield f"too many undamaged pages are for a person: {fates}"


def show(figures: Figures) -> None:
    """Print what was counted."""
    for accident in dict.fromkeys(name for name, _ in figures.fates):
        fates = {fate: count for (name, fate), count in figures.fates.items() if name == accident}
        boxes = {sort: figures.boxes[accident, sort] for sort in SORTS}
        print(f"{accident or 'ordinary':24} {fates} {boxes}")
    for pen in dict.fromkeys(name for name, _ in figures.crosses):
        print(f"ordinary crosses by {pen}: { ({sort: figures.crosses[pen, sort] for sort in SORTS}) }")
    print(f"answers: {dict(figures.answers)}", flush=True)


def wrong_scans(seed: str, count: int) -> Iterator[str]:
    """What is wrong with ordinary sheets and sheets with accidents, one of each in turn."""
    figures = Figures()
    for number in range(count):
        yield from judge(sheet(seed, number // 2, number % 2 == 1), figures)
    yield from over_limits(figures)
    show(figures)
