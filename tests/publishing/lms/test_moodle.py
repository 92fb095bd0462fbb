"""The laws of Moodle XML: what Moodle is known to do with a file, held against the files we write."""

import base64
import re
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.answers.box_blanks import number_spellings
from grader.answers.numeral import Numeral, matches_key, parse_numeral
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
    written,
)
from tests.publishing.lms.moodle_engine import GRADES, Question, import_quiz
from tests.publishing.papers import NAMES
from tests.publishing.test_hostile import PAYLOADS, Skeleton

NUMBER = b"{1:NUMERICAL:=3:0~%0%100000000000:0}"
"""The box of an exam whose answer is 3."""


def imported(exam: Exam) -> list[Question]:
    """The questions of an exam after Moodle's import."""
    return list(import_quiz(written("moodle", exam)))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", NAMES)
def test_right_answers_earn_everything(kind: str) -> None:
    """In every kind, right responses earn the full mark, in whichever spelling; blank ones earn nothing."""
    (question,) = imported(exam_of_kind(kind))
    for choose in range(20):
        assert question.grade(question.right(choose)) == pytest.approx(1)
    nothing = [frozenset() if blank.kind == "MULTIRESPONSE" else "" for blank in question.blanks]
    if all(blank.kind != "MULTICHOICE" for blank in question.blanks):
        assert question.grade(nothing) == 0


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", NAMES)
def test_fractions_are_moodles(kind: str) -> None:
    """Every share that is written is one that Moodle offers: another one would stop the import."""
    for question in imported(exam_of_kind(kind)):
        for blank in question.blanks:
            assert {round(abs(share), 7) for share in blank.written} <= GRADES


def test_thirds_are_short_answers() -> None:
    """A value such as 1/3 is no NUMERICAL answer, and a student who types the fraction is right."""
    (question,) = imported(exam_with(exercise_of("expected-values", THIRDS)))
    blanks = {blank.answers[0][0]: blank for blank in question.blanks}
    assert {blank.kind for blank in question.blanks} == {"SHORTANSWER"}
    for reply, share in [
        ("8/3", 1), ("2 2/3", 1), (" 2.67 ", 1), ("2.667", 1), ("2.7", 0), ("2.66", 0), ("8,3", 0)
    ]:  # fmt: skip
        assert blanks["8/3"].fraction(reply) == share, reply
    for reply in ("–7/3", "-7 / 3", "-2 1/3"):
        assert blanks["-7/3"].fraction(reply) == 1, reply
    assert blanks["8/3"].fraction("+2.67") == blanks["8/3"].fraction("8 / 3") == 1
    assert blanks["8/3"].fraction("16/6") == 0
    assert "or 17/2. Write fractions in lowest terms" in question.text
    assert blanks["-7/3"].fraction("−7/3") == blanks["-7/3"].fraction("-2.33") == 1


def test_whole_numbers_are_numerical() -> None:
    """Where the question is how many, ` 3 ` and `3.0` are right, and `3.1` is not."""
    (question,) = imported(exam_with(exercise_of("visited-count", "MAX (MIN (3 12) MIN (2 4))")))
    (blank,) = question.blanks
    assert blank.kind == "NUMERICAL"
    assert [blank.fraction(reply) for reply in ("3", " 3 ", "3.0", "3.1", "three")] == [1, 1, 1, 0, 0]


def test_decimal_comma() -> None:
    """`2,67` is right where the exam has decimal commas, and only there."""
    for comma in (True, False):
        exercise = exercise_of("expected-values", THIRDS, decimal_comma=comma)
        (question,) = imported(exam_with(exercise))
        assert question.blanks[0].fraction("2,67") == comma


@given(st.fractions(-50, 50, max_denominator=60), st.integers(0, 4))
def test_spellings_are_right(value: Fraction, digits: int) -> None:
    """Every spelling that is accepted is one that this program gives the full mark."""
    for text in number_spellings(value, digits, comma=False):
        plainly = text.replace("−", "-").replace("–", "-").replace(" / ", "/").removeprefix("+")
        whole, _, rest = plainly.partition(" ")
        said = parse_numeral(whole)
        if rest:
            part = parse_numeral(rest).value
            said = Numeral(said.value + part if not whole.startswith("-") else said.value - part)
        assert matches_key(said, Numeral(value), digits), text


def test_lists_in_words() -> None:
    """A list to be typed is right with any separator: Moodle does not know that `A, B` is `A,B`."""
    (question,) = imported(exam_with(exercise_of("pruned-paths", PRUNING, "exact")))
    (blank,) = question.blanks
    assert blank.kind == "SHORTANSWER"
    replies = ("7 8", "7, 8", "7,8", " 7   8", "7; 8", "7", "7 8 1", "*")
    assert [blank.fraction(reply) for reply in replies] == [1, 1, 1, 1, 1, 0, 0, 0]


