"""Reads the words, numbers and quoted texts of a tree, and notes the mistakes in them."""

import re
from typing import TYPE_CHECKING, TypeAlias

from grader.base.numbers import MAX_NUMERAL_DIGITS, Number, NumeralError, read_number
from grader.trees.notation.diagnostics import MAX_MISTAKES, Complaint, clip
from grader.trees.notation.facts import Fact, FactKind, is_typed_fraction
from grader.trees.notation.keywords import is_word, unquote_text

if TYPE_CHECKING:
    from grader.trees.notation.lexer import Piece

Placed: TypeAlias = "tuple[Piece, tuple[Number, ...]]"
"""A vector or a list of numbers, with the bracket that opened it."""

_CLOSED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPE = re.compile(r"\\.")
_TWO_NUMBERS = re.compile(r"([+-]?[0-9.]+)([+-][0-9.]+)")


class TooManyMistakes(Exception):  # noqa: N818 - not an error of the program
    """Stops reading; the mistakes are already noted."""


class TokenReader:
    """Reads single tokens of one text, and collects its mistakes."""

    def begin(self) -> None:
        """Reset the reader for a new text."""
        self.mistakes: list[Complaint] = []
        self._typed_fractions: list[int] = []  # their places, since the last leaf

    def note_mistake(self, token: "Piece", code: str, message: str, hint: str = "") -> None:
        """Note a mistake at a token; an empty hint means the usual one of its code."""
        self.note_mistake_at(token.start_pos, token.start_pos + len(token), code, message, hint)

    def note_mistake_at(self, start: int, end: int, code: str, message: str, hint: str = "") -> None:
        """Note a mistake at a range of characters. Raises `TooManyMistakes` beyond `MAX_MISTAKES`."""
        if len(self.mistakes) >= MAX_MISTAKES:
            raise TooManyMistakes
        self.mistakes.append(Complaint(start, end, code, message, hint))

    def _number(self, token: "Piece", text: str | None = None) -> Number:
        """Read the number of a token, or of its part `text`; return 0 and note a mistake if it is invalid."""
        try:
            number = read_number(token if text is None else text)
        except NumeralError as error:
            hint = ""
            if parts := _TWO_NUMBERS.fullmatch(token[: 4 * MAX_NUMERAL_DIGITS]):
                hint = f"put a blank or a comma between two numbers: {parts[1]} {parts[2]}"
            elif token.endswith((";", "|")):
                hint = "children are separated by blanks or commas"
            elif token.endswith("%"):
                hint = "a percentage is a probability and comes before a branch: 50%: 3"
            elif "digits" in str(error) or "exponent" in str(error):
                limit = MAX_NUMERAL_DIGITS
                hint = f"numbers have at most {limit} digits and an exponent of at most {limit}"
            self.note_mistake(token, "bad-number", f"{clip(token)} {error}", hint)
            return 0
        if text is None and is_typed_fraction(token):
            self._typed_fractions.append(token.start_pos)
        return number

    def _word(self, token: "Piece") -> str:
        """Read a name, label or unknown; note a mistake if it is invalid."""
        if token.type == "STRING":
            return self._string(token)
        if not is_word(token):
            self._bad_word(token)
        return str(token)

    def _bad_word(self, token: "Piece") -> None:
        """Note that a word needs quotes, or is invalid."""
        hint = f'a name of other characters than letters, digits and _ goes in quotes: "{clip(token)}"'
        if any(quote in token for quote in "“”„«»‘’"):
            hint = 'use straight quotes: "a name"'
        elif token.strip(";|&.") == "":
            hint = "children are separated by blanks or commas"
        elif "inf" in token.casefold() or "∞" in token or token.casefold() == "oo":
            hint = "payoffs are finite: 3, -2, 2.5 or 7/3"
        elif not token.isascii() and any(sign.isdigit() for sign in token):
            hint = "numbers are written with the digits 0 to 9; anything else goes in quotes"
        self.note_mistake(token, "bad-word", f"{clip(token)} is neither a number nor a name", hint)

    def _string(self, token: "Piece") -> str:
        """Read the text between quotes; report an unclosed quote, and return `?` for it."""
        if _CLOSED.fullmatch(token) is None:
            self.note_mistake(token, "unclosed-quote", "the quote is not closed on its line")
            return "?"
        for escape in _ESCAPE.finditer(token, 1, len(token) - 1) if "\\" in token else ():
            if escape[0][1] not in '\\"':
                start = token.start_pos + escape.start()
                message = 'a backslash comes only before " or another backslash'
                self.note_mistake_at(start, start + 2, "bad-escape", message)
        return unquote_text(token)

    def _read_fact(self, fact: "Piece | Placed") -> tuple[FactKind, Fact]:
        """Return the kind and the value of a word, number, text or row."""
        if isinstance(fact, tuple):
            return "ROW", fact[1]
        if fact.type == "STRING":
            return "TEXT", self._string(fact)
        return ("NUMBER", self._number(fact)) if fact.type == "NUMBER" else ("WORD", str(fact))
