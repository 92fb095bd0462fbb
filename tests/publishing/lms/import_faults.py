"""The faults of a file for a platform: what would stop its import, or leave a question without an answer."""

import ast
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from html import unescape
from io import BytesIO
from typing import BinaryIO
from xml.etree import ElementTree as ET
from zipfile import ZipFile

from grader.base.json_records import RecordError
from grader.exam.manifest import code_faults, read_exam
from grader.publishing.lms.gradescope import EXAM, SENTENCES
from grader.publishing.lms.gradescope import SCRIPTS as GRADESCOPE_SCRIPTS
from grader.publishing.lms.moodle import FRACTIONS
from grader.publishing.lms.prairielearn import SCRIPTS as PRAIRIELEARN_SCRIPTS
from grader.publishing.lms.xml_elements import MANIFEST
from grader.trees.notation.diagnostics import Diagnostics

_CLOZE = re.compile(r"\{(\d+):(NUMERICAL|SHORTANSWER|MULTICHOICE|MULTIRESPONSE):([^{}]*)\}")


def _moodle_faults(file: BinaryIO) -> Iterator[str]:
    """Find faults that would stop Moodle's import, or make a blank without a correct answer."""
    category, names = "", set[str]()
    try:
        for _, element in ET.iterparse(file):
            if element.tag != "question":
                continue
            if element.get("type") == "category":
                category = element.findtext("category/text") or ""
                if not category.startswith("$course$/top/"):
                    yield f"the category {category!r} is not below the course"
            else:
                yield from _question_faults(element, category, names)
            element.clear()
    except ET.ParseError as error:
        yield f"is not XML: {error}"


def _question_faults(question: ET.Element, category: str, names: set[str]) -> Iterator[str]:
    """Find faults in a question of a category; `names` are the identifiers of earlier questions."""
    kind = question.get("type")
    name = question.findtext("name/text") or ""
    identity = question.findtext("idnumber") or ""
    if kind != "cloze" or not name:
        yield f"a question of the type {kind!r} called {name!r}"
    if not category:
        yield f"{name}: there is no category before it"
    if identity in names:
        yield f"{name}: another question has the same idnumber"
    names.add(identity)
    text = question.findtext("questiontext/text") or ""
    files = {file.get("name") for file in question.iterfind("questiontext/file")}
    wanted = set(re.findall(r"@@PLUGINFILE@@/([\w.-]+)", text))
    if files != wanted:
        yield f"{name}: shows the files {sorted(wanted)}, but contains {sorted(map(str, files))}"
    yield from (f"{name}: {wrong}" for wrong in _blank_faults(text))


def _blank_faults(text: str) -> Iterator[str]:
    """Yield the faults of the blanks in a question text, each as a clause about the question."""
    blanks = _CLOZE.findall(text)
    if not blanks:
        yield "has no blank"
    elif not any(int(weight) for weight, _, _ in blanks):
        yield "has no blank that is worth anything"
    if "{" in _CLOZE.sub("", text) or "}" in _CLOZE.sub("", text):
        yield "has a brace outside its blanks"
    for _, kind, alternatives in blanks:
        answers = [_alternative(each) for each in alternatives.split("~")]
        right = [share for share, _ in answers if share > 0]
        if not right or (kind != "MULTIRESPONSE" and 1 not in right):
            yield f"has a {kind} blank without a right answer"
        if any(not unescape(answer).strip() for _, answer in answers):
            yield f"has a {kind} blank with an empty answer"
        if any(share and abs(share) not in FRACTIONS for share, _ in answers):
            yield f"has a {kind} blank with a share that Moodle does not know"
        if kind == "NUMERICAL" and not all(re.fullmatch(r"-?\d+:0", answer) for _, answer in answers):
            yield "has a NUMERICAL blank with something that is not a number"
        if kind.startswith("MULTI") and len(answers) < 2:
            yield f"has a {kind} blank with fewer than two options"


def _alternative(text: str) -> tuple[Fraction, str]:
    """Return the share and the answer of one alternative of a blank."""
    if text.startswith("="):
        return Fraction(1), text[1:]
    percentage = re.match(r"%(-?[\d.]+)%", text)
    return (Fraction(percentage[1]) / 100, text[percentage.end() :]) if percentage else (Fraction(0), text)


def _qti3_faults(file: BinaryIO) -> Iterator[str]:
    """Find files that are missing or not XML, and blanks without a correct answer."""
    return _package_faults(file, _item_faults)


def _item_faults(item: ET.Element) -> Iterator[str]:
    """Yield the faults of an item: responses that are not declared or marked, and unusable answers."""
    declared = {each.get("identifier"): each for each in item.iterfind(".//{*}qti-response-declaration")}
    response_names = [each.get("response-identifier", "") for each in item.iter()]
    if sorted(filter(None, response_names)) != sorted(map(str, declared)):
        yield "what is asked is not what is declared"
    used = {each.get("identifier") for each in item.iterfind(".//{*}qti-map-response")}
    used |= {each.get("identifier") for each in item.iterfind(".//{*}qti-correct")}
    if used != set(declared):
        yield "what is marked is not what is declared"
    for name, response in declared.items():
        if not len(response.find("{*}qti-correct-response") or ()):
            yield f"{name} has no right answer"
        entries = list(response.iterfind(".//{*}qti-map-entry"))
        keys = [each.get("map-key", "").lower() for each in entries]
        if len(keys) != len(set(keys)):
            yield f"{name} has an answer twice"
        if not all(re.fullmatch(r"-?\d+(\.\d+)?", each.get("mapped-value", "")) for each in entries):
            yield f"{name} has a share that is not a number"


