"""The language of texts for students and teachers: its sentences, and how it writes numbers."""

import gettext
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NewType

from grader.base.catalogues import PLACEHOLDER, OwnCatalogue, load_translations, uses_decimal_comma
from grader.base.numbers import Bound, Number, round_number, write_fraction, write_number
from grader.base.punctuation import AMONG_CHINESE, Punctuation, gap_after, punctuation
from grader.base.safe_text import Quotation

Phrase = NewType("Phrase", str)
"""An English sentence or term that is translated later; translators find it by this mark."""


def plural_phrase(one: str, many: str = "") -> tuple[Phrase, Phrase]:
    """Mark a sentence that depends on a number, and its plural; English may have only one form."""
    return Phrase(one), Phrase(many or one)


PSEUDO = "en-XA"
"""The pseudo-language: it lengthens and brackets every sentence, so untranslated text is obvious."""


class BoundPhrase:
    """A phrase with the values of its placeholders, to be rendered when the language is known.

    The arguments are those of `Language.term`; the values may be bound phrases as well.
    """

    __slots__ = ("count", "many", "one", "values")

    def __init__(self, one: str, many: str = "", count: int | None = None, /, **values: object) -> None:
        self.one, self.many, self.count, self.values = one, many, count, values


def bind_phrase(text: str | BoundPhrase, values: Mapping[str, object]) -> BoundPhrase:
    """Bind a phrase to these values, unless it has its own."""
    return text if isinstance(text, BoundPhrase) else BoundPhrase(text, **values)


class PhraseError(ValueError):
    """An error whose message is a phrase with these values, or a bound phrase, which has its own.

    As text it is English.
    """

    def __init__(self, message: str | BoundPhrase, /, **values: object) -> None:
        super().__init__(message)
        self.message = bind_phrase(message, values)

    def __str__(self) -> str:
        return ENGLISH.render(self.message)


_REPLY_SIGNS = re.compile(
    r'"(?:[^"\\]|\\.)*"|(?<=\d)\.(?=\d)|,(?= )|(?<![\w.])-?inf(?![\w.])|(?<![\w."\'-])-(?=\d)'
    r'|(?<=\d )or(?= (?:"(?:[^"\\]|\\.)*"|\S+) (?:[<>]=?|=) )'
)
"""The parts of reply text that are printed differently, and the quoted names, which stay unchanged."""

_COMMA_SIGNS = {".": ",", ",": ";"}
_PRINTED = {"inf": "∞", "-inf": "−∞", "-": "−"}

_WORDS: Mapping[str, Phrase] = {
    word: word
    for word in (Phrase("true"), Phrase("false"), Phrase("always"), Phrase("never"), Phrase("none"))
}
"""The words that can be a whole reply."""

_PLACES = {
    "at": (Phrase("at the root"), Phrase("at {node}")),
    "of": (Phrase("of the root"), Phrase("of {node}")),
}
"""How a translation says where a node is: for `{node}`, it may have `{at_node}` or `{of_node}`."""

_CONTRACTIONS = {
    "es": {"a el": "al", "de el": "del"},
    "fr": {"à le": "au", "de le": "du", "en le": "au"},
    "it": {
        "a il": "al",
        "da il": "dal",
        "di il": "del",
        "in il": "nel",
        "su il": "sul",
        "a la": "alla",
        "da la": "dalla",
        "di la": "della",
        "in la": "nella",
        "su la": "sulla",
    },
    "pt": {
        "a o": "ao",
        "de o": "do",
        "em o": "no",
        "por o": "pelo",
        "a a": "à",
        "de a": "da",
        "em a": "na",
        "por a": "pela",
    },
}
"""What a preposition and the article after it become, where a value begins with an article."""

_AFTER_PREPOSITION = re.compile(rf"(?:(?<![\w’'])(?P<preposition>\w{{1,3}}) )?{PLACEHOLDER.pattern}")
_ARTICLE = re.compile(r"(?P<article>el|il|la|le|o|a) (?=[^\W\d]{2,} )")

_LOWERCASE_SIGNS = ("α", "β", "b^", "n!")
"""Signs that stay lowercase at the start of a sentence: their capitals mean something else."""


