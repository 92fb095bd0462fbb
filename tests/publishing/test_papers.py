"""The laws of papers: complete, accessible, without the answer, the same on every machine."""

import html
import io
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree

import pypdf
import pytest

from grader.answers.form import Terms
from grader.answers.policies import read_policy
from grader.base.catalogues import shipped_languages
from grader.base.phrases import Language
from grader.base.templating import raw_template
from grader.exam.blueprint import MAX_PAPER_LEAVES
from grader.exam.manifest import Exam, open_exam
from grader.exam.paper import Paper, Question
from grader.exercises.exercise import make_exercise
from grader.exercises.question_text import QuestionText
from grader.pictures.node_words import spell_value
from grader.publishing.key_leaks import inflate_streams
from grader.publishing.keys import describe_difficulty, key_data, key_pdf, marking_guide
from grader.publishing.paper_formats import (
    PAPER_FORMATS,
    paper_html,
    paper_latex,
    paper_markdown,
    paper_pdf,
    paper_text,
)
from grader.publishing.sheet import SHEET_PHRASES, Sheet, lay_out
from grader.questions import kind_by_code
from grader.questions.wording import PAYOFFS
from grader.trees.notation.reading import tree_of
from tests.pictures.engines import ENGINES, compiled
from tests.publishing.conftest import Site
from tests.publishing.papers import (
    COMMAS,
    NAMES,
    catalogue_of,
    exercise_of,
    misplaced,
    paper_of,
    parts_about,
    printed,
)


def words_of(data: bytes) -> str:
    """The words of a PDF, page by page."""
    return "\n".join(printed(data))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_pdf_is_accessible(name: str) -> None:
    """Papers and keys say that they meet PDF/UA-1, have a title and a language, and describe pictures."""
    paper = paper_of(name)
    for data in (paper_pdf(paper.public), key_pdf(paper)):
        reader = pypdf.PdfReader(io.BytesIO(data))
        assert b"pdfuaid:part>1<" in inflate_streams(data)
        assert reader.metadata is not None
        assert "A quiz" in str(reader.metadata.title)
        assert reader.trailer["/Root"]["/Lang"] == "en"
        structure = reader.trailer["/Root"]["/StructTreeRoot"]
        figures = [element for element in _elements(structure) if element.get("/S") == "/Figure"]
        assert bool(figures) == any(len(part.public.tree) for part in paper.questions[0].parts)
        assert all(str(figure["/Alt"]).startswith("A game tree of") for figure in figures)


def _elements(element: Any) -> Iterator[Any]:
    """The structure of a document, as screen readers see it."""
    element = element.get_object()
    if isinstance(element, list):
        for each in element:
            yield from _elements(each)
    elif isinstance(element, dict):
        yield element
        if "/K" in element:
            yield from _elements(element["/K"])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
def test_the_same_bytes(name: str) -> None:
    """Setting a paper twice gives the same bytes."""
    paper = paper_of(name)
    for known in PAPER_FORMATS:
        assert known.write(paper.public) == known.write(paper.public)
    assert key_pdf(paper) == key_pdf(paper)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NAMES)
def test_the_alternative_tells_the_tree_and_no_answer(name: str) -> None:
    """What stands for a picture has every payoff and none of the solution's words; no tree has no picture."""
    paper = paper_of(name)
    page = paper_html(paper.public).decode()
    tree = paper.questions[0].public.tree
    found = re.findall(r"<desc[^>]*>(.*?)</desc>", page)
    assert len(found) == (len(tree) > 0)
    if not len(tree):
        return
    (told,) = map(unescape, found)
    for leaf in tree.leaves:
        payoff = tree.payoffs[leaf]
        shown = payoff if isinstance(payoff, str) else spell_value(payoff or 0)
        assert shown in html.unescape(told)
    assert not re.search(r"crossed|pruned|value|window|best|visited", told)


POINTED = re.compile(r"\d\.\d")


