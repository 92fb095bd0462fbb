"""A picture as the typesetter takes it: its shapes, and its words, those of a line as one text."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from grader.pictures.layout import Text
from grader.pictures.svg import Picture


def printed_picture(picture: Picture) -> dict[str, Any]:
    """A picture as templates take it: its shapes, and its words by their looks, each text with its place."""
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
            (first.text, "start", first.left * first.text.style.size / 1000, said)
            for first, said in _joined(words)
        ]
    for text, anchor, x, said in placed:
        look = looks.get((text.role, text.muted, anchor))
        if look is None:
            style = text.style
            look = {"size": style.size, "bold": style.bold, "italic": style.italic}
            look |= {"muted": text.muted, "anchor": anchor, "words": []}
            looks[text.role, text.muted, anchor] = look
        look["words"].append((round(x, 1), round(text.y, 1), said))
    return {
        "svg": picture.shapes,
        "words": [*looks.values()],
        "width": picture.width,
        "height": picture.height,
        "description": picture.description,
    }


# The words of a line --------------------------------------------------------------------------------


class _Word(NamedTuple):
    """Some words of a picture, with their left end and their width in thousandths of the font size."""

    left: float
    width: int
    text: Text


_BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""How much of the words stands before the place at which they are anchored."""

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
"""The advances in Libertinus Serif, which the typesetter brings along, regular and bold."""

_SPACES = (
    (756, "\u2003"),
    (332, "\u2004"),
    (249, "\u2005"),
    (166, "\u2006"),
    (125, "\u2009"),
    (26, "\u200a"),
)
"""Its spaces, regular and bold, from the widest."""

_LAST = _SPACES[-2]
"""The space that stands last in a gap: between wider ones and some letters there is kerning."""


@lru_cache(maxsize=1024)
def _width(words: str, bold: bool) -> int | None:
    """How wide numbers and names of one letter are, in thousandths of the font size; None for other words.

    Between letters there is kerning, as there is between a hyphen and brackets.
    """
    advances = _ADVANCES[bold]
    if not all(sign in advances and (len(words) == 1 or not sign.isalpha()) for sign in words):
        return None
    return sum(advances[sign] for sign in words)


def _joined(words: Iterable[_Word]) -> Iterator[tuple[_Word, str]]:
    """What stands on one line, in few texts, each with its first word: to place a text takes long.

    Every word is at most half of the least space from its place.
    """
    line = sorted(words, key=attrgetter("left"))
    first, said, end = line[0], line[0].text.words, line[0].left + line[0].width
    for word in line[1:]:
        gap = round(word.left - end) - _LAST[0]
        if gap < 0:
            yield first, said
            first, said, end = word, word.text.words, word.left + word.width
            continue
        spaces, wide = _gap(gap)
        said += spaces + word.text.words
        end += wide + word.width
    yield first, said


@lru_cache(maxsize=1024)
def _gap(wanted: int) -> tuple[str, int]:
    """Spaces as wide as that and the last one together, within half of the least space, and their width."""
    said, rest = "", wanted + _SPACES[-1][0] // 2
    for width, space in _SPACES:
        count, rest = divmod(rest, width)
        said += count * space
    return said + _LAST[1], wanted + _SPACES[-1][0] // 2 - rest + _LAST[0]
