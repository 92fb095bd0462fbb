"""One thing named in a reply, or several with links between: `5`, `B`, `last`, `5-9`, `A -> B`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from grader.answers.numeral import parse_digits, parse_value
from grader.answers.reply import UNCLEAR, Reply, UnreadableError
from grader.answers.reply_tokens import Token
from grader.answers.reply_words import POSITIONS
from grader.base.phrases import BoundPhrase, Phrase, plural_phrase
from grader.base.safe_text import quote
from grader.trees.tree import Tree

NodeReading: TypeAlias = tuple[int, ...]
"""The nodes that one reading of a mention means, in order."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One item of a reply with all its readings; `place` is its place, `doubt` why there are several.

    Mentions with the same `group`, which is not 0, all have their first reading, or all their last.

    A reading is a `NodeReading`, or for an entry a node with its value.
    """

    readings: tuple[Any, ...]
    place: int
    doubt: BoundPhrase | None = None
    group: int = 0


@dataclass(frozen=True, slots=True)
class MentionRules:
    """What the mentions of a form stand for.

    - `number_target`: what numbers count: `leaf` for leaf numbers, `move` for the moves at the root.
    - `accepts_labels`: whether a move's label means the node it leads to.
    - `arrows_mean_then`: whether an arrow only says "then", as in a sequence; else it goes down a branch.
    - `asks_for_pruned`: whether the question asks for pruned parts, so that `pruned` is redundant.
    - `wants_one`: whether the question asks for one item, so that a bar means "or"; else it separates. If the
      terms ask for all equally good items, "or" lists them.
    """

    number_target: str = "leaf"
    accepts_labels: bool = False
    arrows_mean_then: bool = False
    asks_for_pruned: bool = False
    wants_one: bool = False

    def numbered_nodes(self, tree: Tree) -> Sequence[int]:
        """The nodes that numbers count, the first one being number 1."""
        return tree.leaves if self.number_target == "leaf" else tree.children[0]


OR = Phrase('because of "or", it is unclear which one is meant')
NO_PLACE = Phrase("{word} does not say which")
NO_LEAF_NUMBER = Phrase("{number} is not a leaf number")

_ORDINAL = re.compile("(?i)[0-9]+(?:st|nd|rd|th)")
_DASHES = Phrase("the dashes could be ranges or separators")
NUMBER_OR_NAME = Phrase("write the number or the label")
_RANGES = Phrase("these ranges are inconsistent")

MAX_NAMED_NODES = 100_000
"""The most nodes that a reply may name in all."""

MAX_HINTED_LEAVES = 4
"""The most leaves with one payoff that a hint names."""


def read_chain(reply: Reply, naming: MentionRules, chain: list[Token], counting: bool) -> Mention:
    """One mention, or several with links between: a range, a branch `A->C`, a sequence."""
    links: list[Token] = []
    ends: list[Mention] = []
    sharp = counting
    for token in chain:
        if token.type in ("HASH", "PATH"):
            sharp = True
        elif token.type == "NOUN":
            continue
        elif token.type in ("DASH", "LONGDASH", "DOTS", "ARROW", "GT", "TO"):
            links.append(token)
        elif links and token.type == "NUMERAL" and _is_parted(reply, links[-1], token):
            raise reply.misplaced(links[-1])
        elif links and _counts_back(reply, chain[0], links[-1], token):
            raise reply.misplaced(token, NO_PLACE, NUMBER_OR_NAME)
        else:
            ends.append(_single(reply, naming, token, sharp))
            sharp = counting
    if not links:
        return ends[0]
    if all(link.type in ("ARROW", "GT") for link in links):
        return _in_a_row(ends) if naming.arrows_mean_then else _downwards(reply, ends)
    if any(link.type in ("ARROW", "GT") for link in links):
        raise reply.misplaced(links[0], "arrows and ranges cannot be combined")
    return _range(reply, naming, ends, links)


def _is_parted(reply: Reply, link: Token, token: Token) -> bool:
    """Return whether there are more words than `to` before a number: `5 to the 6`."""
    between = reply.text[link.end_pos : token.start_pos].strip()
    return link.type == "TO" and bool(between) and "NOUN" not in reply.words.kinds(between.split()[-1])


def _counts_back(reply: Reply, first: Token, link: Token, token: Token) -> bool:
    """Check for a place counted from the end, `second to last`, rather than the range `first to last`."""
    is_range = link.type != "TO" or reply.words.sense(token) != "last" or reply.words.sense(first) == "first"
    return first.type in ("DIRECTION", "ORDINAL") and first != "1st" and not is_range


def _in_a_row(ends: Sequence[Mention]) -> Mention:
    """Return a mention of all ends in order, with a second reading if some end has one."""
    doubtful = next((end for end in ends if len(end.readings) > 1), ends[0])
    readings = dict.fromkeys(_one_after_another(ends, choice) for choice in (0, 1))
    return Mention(tuple(readings), doubtful.place, doubtful.doubt)


def _one_after_another(ends: Sequence[Mention], choice: int) -> NodeReading:
    """Return the nodes of all ends in order, each by its first reading, or with `choice` 1 by its second."""
    return tuple(node for end in ends for node in end.readings[min(choice, len(end.readings) - 1)])


def _downwards(reply: Reply, ends: Sequence[Mention]) -> Mention:
    """Return the node at the end of `A -> B -> 5`, each one a child of the one before."""
    parents = reply.tree.parents
    walks: list[tuple[NodeReading, ...]] = [(reading,) for reading in ends[0].readings if len(reading) == 1]
    for end in ends[1:]:
        walks = [
            (*walk, reading)
            for walk in walks
            for reading in end.readings
            if len(reading) == 1 and parents[reading[0]] == walk[-1][0]
        ][:4]
    if not walks:
        raise UnreadableError(
            "the arrow does not follow a branch of the tree",
            ends[0].place,
            "write A -> B for the branch from A to its child B",
        )
    endpoints = tuple(dict.fromkeys(walk[-1] for walk in walks))
    return Mention(endpoints, ends[0].place)


def _range(reply: Reply, naming: MentionRules, ends: Sequence[Mention], links: Sequence[Token]) -> Mention:
    """Read the range `5-9`. Several dashes, or a backward range, may also be separators."""
    tree, place = reply.tree, ends[0].place
    numbers = {node: number for number, node in enumerate(naming.numbered_nodes(tree))}
    separate = _one_after_another(ends, 0)
    spans = _spans(naming, tree, [end.readings[0] for end in ends], numbers)
    doubtful = next((end for end in ends if len(end.readings) > 1), None)
    if doubtful is not None:
        raise UnreadableError(doubtful.doubt or UNCLEAR, doubtful.place, "name each one separately")
    if spans is None:
        if naming.accepts_labels and all(
            len(above) == len(below) == 1 and tree.parents[below[0]] == above[0]
            for above, below in pairwise(end.readings[0] for end in ends)
        ):
            return Mention((ends[-1].readings[0],), place)  # a node and its own child are not listed together
        message = _NO_RANGE[naming.number_target]
        raise UnreadableError(message, place, "name each one separately, with spaces between")
    backwards = len(ends) == 2 and numbers[ends[0].readings[0][0]] > numbers[ends[1].readings[0][0]]
    if naming.arrows_mean_then and any(link.type == "DOTS" and link != ".." for link in links):
        why = Phrase("the dots could stand for everything in between or for something omitted")
    elif len(ends) > 2 or (backwards and not naming.arrows_mean_then):
        why = _DASHES if all(link.type in ("DASH", "LONGDASH") for link in links) else _RANGES
    else:
        return Mention((spans,), place)
    return Mention((separate, spans), place, BoundPhrase(why))


def _spans(
    naming: MentionRules, tree: Tree, ends: Sequence[NodeReading], numbers: dict[int, int]
) -> NodeReading | None:
    """Return all nodes from each end to the next; None unless every end is one numbered node."""
    numbered = naming.numbered_nodes(tree)
    nodes: list[int] = []
    for begin, end in pairwise(ends):
        if len(begin) != 1 or len(end) != 1 or begin[0] not in numbers or end[0] not in numbers:
            return None
        low, high = numbers[begin[0]], numbers[end[0]]
        if len(nodes) + abs(high - low) > MAX_NAMED_NODES:
            return None
        step = numbered[low : high + 1] if low <= high else numbered[high : low + 1][::-1]
        nodes += step[1:] if nodes and nodes[-1] == step[0] else step
    return tuple(nodes)


def _single(reply: Reply, naming: MentionRules, token: Token, sharp: bool) -> Mention:
    """Read one token; `sharp` after `#` and `path`, where a number cannot be a name."""
    place = token.start_pos
    match token.type:
        case "NUMERAL":
            if "/" in token:
                return _slashed(reply, naming, token, sharp)
            return read_count_number(reply, naming, token, str(token), sharp)
        case "DIRECTION":
            return Mention((_direction(reply, naming, token),), place)
    if _ORDINAL.fullmatch(token) and not reply.nodes(token, naming.accepts_labels):
        return read_count_number(reply, naming, token, token[:-2], sharp=True)
    nodes = reply.require_named_nodes(token, naming.accepts_labels)
    return Mention(
        tuple((node,) for node in nodes), place, reply.several_named(token) if len(nodes) > 1 else None
    )


def _slashed(reply: Reply, naming: MentionRules, token: Token, sharp: bool) -> Mention:
    """Read `5/6`, which is not a fraction: the bar separates, or means "or" if one item is requested.

    `sharp` as in `_single`.
    """
    mentions = [read_count_number(reply, naming, token, part.strip(), sharp) for part in token.split("/")]
    if naming.wants_one and not reply.terms.every:
        readings = dict.fromkeys(reading for mention in mentions for reading in mention.readings)
        return Mention(tuple(readings), token.start_pos, BoundPhrase(OR))
    return Mention((_one_after_another(mentions, 0),), token.start_pos)


def read_count_number(reply: Reply, naming: MentionRules, token: Token, digits: str, sharp: bool) -> Mention:
    """Read a number of a leaf or move, or a name that is a number; several readings if it may be both.

    `sharp` says that it cannot be a name. Raises `UnreadableError` if nothing has that number or name.
    """
    tree, place = reply.tree, token.start_pos
    numbered = naming.numbered_nodes(tree)
    by_name = () if sharp else reply.vocabulary.nodes(digits, naming.accepts_labels)[0]
    number = parse_digits(digits)
    by_number = numbered[number - 1 : number] if number > 0 else ()
    others = [
        *by_name,
        *(moves_numbered_otherwise(tree, numbered, number) if naming.wants_one and not sharp else ()),
    ]
    nodes = tuple(dict.fromkeys((*by_number, *others)))
    if len(nodes) == 1:
        return Mention((nodes,), place)
    if nodes:
        why = reply.several_named(token)
        if by_number:
            why = BoundPhrase(
                (_ALSO_A_NAME if by_name else _ALSO_COUNTED)[naming.number_target], number=digits
            )
        return Mention(tuple((node,) for node in nodes), place, why)
    hint = (
        BoundPhrase(*_HOW_MANY[naming.number_target], len(numbered))
        if number >= 0
        else BoundPhrase("write whole numbers or labels")
    )
    paid = payoff_hint(reply, digits) if naming.number_target == "leaf" else None
    both = BoundPhrase("{hint}; {paid}", hint=hint, paid=paid) if paid else hint
    raise UnreadableError(_NO_NUMBER[naming.number_target], place, both, number=quote(digits))


def moves_numbered_otherwise(tree: Tree, moves: Sequence[int], number: int) -> Iterator[int]:
    """Yield the move to the leaf with this number, and the one into the column with it."""
    leaf = tree.leaves[number - 1] if 1 <= number <= len(tree.leaves) else 0
    root = tree.attributes[0]
    for move in moves:
        is_column = (
            root is not None and bool(root.board) and tree.moves[move] == _COLUMNS[number - 1 : number]
        )
        if move == leaf or (is_column and number > 0):
            yield move


_COLUMNS = "abcdefghijklmnopqrstuvwxyz"

_HOW_MANY = {
    "leaf": plural_phrase(
        "this tree has {count} leaf, counted from 1 at the left",
        "this tree has {count} leaves, counted from 1 at the left",
    ),
    "move": plural_phrase(
        "there is {count} move, counted from 1 at the left",
        "there are {count} moves, counted from 1 at the left",
    ),
}
_NO_NUMBER = {"leaf": NO_LEAF_NUMBER, "move": Phrase("{number} is not a move number")}
_ALSO_A_NAME = {
    "leaf": Phrase("{number} is a leaf number and also a label"),
    "move": Phrase("{number} is a move number and also a label"),
}
_ALSO_COUNTED = {
    "leaf": NO_LEAF_NUMBER,
    "move": Phrase("{number} is a move number, but also the number of another leaf or column"),
}
_NO_RANGE = {
    "leaf": Phrase("a range goes from one leaf to another"),
    "move": Phrase("a range goes from one move to another"),
}
"""Messages about numbers, by what they count."""


def payoff_hint(reply: Reply, digits: str) -> BoundPhrase | None:
    """Return `the leaf with the payoff 12 has the leaf number 2`; None if no leaf has it.

    Beyond `MAX_HINTED_LEAVES` leaves the hint says only that the number is a payoff.
    """
    tree, value = reply.tree, parse_value(digits)
    paths = [str(tree.paths[leaf]) for leaf in tree.leaves if tree.payoffs[leaf] == value]
    if value is None or not paths:
        return None
    language = reply.terms.language
    number = language.number(value)
    if len(paths) > MAX_HINTED_LEAVES:
        return BoundPhrase("{payoff} is the payoff of several leaves, not a leaf number", payoff=number)
    return BoundPhrase(
        "the leaf with the payoff {payoff} has the leaf number {paths}",
        "the leaves with the payoff {payoff} have the leaf numbers {paths}",
        len(paths),
        payoff=number,
        paths=language.join_and(paths),
    )


def moves_are_squares(tree: Tree) -> bool:
    """Return whether the moves at the root have labels and go to squares of a board."""
    root = tree.attributes[0]
    return root is not None and bool(root.board) and any(tree.moves[child] for child in tree.children[0])


def _direction(reply: Reply, naming: MentionRules, token: Token) -> NodeReading:
    """Read `left`, `second`, `last` among the numbered nodes; `centre` unless it is a name."""
    numbered = naming.numbered_nodes(reply.tree)
    word, many = reply.words.sense(token), len(numbered)
    if word == "middle" and reply.nodes(token, naming.accepts_labels):
        many = 0  # a square or node has the name centre
    position = many if word == "last" else POSITIONS.get(word, 0)
    # On a board these words give the place of a square, free or not.
    if naming.number_target == "move" and not moves_are_squares(reply.tree):
        position = position or side_number(word, many)
    if not 1 <= position <= many:
        raise reply.misplaced(token, NO_PLACE, NUMBER_OR_NAME)
    return (numbered[position - 1],)


def side_number(word: str, many: int) -> int:
    """Return the number of the sibling on a side, counted from 1 at the left; 0 if the side is unclear."""
    match word:
        case "left" | "leftmost" if many <= 3 or word == "leftmost":
            return 1
        case "right" | "rightmost" if many <= 3 or word == "rightmost":
            return many
        case "middle" if many % 2 and many > 1:
            return (many + 1) // 2
    return 0
