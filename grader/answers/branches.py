"""A set of branches, each by the name of the node below it: `C F`, `none`."""

from collections.abc import Iterable, Set

from grader.answers.form import Ambiguous, Credit, Form, Malformed, Terms
from grader.answers.marks import Naming, Way, choose, read_marks
from grader.answers.reading import Reply, read_reply
from grader.answers.sets import credit_set
from grader.answers.vocabulary import vocabulary
from grader.tree import Tree

Branches = frozenset[int]
"""Indices of nodes; each stands for the branch above it."""

_NAMING = Naming(labels=True)


def read(text: str, tree: Tree, terms: Terms) -> Branches | Malformed | Ambiguous:
    """Read names of nodes, labels of moves, path numbers of leaves, or branches such as `A -> C`."""
    return read_reply(text, tree, terms, _read, write)


def _read(reply: Reply) -> Branches:
    def build(ways: Iterable[Way]) -> Branches:
        return frozenset(node for way in ways for node in way)

    return choose(read_marks(reply, _NAMING), build)


def write(answer: Branches, tree: Tree) -> str:
    """Names in the order of the tree, path numbers for leaves without a name, or `none`."""
    names = vocabulary(tree)
    return names.write_all(sorted(answer)) or names.nothing


def credit(reply: Branches, key: Branches, tree: Tree, terms: Terms, implied: Branches | None) -> Credit:
    """Credit by the set policy; a branch below one that is named too says nothing new."""
    del implied  # a set has no entries that others imply
    topmost = frozenset(node for node in reply if node in key or reply.isdisjoint(tree.ancestors(node)))

    def covers(nodes: Set[int]) -> bool:
        return all(leaf in nodes or not nodes.isdisjoint(tree.ancestors(leaf)) for leaf in tree.leaves)

    names = vocabulary(tree)
    return credit_set(topmost, key, len(tree) - 1, covers, terms, lambda node: node, names.write)


def distance(reply: Branches, other: Branches) -> int:
    """How many branches are in one of the two only."""
    return len(reply ^ other)


BRANCHES: Form[Branches] = Form(
    name="branches",
    ask="Write these names and path numbers, or none if there are none.",
    example="C F",
    read=read,
    write=write,
    credit=credit,
    distance=distance,
)
