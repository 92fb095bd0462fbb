"""What somebody probably meant who misspelt a name."""

from collections.abc import Iterable
from difflib import get_close_matches

MIN_SIMILARITY = 0.6
"""How alike two names are, from 0 to 1, of which one may be the other one misspelt."""

OTHER_INITIAL_CUTOFF = 0.7
"""The same for names with different first letters: `matrikl` and `email` are alike only by chance."""


def close_matches(name: str, names: Iterable[str], most: int = 1) -> list[str]:
    """Return at most so many of the names that are most like a misspelt one, the best first."""
    close = get_close_matches(name, list(names), n=most, cutoff=MIN_SIMILARITY)
    alike = get_close_matches(name, close, n=most, cutoff=OTHER_INITIAL_CUTOFF)
    return [each for each in close if each in alike or each[:1].casefold() == name[:1].casefold()]
