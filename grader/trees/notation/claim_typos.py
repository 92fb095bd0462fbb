"""Slips in claims that show what was meant: `C<2` and `A=3,5`."""

import re

from grader.trees.notation.builder import GrammarBuilder
from grader.trees.notation.keywords import PLAYERS

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


def correct_claims(text: str, builder: GrammarBuilder) -> str:
    """The text with its slips in claims put right, each of them noted; every place in it stays the same."""
    letters = list(text)
    for found in _CLAIM.finditer(text):
        head = (found["head"] or "").strip()
        if sign := found["sign"]:
            wrong = f"a value is claimed with =, <= or >=, not with {sign}"
            hint = f"write {head}{sign}={found['bound']}"
            builder.note_mistake_at(*found.span("sign"), "claim-kind", wrong, hint)
            letters[found.start("sign")] = "≤" if sign == "<" else "≥"
        elif decimal := found["decimal"]:
            hint = f"write {head}={decimal.replace(',', '.')}: a comma parts leaves here"
            builder.note_mistake_at(*found.span("decimal"), "bad-number", f"{decimal} is not a number", hint)
            letters[text.index(",", found.start("decimal"))] = "."
    return "".join(letters)
