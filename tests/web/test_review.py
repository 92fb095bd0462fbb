"""The laws of the page on which people decide about scans: by the keyboard alone, kept at once, and safe."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
import pytest

from grader.base.phrases import ENGLISH
from grader.exam.manifest import Exam, open_exam
from grader.exam.spares import SparePapers
from grader.grading.exam_keys import read_exam_keys
from grader.web.review import ReviewHandler, review_page
from grader.web.review_replies import ReplyReview
from grader.web.review_scans import ScanReview
from grader.web.review_tasks import ReviewedExam
from grader.web.server import ServedPage, Server
from tests.cli.running import gametree
from tests.scanning.desks import BLUEPRINT, Room, pdf, room, scan_of, without_codes
from tests.scanning.simulator import PENS, stray
from tests.scanning.simulator import Page as Sheet
from tests.web.driving import Browser, Page

NAMES = ("Ada Lovelace", "<script>alert(1)</script> & Co", "</datalist><img src=x onerror=alert(1)>")
"""People, two of them with names that would be markup if they were taken for any."""


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """Three papers: one without codes, one with filled boxes, one with a stray line and written numbers."""
    folder = tmp_path_factory.mktemp("review")
    built = room(folder / "exam", NAMES)
    first, second, third = built.codes
    random = np.random.default_rng(2)
    uncoded = Sheet(without_codes(built.answered(first, ["1a.0.4", "1b.0.0"]).ink.astype(np.uint8)))
    filled = built.answered(second, ["1a.0.4", "1b.0.1"], ["1a.0.6", "1a.0.7"])
    doubtful = built.answered(third, ["1a.0.4", "1b.0.1"])
    doubtful.draw(stray(random, built.box(third, "1a.0.1")), PENS["felt"], random)
    numbers = built.answered(third, [], page=2)
    path = pdf(folder / "scans.pdf", *map(scan_of, (uncoded, filled, doubtful, numbers)))
    assert gametree("scan", str(built.folder), str(path)).code == 1
    return built


@pytest.fixture
def desk(scanned: Room, tmp_path: Path) -> Room:
    """The same, of which nothing is decided."""
    return replace(scanned, folder=Path(shutil.copytree(scanned.folder, tmp_path / "exam")))


def opened_exam(room: Room) -> Exam:
    """The exam of which there are scans."""
    exam = open_exam(room.folder)
    assert isinstance(exam, Exam)
    return exam


def scans_of(room: Room) -> ScanReview:
    """The questions about the scans of an exam."""
    exam = opened_exam(room)
    papers = {paper.code: paper.public for paper in exam.papers}
    spares = SparePapers(room.folder, exam)
    return ScanReview(ReviewedExam(room.journal, room.exam, papers, spares, ENGLISH))


def desk_of(room: Room) -> ReviewHandler:
    """What is behind the page of an exam."""
    return ReviewHandler(scans_of(room))


@contextmanager
def served(room: Room) -> Iterator[str]:
    """The page of an exam at an address."""
    behind = desk_of(room)
    shown, policy = review_page(behind, "To be <b>decided</b>")
    with Server(ServedPage(shown, policy, behind)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{server.path}"
        server.shutdown()


def opened(chromium: Browser, address: str) -> Page:
    """The page in a browser, when it asks something."""
    page = chromium.page()
    page.look(1280)
    page.open(address)
    page.until("document.body?.dataset.task !== undefined")
    return page


def pressed(page: Page, key: str) -> str:
    """Press a key and wait until something else is asked; what that is."""
    before = json.dumps(page.run("document.body.dataset.task"))
    page.press(key)
    page.until(f"document.body.dataset.task !== {before}")
    return page.text("#title")


def left(page: Page) -> list[int]:
    """How much is left: pages, papers without a name, sheets, boxes, entries."""
    told = page.run("[...document.querySelectorAll('#left strong')].map(each => Number(each.textContent))")
    return [int(each) for each in told]


def test_everything_is_decided_by_keys_alone(chromium: Browser, desk: Room) -> None:
    """Pages, sheets, boxes, then numbers: one key each, and the replies are as they were written."""
    first, second, third = desk.codes
    with served(desk) as address:
        page = opened(chromium, address)
        assert left(page) == [1, 0, 2, 1, 3]
        assert page.text("#title") == "Which page is this? scans.pdf/1"
        page.type("ada")
        assert "Ada Lovelace" in page.text("#who")
        pressed(page, "Enter")
        assert left(page) == [0, 0, 2, 1, 3]
        assert "<script>" in page.text("#whose")
        pressed(page, "e")
        assert left(page) == [0, 0, 1, 1, 3]
        pressed(page, "Escape")  # the wrong key
        assert left(page) == [0, 0, 2, 1, 3]
        pressed(page, "x")
        pressed(page, "e")
        assert left(page) == [0, 0, 0, 1, 3]
        pressed(page, "e")
        assert page.text("#title") == "Are all these boxes empty?"
        page.click(f".picture[data-key='{third}/2.0.0']")
        page.click(f".picture[data-key='{third}/2.1.0']")
        before = int(page.text("#progress-text").split()[0])
        assert pressed(page, "Enter").startswith("What is written in these boxes?")
        assert int(page.text("#progress-text").split()[0]) > before + 15
        page.press("Enter")
        page.until("document.querySelector('#note').textContent.includes('once more')")
        assert pressed(page, "Enter") == "What is written at E in question 2?"
        page.type("77")
        page.press("Enter")
        page.until("document.querySelector('#note').textContent.includes('cannot have')")
        page.press("Backspace")
        page.press("Backspace")
        page.type("5.25")
        pressed(page, "Enter")
        page.press("Enter")
        page.until("document.querySelector('#note').textContent.includes('once more')")
        assert left(page) == [0, 0, 0, 0, 1]
        assert pressed(page, "Enter") == "Everything is decided."
        assert page.complaints() == []
        page.send("Page.close")
    sheets = scans_of(desk).open_scans().papers
    assert {each.variant: each.replies["1a"] for each in sheets} == {first: "5", second: "5 7", third: "5"}
    assert next(each for each in sheets if each.variant == third).replies["2"] == "E=5.25"
    assert [each.doubts for each in sheets] == [(), (), ()]


@pytest.mark.slow
def test_a_spare_paper_is_named_by_keys_alone(chromium: Browser, tmp_path: Path) -> None:
    """Whose a spare paper is, is typed like the student of a page; Esc takes it back."""
    desk = room(tmp_path / "exam", text=BLUEPRINT.replace("scan = true", "scan = true\nspare = 1"))
    spare = desk.codes[-1]
    page_with_name = scan_of(desk.answered(spare, ["1a.0.0"]))
    gametree("scan", str(desk.folder), str(pdf(tmp_path / "spare.pdf", page_with_name)), "--jobs", "1")
    with served(desk) as address:
        page = opened(chromium, address)
        assert left(page)[:2] == [0, 1]
        assert page.text("#title") == "Whose paper is this?"
        page.type("bo")
        assert "Bo" in page.text("#who")
        pressed(page, "Enter")
        assert left(page)[:2] == [0, 0]
        assert pressed(page, "Escape") == "Whose paper is this?"


@pytest.mark.slow
def test_an_interrupted_session_goes_on_where_it_was(chromium: Browser, desk: Room) -> None:
    """Whatever ends, page or program: what was decided stays decided, and can still be taken back."""
    with served(desk) as address:
        page = opened(chromium, address)
        page.type(desk.codes[0])
        pressed(page, "Enter")
        pressed(page, "e")
        asked, much = page.text("#title"), left(page)
        page.send("Page.close")
        again = opened(chromium, address)
        assert (again.text("#title"), left(again)) == (asked, much)
        again.send("Page.close")
    with served(desk) as address:
        page = opened(chromium, address)
        assert (page.text("#title"), left(page)) == (asked, much)
        pressed(page, "Escape")
        pressed(page, "Escape")
        assert left(page) == [1, 0, 2, 1, 3]
        pressed(page, "PageDown")
        assert page.text("#title") != "Which page is this? scans.pdf/1"
        page.send("Page.close")


def test_names_show_as_text(chromium: Browser, desk: Room) -> None:
    """Names and titles that look like markup are text everywhere, and the page loads nothing but its own."""
    with served(desk) as address:
        page = opened(chromium, address)
        shown = page.run("[...document.querySelectorAll('#people option')].map(each => each.textContent)")
        assert [text.rpartition(",")[0] for text in shown] == list(NAMES)
        assert page.run("document.querySelectorAll('img[src=x], b, main script').length") == 0
        page.type("<script>")
        pressed(page, "Enter")
        assert {sent.partition("#")[0] for sent in page.requested() if not sent.startswith("data:")} == {
            address, f"{address}ask"
        }  # fmt: skip
        page.send("Page.close")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)])
def test_axe_finds_nothing(chromium: Browser, desk: Room, width: int, dark: bool) -> None:
    """On every sort of question, in every width and theme, axe finds no fault, and nothing is too wide."""
    with served(desk) as address:
        page = opened(chromium, address)
        page.look(width, dark=dark)
        for _ in range(8):
            assert page.axe_faults() == [], page.text("#title")
            assert page.run("document.documentElement.scrollWidth") <= width
            pressed(page, "PageDown")
        page.send("Page.close")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{" * 10_000, '{"ask":"decide"}',
     '{"ask":"decide","decisions":{"K/1.0.0":"crossed"},"apart":[]}',
     '{"ask":"decide","decisions":{"K/1":[]},"apart":[]}', '{"ask":"decide","decisions":[],"apart":{}}',
     '{"ask":"name","page":"../../etc/passwd","says":"K/1"}',
     '{"ask":"decide","decisions":{"K/1.0":"5"},"apart":[]}',
     '{"ask":"decide","decisions":{"K/1.' + "9" * 5_000 + '":"5"},"apart":[]}',
     '{"ask":"later"}', '{"ask":"later","of":"\\ud800"}', '{"ask":"undo","x":1}', "x" * 30_000],
)  # fmt: skip
def test_bad_messages_decide_nothing(desk: Room, text: str) -> None:
    """A message that is none is answered with errors, and nothing is noted."""
    assert json.loads(desk_of(desk).reply(text))["errors"][0]["message"]
    assert not (desk.journal.folder / "decisions.jsonl").exists()


def test_a_fault_of_the_program_is_no_bad_message(desk: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails while the next question is made is not told to be no message: it comes up as it is."""

    def broken(_self: ScanReview) -> None:
        raise ValueError("ours")

    monkeypatch.setattr(ScanReview, "open_scans", broken)
    with pytest.raises(ValueError, match="ours"):
        desk_of(desk).reply('{"ask":"next"}')


