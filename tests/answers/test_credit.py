"""What replies earn, form by form."""

from dataclasses import replace
from fractions import Fraction
from itertools import takewhile, zip_longest
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.answers.branches import BRANCHES, topmost
from grader.answers.form import Ambiguous, AnyForm, Malformed, Policy, Terms
from grader.answers.interval import INTERVAL
from grader.answers.move import MOVE
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral, could_be_equal, matches_key
from grader.answers.order import ORDER
from grader.answers.order_credit import forced_prefix_length
from grader.answers.path import PATH
from grader.answers.paths import PATHS
from grader.answers.policies import PolicyError, read_policy, write_policy
from grader.answers.table import TABLE
from grader.answers.vector import VECTOR
from grader.answers.window_entries import WINDOW_ENTRIES
from grader.base.intervals import complement, intersection, union
from grader.generation.stream import Stream
from grader.questions.search_answers import visited_leaves_in_order
from grader.solvers.search_choice import search
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Order, Rules
from grader.trees.tree import Tree
from tests.answers.strategies import spans
from tests.strategies import trees

PLAIN = Terms(policy=Policy("net"))
POLICIES = tuple(
    map(read_policy, ("exact", "net", "keep:1/2", "keep:3/5", "each", "deduct:1/2", "deduct:0.1"))
)


TREE = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")


def earned(
    form: AnyForm, reply: str, key: str, terms: Terms = PLAIN, implied: str | None = None, tree: Tree = TREE
) -> tuple[Fraction, list[str]]:
    """The share and the verdicts of a reply against a key, both as text."""
    answers = [form.read(text, tree, terms) for text in (reply, key, implied or key)]
    assert not any(isinstance(answer, Malformed | Ambiguous) for answer in answers)
    credit = form.credit(answers[0], answers[1], tree, terms)
    if implied:
        credit = form.follow(answers[0], credit, answers[2], tree, terms)
    return credit.share, [item.verdict for item in credit.items]


@pytest.mark.parametrize(
    ("policy", "reply", "share"),
    [
        ("exact", "5 6", 1),
        ("exact", "5", 0),
        ("net", "5 6", 1),
        ("net", "5", Fraction(1, 2)),
        ("net", "5 6 7", Fraction(1, 2)),
        ("net", "5 7", 0),
        ("net", "7 8 9", 0),
        ("net", "none", 0),
        ("keep:1/2", "5 6", 1),
        ("keep:1/2", "5", Fraction(1, 2)),
        ("keep:1/2", "5 6 7", Fraction(1, 2)),
        ("keep:1/2", "5 7", 0),
        ("keep:3/5", "5 6 7", Fraction(3, 5)),
        ("keep:1/2", "none", 0),
        ("each", "5 6", 1),
        ("each", "5", Fraction(1, 2)),
        ("each", "none", 0),
        ("each", "5 7", 0),
        ("deduct:1/2", "5", Fraction(1, 2)),
        ("deduct:1/2", "5 7", 0),
        ("deduct:1/4", "5 7", Fraction(1, 2)),
        ("deduct:1/10", "1-9", 0),
        ("deduct:1/10", "1-4 6-9", Fraction(1, 5)),  # all but one
    ],
)
def test_sets_earn_what_the_policy_says(policy: str, reply: str, share: Fraction) -> None:
    """Of nine leaves with 5 and 6 as the key, each policy pays what its description says."""
    assert earned(PATHS, reply, "5 6", Terms(policy=read_policy(policy)))[0] == share


def test_deductions_are_points_of_the_full_mark() -> None:
    """Half a point off a question of four points is an eighth of the share."""
    terms = Terms(points=4, policy=read_policy("deduct:1/2"))
    assert earned(PATHS, "5", "5 6", terms)[0] == Fraction(7, 8)


@pytest.mark.parametrize("policy", POLICIES, ids=write_policy)
@given(key=st.frozensets(st.integers(1, 9)))
def test_naming_everything_never_pays(policy: Policy, key: frozenset[int]) -> None:
    """Crossing out every leaf, or every branch at the root, earns nothing unless the key does so too."""
    terms, all_of_it = Terms(policy=policy), frozenset(range(1, 10))
    if key != all_of_it:
        assert PATHS.credit(all_of_it, key, TREE, terms).share == 0
        nodes = frozenset(TREE.leaves[path - 1] for path in key)
        for everything in (frozenset(TREE.children[0]), frozenset(TREE.leaves), frozenset(range(1, 13))):
            assert BRANCHES.credit(everything, nodes, TREE, terms).share == 0


