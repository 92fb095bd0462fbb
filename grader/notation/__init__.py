"""The notation: text to tree and back, with everything that is wrong in a text said at once."""

from grader.notation.diagnostics import CODES, Diagnostic, Diagnostics
from grader.notation.exchange_efg import read_efg, write_efg
from grader.notation.exchange_json import read_json, write_json
from grader.notation.reading import read_bytes, read_tree
from grader.notation.writing import write_tree

__all__ = [
    "CODES",
    "Diagnostic",
    "Diagnostics",
    "read_bytes",
    "read_efg",
    "read_json",
    "read_tree",
    "write_efg",
    "write_json",
    "write_tree",
]
