"""How languages write percentages, quotation marks and lists, on everything that people read."""

import base64
import csv
import re
from collections.abc import Iterator
from contextlib import closing
from ctypes import byref, c_int, create_string_buffer
from fractions import Fraction
from pathlib import Path

import pypdfium2
import pytest
from babel.messages.pofile import read_po

from grader.answers.form import Terms
from grader.base.catalogues import shipped_languages
from grader.base.line_wrapping import display_width
from grader.base.phrases import Language
from grader.base.safe_text import quote
from grader.exam.folders import KEYS_FOLDER
from grader.exam.paper import Heading, Paper, PublicPaper, Question
from grader.exercises.exercise import Exercise
from grader.exercises.marking import State
from grader.publishing.paper_formats import TEXT_COLUMNS, paper_markdown, paper_pdf, paper_text
from grader.questions import all_kinds, kind_by_code
from grader.solvers.explaining.steps import explain
from grader.solvers.solution import solve
from grader.trees.notation.reading import tree_of
from tests.languages import SHIPPED
from tests.publishing.papers import exercise_of, paper_of_forms
from tests.publishing.test_pseudo_language import Shown, Taught, teach

LANGUAGES = tuple(code for code in shipped_languages() if code != "en")
"""The languages that come with the program, without English."""

SPACED = frozenset(("de", "es", "fr"))
"""The languages with a no-break space before a percent sign."""

_MATHEMATICS = re.compile(r"[A-Za-z]\([^()]*\)")
"""A function and its arguments, which are written alike in every language: `Result(b, a)`."""

_HAN = "[\u4e00-\u9fff]"
_FULL_WIDTH = "[。，、；：？！（）“”]"

_ASCII_QUOTES = re.compile(r"(?<!\w)'[^']{1,40}'(?!\w)")

_CHINESE_FAULTS = (
    re.compile(rf"{_HAN} ?[,;:?!](?: |$)"),
    re.compile(rf"(?:[,;:?]|(?<!\d)!) ?{_HAN}"),
    re.compile(rf"\([^()（）]*{_HAN}[^()（）]*[)）]"),
    re.compile(rf"{_HAN}['\"]|['\"]{_HAN}"),
    re.compile(rf"[。，、；：？！] +\S| +{_FULL_WIDTH}"),
)
"""ASCII punctuation among Chinese characters, and spaces next to full-width signs."""


def percent_fault(code: str) -> re.Pattern[str]:
    """A percentage that is not written as in a language."""
    return re.compile(r"\d[ \u202f]?%" if code in SPACED else r"\d\s%")


def faults(text: str, code: str) -> list[str]:
    """What is not written as the language writes it, each with some text around it."""
    patterns = (percent_fault(code), _ASCII_QUOTES, *(_CHINESE_FAULTS if code == "zh" else ()))
    text = _MATHEMATICS.sub("f", text)
    found = [match for pattern in patterns for match in pattern.finditer(text)]
    return [text[max(0, match.start() - 20) : match.end() + 20] for match in found]


def texts(path: Path) -> Iterator[str]:
    """The texts of a file, with those of the pictures in it."""
    if path.suffix == ".pdf":
        with closing(pypdfium2.PdfDocument(path)) as document:
            for page in document:
                # Spaces are also before points in the margin, and after points in brackets.
                apart = r"\s*\r\n|(?<=）) | (?=[\d.]+ 分(?:\r|$))"
                yield from re.split(apart, page.get_textpage().get_text_bounded())
        return
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix == ".csv":
        yield from (cell for row in csv.reader(text.splitlines()) for cell in row)
    elif path.suffix == ".html":
        yield from Shown(text).texts
        for data in re.findall("base64,([A-Za-z0-9+/=]+)", text):
            yield from Shown(base64.b64decode(data).decode()).texts
    else:
        yield from text.replace("\\", "").splitlines()


EXAMS = [code if code == "zh" else pytest.param(code, marks=pytest.mark.slow) for code in LANGUAGES]


@pytest.fixture(scope="module", params=EXAMS)
def taught(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Taught]:
    """A language, and an exam in it, sat and marked."""
    code: str = request.param
    folder = tmp_path_factory.mktemp(code)
    return code, teach(folder, 1, code, ("html",), (), ("html", "markdown"))


def test_everything_about_an_exam(taught: tuple[str, Taught]) -> None:
    """Papers, keys, feedback and the report have the signs of their language."""
    code, exam = taught
    places = (exam.folder / "publish", exam.folder / KEYS_FOLDER, *exam.pages.values())
    read = [path for place in places for path in place.rglob("*.*") if path.suffix != ".zip"]
    read += [exam.folder / "report" / name for name in ("report.html", "columns.csv")]
    assert {path.suffix for path in read} == {".html", ".md", ".pdf", ".csv"}
    found = [(path.name, wrong) for path in read for text in texts(path) for wrong in faults(text, code)]
    assert found == []


