"""The lines of a program that a mistake probably concerns, found in its syntax tree."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping

MAX_LINES = 2
"""With more candidates than that, no line is named."""

_WINDOW = re.compile(r"\w*(alpha|beta)\w*|[ab]|α|β|lower|upper|low|high", re.IGNORECASE)
_INFINITY = re.compile(r"(?i)float\(['\"][-+]?inf|\binf\b|infinity|INF\b|maxsize|maxint")


def probable_lines(source: str) -> dict[str, list[int]]:
    """Return for each mistake the lines that it probably concerns, if there are such lines."""
    tree = ast.parse(source)
    lines = {name: sorted(set(find(tree))) for name, find in _FINDERS.items()}
    return {name: numbers for name, numbers in lines.items() if 0 < len(numbers) <= MAX_LINES}


def _cut_tests(*operators: type[ast.cmpop]) -> Callable[[ast.AST], Iterator[int]]:
    """Return a finder of comparisons with a bound that leave a loop or a function."""

    def find(tree: ast.AST) -> Iterator[int]:
        for node in ast.walk(tree):
            if isinstance(node, ast.If) and any(
                isinstance(each, ast.Break | ast.Return) for each in node.body
            ):
                for test in ast.walk(node.test):
                    if isinstance(test, ast.Compare) and isinstance(test.ops[0], operators):
                        names = [each.id for each in ast.walk(test) if isinstance(each, ast.Name)]
                        if ast.Eq in operators or any(map(_WINDOW.fullmatch, names)):
                            yield node.lineno

    return find


def _plain_updates(tree: ast.AST) -> Iterator[int]:
    """Yield the lines on which a bound gets a value that is not compared with the old one."""
    guarded = {
        id(statement)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Compare)
        for statement in node.body
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and id(node) not in guarded:
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if any(map(_WINDOW.fullmatch, names)):
                yield node.lineno


def _calls_without_bounds(tree: ast.AST) -> Iterator[int]:
    """Yield the lines on which a function of the file is called with an infinite argument."""
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or ast.unparse(node.func).rpartition(".")[2] not in own:
            continue
        if any(_INFINITY.search(ast.unparse(argument)) for argument in node.args):
            yield node.lineno


def _expressions(pattern: str) -> Callable[[ast.AST], Iterator[int]]:
    """Return a finder of calls and subscripts whose text matches a pattern."""

    def find(tree: ast.AST) -> Iterator[int]:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call | ast.Subscript) and re.match(pattern, ast.unparse(node)):
                yield node.lineno

    return find


_FINDERS: Mapping[str, Callable[[ast.AST], Iterator[int]]] = {
    "ties-kept": _cut_tests(ast.Gt, ast.Lt),
    "ties-cut": _cut_tests(ast.GtE, ast.LtE),
    "own-bound": _cut_tests(ast.Gt, ast.Lt, ast.GtE, ast.LtE),
    "one-late": _cut_tests(ast.Gt, ast.Lt, ast.GtE, ast.LtE),
    "stops-at-tie": _cut_tests(ast.Eq),
    "latest-not-best": _plain_updates,
    "latest-in-window": _plain_updates,
    "shallow-only": _calls_without_bounds,
    "root-alpha-forgotten": _calls_without_bounds,
    "right-to-left": _expressions(r"reversed\(|.*\[::-1\]$"),
    "sign-overlooked": _expressions(r"abs\("),
    "second-best": _expressions(r"sorted\("),
}
