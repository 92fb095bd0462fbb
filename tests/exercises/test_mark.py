"""One reply, one mark: states, points, follow-through, notes and the sentences that go with them."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from grader.answers.entry_forms import entry_shares
from grader.answers.form import MAX_REPLY_BYTES, Policy, Terms
from grader.answers.policies import read_policy
from grader.base.numbers import INFINITY, Number
from grader.base.phrases import ENGLISH, Language
from grader.exercises.exercise import Exercise, ExerciseError, make_exercise
from grader.exercises.feedback import Feedback, credit_explanation, is_off_by_one
from grader.exercises.marking import Marker, Note, State, mark, read_mark
from grader.generation.grower import grow
from grader.generation.recipe_file import default_recipe
from grader.questions import all_kinds, kind_by_code
from grader.questions.given import Given
from grader.questions.kind import AnyKind
from grader.solvers.explaining.steps import explain
from grader.trees.notation.reading import read_tree, tree_of
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY
from tests.answers.filling import NO_ANSWERS, STROKES
from tests.questions.asking import asked_of

TEXTBOOK = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"


def asked(
    code: str,
    text: str = TEXTBOOK,
    rules: Rules | None = None,
    given: Mapping[str, Any] | None = None,
    **terms: Any,
) -> Exercise:
    """An exercise about a tree."""
    kind, tree = kind_by_code(code), tree_of(text)
    return make_exercise(kind, tree, rules or Rules(), Terms(**terms), given=Given(given or {}))


def test_values_follow_through() -> None:
    """One slip at a leaf's parent costs one entry, not every entry above it."""
    exercise = asked("node-values", points=4, policy=read_policy("entries"))
    slip = mark(exercise, "B=8 C=2 D=2 A=8")
    assert (slip.points, slip.follow_through) == (3, 1)
    assert [item.verdict for item in slip.items] == ["follows", "wrong", "right", "right"]
    assert mark(exercise, "B=8 C=2 D=2 A=3").points == 3
    assert mark(exercise, "B=8 C=2 D=2 A=7").points == 2


NONSENSE = ("A=999 B=999 C=999 D=999", "A=0 B=0 C=0 D=0", "A=4 B=4 C=3 D=3")


@pytest.mark.parametrize("policy", ["players", "entries", "exact"])
@pytest.mark.parametrize("table", NONSENSE)
def test_nonsense_earns_nothing_by_following_from_itself(policy: str, table: str) -> None:
    """One number everywhere, and every value one too high, are consistent and earn nothing."""
    marked = mark(asked("node-values", points=4, policy=read_policy(policy)), table)
    assert (marked.points, marked.follow_through) == (0, 0)


@pytest.mark.parametrize(
    ("policy", "table", "points"),
    [
        ("players", "A=3", 2),  # the node of MAX carries half of the points
        ("players", "B=3 C=2 D=2", 2),
        ("players", "A=4 B=3 C=2", Fraction(4, 3)),
        ("players", "A=3 B=3 C=2 D=2", 4),
        ("entries", "A=3", 1),
        ("entries", "B=3 C=2 D=2", 3),
        ("exact", "B=3 C=2 D=2", 0),
        ("exact", "A=3 B=3 C=2 D=2", 4),
        ("exact", "A=8 B=8 C=2 D=2", 0),  # nothing follows where only the complete answer counts
    ],
)
def test_policies_credit_tables(policy: str, table: str, points: Number) -> None:
    """Every policy of tables gives the points worked out by hand on the textbook tree."""
    assert mark(asked("node-values", points=4, policy=read_policy(policy)), table).points == points


@pytest.mark.parametrize(
    ("table", "points"),
    [
        ("R=5/2", 4),  # the chance node has half
        ("A=2", 2),
        ("B=3", 2),
        ("A=2 B=3", 4),
        ("A=2 B=3 R=5/2", 8),
    ],
)
def test_chance_nodes_carry_half(table: str, points: Number) -> None:
    """Where chance moves, its nodes carry half of the points, and each player an equal share of the rest."""
    exercise = asked("expected-values", "CHANCE R (MIN A (2 4) MAX B (3 1))", points=8)
    assert mark(exercise, table).points == points


@pytest.mark.parametrize(
    ("nodes", "shares", "told"),
    [
        (
            "RABC",
            {"CHANCE": Fraction(1, 2), "MAX": Fraction(1, 4), "MIN": Fraction(1, 4)},
            (
                "Half the points are for the chance nodes, a quarter are for the MAX nodes, and a quarter "
                "are for the MIN nodes."
            ),
        ),
        (
            "ABC",
            {"MAX": Fraction(1, 2), "MIN": Fraction(1, 2)},
            "Half the points are for the MAX nodes and half for the MIN nodes.",
        ),
        (
            "RB",
            {"MAX": Fraction(1, 2), "CHANCE": Fraction(1, 2)},
            "Half the points are for the MAX nodes and half for the chance nodes.",
        ),
        (
            "RAC",
            {"MIN": Fraction(1, 2), "CHANCE": Fraction(1, 2)},
            "Half the points are for the MIN nodes and half for the chance nodes.",
        ),
        ("AC", {"MIN": Fraction(1)}, "All entries are worth the same number of points."),
    ],
)
def test_shares_of_players_are_stated_as_they_are(nodes: str, shares: dict[str, Fraction], told: str) -> None:
    """A question states the share of each player's nodes, whichever of the nodes it asks about."""
    text = "CHANCE R (MIN A (2 4) MAX B (3 MIN C (1 5)))"
    tree = tree_of(text)
    numbers = [tree.index[name] for name in nodes]
    found: dict[str, Fraction] = {}
    for node, share in zip(numbers, entry_shares(numbers, tree, Policy("players")), strict=True):
        player = str(tree.players[node])
        found[player] = found.get(player, Fraction(0)) + share
    assert found == shares
    given = {} if nodes == "RABC" else {"nodes": list(nodes)}
    assert told in asked("expected-values", text, given=given).public.prompt


NEVER_AT_G = "MAX A (MIN B (MAX D (3 5) MAX E (6 9)) MIN C (MAX F (1 2) MAX G (0 -1)))"
"""A tree in which alpha-beta search never visits G."""

OTHERS_TAKE_ALL = "If the search visits none of the MAX nodes, or none of the MIN nodes, all points are"


def asked_about(code: str, *nodes: str, policy: str = "players") -> Exercise:
    """Ask for the entries of these nodes, or of all."""
    given = {"nodes": [*nodes]} if nodes else {}
    return asked(code, NEVER_AT_G, given=given, points=8, policy=read_policy(policy))


