"""Slips in numbers and claims that show what was meant: `C<2`, `A=3,5`, and `3,5` where one leaf is meant."""

import re

from grader.notation.builder import Builder
from grader.notation.keywords import PLAYERS

_CLAIM = re.compile(
    rf"""
    "(?:[^"\\\r\n]|\\.)*"? | \#[^\r\n]*                     # nothing is claimed in quotes and comments
    | (?<![^\s()\[\]{{}},:~])
    (?P<head> (?:{"|".join(PLAYERS)}) (?![\w']) [ \t]* (?: "[^"\r\n]*" | [^\s()\[\]{{}}<>=~:,\#"@≤≥]+ )? )
    [ \t]* (?:
        (?P<sign>[<>]) [ \t]* (?P<bound>[+-]?\.?[0-9][0-9./]*)
        | = [ \t]* (?P<decimal>[+-]?[0-9]+,[0-9]+)
    )
    [ \t]* (?= [(\[{{\#\r\n] | \Z )
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""A claim at a node that is written with `<` or `>`, or with a decimal comma."""

_ASIDE = re.compile(r'"(?:[^"\\\r\n]|\\.)*"?|#[^\r\n]*|^[ \t]*@[^\r\n]*|<[^<>=]*>|\{[^{}]*\}', re.MULTILINE)
"""Where a comma parts no leaves: quotes, comments, header lines, vectors, attributes."""

_TIGHT = re.compile(r"(?<!\s),(?!\s)")
_PAIR = re.compile(r"(?<![^\s(\[=:~])([+-]?[0-9]+),([0-9]+)(?![^\s)\]])")


def put_right(text: str, builder: Builder) -> str:
    """The text with its slips in claims put right, each of them noted; every place in it stays the same."""
    letters = list(text)
    for found in _CLAIM.finditer(text):
        head = (found["head"] or "").strip()
        if sign := found["sign"]:
            wrong = f"a value is claimed with =, <= or >=, not with {sign}"
            hint = f"write {head}{sign}={found['bound']}"
            builder.wrong_at(*found.span("sign"), "claim-kind", wrong, hint)
            letters[found.start("sign")] = "≤" if sign == "<" else "≥"
        elif decimal := found["decimal"]:
            hint = f"write {head}={decimal.replace(',', '.')}: a comma parts leaves here"
            builder.wrong_at(*found.span("decimal"), "bad-number", f"{decimal} is not a number", hint)
            letters[text.index(",", found.start("decimal"))] = "."
    return "".join(letters)


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
