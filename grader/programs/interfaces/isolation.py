"""Udacity's isolation: players with a search to a depth in plies, and a score instead of payoffs."""

from typing import Any

from grader.programs.calling import CallError, Program, arguments_for, construct
from grader.programs.position import ILLEGAL_MOVE, ProgramState, TreePosition

TITLE = "Udacity's isolation: game.forecast_move"
RECOGNISED_BY = r"\bforecast_move\b"
FUNCTIONS = (r"\w+\.alpha_?beta", r"\w+\.minimax")
HAS_DEPTH_LIMIT = True
HAS_WINDOW = True
STUB = '''\
class AlphaBetaPlayer(IsolationPlayer):
    """A player that searches with alpha-beta pruning."""

    def alphabeta(self, game, depth, alpha=float("-inf"), beta=float("inf")):
        """Return the best legal move, or (-1, -1) if there is none, by self.score(game, self).

        game.get_legal_moves(), game.forecast_move(move)
        """
'''


class Game(ProgramState):
    """A board of the game; the player whose search is tested is MAX."""

    def __init__(self, position: TreePosition, player: Any) -> None:
        super().__init__(position)
        self._player = player
        self.move_count = position.tree["depths"][position.node]
        opponent = object()
        is_own = position.mover() == "MAX"
        self.active_player: Any = player if is_own else opponent
        self.inactive_player: Any = opponent if is_own else player

    def copy(self) -> "Game":
        """Return the board."""
        return self

    def get_legal_moves(self, player: Any = None) -> list[tuple[int, int]]:
        """Return the moves of the player who moves."""
        return [(0, index) for index in range(len(self._position.children))]

    def forecast_move(self, move: tuple[int, int]) -> "Game":
        """Return the board after a move. Raises `CallError` if it is not legal."""
        if tuple(move) not in self.get_legal_moves():
            raise CallError(f"{move} is not a legal move")
        return Game(self._position.after(self._position.moves()[move[1]]), self._player)

    def get_opponent(self, player: Any) -> Any:
        """Return the other player."""
        return self.inactive_player if player is self.active_player else self.active_player

    def is_winner(self, player: Any) -> bool:
        """Return whether a player has won: never here, where scores decide."""
        return False

    is_loser = is_winner

    def utility(self, player: Any) -> Any:
        """Return the score at the end of the game."""
        return self._position.value() if self._position.is_over() else 0


def stand_ins() -> dict[str, dict[str, Any]]:
    """Return what the players need of the modules of the course."""
    return {"isolation": {"Board": Game}, "sample_players": {}, "game_agent": {}}


def call(program: Program, position: TreePosition, depth: int, window: Any = None) -> Any:
    """Make the player, give it time without end, and call its search."""
    player = construct(program.owner, {"search_depth": depth})
    player.score = lambda game, *others: game._position.value()
    player.search_depth, player.time_left, player.TIMER_THRESHOLD = depth, lambda: 1e9, 0
    values = program.search_values(depth, window) | {
        "state": Game(position, player),
        "depth": depth,
    }
    answer = getattr(player, program.function.__name__)(**arguments_for(program.parameters, values))
    names = {(0, index): name for index, name in enumerate(position.moves())}

    def read(item: Any) -> Any:
        return names.get(item, ILLEGAL_MOVE) if isinstance(item, tuple) else item

    if isinstance(answer, tuple) and any(isinstance(item, tuple) for item in answer):
        return tuple(map(read, answer))  # a value with its move
    return read(answer)
