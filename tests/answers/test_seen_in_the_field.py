"""Small replies seen in the field that were once read wrongly, dropped in silence or refused."""

import pytest

from grader.answers.form import Terms
from grader.exercises.exercise import make_exercise
from grader.exercises.marking import Mark, State, mark
from grader.questions import kind_by_code
from grader.questions.given import Given
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules

TEXTBOOK = "MAX A (MIN B (a1: 3 a2: 12 a3: 8) MIN C (c1: 2 c2: 4 c3: 6) MIN D (14 5 2))"
THIRDS = "CHANCE A (1/3: 1, 2/3: 3)"
NEGATIVE = "MAX A (CHANCE B (1/3: -1, 2/3: -3) -4)"
LETTERS = "MAX R (MIN A (3 12 8) MIN B (2 x y) MIN C (14 5 2))"
DEEP = (
    "MAX A (MIN B (MAX D (3 12) MAX E (8 5)) MIN C (MAX F (4 6) MAX G (14 9)) "
    "MIN H (MAX I (1 2) MAX J (3 7)))"
)
UNKNOWN = "MAX A (7/3 MIN B (x 1))"
PLAYOUTS = "MAX S0 {n=50, w=25} (S1 {n=15, w=10} S2 {n=15, w=5} S3 {n=20, w=10})"
CONNECT_FOUR = 'MAX {board="X.../O.../X.../O..."} (b: 1 c: 2 d: 3)'


def marked(code: str, text: str, reply: str, terms: Terms | None = None, given: Given | None = None) -> Mark:
    """The mark of a reply to a question about a tree."""
    tree = tree_of(text)
    exercise = make_exercise(kind_by_code(code), tree, Rules(), terms or Terms(), given=given or Given({}))
    return mark(exercise, reply)


@pytest.mark.parametrize(
    ("code", "tree", "reply", "understood"),
    [
        # Rounded decimals with an exponent show as many decimals as they have.
        ("expected-values", THIRDS, "A=2.33", "A=2.33"),
        ("expected-values", THIRDS, "A=2.33e0", "A=2.33"),
        ("expected-values", THIRDS, "A=2.33E+00", "A=2.33"),
        ("expected-values", THIRDS, "A=23.3e-1", "A=2.33"),
        ("expected-values", THIRDS, "A=2.33×10^0", "A=2.33"),
        ("root-value", THIRDS, "2.33e0", "2.33"),
        # Fractions, and digits of other scripts.
        ("expected-values", THIRDS, "A=7⁄3", "A=7/3"),
        ("expected-values", THIRDS, "A=7÷3", "A=7/3"),
        ("expected-values", THIRDS, "A=\\frac{7}{3}", "A=7/3"),
        ("expected-values", THIRDS, "A=(7/3)", "A=7/3"),
        ("expected-values", NEGATIVE, "A=-7/3 B=-7/3", "A=-7/3 B=-7/3"),
        ("expected-values", NEGATIVE, "A=-(7/3) B=-(7/3)", "A=-7/3 B=-7/3"),
        ("expected-values", NEGATIVE, "A=7/-3 B=7/-3", "A=-7/3 B=-7/3"),
        ("pruned-paths", TEXTBOOK, "٥ ٦", "5 6"),
        # Leaves by the letter of an unknown payoff, by what is printed, and by the label of the move.
        ("pruned-paths", LETTERS, "5 6", "5 6"),
        ("pruned-paths", LETTERS, "x y", "5 6"),
        ("visiting-order", LETTERS, "1 2 3 4 7 8 9", "1 2 3 4 7 8 9"),
        ("uct.scores", PLAYOUTS, "S1=1.39 S2=1.06 S3=1.13", "1=1.39 2=1.06 3=1.13"),
        ("pruned-paths", TEXTBOOK, "c2 c3", "5 6"),
        ("pruned-branches", TEXTBOOK, "c2 c3", "5 6"),
        # Limits may be rounded as numbers are, and sets are described in words.
        ("unknown-leaf.pruned", UNKNOWN, "x<=2.33", "x <= 2.33"),
        ("unknown-leaf.pruned", UNKNOWN, "x<=7/3", "x <= 7/3"),
        ("unknown-leaf.pruned", UNKNOWN, "{x | x<=7/3}", "x <= 7/3"),
        ("unknown-leaf.pruned", UNKNOWN, "any x that is 7/3 or less", "x <= 7/3"),
        ("unknown-leaf.pruned", UNKNOWN, "7/3 or below", "x <= 7/3"),
        ("unknown-leaf.pruned", UNKNOWN, "all values <= 7/3", "x <= 7/3"),
        ("unknown-leaf.pruned", UNKNOWN, "x < = 7/3", "x <= 7/3"),
        # What stands around a number or a name.
        ("node-values", TEXTBOOK, "A 3, B 3, C 2, D 2", "A=3 B=3 C=2 D=2"),
        ("visited-count", TEXTBOOK, "7!", "7"),
        ("visited-count", TEXTBOOK, "7 visited, 2 pruned", "7"),
        ("pruned-paths", DEEP, "I think 7 8 11 12", "7 8 11 12"),
        ("pruned-paths", DEEP, "all leaves below J and 7, 8", "7 8 11 12"),
        ("pruned-paths", DEEP, "7, 8 and all leaves of J", "7 8 11 12"),
        ("pruned-paths", DEEP, "7 8 because 6 > 3, 11 because 2 < 3, 12 because 2 < 3", "7 8 11 12"),
    ],
)
def test_what_is_plain_is_read_and_earns_everything(
    code: str, tree: str, reply: str, understood: str
) -> None:
    """A correct reply earns everything however it is spelled."""
    found = marked(code, tree, reply)
    assert (found.understood, found.points) == (understood, 1), found.message


