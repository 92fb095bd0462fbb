"""The options and arguments that several commands share."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, Literal

from grader.base.numbers import Number, NumeralError, format_count, read_number
from grader.base.shipped import bank_files
from grader.cli.shared.completion import completed
from grader.cli.shared.parameters import argument, option
from grader.cli.shared.terminal import Command, refuse, remember_json
from grader.trees.rules import Order, Returns, Rules, RulesError, Test, Ties
from grader.trees.tree import Tree


def _bank_names(incomplete: str) -> list[str]:
    """Complete names of the bank; files are completed by the shell itself."""
    from grader.cli.shared.sources import BANK

    return completed(tuple(bank_files()), BANK, incomplete)


TreeFile = Annotated[
    str,
    argument(
        "FILE",
        "A tree file (.tree, .json or .efg), - for standard input, or bank:NAME.",
        autocompletion=_bank_names,
    ),
]

BlankOption = Annotated[
    Literal["zero", "empty"],
    option("Whether a blank reply earns 0 points or leaves its cell empty.", "--blank"),
]
MissingOption = Annotated[
    Literal["zero", "empty"] | None,
    option(
        "Whether a student who handed in nothing earns 0 points or has empty cells. Default: as the exam.",
        "--missing",
    ),
]
Json = Annotated[bool, option("Print one JSON document instead of text.", "--json", callback=remember_json)]

OutputOption = Annotated[str, option("File to write, or - for stdout.", "-o", "--output", metavar="OUT")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """The conventions of a search on the command line; None for options that were not given."""

    order: Annotated[Order | None, option("Order in which children are visited.")] = None
    ties: Annotated[
        Ties | None, option("Prune when alpha equals beta too (cut), or only when alpha > beta (keep).")
    ] = None
    test: Annotated[
        Test | None,
        option("Compare a value with the window before updating it, or update and test alpha >= beta."),
    ] = None
    returns: Annotated[
        Returns | None, option("A node with a cutoff returns its value so far (soft) or the bound (hard).")
    ] = None
    bounds: Annotated[
        str | None,
        option("Limits known for all payoffs; the search starts with alpha = L, beta = U.", metavar="L,U"),
    ] = None
    window: Annotated[
        str | None, option("The window with which the search starts at the root.", metavar="A,B")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOptions(SearchOptions):
    """The rules on the command line; None for options that were not given."""

    depth: Annotated[
        int | None, option("Plies searched before the static evaluation is used.", metavar="D")
    ] = None

    def override_rules(self, tree: Tree) -> Rules:
        """The rules of a tree's header, overridden by these options; refuse a contradiction."""
        options = {name: getattr(self, name) for name in ("order", "ties", "test", "returns", "depth")}
        options["bounds"] = None if self.bounds is None else read_bounds(self.bounds)
        options["window"] = None if self.window is None else read_bounds(self.window, "--window")
        try:
            return tree.rules(**options)
        except RulesError as error:
            in_file = options.keys() & tree.header.by_key.keys()
            refuse(f"{error}.", "Options override the @ lines of the file." if in_file else "")


def takes(group: Callable[..., Any]) -> Callable[[Command], Command]:
    """Return a decorator that gives a command the options of a group, as its one parameter `options`."""
    return lambda command: _with_group(command, group)


def _with_group(command: Command, group: Callable[..., Any]) -> Command:
    """Replace the parameter `options` of a command by the options of a group, from which it is made."""
    signature = inspect.signature(command)
    added = inspect.signature(group).parameters
    own = [parameter for name, parameter in signature.parameters.items() if name != "options"]
    shared = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in added.values()]

    @wraps(command)
    def with_options(**arguments: Any) -> None:
        options = group(**{name: arguments.pop(name) for name in added})
        command(**arguments, options=options)

    parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own] + shared
    with_options.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]  # read by Typer
    return with_options


def read_bounds(text: str, option: str = "--bounds") -> tuple[Number, Number]:
    """The two limits of an option; refuse anything but two numbers."""
    parts = text.strip().removeprefix("[").removesuffix("]").split(",")
    try:
        low, high = map(read_number, map(str.strip, parts))
    except NumeralError as error:
        refuse(
            f"{option} {text}: one of the two {error}.",
            f"Write the lower and the upper limit, as in {option} -2,2.",
        )
    except ValueError:
        refuse(
            f"{option} {text}: {format_count(len(parts), 'number')} instead of two.",
            f"Write the lower and the upper limit with a comma between them, as in {option} -2,2.",
        )
    return low, high
