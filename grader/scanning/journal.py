"""What was scanned and what people decided: lines that are appended to two files, never changed."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from grader.base.canonical_json import canonical_json
from grader.base.records import require_schema, stamp
from grader.exam.folders import GRADES_FOLDER, make_private_folder
from grader.scanning.page_reading import PAGE_FATES, PageReading
from grader.scanning.places import ScannedExam

SCANS_FOLDER = f"{GRADES_FOLDER}/scans"
PAGES_FILE = "pages.jsonl"
DECISIONS_FILE = "decisions.jsonl"
IMAGES_FOLDER = "pages"

SCHEMA = 1

_Place: TypeAlias = tuple[str, int, str]
"""What a decision is about: variant, page and box; or the file, the page in it, and nothing."""


@dataclass(frozen=True, slots=True)
class Journal:
    """The folder `grades/scans` of an exam; what was decided of another exam is not heard.

    - `exam`: the signs of the exam in its codes.
    """

    folder: Path
    exam: str

    @classmethod
    def of(cls, folder: Path, exam: ScannedExam) -> "Journal":
        """The journal of the exam in a folder; it is made, for nobody else to look into."""
        make_private_folder(folder / SCANS_FOLDER / IMAGES_FOLDER)
        return cls(folder / SCANS_FOLDER, exam.exam)

    @property
    def images(self) -> Path:
        """Where pages are kept as pictures."""
        return self.folder / IMAGES_FOLDER

    def scanned_pages(self) -> list[PageReading]:
        """All pages as they were read, in the order in which they came; of a line that broke off nothing."""
        found: dict[tuple[str, int], PageReading] = {}
        for line in _lines(self.folder / PAGES_FILE):
            if (reading := _reading(line)) is not None:
                found[reading.digest, reading.number] = reading
        return list(found.values())

    def pages(self) -> list[PageReading]:
        """The same with the pages that a person has named, as they were read then."""
        named = self._last("named")
        return [_reading(named.get((page.digest, page.number, ""))) or page for page in self.scanned_pages()]

    def decisions(self) -> dict[_Place, str]:
        """(variant, page, box) -> what a person has decided last; what was taken back is not there."""
        return {place: says for place, says in self._last("says").items() if isinstance(says, str)}

    def append_pages(self, readings: Iterable[PageReading]) -> None:
        """Append pages; when this returns the disk has them."""
        with _appending(self.folder / PAGES_FILE) as write:
            for reading in readings:
                write(page_to_json(reading))

    def decide(self, variant: str, page: int, box: str, says: str | None) -> None:
        """Append what a person has decided of a box, or with None that it is open again."""
        self._append({"variant": variant, "page": page, "box": box, "says": says})

    def name_page(self, page: PageReading, named: PageReading | None) -> None:
        """Append which page a scanned page is, as a person has said; with None nobody has said it."""
        told = None if named is None else page_to_json(named)
        self._append({"file": page.digest, "number": page.number, "named": told})

    def undo(self) -> _Place | None:
        """Take the last decision back that still stands, by one more line; what it was about."""
        standing: list[Mapping[str, Any]] = []
        for line in self._decided():
            if line.get("undo"):
                del standing[-1:]
            elif _place(line) is not None:
                standing.append(line)
        if not standing:
            return None
        last = standing.pop()
        place = _place(last)
        before = [line for line in standing if _place(line) == place]
        field = "named" if "named" in last else "says"
        self._append({**last, field: before[-1][field] if before else None, "undo": True})
        return place

    def _append(self, decision: Mapping[str, Any]) -> None:
        with _appending(self.folder / DECISIONS_FILE) as write:
            write({"exam": self.exam, **decision})

    def _last(self, field: str) -> dict[_Place, Any]:
        """What was noted last in this field of every place; None where it was taken back."""
        return {
            place: line[field]
            for line in self._decided()
            if (place := _place(line)) is not None and field in line
        }

    def _decided(self) -> Iterator[Mapping[str, Any]]:
        """The lines of what was decided of this exam."""
        return (line for line in _lines(self.folder / DECISIONS_FILE) if line.get("exam") == self.exam)


def _place(line: Mapping[str, Any]) -> _Place | None:
    """What a decision is about; None for a line that is none."""
    match line:
        case {"variant": str(variant), "page": int(page), "box": str(box), "says": _}:
            return variant, page, box
        case {"file": str(digest), "number": int(number), "named": _}:
            return digest, number, ""
        case _:
            return None


def page_to_json(page: PageReading) -> dict[str, Any]:
    """Return a page as the journal has it."""
    return {
        "file": page.file,
        "digest": page.digest,
        "number": page.number,
        "fate": page.fate,
        "why": page.why,
        "variant": page.variant,
        "page": page.page,
        "states": page.states,
        "image": page.image,
        "flat": page.flat,
        "by_hand": page.by_hand,
        "off": page.off,
    }


def _reading(record: Any) -> PageReading | None:
    """A page as it was written; None for what is none."""
    match record:
        case {
            "file": str(file),
            "digest": str(digest),
            "number": int(number),
            "fate": str(fate),
            "why": str(why),
            "variant": str(variant),
            "page": int(page),
            "states": dict(states),
            "image": str(image),
            "flat": bool(flat),
            "by_hand": bool(by_hand),
            "off": int(off) | float(off),
        } if (
            fate in PAGE_FATES
            and not any(isinstance(count, bool) for count in (number, page, off))
            and all(isinstance(state, str) for state in states.values())
        ):
            return PageReading(
                file=file,
                digest=digest,
                number=number,
                fate=fate,
                why=why,
                variant=variant,
                page=page,
                states=states,
                image=image,
                flat=flat,
                by_hand=by_hand,
                off=off,
            )
        case _:
            return None


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
                require_schema(record, SCHEMA, str(path))
                yield record


@contextmanager
def _appending(path: Path) -> Iterator[Any]:
    with path.open("ab") as file:
        if file.tell() and not _ends_whole(path):
            file.write(b"\n")
        yield lambda record: file.write(canonical_json({**record, **stamp(SCHEMA)}).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
