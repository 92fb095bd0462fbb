"""Marked scans for the day of inspection: signs at the boxes, and points next to each part."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from grader.answers.blank import NO_NODE
from grader.answers.form import Item, ItemVerdict
from grader.answers.paper_boxes import BoxGroup
from grader.base.files import write_file
from grader.base.phrases import Phrase
from grader.base.progress import OnProgress
from grader.exam.paper import PublicPaper
from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook_exports import Rounding
from grader.grading.gradebook_store import Gradebook
from grader.grading.results import Result, results
from grader.pictures.typesetting import PictureError, typeset
from grader.publishing.feedback_formats import feedback_stem
from grader.publishing.feedback_pages import feedback_page
from grader.publishing.feedback_parts import VERDICTS
from grader.publishing.parallel import ParallelMap, batches, in_turn
from grader.scanning.box_names import box_name, marks_by_part
from grader.scanning.crops import Scans, crop
from grader.scanning.page_reading import PageReading, damaged_picture, reading_stored_picture
from grader.scanning.places import PAGE_SIZES_MM, PlacedBox
from grader.tables.student_directory import Student

SHARD = 10
"""The students in one task of a process."""

INSPECTION_SECONDS = 0.1
"""The time one process needs for the scans of a student."""

SUPERFLUOUS_SIGN = "="
SUPERFLUOUS_NOTE = Phrase("This cross is redundant.")

MAX_REASONS = 2
"""The most reasons for lost points that fit next to a part."""


@dataclass(frozen=True, slots=True)
class InspectionSource:
    """The scans of an exam, its papers by code, and the format of points."""

    scans: Scans
    papers: Mapping[str, PublicPaper]
    rounding: Rounding

    def needed_for(self, codes: Collection[str]) -> "InspectionSource":
        """Return the source for these variants only, to be sent to another process."""
        papers = {code: paper for code, paper in self.papers.items() if code in codes}
        return InspectionSource(self.scans.needed_for(codes), papers, self.rounding)


def write_inspection(
    book: Gradebook,
    exam_keys: ExamKeys,
    inspected: InspectionSource,
    folder: Path,
    *,
    run: ParallelMap = in_turn,
    tell: OnProgress = lambda _papers: None,
) -> Mapping[Path, Student]:
    """Write one PDF for every student with scanned pages; return the files with their students.

    Raises `OSError`.
    """
    secret = exam_keys.keys_hash
    papers: dict[Path, Student] = {}

    def shards() -> Iterator[_Shard]:
        """Yield all students in groups; only those with scanned pages get a file, but all are counted."""
        for batch in batches(results(book, exam_keys), SHARD):
            chosen = tuple(
                (feedback_stem(secret, result.student), result)
                for result in batch
                if inspected.scans.pages(result.variant)
            )
            codes = {code for _, result in chosen for code in result.variants}
            yield _Shard(exam_keys.needed_for(codes), inspected.needed_for(codes), chosen, len(batch))

    for students, written in run(partial(_write_shard, folder), shards()):
        papers |= {folder / f"{stem}.pdf": student for stem, student in written}
        tell(students)
    return papers


class _Shard(NamedTuple):
    """A batch of students, and the data for their pages.

    - `results`: the file name and the result of every student with scans.
    - `students`: the size of the batch, students without scans included.
    """

    exam_keys: ExamKeys
    inspected: InspectionSource
    results: tuple[tuple[str, Result], ...]
    students: int


def _write_shard(folder: Path, shard: _Shard) -> tuple[int, list[tuple[str, Student]]]:
    """Write the PDFs of a batch; return its size, and the name of each file with its student."""
    for stem, result in shard.results:
        write_file(folder / f"{stem}.pdf", annotate_scans(shard.exam_keys, result, shard.inspected))
    return shard.students, [(stem, result.student) for stem, result in shard.results]


def annotate_scans(exam_keys: ExamKeys, result: Result, inspected: InspectionSource) -> bytes:
    """Return the scanned pages of one student with signs and corrections, as PDF.

    Raises `OSError` for a damaged picture.
    """
    page = feedback_page(exam_keys, result, inspected.rounding, released=True)
    language, parts = exam_keys.language, {}
    for question in page["questions"]:
        for part in question["parts"]:
            name = f"{question['label']}{part['letter']}"
            heading = language.with_label(name, part["worth"] or question["worth"])
            parts[name] = {**part, "heading": heading}
    items = {
        standing.question: () if standing.entry is None else standing.entry.mark.items
        for standing in result.standings
    }
    width, height = PAGE_SIZES_MM[inspected.scans.exam.size]
    head = {name: page[name] for name in ("exam", "title", "language", "size", "who", "total", "words")}
    printed = inspected.scans.exam.printed(result.variant)
    signs = dict(box_verdicts(inspected.papers[result.variant], items, printed))
    marked = {name for name, found in items.items() if found}
    sheets = [_sheet(inspected, each, parts, signs, marked) for each in inspected.scans.pages(result.variant)]
    note = f"{SUPERFLUOUS_SIGN} {language.say(SUPERFLUOUS_NOTE)}"
    data = {**head, "superfluous": note, "width": width, "height": height}
    try:
        return typeset("inspection", {**data, "pages": sheets})
    except PictureError:
        images = inspected.scans.journal.images
        for sheet, reading in zip(sheets, inspected.scans.pages(result.variant), strict=True):
            if not _can_be_typeset({**data, "pages": [sheet]}):
                raise damaged_picture(images / reading.image) from None
        raise


def _can_be_typeset(data: dict[str, Any]) -> bool:
    """Try to typeset one page, to find which of several pages cannot be typeset."""
    try:
        typeset("inspection", data)
    except PictureError:
        return False
    return True


def _sheet(
    inspected: InspectionSource,
    page: PageReading,
    parts: Mapping[str, Mapping[str, Any]],
    signs: Mapping[str, ItemVerdict],
    marked: Collection[str],
) -> dict[str, Any]:
    """Return one page: its picture, the signs at its boxes, and a note at the topmost box of each part.

    1. A box with a verdict in `signs` gets the sign of that verdict.
    2. A crossed box without a verdict gets `SUPERFLUOUS_SIGN` if its part is in `marked`.
    3. If the picture is not straightened (`flat`), no box gets a sign, and all notes are at the top.
    """
    boxes = inspected.scans.exam.layout(page.variant)[page.page - 1]
    first: dict[str, PlacedBox] = {}
    for box in sorted(boxes, key=lambda box: box.y):
        first.setdefault(box.part, box)
    placed: list[tuple[PlacedBox, str, str]] = [
        (box, signs[box.name], VERDICTS[signs[box.name]][0])
        for box in boxes
        if page.flat and box.name in signs
    ]
    unsigned = inspected.scans.crossed(page) - signs.keys() if page.flat else frozenset()
    superfluous = [box for box in boxes if box.name in unsigned and box.part in marked]
    placed += [(box, "superfluous", SUPERFLUOUS_SIGN) for box in superfluous]
    return {
        "picture": list(_stored_picture(inspected.scans.journal.images, page)),
        "signs": [
            {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
            | {"verdict": verdict, "sign": sign}
            for box, verdict, sign in placed
        ],
        "notes": [
            {
                "y": box.y if page.flat else 0.0,
                "superfluous": any(each.part == part for each in superfluous),
                **_note(parts[part]),
            }
            for part, box in first.items()
            if part in parts
        ],
    }


def _stored_picture(images: Path, page: PageReading) -> bytes:
    """Return the picture of a page; empty for a page without one. Raises `OSError` for a damaged one."""
    from PIL import Image

    data = crop(images, page)
    if data is None:
        return b""
    with reading_stored_picture(images / page.image), Image.open(BytesIO(data)) as image:
        image.load()  # the typesetter would leave out what is broken off
    return data


def _note(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return the note on a part, as on a feedback page: with the key unless all is right, and few reasons."""
    right = bool(part["lines"]) and all(line["verdict"] == "right" for line in part["lines"])
    key = "" if right else part["key"]
    return {**part, "right": right, "key": key, "reasons": part["reasons"][:MAX_REASONS]}


