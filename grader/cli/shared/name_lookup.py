"""Choosing a thing by its name: a name that there is not is refused, with those that may be meant."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn, TypeVar

from grader.base.suggest import close_matches
from grader.cli.shared.terminal import printable, refuse

T = TypeVar("T")


def suggest_names(name: str, names: Iterable[str], before: str = "") -> str:
    """The names that a misspelt one may stand for, as a question; empty when none is close."""
    close = close_matches(name, names, 3)
    return f"Did you mean {' or '.join(before + match for match in close)}?" if close else ""


def lookup_name(things: Mapping[str, T], name: str, what: str, hint: str = "") -> T:
    """The thing of this name; refuses a name that there is not, with those that may be meant."""
    if name not in things:
        refuse_names(things, (name,), what, hint)
    return things[name]


def refuse_names(things: Mapping[str, object], wrong: Sequence[str], what: str, hint: str = "") -> NoReturn:
    """Refuse names that there are not, all of them at once, with those that may be meant."""
    said = [repr(printable(name, 60)) for name in wrong]
    told = f"no {what} {said[0]}" if len(said) == 1 else f"neither a {what} {' nor '.join(said)}"
    found = [suggest_names(name, things) for name in wrong]
    choice = hint or (things and f"Choose from {', '.join(things)}.") or ""
    refuse(f"There is {told}.", " ".join(filter(None, found)) or choice)
