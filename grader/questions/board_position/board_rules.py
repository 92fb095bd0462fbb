"""What follows from the rules of a game: legal moves, results, the player to move, the end, and utilities?"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from grader.answers.count import count_form
from grader.answers.move import MOVE, Moves
from grader.answers.numeral import Numeral
from grader.answers.truth import TRUTH
from grader.base.phrases import Language, Phrase
from grader.questions.board_position import board_signs
from grader.questions.board_position.board_questions import (
    OUTCOME,
    POSITION_VALUE_CAPTION,
    answer_sentence,
    board_alone,
    draw_board,
    position_picture,
    position_question,
)
from grader.questions.board_position.board_signs import free_squares, put_at, signs_of, successor_boards
from grader.questions.board_position.boards import (
    UTILITY,
    Board,
    board_given,
    board_of,
    candidate_boards_tree,
    is_in_progress,
    is_over,
    move_label,
    single_position_tree,
)
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.key_picture import KeyPicture
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise
from grader.trees.tree import Player, Tree

# What students read ------------------------------------------------------------------------------

QUESTION_LEGAL = Phrase("How many legal moves are there?")
_SQUARES = Phrase("The number of legal moves is {answer}: one for every empty square.")
WHY_LEGAL = {
    "tictactoe": _SQUARES,
    "connect-four": Phrase("The number of legal moves is {answer}: one for every column that is not full."),
    "nim": Phrase(
        "The number of legal moves is {answer}: "
        "a player can take any number of stones from 1 to n from a heap of n stones."
    ),
}
WHY_NOTHING_LEGAL = {
    "won": Phrase("{player} has a line, so the game is over: there are {answer} legal moves."),
    "drawn": Phrase("No square is empty, so the game is over: there are {answer} legal moves."),
    "won, nim": Phrase("No stone is left, so the game is over: there are {answer} legal moves."),
}

QUESTION_RESULT = Phrase("Which board below results if {player} moves to {move}?")
LABELS_OF_MOVES = {
    "tictactoe": Phrase(
        "Squares are named by row and column, for example {corner}; the middle square is {middle}."
    ),
    "connect-four": Phrase("Columns are labeled a, b, c, and so on, from left to right."),
}
BOARD_LETTER = Phrase("Write the letter of the board.")
WHY_RESULT = {
    "tictactoe": Phrase("The player to move places a mark on that square. The result is board {board}."),
    "connect-four": Phrase(
        "The disc of the player to move falls to the lowest empty square of that column. "
        "The result is board {board}."
    ),
}
CAPTION_RESULT = Phrase(
    "The position and the boards to choose from. The branch to the correct board is drawn with a thick line."
)

QUESTION_MOVER = Phrase("True or false: it is {said}'s turn to move.")
WHY_MOVER = Phrase(
    "MAX moves first. The number of Xs on the board is {x}, and the number of Os is {o}. "
    "So it is {player}'s turn to move, and the answer is {answer}."
)

QUESTION_OVER = Phrase("True or false: the game is over.")
WHY_OVER = {
    "won": Phrase("{player} has a line, so the game is over: the answer is {answer}."),
    "drawn": Phrase("No square is empty, so the game is over: the answer is {answer}."),
    "goes on": Phrase(
        "Neither player has a line, and there are empty squares, so the game continues: "
        "the answer is {answer}."
    ),
    "won, nim": Phrase("No stones are left, so the game is over: the answer is {answer}."),
    "goes on, nim": Phrase("There are stones left, so the game continues: the answer is {answer}."),
}

QUESTION_UTILITY = Phrase("What is the utility of the position?")
WHY_UTILITY = {
    "won": Phrase("{player} has a line and has won, so the position is worth {answer}."),
    "drawn": Phrase("Neither player has a line, and no square is empty. The game is a draw, worth {answer}."),
    "won, nim": Phrase("{player} took the last stone and has won, so the position is worth {answer}."),
}

# Legal moves and results ---------------------------------------------------------------------------


def _moves_by_signs(board: Board, given: Given) -> Numeral:
    """Count the legal moves on the board as it is printed."""
    return Numeral(len(successor_boards(board)))


def _every_square(board: Board, given: Given) -> Numeral | None:
    """Count the squares of tic-tac-toe or the columns of connect four; None for nim."""
    rows = signs_of(board)
    return {"connect-four": Numeral(len(rows[0])), "tictactoe": Numeral(9)}.get(board.game.name)


def _one_move_a_heap(board: Board, given: Given) -> Numeral | None:
    """Count the heaps of nim that are not empty; None for other games."""
    heaps = board.text.replace("MIN", "").split()
    return Numeral(sum(heap != "0" for heap in heaps)) if board.game.name == "nim" else None


LEGAL_SIZES = {"tictactoe": (7,), "connect-four": (11,), "nim": (6,)}
"""How many marks are on the board, in nim the most stones in a heap."""


def _may_mislead(board: Board) -> bool:
    """Return whether a game of tic-tac-toe is over, or another one goes on."""
    return is_over(board) is (board.game.name == "tictactoe")


LEGAL = position_question(
    "legal",
    "How many legal moves are there in a position?",
    count_form(one="move", many=Phrase("moves"), among=lambda _tree: 0),
    (QUESTION_LEGAL,),
    (lambda board, _given: Numeral(len(board.game.moves(board.position))), _moves_by_signs),
    {
        "every-empty-square": lambda board, _given: (
            None if board.game.name == "nim" else Numeral(free_squares(signs_of(board)))
        ),
        "every-square": _every_square,
        "one-move-a-heap": _one_move_a_heap,
    },
    lambda solved, board: (
        _by_outcome(WHY_NOTHING_LEGAL, solved, board)
        if is_over(board)
        else answer_sentence(WHY_LEGAL[board.game.name], solved)
    ),
    lambda stream: board_alone(draw_board(stream, LEGAL_SIZES, _may_mislead)),
)


RESULTS = ("right", "other-player", "mirrored", "moved-twice")
"""The boards among which students choose: the result of a move and those of mistakes."""


def _outcomes(board: Board, move: str) -> dict[str, Any]:
    """Return the board after a move and those of mistakes: the other mark, a mirrored square, two marks."""
    *shape, x, o = board.position
    before: int = x | o
    after = dict(board.game.moves(board.position))

    def put(name: str) -> int:
        occupied: int = after[name][-2] | after[name][-1]
        return occupied ^ before

    bit, free = put(move), put(mirror) if (mirror := _mirrored(board, move)) in after else 0
    first = board.game.mover(board.position) is Player.MAX
    right, other = ((x | bit, o), (x, o | bit)) if first else ((x, o | bit), (x | bit, o))
    found = {"right": right, "other-player": other}
    if free and free != bit:
        found["mirrored"] = (x | free, o) if first else (x, o | free)
        found["moved-twice"] = (x | bit, o | free) if first else (x | free, o | bit)
    return {name: (*shape, *sides) for name, sides in found.items()}


def _mirrored(board: Board, move: str) -> str:
    """Return the mirror image of a move, left and right exchanged."""
    names: list[str] = [name for name, _ in board.game.moves(_empty_board(board))]
    wide = len(signs_of(board)[0])
    row, column = divmod(names.index(move), wide)
    return names[wide * row + wide - 1 - column]


def _empty_board(board: Board) -> Any:
    *shape, _, _ = board.position
    return (*shape, 0, 0)


def _candidate(letter: str, board: Board, given: Given) -> Moves | None:
    order: list[str] = given["boards"]
    return frozenset((order.index(letter),)) if letter in order else None


RESULT_SIZES = {"tictactoe": (4,), "connect-four": (6,)}
"""How many marks are on the board."""


def _draw_result(stream: Draw) -> tuple[Tree, Given] | None:
    """Draw a position and a move with a different board for each result; None if there is none."""
    board = draw_board(stream, RESULT_SIZES, is_in_progress)
    if board is None:
        return None
    names = [name for name, _ in board.game.moves(board.position)]
    moves = [name for name in names if len(_outcomes(board, name)) == len(RESULTS)]
    if not moves:
        return None
    given = board_given(board, move=stream.choose(moves), boards=list(stream.shuffle(RESULTS)))
    return _boards_tree(board, given), given


BOARD_LETTERS = ("P", "Q", "R", "S")
"""The letters of the boards to choose from: none is a mark or the label of a column."""


def _boards_tree(board: Board, given: Given) -> Tree:
    """Return the tree with the boards to choose from."""
    outcomes = _outcomes(board, given["move"])
    boards = zip(BOARD_LETTERS, given["boards"], strict=True)
    return candidate_boards_tree(board, {letter: outcomes[outcome] for letter, outcome in boards})


def _result_by_squares(board: Board, given: Given) -> Moves:
    """Return the board that differs from the position only by the correct mark on the correct square."""
    names = [name for name, _ in board.game.moves(_empty_board(board))]
    wanted = put_at(signs_of(board), board.game.name, names.index(given["move"]))
    outcomes = _outcomes(board, given["move"])
    rows = [board.game.rows(outcomes[outcome]) for outcome in given["boards"]]
    return frozenset(number for number, signs in enumerate(rows) if signs == wanted)


def _labels_of_moves(case: Case, language: Language) -> str:
    """Say how the squares or columns are called to which moves are made."""
    corner, middle = move_label("top_left", language), move_label("centre", language)
    return language.say(LABELS_OF_MOVES[board_of(case.given).game.name], corner=corner, middle=middle)


def _result_objection(board: Board, given: Given) -> str | None:
    """Return why the result of a move cannot be asked, or None.

    The game must not be nim or over, the move must be legal, and the offered boards must be all outcomes.
    """
    if board.game.name == "nim" or is_over(board):
        return "a position of tic-tac-toe or connect four that is not over is needed"
    if given.text("move") not in dict(board.game.moves(board.position)):
        return "no legal move is given"
    order, found = given.get("boards"), _outcomes(board, given["move"])
    if not isinstance(order, list) or sorted(map(str, order)) != sorted(found):
        return "the boards to choose from are not given"
    return None


_RESULT = position_question(
    "result",
    "Which position results from a move?",
    replace(MOVE, ask=BOARD_LETTER, has_alternatives=False, key_remark=None),
    (QUESTION_RESULT, _labels_of_moves),
    (lambda board, given: _candidate("right", board, given) or frozenset(), _result_by_squares),
    {name: partial(_candidate, name) for name in RESULTS[1:]},
    lambda solved, board: (
        solved.language.say(
            WHY_RESULT[board.game.name],
            board=solved.tree.names[solved.tree.children[0][min(solved.key)]],
        ),
    ),
    _draw_result,
    _result_objection,
    gives=("boards", "game", "move", "position"),
    pictured=lambda solved: KeyPicture(
        solved.tree,
        solved.language.say(CAPTION_RESULT),
        shows_backed_up_values=False,
        line=(0, solved.tree.children[0][min(solved.key)]),
    ),
)


def _boards_objection(case: Case) -> str | None:
    """Return the objection to the position or the move, or that the tree shows other boards."""
    why = _RESULT.objection(case)
    if len(case.tree) and (
        why or case.tree.attributes != _boards_tree(board_of(case.given), case.given).attributes
    ):
        return "the tree does not show the boards to choose from"
    return why


RESULT = replace(_RESULT, objection=_boards_objection, annotates_tree=True)

# Who moves, and is it over? ----------------------------------------------------------------------


def _mover_by_signs(board: Board, given: Given) -> bool:
    text = "".join(board.game.rows(board.position))
    return bool(given["said"] == "MAX") == (text.count("X") == text.count("O"))


def _mover_objection(board: Board, given: Given) -> str | None:
    if board.game.name == "nim":
        return "in nim the position says who is to move"
    return None if given.get("said") in ("MAX", "MIN") else "who is said to move is not given"


MOVER_SIZES = {"tictactoe": (5, 6), "connect-four": (7, 8)}
"""How many marks are on the board, so that either player may be to move."""


def _draw_mover(stream: Draw) -> tuple[Tree, Given] | None:
    board = draw_board(stream, MOVER_SIZES, is_in_progress)
    if board is None:
        return None
    return single_position_tree(board), board_given(board, said=stream.choose(("MAX", "MIN")))


def _explain_mover(solved: SolvedExercise, board: Board) -> tuple[str, ...]:
    """Say how many marks of each player are on the board."""
    player, marks = board.game.mover(board.position), "".join(signs_of(board))
    return answer_sentence(WHY_MOVER, solved, player=player, x=marks.count("X"), o=marks.count("O"))


MOVER = position_question(
    "mover",
    "Which player is to move in a position?",
    TRUTH,
    (QUESTION_MOVER,),
    (lambda board, given: str(board.game.mover(board.position)) == given["said"], _mover_by_signs),
    {"turn-mistaken": lambda board, given: not _mover_by_signs(board, given)},
    _explain_mover,
    _draw_mover,
    _mover_objection,
    gives=("game", "position", "said"),
    said=lambda draw, _board: draw.choose(("MAX", "MIN")),
)


def _by_outcome(reasons: Mapping[str, Phrase], solved: SolvedExercise, board: Board) -> tuple[str, ...]:
    """Return the reason for how the game stands: won, drawn, or that it goes on."""
    result = board.game.utility(board.position)
    outcome = "goes on" if result is None else "won" if result else "drawn"
    name = f"{outcome}, nim" if board.game.name == "nim" else outcome
    winner = Player.MAX if result == 1 else Player.MIN
    return answer_sentence(reasons[name], solved, player=winner)


OVER_SIZES = {"tictactoe": (7,), "connect-four": (11,)}
"""How many marks are on the board: X has moved last, and may have won by that."""

OVER = position_question(
    "over",
    "Is the game over in a position?",
    TRUTH,
    (QUESTION_OVER,),
    (lambda board, _given: is_over(board), lambda board, _given: not successor_boards(board)),
    {
        "full-board-alone": lambda board, _given: (
            False if is_over(board) and free_squares(signs_of(board)) else None
        ),
        "threat-for-line": lambda board, _given: None if is_over(board) else True,
    },
    partial(_by_outcome, WHY_OVER),
    lambda stream: board_alone(draw_board(stream, OVER_SIZES, is_over, stream.choose((False, True)))),
)


def _ending(board: Board) -> int | None:
    """Return the utility; None if the game goes on."""
    utility: int | None = board.game.utility(board.position)
    return utility


def _end_for_min(board: Board, given: Given) -> Numeral | None:
    """Return the utility from the side of MIN; None for a draw, for which it is the same."""
    result = _ending(board)
    return Numeral(-result) if result else None


UTILITY_SIZES = {"tictactoe": (7, 8, 9), "connect-four": (14, 15, 16)}
"""How many marks are on the board: it is full after a draw, and nearly so after a win of either player."""

UTILITY_KIND = position_question(
    "utility",
    "What is the utility of a terminal position?",
    OUTCOME,
    (QUESTION_UTILITY, UTILITY),
    (
        lambda board, _given: Numeral(_ending(board) or 0),
        lambda board, _given: Numeral(board_signs.value_by_signs(board)),
    ),
    {
        "worth-to-min": _end_for_min,
        "one-for-any-win": lambda board, _given: Numeral(1) if _ending(board) == -1 else None,
    },
    partial(_by_outcome, WHY_UTILITY),
    lambda stream: board_alone(draw_board(stream, UTILITY_SIZES, _ending, stream.choose((-1, 0, 1)))),
    lambda board, _given: None if is_over(board) else "the game is not over",
    pictured=position_picture(lambda board: (_ending(board) or 0,), POSITION_VALUE_CAPTION),
)
