"""Files that are there as a whole or not at all, whatever happens while they are written."""

import os
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Write a file beside its place, flush it to the disk, and move it there in one step.

    A name of this process is used on the way, so that two programs do not meet. Raises `OSError`.
    """
    beside = path.with_name(f".{path.name[:80]}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
