"""One number for each player: `<1, 2, 6>`."""

import re
from fractions import Fraction

from grader.answers.boxes import reply_box
from grader.answers.canonical import CanonicalError, numeral_at, only_if_written
from grader.answers.form import Ambiguous, Credit, Form, Item, Malformed, Room, Terms, Verdict
from grader.answers.number_rows import CLOSING, OPENING, Quantity, Sign, cells, rows
from grader.answers.numeral import Numeral, agrees, write_numeral
from grader.answers.reply import Reply, UnreadableError, UnsureError, read_reply
from grader.base.phrases import Phrase
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
            raise UnreadableError(
                f"{reply.clip(place)} does not fit here", place, "write one number for each player"
            )
        elif not (token.type in _LINKS and players):
            plain.append(token)
    row, _ = cells(reply, plain, (), "sign")
    kept = [cell for cell in row if not (isinstance(cell, Sign) and cell.kind in (*OPENING, *CLOSING))]
    if not any(isinstance(cell, Quantity) for cell in kept):
        raise UnreadableError("there is no number here", 0, "write one number for each player: <1, 2, 6>")
    seats = reply.tree.seats
    if len(kept) > 4 * SEATS:
        raise UnreadableError(f"these are more numbers than {SEATS} players have", kept[4 * SEATS].place)
    found = [
        tuple(number for number in way if isinstance(number, Numeral))
        for way in rows(kept)
        if not seats or len(way) == seats
    ]
    if not found:
        raise UnreadableError(
            f"this is not {seats} numbers",
            0,
            f"write {seats} numbers, one for each player: <{', '.join(['0'] * seats)}>",
        )
    if players:
        found = [_seated(way, players, reply) for way in found]
    if len(found) > 1:
        raise UnsureError("a fraction may stand alone or belong to the number before it", found)
    return found[0]


def _seated(numbers: Vector, players: list[int], reply: Reply) -> Vector:
    """The numbers in the order of the players that were named."""
    if sorted(players) != list(range(1, len(numbers) + 1)):
        raise UnreadableError(
            "not every player has one number", 0, f"{len(numbers)} numbers for {reply.clip(0)}"
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