@pytest.mark.parametrize(
    ("code", "entry"), [("windows.own-values", "C=2"), ("windows", "C [5, inf] -> 2")], ids=["own", "windows"]
)
def test_nodes_that_are_visited_take_all_points(code: str, entry: str) -> None:
    """Where the search visits nodes of one player only, these have all points, and the question says so."""
    one = asked_about(code, "C", "G")
    assert mark(one, entry).points == 8
    assert f"and half for the MIN nodes. {OTHERS_TAKE_ALL}" in one.public.prompt
    assert OTHERS_TAKE_ALL in asked_about(code, "C", "F").public.prompt  # it tells nothing of the key
    assert OTHERS_TAKE_ALL not in asked_about(code, "B", "C").public.prompt
    assert OTHERS_TAKE_ALL not in asked_about(code, "C", "G", policy="entries").public.prompt
    assert OTHERS_TAKE_ALL not in asked_about(code).public.prompt  # of all, some of each player are visited


@pytest.mark.parametrize("policy", ["players", "entries", "exact"])
def test_own_values_of_nodes_that_are_never_visited_change_nothing(policy: str) -> None:
    """A value for a node that is never visited neither earns nor costs points, as the question says."""
    right, one = "A=5 B=5 C=2 D=5 E=6 F=2", asked_about("windows.own-values", policy=policy)
    assert mark(one, f"{right} G=0").points == mark(one, right).points == 8
    assert mark(one, "A=5 C=2 G=0").points == mark(one, "A=5 C=2").points
    assert "an entry for such a node neither earns nor costs points" in one.public.prompt


@pytest.mark.parametrize("policy", ["players", "entries", "exact"])
def test_windows_of_nodes_that_are_never_visited_are_incorrect(policy: str) -> None:
    """A window counts as incorrect at a node that is asked about and never visited, and nowhere else."""
    one = asked_about("windows", "C", "G", policy=policy)
    points = mark(one, "C [5, inf] -> 2; G [5, 2] -> 0").points
    assert points is not None
    assert points < 8
    assert mark(one, "C [5, inf] -> 2; B [0, 1] -> 0").points == 8


def test_own_values_need_a_node_that_is_visited() -> None:
    """A question all of whose nodes are never visited is refused, with the reason."""
    with pytest.raises(ExerciseError, match="the search visits none of the nodes"):
        asked_about("windows.own-values", "G")


@pytest.mark.parametrize(
    ("code", "tree", "reply", "points"),
    [
        ("pruned-paths", "MAX A (MIN B (1 2) MIN C (5 6))", "none", 8),  # no more correct than incorrect
        ("visiting-order", "MAX A (MIN B (1 2) MIN C (5 6) MIN D (7 8))", "1 2 3 4 5 6", 8),  # every leaf
        ("visiting-order", "MAX A (MIN B (1 2) MIN C (5 6) MIN D (7 8))", "1 2 3 4 6 5", 4),  # none is pruned
        ("visiting-order", "MAX A (MIN B (5 6) MIN C (7 8) MIN D (1 2))", "1 2 3 4 5 6", 0),
        ("pruned-branches", "MAX A (MIN B (5 6) MIN C (2 3 4 1))", "B 3 4 5 6", 0),  # every leaf, 3 correct
    ],
)
def test_only_incorrect_answers_score_nothing_for_everything(
    code: str, tree: str, reply: str, points: Number
) -> None:
    """Listing everything, or no more correctly than incorrectly, earns nothing unless it is the answer."""
    one = asked(code, tree, points=8, policy=read_policy("keep:1/2"))
    assert mark(one, reply).points == points
    assert "An incorrect answer scores 0 if it" in one.public.prompt


HALF_PRUNED = "MAX A (MIN B (5 6) MIN C (1 2 3 4))"
MORE_PRUNED = "MAX A (MIN B (5 6) MIN C (1 2 3 4 7))"
UNKNOWN = "MAX A (MIN B (3 12) MIN C (x 4))"
"""A tree in which the move to C is best for x >= 3."""


@pytest.mark.parametrize(
    ("code", "tree", "policy", "reply", "told"),
    [
        ("visiting-order", TEXTBOOK, "exact", "1 2 3 4 7", "Only a complete and correct answer"),
        ("visiting-order", TEXTBOOK, "keep:1/2", "1 2 3 4 7 8", "Incorrect items: 0. Missing items: 1."),
        ("visiting-order", TEXTBOOK, "keep:1/2", "1-9", "Listing everything earns nothing."),
        ("visiting-order", TEXTBOOK, "keep:1/2", "9 8 7 6 5 4 3 2 1", "incorrect leaves are 0 and 8."),
        ("visiting-order", "MAX A (MIN B (3 5) MIN C (4 2 1))", "keep:1/2", "1-5", "leaves are 1 and 1."),
        ("visiting-order", "MAX A (MIN B (3 5) MIN C (2 4))", "net", "1 2", "Only a complete and correct"),
        ("visiting-order", "MAX A (MIN B (3 5) MIN C (2 4))", "keep:1/2", "1 2", "leaves are 0 and 0."),
        ("pruned-paths", TEXTBOOK, "net", "5 6 7", "incorrect items is 2 − 1 = 1, out of 2."),
        ("pruned-paths", HALF_PRUNED, "each", "4", "Listing none would get 3 correct. Beyond that, 1"),
        ("pruned-paths", HALF_PRUNED, "each", "1 4", "Listing none would get 3 correct, which is at least"),
        ("pruned-paths", MORE_PRUNED, "each", "4 5 6", "Listing all would get 4 correct. Beyond that, 2"),
        ("pruned-paths", MORE_PRUNED, "each", "1 4", "Listing all would get 4 correct, which is at least"),
        ("unknown-leaf.chosen", UNKNOWN, "limits", "x > 3", "The endpoints are correct, but"),
        ("unknown-leaf.chosen", UNKNOWN, "limits", "x > 2", "correct endpoints alone earn half"),
        ("unknown-leaf.chosen", UNKNOWN, "exact", "x > 3", "Only a complete and correct answer"),
    ],
)
def test_points_are_explained_by_the_rule_they_come_from(
    code: str, tree: str, policy: str, reply: str, told: str
) -> None:
    """The sentence that explains the points of a mark states the rule by which the policy gave them."""
    given = {"node": "C"} if tree == UNKNOWN else None
    one = asked(code, tree, points=8, policy=read_policy(policy), given=given)
    assert told in credit_explanation(one, mark(one, reply), str)


