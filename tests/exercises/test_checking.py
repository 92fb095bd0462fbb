"""A hand-drawn tree is judged rightly, whatever was drawn on it."""

from dataclasses import replace
from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.base.numbers import INFINITY, Number, normalize_number
from grader.exercises.checking.judgement import judge
from grader.exercises.checking.judgement_text import claim_text, cross_texts, judgement_summary
from grader.pictures.view import Range, View
from grader.solvers.explaining.node_wording import node_title
from grader.solvers.minimax import minimax
from grader.solvers.solution import solve
from grader.solvers.solvable import number_at
from grader.trees.annotations import Attributes
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Claim, Player, Tree
from tests.strategies import rules, trees

FAR = 10**6
"""Further out than any payoff of a random tree."""

DRAWN = st.tuples(trees(leaves=16), rules()) | st.tuples(trees(leaves=10, chance=True), rules())


def solved_sheet(tree: Tree, conventions: Rules) -> Tree:
    """The tree with everything drawn on it that a perfect student draws."""
    solution = solve(tree.bare(), conventions)
    claims = tuple(
        None if player is None else Claim("=", value)  # type: ignore[arg-type]  # all payoffs are known
        for player, value in zip(tree.players, solution.values, strict=True)
    )
    pruned = set(solution.pruned_branches or ())
    return replace(tree, claims=claims, crosses=tuple(node in pruned for node in range(len(tree))))


@given(DRAWN)
def test_a_perfect_sheet_is_right(given_: tuple[Tree, Rules]) -> None:
    """The exact values and the pruned branches are all right, and every value follows from those below."""
    tree, conventions = given_
    judgement = judge(solved_sheet(tree, conventions), conventions, pruning=True)
    assert judgement.ok
    assert all(claim.right and claim.follows and not claim.why for claim in judgement.claims)
    assert judgement.crosses is not None
    assert judgement.crosses.right == judgement.solution.pruned_paths


@given(DRAWN, st.data())
def test_one_wrong_value_is_the_only_wrong_one(given_: tuple[Tree, Rules], data: st.DataObject) -> None:
    """Changing one value makes that claim wrong and no other, and the right value is said."""
    sheet = solved_sheet(*given_)
    assume(sheet.internal)
    node = data.draw(st.sampled_from(sheet.internal))
    claim = sheet.claims[node]
    assert claim is not None
    assert not isinstance(claim.value, tuple)
    wrong = Claim("=", normalize_number(claim.value + Fraction(1, 3)))
    changed = replace(sheet, claims=(*sheet.claims[:node], wrong, *sheet.claims[node + 1 :]))
    search = solve(sheet.bare(), given_[1]).search
    assert search is not None
    assume(search.returned[node] != wrong.value)
    judgement = judge(changed, given_[1])
    assert [judged.node for judged in judgement.claims if not judged.right] == [node]
    (judged,) = (judged for judged in judgement.claims if not judged.right)
    assert judged.why
    assert judged.value == claim.value
    assert not judgement.ok


@given(trees(leaves=16), st.data())
def test_errors_carried_upwards_follow(tree: Tree, data: st.DataObject) -> None:
    """A value computed rightly from a wrong one below it is wrong, but follows."""
    assume(tree.internal)
    mistaken = data.draw(st.sampled_from(tree.internal))
    values: list[Claim | None] = [None] * len(tree)
    numbers = dict(zip(range(len(tree)), tree.payoffs, strict=True))
    for node in reversed(tree.internal):
        pick = max if tree.players[node] is Player.MAX else min
        numbers[node] = pick(numbers[child] for child in tree.children[node])  # type: ignore[type-var]  # numbers
        if node == mistaken:
            numbers[node] += 1  # type: ignore[operator]  # a number
        values[node] = Claim("=", numbers[node])  # type: ignore[arg-type]  # a number
    for judged in judge(replace(tree, claims=tuple(values)), Rules()).claims:
        assert judged.follows == (judged.node != mistaken)


def proved_at(tree: Tree, conventions: Rules) -> list[tuple[Number, Number] | None]:
    """The least and the largest value of every node over all payoffs of the leaves that were not visited."""
    search = solve(tree, conventions).search
    assert search is not None
    ends = []
    for extreme in (-FAR, FAR):
        payoffs = tuple(number_at(tree, leaf) if search.visited[leaf] else extreme for leaf in tree.leaves)
        ends.append(minimax(tree.with_payoffs(payoffs)))
    return [(low, high) if came else None for came, low, high in zip(search.visited, *ends, strict=True)]


