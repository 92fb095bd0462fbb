"""The signs that a language puts around and between words: quotation marks, separators, the percent sign."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

_CHINESE = "“”\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"
"""The ranges of Chinese characters, quotation marks and full-width signs."""

AMONG_CHINESE = f"(?<=[{_CHINESE}]) (?=[{_CHINESE}])"
"""A space between two Chinese signs, as text: such large sets take long to compile."""

_FULL_WIDTH_ENDS = tuple("。，、；：？！）")
"""The signs that include the space after them."""


@dataclass(frozen=True, slots=True)
class Punctuation:
    """The signs of one language; `quotes` and `brackets` are pairs, and the others include their spaces."""

    quotes: tuple[str, str] = ("'", "'")
    brackets: tuple[str, str] = (" (", ")")
    comma: str = ", "
    semicolon: str = "; "
    colon: str = ": "
    percent: str = "%"
    dash: str = "–"
    """Between the ends of a range; the Spanish academy, as usage in Italian and Portuguese, has a hyphen."""


_ANGLE_QUOTES = ("«", "»")

_LANGUAGES: Mapping[str, Punctuation] = MappingProxyType(
    {
        "de": Punctuation(quotes=("„", "“"), percent="\xa0%"),
        "es": Punctuation(quotes=_ANGLE_QUOTES, percent="\xa0%", dash="-"),
        "fr": Punctuation(quotes=("«\xa0", "\xa0»"), semicolon="\xa0; ", colon="\xa0: ", percent="\xa0%"),
        "it": Punctuation(quotes=_ANGLE_QUOTES, dash="-"),
        "pt": Punctuation(quotes=_ANGLE_QUOTES, dash="-"),
        "zh": Punctuation(
            quotes=("“", "”"), brackets=("（", "）"), comma="、", semicolon="；", colon="：", dash="～"
        ),
    }
)
_OTHER = Punctuation()


def punctuation(code: str) -> Punctuation:
    """Return the signs of the language of a code such as `de` or `de-CH`; those of English if unknown."""
    return _LANGUAGES.get(code.partition("-")[0].lower(), _OTHER)


def gap_after(text: str) -> str:
    """Return the space between this text and the next: none after a sign that includes its own spacing."""
    return "" if text.endswith(_FULL_WIDTH_ENDS) else " "
