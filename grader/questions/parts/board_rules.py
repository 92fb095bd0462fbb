"""What follows from the rules of a game: moves, results, who moves, whether it is over, and its utility?"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from grader.answers.count import counting
from grader.answers.move import MOVE, Moves
from grader.answers.numeral import Numeral
from grader.answers.truth import TRUTH
from grader.base.phrases import Phrase
from grader.questions.given import Given
from grader.questions.parts import board_signs
from grader.questions.parts.board_asking import (
    OUTCOME,
    TURNS,
    WITH_ITS_WORTH,
    asking,
    drawn,
    game_drawn,
    heaps,
    nothing,
    one,
    picturing,
    saying,
    utility_told,
)
from grader.questions.parts.board_signs import after_moves, free_squares, put_at, signs_of
from grader.questions.parts.boards import (
    Board,
    alone,
    candidates,
    goes_on,
    move_named,
    over,
    stated,
    the_board,
)
from grader.questions.pictured import Pictured
from grader.questions.randomness import Draw
from grader.questions.why import Solved
from grader.trees.rules import Rules
from grader.trees.tree import Player, Tree

# What does it lead to? ---------------------------------------------------------------------------


def _moves_by_signs(board: Board, given: Given) -> Numeral:
    """The legal moves, read off the board as it is printed."""
    return Numeral(len(after_moves(board)))


def _every_square(board: Board, given: Given) -> Numeral | None:
    """The squares of tic-tac-toe, the columns of connect four."""
    rows = signs_of(board)
    return {"connect-four": Numeral(len(rows[0])), "tictactoe": Numeral(9)}.get(board.game.name)


def _one_a_heap(board: Board, given: Given) -> Numeral | None:
    """The heaps of nim that are not empty."""
    heaps = board.text.replace("MIN", "").split()
    return Numeral(sum(heap != "0" for heap in heaps)) if board.game.name == "nim" else None


def _draw_legal(stream: Draw) -> tuple[Tree, Given] | None:
    """Connect four with a full column or not, tic-tac-toe that is over, and heaps of nim."""
    game = game_drawn(stream, "connect-four", "connect-four", "tictactoe", "tictactoe", "nim")
    if game == "connect-four":
        return one(stream, (8, 14), goes_on, game)
    if game == "tictactoe":
        return one(stream, (5, 8), over)
    board = heaps(stream, 5)
    return alone(board), stated(board)


_PLACES = Phrase(
    "There are {answer}: none where the game is over, else one for every place a sign can go to."
)
_COUNTED = {
    "tictactoe": _PLACES,
    "connect-four": _PLACES,
    "nim": Phrase("There are {answer}: from a heap of n stones one can take 1, 2, and so on up to n."),
}

LEGAL = asking(
    "legal",
    "How many legal moves are there in a position?",
    counting(one="move", many=Phrase("moves"), among=lambda _tree: 0),
    (nothing, Phrase("How many legal moves are there?")),
    (lambda board, _given: Numeral(len(board.game.moves(board.position))), _moves_by_signs),
    {
        "every-empty-square": lambda board, _given: (
            None if board.game.name == "nim" else Numeral(free_squares(signs_of(board)))
        ),
        "every-square": _every_square,
        "one-move-a-heap": _one_a_heap,
    },
    lambda solved, board: saying(_COUNTED[board.game.name], solved, board),
    _draw_legal,
)


RESULTS = ("right", "other-player", "mirrored", "moved-twice")
"""The boards among which the result of a move is to be found."""


def _outcomes(board: Board, move: str) -> dict[str, Any]:
    """The board after a move, and those of mistakes: the other sign, the mirrored square, two signs."""
    *shape, x, o = board.position
    before: int = x | o
    after = dict(board.game.moves(board.position))

    def put(name: str) -> int:
        taken: int = after[name][-2] | after[name][-1]
        return taken ^ before

    bit, free = put(move), put(mirror) if (mirror := _across(board, move)) in after else 0
    first = board.game.mover(board.position) is Player.MAX
    right, other = ((x | bit, o), (x, o | bit)) if first else ((x, o | bit), (x | bit, o))
    found = {"right": right, "other-player": other}
    if free and free != bit:
        found["mirrored"] = (x | free, o) if first else (x, o | free)
        found["moved-twice"] = (x | bit, o | free) if first else (x | free, o | bit)
    return {name: (*shape, *sides) for name, sides in found.items()}


def _across(board: Board, move: str) -> str:
    """The move that mirrors a move, left and right exchanged."""
    names: list[str] = [name for name, _ in board.game.moves(_empty_board(board))]
    wide = len(signs_of(board)[0])
    row, column = divmod(names.index(move), wide)
    return names[wide * row + wide - 1 - column]


def _empty_board(board: Board) -> Any:
    *shape, _, _ = board.position
    return (*shape, 0, 0)


def _candidate(which: str, board: Board, given: Given) -> Moves | None:
    order: list[str] = given["boards"]
    return frozenset((order.index(which),)) if which in order else None


def _draw_result(stream: Draw) -> tuple[Tree, Given] | None:
    game = game_drawn(stream, "connect-four", *["tictactoe"] * 3)
    board = drawn(stream, (2, 5) if game == "tictactoe" else (3, 9), game)
    if over(board):
        return None
    move = stream.choose(board.game.moves(board.position))[0]
    found = _outcomes(board, move)
    if len(found) < len(RESULTS):
        return None
    order = stream.shuffle(RESULTS)
    given = stated(board, move=move, boards=list(order))
    return _shown(board, given), given


def _shown(board: Board, given: Given) -> Tree:
    """The tree with the boards to choose from."""
    found = _outcomes(board, given["move"])
    return candidates(board, [found[which] for which in given["boards"]])


def _by_squares(board: Board, given: Given) -> Moves:
    """The candidate that differs from the position in the right square alone, by the right sign."""
    names = [name for name, _ in board.game.moves(_empty_board(board))]
    wanted = put_at(signs_of(board), board.game.name, names.index(given["move"]))
    found = _outcomes(board, given["move"])
    rows = [board.game.rows(found[which]) for which in given["boards"]]
    return frozenset(number for number, signs in enumerate(rows) if signs == wanted)


def _a_result(board: Board, given: Given) -> str | None:
    if board.game.name == "nim" or over(board):
        return "a position of tic-tac-toe or connect four that is not over is needed"
    if given.word("move") not in dict(board.game.moves(board.position)):
        return "no legal move is given"
    order, found = given.get("boards"), _outcomes(board, given["move"])
    if not isinstance(order, list) or sorted(map(str, order)) != sorted(found):
        return "the boards to choose from are not given"
    return None


_CALLED = {
    "tictactoe": Phrase("Squares are called by row and column, as {corner}; the middle one is {middle}."),
    "connect-four": Phrase("Columns are called a, b, c and so on, from the left."),
}

_ADDED = {
    "tictactoe": Phrase(
        "The sign of who is to move is added on the square of that name: board {answer} from the left."
    ),
    "connect-four": Phrase(
        "The sign of who is to move falls to the lowest free place of that column: board {answer} from the "
        "left."
    ),
}

_RESULT = asking(
    "result",
    "To which position does a move lead?",
    replace(MOVE, alternatives=False, doubt=None),
    (
        lambda board, _given, language: (
            language.say(
                _CALLED[board.game.name],
                corner=move_named("top_left", language),
                middle=move_named("centre", language),
            ),
        ),
        Phrase("{player} moves to {move}. Which of the boards below is the result?"),
    ),
    (lambda board, given: _candidate("right", board, given) or frozenset(), _by_squares),
    {name: partial(_candidate, name) for name in RESULTS[1:]},
    lambda solved, board: (solved.language.say(_ADDED[board.game.name], answer=min(solved.key) + 1),),
    _draw_result,
    _a_result,
    gives=("boards", "game", "move", "position"),
    pictured=lambda solved: Pictured(
        solved.tree,
        solved.language.say("The position, and the boards to choose from; thick: the right one."),
        backed_up=False,
        line=(0, solved.tree.children[0][min(solved.key)]),
    ),
)


def _boards_shown(tree: Tree, rules: Rules, given: Given) -> str | None:
    why = _RESULT.suits(tree, rules, given)
    if len(tree) and (why or tree.attributes != _shown(the_board(given), given).attributes):
        return "the tree does not show the boards to choose from"
    return why


RESULT = replace(_RESULT, suits=_boards_shown, brings=True)

# Who moves, and is it over? ----------------------------------------------------------------------


def _mover_by_signs(board: Board, given: Given) -> bool:
    text = "".join(board.game.rows(board.position))
    return bool(given["said"] == "MAX") == (text.count("X") == text.count("O"))


def _someone(board: Board, given: Given) -> str | None:
    if board.game.name == "nim":
        return "in nim the position says who is to move"
    return None if given.get("said") in ("MAX", "MIN") else "who is said to move is not given"


def _draw_mover(stream: Draw) -> tuple[Tree, Given] | None:
    game = game_drawn(stream, "connect-four", "tictactoe", "tictactoe")
    board = drawn(stream, (1, 7) if game == "tictactoe" else (1, 12), game)
    if over(board):
        return None
    return alone(board), stated(board, said=stream.choose(("MAX", "MIN")))


MOVER = asking(
    "mover",
    "Whose move is it in a position?",
    TRUTH,
    (nothing, Phrase("True or false: it is the move of {said}.")),
    (lambda board, given: str(board.game.mover(board.position)) == given["said"], _mover_by_signs),
    {"turn-mistaken": lambda board, given: not _mover_by_signs(board, given)},
    partial(
        saying,
        Phrase(
            "MAX moves first and {x} X and {o} O are on the board, so {player} is to move: that is {answer}."
        ),
        player=lambda _solved, board: board.game.mover(board.position),
        x=lambda _solved, board: "".join(signs_of(board)).count("X"),
        o=lambda _solved, board: "".join(signs_of(board)).count("O"),
    ),
    _draw_mover,
    _someone,
    gives=("game", "position", "said"),
    said=lambda draw, _board: draw.choose(("MAX", "MIN")),
)


def _by_end(told: Mapping[str, Phrase], solved: Solved, board: Board) -> tuple[str, ...]:
    """The sentence that tells how it stands: who has a line, who took the last stone, or that it goes on."""
    result = board.game.utility(board.position)
    stands = "goes on" if result is None else "won" if result else "drawn"
    name = f"{stands}, nim" if board.game.name == "nim" else stands
    winner = Player.MAX if result == 1 else Player.MIN
    return saying(told[name], solved, board, player=lambda _solved, _board: winner)


_OVER = {
    "won": Phrase("{player} has a line, so the game is over: that is {answer}."),
    "drawn": Phrase("No square is free, so the game is over: that is {answer}."),
    "goes on": Phrase("Nobody has a line and squares are free, so the game goes on: that is {answer}."),
    "won, nim": Phrase("No stone is left, so the game is over: that is {answer}."),
    "goes on, nim": Phrase("There are stones left, so the game goes on: that is {answer}."),
}
"""Why a game is over, or goes on."""


def _standing(
    stream: Draw,
    wanted: object,
    plies: tuple[int, int],
    discs: tuple[int, int],
    stands: Callable[[Board], object],
) -> tuple[Tree, Given] | None:
    """A position that stands as is wanted, after some moves of tic-tac-toe or, more rarely, connect four."""
    game = game_drawn(stream, "connect-four", *["tictactoe"] * 3)
    for _ in range(TURNS):
        board = drawn(stream, plies if game == "tictactoe" else discs, game)
        if stands(board) == wanted:
            return alone(board), stated(board)
    return None


OVER = asking(
    "over",
    "Is a game over in a position?",
    TRUTH,
    (nothing, Phrase("True or false: the game is over.")),
    (lambda board, _given: over(board), lambda board, _given: not after_moves(board)),
    {
        "full-board-alone": lambda board, _given: (
            False if over(board) and free_squares(signs_of(board)) else None
        ),
        "threat-for-line": lambda board, _given: None if over(board) else True,
    },
    partial(_by_end, _OVER),
    lambda stream: _standing(stream, bool(stream.below(2)), (6, 8), (8, 15), over),
)


def _ending(board: Board) -> int | None:
    """The utility; None where the game goes on."""
    utility: int | None = board.game.utility(board.position)
    return utility


def _end_for_min(board: Board, given: Given) -> Numeral | None:
    """The utility from the side of MIN, which shows unless the game is drawn."""
    result = _ending(board)
    return Numeral(-result) if result else None


_WORTH = {
    "won": Phrase("{player} has a line and has won, so the position is worth {answer}."),
    "drawn": Phrase("Nobody has a line and no square is free: it is a draw, worth {answer}."),
    "won, nim": Phrase("{player} took the last stone and has won, so the position is worth {answer}."),
}
"""Why a game that is over is worth so much."""

UTILITY_KIND = asking(
    "utility",
    "What is the utility of a position in which the game is over?",
    OUTCOME,
    (utility_told, Phrase("What is its utility?")),
    (
        lambda board, _given: Numeral(_ending(board) or 0),
        lambda board, _given: Numeral(board_signs.worth(board)),
    ),
    {
        "worth-to-min": _end_for_min,
        "one-for-any-win": lambda board, _given: Numeral(1) if _ending(board) == -1 else None,
    },
    partial(_by_end, _WORTH),
    lambda stream: _standing(stream, stream.choose((-1, 0, 1)), (6, 9), (7, 16), _ending),
    lambda board, _given: None if over(board) else "the game is not over",
    pictured=picturing(lambda board: (_ending(board) or 0,), WITH_ITS_WORTH),
)
