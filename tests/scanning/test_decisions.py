"""What people decide of scans: it stays, it can be taken back, and it is about one exam, page and box."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import segno

from grader.cli.shared.exam_folders import GRADEBOOK_FILE
from grader.grading.exam_keys import read_exam_keys
from grader.grading.gradebook_store import Gradebook
from grader.grading.results import results
from grader.publishing.scan_sheet import codes_and_boxes
from grader.scanning.journal import Journal
from grader.scanning.page_reading import PageReading
from grader.scanning.places import ScannedExam
from grader.scanning.replies import PagesByNumber, paper_replies, sort_pages
from grader.scanning.scan_decisions import ScanDecisionError, decide
from tests.cli.running import gametree
from tests.scanning.desks import Room, pdf, room, scan_of, without_codes
from tests.scanning.papers import asking
from tests.scanning.simulator import Page


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """An exam for three people, of whom nobody has handed anything in."""
    return room(tmp_path_factory.mktemp("room") / "exam")


@pytest.fixture
def desk(built: Room, tmp_path: Path) -> Room:
    """The same, of which nothing was scanned."""
    return replace(built, folder=Path(shutil.copytree(built.folder, tmp_path / "exam")))


def uncoded(desk: Room, variant: str, crossed: list[str]) -> Page:
    """The first page of a variant with crosses, and without its codes."""
    return Page(without_codes(desk.answered(variant, crossed).ink.astype(np.uint8)))


def scan(desk: Room, *arguments: str) -> dict[str, object]:
    """What `gametree scan --json` says."""
    ran = gametree("scan", str(desk.folder), *arguments, "--json")
    assert ran.code in (0, 1), ran.err
    said: dict[str, object] = json.loads(ran.out)
    return said


def states(desk: Room) -> dict[tuple[str, str], tuple[str, str]]:
    """State and message of every student and part."""
    with Gradebook.open(desk.folder / GRADEBOOK_FILE) as book:
        return {
            (each.student.name, one.question): (one.state_label, one.message)
            for each in results(book, read_exam_keys(desk.folder))
            for one in each.standings
        }


def test_a_page_without_code_is_read_when_it_is_named(desk: Room, tmp_path: Path) -> None:
    """Turned anyhow, from an office scanner or a phone, a named page is placed by its discs and read."""
    own = desk.codes[0]
    page = uncoded(desk, own, ["1a.0.4", "1b.0.1"])
    scans = [scan_of(page, turn, ("office 150", "phone")[turn % 2]) for turn in range(4)]
    scan(desk, str(pdf(tmp_path / "scans.pdf", *scans)))
    journal = desk.journal
    assert [(each.fate, each.variant) for each in journal.pages()] == [("person", "")] * 4
    for number in range(1, 5):
        decide(journal, desk.exam, f"scans.pdf/{number}={own}/1")
    for each in journal.pages():
        assert (each.fate, each.variant, each.page, each.by_hand) == ("read", own, 1, False)
        assert [name for name, state in each.states.items() if state != "empty"] == ["1a.0.4", "1b.0.1"]
    pages, _ = sort_pages(journal.pages())
    assert [each.fate for each in pages] == ["read", "twice", "twice", "twice"]


def test_a_page_that_cannot_be_placed_is_typed(desk: Room, tmp_path: Path) -> None:
    """Without code and discs a person types the text of each group of boxes, for its first box alone."""
    own = desk.codes[0]
    grey = without_codes(desk.answered(own, ["1a.0.4"]).ink.astype(np.uint8))
    grey[-300:] = grey[:300] = 255
    path = pdf(tmp_path / "scans.pdf", grey)
    said = scan(desk, str(path), "--decide", f"scans.pdf/1={own}/1")
    (paper,) = said["papers"]  # type: ignore[misc]  # it is JSON
    assert [one["why"] for one in paper["open"]] == ["its page could not be read"] * 2
    for text in ("1a.0.0=crossed", "1a.0.1=crossed", "1a.0.1=5 6"):
        refused = gametree("scan", str(desk.folder), "--decide", f"{own}/{text}")
        assert (refused.code, f"Write {own}/1a.0.0=..." in refused.err) == (2, True)
    done = scan(desk, "--decide", f"{own}/1a.0.0=5 6", "--decide", f"{own}/1b.0.0=B")
    (paper,) = done["papers"]  # type: ignore[misc]  # it is JSON
    assert (paper["replies"], paper["open"]) == ({"1a": "5 6", "1b": "B"}, [])


def test_a_page_with_a_strange_code_is_named_or_put_aside(desk: Room, tmp_path: Path) -> None:
    """Of a page with a sticker that has its own code a person says which it is, or that it is foreign."""
    own = desk.codes[0]
    sticker = np.array([list(row) for row in segno.make("LIBRARY 4711").matrix_iter(scale=9, border=4)])
    page = uncoded(desk, own, ["1a.0.4", "1b.0.1"])
    page.ink[2_600 : 2_600 + len(sticker), 900 : 900 + len(sticker)] = np.where(sticker, 0, 255)
    scan(desk, str(pdf(tmp_path / "scans.pdf", scan_of(page), scan_of(page, seed=4))))
    journal = desk.journal
    for number, says in ((1, f"{own}/1"), (2, "aside")):
        decide(journal, desk.exam, f"scans.pdf/{number}={says}")
    named, other = journal.pages()
    assert [state for state in named.states.values() if state != "empty"] == ["crossed"] * 2
    assert (named.fate, named.variant, named.page, other.fate) == ("read", own, 1, "foreign")


def test_a_page_is_not_read_as_another_one(desk: Room, tmp_path: Path) -> None:
    """What is named as a page whose boxes are elsewhere is not read by these."""
    own = desk.codes[0]
    scan(desk, str(pdf(tmp_path / "scans.pdf", scan_of(uncoded(desk, own, ["1a.0.4"])))))
    moved = tuple(box._replace(x=box.x + 7, y=box.y + 9) for box in desk.exam.layouts[own][0])
    other = replace(desk.exam, layouts={own: (moved, desk.exam.layouts[own][1])})
    decide(desk.journal, other, f"scans.pdf/1={own}/1")
    (page,) = desk.journal.pages()
    assert (page.by_hand, page.states) == (True, {})


def test_pages_are_put_aside_and_taken_up_again(desk: Room, tmp_path: Path) -> None:
    """A page that nobody needs is foreign when a person says so, and open again when that is taken back."""
    scan(desk, str(pdf(tmp_path / "odd=1.pdf", scan_of(uncoded(desk, desk.codes[0], [])))))
    journal = desk.journal
    decide(journal, desk.exam, "odd=1.pdf/1=aside")
    assert journal.pages()[0].fate == "foreign"
    decide(journal, desk.exam, "odd=1.pdf/1=")
    assert journal.pages() == journal.scanned_pages()


@pytest.mark.parametrize(
    "said",
    ["", "=", "nobody/1a.0.4=crossed", "{own}/1a.0.4=perhaps", "{own}/1a.0.99=empty", "{own}/page-9=empty",
     "{own}/page-1=crossed", "scans.pdf/1={own}/9", "scans.pdf/1={own}", "scans.pdf/2={own}/1",
     "scans.pdf/1=<script>", "{own}/1a.0.4"],
)  # fmt: skip
def test_what_decides_nothing_is_refused(desk: Room, said: str) -> None:
    """A decision about what is not there, or that is none, is refused, and nothing of it is noted."""
    own, journal = desk.codes[0], desk.journal
    journal.append_pages(
        [PageReading("scans.pdf", "d", 1, "person"), PageReading("scans.pdf", "d", 2, "blank")]
    )
    with pytest.raises(ScanDecisionError):
        decide(journal, desk.exam, said.format(own=own))
    assert not (journal.folder / "decisions.jsonl").exists()


def test_decisions_hang_on_their_exam(desk: Room) -> None:
    """What was decided of another exam is not heard, though variant, page and box are called the same."""
    own, journal = desk.codes[0], desk.journal
    decide(journal, desk.exam, f"{own}/1a.0.4=crossed")
    other = Journal.of(desk.folder, replace(desk.exam, exam="AAAA"))
    assert other.decisions() == {}
    assert other.undo() == ()
    other.decide([((own, 1, "1a.0.4"), "empty")])
    assert journal.decisions() == {(own, 1, "1a.0.4"): "crossed"}
    lines = (journal.folder / "decisions.jsonl").read_text(encoding="utf-8").splitlines()
    assert [set(json.loads(line)) for line in lines] == [
        {"schema", "program", "exam", "variant", "page", "box", "says"}
    ] * 2


def test_decisions_are_taken_back_one_by_one(desk: Room) -> None:
    """Undo restores what was decided before, as often as there is something, and only appends."""
    own, journal = desk.codes[0], desk.journal
    page = PageReading("a.pdf", "d", 1, "person")
    journal.append_pages([page])
    journal.decide([((own, 1, "1a.0.4"), "crossed")])
    journal.decide([((own, 1, "1a.0.4"), "empty")])
    journal.name_page(page, replace(page, fate="foreign"))
    size = (journal.folder / "decisions.jsonl").stat().st_size
    assert journal.undo() == (("d", 1, ""),)
    assert journal.pages() == [page]
    assert journal.undo() == ((own, 1, "1a.0.4"),)
    assert journal.decisions() == {(own, 1, "1a.0.4"): "crossed"}
    journal.decide([((own, 1, "1a.0.5"), "empty")])
    assert journal.undo() == ((own, 1, "1a.0.5"),)
    assert journal.undo() == ((own, 1, "1a.0.4"),)
    assert journal.undo() == ()
    assert journal.decisions() == {}
    assert (journal.folder / "decisions.jsonl").stat().st_size > size


def test_damaged_decisions_are_passed_over(desk: Room) -> None:
    """Lines that are no decision, or broke off, change nothing."""
    journal = desk.journal
    path = journal.folder / "decisions.jsonl"
    lines = [
        "[]",
        '{"exam":1}',
        '{"exam":"%s"}',
        '{"exam":"%s","variant":[],"page":1,"box":"1","says":"x"}',
        '{"exam":"%s","file":"d","number":1,"named":{"fate":"read"}}',
        '{"exam":"%s","undo":true}',
        "{",
    ]
    path.write_text("\n".join(line.replace("%s", desk.exam.exam) for line in lines), encoding="utf-8")
    assert (journal.decisions(), journal.undo()) == ({}, ())
    journal.decide([(("V", 1, "1.0.0"), "empty")])
    assert journal.decisions() == {("V", 1, "1.0.0"): "empty"}


def test_missing_and_waiting_are_two_things(desk: Room, tmp_path: Path) -> None:
    """A page that was not scanned leaves its parts MISSING, a box to decide keeps its part for a person."""
    first, second, _ = desk.codes
    pages = [
        desk.answered(first, ["1a.0.4", "1b.0.0"], ["1a.0.6"]),
        desk.answered(second, ["1a.0.4", "1b.0.0"]),
    ]
    scans = str(pdf(tmp_path / "scans.pdf", *map(scan_of, pages)))
    assert scan(desk, scans)["taken"] == 2
    told = gametree("grade", str(desk.folder), "--executor", "here")
    assert "1 reply waits for a person to look at the scan" in told.out
    found = states(desk)
    assert found["Ada", "1a"] == (
        "AMBIGUOUS",
        "a person has to look at the scan: it is filled, on page 1",
    )
    assert found["Ada", "1b"][0] == found["Bo", "1a"][0] == found["Bo", "1b"][0] == "GRADED"
    assert {found[who, "2"][0] for who in ("Ada", "Bo", "Cy")} == {"MISSING"}
    assert {found["Cy", part][0] for part in ("1a", "1b")} == {"MISSING"}
    scan(desk, "--decide", f"{first}/1a.0.6=empty")
    told = gametree("grade", str(desk.folder), "--executor", "here")
    assert "wait" not in told.out
    assert states(desk)["Ada", "1a"][0] == "GRADED"
    scan(desk, "--decide", f"{first}/1a.0.6=")
    gametree("grade", str(desk.folder), "--executor", "here")
    assert states(desk)["Ada", "1a"][0] == "AMBIGUOUS"


def test_a_typed_reply_stands_while_a_box_waits(desk: Room, tmp_path: Path) -> None:
    """Whoever types a reply in place of deciding a box is heard; a blank cell decides nothing."""
    own = desk.codes[0]
    table = tmp_path / "typed.csv"
    table.write_text("Identifier,1a,1b\n1000,,B\n", encoding="utf-8")
    gametree("grade", str(desk.folder), str(table), "--executor", "here")
    assert states(desk)["Ada", "1a"][0] == "BLANK"
    scan(
        desk, str(pdf(tmp_path / "scans.pdf", scan_of(desk.answered(own, ["1a.0.4"], ["1a.0.6", "1b.0.1"]))))
    )
    gametree("grade", str(desk.folder), "--executor", "here")
    assert states(desk)["Ada", "1a"][0] == "AMBIGUOUS"
    assert states(desk)["Ada", "1b"][0] == "GRADED"


def test_a_file_that_is_damaged_once_its_pages_were_counted(
    desk: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every page of a file that cannot be opened any more when its turn comes is for a person."""
    path = tmp_path / "scans.pdf"
    path.write_bytes(b"%PDF-1.7 and then the disk was full")
    monkeypatch.setattr("grader.scanning.rasters.page_count", lambda _path: 2)
    scan(desk, str(path))
    told = [(page.number, page.fate, page.why) for page in desk.journal.scanned_pages()]
    assert told == [(number, "person", "it is damaged, or not a PDF") for number in (1, 2)]


