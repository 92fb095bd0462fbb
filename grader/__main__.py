"""Run the command line: `gametree`, or `python -m grader`."""

import os
import sys

from grader.base.interrupts import INTERRUPTED, WATCH
from grader.base.memory import LITTLE_MEMORY, lacks_memory


def main() -> None:
    """Run the command line; from the first moment Ctrl-C ends it with a sentence and without a traceback."""
    try:
        WATCH.start()
        from grader.cli import main as run
    except KeyboardInterrupt:
        WATCH.finish()
        WATCH.announce(lambda sentence: print(sentence, file=sys.stderr))
        sys.exit(INTERRUPTED)
    except Exception as error:  # raised again unless memory is the reason
        if not lacks_memory(error):
            raise
        os.write(2, LITTLE_MEMORY)
        sys.exit(2)
    run()


if __name__ == "__main__":
    main()