@given(trees(leaves=16), rules(), st.sampled_from(("<=", ">=")), st.integers(-1, 1))
def test_a_bound_is_right_when_the_search_proves_it(
    tree: Tree, conventions: Rules, relation: Literal["<=", ">="], off: int
) -> None:
    """A bound is right where it is all that is proved, or what the search returns; else it has a reason."""
    search, known = solve(tree, conventions).search, proved_at(tree, conventions)
    assert search is not None
    side = relation == "<="
    ends = [None if between is None or abs(between[side]) == FAR else between[side] for between in known]
    claims = tuple(
        None if player is None or end is None else Claim(relation, normalize_number(end + off))
        for player, end in zip(tree.players, ends, strict=True)
    )
    for judged in judge(replace(tree, claims=claims), conventions).claims:
        between, end = known[judged.node], ends[judged.node]
        assert between is not None
        assert end is not None
        true = end <= end + off if side else end >= end + off
        returned = search.returned[judged.node]
        hard = true and end + off == returned != end
        assert judged.right == (hard or (between[0] != between[1] and not off))
        assert bool(judged.why) == (not judged.right)


@given(st.tuples(trees(leaves=16), rules()))
def test_what_the_search_returns_is_right(given_: tuple[Tree, Rules]) -> None:
    """At every visited node the value that the search returns is right as a value."""
    tree, conventions = given_
    search = solve(tree, conventions).search
    assert search is not None
    claims = tuple(
        None if player is None or value is None else Claim("=", value)  # type: ignore[arg-type]  # finite
        for player, value in zip(tree.players, search.returned, strict=True)
    )
    assert all(judged.right for judged in judge(replace(tree, claims=claims), conventions).claims)


@pytest.mark.parametrize(
    ("drawn", "why", "has_value"),
    [
        ("MIN C<=14 (2 ~4 ~6)", "This is true, but the search proves more: C<=2.", False),
        ("MIN C>=2 (2 ~4 ~6)", "The inequality sign is reversed: the search proves C<=2.", False),
        ("MIN C<=1 (2 ~4 ~6)", "This is more than the search proves: C<=2.", False),
        ("MIN C=1 (2 ~4 ~6)", "is worth at most 2: write C<=2. The exact value is 2.", True),
        ("MIN C>=-50 (14 5 2)", "The search proves the exact value: write C=2.", True),
        ("MIN C (2 ~MAX D>=4 (4 1) ~6)", "The search proves nothing about MAX D.", False),
    ],
)
def test_a_wrong_bound_has_its_reason(drawn: str, why: str, has_value: bool) -> None:
    """A bound that is too weak, too strong, turned round or needless is wrong, each with its sentence.

    The exact value is told where it was claimed, or proved.
    """
    (judged,) = judge(tree_of(f"MAX A (MIN B (3 12 8) {drawn})"), Rules()).claims
    assert not judged.right
    assert judged.why.endswith(why)
    assert ("is worth 2" in judged.why or "value is 2" in judged.why) == has_value


@given(st.tuples(trees(leaves=16), rules()))
def test_a_bound_is_called_a_bound(given_: tuple[Tree, Rules]) -> None:
    """Where the search proves one bound, an incorrect value is answered with `at most` or `at least`."""
    tree, conventions = given_
    claims = tuple(None if player is None else Claim("=", 99) for player in tree.players)
    for judged in judge(replace(tree, claims=claims), conventions).claims:
        low, high = judged.proved or (0, 0)
        open_ends = low == -INFINITY, high == INFINITY
        words = [bound in judged.why for bound in ("is worth at most", "is worth at least")]
        assert words == ([*open_ends] if sum(open_ends) == 1 else [False, False])


@pytest.mark.parametrize(
    ("payoffs", "why"),
    [
        ("3 x 8", "MIN B is worth at most 3, whatever the unknown payoffs are."),
        ("x y", "The value of MIN B depends on unknown payoffs."),
    ],
)
def test_an_unknown_payoff_leaves_a_bound(payoffs: str, why: str) -> None:
    """A value that unknown payoffs decide is told as far as it is known, without infinite ends."""
    (judged,) = judge(tree_of(f"MAX A (MIN B=9 ({payoffs}) 2)"), Rules()).claims
    assert judged.why == why


