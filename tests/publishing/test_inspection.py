"""What students see of their scans: the piece beside the reply, and pages with signs and corrections."""

import base64
import re
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from shutil import rmtree

import numpy as np
import pypdf
import pytest
from PIL import Image

from grader.answers.form import ItemVerdict
from grader.exercises.marking import Marker
from grader.publishing.inspection import box_verdicts
from tests.cli.running import gametree
from tests.publishing.browsing import axe
from tests.scanning.desks import Room, pdf, room, scan_of
from tests.scanning.papers import asking
from tests.web.driving import Browser

THREE = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """Three students: one paper scanned whole, one of which a page is missing, one that never came."""
    folder = tmp_path_factory.mktemp("inspection")
    built = room(folder / "exam", ("Ada", "<b>Bo</b>", "Cy"))
    first, second, _ = built.codes
    pages = [
        built.answered(first, ["1a.0.4", "1a.0.6", "1b.0.1"]),
        built.answered(first, [], page=2),
        built.answered(second, ["1a.0.4", "1a.0.5", "1b.0.0"]),
    ]
    path = pdf(folder / "scans.pdf", *(scan_of(page, number) for number, page in enumerate(pages)))
    written = [f"{first}/2.0=7.5", f"{first}/2.1=7.5", f"{first}/2.2=empty"]
    decided = [word for each in written for word in ("--decide", each)]
    assert gametree("scan", str(built.folder), str(path), *decided).code == 0
    gametree("grade", str(built.folder), "--executor", "here")
    return built


@pytest.mark.parametrize(
    ("kind", "scan", "reply", "signs"),
    [
        ("pruned-paths", "written", "5 7", {"1.0.4": "right", "1.0.5": "missing", "1.0.6": "extra"}),
        ("pruned-paths", "written", "5 6", {"1.0.4": "right", "1.0.5": "right"}),
        ("pruned-branches", "written", "5", {"1.0.7": "right", "1.0.8": "missing"}),
        ("best-move", "written", "C", {"1.0.0": "missing", "1.0.1": "wrong"}),
        ("root-value", "choice", "4", {"1.0.1": "missing", "1.0.2": "wrong"}),
        ("node-values", "choice", "A=3 B=8",
         {"1.0.1": "right", "1.1.1": "missing", "1.1.5": "wrong", "1.2.0": "missing", "1.3.0": "missing"}),
        ("node-values", "written", "A=3 B=8",
         {"1.0.1": "right", "1.1.1": "wrong", "1.2.1": "missing", "1.3.1": "missing"}),
        ("windows", "written", "B [-inf, inf] 3", {"1.0.0": "missing", "1.1.0": "right", "1.2.0": "missing",
                                                   "1.3.0": "missing"}),
        ("visited-count", "written", "6", {"1.0.0": "wrong"}),
    ],
)  # fmt: skip
def test_signs_stand_at_the_boxes_of_what_was_said(
    kind: str, scan: str, reply: str, signs: Mapping[str, ItemVerdict]
) -> None:
    """Every item of a mark has its sign at its box: at leaves, on branches, in rows and where one writes."""
    paper = asking(THREE, kind, scan=scan)  # type: ignore[arg-type]  # they are of the few there are
    mark = Marker(paper.questions[0].parts[0]).mark(reply)
    assert dict(box_verdicts(paper.public, {"1": mark.items})) == signs


def test_any_number_of_jobs_gives_the_same_scans(marked: Room, tmp_path: Path) -> None:
    """Two processes annotate scans as one does, and write the same pieces of scans on feedback pages."""
    place, found = marked.folder / "grades" / "inspection", []
    for jobs in ("1", "2"):
        assert gametree("scan", str(marked.folder), "--annotate", "--jobs", jobs).code == 0
        pages = tmp_path / jobs
        assert gametree("gradebook", "feedback", str(marked.folder), "-o", str(pages), "-j", jobs).code == 0
        written = [*place.iterdir(), *pages.iterdir()]
        found.append({path.name: path.read_bytes() for path in written})
        rmtree(place)
    assert found[0] == found[1]
    assert {Path(name).suffix for name in found[0]} == {".pdf", ".html", ".md"}


def test_annotated_scans_have_points_and_corrections(marked: Room) -> None:
    """Who was scanned has a PDF with each page, the points and the right answers; nobody else has one."""
    ran = gametree("scan", str(marked.folder), "--annotate")
    assert (ran.code, "2 students: marked scans" in ran.err) == (0, True)
    found = {path.name[:3]: pypdf.PdfReader(path) for path in (marked.folder / "grades/inspection").iterdir()}
    assert {name: len(each.pages) for name, each in found.items()} == {"ada": 2, "b-b": 1}
    first = " ".join(found["ada"].pages[0].extract_text().split())
    assert "1a: 0 of 4" in first
    assert "The answer: 5 6" in first
    assert "2: " not in first
    other = " ".join(found["b-b"].pages[0].extract_text().split())
    assert "1a: 4 of 4" in other
    assert "<b>Bo</b>" in other
    assert "The answer" not in other
    assert all(len(page.images) == 1 for each in found.values() for page in each.pages)


