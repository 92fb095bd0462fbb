"""What is a position worth, which moves are best, and how is it evaluated?"""

from collections.abc import Sequence
from dataclasses import replace

from grader.answers.move import MOVE, Moves
from grader.answers.numeral import Numeral
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.questions.board_position import board_signs
from grader.questions.board_position.board_questions import (
    MAX_DRAWS,
    NUMBER_ALONE,
    OUTCOME,
    POSITION_VALUE_CAPTION,
    draw_board,
    draw_evaluation_name,
    draw_game_name,
    draw_heaps,
    draw_position,
    over_objection,
    position_picture,
    position_question,
    utility_sentences,
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
    Board,
    board_given,
    board_of,
    evaluation_sentences,
    is_in_progress,
    is_over,
    leaf_value,
    move_label,
    one_ply_tree,
    single_position_tree,
    with_move_labels,
)
from grader.questions.given import NOTHING_GIVEN, Given
from grader.questions.kind import Kind
from grader.questions.randomness import Draw
from grader.questions.reasons import SolvedExercise
from grader.trees.games.optimal_play import optimal_result, optimal_results, possible_results
from grader.trees.tree import Player, Tree

# What is it worth? -------------------------------------------------------------------------------


def _swapped(board: Board, given: Given) -> Numeral | None:
    """What it is worth to players who take each other's choices; it shows where that is wrong."""
    return _if_wrong(board, optimal_result(board.game, board.position, swapped=True))


def _hoped(board: Board, given: Given) -> Numeral | None:
    """What the player to move would like best of all that can come; it shows where that is wrong."""
    best = max if board.game.mover(board.position) is Player.MAX else min
    return _if_wrong(board, best(possible_results(board.game, board.position)))


def _if_wrong(board: Board, said: int) -> Numeral | None:
    return None if said == optimal_result(board.game, board.position) else Numeral(said)


def _moves_told(solved: SolvedExercise, board: Board) -> tuple[str, ...]:
    """What every move leads to, and what the root makes of it."""
    say = solved.language.say
    names = [move_label(name, solved.language) for name, _ in board.game.moves(board.position)]
    worths = dict(zip(names, _worths(board), strict=True))
    told = [
        say("{move} leads to a position worth {value}.", move=name, value=solved.value_text(value))
        for name, value in worths.items()
    ]
    best = optimal_result(board.game, board.position)
    good = [name for name, value in worths.items() if value == best]
    told.append(
        say(
            "At the root {player} takes the best of these values, which is {value}: {moves}.",
            player=board.game.mover(board.position),
            value=solved.value_text(best),
            moves=solved.language.join_and(good),
        )
    )
    return tuple(told)


def _drawn_always(board: Board, given: Given) -> Numeral | None:
    """A draw, as the game is from its start; None where it is one."""
    return (
        Numeral(0) if board.game.name == "tictactoe" and optimal_result(board.game, board.position) else None
    )


def _near_end(stream: Draw, game: str, signs: tuple[int, int]) -> Board:
    """A position of which all that can follow is told in a moment; so many signs are in tic-tac-toe."""
    if game == "nim":
        return draw_heaps(stream, 3)
    return draw_board(stream, (9, 12) if game == "connect-four" else signs, game)


def _draw_value(stream: Draw) -> tuple[Tree, Given] | None:
    """As often won as drawn as lost; tic-tac-toe near its end, and as rarely connect four as nim."""
    game = draw_game_name(stream, "nim", "connect-four", "tictactoe", "tictactoe")
    wanted = stream.choose((-1, 1) if game == "nim" else (-1, 0, 1))
    for _ in range(MAX_DRAWS):
        board = _near_end(stream, game, (5, 6))
        if is_over(board) or optimal_result(board.game, board.position) != wanted:
            continue
        if _swapped(board, NOTHING_GIVEN) or _hoped(board, NOTHING_GIVEN):
            return single_position_tree(board), board_given(board)
    return None


