"""What every question kind has to keep, on grown trees and on any tree it suits."""

import json
import re
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from grader.answers.form import Ambiguous, Malformed, Terms
from grader.answers.paths import PATHS
from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Language
from grader.exercises.exercise import Exercise, make_exercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.feedback import Feedback
from grader.exercises.marking import Marker, State, mark
from grader.generation.grower import grow
from grader.generation.recipe_file import default_recipe
from grader.questions import all_kinds, catalogue_question, kind_by_code
from grader.questions.beliefs import BELIEFS, PAYOFFS_FOR_PATHS
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.kind import AnyKind, Kind
from grader.questions.titles import TITLES
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.conftest import a_part
from tests.questions.asking import asked, drawn
from tests.strategies import trees

HOSTILE = (
    "\x00",
    "{{ 7 * 7 }}",
    "<script>alert(1)</script>",
    "#import sys",
    "=1+1",
    "\u202e5 6",
    "9" * 70_000,
    "(" * 3_000,
    "1e999999999",
    "B=",
    "leaf",
)

FORGIVING = settings(a_part(3), suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
FEW = settings(FORGIVING, max_examples=a_part(8).max_examples)


WHOLE = st.integers(-9, 9)
BROKEN = st.builds(
    lambda top, below: normalize_number(Fraction(top, below)),
    st.integers(-18, 18),
    st.sampled_from((2, 3, 4)),
)


SMALLEST = (
    (False, tree_of("MAX (MIN (3 4) MIN (2 1))")),
    (True, tree_of("MAX (CHANCE (1 2) CHANCE (3 4))")),
)
"""Whether chance moves, and a tree where it does or does not: a kind says itself which of them suit it."""


@st.composite
def questions(
    draw: st.DrawFn, kind: AnyKind, payoffs: st.SearchStrategy[Number] = WHOLE
) -> tuple[Tree, Rules, Given]:
    """A tree and rules that suit the kind, and what it gives beside them."""
    suiting = [chance for chance, tree in SMALLEST if asked(kind, tree, Rules()) is not None]
    chance = draw(st.sampled_from(suiting))
    tree = draw(trees(plies=4, leaves=16, chance=chance, names=draw(st.booleans()), payoffs=payoffs))
    known = sorted(payoff for leaf in tree.leaves if isinstance(payoff := tree.payoffs[leaf], int | Fraction))
    narrows = bool(known) and (chance or kind.takes_root_window) and draw(st.booleans())
    given_window = narrows and kind.takes_root_window and draw(st.booleans())
    rules = Rules(
        order=draw(st.sampled_from(("left-to-right", "right-to-left"))),
        ties=draw(st.sampled_from(("cut", "keep"))),
        test=draw(st.sampled_from(("value", "window"))),
        bounds=(known[0] - 1, known[-1]) if narrows else None,
        window=(known[0] - 2, known[len(known) // 2]) if given_window else None,
    )
    seed = draw(st.integers(0, 99))
    found = drawn(kind, tree, rules, seed) if seed % 2 else asked(kind, tree, rules)
    assume(found is not None)
    return found[0], rules, found[1]


def each_kind(test):  # type: ignore[no-untyped-def]  # a pytest decorator: its type is pytest's own business
    """Run a test once for every kind."""
    return pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.code)(test)


def for_questions_of_each_kind(test):  # type: ignore[no-untyped-def]  # like each_kind
    """Run a test for every kind with many questions, which it draws from `data`."""
    return pytest.mark.sampled(5)(each_kind(given(data=st.data())(FORGIVING(test))))


@for_questions_of_each_kind
def test_key_reads_back_and_earns_everything(kind: AnyKind, data: st.DataObject) -> None:
    """The key, typed as its canonical text, earns the full mark and gets no note."""
    tree, rules, beside = data.draw(questions(kind))
    exercise = make_exercise(kind, tree, rules, Terms(points=5), given=beside)
    marked = mark(exercise, exercise.key)
    assert (marked.state, marked.points, marked.notes) == (State.GRADED, 5, ())
    assert all(item.verdict == "right" for item in marked.items)


@for_questions_of_each_kind
def test_a_key_printed_with_commas_earns_everything(kind: AnyKind, data: st.DataObject) -> None:
    """With decimal commas the key and every wrong answer, typed as they are printed, get their marks."""
    tree, rules, beside = data.draw(questions(kind, BROKEN))
    exercise = make_exercise(kind, tree, rules, Terms(points=5, decimal_comma=True), given=beside)
    unquoted = re.sub(r'"(?:[^"\\]|\\.)*"', "", exercise.printed_key)
    assert not re.search(r"\d\.\d", unquoted)
    marked = mark(exercise, exercise.printed_key)
    assert (marked.state, marked.points) == (State.GRADED, 5)
    pointed = make_exercise(kind, tree, rules, Terms(points=5), given=beside)
    for reply in (exercise.key, *exercise.beliefs.values()):
        assert mark(exercise, exercise.public.terms.language.reply(reply)) == mark(pointed, reply)


@for_questions_of_each_kind
def test_every_belief_is_noticed(kind: AnyKind, data: st.DataObject) -> None:
    """A belief's reply reads back, is no better than the key, and gets the note of its belief if it loses."""
    tree, rules, beside = data.draw(questions(kind))
    exercise = make_exercise(kind, tree, rules, Terms(points=5), given=beside)
    for code, reply in exercise.beliefs.items():
        marked = mark(exercise, reply)
        assert marked.state is State.GRADED
        assert marked.points is not None
        if marked.points - marked.follow_through < 5:
            assert code in [note.code for note in marked.notes if note.match == "equal"]
            feedback = Feedback(exercise)
            assert feedback.diagnosis(marked)
            lost = [item for item in marked.items if item.verdict != "right"]
            assert len(lost) <= sum(map(bool, feedback.sentences(marked)))


@pytest.mark.parametrize(
    "kind",
    [kind for kind in all_kinds() if "never-prunes" in kind.beliefs or kind.form is PATHS],
    ids=lambda kind: kind.code,
)
@given(data=st.data())
@FEW
def test_nothing_pruned_is_called_that(kind: AnyKind, data: st.DataObject) -> None:
    """Who writes that nothing is pruned is told just that, before any other mistake with the same answer."""
    tree, rules, beside = data.draw(questions(kind))
    exercise = make_exercise(kind, tree, rules, Terms(points=5), given=beside)
    code = f"{kind.code}.never-prunes"
    marked = mark(exercise, exercise.beliefs.get(code, exercise.key))
    assert [note.code for note in marked.notes][:1] == ([code] if code in exercise.beliefs else [])
    if kind.form is PATHS:
        assert mark(exercise, "none") == mark(exercise, exercise.beliefs.get(code, exercise.key))


@each_kind
@given(data=st.data())
@FEW
def test_two_ways_to_the_key_agree(kind: AnyKind, data: st.DataObject) -> None:
    """The key by the solver and the key by the independent way are the same answer."""
    tree, rules, beside = data.draw(questions(kind))
    case = Case(tree, rules, beside)
    assert kind.key(case) == kind.independent_key(case)


@for_questions_of_each_kind
def test_unusable_replies_get_their_states(kind: AnyKind, data: st.DataObject) -> None:
    """Blank, malformed and hostile replies get a state of their own and no points, and never an exception."""
    tree, rules, beside = data.draw(questions(kind))
    exercise = make_exercise(kind, tree, rules, given=beside)
    assert mark(exercise, " \n\t ").state is State.BLANK
    assert mark(exercise, " ").points is None
    malformed = mark(exercise, "@@ ?? @@")
    assert (malformed.state, malformed.points) == (State.UNPARSEABLE, None)
    assert malformed.message
    for reply in HOSTILE:
        marked = mark(exercise, reply)
        assert marked.state in {State.GRADED, State.UNPARSEABLE, State.AMBIGUOUS}
        assert marked.points is None or marked.points < 1 or marked.understood == exercise.key


DENIALS = (
    *("not {}", "it is not {}", "not: {}", "never {}", "neither {}", "anything but {}", "except {}"),
    *("instead of {}", "rather than {}", "opposite of {}", "unless {}", "{} or not", "nicht {}", "pas {}"),
    *("!{}", "!= {}", "≠ {}", "¬{}", "~~{}~~"),
)
"""Ways to say that something is not the answer."""


@each_kind
def test_who_denies_the_answer_earns_nothing(kind: AnyKind) -> None:
    """What is read in a denial may be left to a person, or be the opposite; it is never the key."""
    exercise = grow(default_recipe(kind.code), "deny")
    marker = Marker(exercise)
    assert marker.mark(exercise.key).points == exercise.public.terms.points
    earned = [denial for denial in DENIALS if marker.mark(denial.format(exercise.key)).points]
    assert not earned, exercise.key


AROUND = (
    *("Answer: {}", "My final answer is {}", "Ans. {}", "The solution is {}", "-> {}", "{}.", " {}\n"),
    *(
        "Antwort: {}",
        "Die Lösung ist {}",
        "La réponse est {}",
        "Respuesta: {}",
        "La risposta è {}",
        "答案：{}",
    ),
)
"""What people write around an answer."""


@each_kind
def test_what_stands_around_an_answer_costs_nothing(kind: AnyKind) -> None:
    """In every language, on a paper in any of them."""
    exercise = grow(default_recipe(kind.code), "around")
    marker = Marker(exercise)
    full = exercise.public.terms.points
    lost = [around for around in AROUND if marker.mark(around.format(exercise.key)).points != full]
    assert not lost, exercise.key


@for_questions_of_each_kind
def test_records_read_back(kind: AnyKind, data: st.DataObject) -> None:
    """Reading what an exercise writes, as it is or as text, gives the same exercise."""
    tree, rules, beside = data.draw(questions(kind))
    exercise = make_exercise(kind, tree, rules, given=beside, seed="s")
    assert read_exercise(exercise.to_json()) == exercise
    assert read_exercise(json.dumps(exercise.to_json())) == exercise


@for_questions_of_each_kind
def test_public_record_tells_nothing_of_the_key(kind: AnyKind, data: st.DataObject) -> None:
    """Two exercises that differ only in key, beliefs, profile and seed have the same public bytes."""
    tree, rules, beside = data.draw(questions(kind))
    exercise = make_exercise(kind, tree, rules, given=beside, seed="s")
    other = Exercise(exercise.public, "another key", {"a": 1}, {}, {"b": 2}, "t")
    assert json.dumps(other.public.to_json()) == json.dumps(exercise.public.to_json())
    record = exercise.public.to_json()
    assert not {"key", "beliefs", "profile", "seed"} & set(record)


@pytest.mark.parametrize("code", ["node-values", "expected-values", "windows"])
@given(data=st.data())
@FORGIVING
def test_what_a_reply_is_worth_is_what_it_earns_at_best(code: str, data: st.DataObject) -> None:
    """A mistaken reply is worth what marking it gives at best, also where entries follow from others."""
    kind = kind_by_code(code)
    tree, rules, beside = data.draw(questions(kind))
    exercise = make_exercise(kind, tree, rules, given=beside)
    case, key, terms = exercise.public.case, exercise.answer(exercise.key), exercise.public.terms
    for text in (exercise.key, *exercise.beliefs.values()):
        reply = exercise.answer(text)
        strict, best = kind.credit(case, reply, key, terms)
        assert kind.earned_share(case, reply, key, terms) == max(strict.share, best.share)


@each_kind
def test_kind_is_complete(kind: AnyKind) -> None:
    """A kind's module has it and asks a question, each of its asks its own; all beliefs are described."""
    module = __import__(f"grader.questions.{kind.name.replace('-', '_')}", fromlist=["KIND"])
    assert any(isinstance(each, Kind) and each.ask == kind.ask for each in vars(module).values())
    assert catalogue_question(kind).endswith("?")
    assert bool(kind.ask) == bool(kind.question)
    unknown = set(kind.beliefs) - set(BELIEFS)
    assert not unknown, f"grader/questions/beliefs.py has no words for {sorted(unknown)}"
    by_payoffs = [PAYOFFS_FOR_PATHS] if kind.form.by_payoffs is not None else []
    assert sorted(kind.recognised_beliefs) == sorted([*kind.beliefs, *by_payoffs])


@for_questions_of_each_kind
def test_form_reads_what_it_writes(kind: AnyKind, data: st.DataObject) -> None:
    """Every answer of a kind, right or mistaken, reads back from its canonical text as itself."""
    tree, rules, beside = data.draw(questions(kind))
    case = Case(tree, rules, beside)
    believed = [belief(case) for belief in kind.beliefs.values()]
    answers = [kind.key(case), *believed]
    for answer in answers:
        if answer is not None:
            read = kind.form.read(kind.form.write(answer, tree), tree, Terms())
            assert not isinstance(read, Malformed | Ambiguous)
            assert read == answer


def test_every_kind_has_a_name_of_its_own_in_menus() -> None:
    """Whoever chooses a kind reads a name, in every language; no two are alike, and none is of no kind."""
    assert set(TITLES) == {kind.code for kind in all_kinds()}
    for code in ("en", "de", "fr", "es", "it", "pt", "zh"):
        language = Language.of(code)
        assert len({language.term(title) for title in TITLES.values()}) == len(all_kinds())
