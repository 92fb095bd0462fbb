"""Names and numbers in a row, and the entries for nodes that they make, as tables and windows have them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, islice, pairwise, product, zip_longest
from operator import itemgetter
from typing import Any, Literal, TypeAlias, TypeVar

from grader.answers.mention import Mention, MentionRules, read_count_number
from grader.answers.mention_lists import build_unambiguous
from grader.answers.number import DASH, read_token_number
from grader.answers.numeral import Numeral, mixed_number, parse_digits
from grader.answers.reply import MISPLACED, Reply, UnreadableError, UnsureError
from grader.answers.reply_tokens import BRACKETS, SPELLED, Token
from grader.base.numbers import INFINITY
from grader.base.phrases import BoundPhrase, Phrase

FRACTION = Phrase("a fraction could be a separate number or part of the number before it")

Amount: TypeAlias = Numeral | float
"""A number, or one of the two infinities."""

NAMES = (*SPELLED, "ORDINAL", "NUMERAL")
"""What may name a node."""
LINKS = ("EQUALS", "COLON", "ARROW", "ABOUT", "LONGDASH", "BAR")
OPENING = (*BRACKETS, "LT")
CLOSING = (*BRACKETS.values(), "GT")
_NUMBERS = ("NUMERAL", "VULGAR", "INF")
NOTHING = ("NONE", "NO")
ROW_KINDS = frozenset((*NAMES, *LINKS, *BRACKETS, *BRACKETS.values(), *_NUMBERS)).union(
    ("HASH", "NOUN", "PATH", "VALUE", "UNIT", "DASH", "PLUS", "COMMA", "SEMICOLON", "DOT", "AND")
)
"""The kinds of tokens in a row of names and numbers."""
NAME_KINDS = ROW_KINDS - {"VULGAR", "INF", "VALUE", "UNIT", "PLUS", "ABOUT"} | {"LT", "GT", *NOTHING}
"""The kinds of tokens in a row of names with signs between."""

MAX_ROW_READINGS = 8
"""The most ways in which a row of numbers is read; more are never needed to know that there are several."""


@dataclass(frozen=True, slots=True)
class Name:
    """A node named in a reply, in every way the name can be read; `number` when a number names it."""

    nodes: tuple[int, ...]
    place: int
    why: BoundPhrase | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a reply; a `part` may be the fraction of a mixed number."""

    amount: Amount
    part: bool
    place: int


@dataclass(frozen=True, slots=True)
class Sign:
    """Anything else, by the kind of its token: links, separators, brackets, keywords."""

    kind: str
    place: int


Cell: TypeAlias = Name | Quantity | Sign


def reply_cells(reply: Reply, tokens: Sequence[Token], heads: Sequence[str] = ()) -> list[list[Cell]]:
    """Return the cells of a reply: one row, or two if a dash may link, as in the first, or be a minus sign.

    It is a minus sign if another entry has no sign at all: `A 3, B -3`. Several dashes link if each has
    blanks on both sides: `A - 3, B - 2`.
    A number before one of the kinds in `heads` is a leaf number or the name of a node, unless it follows a
    link itself.
    """
    row, unclear = _cells(reply, tokens, heads, "sign")
    if not unclear:
        return [row]
    linked, _ = _cells(reply, tokens, heads, "link")
    if _has_bare_entry(linked):
        return [row]
    dashes = [(one, two) for one, two in pairwise(tokens) if one.type == "DASH" and two.type in _NUMBERS]
    has_gaps = all(one.end_pos < two.start_pos for one, two in dashes)
    return [linked] if has_gaps and len(dashes) > 1 else [linked, row]


def _has_bare_entry(row: Sequence[Cell]) -> bool:
    """Return whether a name is directly before its number."""
    return any(isinstance(one, Name) and isinstance(two, Quantity) for one, two in pairwise(row))


def _cells(
    reply: Reply, tokens: Sequence[Token], heads: Sequence[str], dash: Literal["sign", "link"]
) -> tuple[list[Cell], bool]:
    """The cells, and whether it matters that a dash between a name and a number is read as `dash`."""
    row: list[Cell] = []
    unclear = False
    sign: Token | None = None
    for index, token in enumerate(tokens):
        before = tokens[index - 1] if index else None
        after = tokens[index + 1] if index + 1 < len(tokens) else None
        place = token.start_pos
        if sign is not None and token.type not in _NUMBERS:
            raise reply.misplaced(sign)
        match token.type:
            case "NUMERAL" if sign is None and _is_head(row, tokens, index, after, heads):
                row.append(_numbered(reply, token, before is not None and before.type == "HASH"))
            case "NUMERAL" | "VULGAR" | "INF":
                amount: Amount = INFINITY if token.type == "INF" else read_token_number(reply, token)
                minus = sign is not None and sign.type == "DASH"
                row.append(Quantity(-amount if minus else amount, sign is None, place))
                sign = None
            case "DASH" | "PLUS":
                kind = _dash(reply, row, token, before, after)
                if kind == "unclear":
                    unclear = True
                    kind = dash
                if kind == "sign":
                    sign = token
                else:
                    row.append(Sign("LONGDASH", place))
            case "WORD" | "SPOTTED" | "STRING" | "ORDINAL":
                row.append(_name(reply, token))
            case "HASH" | "NOUN" | "PATH" | "VISITED" | "UNIT":
                pass
            case "LONGDASH" if after is not None and after.type in _NUMBERS and _may_be_minus(row, token):
                message = Phrase("{word} before a number could be a minus sign or a separator")
                hint = Phrase("write - for a minus sign and = for a separator")
                raise reply.misplaced(token, message, hint)
            case kind:
                row.append(Sign(kind, place))
    if sign is not None:
        raise reply.ends_early()
    return row, unclear


