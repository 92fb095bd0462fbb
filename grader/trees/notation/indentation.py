"""The layout of lines outside brackets, as tokens: a line set deeper holds the children of the line above."""

from collections.abc import Iterator
from typing import TypeAlias

from grader.trees.notation.lexer import Piece, make_token

TAB = 8
"""A tab reaches to the next multiple of this column."""

CLOSERS = {"LPAR": "RPAR", "LSQB": "RSQB", "LBRACE": "RBRACE", "LESSTHAN": "MORETHAN"}

CROOKED = "CROOKED"
"""The type of a token for a line that is set neither deeper nor as deep as any line it could belong to."""

Depth: TypeAlias = tuple[int, int]
"""How deep a line is set, with tabs counted as `TAB` columns and as one: the two must agree on the order."""


class Indentation:
    """Turns line ends into `_NEWLINE`, `_INDENT` and `_DEDENT`, and drops them inside brackets.

    A header line ends with a `_NEWLINE` and starts the layout anew. A line whose depth fits no
    line above it gives a `CROOKED` token, which no rule of the grammar accepts.
    """

    always_accept = ("_NEWLINE",)

    def process(self, stream: Iterator[Piece]) -> Iterator[Piece]:
        """The tokens of one text with the layout made explicit."""
        depths: list[tuple[Depth, bool]] = []
        brackets: list[str] = []
        line_end: Piece | None = None
        header = started = False
        token: Piece | None = None
        for token in stream:
            kind = token.type
            if kind == "_NEWLINE":
                if header:
                    brackets.clear()
                if not brackets:
                    line_end = token
                continue
            if not brackets and (line_end is not None or not depths):
                if header and line_end is not None:
                    yield line_end
                    depths, header = [], False
                yield from _step(depths, line_end, token)
                line_end = None
                header = kind == "HEADER" and not started
                started = not header
            if kind in CLOSERS:
                brackets.append(CLOSERS[kind])
            elif brackets and kind == brackets[-1]:
                brackets.pop()
            elif kind in brackets[-2:]:
                del brackets[-2:]
            yield token
        if token is not None:
            if header:
                yield make_token("_NEWLINE", "", token.end_pos)
            for _, indented in depths[1:]:
                if indented:
                    yield make_token("_DEDENT", "", token.end_pos)


def _step(depths: list[tuple[Depth, bool]], line_end: Piece | None, token: Piece) -> Iterator[Piece]:
    """The tokens between two lines, with the open depths brought up to date.

    Of each depth it is known whether an `_INDENT` led to it; none did to a crooked line.
    """
    blank = "" if line_end is None else line_end.replace("\r", "\n").rpartition("\n")[2]
    depth = (len(blank.expandtabs(TAB)), len(blank))
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
