"""Canonical reply text, as records keep it, read back: the inverse of writing, which takes nothing else."""

import re
from collections.abc import Callable

from grader.answers.numeral import Numeral, parse_digits, parse_numeral
from grader.answers.vocabulary import unquote_name, vocabulary
from grader.base.numbers import INFINITY, Bound, NumeralError
from grader.base.safe_text import quote
from grader.trees.tree import Tree

NAME = r'"(?:[^"\\]|\\.)*"|[^\s"=]+'
"""A node in canonical text: a name in quotes, a bare name, or a leaf number."""

_INFINITE: dict[str, Bound] = {"inf": INFINITY, "-inf": -INFINITY}

_PIECE = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+(?= |$)')


class CanonicalError(ValueError):
    """A text that no answer is written as; the message says why."""


def split_canonical(text: str) -> list[str]:
    """Split canonical text at single blanks; a quoted name is not split.

    Raises `CanonicalError` for other blanks and for quotes that do not end.
    """
    if '"' not in text and (plain := text.split(" ")) == text.split():
        return plain
    pieces, place = list[str](), -1
    while place < len(text) and (piece := _PIECE.match(text, place + 1)):
        pieces.append(piece.group())
        place = piece.end()
    if place < len(text):
        raise CanonicalError(f"{quote(text[place + 1 :])} cannot be read")
    return pieces


def read_sequence(text: str, tree: Tree, one: Callable[[str, Tree], int]) -> list[int]:
    """The things that are written in a row, with single blanks between them; none for `none`."""
    return (
        [] if text == vocabulary(tree).empty_text else [one(piece, tree) for piece in split_canonical(text)]
    )


def read_node(text: str, tree: Tree) -> int:
    """The node of a name or leaf number. Raises `CanonicalError` if the tree does not have it."""
    first = text[:1]
    if first == "#" or first.isdecimal():
        return tree.leaves[read_path(text, tree) - 1]
    nodes = vocabulary(tree).exact.get(unquote_name(text) if first == '"' else text)
    if nodes is None:
        raise CanonicalError(f"there is no node {quote(text)}")
    return nodes[0]


def read_path(text: str, tree: Tree) -> int:
    """A leaf number that the tree has: `5`, `#5`."""
    return read_index(text, len(tree.leaves))


def read_index(text: str, many: int) -> int:
    """A number from 1 to `many`: `5`, `#5`. Raises `CanonicalError` for any other text."""
    number = parse_digits(text.removeprefix("#"))
    if not 1 <= number <= many:
        raise CanonicalError(f"{quote(text)} is not a number from 1 to {many}")
    return number


def read_numeral(text: str) -> Numeral:
    """A number with the decimals it is written with. Raises `CanonicalError` for any other text."""
    try:
        return parse_numeral(text)
    except NumeralError as error:
        raise CanonicalError(f"{quote(text)} {error}") from None


def read_bound(text: str) -> Bound:
    """A number or an infinity."""
    return _INFINITE[text] if text in _INFINITE else read_numeral(text).value
