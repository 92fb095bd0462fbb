"""The laws of filled blanks: they hold the reply that was filled in, or nobody can tell what they hold."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from grader.answers.blank import Blank, BlankError, Option
from grader.answers.choice_blanks import chosen_options, option_readings
from grader.answers.form import Terms
from grader.answers.policies import read_policy
from grader.answers.vocabulary import vocabulary
from grader.exercises.exercise import Exercise, ExerciseError, make_exercise
from grader.exercises.marking import Marker
from grader.generation.grower import grow
from grader.generation.recipe_file import default_recipe
from grader.grading.moodle_cells import (
    PART_WORDS,
    BlankLabels,
    parse_labels,
    parse_signature,
    read_cell,
    signature,
    write_cell,
)
from grader.questions import all_kinds, kind_by_code
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.answers.filling import NO_ANSWERS, STROKES, boxed, filled
from tests.answers.strategies import answers, nasty_trees
from tests.conftest import a_part
from tests.publishing.lms.exams import PRUNING, exercise_of
from tests.questions.asking import asked
from tests.strategies import trees


def reply_in(part: Exercise, asked: Sequence[Blank], texts: Sequence[str]) -> str:
    """The reply that filled blanks of a part stand for."""
    return part.kind.form.reply_from_blanks(asked, texts, part.public.tree, part.public.terms)


KINDS_ASKED = pytest.mark.parametrize("kind", [kind.code for kind in all_kinds()])
SETTINGS = settings(a_part(4), suppress_health_check=list(HealthCheck))


PLAIN = tree_of("MAX (MIN (3 4) MIN (1 2))")
"""It suits every kind that can do without chance."""


@st.composite
def parts(draw: st.DrawFn, kind_name: str, nasty: bool) -> tuple[Exercise, Any]:
    """An exercise of a kind about some tree, and some answer to it, perhaps that of a misconception."""
    kind = kind_by_code(kind_name)
    rules = Rules()
    chance = asked(kind, PLAIN, rules) is None
    made: st.SearchStrategy[Tree] = nasty_trees() if nasty else trees(plies=4, leaves=12, chance=chance)
    tree = draw(made)
    found = asked(kind, tree, rules) if tree.children[0] else None
    assume(found is not None)
    tree, beside = found
    policy = draw(st.sampled_from(("net", "keep:1/2", "each", "exact", "deduct:1/2")))
    comma = draw(st.booleans())
    terms = Terms(points=4, policy=read_policy(policy), every=draw(st.booleans()), decimal_comma=comma)
    try:
        part = make_exercise(kind, tree, rules, terms, given=beside)
    except ExerciseError:
        assume(False)
    known = [part.key, *part.beliefs.values()]
    answer = draw(st.one_of(st.sampled_from(known).map(part.answer), answers(kind.form.name, tree)))
    if kind.form.name == "table":
        answer = tuple((node, value) for node, value in answer if node in boxed(part))
        assume(answer)
    if kind.form.name in ("move", "path") and not terms.every:
        assume(answer)
        answer = frozenset((min(answer),))
    if kind.form.name == "strategy":
        answer = tuple((node, frozenset((min(chosen),))) for node, chosen in answer)
    if kind.form.name == "branches":
        answer = answer - {0}
    if kind.form.name in ("table", "windows"):
        answer = tuple((node, entry) for node, entry in answer if tree.children[node])
        assume(answer or kind.form.name == "windows")  # a table without an entry has nothing but empty boxes
    return part, answer


def read_back(part: Exercise, texts: list[str], word: str) -> str:
    """The reply that comes back from a cell of Moodle's."""
    cell = write_cell([" ".join(text.split()) for text in texts], BlankLabels(f"{word} "))
    labels = parse_labels(cell)
    assert labels is not None
    asked = part.blanks.with_boxes.blanks
    return reply_in(part, asked, read_cell(cell, labels, asked))