def test_feedback_shows_what_was_read_and_where(marked: Room) -> None:
    """Beside every reply that was scanned stands the piece of the page it was read from, and of no other."""
    gametree("gradebook", "feedback", str(marked.folder), "--format", "html", "--format", "pdf")
    pages = {path.name[:3]: path.read_text(encoding="utf-8")
             for path in (marked.folder / "grades/feedback").glob("*.html")}  # fmt: skip
    crops = {name: re.findall(r'base64,([\w+/=]+)" alt="Your answer', text) for name, text in pages.items()}
    assert {name: len(each) for name, each in crops.items()} == {"ada": 3, "b-b": 2, "cy-": 0}
    assert pages["ada"].count("Read from your paper:") == 3
    assert "img-src data:;" in pages["ada"]
    piece = np.array(Image.open(BytesIO(base64.b64decode(crops["ada"][1]))))
    box, left = marked.box(marked.codes[0], "1b.0.1"), 18.0
    top = min(each.y for each in marked.exam.layouts[marked.codes[0]][0] if each.part == "1b") - 11.0
    inside = piece[round((box.y - top + 1) * 4) : round((box.y - top + 3) * 4)]
    assert inside[:, round((box.x - left + 1) * 4) : round((box.x - left + 3) * 4)].mean() < 150
    (printed,) = (marked.folder / "grades/feedback").glob("ada*.pdf")
    assert sum(len(page.images) for page in pypdf.PdfReader(printed).pages) == 3


def test_axe_finds_nothing_on_feedback_with_scans(marked: Room, chromium: Browser, tmp_path: Path) -> None:
    """Feedback with pieces of scans violates no rule of axe."""
    gametree(
        "gradebook", "feedback", str(marked.folder), "--release", "--format", "html", "-o", str(tmp_path)
    )
    (page,) = tmp_path.glob("ada*.html")
    assert axe(chromium, page.read_text(encoding="utf-8"))["violations"] == []


DEEP = """
title = "Marked"
secret = "kept in a safe place"
scan = true

[[question]]
tree = "MAX A (MIN B (MAX E (3 12) MAX F (8 2)) MIN C (MAX G (2 1) MAX H (4 6)))"
kind = "pruned-branches"
points = 4
"""


def test_a_superfluous_cross_has_a_sign(tmp_path: Path) -> None:
    """Below a branch that is crossed another cross says nothing new: it has a sign of its own, and a note."""
    built = room(tmp_path / "exam", ("Ada", "Bo"), DEEP)
    first, second = built.codes
    pages = [built.answered(first, ["1.0.5", "1.0.12"]), built.answered(second, ["1.0.5"])]
    gametree("scan", str(built.folder), str(pdf(tmp_path / "scans.pdf", *map(scan_of, pages))))
    gametree("grade", str(built.folder), "--executor", "here")
    gametree("scan", str(built.folder), "--annotate")
    notes = {
        path.name[:3]: " ".join(pypdf.PdfReader(path).pages[0].extract_text().split())
        for path in (built.folder / "grades/inspection").iterdir()
    }
    assert {name: "This cross is redundant." in text for name, text in notes.items()} == {
        "ada": True,
        "bo-": False,
    }
    assert all("4 of 4" in text for text in notes.values())


def student_of_moodle(name: str) -> int | None:
    """The participant to whom Moodle gives a file, by the rules of `assignfeedback_file_zip_importer`."""
    for piece in name.split("/"):
        parts = piece.split("_", 4)
        if len(parts) == 5 and parts[1].isdigit() and parts[2:4] == ["assignsubmission", "file"]:
            return int(parts[1])
    return None


@pytest.mark.parametrize("word", ["Participant ", "Teilnehmer/in"])
def test_moodle_takes_marked_papers(marked: Room, tmp_path: Path, word: str) -> None:
    """Each paper in the zip goes to its student in Moodle, and it is said who is missing on either side."""
    worksheet = tmp_path / "worksheet.csv"
    rows = [f"{word}4711,Ada,1000,", f"{word}4713,Somebody,77,"]
    worksheet.write_text("\ufeffIdentifier,Full name,ID number,Grade\n" + "\n".join(rows), encoding="utf-8")
    ran = gametree("scan", str(marked.folder), "--annotate", "--moodle", str(worksheet))
    assert ran.code == 0
    assert "1 student in" in ran.err
    assert "Not in the worksheet: <b>Bo</b>" in ran.err
    assert "Not in the class list: 77" in ran.err
    with zipfile.ZipFile(marked.folder / "grades/inspection/moodle.zip") as packed:
        (name,) = packed.namelist()
        (paper,) = (marked.folder / "grades/inspection").glob("ada-*.pdf")
        assert student_of_moodle(name) == 4711
        assert packed.read(name) == paper.read_bytes()
    (marked.folder / "grades/inspection/moodle.zip").unlink()
    worksheet.write_text("Full name,ID number\nAda,1000\n", encoding="utf-8")
    assert gametree("scan", str(marked.folder), "--annotate", "--moodle", str(worksheet)).code == 2
