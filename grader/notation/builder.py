"""From the rules of the grammar to a tree: the parser calls here whenever it has recognised one."""

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from grader.base.numbers import DIGITS, Number, NumeralError, exact, read_number
from grader.notation import laws as faults
from grader.notation.diagnostics import Mistake, clipped
from grader.notation.keywords import PLAYERS, is_word, unquoted
from grader.rules import CHOICES
from grader.tree import LEAVES, PLIES, Attributes, Claim, Header, Payoff, Planting, Player, Tree, Value

if TYPE_CHECKING:
    from lark import Token

Placed: TypeAlias = "tuple[Token, tuple[Number, ...]]"
"""A vector or a list of numbers, with the bracket that opened it."""

ENOUGH = 1000
"""So many mistakes say that a text is not a tree at all: the rest is not read."""

_SMALL: dict[str, Number] = {str(number): number for number in range(-100, 1000)}
_CLOSED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPE = re.compile(r"\\.")
_TWO_NUMBERS = re.compile(r"([+-]?[0-9.]+)([+-][0-9.]+)")
_TURNS = {Player.MAX: Player.MIN, Player.MIN: Player.MAX}
_RELATIONS = {"≤": "<=", "≥": ">="}
_RULES = ("returns", "ties", "bounds", "depth")


class Enough(Exception):  # noqa: N818 - not an error of the program: reading on would say nothing new
    """Reading stops here; what is wrong has been noted."""


