"""Call a student's function with arguments that follow from the names of its parameters."""

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from functools import cache
from math import inf
from types import ModuleType
from typing import Any


class CallError(Exception):
    """A function cannot be called in this way; the message says why."""


class Program:
    """A loaded program and the function in it that is called.

    `owner` is the class of a method that needs an object, `source` the text of the file.
    """

    def __init__(self, module: ModuleType, source: str, name: str) -> None:
        self.module, self.source, self.name = module, source, name
        self.owner: Any = None
        first, _, method = name.partition(".")
        found: Any = getattr(module, first, None)
        if method:
            if inspect.isfunction(inspect.getattr_static(found, method, None)):
                self.owner = found
            found = getattr(found, method, None)
        self.function: Any = found

    def __call__(self, **arguments: Any) -> Any:
        """Call the function, or the method of a new object of its class."""
        if self.owner is None:
            return _invoke(self.function, arguments)
        own = {name: value for name, value in arguments.items() if name in self._constructor_parameters}
        rest = {name: value for name, value in arguments.items() if name in self._method_parameters}
        return _invoke(getattr(construct(self.owner, own), self.function.__name__), rest)

    @property
    def parameters(self) -> dict[str, bool]:
        """The names of the parameters except `self`, and whether each has a default.

        Those that the constructor of the class needs come first.
        """
        return self._constructor_parameters | self._method_parameters

    @property
    def _method_parameters(self) -> dict[str, bool]:
        return parameters_of(self.function, skip_first=self.owner is not None)

    @property
    def _constructor_parameters(self) -> dict[str, bool]:
        accepted = {} if self.owner is None else parameters_of(self.owner)
        return {name: has_default for name, has_default in accepted.items() if not has_default}

    def search_values(
        self, depth: int, window: tuple[Any, Any] | None = None, roles: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Return the value of each usual role at the root, where MAX moves; without a window the widest."""
        names = {role_of(name, roles or ROLES): name for name in self.parameters}
        alpha, beta = window or (-inf, inf)
        return {
            "alpha": alpha,
            "beta": beta,
            "depth": 0 if self.counts(names.get("depth", "depth")) == "up" else depth,
            "maximizing": self.value_for_max(names["maximizing"]) if "maximizing" in names else True,
            "minimizing": False,
        }

    def value_for_max(self, name: str) -> Any:
        """Return what the program writes for MAX in a parameter that says who moves.

        1. A default that is not a truth value.
        2. What the parameter is compared with: the text that names MAX, else the first whose branch does not
           look like that of MIN.
        3. True, or 0 where 1 stands for MIN.
        """
        parameter = inspect.signature(self.function).parameters.get(name)
        default = inspect.Parameter.empty if parameter is None else parameter.default
        if default is not inspect.Parameter.empty and not isinstance(default, bool):
            return default
        compared = _compared_values(self.source, name)
        texts = [text for text, is_for_min in compared if not is_for_min]
        for text in sorted(texts, key=lambda text: "max" not in text.lower()):
            try:
                value = eval(text, dict(vars(self.module)))
            except Exception:  # a name that the module does not have
                continue
            return True if isinstance(value, bool) or value == 1 else value
        return 0 if ("1", True) in compared else True

    def counts(self, name: str) -> str:
        """Return `up` if the recursion adds 1 to this parameter, `down` if it subtracts 1, else nothing."""
        up, down = (re.search(rf"\b{re.escape(name)}\s*{sign}\s*1\b", self.source) for sign in (r"\+", "-"))
        return "" if bool(up) is bool(down) else "up" if up else "down"


@cache
def _compared_values(source: str, name: str) -> tuple[tuple[str, bool], ...]:
    """Return what a parameter, or its remainder, is compared with, and whether that branch is one of MIN."""
    found = []
    for node in ast.walk(ast.parse(source)):
        test = node.test if isinstance(node, ast.If | ast.IfExp) else None
        if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], (*_EQUAL, *_UNEQUAL)):
            continue
        own, other = test.left, test.comparators[0]
        own = own.left if isinstance(own, ast.BinOp) else own
        if not isinstance(own, ast.Name) or own.id != name:
            continue
        if isinstance(other, ast.Constant | ast.Name | ast.Attribute):
            branch = ast.unparse(node).partition(":")[2].partition("else")[0]
            looks_like_min = re.search(r"\bmin\b", branch) and not re.search(r"\bmax\b", branch)
            found.append((ast.unparse(other), bool(looks_like_min) and isinstance(test.ops[0], _EQUAL)))
    return tuple(found)


_EQUAL, _UNEQUAL = (ast.Eq, ast.Is), (ast.NotEq, ast.IsNot)


def _invoke(function: Any, arguments: Mapping[str, Any]) -> Any:
    """Call a function with arguments by name, as it takes them; run a coroutine to its end."""
    kinds = {each.kind for each in inspect.signature(function).parameters.values()}
    kind = inspect.Parameter
    by_position = kind.POSITIONAL_ONLY in kinds or (
        kind.VAR_POSITIONAL in kinds and kind.VAR_KEYWORD not in kinds
    )
    result = function(*arguments.values()) if by_position else function(**arguments)
    if not inspect.iscoroutine(result):
        return result
    try:
        while True:
            result.send(None)
    except StopIteration as end:
        return end.value


def parameters_of(function: Any, *, skip_first: bool = False) -> dict[str, bool]:
    """Return the names of the parameters of a function and whether each has a default.

    A wrapper that takes any arguments has those of the function that it wraps.
    Raises `CallError` for anything that has no signature.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        raise CallError("it is not a function") from None
    listed = [each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    if parameters and not listed:
        for cell in getattr(function, "__closure__", None) or ():
            if inspect.isfunction(cell.cell_contents):
                return parameters_of(cell.cell_contents, skip_first=skip_first)
    return {each.name: each.default is not each.empty for each in listed[skip_first:]}


ROLES: Mapping[str, str] = {
    "alpha": r"alpha|alfa|a|α|lower|low",
    "beta": r"beta|b|β|upper|high",
    "depth": r"(cur(rent)?_?)?(depth|level|plies|ply|d)(_?(left|limit|remaining))?|max_?depth",
    "minimizing": r"(is_?)?min(imi[sz](ing|er))?(_?(player|node|turn))?",
    "maximizing": (
        r"(is_?)?max(imi[sz](ing|e|er))?(_?(player|node|turn))?|player|turn|is_?(my|our)_?turn"
        r"|colou?r|sign|flag|who|to_?move|agent|side|mark"
    ),
}
"""The names of parameters by their role; a name matches as a whole, without regard to case."""


def role_of(parameter: str, roles: Mapping[str, str] = ROLES) -> str | None:
    """Return the role of a parameter, or None."""
    for role, pattern in roles.items():
        if re.fullmatch(pattern, parameter, re.IGNORECASE):
            return role
    return None


def arguments_for(
    parameters: Mapping[str, bool], values: Mapping[str, Any], roles: Mapping[str, str] = ROLES
) -> dict[str, Any]:
    """Return the arguments by name: each parameter gets the value of its role.

    The first parameter without a role gets the value of `state`. Parameters with a default keep it without a
    value of their role. Raises `CallError` for a parameter that needs a value and has no known role.
    """
    arguments: dict[str, Any] = {}
    state_given = False
    for name, has_default in parameters.items():
        role = role_of(name, roles)
        if role is None and not state_given and "state" in values:
            role, state_given = "state", True
        if role is not None and role in values:
            arguments[name] = values[role]
        elif not has_default:
            raise CallError(f"it has a parameter {name!r} of unknown meaning")
    return arguments


def construct(owner: Callable[..., Any], *attempts: Mapping[str, Any]) -> Any:
    """Return an object of a student's class, made with the first arguments that its constructor takes."""
    accepted = parameters_of(owner)
    for keywords in attempts:
        if set(keywords) <= set(accepted):
            return _invoke(owner, keywords)
    return owner()
