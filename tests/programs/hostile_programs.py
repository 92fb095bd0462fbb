"""Hostile and broken programs, written for the tests: each must end within its limits, with a sentence."""

_SEARCH = """
def alphabeta(node, depth, alpha, beta, maximizing):
    {}
    return node if isinstance(node, int) else alphabeta(node[0], depth - 1, alpha, beta, not maximizing)
"""


def _at_import(lines: str) -> str:
    return lines + "\n" + _SEARCH.format("pass")


def _in_search(line: str) -> str:
    return "import os, sys\n" + _SEARCH.format(line)


HOSTILE_PROGRAMS: dict[str, tuple[str, str]] = {
    "empty file": ("", "no-function"),
    "not Python": ("MAX A (MIN B (3 12 8))", "syntax"),
    "Python 2": ('def minimax(node):\n    print "here"\n    return 0\n', "python-2"),
    "tabs and spaces": ("def minimax(node):\n\tif node:\n        return 0\n", "syntax"),
    "null bytes": ("def minimax(node):\n    return 0\n\x00", "syntax"),
    "deep nesting": ("x = " + "(" * 5000 + ")" * 5000, "syntax"),
    "only a stub": ("def minimax(node, depth, maximizing):\n    raise NotImplementedError\n", "unwritten"),
    "only pass": ("def minimax(node, depth, maximizing):\n    pass\n", "unwritten"),
    "unknown parameter": ("def minimax(node, depth, maximizing, wibble):\n    return 0\n", "no-function"),
    "two functions": (
        "def minimax_one(node):\n    return 0\ndef minimax_two(node):\n    return 0\n",
        "several",
    ),
    "loop at import": (_at_import("while True: pass"), "time"),
    "loop in the search": (_in_search("while True: pass"), "time"),
    "sleep": (_in_search("import time; time.sleep(100)"), "time"),
    "loop that swallows errors": (
        _in_search(
            "\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass"
        ),
        "time",
    ),
    "endless recursion": (_in_search("alphabeta(node, depth, alpha, beta, maximizing)"), "error"),
    "endless recursion without a limit": (
        _in_search("sys.setrecursionlimit(10**9); alphabeta(node, depth, alpha, beta, maximizing)"),
        "",
    ),
    "all memory": (_in_search("x = [0] * 10**10"), "error"),
    "memory bit by bit": (_in_search("x = []\n    while True: x.append(bytearray(10**7))"), ""),
    "megabytes printed": (_in_search("print('x' * 10**7)"), "error"),
    "megabytes to the descriptor": (_in_search("[os.write(1, b'x' * 10**6) for _ in range(20)]"), ""),
    "exit at import": (_at_import("import sys; sys.exit(0)"), "exit"),
    "exit in the search": (_in_search("sys.exit(3)"), "error"),
    "exit at once": (_in_search("os._exit(0)"), "stopped"),
    "killed by itself": (_at_import("import os, signal; os.abort()"), "crash"),
    "game loop with input": (_at_import("move = input('Your move? ')"), "input"),
    "reads standard input": (_at_import("import sys\nx = sys.stdin.readline().strip()\nint(x)"), "exception"),
    "missing module": (_at_import("import pygame\nscreen = pygame.display.set_mode((3, 3))"), ""),
    "writes a file elsewhere": (_in_search("open('/tmp/gametree-hostile-mark', 'w')"), "error"),
    "swallows a refused file": (
        _in_search("\n    try:\n        open('/tmp/gametree-hostile-mark', 'w')\n    except OSError: pass"),
        "",
    ),
    "removes files": (
        _at_import("import shutil, os\nshutil.rmtree(os.path.expanduser('~/nothing-here'))"),
        "exception",
    ),
    "opens a socket": (_at_import("import socket\nsocket.create_connection(('127.0.0.1', 9))"), "exception"),
    "starts a process": (_at_import("import subprocess\nsubprocess.Popen(['sleep', '1000'])"), "exception"),
    "forks": (_at_import("import os\nwhile True: os.fork()"), "exception"),
    "threads that go on": (
        _at_import(
            "import threading, time\nfor _ in range(5):\n    threading.Thread(target=time.sleep, args=(1000,)).start()"
        ),
        "",
    ),
    "changes the tree": (_in_search("node.clear() if isinstance(node, list) else None"), "error"),
    "patches the builtins": (_at_import("import builtins\nbuiltins.len = builtins.max = None"), ""),
    "error without a text": (
        _in_search("\n    class E(BaseException):\n        def __str__(self): raise E\n    raise E"),
        "error",
    ),
    "answers of every kind": (_in_search("return [object(), {}, 10**4000, float('nan'), b'x', ...]"), ""),
    "forged reports": (_in_search('os.write(3, b\'{"tree": 0, "visits": 7}\\n{}\\n[]\\n\\xff\\n\')'), ""),
}
"""The text of each program and the cause of its verdict; an empty cause leaves it open."""
