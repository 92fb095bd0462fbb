"""The language in which students and teachers are spoken to: its sentences, and how it writes numbers."""

import gettext
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NewType

from grader.base.catalogues import PLACEHOLDER, OwnCatalogue, load_translations, uses_decimal_comma
from grader.base.numbers import Bound, Number, write_number

Phrase = NewType("Phrase", str)
"""An English sentence or term that is said later: the mark by which translators find it."""


def plural_phrase(one: str, many: str = "") -> tuple[Phrase, Phrase]:
    """A sentence that depends on a number, and its plural, which are said later; English may have but one."""
    return Phrase(one), Phrase(many or one)


PSEUDO = "en-XA"
"""The pseudo-language: every sentence is lengthened and bracketed, and one that is not shows at once."""


class BoundPhrase:
    """What is said as soon as the language is known: a phrase with the values of its placeholders.

    The arguments are those of `Language.term`; the values may be sayings as well.
    """

    __slots__ = ("count", "many", "one", "values")

    def __init__(self, one: str, many: str = "", count: int | None = None, /, **values: object) -> None:
        self.one, self.many, self.count, self.values = one, many, count, values


def bind_phrase(text: str | BoundPhrase, values: Mapping[str, object]) -> BoundPhrase:
    """A phrase with these values, unless it has its own."""
    return text if isinstance(text, BoundPhrase) else BoundPhrase(text, **values)


_SIGNS = re.compile(
    r'"(?:[^"\\]|\\.)*"|(?<=\d)\.(?=\d)|,(?= )|(?<![\w.])-?inf(?![\w.])|(?<![\w."\'-])-(?=\d)'
    r'|(?<=\d )or(?= (?:"(?:[^"\\]|\\.)*"|\S+) (?:[<>]=?|=) )'
)
"""What people read otherwise in reply text, and the names in quotes that have to be left alone."""

_COMMAS = {".": ",", ",": ";"}
_SIGNED = {"inf": "∞", "-inf": "−∞", "-": "−"}


_WORDS: Mapping[str, Phrase] = {
    word: word
    for word in (Phrase("true"), Phrase("false"), Phrase("always"), Phrase("never"), Phrase("none"))
}
"""The words that are a whole reply text."""

_SMALL = ("α", "β", "b^")
"""Signs that stay small at the start of a sentence: as capitals they would be other ones."""


