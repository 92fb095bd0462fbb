"""Text to tree and back: the two are inverse, and every way to write a tree reads as that tree."""

import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lark import Lark

from grader.base.grammars import load_parser
from grader.base.shipped import shipped_folder
from grader.pictures.svg import svg
from grader.pictures.text import text_picture
from grader.solvers.solution import solve
from grader.trees.annotations import Attributes, Header
from grader.trees.games import tictactoe
from grader.trees.games.game_tree import unfold
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.exchange_json import read_json, write_json
from grader.trees.notation.laws import tree_violations
from grader.trees.notation.parsing import GRAMMAR, make_parser, parse_tree
from grader.trees.notation.plain_reader import read_plain
from grader.trees.notation.reading import read_bytes, read_tree, tree_of
from grader.trees.notation.writing import MAX_LINE_COLUMNS, Spelling, write_tree
from grader.trees.rules import Rules
from grader.trees.tree import MAX_SUPPORTED_PLIES, Claim, Player, Tree, TreeError
from grader.trees.tree_builder import TreeBuilder
from tests.strategies import trees

TREES = [
    line
    for line in (Path(__file__).parent / "trees.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]

EVERYTHING = st.one_of(
    trees(names=True, moves=True, claims=True, crosses=True, attributes=True, headers=True, chance=True),
    trees(names=True, moves=True, unknowns=True, crosses=True, headers=True),
    trees(seats=3, names=True, moves=True, claims=True, crosses=True, chance=True, leaves=12),
    trees(),
)


TEXTBOOK = tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))")


@pytest.mark.parametrize("line", TREES)
def test_canonical_line(line: str) -> None:
    """A canonical line reads as a good tree and is written as it was."""
    tree = tree_of(line)
    assert tree_violations(tree) == ()
    joined = " ".join(part.strip() for part in write_tree(tree).split("\n"))
    assert joined.replace("( ", "(").replace(" )", ")") == line
    assert tree_of(write_tree(tree, "outline")) == tree


@given(EVERYTHING, st.sampled_from(("text", "outline")))
def test_reading_inverts_writing(tree: Tree, spelling: Spelling) -> None:
    """Reading what was written gives the same tree, in both spellings, and writing it again the same text."""
    text = write_tree(tree, spelling)
    again = tree_of(text)
    assert again == tree
    assert write_tree(again, spelling) == text


@given(EVERYTHING)
def test_written_trees_are_good(tree: Tree) -> None:
    """No tree that the strategies grow breaks a law, so the round trip above speaks of good trees."""
    assert tree_violations(tree) == ()


MIXTURES = {
    "shorthand": "((3 12 8) (2 4 6) (14 5 2))",
    "square": "[[3,12,8],[2,4,6],[14,5,2]]",
    "below a player": "MAX ((3 12 8) [2 4 6] (14 5 2))",
    "nearest player above": "MAX (MIN (3 12 8) (2 4 6) MIN [14 5 2])",
    "symbols": "△ (▽ (3 12 8) ▼(2 4 6) ▿ (14 5 2))",
    "small": "max (min (3 12 8) Min(2 4 6) mIN(14,5,2))",
    "outline": "MAX\n  MIN\n    3\n    12\n    8\n  MIN\n    2\n    4\n    6\n  MIN\n    14\n    5\n    2",
    "leaves on a line": "MAX\n  MIN\n    3 12 8\n  MIN\n    2, 4\n    6\n  MIN (14 5 2)",
    "trees on a line": "MAX\n  MIN (3 12 8) MIN (2 4 6)\n  MIN\n    14 5 2",
    "last of a line": "MAX\n MIN (3 12 8) MIN\n  2 4 6\n MIN\n  14\n  5 2\n",
    "bracket on its own line": "MAX\n(\n  MIN\n  (3 12 8)\n  MIN (2 4 6) MIN\n  [\n14 5 2\n]\n)",
    "groups by indentation": "MAX\n  (3 12 8)\n  (2 4 6)\n  (14 5 2)",
    "tabs": "MAX\n\tMIN\n\t\t3 12 8\n\tMIN (2 4 6)\n\tMIN\n\t\t14 5 2",
    "set in from the margin": "    MAX\n      MIN (3 12 8)\n      MIN (2 4 6)\n      MIN (14 5 2)\n",
    "comments": "# a\nMAX # b (\n\n # c\n MIN (3 12 # d )\n  8)\n   # e\n MIN (2 4 6)\n MIN (14 5 2)#",
    "line ends": "MAX\r\n  MIN (3 12 8)\r\n\r\n  MIN (2 4 6)\r  MIN (14 5 2)\r\n",
    "commas": "MAX (MIN (3, 12 8), MIN (2,4,6) MIN (14 5 2))",
    "commas at line ends": "MAX\n  MIN (3 12 8),\n  MIN (2 4 6),\n  MIN (14 5 2)",
    "fullwidth": "ＭＡＸ（（３，１２　８）　（２ ４ ６）（１４ ５ ２））",
    "no-break spaces": "MAX\u00a0((3\u202f12\u00a08) (2 4 6)\u2009(14 5 2))",
    "other numerals": "((3.0 24/2 8) (2e0 4 06) (1.4e1 +5 2.))",
    "byte order mark": "\ufeff((3 12 8) (2 4 6) (14 5 2))",
}


