"""Windows at nodes, with the value returned: `B [-inf, 3] -> 3`, `B alpha=-inf beta=3`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product

from grader.answers.blank import Blank, node_label
from grader.answers.box_blanks import bound_spellings, is_nothing, unreadable_blank
from grader.answers.canonical import NAME, CanonicalError, read_bound, read_node, read_numeral
from grader.answers.entry_forms import EntryFormat
from grader.answers.form import AnswerSpace, Form, Terms
from grader.answers.node_entries import (
    CLOSING,
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
from grader.answers.number import INFINITE
from grader.answers.numeral import Numeral, could_be_equal, matches_key, write_numeral
from grader.answers.reply import MISPLACED, Reply, UnreadableError
from grader.answers.reply_reading import read_reply
from grader.answers.table import read_value_box
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import Bound, Number, normalize_number, write_number
from grader.base.phrases import Phrase
from grader.base.safe_text import quote
from grader.trees.tree import Tree


@dataclass(frozen=True, slots=True)
class Window:
    """The window with which a node is entered, and the value it returns; None when that is not said."""

    alpha: Bound
    beta: Bound
    returned: Numeral | None = None


MAX_WINDOWS_WORDS = 1_200
"""The most words in a reply: a window has up to 18, and a tree of 64 leaves may have 63 windows."""

Windows = tuple[tuple[int, Window], ...]
"""Nodes with their windows, sorted by node."""

_BOUNDS = re.compile(r"(?i)(?<!\w)a(\s{0,9}=\s{0,9}[^\s=,;]{1,40}[\s,;]{1,9})b(?=\s{0,9}=)")
"""`a=9 b=inf`: alpha and beta, even where nodes are called A and B, for no window is one number."""

_KINDS = ROW_KINDS | {"CUT", "BLANK", "VISITED", "ALPHA", "BETA", "TO", "DOTS", "LT", "GT", *NOTHING}

_HEADS = ("EQUALS", "COLON", "ALPHA", *OPENING)


def _read(reply: Reply) -> Windows:
    """Read one window for each node named; `C pruned` leaves the entry of C out."""
    text = _BOUNDS.sub(r"α\1β", reply.text)
    tokens = replace(reply, text=text).row(_KINDS, valued=True)
    if is_none(tokens):
        return ()
    hint = Phrase(
        "write the node with alpha, beta, and, if the question asks for it, the returned value: "
        "B [-inf, 3] -> 3"
    )
    return read_rows(
        reply, reply_cells(reply, tokens, _HEADS), _windows, Phrase("{name} has no window"), hint
    )


def _windows(reply: Reply, name: Name, body: Sequence[Cell]) -> list[Window]:
    """Return all readings of the window of one entry. Raises `UnreadableError` if there is none."""
    slots: dict[str, list[Cell]] = {"window": [], "ALPHA": [], "BETA": [], "VALUE": []}
    slot, closed = "window", False
    for cell in body:
        match cell:
            case Sign(kind="ALPHA" | "BETA" | "VALUE"):
                slot = cell.kind
            case Sign(kind="ARROW"):
                slot = "VALUE" if any(slots.values()) else slot
            case Sign(kind="LBRACKET" | "LPAREN") if (
                sum(isinstance(before, Quantity) for before in slots["window"]) == 1  # `B 3 [-inf, 5]`
            ):
                raise UnreadableError(MISPLACED, cell.place, word=reply.clip(cell.place))
            case Sign(kind="LT") if closed:
                raise UnreadableError(MISPLACED, cell.place, word=reply.clip(cell.place))
            case Sign() if cell.kind in CLOSING:
                closed = bool(slots["window"])
            case Sign(kind="EQUALS" | "COLON") if closed:
                slot = "VALUE"
            case Quantity() | Sign():
                slots[slot].append(cell)
    bounds, returned = number_readings(slots["window"]), number_readings(slots["VALUE"])
    if slots["ALPHA"] or slots["BETA"]:
        bound_pairs = product(
            number_readings(slots["ALPHA"]), number_readings(slots["BETA"]) if bounds == [()] else ()
        )
        bounds = [(*alpha, *beta) for alpha, beta in bound_pairs if len(alpha) == len(beta) == 1]
    windows = [
        _window(name, (*bound, *value))
        for bound, value in product(bounds, returned)
        if (len(bound), len(value)) in ((2, 0), (2, 1), (3, 0))
    ]
    if not windows:
        raise UnreadableError(
            "the window of {name} must contain two numbers",
            name.place,
            "write alpha, beta, and, if the question asks for it, the returned value: B [-inf, 3] -> 3",
            name=reply.clip(name.place),
        )
    return windows


def _window(name: Name, numbers: Sequence[Amount]) -> Window:
    """Return the window in two or three numbers. Raises `UnreadableError` for an infinite returned value."""
    alpha, beta = (number.value if isinstance(number, Numeral) else number for number in numbers[:2])
    returned = numbers[2] if len(numbers) == 3 else None
    if isinstance(returned, float):
        raise UnreadableError(INFINITE, name.place, "write the number that the node returns")
    return Window(alpha, beta, returned)


def _write_window(window: Window) -> str:
    """`[-inf, 3] -> 3`."""
    returned = "" if window.returned is None else f" -> {write_numeral(window.returned)}"
    return f"[{write_number(window.alpha)}, {write_number(window.beta)}]{returned}"


_ENTRY = re.compile(rf"({NAME}) \[([^\s,]+), ([^\s\]]+)\](?: -> ([^\s;]+))?(?:; |$)")


def _parse_all(text: str, tree: Tree) -> Iterator[tuple[int, Window]]:
    """Yield the entries of a canonical text. Raises `CanonicalError` at a piece that is none."""
    place = 0
    while place < len(text):
        entry = _ENTRY.match(text, place)
        if entry is None:
            raise CanonicalError(f"{quote(text[place:])} is not a window")
        name, alpha, beta, returned = entry.groups()
        value = None if returned is None else read_numeral(returned)
        yield read_node(name, tree), Window(read_bound(alpha), read_bound(beta), value)
        place = entry.end()


def _part(entry: Window, right: Window, digits: int) -> Fraction | bool:
    """Return the correct share of a window: a half without a correct value, if the key has one."""
    if (entry.alpha, entry.beta) != (right.alpha, right.beta):
        return False
    value = entry.returned
    known = right.returned is None or (value is not None and matches_key(value, right.returned, digits))
    return known or Fraction(1, 2)


def _alike(one: Window, two: Window) -> bool:
    """Return whether two windows count as equal; a returned value in only one of them is a difference."""
    if (one.alpha, one.beta) != (two.alpha, two.beta):
        return False
    if one.returned is None or two.returned is None:
        return one.returned is two.returned
    return could_be_equal(one.returned, two.returned)


_FIELDS = (Phrase("{node}, alpha"), Phrase("{node}, beta"), Phrase("{node}, returned value"))
"""What each box of a node is called."""


def _boxes(node: int, tree: Tree, terms: Terms) -> Sequence[Blank]:
    name = node_label(tree, node, terms.language)
    return [Blank(terms.language.term(field, node=name), node) for field in _FIELDS]


def _solve_blanks(
    blanks: Sequence[Blank], window: Window, points: Number, _tree: Tree, terms: Terms
) -> Sequence[Blank]:
    """Fill in a window: half of the points for the bounds, half for the returned value.

    If the key has no returned value, the bounds carry all points.
    """
    *bound_boxes, value_box = blanks
    each_bound = normalize_number(Fraction(points) / (2 if window.returned is None else 4))
    solved = [
        replace(box, points=each_bound, spellings=bound_spellings(bound, terms))
        for box, bound in zip(bound_boxes, (window.alpha, window.beta), strict=True)
    ]
    if window.returned is None:
        return [*solved, value_box.without_entry()]
    spellings = bound_spellings(window.returned.value, terms)
    return [*solved, replace(value_box, points=normalize_number(Fraction(points) / 2), spellings=spellings)]


def _read_boxes(blanks: Sequence[Blank], filled: Sequence[str], tree: Tree, terms: Terms) -> Window | None:
    """Read the window in the boxes of a node; the value may be missing, and without any text it is None.

    Raises `BlankError` if there is a value but no bound.
    """
    if all(not text or is_nothing(text) for text in filled):
        return None
    alpha, beta = (
        _bound_in(box, text, tree, terms) for box, text in zip(blanks[:2], filled[:2], strict=True)
    )
    returned = None
    if filled[2] and not is_nothing(filled[2]):
        returned = read_value_box(blanks[2], filled[2], tree, terms)
    return Window(alpha, beta, returned)


def _bound_in(box: Blank, text: str, tree: Tree, terms: Terms) -> Bound:
    """Read alpha or beta: a number as in a table, or an infinity as in a typed window.

    Raises `BlankError` for anything else, and for an empty box.
    """
    if not text:
        raise unreadable_blank(box, text, "there is no answer, but other boxes of this node are filled in")
    if is_nothing(text):
        raise unreadable_blank(box, text, '{text} means "none", but other boxes of this node are filled in')
    entry = f"{vocabulary(tree).write_guarded(box.node)} [{text}, {text}]"
    windows = WINDOW_ENTRIES.read(entry, tree, terms)
    if isinstance(windows, tuple) and len(windows) == 1 and isinstance(bound := windows[0][1].alpha, float):
        return bound
    value = read_value_box(box, text, tree, terms)
    if value is None:
        raise unreadable_blank(box, text, "{text} is not a number")
    return value.value


ENTRIES = EntryFormat(
    spell=lambda name, node, window: f"{name(node)} {_write_window(window)}",
    separator="; ",
    parse_all=_parse_all,
    entry_share=_part,
    is_equivalent=_alike,
    lay_out_blanks=_boxes,
    solve_blanks=_solve_blanks,
    read_blanks=_read_boxes,
    fill_instruction=Phrase(
        "Write alpha, beta, and the returned value for every node that the search visits. "
        "Write inf and -inf for the infinities. Write {none} in the boxes of a node that is never visited."
    ),
    link=" ",
    paper_ask=Phrase("In the row of each node, write alpha, beta, and the returned value."),
    extras_cost=True,
    may_lack_entries=True,
    half_credit_sentence=Phrase(
        "An entry with correct alpha and beta but an incorrect returned value earns half credit."
    ),
)


WINDOW_ENTRIES: Form[Windows] = ENTRIES.form(
    name="windows",
    ask=Phrase(
        "Write each node with its window in brackets and its returned value: {example}. Type inf for ∞."
    ),
    example="B [-inf, 3] -> 3",
    read=partial(read_reply, read=_read, write=ENTRIES.write, commas="either", max_words=MAX_WINDOWS_WORDS),
    marking_rule=Phrase(
        "If the question asks about a node and the search visits it, an entry for the node is required. "
        "If the search never visits it, an entry is incorrect. Entries for other nodes are ignored."
    ),
    answer_space=AnswerSpace("windows"),
    is_multiline=True,
    screen_input="windows",
)
