"""A strategy: at nodes the child that is chosen, `A->B, C->F`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from grader.answers.blank import Blank, Blanks, Choice, Option
from grader.answers.boxes import APART, child_label, node_label
from grader.answers.canonical import NAME, CanonicalError, node_at, only_if_written, pieces
from grader.answers.children_order import NAMES, named, says_none
from grader.answers.choices import chosen_in, distinct
from grader.answers.form import Ambiguous, Asking, Credit, Form, Malformed, Room, Terms
from grader.answers.mention import Mention, Way
from grader.answers.named_things import choose
from grader.answers.node_entries import by_level, credit_entries, differing, tally_entries
from grader.answers.ranges import SEVERAL
from grader.answers.reply import Reply, UnreadableError, quote, read_reply
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import exact
from grader.base.phrases import Phrase, Saying
from grader.rules import Rules
from grader.tree import Tree

if TYPE_CHECKING:
    from lark import Token

Strategy = tuple[tuple[int, frozenset[int]], ...]
"""Nodes with the child that is chosen there, or with several that are equally good; sorted by node."""

_PAIR = re.compile(rf"({NAME})->({NAME})")
"""A node and a child of it in canonical text."""

_LINKS = ("ARROW", "COLON", "EQUALS", "TO", "DASH", "LONGDASH")
_CHOOSES = (
    "go", "goes", "play", "plays",
    "choose", "chooses", "take", "takes", "pick", "picks", "select", "selects",
)  # fmt: skip
_PAIRS = Phrase("write the node and the child: A->B")
_PASSED = ("at", "in", "then")


def read(text: str, tree: Tree, terms: Terms) -> Strategy | Malformed | Ambiguous:
    """Read pairs of a node and a child of it, by names, labels of moves or path numbers."""
    return read_reply(text, tree, terms, _read, write)


def _read(reply: Reply) -> Strategy:
    tokens = reply.parse("choices")
    if says_none(tokens):
        return ()
    mentions: list[Mention] = []
    here: Token | None = None
    before: tuple[int, ...] = ()
    linked = False
    for token in tokens:
        if token.type in _LINKS or (token.type == "NOUN" and token.lower() in _CHOOSES):
            linked = here is not None
        elif token.type in ("COMMA", "SEMICOLON", "AND", "DOT", "BAR"):
            _complete(reply, here, before)
            here, before, linked = None, (), False
        elif token.type in NAMES:
            if linked and here is not None:
                mention = _chosen(reply, here, before or _heads(reply, here), token)
                mentions.append(mention)
                here, before, linked = token, tuple(way[1] for way in mention.ways), False
                continue
            _complete(reply, here, before)
            if token.lower() not in _PASSED or reply.nodes(token):
                here, before = token, ()
    _complete(reply, here, before)
    if not mentions:
        raise UnreadableError("no node is named with a child of it", 0, _PAIRS)
    return choose(mentions, _built)


def _complete(reply: Reply, here: "Token | None", before: Sequence[int]) -> None:
    """Raise `UnreadableError` for a name with which nothing is said."""
    if here is not None and not before:
        message, name = "at {node} no child is chosen", quote(reply.slice(here))
        raise UnreadableError(message, here.start_pos or 0, _PAIRS, node=name)


def _heads(reply: Reply, token: "Token") -> tuple[int, ...]:
    nodes = reply.nodes(token)
    if not nodes:
        raise reply.unknown_name(token)
    return nodes


def _chosen(reply: Reply, here: "Token", nodes: Sequence[int], token: "Token") -> Mention:
    """A choice at one of these nodes, in every way the name of the child can be read."""
    tree, place = reply.tree, token.start_pos or 0
    meant = named(reply, token)
    ways = tuple(
        dict.fromkeys((node, child) for node in nodes for child in meant if tree.parents[child] == node)
    )
    if not ways:
        child, node = quote(reply.slice(token)), quote(reply.slice(here))
        raise UnreadableError("{child} is no child of {node}", place, _PAIRS, child=child, node=node)
    why = Saying(SEVERAL, name=quote(reply.slice(token))) if len(ways) > 1 else None
    return Mention(ways, place, why)


def _built(ways: Iterable[Way]) -> Strategy:
    found: dict[int, frozenset[int]] = {}
    for node, child in ways:
        found[node] = found.get(node, frozenset()) | {child}
    return tuple(sorted(found.items()))


def write(answer: Strategy, tree: Tree) -> str:
    """`A->B, C->F` level by level, or `none`."""
    names, entries = vocabulary(tree), by_level(answer, tree)
    pairs = [(node, child) for node, chosen in entries for child in sorted(chosen)]
    return (
        names.guarded(lambda name: ", ".join(f"{name(node)}->{name(child)}" for node, child in pairs))
        or names.nothing
    )


def parse(text: str, tree: Tree) -> Strategy:
    """The inverse of `write`; raises `grader.answers.canonical.CanonicalError`."""
    if text == vocabulary(tree).nothing:
        return ()
    chosen = []
    for piece in pieces(text):
        pair = _PAIR.fullmatch(piece.removesuffix(","))
        node, child = (node_at(name, tree) for name in pair.groups()) if pair else (0, 0)
        if tree.parents[child] != node or not child:
            raise CanonicalError(f"{quote(piece)} is no node with a child of it")
        chosen.append((node, child))
    return only_if_written(text, _built(chosen), tree, write)


def credit(reply: Strategy, key: Strategy, tree: Tree, terms: Terms, implied: Strategy | None) -> Credit:
    """Credit node by node; right where every child that is chosen is one of the best."""
    del terms, implied  # a choice is right or wrong, whatever the others are
    return credit_entries(
        reply, key, None, lambda said, right: said <= right, lambda node, best: write(((node, best),), tree)
    )


def distance(reply: Strategy, other: Strategy) -> int:
    """At how many nodes the two differ."""
    return differing(reply, other, lambda one, two: one == two)


def blanks(key: Strategy, tree: Tree, terms: Terms) -> Blanks:
    """A choice for every inner node, so that their number says nothing; one option is for none."""
    asked, language = dict(key), terms.language
    points = exact(Fraction(terms.points) / max(len(asked), 1))
    made = []
    for node in tree.by_level:
        best = asked.get(node, frozenset())
        texts = [child_label(tree, child) for child in tree.children[node]]
        right = [*(child in best for child in tree.children[node]), not best]
        options = map(Option, distinct([*texts, language.term("none of them")]), map(Fraction, right))
        made.append(Choice(node_label(tree, node), tuple(options), points if best else 0))
    ask = language.say("Choose a child of each node; choose the last one where no child is asked for.")
    return Blanks(ask, tuple(made), counts=language.say(APART))


def filled_in(asked: Sequence[Blank], filled: Sequence[str], tree: Tree, terms: Terms) -> str:
    """The choices at all nodes where a child is chosen."""
    del terms  # what was chosen is plain
    found: list[tuple[int, frozenset[int]]] = []
    for node, blank, text in zip(tree.by_level, asked, filled, strict=True):
        if text and isinstance(blank, Choice):
            (place,) = chosen_in(blank, text)
            found += [(node, frozenset((child,))) for child in tree.children[node][place : place + 1]]
    return write(tuple(sorted(found)), tree)


def thoughtless(tree: Tree, rules: Rules) -> Mapping[str, Strategy]:
    """The first child everywhere, and the last."""
    del rules  # nobody searches who does not think
    return {
        "first child": tuple((node, frozenset(tree.children[node][:1])) for node in tree.internal),
        "last child": tuple((node, frozenset(tree.children[node][-1:])) for node in tree.internal),
    }


STRATEGY: Form[Strategy] = Form(
    name="strategy",
    ask=Phrase("Write each node with the child that is chosen there: {example}."),
    example="A->B, C->F",
    read=read,
    write=write,
    parse=parse,
    credit=credit,
    distance=distance,
    guide=Phrase("Every node counts alike; where several children are equally good, each of them is right."),
    tally=tally_entries,
    room=Room("line", leaves=16),
    blanks=Asking(blanks, filled_in),
    names_nodes=True,
    counts_leaves=True,
    thoughtless=thoughtless,
)
