"""What follows from the rules of a game: moves, results, who moves, whether it is over, and its utility?"""

from dataclasses import replace
from functools import partial
from typing import Any

from grader.answers.count import counting
from grader.answers.move import MOVE, Moves
from grader.answers.numeral import Numeral
from grader.answers.truth import TRUTH
from grader.base.phrases import Phrase
from grader.kinds.board_asking import NUMBER_ALONE, TURNS, asking, drawn, nothing, one, saying, utility_told
from grader.kinds.boards import (
    Board,
    alone,
    candidates,
    move_named,
    over,
    stated,
)
from grader.kinds.given import Given
from grader.kinds.randomness import Draw
from grader.tree import Player, Tree

# What does it lead to? ---------------------------------------------------------------------------


def empty(board: Board) -> int:
    """How many squares are free."""
    return sum(row.count(".") for row in board.game.rows(board.position))


def _free_columns(board: Board, given: Given) -> Numeral:
    """The legal moves, read off the board as it is printed."""
    if over(board):
        return Numeral(0)
    rows = board.game.rows(board.position)
    if board.game.name == "nim":
        return Numeral(sum(map(int, rows[0].replace("MIN", "").split())))
    return Numeral(rows[0].count(".") if board.game.name == "connect-four" else empty(board))


LEGAL = asking(
    "legal",
    "How many legal moves are there in a position?",
    counting(one="move", many=Phrase("moves"), among=lambda _tree: 0),
    (nothing, Phrase("How many legal moves are there?")),
    (lambda board, _given: Numeral(len(board.game.moves(board.position))), _free_columns),
    {
        "every-empty-square": lambda board, _given: (
            None if board.game.name == "nim" else Numeral(empty(board))
        ),
        "every-square": lambda board, _given: (
            Numeral(len(board.game.rows(board.position)[0]))
            if board.game.name == "connect-four"
            else Numeral(9)
            if board.game.name == "tictactoe"
            else None
        ),
    },
    saying(
        Phrase("There are {answer}: none where the game is over, else one for every place a sign can go to.")
    ),
    lambda stream: (
        one((8, 14), lambda board: not over(board), game="connect-four")(stream)
        if stream.below(2)
        else one((5, 8), over)(stream)
    ),
)


RESULTS = ("right", "other-player", "mirrored", "moved-twice")
"""The boards among which the result of a move is to be found."""


