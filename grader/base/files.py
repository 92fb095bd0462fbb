"""Files that are written whole or not at all, and locks that one process holds at a time."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def write_file(path: Path, data: bytes, *, lasting: bool = False) -> None:
    """Write a file in one go, as `atomic_writer` does."""
    with atomic_writer(path, lasting=lasting) as file:
        file.write(data)


@contextmanager
def atomic_writer(path: Path, *, beside: Path | None = None, lasting: bool = False) -> Iterator[BinaryIO]:
    """Open a temporary file that replaces `path` when it is complete, so no reader sees a part of it.

    The temporary file is in the folder `beside`, by default that of `path`; its name contains the process
    id, so two programs do not collide. A link, a pipe or a device such as /dev/stdout is written directly.
    With `lasting`, waits until the data is on disk. Creates missing folders. Raises `OSError`.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        with path.open("wb") as file:
            yield file
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = beside or path.parent
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f".{path.name[:80]}.{os.getpid()}.part"
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
        descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class FileLockedError(Exception):
    """Another process holds a file."""


@contextmanager
def lock_file(path: Path) -> Iterator[None]:
    """Hold a lock file, which is created for this and removed afterwards.

    The system releases the lock however this process ends. Creates missing folders.
    Raises `FileLockedError` at once if another process holds the file, or `OSError`.
    """
    with _open_locked(path):
        try:
            yield
        finally:
            if os.name == "posix":  # while it is locked: afterwards it may belong to another process
                path.unlink(missing_ok=True)
    if os.name != "posix":  # Windows cannot remove an open file
        with suppress(OSError):
            path.unlink()


def _open_locked(path: Path) -> BinaryIO:
    """Open a file and lock it until it is closed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        try:
            file = stack.enter_context(path.open("ab"))
            _lock_descriptor(file.fileno())
            # The last holder may have removed this file, and another process may hold a new one.
            if not os.path.samestat(os.fstat(file.fileno()), path.stat()):
                raise FileLockedError
        except FileNotFoundError:
            raise FileLockedError from None
        stack.pop_all()
        return file


def _lock_descriptor(descriptor: int) -> None:
    """Lock an open file, or raise `FileLockedError`."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # the latter on Windows
        raise FileLockedError from None
