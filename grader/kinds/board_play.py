"""What is a position worth, which moves are best, and how is it evaluated?"""

from collections.abc import Sequence
from dataclasses import replace

from grader.answers.move import MOVE, Moves
from grader.answers.numeral import Numeral
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase
from grader.games.optimal_play import worth
from grader.games.unfolding import unfold
from grader.kinds.board_asking import NUMBER_ALONE, TURNS, asking, drawn, is_on, one, saying, utility_told
from grader.kinds.boards import (
    Board,
    alone,
    game_named,
    leaf_worth,
    move_named,
    one_move,
    over,
    stated,
    the_board,
    the_evaluation,
    with_moves_named,
)
from grader.kinds.given import Given
from grader.kinds.kind import Kind
from grader.kinds.randomness import Draw
from grader.kinds.why import Solved
from grader.rules import Rules
from grader.solvers.minimax import minimax
from grader.solvers.mistaken import mistaken_values
from grader.solvers.searching import search
from grader.tree import Player, Tree

# What is it worth? -------------------------------------------------------------------------------


def _worth_by_search(board: Board, given: Given) -> Numeral:
    """By alpha-beta search of the whole tree, which knows nothing of positions met before."""
    tree = unfold(board.game, board.position).tree
    returned = search(tree, Rules(), traced=False).returned[0]
    return Numeral(int(returned or 0))


def _swapped(board: Board, given: Given) -> Numeral:
    tree = unfold(board.game, board.position).tree
    value = mistaken_values(tree, "players-swapped")[0]
    return Numeral(value if not isinstance(value, tuple) else 0)


def _hoped(board: Board, given: Given) -> Numeral:
    """What the player to move would like best of all that can come."""
    tree = unfold(board.game, board.position).tree
    results = [tree.payoffs[leaf] for leaf in tree.leaves]
    best = max if board.game.mover(board.position) is Player.MAX else min
    return Numeral(best(result for result in results if isinstance(result, int)))


def _moves_told(solved: Solved, board: Board) -> tuple[str, ...]:
    """What every move leads to, and what the root makes of it."""
    say = solved.language.say
    told = [
        say(
            "{move} leads to a position worth {value}.",
            move=move_named(name, solved.language),
            value=solved.written(worth(board.game, after)),
        )
        for name, after in board.game.moves(board.position)
    ]
    best = worth(board.game, board.position)
    good = [
        move_named(name, solved.language)
        for name, after in board.game.moves(board.position)
        if worth(board.game, after) == best
    ]
    told.append(
        say(
            "At the root {player} takes the best of these, which is worth {value}: {moves}.",
            player=board.game.mover(board.position),
            value=solved.written(best),
            moves=solved.language.listed(good),
        )
    )
    return tuple(told)


def _drawn_always(board: Board, given: Given) -> Numeral | None:
    """A draw, as the game is from its start; None where it is one."""
    return Numeral(0) if board.game.name == "tictactoe" and worth(board.game, board.position) else None


def _draw_value(stream: Draw) -> tuple[Tree, Given] | None:
    if not stream.below(4):
        heaps = " ".join(str(stream.between(1, 3)) for _ in range(stream.between(2, 3)))
        turn = stream.choose(("", " MIN"))
        board = Board(game_named("nim"), game_named("nim").read(heaps + turn), None)
        return alone(board), stated(board)
    wanted = stream.choose((-1, 0, 1))
    for _ in range(TURNS):
        board = drawn(stream, (5, 6))
        if not over(board) and worth(board.game, board.position) == wanted:
            return alone(board), stated(board)
    return None


VALUE = asking(
    "value",
    "What is a position worth when both play as well as they can?",
    NUMBER_ALONE,
    (utility_told, Phrase("What is the position worth when both play as well as they can?")),
    (lambda board, _given: Numeral(worth(board.game, board.position)), _worth_by_search),
    {
        "players-swapped": _swapped,
        "ignores-opponent": _hoped,
        "always-a-draw": _drawn_always,
    },
    _moves_told,
    _draw_value,
    is_on,
)

