"""JSON with exactly one spelling for each content, and JSON as its standard has it."""

import json
import re
from math import isfinite
from typing import Any

_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def canonical_json(content: Any) -> str:
    """Write JSON with sorted keys and no spaces: equal content gives equal bytes."""
    return _CANONICAL.encode(content)


def parse_json(text: str | bytes) -> Any:
    """Return the content of a JSON text, which bytes have in UTF-8, with or without a byte order mark.

    Raises `ValueError` for any other text, and says whether it is empty, breaks off, or where it is damaged;
    for `NaN`, for infinities and numbers beyond all floats, for lists that are nested too deep, and for half
    of a surrogate pair, which JSON can spell but a file cannot contain.
    """
    try:
        text = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        raise ValueError(f"it is damaged at byte {error.start + 1}") from None
    try:
        content = _STANDARD.decode(text)
        whole = canonical_json(content) if r"\u" in text else text
        whole.encode()
    except json.JSONDecodeError as error:
        raise ValueError(_syntax_fault(text, error)) from None
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except UnicodeEncodeError:
        raise ValueError("it contains half of a surrogate pair, which is not text") from None
    return content


def _syntax_fault(text: str, error: json.JSONDecodeError) -> str:
    """Return the fault of a text that is not JSON, in words for readers who do not know JSON."""
    if not text.strip():
        return "it is empty"
    place = f"in line {error.lineno}, column {error.colno}" if "\n" in text else f"in column {error.colno}"
    is_last_token = re.fullmatch(r"[\w.+-]*\s*", text[error.pos :])
    if is_last_token or error.msg.startswith("Unterminated string"):
        return f"it breaks off {place}"
    return f"it is damaged {place}"


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not a number")


def _finite_number(numeral: str) -> float:
    """Return a number of a JSON text. Raises ValueError if it is too large for a float."""
    number = float(numeral)
    if not isfinite(number):
        raise ValueError("a number in it is too large")
    return number


_STANDARD = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite_number)
