"""Zip files whose bytes depend on their members alone."""

import io
import zipfile
from collections.abc import Mapping

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every member: the earliest that a zip file can hold."""

RUNNABLE = 0o755
READABLE = 0o644


def packed(members: Mapping[str, bytes], runnable: frozenset[str] = frozenset()) -> bytes:
    """A zip file of these members, sorted by name, those in `runnable` as programs."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for name in sorted(members):
            member = zipfile.ZipInfo(name, EPOCH)
            member.create_system = 3  # so that the rights below count, wherever this runs
            member.external_attr = (RUNNABLE if name in runnable else READABLE) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(member, members[name])
    return made.getvalue()


def unpacked(data: bytes) -> dict[str, bytes]:
    """The members of a zip file. Raises `zipfile.BadZipFile` when it is none, or is damaged."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}
