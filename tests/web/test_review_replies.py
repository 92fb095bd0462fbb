"""The laws of the review page where it asks about typed replies: few decisions, all seen, all undone."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from grader.base.phrases import ENGLISH, Language
from grader.grading.exam_keys import read_exam_keys
from grader.web.review import ReviewHandler, review_page
from grader.web.review_replies import ReplyReview
from grader.web.server import ServedPage, Server
from tests.cli.running import gametree
from tests.grading.classroom import build, student
from tests.grading.messy_class import MAX_DECISIONS, choices_of, graded_class
from tests.web.driving import Browser, Page
from tests.web.test_review import opened, pressed

ROWS = (
    "00000,3,A=3 B=3 C=2 D=2,B,5 6?",
    "00001,see back,A=3 B=3 C=2 D=2,B,5 6?",
    "00002,<b>see</b> <script>alert(1)</script>,A=3 B=3 C=2 D=2,B,5 8?",
    "00003,see back,A=3 B=3 C=2 D=2,B,5 9?",
    "00004,3,,B,5 6",
    "00004,3,,C,6",
)
"""Five students, the last of them with two different rows."""

GROUPS = ("1", "1", "2b and 3", "3")
"""The questions of the groups in which these wait, in their order."""


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exam of five students, graded."""
    folder = tmp_path_factory.mktemp("replies")
    build(folder, [student(number) for number in range(5)], codes=("A",))
    (folder / "r.csv").write_text("id,1,2a,2b,3\n" + "\n".join(ROWS) + "\n")
    assert gametree("grade", str(folder), str(folder / "r.csv"), "--executor", "here").code == 1
    return folder


@pytest.fixture
def exam(graded: Path, tmp_path: Path) -> Path:
    """The same, of which nothing is decided."""
    return Path(shutil.copytree(graded, tmp_path / "exam"))


def desk_of(exam: Path, language: Language = ENGLISH) -> ReviewHandler:
    """What is behind the page of an exam."""
    path = exam / "grades" / "gradebook.db"
    return ReviewHandler(None, ReplyReview(path, read_exam_keys(exam), language))