def test_no_decimal_point_is_left() -> None:
    """With decimal commas no number that people read has a point: not on papers, in pictures or in keys."""
    paper = paper_of(COMMAS)
    page = paper_html(paper.public).decode()
    pages = [paper_text(paper.public).decode(), paper_markdown(paper.public).decode().replace("\\", "")]
    pages += [" ".join(re.findall(r">([^<]*)<", re.sub("<style>.*?</style>", "", page, flags=re.DOTALL)))]
    pages += [words_of(paper_pdf(paper.public)), words_of(key_pdf(paper))]
    pages += [
        picture["description"]
        for question in key_data(paper)["questions"]
        for picture in question["pictures"]
    ]
    for said in pages:
        assert not POINTED.search(said), POINTED.search(said)
        assert re.search(r"\d,\d", said)
        assert not re.search(r"\d, \d", said.replace("1, 2, 3, ...", "")), "a comma parts numbers as well"
    assert "{,}" in paper_latex(paper.public).decode()


def test_records_keep_the_point() -> None:
    """What programs read of an exam with decimal commas is what they read without."""
    record = paper_of(COMMAS).public.to_json()["questions"][0]["parts"][0]
    assert record["points"] == "2.5"
    assert "0.3: 2.5" in record["tree"]
    assert record["rules"]["bounds"] == ["-2.5", "12.5"]


def test_conventions_are_said_once(site: Site) -> None:
    """Every convention stands on a paper once, whatever number of questions rely on it."""
    (path, *_) = sorted((site.folder / "publish" / "papers").glob("*.txt"))
    said = " ".join(path.read_text(encoding="utf-8").split())
    for convention in (
        "Triangles that point up are MAX nodes",
        "The number at a leaf is the payoff for MAX.",
        "Leaves are numbered 1, 2, 3, ...",
        "equality is enough to prune",
        "A leaf is pruned if",
    ):
        assert said.count(convention) == 1


def test_different_conventions_stay_with_their_questions() -> None:
    """Two questions with different tie rules each say their own, and the top of the paper says neither."""
    kind = kind_by_code("pruned-paths")
    tree = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6))")
    questions = tuple(
        Question(label, "", (make_exercise(kind, tree, tree.rules(ties=ties)),))
        for label, ties in (("1", "cut"), ("2", "keep"))
    )
    sheet = lay_out(Paper(paper_of(NAMES[0]).heading, "A", questions).public)
    assert not any("equality" in rule for rule in sheet.conventions)
    first, second = (" ".join(question.conventions) for question in sheet.questions)
    assert "equality is enough to prune" in first
    assert "equality is not enough to prune" in second


def test_a_paper_in_other_words() -> None:
    """A prompt in the teacher's words is printed as it is, and the program adds no English to it."""
    paper = paper_of("pruned-paths")
    part = paper.questions[0].parts[0]
    points = ("{points} point", "{points} points")
    said = {points: ("{points} []",) * 2, "Question {label}. {title}": "[] {label}. {title}"}
    own = catalogue_of(dict.fromkeys(SHEET_PHRASES.values(), "[]") | said, "nl")
    heading = replace(paper.heading, language_code="nl", own_catalogue=own)
    terms = part.public.terms.in_language(Language("nl", own=own))
    prompt = "Welche Blätter schneidet die Suche ab?"
    asked = replace(part, public=replace(part.public, wording=QuestionText(prompt), terms=terms))
    made = Paper(heading, "A", (replace(paper.questions[0], parts=(asked,)),)).public
    page = paper_text(made).decode()
    assert "Welche Blätter schneidet die Suche ab?" in page
    assert not re.search(r"Answer|Question|search|leaves|MAX nodes", page)
    assert '<html lang="nl">' in paper_html(made).decode()


def test_pages_and_checksums(site: Site) -> None:
    """Every page has the code of the variant, its checksum and its number; every question is on it."""
    for path in sorted((site.folder / "publish" / "papers").glob("*.pdf")):
        pages = words_of(path.read_bytes()).split("\n")
        codes = {re.search(r"Variant (\w+)", page)[1] for page in pages}  # type: ignore[index]  # None would fail
        assert len(codes) == 1
        for number, page in enumerate(pages, 1):
            assert f"Page {number} of {len(pages)}" in page
            assert re.search(r"[0-9a-f]{8}", page)
        whole = " ".join(pages)
        for label in ("Question 1.", "Question 2.", "Question 3.", "a)", "b)", "c)"):
            assert label in whole


