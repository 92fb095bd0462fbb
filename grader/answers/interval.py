"""The numbers for which something holds: `x <= 5/4 or x >= 15/2`, `[3, 5)`, `always`, `never`."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

from grader.answers.box_blanks import reply_box_codec
from grader.answers.canonical import CanonicalError
from grader.answers.entry_forms import share_entries
from grader.answers.form import (
    ONLY_COMPLETE_COUNTS,
    Ambiguous,
    AnswerSpace,
    CreditBasis,
    Form,
    Item,
    Malformed,
    Tally,
    Terms,
    Verdict,
)
from grader.answers.number import read_amount
from grader.answers.policies import COMPLETE_TALLY
from grader.answers.reply import Reply, UnreadableError, UnsureError
from grader.answers.reply_reading import read_reply
from grader.answers.vocabulary import unquote_name, write_name
from grader.base.intervals import (
    ALL_NUMBERS,
    EMPTY_SET,
    Span,
    Spans,
    complement,
    intersection,
    numbers_related_to,
    union,
)
from grader.base.numbers import INFINITY, Bound, write_number
from grader.base.phrases import Phrase
from grader.base.safe_text import quote
from grader.trees.tree import Tree

MAX_BRACKET_DEPTH = 30
"""The most brackets in a condition."""

_OPPOSITE = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
_SAID = {
    "<": "LT, BELOW, LESS THAN",
    ">": "GT, ABOVE, MORE THAN",
    "<=": "LE, AT MOST, LESS THAN OR EQUAL, LESS THAN OR EQUAL TO, LESS",
    ">=": "GE, AT LEAST, MORE THAN OR EQUAL, MORE THAN OR EQUAL TO, MORE",
    "=": "EQUALS",
    "!=": "NE, NOT",
}
_RELATIONS = {kinds: relation for relation, said in _SAID.items() for kinds in said.split(", ")}
"""What the kinds of the tokens in a comparison say: `less than`, `3 or more`, `=>`."""


@dataclass(frozen=True, slots=True)
class _IntervalReader:
    """One reading of a reply: where something can mean two things, the likelier or the `other` one.

    What was doubtful is added to `doubts`.
    """

    reply: Reply
    other: bool
    doubts: list[Phrase]

    def doubt(self, why: Phrase, likelier: Spans, other: Spans) -> Spans:
        """One of two readings."""
        self.doubts.append(why)
        return other if self.other else likelier


def _read(reply: Reply) -> Spans:
    """Read comparisons, brackets and sets of numbers, joined by `and` and `or`."""
    if reply.text.count("(") > MAX_BRACKET_DEPTH:
        raise UnreadableError(
            "there are too many parentheses or brackets",
            reply.text.index("("),
            "write it as in x <= 5/4 or x >= 15/2",
        )
    pieces = [piece for piece in reply.parse("interval") if hasattr(piece, "children")]
    doubts: list[Phrase] = []
    answer = _listed(_IntervalReader(reply, False, doubts), pieces)
    if doubts:
        other = _listed(_IntervalReader(reply, True, doubts), pieces)
        if other != answer:
            raise UnsureError(doubts[0], (answer, other))
    return answer


def _listed(reading: _IntervalReader, pieces: Sequence[Any]) -> Spans:
    """Conditions with commas between: one of them, or all of them, unless only one of the two makes sense."""
    sets = [_set(reading, piece) for piece in pieces]
    plain = [piece for piece, found in zip(pieces, sets, strict=True) if found in ((), ALL_NUMBERS)]
    if plain and len(sets) > 1:  # `x <= 3, no`
        raise reading.reply.misplaced(next(plain[0].scan_values(lambda _: True)))
    either, both = union(span for spans in sets for span in spans), reduce(intersection, sets)
    if either == both or not both:
        return either
    if either == ALL_NUMBERS:
        return both
    return reading.doubt(Phrase('the comma could mean "and" or "or"'), either, both)


def _set(reading: _IntervalReader, piece: Any) -> Spans:
    """The set of numbers that one rule of the grammar stands for."""
    children, reply, parts = piece.children, reading.reply, _parts(piece)
    for child in children:
        if child not in parts and child.type in ("WORD", "STRING", "SPOTTED"):
            _check_variable(reply, child)
    match piece.data:
        case "union":
            return union(span for part in parts for span in _set(reading, part))
        case "meet":
            return _meet(reading, parts)
        case "compared":
            return _compared(reply, parts)
        case "half":
            return numbers_related_to(_RELATIONS[children[-1].type], _bound(reply, parts[0]))
        case "inside":
            return _range(reply, parts[0])
        case "outside":
            return complement(_range(reply, parts[0]))
        case "always":
            return complement(_range(reply, parts[0])) if parts else ALL_NUMBERS
        case "reaching":
            return _range(reply, piece)
        case "between":
            low, high = sorted(_bound(reply, part) for part in parts)
            open_ends, closed = _span(low, ">", high, "<"), _span(low, ">=", high, "<=")
            return reading.doubt(
                Phrase('"between" could include or exclude the endpoints'), closed, open_ends
            )
    return EMPTY_SET


def _parts(piece: Any) -> list[Any]:
    """The rules that a rule of the grammar holds, without its tokens."""
    return [child for child in piece.children if hasattr(child, "children")]


def _meet(reading: _IntervalReader, parts: Sequence[Any]) -> Spans:
    sets = [_set(reading, part) for part in parts]
    both = reduce(intersection, sets)
    if not both and all(sets):
        either = union(span for spans in sets for span in spans)
        why = Phrase('no number satisfies both conditions; perhaps "and" should be "or"')
        return reading.doubt(why, both, either)
    return both


def _compared(reply: Reply, parts: Sequence[Any]) -> Spans:
    """`x < 3`, `3 < x`, `3 < x <= 5`, and `< 3` with the variable left out."""
    if parts[0].data == "relation":
        return numbers_related_to(_relation(parts[0]), _bound(reply, parts[1]))
    left = numbers_related_to(_OPPOSITE[_relation(parts[1])], _bound(reply, parts[0]))
    if len(parts) == 2:
        return left
    return intersection(left, numbers_related_to(_relation(parts[2]), _bound(reply, parts[3])))


def _relation(piece: Any) -> str:
    return _RELATIONS[" ".join(token.type for token in piece.children)]


def _range(reply: Reply, piece: Any) -> Spans:
    """`[3, 5)`, `]3, 5]`, `3 to 5`, `{3, 5}`, `3`."""
    bounds = [_bound(reply, part) for part in _parts(piece) or [piece]]
    if piece.data not in ("span", "reaching"):
        return union(span for bound in bounds for span in numbers_related_to("=", bound))
    low, high = bounds
    first, last = piece.children[0], piece.children[-1]
    if low > high:
        message = Phrase("the endpoints of the interval are in the wrong order")
        raise UnreadableError(message, getattr(first, "start_pos", 0), "write the interval as in [3, 5]")
    from_low = piece.data == "reaching" or first.type == "LBRACKET"
    to_high = piece.data == "reaching" or last.type == "RBRACKET"
    return _span(low, ">=" if from_low else ">", high, "<=" if to_high else "<")


def _span(low: Bound, above: str, high: Bound, below: str) -> Spans:
    return intersection(numbers_related_to(above, low), numbers_related_to(below, high))


def _bound(reply: Reply, piece: Any) -> Bound:
    tokens = piece.children
    if tokens[-1].type == "INF":
        return -INFINITY if tokens[0].type == "DASH" else INFINITY
    return read_amount(reply, tokens).value


def _check_variable(reply: Reply, token: Any) -> None:
    """A word in a condition is the unknown: `x`, what the tree calls it, or the leaf that holds it."""
    said = reply.slice(token)
    said = (unquote_name(said) if token.type == "STRING" else said).casefold()
    tree = reply.tree
    known = {"x", "v", "value"} | {str(tree.payoffs[leaf]).casefold() for leaf in tree.unknowns}
    known |= {tree.names[leaf].casefold() for leaf in tree.unknowns}
    if said not in known:
        raise reply.misplaced(token, hint=Phrase("write a condition, for example x <= 5/4 or x >= 15/2"))


def write(answer: Spans, tree: Tree) -> str:
    """`x <= 5/4 or x >= 15/2`, `3 <= x < 5`, `x = 3`, `x != 3`, `always`, `never`."""
    if not answer:
        return "never"
    if answer == ALL_NUMBERS:
        return "always"
    unknowns = {str(tree.payoffs[leaf]) for leaf in tree.unknowns}
    name = write_name(unknowns.pop()) if len(unknowns) == 1 else "x"
    outside = complement(answer)
    if len(outside) == 1 and outside[0].low == outside[0].high:
        return f"{name} != {write_number(outside[0].low)}"
    return " or ".join(_written(span, name) for span in answer)


def _written(span: Span, name: str) -> str:
    low, high = write_number(span.low), write_number(span.high)
    if span.low == span.high:
        return f"{name} = {low}"
    if span.low == -INFINITY:
        return f"{name} {'<=' if span.high_closed else '<'} {high}"
    if span.high == INFINITY:
        return f"{name} {'>=' if span.low_closed else '>'} {low}"
    return f"{low} {'<=' if span.low_closed else '<'} {name} {'<=' if span.high_closed else '<'} {high}"


def _parsed(text: str, tree: Tree) -> Spans:
    answer = INTERVAL.read(text, tree, Terms())
    if isinstance(answer, Malformed | Ambiguous):
        raise CanonicalError(f"no condition is written like {quote(text)}")
    return answer


def have_same_limits(reply: Spans, key: Spans) -> bool:
    """Whether two sets have the same limits, of which each may belong to the set or not."""
    return [(span.low, span.high) for span in reply] == [(span.low, span.high) for span in key]


def _compare(reply: Spans, key: Spans, tree: Tree, terms: Terms, _texts: bool) -> tuple[Item, ...]:
    """Right, or half right where the limits are right and it is wrong which of them belong to the set."""
    # a set is written as quickly as not
    near = terms.policy.name == "limits" and have_same_limits(reply, key)
    verdict: Verdict = "right" if reply == key else "partly" if near else "wrong"
    return (Item(None, write(reply, tree), write(key, tree), verdict),)


def _tally(account: CreditBasis[Spans]) -> Tally:
    say = account.terms.language.say
    whole = say(_SET_OR_LIMITS if account.terms.policy.name == "limits" else COMPLETE_TALLY, **account.points)
    half = say(_HALF, **account.points)
    return Tally(half if account.items[0].verdict == "partly" else whole, whole)


LIMITS = Phrase("An answer whose only mistake is < for <=, > for >=, or the reverse earns half the points.")
_SET_OR_LIMITS = Phrase(
    "The correct set earns full credit; correct endpoints alone earn half: {points} of {maximum}."
)
_HALF = Phrase(
    "The endpoints are correct, but not whether they belong to the set. This earns half: "
    "{points} of {maximum}."
)

ASK = Phrase("Write a condition such as {example}, or always, or never.")
EXAMPLE = "x <= 5/4 or x >= 15/2"

INTERVAL: Form[Spans] = Form(
    name="interval",
    ask=ASK,
    example=EXAMPLE,
    read=partial(read_reply, read=_read, write=write, names=False, commas="either", remarks="of words"),
    write=write,
    parse_canonical=_parsed,
    compare=_compare,
    share=share_entries,
    credit_sentence=lambda terms, _tree: terms.language.say(
        LIMITS if terms.policy.name == "limits" else ONLY_COMPLETE_COUNTS
    ),
    tally=_tally,
    policies=("limits", "exact"),
    marking_rule=Phrase("The set of numbers must be exact, but it may be written in any form."),
    answer_space=AnswerSpace("line"),
    blank_codec=reply_box_codec(ASK, EXAMPLE, write),
    screen_keys=("x", "<", "<=", ">", ">=", "or", "always", "never"),
)