@pytest.mark.parametrize("policy", POLICIES, ids=write_policy)
def test_an_empty_key_is_earned_by_none_alone(policy: Policy) -> None:
    """Where nothing is pruned, none earns everything; under net, anything else earns nothing."""
    assert earned(PATHS, "none", "none", Terms(policy=policy))[0] == 1
    assert earned(PATHS, "5", "none", Terms(policy=policy))[0] < 1
    assert earned(PATHS, "5", "none")[0] == 0


def test_a_leaf_at_the_root_is_a_branch_of_its_own() -> None:
    """Everything is crossed out with the leaf at the root only, and then it earns nothing."""
    tree, terms = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) 5)"), Terms(policy=read_policy("deduct:1/10"))
    assert earned(BRANCHES, "B C 5 6", "5 6", terms, tree=tree)[0] == Fraction(4, 5)
    assert earned(BRANCHES, "B C 7 5 6", "5 6", terms, tree=tree)[0] == 0


def test_items_of_a_set_say_what_was_missed_and_what_was_too_much() -> None:
    """Each leaf in the reply or the key is one item: right, missing or extra."""
    assert earned(PATHS, "5 7", "5 6")[1] == ["right", "missing", "extra"]


def test_a_branch_below_one_that_is_named_says_nothing_new() -> None:
    """Naming a pruned subtree and also what is below it is the same as naming the subtree."""
    assert earned(BRANCHES, "C 4 5 6", "C") == (1, ["right"])
    top = TREE.children[0][1]
    below = frozenset(TREE.children[top])
    for reply, said in ((below, "4 5 6"), (below | {top}, "C")):
        (item,) = BRANCHES.credit(reply, frozenset({top}), TREE, PLAIN).items
        assert item.reply == said


@given(st.data())
def test_what_is_crossed_out_is_named_at_its_top(data: st.DataObject) -> None:
    """A branch is crossed out when all leaves below it are, and the topmost such branches are meant."""
    tree = data.draw(trees(plies=3, leaves=10))
    named = data.draw(st.frozensets(st.sampled_from(range(1, len(tree))))) if len(tree) > 1 else frozenset()
    leaves = [frozenset(tree.leaves_below(node)) or {node} for node in range(len(tree))]
    gone = frozenset().union(*(leaves[node] for node in named))
    out = {node for node in range(1, len(tree)) if leaves[node] <= gone}
    assert topmost(named, frozenset(), tree) == {node for node in out if tree.parents[node] not in out}


def test_no_others_is_meant_where_only_the_complete_answer_counts() -> None:
    """Under `exact` a branch below one that is named is one too many; all just below it still mean it."""
    exact = Terms(policy=read_policy("exact"))
    assert earned(BRANCHES, "C 4 5 6", "C", exact) == (0, ["right", "extra", "extra", "extra"])
    assert earned(BRANCHES, "C 4", "C", exact)[0] == 0
    assert earned(BRANCHES, "4 5 6", "C", exact)[0] == 1
    assert earned(BRANCHES, "C", "C", exact)[0] == 1


@pytest.mark.parametrize("policy", POLICIES, ids=write_policy)
def test_a_branch_below_a_missing_one_costs_nothing_more(policy: Policy) -> None:
    """What is below a branch of the key earns and costs nothing, as where platforms mark ticks."""
    terms = Terms(policy=policy)
    assert earned(BRANCHES, "8 4 5", "C 8", terms)[0] == earned(BRANCHES, "8", "C 8", terms)[0]


def test_branches_are_compared_by_what_they_cross_out() -> None:
    """Naming everything just below a branch is naming the branch; naming less is not; the item shows both."""
    assert earned(BRANCHES, "4 5 6", "C") == (1, ["right"])
    assert earned(BRANCHES, "4 5", "C")[0] == 0
    assert earned(BRANCHES, "A", "C")[0] == 0
    reply, key = (BRANCHES.read(text, TREE, Terms()) for text in ("4 5 6", "C"))
    (item,) = BRANCHES.credit(reply, key, TREE, Terms()).items
    assert (item.reply, item.right) == ("4 5 6", "C")


