"""The laws of what libraries do not promise: every such name that we use is there, and does what we need."""

import ast
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from lark import Lark, Transformer, lexer
from lark.exceptions import UnexpectedToken
from openpyxl.reader.excel import ExcelReader
from openpyxl.worksheet._reader import WorkSheetParser

from grader.base import grammars
from grader.base.grammars import load_parser
from tests.test_architecture import modules, nodes

ROOT = Path(__file__).parents[1]

DOCUMENTED = {"_replace", "_asdict", "_make", "_exit"}
"""Names with an underscore that Python itself documents."""

LARK = {"_load_from_dict"}

OPENPYXL = {"_reader", "_get_source", "_shared_strings", "_date_formats", "_timedelta_formats"}

WORDS = """
start: WORD+
WORD: /[a-z]+/
%ignore " "
"""


def used_and_own() -> tuple[set[str], set[str]]:
    """The private names that the package asks others for, and those that it gives itself."""
    used, own = set[str](), set[str]()
    for _, _, tree in modules():
        for node in nodes(tree):
            match node:
                case ast.Attribute(attr=name, ctx=ast.Store()):
                    own.add(name)
                case ast.Attribute(attr=name):
                    used.add(name)
                case ast.FunctionDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                    own.add(name)
                case ast.ImportFrom(module=str(module)) if not module.startswith("grader"):
                    used |= {*module.split("."), *(alias.name for alias in node.names)}
    return used, own


def test_every_private_name_is_here() -> None:
    """No private name of a library is used that no test below tries."""
    used, own = used_and_own()
    private = {name for name in used - own if name.startswith("_") and not name.startswith("__")}
    assert private <= DOCUMENTED | LARK | OPENPYXL


@pytest.mark.parametrize("library", ["lark", "openpyxl"])
def test_bounds(library: str) -> None:
    """A library whose inner names we use is not installed in a version that nobody has tried."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert any(line.strip().startswith(f'"{library}>=') and ",<" in line for line in project.splitlines())


def test_lark_overlaps(tmp_path: Path) -> None:
    """Lark looks for overlaps of terminals exactly where `lark.lexer.has_interegular` allows it."""
    overlapping = tmp_path / "overlapping.lark"
    overlapping.write_text("start: A | B\nA: /[ab]/\nB: /[bc]/\n")
    assert lexer.has_interegular is True
    with pytest.raises(Exception, match="Collision"):
        load_parser(overlapping, "start", strict=True)
    assert load_parser(overlapping, "start").parse("c").children == ["c"]
    assert lexer.has_interegular is True


def test_lark_loads_what_it_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that were saved are loaded and not built again, unless the grammar is another one."""
    monkeypatch.setattr(grammars, "SHIPPED_TABLES", tmp_path)
    words = tmp_path / "words.lark"
    words.write_text(WORDS)
    monkeypatch.setattr(grammars, "_BUILT", {})
    grammars.save_parser_tables(load_parser(words, "start"), words, "start", tmp_path)
    grammars._BUILT.clear()
    monkeypatch.setattr(Lark, "__init__", None)
    assert load_parser(words, "start").parse("ab c").children == ["ab", "c"]
    words.write_text(WORDS + "\n")
    with pytest.raises(TypeError):
        load_parser(words, "start")


def test_a_checkout_keeps_what_it_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one process built another takes up, as Python does with code, unless Python is not to write."""
    monkeypatch.setattr(grammars, "_BUILT", {})
    monkeypatch.setattr(sys, "pycache_prefix", None)
    words = tmp_path / "words.lark"
    words.write_text(WORDS)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    load_parser(words, "start")
    assert [*tmp_path.iterdir()] == [words]
    grammars._BUILT.clear()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    load_parser(words, "start")
    grammars._BUILT.clear()
    monkeypatch.setattr(Lark, "__init__", None)
    assert load_parser(words, "start").parse("ab c").children == ["ab", "c"]
    words.write_text(WORDS + "\n")
    with pytest.raises(TypeError):
        load_parser(words, "start")


def test_a_grammar_is_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same grammar is not built again in a process, whatever else is done with what it reads."""
    monkeypatch.setattr(grammars, "_BUILT", {})
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    words = tmp_path / "words.lark"
    words.write_text(WORDS)
    assert load_parser(words, "start", transformer=Joined()).parse("ab c") == "abc"
    monkeypatch.setattr(Lark, "__init__", None)
    assert load_parser(words, "start").parse("ab c").children == ["ab", "c"]


class Joined(Transformer[Any, str]):
    """Joins the words of a text."""

    def start(self, words: list[str]) -> str:
        """All words."""
        return "".join(words)


class Scanner(lexer.BasicLexer):
    """A lexer of its own, which notes what Lark hands to it."""

    __future_interface__ = 2
    seen: list[Any] = []  # noqa: RUF012 - a test's notebook

    def lex(self, state: lexer.LexerState, _: Any) -> Iterator[Any]:
        """The tokens as Lark finds them."""
        self.seen[:] = [state.text.text, state.text.start, state.text.end]
        self.seen += [(each.name, each.pattern.to_regexp()) for each in self.terminals]
        return super().lex(state, _)


def test_lark_lexer() -> None:
    """A lexer of the second interface is given a text with its ends, and knows its terminals."""
    parser = Lark(WORDS, parser="lalr", lexer=Scanner)
    assert parser.parse("ab c").children == ["ab", "c"]
    assert Scanner.seen[:3] == ["ab c", 0, 4]
    assert set(Scanner.seen[3:]) >= {("WORD", "[a-z]+")}


def test_lark_parser_states() -> None:
    """The tokens of a text can be had before it is parsed, and a copy of a parser's state may try some."""
    interactive: Any = Lark(WORDS, parser="lalr", lexer=Scanner).parse_interactive("ab c")
    first, second = interactive.lexer_thread.lex(None)
    assert (first, second) == ("ab", "c")
    interactive.feed_token(first)
    state = interactive.parser_state.copy(deepcopy_values=False)
    state.parse_conf.callbacks = dict.fromkeys(state.parse_conf.callbacks, list)
    state.feed_token(second, False)
    with pytest.raises(UnexpectedToken):
        state.feed_token(lexer.Token("COMMA", ","), False)
    assert interactive.parser_state.value_stack[-1] != "c"


def test_openpyxl_rows() -> None:
    """The rows of a sheet can be read with the numbers that the file gives them, and charts be left out."""
    book, file = openpyxl.Workbook(), io.BytesIO()
    book.active["B3"] = "text"
    book.save(file)
    assert callable(ExcelReader.read_chartsheet)
    reader = ExcelReader(file, read_only=True, keep_links=False)
    reader.read()
    (sheet,) = reader.wb.worksheets
    with sheet._get_source() as source:
        rows = WorkSheetParser(
            source,
            sheet._shared_strings,
            epoch=sheet.parent.epoch,
            date_formats=sheet.parent._date_formats,
            timedelta_formats=sheet.parent._timedelta_formats,
        ).parse()
        ((number, (cell,)),) = rows
    assert (number, cell["column"], cell["value"]) == (3, 2, "text")
