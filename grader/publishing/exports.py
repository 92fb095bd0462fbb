"""What is written for learning platforms and graders: a table of exports, each from an exam to files."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grader.exam.manifest import Exam
from grader.publishing.lms import canvas, gradescope, moodle, prairielearn, qti3

Files: TypeAlias = Iterator[tuple[str, bytes]]
"""File names with their bytes; names are relative to `instructor/`, with slashes."""


@dataclass(frozen=True, slots=True)
class Export:
    """One export; all of them carry keys, so they go to the instructor.

    - `name`: as on the command line.
    - `write`: the files of an exam; the same bytes for the same exam, always.
    - `faults`: (file name, bytes) -> what is wrong with a file that `write` made; used by `exam verify`.
    """

    name: str
    write: Callable[[Exam], Files]
    faults: Callable[[str, bytes], tuple[str, ...]]


EXPORTS: tuple[Export, ...] = (
    Export("moodle", moodle.write, moodle.faults),
    Export("qti3", qti3.write, qti3.faults),
    Export("canvas", canvas.write, canvas.faults),
    Export("prairielearn", prairielearn.write, prairielearn.faults),
    Export("gradescope", gradescope.write, gradescope.faults),
)
"""Every export; another one is one module and one line here."""


def exports_named(names: Sequence[str] | None) -> tuple[Export, ...]:
    """The exports with these names, all of them for None. Raises `KeyError` for a name that there is not."""
    if names is None:
        return EXPORTS
    known = {export.name: export for export in EXPORTS}
    return tuple(known[name] for name in names)
