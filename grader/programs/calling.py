"""Call a student's function with arguments that follow from the names of its parameters."""

import inspect
import re
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any


class CallError(Exception):
    """A function cannot be called in this way; the message says why."""


class Program:
    """A loaded program and the function in it that is called.

    `owner` is the class of a method, `source` the text of the file.
    """

    def __init__(self, module: ModuleType, source: str, name: str) -> None:
        self.module, self.source, self.name = module, source, name
        self.owner: Any = None
        first, _, method = name.partition(".")
        found: Any = getattr(module, first, None)
        if method:
            self.owner, found = found, getattr(found, method, None)
        self.function: Any = found

    def __call__(self, **arguments: Any) -> Any:
        """Call the function, or the method of a new object of its class."""
        if self.owner is None:
            return self.function(**arguments)
        return getattr(construct(self.owner), self.function.__name__)(**arguments)

    @property
    def parameters(self) -> dict[str, bool]:
        """The names of the parameters except `self`, and whether each has a default."""
        return parameters_of(self.function, skip_first=self.owner is not None)

    def counts(self, name: str) -> str:
        """Return `up` if the recursion adds 1 to this parameter, `down` if it subtracts 1, else nothing."""
        up, down = (re.search(rf"\b{re.escape(name)}\s*{sign}\s*1\b", self.source) for sign in (r"\+", "-"))
        return "" if bool(up) is bool(down) else "up" if up else "down"


def parameters_of(function: Any, *, skip_first: bool = False) -> dict[str, bool]:
    """Return the names of the parameters of a function and whether each has a default.

    Raises `CallError` for anything that has no signature.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        raise CallError("it is not a function") from None
    listed = [each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    return {each.name: each.default is not each.empty for each in listed[skip_first:]}


ROLES: Mapping[str, str] = {
    "alpha": r"alpha|alfa|a|α|lower|low",
    "beta": r"beta|b|β|upper|high",
    "depth": r"(cur(rent)?_?)?(depth|level|plies|ply|d)(_?(left|limit|remaining))?|max_?depth",
    "minimizing": r"(is_?)?min(imi[sz](ing|er))?(_?(player|node|turn))?",
    "maximizing": (
        r"(is_?)?max(imi[sz](ing|e|er))?(_?(player|node|turn))?|player|turn|is_?(my|our)_?turn"
        r"|colou?r|sign|flag|who|to_?move"
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
            return owner(**keywords)
    return owner()
