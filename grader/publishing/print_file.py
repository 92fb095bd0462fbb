"""The files for the printer: cover sheets and papers, and all keys in their order."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from grader.base.phrases import Phrase
from grader.exam.folders import KEYS_FOLDER, PAPERS_FOLDER
from grader.exam.manifest import Seat, SparePaper
from grader.exam.paper import Heading
from grader.pictures.typesetting import typeset
from grader.publishing.exam_folder import open_exam_file
from grader.publishing.paper_setting import TypesetPaper
from grader.publishing.parallel import OnStageProgress, ParallelMap, batches, report_stage
from grader.publishing.pdf_merge import PdfMerger
from grader.publishing.scan_sheet import code_bars
from grader.publishing.sheet import plain, sheet_words
from grader.scanning.places import CODE_MM, CODE_OFFSET_MM, cover_code
from grader.tables.student_directory import Student

SPARE_PAPER = Phrase("Spare paper")

COVERS_PER_TASK = 5
"""The cover sheets in one PDF."""


def write_print_file(
    heading: Heading,
    seats: Sequence[Seat],
    spares: Sequence[SparePaper],
    folder: Path,
    name: str,
    papers: Mapping[str, TypesetPaper],
    run: ParallelMap,
    progress: OnStageProgress,
) -> int:
    """Write one PDF for the printer: a cover sheet and the paper for every student; return its pages.

    Every student starts on a front side, whether or not both sides are printed; every page has the name.
    Spare papers come last, and have lines for the name.
    """
    language = heading.language(comma=False)
    heading_data = heading.to_json()
    heading_data["words"] = {**sheet_words(language), "spare": plain(language.say(SPARE_PAPER))}
    heading_data |= {name: plain(heading_data[name]) for name in ("title", "course", "date")}
    heading_data["marks"] = {"code": CODE_MM, "place": CODE_OFFSET_MM}
    unassigned = (Seat(Student("", ""), spare.code, spare.file) for spare in spares)
    groups = list(batches((*seats, *unassigned), COVERS_PER_TASK))
    covers = run(
        partial(typeset, "cover"),
        ({**heading_data, "students": _cover_data(heading, group, papers)} for group in groups),
    )
    printing = report_stage(progress, "printing", len(seats) + len(spares), groups)
    with open_exam_file(folder, name) as file:
        merged = PdfMerger(file, heading_data["title"])
        for group, cover in zip(printing, covers, strict=True):
            for place, seat in enumerate(group):
                sheet, *names = range(3 * place, 3 * place + 3)
                merged.add(cover, (sheet,))
                merged.add((folder / PAPERS_FOLDER / f"{seat.file}.pdf").read_bytes(), under=(cover, names))
                merged.start_front_side()
        return merged.close()


def join_keys(folder: Path, name: str, codes: Iterable[str], title: str) -> None:
    """Write one PDF with the key of each of these variants once."""
    with open_exam_file(folder, name) as file:
        merged = PdfMerger(file, plain(title))
        for code in dict.fromkeys(codes):
            merged.add((folder / KEYS_FOLDER / f"{code}.pdf").read_bytes())
            merged.start_front_side()
        merged.close()


def _cover_data(
    heading: Heading, seats: Iterable[Seat], papers: Mapping[str, TypesetPaper]
) -> list[dict[str, Any]]:
    """Return the data of the cover sheets of these students."""
    return [
        {name: plain(text) for name, text in seat.student.to_json().items()}
        | {"code": seat.code, "checksum": papers[seat.code].checksum[:8], "pages": papers[seat.code].pages}
        | {"bars": code_bars(cover_code(heading, seat.code).text) if heading.scan else []}
        for seat in seats
    ]
