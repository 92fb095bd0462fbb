"""A set of leaves by path number: `5 6 9`, `5-9`, `none`."""

from collections.abc import Iterable, Mapping, Sequence, Set

from grader.answers.blank import NONE, Blanks
from grader.answers.boxes import leaf_label
from grader.answers.canonical import only_if_written, path_at
from grader.answers.choices import any_of, picked
from grader.answers.form import Ambiguous, Asking, Credit, Form, Malformed, Terms
from grader.answers.mention import Naming, Way
from grader.answers.named_things import choose, payoffs_as_paths, read_mentions
from grader.answers.policies import LEAF_SETS, credit_set
from grader.answers.reply import Reply, read_reply
from grader.answers.vocabulary import vocabulary
from grader.base.phrases import Phrase
from grader.rules import Rules
from grader.tree import Tree

Paths = frozenset[int]
"""Path numbers, counted from 1 at the left."""

_NAMING = Naming(crossed=True)


def read(text: str, tree: Tree, terms: Terms) -> Paths | Malformed | Ambiguous:
    """Read path numbers, names of leaves and ranges; a node's name stands for all leaves below it."""
    return read_reply(text, tree, terms, _read, write, remarks="of words")


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

    return choose(read_mentions(reply, _NAMING), build)


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


def blanks(key: Paths, tree: Tree, terms: Terms) -> Blanks:
    """A tick for every leaf."""
    say = terms.language.say
    asks = (
        say("Tick every such leaf, by its path number; tick the last box if there is none."),
        say(
            "Write path numbers (leaves counted from 1 at the left) in ascending order with blanks between, "
            "or {none}.",
            none=NONE,
        ),
    )
    right = [path in key for path in _all(tree)]
    names = [write(frozenset((path,)), tree) for path in sorted(key)] or [NONE]
    return any_of([leaf_label(tree, leaf) for leaf in tree.leaves], right, names, asks, terms)


def _all(tree: Tree) -> Sequence[int]:
    return range(1, len(tree.leaves) + 1)


def thoughtless(tree: Tree, rules: Rules) -> Mapping[str, Paths]:
    """Everything, nothing, and the branch that is visited last."""
    last = tree.visiting(0, rules.order)[-1]
    return {
        "everything": frozenset(_all(tree)),
        "nothing": frozenset(),
        "last branch": frozenset(tree.paths[leaf] for leaf in tree.leaves_below(last)),
    }


PATHS: Form[Paths] = LEAF_SETS.form(
    name="paths",
    ask=Phrase("Write their path numbers, or none if there are none."),
    example="5 6 9",
    read=read,
    write=write,
    parse=parse,
    credit=credit,
    distance=distance,
    blanks=Asking(blanks, picked(_all, write)),
    set_of="leaves",
    thoughtless=thoughtless,
    by_payoffs=by_payoffs,
    drawn=drawn,
)
