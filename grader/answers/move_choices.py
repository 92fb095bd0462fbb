"""A strategy: at nodes the child that is chosen, `A->B, C->F`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from operator import eq

from grader.answers.blank import Blank, Option, node_label
from grader.answers.canonical import NAME, CanonicalError, read_node, split_canonical
from grader.answers.children_order import child_candidates
from grader.answers.choice_blanks import chosen_options, node_option, number_duplicates
from grader.answers.entry_forms import EntryFormat
from grader.answers.form import AnswerSpace, Form, Terms
from grader.answers.mention import Mention, NodeReading
from grader.answers.mention_lists import build_unambiguous
from grader.answers.node_entries import NAME_KINDS, NAMES, is_none
from grader.answers.reply import Reply, UnreadableError
from grader.answers.reply_reading import read_reply
from grader.answers.reply_tokens import Token
from grader.base.numbers import Number
from grader.base.phrases import Phrase
from grader.base.safe_text import quote
from grader.trees.rules import Rules
from grader.trees.tree import Tree

Strategy = tuple[tuple[int, frozenset[int]], ...]
"""Nodes with the child that is chosen there, or with several that are equally good; sorted by node."""

_PAIR = re.compile(rf"({NAME})->({NAME})")
"""A node and a child of it in canonical text."""

_LINKS = ("ARROW", "COLON", "EQUALS", "TO", "DASH", "LONGDASH", "GT")
_STROKES = {"ARROW", "DASH", "BAR", "GT", "LT"}
"""Of what arrows are made, also those that are struck out or turned round."""

_PAIRS = Phrase("write the node and the child: A->B")


def _read(reply: Reply) -> Strategy:
    """Read pairs of a node and a child of it, by names, labels of moves or leaf numbers."""
    tokens = reply.row(NAME_KINDS | {"TO"}, reply.words.placing | reply.words.supposing)
    if is_none(tokens):
        return ()
    for before, token in pairwise(tokens):
        is_joined = _STROKES.issuperset((before.type, token.type)) and before.end_pos == token.start_pos
        if token.type == "LT" or is_joined:  # `A<-B`, `A-/>B`
            raise reply.misplaced(token, hint=_PAIRS)
    mentions = _child_alone(reply, tokens)
    if not mentions:
        pairs = _Pairs(reply)
        for token in tokens:
            pairs.take(token)
        pairs.close()
        mentions = pairs.mentions
    if not mentions:
        raise UnreadableError("the answer does not give a child for any node", 0, _PAIRS)
    return build_unambiguous(mentions, _built)


def _child_alone(reply: Reply, tokens: Sequence[Token]) -> list[Mention]:
    """Read a reply that is only a child, if just one requested node has several children."""
    tree, nodes = reply.tree, reply.terms.nodes
    requested = [node for node in (tree.by_level if nodes is None else nodes) if len(tree.children[node]) > 1]
    names = [token for token in tokens if token.type in NAMES]
    if (
        len(requested) != 1
        or len(names) != 1
        or any(token.type not in (*NAMES, "NOUN", "DOT") for token in tokens)
    ):
        return []
    try:
        return [_chosen(reply, names[0], requested, names[0])]
    except UnreadableError:  # not a child of that node
        return []


class _Pairs:
    """The pairs of a node and a child that the tokens of a reply make, read from left to right.

    - `parent`: the last name, which may be the node of the next pair; None at the start of a pair.
    - `before`: what `parent` means if it was the child of the pair before, as B in `A->B->D`.
    - `linked`: whether there was a sign after it: `A->`, `A:`.
    - `turned`: whether there was a word for a place after it, so that it is the child: `B at`.
    - `placed`: whether there was such a word before it, so that the child needs no sign: `at A B`.
    - `supposed`, `grouped`: whether a comma links, as in `if A, B` and `(A, B)`.
    """

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.mentions: list[Mention] = []
        self.parent: Token | None = None
        self.before: tuple[int, ...] = ()
        self.linked = self.turned = self.placed = self.grouped = self.supposed = False

    def take(self, token: Token) -> None:
        """Update the pair with the next token.

        1. An arrow, a colon or a word for a choice links.
        2. After a name a bar links, too, and a comma after *if* or inside parentheses; any other
           separator ends the pair.
        3. A word such as *at* says which of the names is the node.
        4. A name fills the pair.
        """
        pending = self.parent is not None and not self.before
        word, words = token.lower(), self.reply.words
        places, supposes = word in words.placing, word in words.supposing
        if token.type in _LINKS or (token.type == "NOUN" and words.sense(token) == "choice"):
            self.linked = self.parent is not None
        elif token.type == "LPAREN":
            self.grouped = not pending
        elif pending and token.type in (("BAR", "COMMA") if self.grouped or self.supposed else ("BAR",)):
            self.linked = True
        elif token.type in ("COMMA", "SEMICOLON", "AND", "DOT", "BAR"):
            self.close()
        elif (places or supposes or word in words.following) and not self.reply.nodes(token):
            self.turned = self.turned or (places and pending)
            self.placed = self.placed or ((places or supposes) and not pending)
            self.supposed = self.supposed or supposes
        elif token.type in NAMES:
            self._name(token)

    def _name(self, token: Token) -> None:
        """Read a name: a node, or the child that is chosen at the one before."""
        reply, parent = self.reply, self.parent
        if self.turned and parent is not None:
            self.mentions.append(_chosen(reply, token, reply.require_named_nodes(token), parent))
            self.parent, self.turned = None, False
        elif parent is not None and (
            self.linked or (not self.before and (self.placed or self._is_label(token)))
        ):
            mention = _chosen(reply, parent, self.before or reply.require_named_nodes(parent), token)
            self.mentions.append(mention)
            self.parent, self.before = token, tuple(reading[1] for reading in mention.readings)
            self.linked = self.placed = False
        else:
            _complete(reply, parent, self.before)
            self.parent, self.before = token, ()

    def _is_label(self, token: Token) -> bool:
        """Return whether a word is the label of a move and not a node, and so needs no sign before it."""
        return (
            token.type == "WORD"
            and not self.reply.nodes(token)
            and bool(self.reply.nodes(token, labels=True))
        )

    def close(self) -> None:
        """End the pair."""
        _complete(self.reply, self.parent, self.before)
        self.parent, self.before = None, ()
        self.linked = self.turned = self.placed = self.grouped = self.supposed = False


def _complete(reply: Reply, parent: Token | None, before: Sequence[int]) -> None:
    """Raise `UnreadableError` for a node without a child."""
    if parent is not None and not before:
        message, name = Phrase("no child is chosen at {node}"), quote(reply.slice(parent))
        raise UnreadableError(message, parent.start_pos, _PAIRS, node=name)


def _chosen(reply: Reply, parent: Token, nodes: Sequence[int], token: Token) -> Mention:
    """Return a choice at one of these nodes with all readings of the name of the child.

    Raises `UnreadableError` if it is a child of none.
    """
    tree, place = reply.tree, token.start_pos
    candidates = child_candidates(reply, token)
    readings = tuple(
        dict.fromkeys((node, child) for node in nodes for child in candidates if tree.parents[child] == node)
    )
    if not readings:
        child, node = quote(reply.slice(token)), quote(reply.slice(parent))
        raise UnreadableError("{child} is not a child of {node}", place, _PAIRS, child=child, node=node)
    return Mention(readings, place, reply.several_named(token) if len(readings) > 1 else None)


def _built(readings: Iterable[NodeReading]) -> Strategy:
    """Return the strategy of these pairs of a node and a child, by ascending node."""
    choices: dict[int, frozenset[int]] = {}
    for node, child in readings:
        choices[node] = choices.get(node, frozenset()) | {child}
    return tuple(sorted(choices.items()))


def _parse_all(text: str, tree: Tree) -> Strategy:
    """Return the strategy of a canonical text. Raises `CanonicalError` if a move is not one of its node."""
    chosen = []
    for piece in split_canonical(text):
        pair = _PAIR.fullmatch(piece.removesuffix(","))
        node, child = (read_node(name, tree) for name in pair.groups()) if pair else (0, 0)
        if tree.parents[child] != node or not child:
            raise CanonicalError(f"{quote(piece)} is not a node with a child of it")
        chosen.append((node, child))
    return _built(chosen)


def _offered(node: int, tree: Tree, terms: Terms) -> Sequence[Blank]:
    """Return one blank for a node: its children, and an option for none of them."""
    children = [node_option(child, tree, terms) for child in tree.children[node]]
    options = number_duplicates([*children, Option(terms.language.term("none of them"))])
    return (Blank(node_label(tree, node, terms.language), node, options, has_none_option=True),)


def _solve_blanks(
    blanks: Sequence[Blank], best: frozenset[int], points: Number, tree: Tree, _terms: Terms
) -> Sequence[Blank]:
    """Give each of the best children of a node all of its points, and "none of them" nothing."""
    return [
        choice.with_shares([*(child in best for child in tree.children[choice.node]), 0], points)
        for choice in blanks
    ]


def _read_box(
    blanks: Sequence[Blank], filled: Sequence[str], tree: Tree, _terms: Terms
) -> frozenset[int] | None:
    """Return the chosen child as a set; None for the option after the last child, which is none of them."""
    (blank,), (text,) = blanks, filled
    (place,) = chosen_options(blank, text)
    return frozenset(tree.children[blank.node][place : place + 1]) or None


def single_answers(answer: Strategy) -> Sequence[Strategy]:
    """Return the answers with one of the children at a node with two, for each such node."""
    return [
        tuple((each, frozenset((child,)) if each == node else children) for each, children in answer)
        for node, chosen in answer
        if len(chosen) == 2
        for child in sorted(chosen)
    ]


def payoff_blind_answers(tree: Tree, _rules: Rules) -> Mapping[str, Strategy]:
    """Return the first child everywhere, and the last."""
    return {
        "first child": tuple((node, frozenset(tree.children[node][:1])) for node in tree.internal),
        "last child": tuple((node, frozenset(tree.children[node][-1:])) for node in tree.internal),
    }


ENTRIES = EntryFormat(
    spell=lambda name, node, chosen: ", ".join(f"{name(node)}->{name(child)}" for child in sorted(chosen)),
    separator=", ",
    parse_all=_parse_all,
    entry_share=lambda chosen, right, _digits: chosen <= right,
    is_equivalent=eq,
    lay_out_blanks=_offered,
    solve_blanks=_solve_blanks,
    read_blanks=_read_box,
    link="->",
    fill_instruction=Phrase(
        "For each node, choose a child. If the question does not ask about a node, choose the last option."
    ),
)

MOVE_CHOICES: Form[Strategy] = ENTRIES.form(
    name="strategy",
    ask=Phrase("Write each node with the child that is chosen there: {example}."),
    example="A->B, C->F",
    read=partial(read_reply, read=_read, write=ENTRIES.write),
    marking_rule=Phrase("Where several children are equally good, any of them is correct."),
    answer_space=AnswerSpace("line", leaves=16),
    counts_leaves=True,
    payoff_blind_answers=payoff_blind_answers,
    single_answers=single_answers,
    screen_input="choices",
    screen_keys=("->",),
)
