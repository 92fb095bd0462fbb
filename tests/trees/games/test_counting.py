"""How much there is to search: published figures, and the searches of trees as oracles."""

import numpy
import pytest

from grader.solvers.alphabeta import value_test
from grader.solvers.lockstep import lockstep
from grader.solvers.minimax import minimax
from grader.solvers.solution import solve
from grader.solvers.sweep import sweep
from grader.solvers.visited_nodes import pruned_paths
from grader.trees.games import connect_four, game_tree, nim, search_size, tictactoe
from grader.trees.games.game_definition import TooLargeError
from grader.trees.games.game_tree import GameTree, NoEvaluationError, unfold
from grader.trees.games.search_size import GameExtent, SearchExtent, measure_game, measure_search
from grader.trees.rules import Rules, Ties
from tests.test_bank import BANK, shape, tree_in

START = (0, 0)


@pytest.fixture(scope="module")
def whole() -> GameTree[tictactoe.Squares]:
    """The whole game of tic-tac-toe."""
    return unfold(tictactoe.GAME, START)


def test_the_extent_of_tic_tac_toe() -> None:
    """255,168 sequences, 26,830 with symmetric positions merged, 765 positions up to symmetry.

    The figures of Turcotte, CSI 4106 (2024); nodes and endings are counted in the trees below.
    """
    assert measure_game(tictactoe.GAME, START) == GameExtent(255_168, 549_946, 5_478, 958)
    assert measure_game(tictactoe.GAME, START, merged=True) == GameExtent(26_830, 58_524, 765, 138)


@pytest.mark.parametrize(("heaps", "positions", "endings"), [("5", 10, 2), ("3 2 1", 40, 2)])
def test_positions_of_several_plies_are_counted_once(heaps: str, positions: int, endings: int) -> None:
    """From nim 5 ten positions follow, the first one included, however many moves lead to them.

    Counted by hand for one heap: MAX may face 5, 3, 2, 1 or no stones, MIN 4 or fewer.
    """
    extent = measure_game(nim.GAME, nim.GAME.position(heaps))
    assert (extent.positions, extent.endings) == (positions, endings)


@pytest.mark.slow
def test_the_extent_of_connect_four() -> None:
    """On 4 x 4 there are 161,029 positions (Tromp, John's Connect Four Playground)."""
    board = connect_four.GAME.starts["4x4"]
    assert measure_game(connect_four.GAME, board) == GameExtent(47_982_540, 131_060_741, 161_029, 26_740)
    assert measure_game(connect_four.GAME, board, merged=True) == GameExtent(
        23_181_154, 63_359_284, 80_541, 13_378
    )


@pytest.mark.slow
def test_the_extent_of_larger_boards() -> None:
    """152,505,051,772 games on 5 x 4 (OEIS A342329); 1,706,255 positions on 4 x 5 (Tromp)."""
    starts = connect_four.GAME.starts
    assert measure_game(connect_four.GAME, starts["5x4"]).sequences == 152_505_051_772
    assert measure_game(connect_four.GAME, starts["4x5"]).positions == 1_706_255
    assert measure_game(connect_four.GAME, starts["4x5"], merged=True).positions == 853_185