@pytest.mark.parametrize(
    ("code", "tree", "reply", "understood"),
    [
        ("node-values", TEXTBOOK, "A 3, B -3, C 2, D 2", "A=3 B=-3 C=2 D=2"),
        ("pruned-branches", DEEP, "6 at F, 7 and 8 at G, F and G at C", "F 6 G 7 8"),
        ("unknown-leaf.pruned", UNKNOWN, "x<=2.34", "x <= 2.34"),
        ("best-path", DEEP, "1-2-2", "4"),
        ("windows.own-values", "MAX A (MIN E (3 12) MIN L (2 4) MIN Y (14 5))", "l=40 y=22", "L=40 Y=22"),
    ],
)
def test_what_is_plain_and_wrong_is_read_as_it_is(code: str, tree: str, reply: str, understood: str) -> None:
    """A dash where other entries have none, a place, a path as move numbers and foreign words are read."""
    found = marked(code, tree, reply)
    assert found.understood == understood, found.message
    assert found.points is not None
    assert found.points < 1


@pytest.mark.parametrize(
    ("code", "tree", "reply"),
    [
        ("pruned-paths", TEXTBOOK, "the 4 and the 6 under C"),
        ("pruned-paths", TEXTBOOK, "5 6 (8 crossed out)"),
        ("node-values", TEXTBOOK, "A -3, B -3, C -2, D -2"),
        ("visited-count", TEXTBOOK, "7 + 2 = 9"),
        ("best-path", DEEP, "1, 2, 2"),
        ("best-move", "MAX A (MIN B (3 4) 5 9 1)", "4"),
        ("best-move", CONNECT_FOUR, "3"),
        ("best-move", TEXTBOOK, "D and B"),
        ("best-move", TEXTBOOK, "D or B"),
        ("best-path", TEXTBOOK, "1 and 4"),
        ("strategy.optimal", DEEP, "A->B, D->2, E->3, E->4"),
    ],
)
def test_what_can_mean_two_things_is_asked_about(code: str, tree: str, reply: str) -> None:
    """A person is asked about what can be read in two ways, or names two things for one."""
    assert marked(code, tree, reply).state is State.AMBIGUOUS


@pytest.mark.parametrize(
    ("code", "tree", "reply", "told"),
    [
        ("pruned-paths", LETTERS, "2, 14, 5, 2", "'14' is not a leaf number"),
        ("pruned-paths", TEXTBOOK, "5 because 2 <= 3, 6", "could change the answer"),
        ("unknown-leaf.pruned", UNKNOWN, "7/3", "a condition on x is needed"),
        ("node-values", TEXTBOOK, "А=3", "another alphabet"),
        ("best-move", TEXTBOOK, "В", "another alphabet"),
    ],
)
def test_what_is_not_read_is_explained(code: str, tree: str, reply: str, told: str) -> None:
    """Who writes a number for a set, letters of another alphabet or a remark that matters is told so."""
    found = marked(code, tree, reply)
    assert found.state is State.UNPARSEABLE
    assert told in found.message


def test_a_letter_that_joins_in_spanish_is_no_node() -> None:
    """`1 a 4` is a range in a paper about a tree with a node A, and never everything."""
    assert (
        marked("pruned-paths", TEXTBOOK, "todas salvo 1 a 4 y 7 a 9", Terms(language_code="es")).points == 1
    )


@pytest.mark.parametrize(
    ("reply", "right"), [("5.3", True), ("5.27", True), ("5.268", True), ("5.349", False)]
)
def test_more_decimals_of_a_root_have_to_be_right(reply: str, right: bool) -> None:
    """The fourth root of 770 is 5.268: 5.349 is rounded to 5.3, too, but it is wrong."""
    found = marked("search-budget.branching", "MAX (1 2)", reply, given=Given({"leaves": 770, "depth": 4}))
    assert (found.points == 1) is right


@pytest.mark.parametrize(("reply", "right"), [("S1=1.389", True), ("S1=1.394", False)])
def test_more_decimals_of_a_score_have_to_be_right(reply: str, right: bool) -> None:
    """The score of S1 is 1.3889: more than two decimals are held to that."""
    (item, *_) = marked("uct.scores", PLAYOUTS, reply).items
    assert (item.verdict == "right") is right
