"""The pseudo-language: no sentence that a student or teacher reads is out of a translator's reach."""

import base64
import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pypdfium2
import pytest

from grader.base import phrases
from grader.base.phrases import PSEUDO, Language, Pseudo, catalogue
from grader.exam.blueprint import Blueprint
from grader.exam.blueprint_file import read_blueprint
from grader.exam.folders import KEYS_FOLDER
from grader.exam.roster import Roster
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.feedback import Feedback
from grader.exercises.marking import Marker, State
from grader.grading.analysis import analyse
from grader.grading.exam_keys import ExamKeys, read_exam_keys
from grader.grading.results import results
from grader.publishing import class_report
from grader.publishing.exam_build import build_exam
from grader.publishing.feedback_formats import write_feedback
from grader.publishing.lms import autograding
from grader.publishing.lms.autograding import grade_submission
from grader.publishing.platforms import PLATFORM_EXPORTS
from grader.questions import all_kinds
from grader.questions.case import Case
from grader.questions.kind import AnyKind
from grader.questions.wording import NEVER_ENTERED_RULE
from grader.tables.student_directory import Student
from grader.trees.notation.reading import tree_of
from grader.trees.tree import Tree
from grader.web.messages.handler import MessageHandler
from grader.web.pages import GraderConnection, PageKinds, page
from grader.web.question_pool import EXAM
from tests.grading.test_grading import graded
from tests.languages import template
from tests.publishing.conftest import ALL
from tests.publishing.lms.exams import unpacked
from tests.publishing.papers import TREES
from tests.trees.notation.mistakes import TEXTS

POLICIES = {
    "pruned-paths": "deduct:1/2",
    "pruned-branches": "each",
    "chance-cuts": "exact",
    "visiting-order": "keep:1/2",
}
"""Policies other than the usual ones, so that each is put into words."""

NONSENSE = "?? ::"
"""What nobody can read."""

MISTAKEN = {1: 1, 2: 6}
"""By the number of forms, how many students answer every question, each with other wrong answers."""

FEEDBACK = ("html", "markdown", "pdf")
"""The formats of feedback."""

RIGHT, BLANK, UNREADABLE, ABSENT = "91", "92", "93", "94"
"""The student numbers of those who answer in other ways, or not at all."""

NAMES = frozenset(
    [
        "Ada",
        "MAX",
        "MIN",
        "CHANCE",
        "Chance",
        "inf",
        "infinity",
        "none",
        "true",
        "false",
        "not",
        "never",
        "always",
        "entered",
        "alpha",
        "beta",
    ]
    + [name for kind in all_kinds() for name in (kind.code, kind.ask, *kind.beliefs)]
    + [state.value for state in State]
)
"""Words that are the same in every language: names, codes and the text of replies."""

CLOSED = {"«": "»", "‹": "›"}
"""The brackets around a sentence of the pseudo-language, and around what it was given to say."""

_MARKS = re.compile(r"```text|\{\d+:(?:MULTICHOICE|MULTIRESPONSE|NUMERICAL|SHORTANSWER):|\{last\}")
"""Words that no person reads: those of Markdown, of Moodle's blanks, and the label of the last page."""

_BRACKETS = re.compile("([«»‹›])")
_BOARD_ROW = re.compile("[XO]+")
_WORD = re.compile(r"(?<![\w.@/&#$-])[A-Za-z']{3,}(?![\w@/=-]|\.\w)")


@dataclass(frozen=True, slots=True)
class Taught:
    """An exam in the pseudo-language, sat and marked, and the files that were made of it."""

    folder: Path
    exam_keys: ExamKeys
    pages: Mapping[bool, Path]
    report: str

    def file(self, name: str) -> bytes:
        """The only file of the exam whose name fits."""
        (path,) = self.folder.glob(name)
        return path.read_bytes()


