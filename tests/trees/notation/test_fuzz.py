"""Random texts: each quickly gives a valid tree or diagnostics, and never an exception."""

from pathlib import Path
from random import Random
from time import process_time

import pytest

from grader.trees.notation.diagnostics import CODES, MAX_DIAGNOSTICS, Diagnostics
from grader.trees.notation.exchange_efg import read_efg, write_efg
from grader.trees.notation.exchange_json import read_json, write_json
from grader.trees.notation.laws import tree_violations
from grader.trees.notation.reading import read_tree
from grader.trees.notation.writing import write_tree
from grader.trees.tree import Tree
from tests.strategies import random_tree
from tests.trees.notation.mistakes import TEXTS

LINES = (Path(__file__).parent / "trees.txt").read_text(encoding="utf-8").splitlines()[2:]

GOOD = [
    *LINES,
    *(text for text in TEXTS.values() if len(text) < 200),
    '@title "Figure 5.2"\n@bounds [-2, 2]\n@weights [3, 1]\n@depth 2\nMAX A\n  MIN B\n    3 12\n    8',
    "MAX\n(\n  MIN B {eval=4} (3 12 8) # first\n  MIN C\n  [2, 4, 6]\n  (14 5 2)\n)\n",
    "CHANCE\n  heads: 1/2: MAX\n    ~3\n    x\n  tails: 50%: <1, 2>\n",
]

TOKENS = (
    *("MAX", "MIN", "CHANCE", "P1", "P2", "max", "△", "▽", "○", "A", "B", "x", "e", '"a b"', '"', "'"),
    *("3", "-2", "7/3", "7/2", "2.5", "1e3", "1e99", "3-2", "50%", "1/0", "9" * 40, "٣", "−2", "３"),
    *("(", ")", "(", ")", "[", "]", "{", "}", "<", ">", "=", "<=", ">=", "≤", "~", ":", ",", "#", "\\"),
    *("(3 12 8)", "<1, 2>", "<1/2, 2>", "{eval=1/2}", "{f=[1]}", "=3", "a1: ", "1/2: ", "MIN B (", "MAX ("),
    *("@title", "@ties cut", "@bounds [0, 1]", "@window [0, 1]", "@numbers decimals"),
    *("@", "\n", "\n  ", "\n    ", "\n\t", "\r\n", " ", "\x00", "\ufeff"),
)  # fmt: skip

LETTERS = "()[]{}<>=~:,#\"@\\/%.+-' \n\t\r0123456789eExABMPaimnx△○≤−“”é名\x00\x1b\u2028\u202e\ud800\U0001f333"

SLOWEST = 1.0
"""The most seconds that a text of a few hundred characters may take."""


def damaged(random: Random, text: str) -> str:
    """A text with a few edits."""
    for _ in range(random.randint(1, 6)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((0, 1, 1, 2, 8)))
        piece = random.choice(
            (
                "",
                random.choice(LETTERS),
                random.choice(TOKENS),
                text[start:end] * 2,
                random.choice(GOOD)[: random.randrange(40)],
            )
        )
        text = text[:start] + piece + text[end:]
    return text


def fuzzed(random: Random) -> str:
    """One text: a damaged good one, tokens in any order, or letters in any order."""
    kind = random.randrange(8)
    if kind < 3:
        return damaged(random, random.choice(GOOD))
    if kind == 3:
        tree = random_tree(random, plies=4, leaves=10, chance=random.random() < 0.5)
        return damaged(random, write_tree(tree, random.choice(("text", "outline"))))
    if kind < 7:
        blank = random.choice(("", " ", " "))
        return blank.join(random.choice(TOKENS) for _ in range(random.randint(1, 40)))
    return "".join(random.choice(LETTERS) for _ in range(random.randint(1, 60)))


def timed(text: str) -> tuple[Tree | Diagnostics, float]:
    """Return the result of reading a text, and the seconds of processor time that it takes."""
    started = process_time()
    return read_tree(text), process_time() - started


def judge(text: str) -> bool:
    """Check the result of reading a text against all promises; return True for a tree."""
    found, seconds = timed(text)
    # A collection of garbage of the whole run may fall into one reading, not into two.
    assert seconds < SLOWEST or timed(text)[1] < SLOWEST, repr(text)
    if isinstance(found, Tree):
        assert tree_violations(found) == (), repr(text)
        for written in (write_tree(found), write_tree(found, "outline")):
            again = read_tree(written)
            assert again == found, repr(text)
        return True
    assert {diagnostic.code for diagnostic in found} <= CODES.keys(), repr(text)
    assert len(found) <= MAX_DIAGNOSTICS + 1
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    for diagnostic in found:
        assert 1 <= diagnostic.line <= lines, repr(text)
        assert diagnostic.column >= 1, repr(text)
        assert diagnostic.message
        assert "\n" not in diagnostic.message + diagnostic.hint
    assert "\x1b" not in str(found)
    return False


def campaign(seed: str, texts: int) -> float:
    """Judge many texts; the share of trees among them."""
    random = Random(seed)
    return sum(judge(fuzzed(random)) for _ in range(texts)) / texts


def test_fuzz() -> None:
    """Two thousand texts give good trees or diagnostics, and both do occur."""
    assert 0.02 < campaign("a few", 2_000) < 0.95


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_fuzz_at_length(part: int) -> None:
    """Two hundred thousand texts, in twenty parts, give good trees or diagnostics."""
    assert 0.02 < campaign(f"part {part}", 10_000) < 0.95


def test_fuzz_exchange() -> None:
    """Damaged JSON and .efg files give good trees or diagnostics."""
    random = Random("exchange")
    for _ in range(1_000):
        tree = random_tree(random, plies=3, leaves=6, chance=random.random() < 0.5)
        efg = write_efg(tree)
        assert isinstance(efg, str)
        for text, reader in ((write_json(tree), read_json), (efg, read_efg)):
            found = reader(damaged(random, text))
            if isinstance(found, Diagnostics):
                assert {diagnostic.code for diagnostic in found} <= CODES.keys()
                assert str(found)
            else:
                assert tree_violations(found) == ()
