"""The laws of filled blanks: they hold the reply that was filled in, or nobody can tell what they hold."""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from grader.answers import read_policy
from grader.answers.form import Terms
from grader.answers.numeral import write_numeral
from grader.blanks import BlankError, Box, blanks, labels_of, read_cell, reply_in, write_cell
from grader.blanks.cells import WORDS, Labels
from grader.exercise import Exercise, ExerciseError, make_exercise
from grader.kinds import KINDS, kind_named
from grader.marking.mark import Marker
from grader.numerals import write_number
from grader.rules import Rules
from grader.tree import Tree
from tests.answers.strategies import answers, nasty_trees
from tests.strategies import trees

KINDS_ASKED = pytest.mark.parametrize("kind", [kind.name for kind in KINDS])
SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def filled(part: Exercise, answer: Any) -> list[str]:
    """What a student fills in who means this answer: texts in boxes, the chosen options in a row."""
    tree, form = part.public.tree, part.kind.form
    levels = sorted(
        (node for node in range(len(tree)) if tree.children[node]), key=lambda node: (tree.depths[node], node)
    )
    asked = blanks(part).boxed.blanks
    match form.name:
        case "table":
            said = dict(answer)
            return [write_numeral(said[node]) if node in said else "" for node in levels]
        case "windows":
            said, texts = dict(answer), list[str]()
            for node in levels:
                window = said.get(node)
                if window is None:
                    texts += ["none"] * 3
                else:
                    returned = "" if window.returned is None else write_numeral(window.returned)
                    texts += [write_number(window.alpha), write_number(window.beta), returned]
            return texts
        case "order":
            return [*map(str, answer), *["none"] * (len(tree.leaves) - len(answer))]
    (blank,) = asked
    if isinstance(blank, Box):
        return [form.write(answer, tree)]
    things = {
        "move": list(range(len(tree.children[0]))),
        "branches": sorted(range(1, len(tree)), key=lambda node: (tree.depths[node], node)),
    }.get(form.name, list(range(1, len(tree.leaves) + 1)))
    texts = [option.text for option, thing in zip(blank.options, things, strict=False) if thing in answer]
    return ["; ".join(texts) or "none of them"]


@st.composite
def parts(draw: st.DrawFn, kind_name: str, nasty: bool) -> tuple[Exercise, Any]:
    """An exercise of a kind about some tree, and some answer to it, perhaps that of a misconception."""
    kind = kind_named(kind_name)
    assert kind is not None
    chance = kind_name in ("expected-values", "chance-cuts")
    made: st.SearchStrategy[Tree] = nasty_trees() if nasty else trees(plies=4, leaves=12, chance=chance)
    tree = draw(made)
    rules = Rules()
    assume(tree.children[0] and kind.suits(tree, rules) is None)
    policy = draw(st.sampled_from(("net", "each", "exact", "deduct:1/2")))
    comma = draw(st.booleans())
    terms = Terms(points=4, policy=read_policy(policy), every=draw(st.booleans()), decimal_comma=comma)
    try:
        part = make_exercise(kind, tree, rules, terms)
    except ExerciseError:
        assume(False)
    known = [part.key, *part.beliefs.values()]
    answer = draw(st.one_of(st.sampled_from(known).map(part.answer), answers(kind.form.name, tree)))
    if kind.form.name in ("move", "path") and not terms.every:
        assume(answer)
        answer = frozenset((min(answer),))
    if kind.form.name == "branches":
        answer = answer - {0}
    if kind.form.name in ("table", "windows"):
        answer = tuple((node, entry) for node, entry in answer if tree.children[node])
        assume(answer or kind.form.name == "windows")  # a table without an entry has nothing but empty boxes
    return part, answer


def read_back(part: Exercise, texts: list[str], word: str) -> str:
    """The reply that comes back from a cell of Moodle's."""
    cell = write_cell([" ".join(text.split()) for text in texts], Labels(f"{word} "))
    labels = labels_of(cell)
    assert labels is not None
    asked = blanks(part).boxed.blanks
    return reply_in(part, asked, read_cell(cell, labels, asked))


@KINDS_ASKED
@given(data=st.data())
@SETTINGS
def test_what_was_filled_in_is_read(kind: str, data: st.DataObject) -> None:
    """Blanks filled in as a reply says are marked as that reply is, in every kind and language."""
    part, answer = data.draw(parts(kind, nasty=False))
    text = part.kind.form.write(answer, part.public.tree)
    marker = Marker(part)
    reply = read_back(part, filled(part, answer), data.draw(st.sampled_from(WORDS)))
    assert marker.mark(reply) == marker.mark(text), (reply, text)


@KINDS_ASKED
@given(data=st.data())
@SETTINGS
def test_no_name_leads_to_a_wrong_reply(kind: str, data: st.DataObject) -> None:
    """Whatever nodes are called, filled blanks give the reply that was meant, or none at all."""
    part, answer = data.draw(parts(kind, nasty=True))
    text = part.kind.form.write(answer, part.public.tree)
    marker = Marker(part)
    try:
        reply = read_back(part, filled(part, answer), "part")
    except BlankError:
        return
    assert marker.mark(reply) == marker.mark(text), (reply, text)
