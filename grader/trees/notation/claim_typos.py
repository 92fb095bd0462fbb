"""Corrects typing mistakes in claims, such as `C<2` and `A=3,5`."""

import re

from grader.trees.notation.builder import GrammarBuilder
from grader.trees.notation.keywords import PLAYERS

_CLAIM = re.compile(
    rf"""
    "(?:[^"\\\r\n]|\\.)*"? | \#[^\r\n]*                     # no claims in quotes and comments
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
    """Correct the claims in a text and note each mistake; positions in the text stay the same."""
    letters = list(text)
    for match in _CLAIM.finditer(text):
        head = (match["head"] or "").strip()
        if sign := match["sign"]:
            message = f"a value is claimed with =, <= or >=, not with {sign}"
            hint = f"write {head}{sign}={match['bound']}"
            builder.note_mistake_at(*match.span("sign"), "claim-kind", message, hint)
            letters[match.start("sign")] = "≤" if sign == "<" else "≥"
        elif decimal := match["decimal"]:
            hint = f"write {head}={decimal.replace(',', '.')}: a comma separates leaves here"
            builder.note_mistake_at(*match.span("decimal"), "bad-number", f"{decimal} is not a number", hint)
            letters[text.index(",", match.start("decimal"))] = "."
    return "".join(letters)
