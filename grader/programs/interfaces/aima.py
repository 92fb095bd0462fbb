"""The interface of the book's Python code: a game with actions, result, utility and a terminal test."""

from math import inf
from typing import Any

from grader.programs.calling import ROLES, Program, arguments_for
from grader.programs.position import ProgramState, TreePosition

TITLE = "aima-python: game.actions, game.result, game.utility"
RECOGNISED_BY = r"(?i)\bgame\.(terminal_test|is_terminal|result|utility)\("
STUB = '''\
def alphabeta_search(state, game):
    """Return the best action in a state, as alpha-beta search finds it.

    game.to_move(state), game.actions(state), game.result(state, action), game.terminal_test(state),
    game.utility(state, player): the payoff for that player.
    """
'''
ROLES_OF_GAMES = {"game": r"game|problem", "limit": r"d|depth(_limit)?|limit|cutoff", **ROLES}


class State(ProgramState):
    """A state; it can be compared and be a key of a dictionary."""

    def __init__(self, position: TreePosition) -> None:
        super().__init__(position)
        self.to_move = position.next_player()
        position.record.represent(self, position.node)

    def __lt__(self, other: "State") -> bool:
        return self._position.node < other._position.node


class Game:
    """The rules of the game."""

    def __init__(self, initial: State) -> None:
        self.initial = initial

    def actions(self, state: State) -> list[str]:
        """Return the actions in a state."""
        return list(state._position.moves())

    def result(self, state: State, move: str) -> State:
        """Return the state after a move."""
        return State(state._position.after(move))

    def terminal_test(self, state: State) -> bool:
        """Return whether the game is over."""
        return state._position.is_over()

    is_terminal = terminal_test

    def utility(self, state: State, player: str = "MAX") -> Any:
        """Return the payoff for a player."""
        value = state._position.value()
        return -value if player == "MIN" else value

    def to_move(self, state: State) -> str:
        """Return who moves."""
        return state.to_move


def stand_ins() -> dict[str, dict[str, Any]]:
    """Return the names of the modules of the book."""
    return {"utils": {"infinity": inf}, "games": {}, "games4e": {}}


def call(program: Program, position: TreePosition, depth: int) -> Any:
    """Call the function with the state and the game, in the order in which it takes them."""
    state = State(position)
    values = program.search_values(depth, roles=ROLES_OF_GAMES) | {
        "state": state,
        "game": Game(state),
        "limit": depth,
    }
    return program(**arguments_for(program.parameters, values, ROLES_OF_GAMES))
