"""More hostile programs, written for the tests: they attack the grader, or answer what cannot be read."""

_SEARCH = """
def alphabeta(node, depth, alpha, beta, maximizing):
    {}
    return node if isinstance(node, int) else (max if maximizing else min)(
        alphabeta(child, depth - 1, alpha, beta, not maximizing) for child in node
    )
"""


def _in_search(lines: str) -> str:
    return _SEARCH.format(lines.replace("\n", "\n    "))


SABOTAGE: dict[str, str] = {
    "forgets all modules": _in_search(
        """import sys
sys.modules.clear()"""
    ),
    "breaks json": _in_search(
        """import json
json.dumps = None
json.loads = None"""
    ),
    "breaks the calls of the system": _in_search(
        """import os
os.write = None
os._exit = None"""
    ),
    "looks for the grader's objects": _in_search(
        """import gc, sys
for o in gc.get_objects():
    if type(o).__name__ == 'SearchRecord':
        o.visits.clear()"""
    ),
    "clears the frames above it": _in_search(
        """import sys
f = sys._getframe()
while f:
    f.f_locals.clear() if f.f_back else None
    f = f.f_back"""
    ),
    "sets other hooks": _in_search(
        """import sys
sys.settrace(lambda *a: None)
sys.setprofile(None)"""
    ),
    "leaves work for the end": """
import atexit
atexit.register(lambda: open('/tmp/x', 'w'))
"""
    + _in_search("pass"),
    "ignores signals in a loop": """
import signal
for s in (signal.SIGTERM, signal.SIGXCPU, signal.SIGINT):
    signal.signal(s, signal.SIG_IGN)
"""
    + _in_search(
        """while True:
    pass"""
    ),
    "an answer that contains itself": """
def alphabeta(node, depth, alpha, beta, maximizing):
    x = []
    x.append(x)
    return x
""",
    "an answer with a million digits": """
def alphabeta(node, depth, alpha, beta, maximizing):
    return 10 ** 10 ** 6
""",
    "not a number for an answer": """
def alphabeta(node, depth, alpha, beta, maximizing):
    return float('nan')
""",
    "a complex number for an answer": """
def alphabeta(node, depth, alpha, beta, maximizing):
    return 1j
""",
    "a truth value for an answer": """
def alphabeta(node, depth, alpha, beta, maximizing):
    return True
""",
    "a generator for an answer": """
def alphabeta(node, depth, alpha, beta, maximizing):
    yield from ([node] if isinstance(node, int) else node)
""",
    "an answer that exits when it is read": """
class E:

    def __getattr__(self, n):
        raise SystemExit(n)

def alphabeta(node, depth, alpha, beta, maximizing):
    return E()
""",
    "a number that cannot be read": """
class E(int):

    def __sub__(self, o):
        raise RuntimeError

    def __repr__(self):
        while_ = 1 / 0

    def __int__(self):
        raise KeyError

def alphabeta(node, depth, alpha, beta, maximizing):
    return E(3)
""",
    "a dictionary without an end": """
class D(dict):

    def values(self):
        while True:
            yield 1

def alphabeta(node, depth, alpha, beta, maximizing):
    return D(a=1)
""",
    "an error of megabytes": _in_search("raise ValueError('x' * 10 ** 7)"),
    "a chain of five thousand errors": _in_search(
        """e = None
for i in range(5000):
    try:
        raise ValueError(i) from e
    except ValueError as x:
        e = x
raise e"""
    ),
    "a list without an end": _in_search("list(iter(int, 1))"),
    "a slow pattern": _in_search(
        """import re
re.match('(a+)+$', 'a' * 40 + 'b')"""
    ),
    "a text of gigabytes": _in_search("x = 'a' * (1 << 34)"),
    "an error in half a character": """
def alphabeta(node, depth, alpha, beta, maximizing):
    raise ValueError('\\udc80\\u202e')
""",
    "an error with terminal codes": """
def alphabeta(node, depth, alpha, beta, maximizing):
    raise ValueError('\\x1b[31mred\\x07')
""",
    "changes the grader": _in_search(
        """import grader.programs.reference as r
r.TOLERANCE = 10 ** 9
r.is_value = lambda *a: True"""
    ),
    "changes the interface": _in_search(
        """import grader.programs.interfaces.lists as L
L.Leaf.__gt__ = lambda *a: True"""
    ),
    "a thread that ends the process": """
import threading, os, time
threading.Thread(target=lambda: (time.sleep(0.2), os._exit(5))).start()
"""
    + _in_search("pass"),
    "closes all files": _in_search(
        """import os
os.closerange(0, 100)"""
    ),
    "reads a private file": _in_search("open(__import__('os').path.expanduser('~/.bashrc')).read()"),
    "three thousand signs": "def minimax(node):\n    return " + "-" * 3000 + "node\n",
    "only a game loop": """
class Game:

    def play(self):
        while True:
            input()
Game().play()
""",
    "a process of multiprocessing": """
import multiprocessing
"""
    + _in_search("multiprocessing.Process(target=print).start()"),
    "a breakpoint": _in_search("breakpoint()"),
    "forgets itself": _in_search("globals().clear()"),
    "deletes builtins": """
import builtins
del builtins.isinstance
del builtins.len
"""
    + _in_search("pass"),
}
"""The text of each program."""
