"""Windows at nodes, with the value returned: `B [-inf, 3] -> 3`, `B alpha=-inf beta=3`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from grader.answers.blank import NONE, Blank, Blanks, Box
from grader.answers.boxes import APART, NOTHING, bound_spellings, node_label, says_nothing, unread
from grader.answers.canonical import NAME, CanonicalError, bound_at, node_at, numeral_at, only_if_written
from grader.answers.form import Ambiguous, Asking, Credit, Form, Malformed, Room, Terms
from grader.answers.mention import Mention
from grader.answers.node_entries import (
    assemble,
    by_level,
    credit_entries,
    denied,
    differing,
    entry,
    tally_entries,
)
from grader.answers.number import DASH, INFINITE
from grader.answers.number_rows import (
    CLOSING,
    LINKS,
    OPENING,
    Amount,
    Cell,
    Name,
    Quantity,
    Sign,
    cells,
    rows,
)
from grader.answers.numeral import Numeral, agrees, write_numeral
from grader.answers.reply import Reply, UnreadableError, UnsureError, quote, read_reply
from grader.answers.reply_words import words
from grader.answers.table import value_in
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import INFINITY, Bound, exact, plain, write_number
from grader.base.phrases import Phrase
from grader.tree import Tree


@dataclass(frozen=True, slots=True)
class Window:
    """The window with which a node is entered, and the value it returns; None when that is not said."""

    alpha: Bound
    beta: Bound
    returned: Numeral | None = None


WORDS = 1_200
"""The most words in a reply: a window has up to 18, and a tree of 64 leaves may have 63 windows."""

Windows = tuple[tuple[int, Window], ...]
"""Nodes with their windows, sorted by node."""

_BOUNDS = re.compile(r"(?i)(?<!\w)a(\s{0,9}=\s{0,9}[^\s=,;]{1,40}[\s,;]{1,9})b(?=\s{0,9}=)")
"""`a=9 b=inf`: alpha and beta, even where nodes are called A and B, for no window is one number."""

_HEADS = ("EQUALS", "COLON", "ALPHA", *OPENING)


def read(text: str, tree: Tree, terms: Terms) -> Windows | Malformed | Ambiguous:
    """Read one window for each node named; `C pruned` leaves the entry of C out."""
    return read_reply(text, tree, terms, _read, write, numbers=True, lists=True, most=WORDS)


def _read(reply: Reply) -> Windows:
    text = _BOUNDS.sub(r"α\1β", reply.text)
    tokens = replace(reply, text=text).parse("windows")
    if tokens[0].type in ("NONE", "NO"):
        return ()
    ways = [assemble(list(_entries(reply, row))) for row in cells(reply, tokens, _HEADS)]
    if len(ways) > 1:
        raise UnsureError(DASH, ways)
    return ways[0]


def _entries(reply: Reply, row: Sequence[Cell]) -> Iterator[Mention]:
    starts = [index for index, cell in enumerate(row) if isinstance(cell, Name)]
    for cell in row[: starts[0] if starts else 0]:
        if isinstance(cell, Sign) and cell.kind in ("CUT", "BLANK"):
            raise denied(reply, cell.place)
    for cell in row[: starts[0] if starts else len(row)]:
        if isinstance(cell, Quantity):
            raise UnreadableError(
                "this number has no name before it", cell.place, "write the node: B [-inf, 3] -> 3"
            )
    if not starts and all(isinstance(cell, Sign) and cell.kind in ("LBRACE", "RBRACE") for cell in row):
        return
    if not starts:
        raise UnreadableError(
            "there is no node here", row[0].place if row else 0, "write the node: B [-inf, 3] -> 3"
        )
    for begin, end in zip(starts, [*starts[1:], len(row)], strict=True):
        name, body = row[begin], row[begin + 1 : end]
        assert isinstance(name, Name), "an entry starts with its name"
        blank = next(
            (cell for cell in body if isinstance(cell, Sign) and cell.kind in ("CUT", "BLANK")), None
        )
        if any(isinstance(cell, Quantity) for cell in body):
            if blank is not None:
                raise denied(reply, blank.place)
            yield entry(name, _windows(reply, name, body))
        elif blank is None and not any(isinstance(cell, Sign) and cell.kind in LINKS for cell in body):
            raise UnreadableError(
                "{name} has no window",
                name.place,
                "write the window behind it: B [-inf, 3] -> 3",
                name=reply.clip(name.place),
            )


def _windows(reply: Reply, name: Name, body: Sequence[Cell]) -> list[Window]:
    """The window of one entry, in every way its numbers can be read."""
    slots: dict[str, list[Cell]] = {"window": [], "ALPHA": [], "BETA": [], "VALUE": []}
    slot, closed = "window", False
    for cell in body:
        match cell:
            case Sign(kind="ALPHA" | "BETA" | "VALUE"):
                slot = cell.kind
            case Sign(kind="ARROW"):
                slot = "VALUE" if any(slots.values()) else slot
            case Sign() if cell.kind in CLOSING:
                closed = bool(slots["window"])
            case Sign(kind="EQUALS" | "COLON") if closed:
                slot = "VALUE"
            case Quantity() | Sign():
                slots[slot].append(cell)
    returned = rows(slots["VALUE"]) if slots["VALUE"] else [()]
    if slots["ALPHA"] or slots["BETA"]:
        bounds: list[tuple[Amount, ...]] = [
            (*alpha, *beta)
            for alpha in rows(slots["ALPHA"])
            for beta in rows(slots["BETA"])
            if len(alpha) == len(beta) == 1
            and not any(isinstance(cell, Quantity) for cell in slots["window"])
        ]
    else:
        bounds = rows(slots["window"])
    found = []
    for bound in bounds:
        for value in returned:
            numbers = (*bound, *value)
            if len(bound) == 2 + (len(numbers) == 3 and not value) and len(numbers) in (2, 3):
                found.append(_window(name, numbers))
    if not found:
        raise UnreadableError(
            "the window of {name} is not two numbers",
            name.place,
            "write alpha, beta and, if asked, the value returned: B [-inf, 3] -> 3",
            name=reply.clip(name.place),
        )
    return found


def _window(name: Name, numbers: Sequence[Amount]) -> Window:
    alpha, beta = (number.value if isinstance(number, Numeral) else number for number in numbers[:2])
    returned = numbers[2] if len(numbers) == 3 else None
    if isinstance(returned, float):
        raise UnreadableError(INFINITE, name.place, "write the number that the node returns")
    return Window(alpha, beta, returned)


def write(answer: Windows, tree: Tree) -> str:
    """`B [-inf, 3] -> 3; C [3, inf]` level by level, or `none`."""
    names, entries = vocabulary(tree), by_level(answer, tree)
    return (
        names.guarded(lambda name: "; ".join(f"{name(node)} {_written(window)}" for node, window in entries))
        or names.nothing
    )


def _written(window: Window) -> str:
    returned = "" if window.returned is None else f" -> {write_numeral(window.returned)}"
    return f"[{write_number(window.alpha)}, {write_number(window.beta)}]{returned}"


_ENTRY = re.compile(rf"({NAME}) \[([^\s,]+), ([^\s\]]+)\](?: -> ([^\s;]+))?(?:; |$)")


def parse(text: str, tree: Tree) -> Windows:
    """The inverse of `write`; raises `grader.answers.canonical.CanonicalError`."""
    entries: dict[int, Window] = {}
    place = len(text) if text == vocabulary(tree).nothing else 0
    while place < len(text):
        entry = _ENTRY.match(text, place)
        if entry is None:
            raise CanonicalError(f"no window is written like {quote(text[place:])}")
        name, alpha, beta, returned = entry.groups()
        value = None if returned is None else numeral_at(returned)
        entries[node_at(name, tree)] = Window(bound_at(alpha), bound_at(beta), value)
        place = entry.end()
    return only_if_written(text, tuple(sorted(entries.items(), key=lambda entry: entry[0])), tree, write)


def credit(reply: Windows, key: Windows, tree: Tree, terms: Terms, implied: Windows | None) -> Credit:
    """Credit entry by entry; a wrong one that follows from the student's own entries counts.

    A window for a node that is never entered is a wrong entry.
    """
    return credit_entries(
        reply,
        key,
        implied,
        lambda said, right: _same(said, right, terms.digits),
        lambda node, window: write(((node, window),), tree),
        extras_cost=True,
    )


def _same(said: Window, right: Window, digits: int) -> bool:
    """Whether a window is right; the value returned counts only where the key has one."""
    if (said.alpha, said.beta) != (right.alpha, right.beta):
        return False
    return right.returned is None or (
        said.returned is not None and agrees(said.returned, right.returned, digits)
    )


def distance(reply: Windows, other: Windows) -> int:
    """At how many nodes the two differ; a value returned that only one of them has is a difference."""

    def same(one: Window, two: Window) -> bool:
        return (one.returned is None) == (two.returned is None) and _same(one, two, 1)

    return differing(reply, other, same)


_FIELDS = (
    Phrase("{node}, alpha"),
    Phrase("{node}, beta"),
    Phrase("{node}, value returned"),
)
"""What each box of a node is called."""


def blanks(key: Windows, tree: Tree, terms: Terms) -> Blanks:
    """Three boxes for every inner node: to ask for the entered nodes only would say which these are."""
    entered, language = dict(key), terms.language
    points = exact(Fraction(terms.points) / max(3 * len(entered), 1))
    boxes = []
    for node in tree.by_level:
        labels = [language.term(field, node=node_label(tree, node)) for field in _FIELDS]
        window = entered.get(node)
        if window is None:
            boxes += [Box(label, NOTHING, 0) for label in labels]
            continue
        returned: Bound = window.returned.value if window.returned else 0
        worth = (points, points, points if window.returned else 0)
        for label, bound, each in zip(labels, (window.alpha, window.beta, returned), worth, strict=True):
            boxes.append(Box(label, bound_spellings(bound, terms), each))
    ask = language.say(
        "Write alpha, beta and the value returned for every node that the search enters. "
        "Write inf and -inf for the infinities, and {none} into the boxes of a node that is never entered.",
        none=NONE,
    )
    return Blanks(ask, tuple(boxes), counts=language.say(APART))


def filled_in(asked: Sequence[Blank], filled: Sequence[str], tree: Tree, terms: Terms) -> str:
    """The windows of all nodes of whose boxes something is said; a window lacks nothing but the value."""
    found = []
    for place, node in enumerate(tree.by_level):
        boxes, texts = asked[3 * place : 3 * place + 3], filled[3 * place : 3 * place + 3]
        if all(not text or says_nothing(text) for text in texts):
            continue
        for box, text in zip(boxes[:2], texts[:2], strict=True):
            if not text or says_nothing(text):
                raise unread(box, text, "{text} stands beside boxes of this node that are filled in")
        alpha, beta = (
            _bound_in(box, text, node, tree, terms) for box, text in zip(boxes[:2], texts[:2], strict=True)
        )
        returned = None
        if texts[2] and not says_nothing(texts[2]):
            returned = value_in(boxes[2], texts[2], node, tree, terms)
        found.append((node, Window(alpha, beta, returned)))
    return write(tuple(sorted(found, key=lambda entry: entry[0])), tree)


def _bound_in(box: Blank, text: str, node: int, tree: Tree, terms: Terms) -> Bound:
    """Alpha or beta: a number, or an infinity with or without a sign."""
    word = plain(text)
    if "INF" in words().kinds(word.lstrip("-+ ")):
        return -INFINITY if word.startswith("-") else INFINITY
    value = value_in(box, text, node, tree, terms)
    if value is None:
        raise unread(box, text, "{text} is no number")
    return value.value


WINDOWS: Form[Windows] = Form(
    name="windows",
    ask=Phrase(
        "Write for each node its name, alpha and beta in brackets, and the value returned: {example}."
    ),
    example="B [-inf, 3] -> 3",
    read=read,
    write=write,
    parse=parse,
    credit=credit,
    distance=distance,
    guide=Phrase(
        "Every node that is entered counts alike; alpha, beta and the value returned must be right."
    ),
    tally=partial(tally_entries, extras_cost=True),
    room=Room("windows"),
    blanks=Asking(blanks, filled_in),
    several_lines=True,
    names_nodes=True,
)