def test_a_wrong_bound_stands_beside_the_proved_one() -> None:
    """In the marked picture a wrong bound gets the proved one beside it, and a wrong value the value."""
    tree = tree_of("MAX A=9 (MIN B (3 12 8) MIN C<=14 (2 ~4 ~6))")
    view = View.from_judgement(judge(tree, Rules()))
    assert view.values[0] == 3
    assert view.values[tree.index["C"]] == Range(-INFINITY, 2)


@given(DRAWN, st.data())
def test_crosses_are_right_missing_or_extra(given_: tuple[Tree, Rules], data: st.DataObject) -> None:
    """Right and missing leaves are the pruned ones, right and extra leaves the crossed ones, each once."""
    tree, conventions = given_
    crosses = data.draw(st.tuples(*[st.booleans()] * len(tree)))
    drawn = replace(tree, crosses=(False, *crosses[1:]))
    judgement = judge(drawn, conventions, pruning=True)
    judged = judgement.crosses
    assert judged is not None
    out = drawn.crossed_out
    crossed = {tree.paths[leaf] for leaf in tree.leaves if out[leaf]}
    right, missing, extra = map(set, (judged.right, judged.missing, judged.extra))
    assert right | missing == set(judgement.solution.pruned_paths or ())
    assert right | extra == crossed
    assert not right & (missing | extra)
    assert bool(judged.why) == bool(missing or extra)
    assert judgement.ok == (not missing and not extra)


@given(DRAWN, st.data())
def test_crossing_a_branch_is_crossing_its_leaves(given_: tuple[Tree, Rules], data: st.DataObject) -> None:
    """A cross above a subtree and crosses on all its leaves are judged alike."""
    tree, conventions = given_
    assume(len(tree) > 1)
    node = data.draw(st.integers(1, len(tree) - 1))
    leaves = set(tree.leaves_below(node))
    sheets = (
        replace(tree, crosses=tuple(other == node for other in range(len(tree)))),
        replace(tree, crosses=tuple(other in leaves for other in range(len(tree)))),
    )
    one, other = (judge(sheet, conventions).crosses for sheet in sheets)
    assert one is not None
    assert other is not None
    assert (one.right, one.missing, one.extra) == (other.right, other.missing, other.extra)


@given(trees(leaves=16, claims=True))
def test_values_alone_are_judged_alone(tree: Tree) -> None:
    """Without a cross on the sheet the crosses are judged only when that is asked for."""
    bare = replace(tree, crosses=(False,) * len(tree))
    assert judge(bare, Rules()).crosses is None
    assert judge(bare, Rules(), pruning=True).crosses is not None


@given(
    trees(leaves=12, seats=3, claims=True, crosses=True)
    | trees(leaves=12, unknowns=True, claims=True, crosses=True)
)
def test_what_cannot_be_judged_is_said(tree: Tree) -> None:
    """Crosses that cannot be judged are never right: a note says why."""
    judgement = judge(tree, Rules(), pruning=True)
    if judgement.crosses is None:
        assert judgement.notes
        assert not judgement.ok


@given(DRAWN, st.data())
def test_marks_stand_where_the_verdicts_are(given_: tuple[Tree, Rules], data: st.DataObject) -> None:
    """In the marked picture the marks cover exactly the right, missing and extra leaves."""
    tree, conventions = given_
    crosses = data.draw(st.tuples(*[st.booleans()] * len(tree)))
    judgement = judge(replace(tree, crosses=(False, *crosses[1:])), conventions, pruning=True)
    assert judgement.crosses is not None
    view = View.from_judgement(judgement)
    for mark in ("right", "missing", "extra"):
        covered = [
            tree.paths[leaf]
            for node, found in enumerate(view.cross_marks)
            if found == mark
            for leaf in tree.leaves_below(node)
        ]
        assert tuple(covered) == getattr(judgement.crosses, mark)


