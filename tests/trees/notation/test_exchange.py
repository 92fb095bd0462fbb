"""Trees in other formats: nothing is lost in a round trip, and unsupported trees are refused."""

import json
import os
import pickle
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.trees.annotations import Header
from grader.trees.notation.diagnostics import Diagnostic, Diagnostics
from grader.trees.notation.exchange_efg import omitted_in_efg, read_efg, renamed_players, write_efg
from grader.trees.notation.exchange_json import read_json, write_json
from grader.trees.notation.reading import read_tree, tree_of
from grader.trees.notation.writing import write_tree
from grader.trees.tree import Tree
from tests.conftest import a_part
from tests.strategies import trees
from tests.trees.notation.test_reading import EVERYTHING, TREES


def imported(text: str) -> Tree:
    """The tree of an `.efg` file without mistakes."""
    tree = read_efg(text)
    assert isinstance(tree, Tree), str(tree)
    return tree


def exported(tree: Tree) -> str:
    """The `.efg` file of a tree that has one."""
    text = write_efg(tree)
    assert isinstance(text, str), str(text)
    return text


@a_part(2)
@given(EVERYTHING)
def test_json_keeps_everything(tree: Tree) -> None:
    """A tree goes to JSON and back unchanged, and its JSON is canonical."""
    text = write_json(tree)
    assert read_json(text) == tree
    assert json.loads(text)["schema"] == 1


@pytest.mark.parametrize("line", TREES)
def test_json_of_canonical_lines(line: str) -> None:
    """Every line of the fixture goes to JSON and back unchanged."""
    assert read_json(write_json(tree_of(line))) == tree_of(line)


def test_json_is_readable() -> None:
    """The format is as documented."""
    tree = tree_of("@ties cut\nCHANCE A=3 (a: 1/3: ~MIN B {eval=4, f=[2]} (x), 2/3: e=2.5)")
    assert json.loads(write_json(tree)) == {
        "schema": 1,
        "header": {"ties": "cut"},
        "tree": {
            "player": "CHANCE",
            "name": "A",
            "claim": {"relation": "=", "value": "3"},
            "children": [
                {
                    "player": "MIN",
                    "name": "B",
                    "move": "a",
                    "probability": "1/3",
                    "cross": True,
                    "attributes": {"eval": "4", "f": ["2"]},
                    "children": [{"unknown": "x"}],
                },
                {"payoff": "2.5", "name": "e", "probability": "2/3"},
            ],
        },
    }


def test_json_numbers_are_exact() -> None:
    """A bare JSON number is read as the numeral it is, not as a float."""
    assert read_json('{"schema": 1, "tree": {"payoff": 0.1}}') == tree_of("0.1")
    assert read_json('{"schema": 1, "tree": {"payoff": [1, 2e-1]}}') == tree_of("<1, 0.2>")


JSON_MISTAKES = {
    '{"player": "MAX", "children": [{"payoff": "3"}, {"payoff": "3x"}]}': (
        "bad-number",
        "$.tree.children[1].payoff",
    ),
    '{"player": "MAX", "children": [{"payoff": "3", "colour": 1}]}': ("json-key", "$.tree.children[0]"),
    '{"player": "MAX", "children": [{"payoff": "3", "payoff": "4"}]}': ("json-key", "$.tree.children[0]"),
    '{"player": "MOX", "children": [{"payoff": "3"}]}': ("json-value", "$.tree.player"),
    '{"player": "MAX"}': ("json-key", "$.tree"),
    '{"player": "MAX", "children": []}': ("empty-node", "$.tree"),
    '{"player": "MAX", "children": 3}': ("json-value", "$.tree.children"),
    '{"player": "MAX", "children": [{"payoff": true}]}': ("json-value", "$.tree.children[0].payoff"),
    '{"player": "MAX", "children": [{"payoff": null}]}': ("json-value", "$.tree.children[0].payoff"),
    '{"player": "MAX", "children": [{}]}': ("json-key", "$.tree.children[0]"),
    '{"player": "MAX", "children": [{"payoff": 3, "cross": 1}]}': ("json-value", "$.tree.children[0].cross"),
    '{"player": "MAX", "name": 7, "children": [{"payoff": 3}]}': ("json-value", "$.tree.name"),
    '{"player": "MAX", "name": "a\\u0007", "children": [{"payoff": 3}]}': ("bad-name", "$.tree"),
    '{"player": "MAX", "claim": "=3", "children": [{"payoff": 3}]}': ("json-value", "$.tree.claim"),
    '{"player": "MAX", "attributes": {"n": "1.5"}, "children": [{"payoff": 3}]}': (
        "json-value",
        "$.tree.attributes.n",
    ),
    '{"player": "CHANCE", "children": [{"payoff": 3, "probability": "1/3"}]}': ("probability-sum", "$.tree"),
    '{"player": "MAX", "children": [{"payoff": Infinity}]}': ("bad-number", "$.tree.children[0].payoff"),
    '{"player": "P1", "children": [{"payoff": ["1", "2"]}, {"payoff": "3"}]}': (
        "payoff-kind",
        "$.tree.children[1]",
    ),
}


