"""The grammar of trees is sound: nothing can be read in two ways."""

from pathlib import Path

import pytest
from lark import Lark

import grader
from grader.base import grammars
from grader.trees.notation import parsing as trees

PACKAGE = Path(grader.__file__).parent


def test_no_tree_can_be_read_in_two_ways() -> None:
    """Lark proves of the notation that no two rules and no two terminals fit the same text."""
    assert trees.make_parser(None, strict=True).options.strict


def test_every_grammar_is_proved() -> None:
    """There is no other grammar, which nobody proves."""
    assert {path.name for path in PACKAGE.rglob("*.lark")} == {"tree.lark"}


def test_the_parser_is_loaded_from_the_tables_that_a_wheel_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where its tables are saved no parser is built."""
    trees.save_tables(tmp_path)
    monkeypatch.setattr(grammars, "SHIPPED_TABLES", tmp_path)
    monkeypatch.setattr(Lark, "__init__", None)
    assert trees.make_parser(None).parse("MAX (1 2)").data
