"""Which characters a text may have that somebody else wrote: nothing that hides, turns or breaks a line."""

import re
import unicodedata
from collections.abc import Iterator

# Most texts are ASCII, so the patterns of all other signs are compiled when the first such text comes.

MAX_LABEL_LENGTH = 48
"""Names and move labels are shortened to this many characters in a picture."""

MAX_QUOTED_LENGTH = 40
"""The most characters of a reply that a message quotes."""

_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
"""Controls, line ends, and halves of characters."""

_OVERRIDES = r"\u202d\u202e"
"""Turn the letters behind them around, so that something else is read than is there."""

_UNSEEN = (
    r"\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202c\u2060-\u206f\u2800\u3164\ufeff\uffa0"
    r"\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
)
"""Take no place, or a blank one: blanks without width, marks of direction, fillers, tags."""

_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Those of them that Unicode calls printable."""

_PRIVATE = r"\ue000-\uf8ff\U000f0000-\U0010ffff"

_JOINED = (
    r"\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1900-\u1aff\u1b00-\u1c4f\ua800-\uabff"
    r"\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff\U0001e900-\U0001e95f"
)
"""The scripts that spell with joiners, which nobody sees: Arabic, Devanagari and their kin."""

_JOINER = rf"(?<![{_JOINED}])[\u200c\u200d]|[\u200c\u200d](?![{_JOINED}])"
"""A joiner where it joins nothing."""

CONTROL = re.compile(rf"[{_CONTROLS}]")
"""What no name may hold, and no text but for tabs and line ends."""

FORBIDDEN_IN_REPLIES = rf"(?![\t\n\r\x85\u2028\u2029])[{_CONTROLS}{_OVERRIDES}{_PRIVATE}]"
"""What no reply may hold: it is not typed, or is something else than it looks."""

INVISIBLE = rf"[{_UNSEEN}]|{_JOINER}"
"""What a reply may hold that nobody sees: it is passed over."""

NEVER_SHOWN = rf"[{_CONTROLS}{_OVERRIDES}{_UNSEEN}{_PRIVATE}]"
"""What is never shown as it is. Joiners are: without them some names are misspelt, and emoji fall apart."""

_UNSAFE = rf"{NEVER_SHOWN}|{_JOINER}"
_UNSAFE_IN_LINES = rf"(?![\t\r\n]){_UNSAFE}"
_CONTROL_IN_LINES = re.compile(rf"(?![\t\r\n]){CONTROL.pattern}")

_BREAKS = r"[^\S\xa0\u202f]+"
"""Where a line may end: at all space but that which is there so that it does not."""

_IGNORED = (
    rf"[{_UNSEEN}{_OVERRIDES}\u034f\u17b4\u17b5\u180b-\u180f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Whatever takes no place, allowed or not: variants of letters, joiners."""


def unsafe_places(text: str, *, lines: bool = False) -> Iterator[int]:
    """The places of the characters that no name may hold; with `lines`, there may be tabs and line ends.

    Those are controls, overrides and marks of direction, blanks without width, unassigned and private
    characters, halves of characters, and joiners that join nothing.
    """
    if text.isascii():
        places = [found.start() for found in (_CONTROL_IN_LINES if lines else CONTROL).finditer(text)]
    else:
        places = [found.start() for found in re.finditer(_UNSAFE_IN_LINES if lines else _UNSAFE, text)]
        unassigned = {sign for sign in set(text) if unicodedata.category(sign) == "Cn"}
        if unassigned:
            places = sorted({*places, *(place for place, sign in enumerate(text) if sign in unassigned)})
    return iter(places)


def collapse_spaces(words: str) -> str:
    """The words with single blanks between them; a no-break space is part of a word, as in `Réponse :`."""
    stays = "\xa0" in words or "\u202f" in words
    return " ".join(re.split(_BREAKS, words.strip()) if stays else words.split())


def safe_line(words: str, longest: int = MAX_LABEL_LENGTH) -> str:
    """The words on one line, shortened when too long, with `�` for every character that no name may hold.

    Joiners that join nothing are left out.
    """
    return _safe(" ".join(words.split()), longest)


def safe_paragraph(words: str, longest: int) -> str:
    """The same for a page on which lines are broken: no-break spaces stay."""
    return _safe(collapse_spaces(words), longest)


def _safe(line: str, longest: int) -> str:
    if not line.isprintable() or not (line.isascii() or _FILLERS.isdisjoint(line)):
        line = "".join(
            "�" if re.match(NEVER_SHOWN, sign) or unicodedata.category(sign) == "Cn" else sign
            for sign in re.sub(_JOINER, "", line)
        )
    return line if len(line) <= longest else line[: longest - 1].rstrip("\u200c\u200d") + "…"


def quote(text: str) -> str:
    """A student's text in a message: in quotes, clipped, harmless to a terminal."""
    return f"'{safe_line(text if len(text) <= MAX_QUOTED_LENGTH else text[: MAX_QUOTED_LENGTH - 1] + '…')}'"


def skeleton(text: str) -> str:
    """What two names have in common that a reader cannot tell apart; they may differ in case."""
    if not text.isascii():
        text = re.sub(_IGNORED, "", unicodedata.normalize("NFC", text))
    return " ".join(text.split())


def strip_invisible(text: str) -> str:
    """A text without what nobody sees; what turns it around is left for somebody to judge."""
    return text if text.isascii() else re.sub(INVISIBLE, "", text)
