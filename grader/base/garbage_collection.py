"""Keeps the garbage collector from scanning existing objects while a long table is read."""

from collections.abc import Iterator
from contextlib import contextmanager
from gc import freeze, get_threshold, set_threshold, unfreeze

COLLECTION_THRESHOLD = 100_000
"""The number of new objects that are alive before the collector scans them."""


@contextmanager
def freeze_existing_objects() -> Iterator[None]:
    """Exempt all existing objects from garbage collection; only new ones are scanned."""
    before = get_threshold()
    freeze()
    set_threshold(COLLECTION_THRESHOLD, *before[1:])
    try:
        yield
    finally:
        set_threshold(*before)
        unfreeze()
