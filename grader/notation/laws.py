"""The laws every tree keeps, whichever way it came in."""

from dataclasses import dataclass, replace
from fractions import Fraction

from grader.base.numbers import DIGITS, Number, NumeralError, exact, read_number, write_number
from grader.base.safe_text import CONTROL, skeleton, unsafe
from grader.rules import RulesError
from grader.tree import LEAVES, PLIES, Attributes, Claim, Header, Payoff, Player, Tree

TWO_SIDES = frozenset((Player.MAX, Player.MIN))

_LARGE = 10**DIGITS


@dataclass(frozen=True, slots=True)
class Fault:
    """A law that a tree breaks, and the node at which it does."""

    node: int
    code: str
    message: str
    hint: str


def faults(tree: Tree) -> tuple[Fault, ...]:
    """Everything that is wrong with a tree, in the order of its nodes; empty for a good tree.

    Never raises, however odd the record is, as long as its columns are aligned,
    it has a root, and every other node comes after its parent.
    """
    found: list[Fault] = []
    found += _size(tree)
    found += _shape(tree)
    found += _names(tree)
    found += _chance(tree)
    found += _payoffs(tree)
    found += _marks(tree)
    found += _words(tree)
    found += _header(tree.header)
    return tuple(sorted(found, key=lambda fault: fault.node))


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
    return None if same else f"has more than {DIGITS} digits"


def _size(tree: Tree) -> list[Fault]:
    """The two limits: plies and leaves."""
    found = []
    if len(tree) > PLIES:
        depths = tree.depths
        deepest = max(depths)
        if deepest > PLIES:
            found.append(too_deep(depths.index(PLIES + 1)))
    if tree.players.count(None) > LEAVES:
        found.append(too_many_leaves(0))
    return found


def too_deep(node: int) -> Fault:
    """The fault of a tree with more plies than the limit; `node` is the first one beyond it."""
    return Fault(
        node,
        "too-deep",
        f"the tree is deeper than {PLIES} plies",
        "check for opening brackets that are never closed; nothing further was read",
    )


def too_many_leaves(node: int) -> Fault:
    """The fault of a tree with more leaves than the limit."""
    return Fault(
        node,
        "too-many-leaves",
        f"the tree has more than {LEAVES:,} leaves",
        "search a part of it; nothing further was read",
    )


def empty_node(node: int, who: str) -> Fault:
    """The fault of an internal node without children."""
    return Fault(
        node,
        "empty-node",
        f"{who} has no children",
        f"write them in brackets behind it, {who} (3 12 8), or on deeper lines below it",
    )


def _shape(tree: Tree) -> list[Fault]:
    """Internal nodes have children, and nothing hangs below a leaf."""
    players, parents = tree.players, tree.parents
    last = len(tree) - 1
    found = [
        empty_node(node, called(tree, node))
        for node, player in enumerate(players)
        if player is not None and (node == last or parents[node + 1] != node)
    ]
    # In preorder a node's first child follows it at once, so any other child of a leaf shows there too.
    found += [
        Fault(
            node,
            "leaf-with-children",
            "a leaf has children",
            "write who moves there: MAX, MIN or CHANCE",
        )
        for node in range(last)
        if players[node] is None and parents[node + 1] == node
    ]
    return found


def called(tree: Tree, node: int) -> str:
    """What to call an internal node in a message: its player and its given name."""
    player, name = tree.players[node], tree.given[node]
    return str(player) if name is None else f"{player} {name}"


def _names(tree: Tree) -> list[Fault]:
    """Given names are unique, for the eye too."""
    given = [name for name in tree.given if name is not None]
    if len({name if name.isalnum() and name.isascii() else skeleton(name) for name in given}) == len(given):
        return []
    found = []
    seen: dict[str, str] = {}
    for node, name in enumerate(tree.given):
        if name is None:
            continue
        looks = skeleton(name)
        if looks in seen:
            same = seen[looks] == name
            found.append(
                Fault(
                    node,
                    "name-twice",
                    f"the name {name} is given to two nodes"
                    if same
                    else f"the name {name} looks like that of another node",
                    "give one of them another name; a leaf may also stay without one",
                )
            )
        seen.setdefault(looks, name)
    return found


def _chance(tree: Tree) -> list[Fault]:
    """Probabilities stand below chance nodes only, all or none, not negative, and sum to 1."""
    found = []
    probabilities = tree.probabilities
    chance = tree.has_chance
    if not chance and probabilities.count(None) == len(tree):
        return []
    for node in range(len(tree)):
        parent = tree.parents[node]
        share = probabilities[node]
        if share is not None and (parent < 0 or tree.players[parent] is not Player.CHANCE):
            text = write_number(share)
            found.append(
                Fault(
                    node,
                    "probability-place",
                    f"{text}: is a probability, but the node above is not a chance node",
                    f'a move called {text} goes in quotes: "{text}":',
                )
            )
        if tree.players[node] is Player.CHANCE and tree.children[node]:
            found += _shares(tree, node)
    return found


