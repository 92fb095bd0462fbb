"""How long papers that are scanned take to build and to read, and how much memory many pages take."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pypdf
import pytest
from PIL import Image

from grader.exam.blueprint import Blueprint
from grader.exam.blueprint_file import read_blueprint
from grader.exam.roster import Roster
from grader.publishing.building import build
from grader.publishing.scan_sheet import scanned as paper_with_boxes
from grader.scanning.finding import place, seen_codes
from grader.scanning.judging import looks
from grader.scanning.page_reading import read_pages
from grader.scanning.places import PlacedBox, ScannedExam, read_boxes
from grader.tables.whose_row import Student
from tests.scanning.papers import LEAVES_31, Grey, asking, pixels
from tests.scanning.simulator import DEVICES, PENS, Page, filled_in, scanned, straight

pytestmark = pytest.mark.benchmark

DEARER = 1.4
"""How much longer a build may take whose papers are scanned."""

PAGE, MORE = 0.150, 0.001
"""Seconds for a page of 50 boxes without its decoding, and for each box more."""

PAPERS, LIMIT = 300, 90.0
"""So many papers of two pages, in so many seconds on two cores."""

GROWTH = 1.3
"""How much more memory ten times as many pages may take."""

BLUEPRINT = """
title = "Scanned"
secret = "kept in a safe place"
{scan}

[[question]]
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
[[question.part]]
kind = "pruned-paths"
points = 2
[[question.part]]
kind = "node-values"
points = 2
[[question.part]]
kind = "best-move"
points = 1

