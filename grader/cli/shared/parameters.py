"""Declare the arguments and options of commands, each with its meaning."""

from typing import Any

import typer


def argument(label: str, meaning: str, **settings: Any) -> Any:
    """A positional argument, and its name in the help; the settings are Typer's."""
    return typer.Argument(metavar=label, help=meaning, **settings)


def option(meaning: str, *names: str, **settings: Any) -> Any:
    """An option with these names, or else with that of the parameter; the settings are Typer's."""
    return typer.Option(*names, help=meaning, **settings)
