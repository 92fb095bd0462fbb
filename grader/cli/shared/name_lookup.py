"""Look up entries by name; refuse unknown names and suggest similar ones."""

from collections.abc import Iterable, Sequence
from typing import NoReturn, Protocol, TypeVar

from grader.base.suggest import close_matches
from grader.cli.shared.terminal import printable, refuse


class _Named(Protocol):
    """An entry of a registry."""

    @property
    def name(self) -> str:
        """The name by which it is asked for."""


T = TypeVar("T", bound=_Named)


def suggest_names(name: str, names: Iterable[str], prefix: str = "") -> str:
    """The question whether a similar name was meant; empty if no name is similar."""
    matches = close_matches(name, names, 3)
    return f"Did you mean {' or '.join(prefix + match for match in matches)}?" if matches else ""


def lookup_name(entries: Iterable[T], name: str, noun: str) -> T:
    """Return the entry with this `name`; refuse an unknown name and suggest similar ones."""
    by_name = {entry.name: entry for entry in entries}
    if name not in by_name:
        refuse_names(tuple(by_name), (name,), noun)
    return by_name[name]


def refuse_names(known: Sequence[str], unknown: Sequence[str], noun: str, hint: str = "") -> NoReturn:
    """Refuse unknown names, all of them at once, and suggest similar ones.

    If none is similar, the hint is `hint`, or else all that are `known`.
    """
    quoted = [repr(printable(name, 60)) for name in unknown]
    message = f"no {noun} {quoted[0]}" if len(quoted) == 1 else f"neither a {noun} {' nor '.join(quoted)}"
    suggestions = [suggest_names(name, known) for name in unknown]
    choices = hint or (f"Choose from {', '.join(known)}." if known else "")
    refuse(f"There is {message}.", " ".join(filter(None, suggestions)) or choices)
