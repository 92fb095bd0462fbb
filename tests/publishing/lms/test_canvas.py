"""The laws of the Canvas file: every variant is a quiz, every blank an item, and no two share a name."""

import re
from html import unescape
from xml.etree import ElementTree as ET

import pytest

from grader.exam.manifest import Exam
from tests.publishing.lms.exams import (
    PRUNING,
    THIRDS,
    exam_in_words,
    exam_of_kind,
    exam_of_variants,
    exam_with,
    exercise_of,
    faults,
    unpacked,
    written,
)
from tests.publishing.papers import NAMES
from tests.publishing.test_hostile import PAYLOADS

SPACE = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"


def quizzes(exam: Exam) -> list[ET.Element]:
    """The quizzes that Canvas makes of the file, in the order of their titles."""
    files = unpacked(written("canvas", exam))
    found = [ET.fromstring(content) for member, content in files.items() if member.endswith(".xml")]
    roots = [root for root in found if root.tag == f"{SPACE}questestinterop"]
    return sorted(roots, key=lambda root: root[0].attrib["title"])


def field(item: ET.Element, label: str) -> str:
    """What an item's metadata say."""
    for each in item.iter(f"{SPACE}qtimetadatafield"):
        if each.findtext(f"{SPACE}fieldlabel") == label:
            return each.findtext(f"{SPACE}fieldentry", "")
    raise AssertionError(label)


def asked(quiz: ET.Element) -> list[ET.Element]:
    """The items that ask something."""
    items = quiz.iter(f"{SPACE}item")
    return [item for item in items if field(item, "question_type") != "text_only_question"]


def words(item: ET.Element) -> str:
    """The text of an item as a browser shows it."""
    html = item.findtext(f"{SPACE}presentation/{SPACE}material/{SPACE}mattext", "")
    return unescape(re.sub(r"<[^>]*>", "", html))


@pytest.mark.parametrize("kind", NAMES)
def test_points_add_up(kind: str) -> None:
    """In every kind the items are worth the points of the question together, and none is worth nothing."""
    (quiz,) = quizzes(exam_of_kind(kind))
    points = [float(field(item, "points_possible")) for item in asked(quiz)]
    assert sum(points) == pytest.approx(4, abs=0.01)
    assert min(points) > 0


def test_variants_share_no_name() -> None:
    """Items of different variants have different names, although they ask in the same words."""
    exam = exam_of_variants("root-value", "MAX (MIN (1 2) MIN (3 4))", "MAX (MIN (5 2) MIN (3 4))")
    one, two = quizzes(exam)
    assert [quiz[0].attrib["title"] for quiz in (one, two)] == ["A quiz (A)", "A quiz (B)"]
    names = [item.attrib["ident"] for quiz in (one, two) for item in quiz.iter(f"{SPACE}item")]
    assert len(names) == len(set(names)) == 4
    right = [quiz.find(f".//{SPACE}varequal") for quiz in (one, two)]
    assert [each.text for each in right if each is not None] == ["3", "3"]


def test_a_set_is_one_item() -> None:
    """A set of leaves is one item to tick, in which the right ones are those of the key."""
    (quiz,) = quizzes(exam_with(exercise_of("pruned-paths", PRUNING)))
    (item,) = asked(quiz)
    assert field(item, "question_type") == "multiple_answers_question"
    labels = {
        each.attrib["ident"]: unescape(re.sub(r"<[^>]*>", "", "".join(each.itertext()))).strip()
        for each in item.iter(f"{SPACE}response_label")
    }
    condition = item.find(f".//{SPACE}conditionvar/{SPACE}and")
    assert condition is not None
    right = {labels[each.text or ""] for each in condition.findall(f"{SPACE}varequal")}
    assert right == {"7", "8"}
    assert list(labels.values())[-1] == "none of them"


def test_numbers_that_are_not_whole() -> None:
    """A third is a short answer with every spelling; the number zero is one, too, as the library wants it."""
    (quiz,) = quizzes(exam_with(exercise_of("expected-values", THIRDS)))
    first = asked(quiz)[0]
    assert field(first, "question_type") == "short_answer_question"
    assert {"8/3", "2 2/3", "2.67"} <= {each.text for each in first.iter(f"{SPACE}varequal")}
    (zero,) = quizzes(exam_with(exercise_of("root-value", "MAX (MIN (0 2) MIN (-3 4))")))
    assert field(asked(zero)[0], "question_type") == "short_answer_question"


def test_several_best_moves() -> None:
    """Where several moves are best each counts, although a Canvas choice has only one right option."""
    (quiz,) = quizzes(exam_with(exercise_of("best-move", "MAX A (MIN B (3 4) MIN C (3 5) MIN D (1 2))")))
    (item,) = asked(quiz)
    assert {each.text for each in item.iter(f"{SPACE}varequal")} == {"B", "C"}
    assert "Write one of: B, C, D." in words(item)


def test_windows_tell_nothing() -> None:
    """Canvas shows the points of an item, so the boxes of a node that is never entered have some, too."""
    (quiz,) = quizzes(exam_with(exercise_of("windows", "MAX A (MIN B (3 4) MIN C (2 MAX D (5 6)))")))
    assert len({field(item, "points_possible") for item in asked(quiz)}) == 1


def bones(exam: Exam) -> list[list[str]]:
    """The elements of the quizzes, and of the HTML in them."""
    made = []
    for quiz in quizzes(exam):
        elements = [
            element.tag for element in quiz.iter() if element.tag not in (f"{SPACE}varequal", f"{SPACE}or")
        ]
        html = [re.findall(r"</?\w+", each.text or "") for each in quiz.iter(f"{SPACE}mattext")]
        made += [elements, *html]
    return made


HARMLESS = bones(exam_in_words("Words", "Name"))


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_hostile_words_are_text(payload: str) -> None:
    """Whatever the words, no element, formula or picture comes of them, and they can be read."""
    usable = payload if payload.strip() else "Words"
    exam = exam_in_words(usable, payload if payload.strip() else "Name")
    assert bones(exam) == HARMLESS
    if payload in (PAYLOADS["latex"], PAYLOADS["html"], PAYLOADS["markdown"]):
        (quiz,) = quizzes(exam)
        shown = " ".join(words(item) for item in quiz.iter(f"{SPACE}item"))
        options = " ".join(unescape(each.text or "") for each in quiz.iter(f"{SPACE}mattext"))
        assert " ".join(payload.split())[:60] in shown + options


def test_faults_are_found() -> None:
    """A damaged zip, a missing manifest, an item without a right answer and doubled names are found."""
    data = written("canvas", exam_of_kind("root-value"))
    files = unpacked(data)
    (quiz,) = [member for member in files if b"<questestinterop" in files[member]]
    assert "no zip" in faults("canvas", data[:100])[0]
    rest = {member: content for member, content in files.items() if member != "imsmanifest.xml"}
    assert faults("canvas", rest) == ["there is no manifest"]
    rest = {member: content for member, content in files.items() if member != quiz}
    assert "in the manifest only" in faults("canvas", rest)[0]
    for old, new, told in [
        (b"varequal", b"nothing", "no right answer"),
        (b"mattext", b"nothing", "asks nothing"),
    ]:
        found = faults("canvas", files | {quiz: files[quiz].replace(old, new)})
        assert any(told in fault for fault in found), told
    twice = faults("canvas", files | {"again.xml": files[quiz]})
    assert any("used twice" in fault for fault in twice)
