"""Lists as most people type them, `5 6 9` with leaf numbers alone or `C, F, 8`: no grammar reads them."""

import re

from grader.answers.form import Terms
from grader.answers.vocabulary import fold, vocabulary
from grader.trees.tree import Tree

_NUMBER = r"[1-9][0-9]{0,5}"
_NUMBERS = re.compile(rf"{_NUMBER}(?:(?: +|, *){_NUMBER})*")
_THING = rf"(?:[A-Za-z]\w*|{_NUMBER})"
_THINGS = re.compile(rf"{_THING}(?:(?: +|, *){_THING})*", re.ASCII)

FEW_ENOUGH = 1_000
"""A longer list is read by the grammar, which says what is too long."""


def plain_paths(text: str, tree: Tree, terms: Terms) -> list[int] | None:
    """The numbers of a reply that is nothing but leaf numbers; None where anything else could be meant."""
    words = _words(_NUMBERS, text, terms)
    if words is None or vocabulary(tree).has_any_name(words):
        return None
    paths = [*map(int, words)]
    return paths if max(paths) <= len(tree.leaves) else None


def plain_nodes(text: str, tree: Tree, terms: Terms) -> list[int] | None:
    """The nodes of a reply that is nothing but names and leaf numbers; None where more could be meant."""
    words = _words(_THINGS, text, terms)
    names, found = vocabulary(tree), []
    if words is None or not names.plain or names.makes_names(text):  # `C 2` beside a node C2
        return None
    for word in words:
        if word.isdigit():
            path = int(word)
            node = None if names.has_any_name([word]) or path > len(tree.leaves) else tree.leaves[path - 1]
        else:
            node = None if fold(word) in names.loose_labels else names.plain.get(word)
        if not node:  # above the root there is no branch
            return None
        found.append(node)
    return found


def _words(pattern: re.Pattern[str], text: str, terms: Terms) -> list[str] | None:
    if pattern.fullmatch(text) is None or (terms.decimal_comma and "," in text):
        return None
    words = text.replace(",", " ").split()
    return words if len(words) <= FEW_ENOUGH else None