def _outcomes(board: Board, move: str) -> dict[str, Any]:
    """The board after a move, and those of mistakes: the other sign, the mirrored square, two signs."""
    x, o = board.position
    after = dict(board.game.moves(board.position))
    bit = (after[move][0] | after[move][1]) ^ (x | o)
    place = bit.bit_length() - 1
    across = 1 << (3 * (place // 3) + 2 - place % 3)
    first = board.game.mover(board.position) is Player.MAX
    right, other = ((x | bit, o), (x, o | bit)) if first else ((x, o | bit), (x | bit, o))
    free = across if not across & (x | o | bit) else 0
    found = {"right": right, "other-player": other}
    if free:
        found["mirrored"] = (x | free, o) if first else (x, o | free)
        found["moved-twice"] = (x | bit, o | free) if first else (x | free, o | bit)
    return found


def _candidate(board: Board, given: Given, which: str) -> Moves | None:
    order: list[str] = given["boards"]
    return frozenset((order.index(which),)) if which in order else None


def _draw_result(stream: Draw) -> tuple[Tree, Given] | None:
    board = drawn(stream, (2, 5))
    if over(board):
        return None
    move = stream.choose(board.game.moves(board.position))[0]
    found = _outcomes(board, move)
    if len(found) < len(RESULTS):
        return None
    order = stream.shuffle(RESULTS)
    return candidates(board, [found[which] for which in order]), stated(board, move=move, boards=list(order))


def _by_squares(board: Board, given: Given) -> Moves:
    """The candidate that differs from the position in the right square alone, by the right sign."""
    names = [name for name, _ in board.game.moves((0, 0))]
    place = names.index(given["move"])
    sign = "X" if board.game.mover(board.position) is Player.MAX else "O"
    before = "".join(board.game.rows(board.position))
    wanted = before[:place] + sign + before[place + 1 :]
    found = _outcomes(board, given["move"])
    texts = ["".join(board.game.rows(found[which])) for which in given["boards"]]
    return frozenset(number for number, text in enumerate(texts) if text == wanted)


def _a_result(board: Board, given: Given) -> str | None:
    if board.game.name != "tictactoe" or over(board):
        return "a position of tic-tac-toe that is not over is needed"
    if given.get("move") not in dict(board.game.moves(board.position)):
        return "no legal move is given"
    order, found = given.get("boards"), _outcomes(board, given["move"])
    if not isinstance(order, list) or sorted(map(str, order)) != sorted(found):
        return "the boards to choose from are not given"
    return None


RESULT = asking(
    "result",
    "To which position does a move lead?",
    replace(MOVE, alternatives=False, doubt=None),
    (
        lambda _board, _given, language: (
            language.say(
                "Squares are called by row and column, as {corner}; the middle one is {middle}.",
                corner=move_named("top_left", language),
                middle=move_named("centre", language),
            ),
        ),
        Phrase("{player} moves to {move}. Which of the boards below is the result?"),
    ),
    (lambda board, given: _candidate(board, given, "right") or frozenset(), _by_squares),
    {
        name: partial(lambda board, given, which: _candidate(board, given, which), which=name)
        for name in RESULTS[1:]
    },
    lambda solved, _board: (
        solved.language.say(
            "The sign of who is to move is added on the square of that name: board {answer} from the left.",
            answer=min(solved.key) + 1,
        ),
    ),
    _draw_result,
    _a_result,
)

# Who moves, and is it over? ----------------------------------------------------------------------


def _mover_by_signs(board: Board, given: Given) -> bool:
    text = "".join(board.game.rows(board.position))
    return bool(given["said"] == "MAX") == (text.count("X") == text.count("O"))


def _someone(board: Board, given: Given) -> str | None:
    if board.game.name == "nim":
        return "in nim the position says who is to move"
    return None if given.get("said") in ("MAX", "MIN") else "who is said to move is not given"


def _draw_mover(stream: Draw) -> tuple[Tree, Given] | None:
    board = drawn(stream, (1, 7))
    if over(board):
        return None
    return alone(board), stated(board, said=stream.choose(("MAX", "MIN")))


MOVER = asking(
    "mover",
    "Whose move is it in a position?",
    TRUTH,
    (nothing, Phrase("True or false: it is the move of {said}.")),
    (lambda board, given: str(board.game.mover(board.position)) == given["said"], _mover_by_signs),
    {"players-swapped": lambda board, given: not _mover_by_signs(board, given)},
    saying(
        Phrase("{player} is to move, for MAX moves first and signs are counted: that is {answer}."),
        player=lambda _solved, board: board.game.mover(board.position),
    ),
    _draw_mover,
    _someone,
)


def _draw_over(stream: Draw) -> tuple[Tree, Given] | None:
    wanted = bool(stream.below(2))
    for _ in range(TURNS):
        board = drawn(stream, (6, 8))
        if over(board) == wanted:
            return alone(board), stated(board)
    return None


OVER = asking(
    "over",
    "Is a game over in a position?",
    TRUTH,
    (nothing, Phrase("True or false: the game is over.")),
    (lambda board, _given: over(board), lambda board, _given: not board.game.moves(board.position)),
    {
        "full-board-alone": lambda board, _given: False if over(board) and empty(board) else None,
        "threat-for-line": lambda board, _given: None if over(board) else True,
    },
    saying(Phrase("A game is over when somebody has a line or no square is free: that is {answer}.")),
    _draw_over,
)


def _draw_end(stream: Draw) -> tuple[Tree, Given] | None:
    wanted = stream.choose((-1, 0, 1))
    for _ in range(TURNS):
        board = drawn(stream, (6, 9))
        if board.game.utility(board.position) == wanted:
            return alone(board), stated(board)
    return None


def _end_for_min(board: Board, given: Given) -> Numeral | None:
    """The utility from the side of MIN, which shows unless the game is drawn."""
    result = board.game.utility(board.position)
    return Numeral(-result) if result else None


UTILITY_KIND = asking(
    "utility",
    "What is the utility of a position in which the game is over?",
    NUMBER_ALONE,
    (utility_told, Phrase("What is its utility?")),
    (
        lambda board, _given: Numeral(board.game.utility(board.position) or 0),
        lambda board, _given: Numeral(board.game.utility(board.game.images(board.position)[-1]) or 0),
    ),
    {
        "players-swapped": _end_for_min,
        "one-for-any-win": lambda board, _given: (
            Numeral(1) if board.game.utility(board.position) == -1 else None
        ),
    },
    saying(Phrase("The line on the board, or that there is none, says it: {answer}.")),
    _draw_end,
    lambda board, _given: None if over(board) else "the game is not over",
)
