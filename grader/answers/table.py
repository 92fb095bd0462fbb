"""Values at nodes: `B=3 C=2`, `Min1 = 3, Min2: 2; B->7/3`, one per line."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

from grader.answers.blank import Blank
from grader.answers.box_blanks import solve_number, unreadable_number
from grader.answers.canonical import read_node, read_numeral, split_canonical
from grader.answers.entry_forms import EntryFormat, by_level, node_box
from grader.answers.form import Ambiguous, AnswerSpace, Form, Malformed, Terms
from grader.answers.node_entries import (
    CLOSING,
    LINKS,
    NOTHING,
    OPENING,
    ROW_KINDS,
    Amount,
    Cell,
    Name,
    Quantity,
    Sign,
    is_none,
    number_readings,
    read_rows,
    reply_cells,
)
from grader.answers.number import INFINITE, POINT, distinct_numbers
from grader.answers.numeral import Numeral, claimed_value, could_be_equal, matches_key, write_numeral
from grader.answers.reply import MISPLACED, Reply, UnreadableError
from grader.answers.reply_reading import read_reply
from grader.answers.vocabulary import vocabulary
from grader.base.phrases import Phrase, plural_phrase
from grader.trees.tree import Tree

Table = tuple[tuple[int, Numeral], ...]
"""Nodes with their values, sorted by node."""

NodeSelector = Callable[[Tree], Sequence[int]]
"""The nodes of a tree for which a value may be asked, in the order of their boxes."""

CELLS = Phrase("Write each value in the cell of its node.")
_NAMED = Phrase("write the value after each label: B=3 C=2")
_ROW = ("COMMA", "SEMICOLON", "DOT", "AND", *OPENING, *CLOSING)
"""What may stand between values that are written in the order of the boxes."""

_KINDS = ROW_KINDS | {"CUT", "BLANK", "VISITED", "DOTS", "IN", "OR", *NOTHING}

_AGAIN = (*LINKS, "LPAREN", "OR")
"""What may be before another value of the same node: `B=7/3 (2.33)`, `B=5 or 6`."""


def _read_some(nodes: NodeSelector, reply: Reply) -> Table:
    """Read a table. Raises `UnreadableError` if it is empty."""
    answer = _read(nodes, reply)
    if not answer:
        raise UnreadableError("there is no value here", 0, _NAMED)
    return answer


def _read(nodes: NodeSelector, reply: Reply) -> Table:
    """Read one value for each node named; `C =` and `C pruned` leave the entry of C out."""
    tokens = reply.row(_KINDS, valued=True)
    if names := frozenset(token.casefold() for token in tokens if token.type == "OR" and reply.nodes(token)):
        tokens = reply.row(_KINDS, names, valued=True)
    if is_none(tokens):
        return ()
    rows = (_turned(nodes(reply.tree), row) for row in reply_cells(reply, tokens, LINKS))
    return read_rows(reply, rows, _values, Phrase("{name} has no value"), _NAMED)


def _turned(nodes: Sequence[int], row: Sequence[Cell]) -> Sequence[Cell]:
    """Put every name before its value in `3 = B, 2 at C`, or in `3 2` in the order of the boxes."""
    parts = [cell for cell in row if not isinstance(cell, Sign) or cell.kind in (*LINKS, "IN", "OR")]
    turned: list[Cell] = []
    if all(isinstance(cell, Quantity) or (isinstance(cell, Sign) and cell.kind in _ROW) for cell in row):
        numbers = [cell for cell in row if isinstance(cell, Quantity)]
        if len(nodes) == len(numbers) and tuple(cell.amount for cell in numbers) in number_readings(row):
            for node, number in zip(nodes, numbers, strict=True):
                turned += (Name((node,), number.place), number)
        return turned or row
    for first, link, second in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
        if not (isinstance(link, Sign) and isinstance(second, Name)):
            return row
        if isinstance(first, Quantity) and link.kind == "IN":
            value = first
        elif isinstance(first, Name) and first.number is not None:
            value = Quantity(Numeral(first.number), False, first.place)
        else:
            return row
        turned += (second, link, value)
    return row if len(parts) % 3 else turned


def _values(reply: Reply, name: Name, body: Sequence[Cell]) -> Sequence[Numeral]:
    """Return the value of a node, exact if any is, and further values that contradict it.

    Raises `UnreadableError` for several numbers with nothing between them that makes them one.
    """
    quantities = [cell for cell in body if isinstance(cell, Quantity)]
    pairs = [*zip(body, (*body[1:], None), strict=True)]
    alternatives = [pair for pair in pairs if isinstance(pair[0], Sign) and pair[0].kind == "OR"]
    for sign, after in alternatives:
        if sign.place < quantities[0].place or not isinstance(after, Quantity):
            raise UnreadableError(MISPLACED, sign.place, _NAMED, word=reply.clip(sign.place))
    if len(quantities) == 1:
        return [_finite(quantities[0].amount, quantities[0].place)]
    numerals: list[Numeral] = []
    for again, group in groupby(body, lambda cell: isinstance(cell, Sign) and cell.kind in _AGAIN):
        part = list(group)
        group_quantities = [cell for cell in part if isinstance(cell, Quantity)]
        if again or not group_quantities:
            continue
        numbers = [reading[0] for reading in number_readings(part) if len(reading) == 1]
        if not numbers:
            place = group_quantities[1].place
            comma = reply.text[place - 1] == "," and not reply.terms.decimal_comma
            hint = POINT if comma else Phrase("write B=3 C=2")
            message = Phrase("{name} has more than one value")
            raise UnreadableError(message, place, hint, name=reply.clip(name.place))
        numerals.append(_finite(numbers[0], group_quantities[0].place))
    if alternatives:
        return distinct_numbers(numerals)
    exact = [number for number in numerals if number.places is None]
    first = exact[0] if exact else numerals[0]
    return (first, *(number for number in numerals if not (number == first or matches_key(number, first, 1))))


def _finite(amount: Amount, place: int) -> Numeral:
    """Return an amount that is a number. Raises `UnreadableError` for an infinity."""
    if isinstance(amount, Numeral):
        return amount
    raise UnreadableError(INFINITE, place, "write a number")


def _parse_all(text: str, tree: Tree) -> Iterator[tuple[int, Numeral]]:
    """Yield the entries of canonical text. Raises `CanonicalError` for any other text."""
    for piece in split_canonical(text):
        name, _, value = piece.rpartition("=")
        yield read_node(name, tree), read_numeral(value)


def from_drawing(tree: Tree) -> Table | None:
    """The values written at inner nodes, None without any."""
    claims = ((node, claimed_value(tree, node)) for node in tree.internal)
    return tuple((node, numeral) for node, numeral in claims if numeral is not None) or None


def read_value_box(blank: Blank, text: str, tree: Tree, terms: Terms) -> Numeral | None:
    """Return the number in the box of a node, as in a table; None for a sign that there is none.

    Raises `BlankError` for anything else.
    """
    entry = f"{vocabulary(tree).write_guarded(blank.node)} = {text}"
    table = read_reply(entry, tree, terms, partial(_read, by_level), ENTRIES.write, commas="decimal")
    if table == ():
        return None
    if isinstance(table, tuple) and len(table) == 1 and table[0][0] == blank.node:
        return table[0][1]
    tables = [ENTRIES.parse_canonical(each, tree) for each in getattr(table, "readings", ())]
    numbers = [value for entries in tables for node, value in entries if node == blank.node]
    if len(numbers) < max(len(tables), 1):
        numbers = [] if terms.decimal_comma else _with_decimal_comma(entry, tree, terms)
    raise unreadable_number(blank, text, numbers, terms)


def _with_decimal_comma(entry: str, tree: Tree, terms: Terms) -> list[Numeral]:
    """Return the number in the entry of a node if its comma is a decimal sign; empty if it is none."""
    commas = replace(terms, decimal_comma=True)
    table = read_reply(entry, tree, commas, partial(_read, by_level), ENTRIES.write, commas="decimal")
    return [value for _, value in table] if isinstance(table, tuple) and len(table) == 1 else []


ENTRIES = EntryFormat(
    spell=lambda name, node, value: f"{name(node)}={write_numeral(value)}",
    separator=" ",
    parse_all=_parse_all,
    entry_share=matches_key,
    is_equivalent=could_be_equal,
    lay_out_blanks=partial(node_box, numbers=()),
    solve_blanks=lambda blanks, value, points, _tree, terms: (
        solve_number(blanks[0], value.value, points, terms),
    ),
    read_blanks=lambda blanks, filled, tree, terms: read_value_box(blanks[0], filled[0], tree, terms),
    link="=",
    paper_ask=CELLS,
    fill_instruction=Phrase("In each box, write a number."),
)


def read_node_values(
    nodes: NodeSelector, text: str, tree: Tree, terms: Terms
) -> Table | Malformed | Ambiguous:
    """Read values at some nodes."""
    return read_reply(
        text, tree, terms, read=partial(_read_some, nodes), write=ENTRIES.write, commas="decimal"
    )


def table_form(
    nodes: NodeSelector,
    agree: Callable[[Numeral, Numeral, int], bool],
    entries: EntryFormat[Numeral] = ENTRIES,
    **own: Any,
) -> Form[Table]:
    """Return the form of a table of values for some of these nodes, each with a box.

    `agree` says whether a typed number is that of the key.
    """
    return replace(entries, entry_share=agree, blank_nodes=nodes).form(
        **{
            "name": "table",
            "ask": Phrase("Write each value after the label of its node: B=3."),
            "example": "B=3 C=2",
            "read": partial(read_node_values, nodes),
            "answer_space": AnswerSpace("tall"),
            "is_multiline": True,
            **own,
        }
    )


TABLE: Form[Table] = table_form(
    by_level,
    matches_key,
    marking_rule=plural_phrase(
        "Give exact numbers, or round them to at least {count} decimal place.",
        "Give exact numbers, or round them to at least {count} decimal places.",
    ),
    policies=("players", "entries", "exact"),
    answer_space=AnswerSpace("table"),
    drawn_verdicts="values",
    allows_rounding=True,
    from_drawing=from_drawing,
    screen_input="values",
)