@pytest.mark.parametrize("policy", ["net", "each"])
def test_ticks_follow_the_policy(policy: str) -> None:
    """Every way to tick the leaves earns what this program gives, to seven digits."""
    exercise = exercise_of("pruned-paths", PRUNING, policy)
    (question,) = imported(exam_with(exercise))
    kind, public = exercise.kind, exercise.public
    key = exercise.answer(exercise.key)
    size = len(public.tree.leaves)
    assert 2 * len(key) <= size
    for ticked in chain.from_iterable(combinations(range(size), count) for count in range(1, size + 1)):
        paths = frozenset(index + 1 for index in ticked)
        ours = kind.form.credit(paths, key, public.tree, public.terms).share
        assert question.grade([frozenset(ticked)]) == pytest.approx(float(ours), abs=1e-6), paths


@pytest.mark.parametrize("policy", ["net", "each", "deduct:1/8", "deduct:4", "keep:1/2", "keep:9/10"])
@pytest.mark.parametrize(
    "tree",
    [PRUNING, "MAX A (MIN B (3 4) MIN C (2 1 6 7 8 9 5))", "MAX (MIN (1 2) MIN (3 4))", f"MAX ({'1 ' * 14})"],
)
def test_ticking_everything_earns_nothing(policy: str, tree: str) -> None:
    """Ticking all leaves earns nothing, however many of them are pruned; `none` is an answer of its own."""
    exercise = exercise_of("pruned-paths", tree, policy)
    (question,) = imported(exam_with(exercise))
    leaves = frozenset(range(len(exercise.public.tree.leaves)))
    assert question.grade([leaves]) == pytest.approx(0, abs=1e-6)
    nothing = frozenset((len(leaves),))
    assert question.grade([nothing]) == (exercise.key == "none")
    assert question.grade([frozenset()]) == 0


@pytest.mark.parametrize(("policy", "cost"), [("keep:1/2", 0.5), ("keep:3/4", 0.25), ("keep:13/20", 0.4)])
def test_a_wrong_tick_costs_what_a_mistake_costs(policy: str, cost: float) -> None:
    """Ticks add up: a missing one costs its share of the key, a wrong one what a mistake costs or more.

    Moodle has no fraction for 35 %, and takes the next one.
    """
    exercise = exercise_of("pruned-paths", PRUNING, policy)
    (question,) = imported(exam_with(exercise))
    key = {path - 1 for path in exercise.answer(exercise.key)}
    size = len(exercise.public.tree.leaves)
    for ticked in chain.from_iterable(combinations(range(size), count) for count in range(1, size + 1)):
        right = len(key.intersection(ticked))
        earned = max(0.0, right / len(key) - cost * (len(ticked) - right))
        assert question.grade([frozenset(ticked)]) == pytest.approx(earned, abs=1e-6), ticked


def test_many_pruned_leaves() -> None:
    """More right leaves than Moodle has a fraction for still make the full mark together."""
    many = " ".join(map(str, range(4, 17)))
    exercise = exercise_of("pruned-paths", f"MAX A (MIN B (9 10 11 12 13 14 15 16 17 18) MIN C (2 {many}))")
    (question,) = imported(exam_with(exercise))
    assert len(exercise.answer(exercise.key)) == 13
    assert question.grade(question.right()) == pytest.approx(1)


def test_weights_are_per_entry() -> None:
    """The entries of each player weigh as much as those of the other, and parts weigh as their points do."""
    parts = (exercise_of("node-values", PRUNING), exercise_of("best-move", PRUNING))
    (question,) = imported(exam_with(*parts))
    weights = [blank.weight for blank in question.blanks]
    assert weights == [2, 5, 5, 2, 2, 2, 2, 20]


def test_windows_tell_nothing() -> None:
    """The windows of all nodes are asked for, so that the boxes do not say which nodes are entered."""
    tree = "MAX A (MIN B (3 4) MIN C (2 MAX D (5 6)))"
    (question,) = imported(exam_with(exercise_of("windows", tree)))
    assert len(question.blanks) == 12
    assert [blank.weight for blank in question.blanks[9:]] == [0, 0, 0]
    assert question.blanks[0].fraction("-Infinity") == question.blanks[0].fraction("-∞") == 1
    assert question.blanks[9].fraction("none") == 1


def test_orders_tell_nothing() -> None:
    """There are as many boxes as leaves, and to stop at the right place counts as one of them.

    The first three leaves are visited whatever the payoffs, so their boxes are worth nothing.
    """
    (question,) = imported(exam_with(exercise_of("visiting-order", PRUNING)))
    responses: list[object] = [*"123456", "none", "none"]
    assert question.grade(responses) == 1
    assert question.grade([*responses[:6], "7", "8"]) == pytest.approx(3 / 4)
    assert question.grade([*"213", *responses[3:]]) == 1