@pytest.mark.parametrize("text", MIXTURES.values(), ids=MIXTURES.keys())
def test_mixtures(text: str) -> None:
    """However people write the textbook tree, it reads as the textbook tree."""
    assert tree_of(text) == tree_of("MAX (MIN (3 12 8) MIN (2 4 6) MIN (14 5 2))")


PAIRS = {
    "minus signs": ("(−2 –3 ‐4 －5)", "MAX (-2 -3 -4 -5)"),
    "relations": ("MAX (MIN B≤2 (3) MIN C⩾5 (4))", "MAX (MIN B<=2 (3) MIN C>=5 (4))"),
    "probabilities": ("CHANCE (50%: 3, .5: 4)", "CHANCE (3 4)"),
    "percentages": ("CHANCE (12.5%: 3, 87.5%: 4)", "CHANCE (0.125: 3, 0.875: 4)"),
    "probability before label": ("CHANCE (1/3: a: 3, 2/3: b: 4)", "CHANCE (a: 1/3: 3, b: 2/3: 4)"),
    "cross before label": ("MAX (~a: 3, ~b: MIN (4))", "MAX (a: ~3, b: ~MIN (4))"),
    "attributes before claim": ("MAX {n=4}=3 (3)", "MAX=3 {n=4} (3)"),
    "chance keeps the turn": ("MAX (CHANCE ((1 2) (3 4)))", "MAX (CHANCE (MIN (1 2) MIN (3 4)))"),
    "nobody above": ("CHANCE ((1 2) (3 4))", "CHANCE (MAX (1 2) MAX (3 4))"),
    "circles": ("○ (◯ (1) 2)", "CHANCE (CHANCE (1) 2)"),
    "small seats": ("p1 (p2 (<1 2>) <3,4>)", "P1 (P2 (<1, 2>) <3, 4>)"),
    "quotes not needed": ('MAX "A" ("b": "c"=3)', "MAX A (b: c=3)"),
    "header lines": (
        '@ties cut # c\n\n@title "T"\n  MAX\n    3',
        '@title "T"\n@ties cut\nMAX (3)',
    ),
    "a deep search": ("@depth 1e30\n3", "@depth 1e30\n3"),
    "one group with a label": ("MAX\n  a: (3 4)", "MAX (a: MIN (3 4))"),
}


@pytest.mark.parametrize(("text", "canonical"), PAIRS.values(), ids=PAIRS.keys())
def test_pairs(text: str, canonical: str) -> None:
    """Other ways to write a piece give the canonical one."""
    assert write_tree(tree_of(text)) == canonical