def laid_out(columns: int, rows: int, merged: bool) -> GameExtent:
    """The extent of connect four counted by arrays of places, signs 1 and 2 in a grid for each position.

    Nothing is shared with the game: lines are looked for place by place, mirrored boards turned over.
    """
    places = 3 ** numpy.arange(columns * rows, dtype=numpy.int64).reshape(columns, rows)
    lines = [
        [(column + step * right, row + step * up) for step in range(4)]
        for column in range(columns)
        for row in range(rows)
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1))
        if column + 3 * right < columns and 0 <= row + 3 * up < rows
    ]
    boards, ways = numpy.zeros((1, columns, rows), dtype=numpy.int8), numpy.ones(1, dtype=numpy.int64)
    sequences = nodes = positions = endings = 0
    for ply in range(columns * rows + 1):
        positions, nodes = positions + len(boards), nodes + int(ways.sum())
        last = 2 - ply % 2
        over = numpy.full(len(boards), ply == columns * rows)
        for line in lines:
            over |= numpy.logical_and.reduce([boards[:, column, row] == last for column, row in line])
        sequences, endings = sequences + int(ways[over].sum()), endings + int(over.sum())
        boards, ways = boards[~over], ways[~over]
        heights = (boards > 0).sum(axis=2)
        codes, reached = [], []
        for column in range(columns):
            free = heights[:, column] < rows
            after = boards[free]
            after[numpy.arange(len(after)), column, heights[free, column]] = 3 - last
            code = (after * places).sum(axis=(1, 2))
            if merged:
                code = numpy.minimum(code, (after[:, ::-1] * places).sum(axis=(1, 2)))
            codes.append(code)
            reached.append(ways[free])
        found, where = numpy.unique(numpy.concatenate(codes), return_inverse=True)
        if merged:
            # Of moves of one position to mirrored boards one counts.
            sources = numpy.concatenate(
                [numpy.flatnonzero(heights[:, column] < rows) for column in range(columns)]
            )
            _, once = numpy.unique(numpy.stack([sources, where]), axis=1, return_index=True)
            where, passed = where[once], numpy.concatenate(reached)[once]
        else:
            passed = numpy.concatenate(reached)
        ways = numpy.zeros(len(found), dtype=numpy.int64)
        numpy.add.at(ways, where, passed)
        boards = (found[:, None, None] // places % 3).astype(numpy.int8)
    return GameExtent(sequences, nodes, positions, endings)


@pytest.mark.slow
@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("size", ["4x4", "4x5"])
def test_the_extent_of_connect_four_again(size: str, merged: bool) -> None:
    """Counted by arrays of places, with and without the mirror, each board has the extent of the game."""
    start = connect_four.GAME.starts[size]
    columns, rows, *_ = start
    assert laid_out(columns, rows, merged) == measure_game(connect_four.GAME, start, merged=merged)


def test_small_boards_of_connect_four() -> None:
    """2, 90 and 356,232 games on 2 x 1, 3 x 2 and 4 x 3 (OEIS A342329)."""
    games = [measure_game(connect_four.GAME, (rows + 1, rows, 0, 0)).sequences for rows in (1, 2, 3)]
    assert games == [2, 90, 356_232]


def test_alpha_beta_at_tic_tac_toe() -> None:
    """Alpha-beta in reading order follows 7,330 sequences under `cut` (Turcotte) and 62,162 under `keep`."""
    cut, keep = (measure_search(tictactoe.GAME, START, ties) for ties in ("cut", "keep"))
    assert cut == SearchExtent(0, 7_330, 18_297)
    assert keep == SearchExtent(0, 62_162, 146_120)


@pytest.mark.slow
@pytest.mark.parametrize("ties", ["cut", "keep"])
def test_alpha_beta_is_that_of_trees(whole: GameTree[tictactoe.Squares], ties: Ties) -> None:
    """The search of positions visits as many leaves and nodes as the search of the tree."""
    search = value_test(whole.tree, Rules(ties=ties), traced=False)
    found = measure_search(tictactoe.GAME, START, ties)
    assert found is not None
    assert found.sequences == sum(search.visited[leaf] for leaf in whole.tree.leaves)
    assert found.nodes == sum(search.visited)


@pytest.mark.slow
def test_the_whole_tree_two_ways(whole: GameTree[tictactoe.Squares]) -> None:
    """The whole tree has the nodes and leaves that were counted, and lists and arrays solve it alike."""
    tree = whole.tree
    assert (len(tree), len(tree.leaves)) == (549_946, 255_168)
    assert len(set(whole.positions)) == 5_478
    for ties in ("cut", "keep"):
        rules = Rules(ties=ties)
        found = sweep(tree, rules)
        together = lockstep(tree, numpy.array([[tree.payoffs[leaf] for leaf in tree.leaves]]), rules)
        assert found.values == tuple(int(values[0]) for values in together.values)
        assert found.visited == tuple(together.visited[:, 0].tolist())
        assert found.values[0] == 0
    assert sweep(tree, Rules()).values == minimax(tree)


def test_merged_trees_have_the_counted_extent() -> None:
    """The tree with symmetric moves merged has the sequences and nodes that were counted."""
    merged = unfold(tictactoe.GAME, START, merged=True).tree
    assert (len(merged.leaves), len(merged)) == (26_830, 58_524)
    assert minimax(merged)[0] == 0


@pytest.mark.parametrize("ties", ["cut", "keep"])
@pytest.mark.parametrize("table", [False, True])
@pytest.mark.parametrize("merged", [False, True])
def test_savings_keep_the_value(ties: Ties, table: bool, merged: bool) -> None:
    """With a table, with symmetry and with both, a search finds the value of every position."""
    tree = unfold(tictactoe.GAME, tictactoe.read("X.. .O. ..."))
    values = minimax(tree.tree)
    for node in range(0, len(tree.tree), 97):
        found = measure_search(tictactoe.GAME, tree.positions[node], ties, table=table, merged=merged)
        assert found is not None
        assert found.value == values[node]


def test_savings_save() -> None:
    """Each saving leaves fewer nodes, both together the fewest; a search that is too long is given up."""
    sizes = {
        (table, merged): measure_search(tictactoe.GAME, START, "cut", table=table, merged=merged)
        for table in (False, True)
        for merged in (False, True)
    }
    nodes = {savings: found.nodes for savings, found in sizes.items() if found is not None}
    assert nodes == {(False, False): 18_297, (True, False): 8_983, (False, True): 3_082, (True, True): 1_312}
    assert measure_search(tictactoe.GAME, START, "cut", max_nodes=18_296) is None
    assert measure_search(tictactoe.GAME, START, "cut", max_nodes=18_297) is not None


def test_the_first_stage() -> None:
    """Two plies, symmetric moves merged: 12 positions, openings worth -1, -2 and 1 (Nilsson)."""
    stage = unfold(
        tictactoe.GAME, START, plies=2, evaluation=tictactoe.GAME.evaluation("open-lines"), merged=True
    )
    tree = stage.tree
    assert len(tree.leaves) == len(stage.unfinished) == 12
    solution = solve(tree, Rules())
    assert [tree.moves[child] for child in tree.children[0]] == ["top_left", "top_middle", "centre"]
    assert [solution.values[child] for child in tree.children[0]] == [-1, -2, 1]
    assert [tree.payoffs[leaf] for leaf in tree.leaves_below(tree.children[0][0])] == [1, 0, -1, 1, 0]
    assert solution.pruned_paths == (7, 8, 9, 10)


def test_the_second_stage() -> None:
    """After the centre and an edge 21 positions, of six moves two worth 1: the tree of the bank (Nilsson)."""
    start = tictactoe.read("... .X. .O.")
    evaluation = tictactoe.GAME.evaluation("open-lines")
    tree = unfold(tictactoe.GAME, start, plies=2, evaluation=evaluation, merged=True).tree
    bank = tree_in(BANK / "nilsson-tic-tac-toe-second-stage.tree")
    assert len(tree.leaves) == 21
    assert (shape(tree), tree.moves) == (shape(bank), bank.moves)
    assert [minimax(tree)[child] for child in tree.children[0]] == [1, 0, 0, 1]


def test_the_first_stage_of_the_bank() -> None:
    """The bank's first stage has the values of the positions below each opening."""
    evaluation = tictactoe.GAME.evaluation("open-lines")
    tree = unfold(tictactoe.GAME, START, plies=2, evaluation=evaluation, merged=True).tree
    bank = tree_in(BANK / "nilsson-tic-tac-toe.tree")
    ours, theirs = (
        [sorted(one.payoffs[leaf] for leaf in one.children[child]) for child in one.children[0]]
        for one in (tree, bank)
    )
    assert ours == theirs


def test_the_textbook_evaluation_of_the_opening() -> None:
    """By 3 X2 + X1 - (3 O2 + O1) the openings are worth -1, -2 and 1 (Russell and Norvig, exercise 5.9)."""
    evaluation = tictactoe.GAME.evaluation("lines-by-count")
    tree = unfold(tictactoe.GAME, START, plies=2, evaluation=evaluation, merged=True).tree
    values = minimax(tree)
    assert values[0] == 1
    assert {values[child] for child in tree.children[0]} == {-1, -2, 1}


@pytest.mark.parametrize(
    ("moves", "value"),
    [pytest.param([], 0, marks=pytest.mark.slow), ([4, 1], 1), ([5, 4, 3, 8], -1)],
    ids=["start", "win", "loss"],
)
def test_positions_of_open_spiel(moves: list[int], value: int) -> None:
    """Three positions have the values of OpenSpiel's minimax_test.py."""
    board = START
    for square in moves:
        board = dict(tictactoe.moves(board))[tictactoe.SQUARES[square]]
    tree = unfold(tictactoe.GAME, board).tree
    assert minimax(tree)[0] == value


def test_won_positions_in_a_limited_tree() -> None:
    """Where plies are limited, a win is worth more than every evaluation, and a draw 0."""
    evaluation = tictactoe.GAME.evaluations[0]
    unfolded = unfold(tictactoe.GAME, tictactoe.read("XX. OO. ..."), plies=2, evaluation=evaluation)
    tree = unfolded.tree
    ends = {tree.payoffs[leaf] for leaf in tree.leaves if leaf not in unfolded.unfinished}
    assert ends == {10, -10}
    assert minimax(tree)[0] == 10
    assert all(
        tree.payoffs[leaf] == evaluation.value(unfolded.positions[leaf]) for leaf in unfolded.unfinished
    )


def test_nim_is_the_tree_of_the_bank() -> None:
    """Nim with heaps of two and one has the lines of play of the tree in the bank, with their payoffs."""
    ours, theirs = (
        {
            (tree.payoffs[leaf], *(tree.moves[node] for node in (leaf, *tree.ancestors(leaf))))
            for leaf in tree.leaves
        }
        for tree in (unfold(nim.GAME, (0, 2, 1)).tree, tree_in(BANK / "two-heap-nim.tree"))
    )
    assert ours == theirs


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too large trees and counts, and a depth limit without an evaluation, are refused."""
    monkeypatch.setattr(game_tree, "MAX_SUPPORTED_LEAVES", 1000)
    with pytest.raises(TooLargeError):
        unfold(tictactoe.GAME, START)
    monkeypatch.setattr(search_size, "MAX_POSITIONS", 1000)
    with pytest.raises(TooLargeError):
        measure_game(tictactoe.GAME, START)
    with pytest.raises(NoEvaluationError):
        unfold(nim.GAME, (0, 3, 4, 5), plies=1)


def test_the_end_of_a_game() -> None:
    """A position that is over is a tree of one leaf, and merged trees prune like any other."""
    assert unfold(tictactoe.GAME, tictactoe.read("XXX OO. ...")).tree.payoffs == (1,)
    tree = unfold(tictactoe.GAME, tictactoe.read("XXO .O. X.O")).tree
    assert pruned_paths(tree, sweep(tree, Rules()).visited) == pruned_paths(
        tree, value_test(tree, Rules()).visited
    )
