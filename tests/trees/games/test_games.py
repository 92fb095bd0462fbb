"""The laws of every game, and known facts about each."""

from functools import cache
from itertools import product
from random import Random

import pytest

from grader.trees.games import GAMES, AnyGame, connect_four, nim, tictactoe
from grader.trees.games.game_definition import PositionError
from grader.trees.tree import Player

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def played(game: AnyGame, random: Random) -> list[object]:
    """The positions of a game played at random from one of its starts."""
    position = random.choice(sorted(game.starts.values()))
    line = [position]
    while moves := game.moves(position):
        position = random.choice(moves)[1]
        line.append(position)
    return line


@every_game
def test_positions_are_read_back(game: AnyGame) -> None:
    """A position that play leads to is written as a text that reads as that position, and has no fault."""
    random = Random(1)
    for position in [position for _ in range(60) for position in played(game, random)]:
        assert game.read(game.write(position)) == position
        assert game.faults(position) == ()


@every_game
def test_the_game_is_over_when_there_is_no_move(game: AnyGame) -> None:
    """A position has a utility exactly when it has no moves, and its moves have different names."""
    random = Random(2)
    for position in [position for _ in range(60) for position in played(game, random)]:
        moves = game.moves(position)
        assert (game.utility(position) is not None) == (not moves)
        assert len({name for name, _ in moves}) == len(moves)
        assert all(game.mover(after) is not game.mover(position) for _, after in moves)


@every_game
def test_images_are_the_same_game(game: AnyGame) -> None:
    """Images of a position have its mover, its utility, its evaluations and one representative."""
    random = Random(3)
    for position in [position for _ in range(40) for position in played(game, random)]:
        images = game.images(position)
        assert position in images
        for image in images:
            assert game.mover(image) is game.mover(position)
            assert game.utility(image) == game.utility(position)
            assert game.representative(image) == game.representative(position)
            assert all(one.value(image) == one.value(position) for one in game.evaluations)
            here, there = (
                {game.representative(after) for _, after in game.moves(place)} for place in (position, image)
            )
            assert here == there


@every_game
def test_a_win_is_beyond_all_evaluations(game: AnyGame) -> None:
    """No position is evaluated as high as one that is won, or as low as one that is lost."""
    random = Random(4)
    for position in [position for _ in range(100) for position in played(game, random)]:
        assert all(abs(one.value(position)) < one.won for one in game.evaluations)


@every_game
def test_hostile_positions(game: AnyGame) -> None:
    """A text that is not a position is refused with a reason."""
    for text in ("", "?", "X" * 5000, "9" * 5000, "X?", "²", "../.", "-1 -2", "\x00"):
        with pytest.raises(PositionError):
            game.position(text)


def test_names_differ() -> None:
    """No two games have one name."""
    assert len({game.name for game in GAMES}) == len(GAMES)


@cache
def reachable() -> frozenset[tictactoe.Squares]:
    """Every board of tic-tac-toe that play leads to, found by playing, without knowing of faults."""
    boards = {(0, 0)}
    waiting = [(0, 0)]
    while waiting:
        x, o = waiting.pop()
        if any(mine & line == line for mine in (x, o) for line in tictactoe.LINES):
            continue
        for square in range(9):
            bit = 1 << square
            if (x | o) & bit:
                continue
            after = (x | bit, o) if x.bit_count() == o.bit_count() else (x, o | bit)
            if after not in boards:
                boards.add(after)
                waiting.append(after)
    return frozenset(boards)


def test_impossible_boards_of_tic_tac_toe() -> None:
    """Of all 19,683 boards those without a fault are the 5,478 that play leads to."""
    possible = set()
    for signs in product(".XO", repeat=9):
        board = tictactoe.read("".join(signs))
        if not tictactoe.faults(board):
            possible.add(board)
    assert possible == reachable()
    assert len(possible) == 5478


@pytest.mark.parametrize(
    ("board", "why"),
    [
        ("XX./.../...", "there are 2 more X than O"),
        ("O../.../...", "there is 1 more O than X"),
        ("XXX/OOO/...", "both X and O have a line"),
        ("XXX/OO./O..", "X has a line, and yet O has moved after it"),
        ("OOO/XX./X.X", "O has a line, and yet X has moved after it"),
    ],
)
def test_reasons(board: str, why: str) -> None:
    """An impossible board is refused with the reason."""
    with pytest.raises(PositionError, match=why):
        tictactoe.GAME.position(board)


def test_two_lines_of_one_player() -> None:
    """Two lines of X at once are legal: one move may complete both."""
    board = tictactoe.GAME.position("XXX/XOO/XOO")
    assert tictactoe.utility(board) == 1


def test_the_evaluations_of_the_opening() -> None:
    """X in the corner and O in the centre: 4 lines open for X, 5 for O (Nilsson, fig. of the first stage)."""
    corner_centre = tictactoe.read("X.. .O. ...")
    assert tictactoe.open_lines(corner_centre) == 4 - 5
    assert tictactoe.lines_by_count(corner_centre) == 2 - 3
    assert tictactoe.open_lines(tictactoe.read("... .X. ...")) == 8 - 4


def test_two_x_in_open_lines() -> None:
    """A line with two X and no O counts three, one with two O and no X minus three."""
    assert tictactoe.lines_by_count(tictactoe.read("XX. ... OO.")) == (3 + 2) - (3 + 2)
    assert tictactoe.lines_by_count(tictactoe.read("XX. .O. ...")) == (3 + 1) - 2


def reached_by_play(columns: int, rows: int) -> set[connect_four.Discs]:
    """Every board of connect four that play leads to."""
    boards = {(columns, rows, 0, 0)}
    waiting = list(boards)
    while waiting:
        for _, after in connect_four.moves(waiting.pop()):
            if after not in boards:
                boards.add(after)
                waiting.append(after)
    return boards


def test_impossible_boards_of_connect_four() -> None:
    """Of all boards of four columns and two rows those without a fault are those that play leads to."""
    possible = {
        board
        for signs in product(".XO", repeat=8)
        for board in [connect_four.read("".join(signs[:4]) + "/" + "".join(signs[4:]))]
        if not connect_four.faults(board)
    }
    assert possible == reached_by_play(4, 2)


def test_lines_of_four() -> None:
    """Four in a line win upwards, across and on both diagonals, and on no other four places."""
    for columns, rows in ((4, 4), (5, 4), (4, 5)):
        lines = connect_four._lines(columns, rows)
        assert len(lines) == len(set(lines))
        assert len(lines) == columns * (rows - 3) + rows * (columns - 3) + 2 * (columns - 3) * (rows - 3)
        assert all(connect_four._has_line(line, rows) for line in lines)
    random = Random(5)
    for _ in range(3000):
        discs = sum(1 << column * 5 + row for column in range(5) for row in range(4) if random.random() < 0.5)
        held = any(line & discs == line for line in connect_four._lines(5, 4))
        assert connect_four._has_line(discs, 4) == held


def test_nim_by_its_sum() -> None:
    """The player to move at nim wins exactly if the exclusive or of the heaps is not 0 (Bouton, 1901)."""

    @cache
    def value(position: nim.Heaps) -> int:
        result = nim.utility(position)
        if result is not None:
            return result
        best = max if nim.mover(position) is Player.MAX else min
        return best(value(after) for _, after in nim.moves(position))

    for heaps in product(range(5), repeat=3):
        odd = heaps[0] ^ heaps[1] ^ heaps[2] != 0
        assert value((0, *heaps)) == (1 if odd else -1)
        assert value((1, *heaps)) == (-1 if odd else 1)
