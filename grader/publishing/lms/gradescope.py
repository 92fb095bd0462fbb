"""A Gradescope autograder: a zip that marks what students hand in with this program."""

import zipfile
from collections.abc import Iterator

from grader.exam.manifest import Exam, read_exam, write_exam
from grader.notation import Diagnostics
from grader.publishing.lms.packing import packed, unpacked
from grader.publishing.lms.vendoring import wheel
from grader.shipped import shipped

FILE = "gradescope.zip"

EXAM = "exam/instructor/exam.json"
"""Where the exam is in the zip: as in the folder of an exam, so that it is read in the same way."""

SCRIPTS = ("setup.sh", "run_autograder", "autograder.py")
RUNNABLE = frozenset({"setup.sh", "run_autograder"})


def write(exam: Exam) -> Iterator[tuple[str, bytes]]:
    """One zip: the scripts that Gradescope runs, the exam with its keys, and this program."""
    name, program = wheel()
    scripts = {script: (shipped("templates") / "gradescope" / script).read_bytes() for script in SCRIPTS}
    members = scripts | {EXAM: write_exam(exam).encode(), name: program}
    yield FILE, packed(members, RUNNABLE)


def faults(name: str, data: bytes) -> tuple[str, ...]:
    """What would keep the autograder from running: missing files, an exam or a wheel that cannot be read."""
    del name
    try:
        return tuple(_faults(unpacked(data)))
    except zipfile.BadZipFile as error:
        return (f"is no zip file: {error}",)


def _faults(members: dict[str, bytes]) -> Iterator[str]:
    yield from (f"{script} is missing" for script in SCRIPTS if script not in members)
    exam = read_exam(members.get(EXAM, b"").decode("utf-8", "replace"))
    if isinstance(exam, Diagnostics):
        yield f"{EXAM}: {exam.items[0].message}"
    wheels = [member for member in members if member.endswith(".whl")]
    if len(wheels) != 1:
        yield "there is not one wheel of this program"
    for member in wheels:
        if "grader/publishing/lms/autograding.py" not in unpacked(members[member]):
            yield f"{member} cannot mark"
