"""How commands say what they take: arguments and options, each with what it means."""

from typing import Any

import typer


def argument(shown: str, meaning: str, **settings: Any) -> Any:
    """What stands in a command without a name in front of it, and how help shows it; the rest is Typer's."""
    return typer.Argument(metavar=shown, help=meaning, **settings)


def option(meaning: str, *names: str, **settings: Any) -> Any:
    """What is given by one of these names, or else by the name of the parameter; the rest is Typer's."""
    return typer.Option(*names, help=meaning, **settings)