class Pseudo(gettext.NullTranslations):
    """The catalogue of the pseudo-language: `«‹B› is pruned. ~~~~ ~~~»`.

    What stands in single brackets was not said with the sentence; what of it is English was not said at all.
    Square brackets would be taken for those of a window, and one long word would not fit into a line.
    """

    def gettext(self, message: str) -> str:
        """The message in brackets, two fifths longer."""
        length = max(1, 2 * len(message) // 5)
        longer = ("~~~~ " * length)[:length].rstrip()
        marked = PLACEHOLDER.sub(r"‹\g<0>›", message)
        return f"«{marked} {longer}»"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form for a number, in brackets, two fifths longer."""
        return self.gettext(msgid1 if n == 1 else msgid2)


@cache
def catalogue(code: str, own: OwnCatalogue | None = None) -> gettext.NullTranslations:
    """The sentences of a language, and before them those of a teacher's own catalogue."""
    return Pseudo() if code == PSEUDO else load_translations(code, own)


@dataclass(frozen=True, slots=True)
class Language:
    """How people are spoken to: the sentences of language `code`, and numbers with a decimal `comma` or not.

    The sentences of a teacher's `own` catalogue go over those that come with the program.

    Every sentence stands whole at the place that says it, in English, with named placeholders:

        language.say("{leaf} is pruned.", leaf=...)
        language.say("{count} leaf is visited.", "{count} leaves are visited.", count)

    English is the key by which the catalogue of another language finds its own sentence. One that is kept
    in a record until somebody says it is marked as a `Phrase`.

    Records, files and programs get the numbers of `write_number`. People get those of a language: the
    terms of a question say which, and everything that is made of the question asks it.
    """

    code: str = "en"
    comma: bool = False
    own: OwnCatalogue | None = None

    @classmethod
    def of(cls, code: str, own: OwnCatalogue | None = None) -> "Language":
        """A language with the decimal sign that is usual in it."""
        return cls(code, uses_decimal_comma(code), own)

    @property
    def number_separator(self) -> str:
        """What stands between numbers in a list: never a comma where a comma is the decimal sign."""
        return "; " if self.comma else ", "

    @property
    def _chinese(self) -> bool:
        return self.code.partition("-")[0] == "zh"

    def number(self, value: Bound) -> str:
        """A number or an infinity as people read it: `2,5`, `7/3`, `−3`, `−∞`."""
        text = write_number(value)
        return text.replace("-", "−") if isinstance(value, int) else self.reply(text)

    def points(self, value: Number, decimals: int = 2) -> str:
        """Points as people read them: rounded to so many decimals, halves away from zero."""
        scaled = abs(Fraction(value)) * 10**decimals
        whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
        return self.number(Fraction(whole if value > 0 else -whole, 10**decimals))

    def reply(self, text: str) -> str:
        """Canonical reply text: `[-3, 2.5]` is `[−3, 2.5]` or `[−3; 2,5]`; `none` is `keine`, `or` is `oder`.

        What it becomes reads back as the same.
        """
        if text in _WORDS:
            return self.term(_WORDS[text])
        signs = _SIGNED | _COMMAS if self.comma else _SIGNED
        if " or " in text:
            signs = signs | {"or": self.term("or")}  # between two conditions
        return _SIGNS.sub(lambda found: signs.get(found[0], found[0]), text)

    def canonical_reply(self, text: str) -> str:
        """The reply text that a word is printed for, also in own words; any other text as it is."""
        typed = text.strip().casefold()
        return next((word for word in _WORDS if typed == self.reply(word).casefold()), text)

    def say(self, one: str, many: str = "", count: int | None = None, /, **values: object) -> str:
        """A whole sentence, or several, with a capital letter at its start; a name such as `x` there stays.

        `one` is the sentence in English; where it depends on a number, `many` is its plural and `count`
        the number, which is the value of the placeholder `{count}` as well.
        Raises `KeyError` when a placeholder has no value.
        """
        sentence = self._sentence(one, many, count)
        text = self._filled(sentence, count, values)
        first = text.split(" ", 1)[0]
        named = sentence.startswith("{") and (len(first) == 1 or not first.isalpha())
        return text if named or text.startswith(_SMALL) else text[:1].upper() + text[1:]

    def term(self, one: str, many: str = "", count: int | None = None, /, **values: object) -> str:
        """A word, name or label as it stands inside of a sentence: like `say`, without the capital."""
        return self._filled(self._sentence(one, many, count), count, values)

    def _sentence(self, one: str, many: str, count: int | None) -> str:
        """The sentence in this language, with its placeholders."""
        said = catalogue(self.code, self.own)
        return said.gettext(one) if count is None else said.ngettext(one, many, count)

    def _filled(self, sentence: str, count: int | None, values: dict[str, object]) -> str:
        """The sentence with its values."""
        if count is not None:
            values.setdefault("count", count)
        if not self._chinese:
            return PLACEHOLDER.sub(lambda place: self._put(values[place[1]]), sentence)
        filled = PLACEHOLDER.sub(lambda place: self._put(values[place[1]]).replace(" ", _KEPT), sentence)
        return re.sub(_AMONG_CHINESE, "", filled).replace(_KEPT, " ")

    def render(self, saying: BoundPhrase) -> str:
        """What was to be said as soon as the language is known, as a `term`."""
        return self.term(saying.one, saying.many, saying.count, **saying.values)

    def _put(self, value: object) -> str:
        return self.render(value) if isinstance(value, BoundPhrase) else str(value)

    def join_and(self, items: "list[str] | tuple[str, ...]", between: str = ", ") -> str:
        """`a`, `a and b`, `a, b and c`; empty for nothing. Chinese has a comma of its own for lists."""
        if len(items) < 2:
            return "".join(items)
        return self.term("{items} and {last}", items=self.join(items[:-1], between), last=items[-1])

    def join(self, items: Iterable[str], between: str = ", ") -> str:
        """`a, b, c`, without an `and`."""
        return ("、" if self._chinese else between).join(items)


_SIGN = "[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]"
_AMONG_CHINESE = f"(?<={_SIGN}) (?={_SIGN})"
"""A blank of a sentence, meant for names and numbers, that has come to stand between two Chinese signs.

It is compiled where it is first used: so large sets of signs take as long as starting a small command.
"""

_KEPT = "\0"
"""What stands for a blank of a value, which stays, while a sentence is filled."""

_WIDE = re.compile("(?<=[。！？]) ")
"""A blank behind a sign that has its own room after it."""


def paragraph(*sentences: str) -> str:
    """Sentences one after the other, empty ones left out; behind a Chinese full stop without a blank."""
    return _WIDE.sub("", " ".join(filter(None, sentences)))


ENGLISH = Language()
"""How people are spoken to where nobody has said otherwise."""
