"""Tokens of a text: Lark's, with their positions."""

from lark import Token


class Piece(Token):
    """A token whose position in the text is known, as that of every token of the lexer is."""

    __slots__ = ()

    start_pos: int
    end_pos: int


def make_token(kind: str, text: str, start: int) -> Piece:
    """Return a token of a type at a position in the text."""
    return Piece(kind, text, start_pos=start, end_pos=start + len(text))
