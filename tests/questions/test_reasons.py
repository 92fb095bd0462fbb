"""What a student is told of a lost point: the kind's own key, and nothing of another kind's."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from grader.answers.form import Item, Policy, PolicyName, Terms
from grader.answers.paper_boxes import NumberEntry
from grader.base.numbers import Number
from grader.exercises.exercise import Exercise, make_exercise
from grader.exercises.feedback import Feedback
from grader.exercises.follow_through import apply_follow_through
from grader.exercises.marking import Marker
from grader.generation.grower import grow_many
from grader.generation.recipe_file import default_recipe
from grader.questions import all_kinds, find_kind, kind_by_code
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import AnyKind
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from tests.questions.asking import drawn, with_kinds
from tests.questions.test_conformance import each_kind, for_questions_of_each_kind, questions
from tests.solvers.test_cut_reasons import DISPUTED


def words_of(text: str) -> list[str]:
    """The names and numbers in a text, infinities apart, which are written in several ways."""
    found = re.findall(r"[^\s\[\],;:()=<>&|→\"'#]+", text.replace("−", "-"))
    return [word for each in found if (word := each.rstrip(".")) not in ("inf", "-inf", "-", "none", "")]


def states_answer(text: str, item: Item) -> bool:
    """Whether a text has the words of the answer that the reply lacks, or else all of them in order."""
    right = [word for word in words_of(item.right) if word not in words_of(item.reply)]
    if right or not item.right:
        return {*right} <= {*words_of(text)}
    left = iter(words_of(text))
    return all(word in left for word in words_of(item.right))


def unsaid(exercise: Exercise, reply: str) -> list[tuple[Item, str]]:
    """The lost items of a reply whose reasons do not speak of what is right by the kind's own key.

    Where one of several good answers is asked for, one of them has to be named.
    """
    tree, kind = exercise.public.tree, exercise.kind
    marked = Marker(exercise).mark(reply)
    lost = []
    for item in marked.items:
        (text,) = Feedback(exercise).sentences(replace(marked, items=(item,)))
        if item.verdict not in ("wrong", "missing"):
            continue
        if kind.form.has_alternatives:
            solution = exercise.solved().solution
            ends = {tree.names[node] for line in solution.principal_variations for node in line}
            spoken = bool(ends.intersection(words_of(text)))
        else:
            spoken = states_answer(text, item)
            lacking = [word for word in words_of(item.right) if word not in words_of(item.reply)]
            if kind.form.counts_leaves and lacking and not spoken:  # a leaf with a name is called by it
                named = (tree.names[tree.leaves[int(w) - 1]] if w.isdigit() else w for w in lacking)
                spoken = states_answer(text, item._replace(reply="", right=" ".join(named)))
        if not spoken:
            lost.append((item, text))
    return lost


@for_questions_of_each_kind
def test_a_reason_speaks_of_the_key(kind: AnyKind, data: st.DataObject) -> None:
    """What is said of a lost item names what is right there: the value, leaf, branch or move of the key."""
    tree, rules, beside = data.draw(questions(kind))
    assume(all(words_of(name) for name in tree.given if name))  # a name without words is found in no sentence
    exercise = make_exercise(kind, tree, rules, Terms(points=5), given=beside)
    reply = data.draw(st.sampled_from([*exercise.beliefs.values(), exercise.key]))
    assert unsaid(exercise, reply) == []


def untold_answers(kind: AnyKind) -> list[str]:
    """A sentence for every grown exercise and mistaken reply whose feedback keeps the answer to itself."""
    grown = grow_many(default_recipe(kind.code), "feedback", 40)
    with_mistakes = islice((exercise for exercise in grown if exercise.beliefs), 4)
    mistaken = [(exercise, reply) for exercise in with_mistakes for reply in exercise.beliefs.values()]
    assert mistaken, f"{kind.code}: no misconception leads to a wrong answer"
    return [
        f"{kind.code}: the feedback to {reply!r} never states {item.right!r}, which is correct; "
        f"give the Kind an explain_item with a sentence that does. Now it says: {text}"
        for exercise, reply in mistaken
        for item, text in unsaid(exercise, reply)
    ]


@each_kind
def test_whoever_loses_a_point_is_told_the_answer(kind: AnyKind) -> None:
    """No kind without a sentence that states the right answer, in any exercise that is grown for it."""
    untold = untold_answers(kind)
    assert not untold, untold[0]


def test_a_kind_that_tells_no_answer_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps of a search say nowhere how many leaves it visited."""
    silent = replace(kind_by_code("visited-count"), explain_item=None)
    with_kinds(monkeypatch, silent)
    assert "never states" in untold_answers(silent)[0]


