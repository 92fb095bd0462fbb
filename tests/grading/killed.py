"""Runs `gametree` and kills it at a counted event: the start of an SQL statement, or the move of a file.

The first argument is the number of the event, 0 for none; the number of all events goes to the last line
of stderr.
"""

import os
import signal
import sqlite3
import sys
from typing import Any

AT = int(sys.argv.pop(1))
connect = sqlite3.connect
count = 0


def happened() -> None:
    """One more event; the last one there is, if it is the one."""
    global count
    count += 1
    if count == AT:
        os.kill(os.getpid(), signal.SIGKILL)


def counted(*arguments: Any, **options: Any) -> sqlite3.Connection:
    """A connection whose statements are counted as they start."""
    connection = connect(*arguments, **options)
    connection.set_trace_callback(lambda _statement: happened())
    return connection


if __name__ == "__main__":
    from grader.cli import main

    sqlite3.connect = counted  # type: ignore[assignment]  # the very point of this
    sys.addaudithook(lambda name, _arguments: happened() if name == "os.rename" else None)
    try:
        main()
    finally:
        print(count, file=sys.stderr)