def _shares(tree: Tree, node: int) -> list[Fault]:
    """The probabilities at one chance node."""
    children = tree.children[node]
    shares = [tree.probabilities[child] for child in children]
    given = [share for share in shares if share is not None]
    found = [
        Fault(
            child,
            "probability-negative",
            "a probability is negative",
            "probabilities lie between 0 and 1",
        )
        for child, share in zip(children, shares, strict=True)
        if share is not None and share < 0
    ]
    if len(given) < len(shares):
        missing = len(shares) - len(given)
        without = next(child for child, share in zip(children, shares, strict=True) if share is None)
        found.append(
            Fault(
                without,
                "probability-missing",
                f"{missing} of the {len(shares)} branches of {called(tree, node)} "
                f"{'has' if missing == 1 else 'have'} no probability",
                "give all of them (1/2: 3, 1/2: 5), or none when they are equally likely; "
                "a move label stands before it: heads: 1/2: 3",
            )
        )
    elif not found and (total := exact(sum(given, Fraction()))) != 1:
        found.append(
            Fault(
                node,
                "probability-sum",
                f"the probabilities at {called(tree, node)} sum to {write_number(total)}, not to 1",
                _about_sum(total),
            )
        )
    return found


def _about_sum(total: Number) -> str:
    """What to do about probabilities that sum to something other than 1."""
    if total == 100:
        return "percentages carry their sign: 50%:"
    rest = write_number(exact(abs(1 - Fraction(total))))
    return f"{rest} is {'missing' if total < 1 else 'too much'}; write thirds as 1/3, not as 0.33"


def _payoffs(tree: Tree) -> list[Fault]:
    """One kind of players, one kind of payoff, vectors of one length."""
    moving = set(tree.players)
    moving.discard(None)
    seats = [player.seat for player in moving if player is not None and player.seat is not None]
    payoffs = tree.payoffs
    if not seats and not any(type(payoff) is tuple for payoff in payoffs):
        return []
    found = []
    several = bool(seats)
    if seats and not moving.isdisjoint(TWO_SIDES):
        first = next(
            player for player in tree.players if player in TWO_SIDES or (player and player.seat is not None)
        )
        several = first.seat is not None
        odd = next(
            node
            for node, player in enumerate(tree.players)
            if player is not None and player is not Player.CHANCE and (player.seat is not None) is not several
        )
        return [
            Fault(
                odd,
                "players-mixed",
                f"{tree.players[odd]} does not go with {first}",
                "a tree is a game of MAX and MIN or a game of P1, P2, ... P9, not both",
            )
        ]
    if not seats and moving.isdisjoint(TWO_SIDES):
        several = True
    length = 0
    for leaf in tree.leaves:
        payoff = payoffs[leaf]
        if isinstance(payoff, tuple) is not several:
            found.append(_wrong_kind(leaf, payoff, several))
            if len(found) > 50:
                break
        elif isinstance(payoff, tuple):
            found += _vector(leaf, payoff, length, max(seats, default=0) + 1)
            length = length or len(payoff)
    return found


def _wrong_kind(leaf: int, payoff: Payoff | None, several: bool) -> Fault:
    """A number where a vector is needed, or the other way round."""
    if not several:
        return Fault(
            leaf,
            "payoff-kind",
            "a vector of payoffs in a game of MAX and MIN",
            "write one number, or name the players P1, P2, ...",
        )
    if isinstance(payoff, str):
        return Fault(
            leaf,
            "payoff-kind",
            f"{payoff} is an unknown payoff, which a game of several players cannot have",
            "write a vector with one number for each player, such as <1, 2>",
        )
    return Fault(
        leaf,
        "payoff-kind",
        "a plain number in a game of several players",
        "write a vector with one number for each player, such as <1, 2>",
    )


def _vector(leaf: int, payoff: tuple[Number, ...], length: int, seats: int) -> list[Fault]:
    """The length of one payoff vector; `length` is that of the first one, or 0."""
    if length and len(payoff) == length:
        return []
    wrong = None
    if length:
        wrong = f"this vector has {len(payoff)} numbers, the first one has {length}"
    elif len(payoff) < seats:
        wrong = f"P{seats} plays, but this vector has only {len(payoff)} number{'s' * (len(payoff) > 1)}"
    elif not 2 <= len(payoff) <= 9:
        wrong = f"this vector has {len(payoff)} number{'s' * (len(payoff) > 1)}"
    if wrong is None:
        return []
    return [Fault(leaf, "vector-length", wrong, "every vector has one number for each of the 2 to 9 players")]


def _marks(tree: Tree) -> list[Fault]:
    """Claims stand at internal nodes and are of the kind of the payoffs; attributes hold what they should."""
    found = []
    if tree.claims.count(None) < len(tree):
        for node, claim in enumerate(tree.claims):
            if claim is not None:
                found += _claim(tree, node, claim)
    if tree.attributes.count(None) < len(tree):
        for node, attributes in enumerate(tree.attributes):
            if attributes is not None:
                found += _attributes(node, attributes)
    return found