@pytest.mark.parametrize("node", JSON_MISTAKES)
def test_json_mistakes(node: str) -> None:
    """A mistake in JSON is reported once, with the path of the offending value."""
    found = read_json(f'{{"schema": 1, "tree": {node}}}')
    assert isinstance(found, Diagnostics), write_tree(found)
    assert [(item.code, item.excerpt) for item in found] == [JSON_MISTAKES[node]]


HOSTILE = (
    *("", "3", "[]", "null", "{}", "\x00", '"\ud800'),
    "[" * 100_000,
    '{"a":' * 100_000,
    '{"schema": 1, "tree": ' + "9" * 10_000_000 + "}",
)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:10]))
def test_hostile_json(text: str) -> None:
    """Every hostile JSON text gives diagnostics, never an exception."""
    assert isinstance(read_json(text), Diagnostics)


def bare_game(tree: Tree) -> Tree:
    """Return the parts of a tree that an `.efg` file keeps."""
    size = len(tree)
    return replace(
        tree.bare(),
        attributes=(None,) * size,
        header=Header(title=tree.header.title, source=tree.header.source),
    )


@given(
    st.one_of(
        trees(chance=True, claims=True, crosses=True, attributes=True),
        trees(seats=3, chance=True, leaves=12),
    )
)
def test_efg_keeps_the_game(tree: Tree) -> None:
    """A game survives a round trip through .efg; only marks drawn on the tree are lost."""
    assert imported(exported(tree)) == bare_game(tree)


def test_efg_text() -> None:
    """The file is what Gambit reads: prologue, comment, nodes in preorder with payoffs at their ends."""
    tree = tree_of('@title "T \\"1\\""\nMAX A (a1: CHANCE (l: 1/3: e=3, 2/3: MIN (-2 5/3)), "two words": 4)')
    assert exported(tree) == (
        'EFG 2 R "T \\"1\\"" { "MAX" "MIN" }\n'
        '""\n'
        "\n"
        'p "A" 1 1 "" { "a1" "two words" } 0\n'
        'c "" 1 "" { "l" 1/3 "" 2/3 } 0\n'
        't "e" 1 "" { 3, -3 }\n'
        'p "" 2 1 "" { "" "" } 0\n'
        't "" 2 "" { -2, 2 }\n'
        't "" 3 "" { 5/3, -5/3 }\n'
        't "" 4 "" { 4, -4 }\n'
    )
    assert imported(exported(tree)) == tree


EFG = {
    "take away": (
        """EFG 2 R "Take one or two of three" { "Ann" "Bob" }

p "3 left" 1 1 "(1,1)" { "ONE" "TWO" } 0
p "2 left" 2 1 "(2,1)" { "ONE" "TWO" } 0
p "" 1 2 "(1,2)" { "ONE" } 0
t "0 left" 1 "Ann wins" { 1 -1 }
t "0 left" 2 "Bob wins" { -1 1 }
p "1 left" 2 2 "(2,2)" { "ONE" } 0
t "0 left" 2 "Bob wins"
""",
        '@title "Take one or two of three"\n'
        'MAX "3 left" (\n'
        '  ONE: MIN "2 left" (ONE: MAX (ONE: 1), TWO: -1)\n'
        '  TWO: MIN "1 left" (ONE: -1)\n'
        ")",
    ),
    "payoffs that do not sum to 0": (
        """EFG 2 R "" { "A" "B" } "from a lecture"
p "" 2 1 { "l" "r" } 0 t "" 1 { 1.5, .5 } t "" 2 "" { 1/2 -1 }""",
        '@source "from a lecture"\nP2 (l: <1.5, 0.5>, r: <0.5, -1>)',
    ),
    "three players": (
        """EFG 2 D "" { "A" "B" "C" } ""
p "" 3 1 "" { "" "" } 0 t "" 1 "" { 1, 2, 3 } t "" 0""",
        "P3 (<1, 2, 3> <0, 0, 0>)",
    ),
    "one player": (
        """EFG 2 R "" { "A" } c "" 1 "" { "" 1/3 "" 2/3 } 0 t "" 1 "" { 1 } t "" 2 "" { 2 }""",
        "CHANCE (1/3: 1, 2/3: 2)",
    ),
    "chance sets are shared": (
        """EFG 2 R "" { "A" "B" } p "" 1 1 "" { "a" "b" } 0
c "" 1 "coin" { "h" .5 "t" .5 } 0 t "" 1 "" { 1 -1 } t "" 2 "" { 2 -2 }
c "" 1 0 t "" 1 t "" 2 "again" { 2, -2 }""",
        "MAX (a: CHANCE (h: 1, t: 2), b: CHANCE (h: 1, t: 2))",
    ),
    "payoffs of nothing inside": (
        """EFG 2 R "" { "A" "B" } p "" 1 1 "" { "" } 1 "none" { 0, 0 } t "" 2 "" { 3, -3 }""",
        "MAX (3)",
    ),
}


