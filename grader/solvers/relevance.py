"""The leaves that can still matter when a search reaches them, by definition: a check of the searches."""

from grader.base.numbers import INFINITY, Bound, Number
from grader.solvers.expectiminimax import expectiminimax, probability
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree


def relevant_leaves(tree: Tree, rules: Rules) -> frozenset[int]:
    """Return the numbers of the leaves on which, for some completion within the bounds, the root depends.

    If the rules give a window, only values of the root inside it are distinguished.

    The leaves before a leaf are known, those after it are free within the bounds of the rules. From the leaf
    upwards, the values that reach the root unchanged are followed: a MAX ancestor lets through what
    exceeds its elder children, a MIN ancestor what stays below them, a chance ancestor shifts and
    scales by what its other outcomes give or can still give. A leaf matters when something is let
    through all the way: more than one value under `ties=cut`, at least one under `ties=keep`.

    There is no search and no window is passed down: a second algorithm to check `grader.solvers.star1`,
    which visits exactly these leaves.
    """
    exact_values = expectiminimax(tree)
    limits: tuple[Bound, Bound] = (-INFINITY, INFINITY) if rules.bounds is None else rules.bounds
    return frozenset(
        tree.paths[leaf] for leaf in tree.leaves if _matters(tree, rules, leaf, exact_values, limits)
    )


def _matters(
    tree: Tree, rules: Rules, leaf: int, exact_values: tuple[Number, ...], limits: tuple[Bound, Bound]
) -> bool:
    """Return whether some value of a leaf reaches the root unchanged, as `relevant_leaves` says.

    `low` and `high` limit the values that come through, from the leaf up to the root.
    """
    lowest, highest = limits
    low, high = limits
    child = leaf
    for node in tree.ancestors(leaf):
        order = tree.visiting(node, rules.order)
        place = order.index(child)
        elder = [exact_values[sibling] for sibling in order[:place]]
        if tree.players[node] is Player.MAX:
            low = max([low, *elder])
        elif tree.players[node] is Player.MIN:
            high = min([high, *elder])
        else:
            share = probability(tree, child)
            if share == 0:
                return False
            before = sum(
                probability(tree, sibling) * value for sibling, value in zip(order, elder, strict=False)
            )
            after = sum(probability(tree, sibling) for sibling in order[place + 1 :])
            low = before + share * low + (after * lowest if after else 0)
            high = before + share * high + (after * highest if after else 0)
        if low > high or (low == high and rules.ties == "cut"):
            return False
        child = node
    alpha, beta = rules.root_window
    low, high = max(low, alpha), min(high, beta)
    return low < high or (low == high and rules.ties == "keep")
