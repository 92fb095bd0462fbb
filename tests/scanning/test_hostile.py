"""Files and pages that are damaged, hostile or somebody else's: each ends in a sentence, none is read."""

import json
import warnings
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from random import Random

import numpy as np
import pypdf
import pytest
import segno
from PIL import Image

from grader.exam.blueprint_file import read_blueprint
from grader.exam.paper import PublicPaper
from grader.publishing.scan_sheet import scanned_paper as paper_with_boxes
from grader.scanning import rasters as scan_rasters
from grader.scanning.codes import read_code
from grader.scanning.journal import Journal
from grader.scanning.page_location import detect_codes
from grader.scanning.page_reading import MIN_DPI, PageReading, read_pages
from grader.scanning.page_reasons import COARSE, COVERED, NO_CODE, NOT_PLACED, OTHER_BUILD, TOO_LONG
from grader.scanning.places import ScannedExam
from grader.scanning.rasters import Raster, ScanError, page_count, rasters
from grader.scanning.replies import sort_pages
from grader.trees.notation.diagnostics import Diagnostics
from tests.scanning.accidents import cover, shine_through, tape
from tests.scanning.desks import without_codes
from tests.scanning.papers import LEAVES_31, Grey, asking, pixels
from tests.scanning.simulator import PENS, Page, filled_in, straight


def pdf_of(path: Path, *pages: Grey) -> Path:
    """A PDF with these pages."""
    first, *others = [Image.fromarray(page) for page in pages]
    first.save(path, save_all=True, append_images=others, resolution=200)
    return path


def test_damaged_files_end_in_a_sentence(tmp_path: Path) -> None:
    """What is no PDF and no picture, or has a password, is refused with its reason."""
    whole = pdf_of(tmp_path / "whole.pdf", np.full((2200, 1700), 255, np.uint8)).read_bytes()
    locked = pypdf.PdfWriter(clone_from=tmp_path / "whole.pdf")
    locked.encrypt("secret")
    locked.write(tmp_path / "locked.pdf")
    (tmp_path / "empty.pdf").write_bytes(b"")
    (tmp_path / "cut.pdf").write_bytes(whole[: len(whole) // 3])
    (tmp_path / "text.pdf").write_bytes(b"%PDF-1.7\nnothing more")
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    (tmp_path / "reply.txt").write_text("5 6 9")
    for name in ("locked.pdf", "empty.pdf", "text.pdf", "broken.png", "reply.txt"):
        with pytest.raises(ScanError) as raised:
            page_count(tmp_path / name)
        assert len(str(raised.value)) > 10
    with pytest.raises(ScanError, match="password"):
        page_count(tmp_path / "locked.pdf")


def _damaged_at_random(whole: bytes, random: Random) -> bytes:
    """A file in which some bytes are others, most of them at its beginning or its end."""
    changed = bytearray(whole)
    for _ in range(random.randint(1, 6)):
        near = random.randrange(400)
        place = random.choice((near, len(whole) - 1 - near, random.randrange(len(whole))))
        changed[place] = random.choice((0, 127, 128, 255, random.randrange(256)))
    return bytes(changed)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".tif", ".webp", ".bmp"])
def test_pictures_with_other_bytes_end_in_a_sentence(tmp_path: Path, suffix: str) -> None:
    """Wherever a picture is damaged, it is read or refused, with all of its pages."""
    whole, path, random = tmp_path / f"whole{suffix}", tmp_path / f"damaged{suffix}", Random(suffix)
    page = Image.effect_noise((400, 400), 60)
    page.save(whole, **({"save_all": True, "append_images": [page]} if suffix == ".tif" else {}))
    for _ in range(150):
        path.write_bytes(_damaged_at_random(whole.read_bytes(), random))
        with suppress(ScanError):
            list(rasters(path, range(min(3, page_count(path)))))


@pytest.mark.parametrize(("width", "height"), [(1, 1), (20_000, 5), (20_000, 9_000)])
def test_pictures_of_odd_sizes_end_in_a_sentence(tmp_path: Path, width: int, height: int) -> None:
    """A picture of one pixel and one of 400 million are told apart from a page before they are opened."""
    path = tmp_path / "odd.png"
    Image.new("1", (width, height)).save(path)
    try:
        (found,) = rasters(path, range(page_count(path)))
    except ScanError as error:
        found = error
    assert isinstance(found, ScanError)