def test_no_heading_is_left_alone(site: Site) -> None:
    """A question's heading stands on the page of its picture and its first part."""
    asked = {
        "1": "Write the minimax value",
        "2": "Write the expected value",
        "3": "How many leaves does",
    }
    for path in sorted((site.folder / "publish" / "papers").glob("*.pdf")):
        for page in words_of(path.read_bytes()).split("\n"):
            for label, words in asked.items():
                assert (f"Question {label}." in page) == (words in page)


def test_parts_stand_beside_their_tree(site: Site) -> None:
    """A question that fits on a page is on one page: heading, picture and every part."""
    for path in (site.folder / "publish" / "papers").glob("*.pdf"):
        pages = printed(path)
        (page,) = [page for page in pages if "Question 1. A game for two" in page]
        assert all(f"{letter}) " in page for letter in "abc")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", ["a4", "us-letter"])
def test_the_first_page_is_made_use_of(site: Site, size: Literal["a4", "us-letter"]) -> None:
    """The shipped midterm takes two pages of either size, and its first question is on the first of them."""
    exam = open_exam(site.folder)
    assert isinstance(exam, Exam)
    for paper in exam.papers:
        made = replace(paper.public, heading=replace(paper.heading, size=size))
        first, second = words_of(paper_pdf(made)).split("\n")
        assert "Question 1. A game for two" in first
        assert "c) Which leaves are pruned?" in first
        assert "Question 2." in second
        assert "Question 3." in second


def _marks(page: pypdf.PageObject) -> list[tuple[float, float]]:
    """Where lines, curves and texts begin on a page, and where lines end, in points from the bottom left."""
    marks: list[tuple[float, float]] = []

    def note(operator: bytes, operands: Any, matrix: Any, text: Any) -> None:
        if operator in (b"m", b"l"):
            points = [operands]
        elif operator == b"re":
            x, y, width, height = operands
            points = [(x, y), (x + width, y + height)]
        elif operator in (b"Tj", b"TJ"):
            points = [text[4:]]
        else:
            return
        a, b, c, d, e, f = map(float, matrix)
        marks.extend((a * float(x) + c * float(y) + e, b * float(x) + d * float(y) + f) for x, y in points)

    page.extract_text(visitor_operand_before=note)
    return marks


LONG = "Zwischenprüfung über adversariale Suche, Alpha-Beta-Schnitte und Spiele mit Zufall für Größenwähler. "


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("size", "times"), [("a4", 2), ("a4", 3), ("us-letter", 3)])
def test_nothing_stands_in_the_margin(size: Literal["a4", "us-letter"], times: int) -> None:
    """Titles, points, pictures and boxes end where the text does, however long or many they are."""
    questions = tuple(
        replace(paper_of(name).questions[0], label=f"{place}", title=LONG * 2)
        for place, name in enumerate(NAMES[::7] * times, 1)
    )
    heading = replace(
        paper_of(NAMES[0]).heading, title=LONG * 2, course=LONG, instructions=LONG * 9, size=size
    )
    made = Paper(heading, "A", questions)
    assert "Question 6 7 8 9 10 Points / 4 / 4 / 4 / 4 / 4 Question" in words_of(paper_pdf(made.public))
    for data in (paper_pdf(made.public), key_pdf(made)):
        for page in pypdf.PdfReader(io.BytesIO(data)).pages:
            marks = _marks(page)
            assert len(marks) > 20
            assert all(62 <= x <= float(page.mediabox.width) - 61 for x, _ in marks)
            assert all(20 <= y <= float(page.mediabox.height) - 20 for _, y in marks)


@pytest.mark.parametrize(
    ("course", "date"),
    [("C" * 120, "1 May 2027"), (LONG * 2, "On the first of May " * 4), ("C" * 120, "D" * 70)],
)
def test_no_letter_stands_on_another(course: str, date: str) -> None:
    """However long course, date and title are, papers and keys have them side by side and in the margins."""
    questions = tuple(
        replace(paper_of(name).questions[0], label=str(place)) for place, name in enumerate(NAMES[:3], 1)
    )
    heading = replace(paper_of(NAMES[0]).heading, title="T" * 90, course=course, date=date)
    made = Paper(heading, "A", questions)
    for data in (paper_pdf(made.public), key_pdf(made)):
        assert misplaced(data) == []
        first, *others = words_of(data).replace("\u200b", "").split("\n")
        assert "…" not in first
        assert all("TTT…" in page for page in others if page)


