"""The end of a game of tic-tac-toe as a tree, which `strategy.never-lose` asks about."""

from dataclasses import replace
from functools import lru_cache

from grader.base.phrases import Language, Phrase
from grader.questions.case import Case
from grader.questions.given import Given
from grader.questions.randomness import Draw
from grader.solvers.minimax import minimax
from grader.solvers.strategies import count_strategies_reaching, leftmost_optimal_strategy
from grader.trees.annotations import Attributes
from grader.trees.games.game_definition import PositionError
from grader.trees.games.game_tree import unfold
from grader.trees.games.tictactoe import GAME, SQUARES, Squares
from grader.trees.tree import Player, Tree
from grader.trees.tree_builder import name_by_letters

# What students read -------------------------------------------------------------------------------

ENDGAME = Phrase(
    "The tree shows the rest of a tic-tac-toe game. "
    "The position at the root is {board}, row by row from the top."
)
ENDGAME_PAYOFFS = Phrase(
    "MAX plays X and MIN plays O. The payoff is 1 for a win by X, −1 for a win by O, and 0 for a draw."
)
SQUARE_LABELS = Phrase(
    "The label of a branch is the square on which the mark is placed. Squares are named as on a chessboard: "
    "a1 is at the lower left."
)

SIGNS_ON_BOARD = 5
"""The number of marks on the board of a generated endgame: O moves, and four squares are empty."""

MAX_LEAVES = 21
"""The most leaves of an ending."""

STRATEGY_MOVE_RANGE = (4, 6)
"""The minimum and maximum number of moves of a safe strategy: not a single move, not a page of them."""

MAX_DRAWS = 100

MIN_STRATEGIES_PER_SAFE_ONE = 8
"""At most one of this many strategies is safe, so that few are safe in many positions."""

CELLS = dict(zip(SQUARES, ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"), strict=True))
"""Short labels of the squares at the branches, as on a chessboard."""


def endgame_tree(board: Squares) -> Tree:
    """Return the game tree below a position; inner nodes are named A, B, C, ... level by level.

    The board is shown at the root.
    """
    tree = unfold(GAME, board).tree
    moves = tuple(None if move is None else CELLS[move] for move in tree.moves)
    attributes = Attributes(board=GAME.write(board)), *tree.attributes[1:]
    return replace(name_by_letters(tree), moves=moves, attributes=attributes)


def endgame_objection(case: Case) -> str | None:
    """Why the tree is not what follows the position that is given, or that cannot be held, or None."""
    try:
        board = GAME.position(str(case.given.get("position", "")))
    except PositionError as error:
        return f"no position is given: {error}"
    if GAME.utility(board) is not None or sum(side.bit_count() for side in board) < SIGNS_ON_BOARD - 1:
        return "the position is not the end of a game that still goes on"
    whole = endgame_tree(board)
    if (case.tree.players, case.tree.parents, case.tree.payoffs) != (
        whole.players,
        whole.parents,
        whole.payoffs,
    ):
        return "the tree is not everything that can follow the position"
    value = minimax(whole)[0]
    if value < 0 if case.given.get("player", "MAX") == "MAX" else value > 0:
        return "the player loses this position against best play"
    return None


def endgame_sentences(case: Case, language: Language) -> tuple[str, ...]:
    """Describe the board, and the labels of branches and leaves."""
    rows = " / ".join(" ".join(row) for row in GAME.rows(GAME.position(case.given["position"])))
    return (
        language.say(ENDGAME, board=rows),
        language.say(ENDGAME_PAYOFFS),
        language.say(SQUARE_LABELS),
    )


def draw_endgame(draw: Draw, case: Case) -> Case | None:
    """A position from which nearly all strategies of the player lose, and some do not."""
    player = draw.choose((Player.MAX, Player.MIN))
    for _ in range(MAX_DRAWS):
        squares = draw.shuffle(range(9))
        board = (
            sum(1 << square for square in squares[:3]),
            sum(1 << square for square in squares[3:SIGNS_ON_BOARD]),
        )
        if _is_hard(board, player):
            return Case(
                endgame_tree(board),
                case.rules,
                Given({"player": player.value, "position": GAME.write(board)}),
            )
    return None


@lru_cache(maxsize=4096)
def _is_hard(board: Squares, player: Player) -> bool:
    """Check that few strategies of the player are safe, and that the leftmost has a suitable size."""
    tree = endgame_tree(board)
    lost = -1 if player is Player.MAX else 1
    safe, every = count_strategies_reaching(tree, player, 0), count_strategies_reaching(tree, player, lost)
    if safe == 0 or MIN_STRATEGIES_PER_SAFE_ONE * safe > every or len(tree.leaves) > MAX_LEAVES:
        return False
    return STRATEGY_MOVE_RANGE[0] <= len(leftmost_optimal_strategy(tree, player)) <= STRATEGY_MOVE_RANGE[1]
