"""The bank of problems: every tree file is sound, sourced and agrees with what is published."""

import re
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from grader.solvers.depth_limit import LimitError, truncate_at_depth
from grader.solvers.solution import Solution, solve
from grader.solvers.values import best_children, values
from grader.trees.notation.reading import read_bytes, read_tree
from grader.trees.notation.writing import write_tree
from grader.trees.tree import Player, Tree
from tests.published.records import RECORDS, tree_of

BANK = Path(__file__).parents[1] / "problems" / "bank"
FILES = tuple(sorted(BANK.glob("*.tree")))

every_file = pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in FILES])

SMALL = "too small to be worth a place"
ALIKE = "another bank file tells the same story with other numbers"

NOT_IN_THE_BANK = {
    "nilsson-ttt-first-stage": "the bank has the lecture's order, in which the cut is a tie",
    "uci-longer-ab-partial": "the source shows its tree in part; the bank fills it in and says so",
    "hkust-a3-7-rl": "the record mirrors the tree; the bank sets the order instead",
    "cs188ag-q2-0-eval-function-win-states-1": SMALL,
    "cs188ag-q3-0-eval-function-win-states-1": SMALL,
    "cs188ag-q4-0-eval-function-win-states-1": SMALL,
    "bb4-alphaPruneTree-p2-la4-mm": SMALL,
    "bb4-alphaPruneTree-p2-la4-ab": SMALL,
    "bb4-twoLevelTree-p2-la3-mm": SMALL,
    "bb4-twoLevelTree-p1-la1-mm": SMALL,
    "msgross-depth1": SMALL,
    "msgross-beta-d2": SMALL,
    "cs188ag-q2-2-3a-vary-depth": ALIKE,
    "cs188ag-q3-2-3a-vary-depth": ALIKE,
    "cs188ag-q2-2-3b-vary-depth": ALIKE,
    "cs188ag-q3-2-3b-vary-depth": ALIKE,
    "mit6034-static-d2-zero": ALIKE,
}
"""The published trees that the bank does not have, each with the reason."""


def tree_in(file: Path) -> Tree:
    """The tree of a bank file."""
    tree = read_bytes(file.read_bytes())
    assert isinstance(tree, Tree), str(tree)
    return tree


def solved(file: Path) -> Solution:
    """The tree of a bank file solved under the rules it sets."""
    tree = tree_in(file)
    return solve(tree, tree.rules())


def shape(tree: Tree) -> tuple[object, ...]:
    """What two trees have in common that differ in names, moves and headers only."""
    return tree.players, tree.parents, tree.payoffs, tree.probabilities


def test_the_bank_is_a_choice() -> None:
    """The bank has at least forty trees, and nothing but trees."""
    assert len(FILES) >= 40
    assert set(BANK.iterdir()) == set(FILES)


def test_titles_differ() -> None:
    """No two problems have the same title, and no two are the same tree under the same rules."""
    trees = [tree_in(file) for file in FILES]
    assert len({tree.header.title for tree in trees}) == len(trees)
    assert len({(shape(tree), tree.claims, tree.rules()) for tree in trees}) == len(trees)


@every_file
def test_name_is_a_slug(file: Path) -> None:
    """A problem is called by a name of lower-case words and numbers joined by hyphens."""
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", file.stem)


@every_file
def test_reads_and_says_where_it_comes_from(file: Path) -> None:
    """A problem reads without a diagnostic and has a title and a source."""
    header = tree_in(file).header
    assert header.title
    assert header.source


@every_file
def test_round_trip(file: Path) -> None:
    """A problem is the same tree after writing and reading, in both spellings."""
    tree = tree_in(file)
    assert read_tree(write_tree(tree, "text")) == tree
    assert read_tree(write_tree(tree, "outline")) == tree


@every_file
def test_layout(file: Path) -> None:
    """A file is headers, then remarks, then the tree, indented by two blanks for each step inwards."""
    text = file.read_bytes().decode("ascii")
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    lines = text.splitlines()
    assert all(line == line.rstrip() and "\t" not in line for line in lines)
    assert all(len(line) <= 110 for line in lines if not line.startswith("@"))
    kinds = [line[:1] if line[:1] in "@#" else "tree" for line in lines if line]
    assert kinds == sorted(kinds, key=["@", "#", "tree"].index)
    indents = [len(line) - len(line.lstrip()) for line in lines if line and line[0] not in "@#"]
    assert indents[0] == 0
    assert all(after % 2 == 0 and after <= before + 2 for before, after in pairwise(indents))


@every_file
def test_solves(file: Path) -> None:
    """A problem solves under its own rules; only an unknown payoff leaves anything open."""
    solution = solved(file)
    if solution.tree.unknowns:
        assert solution.search is not None or solution.blocked_by in solution.tree.unknowns
        return
    assert None not in solution.values
    assert None not in solution.best
    assert solution.principal_variations
    assert (solution.search is None) == (Player.P1 in solution.tree.players)


@every_file
def test_both_tests_prune_alike(file: Path) -> None:
    """Whether the search tests the value or the window, a problem has one set of pruned paths."""
    solution = solved(file)
    if solution.variants is not None:
        assert solution.variants == dict.fromkeys(("value", "window"), solution.pruned_paths)


def shapes_in_bank() -> set[tuple[object, ...]]:
    """The shapes of all trees in the bank, whole and cut at every depth that has evaluations."""
    shapes = set()
    for file in FILES:
        tree = tree_in(file)
        for depth in range(1, max(tree.depths) + 1):
            with suppress(LimitError):
                shapes.add(shape(truncate_at_depth(tree, depth)))
    return shapes