class Heard(Pseudo):
    """The pseudo-language, and all that was said in it: sentences, and those with a plural as pairs."""

    def __init__(self) -> None:
        super().__init__()
        self.said: set[str | tuple[str, str]] = set()

    def gettext(self, message: str) -> str:
        """The message in brackets."""
        self.said.add(message)
        return super().gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form for a number, in brackets."""
        self.said.add((msgid1, msgid2))
        return Pseudo().gettext(msgid1 if n == 1 else msgid2)


def asked_kinds(forms: int) -> list[AnyKind]:
    """The kinds that an exam in so many forms asks: all, or in one form some with each form of answers."""
    if forms > 1:
        return list(all_kinds())
    of_form: dict[str, list[AnyKind]] = {}
    for kind in all_kinds():
        of_form.setdefault(kind.form.name, []).append(kind)
    some = {kind.code for kinds in of_form.values() for kind in kinds[::3]} | {*POLICIES}
    return [kind for kind in all_kinds() if kind.code in some]


def blueprint(forms: int, code: str = PSEUDO) -> Blueprint:
    """A question of each kind, and one that follows through; a teacher's words are in brackets as well."""
    lines = [
        'title = "«A quiz»"\ncourse = "«A course»"\ninstructions = "«Read.»"\ndate = "1. 5. 2027"',
        f'secret = "kept in a safe"\nforms = {forms}\nlanguage = "{code}"',
    ]
    for kind in asked_kinds(forms):
        given = next((text for text in TREES if suits(kind, tree_of(text))), None)
        lines.append(f'[[question]]\ntitle = "«A title»"\nkind = "{kind.code}"\npoints = 4')
        if kind.code in POLICIES:
            lines.append(f'policy = "{POLICIES[kind.code]}"')
        if given is not None and kind.code != "best-move":  # the variants differ in one question
            lines.append(f"tree = '''{given}'''")
    lines.append(f"[[question]]\nfollow_through = true\ntree = '''{TREES[0]}'''")
    lines += [f'[[question.part]]\nkind = "{kind}"\npoints = 2' for kind in ("node-values", "root-value")]
    read = read_blueprint("\n".join(lines), Path())
    assert isinstance(read, Blueprint), str(read)
    return read


def suits(kind: AnyKind, tree: Tree) -> bool:
    """Whether a kind can be asked about a tree."""
    return kind.objection(Case(tree, tree.rules())) is None


def replies_to(exercises: list[Exercise], mistaken: int = 1) -> dict[str, list[str]]:
    """What every student writes."""
    wrong = [list(dict.fromkeys(each.beliefs.values())) or [each.key] for each in exercises]
    return {
        **{str(place): [each[place % len(each)] for each in wrong] for place in range(mistaken)},
        RIGHT: [each.printed_key for each in exercises],
        BLANK: ["" for _ in exercises],
        UNREADABLE: [NONSENSE for _ in exercises],
    }


@pytest.fixture(scope="module")
def heard() -> Iterator[Heard]:
    """All that is said in the tests of this file."""
    heard = Heard()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            phrases, "catalogue", lambda code, own=None: heard if code == PSEUDO else catalogue(code, own)
        )
        yield heard


@pytest.fixture(scope="module", params=[1, pytest.param(2, marks=pytest.mark.slow)])
def taught(request: pytest.FixtureRequest, heard: Heard, tmp_path_factory: pytest.TempPathFactory) -> Taught:
    """The exam in so many forms, sat by students with mistakes."""
    assert isinstance(heard, Pseudo)  # it hears what is said from here on
    return teach(tmp_path_factory.mktemp("pseudo"), request.param)