@pytest.mark.parametrize(
    ("children", "first", "told"),
    [
        (
            ["MIN B", "C", "D"],
            4,
            "Half the points are for the MIN nodes and half for the leaves.",
        ),
        (
            ["MAX B", "C", "D"],
            4,
            "Half the points are for the MAX nodes and half for the leaves.",
        ),
        (["MIN B", "MAX C", "D"], Fraction(8, 3), "One third of the points"),
        (["B", "C", "D"], Fraction(8, 3), "All entries are worth the same number of points."),
    ],
)
def test_leaves_have_a_share_of_their_own(children: list[str], first: Number, told: str) -> None:
    """Where scores of leaves and of inner nodes are asked for, the question states the share of each."""
    nodes = (
        f"{child} {{n=4, w=2}} (X{place}=1/2 {{n=4, w=2}})" if " " in child else f"{child}=1/2 {{n=4, w=2}}"
        for place, child in enumerate(children)
    )
    tree = f"MAX A {{n=12, w=6}} ({' '.join(nodes)})"
    one = asked("uct.scores", tree, given={"wins": "mover"}, points=8, policy=Policy("players"))
    assert told in one.public.prompt
    earned = mark(one, one.key.split()[0])
    assert earned.points == first
    tally = credit_explanation(one, earned, str)
    assert ("at leaves (worth" in tally) == ("for the leaves" in told or "third" in told)


@pytest.mark.parametrize(
    ("tree", "told"),
    [
        ("CHANCE A (1 2 3)", ""),
        ("CHANCE A (MAX B (1 2) 3)", "MAX plays optimally."),
        ("CHANCE A (MAX B (1 2) MIN C (3 4))", "Both players play optimally."),
    ],
)
def test_only_players_who_move_play_optimally(tree: str, told: str) -> None:
    """A question says of the players in its tree that they play optimally, and of no others."""
    conventions = asked("expected-values", tree).public.wording.conventions
    assert all(conventions)
    assert [each for each in conventions if "optimally" in each] == [told] * bool(told)


def test_a_single_entry_is_not_told_of_other_entries() -> None:
    """The rule of entries that are consistent with others is stated where several are asked for."""
    one, two = asked_about("windows", "C"), asked_about("windows", "B", "C")
    assert "consistent with your own mistakes" not in one.public.prompt
    assert "consistent with your own mistakes" in two.public.prompt
    reply = "C [3, inf] -> 2; B [-inf, 3] -> 3"
    assert mark(one, reply).points == mark(one, reply).follow_through == 0


def test_the_paper_says_which_policy_counts() -> None:
    """A question says how its entries are credited, and a policy for sets is none for tables."""
    said = {policy: asked("node-values", policy=read_policy(policy)).public for policy in ("players", "net")}
    assert said["players"] == said["net"]
    assert "Half the points are for" in said["net"].prompt
    assert (
        "All entries are worth the same number of points."
        in asked("node-values", policy=read_policy("entries")).public.prompt
    )
    whole = asked("node-values", policy=read_policy("exact")).public.prompt
    assert "Only a complete and correct answer earns points." in whole
    assert "follows" not in whole


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(28, 9), "3.11"), (Fraction(1, 200), "0.01"), (4, "4"), (Fraction(-1, 8), "−0.13")],
)
def test_points_have_at_most_two_decimals_for_people(value: Number, text: str) -> None:
    """Points are exact in records, and rounded where people read them."""
    assert ENGLISH.points(value) == text


def test_one_number_everywhere_follows_from_nothing() -> None:
    """Who knows the value of the root and copies it earns what is right by itself."""
    exercise = asked("node-values", "MAX A (MIN B (MAX D (1 4) MAX E (6 5)) MIN C (MAX F (2 3) MAX G (9 8)))")
    copied = mark(exercise, "4, 4, 4, 4, 4, 4, 4")
    assert exercise.key == "A=4 B=4 C=3 D=4 E=6 F=3 G=9"
    assert copied.follow_through == 0
    slips = ("A=4 B=4 C=4 D=4 E=6 F=4 G=9", "A=4 B=4 C=9 D=4 E=6 F=9 G=9")  # also one that makes two alike
    for worked in slips:
        items = mark(exercise, worked).items
        assert [item.verdict for item in items if item.reply.startswith("C")] == ["follows"]


def test_a_complete_strategy_is_not_one_that_names_a_single_line() -> None:
    """However wrong it is beside that line: the note would say what is not so."""
    answers = "MAX B (MIN D (5 -6) MIN E (-1 12) MIN F (7 6)) MAX C (MIN G (1 11) MIN H (14 3) MIN J (2 9))"
    exercise = asked("strategy.answers", f"MIN A ({answers})")
    line = exercise.beliefs["strategy.answers.one-line-only"]
    assert (exercise.key, line) == ("B->F, C->H", "C->H")
    told = [note.code for note in mark(exercise, line).notes]
    assert "strategy.answers.one-line-only" in told
    assert "strategy.answers.one-line-only" not in [note.code for note in mark(exercise, "B->D, C->H").notes]


def test_windows_follow_through() -> None:
    """A wrong value returned at B moves the windows of C and D with it, and that is credited."""
    exercise = asked("windows", points=4)
    slip = mark(exercise, "A [-inf, inf] -> 8; B [-inf, inf] -> 8; C [8, inf] -> 2; D [8, inf] -> 5")
    assert [item.verdict for item in slip.items] == ["follows", "partly", "follows", "follows"]
    assert (slip.points, slip.follow_through) == (2, 1)


def test_windows_that_follow_count_among_those_asked_about() -> None:
    """Where two of four nodes are asked about, an entry that follows is worth half of the mark."""
    exercise = asked("windows", given={"nodes": ["B", "C"]}, points=4)
    slip = mark(exercise, "B [-inf, inf] -> 8; C [8, inf] -> 2")
    assert [item.verdict for item in slip.items] == ["partly", "follows"]
    assert (slip.points, slip.follow_through) == (2, 1)


def test_a_belief_is_named_when_its_answer_is_given() -> None:
    """Crossing out only the second of two leaves is what someone who cuts one child late would do."""
    marked = mark(asked("pruned-paths"), "6")
    assert marked.notes == (Note("pruned-paths.one-late", "equal"),)


def test_beliefs_that_cannot_be_told_apart_are_all_named() -> None:
    """A reply that fits several misconceptions gets the notes of all, each with its explanation."""
    exercise = asked("pruned-paths")
    marked = mark(exercise, "none")
    assert len(marked.notes) > 1
    assert len(set(Feedback(exercise).diagnosis(marked))) == len(marked.notes)


def test_a_belief_is_named_when_it_is_much_nearer_than_the_key() -> None:
    """One slip in the answer of a right-to-left search still shows the right-to-left search."""
    tree = "MAX A (MIN B (9 9 9 9) MIN C (8 1 2 3) MIN D (9 7 5 6) MIN E (7 9 9 9))"
    exercise = asked("pruned-paths", tree)
    believed = exercise.beliefs["pruned-paths.players-swapped"].split()
    notes = mark(exercise, " ".join(believed[1:])).notes
    assert Note("pruned-paths.players-swapped", "nearest") in notes


