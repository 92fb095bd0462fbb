"""Split a text into the terminals of the grammar, without counting lines: that is done when somebody asks."""

import re
from collections.abc import Iterator
from typing import Any

from lark import Token
from lark.common import LexerConf
from lark.lexer import BasicLexer, LexerState


class Piece(Token):
    """A token that knows its place in the text, but not its line."""

    __slots__ = ()

    start_pos: int
    end_pos: int
    line = column = end_line = end_column = 0
    value = ""

    # Tokens compare as the texts they are, at the speed of texts.
    __eq__ = str.__eq__
    __hash__ = str.__hash__


def make_token(kind: str, text: str, start: int) -> Piece:
    """A token of the given type at a place in the text."""
    piece = str.__new__(Piece, text)
    piece.type = kind
    piece.start_pos = start
    piece.end_pos = start + len(text)
    return piece


class Scanner(BasicLexer):
    """Lark's own lexer, checked by Lark as strictly as ever, with one regular expression for a whole text.

    Every text splits into terminals: the grammar's words and numbers take whatever nothing else takes.
    """

    __future_interface__ = 2

    def __init__(self, conf: LexerConf, comparator: Any = None) -> None:
        super().__init__(conf, comparator)
        patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in self.terminals}
        ignored = "|".join(patterns.pop(name) for name in conf.ignore)
        kinds = "|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items())
        self._pieces = re.compile(rf"(?:{ignored})*+(?:{kinds}|\Z)")

    def lex(self, state: LexerState, _: Any) -> Iterator[Piece]:
        """The tokens of a text."""
        make, whole = str.__new__, state.text
        for found in self._pieces.finditer(whole.text, whole.start, whole.end):
            kind = found.lastgroup
            if kind is None:
                return
            piece = make(Piece, found[kind])  # as `make_token` does, but a million calls are dear
            piece.type = kind
            piece.start_pos, piece.end_pos = found.span(kind)
            yield piece
