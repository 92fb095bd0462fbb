"""The laws of the Canvas file: every variant is a quiz, every blank an item, and no two share a name."""

import re
from functools import cache
from xml.etree import ElementTree as ET

import pytest

from grader.exam.manifest import Exam
from tests.publishing.lms.canvas_player import Quiz, import_package
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


def quizzes(exam: Exam) -> list[Quiz]:
    """The quizzes that Canvas makes of the file of an exam."""
    return import_package(written("canvas", exam))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", NAMES)
def test_right_answers_earn_everything(kind: str) -> None:
    """In every kind right responses earn the points of the question, and to leave it out earns nothing."""
    (quiz,) = quizzes(exam_of_kind(kind))
    assert quiz.settings["points_possible"] == "4"
    assert float(sum(item.award(item.best) for item in quiz.asked)) == pytest.approx(4, abs=0.01)
    assert sum(item.award(item.blank) for item in quiz.asked) == 0
    assert all(
        item.award(text) == item.points for item in quiz.asked if not item.options for text in item.right
    )
    assert min(item.points for item in quiz.asked) > 0


def test_variants_share_no_name() -> None:
    """Items of different variants have different names, although they ask in the same words."""
    exam = exam_of_variants("root-value", "MAX (MIN (1 2) MIN (3 4))", "MAX (MIN (5 2) MIN (3 4))")
    one, two = quizzes(exam)
    assert [quiz.title for quiz in (one, two)] == ["A quiz (A)", "A quiz (B)"]
    assert len({item.name for quiz in (one, two) for item in quiz.items}) == 4
    assert [item.right[0] for quiz in (one, two) for item in quiz.asked] == ["3", "3"]


def test_a_set_is_one_item() -> None:
    """A set of leaves is one item to tick: right ticks are those of the key, and a wrong one costs one."""
    (quiz,) = quizzes(exam_with(exercise_of("pruned-paths", PRUNING)))
    (item,) = quiz.asked
    assert item.kind == "multiple_answers_question"
    assert item.best == {"7", "8"}
    assert list(item.options.values())[-1] == "none of them"
    ticked = [{"7", "8"}, {"7"}, {"7", "8", "1"}, {"7", "1"}, {"1"}]
    assert [item.award(frozenset(each)) for each in ticked] == [4, 2, 2, 0, 0]


def test_numbers() -> None:
    """A number has all its spellings, whether or not it is whole; a count is compared as a number."""
    (quiz,) = quizzes(exam_with(exercise_of("expected-values", THIRDS)))
    first = quiz.asked[0]
    assert first.kind == "short_answer_question"
    assert {"8/3", "2 2/3", "2.67"} <= set(first.right)
    (quiz,) = quizzes(exam_with(exercise_of("root-value", "MAX (MIN (0 2) MIN (-3 4))")))
    (zero,) = quiz.asked
    assert zero.kind == "short_answer_question"
    assert [zero.award(text) for text in ("0", " 0.0 ", "1", "none")] == [4, 4, 0, 0]
    (quiz,) = quizzes(exam_with(exercise_of("visited-count", "MAX (MIN (3 12) MIN (2 4))")))
    (count,) = quiz.asked
    assert count.kind == "numerical_question"
    assert [count.award(text) for text in ("3", " 3.0 ", "4", "three")] == [4, 4, 0, 0]


def test_several_best_moves() -> None:
    """Where several moves are best each counts, although a Canvas choice has only one right option."""
    (quiz,) = quizzes(exam_with(exercise_of("best-move", "MAX A (MIN B (3 4) MIN C (3 5) MIN D (1 2))")))
    (item,) = quiz.asked
    assert [item.award(move) for move in ("B", "c", "D")] == [4, 4, 0]
    assert item.words.endswith("Write one of the following: B, C, D.")


@pytest.mark.parametrize(
    ("kind", "responses"), [("best-path", ("3: q", "3", "1")), ("best-move", ("right: C", "c", "B"))]
)
def test_a_box_takes_a_reply(kind: str, responses: tuple[str, ...]) -> None:
    """A box takes the text of an option, and the reply in its place: a path number, the name of a move."""
    (quiz,) = quizzes(exam_with(exercise_of(kind, "MAX A (left: MIN B (3 4) right: MIN C (q=5 6))")))
    (item,) = quiz.asked
    assert [item.award(text) for text in responses] == [4, 4, 0]


@pytest.mark.parametrize("kind", ["best-move", "best-path"])
def test_a_tie_shows_in_no_type(kind: str) -> None:
    """Where several options may be best the item is a box also if one is, so that its type tells nothing."""
    (quiz,) = quizzes(exam_with(exercise_of(kind, "MAX A (MIN B (3 4) MIN C (2 5) MIN D (1 9))")))
    (item,) = quiz.asked
    assert item.kind == "short_answer_question"
    assert item.award(item.right[0]) == 4


def test_windows_tell_nothing() -> None:
    """Canvas shows the points of an item, so the boxes of a node that is never entered have some, too."""
    (quiz,) = quizzes(exam_with(exercise_of("windows", "MAX A (MIN B (3 4) MIN C (2 MAX D (5 6)))")))
    assert len({item.points for item in quiz.asked}) == 1


def test_nothing_shows_what_is_right() -> None:
    """A quiz is not open before the teacher opens it, is taken once, and then hides what is right."""
    (quiz,) = quizzes(exam_of_kind("root-value"))
    assert quiz.settings["available"] == "false"
    assert (quiz.settings["allowed_attempts"], quiz.settings["hide_results"]) == ("1", "always")


def bones(exam: Exam) -> list[object]:
    """The elements of the quizzes, and of the HTML in them."""
    made: list[object] = []
    for name, content in unpacked(written("canvas", exam)).items():
        if name.endswith(".xml"):
            made.append(
                [each.tag for each in ET.fromstring(content).iter() if not each.tag.endswith("varequal")]
            )
    for quiz in quizzes(exam):
        made += [re.findall(r"</?\w+", item.html) for item in quiz.items]
    return made


@cache
def harmless() -> list[object]:
    """What an exam in harmless words is made of."""
    return bones(exam_in_words("Words", "Name"))


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_hostile_words_are_text(payload: str) -> None:
    """Whatever the words, no element, formula or picture comes of them, and they can be read."""
    usable = payload if payload.strip() else "Words"
    exam = exam_in_words(usable, payload if payload.strip() else "Name")
    assert bones(exam) == harmless()
    if payload in (PAYLOADS["latex"], PAYLOADS["html"], PAYLOADS["markdown"]):
        (quiz,) = quizzes(exam)
        read = [words for item in quiz.items for words in (item.words, *item.options.values())]
        assert any(" ".join(payload.split())[:60] in words for words in read)


def test_faults_are_found() -> None:
    """A damaged zip, a missing manifest, an item without a right answer and doubled names are found."""
    data = written("canvas", exam_of_kind("root-value"))
    files = unpacked(data)
    (quiz,) = [member for member in files if b"<questestinterop" in files[member]]
    assert "not a zip" in faults("canvas", data[:100])[0]
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
