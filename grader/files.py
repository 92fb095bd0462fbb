"""Files that are there as a whole or not at all, whatever happens while they are written."""

import os
from pathlib import Path


def write_file(path: Path, data: bytes, *, lasting: bool = False) -> None:
    """Write a file beside its place and move it there, so that nobody ever sees a part of it.

    A name of this process is used on the way, so that two programs do not meet. Waits until the disk has
    it only when it is to be `lasting`. Folders on the way are made. Raises `OSError`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name[:80]}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            file.write(data)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    if lasting and os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