@pytest.mark.parametrize(
    ("kind", "text", "reply", "points"),
    [
        ("pruned-paths", TEXTBOOK, "6 4", 0),
        ("pruned-paths", TEXTBOOK, "4, 4, 6", 0),
        ("pruned-paths", "MAX (MIN (2 3) MIN (1 1 1))", "1", 0),  # two leaves with one payoff
        ("pruned-branches", TEXTBOOK, "4 6", 0),
        ("best-path", TEXTBOOK, "3", 0),
        (
            "visiting-order",
            "MAX (MIN (1 3) MIN (1 9))",
            "1 3 1",
            0,
        ),  # who looks at leaf 1 first knows nothing yet
        ("pruned-paths", TEXTBOOK, "2 5", 0),  # what players-swapped prunes, by its payoffs
    ],
)
def test_payoffs_for_path_numbers_are_noticed(kind: str, text: str, reply: str, points: Number) -> None:
    """Leaves of an answer that are named by their payoffs get a note of their own, and no other points."""
    exercise = asked(kind, text, points=4)
    marked = mark(exercise, reply)
    note = Note(f"{kind}.payoffs-for-paths", "equal")
    assert note in marked.notes
    assert marked.points == points
    assert "leaf numbers" in Feedback(exercise).diagnosis(marked)[marked.notes.index(note)]


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        (TEXTBOOK, "5 6"),
        (TEXTBOOK, "4"),
        ("MAX A (MIN B (a=3 b=12 c=8) MIN C (d=2 e=4 f=6) MIN D (g=14 h=5 i=2))", "d f"),
        (TEXTBOOK, "MAX A (MIN B (3 12 8) MIN C (~2 4 ~6) MIN D (14 5 2))"),
        (TEXTBOOK.replace("6", "7"), "7"),  # one payoff of what one-late prunes
    ],
)
def test_other_numbers_are_not_taken_for_payoffs(text: str, reply: str) -> None:
    """What is right, half of the payoffs, names, crosses, or one number of a belief is no such mistake."""
    assert not [note for note in mark(asked("pruned-paths", text), reply).notes if "payoffs" in note.code]


def test_payoffs_are_no_reason_where_a_belief_is_one() -> None:
    """A reply that is the answer of one belief is not also put down to the payoffs of another one's."""
    beliefs = {"pruned-paths.one-late": "2 5", "pruned-paths.players-swapped": "8 9"}  # with payoffs 5 and 2
    alone = replace(asked("pruned-paths"), beliefs={"pruned-paths.players-swapped": "8 9"})
    assert [note.code for note in mark(alone, "2 5").notes] == ["pruned-paths.payoffs-for-paths"]
    assert [note.code for note in mark(replace(alone, beliefs=beliefs), "2 5").notes] == [*beliefs][:1]


@pytest.mark.parametrize(
    ("reply", "said", "hint"),
    [
        ("12", "'12' is not a leaf number", "the leaf with the payoff 12 has the leaf number 2"),
        ("14 12", "'14' is not a leaf number", "the leaf with the payoff 14 has the leaf number 7"),
        ("-5.", "'-5' is not a leaf number", "the leaves with the payoff −5 have the leaf numbers 4 and 9"),
        ("2.5", "'2.5' is not a leaf number", "the leaf with the payoff 2.5 has the leaf number 6"),
        ("11", "'11' is not a leaf number", "counted from 1 at the left)"),
        ("-6", "'-' is not expected here", ""),
    ],
)
@pytest.mark.parametrize("kind", ["pruned-paths", "pruned-branches", "best-path", "visiting-order"])
def test_a_payoff_that_is_no_path_number_is_told(kind: str, reply: str, said: str, hint: str) -> None:
    """A number that no path has and a leaf shows cannot be read, and the message says which path it is."""
    marked = mark(asked(kind, "MAX A (MIN B (3 12 8) MIN C (-5 4 2.5) MIN D (14 5 -5))"), reply)
    assert marked.state is State.UNPARSEABLE
    assert said in marked.message
    assert hint in marked.message


def test_a_reply_far_from_everything_gets_no_note() -> None:
    """A small answer is not put down to a belief whose answer is `none` just because both are small."""
    assert mark(asked("pruned-branches"), "B").notes == ()


def test_no_belief_is_near_where_many_answers_are_right() -> None:
    """A strategy that does not reach its value is put down to a belief only if it is the belief's whole."""
    tree = "MAX A (MIN B (MAX E (4 5) MAX F (4 6) MAX G (4 7)) MIN C (MAX H (1 2) 3))"
    exercise = asked("strategy.optimal", tree)
    assert exercise.key == "A->B, E->2, F->4, G->6"
    code, believed = "strategy.optimal.players-swapped", "A->B, E->1, F->3, G->5"
    exercise = replace(exercise, beliefs={code: believed})
    assert mark(exercise, believed).notes == (Note(code, "equal"),)
    assert mark(exercise, "A->B, E->1, F->3, G->6").notes == ()


def test_an_empty_answer_is_near_to_nothing() -> None:
    """`none` is not put down to a belief whose answer is small, though the two differ in one leaf only."""
    exercise = asked("pruned-paths", "MAX A (MIN B (9 5) MIN C (1 7 7 7) MIN D (6 6))")
    assert exercise.beliefs["pruned-paths.right-to-left"] == "1"
    assert all(note.match == "equal" for note in mark(exercise, "none").notes)


def test_the_other_tie_rule_is_noticed() -> None:
    """On a tree with a tie, the answer under the other tie rule gets the note that says so."""
    tie = "MAX (MIN (3 5) MIN (3 9))"
    kept = mark(asked("pruned-paths", tie), "none")
    assert Note("pruned-paths.ties-kept", "equal") in kept.notes
    cut = mark(asked("pruned-paths", tie, Rules(ties="keep")), "4")
    assert Note("pruned-paths.ties-cut", "equal") in cut.notes


def test_blank_none_and_unreadable_are_three_things() -> None:
    """An empty sheet, the answer `none` and a riddle end in three different states."""
    exercise = asked("pruned-paths", "MAX (MIN (3 5) MIN (7 9))")
    states = [mark(exercise, text).state for text in ("", "none", "?!")]
    assert states == [State.BLANK, State.GRADED, State.UNPARSEABLE]
    assert mark(exercise, "none").points == 1
    wrong = mark(replace(asked("pruned-paths"), beliefs={}), "none")
    assert (wrong.state, wrong.points) == (State.GRADED, 0)  # also where no mistake leads to it