@pytest.mark.parametrize(
    ("said", "key", "right"),
    [
        ("7/3", "7/3", True),
        ("2.33", "7/3", True),
        ("2.333", "7/3", True),
        ("2.330", "7/3", False),
        ("2.3", "7/3", False),
        ("2.34", "7/3", False),
        ("-2.33", "-7/3", True),
        ("0.13", "0.125", True),
        ("0.12", "0.125", True),
        ("0.11", "0.115", False),
        ("-0.13", "-0.125", True),
        ("2.5", "5/2", True),
        ("2", "7/3", False),
        ("-3", "3", False),
    ],
)
def test_decimals_count_when_rounded_right(said: str, key: str, right: bool) -> None:
    """A decimal counts from two places on when it is the exact value rounded, halves either way."""
    assert earned(NUMBER, said, key)[0] == int(right)


@given(st.fractions(-50, 50, max_denominator=60), st.integers(0, 4))
def test_every_rounding_counts_and_its_neighbours_do_not(value: Fraction, places: int) -> None:
    """`round` and half-up rounding agree with the value at their places; one unit further off never does."""
    unit = 10**places
    rounded = Fraction(round(value * unit), unit)
    assert matches_key(Numeral(rounded, places), Numeral(value), places)
    for step in (-2, 2):
        assert not matches_key(Numeral(rounded + Fraction(step, unit), places), Numeral(value), places)
        assert not could_be_equal(Numeral(rounded + Fraction(step, unit), places), Numeral(value))
    one, two = Numeral(rounded, places), Numeral(value)
    assert could_be_equal(one, two) == could_be_equal(two, one) == (places > 0 or rounded == value)
    if rounded != value:
        assert not matches_key(Numeral(rounded, places), Numeral(value), places + 1)


def test_one_optimal_move_is_enough_unless_all_are_asked_for() -> None:
    """Any optimal move earns everything, a hedge with a wrong one nothing; with `every` only all do."""
    assert earned(MOVE, "B", "B D")[0] == 1
    assert earned(MOVE, "B, D", "B D")[0] == 1
    assert earned(MOVE, "B, C", "B D")[0] == 0
    assert earned(MOVE, "C", "B D")[0] == 0
    assert earned(MOVE, "B", "B D", Terms(every=True)) == (0, ["right", "missing"])
    assert earned(MOVE, "D B", "B D", Terms(every=True))[0] == 1
    assert earned(PATH, "3", "3 5")[0] == 1
    assert earned(PATH, "3", "3 5", Terms(every=True))[0] == 0


def test_tables_are_credited_entry_by_entry_with_follow_through() -> None:
    """A wrong entry that the student's own entries imply earns its credit and is called `follows`."""
    assert earned(TABLE, "A=4 B=4 C=2", "A=3 B=3 C=2") == (Fraction(1, 3), ["wrong", "wrong", "right"])
    implied = earned(TABLE, "A=4 B=4 C=2", "A=3 B=3 C=2", implied="A=4 B=3 C=2")
    assert implied == (Fraction(2, 3), ["follows", "wrong", "right"])
    assert earned(TABLE, "A=3 B=3 C=9", "A=3 B=3 C=2", implied="A=9 B=9 C=9")[0] == Fraction(2, 3)  # no less


def test_entries_missing_and_not_asked_for_are_told() -> None:
    """A missing entry earns nothing; one for a node not asked about is an extra item without weight."""
    assert earned(TABLE, "B=3 5=4", "B=3 C=2") == (Fraction(1, 2), ["right", "missing", "extra"])
    assert earned(TABLE, "B=3 C=2 5=4", "B=3 C=2")[0] == 1


def test_windows_are_credited_entry_by_entry() -> None:
    """Both bounds must be right and earn half; the value earns the rest where the key has one."""
    key = "B [-inf, inf] -> 3; C [3, inf] -> 2"
    assert earned(WINDOW_ENTRIES, "B [-inf, inf] -> 3; C [3, inf] -> 2", key)[0] == 1
    assert earned(WINDOW_ENTRIES, "B [-inf, inf] -> 3; C [2, inf] -> 2", key) == (
        Fraction(1, 2),
        ["right", "wrong"],
    )
    assert earned(WINDOW_ENTRIES, "B [-inf, inf]", key) == (Fraction(1, 4), ["partly", "missing"])
    assert earned(WINDOW_ENTRIES, "B [-inf, inf]; C [3, inf]", key)[0] == Fraction(1, 2)
    assert earned(WINDOW_ENTRIES, "B [0, 0] -> 3; C [0, 0] -> 2", key)[0] == 0
    assert earned(WINDOW_ENTRIES, "B [-inf, inf] -> 3", "B [-inf, inf]")[0] == 1