@pytest.mark.parametrize("nasty", [False, True], ids=["plain", "nasty"])
@pytest.mark.sampled(10)
@KINDS_ASKED
@given(data=st.data())
@SETTINGS
def test_what_was_filled_in_is_read(kind: str, nasty: bool, data: st.DataObject) -> None:
    """Filled blanks are marked as the reply that was meant, or refused if nodes have nasty names."""
    part, answer = data.draw(parts(kind, nasty))
    text = part.kind.form.write(answer, part.public.tree)
    marker = Marker(part)
    try:
        reply = read_back(part, filled(part, answer), data.draw(st.sampled_from(PART_WORDS)))
    except BlankError:
        assert nasty
        return
    assert marker.mark(reply) == marker.mark(text), (reply, text)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("3", "3"),
        (" −2 ", "-2"),
        ("14/6", "7/3"),
        ("2 1/3", "7/3"),
        ("2.50", "2.50"),
        ("B = 3", "3"),
        ("3 = 6/2", "3"),
        ("pruned", ""),
        *((text, "") for text in (*NO_ANSWERS, *STROKES)),
    ],
)
def test_a_box_of_a_table_holds_one_number(typed: str, read: str) -> None:
    """A box holds the number that a table has behind that name, or a sign that there is none."""
    part = exercise_of("node-values", PRUNING)
    texts = ["1", typed, *["1"] * 5]
    said = f"B={read} " if read else ""
    assert reply_in(part, part.blanks.blanks, texts) == f"A=1 {said}C=1 D=1 E=1 F=1 G=1"


@pytest.mark.parametrize(
    "typed", ["3 4", "C=3", "3 C=4", "3; D=2", "C", "six", "none", "inf", "3,5", '"', "3 or 4"]
)
def test_no_box_of_a_table_speaks_of_another(typed: str) -> None:
    """What is no number of this node makes nothing be read, and the message names its box and quotes it."""
    part = exercise_of("node-values", PRUNING)
    with pytest.raises(BlankError, match="box 'B': ") as caught:
        reply_in(part, part.blanks.blanks, ["1", typed, *["1"] * 5])
    assert repr(typed)[1:-1] in str(caught.value)


@KINDS_ASKED
@SETTINGS
@given(data=st.data())
def test_a_box_without_an_answer_is_empty(kind: str, data: st.DataObject) -> None:
    """A box in which somebody says that there is no answer is read as an empty one, in every form."""
    part, _ = data.draw(parts(kind, nasty=False))
    blanks = part.blanks.with_boxes.blanks
    texts = [blank.options[0].text if blank.options else blank.spellings[0] for blank in blanks]
    place, sign = data.draw(st.integers(0, len(blanks) - 1)), data.draw(st.sampled_from(NO_ANSWERS))
    assume(not vocabulary(part.public.tree).has_only_names(sign))
    outcomes = []
    for text in ("", sign):
        try:
            outcomes.append(reply_in(part, blanks, [*texts[:place], text, *texts[place + 1 :]]))
        except BlankError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]
    assert reply_in(part, blanks, [sign] * len(blanks)) == ""


@pytest.mark.parametrize("kind", ["node-values", "feasible-pattern.payoffs"])
@pytest.mark.parametrize(
    ("typed", "readings"),
    [("5 or 6", ("5", "6")), ("-1/2 oder 6 oder 7", ("\u22120.5", "6", "7")), ("5 or 6, eh", ())],
)
def test_a_box_may_hold_one_of_several_numbers(kind: str, typed: str, readings: tuple[str, ...]) -> None:
    """The fault of the box names it, and has each of the numbers as a text that the box may hold."""
    part = grow(default_recipe(kind), 1)
    blanks = part.blanks.blanks
    with pytest.raises(BlankError) as caught:
        reply_in(part, blanks, [typed, *["1"] * (len(blanks) - 1)])
    assert (caught.value.blank, caught.value.readings) == (blanks[0], readings)
    for reading in readings:
        assert reply_in(part, blanks, [reading, *["1"] * (len(blanks) - 1)])


def test_a_child_called_none_is_named_in_quotes_only() -> None:
    """Where a node is called none, a box with that word and no quotes is not read as an order."""
    part = exercise_of("reorder.order", "MAX A (MIN B (none=3) MIN C (2 4))")
    assert 'B: "none"' in reply_in(part, part.blanks.blanks, ["B C", '"none"', ""])
    with pytest.raises(BlankError, match="is not a valid order of the children of this node"):
        reply_in(part, part.blanks.blanks, ["B C", "none", ""])


OPTIONS = Blank(options=tuple(map(Option, ("a", "b; c", "c", "b"))), allows_several=True)


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("a", ((0,),)),
        ("a; b", ((0, 3),)),
        ("b; c", ((1,),)),
        ("b; c; c", ((1, 2),)),
        ("a; b; c; b", ((0, 1, 3),)),
        ("b; a", ()),
        ("a; d", ()),
        ("a;", ()),
    ],
)
def test_ticks_are_told_apart(text: str, ways: tuple[tuple[int, ...], ...]) -> None:
    """Chosen options stand in their order, and one that holds what parts them is still one option."""
    assert option_readings(OPTIONS, text) == ways