def _canvas_faults(file: BinaryIO) -> Iterator[str]:
    """Find missing files, duplicate names, and items without a correct answer."""
    names: list[str | None] = []

    def quiz_faults(quiz: ET.Element) -> Iterator[str]:
        """Yield the items of a quiz that ask nothing or have no correct answer, and collect their names."""
        for item in quiz.iterfind(".//{*}item"):
            names.append(item.get("ident"))
            if item.find("{*}presentation/{*}material/{*}mattext") is None:
                yield f"{item.get('title')} asks nothing"
            asks = item.findtext(".//{*}fieldentry") != "text_only_question"
            if asks and item.find(".//{*}varequal") is None:
                yield f"{item.get('title')} has no right answer"

    yield from _package_faults(file, quiz_faults)
    if len(names) != len(set(names)):
        yield "a name is used twice, so that Canvas would keep one of the two"


def _prairielearn_faults(file: BinaryIO) -> Iterator[str]:
    """Find faults that would keep PrairieLearn from using the questions."""
    return _zip_faults(file, _course_faults)


def _course_faults(package: ZipFile) -> Iterator[str]:
    """Yield the faults of a course folder: missing files, and files that cannot be read."""
    members = package.namelist()
    folders = sorted(
        {"/".join(member.split("/")[:2]) for member in members if member.startswith("questions/")}
    )
    if not folders:
        yield "there is no question"
    for folder in folders:
        for file in (*PRAIRIELEARN_SCRIPTS, "info.json", "variants.json"):
            if f"{folder}/{file}" not in members:
                yield f"{folder}/{file} is missing"
    for member in members:
        try:
            if member.endswith(".json"):
                record = json.loads(package.read(member))
                if member.endswith("variants.json") and not record:
                    yield f"{member} has no variant"
            elif member.endswith(".py"):
                ast.parse(package.read(member))
        except (ValueError, SyntaxError) as error:
            yield f"{member} cannot be read: {error}"


def _gradescope_faults(file: BinaryIO) -> Iterator[str]:
    """Find missing files, an exam that cannot be read, and a wheel that cannot mark."""
    return _zip_faults(file, _autograder_faults)


def _autograder_faults(package: ZipFile) -> Iterator[str]:
    """Yield the faults of an autograder: missing scripts, an unusable exam, no wheel or several."""
    members = package.namelist()
    yield from (f"{script} is missing" for script in GRADESCOPE_SCRIPTS if script not in members)
    yield from (f"{EXAM}: {wrong}" for wrong in _exam_faults(package))
    wheels = [member for member in members if member.endswith(".whl")]
    if len(wheels) != 1:
        yield "there is not one wheel of this program"
    for member in wheels:
        with ZipFile(BytesIO(package.read(member))) as program:
            if "grader/publishing/lms/autograding.py" not in program.namelist():
                yield f"{member} cannot mark"


def _exam_faults(package: ZipFile) -> Iterator[str]:
    """Find faults in the record of the exam."""
    if EXAM not in package.namelist():
        yield "is missing"
        return
    catalogue = package.read(SENTENCES) if SENTENCES in package.namelist() else None
    exam = read_exam(package.read(EXAM).decode("utf-8", "replace").split("\n"), catalogue)
    if isinstance(exam, Diagnostics):
        yield exam.items[0].message
        return
    try:
        yield from code_faults(exam.seats, [paper.code for paper in exam.papers])
    except RecordError as error:
        yield str(error)


def _package_faults(file: BinaryIO, wrong: Callable[[ET.Element], Iterator[str]]) -> Iterator[str]:
    """Find missing files, files that are not XML, and the faults that `wrong` finds in each document.

    A package without a manifest has no other faults; `wrong` does not get the manifest.
    """

    def faults(package: ZipFile) -> Iterator[str]:
        members = set(package.namelist())
        if MANIFEST not in members:
            yield "there is no manifest"
            return
        for member in package.namelist():
            try:
                root = ET.fromstring(package.read(member))
            except ET.ParseError as error:
                yield f"{member} is not XML: {error}"
                continue
            if member == MANIFEST:
                yield from _manifest_faults(root, members - {MANIFEST})
            else:
                yield from (f"{member}: {fault}" for fault in wrong(root))

    return _zip_faults(file, faults)


def _manifest_faults(manifest: ET.Element, members: set[str]) -> Iterator[str]:
    """Compare the manifest with the other members of the package."""
    hrefs = {file.get("href", "") for file in manifest.iterfind(".//{*}file")}
    yield from (f"{missing} is in the manifest only" for missing in sorted(hrefs - members))
    yield from (f"{extra} is not in the manifest" for extra in sorted(members - hrefs))
    names = [each.get("identifier", "") for each in manifest.iterfind(".//{*}resource")]
    if len(names) != len(set(names)):
        yield "two resources of the manifest have the same name"
    required = {each.get("identifierref", "") for each in manifest.iterfind(".//{*}dependency")}
    yield from (f"{unknown} is required, but is not a resource" for unknown in sorted(required - set(names)))


def _zip_faults(file: BinaryIO, faults: Callable[[zipfile.ZipFile], Iterator[str]]) -> Iterator[str]:
    """Report a zip file that cannot be read, or the faults that `faults` finds in it."""
    try:
        with zipfile.ZipFile(file) as package:
            yield from faults(package)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        yield f"is not a zip file: {error}"


FAULT_FINDERS: Mapping[str, Callable[[BinaryIO], Iterator[str]]] = {
    "moodle": _moodle_faults,
    "qti3": _qti3_faults,
    "canvas": _canvas_faults,
    "prairielearn": _prairielearn_faults,
    "gradescope": _gradescope_faults,
}
"""The name of an export -> the faults of its file."""
