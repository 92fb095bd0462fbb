"""Values at nodes: `B=3 C=2`, `Min1 = 3, Min2: 2; B->7/3`, one per line."""

from collections.abc import Iterator, Sequence
from functools import partial

from grader.answers.blank import Blank, Box
from grader.answers.boxes import NOTHING, node_label, number_box, unread
from grader.answers.canonical import node_at, numeral_at, pieces
from grader.answers.entry_forms import Entries
from grader.answers.form import Form, Room, Terms
from grader.answers.mention import Mention
from grader.answers.node_entries import denied, entry, in_rows
from grader.answers.number import INFINITE, POINT
from grader.answers.number_rows import CLOSING, LINKS, OPENING, Cell, Name, Quantity, Sign, rows
from grader.answers.numeral import Numeral, agrees, claimed, write_numeral
from grader.answers.reply import Reply, UnreadableError, read_reply
from grader.answers.vocabulary import vocabulary
from grader.base.numbers import Number
from grader.base.phrases import Phrase
from grader.tree import Tree

Table = tuple[tuple[int, Numeral], ...]
"""Nodes with their values, sorted by node."""


_NAMELESS = Phrase("this number has no name before it")
_NAMED = Phrase("write the name of the node: B=3")
_ROW = ("COMMA", "SEMICOLON", "DOT", "AND", *OPENING, *CLOSING)
"""What may stand between values that are written in the order of the boxes."""


def _read_some(reply: Reply) -> Table:
    """One value at least."""
    answer = _read(reply)
    if not answer:
        raise UnreadableError("there is no value here", 0, _NAMED)
    return answer


def _read(reply: Reply) -> Table:
    """Read one value for each node named; `C =` and `C pruned` leave the entry of C out."""
    return in_rows(reply, reply.parse("table"), LINKS, _entries)


def _entries(reply: Reply, row: Sequence[Cell]) -> list[Mention]:
    entries: list[Mention] = []
    names: list[Name] = []
    values: list[list[Cell]] = []
    last = ""
    linked = again = False
    blank: Sign | None = None
    row = _turned(row)
    empty = bool(row) and all(isinstance(cell, Sign) and cell.kind in ("LBRACE", "RBRACE") for cell in row)
    numbers = [cell for cell in row if isinstance(cell, Quantity)]
    if len(numbers) == len(reply.tree.internal) and not any(isinstance(cell, Name) for cell in row):
        return _in_order(reply.tree, row)
    if not empty and not any(isinstance(cell, Name | Quantity) for cell in row):
        place = row[0].place if row else 0
        raise UnreadableError("there is no node here", place, "write the value behind each name: B=3 C=2")
    for cell in row:
        match cell:
            case Name():
                if values:
                    entries += _filled(reply, names, values)
                    names, values = [], []
                elif names and (
                    blank or (linked and _new_line(reply, names[-1], cell)) or _is_separator(last, linked)
                ):
                    names = []
                elif names and not (last == "AND" or last == "EQUALS"):
                    raise _no_value(reply, names[-1])
                names.append(cell)
                linked = again = False
                blank = None
            case Quantity():
                if not names:
                    raise UnreadableError(_NAMELESS, cell.place, _NAMED)
                if blank:
                    raise denied(reply, blank.place)
                if not values or last in LINKS or again:
                    values.append([])
                    again = False
                values[-1].append(cell)
            case Sign(kind="CUT" | "BLANK") if values or not names:
                raise denied(reply, cell.place)
            case Sign(kind="CUT" | "BLANK"):
                blank = cell
            case Sign(kind="LPAREN") if values and values[-1]:
                again = True  # `B=7/3 (2.33)`: the value once more
            case Sign():
                if cell.kind in LINKS and cell.kind != "BAR":
                    linked = True
                if values and values[-1]:
                    values[-1].append(cell)
        last = (
            cell.kind
            if isinstance(cell, Sign) and cell.kind not in (*OPENING, *CLOSING)
            else (last if isinstance(cell, Sign) else "")
        )
    if values:
        return entries + _filled(reply, names, values)
    if names and not (linked or blank):
        raise _no_value(reply, names[-1])
    return entries


def _in_order(tree: Tree, row: Sequence[Cell]) -> list[Mention]:
    """Values without names, one for each box as they are printed: level by level, each from the left."""
    values = [way for way in rows(row) if len(way) == len(tree.by_level)]
    numbers = values[0] if len(values) == 1 else ()
    if any(isinstance(cell, Sign) and cell.kind not in _ROW for cell in row) or not numbers:
        raise UnreadableError(_NAMELESS, row[0].place, _NAMED)
    if any(not isinstance(number, Numeral) for number in numbers):
        raise UnreadableError(INFINITE, row[0].place, "write a number")
    return [
        entry(Name((node,), row[0].place), [number])
        for node, number in zip(tree.by_level, numbers, strict=True)
    ]


