"""Nodes of a game of several players, for max^n."""

from typing import Any

from grader.programs.calling import ROLES, Program, arguments_for
from grader.programs.interfaces import nodes
from grader.programs.position import TreePosition

TITLE = "nodes of three players with .player, .children and .payoffs"
RECOGNISED_BY = r"\.payoffs\b"
FUNCTIONS = (r"\w*max_?n\w*", r"\w*(search|solve|value|best)\w*")
SHAPE = "players"
ALGORITHM = "max^n"
WINDOW_NAMES = r"(?!)"
STUB = '''\
def maxn(node):
    """Return the payoffs of a node if each of the three players maximizes its own payoff.

    node.player is the player who moves: 0, 1 or 2; node.children is the list of its children, empty at a
    leaf; node.payoffs has the payoff of each player at a leaf.
    """
'''


class Node(nodes.Node):
    """A node of a game of several players."""

    def __init__(self, position: TreePosition) -> None:
        super().__init__(position)
        self.player = int(position.mover().removeprefix("P")) - 1

    @property
    def payoffs(self) -> tuple[Any, ...] | None:
        """The payoffs of a leaf, first player first; None at an internal node."""
        return None if self.children else tuple(self._position.value())


def call(program: Program, position: TreePosition, depth: int) -> Any:
    """Call the function on the root, where the first player moves."""
    values = {"state": Node(position), "depth": depth, "maximizing": 0, "players": position.tree["seats"]}
    roles = {"players": r"(num|number|count|n)_?(of_?)?players|players", **ROLES}
    return program(**arguments_for(program.parameters, values, roles))