def test_every_column() -> None:
    """Each piece of the notation lands in its column of the record."""
    text = """
        @title "A \\"title\\""
        @source "here"
        @order right-to-left
        @ties keep
        @test window
        @returns soft
        @bounds [-2, 5/2]
        @depth 3
        @weights [3, -1]
        @numbers decimals
        MAX A=3 (a1: ~MIN B<=2 {eval=4, f=[2,-1], n=10, w=6} (e=3 x f=x) CHANCE (l: 1/3: 3, 2/3: ~<=1))
    """.replace("~<=1", "~-2.5")
    wanted = TreeBuilder()
    wanted.add(-1, Player.MAX, name="A", claim=Claim("=", 3))
    attributes = Attributes(evaluation=4, features=(2, -1), visits=10, wins=6)
    wanted.add(0, Player.MIN, name="B", move="a1", cross=True, claim=Claim("<=", 2), attributes=attributes)
    wanted.add(1, None, 3, name="e")
    wanted.add(1, None, "x")
    wanted.add(1, None, "x", name="f")
    wanted.add(0, Player.CHANCE)
    wanted.add(5, None, 3, move="l", probability=Fraction(1, 3))
    wanted.add(5, None, Fraction(-5, 2), probability=Fraction(2, 3), cross=True)
    header = Header(
        title='A "title"',
        source="here",
        order="right-to-left",
        ties="keep",
        test="window",
        returns="soft",
        bounds=(-2, Fraction(5, 2)),
        depth=3,
        weights=(3, -1),
        numbers="decimals",
    )
    assert tree_of(text) == wanted.tree(header)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("MAX (7/2 3)", "fractions"),
        ("MAX (-10/4 3)", "fractions"),
        ("MAX (3 e=7/2)", "fractions"),
        ("MAX (3 e=7/2 {eval=1/3} 4)", "fractions"),
        ("MAX (e = 1/2 {f=[1/2]} 2.5)", "fractions"),
        ("P1 (<1, 7/2> <3, 4>)", "fractions"),
        ("P1 (a=<1/2 1> <3, 4>)", "fractions"),
        ("MAX (7/2 2.5 1/3)", "fractions"),
        ("MAX (3.5 7/3 -6/2 8/1)", None),
        ("MAX (0.5e1 3.5)", None),
        ("P1 (<2.5, 1/3> <3, 4>)", None),
        ("CHANCE (1/2: 3, 1/2: a: 3.5)", None),
        ("MAX=7/2 (MIN B<=1/2 (3 4) 3.5)", None),
        ("MAX {eval=7/2} (3 {eval=1/2} e=4 {f=[1/2, 1]} 5)", None),
        ('MAX ("7/2" "1/2"=3 "x 1/2" f="1/2" 4)', None),
        ("@bounds [-7/2, 7/2]\n@weights [1/2]\nCHANCE (1/3: 3, 2/3: MAX=1/2 (2))", None),
        ("@numbers decimals\nMAX (7/2 3)", "decimals"),
        ("@numbers fractions\nMAX (3.5 3)", "fractions"),
    ],
)
def test_payoffs_typed_as_fractions_are_noted(text: str, numbers: str | None) -> None:
    """Both readers note payoffs with a slash and a finite decimal, nothing else; written trees keep it."""
    plain, by_grammar = read_plain(text), parse_tree(text)
    assert plain is not None
    assert plain == by_grammar
    assert plain.header.numbers == plain.as_asked().header.numbers == numbers
    assert tree_of(write_tree(plain)) == read_json(write_json(plain)) == plain


def test_names() -> None:
    """Nodes without a name are named as their readers expect."""
    assert tree_of("((3 12) (2 x))").names == ("root", "Min1", "1", "2", "Min2", "3", "4")


@given(trees(names=True))
def test_lines_fit(tree: Tree) -> None:
    """A canonical line with a whole node is no longer than the limit."""
    for line in write_tree(tree).split("\n"):
        assert len(line) <= MAX_LINE_COLUMNS or not line.endswith(")")


def test_long_trees_are_spread() -> None:
    """A tree that does not fit on a line is spread over several, with leaves side by side."""
    text = write_tree(tree_of("MAX (" + "MIN (3 12 8) " * 8 + "14 5 2)"))
    assert text.split("\n") == ["MAX (", *["  MIN (3 12 8)"] * 8, "  14 5 2", ")"]


def test_deepest_tree() -> None:
    """A tree as deep as the limit reads and writes in both spellings; one ply more is a diagnostic."""
    deepest = "MAX (" * MAX_SUPPORTED_PLIES + "3" + ")" * MAX_SUPPORTED_PLIES
    tree = tree_of(deepest)
    assert max(tree.depths) == MAX_SUPPORTED_PLIES
    for spelling in ("text", "outline"):
        assert tree_of(write_tree(tree, spelling)) == tree  # type: ignore[arg-type]  # a loop over two words
    deeper = read_tree(f"MAX ({deepest})")
    assert isinstance(deeper, Diagnostics)
    assert [diagnostic.code for diagnostic in deeper] == ["too-deep"]


