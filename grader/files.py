"""Files that are there as a whole or not at all, whatever happens while they are written."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def write_file(path: Path, data: bytes, *, lasting: bool = False) -> None:
    """Write a file in one go, as `writing` does."""
    with writing(path, lasting=lasting) as file:
        file.write(data)


@contextmanager
def writing(path: Path, *, beside: Path | None = None, lasting: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which is moved to its place when it is whole: nobody ever sees a part of it.

    A link, a pipe or anything else that is no file of its own, such as /dev/stdout, is written through.
    Until then it is in the folder `beside`, or else in that of the place, under a name of this process, so
    that two programs do not meet. Waits until the disk has it only when it is to be `lasting`. Folders on
    the way are made. Raises `OSError`.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        with path.open("wb") as file:
            yield file
        return
    place = beside or path.parent
    for folder in (path.parent, place):
        folder.mkdir(parents=True, exist_ok=True)
    part = place / f".{path.name[:80]}.{os.getpid()}.part"
    try:
        with part.open("wb") as file:
            yield file
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    if lasting and os.name == "posix":
        opened = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
