"""Diagnostics of texts with mistakes: the right code, at the right place, once."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from grader.trees.notation.decimal_commas import comma_note
from grader.trees.notation.diagnostics import (
    CODES,
    MAX_DIAGNOSTICS,
    MAX_EXCERPT_LENGTH,
    Diagnostic,
    Diagnostics,
)
from grader.trees.notation.exchange_efg import read_efg, write_efg
from grader.trees.notation.exchange_json import read_json
from grader.trees.notation.reading import read_bytes, read_tree
from grader.trees.tree import MAX_SUPPORTED_LEAVES, Tree
from tests.trees.notation.mistakes import EFG, FILES, JSON, TEXTS, UNWRITTEN


def said(text: str) -> tuple[Diagnostic, ...]:
    """The diagnostics of a text that has some."""
    found = read_tree(text)
    assert isinstance(found, Diagnostics), f"{text!r} reads as a tree"
    return found.items


def the_one(text: str) -> Diagnostic:
    """The diagnostic of a text with one mistake."""
    found = said(text)
    assert len(found) == 1, "\n".join(map(str, found))
    return found[0]


def unwritten(text: str) -> str | Diagnostics:
    """Return the `.efg` file of a tree, or its diagnostics."""
    tree = read_tree(text)
    assert isinstance(tree, Tree)
    return write_efg(tree)


READERS: tuple[tuple[Callable[[Any], object], Mapping[str, str | bytes]], ...] = (
    (read_tree, TEXTS),
    (read_bytes, FILES),
    (read_json, JSON),
    (read_efg, EFG),
    (unwritten, UNWRITTEN),
)
"""The readers, and examples of the mistakes they find."""


@pytest.mark.parametrize(
    ("code", "read", "example"),
    [
        pytest.param(code, read, example, id=code)
        for read, examples in READERS
        for code, example in examples.items()
    ],
)
def test_example(code: str, read: Callable[[Any], object], example: str | bytes) -> None:
    """The example of every code has that mistake and no other."""
    found = read(example)
    assert isinstance(found, Diagnostics)
    others = {"bad-word"} if code == "more" else set()
    assert {diagnostic.code for diagnostic in found} - others == {code}, str(found)
    if code not in ("more", "probability-place"):
        assert len(found) == 1, str(found)


@pytest.mark.slow
def test_too_many_leaves() -> None:
    """A text with too many leaves has this one diagnostic."""
    assert the_one(f"({'3 ' * (MAX_SUPPORTED_LEAVES + 1)})").code == "too-many-leaves"


def test_every_code_has_one_example() -> None:
    """Every kind of mistake is shown, by one reader; too many leaves have a test of their own."""
    shown = [code for _, examples in READERS for code in examples]
    assert sorted([*shown, "too-many-leaves"]) == sorted(CODES)


CASES = (
    # text, code, line, column, words in the message or the hint
    (
        "MAX A (\n  MIN B (3 12 8)\n  MIN C (2 4 6\n  MIN D (14 5 2)\n)",
        "unclosed-bracket",
        3,
        9,
        "closing parenthesis for MIN C opened in line 3?",
    ),
    ("MAX A\n  MIN B (3 12\n  MIN C (3 4)\n  MIN D (3)", "unclosed-bracket", 2, 9, "MIN B opened in line 2"),
    ("MAX A [MIN B (3 12 8 ]", "unclosed-bracket", 1, 14, "MIN B"),
    ("MAX A {eval=4 (3 4)", "unclosed-bracket", 1, 7, "brace"),
    ("MAX A {f=[1, 2} (3)", "unclosed-bracket", 1, 10, "square bracket"),
    ("P1 (<1, 2 <3, 4>)", "unclosed-bracket", 1, 5, "angle bracket"),
    ("MAX ( (3 4", "unclosed-bracket", 1, 7, "2 brackets"),
    ("MAX A (MIN B (3 12 8)) MIN C (2 4 6))", "unopened-bracket", 1, 37, "never opened"),
    (")", "unopened-bracket", 1, 1, ""),
    ("MAX A (MIN B (3 12 8] MIN C (2 4 6))", "mismatched-bracket", 1, 21, "close it with )"),
    ("MAX A (MIN B MIN C (3))", "empty-node", 1, 8, "MIN B has no children"),
    ("MAX A\n  MIN B\n  MIN C (3)", "empty-node", 2, 3, "deeper lines"),
    ("MAX two words (3)", "empty-node", 1, 1, "quotes"),
    ("MAX (max=3 4)", "empty-node", 1, 6, '"max"=3'),
    ("()", "empty-node", 1, 1, ""),
    ("MIN B {3 12 8}", "empty-node", 1, 1, "children go in ( ) or [ ]"),
    ("MAX A (MIN B {3 12 8} 4)", "empty-node", 1, 8, "MIN B (3 12 8)"),
    ("MAX A (mim C=2 (2 9) 3)", "player-unknown", 1, 8, "mean MIN?"),
    ("MAX A (mim C<=2 (2 9) 3)", "player-unknown", 1, 8, "mean MIN?"),
    ("MAX A (MN=3 (2 9) 3)", "player-unknown", 1, 8, "mean MIN?"),
    ("MAX A [mxa B [3 4] 5]", "player-unknown", 1, 8, "mean MAX?"),
    ("MAX A (MN B(3 4) 5)", "player-unknown", 1, 8, "mean MIN?"),
    ("MAX A (a1: CHANC B (3 4) 5)", "player-unknown", 1, 12, "mean CHANCE?"),
    ("MAX A (FOO B (3 4) 5)", "player-unknown", 1, 8, "FOO, B, (3 12 8)"),
    ("MN B (3 12)", "player-unknown", 1, 1, "mean MIN?"),
    ("man (3 4)", "player-unknown", 1, 1, "MIN or MAX?"),
    ("MAX A\n  MN B\n    3\n    12\n  MIN C\n    2", "player-unknown", 2, 3, "mean MIN?"),
    ("MAX A\n  MN\n    3\n    12\n  MIN C\n    2", "player-unknown", 2, 3, "mean MIN?"),
    ("MAX (max: 3 4)", "player-word", 1, 6, '"max"'),
    ("MAX A: (3 4)", "player-word", 1, 1, ""),
    ("MAX (3, 4,)", "missing", 1, 10, "after the comma"),
    ("MAX (a1: , 4)", "missing", 1, 8, "label"),
    ("MAX (3 ~)", "missing", 1, 8, "cross"),
    ("MAX A= (3 4)", "missing", 1, 6, "value"),
    ("MAX A\n  a1:\n    3", "missing", 2, 5, "same line"),
    ("MAX A\n  a1:\n  3", "missing", 2, 5, "same line"),
    (":::", "unexpected", 1, 1, "label"),
    ("MAX\n  MIN\n    3\n      4\n    5\n  MIN\n    3", "leaf-with-children", 4, 7, "indented more"),
    ("MAX\n  MIN (3)\n    4\n  MIN (2)", "indentation", 3, 5, "children in brackets"),
    ("MAX A\n\tMIN B\n        MIN C (4)", "indentation", 3, 9, "tabs"),
    ("A (3 4)", "several-trees", 1, 3, "MAX A"),
    ("MAX (3 4) MIN (3)", "several-trees", 1, 11, ""),
    ("@title Figure 5\nMAX (3)", "header-value", 1, 1, "quotes"),
    ('@title "Figure 5" MAX (3)', "header-value", 1, 1, "alone on its line"),
    ("@ties: cut\nMAX (3)", "header-value", 1, 1, "@ties cut"),
    ("@ties\nMAX (3)", "header-value", 1, 1, "cut or keep"),
    ("@weights [1, 2\nMAX (3)", "header-value", 1, 1, "square brackets"),
    ("@depth -1\nMAX (3)", "header-value", 1, 1, "0 or more"),
    ("@depth = 2\nMAX (3)", "header-value", 1, 1, "@depth 2"),
    ("@numbers percent\nMAX (3)", "header-value", 1, 1, "fractions or decimals"),
    ("@bounds [3, 1]\nMAX (3)", "rules-clash", 1, 1, "lower bound"),
    ("@window [3, 3]\nMAX (3)", "rules-clash", 1, 1, "window is empty"),
    ("@bounds [0, 1]\n@window [1, 3]\nMAX (1)", "rules-clash", 1, 1, "outside the bounds"),
    ("3-2", "bad-number", 1, 1, "3 -2"),
    ("(3; 4)", "bad-number", 1, 2, "commas"),
    ("(1e999999999 4)", "bad-number", 1, 2, "exponent"),
    ("(1/0 4)", "bad-number", 1, 2, "zero"),
    ("(1.5/2 4)", "bad-number", 1, 2, "fraction"),
    ("(50% 4)", "bad-number", 1, 2, "50%: 3"),
    ("(3rd 4)", "bad-number", 1, 2, "quotes"),
    ("(-inf 4)", "bad-word", 1, 2, "finite"),
    ("(inf 4)", "bad-word", 1, 2, "finite"),
    ("(3 Infinity)", "bad-word", 1, 4, "finite"),
    ("(٣ 4)", "bad-word", 1, 2, "0 to 9"),
    ("(“a”=3 4)", "bad-word", 1, 2, "straight"),
    ("(3 ² 4)", "bad-word", 1, 4, ""),
    ("CHANCE (50: 3, 50: 4)", "probability-sum", 1, 1, "50%:"),
    ("CHANCE (heads 1/2: 3, tails 1/2: 4)", "probability-missing", 1, 9, "heads: 1/2: 3"),
    ("P3 (<1, 2> <3, 4>)", "vector-length", 1, 5, "P3 plays"),
    ("P1 (x <3, 4>)", "payoff-kind", 1, 5, "unknown"),
    ("MAX (<3, 4> 3)", "payoff-kind", 1, 6, "P1, P2"),
    ("P1 A=3 (<1, 2>)", "claim-kind", 1, 1, "vectors"),
    ("MAX A=x (3)", "claim-kind", 1, 1, "not a value"),
    ("MAX (3=4 2)", "claim-at-leaf", 1, 6, "payoff"),
    ("MAX (3 ~ ~4)", "label-twice", 1, 10, "two crosses"),
    ("MAX (MIN C<2 (2 4) 3)", "claim-kind", 1, 11, "write MIN C<=2"),
    ("MIN > -1/2 (2 4)", "claim-kind", 1, 5, "write MIN>=-1/2"),
    ("MAX\n  △ C<2\n    2\n    4", "claim-kind", 2, 6, "write △ C<=2"),
    ("MAX A=3,5 (3 4)", "bad-number", 1, 7, "write MAX A=3.5"),
    ('MAX\n  MIN "b c" = -3,25 # so\n    2', "bad-number", 2, 15, 'write MIN "b c"=-3.25'),
)


@pytest.mark.parametrize(("text", "code", "line", "column", "words"), CASES, ids=lambda case: repr(case)[:40])
def test_one_mistake(text: str, code: str, line: int, column: int, words: str) -> None:
    """One mistake gives one diagnostic, at its place, with a hint."""
    diagnostic = the_one(text)
    assert (diagnostic.code, diagnostic.line, diagnostic.column) == (code, line, column)
    assert words in f"{diagnostic.message} {diagnostic.hint}"


@pytest.mark.parametrize(
    "text",
    [
        "MAX A (x y)",
        "MAX A (x y (3 4))",
        "MAX A (mx my)",
        "MAX A (mx=3 my=4 MIN (3 4))",
        "MAX A (MN, B, (3 12 8))",
        'MAX A ("MN" (3 12 8))',
        "MAX A (mim C=2 MIN (2 9))",
        "MAX A (mx: (3 4) y)",
        "MAX A ((x mx) (3 4))",
        "MAX A\n  mx\n  MIN\n    3",
    ],
)
def test_words_that_are_payoffs_stay_payoffs(text: str) -> None:
    """A word is a misspelt player only if a group or a deeper line follows without a comma."""
    assert isinstance(read_tree(text), Tree)


@pytest.mark.parametrize("text", ["MAX (3,5 2)", "MAX (3 ~-3,25)", "MAX\n  e=3,5\n  2", "((3,5) (2 4))"])
def test_a_comma_between_two_numbers_is_noted(text: str) -> None:
    """`3,5` is read as two leaves, with a note on how to write one."""
    assert isinstance(read_tree(text), Tree)
    note = comma_note(text)
    assert note is not None
    assert re.search(r"(3,5|-3,25) in line \d is read as two leaves.* is written (3\.5|-3\.25)$", note)


@pytest.mark.parametrize(
    "text",
    [
        "[[3,12,8],[2,4,6],[14,5,2]]",
        "[[3,5],[2,4]]",
        "(3, 5)",
        "P1 (<1,2> <3,4>)",
        '@bounds [0,1]\nMAX "3,5" {f=[2,1]} (3 4) # 3,5',
        "CHANCE (1/2: 3,1/2: 5)",
    ],
)
def test_commas_that_part_leaves_are_not_noted(text: str) -> None:
    """There is no note if commas are used throughout, or belong to something else."""
    assert isinstance(read_tree(text), Tree)
    assert comma_note(text) is None


def test_all_at_once() -> None:
    """Mistakes of every sort in one text are reported together, in reading order."""
    text = "@ties never\nMAX A (\n MIN B (3-2 8\x00)\n MIN B (2 4 6]\n MIN C {n=x} (a: 1/3: 4)\n MIN D 5)\n"
    codes = [diagnostic.code for diagnostic in said(text)]
    assert codes == [
        "header-value",
        "bad-number",
        "control-character",
        "name-twice",
        "mismatched-bracket",
        "attribute-value",
        "probability-place",
        "empty-node",
    ]
    assert [d.line for d in said(text)] == sorted(d.line for d in said(text))


def test_caret_stands_under_the_place() -> None:
    """The caret line points at the mistake, also after tabs, wide letters and accents of their own."""
    for text in ("MAX (3\t4 5-6)", 'MAX ("名前"=3 5-6)', "MAX\n  3\n  5-6", 'MAX ("Kno\u0308del"=3 5-6)'):
        line, carets = the_one(text).excerpt.split("\n")
        wider = sum(letter in "名前" for letter in line) - line.count("\u0308")
        assert carets.index("^") == line.index("5-6") + wider
        assert carets.count("^") == 3


def test_long_lines_are_clipped() -> None:
    """A mistake in a very long line shows a window of it, with the caret in the window."""
    diagnostic = the_one("MAX (" + "3 " * 5000 + "5-6 " + "3 " * 5000 + ")")
    line, carets = diagnostic.excerpt.split("\n")
    assert len(line) <= MAX_EXCERPT_LENGTH + 4
    assert line.index("5-6") == carets.index("^")
    assert diagnostic.column == 10_006


def test_many_mistakes_are_capped() -> None:
    """After fifty mistakes the rest is only counted."""
    found = said("(" + "5-6 " * 73 + ")")
    assert len(found) == MAX_DIAGNOSTICS + 1
    assert found[-1].code == "more"
    assert "23 more" in found[-1].message


@pytest.mark.parametrize(
    ("text", "share", "column"),
    [
        ("MAX (CHANCE (1/2: MIN (3 1/2: 4) 1/2: 2))", "1/2", 26),
        ("MAX (CHANCE (1/4: 1 3/4: 2) x: 50%: ~MIN (3 4))", "50%", 32),
        ('MAX (CHANCE (1/2: 1 1/2: 2) 2/4 : "1/2: ": MIN (3 4))', "2/4", 29),
        ("1/2: MAX (CHANCE (1/2: 1 1/2: 2))", "1/2", 1),
    ],
)
def test_share_without_chance(text: str, share: str, column: int) -> None:
    """A probability without a chance node is reported at its place, as it is spelled in the text."""
    diagnostic = the_one(text)
    assert diagnostic.code == "probability-place"
    assert diagnostic.column == column
    assert diagnostic.message.startswith(f"{share}: ")
    assert diagnostic.hint == f'a move called {share} goes in quotes: "{share}":'


def test_negative_share_behind_a_comment() -> None:
    """A negative probability is reported at its place, even if a comment separates it from its branch."""
    diagnostic = the_one("CHANCE (3/2: 3, -1/2: # of two\n  x:\n  3)")
    assert (diagnostic.code, diagnostic.line, diagnostic.column) == ("probability-negative", 1, 17)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_lines_are_counted(end: str) -> None:
    """Lines are counted the same with all line ends."""
    diagnostic = the_one(f"MAX A{end}  MIN B (3){end}{end}  MIN C (5-6){end}")
    assert (diagnostic.line, diagnostic.column) == (4, 10)
    assert diagnostic.excerpt.startswith("  MIN C")


def test_terminal_is_safe() -> None:
    """An excerpt of a hostile text has no control characters."""
    shown = str(read_tree("MAX \x1b[31m\u202e (3-2 \x9b\x7f\r\n\x07)"))
    assert all(letter == "\n" or letter.isprintable() for letter in shown)


def test_place_is_shown() -> None:
    """A diagnostic in words gives place, message, code, line, caret and hint."""
    assert str(read_tree("MAX A (3-2 8)")).split("\n") == [
        "line 1, column 8: 3-2 is not a number [bad-number]",
        "    MAX A (3-2 8)",
        "           ^^^",
        "  put a blank or a comma between two numbers: 3 -2",
    ]


def test_no_diagnostics_is_impossible() -> None:
    """Diagnostics without a diagnostic are refused."""
    with pytest.raises(ValueError, match="without mistakes"):
        Diagnostics(())


SLIPS = (
    "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))",
    "MAX A (\n  MIN B (3 12 8)\n  MIN C (2 4 6)\n  MIN D (14 5 2)\n)",
    "MAX A\n  MIN B\n    3\n    12\n    8\n  MIN C\n    2 4 6\n  MIN D (14 5 2)\n",
    "[[3,12,8],[2,4,6],[14,5,2]]",
    "CHANCE A=3 (a: 1/2: ~MIN B {eval=4, f=[2]} (x 3), b: 1/2: e=2.5)",
    "P1 (P2 (<1, 2> <3, 4>) P2 (<5, 6> <7, 8>))",
)


@pytest.mark.parametrize("apart", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_slips(apart: int) -> None:
    """A missing or additional character mostly gives one diagnostic, hardly ever three."""
    counts: Counter[int] = Counter()
    for text in SLIPS:
        for place in range(0, len(text), apart):
            slips = [text[:place] + text[place + 1 :]]
            slips += [text[:place] + letter + text[place:] for letter in '()[],:=~"{}<>']
            for slip in slips:
                found = read_tree(slip)
                if isinstance(found, Diagnostics):
                    counts[len(found)] += 1
    assert counts[1] > 0.8 * counts.total()
    assert counts[1] + counts[2] > 0.95 * counts.total()


HOSTILE = {
    "nested parentheses": "(" * 100_000,
    "nested and closed": "(" * 100_000 + "3" + ")" * 100_000,
    "nested square brackets": "[" * 100_000,
    "deep outline": "\n".join(" " * depth + "MAX" for depth in range(1500)),
    "digits": "9" * 10_000_000,
    "exponent": "1e999999999",
    "zeros": "\x00" * 100_000,
    "colons": ":" * 100_000,
    "closing": ")" * 100_000,
    "quotes": '"' * 20_001,
    "backslashes": '"' + "\\" * 1_000_000,
    "commas": "," * 100_000,
    "crosses": "~" * 100_000,
    "headers": "@title\n" * 10_000,
    "claims": "MAX" + "=3" * 10_000,
    "braces": "{" * 20_000,
    "vectors": "<" * 100_000,
    "comment": "#" * 1_000_000,
    "line ends": "\n\r" * 500_000,
    "blanks": " " * 1_000_000,
    "players": "MAX " * 30_000,
    "long word": "x" * 1_000_000,
    "vector of digits": "<" + "1 " * 20_000 + ">",
    "surrogates": "\ud800" * 10_000,
}


LONG = ("closing", "commas", "quotes")
"""The texts that take longest; others give as many diagnostics."""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, id=name, marks=[pytest.mark.slow] * (name in LONG))
        for name, text in HOSTILE.items()
    ],
)
def test_hostile(text: str) -> None:
    """No text, however long or deep, gives anything but diagnostics or a tree."""
    found = read_tree(text)
    if isinstance(found, Diagnostics):
        assert len(str(found)) < 100_000
