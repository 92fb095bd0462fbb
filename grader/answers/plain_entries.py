"""Entries as most people type them, `B=3 C=2` or `B [-inf, 3] -> 3`, read without the grammar."""

import re
from collections.abc import Callable
from operator import itemgetter
from typing import TypeVar

from grader.answers.canonical import read_numeral
from grader.answers.form import Terms
from grader.answers.numeral import Numeral
from grader.answers.reply_reading import MAX_REPLY_WORDS
from grader.answers.vocabulary import vocabulary
from grader.trees.tree import Tree

V = TypeVar("V")

NUMBER = r"[-−]?[0-9]{1,9}(?:\.[0-9]{1,9}|/[1-9][0-9]{0,8})?"
"""A number that can be read in one way."""

_DECIMAL = re.compile(r"[0-9],[0-9]|\.")
"""What may be a decimal sign where a comma is one."""


def plain_entry(value: str) -> re.Pattern[str]:
    """The pattern of a name with `value` behind it, a pattern too, and what parts it from the next one."""
    return re.compile(rf"([A-Za-z]\w*){value}(?=[ ,;\n]|\Z) *[,;]? *\n* *", re.ASCII)


def plain_entries(
    text: str, tree: Tree, terms: Terms, *, entry: re.Pattern[str], value: Callable[[re.Match[str]], V]
) -> tuple[tuple[int, V], ...] | None:
    """The answer of a reply that is nothing but plain entries; None where anything else could be meant."""
    text = text.strip(" \n")
    if len(text) > MAX_REPLY_WORDS or (terms.decimal_comma and _DECIMAL.search(text)):
        return None
    nodes, found, place = vocabulary(tree).plain, dict[int, V](), 0
    while place < len(text):
        said = entry.match(text, place)
        node = nodes.get(said[1]) if said else None
        if said is None or node is None or node in found:
            return None
        found[node] = value(said)
        place = said.end()
    return tuple(sorted(found.items(), key=itemgetter(0))) or None


def plain_number(text: str) -> Numeral:
    """The number that a `NUMBER` is."""
    return read_numeral(text.replace("−", "-"))
