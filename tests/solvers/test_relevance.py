"""The leaf-by-leaf definition for trees with chance nodes, against Star1."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.solvers.relevance import relevant_leaves
from grader.solvers.search_choice import search
from grader.solvers.star1 import star1
from grader.trees.notation.reading import tree_of
from grader.trees.rules import Rules
from grader.trees.tree import Tree
from tests.strategies import TIED, trees

RULES = st.builds(
    Rules,
    order=st.sampled_from(("left-to-right", "right-to-left")),
    ties=st.sampled_from(("cut", "keep")),
    bounds=st.sampled_from((None, (-2, 3), (-5, 5))),
    window=st.sampled_from((None, (-1, 1), (0, 1), (2, 4))),
)


def visited_paths(tree: Tree, visited: tuple[bool, ...]) -> frozenset[int]:
    """The numbers of the visited leaves."""
    return frozenset(tree.paths[leaf] for leaf in tree.leaves if visited[leaf])


@given(trees(plies=4, leaves=14, chance=True, payoffs=TIED), RULES)
def test_star1_visits_the_leaves_that_can_matter(tree: Tree, rules: Rules) -> None:
    """Star1 visits exactly the leaves on which the root depends for some completion within the bounds."""
    assert visited_paths(tree, star1(tree, rules).visited) == relevant_leaves(tree, rules)


@pytest.mark.parametrize(("elder", "matter"), [(2, {1, 2}), (0, {1, 2, 3, 4})])
def test_what_other_outcomes_can_still_give(elder: int, matter: set[int]) -> None:
    """Below a chance node, a leaf matters while later outcomes can raise the node above the value of MAX.

    Once its first outcome is at most -1, the chance node is worth at most (-1 + 3) / 2 = 1.
    """
    tree = tree_of(f"MAX ({elder} CHANCE (1/2: MIN (-1 0), 1/2: 1))")
    bounded = Rules(bounds=(-2, 3))
    assert relevant_leaves(tree, bounded) == matter
    assert visited_paths(tree, star1(tree, bounded).visited) == matter


@given(trees(plies=5, leaves=20, payoffs=TIED), RULES)
def test_alpha_beta_visits_the_leaves_that_can_matter(tree: Tree, rules: Rules) -> None:
    """Without chance nodes the same definition gives the leaves that alpha-beta visits."""
    assert visited_paths(tree, search(tree, rules).visited) == relevant_leaves(tree, rules)
