"""Builds parsers from grammars, or loads the tables of those that were built before."""

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.base.files import write_file

if TYPE_CHECKING:
    from lark import Lark

SHIPPED_TABLES = Path(__file__).resolve().parent.parent / "_shipped" / "grammars"
"""The folder of parser tables in a wheel; a checkout keeps them where Python keeps compiled code."""

_BUILT: "dict[tuple[object, ...], Lark]" = {}
"""The parsers that were built in this process, by grammar, start rule and options."""

_RUNTIME_OPTIONS = ("postlex", "transformer")
"""The options that do not affect the tables."""


def load_parser(grammar: Path, start: str, *, strict: bool = False, **options: Any) -> "Lark":
    """Return a LALR parser for a grammar in a file; `options` are Lark's.

    Building takes ten times as long as loading tables, so tables are reused if the text of the grammar and
    the version of Lark are the same: those built in this process, those of the wheel, or cached ones.
    With `strict` Lark proves that no two terminals overlap and raises `lark.exceptions.GrammarError`
    or `LexError` otherwise. The proof takes several times as long as everything else, so the tests
    make it once for each grammar, and commands never.
    """
    from lark import Lark, lexer

    text = grammar.read_text(encoding="utf-8")
    key = (text, start, *((name, value) for name, value in options.items() if name not in _RUNTIME_OPTIONS))
    tables = None
    if not strict and key in _BUILT:
        tables = _tables(_BUILT[key])
    elif not strict:
        tables = _read_tables(SHIPPED_TABLES / _file_name(grammar, start), text)
        tables = tables or _read_tables(_cached_file(grammar, start), text)
    if tables is not None:
        runtime = {name: options.get(name) for name in _RUNTIME_OPTIONS}
        loaded: Lark = Lark._load_from_dict(*tables, **runtime)  # type: ignore[no-untyped-call]  # private: Lark types it not
        return loaded
    installed = lexer.has_interegular
    # If interegular is installed, Lark searches for overlaps even without `strict`.
    lexer.has_interegular = strict and installed
    try:
        built = Lark(text, start=start, parser="lalr", strict=strict, maybe_placeholders=False, **options)
    finally:
        lexer.has_interegular = installed
    if not strict:
        _BUILT[key] = built
        if not sys.dont_write_bytecode:
            with suppress(OSError):  # without a cache it is built again
                write_file(_cached_file(grammar, start), _pickled(built, text))
    return built


def save_parser_tables(parser: "Lark", grammar: Path, start: str, folder: Path) -> Path:
    """Write the tables of a parser into a folder, for `load_parser`; return the file."""
    file = folder / _file_name(grammar, start)
    file.write_bytes(_pickled(parser, grammar.read_text(encoding="utf-8")))
    return file


def _cached_file(grammar: Path, start: str) -> Path:
    """Return the cache file of the tables of a grammar, in the folder of its compiled Python code."""
    from importlib.util import cache_from_source

    return Path(cache_from_source(str(grammar.with_name(_file_name(grammar, start))))).with_suffix(".tables")


def _pickled(parser: "Lark", text: str) -> bytes:
    import pickle

    return pickle.dumps((_stamp(text), *_tables(parser)))


def _read_tables(file: Path, text: str) -> Sequence[Any] | None:
    """Return the tables in a file; None if it is missing or belongs to another grammar."""
    import pickle

    try:
        data = file.read_bytes()
    except OSError:
        return None
    stamp, *tables = pickle.loads(data)  # as trusted as the code of the package
    return tables if stamp == _stamp(text) else None


def _tables(parser: "Lark") -> Sequence[Any]:
    """Return the tables of a parser, without its runtime options."""
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = parser.memo_serialize([TerminalDef, Rule])
    return data, memo


def _file_name(grammar: Path, start: str) -> str:
    return f"{grammar.stem}-{start}.tables"


def _stamp(text: str) -> tuple[str, str]:
    """Return what must be equal for tables to fit: the version of Lark and the grammar."""
    from lark import __version__

    return __version__, text
