"""How many there are of something: `15`, `15 of 24 leaves`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import factorial
from typing import Any

from grader.answers.box_blanks import number_codec
from grader.answers.canonical import CanonicalError, read_numeral
from grader.answers.form import AnswerSpace, Form
from grader.answers.number import (
    BEHIND,
    computed_number,
    one_number,
    read_amount,
    require_no_factorial,
    take_amounts,
    unasked_word_error,
    write,
)
from grader.answers.numeral import Numeral, matches_key, parse_numeral
from grader.answers.reply import UNCLEAR, WORD, Reply, UnreadableError, UnsureError
from grader.answers.reply_reading import blank_out, read_reply
from grader.answers.reply_tokens import Cursor
from grader.answers.reply_words import words
from grader.answers.vocabulary import fold
from grader.base.phrases import BoundPhrase, Phrase
from grader.trees.tree import Tree

_POWER = re.compile(
    r"[\s=]*(?P<base>[0-9]{1,2})\s*(?:\^|\*\*)\s*(?P<exponent>1?[0-9])\s*"
    r"(?:=\s*(?P<result>[0-9][0-9 ,]{0,30}))?(?P<things>\s[a-z]+)?[.\s]*"
)
"""`3^11`, `3^11 = 177,147`."""

_FACTORIAL = re.compile(r"[\s=]*(?P<of>[0-9]{1,2})\s*!\s*=\s*(?P<result>[0-9][0-9 ,]{0,40})[.\s]*")
"""`9! = 362,880`."""

_SUM = re.compile(r"\s*(?P<part>\d{1,9})\s*\+\s*\d{1,9}\s*=\s*(?P<sum>\d{1,9})\b.*")
"""`17 + 7 = 24`, which may tell the part that is asked for and how many there are in all."""

_GROUPS = {
    comma: re.compile(rf"(?<![\w.,])[1-9][0-9]{{0,2}}(?:[{sign} ][0-9]{{3}})+(?![\w.,]*[0-9])")
    for comma, sign in ((False, ","), (True, "."))
}
"""Thousands separated by blanks, or by the sign that is not the decimal sign."""


def _without_separators(groups: re.Match[str]) -> str:
    """Remove the separators of thousands, padding to the same length."""
    digits = re.sub(r"\D", "", groups.group())
    return digits.ljust(len(groups.group()))


def _computed(reply: Reply, computation: re.Match[str], value: int) -> Numeral:
    """Return the value of a power or a factorial; a result after it must be equal.

    Raises `UnsureError`, or `UnreadableError` for too many digits.
    """
    numeral, result = computed_number(reply, computation, value), computation["result"]
    if result is None:
        return numeral
    stated_result = computed_number(reply, computation, int(re.sub(r"\D", "", result)))
    if stated_result != numeral:
        raise UnsureError(
            "there are several numbers here, but the question asks for one", (numeral, stated_result)
        )
    return numeral


def _is_item(tokens: Sequence[Any]) -> bool:
    """Return whether a dash is separated from a number, as in a list, and so is not a minus sign."""
    return bool(tokens[0].type == "DASH" and tokens[0].end_pos != tokens[1].start_pos)


def _take_share(cursor: Cursor) -> list[Any]:
    """Return one list: a number, its noun, and perhaps the total: `15 of 24`."""
    items = [cursor.amount(), *cursor.many(*BEHIND)]
    if cursor.optional("OF"):
        items += [cursor.amount(), *cursor.many(*BEHIND)]
    return [items]


def _has(item: Any, kind: str) -> bool:
    """Return whether a share contains a word of this kind."""
    return isinstance(item, list) and any(getattr(part, "type", "") == kind for part in item)


def count_form(
    *, one: str, many: Phrase, among: Callable[[Tree], int], cut: bool = False, least: int = 0
) -> Form[Numeral]:
    """Return the form of a count of things named `one` and `many`; a tree has `among` of them in all.

    `4`, `4 branches` and `4 of 12 branches` are read. With `cut`, pruned ones are counted, else visited ones,
    and the other word is refused. `least` is the smallest number among options: 1 if the number selects one
    of several things.
    """
    nouns = frozenset(word for word in f"{one} {many}".casefold().split() if not words("en").kinds(word))
    requested, other = ("CUT", "VISITED") if cut else ("VISITED", "CUT")

    def is_significant(word: str, reply: Reply) -> bool:
        """Return whether a word is not the counted noun, or is a name."""
        return word.casefold() not in nouns or fold(word) in reply.vocabulary.loose

    def count(reply: Reply) -> Numeral:
        """Read a count; `15/24` and `15 of 24` are 15 if there are 24 in all."""
        if product := _FACTORIAL.fullmatch(reply.text):
            return _computed(reply, product, factorial(int(product["of"])))
        power = _POWER.fullmatch(reply.text)
        if power and (not power["things"] or "NOUN" in reply.words.kinds(power["things"].strip())):
            return _computed(reply, power, int(power["base"]) ** int(power["exponent"]))
        if (total := _SUM.fullmatch(reply.text)) and int(total["sum"]) == among(reply.tree):
            raise UnsureError(UNCLEAR, [Numeral(int(total[part])) for part in ("part", "sum")])
        text = _GROUPS[reply.terms.decimal_comma].sub(_without_separators, reply.text)
        bare = replace(reply, text=blank_out(WORD, text, lambda word: is_significant(word.group(), reply)))
        items = take_amounts(bare, "OF", _take_share)
        if any(_has(item, requested) for item in items):  # `12 visited, 6 pruned`
            items = [item for item in items if _has(item, requested) or not _has(item, other)]
        number = one_number(bare, items, partial(_share, bare), other)
        return require_no_factorial(bare, number, among(reply.tree))

    def _share(reply: Reply, parts: Sequence[Any]) -> Numeral:
        """Read a whole number, alone or as a part of all.

        Raises `UnreadableError` for other numbers, `UnsureError` if the whole is not that of the tree.
        """
        for part in parts:
            if not isinstance(part, list) and part.type == other:
                raise unasked_word_error(part)
        amounts = [part for part in parts if isinstance(part, list)]
        place = amounts[0][0].start_pos
        numbers = [read_amount(reply, tokens) for tokens in amounts]
        if len(amounts) == 1 and len(amounts[0]) == 1 and "/" in amounts[0][0]:
            numbers = [parse_numeral(digits) for digits in amounts[0][0].split("/")]
        if any(not isinstance(number.value, int) for number in numbers) or any(map(_is_item, amounts)):
            raise UnreadableError("a count is a whole number", place, "write the number only, for example 13")
        total = among(reply.tree)
        if len(numbers) == 2 and numbers[1].value != total:
            raise UnsureError(
                "the answer mentions {said} {things}, but the tree has {total}",
                numbers,
                said=numbers[1].value,
                things=BoundPhrase(many),
                total=total,
            )
        return numbers[0]

    return Form(
        name="count",
        ask=Phrase("Write one whole number."),
        example="13",
        read=partial(read_reply, read=count, write=write, remarks="of names", numbers="all"),
        write=write,
        parse_canonical=_parse_canonical,
        is_same=matches_key,
        marking_rule=Phrase("The number must be exact."),
        answer_space=AnswerSpace("short"),
        blank_codec=number_codec(lambda tree: range(least, among(tree) + 1)),
        repeats=1,
        numbers_choices=least > 0,
        answer_count=lambda _key, tree: among(tree) if least else None,
    )


def _parse_canonical(text: str, _tree: Tree) -> Numeral:
    answer = read_numeral(text)
    if not isinstance(answer.value, int):
        raise CanonicalError("a count is a whole number")
    return answer


COUNT = count_form(one="leaf", many=Phrase("leaves"), among=lambda tree: len(tree.leaves))
