"""The version of the program, which records and files carry."""

VERSION = "0.2.0"
PROGRAM = f"gametree-grader {VERSION}"
"""The program with its version, as records name it."""