class Builder:
    """Puts one tree together; its public methods are named after the rules of the grammar.

    A node is added when its head is recognised, which is before its children are:
    nodes come in preorder, and no rule hands more than a few words to another.
    """

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Forget the last text."""
        self.mistakes: list[Mistake] = []
        self.places: list[int] = []
        self.damaged: set[int] = set()
        self._planting = Planting()
        self._open = [-1]
        self._turns = [Player.MAX]
        self._groups: set[int] = set()
        self._last_group = (-1, -1)
        self._leaves = 0
        self._last_word: Token | None = None
        self._words: list[tuple[Token, int, int]] = []
        self.playerless: list[tuple[tuple[Token, ...], int]] = []
        self._facts: dict[str, Any] = {}
        self._fact_places: dict[str, Token] = {}
        self._pairs: dict[str, Any] = {}
        self._fresh()

    def _fresh(self) -> None:
        """No label, cross or mark waits for its node."""
        self._waiting = False
        self._move: str | None = None
        self._probability: Number | None = None
        self._cross = False
        self._claim: Claim | None = None
        self._unknown: str | None = None
        self._attributes: Attributes | None = None

    @property
    def parent(self) -> int:
        """The node whose children are being read; -1 outside every node."""
        return self._open[-1]

    def tree(self) -> Tree:
        """The tree as far as it was read; at least one node was."""
        return self._planting.tree(Header(**self._facts) if self._facts else None)

    def place(self, fault: faults.Fault) -> tuple[int, int]:
        """The characters that a fault of the tree belongs to."""
        if fault.code in ("rules-clash", "header-value"):
            for name in _RULES:
                if name in self._fact_places:
                    token = self._fact_places[name]
                    start = cast(int, token.start_pos)
                    return start, start + len(token)
        start = self.places[fault.node]
        return start, start + 1

    def wrong(self, token: "Token", code: str, message: str, hint: str) -> None:
        """Note a mistake at a token."""
        start = cast(int, token.start_pos)
        self.wrong_at(start, start + len(token), code, message, hint)

    def wrong_at(self, start: int, end: int, code: str, message: str, hint: str) -> None:
        """Note a mistake at a range of characters."""
        if len(self.mistakes) >= ENOUGH:
            raise Enough
        self.mistakes.append(Mistake(start, end, code, message, hint))

    def note(self, start: int, end: int, fault: faults.Fault) -> None:
        """Note a fault of the tree at a range of characters, however many there are."""
        self.mistakes.append(Mistake(start, end, fault.code, fault.message, fault.hint))

    def _fault(self, token: "Token", fault: faults.Fault) -> None:
        self.wrong(token, fault.code, fault.message, fault.hint)

    # Rules that have nothing to say: what they hold has been noted when its parts were recognised.

    def text(self, _: list[object]) -> None:
        """The whole text."""

    headers = items = item = children = branch = marks = text

    # Nodes.

    def number(self, children: "list[Token | None]") -> None:
        """A leaf with a number."""
        token = cast("Token", children[0] or children[1])
        payoff = _SMALL.get(token)
        if payoff is None:
            payoff = self._number(token)
        self._leaf(token, payoff)

    def payoffs(self, children: "list[Placed | None]") -> None:
        """A leaf with a vector."""
        token, payoff = cast(Placed, children[0])
        self._leaf(token, payoff)

    def word(self, children: "list[Token | None]") -> None:
        """A leaf with a word: an unknown payoff, or a name when `=` and a payoff follow."""
        token = self._last_word = cast("Token", children[0])
        word = self._word(token)
        claim = self._claim
        if claim is None:
            self._leaf(token, word)
            return
        self._claim = None
        if claim.relation != "=":
            self._fault(token, faults.claim_at_leaf(0))
        self._leaf(token, claim.value if self._unknown is None else self._unknown, word)

    def words_before(self) -> "tuple[Token, ...]":
        """The leaves, at most two, that are words and stand last among the children read so far."""
        found: list[Token] = []
        for token, node, parent in reversed(self._words):
            if node != len(self.places) - 1 - len(found) or parent != self.parent:
                break
            found.append(token)
        return tuple(reversed(found))

    def _leaf(self, token: "Token", payoff: Payoff, name: str | None = None) -> None:
        """Add a leaf."""
        if self._claim is not None:
            self._fault(token, faults.claim_at_leaf(0))
            self._claim = None
        self._leaves += 1
        if self._leaves > LEAVES:
            self._fault(token, faults.too_many_leaves(0))
            raise Enough
        self._add(token, None, payoff, name)
        if token is self._last_word:
            self._words = [*self._words[-1:], (token, len(self.places) - 1, self.parent)]

    def head(self, children: "list[Token | None]") -> None:
        """An internal node, before its children."""
        token = cast("Token", children[0])
        player = PLAYERS.get(token) or PLAYERS[token.upper()]
        name = None
        if len(children) > 1 and children[1] is not None:
            name = self._word(children[1])
        if self._unknown is not None:
            self.wrong(
                token,
                "claim-kind",
                f"{clipped(self._unknown)} is claimed, which is not a value",
                "claim what the node is worth: =3, or =<1, 2> in a game of several players",
            )
            self._claim = None
        self._open_node(token, player, name)

    def group(self, children: "list[Token]") -> None:
        """A group without a player, at its bracket: the other player moves there."""
        token = children[0]
        if self._last_word is not None and self._last_word.end_pos == token.start_pos:
            self.wrong(
                token,
                "leaf-with-children",
                f"{clipped(self._last_word)} has children, but no player in front of it",
                f"write who moves there, such as MAX {clipped(self._last_word)} (3 4); "
                "a leaf with a group behind it needs a blank between the two",
            )
            self.damaged.add(max(self.parent, 0))
        turn = self._turns[-1]
        if turn.seat is not None:
            self.wrong(
                token,
                "group-without-player",
                "in a game of several players every node needs its player",
                "write P1, P2, ... or CHANCE in front of the bracket",
            )
            turn = Player.CHANCE
        if not self._waiting:
            self._groups.add(len(self.places))
            if self._words and (words := self.words_before()):
                self.playerless.append((words, cast(int, token.start_pos)))
        self._open_node(token, turn, None)

    def node(self, _: list[object]) -> None:
        """The end of an internal node."""
        node = self._open.pop()
        self._turns.pop()
        if node in self._groups:
            self._groups.discard(node)
            self._last_group = (node, len(self.places))

    def outlined(self, children: list[object]) -> None:
        """The end of an internal node whose children stand on deeper lines."""
        only = self._open[-1] + 1
        if self._last_group == (only, len(self.places)):
            start = self.places[only]
            self.wrong_at(
                start,
                start + 1,
                "unclear-group",
                "a single group on a deeper line: the children of the node above, or one child?",
                "open the bracket on the line of the node, or write the player of the group",
            )
        self.node(children)

    def _open_node(self, token: "Token", player: Player, name: str | None) -> None:
        """Add an internal node; what follows are its children."""
        node = len(self.places)
        self._add(token, player, None, name)
        self._open.append(node)
        if player in _TURNS:
            self._turns.append(_TURNS[player])
        else:
            self._turns.append(self._turns[-1] if player.seat is None else player)

    def _add(self, token: "Token", player: Player | None, payoff: Payoff | None, name: str | None) -> None:
        """Add a node with everything that waits for it."""
        parent = self._open[-1]
        if parent < 0 and self.places:
            parent = self._second_root(token)
        if len(self._open) > PLIES + 1:
            self._fault(token, faults.too_deep(0))
            raise Enough
        self.places.append(cast(int, token.start_pos))
        if not self._waiting:
            self._planting.add(parent, player, payoff, name=name)
            return
        self._planting.add(
            parent,
            player,
            payoff,
            name=name,
            move=self._move,
            probability=self._probability,
            claim=self._claim,
            cross=self._cross,
            attributes=self._attributes,
        )
        self._fresh()

    def _second_root(self, token: "Token") -> int:
        """Note, once, that a text holds more than one tree; the others are read as parts of the first."""
        if not any(mistake.code == "several-trees" for mistake in self.mistakes):
            hint = "put the children of one node in brackets: MAX (3 12 8)"
            if len(self.places) == 1 and self._last_word is not None:
                word = clipped(self._last_word)
                hint = f"{word} alone is an unknown payoff; a node needs its player: MAX {word} (3 12 8)"
            self.wrong(token, "several-trees", "a second tree begins here", hint)
        self.damaged.add(0)
        return 0

    # What stands before and behind a node.

    def label(self, children: "list[Token]") -> None:
        """A move label or a probability."""
        token = children[0]
        self._waiting = True
        if token.type == "NUMBER":
            if self._probability is not None:
                self._twice(token, "two probabilities")
            self._probability = self._share(token)
        else:
            if self._move is not None:
                self._twice(token, "two move labels")
            self._move = self._word(token)

    def cross(self, children: "list[Token]") -> None:
        """A crossed-out branch."""
        if self._cross:
            self._twice(children[0], "two crosses")
        self._waiting = self._cross = True

    def _twice(self, token: "Token", what: str) -> None:
        self.wrong(
            token,
            "label-twice",
            f"{what} on one branch",
            "a branch has at most one move label, one probability and one cross: heads: 1/2: ~3",
        )

    def _share(self, token: "Token") -> Number:
        """A probability: a number or a percentage."""
        problems = len(self.mistakes)
        if token.endswith("%"):
            share = exact(Fraction(self._number(token, token[:-1]), 100))
        else:
            share = self._number(token)
        if len(self.mistakes) > problems:
            self.damaged.add(self.parent)
        return share

    def claim(self, children: "list[Token | Placed]") -> None:
        """A claim at a node; behind the name of a leaf, its payoff."""
        relation = cast("Token", children[0])
        value = children[1]
        self._waiting = True
        if self._claim is not None:
            self.wrong(
                relation,
                "claim-twice",
                "two values at one node",
                "keep one: =3, <=3 or >=3",
            )
            return
        self._unknown = None
        number: Value = 0
        if isinstance(value, tuple):
            number = value[1]
        elif value.type == "NUMBER":
            number = self._number(value)
        else:
            self._unknown = self._word(value)
        self._claim = Claim(cast(Any, _RELATIONS.get(relation, str(relation))), number)

    def attribute(self, children: "list[Token | Placed]") -> None:
        """One `key=value` between braces."""
        key, relation = cast("Token", children[0]), cast("Token", children[1])
        value = children[2]
        if relation != "=":
            self.wrong(relation, "attribute-value", f"{relation} in an attribute", "write {eval=4}")
        elif key not in ("eval", "f", "n", "w"):
            self.wrong(
                key,
                "attribute-unknown",
                f"{clipped(key)} is not an attribute",
                "eval is a static evaluation, f a list of features, n a number of visits, w a number of wins",
            )
        elif key in self._pairs:
            self.wrong(key, "attribute-twice", f"{key} is given twice", "keep one of them")
        elif key == "f":
            if isinstance(value, tuple):
                self._pairs["f"] = value[1]
            else:
                self._fault(key, faults.attribute_value(0, "f", "a list of numbers, such as [2, -1]"))
        elif isinstance(value, tuple) or value.type != "NUMBER":
            self._fault(key, faults.attribute_value(0, key, "one number"))
        else:
            number = self._number(value)
            if key == "n" and (type(number) is not int or number < 0):
                self._fault(value, faults.attribute_value(0, "n", "a whole number of visits, 0 or more"))
            else:
                self._pairs[str(key)] = number

    def attributes(self, children: "list[Token]") -> None:
        """All attributes of a node."""
        if self._attributes is not None:
            self.wrong(
                children[0], "attribute-twice", "attributes are given twice", "put them into one {...}"
            )
        pairs, self._pairs = self._pairs, {}
        self._waiting = True
        self._attributes = Attributes(pairs.get("eval"), pairs.get("f"), pairs.get("n"), pairs.get("w"))

    # Words and numbers.

    def vector(self, children: "list[Any]") -> Placed:
        """The numbers between `<` and `>`, or between `[` and `]`, with the opening bracket."""
        return children[0], tuple(children[1]) if len(children) > 1 else ()

    row = vector

    def numbers(self, children: "list[Any]") -> "list[Number]":
        """Numbers in a row."""
        if len(children) == 1:
            return [self._number(children[0])]
        children[0].append(self._number(children[1]))
        return cast("list[Number]", children[0])

    def _number(self, token: "Token", text: str | None = None) -> Number:
        """The number a token spells (or `text`, a part of it); 0 with a note when it spells none."""
        try:
            return read_number(token if text is None else text)
        except NumeralError as error:
            hint = (
                "numbers are written 3, -2, 2.5, 7/3 or 1e-3; a name that begins with a digit goes in quotes"
            )
            if two := _TWO_NUMBERS.fullmatch(token[: 4 * DIGITS]):
                hint = f"put a blank or a comma between two numbers: {two[1]} {two[2]}"
            elif token.endswith((";", "|")):
                hint = "children are separated by blanks or commas"
            elif token.endswith("%"):
                hint = "a percentage is a probability and stands before a branch: 50%: 3"
            elif "digits" in str(error) or "exponent" in str(error):
                hint = f"numbers have at most {DIGITS} digits and an exponent of at most {DIGITS}"
            self.wrong(token, "bad-number", f"{clipped(token)} {error}", hint)
            return 0

    def _word(self, token: "Token") -> str:
        """The name, label or unknown a token spells; a note when it spells none."""
        if token.type == "STRING":
            return self._string(token)
        if not is_word(token):
            self._bad_word(token)
        return str(token)

    def _bad_word(self, token: "Token") -> None:
        """Note that a word needs quotes, or is none at all."""
        hint = f'a name of other characters than letters, digits and _ goes in quotes: "{clipped(token)}"'
        if any(quote in token for quote in "“”„«»‘’"):
            hint = 'quotes are written straight: "a name"'
        elif token.strip(";|&.") == "":
            hint = "children are separated by blanks or commas"
        elif "inf" in token or "∞" in token:
            hint = "payoffs are finite: 3, -2, 2.5 or 7/3"
        elif not token.isascii() and any(letter.isdigit() for letter in token):
            hint = "numbers are written with the digits 0 to 9; anything else goes in quotes"
        self.wrong(token, "bad-word", f"{clipped(token)} is neither a number nor a name", hint)

    def _string(self, token: "Token") -> str:
        """The text between quotes."""
        if _CLOSED.fullmatch(token) is None:
            self.wrong(token, "unclosed-quote", "the quote is not closed on its line", 'end it with "')
            return "?"
        for escape in _ESCAPE.finditer(token, 1, len(token) - 1) if "\\" in token else ():
            if escape[0][1] not in '\\"':
                start = cast(int, token.start_pos) + escape.start()
                self.wrong_at(
                    start,
                    start + 2,
                    "bad-escape",
                    'a backslash stands before " or another backslash only',
                    r"write \\ for a backslash",
                )
        return unquoted(token)

    # The header.

    def fact(self, children: "list[Any]") -> Any:
        """A word, a number or a list in a header line."""
        return children[0]

    name = value = fact

    def header(self, children: "list[Any]") -> None:
        """One header line."""
        line = cast("Token", children[0])
        name, facts = str(line[1:]), children[1:]
        reader = _HEADERS.get(name)
        if reader is None:
            self.wrong(
                line,
                "header-unknown",
                f"@{clipped(name)} is not a header",
                "headers are " + ", ".join(f"@{known}" for known in _HEADERS),
            )
            return
        wanted, read = reader
        if name in self._fact_places:
            self.wrong(line, "header-twice", f"@{name} is given twice", "keep one of the lines")
            return
        self._fact_places[name] = line
        problems = len(self.mistakes)
        value = read(self, name, facts[0]) if len(facts) == 1 else None
        if value is not None:
            self._facts[name] = value
        elif len(self.mistakes) == problems:
            self.wrong(
                line,
                "header-value",
                f"@{name} needs {wanted}, alone on its line",
                f"for example: {_EXAMPLES[name]}",
            )

    def _title(self, _: str, fact: "Token | Placed") -> str | None:
        return self._string(fact) if not isinstance(fact, tuple) and fact.type == "STRING" else None

    def _choice(self, name: str, fact: "Token | Placed") -> str | None:
        return str(fact) if fact in CHOICES[name] else None

    def _bounds(self, _: str, fact: "Token | Placed") -> tuple[Number, ...] | None:
        return fact[1] if isinstance(fact, tuple) and len(fact[1]) == 2 else None

    def _weights(self, _: str, fact: "Token | Placed") -> tuple[Number, ...] | None:
        return fact[1] if isinstance(fact, tuple) else None

    def _depth(self, _: str, fact: "Token | Placed") -> Number | None:
        if isinstance(fact, tuple) or fact.type != "NUMBER":
            return None
        depth = self._number(fact)
        return depth if isinstance(depth, int) and depth >= 0 else None


_HEADERS: dict[str, tuple[str, Any]] = {
    "title": ("a text in quotes", Builder._title),
    "source": ("a text in quotes", Builder._title),
    "order": (" or ".join(CHOICES["order"]), Builder._choice),
    "ties": (" or ".join(CHOICES["ties"]), Builder._choice),
    "test": (" or ".join(CHOICES["test"]), Builder._choice),
    "returns": (" or ".join(CHOICES["returns"]), Builder._choice),
    "bounds": ("two numbers in square brackets", Builder._bounds),
    "depth": ("a whole number of plies, 0 or more", Builder._depth),
    "weights": ("numbers in square brackets", Builder._weights),
}

_EXAMPLES = {
    "title": '@title "Figure 5.2"',
    "source": '@source "Russell and Norvig, fig. 5.2"',
    "order": "@order left-to-right",
    "ties": "@ties cut",
    "test": "@test value",
    "returns": "@returns soft",
    "bounds": "@bounds [-2, 2]",
    "depth": "@depth 2",
    "weights": "@weights [3, 1]",
}