def test_a_returned_value_is_not_the_exact_value() -> None:
    """What a search returns after a cut is right, and a note says that it is only a bound."""
    judgement = judge(tree_of("MAX A=3 (MIN B=3 (3 5) MIN C=3 (3 ~2))"), Rules())
    assert judgement.ok
    assert "write a bound" in judgement.notes[0]
    assert not any("is rounded" in note for note in judgement.notes)


def test_other_conventions_are_recognised() -> None:
    """Crosses that answer the question under another rule are wrong, and the note names that rule."""
    tree = tree_of("MAX (MIN B (3 5) MIN C (3 7) MIN D (2 1) MIN E (9 3) MIN F (8 4))")
    for other, name in (
        (Rules(ties="keep"), "ties=keep"),
        (Rules(order="right-to-left"), "order=right-to-left"),
    ):
        pruned = set(solve(tree, other).pruned_branches or ())
        drawn = replace(tree, crosses=tuple(node in pruned for node in range(len(tree))))
        (note,) = judge(drawn, Rules(), pruning=True).notes
        assert note == f"These crosses are the answer under {name}."


def test_conventions_that_need_an_unknown_payoff_are_passed_over() -> None:
    """If a convention visits an unknown payoff, the crosses are still compared with the other conventions."""
    tree = tree_of("MAX (MIN B (5 6) MIN C (~5 ~x 1) MIN D (5 7))")
    (note,) = judge(tree, Rules(), pruning=True).notes
    assert note == "These crosses are the answer under order=right-to-left."


def test_a_node_at_the_depth_limit_is_judged_by_its_evaluation() -> None:
    """A claim at the limit is held against the static evaluation, also in the values that follow from it."""
    tree = tree_of("@depth 1\nMAX A=4 (MIN B=99 {eval=3} (3 12) MIN C=4 {eval=4} (2 4))")
    judgement = judge(tree, tree.rules())
    assert [(claim.right, claim.follows) for claim in judgement.claims] == [
        (True, False),
        (False, False),
        (True, True),
    ]
    assert judgement.claims[1].why == "B is worth 3. B is at the depth limit: its static evaluation is 3."
    assert not judgement.ok


@given(trees(leaves=10, claims=True, crosses=True), st.integers(0, 3))
def test_nothing_below_the_depth_limit_is_right(tree: Tree, depth: int) -> None:
    """Every claim and cross is judged, or named in a note and then the sheet is not right."""
    tree = replace(tree, attributes=(Attributes(evaluation=1),) * len(tree))
    judgement = judge(tree, Rules(depth=depth), pruning=True)
    drawn = [node for node in range(len(tree)) if tree.claims[node] is not None or tree.crosses[node]]
    deeper = [node for node in drawn if tree.depths[node] > depth]
    assert len(judgement.claims) == sum(
        claim is not None for claim, deep in zip(tree.claims, tree.depths, strict=True) if deep <= depth
    )
    unjudged = [note for note in judgement.notes if note.startswith("These are below the depth limit")]
    assert len(unjudged) == bool(deeper)
    for node in deeper:
        assert node_title(tree, node) in unjudged[0]
    assert not (deeper and judgement.ok)


@given(st.integers(-300, 300), st.sampled_from((3, 6, 7, 11)), st.integers(1, 5))
def test_a_rounded_value_is_right_with_two_decimals(above: int, below: int, places: int) -> None:
    """A value rounded to two decimals or more is right, and a note gives the exact one."""
    exact_value = Fraction(above, below)
    said = round(exact_value, places)
    assume(exact_value.denominator != 1 and said * 10 ** (places - 1) % 1 != 0)
    tree = tree_of(f"CHANCE D=0 (1/{below}: {above}, {below - 1}/{below}: 0)")
    tree = replace(tree, claims=(Claim("=", normalize_number(said)), None, None))
    judgement = judge(tree, Rules())
    assert judgement.ok == judgement.claims[0].follows == (said == exact_value or places >= 2)
    noted = [note for note in judgement.notes if "the exact value is" in note]
    assert bool(noted) == (judgement.ok and said != exact_value)
    assert judgement.ok or "is not precise enough" in judgement.claims[0].why


@pytest.mark.parametrize(
    ("claim", "is_right"), [("0.333", True), ("0.334", False), ("0.33", True), ("0.34", False)]
)
def test_all_decimals_of_a_rounded_value_count(claim: str, is_right: bool) -> None:
    """A value with more decimals than required is right only if it is rounded correctly to all of them."""
    assert judge(tree_of(f"CHANCE D={claim} (1/3: 1, 2/3: 0)"), Rules()).claims[0].right is is_right


