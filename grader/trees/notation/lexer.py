"""Tokens of Lark whose positions in a text are known."""

from lark import Token


class Piece(Token):
    """A token with a position in the text, which every token of the lexer has."""

    __slots__ = ()

    start_pos: int
    end_pos: int


def make_token(kind: str, text: str, start: int) -> Piece:
    """Return a token of a type at a position in the text."""
    return Piece(kind, text, start_pos=start, end_pos=start + len(text))
