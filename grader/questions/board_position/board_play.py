"""Questions about the value of a position, its best moves, and its evaluation."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from grader.answers.move import MOVE, Moves
from grader.answers.numeral import Numeral
from grader.base.numbers import Number
from grader.base.phrases import Phrase
from grader.questions.board_position import board_signs
from grader.questions.board_position.board_questions import (
    NUMBER_ALONE,
    OUTCOME,
    POSITION_VALUE_CAPTION,
    board_alone,
    draw_board,
    draw_evaluation_name,
    over_objection,
    position_picture,
    position_question,
)
from grader.questions.board_position.board_signs import (
    evaluate_signs,
    lines_with,
    open_for,
    player_to_move,
    signs_of,
    successor_boards,
)
from grader.questions.board_position.boards import (
    UTILITY,
    Board,
    board_given,
    board_of,
    evaluation_sentences,
    is_in_progress,
    is_over,
    leaf_value,
    move_label,
    one_ply_tree,
    with_move_labels,
)
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.kind import Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise
from grader.trees.games.optimal_play import optimal_result, optimal_results, possible_results
from grader.trees.tree import Player, Tree

# What students read ------------------------------------------------------------------------------

QUESTION_VALUE = Phrase("What is the value of the position if both players play optimally?")
MOVE_VALUE = Phrase("{move} leads to a position worth {value}.")
ROOT_VALUE = Phrase("The best that {player} can get at the root is {value}, with {moves}.")

QUESTION_MOVE = Phrase("Which move should {player} make?")
MOVE_LABEL = Phrase("Write the label of the branch, or the number of the move, counted from the left.")
CAPTION_MOVES = Phrase(
    "The position after each move, with its value. A best move is drawn with a thick line."
)

QUESTION_EVALUATION = Phrase("What is the evaluation of the position?")
WHY_OPEN_LINES = Phrase(
    "The number of lines without an O is {x}, and the number without an X is {o}. "
    "So the evaluation is {x} − {o} = {answer}."
)
WHY_LINES_BY_COUNT = Phrase(
    "Here X2 = {x2}, X1 = {x1}, O2 = {o2}, and O1 = {o1}. "
    "So the evaluation is 3·{x2} + {x1} − (3·{o2} + {o1}) = {answer}."
)
CAPTION_EVALUATION = Phrase("The position, with its evaluation below.")

# The value of a position -------------------------------------------------------------------------------


def _swapped(board: Board, given: Given) -> Numeral | None:
    """Return the value if the players are swapped; None if that is the correct one."""
    return _if_wrong(board, optimal_result(board.game, board.position, swapped=True))


def _mover_alone(mover: Player, board: Board, given: Given) -> Numeral | None:
    """Return the value if the player to move also made the other's moves; None if that is correct."""
    if board.game.mover(board.position) is not mover:
        return None
    best = max if mover is Player.MAX else min
    return _if_wrong(board, best(possible_results(board.game, board.position)))


def _if_wrong(board: Board, value: int) -> Numeral | None:
    return None if value == optimal_result(board.game, board.position) else Numeral(value)


def _explain_moves(solved: SolvedExercise, board: Board) -> tuple[str, ...]:
    """Say what every move leads to, and the value of the root."""
    say = solved.language.say
    names = [move_label(name, solved.language) for name, _ in board.game.moves(board.position)]
    worths = dict(zip(names, _move_values(board), strict=True))
    moves = (say(MOVE_VALUE, move=name, value=solved.value_text(value)) for name, value in worths.items())
    best = optimal_result(board.game, board.position)
    best_moves = [name for name, value in worths.items() if value == best]
    root = say(
        ROOT_VALUE,
        player=board.game.mover(board.position),
        value=solved.value_text(best),
        moves=solved.language.join_and(best_moves),
    )
    return (*moves, root)


