"""Runs `gametree` and kills it at a counted event: the start of an SQL statement, or the move of a file.

The first argument is the number of the event, 0 for none; the number of all events goes to the last line
of stderr.
"""

import os
import signal
import sqlite3
import sys
from dataclasses import dataclass
from typing import Any

connect = sqlite3.connect


@dataclass
class Events:
    """The events so far, and the number of the one at which the process is killed."""

    at: int
    count: int = 0

    def happened(self) -> None:
        """One more event; the last one there is, if it is the one."""
        self.count += 1
        if self.count == self.at:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self) -> None:
        """Count the events of this process from now on."""

        def counted(*arguments: Any, **options: Any) -> sqlite3.Connection:
            connection = connect(*arguments, **options)
            connection.set_trace_callback(lambda _statement: self.happened())
            return connection

        sqlite3.connect = counted  # type: ignore[assignment]  # the very point of this
        sys.addaudithook(lambda name, _arguments: self.happened() if name == "os.rename" else None)


if __name__ == "__main__":
    from grader.cli import main

    events = Events(int(sys.argv.pop(1)))
    events.watch()
    try:
        main()
    finally:
        print(events.count, file=sys.stderr)
