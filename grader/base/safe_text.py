"""Which characters of a foreign text are safe: none that hides or reverses text or breaks a line."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

# Most texts are ASCII, so the patterns of all other characters are compiled on first use.

MAX_LABEL_LENGTH = 48
"""Names and move labels are shortened to this many characters in a picture."""

MAX_QUOTED_LENGTH = 40
"""The most characters of a reply that a message quotes."""

_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
"""Controls, line ends, and halves of characters."""

_OVERRIDES = r"\u202d\u202e"
"""Reverse the letters after them, so that a text looks different than it is."""

_UNSEEN = (
    r"\xad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202c\u2060-\u206f\u2800\u3164\ufeff\uffa0"
    r"\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
)
"""Invisible characters: spaces without width, direction marks, fillers, tags."""

_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Those of them that are printable in Unicode."""

_PRIVATE = r"\ue000-\uf8ff\U000f0000-\U0010ffff"

_JOINING_SCRIPTS = (
    r"\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1900-\u1aff\u1b00-\u1c4f\ua800-\uabff"
    r"\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff\U0001e900-\U0001e95f"
)
"""The scripts whose spelling uses the invisible joiners: Arabic, Devanagari and related ones."""

_JOINER = rf"(?<![{_JOINING_SCRIPTS}])[\u200c\u200d]|[\u200c\u200d](?![{_JOINING_SCRIPTS}])"
"""A joiner outside of these scripts."""

CONTROL = re.compile(rf"[{_CONTROLS}]")
"""Characters that no name may contain, and no text except tabs and line ends."""

FORBIDDEN_IN_REPLIES = rf"(?![\t\n\r\x85\u2028\u2029])[{_CONTROLS}{_OVERRIDES}{_PRIVATE}]"
"""Characters that no reply may contain: they are not typed, or look like others."""

INVISIBLE = rf"[{_UNSEEN}]|{_JOINER}"
"""Invisible characters that a reply may contain; they are ignored."""

NEVER_SHOWN = rf"[{_CONTROLS}{_OVERRIDES}{_UNSEEN}{_PRIVATE}]"
"""Characters that are never printed. Joiners are: without them some names and emoji are wrong."""

_UNSAFE = rf"{NEVER_SHOWN}|{_JOINER}"
_UNSAFE_IN_LINES = rf"(?![\t\r\n]){_UNSAFE}"
_CONTROL_IN_LINES = re.compile(rf"(?![\t\r\n]){CONTROL.pattern}")

_BREAKS = r"[^\S\xa0\u202f]+"
"""Spaces at which a line may break: all but no-break spaces."""

_IGNORED = (
    rf"[{_UNSEEN}{_OVERRIDES}\u034f\u17b4\u17b5\u180b-\u180f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""All invisible characters, allowed or not, with variation selectors and joiners."""


def unsafe_places(text: str, *, lines: bool = False) -> Iterator[int]:
    """Return the indices of characters that no name may contain; `lines` allows tabs and line ends.

    These are controls, overrides and direction marks, spaces without width, unassigned and private
    characters, surrogates, and joiners outside of their scripts.
    """
    if text.isascii():
        places = [match.start() for match in (_CONTROL_IN_LINES if lines else CONTROL).finditer(text)]
    else:
        places = [match.start() for match in re.finditer(_UNSAFE_IN_LINES if lines else _UNSAFE, text)]
        unassigned = {sign for sign in set(text) if unicodedata.category(sign) == "Cn"}
        if unassigned:
            places = sorted({*places, *(place for place, sign in enumerate(text) if sign in unassigned)})
    return iter(places)


def collapse_spaces(words: str) -> str:
    """Separate words by single spaces; a no-break space is part of a word, as in `Réponse :`."""
    has_fixed_spaces = "\xa0" in words or "\u202f" in words
    return " ".join(re.split(_BREAKS, words.strip()) if has_fixed_spaces else words.split())


def safe_line(words: str, max_length: int = MAX_LABEL_LENGTH) -> str:
    """Return the words on one line, shortened if too long, with `�` for every unsafe character.

    Joiners outside of their scripts are removed.
    """
    return _safe(" ".join(words.split()), max_length)


def safe_paragraph(words: str, max_length: int) -> str:
    """Do the same as `safe_line` for text that is broken into lines: no-break spaces stay."""
    return _safe(collapse_spaces(words), max_length)


def safe_lines(words: str, max_length: int) -> str:
    """Do the same as `safe_paragraph` for each line of a text, and keep its line breaks."""
    lines = "\n".join(safe_paragraph(line, max_length) for line in words.strip().splitlines())
    return lines if len(lines) <= max_length else lines[: max_length - 1].rstrip("\u200c\u200d") + "…"


def _safe(line: str, max_length: int) -> str:
    """Replace what must not be shown in a line, and shorten it to `max_length` characters."""
    if not line.isprintable() or not (line.isascii() or _FILLERS.isdisjoint(line)):
        line = "".join(
            "�" if re.match(NEVER_SHOWN, sign) or unicodedata.category(sign) == "Cn" else sign
            for sign in re.sub(_JOINER, "", line)
        )
    return line if len(line) <= max_length else line[: max_length - 1].rstrip("\u200c\u200d") + "…"


@dataclass(frozen=True, slots=True)
class Quotation:
    """A text to be quoted in a message; a sentence has the quotation marks of its language around it."""

    text: str

    def __str__(self) -> str:
        return f"'{self.text}'"


def quote(text: str) -> Quotation:
    """Quote a student's text for a message: clipped, harmless to a terminal."""
    clipped = text if len(text) <= MAX_QUOTED_LENGTH else text[: MAX_QUOTED_LENGTH - 1] + "…"
    return Quotation(safe_line(clipped))


def skeleton(text: str) -> str:
    """Return a form that is equal for names that look the same, except for case."""
    if not text.isascii():
        text = re.sub(_IGNORED, "", unicodedata.normalize("NFC", text))
    return " ".join(text.split())


def strip_invisible(text: str) -> str:
    """Remove invisible characters, but not overrides, which are reported."""
    return text if text.isascii() else re.sub(INVISIBLE, "", text)
