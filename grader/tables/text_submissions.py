"""Submissions as text files, one or several students in each: a folder, a zip, or a single file."""

import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path, PurePosixPath
from typing import IO

from grader.base.safe_text import safe_line
from grader.tables.column_names import COLUMN_NAMES
from grader.tables.columns import PartNames
from grader.tables.damaged_archives import PACK_AGAIN, refuse_damaged
from grader.tables.encoding import decode
from grader.tables.rows import AbsentCell, ClassTable, Row, TableError, TreeCell

MAX_TEXT_FILE_BYTES = 1 << 20
"""The most bytes of one file."""

MAX_FILES = 50_000
"""The most files in a folder or a zip."""

MAX_UNZIPPED_BYTES = 1 << 30
"""The most bytes that are read from one zip."""


def _line_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of a line that starts with one of these names and a colon."""
    return re.compile(rf"[ \t]*(?:{'|'.join(map(re.escape, names))})[ \t]*:[ \t]*(.*)", re.IGNORECASE)


_NUMBER = {"number", "nummer", "numéro", "numero", "número"}
"""Names of an identifier that may also start a line of a reply."""

_STUDENT = _line_pattern({"id", *COLUMN_NAMES["student"], *COLUMN_NAMES["identifier"]} - _NUMBER)
_NAME = _line_pattern(COLUMN_NAMES["name"])
_TREE = re.compile(r"(?:@|#|\(|\[|△|▽|○|(?:MAX|MIN|CHANCE|P[1-9])\b)", re.IGNORECASE)

_LABEL = re.compile(
    r"[ \t]*(?:(?P<word>question|aufgabe|teilaufgabe|frage|task|part|problem|exercise)[ \t.]*|q[ \t.]*)?\(?"
    r"(?:(?P<number>\d+)[ \t]?[.(]?[ \t]?(?P<letter>[a-z]?)"
    r"(?P<sign>\)?[ \t]*:(?![=>])|\)(?![=>])|\.(?![^ \t])|[ \t]*[-–—](?=[ \t]))"
    r"|(?P<bare>\d+[a-z]?)(?![^ \t]))(?P<reply>.*)",
    re.IGNORECASE | re.ASCII,
)
"""A line that may have a label: `2:`, `2.`, `(2)`, `2 -`, `1 b)`, `Question 2`, but also `5 6 8`."""

_MOODLE = re.compile(r"(.+)_(\d+)_assignsubmission_(?:file|onlinetext)(?:_.*)?")
_CANVAS = re.compile(r"[^\W_]+(?:_LATE)?_(\d+)_(\d+)_.+")

Files = Iterator[tuple[str, Callable[[], IO[bytes]]]]
"""Names of files, each with a function that opens it or raises `TableError`."""


def in_file(path: Path) -> Files:
    """Yield one text file, of one student or of several."""
    yield path.name, lambda: path.open("rb")


def in_folder(path: Path) -> Files:
    """Iterate over all files in a folder and its subfolders; links are not followed.

    Hidden files are left out. Raises `TableError` if there are none, or more than `MAX_FILES`.
    """
    count = 0
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not _is_hidden(name))
        names += [name for name in folders if Path(folder, name).is_symlink()]
        for name in sorted(name for name in names if not _is_hidden(name)):
            count += 1
            if count > MAX_FILES:
                raise TableError(f"{path.name} has more than {MAX_FILES} files")
            place = Path(folder, name)
            yield place.relative_to(path).as_posix(), partial(_open_regular_file, place)
    if not count:
        raise TableError(f"{path.name} has no files in it")


def _open_regular_file(path: Path) -> IO[bytes]:
    """Open a file. Raises `TableError` for a link or a device."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise TableError("not a file but a link or a device")
    return path.open("rb")


