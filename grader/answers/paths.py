"""A set of leaves by leaf number: `5 6 9`, `5-9`, `none`."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from grader.answers.canonical import read_path, read_sequence
from grader.answers.choice_blanks import Offer, leaf_option
from grader.answers.form import Form, Item, Terms
from grader.answers.mention import MentionRules, NodeReading
from grader.answers.mention_lists import build_unambiguous, payoffs_as_paths, read_mentions
from grader.answers.policies import compare_sets
from grader.answers.reply import Reply
from grader.answers.reply_reading import read_reply
from grader.answers.set_credits import LEAF_SETS
from grader.answers.vocabulary import vocabulary
from grader.base.phrases import Phrase
from grader.trees.rules import Rules
from grader.trees.tree import Tree

Paths = frozenset[int]
"""Leaf numbers, counted from 1 at the left."""

_NAMING = MentionRules(asks_for_pruned=True)


def _read(reply: Reply) -> Paths:
    """Read leaf numbers, names of leaves and ranges; a node's name stands for all leaves below it."""
    tree = reply.tree

    def build(readings: Iterable[NodeReading]) -> Paths:
        """Return the leaf numbers of all mentioned nodes: an inner node stands for every leaf below it."""
        paths = tree.paths
        numbers: set[int] = set()
        for reading in readings:
            for node in reading:
                if paths[node]:
                    numbers.add(paths[node])
                else:
                    numbers.update(paths[leaf] for leaf in tree.leaves_below(node))
        return frozenset(numbers)

    return build_unambiguous(read_mentions(reply, _NAMING), build)


def write(answer: Paths, tree: Tree) -> str:
    """`5 6 9` in ascending order, or `none`."""
    names = vocabulary(tree)
    return " ".join(names.write_path(path) for path in sorted(answer)) or names.empty_text


def compare(reply: Paths, key: Paths, tree: Tree, _terms: Terms, texts: bool) -> tuple[Item, ...]:
    """Compare leaf by leaf; every leaf of the tree may be named."""
    write_path = vocabulary(tree).write_path if texts else None
    return compare_sets(reply, key, lambda path: tree.leaves[path - 1], write_path)


def by_payoffs(answer: Paths, tree: Tree) -> Paths | None:
    """The payoffs of the leaves, taken for leaf numbers; None if some payoff is not a leaf number."""
    paths = payoffs_as_paths(tree, (tree.leaves[path - 1] for path in answer))
    return None if paths is None else frozenset(paths)


def from_drawing(tree: Tree) -> Paths | None:
    """The leaves under a cross, None without any cross."""
    return frozenset(tree.crossed_paths) or None


def every_path(tree: Tree) -> Sequence[int]:
    """The numbers of all leaves."""
    return range(1, len(tree.leaves) + 1)


_OFFER = Offer(
    every_path,
    leaf_option,
    write,
    write_ask=Phrase(
        "Write the leaf numbers (counted from 1 at the left) in ascending order, separated by spaces. "
        "If there are none, write {none}."
    ),
    tick_ask=Phrase("Select the leaf number of every such leaf, or the last option if there are none."),
    place="leaf",
    paper_ask=Phrase(
        'Put a cross in the box of each such leaf, or in the box "none of them" if there are none.'
    ),
)


def payoff_blind_answers(tree: Tree, rules: Rules) -> Mapping[str, Paths]:
    """Everything, nothing, and the branch that is visited last."""
    last = tree.visiting(0, rules.order)[-1]
    return {
        "everything": frozenset(every_path(tree)),
        "nothing": frozenset(),
        "last branch": frozenset(tree.paths[leaf] for leaf in tree.leaves_below(last)),
    }


PATHS: Form[Paths] = LEAF_SETS.form(
    name="paths",
    ask=Phrase("Write their leaf numbers, or none if there are none."),
    example="5 6 9",
    read=partial(read_reply, read=_read, write=write, remarks="of words", listed=True, numbers="listed"),
    write=write,
    parse_canonical=lambda text, tree: frozenset(read_sequence(text, tree, read_path)),
    compare=compare,
    blank_codec=_OFFER.codec,
    set_of="leaves",
    payoff_blind_answers=payoff_blind_answers,
    by_payoffs=by_payoffs,
    from_drawing=from_drawing,
    screen_input="leaves",
)