# Which moves are best? ---------------------------------------------------------------------------


def _best(values: Sequence[Number], player: Player) -> Moves:
    best = (max if player is Player.MAX else min)(values)
    return frozenset(place for place, value in enumerate(values) if value == best)


def _best_moves(board: Board, given: Given) -> Moves:
    after = [position for _, position in board.game.moves(board.position)]
    return _best([worth(board.game, position) for position in after], board.game.mover(board.position))


def _best_by_tree(board: Board, given: Given) -> Moves:
    tree = unfold(board.game, board.position).tree
    values = minimax(tree)
    return _best([values[child] for child in tree.children[0]], board.game.mover(board.position))


def _best_for_other(board: Board, given: Given) -> Moves:
    after = [position for _, position in board.game.moves(board.position)]
    other = Player.MIN if board.game.mover(board.position) is Player.MAX else Player.MAX
    return _best([worth(board.game, position) for position in after], other)


def _by_open_lines(board: Board, given: Given) -> Moves | None:
    """The move after which most lines are open, without looking at what is answered."""
    usual = board.game.evaluation(None)
    if usual is None:
        return None
    after = [Board(board.game, position, usual) for _, position in board.game.moves(board.position)]
    return _best([leaf_worth(each) or 0 for each in after], board.game.mover(board.position))


def _draw_move(stream: Draw) -> tuple[Tree, Given] | None:
    board = drawn(stream, (4, 6))
    if over(board) or len(_best_moves(board, Given())) > 2:
        return None
    return with_moves_named(one_move(board), stream.language), stated(board)


def _moves_shown(tree: Tree, board: Board) -> bool:
    shown = one_move(board)
    return (tree.parents, tree.attributes) == (shown.parents, shown.attributes)


MOVE_KIND: Kind[Moves] = asking(
    "move",
    "Which moves in a position are best?",
    MOVE,
    (utility_told, Phrase("Which move should {player} make?")),
    (_best_moves, _best_by_tree),
    {"players-swapped": _best_for_other, "open-lines-alone": _by_open_lines},
    _moves_told,
    _draw_move,
    is_on,
)
BEST_MOVE = replace(
    MOVE_KIND,
    suits=lambda tree, rules, given: (
        MOVE_KIND.suits(tree, rules, given)
        or (
            None
            if _moves_shown(tree, the_board(given))
            else "the tree does not show the moves of the position"
        )
    ),
)

# How is it evaluated? ----------------------------------------------------------------------------


def _evaluated(board: Board, given: Given, language: Language) -> tuple[str, ...]:
    return the_evaluation(board, language)


def _evaluation_of(board: Board, given: Given) -> Numeral:
    return Numeral(leaf_worth(board) or 0)


def _evaluation_of_image(board: Board, given: Given) -> Numeral:
    """The same for the position turned around, which is worth as much."""
    return _evaluation_of(replace(board, position=board.game.images(board.position)[-1]), given)


def _lines_without(o: int) -> list[int]:
    from grader.games.tictactoe import LINES

    return [line for line in LINES if not line & o]


EVALUATION = asking(
    "evaluation",
    "What is the static evaluation of a position?",
    NUMBER_ALONE,
    (_evaluated, Phrase("What is the evaluation of the position?")),
    (_evaluation_of, _evaluation_of_image),
    {
        "players-swapped": lambda board, _given: Numeral(-(leaf_worth(board) or 0)),
        "other-evaluation": lambda board, _given: Numeral(
            next(each for each in board.game.evaluations if each is not board.evaluation).value(
                board.position
            )
        ),
        "own-lines-alone": lambda board, _given: (
            Numeral(len(_lines_without(board.position[1])))
            if board.evaluation is not None and board.evaluation.name == "open-lines"
            else None
        ),
    },
    saying(Phrase("Line by line counted, the evaluation is {answer}.")),
    lambda stream: one(
        (2, 6),
        lambda board: not over(board),
        evaluation=stream.choose(("open-lines", "lines-by-count")),
    )(stream),
    lambda board, given: is_on(board, given) or (None if board.evaluation else "no evaluation is given"),
)
