"""A picture for the typesetter: its shapes, and its words, with those of a line joined to one text."""

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple

from grader.pictures.layout import Text
from grader.pictures.svg import Picture


def printed_picture(picture: Picture) -> dict[str, Any]:
    """Return the data of a picture for templates: its shapes, and its texts with their places by style."""
    looks: dict[tuple[str, bool, str], dict[str, Any]] = {}
    lines: dict[tuple[str, bool, float], list[_Word]] = {}
    placed: list[tuple[Text, str, float, str]] = []
    for text in picture.drawing.texts:
        width = _width(text.words, text.style.bold) if not text.style.italic else None
        if width is None:
            placed.append((text, text.anchor, text.x, text.words))
        else:
            left = 1000 * text.x / text.style.size - width * _BEFORE[text.anchor]
            lines.setdefault((text.role, text.muted, text.y), []).append(_Word(left, width, text))
    for words in lines.values():
        placed += [
            (first.text, "start", first.left * first.text.style.size / 1000, words_of_text)
            for first, words_of_text in _join_words(words)
        ]
    for text, anchor, x, words_of_text in placed:
        look = looks.get((text.role, text.muted, anchor))
        if look is None:
            style = text.style
            look = {"size": style.size, "bold": style.bold, "italic": style.italic}
            look |= {"muted": text.muted, "anchor": anchor, "words": []}
            looks[text.role, text.muted, anchor] = look
        look["words"].append((round(x, 1), round(text.y, 1), words_of_text))
    return {
        "svg": picture.shapes,
        "words": [*looks.values()],
        "width": picture.width,
        "height": picture.height,
        "description": picture.description,
    }


# The words of a line --------------------------------------------------------------------------------


class _Word(NamedTuple):
    """A text of a picture, with its left end and its width in thousandths of the font size."""

    left: float
    width: int
    text: Text


_BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""Anchor -> the share of the width that is left of the anchored place."""

_ADVANCES = [
    {sign: width for width, signs in widths for sign in signs}
    for widths in (
        (
            (220, ".,"),
            (236, ";"),
            (250, " "),
            (297, "I"),
            (298, "()"),
            (322, "J"),
            (323, "/"),
            (356, "[]"),
            (465, "0123456789"),
            (485, "FS"),
            (527, "≤≥"),
            (528, "L"),
            (541, "P"),
            (550, "−"),
            (557, "E"),
            (575, "Y"),
            (587, "R"),
            (588, "B"),
            (597, "T"),
            (604, "Z"),
            (637, "K"),
            (646, "C"),
            (652, "V"),
            (660, "X"),
            (661, "U"),
            (685, "G"),
            (695, "A"),
            (699, "N"),
            (701, "D"),
            (702, "OQ"),
            (730, "H"),
            (749, "…"),
            (785, "∞"),
            (839, "M"),
            (951, "W"),
        ),
        (
            (244, ".,"),
            (250, " "),
            (256, ";"),
            (315, "()"),
            (316, "/"),
            (397, "[]"),
            (514, "0123456789"),
            (527, "≤≥"),
            (540, "−"),
            (809, "∞"),
            (817, "…"),
        ),
    )
]
"""The widths of characters in Libertinus Serif, which Typst includes, regular and bold."""

_SPACES = (
    (756, "\u2003"),
    (332, "\u2004"),
    (249, "\u2005"),
    (166, "\u2006"),
    (125, "\u2009"),
    (26, "\u200a"),
)
"""The widths of its spaces, regular and bold, widest first."""

_LAST = _SPACES[-2]
"""The last space in every gap: wider ones would be kerned with some letters."""


def _width(words: str, bold: bool) -> int | None:
    """Return the width of a number or a single letter, in thousandths of the font size; else None.

    Kerning makes the width of other words unknown: between letters, and between a hyphen and brackets.
    """
    advances = _ADVANCES[bold]
    if not all(sign in advances and (len(words) == 1 or not sign.isalpha()) for sign in words):
        return None
    return sum(advances[sign] for sign in words)


def _join_words(words: Iterable[_Word]) -> Iterator[tuple[_Word, str]]:
    """Join the words of a line to few texts, because placing a text is slow; yield each with its first word.

    Spaces fill the gaps, so that every word is off by at most half of the narrowest space.
    """
    line = sorted(words, key=attrgetter("left"))
    first, joined_words, end = line[0], line[0].text.words, line[0].left + line[0].width
    for word in line[1:]:
        gap = round(word.left - end) - _LAST[0]
        if gap < 0:
            yield first, joined_words
            first, joined_words, end = word, word.text.words, word.left + word.width
            continue
        spaces, wide = _gap(gap)
        joined_words += spaces + word.text.words
        end += wide + word.width
    yield first, joined_words


def _gap(wanted: int) -> tuple[str, int]:
    """Return spaces that are `_LAST` wider than `wanted`, within half of the narrowest, and their width."""
    spaces, rest = "", wanted + _SPACES[-1][0] // 2
    for width, space in _SPACES:
        count, rest = divmod(rest, width)
        spaces += count * space
    return spaces + _LAST[1], wanted + _SPACES[-1][0] // 2 - rest + _LAST[0]
