"""The layout of lines outside brackets, as tokens: a line set deeper holds the children of the line above."""

from collections.abc import Iterator
from typing import TypeAlias

from lark import Token

from grader.notation.scanning import token_of

TAB = 8
"""A tab reaches to the next multiple of this column."""

CROOKED = "CROOKED"
"""The type of a token for a line that is set neither deeper nor as deep as any line it could belong to."""

Depth: TypeAlias = tuple[int, int]
"""How deep a line is set, with tabs counted as `TAB` columns and as one: the two must agree on the order."""


class Layout:
    """Turns line ends into `_NEWLINE`, `_INDENT` and `_DEDENT`, and drops them inside brackets.

    A header line ends with a `_NEWLINE` and starts the layout anew. A line whose depth fits no
    line above it gives a `CROOKED` token, which no rule of the grammar accepts.
    """

    always_accept = ("_NEWLINE",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens of one text with the layout made explicit."""
        depths: list[Depth] = []
        brackets = 0
        line_end: Token | None = None
        header = started = False
        token: Token | None = None
        for token in stream:
            kind = token.type
            if kind == "_NEWLINE":
                if header:
                    brackets = 0
                if brackets == 0:
                    line_end = token
                continue
            if brackets == 0 and (line_end is not None or not depths):
                if header and line_end is not None:
                    yield line_end
                    depths, header = [], False
                yield from _step(depths, line_end, token)
                line_end = None
                header = kind == "HEADER" and not started
                started = not header
            if kind in ("LPAR", "LSQB", "LBRACE"):
                brackets += 1
            elif brackets and kind in ("RPAR", "RSQB", "RBRACE"):
                brackets -= 1
            yield token
        if token is not None:
            if header:
                yield token_of("_NEWLINE", "", token.end_pos or 0)
            for _ in depths[1:]:
                yield token_of("_DEDENT", "", token.end_pos or 0)


def _step(depths: list[Depth], line_end: Token | None, token: Token) -> Iterator[Token]:
    """The tokens between two lines, with the open depths brought up to date."""
    blank = "" if line_end is None else line_end.replace("\r", "\n").rpartition("\n")[2]
    depth = (len(blank.expandtabs(TAB)), len(blank))
    if not depths:
        depths.append(depth)
        return
    start = token.start_pos or 0
    top = depths[-1]
    if depth[0] > top[0] and depth[1] > top[1]:
        depths.append(depth)
        yield token_of("_INDENT", "", start)
        return
    while len(depths) > 1 and depth[0] < depths[-1][0]:
        depths.pop()
        yield token_of("_DEDENT", "", start)
    if depth != depths[-1]:
        yield token_of(CROOKED, "", start)
    yield token_of("_NEWLINE", "", start)