def test_published_trees_are_in_the_bank() -> None:
    """Every published tree is in the bank, whole or as a depth limit leaves it, or a reason says why not."""
    shapes = shapes_in_bank()
    published = [record for record in RECORDS if record["tree"] is not None]
    missing = {record["id"] for record in published if shape(tree_of(record)) not in shapes}
    assert missing == set(NOT_IN_THE_BANK)


def test_trees_with_chance_and_several_players_are_in_the_bank() -> None:
    """Of the published trees with several players or with nodes where chance decides, none is left out."""
    special = {Player.P1, Player.CHANCE}
    for record in RECORDS:
        if record["tree"] is not None and special & set(tree_of(record).players):
            assert record["id"] not in NOT_IN_THE_BANK


def test_the_bank_shows_every_kind_of_tie() -> None:
    """There are trees whose answer depends on the tie rule, with chance nodes and without."""
    sensitive = [solution for solution in map(solved, FILES) if solution.convention_sensitive]
    assert {solution.tree.has_chance for solution in sensitive} == {True, False}


REMARKS: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "all-equal": ((4, 7, 8), ()),
    "bad-order-of-eight": ((), ()),
    "coin-first": ((4, 8), (4, 8)),
    "deep-window": ((7,), (7,)),
    "dice-before-each-move": ((), ()),
    "digits-of-pi": ((6, 9, 14, 15), (6, 9, 14, 15)),
    "false-tie": ((4,), ()),
    "good-order-of-eight": ((4, 7, 8), (4, 7, 8)),
    "impossible-outcome": ((2,), (2,)),
    "backgammon-dice": ((), ()),
    "coin-flips": ((8,), (8,)),
    "nilsson-tic-tac-toe": ((7, 8, 9, 10), (8, 9, 10)),
    "six-sided-die": ((5, 6, 7), (6, 7)),
    "tie-between-moves": ((5, 6), ()),
    "two-move-game": ((4,), (4,)),
    "uci-longer-example": ((6, 10, 14, 16), (10, 14, 16)),
    "worst-order": ((), ()),
}
"""What the remarks in our own trees say is pruned, with ties cut and with ties kept."""


@pytest.mark.parametrize("name", REMARKS)
def test_pruned_as_remarked(name: str) -> None:
    """Our own trees prune what the remark in the file says, under either tie rule."""
    tree = tree_in(BANK / f"{name}.tree")
    cut, keep = (solve(tree, tree.rules(ties=ties)).pruned_paths for ties in ("cut", "keep"))
    assert (cut, keep) == REMARKS[name]


@pytest.mark.parametrize(
    ("name", "decisions"),
    [
        ("berkeley-depth-flips", {2: "b2", None: "b1"}),
        ("berkeley-depth-two", {2: "b1", None: "b1"}),
        ("berkeley-unary-chains", {2: "b1", 4: "b2", None: "b3"}),
        ("berkeley-two-ghost-chains", {3: "b1", 6: "b2", None: "b3"}),
        ("berkeley-random-ghost", {4: "b2", None: "b3"}),
        ("berkeley-two-random-ghosts", {3: "b1", 6: "b2", None: "b3"}),
        ("material-count", {2: "B", None: "A"}),
        ("quiescence", {1: "A", None: "B"}),
        ("two-features", {1: "A", None: "B"}),
    ],
)
def test_decisions_at_depths(name: str, decisions: dict[int | None, str]) -> None:
    """A tree with evaluations has the best move that its remark gives for each depth limit."""
    tree = tree_in(BANK / f"{name}.tree")
    for depth, child in decisions.items():
        solution = solve(tree, replace(tree.rules(), depth=depth))
        assert [solution.tree.names[best] for best in solution.best[0] or ()] == [child]


def test_perfect_order_visits_the_fewest_leaves() -> None:
    """With the best child first everywhere, 3^2 + 3^1 - 1 of the 27 leaves are visited."""
    assert len(solved(BANK / "perfect-order.tree").visited_leaves or ()) == 3**2 + 3**1 - 1


@pytest.mark.parametrize(
    ("one", "other"), [("perfect-order", "worst-order"), ("good-order-of-eight", "bad-order-of-eight")]
)
def test_reordered_trees_are_one_game(one: str, other: str) -> None:
    """A tree and its reordered twin give every named node the same value and every node the same leaves."""
    trees = [tree_in(BANK / f"{name}.tree") for name in (one, other)]
    first, second = (
        {
            tree.names[node]: (
                values(tree)[node],
                sorted(str(tree.payoffs[leaf]) for leaf in tree.leaves_below(node)),
            )
            for node in tree.internal
        }
        for tree in trees
    )
    assert first == second


def test_stretching_changes_the_decision() -> None:
    """The stretched leaves keep their order, and yet the other move is best."""
    small, large = (tree_in(BANK / f"aima-fig-5-12-chance{suffix}.tree") for suffix in ("", "-stretched"))
    pairs = {(small.payoffs[leaf], large.payoffs[leaf]) for leaf in small.leaves}
    assert sorted(pairs) == sorted(pairs, key=lambda pair: pair[1])
    assert best_children(small, values(small))[0] != best_children(large, values(large))[0]


def test_trees_that_the_page_of_the_lectures_names() -> None:
    """Every tree that the page about the lectures names is in the bank."""
    page = (BANK.parent / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"bank:([a-z0-9-]+)", page))
    assert len(named) > 20
    assert named <= {file.stem for file in FILES}
