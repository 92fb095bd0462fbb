"""Builds parsers from grammars, or takes up those that were built when the wheel was made."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark

SAVED = Path(__file__).resolve().parent.parent / "_shipped" / "grammars"
"""Where a wheel has the tables of its parsers; a checkout has none."""


def lalr(grammar: Path, start: str, *, strict: bool = False, **options: Any) -> "Lark":
    """A LALR parser for a grammar in a file; `options` are Lark's.

    Building takes ten times as long as loading what `save` wrote, which is done wherever the grammar is
    the same to the letter and Lark of the same version.
    With `strict` Lark proves that no two terminals overlap and raises `lark.exceptions.GrammarError`
    or `LexError` otherwise. The proof takes several times as long as everything else, so it is not
    made whenever a command starts, but once for each grammar in the tests.
    """
    import pickle

    from lark import Lark, lexer

    text = grammar.read_text(encoding="utf-8")
    saved = SAVED / _file(grammar, start)
    if not strict and saved.exists():
        stamp, data, memo = pickle.loads(saved.read_bytes())  # a part of the package, as its code is
        if stamp == _stamp(text):
            loadable = {name: options[name] for name in ("postlex", "transformer") if name in options}
            # Lark's own way to load, which it gives no types.
            loaded: Lark = Lark._load_from_dict(data, memo, **loadable)  # type: ignore[no-untyped-call]
            return loaded
    installed = lexer.has_interegular
    # Where interegular is installed Lark looks for overlaps even when it was not asked to.
    lexer.has_interegular = strict and installed
    try:
        return Lark(text, start=start, parser="lalr", strict=strict, maybe_placeholders=False, **options)
    finally:
        lexer.has_interegular = installed


def save(parser: "Lark", grammar: Path, start: str, folder: Path) -> Path:
    """Write the tables of a parser into a folder, for `lalr` to load; gives the file."""
    import pickle

    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = parser.memo_serialize([TerminalDef, Rule])
    file = folder / _file(grammar, start)
    file.write_bytes(pickle.dumps((_stamp(grammar.read_text(encoding="utf-8")), data, memo)))
    return file


def _file(grammar: Path, start: str) -> str:
    return f"{grammar.stem}-{start}.tables"


def _stamp(text: str) -> tuple[str, str]:
    """What has to be the same for tables to fit: who built them, and the grammar."""
    from lark import __version__

    return __version__, text
