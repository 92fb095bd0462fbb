"""Keeps the collector of garbage from going through what is there already, while a long table is read."""

from collections.abc import Iterator
from contextlib import contextmanager
from gc import freeze, get_threshold, set_threshold, unfreeze

COLLECTION_THRESHOLD = 100_000
"""So many things are made, beyond those that are gone again, before the collector looks through them."""


@contextmanager
def freeze_existing_objects() -> Iterator[None]:
    """Spare the collector of garbage whatever is there now; only what is made meanwhile is looked through."""
    before = get_threshold()
    freeze()
    set_threshold(COLLECTION_THRESHOLD, *before[1:])
    try:
        yield
    finally:
        set_threshold(*before)
        unfreeze()
