"""One number for each player: `<1, 2, 6>`."""

import re
from fractions import Fraction

from grader.answers.boxes import reply_box
from grader.answers.canonical import CanonicalError, numeral_at, only_if_written
from grader.answers.form import Ambiguous, Credit, Form, Item, Malformed, Room, Terms, Verdict
from grader.answers.number_rows import CLOSING, FRACTION, OPENING, Quantity, Sign, cells, rows
from grader.answers.numeral import Numeral, agrees, write_numeral
from grader.answers.reply import Reply, UnreadableError, UnsureError, read_reply
from grader.base.phrases import Phrase, Saying
from grader.tree import Tree

Vector = tuple[Numeral, ...]
"""One number for each player, first player first."""

SEATS = 9
"""The most players of a game."""

_PLAYER = re.compile(r"p(?:layer)?[ _]?([1-9])", re.IGNORECASE)
_LINKS = ("EQUALS", "COLON", "ARROW")


def read(text: str, tree: Tree, terms: Terms) -> Vector | Malformed | Ambiguous:
    """Read as many numbers as the tree has players, in any brackets; `P1=1, P2=2` is fine too."""
    return read_reply(text, tree, terms, _read, write, names=False, numbers=True, lists=True)


def _read(reply: Reply) -> Vector:
    tokens = reply.parse("vector")
    players: list[int] = []
    plain = []
    for token in tokens:
        player = _PLAYER.fullmatch(token) if token.type == "WORD" else None
        if player is not None:
            players.append(int(player[1]))
        elif token.type in ("WORD", "STRING", "SPOTTED", "ORDINAL", "BAR", "HASH", "INF"):
            place = token.start_pos or 0
            hint = "write one number for each player"
            raise UnreadableError("{word} does not fit here", place, hint, word=reply.clip(place))
        elif not (token.type in _LINKS and players):
            plain.append(token)
    row = cells(reply, plain)[-1]
    kept = [cell for cell in row if not (isinstance(cell, Sign) and cell.kind in (*OPENING, *CLOSING))]
    if not any(isinstance(cell, Quantity) for cell in kept):
        raise UnreadableError("there is no number here", 0, "write one number for each player: <1, 2, 6>")
    seats = reply.tree.seats
    if len(kept) > 4 * SEATS:
        message = "these are more numbers than {seats} players have"
        raise UnreadableError(message, kept[4 * SEATS].place, seats=SEATS)
    found = [
        tuple(number for number in way if isinstance(number, Numeral))
        for way in rows(kept)
        if not seats or len(way) == seats
    ]
    if not found:
        message, hint = "this is not {count} numbers", "write {count} numbers, one for each player: {example}"
        raise UnreadableError(
            Saying(message, message, seats),
            0,
            Saying(hint, hint, seats, example=f"<{', '.join('0' * seats)}>"),
        )
    if players:
        found = [_seated(way, players, reply) for way in found]
    if len(found) > 1:
        raise UnsureError(FRACTION, found)
    return found[0]


def _seated(numbers: Vector, players: list[int], reply: Reply) -> Vector:
    """The numbers in the order of the players that were named."""
    if sorted(players) != list(range(1, len(numbers) + 1)):
        hint = "{count} numbers for {players}"
        raise UnreadableError(
            "not every player has one number", 0, Saying(hint, hint, len(numbers), players=reply.clip(0))
        )
    return tuple(number for _, number in sorted(zip(players, numbers, strict=True), key=lambda pair: pair[0]))


def write(answer: Vector, tree: Tree) -> str:
    """`<1, 2, 6>`."""
    del tree  # a vector needs no names
    return f"<{', '.join(map(write_numeral, answer))}>"


def parse(text: str, tree: Tree) -> Vector:
    """The inverse of `write`; raises `grader.answers.canonical.CanonicalError`."""
    answer = tuple(map(numeral_at, text[1:-1].split(", ")))
    if tree.seats and len(answer) != tree.seats:
        raise CanonicalError(f"this is not {tree.seats} numbers")
    return only_if_written(text, answer, tree, write)


def credit(reply: Vector, key: Vector, tree: Tree, terms: Terms, implied: Vector | None) -> Credit:
    """Full or nothing; rounded decimals count as in a single number."""
    del tree, implied  # a vector has no names and no entries below it
    items = []
    for place in range(max(len(reply), len(key))):
        said, right = reply[place : place + 1], key[place : place + 1]
        verdict: Verdict
        if not said or not right:
            verdict = "extra" if said else "missing"
        else:
            verdict = "right" if agrees(said[0], right[0], terms.digits) else "wrong"
        items.append(
            Item(None, "".join(map(write_numeral, said)), "".join(map(write_numeral, right)), verdict)
        )
    return Credit(Fraction(int(all(item.verdict == "right" for item in items))), tuple(items))


def distance(reply: Vector, other: Vector) -> int:
    """In how many components the two differ."""
    same = (agrees(one, two, 1) or agrees(two, one, 1) for one, two in zip(reply, other, strict=False))
    return sum(1 for equal in same if not equal) + abs(len(reply) - len(other))


ASK = Phrase("Write one number for each player, first player first.")
EXAMPLE = "<1, 2, 6>"

VECTOR: Form[Vector] = Form(
    name="vector",
    ask=ASK,
    example=EXAMPLE,
    read=read,
    write=write,
    parse=parse,
    credit=credit,
    distance=distance,
    guide=Phrase("Every number must be right."),
    room=Room("short"),
    blanks=reply_box(ASK, EXAMPLE, write),
)
