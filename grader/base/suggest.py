"""What somebody probably meant who misspelt a name."""

from collections.abc import Iterable
from difflib import get_close_matches

CUTOFF = 0.6
"""How alike two names are, from 0 to 1, of which one may be the other one misspelt."""


def near(name: str, names: Iterable[str], most: int = 1) -> list[str]:
    """At most so many of the names that are most like a misspelt one, the best first."""
    return get_close_matches(name, list(names), n=most, cutoff=CUTOFF)
