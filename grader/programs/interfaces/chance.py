"""Nodes of MAX, MIN and chance, with probabilities and bounds of the payoffs."""

from typing import Any

from grader.programs.calling import Program, arguments_for
from grader.programs.interfaces import nodes
from grader.programs.position import TreePosition

TITLE = "nodes with .player, .children, .probabilities and .value"
RECOGNISED_BY = r"\.probabilities\b"
FUNCTIONS = (r"\w*(star_?1|alpha_?beta|prun)\w*", r"\w*expecti\w*")
SHAPE = "chance"
PAYOFFS = (-9, 9)
ALGORITHM = "expectimax"
WINDOW_NAMES = r"lowest|highest|lower_?bound|upper_?bound"
STUB = '''\
def star1(node, alpha, beta, lowest, highest):
    """Return the value of a node.

    node.player is "MAX", "MIN" or "CHANCE"; node.children is the list of its children, empty at a leaf;
    node.probabilities has the probability of each child of a chance node; node.value is the payoff of a leaf.
    alpha, beta: the window, at first float("-inf") and float("inf").
    lowest, highest: no payoff is lower or higher. Leave them out to search without pruning at chance nodes.
    """
'''
_ROLES = {
    "lowest": r"lowest|lower_?bound",
    "highest": r"highest|upper_?bound",
    "alpha": r"alpha|a|α",
    "beta": r"beta|b|β",
}


class Node(nodes.Node):
    """A node of MAX, MIN or chance."""

    def __init__(self, position: TreePosition) -> None:
        super().__init__(position)
        self.player = position.mover() if position.children else None
        self.probabilities = position.probabilities() if self.player == "CHANCE" else []

    def is_chance(self) -> bool:
        """Return whether chance decides here."""
        return self.player == "CHANCE"


def call(program: Program, position: TreePosition, depth: int) -> Any:
    """Call the function on the root, with bounds that no payoff reaches."""
    lowest, highest = position.tree["bounds"]
    values = program.search_values(depth) | {"state": Node(position), "lowest": lowest, "highest": highest}
    return program(**arguments_for(program.parameters, values, _ROLES))