def in_zip(path: Path) -> Files:
    """Iterate over all files in a zip archive, which are read one by one and never unpacked to disk.

    Hidden files are left out. Raises `TableError` for a damaged archive and for too many or large files.
    """
    damaged = refuse_damaged(f"{path.name} cannot be unpacked", hint=PACK_AGAIN, fault="columns")
    with damaged, zipfile.ZipFile(path) as packed:
        members = [each for each in packed.infolist() if not each.is_dir()]
        if len(members) > MAX_FILES:
            raise TableError(f"{path.name} has more than {MAX_FILES} files")
        members = [each for each in members if not any(map(_is_hidden, PurePosixPath(each.filename).parts))]
        # The sizes can be trusted: zipfile reads at most as many bytes as the archive states.
        if sum(min(each.file_size, MAX_TEXT_FILE_BYTES) for each in members) > MAX_UNZIPPED_BYTES:
            raise TableError(f"{path.name} unpacks to more than {MAX_UNZIPPED_BYTES // 2**20} MB")
        for member in sorted(members, key=attrgetter("filename")):
            yield member.filename, partial(packed.open, member)


def _is_hidden(name: str) -> bool:
    system_files = ("__MACOSX", "Thumbs.db", "desktop.ini")
    return name in system_files or (name.startswith(".") and name.strip(".") != "")


def read_text_submissions(
    files: Callable[[Path], Files], path: Path, parts: Sequence[PartNames]
) -> ClassTable:
    """Read the sheets of students in the files at a path."""
    names = [part.name for part in parts]

    def rows() -> Iterator[Row]:
        """Yield the rows of each file; a file that cannot be read is one row with the fault."""
        for file, open_file in files(path):
            place = safe_line(file, 200)
            try:
                text = read_text_file(open_file)
            except TableError as error:
                yield Row(place, (), str(error))
            else:
                yield from _rows(place, file, text, names)

    return ClassTable(path.name, "sheets", ("student", "file", "name", *names), rows)


def read_text_file(open_file: Callable[[], IO[bytes]]) -> str:
    """Read a text file, of at most `MAX_TEXT_FILE_BYTES`. Raises `TableError`."""
    with refuse_damaged("cannot be unpacked", hint=PACK_AGAIN, fault="columns"), open_file() as file:
        data = file.read(MAX_TEXT_FILE_BYTES + 1)
    if len(data) > MAX_TEXT_FILE_BYTES:
        raise TableError(f"larger than {MAX_TEXT_FILE_BYTES // 1024} KB")
    return decode(data, "the file")


