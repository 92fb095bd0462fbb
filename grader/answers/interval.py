"""The numbers for which something holds, as an answer: `x <= 5/4 or x >= 15/2`, `always`, `never`."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

from grader.answers.box_blanks import MAX_EXTRA_DECIMALS, reply_box_codec
from grader.answers.canonical import CanonicalError
from grader.answers.condition_reading import read_spans, variable_name
from grader.answers.entry_forms import share_entries
from grader.answers.form import (
    ONLY_COMPLETE_COUNTS,
    Ambiguous,
    AnswerSpace,
    CreditBasis,
    Form,
    Item,
    ItemVerdict,
    Malformed,
    Tally,
    Terms,
)
from grader.answers.numeral import Numeral, matches_key, parse_numeral
from grader.answers.policies import COMPLETE_TALLY
from grader.answers.reply_reading import read_reply
from grader.base.intervals import ALL_NUMBERS, Span, Spans, complement
from grader.base.numbers import INFINITY, MAX_NUMERAL_DIGITS, Bound, normalize_number, write_number
from grader.base.phrases import Phrase
from grader.base.safe_text import quote
from grader.trees.tree import Tree


def write(answer: Spans, tree: Tree) -> str:
    """`x <= 5/4 or x >= 15/2`, `3 <= x < 5`, `x = 3`, `x != 3`, `always`, `never`."""
    if not answer:
        return "never"
    if answer == ALL_NUMBERS:
        return "always"
    name = variable_name(tree)
    outside = complement(answer)
    if len(outside) == 1 and outside[0].low == outside[0].high:
        return f"{name} != {write_number(outside[0].low)}"
    return " or ".join(_write_span(span, name) for span in answer)


def _write_span(span: Span, name: str) -> str:
    """`x <= 5/4`, `2 < x <= 3` or `x = 4`."""
    low, high = write_number(span.low), write_number(span.high)
    if span.low == span.high:
        return f"{name} = {low}"
    if span.low == -INFINITY:
        return f"{name} {'<=' if span.high_closed else '<'} {high}"
    if span.high == INFINITY:
        return f"{name} {'>=' if span.low_closed else '>'} {low}"
    return f"{low} {'<=' if span.low_closed else '<'} {name} {'<=' if span.high_closed else '<'} {high}"


def _parse_canonical(text: str, tree: Tree) -> Spans:
    """Read a condition as a reply is read; `Form.parse` refuses other spellings."""
    answer = INTERVAL.read(text, tree, Terms())
    if isinstance(answer, Malformed | Ambiguous):
        raise CanonicalError(f"{quote(text)} is not a condition")
    return answer


def have_same_limits(reply: Spans, key: Spans, digits: int = MAX_NUMERAL_DIGITS) -> bool:
    """Return whether two sets have the same limits, no matter whether these belong to the sets.

    Limits may be rounded to `digits` decimals.
    """
    return len(reply) == len(key) and all(
        _is_limit(span.low, right.low, digits) and _is_limit(span.high, right.high, digits)
        for span, right in zip(reply, key, strict=True)
    )


def _is_limit(limit: Bound, right: Bound, digits: int) -> bool:
    """Return whether a limit is that of the key, possibly rounded."""
    if isinstance(limit, float) or isinstance(right, float):
        return limit == right
    return matches_key(parse_numeral(write_number(limit)), Numeral(right), digits)


def _compare(reply: Spans, key: Spans, tree: Tree, terms: Terms, _texts: bool) -> tuple[Item, ...]:
    """Right, or half right where the limits are right and it is wrong which of them belong to the set."""
    ends, right_ends = ([(span.low_closed, span.high_closed) for span in spans] for spans in (reply, key))
    verdict: ItemVerdict = "wrong"
    if have_same_limits(reply, key, terms.digits):
        verdict = "right" if ends == right_ends else "partly" if terms.policy.name == "limits" else "wrong"
    return (Item(None, write(reply, tree), write(key, tree), verdict),)


def rounded_spans(key: Spans, digits: int) -> list[Spans]:
    """Return the set with limits rounded to this number of decimals, and to some more."""
    return [
        tuple(
            replace(span, low=_rounded_limit(span.low, places), high=_rounded_limit(span.high, places))
            for span in key
        )
        for places in range(max(digits, 1), digits + MAX_EXTRA_DECIMALS + 1)
    ]


def _rounded_limit(limit: Bound, places: int) -> Bound:
    return limit if isinstance(limit, float) else normalize_number(round(Fraction(limit), places))


def _tally(account: CreditBasis[Spans]) -> Tally:
    """Explain the points: the whole condition counts, or half if only its limits are right."""
    say = account.terms.language.say
    whole = say(_SET_OR_LIMITS if account.terms.policy.name == "limits" else COMPLETE_TALLY, **account.points)
    half = say(_HALF, **account.points)
    return Tally(half if account.items[0].verdict == "partly" else whole, whole)


_LIMITS = Phrase(
    "An answer whose only mistake is < instead of <=, > instead of >=, or vice versa, earns half the points."
)
_SET_OR_LIMITS = Phrase(
    "The correct set earns full credit; correct endpoints alone earn half the points. Score: "
    "{points} of {maximum}."
)
_HALF = Phrase(
    "The endpoints are correct, but at least one of them is incorrectly included or excluded. "
    "This earns half the points. Score: {points} of {maximum}."
)

ASK = Phrase("Write always, never, or a condition such as {example}.")
EXAMPLE = "x <= 5/4 or x >= 15/2"

INTERVAL: Form[Spans] = Form(
    name="interval",
    ask=ASK,
    example=EXAMPLE,
    read=partial(read_reply, read=read_spans, write=write, names=False, commas="either", remarks="of words"),
    write=write,
    parse_canonical=_parse_canonical,
    compare=_compare,
    share=share_entries,
    credit_sentence=lambda terms, _tree: terms.language.say(
        _LIMITS if terms.policy.name == "limits" else ONLY_COMPLETE_COUNTS
    ),
    tally=_tally,
    policies=("limits", "exact"),
    allows_rounding=True,
    marking_rule=Phrase("The set of numbers must be correct, but it may be written in any form."),
    answer_space=AnswerSpace("line"),
    blank_codec=reply_box_codec(ASK, EXAMPLE, write, rounded_spans),
    screen_keys=("x", "<", "<=", ">", ">=", "or", "always", "never"),
)