def exercises_of_every_kind(code: str) -> list[Exercise]:
    """An exercise of every kind, in a language."""
    return [exercise_of(kind, Terms(points=4, language_code=code)) for kind in all_kinds()]


def paper_of_everything(code: str) -> PublicPaper:
    """A paper with a question of every kind, in a language."""
    exercises = exercises_of_every_kind(code)
    questions = (Question(str(number), "", (each,)) for number, each in enumerate(exercises, 1))
    return Paper(Heading("A", language_code=code), "A", tuple(questions)).public


@pytest.mark.parametrize("code", LANGUAGES)
def test_papers_of_every_kind(code: str) -> None:
    """Papers with a question of every kind have the signs of their language."""
    paper = paper_of_everything(code)
    written = (paper_text(paper).decode(), paper_markdown(paper).decode().replace("\\", ""))
    assert [wrong for text in written for line in text.splitlines() for wrong in faults(line, code)] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_answers_of_every_kind(code: str) -> None:
    """Answers as people read them, right and wrong, have the signs of their language."""
    exercises = exercises_of_every_kind(code)
    printed = [each.printed(text) for each in exercises for text in (each.key, *each.beliefs.values())]
    assert [wrong for text in printed for wrong in faults(text, code)] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_translations(code: str) -> None:
    """Every percentage and apostrophe in a translation is written as in its language."""
    with (SHIPPED / f"{code}.po").open("rb") as file:
        entries = list(read_po(file))
    forms = [entry.string if isinstance(entry.string, tuple) else (entry.string,) for entry in entries]
    said = [re.sub(r"\{\w+\}", "1", form) for each in forms[1:] for form in each]
    wrong = re.compile(rf"{percent_fault(code).pattern}|(?<=[^\W\d_])'(?=[^\W\d_«])")
    assert [form for form in said if wrong.search(form)] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_states_are_ordinary_words(code: str) -> None:
    """The states of replies are words like the other columns of the report, not codes in capitals."""
    written = [Language.of(code).term(state.value) for state in State]
    assert [word for word in written if word.isupper()] == []


def test_chinese_sentences_begin_with_no_capital() -> None:
    """A Chinese sentence that begins with a word such as `alpha` is said with a small letter."""
    with (SHIPPED / "zh.po").open("rb") as file:
        translations = {entry.id: entry.string for entry in read_po(file) if isinstance(entry.id, str)}
    small = [message for message, text in translations.items() if re.match("(alpha|beta)[^{]+$", text)]
    assert small
    assert [said for said in map(Language.of("zh").say, small) if re.match("[A-Z]", said)] == []


def test_lines_of_chinese_text() -> None:
    """Lines of Chinese are full, no wider than the page, and begin with no closing sign."""
    text = paper_text(paper_of_everything("zh")).decode()
    widths = [display_width(line) for line in text.splitlines() if re.match(_HAN, line)]
    assert TEXT_COLUMNS - 4 <= max(widths) <= TEXT_COLUMNS
    assert not re.search(r"^\s*[。，、；：？！）”]", text, re.MULTILINE)
    joined = re.sub(r"\n *(?=\S)", "", text)
    assert "一旦 alpha ≥ beta，就剪去该节点其余的子节点" in joined


def test_chinese_quotation_marks() -> None:
    """Quotation marks among Chinese characters are those of a font that is not the Latin one."""
    fonts, name, flags = set(), create_string_buffer(100), c_int()
    with closing(pypdfium2.PdfDocument(paper_pdf(paper_of_forms("zh").public))) as document:
        for page in document:
            words = page.get_textpage()
            for place, sign in enumerate(words.get_text_range()):
                if sign in "“”":
                    pypdfium2.raw.FPDFText_GetFontInfo(words, place, name, len(name), byref(flags))
                    fonts.add(name.value)
    assert fonts
    assert not any(b"Libertinus" in font for font in fonts)


def test_chinese_words_of_pictures() -> None:
    """The Chinese words in a picture are set in the font of the text."""
    families, name, flags = set(), create_string_buffer(100), c_int()
    exercise = exercise_of(kind_by_code("depth-limited.value"), Terms(points=4, language_code="zh"))
    paper = Paper(Heading("A", language_code="zh"), "A", (Question("1", "", (exercise,)),)).public
    assert "评估 = " in paper_text(paper).decode()
    with closing(pypdfium2.PdfDocument(paper_pdf(paper))) as document:
        for page in document:
            words = page.get_textpage()
            for place, sign in enumerate(words.get_text_range()):
                if re.match(_HAN, sign):
                    pypdfium2.raw.FPDFText_GetFontInfo(words, place, name, len(name), byref(flags))
                    families.add(name.value.partition(b"+")[2].partition(b"-")[0])
    assert len(families) == 1


