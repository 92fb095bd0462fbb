"""Zip files whose bytes depend on their members alone, written and read one member at a time."""

import io
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every member: the earliest that a zip file can hold."""

EXECUTABLE_MODE = 0o755
READABLE_MODE = 0o644


class Package(zipfile.ZipFile):
    """A zip file in the making; it is whole when it is closed."""

    def add(self, name: str, content: bytes | Iterable[bytes], *, runnable: bool = False) -> None:
        """Add a member: its bytes, or many pieces of them, such as the lines of a file; maybe a program."""
        member = zipfile.ZipInfo(name, EPOCH)
        member.create_system = 3  # so that the rights below count, wherever this runs
        member.external_attr = (EXECUTABLE_MODE if runnable else READABLE_MODE) << 16
        member.compress_type = zipfile.ZIP_DEFLATED
        if isinstance(content, bytes):
            self.writestr(member, content)
        else:
            with self.open(member, "w", force_zip64=True) as target:
                target.writelines(content)


def zip_members(members: Mapping[str, bytes]) -> bytes:
    """A zip file of these members, sorted by name."""
    made = io.BytesIO()
    with Package(made, "w") as package:
        for name in sorted(members):
            package.add(name, members[name])
    return made.getvalue()


def zip_faults(file: BinaryIO, faults: Callable[[zipfile.ZipFile], Iterator[str]]) -> Iterator[str]:
    """What is wrong with a zip file: that it is none, or is damaged, else what `faults` finds in it."""
    try:
        with zipfile.ZipFile(file) as package:
            yield from faults(package)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        yield f"is no zip file: {error}"
