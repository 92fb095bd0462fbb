"""Which function of a student's file is the search, and which algorithm it is meant to be."""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any

_METHODS = (FunctionType, staticmethod, classmethod)


def function_names(module: ModuleType) -> Iterator[str]:
    """Yield the names of the functions that a module defines, and `Class.method` for its classes.

    An object that can be called is a function too.
    """
    for name, item in vars(module).items():
        if getattr(item, "__module__", None) != module.__name__:
            continue
        if inspect.isclass(item):
            for method, function in vars(item).items():
                if isinstance(function, _METHODS):
                    yield f"{name}.{method}"
        elif callable(item):
            yield name


def ranked_names(module: ModuleType, patterns: Sequence[str]) -> list[list[str]]:
    """Return the names that match each pattern as a whole, without regard to case, and then all others.

    Patterns with a dot are about `Class.method`, others about functions, and then about names of methods.
    """
    names = list(function_names(module))
    methods = [name for name in names if "." in name]
    if any(r"\." in pattern for pattern in patterns):
        return _grouped(methods, patterns, str)
    functions = [name for name in names if name not in methods]
    visible = [name for name in methods if "__" not in name]
    return _grouped(functions, patterns, str) + _grouped(
        visible, patterns, lambda name: name.partition(".")[2]
    )


def _grouped(names: list[str], patterns: Sequence[str], key: Callable[[str], str]) -> list[list[str]]:
    """Group names by the first pattern that their key matches; the last group has the others."""
    groups = []
    for pattern in patterns:
        groups.append([name for name in names if re.fullmatch(pattern, key(name), re.IGNORECASE)])
        names = [name for name in names if name not in groups[-1]]
    return [group for group in (*groups, names) if group]


def is_likely(name: str, patterns: Sequence[str]) -> bool:
    """Return whether a function is named like a search, or a method is."""
    names = (name, name.rpartition(".")[2])
    return any(re.fullmatch(pattern, each, re.IGNORECASE) for pattern in patterns for each in names)


def entry_points(module: ModuleType, names: Sequence[str]) -> list[str]:
    """Return the names that no other name of the group calls; all of them if there are none."""
    callees = {
        other
        for name in names
        for other in names
        if other != name and other.rpartition(".")[2] in _all_names(_code(module, name))
    }
    return [name for name in names if name not in callees] or list(names)


def choose_function(
    module: ModuleType, patterns: Sequence[str], works: Callable[[str], bool]
) -> tuple[list[str], list[str]]:
    """Return the functions that fit best, one unless the choice is open, and those that do not fit.

    `works` tells whether a function takes the arguments and is written at all.
    """
    rejected: list[str] = []
    for group in ranked_names(module, patterns):
        fitting = entry_points(module, [name for name in group if works(name)])
        if fitting:
            return fitting, rejected
        rejected += group
    return [], rejected


def intended_algorithm(module: ModuleType, name: str, algorithm: str, window_names: str) -> str:
    """Return `alpha-beta` if the function or anything that it calls has the names of a window.

    Else return the `algorithm` of the interface; a minimax search that is named after it is `expectimax`.
    """
    if algorithm == "minimax" and re.search("expecti", name, re.IGNORECASE):
        return "expectimax"
    window = re.compile(window_names, re.IGNORECASE)
    if window.search(name):
        return "alpha-beta"
    examined: set[str] = set()
    queue = [name]
    owner = name.partition(".")[0] if "." in name else ""
    while queue:
        current = queue.pop()
        examined.add(current)
        names = _all_names(_code(module, current))
        if any(window.fullmatch(each) for each in names):
            return "alpha-beta"
        reachable = {each for each in names if _code(module, each) is not None}
        if owner:
            methods = vars(getattr(module, owner))
            reachable |= {f"{owner}.{each}" for each in names if isinstance(methods.get(each), _METHODS)}
        queue += reachable - examined
    return algorithm


def _code(module: ModuleType, name: str) -> CodeType | None:
    """Return the code of a function or callable object of a module; None for anything else."""
    item: Any = module
    for part in name.split("."):
        item = getattr(item, part, None)
    if not callable(item) or inspect.isclass(item):
        return None
    item = inspect.unwrap(item)
    own = item if hasattr(item, "__code__") else vars(type(item)).get("__call__")
    return getattr(own, "__code__", None)


def _all_names(code: CodeType | None) -> set[str]:
    """Return the names of variables and attributes in a function and in those inside it."""
    if code is None:
        return set()
    names = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    return names.union(*(_all_names(inner) for inner in code.co_consts if isinstance(inner, CodeType)))