def test_what_people_confirmed_is_not_asked_again() -> None:
    """Two crosses where one is asked for, a digit left out: once every box is decided it stands as it is."""
    paper = asking("MAX A (MIN B (13 8) MIN C (-20 4))", "root-value", "best-move", scan="bubbles").public
    _, layout = codes_and_boxes(paper)
    exam = ScannedExam("AAAA", "a4", {}, {paper.code: layout})
    names = {box.name: page for page, boxes in enumerate(layout, 1) for box in boxes}

    def read(*crossed: str) -> PagesByNumber:
        return {
            (paper.code, page): PageReading(
                "a", "a", page, "read", variant=paper.code, page=page,
                states={box.name: "crossed" if box.name in crossed else "empty" for box in boxes},
            )
            for page, boxes in enumerate(layout, 1)
        }  # fmt: skip

    tens, moves = ["1a.0.1", "1a.0.3"], ["1b.0.0", "1b.0.1"]
    asked = paper_replies(paper, exam, read(*tens, *moves), {})
    assert [one.box for one in asked.doubts] == [*tens, "1a.0.20", *moves]
    assert set(asked.waiting) == {"1a", "1b"}
    decided = {(paper.code, names[box], box): "crossed" for box in (*tens, *moves)}
    decided[paper.code, names["1a.0.20"], "1a.0.20"] = "empty"
    said = paper_replies(paper, exam, read(*tens, *moves), decided)
    assert (said.doubts, said.waiting) == ((), {})
    assert said.replies["1a"] == "0 2 ?"
    assert said.replies["1b"] == "B C"
    typed = {(paper.code, names["1a.0.1"], "1a.0.1"): "12"}
    assert paper_replies(paper, exam, read("1a.0.1", "1b.0.0"), typed).replies["1b"] == "B"


