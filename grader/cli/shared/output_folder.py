"""Write results that are several files in one directory, without overwriting others by accident."""

from collections.abc import Mapping, Set
from pathlib import Path

from grader.base.files import write_file
from grader.base.suggest import first_of_many
from grader.cli.shared.refusals import error_text
from grader.cli.shared.terminal import refuse


def write_folder(
    folder: Path, files: Mapping[str, bytes], *, force: bool, replaces: Set[str] = frozenset()
) -> None:
    """Write files into a directory, which is created if necessary.

    1. A file that has these bytes already is left alone.
    2. If a file has other bytes, or a file named in `replaces` exists (an older result that these files
       replace), the command is refused and nothing is written.
    3. With `force` the former is overwritten and the latter deleted.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_different = {name: _differs(folder / name, data) for name, data in files.items()}
        older = {name for name in replaces if (folder / name).exists()}
        conflicts = sorted({name for name in is_different if is_different[name]} | older)
        if conflicts and not force:
            refuse(
                f"{folder} already contains something else: {first_of_many(conflicts, 1)}.",
                "Choose another directory, or add --force to replace it.",
            )
        for name, data in files.items():
            if is_different[name] is not False:
                write_file(folder / name, data)
        for name in older:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        place = error.filename or folder
        refuse(f"{place} cannot be written: {error_text(error)}.", "Name a directory to write into.")


def _differs(path: Path, data: bytes) -> bool | None:
    """Return whether a file has other bytes, or None if it does not exist. Raises `OSError`."""
    try:
        return path.read_bytes() != data
    except FileNotFoundError:
        return None