def test_bytes() -> None:
    """A file is UTF-8, with or without a byte order mark; anything else is a diagnostic with its place."""
    text = 'MAX "é" (3 −12 8)'
    assert read_bytes(text.encode()) == read_bytes(b"\xef\xbb\xbf" + text.encode()) == tree_of(text)
    wrong = read_bytes('MAX A\n  "é"=3'.encode("latin-1"))
    assert isinstance(wrong, Diagnostics)
    assert [(item.code, item.line, item.column) for item in wrong] == [("not-utf-8", 2, 4)]


def test_threads() -> None:
    """Readers in several threads do not disturb one another."""
    texts = [f"MAX A{number} (MIN ({number} 12) MIN (2 {number}))" for number in range(200)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(write_tree, pool.map(tree_of, texts))) == texts


def test_import_is_cheap() -> None:
    """Importing the notation does not import Lark; reading does."""
    program = (
        "import sys, grader.trees.notation.reading; assert 'lark' not in sys.modules; "
        "grader.trees.notation.reading.read_tree('3'); assert 'lark' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


PIECES = (
    *("MAX", "min", "MAX A (", "MIN B(", "(", "(", ")", ")", " ", " ", "3", "-2", "2.5", "1000"),
    *("12345678901", "\n", "\n  ", "A", "B", "x", "Max", "a1", "1a", "3(", "--1", ".5", "CHANCE", "P1"),
    *("A_", "007", "5.", "-", "left:", "a_b: MIN (", "x:3", ",", ",", ":", "min:", "inf:", "7:"),
    *("CHANCE (", "0.5:", "0.5:", "1:", "~", "=", "=3", "<=", ">=1/2", "x=", "<1, 2>", "<3 4>", "<"),
    *("{n=3}", "{eval=1, f=[1, 2]}", '{board="X/."}', "{n=}", "{", "P2 (", "50%:", "1e3", "1/0"),
    *('"two words"', '"MAX"', '"a":', '"', '"\\"', "# x\n", "#", "\n@ties keep\n", '\n@title "x"\n'),
    *("\n@depth 1 # x\n", "\n@bounds [0, 1]\n", "@ties", "\r\n", "\t"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=16).map(" ".join))
@example("MAX A (3 4) (5 6)")
@example("((1 2) (3 4))")
@example("MAX MIN (3 4)")
@example("MAX A (MIN A (3 4) 5)")
@example("MAX A\n(3 4)")
@example("MAX A (\n3\n4)\n")
@example("MAX (a: 3, b: MIN B (c:4,5 , d: (6 7)), 8)")
@example("MAX (a: b: 3)")
@example("MAX (3, , 4)")
@example("MAX (, 3)")
@example("MAX (3,)")
@example("MAX (3 a:)")
@example("MAX (a:, 3)")
@example("a: MAX (3 4)")
@example("MAX (3 4),")
@example("CHANCE A (0.25: 3, 0.75: MIN B (4 5))")
@example("MAX (CHANCE (1: 3 0: 4) chance (0.5:2 0.50:1))")
@example("CHANCE (0.5: 3 4)")
@example("CHANCE (3 4)")
@example("CHANCE (0.5: 3 0.6: 4)")
@example("CHANCE (-0.5: 3 1.5: 4)")
@example("CHANCE (0.5: (3 4) 0.5: 2)")
@example("CHANCE (0.5: a: 3 0.5: b: 4)")
@example("CHANCE (0.5: 0.5: 3)")
@example("CHANCE (1: 3 1:)")
@example("MAX (0.5: 3 0.5: 4)")
@example("1: CHANCE (1: 3)")
@example('@title "tic-tac-toe: X.O/.../..., MAX to move"\nMAX (\n  a: 3\n  b: 4\n)')
@example('@title "a "\nMAX (3 4)')
@example('@title "a"\n@ties keep\nMAX (3 4)')
@example('@title "a"\n')
@example('\n\n  # x\n@source "a" # b\n@depth2\nMAX (3 4)')
@example("@depth 2\n@depth 3\nMAX (3 4)")
@example("@bounds [1, 2,]\nMAX (3 4)")
@example("MAX {n=1,} (3 4)")
@example("MAX {n=1,\nw=1} (3 4)")
@example("MAX A=3 B (3 4)")
@example("MAX A=3=4 (3 4)")
@example("MAX {n=1}{n=2} (3 4)")
@example("MAX (a: 0.5: b: 3 4)")
@example("MAX {n=1} A (3 4)")
@example("MAX A=x (3 4)")
@example("MAX (A=x 3=4)")
@example("MAX (A=B=3 4)")
@example("MAX (x(3 4) 5)")
@example("MAX (MXA A (3 4) 5)")
@example('MAX ("" 3)')
@example('MAX ("a" (3 4))')
@example("P1 (<1 2> (<1 2> <3 4>))")
@example("P1 (<> <>)")
@example("MAX (~~3 4)")
@example("MAX (max: 3 4)")
@example("MAX (3 4) # behind\n\n  # below\n")
@example("MAX A # before\n(3 4)")
@example("MAX A\n  (3 4)")
@example("MAX (MXA, (3 4) 5)")
@example('MAX "A#" (3 4)')
@example("CHANCE (50%: 3 0.5: 4)")
def test_plain_texts_are_what_the_grammar_says(text: str) -> None:
    """The grammar reads the same tree from every text that the plain reader reads."""
    tree = read_plain(text)
    if tree is not None:
        assert parse_tree(text) == tree


BANK = sorted((shipped_folder("problems") / "bank").glob("*.tree"))


@pytest.mark.parametrize("path", BANK, ids=lambda path: path.stem)
def test_the_bank_is_read_without_the_grammar(path: Path) -> None:
    """No tree of the bank needs the grammar, which reads the same of each."""
    text = path.read_text(encoding="utf-8")
    assert read_plain(text) == parse_tree(text)


@given(st.sampled_from([path.read_text(encoding="utf-8") for path in BANK]), st.data())
def test_mutated_trees_are_what_the_grammar_says(text: str, data: st.DataObject) -> None:
    """The same for trees of the bank with parts left out, doubled or inserted."""
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 8)))
        put = data.draw(st.sampled_from([*PIECES, text[start:end] * 2, *'()<>{}[],:~=@#"\n']))
        text = text[:start] + put + text[end:]
    tree = read_plain(text)
    if tree is not None:
        assert parse_tree(text) == tree


