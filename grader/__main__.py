"""Run the command line with `python -m grader`."""

from grader.cli import main

main()
