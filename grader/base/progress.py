"""The call by which long work reports how far it is."""

from collections.abc import Callable
from typing import TypeAlias

OnProgress: TypeAlias = Callable[[int], None]
"""Called with a number of things that are done; its caller says which, and whether in all or since last."""
