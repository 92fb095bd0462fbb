"""Tokens for the indentation of lines: a deeper line has children of the line above."""

from collections.abc import Iterator
from typing import TypeAlias

from grader.trees.notation.lexer import Piece, make_token

TAB_COLUMNS = 8
"""A tab reaches to the next multiple of this column."""

CLOSERS = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE", "LESSTHAN": "MORETHAN"}

CROOKED = "CROOKED"
"""The type of the token for a line whose indentation fits no line above."""

Depth: TypeAlias = tuple[int, int]
"""The indentation of a line, with tabs as `TAB_COLUMNS` columns and as one: both must agree on the order."""


class Indentation:
    """Turns line ends into `_NEWLINE`, `_INDENT` and `_DEDENT`, and drops them inside brackets.

    A header line ends with a `_NEWLINE` and resets the layout. A line whose depth fits no line
    above it gives a `CROOKED` token, which no rule of the grammar accepts.
    """

    always_accept = ("_NEWLINE",)

    def process(self, stream: Iterator[Piece]) -> Iterator[Piece]:
        """Yield the tokens of one text with its layout tokens."""
        depths: list[tuple[Depth, bool]] = []
        brackets: list[str] = []
        line_end: Piece | None = None
        in_header = started = False
        token: Piece | None = None
        for token in stream:
            kind = token.type
            if kind == "_NEWLINE":
                if in_header:
                    brackets.clear()
                if not brackets:
                    line_end = token
                continue
            if not brackets and (line_end is not None or not depths):
                if in_header and line_end is not None:
                    yield line_end
                    depths, in_header = [], False
                yield from _layout_tokens(depths, line_end, token)
                line_end = None
                in_header = kind == "HEADER" and not started
                started = not in_header
            if kind in CLOSERS:
                brackets.append(CLOSERS[kind])
            elif brackets and kind == brackets[-1]:
                brackets.pop()
            elif kind in brackets[-2:]:
                del brackets[-2:]
            yield token
        if token is not None:
            if in_header:
                yield make_token("_NEWLINE", "", token.end_pos)
            for _, indented in depths[1:]:
                if indented:
                    yield make_token("_DEDENT", "", token.end_pos)


def _layout_tokens(depths: list[tuple[Depth, bool]], line_end: Piece | None, token: Piece) -> Iterator[Piece]:
    """Yield the tokens between two lines, and update the open depths.

    The flag of a depth is True if an `_INDENT` led to it, which is not so for a crooked line.
    """
    margin = "" if line_end is None else line_end.replace("\r", "\n").rpartition("\n")[2]
    depth = (len(margin.expandtabs(TAB_COLUMNS)), len(margin))
    if not depths:
        depths.append((depth, False))
        return
    start = token.start_pos
    top = depths[-1][0]
    if depth[0] > top[0] and depth[1] > top[1]:
        depths.append((depth, True))
        yield make_token("_INDENT", "", start)
        return
    while len(depths) > 1 and depth[0] < depths[-1][0][0]:
        if depths.pop()[1]:
            yield make_token("_DEDENT", "", start)
    if depth != depths[-1][0]:
        depths.append((depth, False))
        yield make_token(CROOKED, "", start)
    yield make_token("_NEWLINE", "", start)
