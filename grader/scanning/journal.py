"""What was scanned and what people decided: lines that are appended to two files, never changed."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from grader.exam.folders import GRADES, keep_private
from grader.exercise import canonical
from grader.scanning.reading import PageReading

SCANS = f"{GRADES}/scans"
PAGES = "pages.jsonl"
DECISIONS = "decisions.jsonl"
IMAGES = "pages"

_FIELDS = {each.name for each in fields(PageReading)}


@dataclass(frozen=True, slots=True)
class Journal:
    """The folder `grades/scans` of an exam."""

    folder: Path

    @classmethod
    def of(cls, exam: Path) -> "Journal":
        """The journal of an exam; its folder is made, for nobody else to look into."""
        keep_private(exam / SCANS / IMAGES)
        return cls(exam / SCANS)

    @property
    def images(self) -> Path:
        """Where pages are kept as pictures."""
        return self.folder / IMAGES

    def pages(self) -> list[PageReading]:
        """All pages that were read, in the order in which they came; of a line that broke off nothing."""
        found: dict[tuple[str, int], PageReading] = {}
        for line in _lines(self.folder / PAGES):
            if set(line) == _FIELDS:
                reading = PageReading(**line)
                found[reading.digest, reading.number] = reading
        return list(found.values())

    def decisions(self) -> dict[tuple[str, int, str], str]:
        """(variant, page, box) -> what a person has decided last; what was taken back is not there."""
        made: dict[tuple[str, int, str], str] = {}
        for line in _lines(self.folder / DECISIONS):
            place = (str(line.get("variant")), int(line.get("page") or 0), str(line.get("box")))
            said = line.get("says")
            if isinstance(said, str):
                made[place] = said
            else:
                made.pop(place, None)
        return made

    def note(self, readings: Iterable[PageReading]) -> None:
        """Append pages; when this returns the disk has them."""
        with _appending(self.folder / PAGES) as write:
            for reading in readings:
                write(reading.to_json())

    def decide(self, variant: str, page: int, box: str, says: str | None) -> None:
        """Append what a person has decided of a box, or with None that it is open again."""
        with _appending(self.folder / DECISIONS) as write:
            write({"variant": variant, "page": page, "box": box, "says": says})


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            try:
                record = json.loads(line)
            except ValueError:  # it was written when the program was killed
                continue
            if isinstance(record, dict):
                yield record


@contextmanager
def _appending(path: Path) -> Iterator[Any]:
    with path.open("ab") as file:
        if file.tell() and not _ends_whole(path):
            file.write(b"\n")
        yield lambda record: file.write(canonical(record).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
