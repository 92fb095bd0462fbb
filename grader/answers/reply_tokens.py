"""The one tokenizer of replies, and a cursor over its tokens."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from grader.answers.reply_words import FILLER, MAX_CACHED_LENGTH, Words

SPELLED = ("WORD", "SPOTTED", "STRING")
"""The shapes of tokens that may be names: plain words, masked names, and names in quotes."""

BASIC = frozenset((*SPELLED, "NUMERAL", "ORDINAL", "DENIAL", "SIGN"))
"""The shapes of tokens; all other kinds are words and signs that mean something."""

BRACKETS = {"LPAREN": "RPAREN", "LBRACKET": "RBRACKET", "LBRACE": "RBRACE"}
"""The kinds of opening brackets, each with its closing one."""

_TOKEN = re.compile(
    r"""
      (?P<ORDINAL>[0-9]+(?:\.[ºª]|(?![eE][+-]?[0-9]+(?!\w))[^\W\d¼-¾⅐-⅞]\w*))
    | (?P<STRING>"(?:[^"\\]|\\.)*"|“[^”]*”|„[^“”]*[“”]|'[^']*'|‘[^’]*’|`[^`]*`)
    | (?P<DENIAL>(?<![\w)\]}!])!(?=[-\w("'“.\[<⟨\ue000])|~~(?!~))
    | (?P<SPOTTED>\ue000\ue001*)
    | (?P<NUMERAL>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+(?![\w.]))?(?:[ \t]*/[ \t]*[0-9]+)?)
    | (?P<WORD>[^\W\d]\w*(?:['’]\w*)*)
    | (?P<SIGN>-+>|=+>|:?==?(?!<)|[<>=]=|[=]<|!=|<>|=/=|\.\.+|--+(?![->])|[^\w\s]|\d)
    """,
    re.VERBOSE,
)
"""A digit of another script is a sign that nothing reads."""


class Token(str):
    """A piece of a reply: its text, its kind, and where it begins and ends."""

    __slots__ = ("end_pos", "start_pos", "type")

    def __new__(cls, text: str, kind: str, start: int) -> "Token":
        """Return a token at a place."""
        token = str.__new__(cls, text)
        token.type, token.start_pos, token.end_pos = kind, start, start + len(text)
        return token

    type: str
    start_pos: int
    end_pos: int


def _find_kind(words: Words, piece: str, used: frozenset[str]) -> str:
    """Return the first of the kinds of a word or sign that is in `used` or filler, empty without one."""
    return next((each for each in words.kinds(piece) if each in used or each == FILLER), "")


_find_kind_cached = lru_cache(maxsize=20_000)(_find_kind)


def tokenize(text: str, words: Words, used: frozenset[str], significant: frozenset[str]) -> Iterator[Token]:
    """Yield the tokens of a reply without filler.

    A word or sign has the first of its kinds that is in `used`; `significant` words are plain words.
    """
    for match in _TOKEN.finditer(text):
        kind, piece = match.lastgroup or "", match.group()
        if kind in ("WORD", "SIGN") and not (significant and piece.casefold() in significant):
            find_kind = _find_kind_cached if len(piece) <= MAX_CACHED_LENGTH else _find_kind
            kind = find_kind(words, piece, used) or kind
        if kind != FILLER:
            yield Token(piece, kind, match.start())


class Cursor:
    """A place among the tokens of a reply; `misfit` makes the error about a token, None at the end."""

    def __init__(self, tokens: Sequence[Token], misfit: Callable[[Token | None], Exception]) -> None:
        self.tokens, self.misfit, self.place = tokens, misfit, 0

    @property
    def kind(self) -> str:
        """The kind of the next token, empty at the end."""
        return self.tokens[self.place].type if self.place < len(self.tokens) else ""

    @property
    def following(self) -> str:
        """The kind of the token after the next one, empty at the end."""
        return self.tokens[self.place + 1].type if self.place + 1 < len(self.tokens) else ""

    def error(self) -> Exception:
        """Return the error about the next token."""
        return self.misfit(self.tokens[self.place] if self.kind else None)

    def need(self, *kinds: str) -> Token:
        """Return the next token. Raises `error` if it is not of one of these kinds."""
        if self.kind not in kinds:
            raise self.error()
        self.place += 1
        return self.tokens[self.place - 1]

    def optional(self, *kinds: str) -> list[Token]:
        """Return the next token in a list, empty if it is of another kind."""
        return [self.need(*kinds)] if self.kind in kinds else []

    def many(self, *kinds: str) -> list[Token]:
        """Return the tokens up to the first one of another kind."""
        start = self.place
        while self.kind in kinds:
            self.place += 1
        return [*self.tokens[start : self.place]]

    def end(self) -> None:
        """Require that nothing is left."""
        if self.kind:
            raise self.error()

    def amount(self) -> list[Token]:
        """Return the tokens of one number: a sign, a numeral and perhaps the fraction of a mixed number."""
        sign = self.optional("PLUS", "DASH")
        number = self.need("NUMERAL", "VULGAR", "INF")
        return [*sign, number, *(self.optional("NUMERAL", "VULGAR") if number.type == "NUMERAL" else ())]
