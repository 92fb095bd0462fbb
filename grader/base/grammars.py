"""Builds parsers from grammars, and leaves the slow proof that a grammar is sound to the tests."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark


def lalr(grammar: Path | str, *, strict: bool = False, **options: Any) -> "Lark":
    """A LALR parser for a grammar, given as its file or its text; `options` are Lark's.

    With `strict` Lark proves that no two terminals overlap and raises `lark.exceptions.GrammarError`
    or `LexError` otherwise. The proof takes several times as long as everything else, so it is not
    made whenever a command starts, but once for each grammar in the tests.
    """
    from lark import Lark, lexer

    text = grammar if isinstance(grammar, str) else grammar.read_text(encoding="utf-8")
    installed = lexer.has_interegular
    # Where interegular is installed Lark looks for overlaps even when it was not asked to.
    lexer.has_interegular = strict and installed
    try:
        return Lark(text, parser="lalr", strict=strict, maybe_placeholders=False, **options)
    finally:
        lexer.has_interegular = installed