def test_variants_share_a_category() -> None:
    """Each question has a category below the course, named and numbered, with all variants in it."""
    exam = exam_of_variants("root-value", "MAX (MIN (1 2) MIN (3 4))", "MAX (MIN (5 2) MIN (3 4))")
    questions = imported(exam)
    assert {question.category for question in questions} == {"$course$/top/A quiz/1"}
    assert len({question.identity for question in questions}) == 2
    categories = ET.fromstring(written("moodle", exam)).findall("question[@type='category']")
    assert [bool(each.findtext("idnumber")) for each in categories] == [True]


def test_given_trees_come_once() -> None:
    """A question about a given tree is the same in every variant, and is written once."""
    assert len(imported(exam_with(exercise_of("root-value", PRUNING), codes="ABC"))) == 1


def test_slashes_are_no_categories() -> None:
    """A slash in a title is written twice, as Moodle wants it, and makes no category."""
    exam = exam_in_words("Trees/Games", "B")
    assert imported(exam)[0].category == "$course$/top/Trees//Games/1. Trees//Games"


def test_pictures_are_files() -> None:
    """The picture is an SVG with a title, in base64, shown with a text that tells the tree."""
    data = ET.fromstring(written("moodle", exam_of_kind("pruned-paths")))
    (file,) = data.iter("file")
    assert file.get("encoding") == "base64"
    picture = ET.fromstring(base64.b64decode(file.text or ""))
    assert picture.find("{http://www.w3.org/2000/svg}title") is not None
    text = data.findtext("question[@type='cloze']/questiontext/text", "")
    assert f'src="@@PLUGINFILE@@/{file.get("name")}"' in text
    alt = re.search(r'alt="([^"]*)"', text)
    assert alt is not None
    assert "MAX A leads to MIN B, MIN C" in alt[1]


def bones(exam: Exam) -> object:
    """All that words must not change: XML elements, HTML elements, and blanks with their shares."""
    data = written("moodle", exam)
    elements = [element.tag for element in ET.fromstring(data).iter()]
    questions = list(import_quiz(data))
    html = [Skeleton(question.text).tags for question in questions]
    options = [
        Skeleton(answer).tags
        for question in questions
        for blank in question.blanks
        if blank.kind.startswith("MULTI")
        for answer, _ in blank.answers
    ]
    shares = [
        (blank.kind, blank.weight, blank.written if blank.kind != "SHORTANSWER" else ())
        for question in questions
        for blank in question.blanks
    ]
    return elements, html, options, shares


@cache
def harmless() -> object:
    """What an exam in harmless words is made of."""
    return bones(exam_in_words("Words", "Name"))


CLOZE = {
    "blank": "{1:SHORTANSWER:=*}",
    "place": "{#1} {#2}",
    "signs": 'a~=b}#c{d\\e/f"g*h%100%i&j~',
    "entity": "x&amp;~=*",
    "backslashes": "\\} \\# \\* \\\\",
    "references": "&#125;&amp;&lt;b&gt;",
}


@pytest.mark.parametrize("payload", [*PAYLOADS.values(), *CLOZE.values()], ids=[*PAYLOADS, *CLOZE])
def test_hostile_words_are_text(payload: str) -> None:
    """Whatever the title, the texts and the names, the file has the elements and blanks of a harmless one."""
    exam = exam_in_words(payload if payload.strip() else "Words", payload if payload.strip() else "Name")
    assert bones(exam) == harmless()
    for question in imported(exam):
        assert question.grade(question.right()) == pytest.approx(1)


@pytest.mark.parametrize("name", CLOZE.values(), ids=CLOZE)
def test_names_are_typed_as_they_are(name: str) -> None:
    """A leaf with signs of cloze in its name is right when the name is typed, and an asterisk is no joker."""
    (_, question) = imported(exam_in_words("Words", name))
    boxes = [blank for blank in question.blanks if blank.kind == "SHORTANSWER"]
    named = [blank for blank in boxes if any(answer.endswith(".") for answer, _ in blank.answers)]
    assert len(named) == 1
    assert named[0].fraction(f"{name}.") == 1
    assert named[0].fraction("anything") == 0


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b"</quiz>", b"", "not XML"),
        (NUMBER, b"", "no blank"),
        (NUMBER, b"{1:NUMERICAL:=1/3:0}", "not a number"),
        (NUMBER, b"{1:NUMERICAL:%37%3:0}", "share that Moodle does not know"),
        (NUMBER, b"{1:SHORTANSWER:3}", "without a right answer"),
        (NUMBER, b"{1:NUMERICAL:=3:0} {", "brace outside"),
        (b"$course$/top/", b"", "not below the course"),
        (b'tree-1-A.svg" path', b'other.svg" path', "shows the files"),
    ],
)
def test_faults_are_found(old: bytes, new: bytes, told: str) -> None:
    """What would stop the import is found when the file is read back."""
    data = written("moodle", exam_with(exercise_of("visited-count", "MAX (MIN (3 12) MIN (2 4))")))
    assert old in data
    assert any(told in fault for fault in faults("moodle", data.replace(old, new)))
