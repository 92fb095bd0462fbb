"""Results that are several files in one directory: each whole or not there, none lost by accident."""

from collections.abc import Mapping, Set
from pathlib import Path

from grader.base.files import write_file
from grader.cli.shared.refusals import error_text
from grader.cli.shared.terminal import refuse


def write_folder(folder: Path, files: Mapping[str, bytes], replaces: Set[str], *, force: bool) -> None:
    """Write files into a directory, which is made when it is not there.

    A file that has these bytes already is left alone. When one has other bytes, or when a file named in
    `replaces` is there (an older result that these files take the place of), nothing is written at all and
    the command is refused; by `force` the former is written anew, and the latter taken away.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        differ = {name: _differs(folder / name, data) for name, data in files.items()}
        older = {name for name in replaces if (folder / name).exists()}
        different = sorted({name for name in differ if differ[name]} | older)
        if different and not force:
            others = f" and {len(different) - 1} more" if len(different) > 1 else ""
            refuse(
                f"{folder} already holds something else: {different[0]}{others}.",
                "Choose another directory, or add --force to replace it.",
            )
        for name, data in files.items():
            if differ[name] is not False:
                write_file(folder / name, data)
        for name in older:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        place = error.filename or folder
        refuse(f"{place} cannot be written: {error_text(error)}.", "Name a directory to write into.")


def _differs(path: Path, data: bytes) -> bool | None:
    """Whether the file has other bytes; None when there is no such file. Raises `OSError`."""
    try:
        return path.read_bytes() != data
    except FileNotFoundError:
        return None
