"""The grammar of replies, and the tokens that a reply is sorted into."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.answers.reply_words import FILLER, Words, words
from grader.base.grammars import load_parser, save_parser_tables

if TYPE_CHECKING:
    from lark import Lark
    from lark import Token as Token
else:
    Token = Any  # Lark is loaded when the first reply is parsed

GRAMMAR = Path(__file__).with_name("replies.lark")

START_RULES = ("children", "choices", "count", "interval", "mentions", "number", "table", "vector", "windows")
"""The rules with which forms begin to read a reply."""


class _Sorter:
    """Gives words and signs their kind, and drops filler, between the lexer and the parser."""

    always_accept = ("WORD", "SPOTTED", "STRING", "NUMERAL", "ORDINAL", "DENIAL", "SIGN")

    def __init__(self, words: Words, kept: frozenset[str]) -> None:
        self.words = words
        self.kept = kept
        self.used: frozenset[str] = frozenset()

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens of one reply, sorted."""
        used, kept, kinds = self.used, self.kept, self.words.kinds
        for token in stream:
            if token.type in ("WORD", "SIGN") and token.casefold() not in kept:
                for kind in kinds(token):
                    if kind in used or kind == FILLER:
                        break
                else:
                    kind = token.type
                if kind == FILLER:
                    continue
                token.type = kind
            yield token


@cache
def reply_parser(start: str, code: str = "en", *, strict: bool = False) -> "Lark":
    """The parser of one start rule for replies in a language, built when the first one is read.

    Words that tell a node from the child that is chosen there are no filler where choices are read.
    With `strict` it is proved that no two rules or tokens fit the same text.
    """
    said = words(code)
    sorter = _Sorter(said, said.placing | said.supposing if start == "choices" else frozenset())
    built = load_parser(GRAMMAR, start, strict=strict, lexer="basic", postlex=sorter, keep_all_tokens=True)
    sorter.used = used_token_kinds(built, start)
    return built


def save_tables(folder: Path) -> list[Path]:
    """Write the tables of all parsers, of trees and of replies, into a folder; gives the files."""
    from grader.trees.notation import parsing

    trees = save_parser_tables(parsing.make_parser(None), parsing.GRAMMAR, "text", folder)
    return [
        trees,
        *(save_parser_tables(reply_parser(start), GRAMMAR, start, folder) for start in START_RULES),
    ]


def used_token_kinds(parser: "Lark", start: str) -> frozenset[str]:
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
