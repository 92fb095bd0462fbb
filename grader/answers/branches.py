"""A set of branches, each by the name of the node below it: `C F`, `none`."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial

from grader.answers.canonical import read_node, read_sequence
from grader.answers.choice_blanks import Offer, node_option
from grader.answers.form import Ambiguous, AnswerSpace, Form, Item, Malformed, Terms
from grader.answers.mention import MentionRules, NodeReading
from grader.answers.mention_lists import build_unambiguous, payoffs_as_paths, read_mentions
from grader.answers.policies import compare_sets
from grader.answers.reply import MISPLACED, Reply, UnreadableError
from grader.answers.reply_reading import read_reply
from grader.answers.set_credits import BRANCH_SETS, NODE_SETS, ONE_NODE
from grader.answers.vocabulary import vocabulary
from grader.base.phrases import Phrase
from grader.trees.rules import Rules
from grader.trees.tree import Tree

Branches = frozenset[int]
"""Indices of nodes; each stands for the branch above it."""

_NAMING = MentionRules(accepts_labels=True, asks_for_pruned=True)


def _read(reply: Reply) -> Branches:
    """Read names of nodes, labels of moves, numbers of leaves, or branches such as `A -> C`."""
    mentions = read_mentions(reply, _NAMING)
    for mention in mentions if len(mentions) > 1 else ():
        if mention.readings == ((0,),):  # above the root there is no branch
            raise UnreadableError(MISPLACED, mention.place, word=reply.clip(mention.place))

    def build(readings: Iterable[NodeReading]) -> Branches:
        return frozenset(node for reading in readings for node in reading)

    return build_unambiguous(mentions, build)


def write(answer: Branches, tree: Tree) -> str:
    """Names in the order of the tree, leaf numbers for leaves without a name, or `none`."""
    names = vocabulary(tree)
    return names.write_all(sorted(answer)) or names.empty_text


def compare(reply: Branches, key: Branches, tree: Tree, terms: Terms, texts: bool) -> tuple[Item, ...]:
    """Compare the pruned branches one by one.

    A branch below another listed one is ignored, and a list of all children of a node counts as the branch
    to that node; its item shows the text of the reply. If only the complete answer counts, an answer that
    says "no others" is taken literally.
    """
    crossed = set(topmost(reply, key, tree))
    if terms.policy.name == "exact":
        crossed |= {node for node in reply if not reply.isdisjoint(tree.ancestors(node))}
    if not texts:
        return compare_sets(crossed, key, lambda node: node, None)
    names = vocabulary(tree)
    return tuple(
        item
        if item.node is None or not item.reply or item.node in reply
        else item._replace(
            reply=names.write_all(sorted(reply.intersection(range(item.node, tree.ends[item.node]))))
        )
        for item in compare_sets(crossed, key, lambda node: node, names.write)
    )


def topmost(reply: Set[int], key: Set[int], tree: Tree) -> Branches:
    """The branches that a set of branches crosses out, each at its top; those of the key as they are."""
    if reply == key:
        return frozenset(key)
    out = [False] * len(tree)
    for node in sorted(reply):
        if not out[node]:
            out[node : tree.ends[node]] = [True] * (tree.ends[node] - node)
    for node in tree.internal[:0:-1]:
        out[node] = out[node] or all(map(out.__getitem__, tree.children[node]))
    return frozenset(tree.tops(out)) | (reply & key)


def by_payoffs(answer: Branches, tree: Tree) -> Branches | None:
    """The branches with the payoffs of their leaves taken for leaf numbers; inner nodes keep their names.

    None if some payoff is not a leaf number.
    """
    leaves = [node for node in answer if not tree.children[node]]
    paths = payoffs_as_paths(tree, leaves)
    if paths is None:
        return None
    return answer.difference(leaves) | {tree.leaves[path - 1] for path in paths}


def from_drawing(tree: Tree) -> Branches | None:
    """The topmost nodes under a cross, None without any cross."""
    return frozenset(tree.tops(tree.crossed_out)) - {0} or None


def _is_silent(node: int, key: Branches, tree: Tree) -> bool:
    """Return whether a branch is below one of the key, and so is ignored."""
    return node not in key and not key.isdisjoint(tree.ancestors(node))


def _all(tree: Tree) -> Sequence[int]:
    return tree.breadth_first[1:]


_BRANCH_OFFER = Offer(
    _all,
    node_option,
    write,
    write_ask=Phrase(
        "Write the label of the node that each branch leads to, from left to right, separated by spaces. "
        "If there are none, write {none}. For a leaf without a label, write its leaf number."
    ),
    tick_ask=Phrase("Select the node that each such branch leads to, or the last option if there are none."),
    is_silent=_is_silent,
    place="branch",
    paper_ask=Phrase(
        'Put a cross in the box of each such branch, or in the box "none of them" if there are none. '
        "The box of a branch is just above the node it leads to, or next to that node's label."
    ),
)
_NODE_OFFER = Offer(
    _all,
    node_option,
    write,
    write_ask=Phrase(
        "Write the label of each such node, from left to right, separated by spaces. "
        "If there are none, write {none}. For a leaf without a label, write its leaf number."
    ),
    tick_ask=Phrase("Select each such node, or the last option if there are none."),
    place="branch",
    paper_ask=Phrase(
        'Put a cross in the box of each such node, or in the box "none of them" if there are none. '
        "The box of a node is just above it or next to its label."
    ),
)


def payoff_blind_answers(tree: Tree, rules: Rules) -> Mapping[str, Branches]:
    """Everything, nothing, the branch that is visited last, and those just below it."""
    last = tree.visiting(0, rules.order)[-1]
    return {
        "everything": frozenset(range(1, len(tree))),
        "nothing": frozenset(),
        "last branch": frozenset((last,)),
        "last branch's children": frozenset(tree.children[last]),
    }


BRANCHES: Form[Branches] = BRANCH_SETS.form(
    name="branches",
    ask=Phrase(
        "Write the label of the node that each branch leads to (for a leaf, its leaf number), or none if "
        "there are none."
    ),
    example="C F",
    read=partial(read_reply, read=_read, write=write, remarks="of words", listed=True),
    write=write,
    parse_canonical=lambda text, tree: frozenset(read_sequence(text, tree, read_node)),
    compare=compare,
    blank_codec=_BRANCH_OFFER.codec,
    names_nodes=True,
    set_of="branches",
    payoff_blind_answers=payoff_blind_answers,
    by_payoffs=by_payoffs,
    from_drawing=from_drawing,
    screen_input="branches",
)


def _compare_nodes(
    reply: Branches, key: Branches, tree: Tree, _terms: Terms, texts: bool
) -> tuple[Item, ...]:
    """Compare node by node: one says nothing of those below it."""
    return compare_sets(reply, key, lambda node: node, vocabulary(tree).write if texts else None)


NODE_NAMES: Form[Branches] = replace(
    BRANCHES,
    ask=Phrase("Write their labels, or none if there are none."),
    credit_sentence=NODE_SETS.credit_sentence,
    compare=_compare_nodes,
    has_one_spelling=True,
    share=NODE_SETS.share,
    tally=NODE_SETS.tally,
    blank_codec=_NODE_OFFER.codec,
    drawn_verdicts="",
    from_drawing=None,
    screen_input="",
)
"""The same names, where what they stand for are the nodes and not the branches above them."""

_SAYING = (
    r"(?:(?:it|is|the|value|comes|came|has|got|gets|this|that|node|kommt|MAX|MIN"
    r"|(?-i:(?!N[oO]\s)[A-Z]\w?)|-?[0-9]+)\s+)*"
)
_FROM = re.compile(
    rf"\s*{_SAYING}(?:from|von|vom|de|du|da)\s+(?:its\s+|the\s+)?(?:child\s+|kind\s+)?(?P<name>[^,;]+)",
    re.IGNORECASE,
)
"""The words before the name of the node that a value comes from."""
_WORTH = re.compile(
    r"(?P<name>[^,;=()]+?)\s*(?:\(-?\d+\)|=\s*-?\d+|,?\s*with\s+(?:the\s+)?value\s+-?\d+)[\s.]*"
)
"""A node with the value that comes from it."""


def _read_origin(text: str, tree: Tree, terms: Terms) -> Branches | Malformed | Ambiguous:
    """Names of nodes, also as `from C`, or with the value that comes from there: `C (7)`."""
    found = NODE_NAMES.read(text, tree, terms)
    inner = _FROM.fullmatch(text) or _WORTH.fullmatch(text)
    if inner is None or isinstance(found, frozenset):
        return found
    again = NODE_NAMES.read(inner["name"], tree, terms)
    return again if isinstance(again, frozenset) and again else found


_ASK_ORIGIN = Phrase("Write the label of that child, or its leaf number if it is a leaf without a label.")

_ORIGIN_OFFER = Offer(
    _all,
    node_option,
    write,
    _ASK_ORIGIN,
    is_single=True,
    place="branch",
    paper_ask=Phrase(
        "Put a cross in the box of this node. The box is just above the node or next to its label."
    ),
)

ORIGIN: Form[Branches] = replace(
    NODE_NAMES,
    ask=_ASK_ORIGIN,
    read=_read_origin,
    marking_rule=Phrase("The label is accepted; for a leaf, the leaf number is also accepted."),
    credit_sentence=ONE_NODE.credit_sentence,
    answer_space=AnswerSpace("short"),
    blank_codec=_ORIGIN_OFFER.codec,
    set_of="",
    answer_count=lambda _key, tree: -(-len(tree.internal) // 2),
    policies=("exact",),
    earlier_policies=(),
)
"""The node from which something comes: one of those half of the inner nodes that were searched before."""