def test_an_open_picture_leaves_the_faults_and_warnings_of_others_alone(tmp_path: Path) -> None:
    """Only what Pillow raises is damage, and between two frames the process warns as before."""
    path, filters = tmp_path / "page.png", warnings.filters[:]
    Image.new("L", (400, 400), 255).save(path)
    frames = rasters(path, range(2))
    assert isinstance(next(frames), Raster)
    assert warnings.filters == filters
    assert isinstance(next(frames), ScanError)
    assert warnings.filters == filters
    with pytest.raises(OSError, match="No space left"), scan_rasters._picture(path):
        raise OSError("No space left on device")


def test_huge_pages_are_drawn_small(tmp_path: Path) -> None:
    """A PDF page of two metres is not drawn as large as it says."""
    writer = pypdf.PdfWriter()
    writer.add_blank_page(width=7_000, height=7_000)
    writer.add_blank_page(width=14_000_000, height=14_000_000)
    writer.write(tmp_path / "huge.pdf")
    first, second = rasters(tmp_path / "huge.pdf", range(2))
    assert isinstance(first, Raster)
    assert first.grey.size <= 81_000_000
    assert isinstance(second, ScanError) or second.grey.size <= 81_000_000


PAPER = asking(LEAVES_31, "pruned-paths").public


sheet_of = cache(paper_with_boxes)
"""The printed sheet of a paper."""


def scanned_exam() -> tuple[ScannedExam, list[Grey]]:
    """An exam of one variant and its pages."""
    made = sheet_of(PAPER)
    texts = {PAPER.code: tuple(code.text for code in made.codes)}
    return ScannedExam(made.codes[0].exam, "a4", texts, {PAPER.code: made.layout}), list(
        pixels(made.pdf, 200)
    )


def code_in(page: Grey, text: str, left: int, top: int) -> Grey:
    """The page with one more code on it."""
    made = page.copy()
    drawn = np.array([list(row) for row in segno.make(text, micro=False).matrix_iter(scale=4, border=4)])
    made[top : top + drawn.shape[0], left : left + drawn.shape[1]] = np.where(drawn, 0, 255)
    return made


def read_one(tmp_path: Path, page: Grey) -> PageReading:
    """What is read of one page."""
    exam, _ = scanned_exam()
    path = tmp_path / "page.png"
    Image.fromarray(page).save(path)
    (found,) = read_pages(exam, tmp_path, path, "digest", range(1), False)
    return found


MARKUP = "<script>alert(1)</script>"
STRANGE: dict[str, Callable[[Grey], Grey]] = {
    "foreign": lambda page: code_in(np.full_like(page, 255), MARKUP, 300, 300),
    "long": lambda page: code_in(np.full_like(page, 255), "GT1:" + "A" * 1_000, 300, 300),
    "covered": lambda page: code_in(without_codes(page, 200), MARKUP, 700, 1500),
    "two": lambda page: code_in(page, f"GT1:{'A' * 4}:B:1:1:{'C' * 4}", 700, 1500),
    "uncoded": lambda page: np.where(np.indices(page.shape)[0] % 50 < 25, page, 255).astype(np.uint8),
}


@pytest.mark.parametrize(
    ("name", "fate"),
    [
        ("foreign", "foreign"),
        ("long", "foreign"),
        ("two", "person"),
        ("uncoded", "person"),
        ("covered", "person"),
    ],
)
def test_strange_codes_are_not_read(tmp_path: Path, name: str, fate: str) -> None:
    """Codes with markup, of great length, of two papers on one page, or torn ones: nothing is read."""
    _, pages = scanned_exam()
    found = read_one(tmp_path, STRANGE[name](pages[0]))
    assert (found.fate, found.states) == (fate, {})
    assert found.why
    assert MARKUP not in json.dumps(asdict(found))


