"""Look up entries by name; refuse unknown names and suggest similar ones."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn, TypeVar

from grader.base.suggest import close_matches
from grader.cli.shared.terminal import printable, refuse

T = TypeVar("T")


def suggest_names(name: str, names: Iterable[str], prefix: str = "") -> str:
    """The question whether a similar name was meant; empty if no name is similar."""
    matches = close_matches(name, names, 3)
    return f"Did you mean {' or '.join(prefix + match for match in matches)}?" if matches else ""


def lookup_name(registry: Mapping[str, T], name: str, noun: str, hint: str = "") -> T:
    """The entry with this name; refuse an unknown name and suggest similar ones."""
    if name not in registry:
        refuse_names(registry, (name,), noun, hint)
    return registry[name]


def refuse_names(known: Mapping[str, object], unknown: Sequence[str], noun: str, hint: str = "") -> NoReturn:
    """Refuse unknown names, all of them at once, and suggest similar ones."""
    quoted = [repr(printable(name, 60)) for name in unknown]
    message = f"no {noun} {quoted[0]}" if len(quoted) == 1 else f"neither a {noun} {' nor '.join(quoted)}"
    suggestions = [suggest_names(name, known) for name in unknown]
    choices = hint or (known and f"Choose from {', '.join(known)}.") or ""
    refuse(f"There is {message}.", " ".join(filter(None, suggestions)) or choices)
