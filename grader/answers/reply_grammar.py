"""The grammar of replies, and the tokens that a reply is sorted into."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.answers.reply_words import FILLER, kinds
from grader.base.grammars import lalr

if TYPE_CHECKING:
    from lark import Lark, Token


class _Sorter:
    """Gives words and signs their kind, and drops filler, between the lexer and the parser."""

    always_accept = ("WORD", "SPOTTED", "STRING", "NUMERAL", "ORDINAL", "SIGN")

    def __init__(self) -> None:
        self.used: frozenset[str] = frozenset()

    def process(self, stream: "Iterator[Token]") -> "Iterator[Token]":
        """The tokens of one reply, sorted."""
        used = self.used
        for token in stream:
            if token.type in ("WORD", "SIGN"):
                for kind in kinds(token):
                    if kind in used:
                        token.type = kind
                        break
                    if kind is FILLER:
                        break
                else:
                    kind = ""
                if kind is FILLER:
                    continue
            yield token


@cache
def parser(start: str) -> "Lark":
    """The parser of one start rule, built when the first reply of that kind is read."""
    return grammar(start)


def grammar(start: str, *, strict: bool = False) -> "Lark":
    """A parser of one start rule; `strict` proves that no two rules or tokens fit the same text."""
    sorter = _Sorter()
    parser = lalr(
        Path(__file__).with_name("replies.lark"),
        strict=strict,
        lexer="basic",
        start=start,
        postlex=sorter,
        keep_all_tokens=True,
    )
    sorter.used = used(parser, start)
    return parser


def used(parser: "Lark", start: str) -> frozenset[str]:
    """The kinds of token a start rule has a use for; Lark also keeps rules of others that use each other."""
    below: dict[str, list[Any]] = {}
    for rule in parser.rules:
        below.setdefault(rule.origin.name, []).extend(rule.expansion)
    kinds_used, reached, rest = set[str](), {start}, [start]
    while rest:
        for symbol in below[rest.pop()]:
            if symbol.is_term:
                kinds_used.add(symbol.name)
            elif symbol.name not in reached:
                reached.add(symbol.name)
                rest.append(symbol.name)
    return frozenset(kinds_used)
