"""A small exam with scans on which people have something to decide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from grader.exam.blueprint import Blueprint
from grader.exam.blueprint_file import read_blueprint
from grader.exam.manifest import Exam, open_exam
from grader.exam.roster import Roster, read_roster
from grader.publishing.exam_build import build_exam
from grader.scanning.journal import Journal
from grader.scanning.places import CODE_MM, PlacedBox, ScannedExam, code_corners, read_boxes
from tests.scanning.papers import Grey, pixels
from tests.scanning.simulator import DEVICES, PENS, Page, filled, scanned, straight

BLUEPRINT = """
title = "To be decided"
secret = "kept in a safe place"
scan = true
entry = "choice"

[[question]]
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
[[question.part]]
kind = "pruned-paths"
points = 4
[[question.part]]
kind = "best-move"
points = 1

[[question]]
tree = "MAX E (CHANCE F (0.5: 3, 0.5: 12) CHANCE G (0.5: 2, 0.5: 4))"
[[question.part]]
kind = "expected-values"
points = 2
"""

HOSTILE = "<script>alert(1)</script>\u202eevil & Co"
"""A name that would be markup, if it were taken for any."""


@dataclass(frozen=True, slots=True)
class Room:
    """The folder of an exam, the boxes of its papers, and their pages, empty, by variant."""

    folder: Path
    exam: ScannedExam
    pages: Mapping[str, Sequence[Grey]]

    @property
    def codes(self) -> list[str]:
        """The variants in the order of the class list."""
        return list(self.pages)

    @property
    def journal(self) -> Journal:
        """What was scanned and decided."""
        return Journal.of(self.folder, self.exam)

    def page_of(self, variant: str, part: str) -> int:
        """The page, from 1, on which a part has its boxes."""
        layout = self.exam.layouts[variant]
        return next(page for page, boxes in enumerate(layout, 1) if any(box.part == part for box in boxes))

    def answered(
        self, variant: str, crossed: Sequence[str], taken_back: Sequence[str] = (), page: int = 1
    ) -> Page:
        """A page with crosses in some boxes and others filled."""
        random = np.random.default_rng(5)
        made = Page(self.pages[variant][page - 1])
        for box in self.exam.layouts[variant][page - 1]:
            if box.name in crossed:
                made.draw(straight(random, box), PENS["gel"], random)
            if box.name in taken_back:
                made.draw(filled(random, box), PENS["felt"], random)
        return made

    def box(self, variant: str, name: str) -> PlacedBox:
        """A box by its name."""
        return next(box for page in self.exam.layouts[variant] for box in page if box.name == name)


def room(folder: Path, names: Sequence[str] = ("Ada", "Bo", "Cy"), text: str = BLUEPRINT) -> Room:
    """An exam for people of these names, of this blueprint."""
    rows = "".join(f"{1000 + number},{name}\n" for number, name in enumerate(names))
    blueprint = read_blueprint(text, folder)
    roster = read_roster(f"Identifier,Name\n{rows}".encode())
    assert isinstance(blueprint, Blueprint), str(blueprint)
    assert isinstance(roster, Roster), str(roster)
    build_exam(blueprint, roster, folder, formats=("pdf",), exports=())
    return opened_room(folder)


def opened_room(folder: Path) -> Room:
    """The exam that is in a folder; spare papers come after those of students."""
    exam = read_boxes(folder)
    opened = open_exam(folder)
    assert isinstance(opened, Exam)
    files = opened.files_by_variant
    codes = {code: folder / "publish" / "papers" / f"{file}.pdf" for code, file in files.items()}
    return Room(folder, exam, {code: list(pixels(path.read_bytes())) for code, path in codes.items()})


def scan_of(page: Page, turn: int = 0, device: str = "office 150", seed: int = 3) -> Grey:
    """A page as a device sees it."""
    return scanned(page, DEVICES[device], np.random.default_rng(seed), turn)


def without_codes(grey: Grey, dpi: int = 300) -> Grey:
    """A page, upright, whose codes somebody has pasted over."""
    made, dots = grey.copy(), dpi / 25.4
    for left, top in code_corners("a4"):
        rows, columns = (
            slice(round((start - 1.5) * dots), round((start + CODE_MM + 1.5) * dots)) for start in (top, left)
        )
        made[rows, columns] = 255
    return made


def pdf(path: Path, *pages: Grey) -> Path:
    """A PDF of scans."""
    first, *others = [Image.fromarray(page) for page in pages]
    first.save(path, save_all=True, append_images=others, resolution=300)
    return path
