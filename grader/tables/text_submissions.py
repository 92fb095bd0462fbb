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
from grader.tables.damaged_archives import refuse_damaged
from grader.tables.encoding import decode
from grader.tables.rows import AbsentCell, ClassTable, Row, TableError, TreeCell, batch_rows

MAX_TEXT_FILE_BYTES = 1 << 20
"""The most bytes of one file."""

MAX_FILES = 50_000
"""The most files in a folder or a zip."""

MAX_UNZIPPED_BYTES = 1 << 30
"""The most bytes that are read from one zip."""


def _line_of(names: Iterable[str]) -> re.Pattern[str]:
    """A line that begins with one of these names and a colon."""
    return re.compile(rf"[ \t]*(?:{'|'.join(map(re.escape, names))})[ \t]*:[ \t]*(.*)", re.IGNORECASE)


_NUMBER = {"number", "nummer", "numéro", "numero", "número"}
"""What a line of a reply may begin with as well."""

_STUDENT = _line_of({"id", *COLUMN_NAMES["student"], *COLUMN_NAMES["identifier"]} - _NUMBER)
_NAME = _line_of(COLUMN_NAMES["name"])
_TREE = re.compile(r"(?:@|#|\(|\[|△|▽|○|(?:MAX|MIN|CHANCE|P[1-9])\b)", re.IGNORECASE)

_LABEL = re.compile(
    r"[ \t]*(?:(?P<word>question|aufgabe|teilaufgabe|frage|task|part|problem|exercise)[ \t.]*|q[ \t.]*)?\(?"
    r"(?:(?P<number>\d+)[ \t]?[.(]?[ \t]?(?P<letter>[a-z]?)"
    r"(?P<sign>\)?[ \t]*:(?![=>])|\)(?![=>])|\.(?![^ \t])|[ \t]*[-–—](?=[ \t]))"
    r"|(?P<bare>\d+[a-z]?)(?![^ \t]))(?P<reply>.*)",
    re.IGNORECASE | re.ASCII,
)
"""A line that may have a label: `2:`, `2.`, `(2)`, `2 -`, `1 b)`, `Question 2`; `5 6 8` is one, too."""

_MOODLE = re.compile(r"(.+)_(\d+)_assignsubmission_(?:file|onlinetext)(?:_.*)?")
_CANVAS = re.compile(r"[^\W_]+(?:_LATE)?_(\d+)_(\d+)_.+")

Files = Iterator[tuple[str, Callable[[], IO[bytes]]]]
"""Names of files, each with what opens it, or raises `TableError`."""


def in_file(path: Path) -> Files:
    """One text file, for one student or for several."""
    yield path.name, lambda: path.open("rb")


def in_folder(path: Path) -> Files:
    """All text files in a folder and in its folders; links are not followed."""
    count = 0
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not _hidden(name))
        names += [name for name in folders if Path(folder, name).is_symlink()]
        for name in sorted(name for name in names if not _hidden(name)):
            count += 1
            if count > MAX_FILES:
                raise TableError(f"{path.name} has more than {MAX_FILES} files")
            place = Path(folder, name)
            yield place.relative_to(path).as_posix(), partial(_opened, place)
    if not count:
        raise TableError(f"{path.name} has no files in it")


def _opened(path: Path) -> IO[bytes]:
    if not stat.S_ISREG(path.lstat().st_mode):
        raise TableError("a link or a device, and no file")
    return path.open("rb")


def in_zip(path: Path) -> Files:
    """All text files in a zip, read one by one and never unpacked; their names are no paths to anything."""
    try:
        with zipfile.ZipFile(path) as packed:
            members = [each for each in packed.infolist() if not each.is_dir()]
            if len(members) > MAX_FILES:
                raise TableError(f"{path.name} has more than {MAX_FILES} files")
            members = [each for each in members if not any(map(_hidden, PurePosixPath(each.filename).parts))]
            # No more is unpacked of a file than the zip says it has.
            if sum(min(each.file_size, MAX_TEXT_FILE_BYTES) for each in members) > MAX_UNZIPPED_BYTES:
                raise TableError(f"{path.name} unpacks to more than {MAX_UNZIPPED_BYTES // 2**20} MB")
            for member in sorted(members, key=attrgetter("filename")):
                yield member.filename, partial(packed.open, member)
    except zipfile.BadZipFile as error:
        raise TableError(f"{path.name} is no zip file: {error}") from None
    except UnicodeDecodeError:
        raise TableError(
            f"{path.name} has names of files that are no text",
            "Pack the files again with another program.",
        ) from None


def _hidden(name: str) -> bool:
    made_by_systems = ("__MACOSX", "Thumbs.db", "desktop.ini")
    return name in made_by_systems or (name.startswith(".") and name.strip(".") != "")


def read_text_submissions(
    files: Callable[[Path], Files], path: Path, parts: Sequence[PartNames]
) -> ClassTable:
    """The sheets of students in some files at a path."""
    names = [part.name for part in parts]

    def rows() -> Iterator[Row]:
        for file, opened in files(path):
            place = safe_line(file, 200)
            try:
                text = read_text_file(opened)
            except TableError as error:
                yield Row(place, (), str(error))
            else:
                yield from _rows(place, file, text, names)

    return ClassTable(path.name, "sheets", ("student", "file", "name", *names), batch_rows(rows))


def read_text_file(opened: Callable[[], IO[bytes]]) -> str:
    """The text of a file, of which never more than the cap is read. Raises `TableError`."""
    with refuse_damaged("cannot be unpacked"), opened() as file:
        data = file.read(MAX_TEXT_FILE_BYTES + 1)
    if len(data) > MAX_TEXT_FILE_BYTES:
        raise TableError(f"larger than {MAX_TEXT_FILE_BYTES // 1024} KB")
    return decode(data, "the file")


