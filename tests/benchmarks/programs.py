"""What programs run in that are measured: a Python that keeps what it compiled."""

import os
from pathlib import Path

_OTHERWISE = {"PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE"}


def environment(package: Path) -> dict[str, str]:
    """The variables with which Python finds the package in a folder, compiled as it is for its users."""
    kept = {name: value for name, value in os.environ.items() if name not in _OTHERWISE}
    return kept | {"PYTHONPATH": str(package)}


def on_two_cores(run: dict[str, float]) -> float:
    """Return the seconds that a program and its workers take on two cores with nothing else running.

    It is the program's own processor time and half of that of its workers; `own` and `work` in a record.
    """
    return run["own"] + run["work"] / 2
