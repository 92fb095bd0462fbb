"""Files that are written whole or not at all, and locks that one process holds at a time."""

import errno
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
def atomic_writer(
    path: Path, *, temporary_folder: Path | None = None, lasting: bool = False
) -> Iterator[BinaryIO]:
    """Open a temporary file that replaces `path` when it is complete, so no reader sees a part of it.

    The temporary file is in `temporary_folder`, by default the folder of `path`. Its name depends only on
    that of `path`, so one left by a killed program is used again; another program that writes the same file
    waits. A link, a pipe or a device such as /dev/stdout is written directly.
    With `lasting`, waits until the data is on disk. Creates missing folders. Raises `OSError`.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        with path.open("wb") as file:
            yield file
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = temporary_folder or path.parent
    folder.mkdir(parents=True, exist_ok=True)
    write = _write_locked if os.name == "posix" else _write_unlocked
    with write(folder, path) as file:
        yield file
        if lasting:
            file.flush()
            os.fsync(file.fileno())
    if lasting and os.name == "posix":
        descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _write_locked(folder: Path, path: Path) -> Iterator[BinaryIO]:
    """Write a temporary file in this folder, locked until it has replaced `path` or is removed."""
    part = folder / f".{path.name[:80]}.part"
    with _open_part(part) as file:
        try:
            yield file
            file.flush()
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def _open_part(part: Path) -> BinaryIO:
    """Open a temporary file and lock it, as soon as no other program writes it; it is empty then."""
    while True:
        try:
            file = os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666), "wb")
        except PermissionError:  # another user's program was killed here
            part.unlink()
            continue
        with ExitStack() as stack:
            stack.enter_context(file)
            try:
                _lock_descriptor(file.fileno(), wait=True)
            except OSError as error:
                if error.errno not in _NO_LOCKS:
                    raise
            # The program that was waited for has moved or removed the file that was opened.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), part.stat()):
                    file.truncate(0)
                    stack.pop_all()
                    return file


@contextmanager
def _write_unlocked(folder: Path, path: Path) -> Iterator[BinaryIO]:
    """Write a temporary file with the process id in its name: Windows moves and removes no open file."""
    part = folder / f".{path.name[:80]}.{os.getpid()}.part"
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


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
    """Open a file and lock it until it is closed. Raises `FileLockedError` if another process holds it."""
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


_NO_LOCKS = {errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL}
"""The errors of a file system without locks."""


def _lock_descriptor(descriptor: int, *, wait: bool = False) -> None:
    """Lock an open file, or raise `FileLockedError`; with `wait`, once no other process holds it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except (BlockingIOError, PermissionError):  # the latter on Windows
        raise FileLockedError from None