def test_differing_scans_are_settled_by_decisions(desk: Room) -> None:
    """Two scans that differ are for a person until every box in which they do is decided."""
    own = desk.codes[0]
    one = PageReading(
        "a.pdf", "a", 1, "read", variant=own, page=1, states={"1a.0.4": "crossed", "1a.0.5": "empty"}
    )
    other = replace(one, number=2, states={"1a.0.4": "empty", "1a.0.5": "empty"})
    assert [page.fate for page in sort_pages([one, other])[0]] == ["read", "person"]
    decided = {(own, 1, "1a.0.4"): "empty"}
    assert [page.fate for page in sort_pages([one, other], decided)[0]] == ["read", "twice"]


def test_a_page_that_was_scanned_again_is_not_asked_of(desk: Room) -> None:
    """A scan that could not be read, or was typed, gives way to one that could be read."""
    own = desk.codes[0]
    good = PageReading("a.pdf", "a", 1, "read", variant=own, page=1, states={"1a.0.4": "crossed"})
    bad = PageReading("b.pdf", "b", 1, "person", "it is crumpled", variant=own, page=1)
    typed = replace(bad, fate="read", by_hand=True)
    for first in (bad, typed):
        pages, read = sort_pages([first, good])
        assert [page.fate for page in pages] == ["twice", "read"]
        assert read[own, 1] == good