def test_nothing_of_a_key_is_on_the_page(desk: Room) -> None:
    """Neither the page nor any question tells an answer: papers come to it without their keys."""
    behind = desk_of(desk)
    shown, policy = review_page(behind, "Exam")
    assert "default-src 'none'" in policy
    assert "://" not in policy
    told: list[dict[str, Any]] = []
    for _ in range(8):
        answer = json.loads(behind.reply('{"ask":"next"}'))
        told.append(answer["task"])
        behind.reply(json.dumps({"ask": "later", "of": answer["task"]["key"]}))
    words = {name for task in told for name in task}
    assert words <= {"key", "sort", "title", "why", "whose", "image", "close", "current", "how", "boxes",
                     "suggestions", "choices", "rows"}  # fmt: skip
    rows = [row for task in told for row in task.get("rows", ())]
    assert {name for row in rows for name in row} == {"says", "title", "choices", "accepts", "items"}
    assert {name for row in rows for item in row["items"] for name in item} == {"key", "image", "label"}
    assert '"key":' not in shown.replace('"keys', "")


def test_scans_and_typed_replies_are_on_one_page(desk: Room) -> None:
    """The page asks about scans first, and undo takes back the latest decision of either sort."""
    second, seats = desk.codes[1], {seat.code: seat for seat in opened_exam(desk).seats}
    typed = f"id,1a\n{seats[desk.codes[0]].student.identifier},see back\n"
    (desk.folder / "typed.csv").write_text(typed)
    gametree("grade", str(desk.folder), str(desk.folder / "typed.csv"), "--executor", "here")
    replies = ReplyReview(desk.folder / "grades" / "gradebook.db", read_exam_keys(desk.folder), ENGLISH)
    behind = ReviewHandler(scans_of(desk), replies)

    def left(**message: Any) -> tuple[int, int]:
        found = json.loads(behind.reply(json.dumps(message)))["left"]
        return found["sheet"], found["reply"]

    assert left(ask="next") == (2, 1)
    assert left(ask="decide", decisions={f"{second}/1a.0.6": "empty"}, apart=[]) == (1, 1)
    rows = [row.key for _, group in replies.screens() for row in group.rows]
    assert left(ask="read", rows=rows, choice="5", apart=[]) == (1, 0)
    assert left(ask="undo") == (1, 1)
    assert left(ask="undo") == (2, 1)


