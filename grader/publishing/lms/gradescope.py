"""A Gradescope autograder: a zip that marks submissions with this program."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from grader.base.shipped import shipped_folder
from grader.exam.folders import CATALOGUE_FILE
from grader.exam.folders import EXAM_FILE as RECORD
from grader.exam.manifest import Exam, write_exam
from grader.exam.paper import Paper
from grader.publishing.lms.page import Page
from grader.publishing.lms.vendoring import wheel
from grader.publishing.lms.zip_package import Package

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