def _always_a_draw(board: Board, given: Given) -> Numeral | None:
    """Return the value of a draw, which tic-tac-toe is from its start; None if that is correct."""
    return (
        Numeral(0) if board.game.name == "tictactoe" and optimal_result(board.game, board.position) else None
    )


VALUE_SIZES = {"tictactoe": (5,), "connect-four": (10,), "nim": (3,)}
"""How many marks are on the board, in nim the most stones in a heap: few moves are left, for all alike."""


def _telling_value(board: Board) -> int | None:
    """Return the value of a position, or None if the game is over or most mistakes lead to the value."""
    if is_over(board):
        return None
    mover = board.game.mover(board.position)
    is_telling = _swapped(board, NOTHING_GIVEN) or _mover_alone(mover, board, NOTHING_GIVEN)
    return optimal_result(board.game, board.position) if is_telling else None


def _draw_value(stream: Draw) -> tuple[Tree, Given] | None:
    """Draw a position, equally often won, drawn and lost; nim has no draws."""
    return board_alone(draw_board(stream, VALUE_SIZES, _telling_value, stream.choose((-1, 0, 1))))


VALUE = position_question(
    "value",
    "What is the value of a position under optimal play?",
    OUTCOME,
    (QUESTION_VALUE, UTILITY),
    (
        lambda board, _given: Numeral(optimal_result(board.game, board.position)),
        lambda board, _given: Numeral(board_signs.value_by_signs(board)),
    ),
    {
        "players-swapped": _swapped,
        "ignores-opponent": partial(_mover_alone, Player.MAX),
        "ignores-max": partial(_mover_alone, Player.MIN),
        "always-a-draw": _always_a_draw,
    },
    _explain_moves,
    _draw_value,
    over_objection,
    pictured=position_picture(
        lambda board: (optimal_result(board.game, board.position),), POSITION_VALUE_CAPTION
    ),
)

# Which moves are best? ---------------------------------------------------------------------------


def _best(values: Sequence[Number], player: Player) -> Moves:
    best = (max if player is Player.MAX else min)(values)
    return frozenset(place for place, value in enumerate(values) if value == best)


def _move_values(board: Board, *, swapped: bool = False) -> list[int]:
    """Return the value of every move under optimal play; `swapped` is a mistake: MAX minimizes."""
    results = optimal_results(board.game, board.position, swapped=swapped)
    return [results[after] for _, after in board.game.moves(board.position)]


def _best_moves(board: Board, given: Given) -> Moves:
    return _best(_move_values(board), board.game.mover(board.position))


def _best_by_signs(board: Board, given: Given) -> Moves:
    return _best(
        [board_signs.value_by_signs(after) for after in successor_boards(board)], player_to_move(board)
    )


def _best_if_swapped(board: Board, given: Given) -> Moves:
    """Return the best moves of the game in which MAX minimizes and MIN maximizes."""
    other = Player.MIN if board.game.mover(board.position) is Player.MAX else Player.MAX
    return _best(_move_values(board, swapped=True), other)


def _by_open_lines(board: Board, given: Given) -> Moves | None:
    """Return the moves after which most lines are open, without looking at replies.

    None for a game without lines.
    """
    usual = board.game.evaluation(None)
    if usual is None:
        return None
    after = [Board(board.game, position, usual) for _, position in board.game.moves(board.position)]
    return _best([leaf_value(each) or 0 for each in after], board.game.mover(board.position))


NAMED_MOVE = replace(MOVE, ask=MOVE_LABEL)


MOVE_SIZES = {**VALUE_SIZES, "tictactoe": (4,)}
"""The same with one more move to choose from in tic-tac-toe."""


def _has_telling_moves(board: Board) -> bool:
    """Check that one or two of at least three moves are best, and that all known mistakes lead to others."""
    if is_over(board):
        return False
    best = _best_moves(board, NOTHING_GIVEN)
    mistaken = _best_if_swapped(board, NOTHING_GIVEN) | (_by_open_lines(board, NOTHING_GIVEN) or frozenset())
    return len(best) <= 2 < len(board.game.moves(board.position)) and not best & mistaken


