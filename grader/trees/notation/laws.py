"""The laws of every tree, whether typed, imported or generated."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from grader.base.numbers import (
    MAX_NUMERAL_DIGITS,
    NUMERAL_LIMIT,
    Number,
    NumeralError,
    format_count,
    normalize_number,
    read_number,
    write_number,
)
from grader.base.safe_text import CONTROL, skeleton, unsafe_places
from grader.trees.annotations import Attributes
from grader.trees.rules import RulesError
from grader.trees.tree import MAX_SUPPORTED_LEAVES, MAX_SUPPORTED_PLIES, Claim, Payoff, Player, Tree

T = TypeVar("T")

TWO_SIDES = frozenset((Player.MAX, Player.MIN))

TOO_DEEP = f"the tree is deeper than {MAX_SUPPORTED_PLIES} plies"
TOO_MANY_LEAVES = f"the tree has more than {MAX_SUPPORTED_LEAVES:,} leaves"
CLAIM_AT_LEAF = "a value is claimed at a leaf"
VISITS = "n needs a whole number of visits, 0 or more"
UNSAFE_HINT = "remove it; it may have been pasted with the text"

MAX_PAYOFF_FAULTS = 50
"""Stop looking for payoffs of the wrong kind after this many: a text with one has them everywhere."""

_TEXTS = frozenset(("title", "source"))


@dataclass(frozen=True, slots=True)
class LawViolation:
    """A violation of a law at a node; an empty hint means the usual one of its code."""

    node: int
    code: str
    message: str
    hint: str = ""


def tree_violations(tree: Tree) -> tuple[LawViolation, ...]:
    """Return all violations in a tree, in the order of its nodes.

    Never raises if the columns are aligned, there is a root, and every other node comes after its parent.
    """
    laws = (_size, _shape, _names, _chance, _payoffs, _annotations, _words, _header)
    return tuple(sorted((fault for law in laws for fault in law(tree)), key=lambda fault: fault.node))


def number_fault(value: Number) -> str | None:
    """Return why a number is too long to be written, or None; see `MAX_NUMERAL_DIGITS`."""
    if type(value) is int and -NUMERAL_LIMIT < value < NUMERAL_LIMIT:
        return None
    if isinstance(value, Fraction) and abs(value.numerator) < 10**9 and value.denominator < 10**9:
        return None
    try:
        is_equal = read_number(write_number(value)) == value
    except NumeralError as error:
        return str(error)
    return None if is_equal else f"has more than {MAX_NUMERAL_DIGITS} digits"


def _entries(column: tuple[T | None, ...]) -> Iterator[tuple[int, T]]:
    """Yield the nodes that have an entry in a column, with their entries."""
    if column.count(None) < len(column):
        for node, entry in enumerate(column):
            if entry is not None:
                yield node, entry


def _size(tree: Tree) -> Iterator[LawViolation]:
    """Check the limits of plies and leaves."""
    if len(tree) > MAX_SUPPORTED_PLIES and max(tree.depths) > MAX_SUPPORTED_PLIES:
        yield LawViolation(tree.depths.index(MAX_SUPPORTED_PLIES + 1), "too-deep", TOO_DEEP)
    if tree.players.count(None) > MAX_SUPPORTED_LEAVES:
        yield LawViolation(0, "too-many-leaves", TOO_MANY_LEAVES)


def empty_node(node: int, title: str) -> LawViolation:
    """Return the violation of an internal node without children."""
    hint = f"write them in brackets after it, {title} (3 12 8), or on deeper lines below it"
    return LawViolation(node, "empty-node", f"{title} has no children", hint)


def _shape(tree: Tree) -> Iterator[LawViolation]:
    """Check that internal nodes have children, and leaves have none."""
    players, parents = tree.players, tree.parents
    last = len(tree) - 1
    # In preorder the first child directly follows its parent.
    for node, player in enumerate(players):
        followed = node < last and parents[node + 1] == node
        if followed is (player is None):
            if followed:
                yield LawViolation(node, "leaf-with-children", "a leaf has children")
            else:
                yield empty_node(node, internal_node_title(tree, node))


def internal_node_title(tree: Tree, node: int) -> str:
    """Return the title of an internal node in messages: its player and its given name."""
    player, name = tree.players[node], tree.given[node]
    return str(player) if name is None else f"{player} {name}"


def _names(tree: Tree) -> Iterator[LawViolation]:
    """Check that given names are unique, and look different too."""
    given = dict(_entries(tree.given))
    skeletons = {
        node: name if name.isalnum() and name.isascii() else skeleton(name) for node, name in given.items()
    }
    if len(set(skeletons.values())) == len(given):
        return
    first_names: dict[str, str] = {}
    for node, name in given.items():
        if skeletons[node] in first_names:
            is_equal = first_names[skeletons[node]] == name
            problem = "is given to two nodes" if is_equal else "looks like that of another node"
            yield LawViolation(node, "name-twice", f"the name {name} {problem}")
        first_names.setdefault(skeletons[node], name)


def _chance(tree: Tree) -> Iterator[LawViolation]:
    """Check that probabilities are below chance nodes only, all or none, not negative, and sum to 1."""
    given: Iterator[tuple[int, Number]] = _entries(tree.probabilities)
    for node, share in given:
        parent = tree.parents[node]
        if parent < 0 or tree.players[parent] is not Player.CHANCE:
            yield misplaced_probability(node, write_number(share))
    if tree.has_chance:
        for node, player in enumerate(tree.players):
            if player is Player.CHANCE and tree.children[node]:
                yield from _probabilities(tree, node)


def misplaced_probability(node: int, share: str) -> LawViolation:
    """Return the violation of a probability, in its written form, that is not below a chance node."""
    wrong = f"{share}: is a probability, but the node above is not a chance node"
    return LawViolation(node, "probability-place", wrong, f'a move called {share} goes in quotes: "{share}":')


def _probabilities(tree: Tree, node: int) -> Iterator[LawViolation]:
    """Check the probabilities at one chance node."""
    shares = {child: tree.probabilities[child] for child in tree.children[node]}
    given = [share for share in shares.values() if share is not None]
    for child, share in shares.items():
        if share is not None and share < 0:
            yield LawViolation(child, "probability-negative", "a probability is negative")
    if missing := len(shares) - len(given):
        child = next(child for child, share in shares.items() if share is None)
        verb = "has" if missing == 1 else "have"
        title = internal_node_title(tree, node)
        wrong = f"{missing} of the {len(shares)} branches of {title} {verb} no probability"
        yield LawViolation(child, "probability-missing", wrong)
    elif min(given) >= 0 and (total := normalize_number(sum(given, Fraction()))) != 1:
        wrong = (
            f"the probabilities at {internal_node_title(tree, node)} sum to {write_number(total)}, not to 1"
        )
        yield LawViolation(node, "probability-sum", wrong, _sum_hint(total))


def _sum_hint(total: Number) -> str:
    """Return the hint for probabilities that do not sum to 1."""
    if total == 100:
        return "percentages need their sign: 50%:"
    rest = write_number(normalize_number(abs(1 - Fraction(total))))
    return f"{rest} is {'missing' if total < 1 else 'too much'}; write thirds as 1/3, not as 0.33"


def _payoffs(tree: Tree) -> Iterator[LawViolation]:
    """Check that players, kinds of payoffs and lengths of vectors go together."""
    movers = tree.movers - {Player.CHANCE}
    seats = [player.seat for player in movers if player.seat is not None]
    if not seats and tuple not in set(map(type, tree.payoffs)):
        return
    if seats and movers & TWO_SIDES:
        first, *others = ((node, player) for node, player in _entries(tree.players) if player in movers)
        has_seats = first[1].seat is not None
        odd, other = next((node, player) for node, player in others if (player.seat is not None) != has_seats)
        yield LawViolation(odd, "players-mixed", f"{other} does not go with {first[1]}")
        return
    has_seats = not movers & TWO_SIDES
    length = fault_count = 0
    for leaf in tree.leaves:
        payoff = tree.payoffs[leaf]
        if isinstance(payoff, tuple) is not has_seats:
            yield _wrong_kind(leaf, payoff)
            fault_count += 1
            if fault_count > MAX_PAYOFF_FAULTS:
                return
        elif isinstance(payoff, tuple):
            if message := _length_fault(len(payoff), length, max(seats, default=0) + 1):
                yield LawViolation(leaf, "vector-length", message)
                fault_count += 1
            length = length or len(payoff)


def _wrong_kind(leaf: int, payoff: Payoff | None) -> LawViolation:
    """Return the violation of a number instead of a vector, or of a vector instead of a number."""
    if isinstance(payoff, tuple):
        hint = "write one number, or name the players P1, P2, ..."
        return LawViolation(leaf, "payoff-kind", "a vector of payoffs in a game of MAX and MIN", hint)
    wrong = "a plain number in a game of several players"
    if isinstance(payoff, str):
        wrong = f"{payoff} is an unknown payoff, which a game of several players cannot have"
    return LawViolation(leaf, "payoff-kind", wrong)


def _length_fault(numbers: int, first: int, seats: int) -> str | None:
    """Return the fault in the length of a payoff vector, if any; `first` is the first length, or 0."""
    size = f"{numbers} number{'s' * (numbers > 1)}"
    if first:
        return f"this vector has {size}, the first one has {first}" if numbers != first else None
    if numbers < seats:
        return f"P{seats} plays, but this vector has only {size}"
    return None if 2 <= numbers <= 9 else f"this vector has {size}"


def _annotations(tree: Tree) -> Iterator[LawViolation]:
    """Check that claims are at internal nodes and fit the payoffs; check attributes."""
    for node, claim in _entries(tree.claims):
        if tree.players[node] is None:
            yield LawViolation(node, "claim-at-leaf", CLAIM_AT_LEAF)
        elif wrong := _claim_fault(claim, tree.seats):
            yield LawViolation(node, "claim-kind", wrong)
        else:
            yield from _number(node, claim.value, "the claimed value")
    for node, attributes in _entries(tree.attributes):
        yield from _attributes(node, attributes)


def _claim_fault(claim: Claim, seats: int) -> str | None:
    """Return why a claim does not fit payoffs with `seats` numbers, if so; 0 means plain numbers."""
    if not isinstance(claim.value, tuple):
        return "a number is claimed, but the payoffs are vectors" if seats else None
    if seats == 0:
        return "a vector is claimed, but the payoffs are numbers"
    if len(claim.value) != seats:
        return f"the claimed vector has {format_count(len(claim.value), 'number')}, the payoffs have {seats}"
    return None if claim.relation == "=" else f"a vector cannot be claimed with {claim.relation}"


def _attributes(node: int, attributes: Attributes) -> Iterator[LawViolation]:
    """Check the attributes of one node."""
    visits = attributes.visits
    if visits is not None and (type(visits) is not int or visits < 0):
        yield LawViolation(node, "attribute-value", VISITS)
    for value in attributes.by_key.values():
        yield from _number(node, value, "an attribute")


def _number(node: int, value: object, subject: str) -> Iterator[LawViolation]:
    """Check the size of a number, or of the numbers of a vector."""
    for number in value if isinstance(value, tuple) else (value,):
        if isinstance(number, int | Fraction) and (reason := number_fault(number)) is not None:
            yield LawViolation(
                node, "bad-number", f"{subject} {reason}", f"numbers have at most {MAX_NUMERAL_DIGITS} digits"
            )


def _words(tree: Tree) -> Iterator[LawViolation]:
    """Check that names, moves and unknowns are printable and not empty, and the size of numbers."""
    for node, payoff in enumerate(tree.payoffs):
        if payoff is None or (type(payoff) is int and -NUMERAL_LIMIT < payoff < NUMERAL_LIMIT):
            continue
        if isinstance(payoff, str):
            yield from _word(node, payoff, "an unknown payoff")
        else:
            yield from _number(node, payoff, "a payoff")
    for column, subject in ((tree.given, "a name"), (tree.moves, "a move label")):
        for node, word in _entries(column):
            if not word or not word.isascii() or not word.isprintable():  # rare
                yield from _word(node, word, subject)
    for node, share in _entries(tree.probabilities):
        yield from _number(node, share, "a probability")


def _word(node: int, word: str, subject: str) -> Iterator[LawViolation]:
    """Check a name, a move label or the word of an unknown."""
    if not word:
        yield LawViolation(
            node, "bad-name", f"{subject} is empty", "write at least one character between the quotes"
        )
    yield from _unsafe(node, "bad-name", word, subject)


def _unsafe(node: int, code: str, words: str, subject: str) -> Iterator[LawViolation]:
    """Check the characters of a name or title; `code` is for one that cannot be printed."""
    place = next(unsafe_places(words), None)
    if place is not None:
        printed = CONTROL.match(words[place]) is None
        message = unsafe_character(words[place], subject)
        yield LawViolation(node, "unsafe-character" if printed else code, message, UNSAFE_HINT)


def unsafe_character(sign: str, subject: str) -> str:
    """Return the message about an unsafe character."""
    problem = "cannot be printed" if CONTROL.match(sign) else "is invisible, or hides others"
    return f"{subject} contains the character U+{ord(sign):04X}, which {problem}"


def _header(tree: Tree) -> Iterator[LawViolation]:
    """Check that the rules in the header go together, and the size of its numbers."""
    values = tree.header.by_key
    if values.keys() - _TEXTS:
        try:
            tree.rules()
        except RulesError as error:
            yield LawViolation(0, "rules-clash", str(error))
    for name, value in values.items():
        if name in _TEXTS:
            yield from _unsafe(0, "header-value", value, "a title")
        else:
            yield from _number(0, value, "a number in the header")
