"""Right programs in more styles of Python, written for the tests: none of them may be blamed."""

ODD_STYLES: dict[str, tuple[str, str]] = {
    "own nodes as a dataclass": (
        "lists",
        """
from dataclasses import dataclass, field
from typing import List, Optional

@dataclass
class Node:
    value: Optional[int] = None
    children: List['Node'] = field(default_factory=list)

def build(x):
    return Node(x) if isinstance(x, int) else Node(None, [build(c) for c in x])

def search(node, alpha, beta, is_max):
    if not node.children:
        return node.value
    best = float('-inf') if is_max else float('inf')
    for c in node.children:
        v = search(c, alpha, beta, not is_max)
        if is_max:
            best = max(best, v)
            alpha = max(alpha, best)
        else:
            best = min(best, v)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best

def alphabeta(tree, depth, alpha, beta, maximizing):
    return search(build(tree), alpha, beta, maximizing)
""",
    ),
    "a cached function of tuples": (
        "lists",
        """
from functools import lru_cache

def freeze(t):
    return t if isinstance(t, int) else tuple((freeze(c) for c in t))

@lru_cache(maxsize=None)
def solve(t, is_max):
    if isinstance(t, int):
        return t
    return (max if is_max else min)((solve(c, not is_max) for c in t))

def minimax(node, depth, maximizing):
    return solve(freeze(node), maximizing)
""",
    ),
    "NumPy's arrays": (
        "lists",
        """
import numpy as np

def minimax(node, depth, maximizing):
    if np.isscalar(node):
        return node
    values = np.array([minimax(c, depth - 1, not maximizing) for c in node])
    return values.max() if maximizing else values.min()
""",
    ),
    "a lambda": (
        "lists",
        """
minimax = lambda node, maximizing: (
    node if isinstance(node, int) else (max if maximizing else min)(minimax(c, not maximizing) for c in node)
)
""",
    ),
    "a partial function and a reduction": (
        "lists",
        """
from itertools import cycle, islice
import functools, operator

def minimax(node, is_max=True):
    if isinstance(node, (int, float)):
        return node
    return functools.reduce(max if is_max else min, map(functools.partial(minimax, is_max=not is_max), node))
""",
    ),
    "a list for an answer": (
        "lists",
        """
def alphabeta(node, depth, alpha, beta, maximizing):
    if not isinstance(node, list):
        return [node, None]
    best = [float('-inf') if maximizing else float('inf'), None]
    for i, c in enumerate(node):
        v = alphabeta(c, depth - 1, alpha, beta, not maximizing)[0]
        if v > best[0] if maximizing else v < best[0]:
            best = [v, i]
        if maximizing:
            alpha = max(alpha, v)
        else:
            beta = min(beta, v)
        if alpha >= beta:
            break
    return best
""",
    ),
    "a dictionary for an answer": (
        "lists",
        """
def minimax(node, depth, maximizing):
    if not isinstance(node, list):
        return {'score': node, 'move': None}
    results = [minimax(c, depth - 1, not maximizing) for c in node]
    scores = [x['score'] for x in results]
    best = (max if maximizing else min)(scores)
    return {'score': best, 'move': scores.index(best)}
""",
    ),
    "a named tuple for an answer": (
        "lists",
        """
from collections import namedtuple
Result = namedtuple('Result', 'value move')

def minimax(node, depth, maximizing):
    if not isinstance(node, list):
        return Result(node, None)
    rs = [minimax(c, depth - 1, not maximizing).value for c in node]
    b = (max if maximizing else min)(rs)
    return Result(b, rs.index(b))
""",
    ),
    "a dataclass for an answer": (
        "lists",
        """
from dataclasses import dataclass

@dataclass(order=True)
class Result:
    value: float
    move: object = None

def minimax(node, depth, maximizing):
    if not isinstance(node, list):
        return Result(node)
    rs = [minimax(c, depth - 1, not maximizing).value for c in node]
    b = (max if maximizing else min)(rs)
    return Result(b, rs.index(b))
""",
    ),
    "coroutines": (
        "lists",
        """
import asyncio

async def minimax(node, depth, maximizing):
    if isinstance(node, int):
        return node
    values = [await minimax(c, depth - 1, not maximizing) for c in node]
    return max(values) if maximizing else min(values)
""",
    ),
    "coroutines in an event loop": (
        "lists",
        """
import asyncio

async def search(node, maximizing):
    if isinstance(node, int):
        return node
    values = [await search(c, not maximizing) for c in node]
    return max(values) if maximizing else min(values)

def minimax(node, depth, maximizing):
    return asyncio.run(search(node, maximizing))
""",
    ),
    "a closure": (
        "lists",
        """
def make_search():
    counter = 0

    def go(node, alpha, beta, is_max):
        nonlocal counter
        counter += 1
        if type(node) is not list:
            return node
        for c in node:
            v = go(c, alpha, beta, not is_max)
            if is_max:
                alpha = max(alpha, v)
            else:
                beta = min(beta, v)
            if beta <= alpha:
                break
        return alpha if is_max else beta
    return go
_search = make_search()

def alphabeta(tree):
    return _search(tree, float('-inf'), float('inf'), True)
""",
    ),
    "defaults for everything": (
        "lists",
        """
import math

def alphabeta(node, depth=100, alpha=-math.inf, beta=math.inf, is_max=True, verbose=False, path=()):
    if not isinstance(node, list) or depth == 0:
        return node
    best = -math.inf if is_max else math.inf
    for i, c in enumerate(node):
        v = alphabeta(c, depth - 1, alpha, beta, not is_max, verbose, path + (i,))
        if is_max:
            best, alpha = (max(best, v), max(alpha, v))
        else:
            best, beta = (min(best, v), min(beta, v))
        if beta <= alpha:
            if verbose:
                print('cut')
            break
    return best
""",
    ),
    "a match statement": (
        "lists",
        """
def minimax(node, maximizing=True):
    match node:
        case int():
            return node
        case [*children]:
            values = [minimax(c, not maximizing) for c in children]
            return max(values) if maximizing else min(values)
""",
    ),
    "a static method": (
        "lists",
        """
class Solver:
    INF = 10 ** 9

    @staticmethod
    def minimax(node, depth, maximizing):
        if isinstance(node, int):
            return node
        f = max if maximizing else min
        return f((Solver.minimax(c, depth - 1, not maximizing) for c in node))
""",
    ),
    "a class method": (
        "lists",
        """
class Solver:

    @classmethod
    def minimax(cls, node, depth, maximizing):
        if isinstance(node, int):
            return node
        f = max if maximizing else min
        return f((cls.minimax(c, depth - 1, not maximizing) for c in node))
""",
    ),
    "an object that is called": (
        "lists",
        """
class Minimax:

    def __call__(self, node, maximizing=True):
        if isinstance(node, int):
            return node
        return (max if maximizing else min)([self(c, not maximizing) for c in node])
minimax = Minimax()
""",
    ),
    "the tree in the constructor": (
        "nodes",
        """
class AlphaBeta:

    def __init__(self, game_tree):
        self.root = game_tree

    def search(self):
        return self.max_value(self.root, float('-inf'), float('inf'))

    def max_value(self, node, alpha, beta):
        if not node.children:
            return node.value
        v = float('-inf')
        for c in node.children:
            v = max(v, self.min_value(c, alpha, beta))
            if v >= beta:
                return v
            alpha = max(alpha, v)
        return v

    def min_value(self, node, alpha, beta):
        if not node.children:
            return node.value
        v = float('inf')
        for c in node.children:
            v = min(v, self.max_value(c, alpha, beta))
            if v <= alpha:
                return v
            beta = min(beta, v)
        return v
""",
    ),
    "parameters by name only": (
        "lists",
        """
def alphabeta(node, *, alpha=float('-inf'), beta=float('inf'), maximizing=True):
    if not isinstance(node, list):
        return node
    for c in node:
        v = alphabeta(c, alpha=alpha, beta=beta, maximizing=not maximizing)
        if maximizing:
            alpha = max(alpha, v)
        else:
            beta = min(beta, v)
        if alpha >= beta:
            break
    return alpha if maximizing else beta
""",
    ),
    "parameters by position only": (
        "lists",
        """
def minimax(node, depth, maximizing, /):
    if not isinstance(node, list):
        return node
    return (max if maximizing else min)((minimax(c, depth - 1, not maximizing) for c in node))
""",
    ),
    "the name of the player": (
        "lists",
        """
def minimax(node, depth, player):
    if not isinstance(node, list):
        return node
    if player == 'MAX':
        return max((minimax(c, depth - 1, 'MIN') for c in node))
    return min((minimax(c, depth - 1, 'MAX') for c in node))
""",
    ),
    "1 and -1 for the players": (
        "lists",
        """
def minimax(node, depth, player):
    if not isinstance(node, list):
        return node
    if player == 1:
        return max((minimax(c, depth - 1, -1) for c in node))
    return min((minimax(c, depth - 1, 1) for c in node))
""",
    ),
    "the number of the turn": (
        "lists",
        """
def minimax(node, turn=0):
    if not isinstance(node, list):
        return node
    if turn % 2 == 0:
        return max((minimax(c, turn + 1) for c in node))
    return min((minimax(c, turn + 1) for c in node))
""",
    ),
    "the parity of the depth": (
        "lists",
        """
def minimax(node, depth=0):
    if not isinstance(node, list):
        return node
    values = [minimax(c, depth + 1) for c in node]
    return max(values) if depth % 2 == 0 else min(values)
""",
    ),
    "an exception at a leaf": (
        "lists",
        """
def minimax(node, maximizing):
    try:
        children = iter(node)
    except TypeError:
        return node
    values = [minimax(c, not maximizing) for c in children]
    return max(values) if maximizing else min(values)
""",
    ),
    "the length of a list": (
        "lists",
        """
def minimax(node, depth, maximizing):
    if not hasattr(node, '__len__'):
        return node
    vals = sorted((minimax(c, depth - 1, not maximizing) for c in node))
    return vals[-1] if maximizing else vals[0]
""",
    ),
    "a copy that is used up": (
        "lists",
        """
import copy

def alphabeta(node, depth, alpha, beta, maximizing):
    node = copy.deepcopy(node)
    if not isinstance(node, list):
        return node
    best = None
    while node:
        c = node.pop(0)
        v = alphabeta(c, depth - 1, alpha, beta, not maximizing)
        if best is None or (v > best if maximizing else v < best):
            best = v
        if maximizing:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best
""",
    ),
    "a trace of every node": (
        "nodes",
        """
INFINITY = 10 ** 6

def alpha_beta(node, depth, a, b, max_player):
    print(f'visiting {node.name}')
    if depth == 0 or node.is_terminal():
        return node.value
    if max_player:
        for child in node.children:
            a = max(a, alpha_beta(child, depth - 1, a, b, False))
            if b <= a:
                break
        return a
    else:
        for child in node.children:
            b = min(b, alpha_beta(child, depth - 1, a, b, True))
            if b <= a:
                break
        return b
""",
    ),
    "negamax by whose turn it is": (
        "aima",
        """
def alphabeta_search(state, game):

    def nega(s, alpha, beta):
        if game.terminal_test(s):
            return game.utility(s, game.to_move(s))
        best = -1000000000.0
        for a in game.actions(s):
            best = max(best, -nega(game.result(s, a), -beta, -alpha))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
    best, move = (-1000000000.0, None)
    for a in game.actions(state):
        v = -nega(game.result(state, a), -1000000000.0, -best)
        if v > best:
            best, move = (v, a)
    return move
""",
    ),
    "a dictionary of scores": (
        "pacman",
        """
from game import Agent

class MultiAgentSearchAgent(Agent):

    def __init__(self, evalFn='scoreEvaluationFunction', depth='2'):
        self.index = 0
        self.evaluationFunction = util.lookup(evalFn, globals())
        self.depth = int(depth)
import util

def scoreEvaluationFunction(s):
    return s.getScore()

class MinimaxAgent(MultiAgentSearchAgent):

    def getAction(self, gameState):

        def value(state, ply):
            n = state.getNumAgents()
            if ply == self.depth * n or state.isWin() or state.isLose():
                return self.evaluationFunction(state)
            agent = ply % n
            succ = (state.generateSuccessor(agent, a) for a in state.getLegalActions(agent) if a != 'Stop')
            return (max if agent == 0 else min)((value(s, ply + 1) for s in succ))
        scores = {a: value(gameState.generateSuccessor(0, a), 1) for a in gameState.getLegalActions(0)}
        return max(scores, key=scores.get)
""",
    ),
    "a call under a main guard": (
        "values",
        """
MAX, MIN = (1000, -1000)

def minimax(depth, nodeIndex, maximizingPlayer, values, alpha, beta):
    if depth == 3:
        return values[nodeIndex]
    if maximizingPlayer:
        best = MIN
        for i in range(0, 2):
            val = minimax(depth + 1, nodeIndex * 2 + i, False, values, alpha, beta)
            best = max(best, val)
            alpha = max(alpha, best)
            if beta <= alpha:
                break
        return best
    else:
        best = MAX
        for i in range(0, 2):
            val = minimax(depth + 1, nodeIndex * 2 + i, True, values, alpha, beta)
            best = min(best, val)
            beta = min(beta, best)
            if beta <= alpha:
                break
        return best
if __name__ == '__main__':
    print(minimax(0, 0, True, [3, 5, 6, 9, 1, 2, 0, -1], MIN, MAX))
""",
    ),
    "no depth limit": (
        "mit",
        """
def minimax_endgame_search(state, maximize=True):
    if state.is_game_over():
        return ([state], state.get_endgame_score(maximize), 1)
    rs = [minimax_endgame_search(s, not maximize) for s in state.generate_next_states()]
    best = (max if maximize else min)(rs, key=lambda r: r[1])
    return ([state] + best[0], best[1], sum((r[2] for r in rs)))
""",
    ),
    "an enumeration of players": (
        "lists",
        """
from enum import Enum

class Player(Enum):
    MAX = 1
    MIN = -1

    def other(self):
        return Player(-self.value)

def minimax(node, player=Player.MAX):
    if not isinstance(node, list):
        return node
    values = [minimax(c, player.other()) for c in node]
    return max(values) if player is Player.MAX else min(values)
""",
    ),
    "a decorator that remembers": (
        "lists",
        """
import functools

def memo(f):
    table = {}

    @functools.wraps(f)
    def g(node, depth, maximizing):
        k = (repr(node), maximizing)
        if k not in table:
            table[k] = f(node, depth, maximizing)
        return table[k]
    return g

@memo
def minimax(node, depth, maximizing):
    if not isinstance(node, list):
        return node
    return (max if maximizing else min)([minimax(c, depth - 1, not maximizing) for c in node])
""",
    ),
    "a decorator that hides the function": (
        "lists",
        """
import time

def timed(f):

    def g(*args, **kw):
        t = time.perf_counter()
        r = f(*args, **kw)
        return r
    return g

@timed
def minimax(node, depth, maximizing):
    if not isinstance(node, list):
        return node
    return (max if maximizing else min)([minimax(c, depth - 1, not maximizing) for c in node])
""",
    ),
    "its own unit tests and a log": (
        "lists",
        """
import unittest, logging, argparse
logging.basicConfig(level=logging.DEBUG)
log = logging.getLogger(__name__)

def minimax(node, depth, maximizing):
    log.debug('at %r', node)
    if not isinstance(node, list):
        return node
    return (max if maximizing else min)([minimax(c, depth - 1, not maximizing) for c in node])

class T(unittest.TestCase):

    def test_it(self):
        self.assertEqual(minimax([[3], [2]], 2, True), 3)
assert minimax([[3, 12, 8], [2, 4, 6], [14, 5, 2]], 2, True) == 3
if __name__ == '__main__':
    unittest.main()
""",
    ),
    "heaps": (
        "lists",
        """
import heapq

def minimax(node, depth, maximizing):
    if not isinstance(node, list):
        return node
    vals = [minimax(c, depth - 1, not maximizing) for c in node]
    return heapq.nlargest(1, vals)[0] if maximizing else heapq.nsmallest(1, vals)[0]
""",
    ),
    "an own stack in postorder": (
        "nodes",
        """
from collections import deque

def minimax(root, maximizing=True):
    order = []
    stack = deque([(root, maximizing)])
    while stack:
        n, m = stack.pop()
        order.append((n, m))
        stack.extend(((c, not m) for c in n.children))
    val = {}
    for n, m in reversed(order):
        val[id(n)] = n.value if not n.children else (max if m else min)((val[id(c)] for c in n.children))
    return val[id(root)]
""",
    ),
    "MIN is turn 0": (
        "lists",
        """
def minimax(node, turn):
    if not isinstance(node, list):
        return node
    if turn == 0:
        best = float('inf')
        for c in node:
            best = min(best, minimax(c, 1))
    else:
        best = float('-inf')
        for c in node:
            best = max(best, minimax(c, 0))
    return best
""",
    ),
    "MIN is turn 1": (
        "lists",
        """
def minimax(node, turn):
    if not isinstance(node, list):
        return node
    if turn == 1:
        return min((minimax(c, 0) for c in node))
    return max((minimax(c, 1) for c in node))
""",
    ),
    "the mark of MIN": (
        "lists",
        """
def minimax(node, player):
    if not isinstance(node, list):
        return node
    if player == 'O':
        return min((minimax(c, 'X') for c in node))
    return max((minimax(c, 'O') for c in node))
""",
    ),
    "the player that is not MAX": (
        "lists",
        """
def minimax(node, player):
    if not isinstance(node, list):
        return node
    if player != 'MAX':
        return min((minimax(c, 'MAX') for c in node))
    return max((minimax(c, 'MIN') for c in node))
""",
    ),
    "a generator of moves": (
        "lists",
        """
def alphabeta(node, depth, alpha, beta, maximizing):

    def moves():
        yield from node
    if isinstance(node, int):
        return node
    it = moves()
    best = None
    while True:
        c = next(it, None)
        if c is None:
            return best
        v = alphabeta(c, depth - 1, alpha, beta, not maximizing)
        best = v if best is None else (max if maximizing else min)(best, v)
        alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
        if alpha >= beta:
            return best
""",
    ),
}
"""The interface of each program and its text."""