VALUE = position_question(
    "value",
    "What is the value of a position under optimal play?",
    OUTCOME,
    (utility_sentences, Phrase("What is the value of the position if both players play optimally?")),
    (
        lambda board, _given: Numeral(optimal_result(board.game, board.position)),
        lambda board, _given: Numeral(board_signs.value_by_signs(board)),
    ),
    {
        "players-swapped": _swapped,
        "ignores-opponent": _hoped,
        "always-a-draw": _drawn_always,
    },
    _moves_told,
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


def _worths(board: Board) -> list[int]:
    """What every move leads to, to both who play as well as they can."""
    known = optimal_results(board.game, board.position)
    return [known[after] for _, after in board.game.moves(board.position)]


def _best_moves(board: Board, given: Given) -> Moves:
    return _best(_worths(board), board.game.mover(board.position))


def _best_by_signs(board: Board, given: Given) -> Moves:
    return _best(
        [board_signs.value_by_signs(after) for after in successor_boards(board)], player_to_move(board)
    )


def _best_for_other(board: Board, given: Given) -> Moves:
    other = Player.MIN if board.game.mover(board.position) is Player.MAX else Player.MAX
    return _best(_worths(board), other)


def _by_open_lines(board: Board, given: Given) -> Moves | None:
    """The move after which most lines are open, without looking at what is answered."""
    usual = board.game.evaluation(None)
    if usual is None:
        return None
    after = [Board(board.game, position, usual) for _, position in board.game.moves(board.position)]
    return _best([leaf_value(each) or 0 for each in after], board.game.mover(board.position))


NAMED_MOVE = replace(
    MOVE, ask=Phrase("Write the label of the branch, or the number of the move from the left.")
)


def _draw_move(stream: Draw) -> tuple[Tree, Given] | None:
    board = _near_end(stream, draw_game_name(stream, "nim", "connect-four", *["tictactoe"] * 4), (4, 6))
    if is_over(board) or not len(_best_moves(board, Given())) <= 2 < len(board.game.moves(board.position)):
        return None
    return with_move_labels(one_ply_tree(board), stream.language), board_given(board)


def _moves_shown(tree: Tree, board: Board) -> bool:
    shown = one_ply_tree(board)
    return (tree.parents, tree.attributes) == (shown.parents, shown.attributes)


MOVE_KIND: Kind[Moves] = position_question(
    "move",
    "Which moves in a position are best?",
    NAMED_MOVE,
    (utility_sentences, Phrase("Which move should {player} make?")),
    (_best_moves, _best_by_signs),
    {"players-swapped": _best_for_other, "open-lines-alone": _by_open_lines},
    _moves_told,
    _draw_move,
    over_objection,
    pictured=position_picture(
        _worths, Phrase("The position after every move, and its value; thick: a best move.")
    ),
)
BEST_MOVE = replace(
    MOVE_KIND,
    annotates_tree=True,
    objection=lambda case: (
        MOVE_KIND.objection(case)
        or (
            None
            if _moves_shown(case.tree, board_of(case.given))
            else "the tree does not show the moves of the position"
        )
    ),
)

# How is it evaluated? ----------------------------------------------------------------------------


def _evaluated(board: Board, given: Given, language: Language) -> tuple[str, ...]:
    return evaluation_sentences(board, language)


def _evaluation_of(board: Board, given: Given) -> Numeral:
    return Numeral(leaf_value(board) or 0)


def _other_evaluation(board: Board, given: Given) -> Numeral | None:
    others = [each for each in board.game.evaluations if each is not board.evaluation]
    return Numeral(others[0].value(board.position)) if others else None


def _own_lines(board: Board, given: Given) -> Numeral | None:
    """What X alone counts: the lines in which there is no O."""
    if board.evaluation is None or board.evaluation.name != "open-lines":
        return None
    return Numeral(open_for(signs_of(board), board.game.name, "O"))


def _lines_counted(solved: SolvedExercise, board: Board) -> tuple[str, ...]:
    """How many lines are open for whom, and what that comes to."""
    say, rows, game = solved.language.say, signs_of(board), board.game.name
    answer = solved.value_text(solved.key.value)
    assert board.evaluation is not None, "nothing is asked where there is no evaluation"
    if board.evaluation.name == "open-lines":
        open_x, open_o = open_for(rows, game, "O"), open_for(rows, game, "X")
        told = say(
            "Lines without an O: {x}. Lines without an X: {o}. So the evaluation is {x} − {o} = {answer}.",
            x=open_x,
            o=open_o,
            answer=answer,
        )
        return (told,)
    numbers = {
        f"{sign.lower()}{count}": lines_with(rows, game, sign, count) for sign in "XO" for count in (1, 2)
    }
    return (
        say(
            "Here X2 = {x2}, X1 = {x1}, O2 = {o2} and O1 = {o1}. "
            "So the evaluation is 3·{x2} + {x1} − (3·{o2} + {o1}) = {answer}.",
            answer=answer,
            **numbers,
        ),
    )


def _draw_evaluation(stream: Draw) -> tuple[Tree, Given] | None:
    if draw_game_name(stream, "connect-four", *["tictactoe"] * 4) == "connect-four":
        return draw_position(stream, (3, 9), is_in_progress, game="connect-four", evaluation="open-lines")
    return draw_position(
        stream, (2, 6), is_in_progress, evaluation=stream.choose(("open-lines", "lines-by-count"))
    )


EVALUATION = position_question(
    "evaluation",
    "What is the static evaluation of a position?",
    NUMBER_ALONE,
    (_evaluated, Phrase("What is the evaluation of the position?")),
    (_evaluation_of, lambda board, _given: Numeral(evaluate_signs(signs_of(board), board))),
    {
        "players-swapped": lambda board, _given: Numeral(-(leaf_value(board) or 0)),
        "other-evaluation": _other_evaluation,
        "own-lines-alone": _own_lines,
    },
    _lines_counted,
    _draw_evaluation,
    lambda board, given: (
        over_objection(board, given) or (None if board.evaluation else "no evaluation is given")
    ),
    gives=("evaluation", "game", "position"),
    evaluation=draw_evaluation_name,
    pictured=position_picture(
        lambda board: (leaf_value(board) or 0,), Phrase("The position, with its evaluation below.")
    ),
)
