"""The journal of scans: pages read and decisions made, as lines appended to two files and never changed."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from grader.base.canonical_json import canonical_json
from grader.base.json_records import RecordError
from grader.base.records import journal_records, stamp
from grader.exam.folders import GRADES_FOLDER, make_private_folder
from grader.scanning.page_reading import PageReading
from grader.scanning.places import ScannedExam

SCANS_FOLDER = f"{GRADES_FOLDER}/scans"
PAGES_FILE = "pages.jsonl"
DECISIONS_FILE = "decisions.jsonl"
IMAGES_FOLDER = "pages"

SCHEMA = 1

Subject: TypeAlias = tuple[str, int, str]
"""The subject of a decision: variant, page and box; or the digest of a file, the page in it and ""."""


@dataclass(frozen=True, slots=True)
class Journal:
    """The folder `grades/scans` of an exam; decisions about another exam are ignored.

    - `exam`: the hash of the exam in its codes.
    """

    folder: Path
    exam: str

    @classmethod
    def of(cls, folder: Path, exam: ScannedExam) -> "Journal":
        """Open the journal of the exam in a folder; make a private folder for it if there is none."""
        make_private_folder(folder, f"{SCANS_FOLDER}/{IMAGES_FOLDER}")
        return cls(folder / SCANS_FOLDER, exam.exam)

    @property
    def images(self) -> Path:
        """The folder of the stored pictures of pages."""
        return self.folder / IMAGES_FOLDER

    def scanned_pages(self) -> list[PageReading]:
        """Return all pages as they were read, in order; a line that was broken off is skipped."""
        readings: dict[tuple[str, int], PageReading] = {}
        for line in _lines(self.folder / PAGES_FILE):
            if (reading := _reading(line)) is not None:
                readings[reading.digest, reading.number] = reading
        return list(readings.values())

    def unreadable_lines(self) -> Mapping[Path, int]:
        """Return the files of the journal with lines that cannot be read, and how many there are."""
        paths = [path for name in (PAGES_FILE, DECISIONS_FILE) if (path := self.folder / name).exists()]
        counts = {path: sum(record is None for record in journal_records(path, SCHEMA)) for path in paths}
        return {path: count for path, count in counts.items() if count}

    def pages(self) -> list[PageReading]:
        """Return all pages; one that a person has identified is as it was read by that decision."""
        identified, pages = self._last("named"), self.scanned_pages()
        return [_reading(identified.get((page.digest, page.number, ""))) or page for page in pages]

    def decisions(self) -> dict[Subject, str]:
        """Map (variant, page, box) to the latest decision; one that was taken back is left out."""
        return {place: says for place, says in self._last("says").items() if isinstance(says, str)}

    def append_pages(self, readings: Iterable[PageReading]) -> None:
        """Append pages; they are on the disk when this returns."""
        with _appending(self.folder / PAGES_FILE) as write:
            for reading in readings:
                write(reading.to_json())

    def decide(self, decisions: Iterable[tuple[Subject, str | None]]) -> None:
        """Append what a person decided of boxes at once, to be taken back at once; None opens a box again."""
        lines = [
            {"variant": variant, "page": page, "box": box, "says": says}
            for (variant, page, box), says in decisions
        ]
        self._append(*lines)

    def name_page(self, page: PageReading, named: PageReading | None) -> None:
        """Append a person's decision which page a scanned one is; None takes it back."""
        record = None if named is None else named.to_json()
        self._append({"file": page.digest, "number": page.number, "named": record})

    def undo(self) -> tuple[Subject, ...]:
        """Take back the last decision that still stands, by further lines; return its subjects.

        Decisions of one batch are taken back together. Without a decision nothing is appended.
        """
        decisions: list[Mapping[str, Any]] = []
        for line in self._decided():
            if line.get("undo"):
                del decisions[-1:]
            elif _place(line) is not None:
                decisions.append(line)
        undone = []
        while decisions:
            last = decisions.pop()
            place, field = _place(last), "named" if "named" in last else "says"
            earlier = (line[field] for line in reversed(decisions) if _place(line) == place)
            undone.append({**last, field: next(earlier, None), "undo": True})
            batch = last.get("batch")
            if batch is None or not decisions or decisions[-1].get("batch") != batch:
                break
        self._append(*undone)
        return tuple(place for line in undone if (place := _place(line)) is not None)

    def _append(self, *decisions: Mapping[str, Any]) -> None:
        """Append decisions; several that were made at once have the same `batch`."""
        if not decisions:
            return
        path = self.folder / DECISIONS_FILE
        batch = {"batch": path.stat().st_size if path.exists() else 0} if len(decisions) > 1 else {}
        with _appending(path) as write:
            for decision in decisions:
                write({"exam": self.exam, **decision, **batch})

    def _last(self, field: str) -> dict[Subject, Any]:
        """Map every subject to the latest value of this field; None if it was taken back."""
        return {
            place: line[field]
            for line in self._decided()
            if (place := _place(line)) is not None and field in line
        }

    def _decided(self) -> Iterator[Mapping[str, Any]]:
        """Return the lines of decisions about this exam."""
        return (line for line in _lines(self.folder / DECISIONS_FILE) if line.get("exam") == self.exam)


def _place(line: Mapping[str, Any]) -> Subject | None:
    """Return the subject of a decision; None for any other line."""
    match line:
        case {"variant": str(variant), "page": int(page), "box": str(box), "says": _}:
            return variant, page, box
        case {"file": str(digest), "number": int(number), "named": _}:
            return digest, number, ""
        case _:
            return None


def _reading(record: object) -> PageReading | None:
    """Read a page from its journal record; None for anything else."""
    try:
        return PageReading.from_json(record)
    except RecordError:
        return None


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the records of a journal without a line that was not completed. Raises `SchemaError`."""
    if path.exists():
        yield from filter(None, journal_records(path, SCHEMA))


@contextmanager
def _appending(path: Path) -> Iterator[Any]:
    """Yield a function that appends records; they are on the disk when the context ends."""
    with path.open("ab") as file:
        if file.tell() and not _ends_whole(path):
            file.write(b"\n")
        yield lambda record: file.write(canonical_json({**record, **stamp(SCHEMA)}).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _ends_whole(path: Path) -> bool:
    """Return whether the last line of a file, which is not empty, is complete."""
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