def box_verdicts(
    paper: PublicPaper, items: Mapping[str, Sequence[Item]], printed: Mapping[str, PlacedBox] | None = None
) -> Iterator[tuple[str, ItemVerdict]]:
    """Yield the names of boxes with verdicts; if a box has several, the last one counts.

    - `items`: the items of the mark of each part.
    - `printed`: the boxes on the paper, for papers of version 0.1.0 (`marks_by_part`).
    """
    for name, (_, marks) in marks_by_part(paper, printed).items():
        for item in reversed(items.get(name, ())):  # of two items about one box, the first one counts
            for number, group in enumerate(marks.groups):
                for place, verdict in _boxes_of_item(item, group):
                    yield box_name(name, number, place), verdict


def _boxes_of_item(item: Item, group: BoxGroup) -> Iterator[tuple[int, ItemVerdict]]:
    """Return the boxes of a group that an item is about: the one of its node, or of the entries."""
    if item.node in group.nodes:
        yield group.nodes.index(item.node), item.verdict
        return
    if group.node not in (NO_NODE, item.node):
        return
    if group.is_handwritten:
        yield max(0, len(group.columns) - 1), item.verdict
        return
    if group.is_digit_entry:
        return
    given, right = (text.rpartition("=")[2] for text in (item.reply, item.right))
    if item.verdict != "right" and right in group.meanings:
        yield group.meanings.index(right), "missing"
    if given in group.meanings:
        yield group.meanings.index(given), item.verdict
