"""The grammars are sound: nothing can be read in two ways."""

import re
from pathlib import Path

import pytest

import grader
from grader.answers import reply_grammar as replies
from grader.base import grammars
from grader.trees.notation import parsing as trees

PACKAGE = Path(grader.__file__).parent

STARTS = sorted(
    {
        start
        for path in (PACKAGE / "answers").glob("*.py")
        for start in re.findall(r"\.parse\(\"(\w+)\"", path.read_text(encoding="utf-8"))
    }
)
"""The rules that the answer forms start from."""


def test_no_tree_can_be_read_in_two_ways() -> None:
    """Lark proves of the notation that no two rules and no two terminals fit the same text."""
    assert trees.make_parser(None, strict=True).options.strict


@pytest.mark.parametrize("start", STARTS)
def test_no_reply_can_be_read_in_two_ways(start: str) -> None:
    """Lark proves the same of every rule that a reply can start with."""
    assert replies.reply_parser(start, strict=True).options.strict


def test_every_grammar_is_proved() -> None:
    """There is no third grammar that nobody proves, and no reply of an unknown kind."""
    assert {path.name for path in PACKAGE.rglob("*.lark")} == {"tree.lark", "replies.lark"}
    assert sorted(replies.START_RULES) == STARTS


def test_every_parser_is_loaded_from_the_tables_that_a_wheel_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all tables are saved no parser is built, of trees or of replies."""
    saved = replies.save_tables(tmp_path)
    assert len({*saved}) == 1 + len(replies.START_RULES)
    monkeypatch.setattr(grammars, "SHIPPED_TABLES", tmp_path)
    monkeypatch.setattr(grammars, "_BUILT", {})
    monkeypatch.setattr(grammars, "_cached_file", lambda *_: tmp_path / "none")
    monkeypatch.setattr(grammars, "write_file", lambda *_: pytest.fail("a parser was built"))
    replies.reply_parser.cache_clear()
    assert trees.make_parser(None).parse("MAX (1 2)").data
    for each in STARTS:
        assert replies.reply_parser(each).rules
    assert not grammars._BUILT