@pytest.mark.parametrize(
    ("kind", "reply", "state", "message", "understood"),
    [
        ("pruned-paths", "5 =", State.UNPARSEABLE, "'=' is not expected here", "5"),
        ("root-value", "none", State.UNPARSEABLE, "there is no number here", ""),
        ("windows", "none", State.UNPARSEABLE, "the answer does not name any node", ""),
        (
            "pruned-paths",
            "5 \ud800",
            State.UNPARSEABLE,
            "there is a control character here (type it again)",
            "",
        ),
        (
            "pruned-paths",
            "5 6 ?",
            State.AMBIGUOUS,
            "a question mark makes it unclear whether this is part of the answer: 5 6 or 5",
            "",
        ),
    ],
)
def test_what_cannot_be_marked_says_why(
    kind: str, reply: str, state: State, message: str, understood: str
) -> None:
    """The message has the hint where there is one, and what was understood before the fault is kept."""
    marked = mark(asked(kind), reply)
    assert (marked.state, marked.message, marked.understood) == (state, message, understood)
    assert marked.points is None


@pytest.mark.parametrize("kind", ["node-values", "windows", "pruned-paths", "pruned-branches", "best-move"])
@pytest.mark.parametrize("reply", [*NO_ANSWERS, *STROKES])
def test_a_sign_for_no_answer_is_a_blank(kind: str, reply: str) -> None:
    """It is no wrong answer; a stroke is left to a person where it may mean that the answer is `none`."""
    may_be_none = kind in ("windows", "pruned-paths", "pruned-branches")
    is_for_a_person = reply in STROKES and may_be_none
    assert mark(asked(kind), reply).state is (State.UNPARSEABLE if is_for_a_person else State.BLANK)
    assert mark(asked(kind), f"{reply} ...").state is not State.GRADED


def test_none_is_no_answer_where_entries_are_asked_for() -> None:
    """A sheet of windows that says none goes to a person, unless no node that is asked about is entered."""
    assert mark(asked("windows"), "none").state == State.UNPARSEABLE
    exercise = asked("windows", "MAX A (MIN B (3 12) MIN C (2 MAX D (4 6)))", given={"nodes": ["D"]})
    assert (exercise.key, mark(exercise, "none").points) == ("none", 1)


@pytest.mark.parametrize(
    ("code", "reply"),
    [
        ("en", "I don’t know."),
        ("en", "no idea"),
        ("de", "Weiß nicht!"),
        ("de", "keine Ahnung"),
        ("fr", "Je ne sais pas."),
        ("es", "No lo sé"),
        ("it", "Non lo so"),
        ("pt", "não sei"),
        ("zh", "不知道"),
        ("en", "no answer"),
        ("en", "n/a"),
        ("de", "Keine Antwort"),
        ("es", "ninguna respuesta"),
        ("fr", "Aucune réponse"),
        ("it", "nessuna risposta"),
        ("pt", "nenhuma resposta"),
        ("zh", "没有答案"),
    ],
)
def test_who_says_that_nothing_is_known_gave_no_answer(code: str, reply: str) -> None:
    """In every language that is a blank, whatever is asked, also on a paper in another language."""
    kinds = ("root-value", "best-move", "node-values", "pruned-paths", "pruned-branches", "windows")
    exercises = [asked(kind, language_code=language) for kind in kinds for language in (code, "en")]
    exercises += [grow(default_recipe(kind), 1) for kind in ("true-false.pruning", "unknown-leaf.pruned")]
    assert {mark(exercise, reply).state for exercise in exercises} == {State.BLANK}
    assert mark(exercises[0], f"{reply} 3 4").state is not State.BLANK


@pytest.mark.parametrize("reply", ["n/a (no time left)", "No answer, because I had no time", "no answer"])
def test_no_answer_does_not_deny_a_statement(reply: str) -> None:
    """`no` and `n` in it are not what a student holds of the statement, in whatever words it goes on."""
    for seed in range(6):
        assert mark(grow(default_recipe("true-false.pruning"), seed), reply).points is None


@pytest.mark.parametrize(
    ("code", "reply"),
    [
        *(("en", "minus one"), ("de", "minus eins"), ("fr", "moins un"), ("es", "menos uno")),
        *(("it", "meno uno"), ("pt", "menos um"), ("zh", "负一")),
    ],
)
def test_a_loss_may_be_told_in_words(code: str, reply: str) -> None:
    """The value of a game that is lost is a word in every language."""
    exercise = asked("root-value", "MAX A (MIN B (-1 3) MIN C (-2 4))", language_code=code)
    assert mark(exercise, reply).points == 1


def test_the_line_of_a_fault_is_told_where_there_are_several() -> None:
    """In a reply of one line it would say nothing."""
    exercise = asked("pruned-paths")
    assert mark(exercise, "5 6\nzzz").message.startswith("line 2: ")
    assert "line" not in mark(exercise, "5 6 zzz\n").message


@pytest.mark.parametrize("strange", [(asked("root-value"), 3), ("3", asked("root-value")), (None, None)])
def test_what_is_no_exercise_or_no_text_is_refused(strange: tuple[Any, Any]) -> None:
    """The message says what is taken, and names what was given instead."""
    with pytest.raises(TypeError, match=r"an exercise and then the text of a reply, not \w+ and \w+"):
        mark(*strange)


def test_names_that_say_that_nothing_is_known_are_names() -> None:
    """In German `k. A.` stands for no answer; where K and A are pruned, it is the answer."""
    tree = "MAX R (MIN B (3 12) MIN C (2 MAX K (4 6) MAX A (1 5)))"
    assert mark(asked("pruned-branches", tree, language_code="de"), "K A").points == 1
    assert mark(asked("pruned-branches", language_code="de"), "K. A.").state is State.BLANK
    move = asked("best-move", "MAX R (MIN ka (3 12) MIN C (2 4))", language_code="de")
    assert mark(move, "ka").points == 1


def test_only_nodes_that_are_asked_about_count() -> None:
    """Blanks are those of the nodes asked about; an entry for another costs nothing, a stray one does."""
    tree, given = "MAX A (MIN B (3 12) MIN C (2 MAX D (4 6)))", {"nodes": ["C", "D"]}
    exercise = asked("windows", tree, given=given, points=4)
    assert exercise.key == "C [3, inf] -> 2"
    labels = [blank.label for blank in exercise.blanks.blanks]
    assert [label.split(",")[0] for label in labels] == ["C"] * 3 + ["D"] * 3
    assert mark(exercise, f"B [-inf, 5] -> 9; {exercise.key}").points == 4
    assert mark(exercise, f"{exercise.key}; D [3, 2] -> 4").points == 2


@pytest.mark.parametrize(
    "kind",
    [kind for kind in all_kinds() if not kind.needs_tree and kind.form.name in ("number", "count")],
    ids=lambda kind: kind.code,
)
def test_words_are_read_where_there_is_no_tree(kind: AnyKind) -> None:
    """A number may be written as a word, and the root only where there is one: it is read as its value."""
    exercise = asked_of(kind, EMPTY, Rules())
    assert mark(exercise, "three").understood == mark(exercise, "3").understood == "3"
    state = State.GRADED if exercise.public.tree.names else State.UNPARSEABLE
    assert {mark(exercise, said).state for said in ("root", "the root")} == {state}


