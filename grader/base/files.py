"""Files that are there as a whole or not at all, and files that only one process holds at a time."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def write_file(path: Path, data: bytes, *, lasting: bool = False) -> None:
    """Write a file in one go, as `writing` does."""
    with atomic_writer(path, lasting=lasting) as file:
        file.write(data)


@contextmanager
def atomic_writer(path: Path, *, beside: Path | None = None, lasting: bool = False) -> Iterator[BinaryIO]:
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


class FileLockedError(Exception):
    """Somebody else holds a file."""


@contextmanager
def lock_file(path: Path) -> Iterator[None]:
    """Hold a file, which is made for that and gone afterwards; meanwhile nobody else can hold it.

    However this process ends, the system lets go of the file with it. Folders on the way are made.
    Raises `FileLockedError` at once when somebody holds it, or `OSError`.
    """
    with _held(path):
        try:
            yield
        finally:
            if os.name == "posix":  # before it is let go of: afterwards it may be somebody else's
                path.unlink(missing_ok=True)
    if os.name != "posix":  # where a file that somebody has open is not removed
        with suppress(OSError):
            path.unlink()


def _held(path: Path) -> BinaryIO:
    """The file, open and held until it is closed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        try:
            file = stack.enter_context(path.open("ab"))
            _hold(file.fileno())
            # Who held it until now has removed it: somebody else may have made and hold another one.
            if not os.path.samestat(os.fstat(file.fileno()), path.stat()):
                raise FileLockedError
        except FileNotFoundError:
            raise FileLockedError from None
        stack.pop_all()
        return file


def _hold(descriptor: int) -> None:
    """Hold an open file, or raise `FileLockedError`."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # the latter is what Windows says
        raise FileLockedError from None