def test_parts_on_other_pages_say_where_the_tree_is() -> None:
    """Beside a part on another page than its tree stands the page of that, and beside no other part."""
    trees = (
        f"MIN {name} (MAX {name}l (1 {at}) MAX {name}r (2 {at + 9}))" for at, name in enumerate("BCDEFGH")
    )
    tree = tree_of(f"MAX A ({' '.join(trees)})")
    names = ("node-values", "windows", "root-value", "visiting-order", "pruned-paths")
    large = Question("2", "Large", parts_about(tree, *names))
    questions = (replace(paper_of("root-value").questions[0], label="1"), large)
    for language, said in (("en", "The tree is on page {}."), ("zh", "树在第 {} 页。")):
        heading = replace(paper_of(NAMES[0]).heading, language_code=language)
        pages = words_of(paper_pdf(Paper(heading, "A", questions).public)).split("\n")
        (place,) = [number for number, page in enumerate(pages, 1) if "2. Large" in page]
        assert len(pages) > place
        for number, page in enumerate(pages, 1):
            asked = len(re.findall(r"\b[a-e]\) ", page))
            told = page.replace(" ", "").count(said.format(place).replace(" ", ""))  # on two lines of Chinese
            assert told == (asked if number > place else 0)
            assert asked or number < place


def test_room_for_an_answer_is_that_of_its_tree() -> None:
    """A list of leaves gets a second line in a large tree, whether or not the answer is long."""
    shapes = {}
    for leaves in (9, 21, 41):
        for payoff in (1, 20):  # all leaves of C but one are pruned, or none
            for name in ("visiting-order", "pruned-paths", "best-path"):
                tree = tree_of(f"MAX A (MIN B (9 10) MIN C ({payoff} {'11 ' * (leaves - 3)}))")
                paper = Paper(paper_of(name).heading, "A", (Question("1", "", parts_about(tree, name)),))
                box = lay_out(paper.public).questions[0].parts[0].box
                assert shapes.setdefault((name, leaves), box) == box
    assert [shapes["visiting-order", leaves].shape for leaves in (9, 21, 41)] == ["line", "tall", "tall"]
    assert [shapes["pruned-paths", leaves].shape for leaves in (9, 21, 41)] == ["line", "line", "tall"]
    assert [shapes["best-path", leaves].shape for leaves in (9, 21, 41)] == ["short", "short", "short"]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex on this machine")
@pytest.mark.parametrize("moves", [14, pytest.param(28, marks=pytest.mark.slow)])
def test_latex_fits_on_its_pages(tmp_path: Path, moves: int) -> None:
    """As LaTeX, large trees, long tables and long titles stay on their pages, and every part is printed."""
    tree = tree_of(f"MAX ({' '.join(f'MIN ({100 + 2 * at} {101 + 2 * at})' for at in range(moves))})")
    parts = parts_about(tree, "pruned-paths", "windows", "node-values")
    heading = replace(paper_of(NAMES[0]).heading, title=LONG * 2, course=LONG, instructions=LONG * 9)
    other = replace(paper_of("windows").questions[0], label="2")
    paper = Paper(heading, "A", (Question("1", LONG * 2, parts), other))
    (tmp_path / "paper.tex").write_bytes(paper_latex(paper.public))
    careful = ["-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error"]
    for last in (["-draftmode"], []):  # the second time it knows how many pages there are
        ran = subprocess.run(
            ["pdflatex", *careful, *last, "paper.tex"],
            cwd=tmp_path,
            capture_output=True,
            timeout=300,
            check=True,
        )
    assert b"Overfull" not in ran.stdout
    pages = words_of((tmp_path / "paper.pdf").read_bytes()).split("\n")
    assert all(f"Page {number} of {len(pages)}" in page for number, page in enumerate(pages, 1))
    for said in ("a)", "b)", "c)", *map(str, range(100, 100 + 2 * moves)), f"Min{moves}"):
        assert any(said in "".join(page.split()) for page in pages)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("code", shipped_languages())
