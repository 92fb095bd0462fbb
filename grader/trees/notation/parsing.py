"""Read a tree by the grammar of the notation: the tree, or everything that is wrong with the text."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from grader.base.grammars import load_parser, save_parser_tables
from grader.base.numbers import to_plain_characters
from grader.base.safe_text import CONTROL, unsafe_places
from grader.trees.notation.builder import GrammarBuilder
from grader.trees.notation.diagnostics import MAX_MISTAKES, Complaint, Diagnostics, clip, to_diagnostics
from grader.trees.notation.laws import misplaced_probability, tree_violations, unsafe_character
from grader.trees.notation.misspelling import misspelt_player
from grader.trees.notation.root_causes import root_causes
from grader.trees.notation.token_reading import TooManyMistakes
from grader.trees.tree import Tree

if TYPE_CHECKING:
    from lark import Lark

    from grader.trees.notation.lexer import Piece

GRAMMAR = Path(__file__).with_name("tree.lark")

_QUOTES_AND_COMMENTS = re.compile(r'("(?:[^"\\\r\n]|\\[^\r\n])*(?:"|\\?)|#[^\r\n]*)')

_BRANCH_FAULTS = frozenset(("probability-missing", "probability-negative", "probability-place"))
"""Faults that depend on the parent too."""

_builder = GrammarBuilder()
_lock = Lock()


def parse_tree(text: str) -> Tree | Diagnostics:
    """Parse a text into a tree or all its diagnostics; locked, because there is only one builder."""
    with _lock:
        try:
            return _read(text)
        finally:
            _builder.begin()  # frees the memory of a large tree


@cache
def _parser() -> "Lark":
    """Return the parser, built for the first text."""
    return make_parser(_builder)


def make_parser(builder: object, *, strict: bool = False) -> "Lark":
    """Return a parser that calls `builder` for every rule; with None it builds Lark's trees.

    `strict` proves that no two terminals overlap; see `grader.base.grammars.load_parser`.
    """
    from grader.trees.notation.indentation import Indentation

    return load_parser(
        GRAMMAR, "text", strict=strict, lexer="basic", postlex=Indentation(), transformer=builder
    )


def save_tables(folder: Path) -> Path:
    """Write the tables of the parser into a folder; return the file."""
    return save_parser_tables(make_parser(None), GRAMMAR, "text", folder)


def _read(text: str) -> Tree | Diagnostics:
    """Parse a text with the shared builder."""
    from lark.exceptions import UnexpectedToken

    clean, shift = _clean_text(text)
    builder, parser = _builder, _parser()
    builder.begin()
    is_complete = True
    try:
        parser.parse(clean)
    except UnexpectedToken as error:
        is_complete = _recover(parser, clean, error.token)
    except TooManyMistakes:
        is_complete = False
    for words, end in builder.playerless:
        if complaint := misspelt_player(words, end, clean):
            builder.mistakes.append(complaint)
    tree = builder.tree() if builder.places and is_complete else None
    if tree is not None:
        _note_violations(tree, clean)
    elif is_complete and not builder.mistakes:
        builder.note_mistake_at(shift, shift + 1, "no-tree", "there is no tree in this text")
    mistakes = root_causes(builder.mistakes) if builder.mistakes else []
    if clean is not text:
        mistakes = [replace(one, start=one.start - shift, end=one.end - shift) for one in mistakes]
        mistakes += _unsafe_characters(text)
    if not mistakes and tree is not None:
        return tree
    return to_diagnostics(text, mistakes)


def _recover(parser: "Lark", text: str, refused: "Piece") -> bool:
    """Read a text with syntax errors; return False if reading stopped before its end.

    `refused` is the first token that does not fit the grammar.
    """
    from grader.trees.notation.repair import recover

    try:
        recover(parser, _builder, text)
    except TooManyMistakes:
        return False
    if not _builder.mistakes:
        _builder.note_mistake(refused, "unexpected", "this cannot stand here", "look for something left out")
    return True


def _note_violations(tree: Tree, text: str) -> None:
    """Note violations of the laws, except near repaired places."""
    for fault in tree_violations(tree):
        nodes = {fault.node, tree.parents[fault.node]} if fault.code in _BRANCH_FAULTS else {fault.node}
        if not nodes.isdisjoint(_builder.damaged) and fault.code not in ("name-twice", "bad-name"):
            continue
        start, end = _builder.place(fault)
        name = tree.given[fault.node]
        if fault.code == "probability-place" and fault.node in _builder.odd_probabilities:
            fault = misplaced_probability(fault.node, clip(_builder.odd_probabilities[fault.node]))
        if fault.code == "name-twice" and name is not None:
            start = max(start, text.find(name, start, start + len(name) + 100))
            end = start + len(name)
        _builder.mistakes.append(Complaint(start, end, fault.code, fault.message, fault.hint))


def _clean_text(text: str) -> tuple[str, int]:
    """Return the text for the grammar, and the offset of its positions.

    Outside quotes and comments, typographic characters such as minus signs become plain ones.
    Unsafe characters, which are reported separately, become blanks, or `_` inside a word.
    """
    places = _unsafe_places(text)
    if text.isascii() and text[:1] not in (" ", "\t") and not places:
        return text, 0
    clean = text
    if places:
        characters = list(text)
        for place in places:
            before, after = text[max(0, place - 1) : place], text[place + 1 : place + 2]
            characters[place] = "_" if before.isalpha() and after.isalnum() else " "
        clean = "".join(characters)
    if not clean.isascii():
        clean = "".join(
            part if part[:1] in ('"', "#") else to_plain_characters(part)
            for part in _QUOTES_AND_COMMENTS.split(clean)
        )
    return ("\n" + clean, 1) if clean[:1] in (" ", "\t") else (clean, 0)


def _unsafe_places(text: str) -> list[int]:
    """Return the indices of unsafe characters; in comments only control characters count."""
    places = list(unsafe_places(text, lines=True))
    if not places or "#" not in text:
        return places
    comments = [match.span() for match in _QUOTES_AND_COMMENTS.finditer(text) if match[0][0] == "#"]
    return [
        place
        for place in places
        if CONTROL.match(text[place]) or not any(start <= place < end for start, end in comments)
    ]


def _unsafe_characters(text: str) -> Iterator[Complaint]:
    """Report the unsafe characters of a text."""
    for place in _unsafe_places(text)[:MAX_MISTAKES]:
        code = "control-character" if CONTROL.match(text[place]) else "unsafe-character"
        yield Complaint(place, place + 1, code, unsafe_character(text[place], "the text"))
