"""One number for each player: `<1, 2, 6>`."""

import re
from collections.abc import Sequence
from itertools import zip_longest

from grader.answers.box_blanks import reply_box_codec
from grader.answers.canonical import CanonicalError, read_numeral
from grader.answers.entry_forms import compare_entries
from grader.answers.form import Ambiguous, AnswerSpace, Form, Item, Malformed, Terms
from grader.answers.node_entries import (
    CLOSING,
    FRACTION,
    NAMES,
    OPENING,
    ROW_KINDS,
    Cell,
    Quantity,
    Sign,
    number_readings,
    reply_cells,
)
from grader.answers.numeral import Numeral, could_be_equal, matches_key, write_numeral
from grader.answers.reply import Reply, UnreadableError, UnsureError
from grader.answers.reply_reading import read_reply
from grader.answers.reply_tokens import SPELLED, Token
from grader.base.phrases import BoundPhrase, Phrase, plural_phrase
from grader.trees.tree import Tree

NumeralVector = tuple[Numeral, ...]
"""One number for each player, first player first."""

MAX_VECTOR_PLAYERS = 9
"""The most players of a game."""

_PLAYER = re.compile(r"p(?:layer)?[ _]?([1-9])", re.IGNORECASE)
_BEFORE_BRACKET = re.compile(r"=(?=<[^<>]*>)")
"""What makes a bracket look like a bound: `A=<1, 2>`."""

NO_NUMBERS = (*SPELLED, "ORDINAL", "BAR", "HASH", "INF")
VECTOR_KINDS = ROW_KINDS | {"LT", "GT"}
_LINKS = ("EQUALS", "COLON", "ARROW")


def _read(reply: Reply) -> NumeralVector:
    """Read as many numbers as the tree has players, in any brackets; `P1=1, P2=2` is fine too."""
    tokens = reply.row(VECTOR_KINDS, valued=True)
    players: list[int] = []
    plain = []
    for token, after in zip_longest(tokens, tokens[1:]):
        player = _PLAYER.fullmatch(token) if token.type == "WORD" else None
        if player is not None:
            players.append(int(player[1]))
        elif token == "|" or _names_the_root(reply, token, after):
            continue
        elif token.type in NO_NUMBERS:
            raise reply.misplaced(token, hint=Phrase("write one number for each player"))
        elif not (token.type in _LINKS and players):
            plain.append(token)
    seats = reply.tree.seats
    cells, vectors = read_number_row(reply, plain, seats)
    if not any(isinstance(cell, Quantity) for cell in cells):
        raise UnreadableError("there is no number here", 0, "write one number for each player: <1, 2, 6>")
    if len(cells) > 4 * MAX_VECTOR_PLAYERS:
        message = Phrase("there are more numbers here than players ({seats})")
        raise UnreadableError(message, cells[4 * MAX_VECTOR_PLAYERS].place, seats=MAX_VECTOR_PLAYERS)
    if not vectors:
        short = plural_phrase(
            "the answer must contain {count} number", "the answer must contain {count} numbers"
        )
        hint = plural_phrase(
            "write {count} number, one for each player: {example}",
            "write {count} numbers, one for each player: {example}",
        )
        raise UnreadableError(
            BoundPhrase(*short, seats), 0, BoundPhrase(*hint, seats, example=f"<{', '.join('0' * seats)}>")
        )
    if players:
        vectors = [_seated(vector, players, reply) for vector in vectors]
    if len(vectors) > 1:
        raise UnsureError(FRACTION, vectors)
    return vectors[0]


def _names_the_root(reply: Reply, token: Token, after: Token | None) -> bool:
    """Return whether a token names the root before its vector; a number only before a link or a bracket."""
    if token.type not in NAMES or 0 not in reply.nodes(token):
        return False
    return token.type != "NUMERAL" or (after is not None and after.type in (*_LINKS, *OPENING))


def read_number_row(
    reply: Reply, tokens: Sequence[Token], count: int
) -> tuple[list[Cell], list[NumeralVector]]:
    """Return the cells of a row without brackets, and its readings as `count` numbers.

    With 0 there may be any number of them.
    """
    row = reply_cells(reply, tokens)[-1]
    cells = [cell for cell in row if not (isinstance(cell, Sign) and cell.kind in (*OPENING, *CLOSING))]
    readings = [reading for reading in number_readings(cells) if not count or len(reading) == count]
    return cells, [tuple(number for number in reading if isinstance(number, Numeral)) for reading in readings]


def _seated(numbers: NumeralVector, players: list[int], reply: Reply) -> NumeralVector:
    """The numbers in the order of the players that were named.

    Raises `UnreadableError` unless each player is named once.
    """
    if sorted(players) != list(range(1, len(numbers) + 1)):
        hint = plural_phrase("{count} numbers for {players}")
        raise UnreadableError(
            "each player must have exactly one number",
            0,
            BoundPhrase(*hint, len(numbers), players=reply.clip(0)),
        )
    return tuple(number for _, number in sorted(zip(players, numbers, strict=True), key=lambda pair: pair[0]))


def write(answer: NumeralVector, _tree: Tree) -> str:
    """`<1, 2, 6>`."""
    return f"<{', '.join(map(write_numeral, answer))}>"


def _parse_canonical(text: str, tree: Tree) -> NumeralVector:
    """Return the numbers of a canonical text. Raises `CanonicalError` unless every player has one."""
    answer = tuple(map(read_numeral, text[1:-1].split(", ")))
    if tree.seats and len(answer) != tree.seats:
        raise CanonicalError(f"this is not {tree.seats} numbers")
    return answer


def compare(
    reply: NumeralVector, key: NumeralVector, _tree: Tree, terms: Terms, _texts: bool
) -> tuple[Item, ...]:
    """An item for each player."""
    items = compare_numbers(range(max(len(reply), len(key))), reply, key, terms)
    return tuple(item._replace(node=None) for item in items)


def compare_numbers(
    places: Sequence[int], reply: NumeralVector, key: NumeralVector, terms: Terms
) -> tuple[Item, ...]:
    """Number by number, each at its place; rounded decimals count as in a single number."""
    return compare_entries(
        tuple(zip(places, reply, strict=False)),
        tuple(zip(places, key, strict=False)),
        lambda typed, right: matches_key(typed, right, terms.digits),
        lambda _place, number: write_numeral(number),
    )


def read(text: str, tree: Tree, terms: Terms) -> NumeralVector | Malformed | Ambiguous:
    """Read a reply."""
    text = _BEFORE_BRACKET.sub(" ", text)
    return read_reply(text, tree, terms, read=_read, write=write, commas="either")


def distance(reply: NumeralVector, other: NumeralVector) -> int:
    """In how many components the two differ."""
    differing = sum(not could_be_equal(one, two) for one, two in zip(reply, other, strict=False))
    return differing + abs(len(reply) - len(other))


ASK = Phrase("Write one number for each player, starting with the first.")
EXAMPLE = "<1, 2, 6>"

VECTOR: Form[NumeralVector] = Form(
    name="vector",
    ask=ASK,
    example=EXAMPLE,
    read=read,
    write=write,
    parse_canonical=_parse_canonical,
    compare=compare,
    distance=distance,
    marking_rule=Phrase("Every number must be correct."),
    answer_space=AnswerSpace("short"),
    blank_codec=reply_box_codec(ASK, EXAMPLE, write),
    screen_keys=("<", ",", ">"),
)
