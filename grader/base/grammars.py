"""Builds the parser of a grammar, or loads its tables from a wheel."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark

SHIPPED_TABLES = Path(__file__).resolve().parent.parent / "_shipped" / "grammars"
"""The folder of parser tables in a wheel; a checkout has none, and builds its parser."""

_RUNTIME_OPTIONS = ("postlex", "transformer")
"""The options that do not affect the tables."""


def load_parser(grammar: Path, start: str, *, strict: bool = False, **options: Any) -> "Lark":
    """Return a LALR parser for a grammar in a file; `options` are Lark's.

    Building takes four times as long as loading tables, so tables are loaded if there are any for this text
    of the grammar and this version of Lark.
    With `strict` Lark proves that no two terminals overlap and raises `lark.exceptions.GrammarError`
    or `LexError` otherwise. The proof takes several times as long as everything else, so the tests
    make it once for each grammar, and commands never.
    """
    from lark import Lark, lexer

    text = grammar.read_text(encoding="utf-8")
    tables = None if strict else _read_tables(SHIPPED_TABLES / _file_name(grammar, start), text)
    if tables is not None:
        runtime = {name: options.get(name) for name in _RUNTIME_OPTIONS}
        loaded: Lark = Lark._load_from_dict(*tables, **runtime)  # type: ignore[no-untyped-call]  # private: Lark types it not
        return loaded
    installed = lexer.has_interegular
    # If interegular is installed, Lark searches for overlaps even without `strict`.
    lexer.has_interegular = strict and installed
    try:
        return Lark(text, start=start, parser="lalr", strict=strict, maybe_placeholders=False, **options)
    finally:
        lexer.has_interegular = installed


def save_parser_tables(parser: "Lark", grammar: Path, start: str, folder: Path) -> Path:
    """Write the tables of a parser into a folder, for `load_parser`; return the file."""
    import pickle

    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    file = folder / _file_name(grammar, start)
    tables = parser.memo_serialize([TerminalDef, Rule])
    file.write_bytes(pickle.dumps((_stamp(grammar.read_text(encoding="utf-8")), *tables)))
    return file


def _read_tables(file: Path, text: str) -> Sequence[Any] | None:
    """Return the tables in a file; None if it is missing or belongs to another grammar."""
    import pickle

    try:
        data = file.read_bytes()
    except OSError:
        return None
    stamp, *tables = pickle.loads(data)  # as trusted as the code of the package
    return tables if stamp == _stamp(text) else None


def _file_name(grammar: Path, start: str) -> str:
    return f"{grammar.stem}-{start}.tables"


def _stamp(text: str) -> tuple[str, str]:
    """Return what must be equal for tables to fit: the version of Lark and the grammar."""
    from lark import __version__

    return __version__, text