def _is_separator(last: str, linked: bool) -> bool:
    """Whether an entry was left blank: `C=, D=2` or `C=? D=2`."""
    return linked and last in ("COMMA", "SEMICOLON", "DOT")


def _new_line(reply: Reply, before: Name, after: Name) -> bool:
    return "\n" in reply.text[before.place : after.place]


def _no_value(reply: Reply, name: Name) -> UnreadableError:
    hint = "write the value behind it: B=3"
    return UnreadableError("{name} has no value", name.place, hint, name=reply.clip(name.place))


def _turned(row: Sequence[Cell]) -> Sequence[Cell]:
    """`3 = B, 2 = C` with every name before its value."""
    things = [cell for cell in row if not isinstance(cell, Sign) or cell.kind in LINKS]
    if not things or len(things) % 3:
        return row
    turned: list[Cell] = []
    for first, link, second in zip(things[::3], things[1::3], things[2::3], strict=True):
        if not (isinstance(link, Sign) and isinstance(second, Name)):
            return row
        if not (isinstance(first, Name) and first.number is not None):
            return row
        turned += (second, link, Quantity(Numeral(first.number), False, first.place))
    return turned


def _filled(reply: Reply, names: Sequence[Name], values: Sequence[Sequence[Cell]]) -> list[Mention]:
    """The entry of each name that shares these values."""
    place = names[0].place
    said: list[Numeral] = []
    for group in values:
        numbers = [way[0] for way in rows(group) if len(way) == 1]
        if not numbers:
            second = [cell for cell in group if isinstance(cell, Quantity)][1]
            comma = reply.text[second.place - 1] == "," and not reply.terms.decimal_comma
            hint = POINT if comma else Phrase("write B=3 C=2")
            message = "{name} has more than one value"
            raise UnreadableError(message, second.place, hint, name=reply.clip(place))
        if not isinstance(numbers[0], Numeral):
            raise UnreadableError(INFINITE, group[0].place, "write a number")
        said.append(numbers[0])
    exact = [number for number in said if number.places is None]
    first = exact[0] if exact else said[0]
    others = tuple(number for number in said if not (number == first or agrees(number, first, 1)))
    return [entry(name, (first, *others)) for name in names]


def _parsed(text: str, tree: Tree) -> Iterator[tuple[int, Numeral]]:
    for piece in pieces(text):
        name, _, value = piece.rpartition("=")
        yield node_at(name, tree), numeral_at(value)


def drawn(tree: Tree) -> Table | None:
    """The values written at inner nodes, None without any."""
    claims = ((node, claimed(tree, node)) for node in tree.internal)
    return tuple((node, numeral) for node, numeral in claims if numeral is not None) or None


def _boxes(node: int, value: Numeral | None, points: Number, tree: Tree, terms: Terms) -> Sequence[Blank]:
    label = node_label(tree, node)
    if value is None:
        return (Box(label, NOTHING, 0),)
    return (number_box(label, value.value, points, tree, terms),)


def _heard(
    asked: Sequence[Blank], filled: Sequence[str], node: int, tree: Tree, terms: Terms
) -> Numeral | None:
    return value_in(asked[0], filled[0], node, tree, terms) if filled[0] else None


def value_in(blank: Blank, text: str, node: int, tree: Tree, terms: Terms) -> Numeral | None:
    """The number in the box of a node, as a table would have it; None for signs that there is none."""
    entry = f"{vocabulary(tree).write_guarded(node)} = {text}"
    said = read_reply(entry, tree, terms, _read, ENTRIES.write, numbers=True)
    if said == ():
        return None
    if isinstance(said, tuple) and len(said) == 1 and said[0][0] == node:
        return said[0][1]
    raise unread(blank, text, "{text} is no number")


ENTRIES = Entries(
    spell=lambda name, node, value: f"{name(node)}={write_numeral(value)}",
    between=" ",
    parse_all=_parsed,
    part=agrees,
    alike=lambda one, two: agrees(one, two, 1) or agrees(two, one, 1),
    boxes=_boxes,
    heard=_heard,
    fill=Phrase("Write a number into every box."),
)

TABLE: Form[Table] = ENTRIES.form(
    name="table",
    ask=Phrase("Write each value behind the name of its node: B=3."),
    example="B=3 C=2",
    read=partial(read_reply, read=_read_some, write=ENTRIES.write, numbers=True),
    guide=Phrase("Exact numbers count, and so do decimals rounded to {digits} or more decimals."),
    policies=("players", "entries", "exact"),
    room=Room("table"),
    several_lines=True,
    shown="values",
    rounds=True,
    drawn=drawn,
)
