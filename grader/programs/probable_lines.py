"""The lines of a program that a mistake probably concerns, found in its syntax tree."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

Finder: TypeAlias = Callable[[ast.AST], Iterator[int]]

MAX_LINES = 2
"""With more candidates than that, no line is named."""

_WINDOW = re.compile(r"\w*(alpha|beta)\w*|[ab]|α|β|lower|upper|low|high", re.IGNORECASE)
_ALPHA = re.compile(r"\w*alpha\w*|a|α|lower|low", re.IGNORECASE)
_BEST = re.compile(r"\w*(best|val|eval|score|result|max|min)\w*|v", re.IGNORECASE)
_INFINITY = re.compile(r"(?i)float\(['\"][-+]?inf|\binf\b|infinity|INF\b|maxsize|maxint")
_ZERO = re.compile(r"-?0(\.0*)?|(sys\.)?float_info\.min")


def probable_lines(source: str) -> dict[str, list[int]]:
    """Return for each mistake the lines that it probably concerns, if they are few.

    A mistake that every program with it shows in its text has an empty list where there are none.
    """
    tree = ast.parse(source)
    lines = {name: sorted(set(find(tree))) for name, find in _FINDERS.items()}
    return {
        name: numbers
        for name, numbers in lines.items()
        if len(numbers) <= MAX_LINES and (numbers or name in ALWAYS_SHOWN)
    }


def _first_of(*finders: Finder) -> Finder:
    """Return a finder of the lines that the first finder with any lines finds."""

    def find(tree: ast.AST) -> Iterator[int]:
        yield from next(filter(None, (list(each(tree)) for each in finders)), [])

    return find


def _cut_tests(*operators: type[ast.cmpop]) -> Finder:
    """Return a finder of comparisons with a bound that leave a loop or a function."""

    def find(tree: ast.AST) -> Iterator[int]:
        """Yield the line of each `if` with one of the operators that leaves a loop or a function.

        One side must be named like a bound, unless the operators include `==`.
        """
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


def _reversed_tests(tree: ast.AST) -> Iterator[int]:
    """Yield the lines of the tests for a cutoff in which beta is the larger side, or alpha the smaller."""
    lines = set(_CUT_TESTS(tree))
    for test in ast.walk(tree):
        if isinstance(test, ast.Compare) and test.lineno in lines:
            sides = [test.left, test.comparators[0]]
            small, large = map(
                _last_name, sides if isinstance(test.ops[0], ast.Lt | ast.LtE) else sides[::-1]
            )
            is_beta = _WINDOW.fullmatch(large) and not _ALPHA.fullmatch(large)
            if is_beta or _ALPHA.fullmatch(small):
                yield test.lineno


def _plain_updates(tree: ast.AST) -> Iterator[int]:
    """Yield the lines on which a bound gets a value that is not compared with the old one."""
    guarded = {
        id(statement)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Compare)
        for statement in node.body
    }
    for node, names in _assignments(tree):
        if (
            isinstance(node.value, ast.Name)
            and id(node) not in guarded
            and any(map(_WINDOW.fullmatch, names))
        ):
            yield node.lineno


def _assignments(tree: ast.AST) -> Iterator[tuple[ast.Assign, list[str]]]:
    """Yield every assignment with the names or attributes that it sets."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            yield node, list(map(_last_name, node.targets))


def _zeros(tree: ast.AST) -> Iterator[int]:
    """Yield the lines on which a best value is set to 0."""
    for node, names in _assignments(tree):
        if any(map(_BEST.fullmatch, names)) and _ZERO.fullmatch(ast.unparse(node.value)):
            yield node.lineno


def _window_arguments(is_wrong: Callable[[str, str], object], *, in_loops: bool) -> Finder:
    """Return a finder of calls of the file's functions with a wrong bound, in loops over children or not.

    A bound that a call leaves out has its default.
    """

    def find(tree: ast.AST) -> Iterator[int]:
        """Yield the line of each such call."""
        functions = {node.name: node.args for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        recursive = {id(call) for loop in _loops(tree) for call in ast.walk(loop)}
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call) or (id(call) in recursive) is not in_loops:
                continue
            function = functions.get(_last_name(call.func))
            for parameter, argument in () if function is None else _arguments(function, call):
                if _WINDOW.fullmatch(parameter) and is_wrong(parameter, ast.unparse(argument)):
                    yield call.lineno

    return find