@pytest.mark.parametrize(
    ("kind", "drawn", "said"),
    [
        ("node-values", "MAX A=3 (MIN B=3 (3 12 8) MIN C=2 (2 4 6) MIN D=5 (14 5 2))", "A=3 B=3 C=2 D=5"),
        ("pruned-paths", "MAX A (MIN B (3 12 8) MIN C (2 ~4 ~6) MIN D (14 5 2))", "5 6"),
        ("root-value", "MAX A=3 (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))", "3"),
    ],
)
def test_a_drawing_is_marked_as_the_answer_that_is_drawn(kind: str, drawn: str, said: str) -> None:
    """The question's tree with the answer drawn on it gets the mark of the answer in words."""
    exercise = asked(kind)
    assert mark(exercise, drawn) == mark(exercise, said)
    assert mark(exercise, drawn.replace("14", "15")).state is State.UNPARSEABLE


@pytest.mark.parametrize("kind", ["pruned-paths", "pruned-branches"])
def test_values_without_crosses_are_ambiguous(kind: str) -> None:
    """Asked for what is pruned, a drawing with values and no crosses is for a person to decide."""
    tree = "MAX A=3 (MIN B=1 (1 2) MIN C=3 (3 4))"
    marked = mark(asked(kind, tree), tree)
    assert (marked.state, marked.points) == (State.AMBIGUOUS, None)
    assert "no crosses" in marked.message


@pytest.mark.parametrize("kind", ["pruned-paths", "pruned-branches", "node-values", "root-value"])
def test_a_copied_tree_is_asked_about(kind: str) -> None:
    """A tree without any mark may mean that nothing is pruned: it is no empty reply, and a person decides."""
    tree = "MAX A (MIN B (1 2) MIN C (3 4))"
    marked = mark(asked(kind, tree), tree)
    assert (marked.state, marked.points) == (State.AMBIGUOUS, None)
    assert "without any value or cross" in marked.message


@pytest.mark.parametrize("language", [ENGLISH, Language(comma=True)])
def test_infinities_are_printed_as_signs(language: Language) -> None:
    """What people read of a window has `−∞` and `∞`, which read back; names and words keep their letters."""
    exercise = asked("windows")
    assert "[−∞, ∞]" in exercise.public.prompt
    assert "inf" not in exercise.printed_key
    assert mark(exercise, exercise.printed_key).points == 1
    between = language.number_separator
    assert language.reply('"inf" [-inf, 3] -> inf; info') == f'"inf" [−∞{between}3] -> ∞; info'
    assert language.number(-INFINITY) == "−∞"


