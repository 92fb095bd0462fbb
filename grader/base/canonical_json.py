"""JSON with exactly one spelling for each content."""

import json
from typing import Any

_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical_json(content: Any) -> str:
    """Write JSON with sorted keys and no spaces: equal content gives equal bytes."""
    return _CANONICAL.encode(content)