def _is_head(
    row: Sequence[Cell], tokens: Sequence[Token], index: int, after: Token | None, heads: Sequence[str]
) -> bool:
    """Return whether the number at `index` is the name of the next entry."""
    if index and tokens[index - 1].type == "HASH":
        return True
    if after is None or after.type not in heads or not tokens[index].isdigit():
        return False
    last = row[-1] if row else None
    if "ALPHA" in heads and _is_window_open(row):
        return False
    return not (isinstance(last, Sign) and (last.kind in LINKS or last.kind in ("ALPHA", "BETA", "VALUE")))


def _is_window_open(row: Sequence[Cell]) -> bool:
    """Return whether the window of the last name is still incomplete: `B ]-inf, 3[`."""
    numbers = 0
    for cell in reversed(row):
        if isinstance(cell, Name):
            return numbers < 2
        numbers += (
            2 if isinstance(cell, Sign) and cell.kind in ("CUT", "BLANK") else isinstance(cell, Quantity)
        )
    return False


def _dash(
    reply: Reply, row: Sequence[Cell], token: Token, before: Token | None, after: Token | None
) -> Literal["sign", "link", "unclear"]:
    """Classify a dash or plus: a sign wherever no other meaning is possible."""
    last = row[-1] if row else None
    if before is None or after is None or after.type not in _NUMBERS:
        return "link" if before is not None and isinstance(last, Name) else "sign"
    if isinstance(last, Quantity):
        if before.end_pos == token.start_pos or after.start_pos != token.end_pos:
            raise reply.misplaced(token, "{word} between two numbers is ambiguous")
        return "sign"
    between = reply.text[before.end_pos : token.start_pos].strip()  # such as "is", which parts more clearly
    clear = token.type == "PLUS" or between or after.type == "INF"
    if isinstance(last, Sign):
        is_attached = before.end_pos != token.start_pos and after.start_pos == token.end_pos
        clear = (
            clear or is_attached or last.kind not in CLOSING
        )  # in `[2, 6] - 3` it may part, in `[2, 6] -3` not
    return "sign" if clear else "unclear"


def _may_be_minus(row: Sequence[Cell], token: Token) -> bool:
    """Return whether a long dash may be a minus sign, not a link between a name and its number."""
    last = row[-1] if row else None
    return token[0] == "-" or last is None or (isinstance(last, Sign) and last.kind not in CLOSING)


def _name(reply: Reply, token: Token) -> Name:
    nodes = reply.require_named_nodes(token)
    return Name(nodes, token.start_pos, reply.several_named(token) if len(nodes) > 1 else None)


def _numbered(reply: Reply, token: Token, sharp: bool) -> Name:
    """Read a number that is the name of an entry: a leaf number, or a name in digits."""
    mention = read_count_number(reply, MentionRules(), token, str(token), sharp)
    return Name(
        tuple(reading[0] for reading in mention.readings), mention.place, mention.doubt, parse_digits(token)
    )


def number_readings(cells_of_row: Sequence[Cell]) -> list[tuple[Amount, ...]]:
    """Return all readings of numbers with separators between them as a row of numbers.

    `2 1/3` is one number or two. If there are commas between all numbers, they decide.
    """
    groups = groupby(cells_of_row, lambda cell: isinstance(cell, Quantity))
    group_readings = [_tilings([*group]) for are_numbers, group in groups if are_numbers]
    if len(group_readings) > 1 and all(
        any(len(reading) == 1 for reading in group) for group in group_readings
    ):
        return [tuple(reading[0] for group in group_readings for reading in group if len(reading) == 1)]
    return [tuple(chain(*reading)) for reading in islice(product(*group_readings), MAX_ROW_READINGS)]


def _tilings(group: Sequence[Any]) -> list[tuple[Amount, ...]]:
    """Return the readings of adjacent numbers, each fraction alone or with the whole number before it."""
    tilings: list[list[tuple[Amount, ...]]] = [[()]]
    for index, quantity in enumerate(group):
        extended = [(*tiling, quantity.amount) for tiling in tilings[index]]
        if index and quantity.part:
            whole, rest = group[index - 1].amount, quantity.amount
            if isinstance(whole, Numeral) and isinstance(rest, Numeral):
                both = mixed_number(whole, rest)
                extended += [(*tiling, both) for tiling in tilings[index - 1] if both is not None]
        tilings.append(extended[:MAX_ROW_READINGS])
    return tilings[-1]


V = TypeVar("V")

_TWO = Phrase("there are two values for one node")
_TWO_HERE = BoundPhrase(_TWO)