@pytest.mark.parametrize(("text", "canonical"), EFG.values(), ids=EFG.keys())
def test_read_efg(text: str, canonical: str) -> None:
    """Files as Gambit and its users write them read as the games they are."""
    assert write_tree(imported(text)) == canonical


EFG_MISTAKES = {
    "nope": ("efg-syntax", 1, 1, "version 2"),
    'EFG 1 R "" { "A" }': ("efg-syntax", 1, 1, "version 2"),
    'EFG 2 R "x': ("efg-syntax", 1, 9, "quote"),
    'EFG 2 R "" { "A" "B" }\nt "" 1': ("efg-syntax", 2, 7, "payoffs of outcome 1"),
    'EFG 2 R "" { "A" "B" }\nt "" 1 "" { 1, x }': ("efg-syntax", 2, 16, "a payoff"),
    'EFG 2 R "" { "A" "B" }\nt "" 1 "" { 1, -1 } t "" 0': ("efg-syntax", 2, 21, "ends before"),
    'EFG 2 R "" { "A" "B" }\np "" 3 1 "" { "" } 0 t "" 0': ("efg-players", 2, 1, "no player 3"),
    'EFG 2 R "" { "A" "B" }\nc "" 1 "" { "" 1/3 "" 1/3 } 0 t "" 0 t "" 0': ("probability-sum", 2, 1, "1/3"),
    'EFG 2 R "" { "A" "B" }\np "" 1 1 "" { } 0': ("empty-node", 2, 1, "actions"),
}


@pytest.mark.parametrize("text", EFG_MISTAKES)
def test_efg_mistakes(text: str) -> None:
    """An unreadable file gives one diagnostic with its place."""
    code, line, column, words = EFG_MISTAKES[text]
    found = read_efg(text)
    assert isinstance(found, Diagnostics), write_tree(found)
    assert [(item.code, item.line, item.column) for item in found] == [(code, line, column)]
    assert words in f"{found.items[0].message} {found.items[0].hint}"


def test_names_that_repeat_are_dropped() -> None:
    """Node names need not be unique in Gambit; here they must, so repeated ones are not taken over."""
    tree = imported('EFG 2 R "" { "A" "B" } p "here" 1 1 "" { "" "" } 0 t "end" 1 "" { 1 -1 } t "end" 1')
    assert tree.given == ("here", None, None)


def test_deep_efg() -> None:
    """A file deeper than the limit is a diagnostic."""
    found = read_efg(
        'EFG 2 R "" { "A" "B" } ' + "".join(f'p "" 1 {n} "" {{ "" }} 0 ' for n in range(1, 5000))
    )
    assert isinstance(found, Diagnostics)
    assert [item.code for item in found] == ["too-deep"]


def test_unknown_payoffs_have_no_efg() -> None:
    """Every unknown payoff is a reason why a tree cannot be written as .efg."""
    found = write_efg(tree_of("MAX (MIN (x 3) e=y)"))
    assert isinstance(found, Diagnostics)
    assert [item.message for item in found] == [
        "the payoff x of leaf 1 is unknown",
        "the payoff y of leaf e is unknown",
    ]


