"""Nodes with a list of children and a value."""

from typing import Any

from grader.programs.calling import Program, arguments_for
from grader.programs.position import ProgramState, TreePosition

TITLE = "nodes with .children and .value"
RECOGNISED_BY = r"\.children\b"
HAS_WINDOW = True
ALLOWS_UNIFORM = True
STUB = '''\
def alphabeta(node, depth, alpha, beta, maximizing):
    """Return the value of a node.

    node.children is the list of its children, empty at a leaf; node.value is the payoff of a leaf;
    node.name is its label. depth: how many plies are left. maximizing: whether MAX moves at this node.
    """
'''


class Node(ProgramState):
    """A node of a tree: its children, and at a leaf its value."""

    def __init__(self, position: TreePosition) -> None:
        super().__init__(position)
        self._stored: Any = None
        self.name = f"n{position.node}"
        self.children = [type(self)(position.at(child)) for child in position.children]
        position.record.represent(self, position.node)

    @property
    def value(self) -> Any:
        """The payoff of a leaf; None at an internal node, unless the program has stored a value there."""
        if self._stored is not None:
            return self._stored
        return None if self.children else self._position.value()

    @value.setter
    def value(self, value: Any) -> None:
        self._stored = value

    def is_leaf(self) -> bool:
        """Return whether the node has no children."""
        return not self.children

    is_terminal = is_leaf


def call(program: Program, position: TreePosition, depth: int, window: Any = None) -> Any:
    """Call the function on a node."""
    values = program.search_values(depth, window) | {"state": Node(position)}
    return program(**arguments_for(program.parameters, values))
