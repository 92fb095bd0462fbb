"""Read trees and other input from files, standard input or the bank; write results."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from grader.base.files import write_file
from grader.base.numbers import format_count
from grader.base.shipped import bank_files
from grader.cli.shared.name_lookup import suggest_names
from grader.cli.shared.refusals import error_text
from grader.cli.shared.terminal import note, paint, refuse, report, say_bytes, say_errors, wants_json
from grader.trees.tree import Tree

if TYPE_CHECKING:
    from grader.trees.notation.diagnostics import Diagnostics

T = TypeVar("T")

MAX_TREE_BYTES = 256 * 1024 * 1024
"""The largest tree file; two million leaves need far fewer bytes."""

BANK = "bank:"


def read_tree_source(source: str) -> Tree:
    """The tree at a path, at `-` or in the bank; refuse an unreadable one with all its diagnostics."""
    data = read_input_bytes(_path(source), "a tree file", hint="A tree may have at most 2,000,000 leaves.")
    return require_parsed(source, parse_tree_file(data, Path(source).suffix.lower()))


def require_parsed(source: str, parsed: "T | Diagnostics") -> T:
    """Return what a reader made of a text; refuse with all diagnostics if it could not read it."""
    from grader.trees.notation.diagnostics import Diagnostics

    if not isinstance(parsed, Diagnostics):
        return parsed
    if wants_json():
        say_errors(
            [
                {
                    "message": fault.message,
                    "hint": fault.hint,
                    "code": fault.code,
                    "line": fault.line,
                    "column": fault.column,
                    "file": source,
                }
                for fault in parsed
            ]
        )
    label, count = source_label(source), format_count(len(parsed), "mistake")
    report(f"{paint('Error:', 'red', sys.stderr)} {label} cannot be used: {count}.")
    report(str(parsed))
    raise typer.Exit(2)


def parse_tree_file(data: bytes, suffix: str) -> "Tree | Diagnostics":
    """Read the tree in a file's bytes, in the notation of the suffix or else of the first characters.

    Note other names of players, and commas that may have been decimal signs.
    """
    from grader.trees.notation.reading import read_bytes

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return read_bytes(data)  # which says where the text stops being UTF-8
    start = text[:64].lstrip()
    if suffix == ".json" or (suffix != ".efg" and start.startswith("{")):
        from grader.trees.notation.exchange_json import read_json

        return read_json(text)
    if suffix == ".efg" or start.startswith("EFG "):
        from grader.trees.notation.exchange_efg import read_efg, renamed_players

        tree = read_efg(text)
        if isinstance(tree, Tree) and (renamed := renamed_players(text, tree)):
            players = f"{'P1, P2, ...' if tree.seats else 'MAX and MIN'} here, not {', '.join(renamed)}"
            note(f"players are called {players}.")
        return tree
    from grader.trees.notation.decimal_commas import comma_note

    tree = read_bytes(data)
    if isinstance(tree, Tree) and (comma_warning := comma_note(text)):
        note(f"{comma_warning}.")
    return tree


def write_result(target: str, content: str | bytes, *, lasting: bool = False) -> None:
    """Write a result to a path or, for `-`, to stdout; refuse a path that cannot be written.

    A `lasting` file is synced to the disk before this returns.
    """
    data = content.encode() if isinstance(content, str) else content
    if target == "-":
        say_bytes(data)
        return
    path = Path(target)
    try:
        path.parent.stat()  # a misspelt directory is not made
        write_file(path, data, lasting=lasting)
    except OSError as error:
        refuse(f"{target} cannot be written: {error_text(error)}.", writing_hint(path))


def writing_hint(path: Path) -> str:
    """The hint for a path that cannot be written; empty if there is none."""
    if path.is_dir():
        return f"Name a file in it, such as {path / 'tree.svg'}."
    return "" if path.parent.exists() else f"Make the directory {path.parent} first."


def _path(source: str) -> str:
    """The path of a tree, or `-`; a name of the bank becomes the path of its file."""
    if not source.startswith(BANK):
        return source
    name, files = source.removeprefix(BANK), bank_files()
    if name not in files:
        hint = suggest_names(name, files, BANK) or "`gametree bank` lists its trees."
        refuse(f"The bank has no tree named {name!r}.", hint)
    return str(files[name])


def read_input_bytes(source: str, noun: str, *, max_bytes: int = MAX_TREE_BYTES, hint: str = "") -> bytes:
    """The bytes of a file, or of standard input for `-`.

    Refuse a path that cannot be read, and, with the hint, more than `max_bytes`.
    """
    path = Path(source)
    try:
        if source == "-":
            data = sys.stdin.buffer.read(max_bytes + 1)
        elif path.is_dir():
            refuse(f"{path} is a directory, not {noun}.", "Name one file in it.")
        else:
            with path.open("rb") as file:
                data = file.read(max_bytes + 1)
    except FileNotFoundError:
        refuse(f"There is no file {path}.", _missing_hint(path))
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the path
        refuse(f"{path} cannot be read: {error_text(error)}.")
    if len(data) > max_bytes:
        refuse(f"{source_label(source)} is larger than {max_bytes // 2**20} MB.", hint)
    return data


def read_input_text(source: str, noun: str, *, max_bytes: int = MAX_TREE_BYTES, hint: str = "") -> str:
    """The text of a file, or of standard input for `-`.

    Refuse as `read_input_bytes` does, and refuse text that is not UTF-8.
    """
    try:
        return read_input_bytes(source, noun, max_bytes=max_bytes, hint=hint).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse(
            f"{source_label(source)} is not {noun}: byte {error.start + 1} is not UTF-8.",
            "Save it as UTF-8.",
        )


def source_label(source: str) -> str:
    """The name of an input in messages."""
    return "standard input" if source == "-" else source


def _missing_hint(path: Path) -> str:
    """Return a hint for a missing file: a tree of the bank, a tree as an argument, or a similar name."""
    if str(path) in bank_files():
        return f"Did you mean {BANK}{path}? That is a tree of the bank."
    if any(sign in str(path) for sign in "()[]"):
        return "A tree itself goes to standard input: echo 'MAX (3 5)' | gametree solve -"
    try:
        neighbours = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return f"There is no directory {path.parent} either."
    return suggest_names(path.name, neighbours, "" if path.parent == Path() else f"{path.parent}/")
