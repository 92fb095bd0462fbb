"""Numbers with a decimal comma, which are read as two leaves: `3,5`."""

import re

_IGNORED = re.compile(r'"(?:[^"\\\r\n]|\\.)*"?|#[^\r\n]*|^[ \t]*@[^\r\n]*|<[^<>=]*>|\{[^{}]*\}', re.MULTILINE)
"""Parts in which a comma does not separate leaves: quotes, comments, headers, vectors, attributes."""

_TIGHT_COMMA = re.compile(r"(?<!\s),(?!\s)")
_PAIR = re.compile(r"(?<![^\s(\[=:~])([+-]?[0-9]+),([0-9]+)(?![^\s)\]])")


def comma_note(text: str) -> str | None:
    """Return a warning about `3,5`, which is two leaves but perhaps meant as one.

    None if commas without a blank also separate brackets or more than two numbers, so are not decimal.
    """
    visible = _IGNORED.sub(lambda match: " " * len(match[0]), text)
    pair = _PAIR.search(visible)
    if pair is None or len(_PAIR.findall(visible)) < len(_TIGHT_COMMA.findall(visible)):
        return None
    line = visible.count("\n", 0, pair.start()) + 1
    return (
        f"{pair[0]} in line {line} is read as two leaves, since a comma separates leaves here; "
        f"one leaf is written {pair[1]}.{pair[2]}"
    )
