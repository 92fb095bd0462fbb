"""Choosing a thing by its name: a name that there is not is refused, with those that may be meant."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from grader.base.suggest import near
from grader.cli.shared.terminal import printable, refuse

T = TypeVar("T")


def meant(name: str, names: Iterable[str], before: str = "") -> str:
    """The names that a misspelt one may stand for, as a question; empty when none is close."""
    close = near(name, names, 3)
    return f"Did you mean {' or '.join(before + match for match in close)}?" if close else ""


def one_of(things: Mapping[str, T], name: str, what: str, hint: str = "") -> T:
    """The thing of this name; refuses a name that there is not, with those that may be meant."""
    if name not in things:
        choice = hint or (things and f"Choose from {', '.join(things)}.") or ""
        refuse(f"There is no {what} {printable(name, 60)!r}.", meant(name, things) or choice)
    return things[name]
