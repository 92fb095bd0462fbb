"""Exports for learning platforms and autograders: a table, with one file for each."""

from collections.abc import Callable, Iterable, Sequence
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
"""The papers in one task of a process, which has all their pieces in memory."""


@dataclass(frozen=True, slots=True)
class Export:
    """One export to one file; it holds keys, so it is for the instructor.

    It is made paper by paper, so an exam need not fit in memory, and processes share the work.

    - `name`: as on the command line.
    - `file`: the name of the file.
    - `make_pieces`: (paper, its pages) -> its content for the file, to be sent to the process that writes.
    - `open_export`: (exam, file) -> a function that writes the pieces of one paper, to be called for each
      paper in turn; the file is complete after the context. The same exam gives the same bytes.
    - `marks_by_key_alone`: True if the platform marks by the key, without this program.
    """

    name: str
    file: str
    make_pieces: Callable[[Paper, Sequence[Page]], Any]
    open_export: Callable[[Exam, BinaryIO], AbstractContextManager[Callable[[Any], None]]]
    marks_by_key_alone: bool


PLATFORM_EXPORTS: tuple[Export, ...] = tuple(
    Export(name, module.FILE, module.make_pieces, module.open_export, by_key)
    for name, module, by_key in (
        ("moodle", moodle, True),
        ("qti3", qti3, True),
        ("canvas", canvas, True),
        ("prairielearn", prairielearn, False),
        ("gradescope", gradescope, False),
    )
)
"""Every export; a new one is one module and one line here."""


def find_exports(names: Sequence[str] | None) -> tuple[Export, ...]:
    """Return the exports with these names, in the order of the table; all of them for None.

    Raises `KeyError` for an unknown name.
    """
    known = {export.name: export for export in PLATFORM_EXPORTS}
    wanted = known.values() if names is None else [known[name] for name in names]
    return tuple(export for export in PLATFORM_EXPORTS if export in wanted)


def _pieces(names: Sequence[str], heading: Heading, variants: Iterable[str]) -> list[tuple[Any, ...]]:
    """Return the pieces of every paper for these exports, which share the layout of the pages."""
    chosen = find_exports(names)
    pieces = []
    for variant in variants:
        paper = read_paper(variant, heading)
        pages = pages_of(paper)
        pieces.append(tuple(export.make_pieces(paper, pages) for export in chosen))
    return pieces


def write_exports(
    exam: Exam,
    chosen: Sequence[Export],
    folder: Path,
    total: int,
    run: ParallelMap,
    progress: OnStageProgress,
) -> None:
    """Write the files of these exports into a folder; `total` is the number of papers."""
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
