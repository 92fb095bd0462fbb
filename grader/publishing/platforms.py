"""What is written for learning platforms and graders: a table of exports, each from an exam to a file."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from grader.exam.manifest import Exam, read_paper
from grader.exam.paper import Heading, Paper
from grader.publishing.lms import canvas, gradescope, moodle, prairielearn, qti3
from grader.publishing.lms.page import Page, pages_of
from grader.publishing.parallel import OnStageProgress, ParallelMap, batches, report_stage

PAPERS_PER_TASK = 5
"""The papers that a process lays out in one go: all their pieces are in memory at once."""


@dataclass(frozen=True, slots=True)
class Export:
    """One export, into one file; it carries keys, so it goes to the instructor.

    It is made paper by paper, so that no exam need be in memory, and many processes can work on it.

    - `name`: as on the command line.
    - `file`: what the file is called.
    - `make_pieces`: (paper, its pages) -> what goes into the file of it, for another process to write.
    - `open_export`: (exam, file) -> what writes the pieces of a paper into the file, to be called for each
      paper in turn; the file is whole when the context is left. Same exam, same bytes, always.
    - `find_faults`: what is wrong with a file that was made so; used by `exam verify`.
    - `marks_by_key_alone`: whether the platform marks by the key alone, without this program.
    """

    name: str
    file: str
    make_pieces: Callable[[Paper, Sequence[Page]], Any]
    open_export: Callable[[Exam, BinaryIO], AbstractContextManager[Callable[[Any], None]]]
    find_faults: Callable[[BinaryIO], Iterator[str]]
    marks_by_key_alone: bool


PLATFORM_EXPORTS: tuple[Export, ...] = tuple(
    Export(name, module.FILE, module.make_pieces, module.open_export, module.find_faults, by_key)
    for name, module, by_key in (
        ("moodle", moodle, True),
        ("qti3", qti3, True),
        ("canvas", canvas, True),
        ("prairielearn", prairielearn, False),
        ("gradescope", gradescope, False),
    )
)
"""Every export; another one is one module and one line here."""


def find_exports(names: Sequence[str] | None) -> tuple[Export, ...]:
    """The exports with these names, in the order of the table, each once; all of them for None.

    Raises `KeyError` for a name that there is not.
    """
    known = {export.name: export for export in PLATFORM_EXPORTS}
    wanted = known.values() if names is None else [known[name] for name in names]
    return tuple(export for export in PLATFORM_EXPORTS if export in wanted)


def _pieces(names: Sequence[str], heading: Heading, variants: Iterable[str]) -> list[tuple[Any, ...]]:
    """For every paper its pieces for some exports; a page is laid out once for all of them."""
    chosen = find_exports(names)
    made = []
    for variant in variants:
        paper = read_paper(variant, heading)
        pages = pages_of(paper)
        made.append(tuple(export.make_pieces(paper, pages) for export in chosen))
    return made


def write_exports(
    exam: Exam,
    chosen: Sequence[Export],
    folder: Path,
    total: int,
    run: ParallelMap,
    progress: OnStageProgress,
) -> None:
    """Write the files of some exports of an exam with so many papers into a folder."""
    work = partial(_pieces, [export.name for export in chosen], exam.heading)
    with ExitStack() as stack:
        writers = []
        for export in chosen:
            file = stack.enter_context((folder / export.file).open("wb"))
            writers.append(stack.enter_context(export.open_export(exam, file)))
        for papers in report_stage(
            progress, "exporting", total, run(work, batches(exam.variants, PAPERS_PER_TASK))
        ):
            for pieces in papers:
                for write, piece in zip(writers, pieces, strict=True):
                    write(piece)
