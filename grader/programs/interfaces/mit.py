"""The interface of MIT's course 6.034: states that generate their successors."""

from collections.abc import Mapping
from math import inf
from typing import Any

from grader.programs.calling import ROLES, Program, arguments_for, role_of
from grader.programs.position import ProgramState, TreePosition

TITLE = "MIT 6.034: state.generate_next_states"
RECOGNISED_BY = r"\bgenerate_next_states\b"
FUNCTIONS = (r"\w*alpha\w*", r"minimax_search", r"minimax_endgame_search", r"\w*minimax\w*")
HAS_DEPTH_LIMIT = True
HAS_WINDOW = True
STUB = '''\
def minimax_search_alphabeta(state, alpha=-INF, beta=INF, heuristic_fn=always_zero,
                             depth_limit=INF, maximize=True):
    """Return a tuple: the best path as a list of states, its value, the number of static evaluations.

    state.is_game_over(), state.generate_next_states(),
    state.get_endgame_score(is_current_player_maximizer), heuristic_fn(state.get_snapshot(), maximize)
    """
'''
_ROLES = {"heuristic": r"\w*(heuristic|eval)\w*", "limit": r"depth_limit|limit|depth", **ROLES}


class State(ProgramState):
    """A state of the game."""

    def __init__(self, position: TreePosition) -> None:
        super().__init__(position)
        self.snapshot = position.node
        position.record.represent(self, position.node)

    def is_game_over(self) -> bool:
        """Return whether the game is over."""
        return self._position.is_over()

    def generate_next_states(self) -> list["State"]:
        """Return the states after every move."""
        return [State(self._position.after(move)) for move in self._position.moves()]

    def get_endgame_score(self, is_current_player_maximizer: bool = True) -> Any:
        """Return the payoff for MAX."""
        return self._position.value()

    def get_snapshot(self) -> "State":
        """Return what a heuristic is given."""
        return self

    def describe_previous_move(self) -> str:
        """Return the move that led here."""
        return f"to node {self._position.node}"


def suits(program: Program, tree: Mapping[str, Any]) -> bool:
    """Return whether the program can search a tree; one without a depth limit goes to the end of the game."""
    return not tree["is_limited"] or any(role_of(name, _ROLES) == "limit" for name in program.parameters)


def call(program: Program, position: TreePosition, depth: int, window: Any = None) -> Any:
    """Call the function on a state; without a depth limit the search goes to the end of the game."""
    values = program.search_values(depth, window, _ROLES) | {
        "state": State(position),
        "heuristic": lambda snapshot, *_, **__: snapshot._position.value(),
        "limit": depth if position.tree["is_limited"] else inf,
    }
    return program(**arguments_for(program.parameters, values, _ROLES))
