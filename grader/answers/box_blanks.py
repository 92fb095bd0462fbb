"""Boxes for a number, a bound or a whole reply: the correct spellings, and how they are read."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from grader.answers.blank import Blank, BlankError, Blanks
from grader.answers.form import BlankCodec, Terms
from grader.answers.numeral import Numeral, write_numeral
from grader.answers.reply_words import is_stroke, words
from grader.base.numbers import Bound, Number, to_plain_characters, write_number
from grader.base.phrases import BoundPhrase, Language, Phrase
from grader.base.safe_text import quote
from grader.trees.tree import Tree

A = TypeVar("A")

MAX_EXTRA_DECIMALS = 4
"""The maximum number of extra decimals in a rounded number."""

_THOUSANDS = re.compile(r"-?[1-9]\d{0,2}\.\d{3}")
"""A number whose point may be a thousands separator if the decimal sign is a comma."""

BOXES_COUNT_SEPARATELY = Phrase("Each box is graded separately.")


def unreadable_blank(blank: Blank, text: str, why: str, /, **values: object) -> BlankError:
    """The complaint about what a blank holds, which names the blank unless it is the only one.

    `why` is a phrase with `{text}` for what the blank holds.
    """
    trouble = BoundPhrase(why, text=quote(text), **values)
    error = BlankError(trouble)
    if blank.label:
        error = BlankError("box {label}: {trouble}", label=quote(blank.label), trouble=trouble)
    error.blank = blank
    return error


def unreadable_number(blank: Blank, text: str, readings: Sequence[Numeral], terms: Terms) -> BlankError:
    """The complaint about a blank that holds no number, with what it may mean."""
    if not text:
        return unreadable_blank(blank, text, "there is no number here")
    error = unreadable_blank(blank, text, "{text} is not a number")
    if len(readings) > 1:
        error = unreadable_blank(blank, text, "{text} can be read in more than one way")
    error.readings = tuple(terms.language.reply(write_numeral(number)) for number in readings)
    return error


def is_nothing(text: str) -> bool:
    """Return whether a text says that there is no entry: `-`, `none`, `never entered`, `pruned`."""
    kinds = [set(words("en").kinds(word)) for word in to_plain_characters(text).casefold().split()]
    denied = any(not kind.isdisjoint(("NEVER", "NOT")) for kind in kinds)
    visited, cut = (any(name in kind for kind in kinds) for name in ("VISITED", "CUT"))
    if is_stroke(text) or not kinds:
        return True
    if any(kind.isdisjoint(("NEVER", "NOT", "NONE", "CUT", "VISITED")) for kind in kinds):
        return False
    return not cut if denied else not visited


@lru_cache(maxsize=1024)
def number_spellings(value: Number, digits: int, comma: bool) -> tuple[str, ...]:
    """Return the correct spellings of a number, the plainest first, which platforms show.

    A number that is not whole may be a fraction, a mixed number or a decimal; a decimal may be rounded
    to `digits` places or up to `MAX_EXTRA_DECIMALS` more, halves away from zero or to the even digit.
    A whole number may have one to three zeros as decimals (`7.00`); `0.5` may be written `.5`.
    If the decimal sign is a comma, a point is accepted too, since keyboards differ, unless it may
    be a thousands separator: on paper `9.000` is not 9.
    A plus sign, three kinds of minus signs, and blanks around the fraction stroke are accepted.

    The spellings are cached, because many variants have the same answers.
    """
    found = [write_number(value)]
    top, below = abs(Fraction(value).numerator), Fraction(value).denominator
    sign = "-" if value < 0 else ""
    if below > 1:
        found.append(f"{sign}{top}/{below}")
        if top > below:
            found.append(f"{sign}{top // below} {top % below}/{below}")
        for places in range(max(digits, 1), digits + MAX_EXTRA_DECIMALS + 1):
            found += [_decimal(sign, each, places) for each in _rounded(Fraction(top, below), places)]
    else:
        found += [_decimal(sign, top * 10**places, places) for places in (1, 2, 3)]
    found += [text.replace("0.", ".", 1) for text in found if text.lstrip("-").startswith("0.")]
    if comma:
        points = [text for text in found if not _THOUSANDS.fullmatch(text)]
        found = [text.replace(".", ",") for text in found] + points
    found += [text.replace("/", " / ") for text in found if "/" in text]
    if sign:
        found += [text.replace("-", other, 1) for other in "−–" for text in found.copy()]
    elif value:
        found += [f"+{text}" for text in found]
    return tuple(dict.fromkeys(found))


def _rounded(value: Fraction, places: int) -> Iterable[int]:
    """A number that is not negative in units of its last place, rounded in both ways."""
    scaled = value * 10**places
    return dict.fromkeys((int(scaled + Fraction(1, 2)), round(scaled)))


def _decimal(sign: str, scaled: int, places: int) -> str:
    digits = str(scaled).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def solve_number(box: Blank, value: Number, points: Number, terms: Terms) -> Blank:
    """Return the box with the number that is right.

    Where the box can only hold whole numbers, it alone counts. That does not depend on the key: another type
    of question would tell whether the answer is whole.
    """
    whole = bool(box.numbers) and all(isinstance(number, int) for number in box.numbers or ())
    whole_number = value if whole and isinstance(value, int) else None
    spellings = number_spellings(value, terms.digits, terms.language.comma)
    if whole_number is not None:
        spellings += _grouped_spellings(whole_number, terms.language)
    return replace(box, points=points, spellings=spellings, whole_number=whole_number)


def _grouped_spellings(value: int, language: Language) -> tuple[str, ...]:
    """Return a whole number with a thousands separator: the sign of the language, or a blank."""
    if abs(value) < 1000:
        return ()
    return tuple(f"{value:,}".replace(",", separator) for separator in ("." if language.comma else ",", " "))


def bound_spellings(bound: Bound, terms: Terms) -> tuple[str, ...]:
    """Return the correct spellings of a number or infinity."""
    if not isinstance(bound, float):
        return number_spellings(bound, terms.digits, terms.language.comma)
    words = ("inf", "infinity", "∞", "oo")
    if bound > 0:
        return (*words, *(f"+{word}" for word in words))
    return tuple(f"{sign}{word}" for sign in "-−" for word in words)


def _one_box(
    lay_out: Callable[[Tree, Terms], Blanks], solve: Callable[[Blank, A, Tree, Terms], Blank]
) -> BlankCodec[A]:
    """Make one box for the whole answer, which is read like a typed reply."""
    return BlankCodec(
        lay_out,
        lambda blanks, key, tree, terms: (solve(blanks[0], key, tree, terms),),
        lambda _blanks, filled, _tree, _terms: filled[0],
    )


def number_codec(numbers: Callable[[Tree], Sequence[Number]] = lambda _tree: ()) -> BlankCodec[Numeral]:
    """One box for a number, which is one of these if any are given."""
    return _one_box(
        lambda tree, terms: Blanks(
            terms.language.say("Write one number."), (Blank(numbers=tuple(numbers(tree))),)
        ),
        lambda box, key, _tree, terms: solve_number(box, key.value, terms.points, terms),
    )


def reply_box_codec(
    ask: Phrase,
    example: str,
    write: Callable[[A, Tree], str],
    rounded: Callable[[A, int], Sequence[A]] = lambda _key, _digits: (),
) -> BlankCodec[A]:
    """One box for the canonical reply, with and without blanks, a vector in other brackets and in none.

    `rounded` gives the other accepted answers: those rounded to at least this number of decimals.
    """

    def lay_out(_tree: Tree, terms: Terms) -> Blanks:
        """Return one box with the example in the reader's language."""
        language = terms.language
        return Blanks(language.say(ask, example=language.reply(example)), (Blank(),))

    def solve(box: Blank, key: A, tree: Tree, terms: Terms) -> Blank:
        """Return the box with its points and every accepted spelling, each once.

        Accepted are the printed and the typed form, with `-` for `−`, vectors in `( )`, `[ ]` or no
        brackets, without spaces after separators and around relations, and with `≤` and `≥`.
        """
        found = []
        for text in (write(answer, tree) for answer in (key, *rounded(key, terms.digits))):
            printed = terms.language.reply(text)
            found += [printed, printed.replace("−", "-"), text]
        inside = [text[1:-1] for text in found if text.startswith("<")]
        found += [text for each in inside for text in (f"({each})", f"[{each}]", each)]
        found += [re.sub("([,;]) ", r"\1", text) for text in found]
        found += [re.sub(r" ([<>]=?) ", r"\1", text) for text in found]
        found += [text.replace("<=", "≤").replace(">=", "≥") for text in found]
        return replace(box, points=terms.points, spellings=tuple(dict.fromkeys(found)))

    return _one_box(lay_out, solve)