def test_latex_has_the_letters_of_every_language(engine: str, code: str, tmp_path: Path) -> None:
    """A paper in any language but Chinese is printed without a box for want of a letter, by every engine."""
    terms = Terms(points=4, language_code=code)
    questions = tuple(
        Question(str(number), "", (exercise_of(kind_by_code(name), terms),))
        for number, name in enumerate(("pruned-paths", "windows", "node-values", "root-value"), 1)
    )
    heading = replace(paper_of(NAMES[0]).heading, title="L’élève – „Łódź“ 5 € ⌈α⌉", language_code=code)
    log = compiled(engine, paper_latex(Paper(heading, "A", questions).public).decode(), tmp_path)
    assert "Missing character" not in log
    assert ("There are no letters" in log) == (code == "zh")


def test_what_is_known_of_payoffs_stays_with_its_tree() -> None:
    """Limits of payoffs are said at their question, because the payoffs of another tree may pass them."""
    limits = (
        "Every payoff is known to be between 0 and 10, inclusive. "
        "The search starts with alpha = 0 and beta = 10."
    )
    questions = tuple(
        replace(paper_of(name).questions[0], label=label)
        for label, name in (("1", "chance-cuts"), ("2", "pruned-paths"))
    )
    sheet = lay_out(Paper(paper_of(NAMES[0]).heading, "A", questions).public)
    assert limits not in sheet.conventions
    assert [limits in question.conventions for question in sheet.questions] == [True, False]
    assert sum("equality is enough" in rule for rule in sheet.conventions) == 1
    assert not any(
        "Alpha-beta search visits" in rule for page in sheet.questions for rule in page.conventions
    )


def test_html_is_well_formed(site: Site) -> None:
    """The pictures in a page are XML, ids are unique, and the page loads nothing from elsewhere."""
    for path in sorted((site.folder / "publish" / "papers").glob("*.html")):
        page = path.read_text(encoding="utf-8")
        for picture in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
            ElementTree.fromstring(picture)
        ids = re.findall(r'\bid="([^"]+)"', page)
        assert len(ids) == len(set(ids))
        assert not re.search(r'(?:src|href)="', page)
        assert re.findall(r"<script.*?</script>", page, re.DOTALL) == [
            f"<script>{raw_template('html/walk.js')}</script>"
        ]


def test_the_key_says_how_to_mark(site: Site) -> None:
    """A key has every answer, what wrong answers earn and show, and the drawn solutions."""
    exam = open_exam(site.folder)
    assert isinstance(exam, Exam)
    paper = next(exam.papers)
    data = key_data(paper)
    assert [len(question["pictures"]) for question in data["questions"]] == [2, 1, 1]
    words = words_of((site.folder / "instructor" / "keys" / f"{paper.code}.pdf").read_bytes())
    squeezed = "".join(words.split())
    for question in paper.questions:
        for part in question.parts:
            assert "".join(part.printed_key.split()) in squeezed
            for code in part.beliefs:
                assert code.partition(".")[2] in words
    for question in data["questions"]:
        for part in question["parts"]:
            assert part["guide"]
            assert all(row["earns"] and row["reasons"] for row in part["wrong"])


@pytest.mark.parametrize(
    ("kinds", "text", "words"),
    [
        (("best-move",), "MAX (3 5)", "a tree with 2 leaves and 1 ply, with 2 values to compare."),
        (
            ("root-value",),
            "MAX (MIN (3 9) MIN (3 8))",
            "a tree with 4 leaves and 2 plies, with 6 values to compare. "
            "2 moves at the root are equally good.",
        ),
        (
            ("root-value", "pruned-paths"),
            "MAX (MIN (5 9) MIN (3 MAX (8 7)))",
            "a tree with 5 leaves and 3 plies, with 5 values to compare. Alpha-beta search visits 3 leaves "
            "and makes the following cutoffs: 1 at a MIN node. 1 whole subtree is pruned.",
        ),
        (
            ("pruned-paths",),
            "MAX (10 MIN (20 MAX (1 MIN (4 2))))",
            "a tree with 5 leaves and 4 plies, with 7 values to compare. Alpha-beta search visits 4 leaves "
            "and makes the following cutoffs: 1 at a MIN node. 1 of them is deep.",
        ),
        (
            ("chance-cuts",),
            "MAX (4 CHANCE (0: 100, 1/3: 9, 2/3: 3))",
            "a tree with 4 leaves and 2 plies, with 4 values to compare. "
            "Alpha-beta search visits 3 leaves and prunes nothing.",
        ),
    ],
)
def test_the_key_says_how_hard_a_question_is(kinds: tuple[str, ...], text: str, words: str) -> None:
    """In words: the size of the tree, and what the search cuts where some part asks for that."""
    assert (
        describe_difficulty(Question("1", "", parts_about(tree_of(text), *kinds))) == f"Difficulty: {words}"
    )