@pytest.mark.parametrize(
    ("tree", "why"),
    [
        (
            "MAX A>=9 (MIN B (3 x) MIN C (2 4))",
            "The value of MAX A is between 2 and 3, whatever the unknown payoffs are.",
        ),
        ("MAX A (MIN B (3 12) MIN C>=1 (2 x))", "The inequality sign is reversed: the search proves C<=2."),
    ],
)
def test_why_a_bound_is_wrong_if_payoffs_are_unknown(tree: str, why: str) -> None:
    """The reason is what the search proves, or the range of the value if no search is possible."""
    assert judge(tree_of(tree), Rules()).claims[0].why == why


def test_whoever_reads_a_rounded_value_reads_the_exact_one() -> None:
    """The exact value follows from a rounded one below it."""
    judgement = judge(tree_of("MAX A=1/3 (CHANCE D=0.33 (1/3: 1, 2/3: 0))"), Rules())
    assert all(claim.right and claim.follows for claim in judgement.claims)


@pytest.mark.parametrize(
    ("claim", "cause"),
    [
        (9, "sum of the values of the outcomes"),
        (3, "unweighted average"),
        (5, "most likely outcome"),
        (1, "value of only one outcome"),
    ],
)
def test_causes_at_a_chance_node_are_named(claim: int, cause: str) -> None:
    """The sum, the plain average and a single outcome are recognised where the expected value belongs."""
    (judged,) = judge(tree_of(f"CHANCE G={claim} (1/2: 5, 1/4: 3, 1/4: 1)"), Rules()).claims
    assert cause in judged.why


@pytest.mark.parametrize(
    ("drawn", "cause"),
    [
        ("MAX A=2 (2 5 7)", "2 is the smallest value, which MIN would choose."),
        ("MIN A=7 (2 5 7)", "7 is the largest value, which MAX would choose."),
        ("MAX A=5 (2 5 7)", "MAX takes the largest of 2, 5 and 7."),
    ],
)
def test_the_other_players_choice_is_named(drawn: str, cause: str) -> None:
    """The extreme that the other player would take is recognised, and no other child is taken for it."""
    (judged,) = judge(tree_of(drawn), Rules()).claims
    assert judged.why.endswith(cause)


@pytest.mark.parametrize(
    ("drawn", "numbered"),
    [
        ("MAX A (MIN B {eval=3} (~3 12) MIN C {eval=4} (2 4))", True),
        ("MAX A (MIN B {eval=3} (MAX D=3 (3 1) 12) MIN C {eval=4} (2 4))", False),
    ],
)
def test_leaves_below_the_limit_are_numbered_as_drawn(drawn: str, numbered: bool) -> None:
    """Where a note names a leaf below the depth limit it says how leaves are numbered, elsewhere not."""
    (note, *_) = judge(tree_of(drawn), Rules(depth=1)).notes
    assert note.endswith("Leaves are numbered as in the whole tree.") == numbered


def test_values_and_crosses_are_told() -> None:
    """A right value is told as it is or with what it does not follow from, a wrong one with its reason."""
    judgement = judge(tree_of("MAX A=3 (MIN B=12 (3 12) MIN C<=2 (2 ~9 8))"), Rules())
    unfollowed, wrong, right = (claim_text(judgement, claim) for claim in judgement.claims)
    assert unfollowed == "MAX A=3, though it is not consistent with the values written below it"
    assert wrong == f"MIN B=12: {judgement.claims[1].why}"
    assert right == "MIN C<=2"
    crosses = judgement.crosses
    assert crosses is not None
    assert list(cross_texts(judgement)) == [(True, "Leaf 4 crossed out"), (False, crosses.why[0])]


