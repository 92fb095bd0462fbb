"""The interface of the book's Python code for games with dice: chances, outcome and probability."""

from typing import Any

from grader.programs.calling import Program, arguments_for
from grader.programs.interfaces import aima
from grader.programs.interfaces.aima import State
from grader.programs.position import TreePosition

TITLE = "aima-python with dice: game.chances, game.outcome, game.probability"
RECOGNISED_BY = r"\bgame\.(chances|outcome|probability)\("
FUNCTIONS = (r"\w*expect\w*",)
SHAPE = "dice"
PAYOFFS = (-9, 9)
ALGORITHM = "expectimax"
WINDOW_NAMES = r"(?!)"
STUB = '''\
def expectiminimax(state, game):
    """Return the best action in a state.

    game.to_move(state), game.actions(state), game.terminal_test(state), game.utility(state, player) as in
    other games. Unless the game is over, game.result(state, action) is a state before the dice are thrown:
    game.chances(state), game.outcome(state, chance) is the state after it, game.probability(chance).
    """
'''
stand_ins = aima.stand_ins


class Chance:
    """One outcome of the dice at a chance node."""

    def __init__(self, position: TreePosition, move: str) -> None:
        self.position, self.move = position, move
        self.probability = position.probabilities()[position.moves().index(move)]


class Game(aima.Game):
    """The rules of the game."""

    def chances(self, state: State) -> list[Chance]:
        """Return the outcomes of the dice."""
        return [Chance(state._position, move) for move in state._position.moves()]

    def outcome(self, state: State, chance: Chance) -> State:
        """Return the state after an outcome; the dice may be thrown again after another outcome."""
        return State(chance.position.after(chance.move))

    def probability(self, chance: Chance) -> float:
        """Return the probability of an outcome."""
        return chance.probability


def call(program: Program, position: TreePosition, depth: int) -> Any:
    """Call the function with the state and the game, in the order in which it takes them."""
    state = State(position)
    values = {"state": state, "game": Game(state), "depth": depth, "limit": depth}
    return program(**arguments_for(program.parameters, values, aima.ROLES_OF_GAMES))
