"""A Gradescope autograder: a zip that marks submissions with this program."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import BinaryIO
from zipfile import ZipFile

from grader.base.json_records import RecordError
from grader.base.shipped import shipped_folder
from grader.exam.folders import CATALOGUE_FILE
from grader.exam.folders import EXAM_FILE as RECORD
from grader.exam.manifest import Exam, code_faults, read_exam, write_exam
from grader.exam.paper import Paper
from grader.publishing.lms.page import Page
from grader.publishing.lms.vendoring import wheel
from grader.publishing.lms.zip_package import Package, zip_faults
from grader.trees.notation.diagnostics import Diagnostics

FILE = "gradescope.zip"

EXAM = f"exam/{RECORD}"
SENTENCES = f"exam/{CATALOGUE_FILE}"
"""The paths of the exam in the zip, the same as in the folder of an exam, so that it is read alike."""

SCRIPTS = ("setup.sh", "run_autograder", "autograder.py")


def make_pieces(paper: Paper, pages: Sequence[Page]) -> None:
    """Make nothing for a paper: the record of the exam has all papers."""
    del paper, pages


@contextmanager
def open_export(exam: Exam, file: BinaryIO) -> Iterator[Callable[[None], None]]:
    """Write one zip: Gradescope's scripts, this program, and the exam with its keys and own sentences.

    The exam record has all papers, so the function for the pieces of a paper does nothing.
    """
    with Package(file, "w") as package:
        for script in SCRIPTS:
            text = (shipped_folder("templates") / "gradescope" / script).read_bytes()
            package.add(script, text, runnable=not script.endswith(".py"))
        package.add(*wheel(exam.heading.language(comma=False)))
        yield lambda _: None
        if exam.heading.own_catalogue is not None:
            package.add(SENTENCES, exam.heading.own_catalogue.data)
        package.add(EXAM, (line.encode() for line in write_exam(exam)))


def find_faults(file: BinaryIO) -> Iterator[str]:
    """Find missing files, an exam that cannot be read, and a wheel that cannot mark."""
    return zip_faults(file, _faults)


def _faults(package: ZipFile) -> Iterator[str]:
    """Yield the faults of an autograder: missing scripts, an unusable exam, no wheel or several."""
    members = package.namelist()
    yield from (f"{script} is missing" for script in SCRIPTS if script not in members)
    yield from (f"{EXAM}: {wrong}" for wrong in _exam_faults(package))
    wheels = [member for member in members if member.endswith(".whl")]
    if len(wheels) != 1:
        yield "there is not one wheel of this program"
    for member in wheels:
        with ZipFile(BytesIO(package.read(member))) as program:
            if "grader/publishing/lms/autograding.py" not in program.namelist():
                yield f"{member} cannot mark"


def _exam_faults(package: ZipFile) -> Iterator[str]:
    """Find faults in the record of the exam."""
    if EXAM not in package.namelist():
        yield "is missing"
        return
    catalogue = package.read(SENTENCES) if SENTENCES in package.namelist() else None
    exam = read_exam(package.read(EXAM).decode("utf-8", "replace").split("\n"), catalogue)
    if isinstance(exam, Diagnostics):
        yield exam.items[0].message
        return
    try:
        yield from code_faults(exam.seats, [paper.code for paper in exam.papers])
    except RecordError as error:
        yield str(error)
