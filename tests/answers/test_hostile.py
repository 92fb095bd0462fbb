"""Random, damaged and hostile replies: always an answer, Malformed or Ambiguous, and at once."""

from fractions import Fraction
from random import Random
from time import process_time

import pytest

from grader.answers.form import MAX_REPLY_BYTES, Ambiguous, AnyForm, Malformed, Terms
from grader.answers.numeral import Numeral
from grader.answers.paths import PATHS
from grader.answers.reply_reading import MAX_EXPLAINED_LENGTH
from grader.answers.window_entries import WINDOW_ENTRIES, Window
from grader.base.numbers import to_plain_characters
from grader.base.safe_text import MAX_QUOTED_LENGTH
from grader.trees.notation.reading import tree_of
from grader.trees.tree import Tree
from tests.answers.every_form import EVERY_FORM
from tests.answers.test_replies import LINES

SLOWEST = 300
"""As many ordinary replies may be read in the processor time that reading any one reply takes."""

AT_ONCE = 0.005
"""What took no more seconds needs no comparison."""

ORDINARY = "A [-inf, inf] 3, B [-inf, inf] 3, C [3, inf] 2, D [3, inf] 2"

SIGNS = (
    "0123456789 \t\n,;:.=<>-+/|()[]{}\"'#~!?*&@%$^_\\`eExXaABbCinfor²½٣１−–—→≤≥≠∞∅∪∈αβℝ…•“”"
    "\u00a0\u200b\ufeff\u0301😀é"
)
_WORDS = """
    none no leaf leaves path 5 6 9 5-9 5 to 9 and or not all except B C Min1 inf -inf alpha beta x <= >= < in
    between 7/3 2.5 2,5 -> = : ; , [ ] ( ) { } always never left second returns pruned visited
"""
WORDS = _WORDS.split()
HOSTILE = (
    "\x00",
    "5\x005",
    "\x1b[31m5\x1b[0m",
    "\u202e5 6",
    "5\u2066",
    "\ud800",
    "\ue000\ue001",
    "\ufffe",
    "1" * 60_000,
    "7" * 5_000 + "!",
    "7" * 5_000 + "-1-2",
    "7" * 5_000 + ". 5",
    "pull, to B",
    "7" * 5_000 + ", to B",
    "5 " * 30_000,
    "5," * 30_000,
    "(" * 60_000,
    "(" * 500,
    "(" * 140 + "x<3" + ")" * 140,
    "[{(" * 150,
    "-" * 60_000,
    "- " * 500,
    '"' * 60_000,
    '"\\' * 30_000,
    "'" * 60_001,
    "a" * 60_000,
    "B=" * 250,
    "B=3 " * 140,
    "B=3," * 140,
    "B [1 1/2 1/2 1/2 1/2 1/2 1/2 1/2 1/2 1/2] " * 20,
    "B [-1/2, 1/2] -> 1/2 " * 80,
    "and 5 " * 600,
    "2,5 " * 400,
    "1 1/2 " * 250,
    "1-2-" * 120 + "3",
    "1-9 " * 140,
    "x<3 or " * 140 + "x<3",
    "x<3 and x>5 or " * 60 + "x<3",
    "x<3, " * 100,
    " " * 60_000 + "5",
    "\n" * 60_000,
    "=\n" * 250,
    "5\u200b6",
    "é" * 40_000,
    "1e" * 300,
    "1/" * 300,
    "9" * 31 + "/" + "9" * 31,
    "2" + "," * 500 + "5",
    "1." * 300,
    "${jndi:ldap://x}",
    "=1+1",
    "{{7*7}}",
    "<script>",
    "'; DROP TABLE marks; --",
    "%s%s%n",
    "../../etc/passwd",
)