[[question]]
tree = "MIN A (MAX B (3 1 8) MAX C (9 4 6) MAX D (1 5 7))"
[[question.part]]
kind = "pruned-branches"
points = 2
[[question.part]]
kind = "node-values"
points = 2
"""


def built(folder: Path, students: int, scan: str) -> float:
    """The seconds of this processor that an exam takes to build."""
    blueprint = read_blueprint(BLUEPRINT.format(scan=scan), folder)
    assert isinstance(blueprint, Blueprint), str(blueprint)
    roster = Roster(tuple(Student(f"S{number:05d}", f"Student {number}") for number in range(students)))
    start = time.process_time()
    build(blueprint, roster, folder, formats=("pdf",), exports=())
    return time.process_time() - start


@pytest.mark.parametrize("entry", ["written", "choice", "bubbles"])
def test_boxes_make_a_build_little_dearer(tmp_path: Path, entry: str) -> None:
    """An exam whose papers are scanned takes at most 1.4 times as long to build as one without boxes."""
    scan = f'scan = true\nentry = "{entry}"'
    rounds = range(3)
    built(tmp_path / "first", 1, scan)
    without, boxed = (
        min(built(tmp_path / f"{name}-{number}", 12, head) for number in rounds)
        for name, head in (("without", ""), ("boxed", scan))
    )
    print(f"\n{entry}: {boxed / without:.2f}x, {without / 12 * 1000:.0f} ms a paper without boxes")
    assert boxed <= DEARER * without


def seconds(work: Callable[[], object]) -> float:
    """The least seconds of this processor that something takes."""
    taken = []
    for _ in range(5):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def test_a_page_is_read_quickly(tmp_path: Path) -> None:
    """A page of 50 boxes takes 150 ms, a box more 1 ms; both together less than four decodings."""
    random = np.random.default_rng(7)
    made = paper_with_boxes(asking(LEAVES_31, "pruned-paths", "pruned-branches", "best-move").public)
    printed, boxes = max(zip(pixels(made.pdf), made.layout, strict=True), key=lambda pair: len(pair[1]))
    page = Page(printed)
    filled_in(page, boxes, [box.name for box in boxes[::4]], random, straight, PENS["ballpoint"])
    grey = scanned(page, DEVICES["office"], random)
    path = tmp_path / "page.jpg"
    Image.fromarray(grey).save(path, quality=85)
    texts = {code.variant: tuple(each.text for each in made.codes) for code in made.codes}
    layout = [page if page != boxes else page[:50] for page in made.layout]
    exam = ScannedExam(made.codes[0].exam, "a4", texts, {made.codes[0].variant: tuple(layout)})

    def decoded() -> Grey:
        with Image.open(BytesIO(data)) as opened:
            return np.where(np.asarray(opened.convert("L")) > 128, 255, 0).astype(np.uint8)

    def read() -> None:
        (found,) = read_pages(exam, tmp_path, path, "digest", range(1), False)
        assert (found.fate, len(found.states)) == ("read", 50)

    data = path.read_bytes()
    placing = place(grey, seen_codes(grey), "a4")
    assert placing is not None
    more: list[PlacedBox] = [*boxes, *boxes, *boxes]
    threshold, whole = seconds(decoded), seconds(read)
    each = (seconds(lambda: looks(grey, placing, more)) - seconds(lambda: looks(grey, placing, boxes))) / (
        2 * len(boxes)
    )
    print(f"\n{whole * 1000:.0f} ms a page of 50 boxes with its decoding, {each * 1000:.2f} ms a box more,")
    print(f"{threshold * 1000:.0f} ms to decode it and to hold it against a threshold")
    assert whole - threshold <= PAGE
    assert each <= MORE
    assert whole <= 4 * threshold


def stack(folder: Path, students: int) -> list[bytes]:
    """The filled-in sheets of an exam of two pages, each as a PDF of one page."""
    built(folder, students, 'scan = true\nentry = "choice"')
    boxes = read_boxes(folder)
    assert boxes is not None
    random, sheets = np.random.default_rng(5), []
    for (code, layout), pdf in zip(
        sorted(boxes.layouts.items()), sorted((folder / "publish" / "papers").glob("*.pdf")), strict=True
    ):
        assert len(layout) == 2, code
        for printed, page_boxes in zip(pixels(pdf.read_bytes()), layout, strict=True):
            page = Page(printed)
            crossed = [box.name for box in page_boxes[:: int(random.integers(3, 6))]]
            filled_in(page, page_boxes, crossed, random, straight, PENS["ballpoint"])
            file = BytesIO()
            Image.fromarray(scanned(page, DEVICES["office"], random)).save(file, "PDF", resolution=300)
            sheets.append(file.getvalue())
    return sheets


def memory_of(process: int) -> int:
    """The bytes that a process and those it started have in memory."""
    total = 0
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        for one in (process, *map(int, children)):
            pages = int(Path(f"/proc/{one}/statm").read_text().split()[1])
            total += pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):  # it has just ended
        pass
    return total


def read_all(folder: Path, sheets: list[bytes], pages: int) -> tuple[float, float]:
    """Seconds and the largest memory, in megabytes, that `gametree scan` takes for so many pages."""
    writer = pypdf.PdfWriter()
    for number in range(pages):
        writer.append(BytesIO(sheets[number % len(sheets)]))
    scans = folder / f"scans-{pages}.pdf"
    writer.write(scans)
    command = [sys.executable, "-m", "grader", "scan", str(folder), str(scans), "--jobs", "2", "--json"]
    said = folder / f"scans-{pages}.json"  # a pipe would be full before anybody reads it
    start, largest = time.perf_counter(), 0
    with (
        said.open("w") as told,
        subprocess.Popen(command, stdout=told, stderr=subprocess.DEVNULL) as process,
    ):
        while process.poll() is None:
            largest = max(largest, memory_of(process.pid))
            time.sleep(0.05)
    found = json.loads(said.read_text(encoding="utf-8"))
    taken = time.perf_counter() - start
    assert found["fates"]["read"] + found["fates"]["twice"] == found["pages"]
    print(f"\n{pages} pages: {taken:.1f} s, {largest / 2**20:.0f} MB")
    return taken, largest / 2**20


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_a_class_is_read_in_time_and_little_memory(tmp_path: Path) -> None:
    """300 papers of two pages take 90 seconds on two cores, and 1.3 times the memory of 30 papers."""
    sheets = stack(tmp_path / "exam", 10)
    _, small = read_all(tmp_path / "exam", sheets, 2 * PAPERS // 10)
    taken, large = read_all(tmp_path / "exam", sheets, 2 * PAPERS)
    assert taken <= LIMIT
    assert large <= GROWTH * small
