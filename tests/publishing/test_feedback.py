"""Feedback pages and the class report: what they tell, what they never tell, and to whom."""

import csv
import io
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from grader.base.files import lock_file
from grader.base.templating import raw_template
from grader.exam.paper import PublicQuestion
from grader.exercises.exercise import Exercise
from grader.exercises.feedback import MAX_MISCONCEPTIONS, SEVERAL_NOTES
from grader.exercises.marking import mark
from grader.grading.analysis import Analysis, analyse
from grader.grading.decisions import Decision
from grader.grading.exam_keys import ExamKeys, read_exam_keys
from grader.grading.gradebook_exports import Rounding, csv_export
from grader.grading.gradebook_store import Gradebook
from grader.grading.overrides import override_marks
from grader.grading.results import Result, results
from grader.pictures import typesetting
from grader.pictures.layout import MAX_DOWNWARD_WIDTH
from grader.publishing import plots
from grader.publishing.class_report import figures, report_html, tables, write_report
from grader.publishing.feedback_formats import feedback_html as html_page
from grader.publishing.feedback_formats import (
    feedback_markdown,
    feedback_pdf,
    feedback_stem,
    write_feedback,
)
from grader.publishing.feedback_pages import feedback_page
from grader.publishing.feedback_parts import VERDICTS
from grader.publishing.parallel import worker_pool
from grader.publishing.sheet import picture_of
from grader.questions.beliefs import BELIEFS
from tests.catalogue import example
from tests.cli.running import gametree
from tests.grading.classroom import build, change_exam, exercise, sat, student, truth
from tests.grading.test_grading import graded, write_replies
from tests.publishing.browsing import axe, in_print
from tests.publishing.lms.exams import ADA, exam_of, exam_with, exercise_of
from tests.publishing.papers import COMMAS, misplaced, paper_of, printed
from tests.web.driving import Browser

COUNT = 30


def beliefs(kind: str, code: str, points: int) -> list[str]:
    """What people with misconceptions answer."""
    return list(exercise(kind, code, points).beliefs.values())


class Room:
    """A graded class in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.exam_keys: ExamKeys = build(folder, [student(number) for number in range(COUNT)])
        rows = {}
        for number in range(COUNT):
            who = student(number).identifier
            code = self.exam_keys.variant_of(who)
            known, wrong = truth(code), beliefs("pruned-paths", code, 3)
            table = " ".join(f"{name}={value}" for name, value in zip("ABCD", known.table, strict=True))
            rows[who] = [str(known.root), table, known.best, " ".join(map(str, sorted(known.pruned)))]
            if number % 3 == 1:
                rows[who] = ["77", "A=9 B=9 C=2 D=2", "B", wrong[number % len(wrong)]]
            elif number % 5 == 0:
                rows[who] = ["eh?", "", "", "1 2 8"]
        self.rows = rows
        with graded(folder, self.exam_keys, write_replies(folder / "r.csv", rows)):
            pass

    def open(self) -> Gradebook:
        """The gradebook."""
        return Gradebook.open(self.folder / "grades" / "gradebook.db")

    def pages(self, folder: Path, *, released: bool) -> dict[str, str]:
        """The HTML page of every student by name."""
        with self.open() as book:
            write_feedback(book, self.exam_keys, folder, formats=("html", "markdown"), released=released)
        return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.html"))}

    def analysis(self) -> Analysis:
        """The analysis of the class."""
        with self.open() as book:
            return analyse(self.exam_keys, results(book, self.exam_keys))


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """A class of thirty."""
    return Room(tmp_path_factory.mktemp("room"))


def test_everybody_has_a_page_of_their_own(room: Room, tmp_path: Path) -> None:
    """There is a page for every student, and on no page anything that names another student."""
    pages = room.pages(tmp_path, released=True)
    assert len(pages) == COUNT
    for number in range(COUNT):
        me = student(number)
        mine = [page for page in pages.values() if f"{me.name}, {me.identifier}," in page]
        assert len(mine) == 1
        others = [student(other) for other in range(COUNT) if other != number]
        assert not any(other.identifier in mine[0] or other.email in mine[0] for other in others)


@pytest.mark.parametrize("released", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_any_number_of_jobs_gives_the_same_pages(room: Room, tmp_path: Path, released: bool) -> None:
    """Two processes write the same pages as one, and tell the same of them."""
    found = []
    for jobs in (1, 2):
        heard: list[int] = []
        folder = tmp_path / str(jobs)
        with room.open() as book, worker_pool(jobs) as run:
            told = write_feedback(
                book,
                room.exam_keys,
                folder,
                formats=("html", "pdf"),
                released=released,
                run=run,
                tell=heard.append,
            )
        found.append((told, sum(heard), {path.name: path.read_bytes() for path in folder.iterdir()}))
    assert found[0] == found[1]
    assert found[0][1] == COUNT


def test_keys_wait_for_release(room: Room, tmp_path: Path) -> None:
    """Before release no page depends on the key beyond the verdicts on what the student wrote."""
    hidden = room.pages(tmp_path / "hidden", released=False)
    told = room.pages(tmp_path / "told", released=True)
    for name, page in hidden.items():
        assert "The answer:" not in page
        assert "correct answer:" not in page
        assert "Location of the mistake" not in page
        assert " missing" not in page.replace("part of the answer is missing", "")
        assert "The answer:" in told[name]


def test_no_released_page_is_left_beside_others(room: Room, tmp_path: Path) -> None:
    """Whatever was written before, a student has the pages of the last writing; other files stay."""
    one, other = student(1).identifier, student(2).identifier
    (tmp_path / "notes.pdf").write_text("mine")
    with room.open() as book:

        def write(*formats: str, who: str, released: bool = False) -> None:
            write_feedback(
                book, room.exam_keys, tmp_path, formats=formats, students=frozenset({who}), released=released
            )

        for who in (one, other):
            write("html", "markdown", "pdf", who=who, released=True)
        write("markdown", who=one)
    assert [path.suffix for path in tmp_path.glob("student-1-*")] == [".md"]
    assert sorted(path.suffix for path in tmp_path.glob("student-2-*")) == [".html", ".md", ".pdf"]
    assert (tmp_path / "notes.pdf").read_text() == "mine"


def test_boxes_in_print_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose name or reply has no font on this machine is told with what to do, where pages are printed."""
    compiler = typesetting._compiler
    monkeypatch.setattr(typesetting, "_compiler", lambda _machine_fonts: compiler(False))
    ada, li, kim = students = [
        replace(student(number), name=name) for number, name in enumerate(("Ada Łódź", "李明", "Kim"))
    ]
    exam_keys = build(tmp_path, students)
    rows = {
        ada.identifier: ["7", "α ≤ β", "B", "1"],
        li.identifier: ["7", "", "B", "1"],
        kim.identifier: ["7", "김철수", "B", "1"],
    }
    with graded(tmp_path, exam_keys, write_replies(tmp_path / "r.csv", rows)) as book:
        written = write_feedback(book, exam_keys, tmp_path / "html", formats=("html", "markdown"))
        assert written.notes == ()
    ran = gametree("gradebook", "feedback", str(tmp_path), "--format", "pdf")
    assert [line for line in ran.err.splitlines() if line.startswith("Note:")] == [
        f"Note: no font on this machine has all {script} characters of {who}, which print as boxes; install "
        "fonts-noto-cjk (the name in Debian and Ubuntu; elsewhere Noto Sans for that script), "
        "and write the pages again."
        for script, who in (
            ("Chinese", f"{li.identifier} (李明)"),
            ("Korean", f"{kim.identifier} (Kim)"),
        )
    ]