TREES = (
    tree_of("MAX A (MIN B (3 12 8) MIN C (2 e=4 6) MIN D (14 5 2))"),
    tree_of('MAX (MIN (3 "none"=12 x) MIN b (2 "5"=4 "x y"=6) MIN B (14 "and"=5 "-"=2))'),
    tree_of('P1 (l: P2 "Min 1" (<1, 2> <3, 4>) r: P2 "1" (<0, 0> <1, 1>))'),
)


def judged(form: AnyForm, text: str, tree: Tree, terms: Terms) -> float:
    """Read a reply, hold the outcome to its promises, and say how long reading took.

    What an outcome keeps of a reply is canonical text.
    """
    start = process_time()
    answer = form.read(text, tree, terms)
    spent = process_time() - start
    if isinstance(answer, Malformed):
        lines = text.split("\n")
        assert 1 <= answer.line <= len(lines)
        assert 1 <= answer.column <= len(lines[answer.line - 1]) + 1
        assert answer.message
        assert not answer.understood or form.parse(answer.understood, tree) is not None
        for shown in (answer.message, answer.hint):
            assert shown.isprintable()
            assert len(shown) < 200 + MAX_QUOTED_LENGTH
    elif isinstance(answer, Ambiguous):
        assert len(set(answer.readings)) >= (1 if "?" in to_plain_characters(text) else 2)
        assert all(form.parse(reading, tree) is not None for reading in answer.readings)
    else:
        assert form.parse(form.write(answer, tree), tree) == answer
        assert form.read(form.write(answer, tree), tree, Terms(digits=terms.digits)) == answer
    return spent


def ordinary(count: int = 5) -> float:
    """How long reading an ordinary reply takes on this machine, as busy as it is now."""
    start = process_time()
    for _ in range(count):
        WINDOW_ENTRIES.read(ORDINARY, TREES[0], Terms())
    return (process_time() - start) / count


def is_quick(form: AnyForm, text: str, tree: Tree, terms: Terms) -> bool:
    """Whether a reply is read at once, in one of several tries: machines stutter."""
    for _ in range(5):
        spent = judged(form, text, tree, terms)
        if spent < AT_ONCE or spent < SLOWEST * ordinary():
            return True
    return False


def damaged(random: Random) -> str:
    """A random reply: real ones cut, mixed and sprinkled, words of the forms, or plain noise."""
    match random.randrange(4):
        case 0:
            text = random.choice(LINES).reply
        case 1:
            text = " ".join(random.choices(WORDS, k=random.randrange(1, 12)))
        case 2:
            text = "".join(random.choices(SIGNS, k=random.randrange(1, 30)))
        case _:
            one, two = random.choice(LINES).reply, random.choice(LINES).reply
            text = one[: random.randrange(len(one) + 1)] + two[random.randrange(len(two)) :]
    for _ in range(random.randrange(3)):
        place = random.randrange(len(text) + 1)
        text = text[:place] + random.choice(SIGNS) * random.randrange(2) + text[place + random.randrange(2) :]
    return text or "?"


def slow_ones(form: AnyForm, count: int, seed: int) -> list[str]:
    """Those of `count` damaged replies that are not read at once."""
    random = Random(f"{form.name} {seed}")
    for tree in TREES:
        form.read("?", tree, Terms())
    slow = []
    for _ in range(count):
        text, tree = damaged(random), random.choice(TREES)
        terms = Terms(decimal_comma=random.random() < 0.3)
        if not is_quick(form, text, tree, terms):
            slow.append(text)
    return slow


@pytest.mark.sampled(5)
@EVERY_FORM
def test_damaged_replies_get_an_outcome_at_once(form: AnyForm) -> None:
    """Three hundred random and damaged replies of each form are read without an exception, each at once."""
    assert slow_ones(form, 300, seed=1) == []


@pytest.mark.slow
@EVERY_FORM
def test_many_damaged_replies_get_an_outcome_at_once(form: AnyForm) -> None:
    """So are fifty thousand."""
    assert slow_ones(form, 50_000, seed=2) == []


