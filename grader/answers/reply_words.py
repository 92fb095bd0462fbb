"""The words and signs that mean something in a reply; the words are in `problems/languages/`."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from unicodedata import normalize

from grader.base.numbers import to_plain_characters
from grader.base.shipped import shipped_folder

MAX_CACHED_LENGTH = 64
"""The most characters of a text that is cached: the same few words are in all replies about a tree."""

FILLER = "FILLER"
"""Words that tell a marker nothing: every form passes over them."""

_SIGNS = {
    "NONE": "∅ ⌀ ø",
    "ALL": "ℝ ∀",
    "AND": "& ∧ ∩",
    "OR": "∨ ∪ u",
    "INF": "∞",
    "VULGAR": "½ ⅓ ⅔ ¼ ¾ ⅕ ⅖ ⅗ ⅘ ⅙ ⅚ ⅐ ⅛ ⅜ ⅝ ⅞ ⅑ ⅒",
    "ALPHA": "α",
    "BETA": "β",
    "IN": "∈",
    "OUTSIDE": "∉",
    "DASH": "-",
    "LONGDASH": "— ―",
    "PLUS": "+",
    "ARROW": "→ ⇒ ⟶ ↦ ➔ ➜ =>",
    "EQUALS": "= == :=",
    "COLON": ":",
    "LE": "<= =< ≤",
    "GE": ">= ≥ =>",
    "LT": "< ⟨ 〈 ‹",
    "GT": "> ⟩ 〉 ›",
    "NE": "!= <> =/= ≠",
    "ABOUT": "~ ≈ ≅ ≃",
    "HASH": "# №",
    "COMMA": ", ، 、",
    "SEMICOLON": ";",
    "BAR": "| /",
    "BACKSLASH": "\\ ∖",
    "DOT": ". ! ?",
    "DOTS": "…",
    "LPAREN": "(",
    "RPAREN": ")",
    "LBRACKET": "[",
    "RBRACKET": "]",
    "LBRACE": "{",
    "RBRACE": "}",
}

_RUNS = {"--": "LONGDASH", "->": "ARROW", "=>": "ARROW", "..": "DOTS"}
"""Signs that may be repeated, by their last two characters: `--`, `-->`, `...`."""

_WORD = re.compile(r"[\w']+")

HAN = re.compile("[\u4e00-\u9fff]+")
"""Chinese characters in a row."""

_DOUBT, _STROKES = "?？ ", "-/—― "
"""The signs of somebody who does not know the answer, and of somebody who crosses out the room for it."""

_ADMITTING = 5
"""The maximum number of words of a phrase that says that there is no answer."""

FRACTION_SIGNS = {sign: normalize("NFKC", sign).replace("⁄", "/") for sign in _SIGNS["VULGAR"].split()}
"""Fractions that are one character."""

POSITIONS = dict(
    zip(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
        range(1, 11),
        strict=True,
    )
)
"""The ordinals people write as words, by their sense."""


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words and signs of replies, in lower case.

    - `known`: each with its possible kinds; a form takes the first that it uses.
    - `senses`: the English meaning of words whose kind has several senses.
    - `idle`: words that are redundant in a remark after an answer: `C (the largest)`.
    - `pointing`: words that are redundant unless they are the answer, as next to a number.
    - `retracting`: words that may retract an answer, or leave it open.
    - `reasons`: words that begin a reason, which is ignored.
    - `following`: words that say that one of two moves comes after the other.
    - `placing`: words before a node, whether its child comes before or after it.
    - `supposing`: words before a case.
    - `denying`: words that negate the following ones.
    - `verdicts`: word -> its verdict on a statement: `true`, `false`, `not`, `or`, `is`, `idle` for none, or
      `foreign` for a letter of another one; `no` means `not` before one of these, and `false` elsewhere.
    - `limiting`: words that qualify a verdict, which then is not a plain one.
    - `phrases`: phrase -> its replacement if a reply cannot be read as it is.
    - `numbers`: the same for words for numbers and places, if a number is requested.
    - `no_answer_phrases`: phrases of students who do not know the answer.
    - `foreign_letters`: letters that mean "and" or "or" only in other languages; next to a name not words.
    - `and_letters`: those of `small_letters` that mean "and".
    - `small_letters`: words of one letter in the language itself, which in lower case may also be a node.
    - `glued`: the words and phrases of Chinese, which are written without blanks.
    """

    known: Mapping[str, tuple[str, ...]]
    senses: Mapping[str, str]
    idle: frozenset[str]
    pointing: frozenset[str]
    retracting: frozenset[str]
    reasons: frozenset[str]
    following: frozenset[str]
    placing: frozenset[str]
    supposing: frozenset[str]
    denying: frozenset[str]
    limiting: frozenset[str]
    verdicts: Mapping[str, str]
    phrases: Mapping[str, str]
    numbers: Mapping[str, str]
    no_answer_phrases: frozenset[str]
    foreign_letters: frozenset[str]
    and_letters: frozenset[str]
    small_letters: frozenset[str]
    glued: frozenset[str]

    def kinds(self, text: str) -> tuple[str, ...]:
        """The kinds a word or a sign can be, empty for a word that is only ever a name."""
        found = self.known.get(text) or self.known.get(text.casefold())
        return found or ((run,) if (run := _RUNS.get(text[-2:])) else ())

    def no_answer_phrase(self, text: str) -> tuple[str, bool]:
        """Return the phrase for no answer at the start of a reply, `no idea`, and whether that is all.

        The phrase is empty if there is none. A reply of question marks alone is one.
        """
        if text.strip() and not text.strip(_DOUBT):
            return text.strip(), True
        typed_words = _WORD.findall(text.casefold().replace("’", "'"))
        found = (" ".join(typed_words[:count]) for count in range(min(len(typed_words), _ADMITTING), 0, -1))
        words = next((some for some in found if some in self.no_answer_phrases), "")
        return words, words != "" and words == " ".join(typed_words)

    def joins(self, text: str) -> bool:
        """Return whether a word, not a sign, means `and` or `or` in some language."""
        return {"AND", "OR"} & {*self.kinds(text)} != set() and text.casefold() not in _SIGNS["OR"].split()

    def sense(self, text: str) -> str:
        """Return the English meaning of a word; empty if its kind has only one."""
        return self.senses.get(text.casefold(), "")