def _arguments(function: ast.arguments, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Yield every parameter of a function with the argument of a call, or its default."""
    names = [each.arg for each in function.args if each.arg != "self"]
    given = dict(zip(names, call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    defaults = zip(reversed(names), reversed(function.defaults), strict=False)
    yield from {**dict(defaults), **given}.items()


def _last_name(expression: ast.expr) -> str:
    return ast.unparse(expression).rpartition(".")[2]


def _is_wrong_end(parameter: str, argument: str) -> bool:
    """Return whether an argument is the other end of the window without a sign, or the same with one."""
    name = argument.removeprefix("-").rpartition(".")[2]
    is_other = bool(_ALPHA.fullmatch(parameter)) is not bool(_ALPHA.fullmatch(name))
    return bool(_WINDOW.fullmatch(name)) and is_other is not argument.startswith("-")


def _missing_negations(tree: ast.AST) -> Iterator[int]:
    """Yield the lines of calls that a negamax search makes of itself without a minus sign."""
    negated = {id(node.operand) for node in ast.walk(tree) if isinstance(node, ast.UnaryOp)}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and _last_name(call.func) == function.name:
                has_signs = any(ast.unparse(argument).startswith("-") for argument in call.args)
                is_negamax = has_signs or "nega" in function.name.lower()
                if is_negamax and id(call) not in negated:
                    yield call.lineno


def _unswapped_ends(tree: ast.AST) -> Iterator[int]:
    """Yield the lines of calls whose values are negated, and which get alpha as alpha or beta as beta."""
    functions = {node.name: node.args for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.UnaryOp) or not isinstance(call := node.operand, ast.Call):
            continue
        function = functions.get(_last_name(call.func))
        for parameter, argument in () if function is None else _arguments(function, call):
            name = _last_name(argument)
            is_same = bool(_ALPHA.fullmatch(parameter)) is bool(_ALPHA.fullmatch(name))
            if is_same and _WINDOW.fullmatch(parameter) and _WINDOW.fullmatch(name):
                yield call.lineno


def _is_wrong_start(parameter: str, argument: str) -> bool:
    """Return whether a first bound is 0 or the wrong infinity."""
    is_alpha = _ALPHA.fullmatch(parameter) is not None
    is_wrong_infinity = _INFINITY.search(argument) is not None and ("-" in argument) is not is_alpha
    return is_wrong_infinity or _ZERO.fullmatch(argument) is not None


def _shared_windows(tree: ast.AST) -> Iterator[int]:
    """Yield the lines on which alpha or beta is declared global or nonlocal.

    If there are none, yield the lines that assign to an attribute of that name.
    """
    declared = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Global | ast.Nonlocal) and any(map(_WINDOW.fullmatch, node.names))
    ]
    yield from declared or (
        node.lineno
        for node, names in _assignments(tree)
        if isinstance(node.targets[0], ast.Attribute) and any(map(_WINDOW.fullmatch, names))
    )


def _loops(tree: ast.AST) -> Iterator[ast.For]:
    """Yield the loops in which the file calls one of its functions."""
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for loop in ast.walk(tree):
        if isinstance(loop, ast.For) and any(
            isinstance(call, ast.Call) and _last_name(call.func) in own for call in ast.walk(loop)
        ):
            yield loop


def _loop_lines(tree: ast.AST) -> Iterator[int]:
    return (loop.lineno for loop in _loops(tree))


def _returns_in_loops(tree: ast.AST) -> Iterator[int]:
    """Yield the lines on which the body of a loop always returns or leaves the loop."""
    for loop in _loops(tree):
        yield from (each.lineno for each in loop.body if isinstance(each, ast.Return | ast.Break))


def _expressions(pattern: str, kinds: type[ast.expr] | tuple[type[ast.expr], ...]) -> Finder:
    """Return a finder of expressions whose text matches a pattern."""

    def find(tree: ast.AST) -> Iterator[int]:
        for node in ast.walk(tree):
            if isinstance(node, kinds) and re.match(pattern, ast.unparse(node)):
                yield node.lineno

    return find


_CALLS = (ast.Call, ast.Subscript)
_CUT_TESTS = _cut_tests(ast.Gt, ast.Lt, ast.GtE, ast.LtE)
_INFINITE_ARGUMENTS = _window_arguments(lambda _, argument: _INFINITY.search(argument), in_loops=True)
_FINDERS: Mapping[str, Finder] = {
    "ties-kept": _cut_tests(ast.Gt, ast.Lt),
    "ties-cut": _cut_tests(ast.GtE, ast.LtE),
    "own-bound": _CUT_TESTS,
    "one-late": _CUT_TESTS,
    "reversed-test": _reversed_tests,
    "never-prunes": _first_of(_INFINITE_ARGUMENTS, _CUT_TESTS, _loop_lines),
    "stops-at-tie": _cut_tests(ast.Eq),
    "latest-not-best": _plain_updates,
    "shallow-only": _INFINITE_ARGUMENTS,
    "root-alpha-forgotten": _INFINITE_ARGUMENTS,
    "best-start": _zeros,
    "window-start": _window_arguments(_is_wrong_start, in_loops=False),
    "not-negated": _missing_negations,
    "window-swapped": _first_of(_window_arguments(_is_wrong_end, in_loops=True), _unswapped_ends),
    "window-shared": _shared_windows,
    "first-child-only": _returns_in_loops,
    "no-leaf-test": _expressions(r"(?i)\S*depth\S* (==|<=) ", ast.Compare),
    "right-to-left": _expressions(r"reversed\(|.*\[::-1\]$", _CALLS),
    "sign-overlooked": _expressions(r"abs\(", _CALLS),
    "second-best": _expressions(r"sorted\(", _CALLS),
}

ALWAYS_SHOWN = ("first-child-only", "not-negated", "reversed-test", "window-start", "window-swapped")
