"""What has to be known of every answer form, wherever it is needed."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from grader.answers.blank import Blank, BlankError
from grader.answers.children_order import CHILDREN_ORDER
from grader.answers.count import COUNT, count_form
from grader.answers.form import Ambiguous, AnyForm, Malformed, Terms
from grader.answers.move_choices import MOVE_CHOICES
from grader.answers.numeral import Numeral
from grader.answers.payoffs import PAYOFFS
from grader.answers.truth import TRUTH
from grader.base.phrases import PSEUDO, Phrase
from grader.grading.moodle_cells import correct_answer
from grader.questions import all_kinds, kind_by_code
from grader.questions.case import Case
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import EMPTY
from tests.answers.every_form import EVERY_FORM, FORMS


def test_forms_have_names_of_their_own() -> None:
    """No two forms are called the same, and each is that of some kind, as every kind has one of these."""
    assert len({form.name for form in FORMS}) == len(FORMS)
    assert {form.name for form in FORMS} == {kind.form.name for kind in all_kinds()}


@EVERY_FORM
def test_every_form_is_complete(form: AnyForm) -> None:
    """Each form says what to write and what counts, and that to anybody."""
    assert all((form.name, form.ask, form.example, form.marking_rule))
    pseudo = Terms(language_code=PSEUDO)
    for said in (form.instruction(pseudo.language), form.credit_sentence(pseudo, EMPTY)):
        assert not said or said.startswith("«")
        assert "{" not in said
    assert form.name == form.name.strip().lower()
    assert bool(form.set_of) == bool(form.credit_sentence(Terms(), EMPTY)) or form.tally is not None


@EVERY_FORM
def test_thoughtless_answers_and_doubts_fit(form: AnyForm) -> None:
    """What is said of a set is said of sets only, and only what is drawn on a tree can be shown on it."""
    assert not form.set_of or (form.drawn_verdicts == "crosses" and form.tally is not None)
    assert (form.from_drawing is not None) or not form.drawn_verdicts


def test_counts_of_other_things() -> None:
    """A count is read with its noun and out of the number of all, and refuses what is not counted."""
    tree = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")
    cuts = count_form(one="deep cut", many=Phrase("deep cuts"), among=lambda tree: len(tree) - 1, cut=True)
    for text in ("4", "4 deep cuts", "4 of 12 branches", "4 branches are cut", "4/12", "4 pruned", "four"):
        assert cuts.read(text, tree, Terms()) == Numeral(4), text
    for text in ("4 visited", "deep cuts", "some"):
        assert isinstance(cuts.read(text, tree, Terms()), Malformed), text
    unsure = cuts.read("4 of 9", tree, Terms())
    assert isinstance(unsure, Ambiguous)
    assert unsure.message == "the answer mentions 9 deep cuts, but the tree has 12"
    assert isinstance(COUNT.read("4 deep cuts", tree, Terms()), Malformed)
    named = replace(tree, given=(*tree.given[:-1], "deep"))
    assert isinstance(cuts.read("4 deep cuts", named, Terms()), Malformed)


def test_a_kind_may_say_itself_what_is_right() -> None:
    """Where many answers do what is asked for, each earns everything, and any other nothing."""
    tree = tree_of("MAX A (MIN B (3 12) MIN C (2 4))")
    known = kind_by_code("root-value")
    kind = replace(
        known,
        form=PAYOFFS,
        accepts=lambda _case, reply, _terms: None if reply[0].value == 0 else reply[1].value > 5,
    )
    key = PAYOFFS.read("3 12 2 4", tree, Terms())

    def earned(text: str) -> tuple[Fraction, list[str]]:
        reply = PAYOFFS.read(text, tree, Terms())
        strict, best = kind.credit(Case(tree, Rules()), reply, key, Terms())
        assert strict == best
        return best.share, [item.verdict for item in best.items]

    assert earned("9 9 9 9") == (1, ["right"] * 4)
    assert earned("3 5 2 4") == (0, ["wrong"])
    assert earned("0 12 2 4") == (Fraction(3, 4), ["wrong", "right", "right", "right"])


def reply_of(form: AnyForm, key: str, filled: Callable[[Sequence[Blank]], list[str]]) -> str:
    """The reply of someone who fills in the blanks of a form for which this is the key."""
    answer = form.read(key, TREE, Terms(points=4))
    asked = form.blanks(answer, TREE, Terms(points=4))
    assert sum(Fraction(blank.points) for blank in asked.blanks) == 4
    return form.reply_from_blanks(asked.blanks, filled(asked.blanks), TREE, Terms(points=4))


TREE = tree_of("MAX A (MIN B (3 12) MIN C (2 e=4))")


@pytest.mark.parametrize(
    ("form", "key", "texts"),
    [
        (TRUTH, "true", ["true"]),
        (TRUTH, "false", ["false"]),
        (PAYOFFS, "3 -12 7/3 4", ["3", "-12", "7/3", "4"]),
        (CHILDREN_ORDER, "A: C B; C: e 3", ["C B", "", "e, 3"]),
        (MOVE_CHOICES, "A->B, C->e", ["B", "none of them", "4: e"]),
    ],
    ids=lambda part: getattr(part, "name", ""),
)
def test_filled_blanks_are_the_reply(form: AnyForm, key: str, texts: list[str]) -> None:
    """What is filled in for the key is the key, and so is what is right in every blank."""
    assert reply_of(form, key, lambda _blanks: texts) == key
    assert reply_of(form, key, lambda blanks: list(map(correct_answer, blanks))) == key


@pytest.mark.parametrize(
    ("form", "key", "texts"),
    [
        (TRUTH, "true", ["perhaps"]),
        (PAYOFFS, "3 12 2 4", ["3", "", "2", "4"]),
        (PAYOFFS, "3 12 2 4", ["3", "x", "2", "4"]),
        (CHILDREN_ORDER, "A: C B", ["C", "", ""]),
        (CHILDREN_ORDER, "A: C B", ["C B; B: 1 2", "", ""]),
        (MOVE_CHOICES, "A->B", ["X", "", ""]),
    ],
    ids=lambda part: getattr(part, "name", ""),
)
def test_blanks_that_cannot_be_read_are_no_reply(form: AnyForm, key: str, texts: list[str]) -> None:
    """A blank that holds something else makes nothing be read."""
    with pytest.raises(BlankError):
        reply_of(form, key, lambda _blanks: texts)


@pytest.mark.parametrize("form", [CHILDREN_ORDER, MOVE_CHOICES], ids=lambda form: form.name)
def test_blanks_of_nodes_depend_on_the_tree_alone(form: AnyForm) -> None:
    """How many blanks there are, what they are called and what can be chosen is the same for every key."""
    keys = {
        "children-order": ("none", "A: C B", "A: B C; C: e 3"),
        "strategy": ("none", "A->B", "A->C, B->1"),
    }
    shown = set()
    for key in keys[form.name]:
        asked = form.blanks(form.read(key, TREE, Terms()), TREE, Terms())
        options = [tuple(option.text for option in blank.options) for blank in asked.blanks]
        shown.add((asked.instruction, tuple(blank.label for blank in asked.blanks), tuple(options)))
    assert len(shown) == 1
