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
    """One thing in a reply, in every way it can be read; `place` is where it stands, `doubt` is the doubt.

    Those with the same `group`, which is not 0, are all read in their first way, or all in their last.

    A way is a `NodeReading`, or for an entry a node and what is said of it.
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
    - `asks_for_pruned`: whether what is crossed out is asked for, so that `pruned` says nothing new.
    - `wants_one`: whether one thing is asked for, so that a bar says "or"; else it separates. Where the terms
      want every thing that is equally good, "or" names them all.
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
    """Whether more words than `to` stand before a number: `5 to the 6`."""
    said = reply.text[link.end_pos : token.start_pos].strip()
    return link.type == "TO" and bool(said) and "NOUN" not in reply.words.kinds(said.split()[-1])


def _counts_back(reply: Reply, first: Token, link: Token, token: Token) -> bool:
    """Whether this is one place counted from the end, and no range: `second to last`, but `first to last`."""
    is_range = link.type != "TO" or reply.words.sense(token) != "last" or reply.words.sense(first) == "first"
    return first.type in ("DIRECTION", "ORDINAL") and first != "1st" and not is_range


def _in_a_row(ends: Sequence[Mention]) -> Mention:
    doubtful = next((end for end in ends if len(end.readings) > 1), ends[0])
    ways = dict.fromkeys(_one_after_another(ends, way) for way in (0, 1))
    return Mention(tuple(ways), doubtful.place, doubtful.doubt)


def _one_after_another(ends: Sequence[Mention], way: int) -> NodeReading:
    return tuple(node for end in ends for node in end.readings[min(way, len(end.readings) - 1)])


def _downwards(reply: Reply, ends: Sequence[Mention]) -> Mention:
    """The node at the end of `A -> B -> 5`, each one a child of the one before."""
    parents = reply.tree.parents
    ways: list[tuple[NodeReading, ...]] = [(way,) for way in ends[0].readings if len(way) == 1]
    for end in ends[1:]:
        ways = [
            (*walked, way)
            for walked in ways
            for way in end.readings
            if len(way) == 1 and parents[way[0]] == walked[-1][0]
        ][:4]
    if not ways:
        raise UnreadableError(
            "the arrow does not follow a branch of the tree",
            ends[0].place,
            "write A -> B for the branch from A to its child B",
        )
    found = tuple(dict.fromkeys(walked[-1] for walked in ways))
    return Mention(found, ends[0].place)


def _range(reply: Reply, naming: MentionRules, ends: Sequence[Mention], links: Sequence[Token]) -> Mention:
    """`5-9`: all from one to the other. Several dashes, or a dash backwards, may also just separate."""
    tree, place = reply.tree, ends[0].place
    counted = {node: number for number, node in enumerate(naming.numbered_nodes(tree))}
    listed = _one_after_another(ends, 0)
    spans = _spans(naming, tree, [end.readings[0] for end in ends], counted)
    doubtful = next((end for end in ends if len(end.readings) > 1), None)
    if doubtful is not None:
        raise UnreadableError(doubtful.doubt or UNCLEAR, doubtful.place, "name each one separately")
    if spans is None:
        if naming.accepts_labels and all(
            len(above) == len(below) == 1 and tree.parents[below[0]] == above[0]
            for above, below in pairwise(end.readings[0] for end in ends)
        ):
            return Mention((ends[-1].readings[0],), place)  # nobody lists a node together with its own child
        message = _NO_RANGE[naming.number_target]
        raise UnreadableError(message, place, "name each one separately, with spaces between")
    backwards = len(ends) == 2 and counted[ends[0].readings[0][0]] > counted[ends[1].readings[0][0]]
    if naming.arrows_mean_then and any(link.type == "DOTS" and link != ".." for link in links):
        why = Phrase("the dots could stand for everything in between or for something omitted")
    elif len(ends) > 2 or (backwards and not naming.arrows_mean_then):
        why = _DASHES if all(link.type in ("DASH", "LONGDASH") for link in links) else _RANGES
    else:
        return Mention((spans,), place)
    return Mention((listed, spans), place, BoundPhrase(why))


def _spans(
    naming: MentionRules, tree: Tree, ends: Sequence[NodeReading], counted: dict[int, int]
) -> NodeReading | None:
    """All nodes from each end to the next one; None unless every end is one counted node."""
    everything = naming.numbered_nodes(tree)
    nodes: list[int] = []
    for begin, end in pairwise(ends):
        if len(begin) != 1 or len(end) != 1 or begin[0] not in counted or end[0] not in counted:
            return None
        low, high = counted[begin[0]], counted[end[0]]
        if len(nodes) + abs(high - low) > MAX_NAMED_NODES:
            return None
        step = everything[low : high + 1] if low <= high else everything[high : low + 1][::-1]
        nodes += step[1:] if nodes and nodes[-1] == step[0] else step
    return tuple(nodes)


def _single(reply: Reply, naming: MentionRules, token: Token, sharp: bool) -> Mention:
    """One token as a mention; `sharp` after `#` and `path`, where a number only counts."""
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
    named = reply.require_named_nodes(token, naming.accepts_labels)
    return Mention(
        tuple((node,) for node in named), place, reply.several_named(token) if len(named) > 1 else None
    )


def _slashed(reply: Reply, naming: MentionRules, token: Token, sharp: bool) -> Mention:
    """`5/6`: a leaf number is no fraction, so the bar separates, or says "or" where one is asked for."""
    mentions = [read_count_number(reply, naming, token, part.strip(), sharp) for part in token.split("/")]
    if naming.wants_one and not reply.terms.every:
        ways = dict.fromkeys(way for mention in mentions for way in mention.readings)
        return Mention(tuple(ways), token.start_pos, BoundPhrase(OR))
    return Mention((_one_after_another(mentions, 0),), token.start_pos)


def read_count_number(reply: Reply, naming: MentionRules, token: Token, digits: str, sharp: bool) -> Mention:
    """A number that counts leaves or moves, or is somebody's name."""
    tree, place = reply.tree, token.start_pos
    everything = naming.numbered_nodes(tree)
    named = () if sharp else reply.vocabulary.nodes(digits, naming.accepts_labels)[0]
    number = parse_digits(digits)
    counted = everything[number - 1 : number] if number > 0 else ()
    others = [
        *named,
        *(moves_numbered_otherwise(tree, everything, number) if naming.wants_one and not sharp else ()),
    ]
    nodes = tuple(dict.fromkeys((*counted, *others)))
    if len(nodes) == 1:
        return Mention((nodes,), place)
    if nodes:
        why = reply.several_named(token)
        if counted:
            why = BoundPhrase((_ALSO_A_NAME if named else _ALSO_COUNTED)[naming.number_target], number=digits)
        return Mention(tuple((node,) for node in nodes), place, why)
    hint = (
        BoundPhrase(*_HOW_MANY[naming.number_target], len(everything))
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
"""What is said of numbers, by what they count."""


def payoff_hint(reply: Reply, digits: str) -> BoundPhrase | None:
    """`the leaf with the payoff 12 is path 2`; nothing where no leaf has such a payoff."""
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
    """Whether the moves at the root have labels and go to squares of a board."""
    root = tree.attributes[0]
    return root is not None and bool(root.board) and any(tree.moves[child] for child in tree.children[0])


def _direction(reply: Reply, naming: MentionRules, token: Token) -> NodeReading:
    """`left`, `second`, `last` among what the form counts; `centre` where nothing is called so."""
    everything = naming.numbered_nodes(reply.tree)
    word, many = reply.words.sense(token), len(everything)
    if word == "middle" and reply.nodes(token, naming.accepts_labels):
        many = 0  # a square or node is called centre, wherever it stands
    position = many if word == "last" else POSITIONS.get(word, 0)
    # On a board these tell where a square is, whether it is free or not.
    if naming.number_target == "move" and not moves_are_squares(reply.tree):
        position = position or side_number(word, many)
    if not 1 <= position <= many:
        raise reply.misplaced(token, NO_PLACE, NUMBER_OR_NAME)
    return (everything[position - 1],)


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