def test_wrong_answers_hide_the_right_one(tmp_path: Path) -> None:
    """Before release the page of a student who is wrong is the same whatever else the key might be."""
    pages = []
    for value, move in (("3", "B"), ("4", "C")):
        folder = tmp_path / value
        build(folder, [student(1)], codes=("A",))

        def mend(
            record: dict[str, Any], keys: tuple[str, ...] = (value, f"A={value} B=3 C=2 D=2", move)
        ) -> None:
            first, second, _ = record["variants"][0]["questions"]
            for part, key in zip((*first["parts"], *second["parts"]), keys, strict=True):
                part["key"]["reply"] = key

        exam_keys = change_exam(folder, mend)
        rows = {student(1).identifier: ["77", "A=99 B=98", "D", "7 8"]}
        with graded(folder, exam_keys, write_replies(folder / "r.csv", rows)) as book:
            write_feedback(book, exam_keys, folder / "pages", formats=("html",))
        (page,) = (folder / "pages").glob("*.html")
        pages.append(page.read_text(encoding="utf-8"))
    assert pages[0] == pages[1]
    assert "worth" not in pages[0]


def test_losses_are_explained(room: Room, tmp_path: Path) -> None:
    """After release a page with a misconception says what it is and where it goes wrong."""
    pages = room.pages(tmp_path, released=True).values()
    assert sum("Location of the mistake" in page for page in pages) >= COUNT // 4
    assert any("Points earned despite an earlier mistake" in page for page in pages)


def answered(folder: Path, asked: Exercise, reply: str) -> tuple[ExamKeys, Result]:
    """The keys of an exam with one exercise, and what Ada has who replies this."""
    exam_keys = sat(folder, exam_with(asked))
    (folder / "r.csv").write_text(f'id,1\n{ADA.identifier},"{reply}"\n')
    with graded(folder, exam_keys, folder / "r.csv") as book:
        return exam_keys, next(each for each in results(book, exam_keys) if each.student == ADA)


def written_for(folder: Path, table: str, *, released: bool = False) -> tuple[str, str]:
    """The HTML and the Markdown page of a student whose replies are in this table."""
    exam_keys = build(folder, [student(1)], codes=("A",))
    (folder / "r.csv").write_text(table.replace("ID", student(1).identifier))
    with graded(folder, exam_keys, folder / "r.csv") as book:
        write_feedback(book, exam_keys, folder / "pages", released=released)
    (page,), (words,) = (folder / "pages").glob("*.html"), (folder / "pages").glob("*.md")
    return page.read_text(encoding="utf-8"), words.read_text(encoding="utf-8")


