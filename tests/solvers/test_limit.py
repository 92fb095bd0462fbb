"""The depth limit and the static evaluation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.solvers.depth_limit import LimitError, nodes_within_depth, truncate_at_depth
from grader.solvers.solution import solve
from grader.trees.annotations import Attributes, Header
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import TreeBuilder
from tests.strategies import trees


def _deep(attributes: Attributes | None, weights: tuple[int, ...] | None = None) -> Tree:
    """MAX A over MIN B with a leaf each, B carrying the attributes."""
    builder = TreeBuilder()
    builder.add(-1, Player.MAX, name="A")
    builder.add(0, None, 5)
    builder.add(0, Player.MIN, attributes=attributes)
    builder.add(2, None, 1, name="deep")
    return builder.tree(Header(weights=weights))


def test_the_static_evaluation_is_the_payoff_at_the_limit() -> None:
    """A node at the limit becomes a leaf with its evaluation as payoff and keeps its name."""
    tree = truncate_at_depth(_deep(Attributes(evaluation=7)), 1)
    assert tree.players == (Player.MAX, None, None)
    assert tree.payoffs == (None, 5, 7)
    assert tree.names == ("A", "1", "Min1")
    assert solve(_deep(Attributes(evaluation=7)), Rules(depth=1)).values == (7, 5, 7)


def test_weights_times_features() -> None:
    """Without `eval=` the evaluation is the weighted sum of the features; `eval=` wins over them."""
    assert truncate_at_depth(_deep(Attributes(features=(2, -1)), (3, 4)), 1).payoffs[2] == 2
    assert truncate_at_depth(_deep(Attributes(evaluation=0, features=(2, -1)), (3, 1)), 1).payoffs[2] == 0


def test_depth_zero_evaluates_the_root() -> None:
    """With no plies to search, the root itself is evaluated."""
    tree = truncate_at_depth(_deep(None), 2)
    assert tree.payoffs == (None, 5, None, 1)
    builder = TreeBuilder()
    builder.add(-1, Player.MAX, name="A", attributes=Attributes(evaluation=4))
    builder.add(0, None, 5)
    assert truncate_at_depth(builder.tree(), 0).payoffs == (4,)


@pytest.mark.parametrize(
    ("attributes", "weights", "why"),
    [
        (None, (1,), "neither eval= nor features"),
        (Attributes(visits=3), (1,), "neither eval= nor features"),
        (Attributes(features=(1, 2)), None, "no @weights"),
        (Attributes(features=(1, 2)), (1,), "features there: 2, weights of the tree: 1"),
    ],
)
def test_no_evaluation_at_the_limit(
    attributes: Attributes | None, weights: tuple[int, ...] | None, why: str
) -> None:
    """A node at the limit without an evaluation is named."""
    with pytest.raises(LimitError, match=f"^Min1 lies .*{why}"):
        truncate_at_depth(_deep(attributes, weights), 1)


def test_several_players_have_no_static_evaluation() -> None:
    """One number does not evaluate a position for several players."""
    builder = TreeBuilder()
    builder.add(-1, Player.P1, attributes=Attributes(evaluation=4))
    builder.add(0, None, (5, 1))
    with pytest.raises(LimitError, match="each player"):
        truncate_at_depth(builder.tree(), 0)


@given(
    trees(plies=4, leaves=12, chance=True, names=True, moves=True, claims=True, crosses=True),
    st.integers(0, 4),
)
def test_what_a_limited_tree_keeps(tree: Tree, depth: int) -> None:
    """Above the limit everything stays; at the limit names and crosses stay, but no claims."""
    evaluated = Tree(
        **{column: getattr(tree, column) for column in Tree.__dataclass_fields__ if column != "attributes"},
        attributes=(Attributes(evaluation=0),) * len(tree),
    )
    cut = truncate_at_depth(evaluated, depth)
    nodes = nodes_within_depth(tree, depth)
    assert cut.parents == (-1, *(nodes.index(tree.parents[node]) for node in nodes[1:]))
    assert cut.depths == tuple(tree.depths[node] for node in nodes)
    for place, node in enumerate(nodes):
        at_limit = tree.depths[node] == depth and tree.players[node] is not None
        assert (place in cut.estimates) == at_limit
        assert cut.players[place] == (None if at_limit else tree.players[node])
        assert cut.payoffs[place] == (0 if at_limit else tree.payoffs[node])
        if tree.players[node] is not None:
            assert cut.names[place] == tree.names[node]
        assert cut.claims[place] == (None if at_limit else tree.claims[node])
        for column in ("moves", "crosses", "probabilities"):
            assert getattr(cut, column)[place] == getattr(tree, column)[node]