def test_two_ways_to_tick_are_two() -> None:
    """Where the same text comes of different choices, no choice is read from it."""
    choice = Blank(options=tuple(map(Option, ("a", "b", "a; b"))), allows_several=True)
    assert option_readings(choice, "a; b") == ((0, 1), (2,))
    assert chosen_options(choice, "b") == (1,)
    with pytest.raises(BlankError, match="could refer to more than one option"):
        chosen_options(choice, "a; b")


@pytest.mark.parametrize(
    ("text", "place"), [("turn: D", 0), ("TURN: d", 0), ("D", 0), ("d", 0), ("b", 1), ("none", 2), ("c d", 3)]
)
def test_a_box_in_place_of_a_choice_takes_answers(text: str, place: int) -> None:
    """One option of several may be written as it is shown or as a reply, and its text comes first."""
    options = (
        Option("turn: D", reply="D"),
        Option("B", reply="X"),
        Option("none"),
        Option("E", reply='"c d"'),
    )
    assert chosen_options(Blank(options=options), text) == (place,)
    with pytest.raises(BlankError, match="could refer to more than one option"):
        chosen_options(Blank(options=(*options, Option("push: F", reply="D"))), "D")
    with pytest.raises(BlankError, match="is not one of the choices"):
        chosen_options(Blank(options=options), "turn")


def test_none_of_them_stands_alone() -> None:
    """Whoever ticks that there is none has named nothing, but not beside something else."""
    part = exercise_of("pruned-paths", PRUNING)
    (choice,) = part.blanks.blanks
    first, second, *_, none = (option.text for option in choice.options)
    assert reply_in(part, [choice], [none]) == "none"
    assert reply_in(part, [choice], [f"{first}; {second}"]) == "1 2"
    with pytest.raises(BlankError, match='selects both "none" and something else'):
        reply_in(part, [choice], [f"{first}; {none}"])


BOX, MOVE = Blank("B"), Blank(options=(Option("x; part 2: y"), Option("x")))


@pytest.mark.parametrize(
    ("asked", "cell", "texts"),
    [
        ((MOVE, BOX), "part 1: x; part 2: y; part 2: 5", ("x; part 2: y", "5")),
        ((MOVE, BOX), "part 1: x; part 2: 5", ("x", "5")),
        ((MOVE, BOX), "part 1: ; part 2: 5", ("", "5")),
        ((MOVE, BOX), "part 1: x; part 2:", ("x", "")),
        ((BOX, BOX), "Teil 1: 3; 4; Teil 2: part 2: 5", ("3; 4", "part 2: 5")),
        ((BOX, BOX), "partie 1 : 3; partie 2 : 4", ("3", "4")),
        ((BOX, BOX), "part 1: 3; part 2: 4; part 2: 5", None),
        ((BOX, BOX), "part 1: 3; part 2: 4; part 3: 5", None),
        ((BOX, BOX, BOX), "part 1: 3; part 2: 4", None),
        ((MOVE, MOVE), "part 1: x; part 2: y; part 2: x; part 2: y", ("x; part 2: y", "x; part 2: y")),
        ((MOVE, BOX), "part 1: y; part 2: 5", None),
    ],
)
def test_cells_are_taken_apart_in_one_way(
    asked: tuple[Blank, ...], cell: str, texts: tuple[str, ...] | None
) -> None:
    """A cell gives what is in its blanks if it can be taken apart in one way only, else nothing."""
    labels = parse_labels(cell)
    assert labels is not None
    if texts is not None:
        assert read_cell(cell, labels, asked) == texts
        return
    with pytest.raises(BlankError):
        read_cell(cell, labels, asked)


@pytest.mark.parametrize(
    "cell", ["5 6", "part 5: 3", "move 1: B", "part 1", "particle 1: 3", "apart 1: 3", ""]
)
def test_replies_are_no_cells(cell: str) -> None:
    """A whole reply is not taken for blanks."""
    assert parse_labels(cell) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [("Which move?\n\n(2, K7QM3D)\n", ("2", "K7QM3D")), ("Is (1, A) best? _____", None), ("", None)],
)
def test_questions_are_signed(text: str, found: tuple[str, str] | None) -> None:
    """Which question of which variant it is stands at the end of its text, and is what was written there."""
    assert parse_signature(text) == found
    assert parse_signature(f"{text} {signature('12', 'A')}") == ("12", "A")
