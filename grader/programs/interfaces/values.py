"""The leaves of a complete binary tree in one list, with the depth and the index of a node."""

import re
from collections.abc import Mapping
from typing import Any

from grader.programs.calling import ROLES, Program, arguments_for, role_of
from grader.programs.position import TreePosition

TITLE = "one list with the leaves of a complete binary tree"
RECOGNISED_BY = r"(?i)def \w+\([^)]*\b(node_?index|idx|index)\b[^)]*\b(values|scores|leaves)\b"
SHAPE = "complete"
HAS_WINDOW = True
STUB = '''\
def minimax(depth, node_index, maximizing, values, alpha, beta, height):
    """Return the value of a node of a complete binary tree, whose leaves are the list values.

    The root has depth 0 and index 0; the children of node i are the nodes 2 * i and 2 * i + 1 of the next
    depth. The leaves have depth height. maximizing: whether MAX moves at this node.
    """
'''
_ROLES = {
    "height": r"(target|max|tree)_?(depth|height)|height|h",
    **ROLES,
    "index": r"(node_?)?(index|idx|i)|node|pos(ition)?",
    "values": r"values|scores|leaves|leaf_values|payoffs|arr|array|data",
}


class Values(list[Any]):
    """The payoffs of the leaves; reading one is a visit."""

    position: TreePosition
    leaves: tuple[int, ...]

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        if not isinstance(index, slice):
            self.position.record.visit(self.leaves[index])
        return value


def suits(program: Program, tree: Mapping[str, Any]) -> bool:
    """Return whether the program can search a tree of this depth; some compare with a fixed number."""
    fixed = re.search(r"[dD]epth\s*==\s*(\d+)", program.source)
    return fixed is None or int(fixed[1]) in (0, tree["plies"])


def call(program: Program, position: TreePosition, depth: int, window: Any = None) -> Any:
    """Call the function at the root; the root has depth 0 unless the depth counts down to the leaves."""
    parameters = program.parameters
    payoffs = position.tree["payoffs"]
    leaves = tuple(node for node, children in enumerate(position.tree["children"]) if not children)
    values = Values(payoffs[leaf] for leaf in leaves)
    values.position, values.leaves = position, leaves
    roles = {role_of(name, _ROLES): name for name in parameters}
    counts_down = "height" not in roles and program.counts(roles.get("depth", "depth")) == "down"
    usual = program.search_values(depth, window, _ROLES)
    own = {"height": depth, "depth": depth if counts_down else 0, "index": 0, "values": values}
    return program(**arguments_for(parameters, usual | own, _ROLES))
