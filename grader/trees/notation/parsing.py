"""Read a tree by the grammar of the notation: the tree, or everything that is wrong with the text."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from grader.base.grammars import load_parser
from grader.base.numbers import to_plain_characters
from grader.base.safe_text import CONTROL, unsafe_places
from grader.trees.notation.builder import MAX_MISTAKES, GrammarBuilder, TooManyMistakes
from grader.trees.notation.diagnostics import Complaint, Diagnostics, clip, to_diagnostics
from grader.trees.notation.laws import misplaced_probability, tree_violations, unsafe_character
from grader.trees.notation.misspelling import misspelt_player
from grader.trees.notation.root_causes import root_causes
from grader.trees.tree import Tree

if TYPE_CHECKING:
    from lark import Lark

    from grader.trees.notation.lexer import Piece

GRAMMAR = Path(__file__).with_name("tree.lark")

_QUOTES_AND_COMMENTS = re.compile(r'("(?:[^"\\\r\n]|\\[^\r\n])*(?:"|\\?)|#[^\r\n]*)')

_OF_A_BRANCH = frozenset(("probability-missing", "probability-negative", "probability-place"))
"""Faults of a branch: they depend on the node above as well."""

_builder = GrammarBuilder()
_reading = Lock()


def parse_tree(text: str) -> Tree | Diagnostics:
    """The tree of any text, or all diagnostics at once; there is one builder, so one text at a time."""
    with _reading:
        try:
            return _read(text)
        finally:
            _builder.begin()  # which lets go of what it holds of a large tree


@cache
def _parser() -> "Lark":
    """The parser, built when the first text is read."""
    return make_parser(_builder)


def make_parser(builder: object, *, strict: bool = False) -> "Lark":
    """A parser that calls `builder` for every rule it recognises; with None it builds Lark's trees.

    `strict` proves that no two terminals overlap; see `grader.base.grammars.load_parser`.
    """
    from grader.trees.notation.indentation import Indentation
    from grader.trees.notation.lexer import Scanner

    return load_parser(
        GRAMMAR, "text", strict=strict, lexer=Scanner, postlex=Indentation(), transformer=builder
    )


def _read(text: str) -> Tree | Diagnostics:
    """Read a text with the one builder there is."""
    from lark.exceptions import UnexpectedToken

    clean, shift = _prepared(text)
    builder, parser = _builder, _parser()
    builder.begin()
    whole = True
    try:
        parser.parse(clean)
    except UnexpectedToken as error:
        whole = _recovered(parser, clean, error.token)
    except TooManyMistakes:
        whole = False
    for words, end in builder.playerless:
        if mistake := misspelt_player(words, end, clean):
            builder.mistakes.append(mistake)
    tree = builder.tree() if builder.places and whole else None
    if tree is not None:
        _judge(tree, clean)
    elif whole and not builder.mistakes:
        builder.note_mistake_at(shift, shift + 1, "no-tree", "there is no tree in this text")
    mistakes = root_causes(builder.mistakes) if builder.mistakes else []
    if clean is not text:
        mistakes = [replace(one, start=one.start - shift, end=one.end - shift) for one in mistakes]
        mistakes += _unsafe_characters(text)
    if not mistakes and tree is not None:
        return tree
    return to_diagnostics(text, mistakes)


def _recovered(parser: "Lark", text: str, refused: "Piece") -> bool:
    """Read a text with mistakes in its grammar as far as it goes; False when the rest was not read.

    `refused` is the first token that the grammar refused.
    """
    from grader.trees.notation.repair import recover

    try:
        recover(parser, _builder, text)
    except TooManyMistakes:
        return False
    if not _builder.mistakes:
        _builder.note_mistake(refused, "unexpected", "this cannot stand here", "look for something left out")
    return True


def _judge(tree: Tree, text: str) -> None:
    """Note where a tree breaks the laws, except around places that were repaired."""
    for fault in tree_violations(tree):
        around = {fault.node, tree.parents[fault.node]} if fault.code in _OF_A_BRANCH else {fault.node}
        if not around.isdisjoint(_builder.damaged) and fault.code not in ("name-twice", "bad-name"):
            continue
        start, end = _builder.place(fault)
        name = tree.given[fault.node]
        if fault.code == "probability-place" and fault.node in _builder.odd_shares:
            fault = misplaced_probability(fault.node, clip(_builder.odd_shares[fault.node]))
        if fault.code == "name-twice" and name is not None:
            start = max(start, text.find(name, start, start + len(name) + 100))
            end = start + len(name)
        _builder.mistakes.append(Complaint(start, end, fault.code, fault.message, fault.hint))


def _prepared(text: str) -> tuple[str, int]:
    """The text as the grammar reads it, and how much further right its places are.

    Outside quotes and comments, pasted minus signs and the like become plain ones;
    unsafe characters, which are noted apart, become blanks.
    """
    places = _unsafe_places(text)
    if text.isascii() and text[:1] not in (" ", "\t") and not places:
        return text, 0
    clean = text
    if places:
        signs = list(text)
        for place in places:
            signs[place] = _harmless(text, place)
        clean = "".join(signs)
    if not clean.isascii():
        clean = "".join(
            part if part[:1] in ('"', "#") else to_plain_characters(part)
            for part in _QUOTES_AND_COMMENTS.split(clean)
        )
    return ("\n" + clean, 1) if clean[:1] in (" ", "\t") else (clean, 0)


def _unsafe_places(text: str) -> list[int]:
    """Where a text holds what no text may hold; in a comment that is a control character."""
    places = list(unsafe_places(text, lines=True))
    if not places or "#" not in text:
        return places
    comments = [found.span() for found in _QUOTES_AND_COMMENTS.finditer(text) if found[0][0] == "#"]
    return [
        place
        for place in places
        if CONTROL.match(text[place]) or not any(start <= place < end for start, end in comments)
    ]


def _harmless(text: str, place: int) -> str:
    """What stands for an unsafe character: a letter inside a word, else a blank."""
    before, after = text[max(0, place - 1) : place], text[place + 1 : place + 2]
    return "_" if before.isalpha() and after.isalnum() else " "


def _unsafe_characters(text: str) -> Iterator[Complaint]:
    """The unsafe characters of a text."""
    for place in _unsafe_places(text)[:MAX_MISTAKES]:
        code = "control-character" if CONTROL.match(text[place]) else "unsafe-character"
        yield Complaint(place, place + 1, code, unsafe_character(text[place], "the text"))