def test_what_is_carried_is_taken_by_another_kind() -> None:
    """Everything that some kind carries is taken over by another, and the other way round."""
    carried = {what for kind in all_kinds() for what in kind.carries}
    taken = {what for kind in all_kinds() for what in kind.takes}
    assert carried == taken


@pytest.mark.parametrize(
    ("first", "reply", "second", "answer", "points"),
    [
        ("node-values", "A=8 B=8 C=2 D=2", "best-move", "B", 1),  # right anyway
        ("node-values", "A=9 B=3 C=9 D=2", "best-move", "C", Fraction(1, 3)),  # as much as of the table
        ("node-values", "A=9 B=3 C=9 D=2", "root-value", "9", Fraction(1, 3)),
        ("pruned-paths", "2 5 6", "visited-count", "6", Fraction(1, 2)),
        ("pruned-paths", "2 5 6", "visiting-order", "1 3 4 7 8 9", 0),  # nothing is right of it
        ("pruned-branches", "C", "pruned-paths", "4 5 6", 1),
        ("pruned-branches", "5 6 8", "visiting-order", "1 2 3 4 7 9", Fraction(2, 3)),  # twice what is right
        ("visiting-order", "1 2 3 4 5 7 8 9", "pruned-branches", "6", 1),
        ("visiting-order", "1 2 3 4 7 9", "visited-count", "6", Fraction(1, 3)),
    ],
)
def test_a_later_part_follows_from_an_earlier_one(
    first: str, reply: str, second: str, answer: str, points: Number
) -> None:
    """A later part gains by following as much as is right of it, or of the earlier one if it has no parts."""
    tree = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")
    made = []
    for name in (first, second):
        kind = find_kind(name)
        assert kind is not None
        made.append(make_exercise(kind, tree, tree.rules(), Terms(policy=Policy("net"))))
    earlier, later = made
    before = Marker(earlier).mark_with_answer(reply)
    after = Marker(later).mark_with_answer(answer)
    assert apply_follow_through(later, after.mark, after.answer, [(earlier, before.answer)]).points == points


@pytest.mark.parametrize("ask", ["where", "cause", "why-not"])
def test_reasons_of_cuts_are_asked_of_values_and_not_of_bounds(ask: str) -> None:
    """A node that returns a bound says nothing of whose value suffices for a cut further up."""
    tree = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")
    given = (
        {"node": "D", "why": "last-child"} if ask == "why-not" else {"node": "C"} if ask == "cause" else {}
    )
    kind = kind_by_code(f"cut-reasons.{ask}")
    assert kind.objection(Case(tree, Rules(), Given(given))) is None
    refused = kind.objection(Case(tree, Rules(returns="hard"), Given(given)))
    assert refused is not None
    assert "returns = hard" in refused


