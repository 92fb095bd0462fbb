"""Limits and a watch for the process in which a student's program runs; this is not a sandbox."""

import os
import sys
from collections.abc import Callable
from typing import Any

MAX_MEMORY_BYTES = 1 << 30
MAX_FILE_BYTES = 1 << 24
MAX_OPEN_FILES = 64
MAX_OUTPUT_CHARACTERS = 1 << 20

_REFUSED = (
    "socket.",
    "os.system",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.kill",
    "subprocess.",
    "pty.spawn",
    "webbrowser.",
    "winreg.",
)
"""Beginnings of the audit events of processes, networks and the registry."""

_HARMLESS = ("socket.gethostname", "socket.__new__")
"""Events without effect: `asyncio` makes a pair of sockets, and connecting one is an event of its own."""

_PATH_EVENTS = (
    "os.chmod",
    "os.chown",
    "os.link",
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.symlink",
    "os.truncate",
    "os.utime",
    "shutil.",
    "sqlite3.connect",
)
"""Beginnings of the audit events that change the files in their arguments."""

_READABLE = (sys.prefix, sys.base_prefix, sys.exec_prefix, "/usr", "/lib", "/etc", "/dev/urandom")


class OutputLimit(BaseException):
    """The program printed more than it may."""


class CountedOutput:
    """A standard output that discards text and ends the program when there is too much of it."""

    encoding, errors, closed = "utf-8", "strict", False

    def __init__(self) -> None:
        self.remaining = MAX_OUTPUT_CHARACTERS

    def write(self, text: str) -> int:
        """Count a text. Raises `OutputLimit`."""
        self.remaining -= len(text)
        if self.remaining < 0:
            raise OutputLimit
        return len(text)

    def flush(self) -> None:
        """Do nothing."""

    def isatty(self) -> bool:
        """Return False."""
        return False


def limit_process(seconds: int) -> None:
    """Limit processor time, memory, the size of files and open files, as far as this system can."""
    if sys.platform == "win32":
        return
    import resource

    for kind, limit in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, MAX_MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, MAX_FILE_BYTES),
        (resource.RLIMIT_NOFILE, MAX_OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        try:
            resource.setrlimit(kind, (limit, limit))
        except (OSError, ValueError):  # macOS has no limit for the address space
            continue


def watch_events(folder: str, report: Callable[[str], None]) -> None:
    """Refuse and report files outside of `folder`, sockets and processes, for the rest of this process."""
    own = os.path.realpath(folder) + os.sep
    readable = tuple(os.path.realpath(path) + os.sep for path in _READABLE)

    def refuse(event: str) -> None:
        """Report an event and raise `PermissionError`."""
        report(event)
        raise PermissionError(f"{event} is not allowed here")

    def is_inside(path: Any, roots: tuple[str, ...]) -> bool:
        """Return whether a path is inside once links are resolved; the null device and open files are."""
        if not isinstance(path, str | bytes | os.PathLike):
            return True  # a file that is already open
        real = os.path.realpath(os.fsdecode(path))
        return real == os.devnull or f"{real}{os.sep}".startswith(roots)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        """Refuse writing outside of `folder`, reading outside of it and of Python, and the other events."""
        if event == "open":
            path, mode, flags = arguments
            writes = any(sign in str(mode or "") for sign in "wax+") or (
                isinstance(flags, int)
                and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND))
            )
            if not is_inside(path, (own,)) and (writes or not is_inside(path, readable)):
                refuse("open")
        elif event.startswith(_PATH_EVENTS):
            if not all(is_inside(each, (own,)) for each in arguments if isinstance(each, str | bytes)):
                refuse(event)
        elif event.startswith(_REFUSED) and event not in _HARMLESS:
            refuse(event)

    sys.addaudithook(hook)
