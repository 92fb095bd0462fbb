"""Splits a text into the terminals of the grammar, without counting lines."""

import re
from collections.abc import Iterator
from typing import Any

from lark import Token
from lark.common import LexerConf
from lark.lexer import BasicLexer, LexerState


class Piece(Token):
    """A token with its position in the text, but without its line."""

    __slots__ = ()

    start_pos: int
    end_pos: int
    line = column = end_line = end_column = 0
    value = ""

    # Compare tokens as fast as texts.
    __eq__ = str.__eq__
    __hash__ = str.__hash__


def make_token(kind: str, text: str, start: int) -> Piece:
    """Return a token of a type at a position in the text."""
    piece = str.__new__(Piece, text)
    piece.type = kind
    piece.start_pos = start
    piece.end_pos = start + len(text)
    return piece


class Scanner(BasicLexer):
    """Lark's lexer, with one regular expression for a whole text.

    Every text splits into terminals: words and numbers match everything that no other terminal does.
    """

    __future_interface__ = 2

    def __init__(self, conf: LexerConf, comparator: Any = None) -> None:
        super().__init__(conf, comparator)
        patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in self.terminals}
        ignored = "|".join(patterns.pop(name) for name in conf.ignore)
        kinds = "|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items())
        self._pattern = re.compile(rf"(?:{ignored})*+(?:{kinds}|\Z)")

    def lex(self, state: LexerState, _: Any) -> Iterator[Piece]:
        """Yield the tokens of a text."""
        make, source = str.__new__, state.text
        for match in self._pattern.finditer(source.text, source.start, source.end):
            kind = match.lastgroup
            if kind is None:
                return
            piece = make(Piece, match[kind])  # inlined `make_token`: a million calls are slow
            piece.type = kind
            piece.start_pos, piece.end_pos = match.span(kind)
            yield piece
