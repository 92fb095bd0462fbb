"""Zip files whose bytes depend only on their members, written and read one member at a time."""

import io
import zipfile
from collections.abc import Iterable, Mapping

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every member: the earliest that a zip file can hold."""

EXECUTABLE_MODE = 0o755
READABLE_MODE = 0o644


class Package(zipfile.ZipFile):
    """A zip file that is being written; it is complete when it is closed."""

    def add(self, name: str, content: bytes | Iterable[bytes], *, runnable: bool = False) -> None:
        """Add a member from its bytes, or from pieces of them, such as lines; `runnable` for a program."""
        member = zipfile.ZipInfo(name, EPOCH)
        member.create_system = 3  # Unix, on every machine, so that the permissions count
        member.external_attr = (EXECUTABLE_MODE if runnable else READABLE_MODE) << 16
        member.compress_type = zipfile.ZIP_DEFLATED
        if isinstance(content, bytes):
            self.writestr(member, content)
        else:
            with self.open(member, "w", force_zip64=True) as target:
                target.writelines(content)


def zip_members(members: Mapping[str, bytes]) -> bytes:
    """Return a zip file of these members, sorted by name."""
    file = io.BytesIO()
    with Package(file, "w") as package:
        for name in sorted(members):
            package.add(name, members[name])
    return file.getvalue()