@pytest.mark.parametrize(("text", "node", "deep"), DISPUTED)
def test_which_cuts_are_deep_is_asked_where_nobody_disputes_it(text: str, node: str, deep: bool) -> None:
    """A given tree is asked about by the words of the question; of a drawn one something else is asked."""
    tree, (where, cause) = tree_of(text), map(kind_by_code, ("cut-reasons.where", "cut-reasons.cause"))
    asked = Given({"cuts": "deep"})
    assert (tree.index[node] in where.key(Case(tree, Rules(), asked))) is deep
    assert where.key(Case(tree, Rules(), asked)) == where.independent_key(Case(tree, Rules(), asked))
    for seed in range(40):
        for kind, disputed in ((where, asked), (cause, Given({"node": node}))):
            found = drawn(kind, tree, Rules(), seed)
            assert found is None or found[1] != disputed


def test_a_bound_is_a_value_of_the_other_player() -> None:
    """Where equality goes on, G has 3 from E as P has it from K, and only what MAX has can cut N."""
    tree, kind = tree_of("MIN G (E=3 MAX P (K=3 MIN N (2 5)))"), kind_by_code("cut-reasons.cause")
    rules, beside = Rules(ties="keep"), Given({"node": "N"})
    assert (
        kind.key(Case(tree, rules, beside))
        == {tree.index["K"]}
        == kind.independent_key(Case(tree, rules, beside))
    )


def test_no_cut_is_asked_about_at_a_node_that_is_not_there() -> None:
    """From right to left C comes first and B, the first node of the tree, is cut; nobody is not."""
    tree, kind = tree_of("MAX A (MIN B (2 1) MIN C (3 4))"), kind_by_code("cut-reasons.cause")
    rules = Rules(order="right-to-left")
    assert kind.objection(Case(tree, rules, Given({"node": "B"}))) is None
    assert kind.objection(Case(tree, rules, Given({"node": "nobody"}))) == "the search makes no such cut"


@pytest.mark.parametrize("policy", ["net", "each", "exact"])
def test_a_cut_has_one_cause(policy: PolicyName) -> None:
    """The question, the options of a platform and the boxes on paper ask for one node, and not for a set."""
    tree, kind = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6))"), kind_by_code("cut-reasons.cause")
    terms = Terms(policy=Policy(policy))
    exercise = make_exercise(kind, tree, Rules(), terms, given=Given({"node": "C"}))
    assert "listing more than one earns nothing" in exercise.public.prompt
    assert "all nodes" not in exercise.public.prompt
    (choice,) = exercise.blanks.blanks
    assert not choice.allows_several
    assert [option.text for option in choice.options if option.share] == ["B"]
    (group,) = kind.form.paper_boxes(tree, terms, NumberEntry()).groups
    assert (group.allows_several, group.has_none_box, len(group.meanings)) == (False, False, len(tree) - 1)
    assert [Marker(exercise).mark(reply).points for reply in ("B", "C", "B C", "B 5")] == [1, 0, 0, 0]


@pytest.mark.parametrize("why", ["no-bound", "last-child", "not-met"])
def test_what_a_question_defines_it_uses(why: str) -> None:
    """It is explained when a node reaches a value where the question says so, and the node's name is said."""
    tree, kind = (
        tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"),
        kind_by_code("cut-reasons.why-not"),
    )
    told = make_exercise(kind, tree, Rules(), given=Given({"node": "D", "why": why})).public.prompt
    asks = told.partition("True or false")[2]
    uses = "the value of D reaches" in asks or "the value of D never reaches" in asks
    assert ("enough for a cutoff" in told) == uses == (why != "no-bound")
    assert "its children" not in told


def test_one_wrong_node_earns_nothing() -> None:
    """Where one node is asked for a wrong one earns nothing, whatever a blueprint takes off for a mistake."""
    tree, kind = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6))"), kind_by_code("cut-reasons.cause")
    terms = Terms(points=4, policy=Policy("deduct", 1))
    made = make_exercise(kind, tree, tree.rules(), terms, given=Given({"node": "C"}))
    marker = Marker(made)
    assert [marker.mark_with_answer(text).mark.points for text in (made.key, "A")] == [4, 0]