@given(EVERYTHING, st.sampled_from(("\n", "\r\n")))
def test_written_trees_are_read_without_the_grammar(tree: Tree, end: str) -> None:
    """Every written tree in brackets is read without the grammar if it is ASCII."""
    text = write_tree(tree).replace("\n", end)
    others = tree.players[0] is None or not text.isascii()
    assert read_plain(text) == (None if others else tree)


def test_a_game_is_read_without_the_grammar() -> None:
    """The output of `gametree game`, with its remark and its boards, reads as its tree."""
    tree = unfold(tictactoe.GAME, (0b000010001, 0b100000100)).tree
    assert read_plain(f"\n# A remark.\n{write_tree(tree)}") == tree


def test_a_second_text_starts_afresh() -> None:
    """The mistakes of one text do not affect the next one."""
    for broken in ("MAX (a: ~", "MAX {n=4", "CHANCE (1/2: 3", "@ties cut", "P1 ((", "MAX (e="):
        assert isinstance(read_tree(broken), Diagnostics)
        assert tree_of("MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))") == TEXTBOOK


def test_grammar_is_strict() -> None:
    """Lark proves that no two terminals of the grammar overlap, and that no rule is ambiguous."""
    assert make_parser(None, strict=True).parse("MAX (3)").data == "text"


@given(st.text())
def test_every_text_splits(text: str) -> None:
    """The terminals cover every text: nothing is skipped but blanks, comments and layout."""
    thread = grammar_without_layout().parse_interactive(text).lexer_thread
    end = 0
    for token in thread.lex(None):
        assert re.fullmatch(r"(?:[ \t]+|#[^\r\n]*)*", text[end : token.start_pos])
        assert text[token.start_pos : token.end_pos] == token
        end = token.end_pos
    assert re.fullmatch(r"(?:[ \t]+|#[^\r\n]*)*", text[end:])


@cache
def grammar_without_layout() -> Lark:
    """Return a parser that keeps the tokens of the text."""
    return load_parser(GRAMMAR, "text", lexer="basic")


@pytest.mark.parametrize("use", [svg, write_tree, text_picture, lambda tree: solve(tree, Rules())])
def test_a_diagnosis_is_no_tree(use: Callable[[Any], object]) -> None:
    """Functions that need a tree raise the diagnostics that they are given; `tree_of` raises them at once."""
    found = read_tree("MAX A (3-2 8)")
    with pytest.raises(TreeError, match="3-2 is not a number") as raised:
        use(found)
    with pytest.raises(TreeError) as at_once:
        tree_of("MAX A (3-2 8)")
    assert str(raised.value) == str(at_once.value) == f"this is not a tree:\n{found}"
