"""The notation: text to tree and back, with everything that is wrong in a text said at once."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from grader.notation.diagnostics import CODES, Diagnostic, Diagnostics
from grader.notation.reading import read_bytes, read_tree
from grader.notation.writing import write_tree

if TYPE_CHECKING:
    from grader.notation.exchange_efg import read_efg, write_efg
    from grader.notation.exchange_json import read_json, write_json

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

_EXCHANGE = {
    "read_efg": "grader.notation.exchange_efg",
    "read_json": "grader.notation.exchange_json",
    "write_efg": "grader.notation.exchange_efg",
    "write_json": "grader.notation.exchange_json",
}
"""The exchange formats are loaded when they are asked for: most trees are written in the notation itself."""


def __getattr__(name: str) -> Any:
    if name not in _EXCHANGE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_EXCHANGE[name]), name)
