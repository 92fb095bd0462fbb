"""Piles of alike pictures: those that a person has named sort the rest, and alike ones stay together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grader.scanning.page_location import Floats

MIN_PILE = 3
"""The fewest pictures of a pile; others stay single."""

MAX_SORTED = 1_500
"""The most pictures that are sorted at a time: the likeness of each to each is in memory."""

MAX_EXAMPLES = 60
"""The most named pictures of one name that others are compared with."""

MIN_LIKENESS = 0.94
"""Pictures at least this alike are in the same pile; 1 is identical."""

MIN_NAMED_LIKENESS, MIN_NAMED_LEAD = 0.88, 0.03
"""A picture has the name of the most alike named one if it is at least this alike to it, and this much less
alike to any of another name."""

FIRST_PILE = 6
"""Unnamed piles of at least this many pictures come first, since their names sort the rest."""


@dataclass(frozen=True, slots=True)
class Pile:
    """Pictures that look alike, by their places, the most typical first; `name` is a guess, "" for none."""

    name: str
    members: tuple[int, ...]


def sort_into_piles(vectors: Floats, examples: Floats, names: Sequence[str]) -> list[Pile]:
    """Sort pictures into piles, given their features, and the features and names of pictures with names.

    1. A picture that is clearly most alike to one name is in the pile of this name.
    2. Of the others, the one with most alike pictures is taken with these, until such piles become small.
    3. The rest are single.
    Large unnamed piles come first, then named ones, then small and single ones.
    """
    vectors = vectors[:MAX_SORTED]
    guesses, likeness = _guess_names(vectors, examples, names)
    piles = []
    for name in sorted(set(guesses) - {""}):
        places = [place for place, guess in enumerate(guesses) if guess == name]
        piles.append(Pile(name, tuple(sorted(places, key=lambda place: -likeness[place]))))
    unnamed = _alike([place for place, guess in enumerate(guesses) if not guess], vectors)
    large = [pile for pile in unnamed if len(pile.members) >= FIRST_PILE]
    small = [pile for pile in unnamed if len(pile.members) < FIRST_PILE]
    return [*large, *sorted(piles, key=lambda pile: -len(pile.members)), *small]


def _guess_names(vectors: Floats, examples: Floats, names: Sequence[str]) -> tuple[list[str], Floats]:
    """Return the name that each picture clearly belongs to, "" for none, and its likeness to it."""
    known = sorted(set(names))
    if not known or not len(vectors):
        return [""] * len(vectors), np.zeros(len(vectors))
    by_name = np.stack(
        [
            (vectors @ examples[[each == name for each in names]][-MAX_EXAMPLES:].T).max(axis=1)
            for name in known
        ]
    )
    best = by_name.argmax(axis=0)
    ordered = np.sort(by_name, axis=0)
    lead = ordered[-1] - (ordered[-2] if len(known) > 1 else 0)
    is_clear = (ordered[-1] >= MIN_NAMED_LIKENESS) & (lead >= MIN_NAMED_LEAD)
    guesses = [known[number] if clear else "" for number, clear in zip(best, is_clear, strict=True)]
    return guesses, np.asarray(ordered[-1])


def _alike(places: Sequence[int], vectors: Floats) -> list[Pile]:
    """Return piles of pictures without a name, the largest first, then the single ones in their order."""
    rest, piles = np.array(places, dtype=int), []
    likeness = vectors[rest] @ vectors[rest].T
    is_free = np.ones(len(rest), dtype=bool)
    while is_free.any():
        near = (likeness >= MIN_LIKENESS) & is_free
        seed = int(np.where(is_free, near.sum(axis=1), 0).argmax())
        members = np.flatnonzero(near[seed])
        if len(members) < MIN_PILE:
            break
        members = members[np.argsort(-likeness[seed, members], kind="stable")]
        piles.append(Pile("", tuple(rest[members].tolist())))
        is_free[members] = False
    return [*piles, *(Pile("", (int(place),)) for place in rest[is_free])]