def test_decisions_made_at_once_are_taken_back_at_once(desk: Room) -> None:
    """One step back takes a whole screen back, and nothing that was decided before or after it."""
    own, journal = desk.codes[0], desk.journal
    before, screen = ((own, 1, "1b.0.0"), "crossed"), [((own, 1, f"1a.0.{at}"), "empty") for at in range(4)]
    journal.decide([before])
    journal.decide(screen)
    journal.decide(screen[:1])
    assert journal.undo() == (screen[0][0],)
    assert journal.decisions() == dict([before, *screen])
    assert set(journal.undo()) == {subject for subject, _ in screen}
    assert journal.decisions() == dict([before])
    journal.decide(screen)
    assert len(journal.undo()) == 4
    assert journal.undo() == (before[0],)
    assert journal.undo() == ()


def test_it_is_said_which_page_is_missing(desk: Room, tmp_path: Path) -> None:
    """A page is said to be missing where others of the paper were scanned; without any, nothing came in."""
    own = desk.codes[0]
    scans = str(pdf(tmp_path / "scans.pdf", scan_of(desk.answered(own, ["1a.0.4"]))))
    assert scan(desk, scans)["missing_pages"] == {own: [2]}
    assert "Ada: page 2 is missing" in gametree("scan", str(desk.folder)).err
    gametree("grade", str(desk.folder), "--executor", "here")
    lines = gametree("gradebook", "show", str(desk.folder), "--unresolved").out.splitlines()
    assert "1000 2: page 2 is missing" in lines
    assert "students absent (no row, or an empty row): 2" in lines
    assert not any(line.startswith("1001") for line in lines)
    gametree("gradebook", "feedback", str(desk.folder), "--format", "markdown")
    (page,) = (desk.folder / "grades/feedback").glob("ada-*.md")
    text = page.read_text(encoding="utf-8")
    assert "Page 2 of your paper is missing." in text
    assert "Nothing was handed in" not in text
