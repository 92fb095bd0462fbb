"""An interface: how a course calls a search, loaded from a module of this program or a teacher's own file."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from os.path import basename
from types import ModuleType
from typing import Any

from grader.programs.interfaces import INTERFACES

COMMON_FUNCTIONS = (
    r"\w*(alpha_?beta|prun)\w*",
    r"\w*(minimax|min_?max|negamax)\w*",
    r"\w*expecti\w*",
    r"\w*(search|solve|best|decision)\w*",
    r"max_?\w*",
)
"""Patterns of the names of functions, the preferred ones first."""


class InterfaceError(ValueError):
    """A file is not an interface, or there is none with this name; the message says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Interface:
    """An interface: the upper-case names and the functions of its module.

    - `call`: calls the program at a position with a depth in plies (and a `window` if it `has_window`).
    - `stub`: the Python text to hand out.
    - `recognised_by`: a pattern that is found in programs for this interface.
    - `functions`: patterns of the names of the function or `Class.method`, the preferred ones first.
    - `shape`: the trees it can present: `any`, `complete` binary ones, whole `rounds` of all agents, those
      with `chance` nodes (after every move of a player for `dice`), or of three `players`.
    - `algorithm`: what a program without pruning is: `minimax`, `expectimax` or `max^n`.
    - `window_names`: a pattern of the names that only alpha-beta search has.
    - `payoffs`: the smallest and the largest payoff; `roots`: the players that may move first.
    - `allows_uniform`: a program may rely on all leaves having the depth that it is given.
    - `is_ordered`: the course prescribes the order of children.
    - `judges_generated`: the course compares the generated states too.
    - `has_depth_limit`: the search may end at internal nodes with a static evaluation.
    - `stand_ins`: the names that programs import from modules of the course.
    - `builtins`: what programs get in place of Python's own.
    - `suits`: whether a program can search a tree, by the columns and the `plies` that the tree has.
    - `start`: a position of a real game, for `gametree game`.
    """

    name: str
    title: str
    call: Callable[..., Any]
    stub: str = ""
    recognised_by: str = r"(?!)"
    functions: tuple[str, ...] = COMMON_FUNCTIONS
    shape: str = "any"
    algorithm: str = "minimax"
    window_names: str = r"\w*(alpha|beta|prun)\w*|α|β"
    payoffs: tuple[int, int] = (-20, 20)
    roots: tuple[str, ...] = ("MAX",)
    allows_uniform: bool = False
    is_ordered: bool = False
    judges_generated: bool = False
    has_depth_limit: bool = False
    has_window: bool = False
    stand_ins: Callable[[], dict[str, dict[str, Any]]] = dict
    builtins: Mapping[str, Any] = field(default_factory=dict)
    suits: Callable[..., bool] = lambda *_: True
    start: Any = None


_FUNCTIONS = ("call", "stand_ins", "suits")


@cache
def load_interface(name: str) -> Interface:
    """Return the interface with this name, or the one in a Python file. Raises `InterfaceError`.

    The code of the file is run: it is a teacher's own.
    """
    if name in INTERFACES:
        module = import_module(f"grader.programs.interfaces.{name}")
    elif name.endswith(".py"):
        module = _load_file(name)
    else:
        raise InterfaceError(f"there is no interface {name!r}; the interfaces are {', '.join(INTERFACES)}")
    known = {each for each in Interface.__dataclass_fields__ if each not in ("name", *_FUNCTIONS)}
    values = {each: getattr(module, each.upper()) for each in known if hasattr(module, each.upper())}
    values |= {each: getattr(module, each) for each in _FUNCTIONS if hasattr(module, each)}
    if not callable(values.get("call")):
        if "start" not in values:
            raise InterfaceError(f"{name} has neither a function call(program, position, depth) nor START")
        values["call"] = _refuse_calls
    stem = basename(name).removesuffix(".py")
    return Interface(name=stem, **{"title": stem, **values})


def _refuse_calls(*_: object) -> None:
    raise InterfaceError("the file has no function call(program, position, depth)")


def _load_file(path: str) -> ModuleType:
    """Run a teacher's file as a module. Raises `InterfaceError` for any fault of it."""
    module = ModuleType(basename(path).removesuffix(".py"))
    module.__file__ = path
    try:
        with open(path, encoding="utf-8") as file:
            source = file.read()
        exec(compile(source, path, "exec"), module.__dict__)
    except (Exception, SystemExit) as error:  # any fault of a teacher's file
        raise InterfaceError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from None
    return module


def recognised_interfaces(source: str) -> tuple[str, ...]:
    """Return the names of the interfaces for which a program may be written, the likeliest first."""
    names = [name for name in INTERFACES if re.search(load_interface(name).recognised_by, source)]
    return tuple(names) or ("lists",)