@contextmanager
def served(behind: ReviewHandler, title: str = "Midterm") -> Iterator[str]:
    """The page at an address."""
    shown, policy = review_page(behind, title)
    with Server(ServedPage(shown, policy, behind)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{server.path}"
        server.shutdown()


def waiting(exam: Path) -> int:
    """How many replies wait for a person."""
    return int(json.loads(gametree("gradebook", "todo", str(exam), "--json").out)["waiting"])


def points(exam: Path, who: str, part: str) -> str | None:
    """The points of a student for a part."""
    record = json.loads(gametree("gradebook", "show", str(exam), who, "--json").out)
    found = {each["question"]: each["points"] for each in record["students"][0]["questions"]}
    return str(found[part]) if found[part] is not None else None


def left(page: Page) -> int:
    """How many replies are left, as the page says."""
    return int(page.text("#left-reply strong"))


def test_replies_are_decided_by_keys_alone(chromium: Browser, exam: Path) -> None:
    """One key for a group, another for no answer, typing where nothing was understood, and undo for all."""
    with served(desk_of(exam)) as address:
        page = opened(chromium, address)
        assert (left(page), page.text("#progress-text")) == (9, "0 of 9 decided")
        assert page.text("#title") == "Question 1: what do these 2 replies mean?"
        page.type("3")
        assert pressed(page, "Enter") == "Question 1: what does this reply mean?"
        assert (points(exam, "00001", "1"), points(exam, "00003", "1"), left(page)) == ("2", "2", 7)
        page.press("Enter")
        page.until("document.querySelector('#note').textContent.includes('once more')")
        assert pressed(page, "Enter") == "2b and 3: which reply of a student counts?"
        assert points(exam, "00002", "1") == "0"
        assert pressed(page, "2") == "Question 3: what do these 4 replies mean?"
        assert (points(exam, "00004", "2b"), points(exam, "00004", "3"), left(page)) == ("0", "1.5", 4)
        assert pressed(page, "1") == "Everything is decided."
        assert [points(exam, f"0000{number}", "3") for number in range(4)] == ["3", "3", "0", "0"]
        assert (page.text("#progress-text"), waiting(exam)) == ("9 of 9 decided", 0)
        for count in (4, 6, 7, 9):
            page.press("Escape")
            page.until(f"document.querySelector('#left-reply strong').textContent === '{count}'")
        page.press("Escape")
        page.until("document.querySelector('#note').textContent.includes('taken back')")
        assert page.complaints() == []
        page.send("Page.close")
    assert waiting(exam) == 9
    assert gametree("gradebook", "regrade", str(exam), "--executor", "here").out.startswith("0 marks change")


def test_one_of_a_group_is_decided_otherwise(chromium: Browser, exam: Path) -> None:
    """What is clicked is not decided with its group, but asked about afterwards, alone."""
    with served(desk_of(exam)) as address:
        page = opened(chromium, address)
        for _ in range(3):
            pressed(page, "PageDown")
        assert page.run("document.querySelectorAll('#reply-rows tr').length") == 3
        page.click("#reply-rows tr:nth-child(2) .written")
        assert page.run("document.querySelectorAll('.apart').length") == 1
        apart = page.text("#reply-rows tr:nth-child(2) .written")
        pressed(page, "1")
        assert left(page) == 6
        assert page.text("#reply-rows .reply") == apart
        page.click("#meant")
        page.type("5 or 6?")
        page.press("Enter")
        page.until("document.querySelector('#note').textContent.includes('cannot be read either')")
        page.run("document.querySelector('#meant').value = ''")
        page.type("6")
        pressed(page, "Enter")
        page.send("Page.close")
    assert waiting(exam) == 5


def test_keys_are_shown_only_when_they_are_asked_for(chromium: Browser, exam: Path) -> None:
    """Neither the page nor a question has points or answers until a person presses k, and then says so."""
    behind = desk_of(exam)
    shown, _ = review_page(behind, "Midterm")
    seen: list[dict[str, Any]] = []
    for _ in GROUPS:
        task = json.loads(behind.reply('{"ask":"next"}'))["task"]
        seen.append(task)
        behind.reply(json.dumps({"ask": "later", "of": task["key"]}))
    assert [task["title"].split(":")[0].removeprefix("Question ") for task in seen] == list(GROUPS)
    rows = [row for task in seen for row in task["replies"]]
    assert {name for row in rows for name in row} == {"key", "part", "who", "written", "readings"}
    assert {name for row in rows for each in row["readings"] for name in each} == {"reply", "source"}
    assert "Correct" not in shown.replace('"Correct: {answer}"', "").replace("correct answers", "")
    with served(desk_of(exam)) as address:
        page = opened(chromium, address)
        for _ in range(3):
            pressed(page, "PageDown")
        assert "Correct" not in page.text("#reply-table")
        page.press("k")
        page.until("document.querySelector('#reply-table').innerText.includes('Correct: 5 6')")
        assert "3 of 3" in page.text("#reply-table")
        assert page.text("#key-label") == "Hide points and correct answers"
        page.press("k")
        page.until("!document.querySelector('#reply-table').innerText.includes('Correct')")
        page.send("Page.close")


def test_reasons_are_in_the_language_of_the_page(exam: Path) -> None:
    """A teacher with another language than the exam reads in it why, and sees the same readings."""
    seen = []
    for language in (ENGLISH, Language.of("de")):
        behind = desk_of(exam, language)
        assert behind.typed is not None
        tasks = [behind.typed.task(group) for _, group in behind.typed.screens()]
        seen.append((tasks[-1]["why"], [row["readings"] for task in tasks for row in task["replies"]]))
    (english, readings), (german, others) = seen
    assert (english[:15], german[:14], readings == others) == ("a question mark", "wegen des Frag", True)


def test_one_choice_decides_for_rows_of_another_variant(tmp_path: Path) -> None:
    """Which variant counts is one question for the exam; its readings name the variants and show points."""
    build(tmp_path, [student(0), student(1)])
    rows = "id,variant,1,2b\n00000,C,4,B\n00001,a,3,B\n"
    (tmp_path / "r.csv").write_text(rows)
    assert gametree("grade", str(tmp_path), str(tmp_path / "r.csv"), "--executor", "here").code == 1
    review = ReplyReview(tmp_path / "grades" / "gradebook.db", read_exam_keys(tmp_path), Language.of("de"))
    ((_, group),) = review.screens()
    shown = review.task(group)
    assert shown["title"] == "1 und 2b: Zu welcher Variante gehört die Antwort?"
    assert shown["why"].startswith("Lesart 1 gilt für die Variante in der Zeile")
    sources = [[reading["source"] for reading in row["readings"]] for row in shown["replies"]]
    assert sorted(map(tuple, sources)) == [("A", "B"), ("A", "B"), ("C", "A"), ("C", "A")]
    worth = [
        reading["points"] for row in shown["replies"] if row["part"] == "1" for reading in row["readings"]
    ]
    assert worth == ["2 von 2", "0 von 2"] * 2
    review.decide([row["key"] for row in shown["replies"]], "#2", ())
    assert [points(tmp_path, who, "1") for who in ("00000", "00001")] == ["0", "0"]
    review.undo()
    review.decide([row["key"] for row in shown["replies"]], "#1", ())
    assert [points(tmp_path, who, "1") for who in ("00000", "00001")] == ["2", "2"]


def test_decided_rows_stay_decided_in_a_corrected_file(tmp_path: Path) -> None:
    """Only a student with another reply is replaced and contested; no hint names the option again."""
    build(tmp_path, [student(0), student(1)])
    path, rows = tmp_path / "r.csv", "id,variant,1,2b\n00000,C,4,B\n00001,a,3,B\n"
    path.write_text(rows)
    grading = "grade", str(tmp_path), str(path), "--executor", "here"
    assert "--replaces OLD" in gametree(*grading).err
    review = ReplyReview(tmp_path / "grades" / "gradebook.db", read_exam_keys(tmp_path), ENGLISH)
    ((_, group),) = review.screens()
    review.decide([row["key"] for row in review.task(group)["replies"]], "#1", ())
    path.write_text(rows.replace("C,4,B", "C,4,C"))
    ran = gametree(*grading, "--replaces", "r.csv")
    assert "2 rows in = 1 taken + 1 contested" in ran.out
    assert "1 student replaced earlier replies" in ran.out
    assert "--replaces OLD" not in ran.err
    assert points(tmp_path, "00001", "1") == "2"


def test_replies_show_as_text(chromium: Browser, exam: Path) -> None:
    """Replies and titles that look like markup are text everywhere."""
    with served(desk_of(exam), "To be <b>decided</b>") as address:
        page = opened(chromium, address)
        pressed(page, "PageDown")
        assert page.text("#reply-rows .reply") == "<b>see</b> <script>alert(1)</script>"
        assert page.run("document.querySelectorAll('b, main script').length") == 0
        assert page.text("h1") == "Replies to decide: To be <b>decided</b>"
        page.send("Page.close")


@pytest.mark.parametrize(
    "message",
    [
        {"ask": "read"},
        {"ask": "read", "rows": [], "choice": "#1", "apart": []},
        {"ask": "read", "rows": ["nothing"], "choice": "#1", "apart": []},
        {"ask": "read", "rows": [1], "choice": "#1", "apart": []},
        {"ask": "read", "rows": "FIRST", "choice": "#9", "apart": []},
        {"ask": "read", "rows": "FIRST", "choice": "#1", "apart": ["nothing"]},
        {"ask": "read", "rows": "FIRST", "choice": "5 8", "apart": []},
        {"ask": "decide", "decisions": {"K/1.0.0": "crossed"}, "apart": []},
        {"ask": "undo"},
    ],
)
def test_bad_messages_decide_nothing(exam: Path, message: dict[str, Any]) -> None:
    """A message that does not fit what waits is answered with errors, and nothing is read."""
    behind = desk_of(exam)
    assert behind.typed is not None
    group = behind.typed.screens()[-1][1]
    if message.get("rows") == "FIRST":
        message = {**message, "rows": [row.key for row in group.rows]}
    assert json.loads(behind.reply(json.dumps(message)))["errors"][0]["message"]
    assert waiting(exam) == 9


def test_what_another_program_decides_is_noticed(exam: Path) -> None:
    """What was decided elsewhere meanwhile is not read again, and is gone when the page is reloaded."""
    behind = desk_of(exam)
    assert behind.typed is not None
    rows = [row.key for row in behind.typed.screens()[0][1].rows]
    gametree("gradebook", "override", str(exam), "00001", "1", "1", "--reason", "seen")
    answer = json.loads(behind.reply(json.dumps({"ask": "read", "rows": rows, "choice": "3", "apart": []})))
    assert "was set by hand" in answer["errors"][0]["message"]
    assert points(exam, "00003", "1") is None
    assert json.loads(behind.reply('{"ask":"next"}'))["left"] == {"reply": 8}


def test_a_reading_that_was_taken_back_stays_so(exam: Path) -> None:
    """When the files are read anew, what a person took back on the page is not read again."""
    behind = desk_of(exam)
    assert behind.typed is not None
    key = behind.typed.screens()[0][1].rows[0].key
    behind.typed.decide([key], "3", [])
    behind.typed.undo()
    shutil.copy(exam / "r.csv", exam / "again.csv")
    gametree("grade", str(exam), str(exam / "again.csv"), "--replaces", "r.csv", "--executor", "here")
    history = gametree("gradebook", "history", str(exam), "00001").out
    assert points(exam, "00001", "1") is None, history


@pytest.mark.slow
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)])
def test_axe_finds_nothing(chromium: Browser, exam: Path, width: int, dark: bool) -> None:
    """On every screen, with and without the key, in every width and theme, axe finds no fault."""
    with served(desk_of(exam)) as address:
        page = opened(chromium, address)
        page.look(width, dark=dark)
        for place in range(2 * len(GROUPS)):
            assert page.axe_faults() == [], page.text("#title")
            assert page.run("document.documentElement.scrollWidth") <= width
            if place == len(GROUPS):
                page.click("#key")
                page.until("document.querySelector('#reply-table').innerText.includes('Correct')")
            pressed(page, "PageDown")
        page.send("Page.close")


def test_the_class_of_220_is_resolved_in_the_browser(chromium: Browser, tmp_path: Path) -> None:
    """All messy replies of a class are decided with a few keys and typed replies, and none waits any more."""
    exam = graded_class(tmp_path)
    behind = desk_of(exam)
    assert behind.typed is not None
    with served(behind) as address:
        page = opened(chromium, address)
        decisions = 0
        while page.run("document.body.dataset.task"):
            shown = page.run("document.body.dataset.task")
            group = next(each for key, each in behind.typed.screens() if key == shown)
            choices = choices_of(group)
            if len(choices) > 1:
                pressed(page, "s")  # one by one
                continue
            decisions += 1
            if choices[0].startswith("#"):
                page.run("document.activeElement.blur()")
                pressed(page, choices[0][1:].replace("0", "e"))
            else:
                page.click("#meant")
                page.type(choices[0])
                pressed(page, "Enter")
        assert page.text("#title") == "Everything is decided."
        page.send("Page.close")
    assert decisions <= MAX_DECISIONS
    assert waiting(exam) == 0
    assert gametree("gradebook", "export", str(exam), "-o", str(tmp_path / "points.csv")).code == 0