@pytest.mark.parametrize("policy", ["exact", "net", "keep:1/2", "keep:3/5", "each", "deduct:1", "deduct:1/2"])
@pytest.mark.parametrize(("kind", "thing"), [("pruned-branches", "branch"), ("pruned-paths", "leaf")])
def test_paper_and_key_say_alike_how_answers_count(kind: str, thing: str, policy: str) -> None:
    """How a set of leaves or branches is credited is said in the same words to students and to markers."""
    asked = kind_by_code(kind)
    tree = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6))")
    part = make_exercise(asked, tree, tree.rules(), Terms(points=4, policy=read_policy(policy)))
    (question,) = lay_out(Paper(paper_of(kind).heading, "A", (Question("1", "", (part,)),)).public).questions
    said = question.parts[0].marking
    assert thing in said or policy == "exact"
    assert marking_guide(part).startswith(said)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("branching", [(2,) * 6, (8, 8), (4, 4, 4)])
def test_the_largest_trees_fit_on_paper(branching: tuple[int, ...]) -> None:
    """Of the largest trees that are allowed, everything is on the page: pictures shrink, tables break."""

    def grown(level: int) -> str:
        if level == len(branching):
            return str(next(payoffs))
        return f"{('MAX', 'MIN')[level % 2]} ({' '.join(grown(level + 1) for _ in range(branching[level]))})"

    payoffs = iter(range(100, 100 + MAX_PAPER_LEAVES))
    tree = tree_of(grown(0))
    assert len(tree.leaves) == MAX_PAPER_LEAVES
    parts = parts_about(tree, "node-values", "pruned-paths")
    paper = Paper(paper_of(NAMES[0]).heading, "A", (Question("1", "Large", parts),))
    inside = pypdf.PdfReader(io.BytesIO(paper_pdf(paper.public)))
    for page in inside.pages:
        places: list[float] = []

        def note(_text: str, _cm: Any, matrix: Any, _font: Any, _size: Any, at: list[float] = places) -> None:
            at.append(matrix[5])

        page.extract_text(visitor_text=note)
        assert all(0 <= place <= float(page.mediabox.height) for place in places)
    for data in (paper_pdf(paper.public), key_pdf(paper)):
        words = words_of(data)
        for payoff in range(100, 100 + MAX_PAPER_LEAVES):
            assert str(payoff) in words
        for node in tree.internal:
            assert words.count(tree.names[node]) >= 2
        assert "b)" in words


@pytest.mark.parametrize("other", ["uct.scores", "board-position.values", "payoff-vectors.value"])
def test_what_stands_at_leaves_is_said_where_it_is_so(other: str) -> None:
    """That leaves show payoffs for MAX is said once for a paper only if that is so in all of its trees."""
    rule = Language().say(PAYOFFS)

    def sheet_of(*names: str) -> Sheet:
        asked = [paper_of(name).questions[0].parts for name in names]
        questions = tuple(Question(str(number), "", parts) for number, parts in enumerate(asked, 1))
        return lay_out(Paper(paper_of(NAMES[0]).heading, "A", questions).public)

    alike = sheet_of("pruned-paths", "node-values")
    assert rule in alike.conventions
    assert all(rule not in question.conventions for question in alike.questions)
    mixed = sheet_of("pruned-paths", other, "uct.mean")
    assert rule not in mixed.conventions
    assert [rule in question.conventions for question in mixed.questions] == [True, False, False]
