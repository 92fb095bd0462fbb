"""Leaves in the order in which they are visited: `1 2 3 7`."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby, pairwise

from grader.answers.canonical import CanonicalError, only_if_written, path_at
from grader.answers.form import Ambiguous, Credit, Form, Item, Malformed, Terms
from grader.answers.mention import Naming, Way
from grader.answers.mentions import choose, payoffs_as_paths, read_marks
from grader.answers.reading import Reply, UnreadableError, read_reply
from grader.answers.vocabulary import vocabulary
from grader.tree import Tree

Order = tuple[int, ...]
"""Path numbers, the first leaf visited first."""

_NAMING = Naming(arrows=True)


def read(text: str, tree: Tree, terms: Terms) -> Order | Malformed | Ambiguous:
    """Read path numbers and names of leaves in order; a leaf named twice in a row says nothing new."""
    return read_reply(text, tree, terms, _read, write)


def _read(reply: Reply) -> Order:
    paths = reply.tree.paths
    marks = read_marks(reply, _NAMING)
    for mark in marks:
        if not any(all(paths[node] for node in way) for way in mark.ways):
            raise UnreadableError(
                "this is no leaf", mark.place, "write every leaf in the order of the visits"
            )
    kept = [
        type(mark)(tuple(way for way in mark.ways if all(paths[node] for node in way)), mark.place, mark.why)
        for mark in marks
    ]

    def build(ways: Iterable[Way]) -> Order:
        order = tuple(path for path, _ in groupby(paths[node] for way in ways for node in way))
        if len(order) > 2 * len(reply.tree.leaves):
            raise UnreadableError(
                "leaves are named again and again", 0, "write each leaf once, when it is visited"
            )
        return order

    return choose(kept, build)


def write(answer: Order, tree: Tree) -> str:
    """`1 2 3 7`, or `none`."""
    names = vocabulary(tree)
    return " ".join(map(names.write_path, answer)) or names.nothing


def parse(text: str, tree: Tree) -> Order:
    """The inverse of `write`; raises `grader.answers.canonical.CanonicalError`."""
    nothing = text == vocabulary(tree).nothing
    answer = tuple(() if nothing else (path_at(piece, tree) for piece in text.split(" ")))
    if any(one == two for one, two in pairwise(answer)):
        raise CanonicalError("a leaf is named twice in a row")
    return only_if_written(text, answer, tree, write)


def credit(reply: Order, key: Order, tree: Tree, terms: Terms, implied: Order | None) -> Credit:
    """The longest correct prefix over the length of the key; going on after the end is one wrong step.

    Every leaf of the prefix is a right item; one item says where the order breaks, and nothing is said of
    the leaves behind that place.
    """
    del terms, implied  # nothing here depends on them
    prefix = 0
    while prefix < min(len(reply), len(key)) and reply[prefix] == key[prefix]:
        prefix += 1
    names, leaves = vocabulary(tree), tree.leaves
    items = []
    for place in range(min(prefix + 1, max(len(reply), len(key)))):
        said = names.write_path(reply[place]) if place < len(reply) else ""
        right = names.write_path(key[place]) if place < len(key) else ""
        leaf = leaves[(reply[place] if said else key[place]) - 1]
        if said and right:
            items.append(Item(leaf, said, right, "right" if place < prefix else "wrong"))
        else:
            items.append(Item(leaf, said, right, "extra" if said else "missing"))
    if reply == key:
        return Credit(Fraction(1), tuple(items))
    if prefix == len(key):
        prefix -= 1
    return Credit(Fraction(max(prefix, 0), len(key)) if key else Fraction(0), tuple(items))


def distance(reply: Order, other: Order) -> int:
    """At how many places the two differ."""
    differing = sum(1 for one, two in zip(reply, other, strict=False) if one != two)
    return differing + abs(len(reply) - len(other))


def by_payoffs(answer: Order, tree: Tree) -> Order | None:
    """The payoffs of the leaves, taken for path numbers; one twice in a row says nothing new."""
    paths = payoffs_as_paths(tree, (tree.leaves[path - 1] for path in answer))
    return None if paths is None else tuple(path for path, _ in groupby(paths))


ORDER: Form[Order] = Form(
    name="order",
    ask="Write their path numbers in this order.",
    example="1 2 3 7",
    read=read,
    write=write,
    parse=parse,
    credit=credit,
    distance=distance,
    counts_leaves=True,
    by_payoffs=by_payoffs,
)