def is_none(tokens: Sequence[Token]) -> bool:
    """Return whether a reply is `none` or `{}`."""
    return tokens[0].type in ("NONE", "NO") or all(token.type in ("LBRACE", "RBRACE") for token in tokens)


def assemble_entries(entries: Sequence[Mention], two: Phrase = _TWO) -> tuple[tuple[int, Any], ...]:
    """Return the entries as pairs, sorted by node; the readings of a mention are pairs of a node and a value.

    Raises `UnsureError` when a name can mean two nodes, or with `two` when a node has two different values.
    """
    first = build_unambiguous(entries, _filled)
    last = _filled(entry.readings[0] for entry in reversed(entries))
    if last != first:
        raise UnsureError(two, (first, last))
    return first


def _filled(readings: Iterable[tuple[int, V]]) -> tuple[tuple[int, V], ...]:
    """Return the entries sorted by node; the first of two for one node counts."""
    first = dict(reversed([*readings]))
    return tuple(sorted(first.items(), key=itemgetter(0)))


def read_rows(
    reply: Reply,
    rows: Iterable[Sequence[Cell]],
    values: Callable[[Reply, Name, Sequence[Cell]], Sequence[Any]],
    lacking: Phrase,
    hint: Phrase,
) -> tuple[tuple[int, Any], ...]:
    """Read the entries of one row, or of two if a dash may be a sign or a link.

    `values` reads the cells after a name, as several values if they are contradictory; `lacking` is the
    message about a name without any, and `hint` says how an entry is written.
    Raises `UnsureError` with the answers of both rows if there are two, and `UnreadableError`.
    """
    row_answers = []
    for row in rows:
        entries: list[Mention] = []
        for names, body in _sections(reply, row, lacking, hint):
            entry_values = values(reply, names[0], body)
            entries += [_entry(name, entry_values) for name in names]
        row_answers.append(assemble_entries(entries))
    if len(row_answers) > 1:
        raise UnsureError(DASH, row_answers)
    return row_answers[0]


def _sections(
    reply: Reply, row: Sequence[Cell], lacking: Phrase, hint: Phrase
) -> Iterator[tuple[Sequence[Name], Sequence[Cell]]]:
    """Yield names with the cells after them; several names joined by "and" or an equals sign share theirs.

    Pruned nodes are left out, and so is a name with only a sign such as `=` after it.
    """
    starts = [(index, cell) for index, cell in enumerate(row) if isinstance(cell, Name)]
    before = row[: starts[0][0]] if starts else row
    numbers = [cell.place for cell in before if isinstance(cell, Quantity)]
    if numbers:
        raise UnreadableError("this number has no label before it", numbers[0], hint)
    _check_no_denial(reply, before)
    bounds = [cell for cell in before if isinstance(cell, Sign) and cell.kind in _BOUNDS]
    if bounds and bounds[0].kind == "BETA":  # columns the other way round
        raise UnreadableError(MISPLACED, bounds[0].place, hint, word=reply.clip(bounds[0].place))
    if not starts:
        raise UnreadableError("the answer does not name any node", row[0].place if row else 0, hint)
    names: list[Name] = []
    for (begin, name), after in zip_longest(starts, starts[1:]):
        names.append(name)
        body = row[begin + 1 : after[0] if after else len(row)]
        if any(isinstance(cell, Quantity) for cell in body):
            _check_no_denial(reply, body)
            yield names, body
            names = []
            continue
        signs = [cell.kind for cell in body if isinstance(cell, Sign) and cell.kind not in _BRACKETS]
        parted = after is None or "\n" in reply.text[name.place : after[1].place] or signs[-1:] in _PARTING
        if _DENYING & {*signs} or (parted and _LINKING & {*signs}):
            names = []
        elif after is None or signs[-1:] not in _JOINING or _BOUNDS & {*signs}:
            raise UnreadableError(lacking, name.place, hint, name=reply.clip(name.place))


_BRACKETS = (*OPENING, *CLOSING)
_BOUNDS = {"ALPHA", "BETA"}
_DENYING = {"CUT", "BLANK"}
_LINKING = {*LINKS} - {"BAR"}
_JOINING = (["AND"], ["EQUALS"])
_PARTING = (["COMMA"], ["SEMICOLON"], ["DOT"])
"""The last signs behind a name that join it with the next one, or part it from that."""


def _check_no_denial(reply: Reply, body: Sequence[Cell]) -> None:
    """Raise `UnreadableError` for a word such as `pruned` next to numbers, which it contradicts."""
    for cell in body:
        if isinstance(cell, Sign) and cell.kind in _DENYING:
            raise UnreadableError(
                "{word} makes it unclear whether the numbers next to it are part of the answer",
                cell.place,
                "write only the numbers, or none for this node",
                word=reply.clip(cell.place),
            )


def _entry(name: Name, values: Sequence[Any]) -> Mention:
    """Return the entry of one name; several values are contradictory readings."""
    readings = [(node, values[0]) for node in name.nodes] + [(name.nodes[0], value) for value in values[1:]]
    return Mention(tuple(readings), name.place, name.why or _TWO_HERE)