class Pseudo(gettext.NullTranslations):
    """The catalogue of the pseudo-language: `«‹B› is pruned. ~~~~ ~~~»`.

    Placeholders are in single brackets; English text there was not translated.
    Square brackets could be read as those of a window, and one long word would not fit on a line.
    """

    def gettext(self, message: str) -> str:
        """Bracket the message and make it two fifths longer."""
        length = max(1, 2 * len(message) // 5)
        longer = ("~~~~ " * length)[:length].rstrip()
        marked = PLACEHOLDER.sub(r"‹\g<0>›", message)
        return f"«{marked} {longer}»"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Do the same with the form that belongs to a number."""
        return self.gettext(msgid1 if n == 1 else msgid2)


@cache
def catalogue(code: str, own: OwnCatalogue | None = None) -> gettext.NullTranslations:
    """Return the sentences of a language; those of a teacher's own catalogue come first."""
    return Pseudo() if code == PSEUDO else load_translations(code, own)


@dataclass(frozen=True, slots=True)
class Language:
    """The sentences of language `code`, and numbers: `fractions`, or decimals with or without a `comma`.

    The sentences of a teacher's `own` catalogue override those that come with the program.

    Every sentence is written whole where it is used, in English, with named placeholders:

        language.say("{leaf} is pruned.", leaf=...)
        language.say("{count} leaf is visited.", "{count} leaves are visited.", count)

    The English sentence is the key in the catalogues of other languages. A sentence that is stored
    and translated later is marked as a `Phrase`.

    Records, files and programs get numbers from `write_number`. People get numbers from the language
    of the question.
    """

    code: str = "en"
    comma: bool = False
    own: OwnCatalogue | None = None
    fractions: bool = False

    @classmethod
    def of(cls, code: str, own: OwnCatalogue | None = None) -> "Language":
        """Return a language with its usual decimal sign, and with a teacher's own catalogue if given."""
        return cls(code, uses_decimal_comma(code), own)

    @property
    def number_separator(self) -> str:
        """The separator between two numbers: never a comma if a comma is the decimal sign."""
        return "; " if self.comma else ", "

    @property
    def punctuation(self) -> Punctuation:
        """The signs that the language puts around and between words."""
        return punctuation(self.code)

    @property
    def _chinese(self) -> bool:
        return self.code.partition("-")[0] == "zh"

    def number(self, value: Bound) -> str:
        """Write a number or an infinity for people: `2,5` or `5/2`, `7/3`, `−3`, `−∞`."""
        text = write_fraction(value) if self.fractions else write_number(value)
        return text.replace("-", "−") if isinstance(value, int) else self.reply(text)

    def points(self, value: Number, decimals: int = 2) -> str:
        """Write points for people: rounded to `decimals` places, halves away from zero."""
        return self.number(round_number(value, decimals))

    def reply(self, text: str) -> str:
        """Print canonical reply text: `[-3, 2.5]` as `[−3, 2.5]` or `[−3; 2,5]`, `none` as `keine`.

        The result reads back as the same reply.
        """
        if text in _WORDS:
            return self.term(_WORDS[text])
        signs = _PRINTED | _COMMA_SIGNS if self.comma else _PRINTED
        if " or " in text:
            signs = signs | {"or": self.term("or")}  # between two conditions
        return _REPLY_SIGNS.sub(lambda match: signs.get(match[0], match[0]), text)

    def quoted_reply(self, text: str) -> str:
        """Print canonical reply text within a sentence; a word such as `false` is in quotation marks."""
        return self.quote(self.reply(text)) if text in _WORDS else self.reply(text)

    def canonical_reply(self, text: str) -> str:
        """Return the canonical word for a word as printed in this language; any other text unchanged."""
        folded = text.strip().casefold()
        return next((word for word in _WORDS if folded == self.reply(word).casefold()), text)

    def say(self, one: str, many: str = "", count: int | None = None, /, **values: object) -> str:
        """Return a whole sentence, or several, with a capital at the start unless that is a name like `x`.

        Chinese has no capitals, so a Greek letter stays as it is within a sentence: `alpha`.

        `one` is the sentence in English; if it depends on a number, `many` is its plural and `count`
        the number, which is also the value of the placeholder `{count}`.
        Raises `KeyError` when a placeholder has no value.
        """
        sentence = self._sentence(one, many, count)
        text = self._fill(sentence, count, values)
        if self._chinese:
            return text
        lead = PLACEHOLDER.match(sentence)
        first = text.split(" ", 1)[0] if lead is None else self._placeholder_text(lead[1], values)
        is_name = lead is not None and (len(first) == 1 or not first.partition(" ")[0].isalpha())
        return text if is_name or text.startswith(_LOWERCASE_SIGNS) else text[:1].upper() + text[1:]

    def term(self, one: str, many: str = "", count: int | None = None, /, **values: object) -> str:
        """Return a word, name or label for use within a sentence: like `say`, without the capital."""
        return self._fill(self._sentence(one, many, count), count, values)

    def _sentence(self, one: str, many: str, count: int | None) -> str:
        """Translate a sentence, keeping its placeholders."""
        translations = catalogue(self.code, self.own)
        return translations.gettext(one) if count is None else translations.ngettext(one, many, count)

    def _fill(self, sentence: str, count: int | None, values: dict[str, object]) -> str:
        """Replace the placeholders of a sentence by their values."""
        if count is not None:
            values.setdefault("count", count)
        if contractions := _CONTRACTIONS.get(self.code.partition("-")[0]):
            return _AFTER_PREPOSITION.sub(
                lambda match: self._contracted(match["preposition"] or "", match[2], contractions, values),
                sentence,
            )
        if not self._chinese:
            return PLACEHOLDER.sub(lambda name: self._placeholder_text(name[1], values), sentence)
        filled = PLACEHOLDER.sub(
            lambda name: self._placeholder_text(name[1], values).replace(" ", _VALUE_BLANK), sentence
        )
        return re.sub(AMONG_CHINESE, "", filled).replace(_VALUE_BLANK, " ")

    def _contracted(
        self, preposition: str, name: str, contractions: Mapping[str, str], values: Mapping[str, object]
    ) -> str:
        """Return a preposition and the value after it: `del nodo de azar B` for `de {node}`."""
        text = self._placeholder_text(name, values)
        article = _ARTICLE.match(text)
        if preposition and article:
            contraction = contractions.get(f"{preposition.lower()} {article['article']}")
            if contraction:
                word = contraction.capitalize() if preposition[0].isupper() else contraction
                return f"{word} {text[article.end() :]}"
        return f"{preposition} {text}" if preposition else text

    def _placeholder_text(self, name: str, values: Mapping[str, object]) -> str:
        """Return what replaces a placeholder: a value, or a node with its preposition."""
        preposition, _, node = name.partition("_")
        if name in values or preposition not in _PLACES:
            return self._inserted_text(values[name])
        text, (root, other) = self._inserted_text(values[node]), _PLACES[preposition]
        return self.term(root) if text == self.term(Phrase("the root")) else self.term(other, node=text)

    def render(self, saying: BoundPhrase) -> str:
        """Render a bound phrase, as a `term`."""
        return self.term(saying.one, saying.many, saying.count, **saying.values)

    def _inserted_text(self, value: object) -> str:
        """Return the text of a value in a sentence: a phrase in this language, a quotation in its marks.

        All other values must already be text; `number` formats numbers.
        """
        match value:
            case BoundPhrase():
                return self.render(value)
            case Quotation(text):
                return self.quote(text)
            case _:
                return str(value)

    def percent(self, share: Number, decimals: int = 0) -> str:
        """Write a share in percent, rounded: `75%` or `75 %`."""
        return self.points(100 * Fraction(share), decimals) + self.punctuation.percent

    def quote(self, text: str) -> str:
        """Put a text in the quotation marks of the language."""
        before, after = self.punctuation.quotes
        return f"{before}{text}{after}"

    def with_label(self, label: str, text: str) -> str:
        """Write `label: text`."""
        return f"{label}{self.punctuation.colon}{text}"

    def with_note(self, text: str, note: str) -> str:
        """Write `text (note)`."""
        before, after = self.punctuation.brackets
        return f"{text}{before}{note}{after}"

    def range_text(self, first: str, last: str) -> str:
        """Write a range of whole numbers: `11–13`, with the dash of the language."""
        return f"{first}{self.punctuation.dash}{last}"

    def join_and(self, items: "list[str] | tuple[str, ...]") -> str:
        """Write `a`, `a and b`, `a, b and c`, or nothing.

        In Spanish, `y` is `e` before the sound of `i`: `x e y`.
        """
        if len(items) < 2:
            return "".join(items)
        first, last = self._join_before(items[:-1], items), items[-1]
        if self.code.partition("-")[0] == "es" and re.match(r"(?i)h?[ií](?!e)|y\b", last):
            return f"{first} e {last}"
        return self.term("{items} and {last}", items=first, last=last)

    def join_or(self, items: "list[str] | tuple[str, ...]") -> str:
        """Write `a`, `a or b`, `a, b or c`, or nothing; numbers are separated as by `join_and`."""
        if len(items) < 2:
            return "".join(items)
        return self.term("{items} or {last}", items=self._join_before(items[:-1], items), last=items[-1])

    def join(self, items: Iterable[str]) -> str:
        """Write `a, b, c`, without an `and`; numbers with a decimal comma are separated by `;`."""
        listed = tuple(items)
        return self._join_before(listed, listed)

    def join_notes(self, notes: Iterable[str]) -> str:
        """Write `a; b; c`, where each may contain commas."""
        return self.punctuation.semicolon.join(notes)

    def _join_before(self, items: Iterable[str], every: Iterable[str]) -> str:
        """Join some of the items of a list by the sign that `every` item allows."""
        has_commas = self.comma and any("," in item for item in every)
        return (self.punctuation.semicolon if has_commas else self.punctuation.comma).join(items)


_VALUE_BLANK = "\0"
"""Replaces the spaces of a value, which must stay, while a sentence is filled."""


_COUNTED_WORD = re.compile(r"[\u3400-\u9fff]{1,2}|[^\s\u3400-\u9fff]+")
"""A word between blanks; two Chinese characters are about one."""


def count_words(text: str) -> int:
    """Count the words of a text in any language."""
    return len(_COUNTED_WORD.findall(text))


def paragraph(*sentences: str) -> str:
    """Join sentences, without empty ones; a full-width sign needs no space after it."""
    nonempty = [*filter(None, sentences)]
    return "".join(sentence + gap_after(sentence) for sentence in nonempty[:-1]) + "".join(nonempty[-1:])


ENGLISH = Language()
"""The default language."""