def _draw_move(stream: Draw) -> tuple[Tree, Given] | None:
    board = draw_board(stream, MOVE_SIZES, _has_telling_moves)
    if board is None:
        return None
    return with_move_labels(one_ply_tree(board), stream.language), board_given(board)


def _shows_moves(tree: Tree, board: Board) -> bool:
    expected = one_ply_tree(board)
    return (tree.parents, tree.attributes) == (expected.parents, expected.attributes)


MOVE_KIND: Kind[Moves] = position_question(
    "move",
    "Which moves in a position are best?",
    NAMED_MOVE,
    (QUESTION_MOVE, UTILITY),
    (_best_moves, _best_by_signs),
    {"players-swapped": _best_if_swapped, "open-lines-alone": _by_open_lines},
    _explain_moves,
    _draw_move,
    over_objection,
    pictured=position_picture(_move_values, CAPTION_MOVES),
)
BEST_MOVE = replace(
    MOVE_KIND,
    annotates_tree=True,
    objection=lambda case: (
        MOVE_KIND.objection(case)
        or (
            None
            if _shows_moves(case.tree, board_of(case.given))
            else "the tree does not show the moves of the position"
        )
    ),
)

# How is it evaluated? ----------------------------------------------------------------------------


def _other_evaluation(board: Board, given: Given) -> Numeral | None:
    others = [each for each in board.game.evaluations if each is not board.evaluation]
    return Numeral(others[0].value(board.position)) if others else None


def _own_lines(board: Board, given: Given) -> Numeral | None:
    """Return the number of lines without an O, which is half of the evaluation by open lines.

    It is None for any other evaluation.
    """
    if board.evaluation is None or board.evaluation.name != "open-lines":
        return None
    return Numeral(open_for(signs_of(board), board.game.name, "O"))


def _explain_evaluation(solved: SolvedExercise, board: Board) -> tuple[str, ...]:
    """Say how many lines are open for whom, and what that comes to."""
    say, rows, game = solved.language.say, signs_of(board), board.game.name
    answer = solved.value_text(solved.key.value)
    assert board.evaluation is not None, "nothing is asked where there is no evaluation"
    if board.evaluation.name == "open-lines":
        open_x, open_o = open_for(rows, game, "O"), open_for(rows, game, "X")
        return (say(WHY_OPEN_LINES, x=open_x, o=open_o, answer=answer),)
    numbers = {
        f"{sign.lower()}{count}": lines_with(rows, game, sign, count) for sign in "XO" for count in (1, 2)
    }
    return (say(WHY_LINES_BY_COUNT, answer=answer, **numbers),)


EVALUATION_SIZES = {"tictactoe": (4,), "connect-four": (6,)}
"""How many marks are on the board."""

EVALUATION = position_question(
    "evaluation",
    "What is the static evaluation of a position?",
    NUMBER_ALONE,
    (QUESTION_EVALUATION, evaluation_sentences),
    (
        lambda board, _given: Numeral(leaf_value(board) or 0),
        lambda board, _given: Numeral(evaluate_signs(signs_of(board), board)),
    ),
    {
        "side-of-o": lambda board, _given: Numeral(-(leaf_value(board) or 0)),
        "other-evaluation": _other_evaluation,
        "own-lines-alone": _own_lines,
    },
    _explain_evaluation,
    lambda stream: board_alone(draw_board(stream, EVALUATION_SIZES, is_in_progress, is_evaluated=True)),
    lambda board, given: (
        over_objection(board, given) or (None if board.evaluation else "no evaluation is given")
    ),
    gives=("evaluation", "game", "position"),
    evaluation=draw_evaluation_name,
    pictured=position_picture(lambda board: (leaf_value(board) or 0,), CAPTION_EVALUATION),
)
