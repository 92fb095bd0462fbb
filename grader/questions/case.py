"""The case of a question: a tree, the rules that decide the answer, and the other data given."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.questions.given import NOTHING_GIVEN, Given
from grader.trees.rules import Rules
from grader.trees.tree import Tree


@dataclass(frozen=True, slots=True)
class Case:
    """A tree with its rules and the other data of a question: everything that decides the answer.

    The tree is empty if the question has none.
    """

    tree: Tree
    rules: Rules
    given: Given = NOTHING_GIVEN


def node_objection(case: Case) -> str | None:
    """Return why the given `nodes` are invalid, or None; they may be omitted."""
    if "nodes" not in case.given:
        return None
    inner = {case.tree.names[node] for node in case.tree.internal}
    nodes = case.given["nodes"]
    if not isinstance(nodes, list) or not nodes or not all(isinstance(name, str) for name in nodes):
        return "the nodes that are asked about are not a list of names"
    if len({*nodes}) < len(nodes):
        return "a node that is asked about is named twice"
    stray = [name for name in nodes if name not in inner]
    return f"there is no inner node {stray[0]}" if stray else None


def requested_nodes(case: Case) -> Sequence[int]:
    """Return the inner nodes that the question is about, by level: the given `nodes`, or all of them."""
    tree = case.tree
    if "nodes" not in case.given:
        return tree.by_level
    requested = frozenset(case.given["nodes"])
    return [node for node in tree.by_level if tree.names[node] in requested]
