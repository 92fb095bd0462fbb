"""Which characters a text may have that somebody else wrote: nothing that hides, turns or breaks a line."""

import unicodedata

LONGEST = 48
"""Names and move labels are shortened to this many characters in a picture."""

_JOINERS = "\u200c\u200d"
"""Invisible, but part of how Persian, Hindi and other names are spelled."""


def readable(words: str, longest: int = LONGEST) -> str:
    """The words on one line without control characters, shortened with an ellipsis when too long.

    Control, direction-changing and unassigned characters become `�`: they would break the XML
    or make a name look like another one.
    """
    line = "".join(
        "�"
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn") and character not in _JOINERS
        else character
        for character in " ".join(words.split())
    )
    return line if len(line) <= longest else line[: longest - 1] + "…"
