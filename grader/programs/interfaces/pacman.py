"""Berkeley's Pac-Man project: agents with getAction, and one MAX agent against several ghosts."""

from typing import Any

from grader.programs.calling import CallError, Program, construct
from grader.programs.position import ProgramState, TreePosition

TITLE = "Berkeley's Pac-Man project"
RECOGNISED_BY = r"\b(getLegalActions|generateSuccessor|getNextState)\b"
FUNCTIONS = (
    r"\w*AlphaBeta\w*\.getAction",
    r"\w*Minimax\w*\.getAction",
    r"\w*Expectimax\w*\.getAction",
    r"\w+\.getAction",
)
SHAPE = "rounds"
IS_ORDERED = True
JUDGES_GENERATED = True
HAS_DEPTH_LIMIT = True
STUB = '''\
class AlphaBetaAgent(MultiAgentSearchAgent):
    """Your minimax agent with alpha-beta pruning."""

    def getAction(self, gameState):
        """Return the best action for Pac-Man, agent 0, by self.depth and self.evaluationFunction.

        gameState.getLegalActions(agentIndex), gameState.generateSuccessor(agentIndex, action),
        gameState.getNumAgents(), gameState.isWin(), gameState.isLose()
        """
'''


class GameState(ProgramState):
    """A state of the game in which agent 0 is MAX and each ghost moves in turn after it."""

    def getLegalActions(self, agentIndex: int = 0) -> list[str]:
        """Return the actions of an agent."""
        return list(self._position.moves())

    def generateSuccessor(self, agentIndex: int, action: str) -> "GameState":
        """Return the state after an action of an agent. Raises `CallError` if it is another agent's turn."""
        turn = self._position.tree["depths"][self._position.node] % self._position.agents
        if agentIndex != turn:
            raise CallError(f"agent {agentIndex} moves although it is the turn of agent {turn}")
        return GameState(self._position.after(action))

    getNextState = generateSuccessor

    def generatePacmanSuccessor(self, action: str) -> "GameState":
        """Return the state after an action of Pac-Man."""
        return self.generateSuccessor(0, action)

    def getLegalPacmanActions(self) -> list[str]:
        """Return the actions of Pac-Man."""
        return self.getLegalActions(0)

    def getNumAgents(self) -> int:
        """Return the number of agents."""
        return self._position.agents

    def isWin(self) -> bool:
        """Return whether the game is over and won; a leaf with a payoff below 0 is lost."""
        return self._position.is_over() and self._position.tree["payoffs"][self._position.node] >= 0

    def isLose(self) -> bool:
        """Return whether the game is over and lost."""
        return self._position.is_over() and not self.isWin()

    def getScore(self) -> Any:
        """Return the score."""
        return self._position.value()


class Agent:
    """The base class of agents."""

    def __init__(self, index: int = 0) -> None:
        self.index = index


class Directions:
    """The names of the directions."""

    NORTH, SOUTH, EAST, WEST, STOP = "North", "South", "East", "West", "Stop"


def stand_ins() -> dict[str, dict[str, Any]]:
    """Return what the agents need of the modules of the course."""
    return {
        "util": {
            "lookup": lambda name, namespace: namespace[name.rpartition(".")[2]],
            "raiseNotDefined": _raise_not_defined,
            "manhattanDistance": lambda one, two: abs(one[0] - two[0]) + abs(one[1] - two[1]),
        },
        "game": {"Agent": Agent, "Directions": Directions},
        "pacman": {"GameState": GameState},
    }


def _raise_not_defined() -> None:
    raise NotImplementedError  # as in the course: the student has not written this part yet


def call(program: Program, position: TreePosition, depth: int) -> Any:
    """Make the agent with a depth in rounds, and ask it for an action."""
    rounds = -(-depth // position.agents)
    agent = construct(program.owner, {"depth": str(rounds)}, {"evalFn": "scoreEvaluationFunction"})
    agent.depth, agent.index = rounds, 0
    agent.evaluationFunction = lambda state, *others: state._position.value()
    return agent.getAction(GameState(position))
