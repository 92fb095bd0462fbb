"""Run the command line: `gametree`, or `python -m grader`."""

import sys

from grader.base.interrupts import INTERRUPTED, WATCH


def main() -> None:
    """Run the command line; from the first moment Ctrl-C ends it with a sentence and without a traceback."""
    try:
        WATCH.start()
        from grader.cli import main as run
    except KeyboardInterrupt:
        WATCH.finish()
        WATCH.announce(lambda sentence: print(sentence, file=sys.stderr))
        sys.exit(INTERRUPTED)
    run()


if __name__ == "__main__":
    main()
