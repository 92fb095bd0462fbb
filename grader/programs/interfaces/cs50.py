"""CS50's tic-tac-toe: the functions of the module are replaced by those of a game on a tree."""

from collections.abc import Iterator
from typing import Any

from grader.programs.calling import CallError, Program
from grader.programs.position import ILLEGAL_MOVE, ProgramState, TreePosition

TITLE = "CS50 AI: minimax(board) with player, actions, result, winner, terminal, utility"
RECOGNISED_BY = r"def (actions|result)\(board[\s\S]*def (terminal|utility)\(board|def minimax\(board\b"
FUNCTIONS = (r"minimax",)
PAYOFFS = (-1, 1)
ROOTS = ("MAX", "MIN")
STUB = '''\
def minimax(board):
    """Return the optimal action for the current player on the board, or None if the game is over.

    player(board), actions(board), result(board, action), winner(board), terminal(board), utility(board)
    """
'''


class Board(ProgramState):
    """A board that only the functions of the game can read."""


class Actions(set[tuple[int, int]]):
    """A set that is iterated in the order of the moves."""

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(sorted(super().__iter__()))

    def pop(self) -> tuple[int, int]:
        """Remove the first action and return it."""
        first = next(iter(self))
        self.remove(first)
        return first


def call(program: Program, position: TreePosition, depth: int) -> Any:
    """Replace the game in the module, and ask for the move on a board."""
    del depth
    module = program.module.__dict__
    signs = {"MAX": module.get("X", "X"), "MIN": module.get("O", "O")}

    def cells(board: Board) -> dict[tuple[int, int], str]:
        return {(place // 3, place % 3): move for place, move in enumerate(board._position.moves())}

    def result(board: Board, action: tuple[int, int]) -> Board:
        move = cells(board).get(action)
        if move is None:
            raise CallError(f"{action} is not a legal action")
        return Board(board._position.after(move))

    def winner(board: Board) -> Any:
        payoff = board._position.value() if board._position.is_over() else 0
        return signs["MAX"] if payoff > 0 else signs["MIN"] if payoff < 0 else None

    module.update(
        player=lambda board: signs[board._position.mover()],
        actions=lambda board: Actions(cells(board)),
        result=result,
        winner=winner,
        terminal=lambda board: board._position.is_over(),
        utility=lambda board: board._position.value(),
    )
    board = Board(position)
    chosen = program.function(board)
    return cells(board).get(chosen, ILLEGAL_MOVE) if isinstance(chosen, tuple) else chosen