def _rows(place: str, file: str, text: str, parts: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of one file: one per line `student:`, else one of the student who named the file.

    A row has both the line and the name of the file, so that a student cannot answer for another one.
    """
    lines = text.splitlines()
    starts = [(number, match[1]) for number, line in enumerate(lines) if (match := _STUDENT.fullmatch(line))]
    if not starts:
        if _starts_with_label(lines, parts):
            yield _labelled_row(place, "", file, lines, 0, parts)
        else:
            yield _unlabelled_row(place, file, text, parts)
        return
    first = starts[0][0]
    if any(line.strip() and not line.lstrip().startswith("#") for line in lines[:first]):
        yield Row(place, (), f"there is something before the line 'student:' in line {first + 1}")
    ends = [*(start for start, _ in starts[1:]), len(lines)]
    for (start, student), end in zip(starts, ends, strict=True):
        row_place = place if len(starts) == 1 else f"{place} line {start + 1}"
        yield _labelled_row(row_place, student.strip(), file, lines[:end], start + 1, parts)


def _starts_with_label(lines: Sequence[str], parts: Sequence[str]) -> bool:
    """Return whether a file without `student:` starts with a name or a label; else all of it is one reply."""
    first = next((line for line in lines if line.strip()), "")
    if _NAME.fullmatch(first):
        return True
    if len(parts) == 1 and not first.lstrip().startswith(f"{parts[0]}:"):
        return False
    try:
        return _label(first, parts, "", "") is not None
    except _UnclearError:
        return not _TREE.match(first.lstrip())


def _labelled_row(
    place: str, student: str, file: str, lines: Sequence[str], start: int, parts: Sequence[str]
) -> Row:
    """Make the row of a student's lines from `start` on: labels such as `1:`, `2a:`, each with its reply.

    Parts without a label were not handed in. Without any label the sheet is empty, and all parts are blank.
    """
    replies: dict[str, list[str]] = {}
    (owner, name), current = student_in_file_name(file), ""
    for number, line in enumerate(lines[start:], start + 1):
        try:
            label = _label(line, parts, current, "\n".join(replies.get(current, ())))
        except _UnclearError as error:
            excerpt = safe_line(line.strip(), 60)
            return Row(place, (student, owner, name), f"line {number}, {excerpt!r}, {error}")
        if label is not None:
            current, reply = label
            if current in replies:
                return Row(place, (student, owner, name), f"question {current} occurs twice")
            replies[current] = [reply]
        elif current:
            replies[current].append(line)
        elif match := _NAME.fullmatch(line):
            name = name or match[1].strip()
        elif line.strip():
            return Row(place, (student, owner, name), f"a line belongs to no question: {line.strip()[:60]!r}")
    cells = ["\n".join(replies[part]).strip() if part in replies else AbsentCell() for part in parts]
    return Row(place, (student, owner, name, *(cells if replies else [""] * len(parts))))


class _UnclearError(ValueError):
    """A line that may be a label and may belong to the reply above it; the message says what to write."""


def _label(line: str, parts: Sequence[str], current: str, reply: str) -> tuple[str, str] | None:
    """Return the part in the label of a line, with the rest of the line; None without a label.

    `current` is the part of the line above, empty before the first one, and `reply` its reply so far.

    1. A colon or a word makes a label.
    2. `2.`, `2)` and `(2)` make one if 2 comes after the current part on the paper: a list in a reply
       starts with 1.
    3. Any other number of a part at the start of a line may be a label.

    Raises `_UnclearError` in the third case, and for labels of other parts: a label must not become part
    of a reply silently.
    """
    match = _LABEL.fullmatch(line)
    if match is None:
        return None
    sign = (match["sign"] or "").strip(" \t")
    name = (match["bare"] or match["number"] + match["letter"]).lower()
    part = next((part for part in parts if part.lower() == name), None)
    numbered = sign in (")", ".")
    if match["word"] or sign.endswith(":") or (numbered and not (sign == ")" and _has_open_bracket(reply))):
        if part is None:
            raise _UnclearError(
                f"looks like a label, and there is no question {name}; write which of {', '.join(parts)} "
                "it answers, or put it at the end of the line above"
            )
        certain = match["word"] or not numbered or match["letter"] or not current
        if certain or parts.index(part) > parts.index(current):
            return part, match["reply"].strip()
    elif numbered or part is None or (name.isdigit() and not (sign and reply.strip())):
        return None
    raise _UnclearError(
        f"may answer question {name} or not; write '{name}:', or put it at the end of the line above"
    )


def _has_open_bracket(reply: str) -> bool:
    """Return whether a bracket is still open, as in a tree that continues on the next line."""
    return sum(map(reply.count, "([")) > sum(map(reply.count, ")]"))


def _unlabelled_row(place: str, file: str, text: str, parts: Sequence[str]) -> Row:
    """Make the row of a file that is one reply: to the only part, or a tree for all parts about it.

    If it is neither, the row says that it is unclear which question this answers.
    """
    owner, name = student_in_file_name(file)
    if len(parts) == 1:
        return Row(place, ("", owner, name, text.strip()))
    if _TREE.match(text.lstrip()):
        return Row(place, ("", owner, name, *[TreeCell(text.strip())] * len(parts)))
    fault = "there is no line 'student:', and it is unclear which question this answers"
    return Row(place, ("", owner, name, *[""] * len(parts)), fault)


def student_in_file_name(file: str) -> tuple[str, str]:
    """Return the identifier and the name of the student in the name of a file from any platform.

    One of the two is empty: Moodle's names have the name alone, all others the identifier.
    """
    path = PurePosixPath(file)
    for part in (*path.parts[:-1], path.stem):
        if match := _MOODLE.fullmatch(part):
            return "", match[1].strip()
    if match := _CANVAS.fullmatch(path.stem):
        return match[1], ""
    return path.stem, ""
