"""Right programs in unusual styles, written for the tests; none of them may be blamed."""

_NEGAMAX = """
def negamax(node, depth, alpha, beta, color):
    if isinstance(node, (int, float)):
        return color * node
    value = float("-inf")
    for child in node:
        value = max(value, -negamax(child, depth - 1, -beta, -alpha, -color))
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return value
"""

ODD_PROGRAMS: dict[str, tuple[str, str]] = {
    "negamax with a colour": ("lists", _NEGAMAX),
    "negamax without a colour": (
        "lists",
        _NEGAMAX.replace(", color)", ")").replace(", -color)", ")").replace("color * node", "node"),
    ),
    "minimax in one line": (
        "lists",
        """
def minimax(t, maximizing=True):
    return t if type(t) is int else (max if maximizing else min)(minimax(c, not maximizing) for c in t)
""",
    ),
    "type compared with ==": (
        "lists",
        """
def minimax(node, depth, is_max):
    if type(node) == int:
        return node
    values = [minimax(c, depth - 1, not is_max) for c in node]
    return max(values) if is_max else min(values)
""",
    ),
    "a memo by content": (
        "lists",
        """
memo = {}
def minimax(node, depth, maximizing):
    if isinstance(node, int):
        return node
    key = (repr(node), maximizing)
    if key not in memo:
        values = [minimax(c, depth - 1, not maximizing) for c in node]
        memo[key] = max(values) if maximizing else min(values)
    return memo[key]
""",
    ),
    "a memo by identity": (
        "lists",
        """
memo = {}
def minimax(node, depth, maximizing):
    if isinstance(node, int):
        return node
    if id(node) not in memo:
        memo[id(node)] = (max if maximizing else min)([minimax(c, depth - 1, not maximizing) for c in node])
    return memo[id(node)]
""",
    ),
    "a mutable default as a table": (
        "lists",
        """
def minimax(node, depth, maximizing, seen={}):
    key = str(node) + str(maximizing)
    if key in seen:
        return seen[key]
    if not isinstance(node, list):
        seen[key] = node
    else:
        seen[key] = [min, max][maximizing](minimax(c, depth - 1, not maximizing) for c in node)
    return seen[key]
""",
    ),
    "an explicit stack": (
        "lists",
        """
def minimax(root, depth, maximizing):
    stack = [(root, maximizing, [], 0)]
    while True:
        node, is_max, values, i = stack.pop()
        if isinstance(node, list) and i < len(node):
            stack.append((node, is_max, values, i + 1))
            stack.append((node[i], not is_max, [], 0))
            continue
        value = node if isinstance(node, int) else max(values) if is_max else min(values)
        if not stack:
            return value
        stack[-1][2].append(value)
""",
    ),
    "an iterative alpha-beta": (
        "lists",
        """
def alphabeta(root, depth, alpha, beta, maximizing):
    if isinstance(root, int):
        return root
    frames = [[root, 0, alpha, beta, maximizing, float("-inf") if maximizing else float("inf")]]
    result = None
    while frames:
        frame = frames[-1]
        node, i, a, b, is_max, best = frame
        if result is not None:
            best = max(best, result) if is_max else min(best, result)
            a, b = (max(a, best), b) if is_max else (a, min(b, best))
            frame[2], frame[3], frame[5] = a, b, best
            result = None
        if i == len(node) or a >= b:
            result = best
            frames.pop()
            continue
        frame[1] += 1
        child = node[i]
        if isinstance(child, int):
            result = child
        else:
            frames.append([child, 0, a, b, not is_max, float("inf") if is_max else float("-inf")])
    return result
""",
    ),
    "generators": (
        "lists",
        """
def values(node, depth, alpha, beta, maximizing):
    for child in node:
        value = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        yield value
        if maximizing:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            return

def alphabeta(node, depth, alpha=float("-inf"), beta=float("inf"), maximizing=True):
    if not isinstance(node, list):
        return node
    return (max if maximizing else min)(values(node, depth, alpha, beta, maximizing))
""",
    ),
    "values with moves": (
        "lists",
        """
def alphabeta(node, depth, alpha, beta, maximizing):
    if not isinstance(node, list):
        return node, None
    best = None
    for i, child in enumerate(node):
        value, _ = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if best is None or (value > best[0] if maximizing else value < best[0]):
            best = value, i
        if maximizing:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if beta <= alpha:
            break
    return best
""",
    ),
    "moves before values": (
        "lists",
        """
def minimax(node, depth, maximizing):
    if not isinstance(node, list):
        return None, node
    scored = [(i, minimax(c, depth - 1, not maximizing)[1]) for i, c in enumerate(node)]
    return (max if maximizing else min)(scored, key=lambda pair: pair[1])
""",
    ),
    "fail-hard": (
        "lists",
        """
def alphabeta(node, depth, alpha, beta, maximizing):
    if isinstance(node, int):
        return node
    if maximizing:
        for child in node:
            value = alphabeta(child, depth - 1, alpha, beta, False)
            if value >= beta:
                return beta
            if value > alpha:
                alpha = value
        return alpha
    for child in node:
        value = alphabeta(child, depth - 1, alpha, beta, True)
        if value <= alpha:
            return alpha
        if value < beta:
            beta = value
    return beta
""",
    ),
    "fail-hard that keeps ties": (
        "lists",
        """
def alphabeta(node, depth, alpha, beta, maximizing):
    if isinstance(node, int):
        return node
    for child in node:
        value = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            if value > beta:
                return beta
            alpha = max(alpha, value)
        else:
            if value < alpha:
                return alpha
            beta = min(beta, value)
    return alpha if maximizing else beta
""",
    ),
    "evaluated twice": (
        "nodes",
        """
def evaluate(node):
    return node.value

def alphabeta(node, depth, alpha, beta, maximizing):
    if not node.children:
        if evaluate(node) < 0:
            return evaluate(node)
        return evaluate(node)
    best = float("-inf") if maximizing else float("inf")
    for child in node.children:
        value = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best
""",
    ),
    "values stored in the nodes": (
        "nodes",
        """
def minimax(node, depth, maximizing):
    if not node.children:
        return node.value
    for child in node.children:
        minimax(child, depth - 1, not maximizing)
    values = [child.value for child in node.children]
    node.value = max(values) if maximizing else min(values)
    return node.value
""",
    ),
    "children from right to left": (
        "lists",
        """
def alphabeta(node, depth, alpha, beta, maximizing):
    if not isinstance(node, list):
        return node
    best = float("-inf") if maximizing else float("inf")
    for child in reversed(node):
        value = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        best = max(best, value) if maximizing else min(best, value)
        if maximizing:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best
""",
    ),
    "small subtrees first": (
        "lists",
        """
def size(node):
    return 1 if not isinstance(node, list) else sum(map(size, node))

def alphabeta(node, depth, alpha, beta, maximizing):
    if not isinstance(node, list):
        return node
    best = float("-inf") if maximizing else float("inf")
    for child in sorted(node, key=lambda c: len(c) if isinstance(c, list) else 0):
        value = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        best = max(best, value) if maximizing else min(best, value)
        if maximizing:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best
""",
    ),
    "only the depth ends the recursion": (
        "lists",
        """
def minimax(node, depth, maximizingPlayer, alpha=-10000, beta=10000):
    if depth == 0:
        return node
    if maximizingPlayer:
        value = -10000
        for child in node:
            value = max(value, minimax(child, depth - 1, False, alpha, beta))
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return value
    value = 10000
    for child in node:
        value = min(value, minimax(child, depth - 1, True, alpha, beta))
        beta = min(beta, value)
        if alpha >= beta:
            break
    return value
""",
    ),
    "a class with its window in attributes": (
        "lists",
        """
class Search:
    def __init__(self):
        self.count = 0

    def alphabeta(self, node, depth, alpha, beta, maximizing):
        self.count += 1
        if not isinstance(node, list):
            return node
        self.alpha, self.beta = alpha, beta
        best = None
        for child in node:
            value = self.alphabeta(child, depth - 1, alpha, beta, not maximizing)
            if best is None or (value > best) == maximizing and value != best:
                best = value
            if maximizing:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best
""",
    ),
    "NumPy's infinity and type hints": (
        "lists",
        """
from __future__ import annotations
from typing import Union
try:
    import numpy as np
    INF = np.inf
except ImportError:
    INF = float("inf")
Tree = Union[int, "list[Tree]"]

def alphabeta(tree: Tree, depth: int, alpha: float = -INF, beta: float = INF, maximizing: bool = True) -> float:
    print("at", tree)
    match tree:
        case int():
            return tree
        case _:
            best = -INF if maximizing else INF
            for child in tree:
                value = alphabeta(child, depth - 1, alpha, beta, not maximizing)
                if maximizing:
                    best = max(best, value)
                    if best >= beta:
                        return best
                    alpha = max(alpha, best)
                else:
                    best = min(best, value)
                    if best <= alpha:
                        return best
                    beta = min(beta, best)
            return best
""",
    ),
    "the tutorial's form": (
        "values",
        """
MAX, MIN = 1000, -1000

def minimax(depth, nodeIndex, maximizingPlayer, values, alpha, beta):
    if depth == 3:
        return values[nodeIndex]
    if maximizingPlayer:
        best = MIN
        for i in range(0, 2):
            best = max(best, minimax(depth + 1, nodeIndex * 2 + i, False, values, alpha, beta))
            alpha = max(alpha, best)
            if beta <= alpha:
                break
        return best
    best = MAX
    for i in range(0, 2):
        best = min(best, minimax(depth + 1, nodeIndex * 2 + i, True, values, alpha, beta))
        beta = min(beta, best)
        if beta <= alpha:
            break
    return best

if __name__ == "__main__":
    print(minimax(0, 0, True, [3, 5, 6, 9, 1, 2, 0, -1], MIN, MAX))
""",
    ),
    "a target depth": (
        "values",
        """
import math

def minimax(curDepth, nodeIndex, maxTurn, scores, targetDepth):
    if curDepth == targetDepth:
        return scores[nodeIndex]
    return (max if maxTurn else min)(
        minimax(curDepth + 1, nodeIndex * 2, not maxTurn, scores, targetDepth),
        minimax(curDepth + 1, nodeIndex * 2 + 1, not maxTurn, scores, targetDepth),
    )
""",
    ),
    "one method for all agents": (
        "pacman",
        """
from util import manhattanDistance
from game import Directions
import random, util
from game import Agent
from pacman import GameState

def scoreEvaluationFunction(currentGameState: GameState):
    return currentGameState.getScore()

class MultiAgentSearchAgent(Agent):
    def __init__(self, evalFn='scoreEvaluationFunction', depth='2'):
        self.index = 0
        self.evaluationFunction = util.lookup(evalFn, globals())
        self.depth = int(depth)

class MinimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        util.raiseNotDefined()

class AlphaBetaAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        def value(state, turn, a, b):
            n = state.getNumAgents()
            if state.isWin() or state.isLose() or turn == self.depth * n:
                return self.evaluationFunction(state), Directions.STOP
            agent = turn % n
            best = (float('-inf') if agent == 0 else float('inf')), None
            for action in state.getLegalActions(agent):
                v = value(state.generateSuccessor(agent, action), turn + 1, a, b)[0]
                if agent == 0:
                    if v > best[0]:
                        best = v, action
                    if v > b:
                        return best
                    a = max(a, v)
                else:
                    if v < best[0]:
                        best = v, action
                    if v < a:
                        return best
                    b = min(b, v)
            return best
        return value(gameState, 0, float('-inf'), float('inf'))[1]
""",
    ),
    "expectimax with averages": (
        "pacman",
        """
import random
from game import Agent

class MultiAgentSearchAgent(Agent):
    def __init__(self, evalFn='scoreEvaluationFunction', depth='2'):
        self.index, self.depth = 0, int(depth)

class ExpectimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        scored = [(self.expect(gameState.generateSuccessor(0, a), 1, 0), a) for a in gameState.getLegalActions(0)]
        best = max(v for v, a in scored)
        return random.choice([a for v, a in scored if v == best])

    def maximum(self, state, depth):
        if state.isWin() or state.isLose() or depth == self.depth:
            return self.evaluationFunction(state)
        return max(self.expect(state.generateSuccessor(0, a), 1, depth) for a in state.getLegalActions(0))

    def expect(self, state, agent, depth):
        if state.isWin() or state.isLose():
            return self.evaluationFunction(state)
        actions = state.getLegalActions(agent)
        total = 0
        for action in actions:
            after = state.generateSuccessor(agent, action)
            if agent == state.getNumAgents() - 1:
                total += self.maximum(after, depth + 1)
            else:
                total += self.expect(after, agent + 1, depth)
        return total / len(actions)
""",
    ),
    "the book's third edition": (
        "aima",
        """
from utils import argmax
infinity = float("inf")

def alphabeta_search(state, game):
    player = game.to_move(state)
    def max_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        v = -infinity
        for a in game.actions(state):
            v = max(v, min_value(game.result(state, a), alpha, beta))
            if v >= beta:
                return v
            alpha = max(alpha, v)
        return v
    def min_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        v = infinity
        for a in game.actions(state):
            v = min(v, max_value(game.result(state, a), alpha, beta))
            if v <= alpha:
                return v
            beta = min(beta, v)
        return v
    best_score, beta, best_action = -infinity, infinity, None
    for a in game.actions(state):
        v = min_value(game.result(state, a), best_score, beta)
        if v > best_score:
            best_score, best_action = v, a
    return best_action
""",
    ),
    "the book's fourth edition": (
        "aima",
        """
from collections import namedtuple
infinity = float("inf")

def alphabeta_search(game, state):
    player = state.to_move
    def value(state, alpha, beta, sign):
        if game.is_terminal(state):
            return sign * game.utility(state, player), None
        v, move = -infinity, None
        for a in game.actions(state):
            v2 = -value(game.result(state, a), -beta, -alpha, -sign)[0]
            if v2 > v:
                v, move = v2, a
                alpha = max(alpha, v)
            if v >= beta:
                return v, move
        return v, move
    return value(state, -infinity, infinity, 1)
""",
    ),
    "the path and the count": (
        "mit",
        """
INF = float("inf")
def always_zero(state, maximize=True): return 0

def minimax_search_alphabeta(state, alpha=-INF, beta=INF, heuristic_fn=always_zero,
                             depth_limit=INF, maximize=True):
    if state.is_game_over():
        return [state], state.get_endgame_score(maximize), 1
    if depth_limit == 0:
        return [state], heuristic_fn(state.get_snapshot(), maximize), 1
    best, count = None, 0
    for child in state.generate_next_states():
        path, score, evals = minimax_search_alphabeta(child, alpha, beta, heuristic_fn, depth_limit - 1, not maximize)
        count += evals
        if best is None or (score > best[1] if maximize else score < best[1]):
            best = [state] + path, score
        if maximize:
            alpha = max(alpha, score)
        else:
            beta = min(beta, score)
        if alpha >= beta:
            break
    return best[0], best[1], count
""",
    ),
    "sets of actions": (
        "cs50",
        """
import copy, math
X, O, EMPTY = "X", "O", None

def initial_state():
    return [[EMPTY] * 3 for _ in range(3)]

def player(board):
    return X if sum(row.count(X) for row in board) <= sum(row.count(O) for row in board) else O

def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}

def result(board, action):
    new = copy.deepcopy(board)
    new[action[0]][action[1]] = player(board)
    return new

def winner(board):
    return None

def terminal(board):
    return not actions(board)

def utility(board):
    return 0

def minimax(board):
    if terminal(board):
        return None
    if player(board) == X:
        best, chosen = -2, None
        for action in actions(board):
            value = min_value(result(board, action))
            if value > best:
                best, chosen = value, action
            if best == 1:
                break
        return chosen
    return min(actions(board), key=lambda a: max_value(result(copy.deepcopy(board), a)))

def max_value(board):
    if terminal(board):
        return utility(board)
    v = -math.inf
    for action in actions(board):
        v = max(v, min_value(result(board, action)))
    return v

def min_value(board):
    if terminal(board):
        return utility(board)
    v = math.inf
    for action in actions(board):
        v = min(v, max_value(result(board, action)))
    return v
""",
    ),
    "a timer and a recorded move": (
        "isolation",
        """
from sample_players import improved_score

class SearchTimeout(Exception):
    pass

class IsolationPlayer:
    def __init__(self, search_depth=3, score_fn=None, timeout=10.):
        self.search_depth, self.score, self.time_left, self.TIMER_THRESHOLD = search_depth, score_fn, None, timeout

class MinimaxPlayer(IsolationPlayer):
    def minimax(self, game, depth):
        raise NotImplementedError

class AlphaBetaPlayer(IsolationPlayer):
    def alphabeta(self, game, depth, alpha=float("-inf"), beta=float("inf")):
        if self.time_left() < self.TIMER_THRESHOLD:
            raise SearchTimeout()
        best_move, best = (-1, -1), float("-inf")
        for move in game.get_legal_moves():
            value = self.low(game.forecast_move(move), depth - 1, alpha, beta)
            if value > best:
                best, best_move = value, move
            alpha = max(alpha, best)
        return best_move

    def high(self, game, depth, alpha, beta):
        if self.time_left() < self.TIMER_THRESHOLD:
            raise SearchTimeout()
        moves = game.get_legal_moves()
        if depth == 0 or not moves:
            return self.score(game, self)
        value = float("-inf")
        for move in moves:
            value = max(value, self.low(game.forecast_move(move), depth - 1, alpha, beta))
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value

    def low(self, game, depth, alpha, beta):
        moves = game.get_legal_moves()
        if depth == 0 or not moves:
            return self.score(game, self)
        value = float("inf")
        for move in moves:
            value = min(value, self.high(game.forecast_move(move), depth - 1, alpha, beta))
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value
""",
    ),
    "a scout with null windows": (
        "lists",
        """
def scout(node, depth, alpha, beta, sign):
    if isinstance(node, int):
        return sign * node
    best = float("-inf")
    for i, child in enumerate(node):
        if i == 0:
            value = -scout(child, depth - 1, -beta, -alpha, -sign)
        else:
            value = -scout(child, depth - 1, -alpha - 1, -alpha, -sign)
            if alpha < value < beta:
                value = -scout(child, depth - 1, -beta, -value, -sign)
        best = max(best, value)
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return best

def alphabeta_search(tree):
    return scout(tree, 0, -10**6, 10**6, 1)
""",
    ),
}
"""The interface and the text of each program, by what is unusual about it."""
