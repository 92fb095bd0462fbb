"""QTI 1.2 as Canvas imports it: a quiz for every variant, in one file."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from hashlib import sha256
from typing import BinaryIO, TypeAlias
from xml.etree import ElementTree as ET
from zipfile import ZipFile

from grader.answers.blank import Blank, Box, Choice
from grader.base.numbers import write_number
from grader.base.phrases import Language, Phrase
from grader.exam.manifest import Exam
from grader.exam.paper import Paper
from grader.publishing.lms.page import Page, PagePart
from grader.publishing.lms.zipping import Package, faults_of
from grader.publishing.sheet import plain

FILE = "canvas.zip"

LONGEST = 200
"""The most characters of a title."""

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
"""How a quiz is taken until the teacher says otherwise; whatever else there is, is off."""

TICKS = Phrase("A wrong tick takes away as much as a right one earns (never below 0).")
"""How Canvas marks boxes to tick, whatever the policy."""


Members: TypeAlias = Sequence[tuple[str, bytes]]
"""What is in the package of one quiz: its items, its settings and its pictures."""


def pieces(paper: Paper, pages: Sequence[Page]) -> Members:
    """The quiz of a paper."""
    title = f"{plain(paper.heading.title)[:LONGEST]} ({paper.code})"
    # Canvas takes a quiz for a new version of the one that has the same name.
    told = "\n".join((title, *(f"{page.label} {page.content}" for page in pages)))
    name = f"quiz-{sha256(told.encode()).hexdigest()[:32]}"
    section, pictures = _made("section", {"ident": "root_section"}), []
    for page in (page.boxed for page in pages):
        picture = f"images/{name}/{page.name}.svg"
        pictures.append((picture, page.picture.svg.encode()))
        section.append(_intro(name, page, picture))
        for part in page.parts:
            section.extend([*_part(name, page, part)])
    once = _fields({"cc_maxattempts": "1"})
    assessment = _made("assessment", {"ident": name, "title": title}, once, section)
    items = _document("questestinterop", ITEMS, {}, assessment)
    settings = _document("quiz", QUIZ, {"identifier": name}, *_settings(title, paper))
    return (f"{name}/{name}.xml", items), (f"{name}/assessment_meta.xml", settings), *pictures


@contextmanager
def joined(exam: Exam, file: BinaryIO) -> Iterator[Callable[[Members], None]]:
    """One file to import; Canvas makes a quiz of every variant in it.

    Canvas has no question with several blanks here, so every blank is an item; what they are
    about stands above them, with the picture.
    """
    quizzes: list[list[str]] = []
    with Package(file) as package:

        def add(members: Members) -> None:
            quizzes.append([path for path, _ in members])
            for path, data in members:
                package.add(path, data)

        yield add
        identity = {"identifier": f"exam-{exam.origin.blueprint[:12]}"}
        package.add("imsmanifest.xml", _document("manifest", PACKAGE, identity, *_manifest(quizzes)))


def _made(tag: str, attributes: Mapping[str, str], *inside: ET.Element | str) -> ET.Element:
    """An element with a text or with other elements in it."""
    element = ET.Element(tag, dict(attributes))
    for each in inside:
        if isinstance(each, str):
            element.text = each
        else:
            element.append(each)
    return element


def _document(tag: str, space: str, attributes: Mapping[str, str], *inside: ET.Element) -> bytes:
    """A document whose elements are all of one namespace."""
    root = _made(tag, {"xmlns": space, **attributes}, *inside)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'.encode()


def _manifest(quizzes: Iterable[Sequence[str]]) -> Iterator[ET.Element]:
    """What is in the package; the paths of every quiz are those of its items, settings and pictures."""
    yield _made("metadata", {}, _made("schema", {}, "IMS Content"), _made("schemaversion", {}, "1.1.3"))
    yield _made("organizations", {})
    resources = _made("resources", {})
    for items, settings, *pictures in quizzes:
        about = _made("dependency", {"identifierref": settings.replace("/", "-")})
        resources.append(_resource("imsqti_xmlv1p2", items, about))
        resources.append(_resource("associatedcontent/imscc_xmlv1p1/learning-application-resource", settings))
        resources.extend([_resource("webcontent", picture) for picture in pictures])
    yield resources


def _resource(kind: str, path: str, *about: ET.Element) -> ET.Element:
    attributes = {"identifier": path.replace("/", "-"), "type": kind, "href": path}
    return _made("resource", attributes, _made("file", {"href": path}), *about)


def _settings(title: str, paper: Paper) -> Iterator[ET.Element]:
    """How the quiz is called and taken."""
    about = plain(paper.heading.instructions)
    yield _made("title", {}, title)
    yield _made("description", {}, _html(about) if about else "")
    yield _made("points_possible", {}, _points(Fraction(paper.public.points)))
    yield from (_made(setting, {}, value) for setting, value in SETTINGS.items())


# Items --------------------------------------------------------------------------------------------


def _html(*paragraphs: ET.Element | str) -> str:
    """Paragraphs as the HTML that Canvas keeps as a text."""
    return "".join(ET.tostring(_made("p", {}, each), encoding="unicode") for each in paragraphs)


def _points(points: Fraction) -> str:
    """Points as Canvas reads them: to four decimals."""
    return write_number(Fraction(round(points * 10**4), 10**4))


def _intro(quiz: str, page: Page, picture: str) -> ET.Element:
    """What stands above the items of a question."""
    about = plain(" ".join(page.conventions)) or plain(page.heading)
    image = {"alt": plain(page.picture.description), "src": f"%24IMS-CC-FILEBASE%24/{picture}"}
    return _text(f"{quiz}-about-{page.label}", page.heading, _html(about, _made("img", image)))


def _part(quiz: str, page: Page, part: PagePart) -> Iterator[ET.Element]:
    """The items of a part; where there are several, what is asked stands above them."""
    called, blanks, language = f"{page.label}{part.letter}", part.blanks.blanks, page.question.public.language
    ticks = any(isinstance(blank, Choice) and blank.several for blank in blanks)
    asked = f"({called}, {page.code}) {part.filled(language, language.say(TICKS) if ticks else '')}"
    points = [Fraction(blank.points) for blank in blanks]
    if not all(points):  # all alike where some would have none, because Canvas shows them
        points = [sum(points, Fraction()) / len(points)] * len(points)
    if len(blanks) == 1:
        yield _asking(quiz, called, asked, _answerable(blanks[0], language), points[0])
        return
    yield _text(f"{quiz}-about-{called}.", called, _html(plain(asked)))
    for number, (blank, worth) in enumerate(zip(blanks, points, strict=True), 1):
        lead = f"({called}.{number}, {page.code}) {blank.label}:"
        yield _asking(quiz, f"{called}.{number}", lead, _answerable(blank, language), worth)


def _answerable(blank: Blank, language: Language) -> tuple[Blank, str]:
    """The blank with one right option at most, as Canvas has it, and how to fill it in if that is new."""
    if isinstance(blank, Box) or blank.several:
        return blank, ""
    rights = tuple(option.text for option in blank.options if option.share > 0)
    if len(rights) == 1:
        return blank, ""
    offered = ", ".join(option.text for option in blank.options)
    return Box("", rights, blank.points), language.say("Write one of: {options}.", options=offered)


def _text(name: str, title: str, html: str) -> ET.Element:
    """An item that asks nothing."""
    return _item(name, title, "text_only_question", Fraction(), (), _made("presentation", {}, _shown(html)))


def _shown(html: str) -> ET.Element:
    return _made("material", {}, _made("mattext", {"texttype": "text/html"}, html))


def _item(
    name: str, title: str, kind: str, points: Fraction, answers: Sequence[str], *inside: ET.Element
) -> ET.Element:
    fields = {
        "question_type": kind,
        "points_possible": _points(points),
        "original_answer_ids": ",".join(answers),
        "assessment_question_identifierref": f"{name}-question",
    }
    attributes = {"ident": name, "title": plain(title)[:LONGEST]}
    return _made("item", attributes, _made("itemmetadata", {}, _fields(fields)), *inside)


def _fields(fields: Mapping[str, str]) -> ET.Element:
    made = _made("qtimetadata", {})
    for label, entry in fields.items():
        pair = (_made("fieldlabel", {}, label), _made("fieldentry", {}, entry))
        made.append(_made("qtimetadatafield", {}, *pair))
    return made


def _asking(
    quiz: str, called: str, asked: str, answerable: tuple[Blank, str], points: Fraction
) -> ET.Element:
    """An item to fill in or to choose in: how it is shown, and what earns the points."""
    blank, how = answerable
    name, several = f"{quiz}-{called}", isinstance(blank, Choice) and blank.several
    match blank:
        case Box(whole=int(number)):
            kind, answers = "numerical_question", [f"{name}-0"]
            filled = _made(
                "render_fib", {"fibtype": "Decimal"}, _made("response_label", {"ident": "answer1"})
            )
            between = _made("and", {}, _is("vargte", str(number)), _is("varlte", str(number)))
            right = [_made("or", {}, _is("varequal", str(number)), between)]
        case Box():
            texts = list(dict.fromkeys(map(plain, blank.spellings)))
            kind, answers = "short_answer_question", [f"{name}-{place}" for place in range(len(texts))]
            filled = _made("render_fib", {}, _made("response_label", {"ident": "answer1", "rshuffle": "No"}))
            right = [_is("varequal", text) for text in texts]
        case Choice():
            kind = "multiple_answers_question" if several else "multiple_choice_question"
            answers = [f"{name}-{place}" for place in range(len(blank.options))]
            filled, right, wrong = _made("render_choice", {}), list[ET.Element](), list[ET.Element]()
            for answer, option in zip(answers, blank.options, strict=True):
                label = _made("response_label", {"ident": answer}, _shown(_html(plain(option.text))))
                filled.append(label)
                (right if option.share > 0 else wrong).append(_is("varequal", answer))
            if several:
                right = [_made("and", {}, *right, *(_made("not", {}, each) for each in wrong))]
    tag = "response_lid" if isinstance(blank, Choice) else "response_str"
    response = {"ident": "response1", "rcardinality": "Multiple" if several else "Single"}
    shown = _made("presentation", {}, _shown(_html(plain(f"{asked} {how}"))), _made(tag, response, filled))
    score = {"maxvalue": "100", "minvalue": "0", "varname": "SCORE", "vartype": "Decimal"}
    earned = _made("setvar", {"action": "Set", "varname": "SCORE"}, "100")
    condition = _made("respcondition", {"continue": "No"}, _made("conditionvar", {}, *right), earned)
    marked = _made("resprocessing", {}, _made("outcomes", {}, _made("decvar", score)), condition)
    return _item(name, called, kind, points, answers, shown, marked)


def _is(comparison: str, value: str) -> ET.Element:
    """That the response compares so with a value."""
    return _made(comparison, {"respident": "response1"}, value)


# Reading back -------------------------------------------------------------------------------------


def faults(file: BinaryIO) -> Iterator[str]:
    """What is wrong with the package: missing files, names used twice, items without a right answer."""
    return faults_of(file, _faults)


def _faults(package: ZipFile) -> Iterator[str]:
    members = set(package.namelist())
    if "imsmanifest.xml" not in members:
        yield "there is no manifest"
        return
    names: list[str | None] = []
    for member in package.namelist():
        if not member.endswith((".xml", ".svg")):
            continue
        try:
            root = ET.fromstring(package.read(member))
        except ET.ParseError as error:
            yield f"{member} is not XML: {error}"
            continue
        if member == "imsmanifest.xml":
            names += [each.get("identifier") for each in root.iter(f"{{{PACKAGE}}}resource")]
            hrefs = {file.get("href", "") for file in root.iter(f"{{{PACKAGE}}}file")}
            yield from (f"{missing} is in the manifest only" for missing in sorted(hrefs - members))
        if root.tag == f"{{{ITEMS}}}questestinterop":
            names += [item.get("ident") for item in root.iter(f"{{{ITEMS}}}item")]
            yield from (f"{member}: {wrong}" for wrong in _wrong_items(root))
    if len(names) != len(set(names)):
        yield "a name is used twice, so that Canvas would keep one of the two"


def _wrong_items(quiz: ET.Element) -> Iterator[str]:
    for item in quiz.iter(f"{{{ITEMS}}}item"):
        if item.find(f"{{{ITEMS}}}presentation/{{{ITEMS}}}material/{{{ITEMS}}}mattext") is None:
            yield f"{item.get('title')} asks nothing"
        if _kind(item) != "text_only_question" and item.find(f".//{{{ITEMS}}}varequal") is None:
            yield f"{item.get('title')} has no right answer"


def _kind(item: ET.Element) -> str:
    for field in item.iter(f"{{{ITEMS}}}qtimetadatafield"):
        if field.findtext(f"{{{ITEMS}}}fieldlabel") == "question_type":
            return field.findtext(f"{{{ITEMS}}}fieldentry") or ""
    return ""
