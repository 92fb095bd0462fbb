"""Names in messages: those similar to a misspelt one, and the first of many."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

MIN_SIMILARITY = 0.6
"""The least similarity, from 0 to 1, of a name and its misspelling."""

MIN_SIMILARITY_OF_OTHER_INITIAL = 0.7
"""The same for different first letters: `matrikl` and `email` are similar only by chance."""


def close_matches(name: str, names: Iterable[str], limit: int = 1) -> list[str]:
    """Return at most `limit` names that are similar to a misspelt one, the best first."""
    close = get_close_matches(name, list(names), n=limit, cutoff=MIN_SIMILARITY)
    very_close = get_close_matches(name, close, n=limit, cutoff=MIN_SIMILARITY_OF_OTHER_INITIAL)
    initial = name[:1].casefold()
    return [one for one in close if one in very_close or one[:1].casefold() == initial]


def first_of_many(names: Sequence[str], limit: int) -> str:
    """Return the first names, at most `limit`, and how many more there are."""
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more
