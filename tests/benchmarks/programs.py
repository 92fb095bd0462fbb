"""What programs run in that are measured: a Python that keeps what it compiled."""

import os
from pathlib import Path

_OTHERWISE = {"PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE"}


def environment(package: Path) -> dict[str, str]:
    """The variables with which Python finds the package in a folder, compiled as it is for its users."""
    kept = {name: value for name, value in os.environ.items() if name not in _OTHERWISE}
    return kept | {"PYTHONPATH": str(package)}