def test_pages_and_the_report_have_decimal_commas(tmp_path: Path) -> None:
    """After an exam with decimal commas people read 2,5 in feedback and report, and programs 2.5."""
    paper = paper_of(COMMAS)
    exam_keys = sat(tmp_path, exam_of(paper))
    parts = [part for question in paper.questions for part in question.parts]
    wrong = [next(iter(part.beliefs.values())) for part in parts]
    replies = [part.public.terms.language.reply(reply) for part, reply in zip(parts, wrong, strict=True)]
    table = [["id", *(part.name for part in exam_keys.parts)], [ADA.identifier, *replies]]
    with (tmp_path / "r.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(table)
    with graded(tmp_path, exam_keys, tmp_path / "r.csv") as book:
        write_feedback(book, exam_keys, tmp_path / "pages", released=True)
        found = list(results(book, exam_keys))
    analysis = analyse(exam_keys, found)
    pages = [path.read_text(encoding="utf-8") for path in (tmp_path / "pages").iterdir()]
    for page in (*pages, report_html(analysis).decode()):
        shown = re.sub("<style>.*?</style>", "", page, flags=re.DOTALL).replace("\\", "")
        words = " ".join(re.findall(r">([^<]*)<", shown)) if "<html" in page else shown
        assert re.search(r"\d,\d", words)
        assert not re.search(r"\d\.\d", words), re.findall(r".*\d\.\d.*", words)
        assert not re.search(r"\d,\d+, -?\d|\d, -?\d+,\d", words), "a comma parts numbers as well"
    for figure in figures(analysis):
        drawn = re.findall("<text[^>]*>(.*?)</text>", figure.svg.decode())
        assert drawn
        assert not any(re.fullmatch(r".?\d\.\d+", word) for word in drawn)
    (questions,) = [each for each in tables(analysis) if each.name == "questions"]
    assert questions.rows[0][3] == "2.5"
    row = csv_export(exam_keys, found, Rounding()).splitlines()[1]
    assert b",1.5," in row
    assert b'"' not in row  # as a cell with a decimal comma would have


@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_verdict_has_a_colour(verdict: str) -> None:
    """The style sheet of feedback pages gives the word of each verdict a colour."""
    assert f".{verdict} .word" in raw_template("feedback/page.css")


def test_contested_replies_are_told_as_such(tmp_path: Path) -> None:
    """Of two different replies none is shown or called unclear; the teacher has to decide."""
    page, words = written_for(tmp_path, "id,1\nID,77\nID,78\n")
    assert "You submitted two different answers; your instructor must decide which one counts." in page
    assert not any(text in page for text in ("more than one way", ">77<", ">78<"))
    assert "Points are rounded" in words


@pytest.mark.parametrize(
    ("table", "reading", "wrote", "sentence"),
    [
        ("id,1\nID,5 or 6\n", "5", "5 or 6", "Your instructor read this as: 5"),
        ("id,1\nID,5 or 6\n", "", "5 or 6", "Your instructor read this as no answer."),
        ("id,1\nID,77\nID,78\n", "77", "77", ""),
        ("id,1\nID,77\nID,78\n", "7", "78", "Your instructor read this as: 7"),
    ],
)
def test_how_a_person_read_it_stands_below_what_was_written(
    tmp_path: Path, table: str, reading: str, wrote: str, sentence: str
) -> None:
    """Students see their own reply, and how a person read it if that is another one, in every format."""
    written_for(tmp_path, table)
    who = student(1).identifier
    assert gametree("gradebook", "read", str(tmp_path), who, "1", reading).code == 0
    exam_keys = read_exam_keys(tmp_path)
    with Gradebook.open(tmp_path / "grades" / "gradebook.db") as book:
        (result,) = results(book, exam_keys)
    page = feedback_page(exam_keys, result, Rounding(), released=False)
    part = page["questions"][0]["parts"][0]
    assert (part["wrote"], part["reply"]) == ("You wrote:", (wrote,))
    assert [each for each in (part["read_as"], part["state"]) if each] == [sentence] * bool(sentence)
    printed = PdfReader(io.BytesIO(feedback_pdf(page))).pages[0].extract_text()
    for words in (html_page(page).decode(), feedback_markdown(page).decode(), printed):
        assert all(text in " ".join(words.split()) for text in ("You wrote:", wrote, sentence))
        assert "You gave no answer." not in words


def test_an_incomplete_answer_is_told_before_release(tmp_path: Path) -> None:
    """Before release a reply that leaves something out is told so, without what it is."""
    page, _ = written_for(tmp_path, "id,3\nID,none\n")
    assert "Points were deducted because part of the answer is missing." in page


def test_what_follows_is_not_drawn_as_wrong(tmp_path: Path) -> None:
    """A value that only follows from the student's own values is drawn as that."""
    page, words = written_for(tmp_path, "id,2a\nID,A=99 B=3 C=99 D=2\n", released=True)
    assert page.count("which is incorrect") == page.count('class="wrong"') == 1
    assert page.count("which is only consistent with") == page.count('class="follows"') == 1
    assert "A = 99 (consistent; correct: 3)" in words


@pytest.mark.parametrize("released", [False, True])
def test_evaluations_are_shown_with_the_answers(tmp_path: Path, released: bool) -> None:
    """Leaves that a student had to evaluate are question marks until the answers are released."""
    asked = example("board-position.values")
    exam_keys, result = answered(tmp_path, asked, asked.key)
    page = feedback_page(exam_keys, result, Rounding(), released=released)
    (outline,) = (each["outline"] for each in page["questions"])
    assert ("?" in outline) != released


@pytest.mark.parametrize(
    ("kind", "belief"),
    [
        ("visited-count", "counts-pruned"),
        ("visited-count", "counts-all-nodes"),
        ("pruned-paths", "lists-visited"),
        ("visited-count", "only-at-max"),
        ("pruned-paths", "never-prunes"),
    ],
)
def test_no_mistake_tells_the_answer(tmp_path: Path, kind: str, belief: str) -> None:
    """That a reply is the right answer to another question is told at the release; other mistakes before."""
    tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"
    asked = exercise_of(kind, tree)
    told = BELIEFS[belief]
    exam_keys, result = answered(tmp_path, asked, asked.beliefs.get(f"{kind}.{belief}") or "none")
    for released in (False, True):
        (question,) = feedback_page(exam_keys, result, Rounding(), released=released)["questions"]
        said = " ".join(question["parts"][0]["beliefs"])
        assert bool(said) == (released or not told.is_restatement)
        assert not released or not told.is_restatement or told.symptom.lower() in said.lower()


@pytest.mark.parametrize("is_mistaken", [True, False])
def test_a_misconception_links_to_its_practice(tmp_path: Path, is_mistaken: bool) -> None:
    """In every format a named misconception has a link to practise it, only with the address of a page."""
    asked = example("pruned-paths")
    code, mistaken = next(iter(asked.beliefs.items()))
    exam_keys, result = answered(tmp_path, asked, mistaken if is_mistaken else asked.key)
    address = "https://example.org/practice/"
    for practice in (address, ""):
        page = feedback_page(exam_keys, result, Rounding(), released=True, practice=practice)
        ((part,),) = (question["parts"] for question in page["questions"])
        if is_mistaken and practice:
            _, _, mistakes = part["practise"].partition(f"{address}#kind=pruned-paths&mistake=")
            assert code.rpartition(".")[2] in mistakes.partition("&lang=en")[0].split(",")
        else:
            assert part["practise"] == ""
        texts = html_page(page).decode(), feedback_markdown(page).decode(), str(feedback_links(page))
        assert [f"{address}#kind" in text for text in texts] == [is_mistaken and practice == address] * 3


def test_a_reply_is_on_the_page_of_its_introduction(tmp_path: Path) -> None:
    """No printed page ends with `You wrote:` and leaves the reply to the next one, wherever it breaks."""
    asked = example("root-value")
    exam_keys, result = answered(tmp_path, asked, "77")
    page = feedback_page(exam_keys, result, Rounding(), released=True)
    (question,) = page["questions"]
    questions = [{**question, "drawing": None, "stem": "word " * 9 * number} for number in range(40)]
    pages = printed(feedback_pdf({**page, "questions": questions}))
    assert len(pages) > 8
    assert sum(text.count("You wrote:") for text in pages) == len(questions)
    assert [text for text in pages if text.count("You wrote:") != text.count("You wrote: 77")] == []


def feedback_links(page: dict[str, Any]) -> list[str]:
    """The addresses that a printed page links to."""
    pages = PdfReader(io.BytesIO(feedback_pdf(page))).pages
    notes = [note.get_object() for each in pages for note in each.get("/Annots", ())]
    return [note["/A"]["/URI"] for note in notes]


@pytest.mark.parametrize(
    ("kind", "stem"),
    [("uct.phase", "search has four phases: 1 selection"), ("imperfect-opponent.gain", "a fixed plan")],
)
def test_what_is_so_stands_above_what_is_asked(tmp_path: Path, kind: str, stem: str) -> None:
    """Every format says what the question is about as the paper does, with a tree only where there is one."""
    asked = example(kind)
    exam_keys, result = answered(tmp_path, asked, asked.key)
    page = feedback_page(exam_keys, result, Rounding(), released=True)
    tree = bool(len(asked.public.tree))
    html_text, words = html_page(page).decode(), feedback_markdown(page).decode()
    printed = " ".join(
        " ".join(each.extract_text() for each in PdfReader(io.BytesIO(feedback_pdf(page))).pages).split()
    )
    assert all(text.count(stem) == 1 for text in (html_text, words, printed))
    assert tree == ("<svg" in html_text) == ("<details" in html_text) == ("```" in words)


def test_every_format_gives_every_reason(tmp_path: Path) -> None:
    """HTML, Markdown and PDF give a student the same reasons, also those that HTML folds away."""
    asked = example("node-values")
    exam_keys, result = answered(tmp_path, asked, next(iter(asked.beliefs.values())))
    page = feedback_page(exam_keys, result, Rounding(), released=True)
    ((part,),) = (question["parts"] for question in page["questions"])
    formats = (
        unescape(html_page(page).decode()),
        feedback_markdown(page).decode().replace("\\", ""),
        " ".join(printed(feedback_pdf(page))),
    )
    assert part["more"]
    for text in formats:
        lost = [
            reason for reason in (*part["reasons"], *part["more"]) if reason not in " ".join(text.split())
        ]
        assert lost == [], text


EIGHT = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"  # 5 and 6 of nine leaves are pruned


@pytest.mark.parametrize(
    ("kind", "policy", "reply", "hidden", "told"),
    [
        (
            "pruned-paths",
            "net",
            "5",
            "The number of correct items minus the number of incorrect items is 1 − 0 = 1, out of 2. "
            "Score: 2 of 4.",
            "",
        ),
        (
            "pruned-paths",
            "net",
            "6 7",
            "The number of correct items minus the number of incorrect items, 1 − 1, is not "
            "positive. Score: 0 of 4.",
            "",
        ),
        (
            "pruned-paths",
            "keep:1/2",
            "5",
            "Incorrect items: 0. Missing items: 1. Each of them halves the points. Score: 2 of 4.",
            "",
        ),
        (
            "pruned-paths",
            "keep:3/4",
            "5 6 9",
            "Incorrect items: 1. Missing items: 0. Each of them multiplies the points by 3/4. Score: 3 of 4.",
            "",
        ),
        (
            "pruned-paths",
            "keep:1/2",
            "6 7",
            "The correct items do not outnumber the incorrect ones. Score: 0 of 4.",
            "Correct items: 1. Incorrect items: 1. Only an answer with more correct than incorrect "
            "items earns points. Score: 0 of 4.",
        ),
        (
            "visiting-order",
            "keep:1/2",
            "1 2 3 4",
            "The correct items do not outnumber the incorrect ones. Score: 0 of 4.",
            "Without the leaves that every search visits first, the numbers of correct and incorrect "
            "leaves are 0 and "
            "0. Only an answer with more correct than incorrect leaves earns points. Score: 0 of 4.",
        ),
        ("pruned-paths", "exact", "5", "Only a complete and correct answer earns points. Score: 0 of 4.", ""),
        (
            "pruned-paths",
            "each",
            "5",
            "8 of 9 items are correctly listed or omitted. Listing none would get 7 correct. "
            "Beyond that, 1 of 2 count. Score: 2 of 4.",
            "",
        ),
        (
            "pruned-paths",
            "each",
            "6 7",
            "The answer is no better than listing all or none. Score: 0 of 4.",
            "7 of 9 items are correctly listed or omitted. Listing none would get 7 correct, which is at "
            "least as many. Score: 0 of 4.",
        ),
        (
            "pruned-paths",
            "deduct:1/2",
            "5 7",
            "Incorrect items: 1. Missing items: 1. Each costs 0.5, for a total of 1 out of 4. Score: 3 of 4.",
            "",
        ),
        ("pruned-paths", "deduct:1/10", "1-9", "Listing everything earns nothing. Score: 0 of 4.", ""),
        (
            "pruned-paths",
            "deduct:2",
            "1",
            "The incorrect and missing items use up all the points. Score: 0 of 4.",
            "Incorrect items: 1. Missing items: 2. Each costs 2, which uses up all the points. "
            "Score: 0 of 4.",
        ),
        ("pruned-branches", "deduct:1/10", "B C D", "Listing everything earns nothing. Score: 0 of 4.", ""),
        (
            "visiting-order",
            "net",
            "1 2 3 4 7 9",
            "Of the 3 leaves after those that every search visits first, the number correct before the first "
            "mistake is 1. Score: 1.33 of 4.",
            "",
        ),
        (
            "visiting-order",
            "net",
            "2 1",
            "The first leaf that counts is already incorrect. Score: 0 of 4.",
            "Of the 3 leaves after those that every search visits first, the number correct before the first "
            "mistake is 0. Score: 0 of 4.",
        ),
        (
            "visiting-order",
            "net",
            "1 2 3 4 7 8 9 5",
            "All 3 are correct, but extra leaves follow; together, they count as one mistake. Score: "
            "2.67 of 4.",
            "",
        ),
        ("node-values", "entries", "A=4 B=3 C=4 D=2", "Correct entries: 2 of 4. Score: 2 of 4.", ""),
        (
            "node-values",
            "exact",
            "A=4 B=3",
            "Only a complete and correct answer earns points. Score: 0 of 4.",
            "",
        ),
        (
            "node-values",
            "players",
            "A=4 B=3 C=4 D=2",
            "Correct entries: 0 of 1 at MAX nodes (worth 50% of the points) and 2 of 3 at MIN nodes "
            "(worth 50% of the points). Score: 1.33 of 4.",
            "",
        ),
        (
            "windows",
            "entries",
            "A [-inf, inf] -> 3; B [-inf, inf] -> 4; C [0, 0] -> 2; D [3, inf] -> 2",
            "Correct entries: 2 of 4. Partially correct entries: 1. Score: 2.5 of 4.",
            "",
        ),
        ("root-value", "net", "5", "", ""),
        ("pruned-paths", "net", "5 6", "", ""),
    ],
)
def test_points_can_be_worked_out_again(
    tmp_path: Path, kind: str, policy: str, reply: str, hidden: str, told: str
) -> None:
    """A page says how points came about, before release nothing that they do not tell themselves."""
    exam_keys = sat(tmp_path, exam_with(exercise_of(kind, EIGHT, policy)))
    (tmp_path / "r.csv").write_text(f'id,1\n{ADA.identifier},"{reply}"\n')
    with graded(tmp_path, exam_keys, tmp_path / "r.csv") as book:
        for released in (False, True):
            write_feedback(book, exam_keys, tmp_path / "pages", released=released)
            (page,), (words,) = (tmp_path / "pages").glob("*.html"), (tmp_path / "pages").glob("*.md")
            said = (told or hidden) if released else hidden
            assert (f"<p>{said}</p>" in page.read_text()) == bool(said)
            assert said in words.read_text().replace("\\", "")
            assert (" of 4.</p>" in page.read_text()) == bool(said)


def test_points_by_hand_are_not_worked_out(tmp_path: Path) -> None:
    """Points that a teacher has set come from no policy, and none is named for them."""
    exam_keys = sat(tmp_path, exam_with(exercise_of("pruned-paths", EIGHT)))
    (tmp_path / "r.csv").write_text(f"id,1\n{ADA.identifier},5\n")
    with graded(tmp_path, exam_keys, tmp_path / "r.csv") as book:
        override_marks(book, exam_keys, [Decision(ADA.identifier, "1", "2", "said so aloud")])
        (result,) = results(book, exam_keys)
    (question,) = feedback_page(exam_keys, result, Rounding(), released=True)["questions"]
    assert question["parts"][0]["tally"] == ""


def test_trees_lie_as_on_the_paper(tmp_path: Path) -> None:
    """However much a student wrote into it, a tree is drawn in the direction it has on the paper."""
    nodes = " ".join(f"MIN N{at} ({at} {at + 1})" for at in range(9))
    asked = exercise_of("node-values", f"MAX A ({nodes})")
    exam_keys, result = answered(tmp_path, asked, " ".join(f"N{at}=-1234567.5" for at in range(9)))
    (shown,) = feedback_page(exam_keys, result, Rounding(), released=True)["questions"]
    on_paper = picture_of(PublicQuestion("1", "", (asked.public,)))
    assert shown["drawing"].width > MAX_DOWNWARD_WIDTH > on_paper.width
    assert shown["drawing"].drawing.direction == on_paper.drawing.direction == "down"


def test_mistakes_that_cannot_be_told_apart_are_alternatives(tmp_path: Path) -> None:
    """Of many misconceptions that a reply fits, the page names the first ones and counts the others."""
    page, words = written_for(tmp_path, "id,3\nID,none\n")
    assert page.count(SEVERAL_NOTES) == words.count(SEVERAL_NOTES) == 1
    notes = mark(exercise("pruned-paths", "A", 3), "none").notes
    listed = page.partition(SEVERAL_NOTES)[2].partition("</ul>")[0]
    assert listed.count("<li>") == MAX_MISCONCEPTIONS + 1 < len(notes)
    assert BELIEFS["never-prunes"].symptom in listed.partition("</li>")[0]


def test_values_go_wrong_from_below(tmp_path: Path) -> None:
    """Of values that come from a misconception the page shows a node whose own children were still right."""
    said = exercise("node-values", "A", 4).beliefs["node-values.ignores-opponent"]
    page, _ = written_for(tmp_path, f"id,2a\nID,{said}\n", released=True)
    assert page.partition("Location of the mistake.")[2].lstrip("</strong> ").startswith("MIN ")


def test_other_answers_tell_mistakes_apart(tmp_path: Path) -> None:
    """Of several misconceptions that fit a reply, the page names the one that other replies show too."""
    table = "id,1,2a\nID,{},A=5 B=12 C=6 D=14\n"
    both = [BELIEFS[name].symptom for name in ("ignores-opponent", "players-swapped")]
    pages = [written_for(tmp_path / said, table.format(said))[1] for said in ("3", "6", "14")]
    assert [[each in page for each in both] for page in pages] == [[True, True], [False, True], [True, False]]
    assert [SEVERAL_NOTES in page for page in pages] == [True, False, False]


def test_file_names_are_not_to_be_guessed(room: Room, tmp_path: Path) -> None:
    """The name of a page ends with a digest that depends on the keys, which nobody outside has."""
    students = [student(number) for number in range(COUNT)]
    names = {feedback_stem(room.exam_keys.keys_hash, each) for each in students}
    assert {Path(name).stem for name in room.pages(tmp_path, released=False)} == names
    other = build(tmp_path / "other", students, codes=("B",))
    others = {feedback_stem(other.keys_hash, each) for each in students}
    digests = [{name.rpartition("-")[2] for name in each} for each in (names, others)]
    assert {len(digest) for each in digests for digest in each} == {16}
    assert len(digests[0] | digests[1]) == 2 * COUNT


@pytest.mark.parametrize(
    ("way", "step"), [("typst", 3), ("browser", 6), pytest.param("browser", 3, marks=pytest.mark.slow)]
)
def test_headings_stay_with_their_questions_in_print(
    room: Room, way: str, step: int, request: pytest.FixtureRequest
) -> None:
    """No page ends between a question's heading, its tree and its first part, wherever the page ends."""
    with room.open() as book:
        page = feedback_page(
            room.exam_keys, next(iter(results(book, room.exam_keys))), Rounding(), released=True
        )
    first, second, *_ = page["questions"]
    second = second | {
        "heading": "The second question",
        "parts": [second["parts"][0] | {"prompt": "Only here."}],
    }
    for lines in range(0, 24, step):
        longer = first | {"parts": [first["parts"][0] | {"reasons": ["A reason."] * lines}]}
        long = page | {"questions": [longer, second]}
        data = (
            feedback_pdf(long)
            if way == "typst"
            else in_print(request.getfixturevalue("chromium"), html_page(long))
        )
        _, _, below = "\f".join(printed(data)).partition(second["heading"])  # in the overview
        between = below[below.index(second["heading"]) : below.index("Only here.")]
        assert "\f" not in between, lines


@pytest.mark.parametrize("name", ["Maria Theresia Walburga " * 8, "W" * 90])
def test_long_names_stay_in_their_place_in_print(room: Room, name: str) -> None:
    """However long the name and the title of the exam are, neither stands on anything or in the margin."""
    with room.open() as book:
        page = feedback_page(
            room.exam_keys, next(iter(results(book, room.exam_keys))), Rounding(), released=True
        )
    data = feedback_pdf(
        page | {"name": name, "who": f"{name}, 1001, variant A", "exam": "The exam of the year " * 9}
    )
    assert len(printed(data)) > 1
    assert misplaced(data) == []
    assert all("…" in text for text in printed(data))


def test_axe_finds_nothing(room: Room, chromium: Browser, tmp_path: Path) -> None:
    """Feedback pages before and after release and the report violate no rule of axe."""
    pages = [
        next(iter(room.pages(tmp_path / str(released), released=released).values()))
        for released in (False, True)
    ]
    for page in (*pages, report_html(room.analysis()).decode()):
        found = axe(chromium, page)
        assert found["violations"] == []
        assert found["passes"] > 15


def test_reports_count_everybody(room: Room) -> None:
    """The tables of a report add up to the class."""
    analysis = room.analysis()
    found = {table.name: table for table in tables(analysis)}
    assert sum(int(row[1]) for row in found["distribution"].rows) == analysis.complete
    for part in analysis.parts:
        assert sum(part.states.values()) == COUNT
    assert {row.part for row in analysis.unreadable} == {"1"}
    assert any(row.part == "3" for row in analysis.misconceptions)
    for counted in analysis.answers:
        states = next(each.states for each in analysis.parts if each.part.name == counted.part)
        explained = sum(counted.by_misconceptions.values())
        rows = [row for row in analysis.misconceptions if row.part == counted.part]
        assert explained == sum(row.equal + row.nearest for row in rows)
        marked = counted.correct + counted.consistent + explained + counted.other
        assert marked + counted.blank + counted.without_points == COUNT - states.get("MISSING", 0)
    compared = analysis.comparisons[0]
    assert sum(count for _, count, _ in compared.groups) == analysis.complete


def test_every_column_is_explained(room: Room, tmp_path: Path) -> None:
    """Whatever stands in a table of a report, the page and columns.csv say in words what it means."""
    analysis = room.analysis()
    page = report_html(analysis).decode()
    listed = page.partition('id="how"')[2]
    shown = {name for table in tables(analysis) for name in table.header if f"{name}</th>" in page}
    assert shown == set(re.findall("<dt>(.*?): </dt><dd>[^<]{5,}</dd>", listed))
    assert "Kruskal-Wallis" in page
    explained = set()
    for path in sorted(write_report(analysis, tmp_path)):
        if path.suffix == ".csv":
            header, *rows = csv.reader(path.read_text(encoding="utf-8-sig").splitlines())
            explained |= {(path.name, name) for name in header if path.stem != "columns"}
            if path.stem == "columns":
                told = {(row[0], row[1]) for row in rows if row[2]}
    assert told == explained


@pytest.mark.parametrize("text", ["100%", "100\N{NO-BREAK SPACE}%", "a long name"])
def test_plots_have_room_for_what_is_below_their_axis(text: str) -> None:
    """The last text below an axis, centred at its end, is not cut off at the edge of the plot."""
    bars = plots.Bars(
        (plots.Series("", (1.0,), (("1",),)),), 48, "", "", ((1.0, text),), ((0.0, "0"), (1.0, "1"))
    )
    svg = plots.plot_svg(bars, "A plot", "").decode()
    (width,) = re.findall(r'<svg[^>]* width="([0-9.]+)"', svg)
    (place,) = re.findall(rf'<text x="([0-9.]+)"[^>]*>{text}<', svg)
    assert float(place) + 3.3 * len(text) < float(width)


def test_variants_of_one_student_are_not_compared(tmp_path: Path) -> None:
    """Where everybody has a variant of his or her own, no list of means pretends to compare them."""
    exam_keys = build(tmp_path, [student(number) for number in range(3)])
    rows = {student(number).identifier: ["3", "", "B", "5 6"] for number in range(3)}
    with graded(tmp_path, exam_keys, write_replies(tmp_path / "r.csv", rows)) as book:
        analysis = analyse(exam_keys, results(book, exam_keys))
    (table,) = [table for table in tables(analysis) if table.name == "variants"]
    assert table.rows == ()
    assert table.caption not in report_html(analysis).decode()


def test_what_is_asked_alike_is_one(tmp_path: Path) -> None:
    """Variants with the same tree in a question are one there: nobody copied, and nothing is compared."""
    build(tmp_path, [student(number) for number in range(12)])

    def shared(record: dict[str, Any]) -> None:
        first = record["variants"][0]["questions"][2]
        record["variants"][1]["questions"][2] = first
        record["variants"][2]["questions"][2] = first

    exam_keys = change_exam(tmp_path, shared)
    rows = {student(number).identifier: [str(number % 2), "", "B", "1 2 8"] for number in range(12)}
    with graded(tmp_path, exam_keys, write_replies(tmp_path / "r.csv", rows)) as book:
        analysis = analyse(exam_keys, results(book, exam_keys))
    assert [(row.answers, row.students) for row in analysis.wrong if row.part == "3"] == [
        ((("", "1 2 8"),), 12)
    ]
    assert {variant for row in analysis.wrong if row.part == "1" for variant, _ in row.answers} == {
        "A", "B", "C",
    }  # fmt: skip
    assert not [each for each in analysis.identical if each.part == "3"]
    compared = {each.subject: [code for code, _, _ in each.groups] for each in analysis.comparisons}
    assert compared == {what: ["A", "B", "C"] for what in ("total", "1", "2a", "2b")} | {"3": ["all"]}
    (table,) = [table for table in tables(analysis) if table.name == "variants"]
    assert {row[0] for row in table.rows} == {"total", "1", "2a", "2b"}


def test_a_mistake_is_counted_where_it_was_made(tmp_path: Path) -> None:
    """A move that follows from a wrong table is no wrong answer of its own; beside a right one it is."""
    exam_keys = build(tmp_path, [student(number) for number in range(2)], codes=("A",))
    values = "A=5 B=3 C=2 D=5", "A=3 B=3 C=2 D=2"
    rows = {student(number).identifier: ["3", table, "D", "5 6"] for number, table in enumerate(values)}
    with graded(tmp_path, exam_keys, write_replies(tmp_path / "r.csv", rows)) as book:
        analysis = analyse(exam_keys, results(book, exam_keys))
    assert sorted((row.part, row.students) for row in analysis.wrong) == [("2a", 1), ("2b", 1)]
    counted = [(each.names, each.equal) for each in analysis.misconceptions if each.part == "2b"]
    assert counted
    assert {count for _, count in counted} == {1}


def test_reasons_keep_limits(tmp_path: Path) -> None:
    """Replies that cannot be read are counted by reason without what is theirs, but with what limits all."""
    exam_keys = build(tmp_path, [student(number) for number in range(3)])
    rows = {student(number).identifier: ["9" * 70_000, f"A={'x' * number}", "B", ""] for number in range(3)}
    with graded(tmp_path, exam_keys, write_replies(tmp_path / "r.csv", rows)) as book:
        analysis = analyse(exam_keys, results(book, exam_keys))
    assert [row.reason for row in analysis.unreadable if row.part == "1"] == [
        "the answer is longer than 64 KB"
    ]


def test_copied_answers_are_seen(room: Room) -> None:
    """The same unexplained wrong answer in different variants is listed with all who gave it."""
    (found,) = [each for each in room.analysis().identical if each.part == "3" and each.answer == "1 2 8"]
    assert len(found.students) >= 3
    assert len({variant for _, variant in found.students}) >= 2


def test_reports_are_the_same_bytes(room: Room, tmp_path: Path) -> None:
    """Written twice a report has the same bytes, plots included."""
    first = [path.read_bytes() for path in write_report(room.analysis(), tmp_path / "one")]
    second = [path.read_bytes() for path in write_report(room.analysis(), tmp_path / "two")]
    assert first == second
    assert any(b"<svg" in data[:2000] for data in first)


def test_what_a_killed_run_left_is_cleared_away(room: Room, tmp_path: Path) -> None:
    """A part of a page that was being written is gone when pages are written again; other files stay."""
    pages = room.pages(tmp_path / "pages", released=False)
    part = tmp_path / "pages" / f".{min(pages)}.99999999.part"
    other = tmp_path / "pages" / ".mine.part"
    for path in (part, other):
        path.write_text("half a page")
    assert room.pages(tmp_path / "pages", released=False) == pages
    assert (part.exists(), other.exists()) == (False, True)


def test_one_run_at_a_time_writes_pages(room: Room, tmp_path: Path) -> None:
    """While one run writes pages into a folder, another one is refused."""
    with lock_file(tmp_path / "pages" / ".writing"), pytest.raises(OSError, match="another program"):
        room.pages(tmp_path / "pages", released=False)
