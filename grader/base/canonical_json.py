"""JSON of which there is one spelling only."""

import json
from typing import Any


def canonical_json(content: Any) -> str:
    """JSON with sorted keys and no spaces: equal content gives equal bytes."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
