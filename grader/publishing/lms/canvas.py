"""QTI 1.2 for Canvas: a quiz for every variant, in one package."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import BinaryIO, TypeAlias

from grader.answers.blank import NO_NODE, Blank
from grader.answers.form import AnyForm
from grader.base.numbers import write_number
from grader.base.phrases import Language, Phrase, paragraph
from grader.exam.manifest import Exam
from grader.exam.paper import Paper
from grader.publishing.lms.page import Page, PagePart
from grader.publishing.lms.xml_elements import (
    MANIFEST,
    Element,
    document,
    element,
    manifest_resource,
)
from grader.publishing.lms.zip_package import Package
from grader.publishing.sheet import plain

FILE = "canvas.zip"

MAX_TITLE_LENGTH = 200
"""The longest title, in characters."""

PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
ITEMS = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
QUIZ = "http://canvas.instructure.com/xsd/cccv1p0"

SETTINGS = {
    "quiz_type": "assignment",
    "scoring_policy": "keep_highest",
    "hide_results": "always",
    "allowed_attempts": "1",
    "available": "false",
}
"""The settings of a quiz; all others are off."""

TICKS_RULE = Phrase("Each incorrect selection cancels one correct selection; the score is never negative.")
"""How Canvas marks checkboxes, under every policy."""


QuizFiles: TypeAlias = Sequence[tuple[str, bytes]]
"""The files of one quiz, each with its path: its items, its settings and its pictures."""


def make_pieces(paper: Paper, pages: Sequence[Page]) -> QuizFiles:
    """Make the quiz of a paper."""
    title = f"{plain(paper.heading.title)[:MAX_TITLE_LENGTH]} ({paper.code})"
    # Canvas treats a quiz with a known name as a new version of that quiz.
    identity = "\n".join((title, *(f"{page.question.label} {page.content}" for page in pages)))
    name = f"quiz-{sha256(identity.encode()).hexdigest()[:32]}"
    items, pictures = list[Element](), []
    for page in (page.with_boxes for page in pages):
        picture = f"images/{name}/{page.name}.svg"
        if page.picture is not None:
            pictures.append((picture, page.picture.svg.encode()))
        items.append(_intro(name, page, picture))
        for part in page.parts:
            items += _part(name, page, part)
    attempts, section = _fields({"cc_maxattempts": "1"}), element("section", *items, ident="root_section")
    assessment = element("assessment", attempts, section, ident=name, title=title)
    quiz = document(element("questestinterop", assessment, xmlns=ITEMS))
    settings = document(_settings(name, title, paper))
    return (f"{name}/{name}.xml", quiz), (f"{name}/assessment_meta.xml", settings), *pictures


@contextmanager
def open_export(exam: Exam, file: BinaryIO) -> Iterator[Callable[[QuizFiles], None]]:
    """Write one package, which Canvas imports as a quiz for every variant.

    Canvas has no question with several blanks here, so every blank is an item; an item with the
    picture and the conventions comes first.
    """
    quizzes: list[list[str]] = []
    with Package(file, "w") as package:

        def add(quiz: QuizFiles) -> None:
            quizzes.append([path for path, _ in quiz])
            for path, data in quiz:
                package.add(path, data)

        yield add
        package.add(MANIFEST, document(_manifest(exam, quizzes)))


def _manifest(exam: Exam, quizzes: Iterable[Sequence[str]]) -> Element:
    """Return the manifest; `quizzes` has the paths of the items, the settings and the pictures of each."""
    resources = list[Element]()
    for items, settings, *pictures in quizzes:
        dependency = element("dependency", identifierref=settings.replace("/", "-"))
        settings_type = "associatedcontent/imscc_xmlv1p1/learning-application-resource"
        resources.append(_resource("imsqti_xmlv1p2", items, dependency))
        resources.append(_resource(settings_type, settings))
        resources.extend([_resource("webcontent", picture) for picture in pictures])
    metadata = element("metadata", element("schema", "IMS Content"), element("schemaversion", "1.1.3"))
    identity = f"exam-{exam.origin.blueprint[:12]}"
    sections = (metadata, element("organizations"), element("resources", *resources))
    return element("manifest", *sections, xmlns=PACKAGE, identifier=identity)


def _resource(kind: str, path: str, *dependencies: Element) -> Element:
    return manifest_resource(path.replace("/", "-"), kind, path, *dependencies)


def _settings(name: str, title: str, paper: Paper) -> Element:
    """Return the title and the settings of a quiz."""
    instructions = plain(paper.heading.instructions)
    return element(
        "quiz",
        element("title", title),
        element("description", _html(instructions) if instructions else ""),
        element("points_possible", _points(Fraction(paper.public.points))),
        *(element(setting, value) for setting, value in SETTINGS.items()),
        xmlns=QUIZ,
        identifier=name,
    )


# Items --------------------------------------------------------------------------------------------


def _html(*paragraphs: Element | str) -> str:
    """Return paragraphs as HTML, which Canvas stores as text."""
    return "".join(element("p", each) for each in paragraphs)


@lru_cache(maxsize=256)
def _points(points: Fraction) -> str:
    """Format points for Canvas: to four decimals."""
    return write_number(Fraction(round(points * 10**4), 10**4))


def _intro(quiz: str, page: Page, picture: str) -> Element:
    """Return the item with the conventions of a question, and its picture if it has one."""
    paragraphs: list[Element | str] = [plain(paragraph(*page.conventions)) or plain(page.heading)]
    if page.picture is not None:
        alt = plain(page.picture.description)
        paragraphs.append(element("img", alt=alt, src=f"%24IMS-CC-FILEBASE%24/{picture}"))
    return _text_item(f"{quiz}-about-{page.question.label}", page.heading, _html(*paragraphs))


def _part(quiz: str, page: Page, part: PagePart) -> Iterator[Element]:
    """Yield the items of a part; if there are several, an item with the prompt comes first."""
    label, blanks = f"{page.question.label}{part.sheet.letter}", part.blanks.blanks
    language = page.question.public.language
    ticks = any(blank.allows_several for blank in blanks)
    instructions = part.instructions(language, language.say(TICKS_RULE) if ticks else "")
    prompt = f"({label}, {page.paper.code}) {instructions}"
    points = [Fraction(blank.points) for blank in blanks]
    if not all(points):  # Canvas shows the points of an item, so none may have 0
        points = [sum(points, Fraction()) / len(points)] * len(points)
    supported = [_supported_blank(blank, part.exercise.kind.form, language) for blank in blanks]
    if len(blanks) == 1:
        yield _question_item(quiz, label, prompt, supported[0], points[0])
        return
    yield _text_item(f"{quiz}-about-{label}.", label, _html(plain(prompt)))
    for number, (blank, each, blank_points) in enumerate(zip(blanks, supported, points, strict=True), 1):
        lead = f"({label}.{number}, {page.paper.code}) {language.with_label(blank.label, '').strip()}"
        yield _question_item(quiz, f"{label}.{number}", lead, each, blank_points)


def _supported_blank(blank: Blank, form: AnyForm, language: Language) -> tuple[Blank, str]:
    """Return the blank as Canvas supports it, and an instruction if it is new.

    A choice in Canvas has one correct option. Where several options may be best, at the root or at a node of
    a strategy, the choice is a box in every variant: a box only where several are would reveal that.
    """
    rights = [option for option in blank.options if option.share > 0]
    may_have_several = form.has_alternatives or blank.node != NO_NODE or len(rights) != 1
    if not blank.options or blank.allows_several or not may_have_several:
        return blank, ""
    wrong = {option.text.casefold() for option in blank.options if option not in rights}
    spellings = dict.fromkeys(
        text for option in rights for text in (option.text, option.reply.replace('"', "")) if text
    )
    accepted = tuple(text for text in spellings if text.casefold() not in wrong)
    return Blank(points=blank.points, spellings=accepted), language.say(
        "Write one of the following: {options}.",
        options=language.join(option.text for option in blank.options),
    )


def _text_item(name: str, title: str, html: str) -> Element:
    """Return an item without a question."""
    return _item(name, title, "text_only_question", Fraction(), (), element("presentation", _material(html)))


def _material(html: str) -> Element:
    return element("material", element("mattext", html, texttype="text/html"))


def _item(
    name: str, title: str, kind: str, points: Fraction, answers: Sequence[str], *content: Element
) -> Element:
    """Return an item of a question type of Canvas; `answers` are the IDs of its options or spellings."""
    fields = {
        "question_type": kind,
        "points_possible": _points(points),
        "original_answer_ids": ",".join(answers),
        "assessment_question_identifierref": f"{name}-question",
    }
    metadata = element("itemmetadata", _fields(fields))
    return element("item", metadata, *content, ident=name, title=plain(title)[:MAX_TITLE_LENGTH])


def _fields(fields: Mapping[str, str]) -> Element:
    return element("qtimetadata", *(_field(label, entry) for label, entry in fields.items()))


@lru_cache(maxsize=256)
def _field(label: str, entry: str) -> Element:
    return element("qtimetadatafield", element("fieldlabel", label), element("fieldentry", entry))


_SCORE = element("decvar", maxvalue="100", minvalue="0", varname="SCORE", vartype="Decimal")
_OUTCOMES = element("outcomes", _SCORE)
_EARNED = element("setvar", "100", action="Set", varname="SCORE")

_NUMBER = element("render_fib", element("response_label", ident="answer1"), fibtype="Decimal")
_WORDS = element("render_fib", element("response_label", ident="answer1", rshuffle="No"))


def _question_item(
    quiz: str, label: str, prompt: str, supported: tuple[Blank, str], points: Fraction
) -> Element:
    """Return the item of a blank, which `_supported_blank` made: its display, and how it earns the points."""
    blank, instruction = supported
    name, several = f"{quiz}-{label}", blank.allows_several
    if blank.options:
        kind = "multiple_answers_question" if several else "multiple_choice_question"
        answers = [f"{name}-{place}" for place in range(len(blank.options))]
        offered, right, wrong = list[Element](), list[Element](), list[Element]()
        for answer, option in zip(answers, blank.options, strict=True):
            offered.append(element("response_label", _option_material(option.text), ident=answer))
            (right if option.share > 0 else wrong).append(_comparison("varequal", answer))
        input_field = element("render_choice", *offered)
        if several:
            right = [element("and", *right, *(element("not", each) for each in wrong))]
    elif blank.whole_number is not None:
        kind, answers = "numerical_question", [f"{name}-0"]
        input_field, right = _NUMBER, [_number_comparison(str(blank.whole_number))]
    else:
        texts = list(dict.fromkeys(map(plain, blank.spellings)))
        kind, answers = "short_answer_question", [f"{name}-{place}" for place in range(len(texts))]
        input_field, right = _WORDS, [_comparison("varequal", text) for text in texts]
    tag = "response_lid" if blank.options else "response_str"
    cardinality = "Multiple" if several else "Single"
    response = element(tag, input_field, ident="response1", rcardinality=cardinality)
    presentation = element("presentation", _material(_html(plain(paragraph(prompt, instruction)))), response)
    condition = element("respcondition", element("conditionvar", *right), _EARNED, continue_="No")
    processing = element("resprocessing", _OUTCOMES, condition)
    return _item(name, label, kind, points, answers, presentation, processing)


@lru_cache(maxsize=1024)
def _option_material(option: str) -> Element:
    """Return the display of an option; cached, since variants share most options."""
    return _material(_html(plain(option)))


def _comparison(comparison: str, value: str) -> Element:
    """Compare the response with a value."""
    return element(comparison, value, respident="response1")


def _number_comparison(value: str) -> Element:
    """Compare the response with a whole number."""
    between = element("and", _comparison("vargte", value), _comparison("varlte", value))
    return element("or", _comparison("varequal", value), between)
