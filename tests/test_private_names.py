"""The laws of what libraries do not promise: every such name that we use is there, and does what we need."""

import ast
import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from lark import Lark, lexer
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
    grammars.save_parser_tables(load_parser(words, "start"), words, "start", tmp_path)
    monkeypatch.setattr(Lark, "__init__", None)
    assert load_parser(words, "start").parse("ab c").children == ["ab", "c"]
    words.write_text(WORDS + "\n")
    with pytest.raises(TypeError):
        load_parser(words, "start")


def test_lark_parser_states() -> None:
    """The tokens of a text can be had before it is parsed, and a copy of a parser's state may try some."""
    interactive: Any = Lark(WORDS, parser="lalr", lexer="basic").parse_interactive("ab c")
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