@pytest.mark.sampled
@EVERY_FORM
@pytest.mark.parametrize("text", HOSTILE, ids=[f"{number}" for number in range(len(HOSTILE))])
def test_hostile_replies_get_an_outcome_at_once(form: AnyForm, text: str) -> None:
    """Replies made to hurt get an outcome at once, in every form and on every tree."""
    for tree in TREES:
        form.read("?", tree, Terms())
        assert is_quick(form, text, tree, Terms(decimal_comma=True))


@pytest.mark.parametrize(
    "text",
    [
        "5" * (MAX_REPLY_BYTES + 1),
        "é" * (MAX_REPLY_BYTES // 2 + 1),
        "5\x00",
        "5\x1b[0m",
        "\u202e5",
        "5\ufdd0\ue001",
        "\ud800",
    ],
)
@EVERY_FORM
def test_what_no_student_types_is_malformed(form: AnyForm, text: str) -> None:
    """Too many bytes, controls, overrides and halves of characters are unreadable, with a reason."""
    outcome = form.read(text, TREES[0], Terms())
    assert isinstance(outcome, Malformed)
    assert outcome.understood == ""
    assert ("too long" in outcome.message) == (len(text.encode(errors="replace")) > MAX_REPLY_BYTES)


def test_the_windows_of_a_large_tree_are_read() -> None:
    """A window with fractions at every inner node of a tree of 64 leaves is no more than is read."""
    texts = [str(leaf) for leaf in range(64)]
    while len(texts) > 1:
        texts = [f"MAX ({one} {other})" for one, other in zip(texts[::2], texts[1::2], strict=True)]
    tree = tree_of(texts[0])
    window = Window(Fraction(-13, 2), Fraction(-7, 3), Numeral(Fraction(-5, 2)))
    windows = tuple((node, window) for node in tree.internal)
    assert len(windows) == 63
    assert WINDOW_ENTRIES.read(WINDOW_ENTRIES.write(windows, tree), tree, Terms()) == windows


def test_ranges_that_name_too_many_leaves_are_malformed() -> None:
    """Ranges in a row may name up to 100,000 leaves in all: 49 of 2,000 leaves do, and 51 do not."""
    tree = tree_of(f"MAX A ({'1 ' * 2_000})")
    assert isinstance(PATHS.read("-".join(["1-2000"] * 25), tree, Terms()), Ambiguous)
    assert isinstance(PATHS.read("-".join(["1-2000"] * 26), tree, Terms()), Malformed)


def test_the_place_and_what_was_understood_are_told() -> None:
    """A malformed reply says where it went wrong, what is wrong there, what was read so far, and a hint."""
    outcome = PATHS.read("5, 6\nand 10", TREES[0], Terms())
    assert outcome == Malformed(
        "'10' is not a leaf number", 2, 5, "5 6", "this tree has 9 leaves, counted from 1 at the left"
    )


def test_of_a_very_long_reply_nothing_is_understood() -> None:
    """Up to a length it is told what was read before the trouble; unseen characters never matter."""
    for more, understood in ((0, "5 6"), (1, "")):
        outcome = PATHS.read("5 6".ljust(MAX_EXPLAINED_LENGTH - 1 + more) + "@", TREES[0], Terms())
        assert isinstance(outcome, Malformed)
        assert outcome.understood == understood
    assert PATHS.read("\u200b5 6".ljust(3 * MAX_EXPLAINED_LENGTH), TREES[0], Terms()) == {5, 6}


def test_what_is_left_out_has_to_be_clear() -> None:
    """All but a name that two nodes have is no answer, and neither is it what is left by one of them."""
    tree = tree_of("MAX A (MIN Vx (3 12) MIN vX (2 4))")
    assert PATHS.read("all but Vx", tree, Terms()) == {3, 4}
    outcome = PATHS.read("all but vx", tree, Terms())
    assert isinstance(outcome, Malformed)
    assert "more than one way" in outcome.message