@pytest.mark.parametrize(
    ("reply", "share"),
    [
        ("B [-inf, inf] -> 3; C [3, inf] -> 2; D [3, inf] -> 5", Fraction(2, 3)),
        ("B [-inf, inf] -> 3; C [3, inf] -> 2; D [3, inf] -> 5; 1 [3, inf] -> 3", Fraction(1, 2)),
        ("B [-inf, inf] -> 3; C [2, inf] -> 2; D [3, inf] -> 5", Fraction(1, 3)),
        ("D [3, inf] -> 5", Fraction(0)),
    ],
)
def test_every_window_at_a_node_that_is_never_entered_costs_an_entry(reply: str, share: Fraction) -> None:
    """A window that the key does not have counts as one more entry, a wrong one."""
    assert earned(WINDOW_ENTRIES, reply, "B [-inf, inf] -> 3; C [3, inf] -> 2")[0] == share


@pytest.mark.parametrize(
    ("reply", "share"),
    [
        ("1 2 3 4 7 8 9", 1),
        ("1 2 3 4 7", Fraction(1, 3)),
        ("1 2 3 4 7 9", Fraction(1, 3)),
        ("1 2 3 4", 0),
        ("1-9", 0),
        ("2 1 3 4 7 8 9", 0),
        ("1 2 3 4 7 8 9 5", Fraction(2, 3)),
    ],
)
def test_an_order_earns_its_longest_correct_prefix(reply: str, share: Fraction) -> None:
    """The prefix counts over the length of the key, and going on after the end is one wrong step.

    The first four leaves of this tree are visited whatever the payoffs, so they count on neither side.
    """
    assert earned(ORDER, reply, "1 2 3 4 7 8 9")[0] == share


@pytest.mark.parametrize(("reply", "share"), [("1 2 3 4", 1), ("1 2 3", 0), ("1 2 3 4 5", 0), ("1-9", 0)])
def test_an_order_of_what_is_always_visited_is_right_or_wrong(reply: str, share: int) -> None:
    """Where all is pruned that may be, knowing where the search ends is all there is to know."""
    assert earned(ORDER, reply, "1 2 3 4")[0] == share


@pytest.mark.parametrize(
    ("reply", "key", "share"),
    [
        ("9 8 7 6 3 2", "9 8 7 6 3 2", 1),
        ("9 8 7 6 3", "9 8 7 6 3 2", Fraction(1, 2)),
        ("9 8 7 6", "9 8 7 6 3 2", 0),
        ("9 8 7 6 3 2 1", "9 8 7 6 3 2", Fraction(1, 2)),
        ("9 8 7 6", "9 8 7 6", 1),
        ("9 8 7", "9 8 7 6", 0),
        ("9 8 6", "9 8 6 3", Fraction(3, 4)),  # no search of a whole tree begins so, but one of a part may
        ("1 2 3", "1 2 3", 1),
        ("1 2", "1 2 3", Fraction(2, 3)),
    ],
)
def test_an_order_from_the_right_earns_as_much(reply: str, key: str, share: Fraction) -> None:
    """There the first four leaves from the right are visited whatever the payoffs."""
    assert earned(ORDER, reply, key)[0] == share


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("MAX A (3 5 1)", False),
        ("MAX A (MIN B (3 5) 4)", True),  # from the right the last one may be left out
        ("MAX A (2 MIN B (3 5))", True),  # from the left
    ],
)
def test_of_leaves_that_are_always_first_it_is_told_where_there_are_some(text: str, told: bool) -> None:
    """A question says that they do not count if there are any, in the one order of visits or the other."""
    tree = tree_of(text)
    assert any(forced_prefix_length(tree, order) for order in get_args(Order)) is told
    assert ("The first leaves, which alpha-beta visits" in ORDER.credit_sentence(PLAIN, tree)) is told