def claim_at_leaf(node: int) -> Fault:
    """The fault of a claim at a leaf."""
    return Fault(
        node,
        "claim-at-leaf",
        "a value is claimed at a leaf",
        "a leaf's payoff is its value: 3, or with a name e=3; claims stand at MAX, MIN and CHANCE nodes",
    )


def _claim(tree: Tree, node: int, claim: Claim) -> list[Fault]:
    """What is wrong with one claim."""
    if tree.players[node] is None:
        return [claim_at_leaf(node)]
    wrong = None
    if isinstance(claim.value, tuple):
        if tree.seats == 0:
            wrong = "a vector is claimed, but the payoffs are numbers"
        elif len(claim.value) != tree.seats:
            wrong = f"the claimed vector has {len(claim.value)} numbers, the payoffs have {tree.seats}"
        elif claim.relation != "=":
            wrong = f"a vector cannot be claimed with {claim.relation}"
    elif tree.seats:
        wrong = "a number is claimed, but the payoffs are vectors"
    if wrong is None:
        return _number(node, claim.value, "the claimed value")
    return [
        Fault(
            node,
            "claim-kind",
            wrong,
            "claim what the node is worth: =3, or =<1, 2> in a game of several players",
        )
    ]


def _attributes(node: int, attributes: Attributes) -> list[Fault]:
    """What is wrong with the attributes of one node."""
    found = []
    if attributes.visits is not None and (type(attributes.visits) is not int or attributes.visits < 0):
        found.append(attribute_value(node, "n", "a whole number of visits, 0 or more"))
    for value in (attributes.evaluation, attributes.visits, attributes.wins, *(attributes.features or ())):
        if value is not None:
            found += _number(node, value, "an attribute")
    return found


def attribute_value(node: int, key: str, wanted: str) -> Fault:
    """The fault of an attribute with a value of the wrong kind."""
    return Fault(
        node,
        "attribute-value",
        f"{key} needs {wanted}",
        "attributes are written {eval=4, f=[2, -1], n=10, w=6}",
    )


def _number(node: int, value: object, what: str) -> list[Fault]:
    """What is wrong with the size of a number, or of the numbers of a vector."""
    numbers = value if isinstance(value, tuple) else (value,)
    return [
        Fault(node, "bad-number", f"{what} {reason}", f"numbers have at most {DIGITS} digits")
        for number in numbers
        if isinstance(number, int | Fraction) and (reason := number_fault(number)) is not None
    ]


def _words(tree: Tree) -> list[Fault]:
    """Names, moves and unknowns can be printed and are not empty; numbers can be written."""
    found = []
    for node, payoff in enumerate(tree.payoffs):
        if type(payoff) is int and -_LARGE < payoff < _LARGE:
            continue
        if isinstance(payoff, str):
            found += _word(node, payoff, "an unknown payoff")
        elif payoff is not None:
            found += _number(node, payoff, "a payoff")
    for column, what in ((tree.given, "a name"), (tree.moves, "a move label")):
        if column.count(None) < len(column):
            for node, word in enumerate(column):
                if word is not None:
                    found += _word(node, word, what)
    for node, share in enumerate(tree.probabilities):
        if share is not None:
            found += _number(node, share, "a probability")
    return found


def _word(node: int, word: str, what: str) -> list[Fault]:
    """What is wrong with a name, a move label or the word of an unknown."""
    if not word:
        return [
            Fault(node, "bad-name", f"{what} is empty", "write at least one character between the quotes")
        ]
    return _unsafe(node, "bad-name", word, what)


def _unsafe(node: int, code: str, words: str, what: str) -> list[Fault]:
    """What is wrong with the characters of a name or title; `code` is for one that cannot be printed."""
    place = next(unsafe(words), None)
    if place is None:
        return []
    fault = unsafe_character(node, words[place], what)
    return [replace(fault, code=code) if CONTROL.match(words[place]) else fault]


def unsafe_character(node: int, sign: str, what: str) -> Fault:
    """The fault of a text with a character that cannot be printed, is not seen, or turns others around."""
    control = CONTROL.match(sign) is not None
    why = "cannot be printed" if control else "hides, or hides what is written"
    return Fault(
        node,
        "control-character" if control else "unsafe-character",
        f"{what} holds the character U+{ord(sign):04X}, which {why}",
        "take it away; it was perhaps pasted with the text",
    )


def _header(header: Header) -> list[Fault]:
    """What is wrong with the header: its rules must go together, its numbers be of writable size."""
    found = []
    try:
        Tree((), (), (), (), (), (), (), (), (), header).rules()
    except RulesError as error:
        found.append(rules_clash(str(error)))
    for title in (header.title, header.source):
        found += _unsafe(0, "header-value", title or "", "a title")
    for value in (*(header.bounds or ()), *(header.weights or ()), header.depth):
        if value is not None:
            found += _number(0, value, "a number in the header")
    return found


def rules_clash(reason: str) -> Fault:
    """The fault of a header whose rules do not go together."""
    return Fault(0, "rules-clash", reason, "change one of the header lines")
