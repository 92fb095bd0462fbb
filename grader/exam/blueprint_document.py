"""The text of a blueprint, and the files that it names."""

import hashlib
from pathlib import Path
from typing import NoReturn

from grader.exam.blueprint_fields import BLUEPRINT
from grader.tables.schema import Document
from grader.tables.toml import KeyPath
from grader.trees.notation.diagnostics import clip

MAX_FILE_BYTES = 1024 * 1024
"""The most bytes a file it names may have."""


class StoppedError(Exception):
    """A fault was added after which reading cannot continue."""


class BlueprintDocument(Document):
    """A blueprint in a folder, where the files that it names are; `digest` covers all of them."""

    def __init__(self, text: str, folder: Path) -> None:
        super().__init__(BLUEPRINT, text)
        self._folder = folder
        self.digest = hashlib.sha256(text.encode("utf-8", "surrogatepass"))

    def stop(self, path: KeyPath, code: str, message: str, hint: str = "") -> NoReturn:
        """Add a fault and stop reading this part."""
        self.fault(path, code, message, hint)
        raise StoppedError

    def file(self, name: str, path: KeyPath) -> bytes:
        """Return the bytes of a file that the blueprint names, and add them to the blueprint's digest.

        Stop if it cannot be read or is too large.
        """
        try:
            with (self._folder / name).open("rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
        except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
            why = getattr(error, "strerror", None) or str(error)
            self.stop(path, "exam-file", f"{clip(name, 80)} cannot be read: {why[:1].lower()}{why[1:]}")
        if len(data) > MAX_FILE_BYTES:
            self.stop(path, "exam-file", f"{clip(name, 80)} is larger than {MAX_FILE_BYTES // 1024} KB")
        self.digest.update(hashlib.sha256(data).digest())
        return data
