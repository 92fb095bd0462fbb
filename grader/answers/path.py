"""A path from the root to a leaf, by its number, its leaf's name or its steps: `5`, `e`, `A -> B -> e`."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from grader.answers.canonical import read_path, read_sequence
from grader.answers.choice_blanks import Offer, compare_best, leaf_option, single_options
from grader.answers.form import AnswerSpace, Form
from grader.answers.mention import MentionRules, NodeReading, side_number
from grader.answers.mention_lists import build_unambiguous, parse_mentions, read_mentions
from grader.answers.node_entries import NAMES
from grader.answers.numeral import bounded_number, parse_value
from grader.answers.paths import by_payoffs, every_path
from grader.answers.reply import Reply, UnreadableError, UnsureError
from grader.answers.reply_reading import read_reply
from grader.answers.reply_tokens import Token
from grader.answers.vocabulary import vocabulary
from grader.base.phrases import Phrase
from grader.trees.tree import Tree

LeafPath = frozenset[int]
"""Leaf numbers, counted from 1 at the left: one, or several that are equally good."""

_NAMING = MentionRules(wants_one=True)
_PARTING = {"SEMICOLON", "OR", "AND", "ALL", "HASH", "CUT"}
"""The kinds of words that cannot occur in a walk from the root to a leaf."""

_NEGATIVE_PAYOFF = re.compile(r"(?:[,\n>→⇒-]\s*|\s)(-\d{1,30}(?:[./]\d{1,30})?)\s*[.?]?\s*$")
"""A negative number as the last of several steps."""


def _read(reply: Reply) -> LeafPath:
    """Read leaf numbers and names of leaves, or steps from the root separated by anything."""
    ends = _walks_to_negative_payoff(reply)
    try:
        ends |= _walks(reply)
    except UnreadableError:
        if not ends:
            raise
    answers = [frozenset((path,)) for path in sorted(map(reply.tree.paths.__getitem__, ends))]
    try:
        leaves = build_unambiguous(read_mentions(reply, _NAMING), partial(_leaves, reply.tree, bool(answers)))
    except (UnreadableError, UnsureError):
        if not answers:
            raise
    else:
        answers += [leaves] if leaves not in answers else []
    if len(answers) == 1:
        return answers[0]
    raise UnsureError("the last number could be a leaf number or the payoff of a different leaf", answers)


def _leaves(tree: Tree, must_differ: bool, readings: Iterable[NodeReading]) -> LeafPath:
    """Return the leaves of these readings.

    Raises `UnreadableError` for a node that is not a leaf, and for a repeated leaf if they `must_differ`.
    """
    found = set[int]()
    for reading in readings:
        for node in reading:
            if not tree.paths[node]:
                name = vocabulary(tree).write(node)
                message = Phrase("the path stops at {node}, which is not a leaf")
                raise UnreadableError(message, 0, "continue the path down to a leaf", node=name)
        if must_differ and len(set(reading)) < len(reading):
            raise UnreadableError("a leaf is given twice", 0)
        found.update(tree.paths[node] for node in reading)
    return frozenset(found)


def _walks(reply: Reply) -> set[int]:
    """Return the leaves that the reply reaches step by step from the root; empty if it is not a walk.

    A step is the name of a child, the label of a move or the side of the child. The last step may also be
    the leaf number, or a payoff that no sibling shares; `leaf 5` is the leaf number.
    """
    tree = reply.tree
    items, _ = parse_mentions(reply, _NAMING)
    tokens = [token for item in items for token in (item if isinstance(item, list) else [item])]
    kinds = [token.type for token in tokens]
    pairs = zip(tokens, ["", *kinds], strict=False)
    directions = [token for token in tokens if token.type == "DIRECTION"]
    sides = [token for token in directions if side_number(reply.words.sense(token), 3)]
    steps = [(token, before) for token, before in pairs if token.type in NAMES or token in sides]
    if len(steps) == kinds.count("NUMERAL") < 2 or not _PARTING.isdisjoint(kinds):
        return set()
    if sides and (len(steps) < 2 or not {"OF", "BELOW", "IN"}.isdisjoint(kinds)):
        return set()  # `the left child of E`, from the leaf to the root
    # Only numbers with one kind of sign between them: `1-2-2` may number the moves.
    if set(kinds[::2]) == {"NUMERAL"} and {*kinds[1::2]} in ({"DASH"}, {"ARROW"}, {"COMMA"}):
        leaf = _moves(tree, tokens[::2])
        if leaf:
            return {leaf}
    positions = {0}
    if 0 in reply.nodes(steps[0][0]):
        steps = steps[1:]
    for number, (token, before) in enumerate(steps, 1):
        below = [child for node in positions for child in tree.children[node]]
        sharp = before in ("NOUN", "PATH") and token.type == "NUMERAL"
        positions = {child for child in below if sharp and token == str(tree.paths[child])}
        positions = positions or {
            child for child in below if _steps_to(reply, token, child, number == len(steps))
        }
    return {node for node in positions if tree.paths[node]}


def _walks_to_negative_payoff(reply: Reply) -> set[int]:
    """Return the leaves that the reply reaches if its last step is a negative payoff: `C, J, -3`."""
    tree, last = reply.tree, _NEGATIVE_PAYOFF.search(reply.text)
    value = parse_value(last[1]) if last else None
    if last is None or value is None:
        return set()
    before = reply.text[: last.start(1)]
    found = set[int]()
    for leaf in tree.leaves:
        if tree.payoffs[leaf] == value:
            found |= {leaf} & _walks(replace(reply, text=f"{before}{tree.paths[leaf]}"))
    return found


def _moves(tree: Tree, steps: Sequence[Token]) -> int:
    """The leaf to which moves lead that are numbered from the left at each node, `1-2-2`; 0 for none."""
    node = 0
    for step in steps:
        children, number = tree.children[node], bounded_number(step) if step.isdecimal() else 0
        if not 1 <= number <= len(children):
            return 0
        node = children[number - 1]
    return node if tree.paths[node] else 0


def _steps_to(reply: Reply, token: Token, child: int, last: bool) -> bool:
    """Return whether a step of the reply may mean this child.

    A number is the label of the child or of its move; in the `last` step also the number of a leaf, or a
    payoff that no sibling shares.
    """
    tree = reply.tree
    if token.type == "DIRECTION":
        children = tree.children[tree.parents[child]]
        number = side_number(reply.words.sense(token), len(children))
        return children[:number][-1:] == (child,)
    if token.type != "NUMERAL":
        return child in reply.nodes(token, labels=True)
    if token in (tree.given[child], tree.moves[child]):
        return True
    if not last or not tree.paths[child]:
        return False
    if token == str(tree.paths[child]):
        return True
    value = parse_value(str(token))
    sisters = [tree.payoffs[sister] for sister in tree.children[tree.parents[child]]]
    return value is not None and tree.payoffs[child] == value and sisters.count(value) == 1


def write(answer: LeafPath, tree: Tree) -> str:
    """The leaf number; several in ascending order."""
    names = vocabulary(tree)
    texts = [names.write_path(path) for path in sorted(answer)]
    if any(text.startswith("#") for text in texts):
        texts = [f"#{path}" for path in sorted(answer)]  # so that a number is not read as a step
    return " ".join(texts) or names.empty_text


ASK = Phrase("Write the leaf number, the label of the leaf, or the nodes from the root down to it.")

PATH: Form[LeafPath] = Form(
    name="path",
    ask=ASK,
    example="5",
    read=partial(read_reply, read=_read, write=write, remarks="of words"),
    write=write,
    parse_canonical=lambda text, tree: frozenset(read_sequence(text, tree, read_path)),
    compare=partial(compare_best, lambda path, tree: tree.leaves[path - 1], write),
    marking_rule=Phrase("The leaf number, the label of the leaf, or the nodes on the path are accepted."),
    answer_space=AnswerSpace("short"),
    blank_codec=Offer(every_path, leaf_option, write, ASK, place="leaf").codec,
    repeats=2,
    answer_count=lambda _key, tree: len(tree.leaves),
    counts_leaves=True,
    has_alternatives=True,
    single_answers=single_options,
    by_payoffs=by_payoffs,
    screen_input="leaf",
)
