"""Reads a tree or its diagnostics from the notation."""

from typing import TYPE_CHECKING

from grader.trees.notation.plain_reader import read_plain
from grader.trees.tree import Tree, require_tree

if TYPE_CHECKING:
    from grader.trees.notation.diagnostics import Diagnostics


def read_tree(text: str) -> "Tree | Diagnostics":
    """Read one tree in brackets, by indentation, or in any mixture of the two.

    Returns the tree, or all diagnostics at once; never raises for a text, and `TypeError` otherwise.
    """
    if not isinstance(text, str):
        raise TypeError(f"a tree is read from a text, not from {type(text).__name__}")
    text = text.removeprefix("\ufeff")
    tree = read_plain(text)
    if tree is not None:
        return tree
    from grader.trees.notation.parsing import parse_tree  # slow to load, and rarely needed

    return parse_tree(text)


def tree_of(text: str) -> Tree:
    """Return the tree that a text describes.

    Raises `grader.trees.tree.TreeError` with all diagnostics of the text.
    """
    return require_tree(read_tree(text))


def read_bytes(data: bytes) -> "Tree | Diagnostics":
    """Read one tree from the bytes of a UTF-8 file, with or without a byte order mark."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
        from grader.trees.notation.diagnostics import Complaint, to_diagnostics

        start = text.index("\ufffd") if "\ufffd" in text else 0
        return to_diagnostics(text, [Complaint(start, start + 1, "not-utf-8", "the file is not UTF-8")])
    return read_tree(text)