@pytest.mark.parametrize(
    ("drawn", "told", "said"),
    [
        (
            "MAX A=3 (MIN B=12 (3 12) MIN C<=2 (2 ~9 8))",
            [True, False],
            "2 of 3 values are correct. Crosses at leaves: 1 correct, 1 missing, 0 incorrect.",
        ),
        (
            "MAX A=5 (2 ~5)",
            [False],
            "1 of 1 value is correct. Crosses at leaves: 0 correct, 0 missing, 1 incorrect.",
        ),
        ("MAX A=2 (2 5)", [], "0 of 1 value is correct."),
        ("MAX A=5 (2 5)", [], "Everything is correct."),
        ("P1 A (~<1, 2> <2, 1>)", [], "Nothing could be checked."),
    ],
)
def test_the_verdict_counts(drawn: str, told: list[bool], said: str) -> None:
    """The verdict counts the values and the leaves that are judged, if any are."""
    judgement = judge(tree_of(drawn), Rules())
    assert [right for right, _ in cross_texts(judgement)] == told
    assert judgement_summary(judgement) == said


def test_nothing_to_cross_out_is_right() -> None:
    """Where nothing is pruned and nothing is crossed out, that is told as right."""
    judgement = judge(tree_of("MAX A (MIN (3 5) MIN (4 6))"), Rules(), pruning=True)
    assert list(cross_texts(judgement)) == [(True, "Nothing is crossed out, and nothing is pruned")]


def test_a_bound_stays_a_bound() -> None:
    """What follows from a bound is what the bound says, also where the value below it is known."""
    judgement = judge(tree_of("MAX A=3 (MIN B<=5 (3 12) MIN C=2 (2 4))"), Rules())
    assert [(claim.right, claim.follows) for claim in judgement.claims] == [
        (True, False),
        (False, True),
        (True, True),
    ]


@given(DRAWN)
def test_every_overlooked_leaf_is_told(given_: tuple[Tree, Rules]) -> None:
    """Where nothing is crossed out, each cut is told with its reason, and no other sentence is said."""
    tree, conventions = given_
    crosses = judge(tree, conventions, pruning=True).crosses
    assert crosses is not None
    assert bool(crosses.why) == bool(crosses.missing)
    for sentence in crosses.why:
        assert " should be crossed out. " in sentence
        reason = sentence.split(" should be crossed out. ")[1]
        assert reason.endswith(".")
        assert reason != "Its probability is 0." or 0 in tree.probabilities


@pytest.mark.parametrize(
    ("text", "ties", "said"),
    [
        ("MAX (MIN A (5 6) MIN B (5 7))", "keep", "with ties=cut, the pruned leaves are 4."),
        ("MAX (MIN A (5 6) MIN B (5 7))", "cut", "with ties=keep, nothing is pruned."),
    ],
)
def test_the_other_tie_rule_is_told(text: str, ties: str, said: str) -> None:
    """Where the crosses are right and the answer depends on the tie rule, the other answer is told."""
    tree = tree_of(text)
    (note,) = judge(solved_sheet(tree, Rules(ties=ties)), Rules(ties=ties), pruning=True).notes
    assert note.endswith(said)


@pytest.mark.parametrize(
    ("drawn", "bounds", "place"),
    [
        ("MAX A=4 (MIN B=4 (3 12) MIN C=2 (2 4))", None, "farther down"),
        ("MAX A (MIN B=3 (3 12) MIN C=5 (9 5 ~2))", None, "in the crosses"),
        ("MAX A=4 (CHANCE B=4 (0.5: 3, 0.5: 5) CHANCE C<=2 (0.5: 0, 0.5: ~2))", (0, 5), ""),
        ("MAX A=3 (MIN B=3 (3 12) MIN C<=1 (2 ~1))", None, ""),
    ],
)
def test_a_mistake_is_below_only_where_there_is_one(
    drawn: str, bounds: tuple[int, int] | None, place: str
) -> None:
    """A wrong value is put down to what is below it only if a value or a cross there is wrong."""
    judgement = judge(tree_of(drawn), Rules(bounds=bounds))
    told = " ".join(claim.why for claim in judgement.claims)
    assert told
    assert [each for each in ("farther down", "in the crosses") if each in told] == [place] * bool(place)


def test_values_without_crosses_say_nothing_of_pruning() -> None:
    """Where leaves are pruned and none is crossed out, only the values are called correct."""
    tree = tree_of("MAX A=3 (MIN B=3 (3 12) MIN C=2 (2 4))")
    assert judgement_summary(judge(tree, Rules())) == "The values are correct; pruning was not checked."
    assert judgement_summary(judge(tree, Rules(), pruning=True)).startswith("3 of 3 values are correct.")
