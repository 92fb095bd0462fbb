"""What forms read, write and offer in rare cases: odd spellings, odd names, and the ends of what counts."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from grader.answers.blank import BlankError
from grader.answers.branches import BRANCHES, NODE_NAMES
from grader.answers.canonical import CanonicalError, split_canonical
from grader.answers.children_order import CHILDREN_ORDER
from grader.answers.choice_blanks import _set_shares
from grader.answers.count import COUNT
from grader.answers.form import Ambiguous, AnyForm, Malformed, Policy, Terms
from grader.answers.interval import INTERVAL
from grader.answers.move import MOVE
from grader.answers.move_choices import MOVE_CHOICES
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral, matches_rounded_key, parse_digits, parse_numeral
from grader.answers.order import ORDER
from grader.answers.paper_boxes import NumberEntry
from grader.answers.paths import PATHS
from grader.answers.payoffs import PAYOFFS
from grader.answers.policies import read_policy
from grader.answers.reply_wrappers import MAX_UNWRAPPED_LENGTH
from grader.answers.table import CELLS, TABLE
from grader.answers.truth import TRUTH
from grader.answers.vector import VECTOR
from grader.answers.window_entries import WINDOW_ENTRIES
from grader.base.intervals import numbers_related_to
from grader.base.numbers import INFINITY, write_number
from grader.exercises.exercise import make_exercise
from grader.exercises.feedback import credit_explanation
from grader.exercises.marking import mark
from grader.generation.grower import grow
from grader.generation.recipe_file import default_recipe
from grader.questions import kind_by_code
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Tree

TERMS = Terms(points=4)
TREE = tree_of("MAX A (MIN B (3 12) MIN C (2 4))")


def filled_in(form: AnyForm, key: Any, texts: Sequence[str], tree: Tree = TREE) -> str:
    """The reply of whoever fills in these texts."""
    asked = form.blanks(key, tree, TERMS).blanks
    return form.reply_from_blanks(asked, [*texts, *[""] * (len(asked) - len(texts))], tree, TERMS)


def refused(form: AnyForm, text: str, tree: Tree = TREE) -> Malformed:
    """Why a reply cannot be read."""
    found = form.read(text, tree, TERMS)
    assert isinstance(found, Malformed)
    return found


# What is read


HEAPS = tree_of('MIN {board="1 2 MIN"} ("0 2": 1, "1 1": 2, "1 0": 3)')


@pytest.mark.parametrize("text", ["1 1", "1,1", "(1, 1)", "1-1", "2"])
def test_a_move_is_called_by_the_heaps_beside_its_branch(text: str) -> None:
    """Numbers that are just those of a label are that label, and not the same move twice."""
    assert MOVE.read(text, HEAPS, TERMS) == {1}


def test_heaps_among_words_may_be_numbers_of_moves() -> None:
    """Where words stand beside them it is left open."""
    assert isinstance(MOVE.read("the move 1 1", HEAPS, TERMS), Ambiguous)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "K u B"),
        ("de", "K u. B"),
        ("es", "K y B"),
        ("it", "K e B"),
        ("pt", "K e B"),
        ("pt", "K, B e 1"),
    ],
)
def test_a_letter_for_and_may_be_a_node(code: str, text: str) -> None:
    """Written small between names it is one or the other; as it stands in the tree it is the node."""
    tree = tree_of("MAX A (MIN B (3 12) MIN K (2 4) MIN U (1 2) MIN Y (1 2) MIN E (1 2))")
    terms = Terms(points=4, language_code=code)
    assert isinstance(BRANCHES.read(text, tree, terms), Ambiguous)
    named = BRANCHES.read(text.upper().replace(".", ""), tree, terms)
    assert isinstance(named, frozenset)
    assert len(named) == len(text.replace(",", "").split())
    assert isinstance(BRANCHES.read(text, tree, Terms(points=4)), frozenset | Ambiguous)


def test_nodes_are_ticked_one_by_one() -> None:
    """A tick below a branch that is right says nothing new; at a node below one that is right it is wrong."""
    tree = tree_of("MAX A (MIN B (3 12) MIN C (2 4))")
    for form, ask, below in (
        (BRANCHES, "Select the node that each such branch", 0),
        (NODE_NAMES, "Select each such node", -1),
    ):
        asked = form.blanks(frozenset({4}), tree, Terms(points=4, policy=Policy("net")))
        (choice,) = asked.blanks
        assert asked.instruction.startswith(ask)
        assert [option.share for option in choice.options] == [-1, 1, -1, -1, below, below, -1]
    assert NODE_NAMES.read(filled_in(NODE_NAMES, frozenset({4}), ["C"], tree), tree, TERMS) == {4}
    whole = NODE_NAMES.blanks(frozenset({4, 5}), tree, Terms(points=4, policy=Policy("exact")))
    assert whole.box_instruction.startswith("Write the label of each such node")
    (choice,) = whole.blanks
    (box,) = whole.with_boxes.blanks
    assert choice.options
    assert not box.options
    assert "C" in str(box)


def test_moves_whose_names_make_another_name_are_quoted() -> None:
    """What is written of several moves is read as these, though together they are called like a third."""
    tree = tree_of('MAX A (MIN B (1 2) MIN C (1 2) MIN "B C" (1 2))')
    written = MOVE.write(frozenset({0, 1}), tree)
    assert written == '"B" "C"'
    assert MOVE.parse(written, tree) == {0, 1}


def test_a_move_to_a_leaf_without_a_name_is_offered_by_its_number() -> None:
    """It says where the move stands."""
    said = str(MOVE.blanks(frozenset({0}), tree_of("MAX (3 12)"), TERMS))
    assert "move 1 from the left" in said
    assert "move 2 from the left" in said


def test_a_node_says_nothing_of_those_below_it() -> None:
    """All children of a node are the branch above it, but they are not the node."""
    tree = tree_of("MAX A (MIN B (3 12) MIN C (2 4))")
    below = frozenset({5, 6})
    for form, share in ((BRANCHES, 1), (NODE_NAMES, 0)):
        assert form.credit(below, frozenset({4}), tree, TERMS).share == share
        assert form.credit(below | {4}, frozenset({4}), tree, TERMS).share == share
    assert NODE_NAMES.credit(frozenset({1, 4}), frozenset({4}), tree, TERMS).share == 0
    assert NODE_NAMES.credit(frozenset({1, 4, 5}), frozenset({1, 4}), tree, TERMS).share == Fraction(1, 2)
    assert NODE_NAMES.credit(frozenset(range(1, 7)), frozenset({1, 2, 4, 5, 6}), tree, TERMS).share == 0


@pytest.mark.parametrize(
    ("code", "text"),
    [
        *(("en", text) for text in ("B at A", "at A choose B", "choose B at A", "in A B")),
        *(("en", text) for text in ("if A then B", "if A B", "A should choose B")),
        ("de", "bei A B"),
        ("de", "B in A"),
        ("es", "B en A"),
        ("es", "si A entonces B"),
        ("fr", "en A B"),
        ("fr", "si A alors B"),
        ("it", "B in A"),
        ("it", "se A allora B"),
        ("pt", "em A B"),
        ("pt", "se A então B"),
    ],
)
def test_words_that_tell_a_node_from_its_choice_are_read(code: str, text: str) -> None:
    """Words for places say which of two names is the node; other replies pass over them as filler."""
    assert MOVE_CHOICES.read(text, TREE, Terms(points=4, language_code=code)) == ((0, frozenset({1})),)


@pytest.mark.parametrize(
    ("code", "text", "read"),
    [
        ("es", "no, es falso", False),
        ("es", "no", False),
        ("es", "la respuesta es no", False),
        ("es", "es falso", False),
        ("es", "es verdadero", True),
        ("es", "falso. Es falso", False),
        ("es", "falso, no es verdadero", False),
        ("es", "no es verdadero", False),
        ("es", "No es posible.", False),
        ("es", "no es falso", True),
        ("es", "No está falso", True),
        ("es", "no es imposible", True),
        ("es", "no, es cierto", None),
        ("es", "no es cierto, es posible", None),
        ("pt", "Não", False),
        ("pt", "não, é falso", False),
        ("pt", "não é possível", False),
        ("pt", "não falso", True),
        ("pt", "não, é verdade", None),
        ("pt", "não é, é falso", None),
    ],
)
def test_one_word_for_no_and_not(code: str, text: str, read: bool | None) -> None:
    """In Spanish and Portuguese it is not beside what it denies, and no elsewhere; None where both may be."""
    found = TRUTH.read(text, TREE, Terms(language_code=code))
    assert isinstance(found, Ambiguous) if read is None else found is read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("T", True),  # a letter for true, also where a node is called so
        ("F", False),
        ("true, T is cut", True),
        ("true, F is cut", True),
        ("true, F is right", True),
        ("false, B is wrong", None),
        ("false, B is false", False),
        ("false, it is false", False),
        ("false, it is not", None),
        ("true, it is not", None),
        ("true, f is cut", None),
        ("true, B is wrong", None),
        ("true foo, bar", None),
        ("true or", None),
        ("true or, B is cut", None),
        ("not, B is cut", None),
        ("false, not so", None),
        ("false, because not", None),
        ("false, B is not so false", None),
        ("false, but F is cut", None),
    ],
)
def test_a_reason_agrees_with_the_verdict(text: str, read: bool | None) -> None:
    """In it stands nothing that takes the verdict back; names of nodes say nothing. None goes to a person."""
    tree = tree_of("MAX A (MIN B (3 12 8) MIN T (2 4 6) MIN F (14 5 2))")
    found = TRUTH.read(text, tree, Terms())
    assert found is read if read is not None else isinstance(found, Malformed | Ambiguous)


@pytest.mark.parametrize(
    "text", ["true foo", "(true) foo", "true) foo", "not (true) B", "true foo, bar", "MAX true"]
)
def test_a_verdict_is_followed_by_a_reason_or_nothing(text: str) -> None:
    """A bracket before it does not part it from what comes behind, and a player is no idle word."""
    assert "is not expected here" in refused(TRUTH, text).message


@pytest.mark.parametrize(
    "text", ["B then C", "B danach C", "B alors C", "B después C", "B poi C", "B depois C", "B 然后 C"]
)
def test_a_move_after_another_is_no_second_best_one(text: str) -> None:
    """In no language two moves are read where one is told after the other."""
    found = MOVE.read(text, TREE, TERMS)
    assert isinstance(found, Ambiguous)
    assert found.readings == ("B", "B C")


def test_a_number_that_is_no_move_is_no_place() -> None:
    """What is said to be in a number that is no move cannot be read, and is refused with a sentence."""
    assert isinstance(MOVE.read("5 all in 6 2.5 : B", TREE, TERMS), Malformed)


def test_what_is_no_child_is_no_choice() -> None:
    """Canonical text is held to the tree as well."""
    with pytest.raises(CanonicalError, match="not a node with a child of it"):
        MOVE_CHOICES.parse("A->4", TREE)


def test_a_label_of_a_move_needs_no_sign_before_it() -> None:
    """A word that is only a label is no node of its own; a word that is a node is."""
    tree = tree_of("MAX A (left: MIN B (3 12) right: MIN C (2 4))")
    assert MOVE_CHOICES.read("A left", tree, TERMS) == ((0, frozenset({1})),)
    assert refused(MOVE_CHOICES, "left left", tree).message == "nothing in this tree has the label 'left'"
    assert "no child is chosen at 'A'" in refused(MOVE_CHOICES, "A B, C 3", TREE).message


def test_a_comma_ends_what_was_begun() -> None:
    """An arrow before it does not wait for a child behind it."""
    assert refused(MOVE_CHOICES, "A -> B ->, C 3").message == "no child is chosen at 'C'"


def test_a_label_of_one_child_and_the_name_of_another_is_told() -> None:
    """Both ways are read, and why there are two is said."""
    found = MOVE_CHOICES.read("A -> C", tree_of("MAX A (C: MIN B (3 12) MIN C (2 4))"), TERMS)
    assert isinstance(found, Ambiguous)
    assert found.message == "'C' is the label of more than one thing in this tree"
    assert found.readings == ('A->"C"', "A->B")


def test_the_root_before_a_vector_is_its_label() -> None:
    """`A: 1 2` and `| 1 2 |` are the two numbers."""
    tree = tree_of("P1 A (P2 B (<3, 1> <5, 1>) P2 C (<1, 5> <0, 0>))")
    for text in ("A: 1 2", "A = 1 2", "| 1 2 |", "v(A)=(1,2)", "A -> 1 2", "A=<1, 2>"):
        assert VECTOR.read(text, tree, TERMS) == (Numeral(1), Numeral(2))
    assert "indicates a bound" in refused(VECTOR, "1 =< 2", tree).message


def test_players_without_numbers_are_no_vector() -> None:
    """What is missing is a number, and not one of them."""
    tree = tree_of("P1 A (P2 B (<3, 1> <5, 1>) P2 C (<1, 5> <0, 0>))")
    assert refused(VECTOR, "P1", tree).message == "there is no number here"


def test_what_stands_before_the_last_comma_is_understood() -> None:
    """Where what stands between it and the fault says nothing by itself."""
    assert refused(TABLE, "B=3, C zz").understood == "B=3"


def test_a_node_in_brackets_without_a_value_is_passed_over() -> None:
    """A closing bracket does not hide the comma before it."""
    assert TABLE.read("A=3 (B=,) C=2", TREE, TERMS) == ((0, Numeral(3)), (4, Numeral(2)))


def test_where_a_reply_stops_is_told() -> None:
    """Columns count from 1, at the first sign too."""
    assert refused(NUMBER, "§").column == 1
    assert refused(COUNT, "2.5").column == 1
    assert refused(NUMBER, "x").message == "there is no number here"
    assert refused(NUMBER, "3 and").message == "the answer is incomplete"


def test_the_last_letter_without_a_payoff_is_counted_out() -> None:
    """`d=` says nothing of the fourth leaf."""
    tree = tree_of("MAX A (MIN B (a b) MIN C (c d))")
    assert refused(PAYOFFS, "a=3, b=12, c=1, d=", tree).message == "the answer has 3 numbers for 4 leaves"
    assert len(PAYOFFS.read("a=3, b=12, c=1, d=2", tree, TERMS)) == 4


def test_a_name_is_a_name_where_it_is_a_phrase_as_well() -> None:
    """A node called `the root` is not the root."""
    tree = tree_of('MAX A (MIN "the root" (3 12) MIN C (2 4))')
    assert TABLE.read("the root = 3", tree, TERMS) == ((1, Numeral(3)),)
    assert "'root'" in refused(PATHS, "A: the root", tree).message


def test_commas_that_are_no_decimal_signs_part_numbers() -> None:
    """Behind a fraction a comma parts, where it might be either, when only that can be read."""
    found = TABLE.read("1/2, 3,12", TREE, Terms(decimal_comma=True))
    assert found == ((0, Numeral(Fraction(1, 2))), (1, Numeral(3)), (4, Numeral(12)))


def test_of_long_replies_nothing_is_taken_off() -> None:
    """The stars of `**5**` are, as long as there are not more blanks behind them than anybody types."""
    assert NUMBER.read("**5**".ljust(MAX_UNWRAPPED_LENGTH), TREE, TERMS) == Numeral(5)
    assert refused(NUMBER, "**5**".ljust(MAX_UNWRAPPED_LENGTH + 1)).message == "'*' is not expected here"


def test_the_letter_of_an_unknown_payoff_is_no_word() -> None:
    """Where `y` is unknown it is no `and`, though V is a name and a word."""
    tree = tree_of("MAX V (MIN B (3 y) MIN C (2 4))")
    assert refused(PAYOFFS, "3 2 4 y 4", tree).message == "'y' is not expected here"
    assert len(PAYOFFS.read("3 2 4 y 4", tree_of("MAX V (MIN B (3 x) MIN C (2 4))"), TERMS)) == 4


def test_a_number_that_is_a_name_too_is_told() -> None:
    """Leaf 2, or the leaves below the node that is called 2."""
    found = PATHS.read("2", tree_of('MAX A (MIN "2" (3 12) MIN C (2 4))'), TERMS)
    assert isinstance(found, Ambiguous)
    assert found.message == "2 is a leaf number and also a label"


def test_or_joins_its_two_sides_alone() -> None:
    """What comes behind them is meant in either case."""
    found = PATHS.read("2 or 3, 4", TREE, TERMS)
    assert isinstance(found, Ambiguous)
    assert found.readings == ("2 4", "3 4")


def test_what_counts_goes_on_behind_and() -> None:
    """`paths 2 and 3` speaks of two leaves, though a node is called 3."""
    tree = tree_of('MAX A (MIN "3" (3 12) MIN C (2 4))')
    assert PATHS.read("paths 2 and 3", tree, TERMS) == frozenset({2, 3})


def test_a_value_beside_what_is_no_move() -> None:
    """Where the first move leads to a leaf, too."""
    found = refused(MOVE, "A B (3)", tree_of("MAX A (5 MIN B (3 4))"))
    assert found.message == "this is not a move at the root"


# What is written


def test_a_number_beside_names_is_marked() -> None:
    """`B #2`: a number alone might be a value."""
    assert MOVE.write(frozenset({0, 1}), tree_of("MAX A (MIN B (3 4) 5)")) == "B #2"


def test_an_entry_that_reads_as_a_name_is_quoted() -> None:
    """Beside a node that is called `B=3` the value 3 of B is written so that it is no name."""
    tree = tree_of('MAX A (MIN B (3 12) MIN "B=3" (2 4))')
    items = TABLE.credit(((1, Numeral(3)),), ((1, Numeral(3)),), tree, TERMS).items
    assert items[0].reply == '"B"=3'


def test_a_minus_is_a_name_in_quotes_alone() -> None:
    """Beside nodes that are called -3 and − a minus before a number is its sign, and no node."""
    tree = tree_of('MAX "-3" (MIN "−" (1 -1) MIN B (4 5))')
    entries = ((0, Numeral(4)), (1, Numeral(-1)), (4, Numeral(4)))
    text = TABLE.write(entries, tree)
    assert TABLE.read(text, tree, TERMS) == entries
    assert TABLE.read('"-3" = -1', tree, TERMS) == ((0, Numeral(-1)),)
    assert TABLE.read("-3 = -1", tree, TERMS) == ((0, Numeral(-1)),)


def test_blanks_between_pieces_are_single() -> None:
    """Two blanks are no canonical text."""
    with pytest.raises(CanonicalError):
        split_canonical("A  B")
    assert split_canonical('A "B C"=1') == ["A", '"B C"=1']


def test_a_cross_at_the_first_child() -> None:
    """What is drawn is told, whichever node it is."""
    assert BRANCHES.from_drawing is not None
    assert BRANCHES.from_drawing(tree_of("MAX A (~MIN B (3 12) MIN C (2 4))")) == {1}


def test_long_numbers_are_very_large() -> None:
    """Nobody has so many leaves."""
    assert parse_digits("0" * 20 + "12") == 12
    assert parse_digits("1" * 11) == parse_digits("9" * 30) == 10**9


# What counts


@pytest.mark.parametrize(
    ("said", "right"), [("2.345", True), ("2.355", True), ("2.358", False), ("2.3", False), ("2.35", True)]
)
def test_more_decimals_round_to_the_key(said: str, right: bool) -> None:
    """Halves either way, and no further."""
    assert matches_rounded_key(parse_numeral(said), parse_numeral("2.35"), 2) is right


@pytest.mark.parametrize(
    ("typed", "is_right"), [("12.4", True), ("12.5", True), ("12.6", False), ("11.5", True), ("11.4", False)]
)
def test_decimals_round_to_a_whole_key(typed: str, is_right: bool) -> None:
    """A key without decimals is rounded to a whole number."""
    assert matches_rounded_key(parse_numeral(typed), parse_numeral("12"), 0) is is_right


@pytest.mark.parametrize("form", [NUMBER, PAYOFFS, VECTOR, TABLE, WINDOW_ENTRIES], ids=lambda form: form.name)
def test_a_bound_in_place_of_a_number_is_named(form: AnyForm) -> None:
    """Forms that ask for numbers say that `<=` indicates a bound."""
    assert "indicates a bound" in refused(form, "B <= 3").message


def test_a_move_without_a_name_is_written_with_its_label_and_number() -> None:
    """Moves are numbered from 1, from the left."""
    tree = tree_of('MAX ("top left": 3 "top right": 4)')
    assert MOVE.labelled_reply is not None
    assert MOVE.labelled_reply(frozenset({1}), tree, TERMS) == "top right (2)"


def test_numbers_of_a_vector_are_not_names() -> None:
    """A vector is read as numbers even if a node has the same name."""
    tree = tree_of('MAX ("3, 4"=1 "(3"=2)')
    assert VECTOR.read("(3, 4)", tree, TERMS) == (Numeral(3), Numeral(4))


@pytest.mark.parametrize("name", ["A", "node A", "A = 3"])
def test_a_vector_may_follow_the_name_of_the_root(name: str) -> None:
    """Any name of the root may be before its vector, also one with blanks and signs."""
    tree = tree_of(f'P1 "{name}" (P2 B (<1, 2> <3, 4>) <2, 2>)')
    assert VECTOR.read(f"{name}: 3 4", tree, TERMS) == (Numeral(3), Numeral(4))


def test_a_deduction_is_the_whole_mark_at_most() -> None:
    """Three points off a question of one point are one point off."""
    shares = _set_shares([Fraction(1), Fraction(0), Fraction(0)], Policy("deduct", 3), 1)
    assert shares == [1, -1, -1]


def test_one_leaf_carries_all_points() -> None:
    """The points of the boxes are those of the question."""
    tree = tree_of("MAX A (x)")
    assert [blank.points for blank in PAYOFFS.blanks((Numeral(3),), tree, TERMS).blanks] == [4]


def test_what_naming_all_or_none_earns() -> None:
    """Where half of the leaves are pruned both are the same, and it is told as where fewer are."""
    terms = Terms(points=4, policy=Policy("each"))
    for last, easier in (("1 9 8", "none would get 4 correct"), ("1 9 8 7", "all would get 5 correct")):
        tree = tree_of(f"MAX A (MIN B (5 6) MIN C (2 3 1) MIN D ({last}))")
        asked = make_exercise(kind_by_code("pruned-paths"), tree, Rules(), terms)
        assert f"Listing {easier}, which is at least as many" in credit_explanation(
            asked, mark(asked, "1"), write_number
        )


def test_a_node_called_like_or_is_a_node_in_a_table() -> None:
    """`u` may stand for or; where a node has that name, it is the node."""
    tree = tree_of("MAX A (MIN w (3 12) MIN u (2 4))")
    assert TABLE.write(TABLE.read("A=3 w=3 u 2", tree, TERMS), tree) == "A=3 w=3 u=2"
    assert isinstance(TABLE.read("A=3 u 2", TREE, TERMS), Ambiguous)


# What boxes say


def test_boxes_of_windows() -> None:
    """Infinity with and without its sign, no value, and a node that is never entered."""
    key = WINDOW_ENTRIES.parse("A [-inf, inf] -> 3; B [-inf, inf] -> 3; C [3, inf] -> 2", TREE)
    texts = ["-inf", "inf", "3", "-INF", "infinity", "none", "", "", ""]
    assert filled_in(WINDOW_ENTRIES, key, texts) == "A [-inf, inf] -> 3; B [-inf, inf]"
    assert dict(WINDOW_ENTRIES.parse("B [-inf, inf]", TREE))[1].beta == INFINITY
    for text in ("-\u221e", "- oo", "minus infinity", "minus unendlich", "moins l'infini", "-inf."):
        assert filled_in(WINDOW_ENTRIES, key, [text, "plus infinity", "3"]) == "A [-inf, inf] -> 3"
    for text, why in (
        ("", "there is no answer"),
        ("?", "there is no answer"),
        ("-", 'means "none"'),
        ("none", 'means "none"'),
    ):
        with pytest.raises(BlankError, match=why):
            filled_in(WINDOW_ENTRIES, key, ["-inf", text, "3"])


def test_bounds_in_boxes_are_numbers_or_infinities() -> None:
    """Alpha and beta are read as numbers, also with a sign and as fractions, and nothing else."""
    key = WINDOW_ENTRIES.parse("A [-inf, inf] -> 3; B [-inf, inf] -> 3; C [3, inf] -> 2", TREE)
    assert filled_in(WINDOW_ENTRIES, key, ["-2.5", "7/3", "+3"]) == "A [-2.5, 7/3] -> 3"
    with pytest.raises(BlankError, match="is not a number"):
        filled_in(WINDOW_ENTRIES, key, ["-2.5", "x", "3"])


def test_boxes_of_a_window_without_a_returned_value() -> None:
    """The bounds carry all points, and the answers of the boxes are read as the key."""
    key = WINDOW_ENTRIES.parse("A [-inf, 3]", TREE)
    boxes = WINDOW_ENTRIES.blanks(key, TREE, TERMS).blanks
    assert [box.points for box in boxes[:3]] == [2, 2, 0]
    texts = [box.spellings[0] for box in boxes]
    assert WINDOW_ENTRIES.reply_from_blanks(boxes, texts, TREE, TERMS) == "A [-inf, 3]"


def test_windows_differ_by_their_bounds_and_returned_values() -> None:
    """Rounded values are equal to exact ones; a value in only one window is a difference."""
    windows = [
        WINDOW_ENTRIES.parse(text, TREE)
        for text in ("B [1, 2] -> 1/3", "B [1, 2] -> 0.33", "B [1, 2] -> 2", "B [1, 2]", "B [1, 3] -> 1/3")
    ]
    assert WINDOW_ENTRIES.distance is not None
    distances = [[WINDOW_ENTRIES.distance(one, two) for two in windows] for one in windows]
    assert distances == [
        [0, 0, 1, 1, 1],
        [0, 0, 1, 1, 1],
        [1, 1, 0, 1, 1],
        [1, 1, 1, 0, 1],
        [1, 1, 1, 1, 0],
    ]


def test_boxes_of_an_order() -> None:
    """Up to the first box that is empty; one leaf in each, and none behind."""
    assert filled_in(ORDER, (1, 2, 3), ["1", "2"]) == "1 2"
    with pytest.raises(BlankError, match="comes after box"):
        filled_in(ORDER, (1, 2, 3), ["1", "none", "3"])
    with pytest.raises(BlankError, match="is not one leaf"):
        filled_in(ORDER, (1, 2, 3), ["1 2"])


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("A: D B B", "a child is listed twice", 4),
        ("A: D B", "only 2 of 3 children are listed", 4),
        ("D D C", "a child is listed twice", 1),
        ("x A: D B C", "a colon is missing", 1),
        ("B: 1 2 3\nA: D B x", "'x' is not a child of 'A'", 8),
    ],
)
def test_what_is_wrong_with_an_order_is_told_where_it_stands(text: str, message: str, column: int) -> None:
    """The place is that of the first child, of the name without a colon, or of what is no child."""
    tree = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4) MIN D (14 5 2))")
    found = CHILDREN_ORDER.read(text, tree, Terms())
    assert isinstance(found, Malformed)
    assert (found.message, found.column) == (message, column)


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (
            "A=147 C=30 F=26 M=21",
            "The number of correct items minus the number of incorrect items"
            " is 3 − 1 = 2, out of 4. Score: 0.5 of 1.",
        ),
        (
            "A=147 C=130 F=26 M=21",
            "The number of correct items minus the number of incorrect items"
            ", 2 − 2, is not positive. Score: 0 of 1.",
        ),
        (
            "A=47",
            "The number of correct items minus the number of incorrect items"
            " is 1 − 0 = 1, out of 4. Score: 0.25 of 1.",
        ),
    ],
)
def test_entries_that_cost_are_told(reply: str, told: str) -> None:
    """Right ones less wrong ones; what is left out costs nothing more."""
    exercise = grow(default_recipe("uct.visits"), 1)
    assert exercise.key == "A=47 C=30 F=26 M=21"
    assert "Each incorrect entry cancels one correct entry" in exercise.public.prompt
    assert credit_explanation(exercise, mark(exercise, reply), write_number) == told


def test_entries_differ_by_what_is_said_and_by_what_is_not() -> None:
    """Other values, and nodes of which one answer alone says something."""
    one, two = (TABLE.parse(text, TREE) for text in ("A=3 B=3 C=2", "A=4 B=3"))
    assert TABLE.distance(one, two) == TABLE.distance(two, one) == 2


@pytest.mark.parametrize(("policy", "told"), [("deduct:1", "1 point"), ("deduct:2", "2 points")])
def test_what_an_error_costs_is_told_in_points(policy: str, told: str) -> None:
    """One point, or several."""
    assert f"costs {told};" in PATHS.credit_sentence(Terms(points=4, policy=read_policy(policy)), TREE)


def test_what_is_no_policy_is_answered_by_those_there_are() -> None:
    """All that are offered, and how their amounts are written."""
    with pytest.raises(ValueError, match=r"exact, net, .*keep:F or deduct:K"):
        read_policy("all")


@pytest.mark.parametrize(
    ("code", "texts", "canonical"),
    [
        ("en", ("x is smaller or equal to 3", "x less or equal 3", "x is not greater than 3"), "x <= 3"),
        ("de", ("x kleiner gleich 3", "x ist kleiner oder gleich 3", "höchstens 3"), "x <= 3"),
        ("de", ("x größer gleich 3", "x ist GRÖSSER oder gleich 3", "mindestens 3"), "x >= 3"),
        ("fr", ("x inférieur ou égal à 3", "x est plus petit ou égal à 3"), "x <= 3"),
        ("es", ("x menor o igual que 3", "x es menor o igual a 3"), "x <= 3"),
        ("it", ("x minore o uguale a 3", "x è minore uguale a 3"), "x <= 3"),
        ("pt", ("x menor ou igual a 3", "x é menor ou igual que 3"), "x <= 3"),
        ("zh", ("x小于等于3", "x 小于或等于 3"), "x <= 3"),
    ],
)
def test_conditions_in_words(code: str, texts: Sequence[str], canonical: str) -> None:
    """Less or equal, in every language."""
    tree = tree_of("MAX A (MIN B (3 x) MIN C (2 4))")
    for text in texts:
        assert INTERVAL.read(text, tree, Terms(language_code=code)) == INTERVAL.parse(canonical, tree), text


@pytest.mark.parametrize(("opening", "closing"), [("(", ")"), ("{x | ", "}")])
def test_a_condition_in_too_many_brackets_is_refused(opening: str, closing: str) -> None:
    """Brackets may be thirty deep, and the error points at the first; any number may follow one another."""
    nested = opening * 30 + "x <= 3" + closing * 30
    assert INTERVAL.read(nested, TREE, Terms()) == numbers_related_to("<=", 3)
    found = refused(INTERVAL, opening + nested + closing)
    assert (found.message, found.column) == ("there are too many parentheses or brackets", 1)
    flat = " or ".join([f"{opening}x <= 3{closing}"] * 40)
    assert INTERVAL.read(flat, TREE, Terms()) == numbers_related_to("<=", 3)


def test_a_node_without_a_choice_is_left_out() -> None:
    """Of boxes left empty nothing is heard, and the last one says that none is chosen."""
    assert filled_in(MOVE_CHOICES, ((0, frozenset({1})),), ["B", "", "none of them"]) == "A->B"
    assert not filled_in(MOVE_CHOICES, ((0, frozenset({1})),), [])


def test_a_count_that_is_no_whole_number_is_shown() -> None:
    """The place is that of the number, behind the words before it."""
    assert refused(COUNT, "visited: 7.5").column == 10


def test_a_raised_number_is_a_name() -> None:
    """A child called ³ is named as such, beside others too: no move is counted by such a sign."""
    tree, moves = tree_of('MAX (MAX M (0) "³"=0 0)'), frozenset({0, 1})
    assert MOVE.write(moves, tree) == "M ³"
    assert MOVE.read("M ³", tree, Terms()) == moves


# What is offered in boxes on paper


@pytest.mark.parametrize(
    ("values", "place"),
    [((-3, 999), "digits"), ((-3, 1000), "written"), ((Fraction(1, 2), 3), "cells"), ((), "written")],
)
def test_numbers_of_up_to_three_digits_are_entered_digit_by_digit(
    values: tuple[int | Fraction, ...], place: str
) -> None:
    """Longer ones and fractions are written; one entry of a table is asked for as one number is."""
    offered, one = NumberEntry("bubbles", values), replace(TERMS, nodes=(1,))
    alone, entry = NUMBER.paper_boxes(TREE, TERMS, offered), TABLE.paper_boxes(TREE, one, offered)
    assert [group.place for group in (*alone.groups, *entry.groups)] == [place] * 2
    assert (alone.ask is None) is (place == "written")
    assert entry.ask == (alone.ask or CELLS)


@pytest.mark.parametrize(
    ("values", "place", "meanings"),
    [
        ((7, 120), "cells", ("", "", "")),
        ((-3, 0), "cells", ("-", "")),
        ((-999, 5), "cells", ("-", "", "", "")),
        ((-1000, 5), "written", ("",)),
        ((Fraction(1, 2), 999), "cells", ("-", "", "", "", "/", "", "", "")),
        ((Fraction(1, 2), 1000), "written", ("",)),
    ],
)
def test_a_number_is_written_into_as_many_cells_as_it_can_need(
    values: tuple[int | Fraction, ...], place: str, meanings: tuple[str, ...]
) -> None:
    """A cell for a possible sign and for each digit of the longest number; no cells above three digits."""
    (group,) = NUMBER.paper_boxes(TREE, TERMS, NumberEntry(values=values)).groups
    assert (group.place, group.meanings) == (place, meanings)


def test_an_entered_number_is_one_of_those_that_are_possible() -> None:
    """The possible values decide, or else the bounds; without them every number is possible."""
    entries = (NumberEntry(values=(1, 3), bounds=(0, 9)), NumberEntry(bounds=(1, 3)), NumberEntry())
    allowed = [[value for value in range(5) if entry.allows(value)] for entry in entries]
    assert allowed == [[1, 3], [1, 2, 3], [0, 1, 2, 3, 4]]


@pytest.mark.parametrize("form", [PATHS, NODE_NAMES])
def test_a_number_that_is_no_leaf_may_change_an_answer(form: AnyForm) -> None:
    """In brackets behind names it is no mere remark, where nothing is said to be cut there."""
    assert (
        refused(form, f"{form.write(frozenset({2}), TREE)} (99)").message == "'(99)' could change the answer"
    )