def test_undo_takes_back_owners_and_boxes_in_turn(tmp_path: Path) -> None:
    """Whose a spare paper is and what is crossed are taken back in the opposite order of their decisions."""
    desk = room(tmp_path / "exam", text=BLUEPRINT.replace("scan = true", "scan = true\nspare = 2"))
    spares = desk.codes[-2:]
    sheets = [scan_of(desk.answered(code, [])) for code in spares]
    gametree("scan", str(desk.folder), str(pdf(tmp_path / "spares.pdf", *sheets)), "--jobs", "1")
    behind = desk_of(desk)
    student = opened_exam(desk).seats[1].student.identifier

    def left(**message: Any) -> tuple[int, int]:
        found = json.loads(behind.reply(json.dumps(message)))["left"]
        return found["paper"], found["sheet"]

    assert left(ask="next") == (2, 2)
    assert left(ask="assign", paper=f"{spares[0]}/student", says=student) == (1, 2)
    assert left(ask="decide", decisions={f"{spares[0]}/page-1": "empty"}, apart=[]) == (1, 1)
    assert left(ask="undo") == (1, 2)
    assert left(ask="undo") == (2, 2)
    assert not SparePapers(desk.folder, opened_exam(desk)).owners()


@pytest.mark.slow
def test_what_was_decided_counts_when_the_program_ends(desk: Room) -> None:
    """`--review` says its address, keeps to this machine, and on Ctrl-C goes on to the replies."""
    command = [sys.executable, "-m", "grader", "scan", str(desk.folder), "--review", "--no-open"]
    asking = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert asking.stdout is not None
    address = asking.stdout.readline().strip()
    assert address.startswith("http://127.0.0.1:")
    decision = {"ask": "decide", "decisions": {f"{desk.codes[1]}/1a.0.6": "empty"}, "apart": []}
    heads = {"Content-Type": "application/json"}
    request = Request(f"{address}ask", json.dumps(decision).encode(), heads)
    with urlopen(request, timeout=60) as answer:
        left = json.load(answer)["left"]
        assert left == {"page": 1, "paper": 0, "sheet": 1, "box": 1, "written": 3, "reply": 0}
    asking.send_signal(signal.SIGINT)
    out, err = asking.communicate(timeout=60)
    assert (asking.returncode, "Traceback" in err) == (1, False)
    assert "5 boxes to decide" in out
    assert gametree("scan", str(desk.folder), "--review", "--json").code == 2