def teach(
    folder: Path,
    forms: int,
    code: str = PSEUDO,
    formats: Sequence[str] = ALL,
    exports: Sequence[str] = tuple(each.name for each in PLATFORM_EXPORTS),
    feedback: Sequence[str] = FEEDBACK,
) -> Taught:
    """Build an exam in a language, let students sit it, and write all that is made of it later."""
    mistaken = MISTAKEN[forms]
    names = [*map(str, range(mistaken)), RIGHT, BLANK, UNREADABLE, ABSENT]
    roster = Roster(tuple(Student(name, "Ada") for name in names))
    build_exam(
        blueprint(forms, code),
        roster,
        folder,
        formats=formats,
        exports=exports,
    )
    exam_keys = read_exam_keys(folder)
    (folder / "grades").mkdir(exist_ok=True)
    with (folder / "r.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["id", *(part.name for part in exam_keys.parts)])
        for name in names:
            exercises = exercises_of(exam_keys, name)
            if name in (replies := replies_to(exercises, mistaken)):
                table.writerow([name, *replies[name]])
    pages = {released: folder / f"feedback-{released}" for released in (False, True)}
    with graded(folder, exam_keys, folder / "r.csv") as book:
        for released, where in pages.items():
            others = {UNREADABLE} if mistaken == 1 and not released else {*names} - {"0"}
            for formats, some in ((feedback, {"0"}), (("html",), others)):
                write_feedback(
                    book, exam_keys, where, formats=formats, released=released, students=frozenset(some)
                )
        report, *_ = class_report.write_report(
            analyse(exam_keys, results(book, exam_keys)), folder / "report"
        )
    return Taught(folder, exam_keys, pages, report.read_text(encoding="utf-8"))


def exercises_of(exam_keys: ExamKeys, student: str) -> list[Exercise]:
    """The exercises of a student's variant."""
    keys = [key for question in exam_keys.variants[exam_keys.variant_of(student)] for key in question.parts]
    found = [read_exercise(key.exercise) for key in keys]
    assert all(isinstance(each, Exercise) for each in found)
    return [each for each in found if isinstance(each, Exercise)]


# What is left -------------------------------------------------------------------------------------


def outside(text: str) -> str:
    """A text without everything that the pseudo-language has said; what it was given to say is kept."""
    kept, within = [], [""]
    for piece in _BRACKETS.split(text):
        if piece in CLOSED:
            within.append(piece)
        elif piece in CLOSED.values():
            assert CLOSED.get(within.pop()) == piece, f"a sentence is not whole: {text[:300]}"
            kept.append("|")
        elif within[-1] != "«":
            kept.append(piece)
    assert within == [""], f"a sentence is not whole: {text[-300:]}"
    return "".join(kept)


def english(text: str) -> list[str]:
    """The English words that are left of a text."""
    words = _WORD.findall(_MARKS.sub("", outside(unescape(text).replace("\\", ""))))
    return [word for word in words if word not in NAMES and not _BOARD_ROW.fullmatch(word)]


class Shown(HTMLParser):
    """Every text of a page, and what screen readers read out."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._hidden = 0
        self._goes_on = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what is read out."""
        self._goes_on = False
        self._hidden += tag in ("style", "script")
        self.texts += [value or "" for name, value in attrs if name in SPOKEN]

    def handle_endtag(self, tag: str) -> None:
        """Leave a style."""
        self._goes_on = False
        self._hidden -= tag in ("style", "script")

    def handle_data(self, data: str) -> None:
        """Keep a text, which comes in parts where there is a `<` in it."""
        if not self._hidden:
            before = self.texts.pop() if self._goes_on else ""
            self.texts.append(before + data)
            self._goes_on = True


MACHINE = ("imsmanifest.xml", "assessment_meta.xml")
"""What no person reads of a package."""

SPOKEN = ("alt", "title", "aria-label", "label")


def in_html(page: str) -> list[str]:
    """The English on a page."""
    return [found for text in Shown(page).texts for found in english(text)]


def in_xml(document: bytes) -> list[str]:
    """The English in the texts of an XML document, which may be HTML or pictures themselves."""
    found = []
    texts: set[str | None] = set()
    for element in ET.fromstring(document).iter():
        if element.tag == "file" and element.text:
            found += in_xml(base64.b64decode(element.text))
            continue
        texts |= {*(element.get(name) for name in SPOKEN), element.text, element.tail}
    return found + [each for text in texts if text for each in in_html(text)]


def in_pdf(data: bytes) -> list[str]:
    """The English on the pages of a PDF, on which nothing is outside of its page."""
    texts = []
    document = pypdfium2.PdfDocument(data)
    for each in document:
        text, (width, height) = each.get_textpage(), each.get_size()
        texts.append(text.get_text_bounded())
        for left, bottom, right, top in map(text.get_rect, range(text.count_rects())):
            assert left >= 0 <= bottom, texts[-1][:300]
            assert right <= width, texts[-1][:300]
            assert top <= height, texts[-1][:300]
    document.close()
    return english(" ".join(texts))


def in_latex(source: str) -> list[str]:
    """The English in the text of a document."""
    body = re.sub(
        r"\\begin\{lrbox\}.*?\\end\{lrbox\}", "", source.partition("\\begin{document}")[2], flags=re.DOTALL
    )
    body = re.sub(r"(?<!\\)%.*|\\(?:begin|end|usebox|sbox)\{[^}]*\}|\\[A-Za-z]+", "\n", body)
    return english(body)


def hold(found: list[str], place: str) -> None:
    """That there is no English at a place."""
    assert not found, f"{place}: {sorted(set(found))}"


# The laws -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["html", "md", "txt", "tex", "pdf"])
def test_papers(taught: Taught, suffix: str) -> None:
    """Every sentence of a paper is said in its language, in every format."""
    look: Mapping[str, Callable[[bytes], list[str]]] = {
        "html": lambda data: in_html(data.decode()),
        "tex": lambda data: in_latex(data.decode()),
        "pdf": in_pdf,
    }
    paths = sorted((taught.folder / "publish").rglob(f"*.{suffix}"))
    assert paths
    for path in paths:
        hold(look.get(suffix, lambda data: english(data.decode()))(path.read_bytes()), path.name)


def test_keys(taught: Taught) -> None:
    """Every sentence of a key is said in its language."""
    for path in (taught.folder / KEYS_FOLDER).glob("*.pdf"):
        hold(in_pdf(path.read_bytes()), "")


@pytest.mark.parametrize("name", ["moodle.xml", "canvas.zip", "qti3.zip"])
def test_platforms(taught: Taught, name: str) -> None:
    """Every sentence that a platform shows is said in the language of the exam."""
    data = taught.file(f"instructor/{name}")
    members = {name: data} if name.endswith(".xml") else unpacked(data)
    for member, document in members.items():
        if not member.endswith(MACHINE):
            hold(in_xml(document), member)


def test_sentences_are_left_out_in_every_language(taught: Taught) -> None:
    """What need not be said where nodes have a box or stand in a table is left out in every language."""
    language = Language(PSEUDO)
    boxed = taught.file("instructor/moodle.xml").decode()
    printed = next((taught.folder / "publish").rglob("*.html")).read_text(encoding="utf-8")
    assert language.say(NEVER_ENTERED_RULE) in printed
    assert language.say(NEVER_ENTERED_RULE) not in boxed


def test_prairielearn(taught: Taught) -> None:
    """What PrairieLearn shows of a question and of its marks is said in the language of the exam."""
    members = unpacked(taught.file("instructor/prairielearn.zip"))
    for name, data in members.items():
        if name.endswith("info.json"):
            hold(english(" ".join(json.loads(data)[field] for field in ("title", "topic"))), name)
        if name.endswith("variants.json"):
            for variant in json.loads(data):
                shown = variant["params"]
                told = [text for part in shown["parts"] for name, text in part.items() if name != "name"]
                hold([each for text in (*shown["conventions"], *told) for each in english(text)], name)
                if shown["picture"]:
                    hold(in_xml(shown["picture"].encode()), name)


def test_gradescope(taught: Taught, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Gradescope shows of a submission is said in the language of the exam."""
    monkeypatch.setattr(
        autograding, "MAX_COMMENT_LENGTH", 10_000
    )  # the pseudo-language is longer than any other
    for name in ("0", BLANK, UNREADABLE):
        replies = replies_to(exercises_of(taught.exam_keys, name))[name]
        lines = [f"{part.name}: {reply}" for part, reply in zip(taught.exam_keys.parts, replies, strict=True)]
        folder = tmp_path / name
        folder.mkdir()
        (folder / "answers.txt").write_text("\n".join(lines), encoding="utf-8")
        said = grade_submission(taught.folder, {"users": [{"sid": name}]}, folder)
        told = [said["output"], *(each[field] for each in said["tests"] for field in ("name", "output"))]
        hold([each for text in told for each in english(text)], name)


@pytest.mark.parametrize("released", [False, True])
def test_feedback(taught: Taught, released: bool) -> None:
    """Every sentence of a feedback page is said in the language of the exam, in every format."""
    for path in sorted(taught.pages[released].rglob("*.*")):
        data = path.read_bytes()
        if path.suffix == ".pdf":
            hold(in_pdf(data), path.name)
        elif path.suffix == ".html":
            hold(in_html(data.decode()), path.name)
        else:
            hold(english(data.decode()), path.name)


def test_remarks(taught: Taught) -> None:
    """Whatever mistake a reply shows, what is said of it is said in the language of the exam."""
    for exercise in exercises_of(taught.exam_keys, RIGHT):
        marker, feedback = Marker(exercise), Feedback(exercise)
        for code, reply in exercise.beliefs.items():
            mark = marker.mark(reply)
            told = [remark.text for remark in feedback.remarks(mark)] + list(feedback.diagnosis(mark))
            hold([each for text in told for each in english(text)], code)


def test_pages_of_practice(taught: Taught) -> None:
    """What a page on which people practise says itself, and of every question, is in its language."""
    exercises = {each.kind.code: each.to_json() for each in exercises_of(taught.exam_keys, RIGHT)}
    language = Language(PSEUDO)
    desk = MessageHandler(language=language)
    first = {kind: {EXAM: exercise} for kind, exercise in exercises.items()}
    hold(in_html(page(PageKinds(tuple(first), first), GraderConnection("server"), language)), "the page")
    for kind, exercise in exercises.items():
        about: dict[str, Any] = {"exercise": exercise, "number": 1000, "reply": NONSENSE}
        for ask, fields in PRACTISED.items():
            answer = desk.answer({"ask": ask, **about})
            told = [text for field in fields for text in _flat(answer[field])]
            hold([each for text in told for each in english(text)], f"{kind}: {ask}")


def test_mistakes_in_trees() -> None:
    """What a page tells of mistakes in a tree is said in its language."""
    desk = MessageHandler(language=Language(PSEUDO))
    for code, tree in TEXTS.items():
        told = json.loads(desk.reply(json.dumps({"ask": "tree", "tree": tree})))
        errors = [each for each in told["errors"] if each["code"] == code]
        assert errors
        texts = [text for each in errors for text in (each["message"], each["hint"])]
        hold([word for text in texts for word in english(text)], code)


PRACTISED = {
    "question": ("prompt", "labels", "special", "rules"),
    "hint": ("hints",),
    "answer": ("answer", "because", "steps"),
    "mark": ("message",),
}
"""What a page asks of an exercise, and the fields of the answers that students read."""


def _flat(told: Any) -> list[str]:
    """The texts of a field: one, or a list of texts or of records with one."""
    if isinstance(told, str):
        return [told]
    return [each["text"] if isinstance(each, dict) else each for each in told]


def test_report(taught: Taught) -> None:
    """Every sentence of the class report is said in the language of the exam."""
    hold(in_html(taught.report), "")


def test_translators_find_every_sentence(taught: Taught, heard: Heard) -> None:
    """What is said stands in the template of catalogues, with its plural if it depends on a number."""
    known = {entry.id: entry.pluralizable for entry in template() if entry.id}
    assert taught.report
    assert heard.said <= set(known) | {one for one, _ in filter(lambda said: isinstance(said, tuple), known)}
