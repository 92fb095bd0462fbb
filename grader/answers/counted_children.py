"""Ordinals that count the children of one node: `the second and third child of C`."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from grader.answers.mention import NO_PLACE, NUMBER_OR_NAME, Mention, MentionRules, read_chain
from grader.answers.numeral import bounded_number
from grader.answers.reply import Reply
from grader.answers.reply_tokens import SPELLED, Token
from grader.answers.reply_words import POSITIONS

Items: TypeAlias = Sequence[Token | list[Token]]
"""The tokens of a reply in order, those of one mention in a list."""

_NAMES = (*SPELLED, "NUMERAL")
_DIGITS = re.compile("[1-9][0-9]{0,5}")


def counted_children(reply: Reply, naming: MentionRules, items: Items) -> dict[int, Mention]:
    """Return the child that each ordinal means, by the index of the ordinal among the items.

    1. Ordinals with "and" or "or" before the last one belong to the noun after it; otherwise only the last.
       Ordinals after the noun belong to it, as in Spanish: `hijos segundo y tercero de C`.
    2. If the noun is "child" and a node follows, as in `of C`, they count the children of that node.
    3. If "and" joins another node to it, as in `of C and D`, it is unclear whose child is meant: they
       count nothing here.
    4. Without a node, they count the moves at the root. Where leaves are asked for, that is an error.

    Raises `UnreadableError`, also if the node has fewer children.
    """
    children_by_index: dict[int, Mention] = {}
    for ordinals, end in _ordinals_of_children(reply, items):
        relation = _after_nouns(items, end)
        if _kind(items, relation) not in ("OF", "BELOW"):
            if naming.number_target == "leaf":
                raise reply.misplaced(_first(items, ordinals[-1][0]), NO_PLACE, NUMBER_OR_NAME)
            continue
        parent = _after_nouns(items, relation + 1)
        chain = items[parent] if parent < len(items) else None
        is_joined = _kind(items, parent + 1) in ("AND", "OR") and _kind(items, parent + 2) in SPELLED
        if isinstance(chain, list) and _kind(items, parent) in _NAMES and not is_joined:
            (node, *_) = read_chain(reply, naming, chain, counting=False).readings[0]
            children = reply.tree.children[node]
            for index, number in ordinals:
                ordinal = _first(items, index)
                if number > len(children) or not children:
                    raise reply.misplaced(ordinal, NO_PLACE, NUMBER_OR_NAME)
                children_by_index[index] = Mention(((children[number - 1],),), ordinal.start_pos)
    return children_by_index


def _ordinals_of_children(reply: Reply, items: Items) -> Iterator[tuple[list[tuple[int, int]], int]]:
    """Yield the ordinals of each noun "child", as index and number, and the index where what follows begins.

    The number of `last` is 0.
    """
    ordinals: list[tuple[int, int]] = []
    separator, is_joined = "", False
    for index, item in enumerate(items):
        kind = _kind(items, index)
        if isinstance(item, list):
            number = _ordinal_number(reply, items, index) if len(item) == 1 else None
            before = ordinals if separator else []
            ordinals = [*before, (index, number)] if number is not None else []
            is_joined, separator = separator == "and", ""
        elif kind in ("AND", "OR", "COMMA"):
            separator = "," if kind == "COMMA" else "and"
        elif kind == "NOUN":
            if reply.words.sense(item) in ("child", "children"):
                if ordinals and not separator:
                    yield ordinals if is_joined else ordinals[-1:], index
                elif following := _ordinals_after(reply, items, index + 1):
                    yield following, following[-1][0] + 1
            ordinals = []
        elif kind != "DOT":
            ordinals = []


def _ordinals_after(reply: Reply, items: Items, start: int) -> list[tuple[int, int]]:
    """Return the ordinals from an index on, all separated by "and" or "or", as index and number."""
    ordinals: list[tuple[int, int]] = []
    index = start
    while index < len(items) and (number := _ordinal_number(reply, items, index)) is not None:
        ordinals.append((index, number))
        if _kind(items, index + 1) not in ("AND", "OR"):
            break
        index += 2
    return ordinals


def _ordinal_number(reply: Reply, items: Items, index: int) -> int | None:
    """Return the number of `second`, `2nd` or the German `2.`, 0 for `last`, and None for other words."""
    token = _first(items, index)
    digits = _DIGITS.match(token)
    match token.type:
        case "DIRECTION":
            word = reply.words.sense(token)
            return 0 if word == "last" else POSITIONS.get(word)
        case "ORDINAL" if digits and not reply.nodes(token, labels=True):
            return bounded_number(digits.group())
        case "NUMERAL" if digits and token.isdecimal() and _kind(items, index + 1) == "DOT":
            return bounded_number(token)
    return None


def _after_nouns(items: Items, index: int) -> int:
    """Return the index of the first item from `index` on that is not a noun."""
    while _kind(items, index) == "NOUN":
        index += 1
    return index


def _kind(items: Items, index: int) -> str:
    """Return the kind of an item, or of the first token of a mention; empty at the end."""
    return _first(items, index).type if index < len(items) else ""


def _first(items: Items, index: int) -> Token:
    item = items[index]
    return item[0] if isinstance(item, list) else item
