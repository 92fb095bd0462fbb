"""The calls by which long work reports how far it is."""

from collections.abc import Callable
from typing import TypeAlias

OnProgress: TypeAlias = Callable[[int], None]
"""Called with the number of things that were done since the last call."""

OnCount: TypeAlias = Callable[[int], None]
"""Called with the number of things that are done so far, when the total is unknown."""
