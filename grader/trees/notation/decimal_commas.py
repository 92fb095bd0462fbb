"""Numbers with a decimal comma, which are read as two leaves: `3,5`."""

import re

_ASIDE = re.compile(r'"(?:[^"\\\r\n]|\\.)*"?|#[^\r\n]*|^[ \t]*@[^\r\n]*|<[^<>=]*>|\{[^{}]*\}', re.MULTILINE)
"""Where a comma parts no leaves: quotes, comments, header lines, vectors, attributes."""

_TIGHT = re.compile(r"(?<!\s),(?!\s)")
_PAIR = re.compile(r"(?<![^\s(\[=:~])([+-]?[0-9]+),([0-9]+)(?![^\s)\]])")


def comma_note(text: str) -> str | None:
    """What to say of a tree with `3,5` in it, which is two leaves and perhaps meant as one.

    None where commas without a blank part brackets, or more than two numbers: there they are no decimals.
    """
    bare = _ASIDE.sub(lambda found: " " * len(found[0]), text)
    pair = _PAIR.search(bare)
    if pair is None or len(_PAIR.findall(bare)) < len(_TIGHT.findall(bare)):
        return None
    line = bare.count("\n", 0, pair.start()) + 1
    return (
        f"{pair[0]} in line {line} is read as two leaves, since a comma parts leaves here; "
        f"one leaf is written {pair[1]}.{pair[2]}"
    )
