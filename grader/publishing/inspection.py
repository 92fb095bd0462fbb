"""Scans as they were marked, for the day on which students look at them: signs at boxes, points beside."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from grader.answers.box_blanks import node_label
from grader.answers.form import Item, Verdict
from grader.answers.paper_boxes import BoxGroup
from grader.base.files import write_file
from grader.exam.paper import PublicPaper
from grader.exercises.exercise import PublicExercise
from grader.grading.exam_keys import ExamKeys
from grader.grading.gradebook_exports import Rounding
from grader.grading.gradebook_store import Gradebook
from grader.grading.results import Result, results
from grader.publishing.feedback_formats import feedback_stem
from grader.publishing.feedback_pages import VERDICTS, feedback_page
from grader.publishing.parallel import ParallelMap, batches, in_turn
from grader.publishing.typesetting import typeset
from grader.scanning.box_names import box_name, marks_by_part
from grader.scanning.crops import Scans, crop
from grader.scanning.page_reading import PageReading
from grader.scanning.places import PAGE_SIZES_MM, PlacedBox

SHARD = 10
"""The students whose scans a process writes in one go."""

INSPECTION_SECONDS = 0.1
"""How long one process takes for the scans of a student."""

MAX_REASONS = 2
"""So many reasons for lost points have room beside a part."""


@dataclass(frozen=True, slots=True)
class InspectionSource:
    """The scans of an exam, its papers by code, and how points are written."""

    scans: Scans
    papers: Mapping[str, PublicPaper]
    rounding: Rounding

    def needed_for(self, codes: Collection[str]) -> "InspectionSource":
        """Return what is needed for some variants: another process is sent no more."""
        papers = {code: paper for code, paper in self.papers.items() if code in codes}
        return InspectionSource(self.scans.needed_for(codes), papers, self.rounding)


def write_inspection(
    book: Gradebook,
    exam_keys: ExamKeys,
    inspected: InspectionSource,
    folder: Path,
    *,
    run: ParallelMap = in_turn,
    tell: Callable[[int], None] = lambda _papers: None,
) -> int:
    """Write the scans of every student of whom there are any, as one PDF each; returns how many.

    Raises `OSError`.
    """
    secret, count = exam_keys.keys_hash, 0

    def shards() -> Iterator[_Shard]:
        for some in batches(results(book, exam_keys), SHARD):
            chosen = tuple(
                (feedback_stem(secret, result.student), result)
                for result in some
                if inspected.scans.pages(result.variant)
            )
            codes = {code for _, result in chosen for code in result.variants}
            yield _Shard(exam_keys.needed_for(codes), inspected.needed_for(codes), chosen, len(some))

    for looked_at, written in run(partial(_write_shard, folder), shards()):
        count += written
        tell(looked_at)
    return count


class _Shard(NamedTuple):
    """Some students with what their pages need.

    - `results`: of those who have scans, with the names of their files.
    - `students`: how many they are with those who have none.
    """

    exam_keys: ExamKeys
    inspected: InspectionSource
    results: tuple[tuple[str, Result], ...]
    students: int


def _write_shard(folder: Path, shard: _Shard) -> tuple[int, int]:
    """Write the scans of some students; how many students, and how many of them have scans."""
    for stem, result in shard.results:
        write_file(folder / f"{stem}.pdf", annotate_scans(shard.exam_keys, result, shard.inspected))
    return shard.students, len(shard.results)


def annotate_scans(exam_keys: ExamKeys, result: Result, inspected: InspectionSource) -> bytes:
    """The scanned pages of one student with signs and corrections, as PDF."""
    page = feedback_page(exam_keys, result, inspected.rounding, released=True)
    told = {
        f"{question['label']}{part['letter']}": {**part, "worth": part["worth"] or question["worth"]}
        for question in page["questions"]
        for part in question["parts"]
    }
    items = {
        standing.question: () if standing.entry is None else standing.entry.mark.items
        for standing in result.standings
    }
    width, height = PAGE_SIZES_MM[inspected.scans.exam.size]
    head = {name: page[name] for name in ("exam", "title", "language", "size", "who", "total", "words")}
    signs = dict(box_verdicts(inspected.papers[result.variant], items))
    sheets = [_sheet(inspected, each, told, signs) for each in inspected.scans.pages(result.variant)]
    return typeset("inspection", {**head, "width": width, "height": height, "pages": sheets})


def _sheet(
    inspected: InspectionSource,
    page: PageReading,
    told: Mapping[str, Mapping[str, Any]],
    signs: Mapping[str, Verdict],
) -> dict[str, Any]:
    """One page: its picture, the signs at its boxes, and what is said of each part beside it."""
    boxes = inspected.scans.exam.layouts[page.variant][page.page - 1]
    first: dict[str, PlacedBox] = {}
    for box in sorted(boxes, key=lambda box: box.y):
        first.setdefault(box.part, box)
    placed = [box for box in boxes if page.flat and box.name in signs]
    return {
        "picture": list(crop(inspected.scans.journal.images, page) or b""),
        "signs": [
            {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
            | {"verdict": signs[box.name], "sign": VERDICTS[signs[box.name]][0]}
            for box in placed
        ],
        "notes": [
            {"y": box.y if page.flat else 0.0, "part": part, **_note(told[part])}
            for part, box in first.items()
            if part in told
        ],
    }


def _note(part: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of a part, as on a feedback page: the answer where it is another one, and few reasons."""
    right = bool(part["lines"]) and all(line["verdict"] == "right" for line in part["lines"])
    key = "" if right else part["key"]
    return {**part, "right": right, "key": key, "reasons": part["reasons"][:MAX_REASONS]}


def box_verdicts(paper: PublicPaper, items: Mapping[str, Sequence[Item]]) -> Iterator[tuple[str, Verdict]]:
    """The name of every box of which a mark says something, and what; what is said last of a box counts."""
    for name, (part, marks) in marks_by_part(paper).items():
        for item in reversed(items.get(name, ())):
            for number, group in enumerate(marks.groups):
                for place, verdict in _at(item, group, part):
                    yield box_name(name, number, place), verdict


def _at(item: Item, group: BoxGroup, part: PublicExercise) -> Iterator[tuple[int, Verdict]]:
    """The boxes of a group of which an item speaks: that of its node, or of what was said and is right."""
    if item.node in group.nodes:
        yield group.nodes.index(item.node), item.verdict
        return
    if group.label and (
        item.node is None or node_label(part.tree, item.node, part.terms.language) != group.label
    ):
        return
    if not group.columns:
        yield 0, item.verdict
        return
    said, right = (text.rpartition("=")[2] for text in (item.said, item.right))
    if item.verdict != "right" and right in group.meanings and not group.is_digit_entry:
        yield group.meanings.index(right), "missing"
    if said in group.meanings and not group.is_digit_entry:
        yield group.meanings.index(said), item.verdict
