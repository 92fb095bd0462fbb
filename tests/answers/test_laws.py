"""The laws of every answer form: writing reads back, and what must never pay does not."""

import re
from itertools import combinations, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.answers.branches import BRANCHES
from grader.answers.form import AnyForm, Policy, Terms
from grader.answers.policies import write_policy
from grader.questions import all_kinds
from grader.questions.kind import AnyKind
from grader.trees.notation.reading import tree_of
from tests.answers.every_form import EVERY_FORM, FORMS, policies_of
from tests.answers.strategies import answers, nasty_trees, nasty_trees_for
from tests.conftest import a_part

_UNCLEAR_FRACTION = re.compile(r"\d,\d+ \d+/|\d \d+/\d+ .*\d,\d")
"""`0,5 1/3` and `0 1/3 0,5`: the comma may part as the blank does, and the fraction be of what is before."""


@EVERY_FORM
@a_part(4)
@given(data=st.data())
def test_what_is_written_reads_back(form: AnyForm, data: st.DataObject) -> None:
    """Reading what a form wrote gives the same answer, whatever the nodes and moves are called."""
    tree = data.draw(nasty_trees_for(form))
    answer = data.draw(answers(form.name, tree))
    text = form.write(answer, tree)
    assert form.read(text, tree, Terms()) == answer, text
    assert form.write(form.read(text, tree, Terms()), tree) == text


@EVERY_FORM
@a_part(4)
@given(data=st.data())
def test_what_is_printed_with_commas_reads_back(form: AnyForm, data: st.DataObject) -> None:
    """An answer printed with decimal commas is read as itself on terms with decimal commas."""
    tree = data.draw(nasty_trees_for(form))
    answer = data.draw(answers(form.name, tree))
    terms, written = Terms(decimal_comma=True), form.write(answer, tree)
    assume(form.read(written, tree, Terms()) == answer)  # some names are unclear even beside points
    text = terms.language.reply(written)
    assume(not _UNCLEAR_FRACTION.search(text))
    assert form.read(text, tree, terms) == answer, text


@pytest.mark.parametrize(
    "form", [form for form in FORMS if form.set_of or form.has_entries], ids=lambda form: form.name
)
@a_part(4)
@given(data=st.data())
def test_a_reply_is_right_when_it_earns_everything(form: AnyForm, data: st.DataObject) -> None:
    """The key, a part of it or more than it is right when it earns the full mark, by every policy."""
    tree = data.draw(nasty_trees())
    key, other = data.draw(answers(form.name, tree)), data.draw(answers(form.name, tree))
    both = key | other if isinstance(key, frozenset) else tuple(sorted({**dict(other), **dict(key)}.items()))
    policy = data.draw(st.sampled_from(policies_of(form)))
    for reply in (key, other, both):
        for right in (key, other, both):
            terms = Terms(policy=policy)
            assert form.is_right(reply, right, tree, terms) == (
                form.credit(reply, right, tree, terms).share == 1
            )


@pytest.mark.parametrize(
    "kind",
    {id(kind.form): kind for kind in all_kinds() if kind.form.compare}.values(),
    ids=lambda kind: kind.code,
)
@a_part(4)
@given(data=st.data())
def test_a_reply_is_worth_what_it_is_credited(kind: AnyKind, data: st.DataObject) -> None:
    """A reply earns the same without texts, by every policy, and its items are the same but for them."""
    form, tree = kind.form, data.draw(nasty_trees())
    assume(tree.children[0])
    key, other = data.draw(answers(form.name, tree)), data.draw(answers(form.name, tree))
    both = key | other if isinstance(key, frozenset) else other
    for policy in policies_of(form):
        terms = Terms(policy=policy)
        for reply, right in product((key, other, both), repeat=2):
            credit = form.credit(reply, right, tree, terms)
            without = form.credit(reply, right, tree, terms, texts=False)
            assert without.share == credit.share
            assert [(item.node, item.verdict) for item in without.items] == [
                (item.node, item.verdict) for item in credit.items
            ]


@pytest.mark.parametrize("text", ["MAX (MIN (MAX (1)))", "MAX (MIN (1) MIN (2))", "MAX (MIN (MAX (1 2)) 3)"])
@pytest.mark.parametrize("policy", policies_of(BRANCHES), ids=write_policy)
def test_branches_are_right_when_they_earn_everything(text: str, policy: Policy) -> None:
    """So it is for every set of branches of small trees; who names all children names the node above them."""
    tree, terms = tree_of(text), Terms(policy=policy)
    nodes = range(1, len(tree))
    every = [frozenset(some) for many in range(len(tree)) for some in combinations(nodes, many)]
    for reply, key in product(every, every):
        assert BRANCHES.is_right(reply, key, tree, terms) == (
            BRANCHES.credit(reply, key, tree, terms).share == 1
        )


@EVERY_FORM
@a_part(4)
@given(data=st.data())
def test_the_key_earns_everything_and_nothing_else_beats_it(form: AnyForm, data: st.DataObject) -> None:
    """The key itself earns the full mark with every item right; every share is between 0 and 1."""
    tree = data.draw(nasty_trees_for(form))
    key, reply = data.draw(answers(form.name, tree)), data.draw(answers(form.name, tree))
    full = form.credit(key, key, tree, Terms())
    assert full.share == 1
    assert all(item.verdict == "right" for item in full.items)
    share = form.credit(reply, key, tree, Terms()).share
    assert 0 <= share <= 1
    if form.distance is not None:
        assert form.distance(key, key) == 0
        assert form.distance(reply, key) == form.distance(key, reply)
        if form.distance(reply, key) == 0:
            assert share == 1
