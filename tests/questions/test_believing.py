"""What mistaken students answer: the same question, read off the work of their misconception."""

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from grader.answers.numeral import Numeral
from grader.questions import find_kind
from grader.questions.case import Case
from grader.questions.search_answers import (
    SEARCH_BELIEFS,
    TIE_BELIEFS,
    key_from_search,
    pruned_leaves,
    search_beliefs,
)
from grader.questions.value_answers import value_beliefs
from grader.solvers.mistaken_search import VALUE_BELIEFS, belief_applies, mistaken_search, mistaken_values
from grader.solvers.search_choice import search
from grader.solvers.sweep import sweep
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.strategies import rules, trees


@given(trees(), rules(), st.sampled_from((*SEARCH_BELIEFS, *TIE_BELIEFS.values())))
def test_mistaken_searches(tree: Tree, convention: Rules, belief: str) -> None:
    """A belief about alpha-beta answers by its mistaken search; to keep to the tie rule is no mistake."""
    answer = search_beliefs(pruned_leaves)[belief](Case(tree, convention))
    kept = belief in TIE_BELIEFS.values() and belief != TIE_BELIEFS[convention.ties]
    if kept or not belief_applies(tree, belief):
        assert answer is None
    else:
        assert answer == pruned_leaves(tree, mistaken_search(tree, convention, belief))


@given(trees(), rules(), st.sampled_from(("stops-at-tie", *TIE_BELIEFS.values())))
def test_nothing_ties_where_all_payoffs_differ(tree: Tree, convention: Rules, belief: str) -> None:
    """Where nodes return values, and no two leaves the same, who errs about ties searches as others do."""
    assume(len({*tree.payoffs} - {None}) == len(tree.leaves))
    convention = replace(convention, returns="soft")
    assert mistaken_search(tree, convention, belief) == search(tree, convention, traced=False)


@given(trees(), rules())
def test_windows_with_other_values_returned(tree: Tree, convention: Rules) -> None:
    """Who takes returned values for bounds, or the other way round, answers by the search that does so."""
    assume(len(tree) > 1)
    windows = find_kind("windows")
    for how in ("soft", "hard"):
        answer = windows.beliefs[f"returns-{how}"](Case(tree, convention))
        if convention.returns == how or (how == "hard" and convention.ties == "keep"):
            assert answer is None
        else:
            assert answer == windows.key(Case(tree, replace(convention, returns=how)))


@given(trees(chance=True), st.sampled_from(VALUE_BELIEFS))
def test_mistaken_values(tree: Tree, belief: str) -> None:
    """A belief about values answers by its mistaken values, where the tree has what it is about."""
    answer = value_beliefs(lambda _tree, values: tuple(values))[belief](Case(tree, Rules()))
    if not belief_applies(tree, belief):
        assert answer is None
    else:
        assert answer == mistaken_values(tree, belief)


@given(trees(), rules())
def test_answers_read_off_a_search(tree: Tree, convention: Rules) -> None:
    """What is read off the search is what is read off the sweep, which finds the same."""
    answer = key_from_search(pruned_leaves)(Case(tree, convention))
    assert answer == pruned_leaves(tree, sweep(tree, convention))


@given(trees(), rules())
def test_mistaken_counts_and_orders(tree: Tree, convention: Rules) -> None:
    """Who never prunes looks at every leaf; others count the pruned ones, or inner nodes too."""
    assume(len(tree) > 1)
    visited = sweep(tree, convention).visited
    pruned = sum(not visited[leaf] for leaf in tree.leaves)
    wanted = {
        "never-prunes": len(tree.leaves),
        "counts-pruned": pruned,
        "counts-all-nodes": sum(visited),
    }
    count, order = find_kind("visited-count"), find_kind("visiting-order")
    for belief, number in wanted.items():
        assert count.beliefs[belief](Case(tree, convention)) == Numeral(number)
    paths = range(1, len(tree.leaves) + 1)
    everything = paths if convention.order == "left-to-right" else reversed(paths)
    assert order.beliefs["never-prunes"](Case(tree, convention)) == tuple(everything)
