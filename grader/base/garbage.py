"""Keeps the collector of garbage from going through what is there already, while a long table is read."""

from collections.abc import Iterator
from contextlib import contextmanager
from gc import freeze, unfreeze


@contextmanager
def spared() -> Iterator[None]:
    """Spare the collector of garbage whatever is there now; only what is made meanwhile is looked through."""
    freeze()
    try:
        yield
    finally:
        unfreeze()