OTHER_PAPER: dict[str, Callable[[Grey, int], Grey]] = {
    "shrunk": lambda page, down: np.asarray(Image.fromarray(page).resize((1_551, down - 14))),
    "cut": lambda page, down: page[(len(page) - down) // 2 :][:down],
    "cut by the printer": lambda page, down: np.pad(OTHER_PAPER["cut"](page, down)[34:-34, 34:-34], 34),
}
"""How a page of A4 comes out on Letter, which is `down` pixels long: shrunk, or without its ends."""


@pytest.mark.parametrize("way", OTHER_PAPER)
def test_pages_on_other_paper_are_read_rightly_or_not_at_all(tmp_path: Path, way: str) -> None:
    """An exam for A4 that is printed on Letter is read as it is, or a person gets what is cut off."""
    exam, pages = scanned_exam()
    random = np.random.default_rng(5)
    (boxes,) = (page for page in exam.layouts[PAPER.code] if page)
    fine = Page(np.asarray(Image.fromarray(pages[0]).resize((2_480, 3_508))))
    crossed = {box.name for box in boxes[::3] if not box.is_written}
    truth = filled_in(fine, boxes, sorted(crossed), random, straight, PENS["ballpoint"], mishaps=0)
    upright = np.asarray(Image.fromarray(fine.ink.astype(np.uint8)).resize(pages[0].shape[::-1]))
    found = read_one(tmp_path, OTHER_PAPER[way](upright, 2_200))
    if found.fate == "person":
        assert found.why in (NOT_PLACED, NO_CODE)
        assert way != "shrunk"
    else:
        plain = {name: state for name, state in found.states.items() if state in ("empty", "crossed")}
        assert len(plain) > 0.8 * len(truth)
        assert plain == {name: truth[name] for name in plain}


@cache
def printed(paper: PublicPaper) -> np.ndarray:
    """The ink of a paper at 300 dots an inch."""
    return Page(next(pixels(sheet_of(paper).pdf))).ink


def fine(paper: PublicPaper = PAPER) -> Page:
    """The page of a paper at 300 dots an inch, to write on."""
    return Page(printed(paper))


OTHER = replace(PAPER, code="XW2T4H")
"""The paper of somebody else."""


@pytest.mark.parametrize("share", [0.04, 0.06, 0.065, 0.07, 0.08, 0.12])
@pytest.mark.parametrize("side", ["foot", "side"])
def test_a_covered_page_is_not_read(tmp_path: Path, side: str, share: float) -> None:
    """A page with the next sheet over its foot or side is read where it is bare, or not at all."""
    random = np.random.default_rng(3)
    page, upper = fine(), fine(OTHER)
    exam, _ = scanned_exam()
    boxes = exam.crossable(PAPER.code, 1)
    truth = filled_in(page, boxes, [box.name for box in boxes[::3]], random, straight, PENS["gel"], 0)
    filled_in(upper, boxes, [box.name for box in boxes[::2]], random, straight, PENS["gel"], 0)
    cover(page, upper, random, side, share)
    found = read_one(tmp_path, page.ink.astype(np.uint8))
    assert found.fate in ("read", "person")
    decided = {name: state for name, state in found.states.items() if state in ("empty", "crossed")}
    assert decided == {name: truth[name] for name in decided}


def test_frames_under_a_second_sheet_are_missed(tmp_path: Path) -> None:
    """Where discs of the sheet above are taken for those below, the frames tell that the page is covered."""
    page, upper = fine(), fine(OTHER)
    edge = round(len(page.ink) * 0.942)  # above it is the page, below the discs of the next, but not its code
    page.ink[edge:] = upper.ink[: len(page.ink) - edge]
    found = read_one(tmp_path, page.ink.astype(np.uint8))
    assert (found.fate, found.why, found.states) == ("person", COVERED, {})


def test_tape_hides_single_boxes(tmp_path: Path) -> None:
    """Strips of tape over some boxes are asked, and the rest of the page is read."""
    random, page = np.random.default_rng(3), fine()
    boxes = scanned_exam()[0].crossable(PAPER.code, 1)
    for box in boxes[::6]:
        tape(page, box, random)
    found = read_one(tmp_path, page.ink.astype(np.uint8))
    assert {found.states[box.name] for box in boxes[::6]} == {"doubtful"}
    assert Counter(found.states.values())["empty"] > 0.7 * len(boxes)


def test_a_back_that_shines_through_is_ignored(tmp_path: Path) -> None:
    """The code of the back is seen through thin paper, and the page is read as what its front says."""
    page, back = fine(), fine(OTHER)
    shine_through(page, back, np.random.default_rng(3), 0.35)
    grey = page.ink.astype(np.uint8)
    codes = {code.text for code in detect_codes(grey)}
    assert len(codes) == 2 or version("zxing-cpp").startswith("2.")  # which finds no mirrored code
    found = read_one(tmp_path, grey)
    assert (found.fate, found.variant) == ("read", PAPER.code)


def test_a_reason_says_the_limit_that_holds() -> None:
    """Whoever scans too coarsely is told the least resolution."""
    assert f"fewer than {MIN_DPI} dots" in COARSE


def test_codes_are_read_by_their_grammar() -> None:
    """Whatever a code says that this program does not write, it is none of ours."""
    good = sheet_of(PAPER).codes[0]
    assert read_code(good.text) == good
    for text in ("", MARKUP, good.text + "X", good.text.lower(), good.text + "\n", "GT1:٣٣٣٣:B:1:1:CCCC"):
        assert read_code(text) is None


def test_the_same_page_of_another_build_is_foreign(tmp_path: Path) -> None:
    """A sheet that was printed before the exam was built again is listed and not read."""
    exam, pages = scanned_exam()
    other = replace(exam, codes={PAPER.code: tuple(text[:-1] + "_" for text in exam.codes[PAPER.code])})
    path = tmp_path / "page.png"
    Image.fromarray(pages[0]).save(path)
    (found,) = read_pages(other, tmp_path, path, "digest", range(1), False)
    assert found.fate == "foreign"
    assert found.why == OTHER_BUILD


def test_a_photocopy_with_other_crosses_is_for_a_person() -> None:
    """A page that comes again with other crosses is never added to the first, nor put in its place."""
    one = PageReading(
        "a.pdf", "a", 1, "read", variant="K7QM3D", page=1, states={"1.0.0": "crossed", "1.0.1": "empty"}
    )
    from dataclasses import replace

    other = replace(one, number=2, states={"1.0.0": "crossed", "1.0.1": "crossed"})
    pages, read = sort_pages([one, other])
    assert [page.fate for page in pages] == ["read", "person"]
    assert read["K7QM3D", 1].states == {"1.0.0": "crossed", "1.0.1": "differing"}
    pages, read = sort_pages([one, replace(one, number=2)])
    assert [page.fate for page in pages] == ["read", "twice"]
    assert read["K7QM3D", 1].states == one.states


def test_a_journal_that_broke_off_goes_on(tmp_path: Path) -> None:
    """What was noted before a kill in the middle of a line is there, and what is noted after it."""
    journal = Journal.of(tmp_path, scanned_exam()[0])
    first = PageReading("a.pdf", "a", 1, "blank", "nothing is on it")
    journal.append_pages([first])
    with (journal.folder / "pages.jsonl").open("ab") as file:
        file.write(b'{"file":"a.pdf","dig')
    second = PageReading("a.pdf", "a", 2, "blank", "nothing is on it")
    journal.append_pages([second])
    assert journal.scanned_pages() == journal.pages() == [first, second]
    journal.decide([(("K7QM3D", 1, "1.0.0"), "crossed")])
    journal.decide([(("K7QM3D", 1, "1.0.1"), "empty")])
    journal.decide([(("K7QM3D", 1, "1.0.0"), None)])
    assert journal.decisions() == {("K7QM3D", 1, "1.0.1"): "empty"}


def test_forms_are_not_scanned() -> None:
    """Papers that several students share are not told apart by their codes: such a blueprint is refused."""
    head = 'title = "Quiz"\nsecret = "kept in a safe"\nscan = true\nforms = 2\n'
    text = f'{head}[[question]]\nkind = "best-move"\n'
    found = read_blueprint(text, Path())
    assert isinstance(found, Diagnostics)
    assert [fault.code for fault in found] == ["exam-scan"]


def endless_pdf(path: Path, operations: int) -> None:
    """Write a PDF with one page that draws so many curves, in few bytes."""
    curves = zlib.compress(b"0 0 m 1 900 900 1 500 500 c S\n" * operations, 9)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>",
        b"<< /Filter /FlateDecode /Length %d >>\nstream\n%b\nendstream" % (len(curves), curves),
    ]
    parts = [b"%PDF-1.4\n"]
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(sum(map(len, parts)))
        parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, body))
    start = sum(map(len, parts))
    entries = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    parts.append(b"xref\n0 5\n0000000000 65535 f \n" + entries)
    parts.append(b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start)
    path.write_bytes(b"".join(parts))


def test_a_page_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small page of a million drawing operations is given up, with a sentence, and the next one is read."""
    endless_pdf(tmp_path / "endless.pdf", 1_000_000)
    endless_pdf(tmp_path / "short.pdf", 10)
    assert (tmp_path / "endless.pdf").stat().st_size < 200_000
    monkeypatch.setattr(scan_rasters._RENDERER, "_seconds", 1.0)
    (given_up,) = rasters(tmp_path / "endless.pdf", range(1))
    assert str(given_up) == TOO_LONG
    monkeypatch.setattr(scan_rasters._RENDERER, "_seconds", 60.0)
    (read,) = rasters(tmp_path / "short.pdf", range(1))
    assert isinstance(read, Raster)
