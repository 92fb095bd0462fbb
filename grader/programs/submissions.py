"""The programs of a class in a folder or a zip, and whose they are."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from grader.base.safe_text import safe_line
from grader.programs.checking import ProgramSubmission
from grader.programs.interface import COMMON_FUNCTIONS, load_interface
from grader.programs.interfaces import INTERFACES
from grader.tables.rows import TableError
from grader.tables.text_submissions import in_file, in_folder, in_zip, read_text_file, student_in_file_name

_SEARCH = re.compile(rf"^\s*(?:async )?def ({'|'.join(COMMON_FUNCTIONS)})\(", re.IGNORECASE | re.MULTILINE)


def read_programs(path: Path) -> Iterator[ProgramSubmission]:
    """Yield every program at a path: one file, those of a folder, or those of a zip.

    Files at the top belong to one student each and never see each other. The files in a subfolder belong
    together: those that contain a search are checked, and all others are there to be imported.
    A file that cannot be read has no text. Raises `TableError`, `OSError`.
    """
    files = in_folder(path) if path.is_dir() else in_zip(path) if path.suffix == ".zip" else in_file(path)
    groups: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for name, open_file in files:
        if name.endswith(".py"):
            parent = str(PurePosixPath(name).parent)
            groups[name if parent == "." else parent][name] = _read(open_file)
    if not groups:
        raise TableError(f"{path.name} has no Python files in it")
    for files_of_student in groups.values():
        searches = [name for name, text in files_of_student.items() if _is_search(text)]
        for name in searches or files_of_student:
            helpers = {other: text for other, text in files_of_student.items() if other != name}
            yield ProgramSubmission(name, files_of_student[name], helpers)


def _read(open_file: Callable[[], IO[bytes]]) -> str:
    """Return the source of a program; for a file that cannot be read, a program that raises the reason."""
    try:
        return read_text_file(open_file)
    except (TableError, OSError) as error:
        return f"raise SystemError({safe_line(str(error), 200)!r})\n"


def _is_search(source: str) -> bool:
    own = (load_interface(name).recognised_by for name in INTERFACES if name != "lists")
    return _SEARCH.search(source) is not None or any(re.search(pattern, source) for pattern in own)


def hand_in_of(name: str) -> str:
    """Return what one student has handed in together: the folder of a file, or else the file itself."""
    parent = PurePosixPath(name).parent
    return name if str(parent) == "." else f"{parent}.py"


def student_of(name: str) -> str:
    """Return the student in the name of a file or of its folder, as learning platforms write them."""
    identifier, student = student_in_file_name(hand_in_of(name))
    return identifier or student
