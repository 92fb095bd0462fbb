"""Payoffs that someone chooses for the leaves, from left to right: `3 12 8`."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from grader.answers.blank import Blank, Blanks, child_label
from grader.answers.box_blanks import BOXES_COUNT_SEPARATELY, solve_number, unreadable_number
from grader.answers.canonical import CanonicalError, read_numeral
from grader.answers.entry_forms import share_entries, tally_entries
from grader.answers.form import AnswerSpace, BlankCodec, Form, Item, Terms
from grader.answers.node_entries import FRACTION, LINKS, Quantity
from grader.answers.number import NUMBER
from grader.answers.numeral import Numeral, write_numeral
from grader.answers.reply import Reply, UnreadableError, UnsureError
from grader.answers.reply_reading import read_reply
from grader.answers.reply_tokens import Token
from grader.answers.vector import NO_NUMBERS, VECTOR_KINDS, compare_numbers, distance, read_number_row
from grader.base.numbers import format_count, normalize_number
from grader.base.phrases import BoundPhrase, Phrase, plural_phrase
from grader.trees.tree import Tree

PayoffList = tuple[Numeral, ...]
"""One number for each leaf, the leftmost first."""


_EACH = Phrase("write one number for each leaf")


def _read(reply: Reply) -> PayoffList:
    """Read as many numbers as the tree has leaves, in any brackets."""
    tokens = _unnamed(reply, reply.row(VECTOR_KINDS, valued=True))
    for token in tokens:
        if token.type in (*NO_NUMBERS, "EQUALS", "ARROW"):
            raise reply.misplaced(token, hint=_EACH)
    leaves = len(reply.tree.leaves)
    cells, readings = read_number_row(reply, tokens, leaves)
    if not readings:
        given = sum(isinstance(cell, Quantity) for cell in cells)
        message = plural_phrase(
            "the answer has {count} number for {leaves} leaves",
            "the answer has {count} numbers for {leaves} leaves",
        )
        raise UnreadableError(BoundPhrase(*message, given, leaves=leaves), 0, _EACH)
    if len(readings) > 1:
        raise UnsureError(FRACTION, readings)
    return readings[0]


def _unnamed(reply: Reply, tokens: Sequence[Token]) -> Sequence[Token]:
    """Drop the letters of the leaves if each number has its letter, from left to right: `a=3, b=12`."""
    tree = reply.tree
    letters = [str(tree.payoffs[leaf]) for leaf in tree.unknowns]
    labels = [place for place, token in enumerate(tokens[:-1]) if tokens[place + 1].type in LINKS]
    if not letters or [reply.slice(tokens[place]) for place in labels] != letters:
        return tokens
    return [token for place, token in enumerate(tokens) if not {place, place - 1} & set(labels)]


def write(answer: PayoffList, _tree: Tree) -> str:
    """`3 12 8`."""
    return " ".join(map(write_numeral, answer))


def _parse_canonical(text: str, tree: Tree) -> PayoffList:
    """Return the payoffs of a canonical text. Raises `CanonicalError` unless every leaf has one."""
    answer = tuple(map(read_numeral, text.split(" ")))
    if len(answer) != len(tree.leaves):
        raise CanonicalError(f"the text has {format_count(len(answer), 'number')}, not {len(tree.leaves)}")
    return answer


def compare(reply: PayoffList, key: PayoffList, tree: Tree, terms: Terms, _texts: bool) -> tuple[Item, ...]:
    """Every payoff."""
    return compare_numbers(tree.leaves, reply, key, terms)


def lay_out(tree: Tree, terms: Terms) -> Blanks:
    """A box for every leaf."""
    return Blanks(
        terms.language.say("Write one number for each leaf."),
        tuple(Blank(child_label(tree, leaf), numbers=()) for leaf in tree.leaves),
        counting_rule=terms.language.say(BOXES_COUNT_SEPARATELY),
    )


def solve(blanks: Sequence[Blank], key: PayoffList, _tree: Tree, terms: Terms) -> Sequence[Blank]:
    """All are worth the same."""
    each = normalize_number(Fraction(terms.points) / max(len(key), 1))
    return [solve_number(box, payoff.value, each, terms) for box, payoff in zip(blanks, key, strict=True)]


def payoffs_from_blanks(blanks: Sequence[Blank], filled: Sequence[str], tree: Tree, terms: Terms) -> str:
    """The payoffs of all leaves. Raises `BlankError` for a box that is empty or not a number."""
    numbers = []
    for blank, text in zip(blanks, filled, strict=True):
        number = NUMBER.read(text, tree, terms) if text else None
        if not isinstance(number, Numeral):
            readings = map(read_numeral, getattr(number, "readings", ()))
            raise unreadable_number(blank, text, tuple(readings), terms)
        numbers.append(number)
    return write(tuple(numbers), tree)


PAYOFFS: Form[PayoffList] = Form(
    name="payoffs",
    ask=Phrase("Write one number for each leaf, from left to right."),
    example="3 12 8",
    read=partial(read_reply, read=_read, write=write, names=False, commas="either"),
    write=write,
    parse_canonical=_parse_canonical,
    compare=compare,
    share=share_entries,
    distance=distance,
    marking_rule=Phrase("Every number must be correct."),
    tally=tally_entries,
    answer_space=AnswerSpace("line", leaves=20),
    blank_codec=BlankCodec(lay_out, solve, payoffs_from_blanks),
    counts_leaves=True,
    screen_input="payoffs",
)
