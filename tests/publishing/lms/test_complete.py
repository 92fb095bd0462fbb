"""The laws of complete exports: each platform shows what the record says, and takes what the form takes."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from xml.etree import ElementTree as ET

import pytest

from grader.answers.blank import NO_NODE, NONE, Blank, Blanks
from grader.answers.form import AnyForm
from grader.base.phrases import ENGLISH
from grader.exam.manifest import Exam
from grader.exam.paper import Paper
from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.marking import Marker
from grader.generation.grower import grow
from grader.generation.recipe_file import default_recipe
from grader.publishing.lms.canvas import TICKS_RULE
from grader.publishing.lms.page import NUMBERS, ONE_ANSWER_RULE, pages_of
from grader.publishing.sheet import format_points_label
from grader.questions.wording import ANY_ANSWER_RULES
from tests.publishing.lms.canvas_player import import_package, shown
from tests.publishing.lms.exams import exam_of, exam_with, export_named, unpacked, written
from tests.publishing.lms.moodle_engine import Blank as Cloze
from tests.publishing.lms.moodle_engine import import_quiz
from tests.publishing.reading_back import single_blanks
from tests.publishing.record import (
    EVERY,
    conventions,
    drawn_words,
    joined,
    on_paper,
    on_screen,
    question_papers,
    told_words,
    turned,
)
from tests.publishing.test_complete import hold_in_order, hold_picture

GAP = "\u2588"
"""What stands where a blank is."""


@dataclass(frozen=True, slots=True)
class Field:
    """What somebody fills in on a platform.

    - `accepted`: what earns everything in a box; of a choice the options that earn something.
    - `options`: all options of a choice, in their order; empty for a box.
    - `several`: whether any number of them can be chosen.
    - `weight`: its points, in whatever unit the platform has.
    """

    accepted: tuple[str, ...]
    options: tuple[str, ...]
    several: bool
    weight: Fraction


@dataclass(frozen=True, slots=True)
class Screen:
    """A question as a platform shows it: the words in reading order, and what is to be filled in."""

    words: str
    fields: tuple[Field, ...]


def _with_alternatives(html: str) -> str:
    """Replace pictures by their words; in an attribute `<` may stand as it is, in text not."""
    return re.sub('<img[^>]* alt="([^"]*)"[^>]*>', lambda picture: picture[1].replace("<", "&lt;"), html)


def moodle(exam: Exam) -> Screen:
    """The question in Moodle."""
    (question,) = import_quiz(written("moodle", exam))
    words = _with_alternatives(question.text)
    return Screen(single_blanks(shown(words.replace("<", " <"))), tuple(map(_cloze, question.blanks)))


def _cloze(blank: Cloze) -> Field:
    right = [text for text, share in blank.answers if share > 0]
    weight = Fraction(blank.weight)
    if blank.kind.startswith("MULTI"):
        options = tuple(shown(text) for text, _ in blank.answers)
        return Field(tuple(map(shown, right)), options, blank.kind == "MULTIRESPONSE", weight)
    if blank.kind == "NUMERICAL":
        right = [text.removesuffix(":0") for text in right]
    return Field(tuple(text.replace("\\*", "*") for text in right), (), False, weight)


def canvas(exam: Exam) -> Screen:
    """The quiz in Canvas: items with nothing to fill in, and one for each blank."""
    (quiz,) = import_package(written("canvas", exam))
    fields = []
    for item in quiz.asked:
        right = tuple(item.options[name] for name in item.right) if item.options else item.right
        several = item.kind == "multiple_answers_question"
        fields.append(Field(right, tuple(item.options.values()), several, item.points))
    html = " ".join(
        _with_alternatives(item.html) + (f" {GAP}" if item in quiz.asked else "") for item in quiz.items
    )
    return Screen(single_blanks(shown(html.replace("<", " <"))), tuple(fields))


QTI = "{http://www.imsglobal.org/xsd/imsqtiasi_v3p0}"


def qti3(exam: Exam) -> Screen:
    """The item of QTI 3: its body, and what is declared of each response in it."""
    (data,) = [
        data for name, data in unpacked(written("qti3", exam)).items() if re.match(r"items/.*xml", name)
    ]
    item = ET.fromstring(data)
    body = item.find(f"{QTI}qti-item-body")
    assert body is not None
    declared = {each.attrib["identifier"]: each for each in item.iter(f"{QTI}qti-response-declaration")}
    processing = ET.tostring(item.find(f"{QTI}qti-response-processing") or item, encoding="unicode")
    texts, fields = [], []
    for element in body.iter():
        name = element.get("response-identifier")
        if name is None:
            if element.tag != f"{QTI}qti-simple-choice":
                texts += [element.get("alt", ""), element.text or ""]
            continue
        texts.append(GAP)
        options = {each.attrib["identifier"]: each.text or "" for each in element}
        entries = {
            each.attrib["map-key"]: Fraction(each.attrib["mapped-value"])
            for each in declared[name].iter(f"{QTI}qti-map-entry")
        }
        right = tuple(options.get(key, key) for key, share in entries.items() if share > 0)
        several = element.get("max-choices") == "0"
        assert (declared[name].get("cardinality") == "multiple") == several
        assert bool(options) == (declared[name].get("base-type") == "identifier")
        fields.append(Field(right, tuple(options.values()), several, _worth(processing, name)))
    return Screen(single_blanks(" ".join(texts)), tuple(fields))


def _worth(processing: str, name: str) -> Fraction:
    """By what the response is multiplied in the processing: the first number behind its name."""
    behind = processing[processing.index(f'"{name}"') :]
    found = re.search(r'base-type="float">([\d.]+)<', behind)
    assert found is not None
    return Fraction(found[1])


PLATFORMS: dict[str, Callable[[Exam], Screen]] = {"moodle": moodle, "canvas": canvas, "qti3": qti3}


@cache
def exam_of_paper(paper: Paper) -> Exam:
    """An exam of one paper."""
    return exam_of(paper)


def expected(part: Exercise, platform: str) -> Blanks:
    """What the form asks for: only QTI can be strict about options, so elsewhere such a choice is a box."""
    return part.blanks if platform == "qti3" else part.blanks.with_boxes


def texts_of(part: Exercise, platform: str) -> str:
    """What is asked where blanks are filled in."""
    blanks, language = expected(part, platform), part.public.terms.language
    has_numbers = part.kind.form.allows_rounding and part.kind.form.name != "interval"
    numbers = language.say(NUMBERS, decimal=language.reply("8.5")) if has_numbers else ""
    ticks = any(blank.allows_several for blank in blanks.blanks)
    counts = language.say(TICKS_RULE) if ticks and platform == "canvas" else blanks.counting_rule
    return joined(on_screen(part), blanks.instruction, numbers, counts)


@pytest.mark.sampled(90)
@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_platforms_show_what_the_record_says(name: str, platform: str) -> None:
    """Conventions, picture, question and blanks of every part are shown, in order and once."""
    for paper in question_papers(name):
        (question,) = paper.questions
        screen = PLATFORMS[platform](exam_of_paper(paper))
        shared, own = conventions(question)
        shared += turned(question)
        pieces = [*shared, *own]
        for part in question.parts:
            blanks = expected(part, platform).blanks
            labels = [f"{blank.label}: {GAP}" for blank in blanks] if len(blanks) > 1 else [GAP]
            pieces += [texts_of(part, platform), *(labels if platform != "canvas" else ())]
        places = hold_in_order(screen.words, pieces)
        stated = len(shared) + len(own)
        if len(question.public.tree):
            told = screen.words[places[stated - 1][1] : places[stated][0]]
            hold_picture(told, told_words(question))
        if platform != "canvas":
            points = [
                format_points_label(part.public.terms.points, part.public.terms.language)
                for part in question.parts
            ]
            assert [f"({each})" in screen.words for each in points] == [True] * len(points)


@pytest.mark.sampled(90)
@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_platforms_take_what_the_form_says(name: str, platform: str) -> None:
    """Number, sort, labels, options, accepted answers and weights of blanks are those of the form."""
    for paper in question_papers(name):
        (question,) = paper.questions
        screen = PLATFORMS[platform](exam_of_paper(paper))
        blanks = [
            (blank, part.kind.form) for part in question.parts for blank in expected(part, platform).blanks
        ]
        assert len(screen.fields) == len(blanks)
        for field, (blank, form) in zip(screen.fields, blanks, strict=True):
            hold_field(field, blank, form, platform)
        hold_weights(screen.fields, [expected(part, platform).blanks for part in question.parts], platform)


def hold_field(field: Field, blank: Blank, form: AnyForm, platform: str) -> None:
    """A field takes what a blank says."""
    if not blank.options:
        assert not field.options
        whole = platform in ("moodle", "canvas") and blank.whole_number is not None
        assert field.accepted == ((str(blank.whole_number),) if whole else blank.spellings)
        return
    right = tuple(option.text for option in blank.options if option.share > 0)
    if platform == "canvas" and not blank.allows_several and not field.options:
        assert form.has_alternatives or blank.node != NO_NODE  # a choice in Canvas has one right option
        answers = {option.reply.replace('"', "") for option in blank.options if option.share > 0}
        wrong = {option.text.casefold() for option in blank.options if option.share <= 0}
        assert set(right) <= set(field.accepted)
        assert set(field.accepted) == {
            each for each in (*right, *answers) if each.casefold() not in wrong
        } - {""}
    else:
        assert field.accepted == right
        assert (field.options, field.several) == (
            tuple(each.text for each in blank.options),
            blank.allows_several,
        )


def hold_weights(fields: Sequence[Field], parts: Sequence[Sequence[Blank]], platform: str) -> None:
    """Fields weigh as the points of the blanks do; Canvas shows points, so there none of a part has none."""
    points = []
    for blanks in parts:
        own = [Fraction(blank.points) for blank in blanks]
        even = platform == "canvas" and not all(own)
        points += [sum(own, Fraction()) / len(own)] * len(own) if even else own
    weights = [field.weight for field in fields]
    unit = 1 if platform == "canvas" else sum(points) / sum(weights)
    assert [float(weight * unit) for weight in weights] == pytest.approx(list(map(float, points)), abs=1e-4)


@pytest.mark.sampled(90)
@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_what_platforms_accept_is_right(name: str, platform: str) -> None:
    """Whoever fills in what a platform accepts has a reply that this program gives all points."""
    for paper in question_papers(name):
        (question,) = paper.questions
        fields = iter(PLATFORMS[platform](exam_of_paper(paper)).fields)
        for part in question.parts:
            blanks, public = expected(part, platform).blanks, part.public
            own = [next(fields) for _ in blanks]
            for choose in (0, -1):
                filled = [_filled(*each, choose) for each in zip(own, blanks, strict=True)]
                reply = part.kind.form.reply_from_blanks(blanks, filled, public.tree, public.terms)
                mark = Marker(part).mark(reply)
                assert mark.points == public.terms.points, f"{filled}: {reply}: {mark.message}"


def _filled(field: Field, blank: Blank, choose: int) -> str:
    """What is filled in, of several ways the first or the last; nothing where that is right for no points."""
    if not blank.points and NONE in field.accepted:
        return ""
    return "; ".join(field.accepted) if field.several else field.accepted[choose]


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", EVERY)
def test_prairielearn_shows_what_the_record_says(name: str) -> None:
    """PrairieLearn has the sentences of the record, a field for each part, and the record to mark it by."""
    for paper in question_papers(name):
        (question,) = paper.questions
        (piece,) = export_named("prairielearn").make_pieces(paper, pages_of(paper))
        variant = json.loads(piece.texts[0])
        shared, own = conventions(question)
        assert variant["params"]["conventions"] == [*shared, *turned(question), *own]
        letters = "abcdefgh"[: len(question.parts)] if len(question.parts) > 1 else [""]
        rows = zip(variant["params"]["parts"], variant["exercises"], letters, question.parts, strict=True)
        for shown_part, record, letter, part in rows:
            language, text = part.public.terms.language, part.public.wording
            assert shown_part["prompt"] == joined(*on_paper(part), text.marking)
            assert shown_part["points"] == format_points_label(part.public.terms.points, language)
            assert (shown_part["name"], shown_part["lead"]) == (
                f"part{letter or 'a'}",
                f"({letter}) " * bool(letter),
            )
            assert read_exercise(json.dumps(record)) == part
        assert variant["follow_through"] == question.follow_through
        if len(question.public.tree):
            hold_picture(" ".join(_svg_texts(variant["params"]["picture"])), drawn_words(question))


def _svg_texts(picture: str) -> Iterator[str]:
    """What is written in a picture."""
    for element in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}text"):
        yield " ".join(element.itertext())


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("kind", ["reorder.order", "strategy.optimal", "feasible-pattern.payoffs"])
def test_only_what_a_platform_does_is_promised(kind: str, platform: str) -> None:
    """Where the key alone counts, nobody reads that every correct answer does; PrairieLearn marks all."""
    exam = exam_with(grow(default_recipe(kind), "promise"))
    words = PLATFORMS[platform](exam).words
    assert ENGLISH.say(ONE_ANSWER_RULE) in words
    assert not any(ENGLISH.say(rule) in words for rule in ANY_ANSWER_RULES)
    (paper,) = exam.papers
    (piece,) = export_named("prairielearn").make_pieces(paper, pages_of(paper))
    (part,) = json.loads(piece.texts[0])["params"]["parts"]
    assert any(ENGLISH.say(rule) in part["prompt"] for rule in ANY_ANSWER_RULES)