def _rows(place: str, file: str, text: str, parts: Sequence[str]) -> Iterator[Row]:
    """The students of one file; without a `student:` line the file is one student's, named like it.

    With one the file's name stands beside it, so that a file which somebody handed in under their own name
    does not answer for somebody else.
    """
    lines = text.splitlines()
    starts = [(number, found[1]) for number, line in enumerate(lines) if (found := _STUDENT.fullmatch(line))]
    if not starts:
        if _starts_labelled(lines, parts):
            yield _labelled(place, "", file, lines, 0, parts)
        else:
            yield _whole(place, file, text, parts)
        return
    first = starts[0][0]
    if any(line.strip() and not line.lstrip().startswith("#") for line in lines[:first]):
        yield Row(place, (), f"there is something before the line 'student:' in line {first + 1}")
    ends = [*(start for start, _ in starts[1:]), len(lines)]
    for (start, said), end in zip(starts, ends, strict=True):
        here = place if len(starts) == 1 else f"{place} line {start + 1}"
        yield _labelled(here, said.strip(), file, lines[:end], start + 1, parts)


def _starts_labelled(lines: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether a file without `student:` starts with a name or a label, and is not one reply as a whole."""
    first = next((line for line in lines if line.strip()), "")
    if _NAME.fullmatch(first):
        return True
    if len(parts) == 1 and not first.lstrip().startswith(f"{parts[0]}:"):
        return False
    try:
        return _label(first, parts, "", "") is not None
    except _UnclearError:
        return not _TREE.match(first.lstrip())


def _labelled(
    place: str, student: str, file: str, lines: Sequence[str], start: int, parts: Sequence[str]
) -> Row:
    """A student's block from a line on: labels such as `1:`, `2a:` and what stands behind and below each.

    What has no label was not handed in, unless there is none at all, as on an empty sheet.
    """
    replies: dict[str, list[str]] = {}
    (owner, name), at = _named(file), ""
    for number, line in enumerate(lines[start:], start + 1):
        try:
            found = _label(line, parts, at, "\n".join(replies.get(at, ())))
        except _UnclearError as error:
            shown = safe_line(line.strip(), 60)
            return Row(place, (student, owner, name), f"line {number}, {shown!r}, {error}")
        if found is not None:
            at, reply = found
            if at in replies:
                return Row(place, (student, owner, name), f"question {at} is there twice")
            replies[at] = [reply]
        elif at:
            replies[at].append(line)
        elif called := _NAME.fullmatch(line):
            name = name or called[1].strip()
        elif line.strip():
            return Row(place, (student, owner, name), f"a line belongs to no question: {line.strip()[:60]!r}")
    said = ["\n".join(replies[part]).strip() if part in replies else AbsentCell() for part in parts]
    return Row(place, (student, owner, name, *(said if replies else [""] * len(parts))))


class _UnclearError(ValueError):
    """A line that may be a label and may belong to the reply above it; the message says what to write."""


def _label(line: str, parts: Sequence[str], at: str, above: str) -> tuple[str, str] | None:
    """The part that a line labels, with the reply behind the label; None when it has none.

    `at` is the part that the line above belongs to, empty before the first one, and `above` its reply so
    far. A colon or a word makes a label; `2.`, `2)` and `(2)` do where 2 comes after that part on the paper,
    since a list in a reply starts with 1. Raises `_UnclearError`: a label is never a silent part of a reply.
    """
    found = _LABEL.fullmatch(line)
    if found is None:
        return None
    sign = (found["sign"] or "").strip(" \t")
    name = (found["bare"] or found["number"] + found["letter"]).lower()
    part = next((part for part in parts if part.lower() == name), None)
    numbered = sign in (")", ".")
    if found["word"] or sign.endswith(":") or (numbered and not (sign == ")" and _is_open(above))):
        if part is None:
            raise _UnclearError(
                f"looks like a label, and there is no question {name}; write which of {', '.join(parts)} "
                "it answers, or put it behind the line above"
            )
        sure = found["word"] or not numbered or found["letter"] or not at
        if sure or parts.index(part) > parts.index(at):
            return part, found["reply"].strip()
    elif numbered or part is None or (name.isdigit() and not (sign and above.strip())):
        return None
    raise _UnclearError(
        f"may answer question {name} or not; write '{name}:', or put it behind the line above"
    )


def _is_open(reply: str) -> bool:
    """Whether a bracket is open at the end of a reply, as in a tree that goes on."""
    return sum(map(reply.count, "([")) > sum(map(reply.count, ")]"))


def _whole(place: str, file: str, text: str, parts: Sequence[str]) -> Row:
    """A file that is one reply: a hand-typed tree answers all that is asked about it."""
    owner, name = _named(file)
    if len(parts) == 1:
        return Row(place, ("", owner, name, text.strip()))
    if _TREE.match(text.lstrip()):
        return Row(place, ("", owner, name, *[TreeCell(text.strip())] * len(parts)))
    why = "there is no line 'student:', and no telling which question this answers"
    return Row(place, ("", owner, name, *[""] * len(parts)), why)


def _named(file: str) -> tuple[str, str]:
    """The student's identifier and name in a file's name: Moodle and Canvas have patterns of their own."""
    path = PurePosixPath(file)
    for part in (*path.parts[:-1], path.stem):
        if found := _MOODLE.fullmatch(part):
            return "", found[1].strip()
    if found := _CANVAS.fullmatch(path.stem):
        return found[1], ""
    return path.stem, ""