def test_how_an_order_is_read_and_compared_at_its_ends() -> None:
    """Leaves too many and too few, places that differ, and names without an end."""
    assert earned(ORDER, "1 2 3", "1 2")[1] == ["right", "right", "extra"]
    assert earned(ORDER, "1 2", "1 2 3")[1] == ["right", "right", "missing"]
    assert earned(ORDER, "1 3", "1 2 3")[1] == ["right", "wrong"]
    assert ORDER.distance is not None
    assert ORDER.distance((1, 2, 3), (1, 3, 2, 4)) == 3
    again = " ".join(f"{1 + number % 2}" for number in range(18))
    assert ORDER.read(again, TREE, PLAIN) == (1, 2) * 9
    found = ORDER.read(f"{again} 1", TREE, PLAIN)
    assert isinstance(found, Malformed)
    assert found.message == "leaves are repeated too many times"
    assert ORDER.payoff_blind_answers(TREE, Rules(order="right-to-left")) == {
        "everything": (9, 8, 7, 6, 5, 4, 3, 2, 1)
    }


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))", "left-to-right"),
        ("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))", "right-to-left"),
        ("MAX A (MIN B (1 2) 5 MIN C (MAX D (3 4) 6))", "left-to-right"),
        ("MAX A (MIN B (1 2) 5 MIN C (MAX D (3 4) 6))", "right-to-left"),
        ("MAX A (MAX B (1 2) MAX C (3 4))", "left-to-right"),
        ("MAX A (MIN B (MAX C (MIN D (1 2) 4) MAX E (3 5)))", "left-to-right"),
    ],
)
def test_what_is_settled_is_what_all_orders_begin_with(text: str, direction: Order) -> None:
    """Settled leaves are what the orders of all trees of a shape begin with; none where all are alike."""
    tree = tree_of(text)
    count = len(tree.leaves)
    orders = set()
    for seed in range(300):
        draw = Stream(seed)
        other = tree.with_payoffs(tuple(draw.shuffle(range(count))))
        found = search(other, replace(other.rules(), order=direction))
        orders.add(visited_leaves_in_order(other, found))
    alike = takewhile(lambda leaves: len(set(leaves)) == 1, zip_longest(*orders))
    shared = 0 if len(orders) == 1 else len(list(alike))
    assert forced_prefix_length(tree, direction) == shared


def test_conditions_count_as_the_same_set_of_numbers() -> None:
    """It does not matter how the set is written, and a closed end is not an open one."""
    assert earned(INTERVAL, "x not in (1.25, 7.5)", "x <= 5/4 or x >= 15/2")[0] == 1
    assert earned(INTERVAL, "x < 5/4 or x >= 15/2", "x <= 5/4 or x >= 15/2")[0] == 0
    assert earned(INTERVAL, "never", "always")[0] == 0


@given(spans(), spans())
def test_sets_of_numbers_keep_the_laws_of_sets(one: object, two: object) -> None:
    """Complement is its own inverse, and the laws of De Morgan hold in canonical form."""
    assert complement(complement(one)) == one  # type: ignore[arg-type]  # the strategy gives spans
    both = intersection(one, two)  # type: ignore[arg-type]
    either = union((*one, *two))  # type: ignore[misc]
    assert complement(either) == intersection(complement(one), complement(two))  # type: ignore[arg-type]
    assert complement(both) == union((*complement(one), *complement(two)))  # type: ignore[arg-type]


def test_vectors_are_all_or_nothing() -> None:
    """Every component counts, and the items say which one is wrong."""
    tree = tree_of("P1 (P2 (<1, 2, 6> <4, 3, 1>) P3 (<5, 1, 1> <0, 0, 2>))")
    assert earned(VECTOR, "1 2 6", "<1, 2, 6>", tree=tree) == (1, ["right"] * 3)
    assert earned(VECTOR, "1 2 5", "<1, 2, 6>", tree=tree) == (0, ["right", "right", "wrong"])


@pytest.mark.parametrize("policy", POLICIES, ids=write_policy)
def test_a_policy_reads_back(policy: Policy) -> None:
    """Reading what `write_policy` wrote gives the same policy."""
    assert read_policy(write_policy(policy)) == policy


@pytest.mark.parametrize(
    "text", ["", "gross", "deduct", "deduct:", "deduct:x", "deduct:0", "deduct:-1", "net:1"]
)
def test_other_policies_are_refused(text: str) -> None:
    """What names no policy is an error that says what does."""
    with pytest.raises(PolicyError, match="deduct"):
        read_policy(text)
