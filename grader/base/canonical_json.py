"""JSON with exactly one spelling for each content, and JSON as its standard has it."""

import json
from typing import Any

_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical_json(content: Any) -> str:
    """Write JSON with sorted keys and no spaces: equal content gives equal bytes."""
    return _CANONICAL.encode(content)


def parse_json(text: str) -> Any:
    """Return the content of a JSON text.

    Raises `ValueError` for what is no JSON, for `NaN`, for lists nested too deep, and for half of a surrogate
    pair, which JSON can spell but no file can hold.
    """
    try:
        content = _STANDARD.decode(text)
        whole = canonical_json(content) if r"\u" in text else text
        whole.encode()
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except UnicodeEncodeError as error:
        raise ValueError(f"it holds what is not text: {error}") from None
    return content


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not a number")


_STANDARD = json.JSONDecoder(parse_constant=_refuse_constant)
