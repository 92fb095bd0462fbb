"""A set of leaves by path number: `5 6 9`, `5-9`, `none`."""

from collections.abc import Iterable, Set

from grader.answers.canonical import only_if_written, path_at
from grader.answers.form import Ambiguous, Credit, Form, Malformed, Terms
from grader.answers.mention import Naming, Way
from grader.answers.mentions import choose, payoffs_as_paths, read_marks
from grader.answers.reading import Reply, read_reply
from grader.answers.sets import credit_set
from grader.answers.vocabulary import vocabulary
from grader.tree import Tree

Paths = frozenset[int]
"""Path numbers, counted from 1 at the left."""

_NAMING = Naming(crossed=True)


def read(text: str, tree: Tree, terms: Terms) -> Paths | Malformed | Ambiguous:
    """Read path numbers, names of leaves and ranges; a node's name stands for all leaves below it."""
    return read_reply(text, tree, terms, _read, write)


def _read(reply: Reply) -> Paths:
    tree = reply.tree

    def build(ways: Iterable[Way]) -> Paths:
        paths = tree.paths
        found: set[int] = set()
        for way in ways:
            for node in way:
                if paths[node]:
                    found.add(paths[node])
                else:
                    found.update(paths[leaf] for leaf in tree.leaves_below(node))
        return frozenset(found)

    return choose(read_marks(reply, _NAMING), build)


def write(answer: Paths, tree: Tree) -> str:
    """`5 6 9` in ascending order, or `none`."""
    names = vocabulary(tree)
    return " ".join(names.write_path(path) for path in sorted(answer)) or names.nothing


def parse(text: str, tree: Tree) -> Paths:
    """The inverse of `write`; raises `grader.answers.canonical.CanonicalError`."""
    nothing = text == vocabulary(tree).nothing
    answer = frozenset(() if nothing else (path_at(piece, tree) for piece in text.split(" ")))
    return only_if_written(text, answer, tree, write)


def credit(reply: Paths, key: Paths, tree: Tree, terms: Terms, implied: Paths | None) -> Credit:
    """Credit by the set policy; every leaf of the tree may be named."""
    del implied  # a set has no entries that others imply
    leaves, names = tree.leaves, vocabulary(tree)

    def covers(paths: Set[int]) -> bool:
        return len(paths) == len(leaves)

    return credit_set(reply, key, len(leaves), covers, terms, lambda path: leaves[path - 1], names.write_path)


def distance(reply: Paths, other: Paths) -> int:
    """How many leaves are in one of the two only."""
    return len(reply ^ other)


def by_payoffs(answer: Paths, tree: Tree) -> Paths | None:
    """The payoffs of the leaves, taken for path numbers."""
    paths = payoffs_as_paths(tree, (tree.leaves[path - 1] for path in answer))
    return None if paths is None else frozenset(paths)


def drawn(tree: Tree) -> Paths | None:
    """The leaves under a cross, None without any cross."""
    return frozenset(tree.crossed_paths) or None


PATHS: Form[Paths] = Form(
    name="paths",
    ask="Write their path numbers, or none if there are none.",
    example="5 6 9",
    read=read,
    write=write,
    parse=parse,
    credit=credit,
    distance=distance,
    counts_leaves=True,
    policies=True,
    by_payoffs=by_payoffs,
    drawn=drawn,
)