def test_read_tree_of_other_formats() -> None:
    """A text given to the reader of another format is diagnostics."""
    text = "MAX A (MIN B (3 12 8) MIN C (2 4 6))"
    for wrong in (
        read_tree(write_json(tree_of(text))),
        read_tree(exported(tree_of(text))),
        read_json(text),
        read_efg(text),
    ):
        assert isinstance(wrong, Diagnostics)


def test_what_efg_leaves_out_is_named() -> None:
    """Of a tree with one thing that an .efg file cannot hold, that one is named."""
    assert omitted_in_efg(tree_of("MAX A (a: MIN B (3 4) 1)")) == ()
    for piece, text in (
        ("@weights", "@weights [1, 2]\nMAX (3 4)"),
        ("@numbers", "MAX (7/2 4)"),
        ("@depth", "@depth 3\nMAX (3 4)"),
        ("evaluations", "MAX {eval=2} (3 4)"),
        ("features", "MAX {f=[1, 2]} (3 4)"),
        ("visits and wins", "MAX {n=4} (3 4)"),
        ("values written at nodes", "MAX=4 (3 4)"),
        ("crosses", "MAX (3 ~4)"),
        ("the spelling of Größe (written Grosse)", "MAX Größe (3 4)"),
        ("the spelling of 2 texts, such as ∞ (written u221e)", 'MAX ("∞": 3 " a  b ": 4)'),
    ):
        assert omitted_in_efg(tree_of(text)) == (piece,)


@given(trees(names=True, moves=True, headers=True, chance=True))
def test_efg_is_spelled_as_gambit_reads_it(tree: Tree) -> None:
    """For all names, the .efg file of a tree is ASCII, has single blanks in its quotes, and can be read."""
    text = exported(tree)
    assert text.isascii()
    quotes = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    assert all(quote == " ".join(quote.split()) for quote in quotes)
    assert len(imported(text)) == len(tree)


@pytest.mark.parametrize(
    ("players", "payoffs", "lost"),
    [
        ('"MAX" "MIN"', "3, -3", ()),
        ('"Alice" "MIN"', "3, -3", ("Alice",)),
        ('"Alice" "Bob"', "3, 3", ("Alice", "Bob")),
        ('"P1" "" "P3"', "3, 3, 3", ()),
    ],
)
def test_names_of_players_that_are_lost_are_told(players: str, payoffs: str, lost: tuple[str, ...]) -> None:
    """The players of an .efg file that are called otherwise in the tree are named."""
    text = f'EFG 2 R "" {{ {players} }} t "" 1 "" {{ {payoffs} }}'
    assert renamed_players(text, imported(text)) == lost


def test_trees_from_another_process_are_the_same() -> None:
    """A tree is pickled without its cached hash, which is valid in one process only."""
    program = (
        "import pickle, sys; from grader import read_tree; tree = read_tree('MAX A (MIN (3 12) MIN (2 4))'); "
        "hash(tree); sys.stdout.buffer.write(pickle.dumps((tree, tree.with_payoffs((1, 2, 3, 4)))))"
    )
    asked = [sys.executable, "-c", program]
    sent = subprocess.run(asked, env=os.environ | {"PYTHONHASHSEED": "1"}, capture_output=True, check=True)
    tree = tree_of("MAX A (MIN (3 12) MIN (2 4))")
    assert len({tree, pickle.loads(sent.stdout)[0]}) == 1
    changed = tree.with_payoffs((1, 2, 3, 4))
    assert len({tree, changed}) == len({hash(tree), hash(changed)}) == 2
    assert len({changed, pickle.loads(sent.stdout)[1]}) == 1


def test_no_mistake_drives_a_terminal() -> None:
    """Diagnostics of a JSON tree are printable for all names in it."""
    evil = "\\u001b[31mred\\u0007"
    leaf = '{"payoff": "1"}'
    node = f'"player": "MAX", "name": "{evil}", "{evil}": 1, "children": [{leaf}]'
    text = f'{{"schema": 1, "tree": {{{node}}}}}'
    for spoiled in (text, text.replace("MAX", evil), f'{{"schema": 1, "{evil}": 2}}', f'["{evil}"]'):
        found = read_json(spoiled)
        assert isinstance(found, Diagnostics)
        assert all(line.isprintable() for line in str(found).splitlines())
    raw = str(Diagnostics((Diagnostic("json-key", "the node \x1b[31mred\x07", 0, 0, "\x1b", "\x9b"),)))
    assert all(line.isprintable() for line in raw.splitlines())