def is_stroke(text: str) -> bool:
    """Return whether a text consists of strokes: `-`, `--`, `/`."""
    return bool(text.strip()) and not to_plain_characters(text).strip(_STROKES)


@cache
def words(code: str) -> Words:
    """Return the words of English, of the language with this code, and of all others with a table.

    A word of several languages has the kinds of the first of them; its verdict on a statement is that of the
    language with this code. A letter that is true or false only in other languages has the verdict `foreign`.
    """
    import tomllib

    language = code.partition("-")[0]
    order = {"en": 0, language: 1}
    files = [*(shipped_folder("problems") / "languages").glob("*.toml")]
    own_language = language if language in {file.stem for file in files} else "en"
    own_verdicts = set[str]()
    known = dict[str, tuple[str, ...]]()
    senses, verdicts = dict[str, str](), dict[str, str]()
    phrases, numbers = dict[str, str](), dict[str, str]()
    unknown, foreign, joining, small = set[str](), set[str](), set[str](), set[str]()
    remarks = defaultdict[str, set[str]](set)
    for file in sorted(files, key=lambda file: (order.get(file.stem, 2), file.stem)):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        own = dict[str, tuple[str, ...]]()
        for word, kind, sense in _listed(table["words"]):
            own[word] = (*own.get(word, ()), kind)
            if sense and word not in known:
                senses[word] = sense
        if order.get(file.stem, 2) == 2:
            foreign.update(word for word in own if len(word) == 1 and word not in known)
        known = {**own, **known}
        for instead, some in table.get("phrases", {}).items():
            phrases = {**dict.fromkeys(some, instead), **phrases}
        for instead, some in table.get("numbers", {}).items():
            numbers = {**dict.fromkeys(some, instead), **numbers}
        unknown.update(" ".join(_WORD.findall(phrase)) for phrase in table["unknown"]["said"])
        if order.get(file.stem):
            joining.update(table.get("letters", {}).get("and", "").split())
            small.update(joining, table.get("letters", {}).get("small", "").split())
        for verdict, text in table["verdicts"].items():
            listed = dict.fromkeys(text.casefold().split(), verdict)
            if file.stem == own_language:
                own_verdicts.update(listed)
            verdicts = verdicts | listed if order.get(file.stem) else listed | verdicts
        for use, text in table["remarks"].items():
            remarks[use].update(text.casefold().split())
    signs = dict[str, tuple[str, ...]]()
    for kind, some in _SIGNS.items():
        signs |= {sign: (*signs.get(sign, ()), kind) for sign in some.split()}
    remarks["retracting"] -= small
    verdicts |= {
        word: "foreign"
        for word, verdict in verdicts.items()
        if verdict in ("true", "false") and is_latin_letter(word) and word not in own_verdicts
    }
    remark_words = {use: frozenset(some) for use, some in remarks.items()}
    return Words(
        known | signs,
        senses,
        verdicts=verdicts,
        phrases=phrases,
        numbers=numbers,
        no_answer_phrases=frozenset(unknown),
        foreign_letters=frozenset(foreign),
        and_letters=frozenset(joining),
        small_letters=frozenset(small),
        glued=frozenset(
            filter(HAN.fullmatch, {*known, *verdicts, *phrases, *numbers}.union(*remark_words.values()))
        ),
        **remark_words,
    )


def is_latin_letter(word: str) -> bool:
    """Return whether a word is one letter; signs and Chinese characters are none."""
    return len(word) == 1 and word.isascii() and word.isalpha()


def _listed(table: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Every word of a table with its kind and its sense."""
    for kind, listed in table.items():
        for sense, text in listed.items() if isinstance(listed, dict) else (("", listed),):
            yield from ((word, kind.upper(), sense) for word in text.casefold().split())
