"""The laws every tree keeps, whichever way it came in."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from grader.base.numbers import (
    MAX_NUMERAL_DIGITS,
    Number,
    NumeralError,
    normalize_number,
    read_number,
    write_number,
)
from grader.base.safe_text import CONTROL, skeleton, unsafe_places
from grader.trees.rules import RulesError
from grader.trees.tree import (
    MAX_SUPPORTED_LEAVES,
    MAX_SUPPORTED_PLIES,
    Attributes,
    Claim,
    Payoff,
    Player,
    Tree,
)

T = TypeVar("T")

TWO_SIDES = frozenset((Player.MAX, Player.MIN))

TOO_DEEP = f"the tree is deeper than {MAX_SUPPORTED_PLIES} plies"
TOO_MANY_LEAVES = f"the tree has more than {MAX_SUPPORTED_LEAVES:,} leaves"
CLAIM_AT_LEAF = "a value is claimed at a leaf"
VISITS = "n needs a whole number of visits, 0 or more"
UNSAFE_HINT = "take it away; it was perhaps pasted with the text"

_LARGE = 10**MAX_NUMERAL_DIGITS
_TEXTS = frozenset(("title", "source"))


@dataclass(frozen=True, slots=True)
class LawViolation:
    """A law that a tree breaks, and the node at which it does; an empty hint is the usual one of its code."""

    node: int
    code: str
    message: str
    hint: str = ""


def tree_violations(tree: Tree) -> tuple[LawViolation, ...]:
    """Everything that is wrong with a tree, in the order of its nodes; empty for a good tree.

    Never raises, however odd the record is, as long as its columns are aligned,
    it has a root, and every other node comes after its parent.
    """
    laws = (_size, _shape, _names, _chance, _payoffs, _marks, _words, _header)
    return tuple(sorted((fault for law in laws for fault in law(tree)), key=lambda fault: fault.node))


def number_fault(value: Number) -> str | None:
    """Why a number is too long to be written, or None: 30 digits and an exponent of 30 are the limits."""
    if type(value) is int and -_LARGE < value < _LARGE:
        return None
    if isinstance(value, Fraction) and abs(value.numerator) < 10**9 and value.denominator < 10**9:
        return None
    try:
        same = read_number(write_number(value)) == value
    except NumeralError as error:
        return str(error)
    return None if same else f"has more than {MAX_NUMERAL_DIGITS} digits"


def _entries(column: tuple[T | None, ...]) -> Iterator[tuple[int, T]]:
    """The nodes that have an entry in a column of the tree, with their entries."""
    if column.count(None) < len(column):
        for node, entry in enumerate(column):
            if entry is not None:
                yield node, entry


def _size(tree: Tree) -> Iterator[LawViolation]:
    """The two limits: plies and leaves."""
    if len(tree) > MAX_SUPPORTED_PLIES and max(tree.depths) > MAX_SUPPORTED_PLIES:
        yield LawViolation(tree.depths.index(MAX_SUPPORTED_PLIES + 1), "too-deep", TOO_DEEP)
    if tree.players.count(None) > MAX_SUPPORTED_LEAVES:
        yield LawViolation(0, "too-many-leaves", TOO_MANY_LEAVES)


def empty_node(node: int, who: str) -> LawViolation:
    """The fault of an internal node without children."""
    hint = f"write them in brackets behind it, {who} (3 12 8), or on deeper lines below it"
    return LawViolation(node, "empty-node", f"{who} has no children", hint)


def _shape(tree: Tree) -> Iterator[LawViolation]:
    """Internal nodes have children, and nothing hangs below a leaf."""
    players, parents = tree.players, tree.parents
    last = len(tree) - 1
    # In preorder a node's first child follows it at once, so any other child of a leaf shows there too.
    for node, player in enumerate(players):
        followed = node < last and parents[node + 1] == node
        if followed is (player is None):
            if followed:
                yield LawViolation(node, "leaf-with-children", "a leaf has children")
            else:
                yield empty_node(node, node_title(tree, node))


def node_title(tree: Tree, node: int) -> str:
    """What to call an internal node in a message: its player and its given name."""
    player, name = tree.players[node], tree.given[node]
    return str(player) if name is None else f"{player} {name}"


def _names(tree: Tree) -> Iterator[LawViolation]:
    """Given names are unique, for the eye too."""
    given = dict(_entries(tree.given))
    looks = {
        node: name if name.isalnum() and name.isascii() else skeleton(name) for node, name in given.items()
    }
    if len(set(looks.values())) == len(given):
        return
    seen: dict[str, str] = {}
    for node, name in given.items():
        if looks[node] in seen:
            same = seen[looks[node]] == name
            wrong = "is given to two nodes" if same else "looks like that of another node"
            yield LawViolation(node, "name-twice", f"the name {name} {wrong}")
        seen.setdefault(looks[node], name)


def _chance(tree: Tree) -> Iterator[LawViolation]:
    """Probabilities stand below chance nodes only, all or none, not negative, and sum to 1."""
    given: Iterator[tuple[int, Number]] = _entries(tree.probabilities)
    for node, share in given:
        parent = tree.parents[node]
        if parent < 0 or tree.players[parent] is not Player.CHANCE:
            yield misplaced_probability(node, write_number(share))
    if tree.has_chance:
        for node, player in enumerate(tree.players):
            if player is Player.CHANCE and tree.children[node]:
                yield from _shares(tree, node)


def misplaced_probability(node: int, share: str) -> LawViolation:
    """The fault of a probability, as it is written, above which no chance node stands."""
    wrong = f"{share}: is a probability, but the node above is not a chance node"
    return LawViolation(node, "probability-place", wrong, f'a move called {share} goes in quotes: "{share}":')


def _shares(tree: Tree, node: int) -> Iterator[LawViolation]:
    """The probabilities at one chance node."""
    shares = {child: tree.probabilities[child] for child in tree.children[node]}
    given = [share for share in shares.values() if share is not None]
    for child, share in shares.items():
        if share is not None and share < 0:
            yield LawViolation(child, "probability-negative", "a probability is negative")
    if missing := len(shares) - len(given):
        without = next(child for child, share in shares.items() if share is None)
        have = "has" if missing == 1 else "have"
        wrong = f"{missing} of the {len(shares)} branches of {node_title(tree, node)} {have} no probability"
        yield LawViolation(without, "probability-missing", wrong)
    elif min(given) >= 0 and (total := normalize_number(sum(given, Fraction()))) != 1:
        wrong = f"the probabilities at {node_title(tree, node)} sum to {write_number(total)}, not to 1"
        yield LawViolation(node, "probability-sum", wrong, _about_sum(total))


def _about_sum(total: Number) -> str:
    """What to do about probabilities that sum to something other than 1."""
    if total == 100:
        return "percentages carry their sign: 50%:"
    rest = write_number(normalize_number(abs(1 - Fraction(total))))
    return f"{rest} is {'missing' if total < 1 else 'too much'}; write thirds as 1/3, not as 0.33"


def _payoffs(tree: Tree) -> Iterator[LawViolation]:
    """One kind of players, one kind of payoff, vectors of one length."""
    moving = tree.movers - {Player.CHANCE}
    seats = [player.seat for player in moving if player.seat is not None]
    if not seats and tuple not in set(map(type, tree.payoffs)):
        return
    if seats and moving & TWO_SIDES:
        first, *others = ((node, player) for node, player in _entries(tree.players) if player in moving)
        several = first[1].seat is not None
        odd, other = next((node, player) for node, player in others if (player.seat is not None) != several)
        yield LawViolation(odd, "players-mixed", f"{other} does not go with {first[1]}")
        return
    several = not moving & TWO_SIDES
    length = wrong = 0
    for leaf in tree.leaves:
        payoff = tree.payoffs[leaf]
        if isinstance(payoff, tuple) is not several:
            yield _wrong_kind(leaf, payoff)
            wrong += 1
            if wrong > 50:
                return
        elif isinstance(payoff, tuple):
            if reason := _about_length(len(payoff), length, max(seats, default=0) + 1):
                yield LawViolation(leaf, "vector-length", reason)
                wrong += 1
            length = length or len(payoff)


def _wrong_kind(leaf: int, payoff: Payoff | None) -> LawViolation:
    """A number where a vector is needed, or the other way round."""
    if isinstance(payoff, tuple):
        hint = "write one number, or name the players P1, P2, ..."
        return LawViolation(leaf, "payoff-kind", "a vector of payoffs in a game of MAX and MIN", hint)
    wrong = "a plain number in a game of several players"
    if isinstance(payoff, str):
        wrong = f"{payoff} is an unknown payoff, which a game of several players cannot have"
    return LawViolation(leaf, "payoff-kind", wrong)


def _about_length(numbers: int, first: int, seats: int) -> str | None:
    """What is wrong with the length of a payoff vector; `first` is that of the first one, or 0."""
    counted = f"{numbers} number{'s' * (numbers > 1)}"
    if first:
        return f"this vector has {counted}, the first one has {first}" if numbers != first else None
    if numbers < seats:
        return f"P{seats} plays, but this vector has only {counted}"
    return None if 2 <= numbers <= 9 else f"this vector has {counted}"


def _marks(tree: Tree) -> Iterator[LawViolation]:
    """Claims stand at internal nodes and are of the kind of the payoffs; attributes hold what they should."""
    for node, claim in _entries(tree.claims):
        if tree.players[node] is None:
            yield LawViolation(node, "claim-at-leaf", CLAIM_AT_LEAF)
        elif wrong := _about_claim(claim, tree.seats):
            yield LawViolation(node, "claim-kind", wrong)
        else:
            yield from _number(node, claim.value, "the claimed value")
    for node, attributes in _entries(tree.attributes):
        yield from _attributes(node, attributes)


def _about_claim(claim: Claim, seats: int) -> str | None:
    """Why a claim cannot be right or wrong where payoffs have so many numbers; 0 when they are no vectors."""
    if not isinstance(claim.value, tuple):
        return "a number is claimed, but the payoffs are vectors" if seats else None
    if seats == 0:
        return "a vector is claimed, but the payoffs are numbers"
    if len(claim.value) != seats:
        return f"the claimed vector has {len(claim.value)} numbers, the payoffs have {seats}"
    return None if claim.relation == "=" else f"a vector cannot be claimed with {claim.relation}"


def _attributes(node: int, attributes: Attributes) -> Iterator[LawViolation]:
    """What is wrong with the attributes of one node."""
    visits = attributes.visits
    if visits is not None and (type(visits) is not int or visits < 0):
        yield LawViolation(node, "attribute-value", VISITS)
    for value in attributes.by_key.values():
        yield from _number(node, value, "an attribute")


def _number(node: int, value: object, what: str) -> Iterator[LawViolation]:
    """What is wrong with the size of a number, or of the numbers of a vector."""
    for number in value if isinstance(value, tuple) else (value,):
        if isinstance(number, int | Fraction) and (reason := number_fault(number)) is not None:
            yield LawViolation(
                node, "bad-number", f"{what} {reason}", f"numbers have at most {MAX_NUMERAL_DIGITS} digits"
            )


def _words(tree: Tree) -> Iterator[LawViolation]:
    """Names, moves and unknowns can be printed and are not empty; numbers can be written."""
    for node, payoff in enumerate(tree.payoffs):
        if payoff is None or (type(payoff) is int and -_LARGE < payoff < _LARGE):
            continue
        if isinstance(payoff, str):
            yield from _word(node, payoff, "an unknown payoff")
        else:
            yield from _number(node, payoff, "a payoff")
    for column, what in ((tree.given, "a name"), (tree.moves, "a move label")):
        for node, word in _entries(column):
            if not word or not word.isascii() or not word.isprintable():  # hardly any
                yield from _word(node, word, what)
    for node, share in _entries(tree.probabilities):
        yield from _number(node, share, "a probability")


def _word(node: int, word: str, what: str) -> Iterator[LawViolation]:
    """What is wrong with a name, a move label or the word of an unknown."""
    if not word:
        yield LawViolation(
            node, "bad-name", f"{what} is empty", "write at least one character between the quotes"
        )
    yield from _unsafe(node, "bad-name", word, what)


def _unsafe(node: int, code: str, words: str, what: str) -> Iterator[LawViolation]:
    """What is wrong with the characters of a name or title; `code` is for one that cannot be printed."""
    place = next(unsafe_places(words), None)
    if place is not None:
        printed = CONTROL.match(words[place]) is None
        message = unsafe_character(words[place], what)
        yield LawViolation(node, "unsafe-character" if printed else code, message, UNSAFE_HINT)


def unsafe_character(sign: str, what: str) -> str:
    """What to say of a text with a character that cannot be printed, is not seen, or turns others around."""
    why = "cannot be printed" if CONTROL.match(sign) else "is invisible, or hides others"
    return f"{what} holds the character U+{ord(sign):04X}, which {why}"


def _header(tree: Tree) -> Iterator[LawViolation]:
    """What is wrong with the header: its rules must go together, its numbers be of writable size."""
    said = tree.header.by_key
    if said.keys() - _TEXTS:
        try:
            tree.rules()
        except RulesError as error:
            yield LawViolation(0, "rules-clash", str(error))
    for name, value in said.items():
        if name in _TEXTS:
            yield from _unsafe(0, "header-value", value, "a title")
        else:
            yield from _number(0, value, "a number in the header")
