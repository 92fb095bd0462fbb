"""Read a tree from the notation: the tree, or everything that is wrong with the text."""

import re
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import TYPE_CHECKING

from grader.notation.building import Builder, Enough
from grader.notation.diagnostics import Diagnostics, Mistake, report
from grader.notation.faults import UNPRINTABLE, faults
from grader.notation.layout import Layout
from grader.numerals import plain
from grader.tree import Tree

if TYPE_CHECKING:
    from lark import Lark

_CONTROL = re.compile(UNPRINTABLE.pattern.replace("\\x00-\\x1f", "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f"))
_SEGMENTS = re.compile(r'("(?:[^"\\\r\n]|\\[^\r\n])*(?:"|\\?)|#[^\r\n]*)')

_builder = Builder()
_reading = Lock()


def read_tree(text: str) -> Tree | Diagnostics:
    """Read one tree in brackets, by indentation, or in any mixture of the two.

    Gives the tree, or all diagnostics at once; never raises, whatever the text.
    """
    with _reading:
        return _read(text)


def read_bytes(data: bytes) -> Tree | Diagnostics:
    """Read one tree from the bytes of a file: UTF-8, with or without a byte order mark."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
        start = text.index("\ufffd") if "\ufffd" in text else 0
        return report(text, [Mistake(start, start + 1, "not-utf-8", "the file is not UTF-8", "save it as UTF-8")])
    return read_tree(text)


@cache
def _parser() -> "Lark":
    """The parser, built when the first text is read."""
    return grammar(_builder)


def grammar(builder: object) -> "Lark":
    """A parser for the notation that calls `builder` for every rule it recognises; None builds Lark's trees."""
    from lark import Lark

    text = (files("grader.notation") / "tree.lark").read_text("utf-8")
    return Lark(
        text,
        parser="lalr",
        lexer="basic",
        strict=True,
        start="text",
        postlex=Layout(),
        transformer=builder,
        maybe_placeholders=False,
    )


def _read(text: str) -> Tree | Diagnostics:
    """Read a text with the one builder there is."""
    from lark.exceptions import UnexpectedToken

    _builder.begin()
    try:
        _parser().parse(text)
    except UnexpectedToken as error:
        start = error.token.start_pos or 0
        _builder.wrong_at(start, start + 1, "unexpected", "this cannot stand here", "")
        return report(text, _builder.mistakes)
    except Enough:
        return report(text, _builder.mistakes)
    if not _builder.places:
        return report(text, [Mistake(0, 1, "no-tree", "there is no tree", "write one: MAX (3 12 8)")])
    tree = _builder.tree()
    for fault in faults(tree):
        start, end = _builder.place(fault)
        _builder.wrong_at(start, end, fault.code, fault.message, fault.hint)
    return report(text, _builder.mistakes) if _builder.mistakes else tree