_BROKEN_FORMULA = re.compile(
    r"\w-\s*\n>.*|[a-z] [<>]=?\s*\n−?\d.*|\b[a-z] ?\r?\n[<>]=.*|\d <=?\s*\n[a-z] <.*"
    r"|\b(?:alpha|alfa|b[eê]ta)(?: ?\r?\n[≥≤<>=]| [≥≤<>=]=? ?\r?\n[\dab]).*"
    r"|\b[A-Z](?:: [A-Z ]*|:) ?\r?\n[A-Z]\b.*|\b(?:MAX|MIN) ?\r?\n[A-Z]\b.*|\d ?\r?\n分(?!数).*"
)
"""A formula or a label with its player in which a line ends."""


@pytest.mark.parametrize("code", ["en", "zh", "es", "de"])
def test_formulas_stay_on_one_line(code: str) -> None:
    """No line of a paper ends within `A->B`, `x >= 15/2`, `alpha ≥ beta`, `B: D C E` or `MAX E`."""
    with closing(pypdfium2.PdfDocument(paper_pdf(paper_of_everything(code)))) as document:
        text = "\n".join(page.get_textpage().get_text_bounded() for page in document)
    assert re.search("A->B", text)
    assert _BROKEN_FORMULA.findall(text) == []


@pytest.mark.parametrize(
    ("code", "wholes"),
    [
        (
            "en",
            ("2 × x × x − 9", "(−1) × f3", "order B: D C E", "MIN B [−∞, 3] -> 3;", "B1->C2", "10 points"),
        ),
        ("de", ("MAX E", "Knoten B [−∞; 3] -> 3;", "0,07 × 1", "MAX Links", "0,5 Punkte")),
        ("es", ("nodo B", "MIN B", "1 punto", "0 puntos", "alfa ≥ beta")),
        ("zh", ("MAX E", "节点 B", "10 分", "3 个", "MIN B [−∞, 3] -> 3", "x × x + 6", "B: D C E")),
    ],
)
def test_what_belongs_together_stays_on_one_line(code: str, wholes: tuple[str, ...]) -> None:
    """No line ends in a formula, between a player and a label, or between a number and its unit."""
    filler, comma = ("的", "，") if code == "zh" else ("n", " ")
    read = "".join(
        f"{filler * (number % 9 + 1)} {wholes[number % len(wholes)]}{comma}" for number in range(160)
    )
    heading = Heading("A", instructions=read, language_code=code)
    exercise = exercise_of(kind_by_code("root-value"), Terms(language_code=code))
    paper = Paper(heading, "A", (Question("1", "", (exercise,)),)).public
    with closing(pypdfium2.PdfDocument(paper_pdf(paper))) as document:
        text = document[0].get_textpage().get_text_bounded()
    split = {whole: read.count(whole) - text.count(whole) for whole in wholes}
    assert {whole: count for whole, count in split.items() if count > 0} == {}


@pytest.mark.parametrize(
    ("code", "signs"),
    [
        ("en", ("'3 12'", "75%", "B: 3 (4)", "a; b", "5–6")),
        ("de-CH", ("„3 12“", "75\xa0%", "B: 3 (4)", "a; b", "5–6")),
        ("fr", ("«\xa03 12\xa0»", "75\xa0%", "B\xa0: 3 (4)", "a\xa0; b", "5–6")),
        ("es", ("«3 12»", "75\xa0%", "B: 3 (4)", "a; b", "5-6")),
        ("it", ("«3 12»", "75%", "B: 3 (4)", "a; b", "5-6")),
        ("pt-BR", ("«3 12»", "75%", "B: 3 (4)", "a; b", "5-6")),
        ("zh", ("“3 12”", "75%", "B：3（4）", "a；b", "5～6")),
    ],
)
def test_signs_of_a_language(code: str, signs: tuple[str, ...]) -> None:
    """A quotation, a percentage, a label, a note, a list and a range have the signs of the language."""
    language = Language.of(code)
    quotation = language.term("{word}", word=quote("3 12"))
    noted = language.with_label("B", language.with_note("3", "4"))
    lists = language.join_notes("ab"), language.range_text("5", "6")
    assert (quotation, language.percent(Fraction(3, 4)), noted, *lists) == signs


@pytest.mark.parametrize(("code", "answers"), [("en", ("'false'", "3")), ("de", ("„falsch“", "3"))])
def test_answers_within_sentences(code: str, answers: tuple[str, ...]) -> None:
    """A word that is an answer is in quotation marks within a sentence; a number is not."""
    language = Language.of(code)
    assert (language.quoted_reply("false"), language.quoted_reply("3")) == answers


@pytest.mark.parametrize(
    ("code", "foreign"), [("es", "alpha"), ("fr", "beta"), ("it", "alpha"), ("pt", "alpha")]
)
def test_bounds_have_one_name(code: str, foreign: str) -> None:
    """Steps and cutoffs name the bounds of a window as the language spells them."""
    tree = tree_of("MAX A (MIN B (3 12) MIN C (2 4 6))")
    account = explain(solve(tree, tree.rules()), Language.of(code))
    told = " ".join((*account.cutoffs, *(step.words for step in account.steps)))
    assert re.search("alfa|alpha", told)
    assert foreign not in told