def test_a_marker_remembers_so_many_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A marker remembers as many replies as it may, none that is too long, and marks the rest anew."""
    monkeypatch.setattr("grader.exercises.marking.MAX_CACHED_REPLIES", 2)
    marker = Marker(asked("pruned-paths"))
    longest, too_long = " " * MAX_REPLY_BYTES, " " * (MAX_REPLY_BYTES + 1)
    for reply, remembered in ((too_long, False), (longest, True), ("5", True), ("6", False)):
        first = marker.mark_with_answer(reply)
        assert marker.mark_with_answer(reply) == first
        assert (marker.mark_with_answer(reply) is first) == remembered


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        ("5" + " " * (MAX_REPLY_BYTES - 1), State.GRADED),
        ("5" + " " * MAX_REPLY_BYTES, State.UNPARSEABLE),
        ("5" + "\u3000" * (MAX_REPLY_BYTES // 3), State.GRADED),
        ("5" + "\u3000" * (MAX_REPLY_BYTES // 3 + 1), State.UNPARSEABLE),
    ],
)
def test_a_reply_is_as_long_as_its_bytes(reply: str, state: State) -> None:
    """A reply may have 64 KB, whatever its characters; a longer one is told so and is not read."""
    marked = mark(asked("pruned-paths"), reply)
    assert marked.state is state
    assert (marked.message == "the answer is longer than 64 KB") == (state is State.UNPARSEABLE)


def test_a_right_reply_has_no_note() -> None:
    """Where a belief leads to the right answer, the answer is right and nobody is told of the belief."""
    exercise = replace(asked("pruned-paths"), beliefs={"pruned-paths.one-late": "5 6"})
    assert mark(exercise, "5 6").notes == ()


@pytest.mark.parametrize("reply", ["", "5", "6", "5 9", "5-6-9", "B, ü?", "1/3"])
def test_a_mark_is_written_in_ascii_and_reads_back(reply: str) -> None:
    """A mark of any state is written as text of ASCII, from which it reads back."""
    for kind in ("pruned-paths", "node-values", "root-value"):
        marked = Marker(asked(kind, points=Fraction(5, 3))).mark_with_answer(reply)
        assert marked.content.isascii()
        assert read_mark(marked.content) == marked.mark


def test_feedback_says_which_comparison_decides() -> None:
    """A missed leaf is explained by the node, the value found and the bound met; its twin by a reference."""
    exercise = asked("pruned-paths")
    first, second = Feedback(exercise).sentences(mark(exercise, "none"))
    assert "The value of MIN C so far is 2" in first
    assert "2 ≤ alpha = 3" in first
    assert second == "Leaf 6 is pruned. The reason is the same as above."


def test_feedback_on_the_best_move_shows_the_choice() -> None:
    """A wrong move is explained by the values the root chooses from."""
    exercise = asked("best-move")
    (sentence,) = filter(None, Feedback(exercise).sentences(mark(exercise, "C")))
    assert sentence == "MAX takes the largest of 3, 2 and 2. So the move at MAX A is to MIN B."


def test_several_moves_where_one_is_asked_for() -> None:
    """A worse move beside the best one is asked about; all moves earn nothing, and the feedback says why."""
    exercise = asked("best-move")
    assert Marker(exercise).mark("B, C").state is State.AMBIGUOUS
    mark = Marker(exercise).mark("B, C, D")
    assert mark.points == 0
    assert any("asks for one answer, but 3 are given" in text for text in Feedback(exercise).sentences(mark))


def test_remarks_say_one_reason_once() -> None:
    """Leaves lost to the same cut share one remark, which names them all."""
    exercise = asked("pruned-paths")
    missing, extra = Feedback(exercise).remarks(mark(exercise, "1"))[-1], mark(exercise, "1").items[0]
    assert (missing.verdict, [item.right for item in missing.items]) == ("missing", ["5", "6"])
    assert missing.text.startswith("Leaves 5 and 6 are pruned. The value of MIN C so far is 2.")
    assert extra.verdict == "extra"


def test_an_order_is_explained_where_it_first_goes_wrong() -> None:
    """Feedback on an order says why the first wrong leaf is not looked at, and which one is; once."""
    exercise = asked("visiting-order", policy=read_policy("net"))
    right, wrong = Feedback(exercise).remarks(mark(exercise, "1 2 3 4 5 7 8"))
    assert [item.reply for item in right.items] == ["1", "2", "3", "4"]
    assert wrong.text.startswith("Leaf 5 is pruned. The value of MIN C so far is 2.")
    assert wrong.text.endswith("so MIN C will never be chosen. The next leaf to be visited is leaf 7.")


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("1 2 3 4 5 7 8 9", "Leaf 5 is pruned."),
        ("1 2 3 4 7 9", "Leaf 8 is visited. MAX can already get 3"),
        ("1 2 3 4 7 9 8", "Leaf 9 is visited immediately after leaf 8."),
        ("2 3 4 1 7 8 9", "The search visits leaf 1 first."),
        ("1 2 3 4 7 8 7 9", "The search visits no leaf twice."),
    ],
)
def test_an_order_is_explained_edit_by_edit(reply: str, told: str) -> None:
    """By `keep` feedback says of every leaf to delete, insert or move why, and one edit halves the points."""
    exercise = asked("visiting-order", points=4, policy=read_policy("keep:1/2"))
    marked = mark(exercise, reply)
    (remark,) = (each for each in Feedback(exercise).remarks(marked) if each.verdict != "right")
    assert remark.text.startswith(told)
    assert marked.points == 2


def test_a_branch_inside_a_cut_branch_is_told_so() -> None:
    """Who names a node inside a pruned subtree, not its top, is told which branch was cut as a whole."""
    exercise = asked("pruned-branches", "MAX A (MIN B (5 6) MIN C (2 MAX D (7 8)))")
    remarks = Feedback(exercise).remarks(mark(exercise, "4"))
    told = [remark.text for remark in remarks]
    assert "Leaf 4 is pruned. It is below MAX D, which is pruned as a whole." in told


def test_leaves_that_are_a_whole_branch_count_as_the_branch() -> None:
    """Who writes a pruned subtree leaf by leaf earns the branch, and is told to name its topmost node."""
    exercise = asked("pruned-branches", "MAX A (MIN B (5 6) MIN C (2 MAX D (7 8)))")
    marked = mark(exercise, "4 5")
    assert marked.points == 1
    (sentence,) = Feedback(exercise).sentences(marked)
    assert sentence == "Correct, but MAX D alone is enough: give only the topmost node of a pruned subtree."


DEEP = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 MAX E (5 1) 4))"


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (
            "D [3, inf] -> 5",
            "The window is correct. MIN D returns 4. MIN takes the smallest of 14, 5 and 4.",
        ),
        (
            "C [3, inf] -> 3",
            "The window is correct. MIN C returns 2. Its first child returns 2. Then a cutoff occurs.",
        ),
        (
            "E [3, inf] -> 5",
            "The value returned is correct. The window passed to MAX E is [3, 14]. "
            "MAX can already get 3 at the root by choosing MIN B. "
            "MIN can already hold MAX to 14 at MIN D by choosing leaf 7. "
            "MAX E could still lower the value of MIN D from 14 to a value in the open interval (3, 14).",
        ),
    ],
)
def test_feedback_on_a_window_derives_what_is_wrong(entry: str, text: str) -> None:
    """A wrong value is derived from the children, a wrong window from who stands behind it; not both."""
    exercise = asked("windows", DEEP)
    marked = mark(exercise, entry)
    assert text in Feedback(exercise).sentences(marked)


def test_a_window_at_a_leaf_is_one_too_many() -> None:
    """A window that a student writes at a leaf, where none is asked, is answered like any other."""
    exercise = asked("windows")
    marked = mark(exercise, "B [-inf, inf] -> 3, 1 [-inf, inf] -> 3")
    assert marked.state is State.GRADED
    assert any("Leaf 1" in sentence for sentence in Feedback(exercise).sentences(marked))


def test_a_fail_hard_sheet_is_noticed() -> None:
    """On a fail-soft question, windows that are consistently fail-hard get the note that says so."""
    exercise = asked("windows", DEEP)
    code = "windows.returns-hard"
    assert "C [3, inf] -> 3" in exercise.beliefs[code]
    assert Note(code, "equal") in mark(exercise, exercise.beliefs[code]).notes
    assert "windows.returns-soft" in asked("windows", DEEP, Rules(returns="hard")).beliefs


def test_feedback_on_the_value_tells_the_choices_down_the_best_line() -> None:
    """A wrong value of the game is answered with every choice on the line of best play, with names."""
    exercise = asked("root-value", DEEP)
    (sentence,) = Feedback(exercise).sentences(mark(exercise, "14"))
    assert sentence == (
        "MAX A is worth 4. At MAX A, the best move is to MIN D, worth 4, rather than to MIN B "
        "with 3 and MIN C with 2. "
        "At MIN D, the best move is to leaf 10, worth 4, rather than to leaf 7 with 14 and MAX E with 5."
    )


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("net", "Each incorrect leaf cancels one correct leaf; the score is never negative"),
        (
            "keep:1/2",
            (
                "Each missing or incorrect leaf halves your points. "
                "An incorrect answer scores 0 if it lists every leaf or does not list more correct than "
                "incorrect leaves."
            ),
        ),
        ("keep:3/5", "Each missing or incorrect leaf multiplies your points by 3/5."),
        ("exact", "Only a complete answer earns points"),
        ("each", "only by exceeding the better of two guesses: listing every leaf or listing none"),
        ("deduct:1/2", "costs 0.5 points; the score is never negative"),
        ("deduct:1", "costs 1 point; the score is never negative"),
        ("deduct:2", "costs 2 points; the score is never negative"),
    ],
)
def test_a_question_says_how_a_set_is_marked(policy: str, words: str) -> None:
    """The prompt states the policy by which a set is credited, in plain words."""
    assert words in asked("pruned-paths", points=4, policy=read_policy(policy)).public.prompt


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("net", "cancels at least one correct selection"),
        ("keep:1/2", "costs at least half of the points"),
        ("keep:3/5", "costs at least 2/5 of the points"),
        ("deduct:1", "costs at least 1 point;"),
        ("deduct:2", "costs at least 2 points;"),
    ],
)
def test_a_platform_says_what_an_incorrect_tick_costs(policy: str, words: str) -> None:
    """Where a platform adds up ticks, the rule next to them says what an incorrect one costs."""
    assert words in asked("pruned-paths", points=4, policy=read_policy(policy)).blanks.counting_rule


@pytest.mark.parametrize(
    ("key", "believed", "reply", "told"),
    [
        ("none", "1 2 3 4 5 6", "1 2 3 4 5", True),
        ("none", "1 2 3 4 5 6", "1 2 3 4", True),  # 2 of 6 away: twice as near to the belief as to the key
        ("none", "1 2 3 4 5 6", "1 2 3", False),
        ("none", "1 2 3 4 5", "1 2 3 4", True),
        ("none", "1 2 3 4 5", "1 2 3", False),  # 2 of 5 away
        ("3 4 5 6", "1 2", "1", True),  # half of what the belief prunes
        ("4 5 6 7 8 9", "1 2 3", "1 2", True),
        ("4 5 6 7 8 9", "1 2 3", "1", False),  # a third
        ("4 5 6 7 8 9", "1 2 3", "1 2 4", False),  # what is wrong is taken off
        ("3 4 5 6 7 8", "1 2", "none", False),
    ],
)
@pytest.mark.parametrize("policy", ["net", "exact", "deduct:1"])
def test_a_belief_is_told_from_a_third_and_a_half_on(
    key: str, believed: str, reply: str, policy: str, *, told: bool
) -> None:
    """A near reply is at most a third as far away as the key, and has half of the belief, at any policy."""
    code = "pruned-paths.players-swapped"
    exercise = replace(
        asked("pruned-paths", points=4, policy=read_policy(policy)), key=key, beliefs={code: believed}
    )
    assert mark(exercise, reply).notes == ((Note(code, "nearest"),) if told else ())


def test_the_nearest_beliefs_are_told() -> None:
    """Of several beliefs that are near enough the nearest ones are told, all that are equally near."""
    beliefs = {
        "pruned-paths.one-late": "1 2 3 4 5 6 7",
        "pruned-paths.players-swapped": "1 2 3 4 5 6",
        "pruned-paths.other-order": "1 2 3 4 6 7",
    }
    exercise = replace(asked("pruned-paths"), key="none", beliefs=beliefs)
    assert [note.code for note in mark(exercise, "1 2 3 4 5").notes] == ["pruned-paths.players-swapped"]
    assert [note.code for note in mark(exercise, "1 2 3 4 7").notes] == ["pruned-paths.other-order"]
    assert [note.code for note in mark(exercise, "1 2 3 4").notes] == list(beliefs)[1:]


def test_what_is_no_exercise_is_no_riddle() -> None:
    """What is no recipe, solution or text is refused in a sentence."""
    exercise = grow(default_recipe("root-value"), 1)
    with pytest.raises(TypeError, match="this is not a recipe"):
        grow("root-value", 1)  # type: ignore[arg-type]  # that is the mistake
    with pytest.raises(TypeError, match="this is not a solution, such as solve gives: Tree"):
        explain(exercise.public.tree)  # type: ignore[arg-type]  # that is the mistake
    with pytest.raises(TypeError, match="not from int"):
        read_tree(3)  # type: ignore[arg-type]  # that is the mistake


@pytest.mark.parametrize(
    ("kind", "text", "rounded", "may_be_rounded"),
    [
        ("unknown-leaf.pruned", "MAX A (7/3 MIN B (x 1))", "x <= 2.33", True),
        ("unknown-leaf.pruned", "MAX A (5/4 MIN B (x 1))", "x <= 1.3", False),
        ("unknown-leaf.pruned", "MAX A (3 MIN B (x 1))", "x <= 3.01", False),
        ("root-value", "MAX A (MIN B (7/3 4) MIN C (2 4 6))", "2.33", True),
        ("root-value", "MAX A (MIN B (3 4) MIN C (2 4 6))", "3.01", False),
    ],
)
def test_a_question_says_where_rounded_numbers_count(
    kind: str, text: str, rounded: str, may_be_rounded: bool
) -> None:
    """Where payoffs are long fractions, rounded answers are correct and the question says so."""
    exercise = asked(kind, text)
    said = "round to at least 2 decimal places" in exercise.public.wording.demands
    assert said == (mark(exercise, rounded).points == 1) == may_be_rounded
    assert (rounded in exercise.blanks.blanks[0].spellings) == (may_be_rounded)


@pytest.mark.parametrize("kind", ["root-value", "expected-values"])
def test_a_value_that_no_reply_can_give_has_a_cure(kind: str) -> None:
    """An exercise whose correct value has more than 30 digits is refused with what to change."""
    primes = (1000000007, 1000000009, 1000000021, 1000000033)
    outcomes = ", ".join(f"1/4: 1/{prime}" for prime in primes)
    with pytest.raises(ExerciseError, match="more than 30 digits; take payoffs and probabilities with small"):
        make_exercise(kind_by_code(kind), tree_of(f"MAX A (CHANCE B ({outcomes}) 0)"), Rules())


@pytest.mark.parametrize(
    ("reply", "reason", "readings"),
    [
        ("A=3 B 3 C", "'C' has no value (write the value after each label: B=3 C=2)", ("A=3 B=3",)),
        ("xyz", "nothing in this tree has the label 'xyz' (its nodes are A, B, C, D)", ()),
        (
            "A=3 B=3 C=2 D=2 D=3",
            "there are two values for one node",
            ("A=3 B=3 C=2 D=2", "A=3 B=3 C=2 D=3"),
        ),
        ("A=3 B=3 C=2 D=2", "", ("A=3 B=3 C=2 D=2",)),
    ],
)
def test_a_doubtful_reply_has_its_possible_readings(
    reply: str, reason: str, readings: tuple[str, ...]
) -> None:
    """Unreadable: the part before the fault. Ambiguous: every reading. Readable: the one there is."""
    is_partial = "has no value" in reason or "nothing in this tree" in reason
    assert Marker(asked("node-values")).doubt(reply) == (reason, readings, is_partial)


@pytest.mark.parametrize(
    ("kind", "reply", "readings"),
    [
        ("node-values", "A=3,00 B=0,79 C=2,5 D=2", ("A=3.00 B=0.79 C=2.5 D=2",)),
        ("node-values", "A 3,5; B 3; C 2; D 2,25", ("A=3.5 B=3 C=2 D=2.25",)),
        ("root-value", "2,5 or 3", ("2.5", "3")),
    ],
)
def test_a_doubtful_reply_is_read_with_decimal_commas(
    kind: str, reply: str, readings: tuple[str, ...]
) -> None:
    """If decimal commas make all of a reply readable, no reading leaves out a part of it."""
    doubt = Marker(asked(kind)).doubt(reply)
    assert (doubt.readings, doubt.is_partial) == (readings, False)


def test_a_slip_of_one_is_next_to_the_count() -> None:
    """A slip of one is the number next to the count, with decimals or without."""
    exercise = asked("visited-count")  # 7 leaves are visited
    replies = {"8": True, "6.0": True, "7": False, "7.0": False}
    assert {reply: is_off_by_one(exercise, reply) for reply in replies} == replies
