"""One number: `7/3`, `2.33`, `2 1/3`, `root = -2`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import factorial
from typing import Any

from grader.answers.box_blanks import number_codec
from grader.answers.canonical import read_numeral
from grader.answers.form import AnswerSpace, Form
from grader.answers.numeral import (
    Numeral,
    claimed_value,
    matches_key,
    mixed_number,
    parse_numeral,
    write_numeral,
)
from grader.answers.reply import ENDS_EARLY, UNCLEAR, Reply, UnreadableError, UnsureError
from grader.answers.reply_reading import read_reply
from grader.answers.reply_tokens import BASIC, SPELLED, Cursor, Token
from grader.base.numbers import MAX_NUMERAL_DIGITS, NUMERAL_LIMIT, NumeralError
from grader.base.phrases import Phrase, plural_phrase
from grader.base.safe_text import quote
from grader.trees.tree import Tree

DASH = Phrase("a dash before a number could be a minus sign or a separator")
INFINITE = Phrase("infinity is not a possible value here")
POINT = Phrase("write decimals with a period: 2.5")
_BLANKS = Phrase("separate numbers by spaces")


_GROUPED = re.compile(r"(?<![\w.,])[1-9][0-9]{0,2}\.[0-9]{3}(?![\w.,]*[0-9])")
"""`2.500`, which is 2500 to many who write decimals with a comma."""


def _read(reply: Reply) -> Numeral:
    """Read one number, with the root's name or words such as `value =` before it.

    Raises `UnsureError` for `1.200` where the decimal sign is a comma.
    """
    number = _read_one(reply)
    grouped = _GROUPED.search(reply.typed) if reply.terms.decimal_comma else None
    if grouped is None:
        return number
    whole = grouped.group().replace(".", "").ljust(len(grouped.group()))
    text = reply.text[: grouped.start()] + whole + reply.text[grouped.end() :]
    grouped_number = _read_one(replace(reply, text=text))
    raise UnsureError(
        "the period could be a decimal point or a thousands separator", (number, grouped_number)
    )


def _read_one(reply: Reply) -> Numeral:
    items = take_amounts(reply, "UNIT", lambda cursor: [cursor.amount(), *cursor.many(*BEHIND, "UNIT")])
    return require_no_factorial(reply, one_number(reply, items, partial(read_amount, reply)))


_LABELS = (*SPELLED, "VALUE", "VISITED", "CUT", "NOUN", "PATH")
"""The words that may come before a number; `_BEFORE` has the signs between as well."""
_BEFORE = (*_LABELS, "EQUALS", "COLON", "ARROW", "ABOUT")
_BETWEEN = ("EQUALS", "ABOUT", "OR", "AND", "COMMA", "SEMICOLON", "ARROW")
"""The words between a number and its repetition."""
BEHIND = ("NOUN", "PATH", "VISITED", "CUT")
_AMOUNT_KINDS = BASIC | {*_BEFORE, *_BETWEEN, *BEHIND, "PLUS", "DASH", "VULGAR", "INF", "DOT", "DOTS"}


def take_amounts(reply: Reply, more: str, take: Callable[[Cursor], Sequence[Any]]) -> list[Any]:
    """Return the words and signs of a reply with each of its numbers: `5`, `7/3 ≈ 2.33`, `7/3 (2.33)`.

    `take` reads a number and the words after it; these may include tokens of the kind `more`.
    """
    cursor = reply.cursor(_AMOUNT_KINDS | {"LPAREN", "RPAREN", more}, _missing_part(reply), valued=True)
    items: list[Any] = [*cursor.many(*_BEFORE)]
    going = True
    while going:
        bracket = cursor.optional("LPAREN")
        items += [*(cursor.many("ABOUT", "EQUALS") if bracket else ()), *take(cursor)]
        if bracket:
            cursor.need("RPAREN")
        again = cursor.optional(*_BETWEEN)
        items += again
        going = bool(again) or cursor.kind == "LPAREN"
    cursor.many("DOT", "DOTS")
    cursor.end()
    return items


_FACTORIAL = re.compile(r"(?<![\w.,!])([0-9]{1,2})!(?![!=])")


def require_no_factorial(reply: Reply, number: Numeral, maximum: int = 0) -> Numeral:
    """Return the number unless a `!` after it may mean a factorial; then raise `UnsureError`.

    A factorial above `maximum`, or with too many digits, is impossible.
    """
    found = _FACTORIAL.search(reply.text)
    if found is None:
        return number
    product = factorial(int(found[1]))
    is_impossible = product >= NUMERAL_LIMIT or number.value <= maximum < product
    if product != number.value and not is_impossible:
        raise UnsureError(UNCLEAR, (number, Numeral(product)))
    return number


def computed_number(reply: Reply, place: re.Match[str], value: int) -> Numeral:
    """Return the value of a power, a factorial or digits; raise `UnreadableError` if it is too long."""
    if value >= NUMERAL_LIMIT:
        typed = quote(reply.typed[place.start() : place.end()].strip())
        raise UnreadableError(
            "{number} has more than {digits} digits",
            place.start(),
            number=typed,
            digits=MAX_NUMERAL_DIGITS,
        )
    return Numeral(value)


def _missing_part(reply: Reply) -> Phrase:
    """Return the message about a reply that ends before its number is complete."""
    begun = any(sign.isnumeric() for sign in reply.text)
    return ENDS_EARLY if begun else Phrase("there is no number here")


def one_number(
    reply: Reply, items: Sequence[Any], read_one: Callable[[Sequence[Any]], Numeral], other: str = "CUT"
) -> Numeral:
    """Return the one number in the items of a reply.

    Words of the kind `other` are about the parts that the question does not count.
    Raises `UnreadableError` or `UnsureError`.
    """
    readings: list[Numeral] = []
    commas = 0
    label: Token | None = None
    for item in items:
        if isinstance(item, list):
            readings.append(read_one(item))
            if label is not None and _is_joined(reply, label, item):
                readings.append(Numeral(-readings[-1].value, readings[-1].places))
                raise UnsureError(DASH, readings[::-1])
        elif item.type in SPELLED and not _is_label(reply, item):
            raise reply.misplaced(item, hint=Phrase("write only the number"))
        elif item.type == "COMMA":
            commas += 1
        elif item.type == other:
            raise unasked_word_error(item)
        label = item if getattr(item, "type", "") in SPELLED else None
    numbers = distinct_numbers(readings)
    if len(numbers) == 1:
        return numbers[0]
    if commas:
        place = reply.text.index(",") if "," in reply.text else 0
        hint = _BLANKS if reply.terms.decimal_comma else POINT
        raise UnreadableError(
            "the question asks for one number, but the comma separates several", place, hint
        )
    raise UnsureError("there are several numbers here, but the question asks for one", numbers)


def _is_joined(reply: Reply, label: Token, tokens: Sequence[Token]) -> bool:
    """Return whether only a dash is between a name and a number: `A-3`, `A - 3`."""
    first = tokens[0]
    return getattr(first, "type", "") == "DASH" and not reply.text[label.end_pos : first.start_pos].strip()


def unasked_word_error(token: Token) -> UnreadableError:
    """Return the error for a word such as `pruned`, if the question does not count pruned parts."""
    hint = Phrase("write only the number asked for")
    return UnreadableError(
        "the question does not ask which are {word}", token.start_pos, hint, word=quote(token)
    )


def _is_label(reply: Reply, token: Token) -> bool:
    """Return whether a word may label the answer, as in `root = 3` or `x = 3`.

    That is the root, a name of the requested number, or a neutral letter.
    """
    known = ("root", "x", "n", "ev", "min", "max", *reply.terms.labels)
    return 0 in reply.nodes(token) or token.lower() in known


def distinct_numbers(readings: Sequence[Numeral]) -> list[Numeral]:
    """Return the different numbers in `7/3 = 2.33 = 14/6`; rounded spellings of another one are omitted."""
    numbers = dict.fromkeys(readings)
    return [
        number
        for number in numbers
        if not any(
            other is not number and other.places is None and matches_key(number, other, 1)
            for other in numbers
        )
    ]


def read_amount(reply: Reply, tokens: Sequence[Token]) -> Numeral:
    """One number from its tokens: a sign, a numeral, and the fraction of a mixed number.

    Raises `UnreadableError` for two numbers that are not a mixed one.
    """
    sign = -1 if tokens[0].type == "DASH" else 1
    parts = [read_token_number(reply, token) for token in tokens if token.type not in ("DASH", "PLUS")]
    value = mixed_number(*parts) if len(parts) == 2 else parts[0]
    if value is None:
        raise UnreadableError(
            "there are two numbers next to each other",
            tokens[-1].start_pos,
            "write a mixed number in this form: 2 1/3",
        )
    return Numeral(sign * value.value, value.places)


def read_token_number(reply: Reply, token: Token) -> Numeral:
    """The number a token spells; raises `UnreadableError`."""
    if token.type == "INF":
        raise UnreadableError(INFINITE, token.start_pos, "write a number")
    try:
        return parse_numeral(str(token))
    except NumeralError as error:
        place = token.start_pos
        typed = quote(reply.slice(token))
        raise UnreadableError(error.phrase, place, number=typed, digits=MAX_NUMERAL_DIGITS) from None


def write(answer: Numeral, _tree: Tree) -> str:
    """The number in canonical form."""
    return write_numeral(answer)


NUMBER: Form[Numeral] = Form(
    name="number",
    ask=Phrase("Write one number."),
    example="7/3",
    read=partial(read_reply, read=_read, write=write, commas="decimal", remarks="of names", numbers="all"),
    write=write,
    parse_canonical=lambda text, _tree: read_numeral(text),
    is_same=matches_key,
    marking_rule=plural_phrase(
        "Give the exact number, or round it to at least {count} decimal place.",
        "Give the exact number, or round it to at least {count} decimal places.",
    ),
    answer_space=AnswerSpace("short"),
    blank_codec=number_codec(),
    allows_rounding=True,
    from_drawing=lambda tree: claimed_value(tree, 0),
)
