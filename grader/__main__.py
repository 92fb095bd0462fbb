"""Run the command line: `gametree`, or `python -m grader`."""

import os
import sys

from grader.base.memory import LITTLE_MEMORY, lacks_memory


def main() -> None:
    """Run the command line; from the first moment Ctrl-C ends it with a sentence and without a traceback."""
    try:
        from grader.base.interrupts import WATCH

        WATCH.start()
        from grader.cli import main as run
    except (KeyboardInterrupt, Exception) as error:  # raised again unless Ctrl-C or memory is the reason
        if lacks_memory(error):
            os.write(2, LITTLE_MEMORY)
            sys.exit(2)
        from grader.base.interrupts import INTERRUPTED, WATCH, is_interrupt

        if not is_interrupt(error):
            raise
        WATCH.finish()
        WATCH.announce(lambda sentence: print(sentence, file=sys.stderr))
        sys.exit(INTERRUPTED)
    run()


if __name__ == "__main__":
    main()
