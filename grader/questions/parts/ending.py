"""The end of a game of tic-tac-toe as a tree, which `strategy.never-lose` asks about."""

from dataclasses import replace
from functools import lru_cache

from grader.base.phrases import Language
from grader.questions.given import Given
from grader.questions.randomness import Draw
from grader.solvers.minimax import minimax
from grader.solvers.strategies import count_reaching, leftmost_optimal
from grader.trees.games.game import PositionError
from grader.trees.games.tictactoe import GAME, SQUARES, Board
from grader.trees.games.unfolding import unfold
from grader.trees.planting import lettered
from grader.trees.rules import Rules
from grader.trees.tree import Attributes, Player, Tree

PLAYED = 5
"""How many signs stand on the board of an ending that is drawn: O moves, and four squares are empty."""

LEAVES = 21
"""The most leaves of an ending."""

MOVES = (4, 6)
"""So many moves a safe strategy has, so that none is one move alone, and none a page of them."""

TRIES = 100

LOSING = 8
"""Of so many strategies one at most is safe, so that hardly any is safe in many positions."""

CELLS = dict(zip(SQUARES, ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"), strict=True))
"""What squares are called beside the branches: short, as on a chessboard."""


def ending_of(board: Board) -> Tree:
    """Everything that can follow a position; inner nodes are called A, B, C, ... level by level.

    The board is shown at the root.
    """
    tree = unfold(GAME, board).tree
    moves = tuple(None if move is None else CELLS[move] for move in tree.moves)
    shown = Attributes(board=GAME.write(board)), *tree.attributes[1:]
    return replace(lettered(tree), moves=moves, attributes=shown)


def suits_ending(tree: Tree, given: Given) -> str | None:
    """Why the tree is not what follows the position that is given, or that cannot be held, or None."""
    try:
        board = GAME.position(str(given.get("position", "")))
    except PositionError as error:
        return f"no position is given: {error}"
    if GAME.utility(board) is not None or sum(side.bit_count() for side in board) < PLAYED - 1:
        return "the position is not the end of a game that still goes on"
    whole = ending_of(board)
    if (tree.players, tree.parents, tree.payoffs) != (whole.players, whole.parents, whole.payoffs):
        return "the tree is not everything that can follow the position"
    value = minimax(whole)[0]
    if value < 0 if given.get("player", "MAX") == "MAX" else value > 0:
        return "the player loses this position against best play"
    return None


def the_position(given: Given, language: Language) -> tuple[str, ...]:
    """The board, and what stands at branches and leaves."""
    rows = " / ".join(" ".join(row) for row in GAME.rows(GAME.position(given["position"])))
    return (
        language.say(
            "It is the rest of a game of tic-tac-toe; at the root stands the position now, "
            "{board} row by row from the top.",
            board=rows,
        ),
        language.say("MAX plays X and MIN plays O: 1 is a win for X, −1 a win for O and 0 a draw."),
        language.say(
            "Beside a branch stands the square that is taken, named as on a chessboard: "
            "a1 is at the lower left."
        ),
    )


def draw_ending(draw: Draw, tree: Tree, rules: Rules) -> tuple[Tree, Given] | None:
    """A position from which nearly all strategies of the player lose, and some do not."""
    player = draw.choose((Player.MAX, Player.MIN))
    for _ in range(TRIES):
        squares = draw.shuffle(range(9))
        board = (sum(1 << square for square in squares[:3]), sum(1 << square for square in squares[3:PLAYED]))
        if _is_hard(board, player):
            return ending_of(board), Given({"player": player.value, "position": GAME.write(board)})
    return None


@lru_cache(maxsize=4096)
def _is_hard(board: Board, player: Player) -> bool:
    """Whether nearly all strategies of the player lose a position that goes on; a safe one has a fit size."""
    made = ending_of(board)
    lost = -1 if player is Player.MAX else 1
    safe, every = count_reaching(made, player, 0), count_reaching(made, player, lost)
    if safe == 0 or LOSING * safe > every or len(made.leaves) > LEAVES:
        return False
    return MOVES[0] <= len(leftmost_optimal(made, player)) <= MOVES[1]
