"""What mistaken students answer: the same question, read off the work of their misconception."""

from hypothesis import given
from hypothesis import strategies as st

from grader.kinds.given import NOTHING
from grader.kinds.searching import SEARCH_BELIEFS, TIE_BELIEFS, pruned_leaves, search_beliefs
from grader.kinds.valuing import value_beliefs
from grader.rules import Rules
from grader.solvers.mistaken import VALUE_BELIEFS, concerns, mistaken_search, mistaken_values
from grader.tree import Tree
from tests.strategies import rules, trees


@given(trees(), rules(), st.sampled_from((*SEARCH_BELIEFS, *TIE_BELIEFS.values())))
def test_mistaken_searches(tree: Tree, convention: Rules, belief: str) -> None:
    """A belief about alpha-beta answers by its mistaken search; to keep to the tie rule is no mistake."""
    answer = search_beliefs(pruned_leaves)[belief](tree, convention, NOTHING)
    kept = belief in TIE_BELIEFS.values() and belief != TIE_BELIEFS[convention.ties]
    if kept or not concerns(tree, belief):
        assert answer is None
    else:
        assert answer == pruned_leaves(tree, mistaken_search(tree, convention, belief))


@given(trees(chance=True), st.sampled_from(VALUE_BELIEFS))
def test_mistaken_values(tree: Tree, belief: str) -> None:
    """A belief about values answers by its mistaken values, where the tree has what it is about."""
    answer = value_beliefs(lambda _tree, values: tuple(values))[belief](tree, Rules(), NOTHING)
    if not concerns(tree, belief):
        assert answer is None
    else:
        assert answer == mistaken_values(tree, belief)
