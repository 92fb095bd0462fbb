"""The laws of blanks: what a platform asks in place of a reply is worth the same and gives nothing away."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.answers.blank import Blank, Blanks, Option
from grader.answers.box_blanks import is_nothing, number_spellings
from grader.answers.form import Ambiguous, Terms
from grader.answers.interval import INTERVAL
from grader.answers.move import MOVE
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral, matches_key
from grader.answers.paper_boxes import NumberEntry
from grader.base.numbers import Number, normalize_number
from grader.exercises.exercise import Exercise, make_exercise
from grader.questions import kind_by_code
from grader.questions.given import Given
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY
from tests.publishing.lms.exams import PRUNING, exercise_of
from tests.publishing.papers import NAMES, paper_of


def part_of(kind: str) -> Exercise:
    """The exercise of a kind."""
    return paper_of(kind).questions[0].parts[0]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", NAMES)
def test_points_add_up(kind: str) -> None:
    """In every kind the blanks are worth the points of the part, exactly."""
    part = part_of(kind)
    assert sum(Fraction(blank.points) for blank in part.blanks.blanks) == part.public.terms.points


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", NAMES)
def test_shares_are_fair(kind: str) -> None:
    """In every kind the right options make 1 together, or each of them where one is to be chosen."""
    for blank in part_of(kind).blanks.blanks:
        if blank.options:
            right = [option.share for option in blank.options if option.share > 0]
            assert sum(right) == 1 if blank.allows_several else set(right) == {1}
            assert all(-1 <= option.share <= 1 for option in blank.options)
            assert len({option.text for option in blank.options}) == len(blank.options)


@pytest.mark.parametrize("kind", ["visiting-order", "windows", "pruned-paths", "pruned-branches"])
def test_blanks_depend_on_the_tree_alone(kind: str) -> None:
    """How many blanks there are, what they are called and what can be chosen is the same for every key."""
    shown = set()
    for payoffs in ("3 12 8 2 4 6 14 5", "1 2 3 4 5 6 7 8", "8 7 6 5 4 3 2 1", "1 1 1 1 1 1 1 1"):
        a, b, c, d, e, f, g, h = payoffs.split()
        tree = f"MAX A (MIN B (MAX D ({a} {b}) MAX E ({c} {d})) MIN C (MAX F ({e} {f}) MAX G ({g} {h})))"
        made = exercise_of(kind, tree).blanks
        options = [tuple(option.text for option in blank.options) for blank in made.blanks]
        shown.add((made.instruction, tuple(blank.label for blank in made.blanks), tuple(options)))
    assert len(shown) == 1


def test_branches_below_the_key_say_nothing() -> None:
    """To tick a branch below one that is pruned earns nothing and costs nothing."""
    tree = "MAX A (MIN B (3 12) MIN C (2 MAX D (5 6)))"
    exercise = exercise_of("pruned-branches", tree)
    assert exercise.key == "D"
    (choice,) = exercise.blanks.blanks
    shares = {option.text: option.share for option in choice.options}
    assert shares == {"B": -1, "C": -1, "1": -1, "2": -1, "3": -1, "D": 1, "4": 0, "5": 0, "none of them": -1}


@pytest.mark.parametrize(
    "kind",
    [
        *("best-move", "best-path", "pruned-paths", "pruned-branches", "unknown-leaf.matters"),
        *("belief-state.states", "cut-reasons.cause"),
    ],
)
def test_an_option_says_the_same_everywhere(kind: str) -> None:
    """A cross in the box of an option on paper is read as the reply that choosing it on a platform gives."""
    part = part_of(kind)
    form, tree, terms = part.kind.form, part.public.tree, part.public.terms
    (choice,) = form.printed_blanks(tree, terms).blanks
    (group,) = form.paper_boxes(tree, terms, NumberEntry()).groups
    assert len(set(group.meanings)) == len(choice.options) > 1
    for option, crossed in zip(choice.options, group.meanings, strict=True):
        reply = form.reply_from_blanks((choice,), (option.text,), tree, terms)
        assert form.read(reply, tree, terms) == form.read(crossed, tree, terms)


@pytest.mark.parametrize("kind", NAMES)
def test_options_number_leaves_as_the_picture_does(kind: str) -> None:
    """No label of a blank or an option has a leaf number where the picture of the question has none."""
    part = part_of(kind)
    labels = [
        text for blank in part.blanks.blanks for text in (blank.label, *(o.text for o in blank.options))
    ]
    if not part.public.numbers_leaves:
        assert [label for label in labels if re.match(r"\d+: ", label)] == []


@pytest.mark.parametrize("long", ["N" * 130, "child " * 25])
def test_options_of_the_same_text_are_numbered(long: str) -> None:
    """Moves to nodes whose names begin alike are told apart, on paper as on platforms."""
    tree = tree_of(f'MAX A (MIN "{long}b" (3 12) MIN "{long}c" (2 4))')
    (choice,) = MOVE.printed_blanks(tree, Terms()).blanks
    (group,) = MOVE.paper_boxes(tree, Terms(), NumberEntry()).groups
    first, second = group.texts
    assert second == f"{first} (2)"
    assert group.texts == tuple(option.text for option in choice.options)


@pytest.mark.parametrize("policy", ["exact", "net"])
def test_strict_choices_become_boxes(policy: str) -> None:
    """All or nothing is a box for a platform that adds up shares, and stays a choice for others."""
    made = exercise_of("pruned-paths", PRUNING, policy).blanks
    assert made.blanks[0].options
    assert (not made.with_boxes.blanks[0].options) == (policy == "exact")
    assert (made.with_boxes.instruction != made.instruction) == (policy == "exact")


def test_only_strict_choices_become_boxes() -> None:
    """Where strict choices are asked for in writing, every other blank stays as it is."""
    box, loose = Blank("B", points=1, spellings=("3",)), Blank("C", options=(Option("x"),), points=1)
    strict = replace(loose, is_strict=True, spellings=("3",))
    made = Blanks("Tick.", (box, loose, strict), "Write.").with_boxes
    assert made == Blanks("Write.", (box, loose, replace(box, label="C")))


@given(st.fractions(-50, 50, max_denominator=60).map(normalize_number), st.integers(0, 3), st.booleans())
def test_every_spelling_is_of_the_number(value: Number, digits: int, comma: bool) -> None:
    """Every spelling that counts is read as the number or that rounded, with every sign it may have."""
    found = number_spellings(value, digits, comma)
    assert len(set(found)) == len(found)
    assert {re.sub("[0-9].*|[.,].*", "", text) for text in found} == (
        {"-", "−", "–"} if value < 0 else {"", "+"} if value else {""}
    )
    for text in found:
        typed = text.replace("–", "-").replace(",", ".")
        read = NUMBER.read(typed, EMPTY, Terms(digits=digits))
        assert isinstance(read, Numeral), text
        assert matches_key(read, Numeral(value), digits), text


@pytest.mark.parametrize("kind", ["root-value", "visited-count", "search-budget.nodes"])
@given(st.integers(0, 10**6) | st.fractions(-(10**4), 10**4, max_denominator=8), st.booleans())
def test_no_box_accepts_what_means_another_number(kind: str, value: Number, comma: bool) -> None:
    """What a box accepts is no other number on paper, and never one of two: `9.000` in German is not 9."""
    number, terms = normalize_number(value), Terms(decimal_comma=comma)
    form = kind_by_code(kind).form
    if form.name == "count" and not (isinstance(number, int) and number >= 0):
        return
    (box,) = form.blanks(Numeral(number), EMPTY, terms).blanks
    for text in box.spellings:
        read = form.read(text.replace("–", "-"), EMPTY, terms)
        assert not isinstance(read, Ambiguous), text
        assert not isinstance(read, Numeral) or matches_key(read, Numeral(number), terms.digits), text


@pytest.mark.parametrize("comma", [False, True])
@pytest.mark.parametrize("value", [1000, 88741, 137561, 1234567])
def test_boxes_for_counts_take_parted_thousands(value: int, comma: bool) -> None:
    """A count with its thousands parted counts in a box in every way in which it does on paper."""
    form, terms = kind_by_code("search-budget.nodes").form, Terms(decimal_comma=comma)
    (box,) = form.blanks(Numeral(value), EMPTY, terms).blanks
    for separator in (",", ".", " "):
        text = f"{value:,}".replace(",", separator)
        assert (text in box.spellings) == (form.read(text, EMPTY, terms) == Numeral(value)), text


@pytest.mark.parametrize("typed", ["x <= -2,5", "x <= −2,5", "x <= -2.5", "x≤-2,5"])
def test_a_box_for_a_reply_takes_either_sign(typed: str) -> None:
    """With a decimal comma a limit below 0 is accepted with a hyphen and with a minus sign."""
    tree = tree_of("MAX A (MIN B (3 12) MIN C (x -2.5))")
    asked = INTERVAL.blanks(INTERVAL.parse("x <= -2.5", tree), tree, Terms(decimal_comma=True))
    (box,) = asked.blanks
    assert typed in box.spellings


def test_boxes_that_stay_as_they_are_are_worth_something() -> None:
    """Where each box counts by itself, a playout that is counted in the whole tree loses a quarter."""
    tree = tree_of("MAX A {n=9, w=5} (MIN B {n=5, w=2} (D=0.5 {n=4, w=2} E=1 {n=1, w=0}) C=0.25 {n=4, w=3})")
    given = Given({"path": 1, "result": "1"})
    exercise = make_exercise(kind_by_code("uct.visits"), tree, Rules(), terms=Terms(points=1), given=given)
    found = {box.label: (box.spellings[0], box.points) for box in exercise.blanks.blanks}
    quarter = Fraction(1, 4)
    assert found == {
        "A": ("10", quarter),
        "B": ("6", quarter),
        "C": ("4", quarter / 2),
        "D": ("5", quarter),
        "E": ("1", quarter / 2),
    }


NOTHING_SAID = ("-", "–", "---", "/", "none", "never", "not entered", "pruned", "nie betreten", "keine")
SOMETHING_SAID = ("visited", "not pruned", "never pruned", "unknown", "0", "B")


@pytest.mark.parametrize("text", [*NOTHING_SAID, *SOMETHING_SAID])
def test_a_box_says_that_nothing_belongs_there(text: str) -> None:
    """A stroke, or words that say that a node is never entered; not those that say anything else."""
    assert is_nothing(text) is (text in NOTHING_SAID)


@pytest.mark.parametrize("kind", ["root-value", "node-values"])
def test_the_type_of_a_box_hides_the_key(kind: str) -> None:
    """A box for a number is of one type whatever the key is; only what is counted has a type of its own."""
    types = set()
    for payoffs in ("3 12 2 4", "3 12 1/3 4", "1/3 1/3 1/3 1/3"):
        a, b, c, d = payoffs.split()
        boxes = exercise_of(kind, f"MAX A (MIN B ({a} {b}) MIN C ({c} {d}))").blanks.blanks
        types |= {box.whole_number is None for box in boxes}
    assert types == {True}
