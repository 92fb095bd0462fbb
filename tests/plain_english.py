"""Count habits that make the code foreign to an English-speaking engineer, room by room.

python -m tests.plain_english          print the counts as `plain_english.toml` keeps them
python -m tests.plain_english HABIT    print every place of one habit: names, constants, docstrings or phrases

A count is a list of places to look at, and no word is changed only to please it.
"""

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "grader"

HABITS = ("names", "constants", "docstrings", "phrases")

DATA = Path(__file__).with_suffix(".toml")
"""The words, and how many places of each habit a room may have."""

WORDS = {kind: set(words.split()) for kind, words in tomllib.loads(DATA.read_text("utf-8"))["words"].items()}

PHRASES = re.compile(
    r"""
      (?<!there\ )\b(?:is|are|was|were)\ no\b(?!\ longer|\ more|\ fewer|\ other|\ such|\ different)
    | \b(?:is|are|was|were|be|been)\ told\b(?!\ to\b)
    | \bstands?\ (?:in|at|on|there|behind|before|beside|apart|still|so)\b
    | \bbeside\b(?!\ each\ other)
    | \bbehind\ (?:it|them|its|their|the\ (?:name|number|key|value|dash|place|word))\b
    | \bso\ many\b
    | \bnobody(?:'s)?\b
    | \bof\ (?:which|whom|whose)\b
    | \bwhat\ (?:is|was|has|stands|counts|comes|came)\b
    | \b(?:whoever|whatever|whichever)\b
    | \b(?:anew|astray|hitherto|thereby|wherein|thereof)\b
    | \bsuch\ (?:a|an)\ one\b | \bthe\ like\b | \band\ so\ on\b
    | \bwhere\ (?:none|nothing|nobody|no\ one)\b
    | \bmend(?:s|ed|ing)?\b
    | \b(?:is|are|was|were)\ (?:taken|held)\ (?:for|against)\b
    | \bcalled\ so\b | \bas\ (?:it|they)\ (?:is|are)\ called\b
    | \bthat\ which\b | \bthose\ which\b | \bso\ that\ who\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Phrases that are carried over word by word from another language."""


def places(path: Path) -> Iterator[tuple[str, int, str]]:
    """Yield the habit, the line and the text of every place in a module."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name, lineno=line) | ast.ClassDef(name=name, lineno=line):
                yield from _name(name, line)
                yield from _docstring(node)
            case ast.arg(arg=name, lineno=line):
                yield from _name(name, line)
            case ast.Name(id=name, lineno=line, ctx=ast.Store()):
                yield from _name(name, line, is_variable=True)
            case ast.Expr(value=ast.Constant(value=str(text), lineno=line)):
                yield from _phrases(text, line)
    if not any(PHRASES.search(line.partition("#")[2]) for line in source.splitlines()):
        return  # no comment has a phrase, which a search tells sooner than the tokens do
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield from _phrases(token.string, token.start[0])


def _name(name: str, line: int, *, is_variable: bool = False) -> Iterator[tuple[str, int, str]]:
    bare = name.strip("_")
    if bare.isupper() and bare in WORDS["unitless"]:
        yield "constants", line, name
    elif (bare in WORDS["vague"] and not (is_variable and bare in WORDS["short_lived"])) or (
        "_" in bare and not WORDS["tenses"].isdisjoint(bare.split("_"))
    ):
        yield "names", line, name


def _docstring(node: ast.FunctionDef | ast.ClassDef) -> Iterator[tuple[str, int, str]]:
    text = ast.get_docstring(node) or ""
    is_property = any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
    if (
        isinstance(node, ast.FunctionDef)
        and not is_property
        and text.split(" ")[0].strip("`,.:") in WORDS["openers"]
    ):
        yield "docstrings", node.lineno, text.partition("\n")[0]


def _phrases(text: str, line: int) -> Iterator[tuple[str, int, str]]:
    for number, words in enumerate(text.splitlines(), line):
        for found in PHRASES.finditer(words):
            yield "phrases", number, f"{found[0]!r}: {words.strip()}"


@cache
def counts() -> dict[str, dict[str, int]]:
    """Return the number of places of every habit in every room."""
    rooms: dict[str, Counter[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        room = path.relative_to(PACKAGE).parts[0]
        if room != "_shipped" and not room.endswith(".py"):
            rooms.setdefault(room, Counter()).update(habit for habit, _, _ in places(path))
    return {room: {habit: found[habit] for habit in HABITS} for room, found in rooms.items()}


def main() -> None:
    """Print counts or places."""
    if len(sys.argv) > 1:
        for path in sorted(PACKAGE.rglob("*.py")):
            for habit, line, text in places(path):
                if habit == sys.argv[1]:
                    print(f"{path.relative_to(PACKAGE.parent)}:{line}: {text}")
        return
    for room, found in counts().items():
        print(f"{room} = {{{', '.join(f'{habit} = {count}' for habit, count in found.items())}}}")


if __name__ == "__main__":
    main()
