"""The depth limit: nodes too deep to search become leaves that carry their static evaluation."""

from dataclasses import replace

from grader.base.numbers import Number, normalize_number
from grader.solvers.solvable import Unsolvable
from grader.trees.tree import Tree
from grader.trees.tree_builder import TreeBuilder


class LimitError(Unsolvable):
    """A node at the depth limit has no static evaluation."""


def static_evaluation(tree: Tree, node: int) -> Number:
    """Return the static evaluation of a node: its `eval=`, else the weights of the tree times its features.

    Raises `LimitError` if the node has neither, the weights do not fit its features, or several players move.
    """
    name = tree.names[node]
    if tree.seats:
        raise LimitError(
            "{node} lies at the depth limit and a static evaluation is one number, not one for each player",
            node=name,
        )
    attributes, weights = tree.attributes[node], tree.header.weights
    if attributes is not None and attributes.evaluation is not None:
        return attributes.evaluation
    if attributes is None or attributes.features is None:
        raise LimitError(
            "{node} lies at the depth limit and has neither eval= nor features f=[...]", node=name
        )
    if weights is None:
        raise LimitError(
            "{node} lies at the depth limit and has features, but the tree has no @weights", node=name
        )
    if len(weights) != len(attributes.features):
        raise LimitError(
            "{node} lies at the depth limit; features there: {features}, weights of the tree: {weights}",
            node=name,
            features=len(attributes.features),
            weights=len(weights),
        )
    return normalize_number(
        sum(weight * feature for weight, feature in zip(weights, attributes.features, strict=True))
    )


def nodes_within_depth(tree: Tree, depth: int | None) -> tuple[int, ...]:
    """Return the nodes within a depth, in preorder: those of the tree that `truncate_at_depth` returns."""
    return tuple(node for node in range(len(tree)) if depth is None or tree.depths[node] <= depth)


def truncate_at_depth(tree: Tree, depth: int | None) -> Tree:
    """Return the tree without the nodes below `depth`; the same tree if there are none.

    An internal node at the limit becomes a leaf with its static evaluation as the payoff. It keeps its
    name, also a generated one, but not its claim, because a leaf has a payoff.
    Leaf numbers count the leaves of the new tree, and `estimates` holds the nodes that became leaves.
    Raises `LimitError` naming the first such node without an evaluation.
    """
    if depth is None or all(tree.depths[node] < depth for node in tree.internal):
        return tree
    builder, places = TreeBuilder(), {-1: -1}
    estimates = set()
    for node in nodes_within_depth(tree, depth):
        at_limit = tree.depths[node] == depth and tree.players[node] is not None
        places[node] = builder.add(
            places[tree.parents[node]],
            None if at_limit else tree.players[node],
            static_evaluation(tree, node) if at_limit else tree.payoffs[node],
            name=tree.names[node] if at_limit else tree.given[node],
            move=tree.moves[node],
            probability=tree.probabilities[node],
            claim=None if at_limit else tree.claims[node],
            cross=tree.crosses[node],
            attributes=tree.attributes[node],
        )
        if at_limit:
            estimates.add(places[node])
    return replace(builder.tree(tree.header), estimates=frozenset(estimates))
