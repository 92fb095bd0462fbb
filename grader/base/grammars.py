"""Builds parsers from grammars, or takes up those that were built when the wheel was made."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.base.files import write_file

if TYPE_CHECKING:
    from lark import Lark

SHIPPED_TABLES = Path(__file__).resolve().parent.parent / "_shipped" / "grammars"
"""Where a wheel has the tables of its parsers; a checkout keeps them as Python keeps its code."""

_BUILT: "dict[tuple[object, ...], Lark]" = {}
"""The parsers that were built in this process, by grammar, start rule and options."""

_GIVEN = ("postlex", "transformer")
"""The options that are no part of the tables."""


def load_parser(grammar: Path, start: str, *, strict: bool = False, **options: Any) -> "Lark":
    """A LALR parser for a grammar in a file; `options` are Lark's.

    Building takes ten times as long as loading what `save` wrote or what another process kept, which is
    done wherever the grammar is the same to the letter and Lark of the same version; and what was built
    once in this process is the same again, whichever words its tokens are sorted by.
    With `strict` Lark proves that no two terminals overlap and raises `lark.exceptions.GrammarError`
    or `LexError` otherwise. The proof takes several times as long as everything else, so it is not
    made whenever a command starts, but once for each grammar in the tests.
    """
    from lark import Lark, lexer

    text = grammar.read_text(encoding="utf-8")
    kept = (text, start, *((name, value) for name, value in options.items() if name not in _GIVEN))
    tables = None
    if not strict and kept in _BUILT:
        tables = _tables(_BUILT[kept])
    elif not strict:
        tables = _read(SHIPPED_TABLES / _file(grammar, start), text) or _read(_beside(grammar, start), text)
    if tables is not None:
        loadable = {name: options.get(name) for name in _GIVEN}
        # Lark's own way to load, which it gives no types.
        loaded: Lark = Lark._load_from_dict(*tables, **loadable)  # type: ignore[no-untyped-call]  # private: Lark types it not
        return loaded
    installed = lexer.has_interegular
    # Where interegular is installed Lark looks for overlaps even when it was not asked to.
    lexer.has_interegular = strict and installed
    try:
        built = Lark(text, start=start, parser="lalr", strict=strict, maybe_placeholders=False, **options)
    finally:
        lexer.has_interegular = installed
    if not strict:
        _BUILT[kept] = built
        if not sys.dont_write_bytecode:
            with suppress(OSError):  # where nothing can be written, it is built again
                write_file(_beside(grammar, start), _packed(built, text))
    return built


def save_parser_tables(parser: "Lark", grammar: Path, start: str, folder: Path) -> Path:
    """Write the tables of a parser into a folder, for `lalr` to load; gives the file."""
    file = folder / _file(grammar, start)
    file.write_bytes(_packed(parser, grammar.read_text(encoding="utf-8")))
    return file


def _beside(grammar: Path, start: str) -> Path:
    """Where the tables of a grammar are kept: where Python keeps what it compiled of the code beside it."""
    from importlib.util import cache_from_source

    return Path(cache_from_source(str(grammar.with_name(_file(grammar, start))))).with_suffix(".tables")


def _packed(parser: "Lark", text: str) -> bytes:
    import pickle

    return pickle.dumps((_stamp(text), *_tables(parser)))


def _read(file: Path, text: str) -> Sequence[Any] | None:
    """The tables in a file, if there are any and they fit this grammar."""
    import pickle

    try:
        data = file.read_bytes()
    except OSError:
        return None
    stamp, *tables = pickle.loads(data)  # a part of the package, as its code is
    return tables if stamp == _stamp(text) else None


def _tables(parser: "Lark") -> Sequence[Any]:
    """What a parser is made of, without what it was given to do."""
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = parser.memo_serialize([TerminalDef, Rule])
    return data, memo


def _file(grammar: Path, start: str) -> str:
    return f"{grammar.stem}-{start}.tables"


def _stamp(text: str) -> tuple[str, str]:
    """What has to be the same for tables to fit: who built them, and the grammar."""
    from lark import __version__

    return __version__, text
